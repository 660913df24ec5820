//! Bodies of links, footprints and worlds of such soups.

use std::collections::BTreeSet;
use std::sync::Arc;

use elbowroom::internal::exact::{PlacedTriangle, relate};
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Want, World};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose, Relation};
use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
use elbowroom_motion::footprint::{
    Cut, Footprint, FootprintConfig, Look, Nearness, Parts, Work, ask,
};
use elbowroom_papers::cab::{ArticulatedBody, CabHierarchy, Link, RefitMethod};
use elbowroom_papers::cab::{LinkQuestion, Workspace as LinkWorkspace, between};
use elbowroom_testkit::brute::{Soup, all_pairs};
use elbowroom_testkit::oracle::PlainPose;
use elbowroom_testkit::random::Random;
use elbowroom_testkit::soups::{Kind, pair, soup};
use glam::{DAffine3, DVec3};

use crate::for_each_pair;
use crate::truth::Scene;
use elbowroom_tests::common::{mesh, placement};

/// A chain of joints, each with a soup.
fn body(random: &mut Random, kind: Kind, joints: u32) -> Arc<ArticulatedBody> {
    let joint = |i: u32| Joint {
        name: format!("joint {i}"),
        parent: i.checked_sub(1).map(JointId),
        rest: Local::from_translation(DVec3::X * 0.3 * kind.size()),
    };
    let skeleton = Skeleton::new((0..joints).map(joint).collect()).expect("a chain");
    let links = (0..joints).map(|i| {
        let triangles = 1 + random.below(12) as usize;
        Link {
            joint: JointId(i),
            model: Arc::new(Model::new(mesh(&soup(kind, random, triangles)))),
            joint_from_link: Pose::IDENTITY,
            name: format!("link {i}"),
        }
    });
    Arc::new(ArticulatedBody::new(&skeleton, links.collect()).expect("sound links"))
}

fn pairs_of_links(a: &CabHierarchy, b: &CabHierarchy) -> Vec<(u32, u32, u64)> {
    let mut met = Vec::new();
    let [of_a, of_b] = [a, b].map(|body| body.articulation().links());
    for (i, (link_a, place_a)) in of_a.iter().zip(a.placements()).enumerate() {
        for (j, (link_b, place_b)) in of_b.iter().zip(b.placements()).enumerate() {
            let [mesh_a, mesh_b] = [link_a, link_b].map(|link| link.model.mesh());
            let mut count = 0;
            for s in 0..mesh_a.triangles().len() {
                let first = PlacedTriangle::new(place_a, mesh_a.triangle(s));
                for t in 0..mesh_b.triangles().len() {
                    let second = PlacedTriangle::new(place_b, mesh_b.triangle(t));
                    count += u64::from(relate(&first, &second) != Relation::Apart);
                }
            }
            if count > 0 {
                met.push((i as u32, j as u32, count));
            }
        }
    }
    met
}

#[test]
fn articulated_bodies() {
    let mut workspace = LinkWorkspace::new();
    let question = LinkQuestion { ask: Want::All, first_only: false, depth: false };
    let (mut met, mut clear, mut round) = (0, 0, 0);
    for_each_pair(0xb0d1, 10, 2, |kind, given, random| {
        let (a, b) = (body(random, kind, 2 + round % 4), body(random, kind, 1 + round % 3));
        let world = |random: &mut Random, pose: &PlainPose, joints: usize| -> Vec<DAffine3> {
            let place = placement(pose);
            let mut at = DAffine3::from_mat3_translation(place.rotation(), place.translation());
            (0..joints)
                .map(|_| {
                    at.translation += random.uniform(-0.2, 0.2) * kind.size() * DVec3::Y;
                    at
                })
                .collect()
        };
        let world_a = world(random, &given.pose_a, a.links().len());
        let world_b = world(random, &given.pose_b, b.links().len());
        for keep in RefitMethod::ALL {
            let [mut first, mut second] = [(&a, &world_a), (&b, &world_b)].map(|(of, world)| {
                let mut body = CabHierarchy::new(Arc::clone(of), keep);
                body.update(world).expect("a rigid pose");
                body
            });
            let truth = pairs_of_links(&first, &second);
            let found = between(&mut first, &mut second, &question, &mut workspace);
            let found: Vec<_> = found
                .contacts
                .iter()
                .map(|contact| (contact.a, contact.b, contact.touching + contact.crossing))
                .collect();
            assert_eq!(found, truth, "{keep:?}, {kind:?}, round {round}");
            met += truth.len();
            clear += usize::from(truth.is_empty());
        }
        round += 1;
    });
    println!("{met} pairs of links met, {clear} pairs of bodies are clear");
    assert!(met > round as usize && clear > round as usize, "{met} {clear}");
}

