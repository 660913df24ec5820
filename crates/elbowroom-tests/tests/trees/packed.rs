//! Packed trees: the same answers as readable ones on larger scenes, stored and read again, asked
//! in batches, again and again, and piece by piece.

use std::ops::ControlFlow;

use elbowroom::internal::bvh::{Config, Packed, PackedFault, StoreError};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{
    CollisionRequest, Neighbours, Placed, Want, Witness, collide, collide_pairs, distance,
    intersects, intersects_again, self_triangle_pairs, triangle_pairs, visit,
};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose};
use elbowroom_testkit::random::Random;
use elbowroom_tests::common::configs;
use glam::{DQuat, DVec3};

/// Shapes of different kinds, some of them with copies, slivers and degenerate triangles.
fn shapes() -> Vec<(&'static str, Mesh)> {
    let doubled = |mesh: &Mesh| {
        let mut triangles = mesh.triangles().to_vec();
        triangles.extend(mesh.triangles().iter().map(|&[a, b, c]| [b, c, a]));
        triangles.extend(mesh.triangles().iter().step_by(3).map(|&[a, b, _]| [a, b, b]));
        Mesh::new(mesh.vertices().to_vec(), triangles).expect("sound")
    };
    let ball = elbowroom_make::icosphere(8);
    vec![
        ("cuboid", elbowroom_make::cuboid(DVec3::new(1.0, 0.6, 0.4))),
        ("doubled ball", doubled(&ball)),
        ("ball", ball),
        ("bumpy", elbowroom_make::bumpy_sphere(10, 0.2, 7)),
        ("torus", elbowroom_make::wrinkled_torus(40, 24)),
        ("person", elbowroom_make::person()),
    ]
}

fn place(random: &mut Random, reach: f64) -> Pose {
    let axis = DVec3::from_array([(); 3].map(|()| random.uniform(-1.0, 1.0))) + DVec3::Z * 1e-3;
    let turn = DQuat::from_axis_angle(axis.normalize(), random.uniform(-3.0, 3.0));
    let at = DVec3::from_array([(); 3].map(|()| random.uniform(-reach, reach)));
    Pose::from_quat(turn, at).expect("finite")
}

#[test]
fn packed_trees_answer_as_readable_ones() {
    let mut random = Random::new(5);
    let mut workspace = Workspace::default();
    let shapes: Vec<(Model, Model, Model)> = shapes()
        .into_iter()
        .enumerate()
        .map(|(i, (name, mesh))| {
            let packed = Model::new(mesh.clone());
            let tree = packed.packed().expect("small shapes are packed");
            tree.validate(&mesh).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            let config = configs()[i % configs().len()];
            (packed, Model::packed_from(mesh.clone(), &config), Model::with_config(mesh, &config))
        })
        .collect();
    let (mut contacts, mut pairs, mut clear) = (0, 0, 0);
    for round in 0..900 {
        let (a, b) = (&shapes[round % shapes.len()], &shapes[round / 6 % shapes.len()]);
        let reach = if round % 3 == 0 { 0.3 } else { 1.2 };
        let (place_a, place_b) = match round % 7 {
            // Side by side and upright, as copies on one floor: everything is degenerate.
            0 => {
                let step = DVec3::new(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.0);
                (Pose::IDENTITY, Pose::from_translation(step).expect("finite"))
            }
            _ => (place(&mut random, reach), place(&mut random, reach)),
        };
        let mut put =
            |a, b| collide(a, &place_a, b, &place_b, &CollisionRequest::default(), &mut workspace);
        let truth = put(&a.2, &b.2);
        for answer in [put(&a.0, &b.0), put(&a.1, &b.1), put(&a.0, &b.1)] {
            assert_eq!(answer.pairs, truth.pairs, "round {round}");
            assert_eq!(answer.verdict, truth.verdict);
        }
        contacts += u32::from(truth.is_contact());
        clear += u32::from(!truth.is_contact());
        pairs += truth.pairs.len();
    }
    assert!(contacts > 400 && clear > 50 && pairs > 20_000, "{contacts} {clear} {pairs}");
}

