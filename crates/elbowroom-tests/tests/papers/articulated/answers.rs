//! All ways find what every pair of links, decided in rational arithmetic, has in common; and how
//! much they ask.

use std::sync::Arc;

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Want, World};
use elbowroom::{Mesh, Pose};
use elbowroom_papers::cab::{
    Allowed, LinkQuestion, Work, Workspace, against, between, candidates_between, decide_between,
    within,
};
use elbowroom_papers::cab::{ArticulatedBody, CabAxis, CabHierarchy, RefitMethod};
use elbowroom_testkit::brute::{Soup, all_pairs};
use elbowroom_testkit::oracle::PlainPose;
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DVec3};

use super::{BENDS, Bend, any_body, any_turn, bar, pose};
use elbowroom_tests::common::plain;

fn soup(mesh: &Mesh) -> Soup {
    let vertices = mesh.vertices().iter().map(DVec3::to_array).collect();
    Soup { vertices, triangles: mesh.triangles().to_vec() }
}

fn oracle_pose(placement: &Pose) -> PlainPose {
    let r = placement.rotation().transpose().to_cols_array_2d();
    PlainPose { r, t: placement.translation().to_array() }
}

/// The oracle's answer about two placed meshes.
fn meet(a: (&Mesh, &Pose), b: (&Mesh, &Pose)) -> Vec<Triangles> {
    all_pairs(&soup(a.0), &oracle_pose(a.1), &soup(b.0), &oracle_pose(b.1))
}

type Triangles = (u32, u32, elbowroom_testkit::oracle::Relation);

fn mesh(body: &CabHierarchy, link: usize) -> (&Mesh, &Pose) {
    (body.articulation().links()[link].model.mesh(), &body.placements()[link])
}

fn keeping(
    articulation: &Arc<ArticulatedBody>,
    keep: RefitMethod,
    world: &[DAffine3],
) -> CabHierarchy {
    let mut body = CabHierarchy::new(Arc::clone(articulation), keep);
    body.update(world).expect("a rigid pose");
    body
}

const ALL: LinkQuestion = LinkQuestion { ask: Want::All, first_only: false, depth: false };

/// The work of each way, by its place in [`RefitMethod::ALL`]: what must be equal, and what must be
/// in order.
fn compare(work: &[Work]) {
    let [brute, vertices, corners, centre, covariance, cab, sum] = *work else {
        panic!("{} ways", work.len());
    };
    for each in work {
        assert_eq!(each.hits, brute.hits);
        assert_eq!(each.calls, each.hits + each.false_alarms);
        assert!(each.calls <= brute.calls);
    }
    assert_eq!(brute.box_tests, 0);
    assert_eq!((cab.calls, sum.calls), (covariance.calls, covariance.calls), "the same leaves");
    assert!(vertices.calls <= corners.calls && vertices.calls <= centre.calls);
}

#[test]
fn two_bodies() {
    let mut random = Random::new(421);
    let mut workspace = Workspace::new();
    let mut total = [Work::default(); RefitMethod::ALL.len()];
    let mut links_met = 0;
    for round in 0..80 {
        let (skeleton_a, a) = any_body(&mut random, 4 + round % 6);
        let (skeleton_b, b) = any_body(&mut random, 4 + round % 5);
        let bend = BENDS[round as usize % 4];
        let world_a = pose(&mut random, &skeleton_a, bend, (DVec3::ZERO, 0.2));
        let world_b = pose(&mut random, &skeleton_b, Bend::Any, (DVec3::ZERO, 0.2));
        let brute_a = keeping(&a, RefitMethod::Brute, &world_a);
        let brute_b = keeping(&b, RefitMethod::Brute, &world_b);
        let mut expected = Vec::new();
        for i in 0..a.links().len() {
            for j in 0..b.links().len() {
                let triangles = meet(mesh(&brute_a, i), mesh(&brute_b, j));
                if !triangles.is_empty() {
                    expected.push((i as u32, j as u32, triangles));
                }
            }
        }
        links_met += expected.len();
        let mut works = Vec::new();
        for (keep, sum) in RefitMethod::ALL.into_iter().zip(&mut total) {
            let mut first = keeping(&a, keep, &world_a);
            let mut second = keeping(&b, keep, &world_b);
            let found = between(&mut first, &mut second, &ALL, &mut workspace);
            let shown = found.contacts.iter().map(|contact| {
                let triangles = plain(found.triangles_of(contact));
                assert_eq!(contact.touching + contact.crossing, triangles.len() as u64);
                (contact.a, contact.b, triangles)
            });
            assert_eq!(shown.collect::<Vec<_>>(), expected, "{keep:?} in round {round}");
            works.push(found.work);
            *sum += found.work;
            check_steps(&mut first, &mut second, &mut workspace);
        }
        compare(&works);
        // Ways may be mixed, and the arguments exchanged.
        let mut first = keeping(&a, RefitMethod::AabbCentre, &world_a);
        let mut second = keeping(&b, RefitMethod::Cab(CabAxis::Longest), &world_b);
        let question = LinkQuestion::default();
        let found = between(&mut first, &mut second, &question, &mut workspace).contacts.len();
        assert_eq!(found, expected.len());
        let found = between(&mut second, &mut first, &question, &mut workspace).contacts.len();
        assert_eq!(found, expected.len());
    }
    assert!(links_met > 60, "{links_met}");
    let [brute, vertices, corners, _, covariance, cab, _] = total;
    assert!(corners.calls > vertices.calls && vertices.calls > covariance.calls, "{total:?}");
    assert!(brute.calls > 2 * corners.calls && cab.false_alarms > 20, "{total:?}");
}