fn flat(soup: &Soup) -> Soup {
    let vertices = soup.vertices.iter().map(|v| [v[0], v[1], 0.0]).collect();
    Soup { vertices, triangles: soup.triangles.clone() }
}

/// A footprint never calls clear what overlaps seen from above, at any level.
#[test]
fn footprints() {
    let mut work = Work::default();
    let (mut overlapping, mut clear, mut round) = (0, 0, 0);
    for_each_pair(0xf007, 4, 24, |kind, pair, _| {
        let is_off_scale = matches!(kind, Kind::Huge | Kind::FarAway);
        if is_off_scale || pair.a.triangles.is_empty() {
            return;
        }
        let [a, b] = [pair.a.baked(&pair.pose_a), pair.b.baked(&pair.pose_b)];
        let truth = all_pairs(&flat(&a), &PlainPose::IDENTITY, &flat(&b), &PlainPose::IDENTITY);
        let base = FootprintConfig { threshold: 0.05 * kind.size(), ..FootprintConfig::default() };
        let config = match round % 5 {
            0 => base,
            1 => FootprintConfig { cut: Cut::Center, holes: false, ..base },
            2 => FootprintConfig { parts: Parts::Triangles, ..base },
            3 => FootprintConfig { parts: Parts::Triangles, cut: Cut::Covariance, ..base },
            _ => FootprintConfig { parts: Parts::Whole, ..base },
        };
        let [first, second] = [&a, &b].map(|soup| Footprint::of_mesh(&mesh(soup), &config));
        let here = Planar::IDENTITY;
        for level in [Some(0), Some(1), Some(3), Some(6), None] {
            let look = Look { level, margin: 0.0 };
            let said = ask(&first, &here, &second, &here, &look, &mut work);
            let is_wrong = said == Nearness::Clear && !truth.is_empty();
            assert!(!is_wrong, "{kind:?}, {config:?}, {level:?}, {pair:?}");
            clear += u32::from(said == Nearness::Clear);
        }
        overlapping += u32::from(!truth.is_empty());
        round += 1;
    });
    println!("{overlapping} of {round} overlap from above, {clear} answers are clear");
    assert!(overlapping > round / 2 && clear > round / 20, "{overlapping} {clear}");
}

/// Many soups in one world: the pairs of bodies that the broad phase leaves hold all that meet.
#[test]
fn worlds() {
    let mut random = Random::new(0x0_1d);
    let mut workspace = Workspace::default();
    let (mut met, mut dropped) = (0, 0);
    for kind in Kind::ALL {
        let mut world = World::new();
        let mut bodies: Vec<(Mesh, Pose)> = Vec::new();
        for _ in 0..6 {
            let scene = Scene::new(&pair(kind, &mut random, 12));
            bodies.extend([(scene.a, scene.place_a), (scene.b, scene.place_b)]);
        }
        for (body, place) in &bodies {
            world.add(Model::new(body.clone()), *place);
        }
        let numbers: Vec<_> = world.bodies().collect();
        let found: BTreeSet<_> = world.pairs().collect();
        for i in 0..bodies.len() {
            for j in 0..i {
                let ((a, place_a), (b, place_b)) = (&bodies[j], &bodies[i]);
                let [first, second] = [a, b].map(|mesh| Model::new(mesh.clone()));
                let question = elbowroom::internal::query::CollisionRequest::default();
                let answer = elbowroom::internal::query::collide(
                    &first,
                    place_a,
                    &second,
                    place_b,
                    &question,
                    &mut workspace,
                );
                let is_kept = found.contains(&(numbers[j], numbers[i]))
                    || found.contains(&(numbers[i], numbers[j]));
                assert!(is_kept || !answer.is_contact(), "{kind:?}: {j} and {i}");
                met += u32::from(answer.is_contact());
                dropped += u32::from(!is_kept);
            }
        }
    }
    assert!(met > 50 && dropped > 20, "{met} {dropped}");
}