/// A ball of the size 1 with smaller and smaller ones beside it, and a triangle far away.
/// Queries that meet more than caches hold have it fetched ahead, and their triangles wait
/// meanwhile: nothing may be lost on the way.
#[test]
fn vast_queries_lose_nothing() {
    let ball = elbowroom_make::icosphere(34);
    let (packed, readable) =
        (Model::new(ball.clone()), Model::with_config(ball, &Config::obbtree()));
    let blocks = packed.packed().expect("packed").blocks();
    assert!(2 * blocks > 4096, "{blocks} blocks are not many");
    let turned = DQuat::from_axis_angle(DVec3::new(0.3, 0.5, 0.8).normalize(), 0.7);
    let there = Pose::from_quat(turned, DVec3::new(1e-4, 0.0, 2e-4)).expect("a rotation");
    let here = Pose::IDENTITY;
    let mut workspace = Workspace::default();
    let mut ask_of = |model: &Model, how_much| {
        let question = CollisionRequest { want: how_much, ..CollisionRequest::default() };
        collide(model, &here, model, &there, &question, &mut workspace)
    };
    let (found, truth) = (ask_of(&packed, Want::All), ask_of(&readable, Want::All));
    assert!(found.tally.volumes() > 16 * 4096, "{} boxes are few", found.tally.volumes());
    assert!(truth.pairs.len() > 10_000, "{} pairs are few", truth.pairs.len());
    assert!(found.pairs == truth.pairs, "{} of {}", found.pairs.len(), truth.pairs.len());
    let counted = ask_of(&packed, Want::Count);
    assert_eq!((counted.touching, counted.crossing), (truth.touching, truth.crossing));
    // One within the other: nothing is found, however long one looks.
    let within = Model::new(scaled(packed.mesh(), 1.0 - 1e-3));
    for how_much in [Want::Any, Want::First, Want::Count] {
        let question = CollisionRequest { want: how_much, ..CollisionRequest::default() };
        let answer = collide(&packed, &here, &within, &here, &question, &mut workspace);
        assert!(!answer.is_contact() && answer.tally.volumes() > 16 * 4096, "{:?}", answer.tally);
        assert!(answer.tally.primitives > 10_000, "{:?}", answer.tally);
    }
}

fn sizes_of_all_kinds() -> Mesh {
    let ball = elbowroom_make::icosphere(3);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..5 {
        let size = (-3.0 * f64::from(k) * std::f64::consts::LN_10).exp();
        let first = vertices.len() as u32;
        let centre = DVec3::new(2.0 * f64::from(k), 1.0, 0.5);
        vertices.extend(ball.vertices().iter().map(|&v| centre + size * v));
        triangles.extend(ball.triangles().iter().map(|t| t.map(|corner| corner + first)));
    }
    let first = vertices.len() as u32;
    vertices.extend([DVec3::X, DVec3::Y, DVec3::Z].map(|axis| 1e8 * (DVec3::ONE + axis)));
    triangles.push([first, first + 1, first + 2]);
    Mesh::new(vertices, triangles).expect("sound")
}

