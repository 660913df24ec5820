//! Random walks with jumps: the front's answers are those from the roots.

use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, CollisionResult, Want, collide};
use elbowroom::internal::traverse::{Path, Rule, Workspace};
use elbowroom::internal::volume::Family;
use elbowroom::{Mesh, Pose};
use elbowroom_papers::grammar::Front;
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::{Coherent, collide_layered, collide_layered_again};
use elbowroom_testkit::brute::{Soup, all_pairs};
use elbowroom_testkit::oracle::PlainPose;
use elbowroom_testkit::random::Random;
use glam::{DQuat, DVec3};

use super::cut;
use elbowroom_tests::common;

const FRAMES: u32 = 10_000;

/// Goes a little at a time, and sometimes somewhere else.
struct Walker {
    random: Random,
    at: DVec3,
    turn: DQuat,
}

impl Walker {
    fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), at: DVec3::new(2.5, 0.0, 0.0), turn: DQuat::IDENTITY }
    }

    fn vector(&mut self, reach: f64) -> DVec3 {
        DVec3::from_array([(); 3].map(|()| self.random.uniform(-reach, reach)))
    }

    /// The next place, and whether it was a jump.
    fn step(&mut self) -> (Pose, bool) {
        let is_jump = self.random.one_in(100);
        let (reach, angle) = if is_jump { (4.0, 3.0) } else { (0.05, 0.05) };
        let shift = self.vector(reach);
        self.at = if is_jump { shift } else { 0.995 * self.at + shift };
        let axis = (self.vector(1.0) + DVec3::X * 1e-3).normalize();
        self.turn = (DQuat::from_axis_angle(axis, self.random.uniform(-angle, angle)) * self.turn)
            .normalize();
        (Pose::from_quat(self.turn, self.at).expect("finite"), is_jump)
    }
}

fn meshes() -> [Mesh; 2] {
    [elbowroom_make::wrinkled_torus(10, 6), elbowroom_make::icosphere(2)]
}

/// Everything but the work.
fn without_tally(answer: CollisionResult) -> CollisionResult {
    CollisionResult { tally: elbowroom::internal::traverse::Tally::default(), ..answer }
}

fn soup(mesh: &Mesh) -> Soup {
    Soup {
        vertices: mesh.vertices().iter().map(DVec3::to_array).collect(),
        triangles: mesh.triangles().to_vec(),
    }
}

fn pose(placement: &Pose) -> PlainPose {
    PlainPose {
        r: placement.rotation().transpose().to_cols_array_2d(),
        t: placement.translation().to_array(),
    }
}

#[test]
fn ten_thousand_frames_by_every_rule() {
    let kinds =
        [(Family::Aabb, Rule::Larger), (Family::Obb, Rule::Both), (Family::Kdop18, Rule::First)];
    for (seed, (family, rule)) in (1..).zip(kinds) {
        let config = Config::default().with_family(family);
        let [a, b] = meshes().map(|mesh| Model::with_config(mesh, &config));
        let soups = meshes().map(|mesh| soup(&mesh));
        let mut pair = Coherent::new(a.clone(), b.clone());
        let mut swapped = Coherent::new(b.clone(), a.clone());
        let (mut walker, mut workspace) = (Walker::new(seed), Workspace::default());
        let (mut contacts, mut jumps, mut judged) = (0, 0, 0);
        let [mut front_visits, mut root_visits] = [0_u64; 2];
        let here = Pose::IDENTITY;
        for frame in 0..FRAMES {
            let (there, is_jump) = walker.step();
            jumps += u32::from(is_jump);
            let wanted = [Want::Any, Want::Count, Want::All][frame as usize % 3];
            let question =
                CollisionRequest { want: wanted, path: Path { rule, level: None }, margin: 0.0 };
            let root = collide(&a, &here, &b, &there, &question, &mut workspace);
            let front = pair.ask(&here, &there, &question);
            let other = swapped.ask(&there, &here, &question);
            assert_eq!(front.verdict, root.verdict, "{family:?} {rule:?}, frame {frame}");
            assert_eq!(other.verdict, root.verdict);
            if wanted != Want::Any {
                front_visits += front.tally.volumes();
                root_visits += root.tally.volumes();
                assert_eq!((other.touching, other.crossing), (root.touching, root.crossing));
                let mut back = other.pairs.clone();
                for pair in &mut back {
                    std::mem::swap(&mut pair.a, &mut pair.b);
                }
                back.sort_unstable();
                assert_eq!(back, root.pairs);
                assert_eq!(without_tally(front), without_tally(root.clone()));
            }
            contacts += u32::from(root.is_contact());
            if frame % 501 == 2 {
                cut::check(pair.front(), &a, &b);
            }
            // Rational arithmetic is slow, and the answers from the roots are judged by it
            // elsewhere as well.
            if frame % 2_505 == 2 {
                let truth = all_pairs(&soups[0], &pose(&here), &soups[1], &pose(&there));
                assert_eq!(wanted, Want::All);
                assert_eq!(common::plain(&root.pairs), truth);
                judged += 1;
            }
        }
        println!(
            "{family:?} {rule:?}: {contacts} contacts, {jumps} jumps, visits {front_visits}/{root_visits}"
        );
        assert!(contacts > 1_000 && contacts < 9_000, "{contacts} contacts");
        assert!(jumps > 60 && judged == 4, "{jumps} jumps, {judged} judged");
        assert!(front_visits < root_visits, "{front_visits} of {root_visits} visits");
    }
}

