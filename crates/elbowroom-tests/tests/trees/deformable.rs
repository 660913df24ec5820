//! Meshes that deform under boxes of eight: the same pairs as all pairs of triangles and as layered
//! trees, wherever and however large.

use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::DeformableBvh;
use elbowroom::internal::query::{
    CollisionRequest, CollisionResult, TrianglePair, Want, collide_deformable,
    collide_deformable_on, intersects_deformable,
};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::Family;
use elbowroom::{Mesh, Pose, Relation};
use elbowroom_make::body::{female, male};
use elbowroom_make::{bumpy_sphere, cuboid, icosphere};
use elbowroom_motion::body::{Poser, Rig};
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::collide_layered;
use elbowroom_testkit::brute::{Soup, all_pairs};
use elbowroom_testkit::nasty::{Class, generate};
use elbowroom_testkit::oracle::PlainPose;
use elbowroom_testkit::random::Random;
use elbowroom_tests::common::{mesh, plain};
use glam::{DAffine3, DVec3};

const HERE: PlainPose =
    PlainPose { r: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], t: [0.0; 3] };

fn soup(soft: &DeformableBvh) -> Soup {
    let vertices = soft.vertices().iter().map(DVec3::to_array).collect();
    Soup { vertices, triangles: soft.triangles().to_vec() }
}

/// What is asked, in every way that there is: all must agree. Gives the pairs.
fn asked(a: &DeformableBvh, b: &DeformableBvh, workspace: &mut Workspace) -> Vec<TrianglePair> {
    a.validate().expect("sound");
    b.validate().expect("sound");
    let all = collide_deformable(a, b, Want::All, workspace);
    assert!(all.pairs.is_sorted_by(|x, y| x < y));
    let crossing = all.pairs.iter().filter(|pair| pair.relation == Relation::Crossing).count();
    assert_eq!((all.crossing, all.count()), (crossing as u64, all.pairs.len() as u64));
    let counted = collide_deformable(a, b, Want::Count, workspace);
    assert_eq!(CollisionResult { pairs: all.pairs.clone(), ..counted }, all);
    let first = collide_deformable(a, b, Want::First, workspace);
    assert_eq!(first.pairs.len(), usize::from(all.is_contact()));
    assert!(first.pairs.iter().all(|pair| all.pairs.binary_search(pair).is_ok()));
    assert_eq!(collide_deformable(a, b, Want::Any, workspace).is_contact(), all.is_contact());
    let mut swapped: Vec<TrianglePair> = collide_deformable(b, a, Want::All, workspace)
        .pairs
        .into_iter()
        .map(|TrianglePair { a, b, relation }| TrianglePair { a: b, b: a, relation })
        .collect();
    swapped.sort_unstable();
    assert_eq!(swapped, all.pairs);
    for ask in [Want::All, Want::First] {
        let levels = SimdLevel::ALL.map(|level| collide_deformable_on(a, b, ask, workspace, level));
        assert!(levels.iter().all(|answer| *answer == levels[0]));
    }
    all.pairs
}

#[test]
fn nasty_triangles_meet_as_the_oracle_says() {
    let mut random = Random::new(41);
    let mut workspace = Workspace::default();
    let (mut touching, mut crossing, mut apart) = (0, 0, 0);
    for class in Class::ALL {
        for round in 0..12 {
            // One pair alone, and then more of them on both sides than a leaf holds.
            let count = if round < 9 { 1 } else { 21 };
            let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
            for _ in 0..count {
                let case = generate(class, &mut random);
                of_a.push(case.a.map(|p| case.pose_a.rounded(&p)));
                of_b.push(case.b.map(|p| case.pose_b.rounded(&p)));
            }
            let (a, b) = (Soup::from_triangles(&of_a), Soup::from_triangles(&of_b));
            let expected = all_pairs(&a, &HERE, &b, &HERE);
            let [soft_a, soft_b] =
                [&a, &b].map(|soup| DeformableBvh::new(&mesh(soup)).expect("few"));
            let found = asked(&soft_a, &soft_b, &mut workspace);
            assert_eq!(plain(&found), expected, "{class:?}, round {round}");
            apart += u32::from(found.is_empty());
            let cross = found.iter().filter(|pair| pair.relation == Relation::Crossing).count();
            crossing += cross;
            touching += found.len() - cross;
        }
    }
    assert!(touching > 1000 && crossing > 1000 && apart > 50, "{touching} {crossing} {apart}");
}

/// Everything of a posed rig in one mesh.
fn posed(rig: &Rig, random: &mut Random, world: &DAffine3) -> Vec<DVec3> {
    let (mut pose, mut poser) = (rig.rest_pose(), Poser::new());
    let clip = &rig.clips[random.below(rig.clips.len() as u64) as usize];
    clip.sample(random.uniform(0.0, 1.0), &mut pose);
    poser.set_placed(rig, &pose, world);
    let (mut all, mut part) = (Vec::new(), Vec::new());
    for index in 0..rig.parts.len() {
        poser.part(rig, index, &mut part);
        all.extend_from_slice(&part);
    }
    all
}

fn whole(rig: &Rig) -> Mesh {
    let mut triangles = Vec::new();
    let mut first = 0;
    for part in &rig.parts {
        triangles.extend(part.mesh.triangles().iter().map(|t| t.map(|corner| corner + first)));
        first += part.mesh.vertices().len() as u32;
    }
    let vertices = posed(rig, &mut Random::new(1), &DAffine3::IDENTITY);
    Mesh::new(vertices, triangles).expect("a person")
}