#[test]
fn small_parts_of_large_models_are_islands() {
    let mesh = sizes_of_all_kinds();
    let config = Config::default();
    let [built, grown] = [Model::new(mesh.clone()), Model::packed_from(mesh.clone(), &config)];
    for model in [&built, &grown] {
        let tree = model.packed().expect("not too large");
        tree.validate(&mesh).expect("sound");
        assert!(tree.islands().len() >= 4, "{:?}", tree.islands());
        let smallest = tree.islands().iter().map(|island| island.reach).fold(f64::MAX, f64::min);
        assert!(smallest < 1e-11, "{smallest}");
        let again = Packed::from_bytes(&tree.to_bytes(&mesh), &mesh).expect("as it was");
        assert_eq!(&again, tree);
    }
    let readable = Model::with_config(mesh, &config);
    let mut workspace = Workspace::default();
    let mut random = Random::new(23);
    let (mut contacts, mut pairs, mut apart) = (0, 0, 0);
    for round in 0..100_u32 {
        // One of the balls over another one, off by a part of its size.
        let [i, j] = [round % 5, round / 5 % 5];
        let size = (-3.0 * f64::from(i.max(j)) * std::f64::consts::LN_10).exp();
        let turn = place(&mut random, 0.0);
        let centre = |k: u32| DVec3::new(2.0 * f64::from(k), 1.0, 0.5);
        let off = size * DVec3::from_array([(); 3].map(|()| random.uniform(-2.2, 2.2)));
        let at = centre(i) - turn.rotation() * centre(j) + off;
        let there = Pose::new(turn.rotation(), at).expect("a rotation");
        let mut put = |a, b| {
            collide(a, &Pose::IDENTITY, b, &there, &CollisionRequest::default(), &mut workspace)
        };
        let truth = put(&readable, &readable);
        for answer in [put(&built, &built), put(&grown, &grown), put(&built, &grown)] {
            assert!(answer.pairs == truth.pairs, "round {round}");
        }
        let here = Pose::IDENTITY;
        let meets = intersects(&built, &here, &grown, &there);
        assert_eq!(meets, truth.is_contact(), "round {round}");
        // The stray triangles are nearest now and then; never farther apart than the limit.
        let mut near = |a, b| distance(a, &here, b, &there, size, &mut workspace);
        let nearest = near(&readable, &readable);
        assert_eq!((near(&built, &grown), near(&grown, &built)), (nearest, nearest));
        apart += u32::from(nearest.is_some_and(|nearest| nearest.distance > 0.0));
        contacts += u32::from(truth.is_contact());
        pairs += truth.pairs.len();
    }
    assert!(contacts > 20 && pairs > 500 && apart > 3, "{contacts} {pairs} {apart}");
    let truth = self_triangle_pairs(&readable, Neighbours::Count, &mut workspace).0;
    assert!(truth.len() > 5 * 180);
    for model in [&built, &grown] {
        assert!(self_triangle_pairs(model, Neighbours::Count, &mut workspace).0 == truth);
    }
}

#[test]
fn a_stray_triangle_costs_next_to_nothing() {
    let plain = elbowroom_make::bumpy_sphere(20, 0.2, 7);
    let (mut vertices, mut triangles) = (plain.vertices().to_vec(), plain.triangles().to_vec());
    let first = vertices.len() as u32;
    vertices.extend([DVec3::X, DVec3::Y, DVec3::Z].map(|axis| DVec3::splat(1e8) + axis));
    triangles.push([first, first + 1, first + 2]);
    let stray = Model::new(Mesh::new(vertices, triangles).expect("sound"));
    let plain = Model::new(plain);
    assert_eq!(plain.packed().map(|tree| tree.islands().len()), Some(1));
    let mut workspace = Workspace::default();
    let mut random = Random::new(3);
    let (mut with, mut without) = ([0; 2], [0; 2]);
    for _ in 0..50 {
        let there = place(&mut random, 1.5);
        let mut put = |model| {
            let here = Pose::IDENTITY;
            collide(model, &here, model, &there, &CollisionRequest::default(), &mut workspace)
        };
        let [one, other] = [put(&plain), put(&stray)];
        // The strays may meet each other.
        let own = plain.mesh().triangles().len() as u32;
        let pairs: Vec<_> = other.pairs.iter().filter(|p| p.a < own).copied().collect();
        assert!(one.pairs == pairs);
        for (sum, tally) in [(&mut without, one.tally), (&mut with, other.tally)] {
            sum[0] += tally.volumes();
            sum[1] += tally.primitives;
        }
    }
    println!("volumes and primitives without and with a stray triangle: {without:?} {with:?}");
    assert!(without[0] > 10_000);
    // The tree is cut elsewhere, so that the work is not quite the same.
    assert!(10 * with[0] < 13 * without[0] && 10 * with[1] < 13 * without[1]);
}