/// All families, and one tree of each against the next: shorter walks.
#[test]
fn every_family_and_mixed_ones() {
    let mut contacts = 0;
    for (place, family) in Family::ALL.into_iter().enumerate() {
        let next = Family::ALL[(place + 1) % Family::ALL.len()];
        for others in [family, next] {
            let [first, second] = meshes();
            let a = Model::with_config(first, &Config::default().with_family(family));
            let b = Model::with_config(second, &Config::default().with_family(others));
            let mut pair = Coherent::new(a.clone(), b.clone());
            let (mut walker, mut workspace) = (Walker::new(place as u64), Workspace::default());
            for frame in 0..150 {
                let (there, _) = walker.step();
                let rule = if frame < 100 { Rule::Larger } else { Rule::Both };
                let question = CollisionRequest {
                    path: Path { rule, level: None },
                    ..CollisionRequest::default()
                };
                let here = Pose::IDENTITY;
                let root = collide(&a, &here, &b, &there, &question, &mut workspace);
                contacts += u32::from(root.is_contact());
                assert_eq!(without_tally(pair.ask(&here, &there, &question)), without_tally(root));
            }
            cut::check(pair.front(), &a, &b);
        }
    }
    assert!(contacts > 500, "{contacts}");
}

/// A question that is limited to a level is answered as from the roots, and leaves the front as it
/// is.
#[test]
fn a_level_is_asked_from_the_roots() {
    let [a, b] = meshes().map(|mesh| Model::with_config(mesh, &Config::default()));
    let mut pair = Coherent::new(a.clone(), b.clone());
    let (mut walker, mut workspace) = (Walker::new(9), Workspace::default());
    let here = Pose::IDENTITY;
    let mut verdicts = std::collections::HashSet::new();
    for _ in 0..600 {
        let (there, _) = walker.step();
        pair.ask(&here, &there, &CollisionRequest::default());
        let before: Vec<_> = pair.front().pairs().collect();
        let path = Path { rule: Rule::Larger, level: Some(3) };
        let question = CollisionRequest { path, ..CollisionRequest::default() };
        let answer = pair.ask(&here, &there, &question);
        assert_eq!(answer, collide(&a, &here, &b, &there, &question, &mut workspace));
        assert!(pair.front().pairs().eq(before));
        verdicts.insert(answer.verdict);
    }
    assert_eq!(verdicts.len(), 2, "{verdicts:?}");
}

/// A front that may hold only a few pairs, or one, goes on with a stack below them.
#[test]
fn a_limit_bounds_the_front_and_changes_no_answer() {
    let [a, b] = meshes().map(|mesh| Model::with_config(mesh, &Config::default()));
    let here = Pose::IDENTITY;
    for limit in [0, 1, 2, 7, 100] {
        for rule in [Rule::Larger, Rule::Both] {
            let front = Front::with_limit(limit);
            let mut pair = Coherent::with_front(a.clone(), b.clone(), front);
            let (mut walker, mut workspace) = (Walker::new(11), Workspace::default());
            let mut contacts = 0;
            for frame in 0..300 {
                let (there, _) = walker.step();
                let wanted = if frame % 2 == 0 { Want::Any } else { Want::All };
                let question = CollisionRequest {
                    want: wanted,
                    path: Path { rule, level: None },
                    margin: 0.0,
                };
                let root = collide(&a, &here, &b, &there, &question, &mut workspace);
                let answer = pair.ask(&here, &there, &question);
                contacts += u32::from(root.is_contact());
                assert_eq!(answer.verdict, root.verdict);
                assert!(wanted == Want::Any || answer.pairs == root.pairs);
                assert!(pair.front().len() <= limit.max(1), "{} pairs", pair.front().len());
            }
            cut::check(pair.front(), &a, &b);
            assert!(contacts > 30, "{contacts}");
        }
    }
}

/// Layered trees that move and deform.
#[test]
fn layered_bodies_that_deform() {
    let mut contacts = 0;
    let layerings = [
        Layers::sbbk(18, 1, 4),
        Layers::sbbk(26, 2, 5),
        Layers::hbbcd(1, 3),
        Layers::s_aabb(2),
        Layers::s_obb(1),
        Layers::aabb_kdop(24, 3),
    ];
    for (seed, layering) in (0..).zip(layerings) {
        let layering = layering.expect("sound");
        let [mut a, b] = meshes().map(|mesh| HybridTree::new(mesh, &layering, &Config::default()));
        let rest = a.mesh().vertices().to_vec();
        let (mut walker, mut workspace) = (Walker::new(seed), Workspace::default());
        let mut front = Front::default();
        for frame in 0..400 {
            let wave = f64::from(frame) * 0.05;
            let bent: Vec<DVec3> =
                rest.iter().map(|p| *p + DVec3::Z * (0.3 * (p.x + wave).sin())).collect();
            a.refit(&bent).expect("sound");
            let (mut there, _) = walker.step();
            if frame % 80 > 60 {
                // In one frame, where volumes are compared along common directions.
                there = Pose::from_translation(there.translation()).expect("finite");
            }
            let (here, question) = (Pose::IDENTITY, CollisionRequest::default());
            let root = collide_layered(&a, &here, &b, &there, &question, &mut workspace);
            let again =
                collide_layered_again(&a, &here, &b, &there, &question, &mut front, &mut workspace);
            contacts += u32::from(root.is_contact());
            assert_eq!(without_tally(again), without_tally(root), "{layering}, frame {frame}");
        }
    }
    assert!(contacts > 400, "{contacts}");
}