#[test]
fn people_meet_as_layered_trees_say() {
    let rigs = [male(), female()];
    let boxes = Layers::single(Family::Aabb).expect("boxes");
    let mut softs = rigs.each_ref().map(|rig| DeformableBvh::new(&whole(rig)).expect("a person"));
    let mut layereds =
        rigs.each_ref().map(|rig| HybridTree::new(whole(rig), &boxes, &Config::default()));
    let (here, mut workspace, mut random) = (Pose::IDENTITY, Workspace::default(), Random::new(9));
    let (mut pairs, mut clear, mut brute) = (0, 0, 0);
    for round in 0..20 {
        // Beyond 10⁹ m a body is a few steps of f64 across, and mostly degenerate.
        let far = [0.0, 3.0e3, -1.0e9, 1.0e14][round % 4];
        let size = [1.0, 1.0, 1e-30, 1e60][round / 4 % 4];
        let spread = if round % 3 == 0 { 0.7 } else { 0.3 };
        for which in 0..2 {
            let at = DVec3::new(random.uniform(-spread, spread), 0.0, random.uniform(-0.3, 0.3));
            let turn = DAffine3::from_rotation_y(random.uniform(-3.0, 3.0));
            let at = DAffine3::from_translation(at + DVec3::new(far, 0.0, -0.7 * far));
            let mut points = posed(&rigs[which], &mut random, &(at * turn));
            for point in &mut points {
                *point *= size;
            }
            // Now and then two men on one spot.
            if round % 10 == 9 && which == 1 {
                let same = softs[0].clone();
                assert!(asked(&softs[0], &same, &mut workspace).len() > 10_000);
            }
            softs[which].refit(&points).expect("finite");
            layereds[which].refit(&points).expect("finite");
        }
        let found = asked(&softs[0], &softs[1], &mut workspace);
        let [a, b] = &layereds;
        let expected =
            collide_layered(a, &here, b, &here, &CollisionRequest::default(), &mut workspace);
        assert_eq!(found, expected.pairs, "round {round}");
        assert_eq!(softs[0].bounds(), a.bounds());
        if [0, 1, 16].contains(&round) {
            let expected = all_pairs(&soup(&softs[0]), &HERE, &soup(&softs[1]), &HERE);
            assert_eq!(plain(&found), expected, "round {round}");
            brute += expected.len();
        }
        pairs += found.len();
        clear += u32::from(found.is_empty());
    }
    assert!(pairs > 2_000 && clear > 0 && brute > 50, "{pairs} {clear} {brute}");
}

#[test]
fn every_level_gives_the_same_boxes() {
    let (man, mut random) = (male(), Random::new(3));
    let start = DeformableBvh::new(&whole(&man)).expect("a person");
    assert!(start.tree().links().len() < 130, "{}", start.tree().links().len());
    for round in 0..6 {
        let at = DAffine3::from_translation(DVec3::splat(10.0_f64.powi(3 * round)));
        let points = posed(&man, &mut random, &at);
        let refitted = SimdLevel::ALL.map(|level| {
            let mut soft = start.clone();
            soft.refit_on(&points, level).expect("finite");
            soft.validate().expect("sound");
            soft
        });
        let blocks = |soft: &DeformableBvh| soft.boxes().blocks().to_vec();
        assert!(refitted.iter().all(|soft| blocks(soft) == blocks(&refitted[0])));
    }
}

#[test]
fn sizes_and_shapes_of_every_kind() {
    let meshes = [icosphere(3), bumpy_sphere(4, 0.2, 5), cuboid(DVec3::new(1.0, 0.5, 0.25))];
    let (mut random, mut workspace) = (Random::new(77), Workspace::default());
    let (mut met, mut clear) = (0, 0);
    for round in 0..60 {
        let size = [1.0, 1e-300, 1e-45, 1e-20, 1e12, 1e29, 1e35, 1e150, 1e307][round % 9];
        let [a, b] = [0, 1].map(|which| {
            let base = &meshes[random.below(3) as usize];
            let mut soft = DeformableBvh::new(base).expect("few");
            // Both of one size, or the second a thousand times smaller or flat.
            let shape = match (round % 4, which) {
                (1, 1) => DVec3::splat(1e-3),
                (2, _) => DVec3::new(1.0, 0.0, 1.0),
                (3, 1) => DVec3::new(0.0, 1.0, 0.0),
                _ => DVec3::ONE,
            };
            let at = if round % 5 == 0 {
                DVec3::ZERO
            } else {
                DVec3::from_array([0; 3].map(|_| random.uniform(-0.9, 0.9)))
            };
            let moved: Vec<DVec3> =
                base.vertices().iter().map(|&p| (p * shape + at) * size).collect();
            soft.refit(&moved).expect("finite");
            soft
        });
        let found = asked(&a, &b, &mut workspace);
        assert_eq!(plain(&found), all_pairs(&soup(&a), &HERE, &soup(&b), &HERE), "round {round}");
        met += found.len();
        clear += u32::from(found.is_empty());
    }
    assert!(met > 2_000 && clear > 3, "{met} {clear}");
}

#[test]
fn what_is_not_finite_is_refused() {
    let sphere = icosphere(2);
    let (mut soft, other) =
        (DeformableBvh::new(&sphere).expect("few"), DeformableBvh::new(&sphere).expect("few"));
    let mut points = sphere.vertices().to_vec();
    points[7].y = f64::NAN;
    assert!(soft.refit(&points).is_err() && soft.refit(&points[1..]).is_err());
    // Nothing has changed.
    assert!(intersects_deformable(&soft, &other));
    let refused = soft.refit_with(|out| out.copy_from_slice(&points));
    assert!(refused.is_err_and(|error| error.to_string().contains('7')));
    assert!(!intersects_deformable(&soft, &other) && !intersects_deformable(&other, &soft));
    soft.refit(sphere.vertices()).expect("finite");
    assert!(intersects_deformable(&soft, &other));
}