#[test]
fn far_and_wide_apart() {
    let model = Model::new(elbowroom_make::icosphere(4));
    let big = Model::new(scaled(&elbowroom_make::icosphere(4), 1e8));
    let tiny = Model::new(scaled(&elbowroom_make::icosphere(4), 1e-8));
    let huge = Model::new(scaled(&elbowroom_make::icosphere(4), 1e12));
    assert!(huge.packed().is_none() && big.packed().is_some() && tiny.packed().is_some());
    let reference = |m: &Model| Model::with_config(m.mesh().clone(), &Config::default());
    let all = [&model, &big, &tiny, &huge];
    let slow = all.map(reference);
    let (mut touching, mut asked) = (0, 0);
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            for distance in [0.0, 1e-9, 1.0, 1.5, 1e6, 1e8, 1.9e8, 1e12, 1e30, 1e300] {
                let there = Pose::from_translation(DVec3::new(distance, 0.0, 0.0)).expect("finite");
                let here = Pose::IDENTITY;
                let answer = intersects(a, &here, b, &there);
                assert_eq!(answer, intersects(&slow[i], &here, &slow[j], &there));
                touching += u32::from(answer);
                asked += 1;
            }
        }
    }
    assert_eq!(asked, 160);
    assert!(touching > 15, "{touching}");
}

fn scaled(mesh: &Mesh, factor: f64) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&v| v * factor).collect();
    Mesh::new(vertices, mesh.triangles().to_vec()).expect("finite")
}

#[test]
fn stored_trees_come_back() {
    let mut kept = 0;
    for (name, mesh) in shapes() {
        let packed = Packed::from_bytes(
            &Model::new(mesh.clone()).packed().expect("packed").to_bytes(&mesh),
            &mesh,
        );
        let packed = packed.unwrap_or_else(|error| panic!("{name}: {error}"));
        packed.validate(&mesh).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let again = Model::from_packed(mesh.clone(), packed);
        assert_eq!(again.packed(), Model::new(mesh).packed(), "{name}");
        kept += 1;
    }
    assert_eq!(kept, 6);
}

/// Bytes that were changed on purpose, and their sum with them.
#[test]
fn a_block_below_two_others_is_refused() {
    let mesh = elbowroom_make::icosphere(8);
    let bytes = Packed::build(&mesh).expect("a ball is not too large").to_bytes(&mesh);
    // Behind 56 bytes of head, blocks of 256; what is below its four boxes stands at the end of
    // each.
    let at = |lane: usize| 56 + 240 + 4 * lane..56 + 244 + 4 * lane;
    let mut changed = 0;
    for (from, to) in [(0, 1), (1, 0), (0, 2), (2, 1)] {
        let mut forged = bytes.clone();
        forged.copy_within(at(from), at(to).start);
        if forged == bytes {
            continue;
        }
        let body = forged.len() - 8;
        let sum = Packed::sum_of(&forged[..body]).to_le_bytes();
        forged[body..].copy_from_slice(&sum);
        assert_eq!(Packed::from_bytes(&forged, &mesh), Err(StoreError::Damaged));
        changed += 1;
    }
    assert_eq!(changed, 4);
}