/// The two steps alone give what they give together, and the first contact is among them.
fn check_steps(a: &mut CabHierarchy, b: &mut CabHierarchy, workspace: &mut Workspace) {
    let question = LinkQuestion::default();
    let whole = between(a, b, &question, workspace).clone();
    let (candidates, tested) = candidates_between(a, b, workspace);
    assert!(candidates.is_sorted() && candidates.len() as u64 == whole.work.calls);
    let found = decide_between(a, b, &question, workspace);
    assert_eq!(found.contacts, whole.contacts);
    assert!(found.triangles.is_empty());
    let mut work = found.work;
    work += tested;
    assert_eq!(work, whole.work);
    let first = LinkQuestion { first_only: true, ..question };
    let found = between(a, b, &first, workspace);
    assert_eq!(found.contacts.first(), whole.contacts.first());
    assert!(found.contacts.len() <= 1);
}

#[test]
fn a_body_with_itself() {
    let mut random = Random::new(422);
    let mut workspace = Workspace::new();
    let (mut links_met, mut left_out) = (0, 0);
    for round in 0..60 {
        let (skeleton, articulation) = any_body(&mut random, 4 + round % 7);
        let bend = BENDS[round as usize % 4];
        let world = pose(&mut random, &skeleton, bend, (DVec3::ZERO, 1.0));
        let brute = keeping(&articulation, RefitMethod::Brute, &world);
        let links = articulation.links().len() as u32;
        let more: Vec<(u32, u32)> = (0..round % 4)
            .map(|_| [0; 2].map(|_: u32| random.below(u64::from(links)) as u32).into())
            .collect();
        let allowed = Allowed::adjacent(&articulation).with(&more).expect("links that are there");
        let mut expected = Vec::new();
        for i in 0..links {
            for j in i + 1..links {
                if meet(mesh(&brute, i as usize), mesh(&brute, j as usize)).is_empty() {
                    continue;
                }
                let is_listed = articulation.adjacent().contains(&(i, j))
                    || more.iter().any(|&(a, b)| (a.min(b), a.max(b)) == (i, j));
                assert_eq!(is_listed, allowed.has(j, i));
                if is_listed {
                    left_out += 1;
                } else {
                    expected.push((i, j));
                }
            }
        }
        links_met += expected.len();
        let mut works = Vec::new();
        for keep in RefitMethod::ALL {
            let mut body = keeping(&articulation, keep, &world);
            let found = within(&mut body, &allowed, &LinkQuestion::default(), &mut workspace);
            let shown: Vec<_> = found.contacts.iter().map(|c| (c.a, c.b)).collect();
            assert_eq!(shown, expected, "{keep:?} in round {round}");
            works.push(found.work);
        }
        compare(&works);
    }
    assert!(links_met > 60 && left_out > 100, "{links_met} {left_out}");
}

#[test]
fn a_body_in_a_world() {
    let mut random = Random::new(423);
    let mut workspace = Workspace::new();
    let mut met = 0;
    let model = Arc::new(Model::new(bar(1.0, 0.4, 0.3)));
    for round in 0..30 {
        let (skeleton, articulation) = any_body(&mut random, 3 + round % 6);
        let far = if round % 3 == 2 { DVec3::splat(4e6) } else { DVec3::ZERO };
        let joints = pose(&mut random, &skeleton, Bend::Any, (far, 1.0));
        let mut world = World::new();
        let ids: Vec<_> = (0..9)
            .map(|_| {
                let at = far + 1.2 * super::any_point(&mut random);
                let place = Pose::from_quat(any_turn(&mut random), at).expect("rigid");
                world.add(Arc::clone(&model), place)
            })
            .collect();
        world.remove(ids[round as usize % 9]).expect("it was there");
        let brute = keeping(&articulation, RefitMethod::Brute, &joints);
        let mut expected = Vec::new();
        for link in 0..articulation.links().len() {
            for body in world.bodies() {
                let place = world.pose(body).expect("it is there");
                if !meet(mesh(&brute, link), (model.mesh(), place)).is_empty() {
                    expected.push((link as u32, body.number() as u32));
                }
            }
        }
        met += expected.len();
        let mut works = Vec::new();
        for keep in RefitMethod::ALL {
            let mut body = keeping(&articulation, keep, &joints);
            let found = against(&mut body, &world, &LinkQuestion::default(), &mut workspace);
            let shown: Vec<_> = found.contacts.iter().map(|c| (c.a, c.b)).collect();
            assert_eq!(shown, expected, "{keep:?} in round {round}");
            works.push(found.work);
        }
        compare(&works);
    }
    assert!(met > 40, "{met}");
}
