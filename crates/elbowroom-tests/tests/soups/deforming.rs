//! Meshes whose vertices move: soft and layered models, refitted from somewhere else, with and
//! without a front.

use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::DeformableBvh;
use elbowroom::internal::query::{
    CollisionRequest, TrianglePair, Want, collide_deformable, collide_deformable_on,
};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::Family;
use elbowroom::{Mesh, Pose};
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::{collide_layered, collide_layered_again};
use elbowroom_testkit::oracle::PlainPose;
use elbowroom_testkit::soups::Pair;

use crate::for_each_pair;
use crate::truth::{Scene, elsewhere, meeting, swapped};

/// Soups with their vertices placed and rounded, as a deforming mesh has them.
fn baked(pair: &Pair) -> Pair {
    Pair {
        a: pair.a.baked(&pair.pose_a),
        pose_a: PlainPose::IDENTITY,
        b: pair.b.baked(&pair.pose_b),
        pose_b: PlainPose::IDENTITY,
    }
}

fn soft(mesh: &Mesh) -> DeformableBvh {
    let mut soft = DeformableBvh::new(&elsewhere(mesh)).expect("few triangles");
    soft.validate().expect("boxes of the first pose hold it");
    soft.refit(mesh.vertices()).expect("as many vertices");
    soft.validate().expect("refitted boxes hold the mesh");
    soft
}

#[test]
fn soft_models() {
    let mut workspace = Workspace::default();
    let (mut met, mut clear, mut round) = (0, 0, 0);
    for_each_pair(0x50f7, 1, 40, |kind, pair, _| {
        let pair = baked(pair);
        let scene = Scene::new(&pair);
        let truth = meeting(&pair, &scene);
        let [a, b] = [&scene.a, &scene.b].map(soft);
        let all = collide_deformable(&a, &b, Want::All, &mut workspace);
        assert_eq!(all.pairs, truth, "{kind:?}, {pair:?}");
        let back = collide_deformable(&b, &a, Want::All, &mut workspace);
        assert_eq!(back.pairs, swapped(&truth), "{kind:?}");
        let count = collide_deformable(&a, &b, Want::Count, &mut workspace);
        assert_eq!(count.count(), truth.len() as u64, "{kind:?}");
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_here()) {
            let whether = collide_deformable_on(&a, &b, Want::Any, &mut workspace, level);
            assert_eq!(whether.is_contact(), !truth.is_empty(), "{kind:?}, {level:?}");
            let first = collide_deformable_on(&a, &b, Want::First, &mut workspace, level).pairs;
            assert_eq!(first.len(), truth.len().min(1), "{kind:?}, {level:?}");
        }
        met += truth.len();
        clear += usize::from(truth.is_empty());
        round += 1;
    });
    println!("{met} pairs of triangles met, {clear} pairs of soups are clear");
    assert!(met > 4 * round && clear > round / 20, "{met} {clear}");
}

fn layering(round: usize) -> Layers {
    let made = match round % 9 {
        0 => Layers::sbbk(18, 1, 3),
        1 => Layers::sbbk(26, 1, 2),
        2 => Layers::hbbcd(1, 3),
        3 => Layers::s_aabb(1),
        4 => Layers::s_obb(2),
        5 => Layers::aabb_kdop(14, 2),
        6 => Layers::single(Family::Sphere),
        7 => Layers::single(Family::Kdop24),
        _ => Layers::single(Family::Obb),
    };
    made.expect("levels in order")
}

#[test]
fn layered_models() {
    let mut workspace = Workspace::default();
    let (mut met, mut again, mut round) = (0, 0, 0);
    for_each_pair(0x1a7e4, 1, 40, |kind, pair, random| {
        let scene = Scene::new(pair);
        let truth = meeting(pair, &scene);
        let config = Config { leaf: 1 + round % 3, ..Config::default() };
        let [mut a, b] = [&scene.a, &scene.b].map(|mesh| {
            let mut model = HybridTree::new(elsewhere(mesh), &layering(round), &config);
            model.refit(mesh.vertices()).expect("as many vertices");
            model.validate().unwrap_or_else(|fault| panic!("{kind:?}, {round}: {fault}"));
            model
        });
        let question = CollisionRequest::default();
        let (here, there) = (&scene.place_a, &scene.place_b);
        let answer = collide_layered(&a, here, &b, there, &question, &mut workspace);
        assert_eq!(answer.pairs, truth, "{kind:?}, {:?}, {pair:?}", layering(round));
        // The front of one question begins the next, after some vertices have moved.
        let mut front = elbowroom_papers::grammar::Front::default();
        let mut put = |a: &HybridTree, expected: &[TrianglePair]| {
            let found =
                collide_layered_again(a, here, &b, there, &question, &mut front, &mut workspace);
            assert_eq!(found.pairs, expected, "{kind:?}, {:?}, {pair:?}", layering(round));
        };
        put(&a, &truth);
        put(&a, &truth);
        let mut moved = pair.clone();
        for vertex in &mut moved.a.vertices {
            *vertex = vertex.map(|x| x + random.uniform(-0.05, 0.05) * kind.size());
        }
        let next = Scene::new(&moved);
        a.refit(next.a.vertices()).expect("as many vertices");
        let later = meeting(&moved, &next);
        put(&a, &later);
        met += truth.len();
        again += later.len();
        round += 1;
    });
    println!("{met} pairs of triangles met, {again} after a step");
    assert!(met > 4 * round && again > 3 * round, "{met} {again}");
}

/// A rigid pair placed by one pose is the deforming pair with baked vertices, if nothing is
/// rounded.
#[test]
fn placed_and_baked() {
    let mut workspace = Workspace::default();
    let (mut met, mut round) = (0, 0);
    for_each_pair(0xba4ed, 10, 12, |kind, pair, _| {
        let pair = baked(pair);
        let scene = Scene::new(&pair);
        let here = Pose::IDENTITY;
        let truth = meeting(&pair, &scene);
        let [a, b] =
            [&scene.a, &scene.b].map(|mesh| elbowroom::internal::model::Model::new(mesh.clone()));
        let rigid = elbowroom::internal::query::collide(
            &a,
            &here,
            &b,
            &here,
            &CollisionRequest::default(),
            &mut workspace,
        );
        let [a, b] = [&scene.a, &scene.b].map(soft);
        let deforming = collide_deformable(&a, &b, Want::All, &mut workspace);
        assert_eq!((&rigid.pairs, &deforming.pairs), (&truth, &truth), "{kind:?}, {pair:?}");
        met += truth.len();
        round += 1;
    });
    assert!(met > round, "{met}");
}