/// Islands that lead backwards, to each other, or are not there.
#[test]
fn islands_out_of_order_are_refused() {
    let mesh = sizes_of_all_kinds();
    let bytes = Packed::build(&mesh).expect("not too large").to_bytes(&mesh);
    let islands = Packed::from_bytes(&bytes, &mesh).expect("sound").islands().len();
    // The last word of each island's 48 bytes is its root; the sum is behind them.
    let root = |island: usize| bytes.len() - 8 - 48 * (islands - island) + 40;
    let mut refused = 0;
    for island in 0..islands {
        for other in (0..islands).map(|i| root(i)..root(i) + 8).chain(std::iter::once(32..40)) {
            let mut forged = bytes.clone();
            forged.copy_within(other, root(island));
            if forged != bytes {
                let body = forged.len() - 8;
                let sum = Packed::sum_of(&forged[..body]).to_le_bytes();
                forged[body..].copy_from_slice(&sum);
                assert_eq!(Packed::from_bytes(&forged, &mesh), Err(StoreError::Damaged));
                refused += 1;
            }
        }
    }
    assert!(refused >= 20, "{refused}");
}

/// With copies and islands, which the parts of a tree have to be put together around.
#[cfg(feature = "parallel")]
#[test]
fn trees_are_the_same_on_any_number_of_threads() {
    let ball = elbowroom_make::bumpy_sphere(30, 0.2, 7);
    let mut copied = ball.triangles().to_vec();
    let late = copied[12_000..12_400].to_vec();
    copied.extend(late.iter().map(|&[a, b, c]| [b, c, a]));
    let copied = Mesh::new(ball.vertices().to_vec(), copied).expect("sound");
    let (mut vertices, mut triangles) = (ball.vertices().to_vec(), ball.triangles().to_vec());
    let first = vertices.len() as u32;
    vertices.extend(ball.vertices().iter().map(|&v| DVec3::splat(1.5) + 1e-5 * v));
    triangles.extend(ball.triangles().iter().map(|t| t.map(|corner| corner + first)));
    let with_island = Mesh::new(vertices, triangles).expect("sound");
    let (mut islands, mut shared) = (0, 0);
    for mesh in [&ball, &copied, &with_island] {
        let built = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| Packed::build(mesh)).expect("not too large")
        };
        let alone = built(1);
        alone.validate(mesh).expect("sound");
        for threads in [2, 3, 8] {
            assert!(built(threads) == alone, "{threads} threads");
        }
        islands += alone.islands().len() - 1;
        shared += mesh.triangles().len() - alone.records();
    }
    assert_eq!((islands, shared), (1, 400));
}

/// The ball around a tree is what a query looks at first: what is outside of it would never be
/// found.
#[test]
fn a_ball_that_is_too_small_is_found_out() {
    let mesh = elbowroom_make::bumpy_sphere(8, 0.2, 7);
    let packed = Packed::build(&mesh).expect("a ball is not too large");
    let [island] = packed.islands() else { panic!("one island") };
    let farthest =
        mesh.vertices().iter().map(|v| (*v - island.origin).length()).fold(0.0, f64::max);
    assert!((farthest..farthest * (1.0 + 1e-14)).contains(&island.radius), "{}", island.radius);
    let mut forged = packed.to_bytes(&mesh);
    let body = forged.len() - 8;
    // Origin, reach, radius, root.
    forged[body - 16..body - 8].copy_from_slice(&(farthest * (1.0 - 1e-12)).to_le_bytes());
    let sum = Packed::sum_of(&forged[..body]).to_le_bytes();
    forged[body..].copy_from_slice(&sum);
    let forged_tree =
        Packed::from_bytes(&forged, &mesh).expect("nothing that a query could fail on");
    assert!(matches!(forged_tree.validate(&mesh), Err(PackedFault::Ball { island: 0, .. })));
    forged[body - 16..body - 8].copy_from_slice(&f64::NAN.to_le_bytes());
    let sum = Packed::sum_of(&forged[..body]).to_le_bytes();
    forged[body..].copy_from_slice(&sum);
    assert_eq!(Packed::from_bytes(&forged, &mesh), Err(StoreError::Damaged));
}

/// Round bodies side by side: the balls around them decide, down to gaps of a millionth, and what
/// touches is found.
#[test]
fn balls_that_are_apart_need_no_tree() {
    let ball = Model::new(elbowroom_make::icosphere(10));
    let readable = Model::with_config(ball.mesh().clone(), &Config::default());
    let mut workspace = Workspace::default();
    let mut random = Random::new(17);
    let (mut by_balls, mut by_trees, mut touching) = (0, 0, 0);
    for round in 0..300 {
        // Corners of the two balls, turned to each other, at a distance of 2 that is off by
        // nothing, by a little, by much.
        let corner = ball.mesh().vertices()[round % ball.mesh().vertices().len()];
        let turn = DQuat::from_axis_angle(DVec3::Z, random.uniform(-3.0, 3.0));
        let direction = turn * corner;
        let half_turn = DQuat::from_rotation_arc(corner.normalize(), -direction.normalize());
        let gap = [0.0, 1e-15, -1e-15, 1e-9, -1e-9, 1e-5, -1e-5, 1e-3][round % 8];
        let here = Pose::from_quat(turn, DVec3::ZERO).expect("finite");
        let there = Pose::from_quat(half_turn, (2.0 + gap) * direction).expect("finite");
        let whether = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
        let answer = collide(&ball, &here, &ball, &there, &whether, &mut workspace);
        let expected = intersects(&readable, &here, &readable, &there);
        assert_eq!(answer.is_contact(), expected);
        touching += u32::from(expected);
        if answer.tally.volumes() == 0 {
            assert!(gap > 1e-7, "{gap}");
            by_balls += 1;
        } else {
            by_trees += 1;
        }
    }
    assert!(
        by_balls >= 70 && by_trees >= 200 && touching >= 70,
        "{by_balls} {by_trees} {touching}"
    );
}

/// A box with nothing below it, which must not be met.
#[test]
fn a_box_around_nothing_is_refused() {
    let mesh = elbowroom_make::cuboid(glam::DVec3::ONE);
    let packed = Packed::build(&mesh).expect("a cube is not too large");
    let bytes = packed.to_bytes(&mesh);
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let mut forged_lanes = 0;
    for block in (56..bytes.len() - 255).step_by(256) {
        for lane in (0..4).filter(|lane| word(block + 240 + 4 * lane) == u32::MAX) {
            let mut forged = bytes.clone();
            for half in 12..15 {
                let at = block + 16 * half + 4 * lane;
                forged[at..at + 4].copy_from_slice(&10.0_f32.to_le_bytes());
            }
            let body = forged.len() - 8;
            let sum = Packed::sum_of(&forged[..body]).to_le_bytes();
            forged[body..].copy_from_slice(&sum);
            assert_eq!(Packed::from_bytes(&forged, &mesh), Err(StoreError::Damaged));
            forged_lanes += 1;
        }
    }
    assert!(forged_lanes > 0, "the tree of a cube has no empty lane");
}

#[test]
fn damaged_bytes_are_errors() {
    let mesh = elbowroom_make::icosphere(3);
    let bytes = Model::new(mesh.clone()).packed().expect("packed").to_bytes(&mesh);
    let mut refused = 0;
    for length in 0..bytes.len() {
        assert!(Packed::from_bytes(&bytes[..length], &mesh).is_err(), "{length} bytes");
        refused += 1;
    }
    for place in 0..bytes.len() {
        for bit in [0, 7] {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << bit;
            assert!(Packed::from_bytes(&changed, &mesh).is_err(), "byte {place}");
            refused += 1;
        }
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert_eq!(Packed::from_bytes(&longer, &mesh), Err(StoreError::Damaged));
    let other = elbowroom_make::icosphere(4);
    assert_eq!(Packed::from_bytes(&bytes, &other), Err(StoreError::OtherMesh));
    let mut newer = bytes.clone();
    newer[8] += 1;
    assert!(matches!(Packed::from_bytes(&newer, &mesh), Err(StoreError::Version(5))));
    assert_eq!(Packed::from_bytes(b"solid ascii stl", &mesh), Err(StoreError::NotATree));
    assert!(refused > 3 * 4096, "{refused}");
}

#[test]
fn batches_answer_as_one_by_one() {
    let mut random = Random::new(9);
    let models: Vec<Model> = shapes().into_iter().map(|(_, mesh)| Model::new(mesh)).collect();
    let places: Vec<Pose> = (0..60).map(|_| place(&mut random, 0.7)).collect();
    let mut pairs = Vec::new();
    for i in 0..places.len() {
        for j in 0..i {
            let (a, b) = (&models[i % models.len()], &models[j % models.len()]);
            pairs.push((Placed::new(a, &places[i]), Placed::new(b, &places[j])));
        }
    }
    let mut workspace = Workspace::default();
    let mut contacts = 0;
    for ask_for in [Want::Any, Want::First, Want::Count, Want::All] {
        let question = CollisionRequest { want: ask_for, ..CollisionRequest::default() };
        let answers = collide_pairs(&pairs, &question);
        assert_eq!(answers.len(), 60 * 59 / 2);
        for ((a, b), answer) in pairs.iter().zip(&answers) {
            let alone = collide(a.model, a.pose, b.model, b.pose, &question, &mut workspace);
            assert_eq!(*answer, alone);
            contacts += u32::from(answer.is_contact());
        }
    }
    assert!(contacts > 2000, "{contacts}");
}

#[test]
fn a_witness_saves_work_and_changes_nothing() {
    let ball = Model::new(elbowroom_make::bumpy_sphere(10, 0.2, 7));
    let torus = Model::new(elbowroom_make::wrinkled_torus(40, 24));
    let (mut witness, mut workspace) = (Witness::default(), Workspace::default());
    let (mut hits, mut misses) = (0, 0);
    for step in 0..2000 {
        let at = DVec3::new(3.5 * (f64::from(step) * 0.004).sin(), 0.3, 0.1);
        let turn = DQuat::from_rotation_y(f64::from(step) * 0.01);
        let there = Pose::from_quat(turn, at).expect("finite");
        let here = Pose::IDENTITY;
        let again = intersects_again(&ball, &here, &torus, &there, &mut witness, &mut workspace);
        assert_eq!(again, intersects(&ball, &here, &torus, &there));
        assert_eq!(witness.triangles().is_some(), again);
        if again { hits += 1 } else { misses += 1 }
    }
    assert!(hits > 500 && misses > 200, "{hits} {misses}");
    assert!(2 * witness.reused > hits, "{witness:?} of {hits}");
    // A witness of other models is no harm.
    let small = Model::new(elbowroom_make::cuboid(DVec3::ONE));
    let far = Pose::from_translation(DVec3::X * 50.0).expect("finite");
    assert!(!intersects_again(&small, &Pose::IDENTITY, &small, &far, &mut witness, &mut workspace));
}

#[test]
fn visitors_see_every_pair_once() {
    let mut random = Random::new(3);
    let mut workspace = Workspace::default();
    let (mut seen, mut broken) = (0, 0);
    for (_, mesh) in shapes() {
        let packed = Model::new(mesh.clone());
        let readable = Model::with_config(mesh, &Config::default());
        for model in [&packed, &readable] {
            let (here, there) = (place(&mut random, 0.2), place(&mut random, 0.2));
            let mut pairs = Vec::new();
            let flow = visit(model, &here, model, &there, &mut workspace, |pair| {
                pairs.push(pair);
                ControlFlow::Continue(())
            });
            assert!(flow.is_continue());
            pairs.sort_unstable();
            assert_eq!(pairs, triangle_pairs(model, &here, model, &there));
            seen += pairs.len();
            let mut count = 0;
            let flow = visit(model, &here, model, &there, &mut workspace, |_| {
                count += 1;
                ControlFlow::Break(())
            });
            assert_eq!(flow.is_break(), !pairs.is_empty());
            broken += count;
        }
    }
    assert!(seen > 300 && broken >= 8, "{seen} {broken}");
}
