//! Duplicates, what goes through what, profiles, real meshes, open meshes, and numbers at the ends
//! of their range.

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{
    Certainty, Doubt, intersects, is_duplicate, is_inside, profile, solids, through, winding,
    windings,
};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_testkit::data;
use elbowroom_testkit::random::Random;
use elbowroom_testkit::solids::{Block, Pile};
use elbowroom_tests::common::mesh;
use glam::{DMat3, DQuat, DVec3};

const HERE: Pose = Pose::IDENTITY;

fn boxes(blocks: &[([i64; 3], [i64; 3])]) -> Model {
    let blocks = blocks.iter().map(|&(low, high)| Block::new(low, high)).collect();
    Model::new(mesh(&Pile { blocks }.soup(&mut Random::new(9))))
}

fn moved(mesh: &Mesh, by: DVec3) -> Mesh {
    mesh.with_vertices(mesh.vertices().iter().map(|&v| v + by).collect()).unwrap()
}

fn tetrahedron(scale: f64) -> Mesh {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p * scale).to_vec();
    Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap()
}

#[test]
fn duplicates_however_they_are_written_down() {
    let pile = Pile { blocks: vec![Block::new([0; 3], [2, 3, 4]), Block::new([1; 3], [5; 3])] };
    let duplicate = |a: &Mesh, place_a: &Pose, b: &Mesh, place_b: &Pose| {
        let (a, b) = (Model::new(a.clone()), Model::new(b.clone()));
        let mut workspace = Workspace::default();
        let answer = is_duplicate(&a, place_a, &b, place_b, &mut workspace);
        assert_eq!(answer, is_duplicate(&b, place_b, &a, place_a, &mut workspace));
        answer
    };
    let a = mesh(&pile.soup(&mut Random::new(1)));
    assert!(duplicate(&a, &HERE, &a, &HERE));
    assert!(duplicate(&a, &HERE, &a.welded(), &HERE));
    assert!(duplicate(&a, &HERE, &a.clone().turned_about(), &HERE));
    let mut triangles = a.triangles().to_vec();
    Random::new(2).shuffle(&mut triangles);
    let shuffled =
        Mesh::new(a.vertices().to_vec(), triangles.iter().map(|&[p, q, r]| [q, r, p]).collect());
    assert!(duplicate(&a, &HERE, &shuffled.unwrap(), &HERE));
    // Another diagonal somewhere.
    assert!(!duplicate(&a, &HERE, &mesh(&pile.soup(&mut Random::new(3))), &HERE));

    // Different matrices, the same points: a quarter turn, and shifts that are exact.
    let quarter = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
    let shift = DVec3::new(0.5, -1024.0, 0.125);
    let back = a.with_vertices(a.vertices().iter().map(|&v| quarter.transpose() * v).collect());
    let back = moved(&back.unwrap(), shift);
    let there = Pose::new(quarter, -(quarter * shift)).unwrap();
    assert!(duplicate(&a, &HERE, &back, &there));
    let off = Pose::new(quarter, -(quarter * shift) + DVec3::X * 2e-13).unwrap();
    assert!(!duplicate(&a, &HERE, &back, &off));
    // A matrix that is not quite the same moves all but the origin, which the last bit shows.
    let turn = DQuat::from_rotation_z(0.3);
    let turned = Pose::from_quat(turn, DVec3::ONE).unwrap();
    assert!(duplicate(&a, &turned, &a.welded(), &turned));
    let mut rotation = turned.rotation();
    rotation.col_mut(0).x = rotation.col(0).x.next_up();
    let nearly = Pose::new(rotation, DVec3::ONE).unwrap();
    assert!(!duplicate(&a, &turned, &a, &nearly));
    // One triangle twice instead of another.
    let mut triangles = a.triangles().to_vec();
    triangles[7] = triangles[8];
    assert!(!duplicate(&a, &HERE, &Mesh::new(a.vertices().to_vec(), triangles).unwrap(), &HERE));
}

#[test]
fn what_comes_out_again_goes_through() {
    let plate = boxes(&[([0, 0, 0], [8, 8, 2])]);
    let cases = [
        ("a bar through a plate", boxes(&[([3, 3, -4], [5, 5, 6])]), [true, false]),
        ("a bar that ends within", boxes(&[([3, 3, 1], [5, 5, 6])]), [false, false]),
        ("a bar on the other side's plane", boxes(&[([3, 3, 0], [5, 5, 6])]), [false, false]),
        ("a bar beside it", boxes(&[([8, 3, -4], [9, 5, 6])]), [false, false]),
        ("a bar over its edge", boxes(&[([7, 3, -4], [9, 5, 6])]), [false, false]),
        ("a wall that parts it", boxes(&[([3, -1, -4], [5, 9, 6])]), [false, true]),
        ("a cross", boxes(&[([-4, 3, 0], [12, 5, 2])]), [true, true]),
        (
            "two pegs, one mesh, one through",
            boxes(&[([1, 1, 1], [2, 2, 6]), ([5, 5, -1], [6, 6, 6])]),
            [true, false],
        ),
        ("far away", boxes(&[([90, 0, 0], [91, 1, 1])]), [false, false]),
    ];
    let mut workspace = Workspace::default();
    for (name, other, [expected, back]) in &cases {
        let answer = through(other, &HERE, &plate, &HERE, &mut workspace);
        assert_eq!([answer.a_through_b, answer.b_through_a], [*expected, *back], "{name}");
        let swapped = through(&plate, &HERE, other, &HERE, &mut workspace);
        assert_eq!([swapped.b_through_a, swapped.a_through_b], [*expected, *back], "{name}");
        assert!(answer.certainty.is_exact());
    }
}

#[test]
fn profiles_tell_what_is_odd() {
    let mut workspace = Workspace::default();
    let closed =
        |model: &Model, workspace: &mut Workspace| profile(model, workspace).closed.unwrap();
    let two = boxes(&[([0; 3], [1; 3]), ([5; 3], [7; 3])]);
    assert_eq!(profile(&two, &mut workspace).components, 2);
    let found = closed(&two, &mut workspace);
    assert_eq!((found.meeting, found.boundary), (0, two.mesh().triangles().len()));
    let nested = closed(&boxes(&[([0; 3], [9; 3]), ([2; 3], [4; 3])]), &mut workspace);
    assert!(nested.buried > 0 && nested.boundary > 0 && nested.meeting == 0, "{nested:?}");
    let crossing = closed(&boxes(&[([0; 3], [2; 3]), ([1; 3], [3, 3, 4])]), &mut workspace);
    assert!(crossing.meeting > 0, "{crossing:?}");
    // On one edge: four triangles share it, and that is no meeting.
    let on_edge = closed(&boxes(&[([0; 3], [1; 3]), ([1, 1, 0], [2, 2, 1])]), &mut workspace);
    assert_eq!((on_edge.meeting, on_edge.boundary), (0, 24));
    let inside_out = Model::new(tetrahedron(1.0).turned_about());
    assert_eq!(closed(&inside_out, &mut workspace).inside_out, 4);

    let open =
        Mesh::new(tetrahedron(1.0).vertices().to_vec(), tetrahedron(1.0).triangles()[1..].to_vec());
    let open = profile(&Model::new(open.unwrap()), &mut workspace);
    assert_eq!((open.certainty, open.closed), (Certainty::Estimate(Doubt::Boundary(3)), None));
    let mut flipped = tetrahedron(1.0).triangles().to_vec();
    flipped[0].swap(0, 1);
    let flipped = Mesh::new(tetrahedron(1.0).vertices().to_vec(), flipped).unwrap();
    let flipped = profile(&Model::new(flipped), &mut workspace);
    assert_eq!(flipped.certainty, Certainty::Estimate(Doubt::Inconsistent(3)));
    let segment = Mesh::new(vec![DVec3::ZERO, DVec3::X], vec![[0, 1, 1]]).unwrap();
    let segment = profile(&Model::new(segment), &mut workspace);
    assert_eq!((segment.certainty, segment.components), (Certainty::Estimate(Doubt::NoSurface), 0));
}

#[test]
fn numbers_at_the_ends_of_their_range() {
    let mut workspace = Workspace::default();
    let mut asked = 0;
    for scale in [5e-324, 1e-310, 1e-200, 1.0, 1e150, 1e300] {
        let model = Model::new(tetrahedron(scale));
        assert!(solids(&model, &HERE, &model, &HERE, &mut workspace).is_same(), "{scale}");
        let half = Model::new(tetrahedron(scale * 0.5));
        // Half of the smallest number is nothing.
        let is_there = scale * 0.5 > 0.0;
        let answer = solids(&half, &HERE, &model, &HERE, &mut workspace);
        assert_eq!(answer.is_a_within_b(), is_there, "{scale}");
        for point in [
            DVec3::ZERO,
            DVec3::MAX,
            DVec3::MIN,
            DVec3::NAN,
            DVec3::INFINITY,
            DVec3::splat(scale * 0.25),
        ] {
            let answer = winding(&model, &HERE, point, &mut workspace);
            assert!(answer.number.is_finite());
            assert_eq!(
                answer.is_inside(),
                point == DVec3::splat(scale * 0.25) && point != DVec3::ZERO,
                "{scale} {point}"
            );
            asked += 1;
        }
        for shift in [1e300, -1e-300] {
            let far = Pose::from_translation(DVec3::new(shift, 0.0, 0.0)).unwrap();
            solids(&model, &HERE, &model, &far, &mut workspace);
            through(&model, &HERE, &model, &far, &mut workspace);
            assert!(!is_duplicate(&model, &HERE, &model, &far, &mut workspace));
        }
    }
    assert_eq!(asked, 36);
}

#[test]
fn open_meshes_are_estimated() {
    let mut workspace = Workspace::default();
    // A box without its lid.
    let whole = boxes(&[([0; 3], [4; 3])]);
    let sides = whole
        .mesh()
        .triangles()
        .iter()
        .filter(|t| !t.iter().all(|&corner| whole.mesh().vertices()[corner as usize].z == 4.0));
    let open =
        Model::new(Mesh::new(whole.mesh().vertices().to_vec(), sides.copied().collect()).unwrap());
    let small = boxes(&[([1; 3], [2; 3])]);
    let answer = solids(&small, &HERE, &open, &HERE, &mut workspace);
    assert!(answer.is_a_within_b(), "{answer:?}");
    assert!(matches!(answer.certainty, Certainty::Estimate(Doubt::Boundary(count)) if count >= 4));
    let beside = Pose::from_translation(DVec3::X * 4.0).unwrap();
    let answer = solids(&open, &beside, &whole, &HERE, &mut workspace);
    assert!(!answer.both && answer.only_a && answer.only_b, "{answer:?}");
    let half = Pose::from_translation(DVec3::X * 2.0).unwrap();
    assert!(solids(&open, &half, &whole, &HERE, &mut workspace).is_crossing());
    let copy = solids(&open, &half, &open, &half, &mut workspace);
    assert!(copy.is_same() && !copy.certainty.is_exact(), "{copy:?}");
    assert!(is_inside(&open, &HERE, DVec3::new(2.0, 2.0, 1.0), &mut workspace));
    assert!(!is_inside(&open, &HERE, DVec3::new(2.0, 2.0, 7.0), &mut workspace));
}

/// How much of the view the triangles take up, one by one.
fn by_solid_angles(mesh: &Mesh, point: DVec3) -> f64 {
    let angle = |index: usize| {
        let [a, b, c] = mesh.triangle(index).map(|corner| corner - point);
        let [x, y, z] = [a.length(), b.length(), c.length()];
        2.0 * a.dot(b.cross(c)).atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
    };
    (0..mesh.triangles().len()).map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

#[test]
fn real_meshes() {
    let Some(directory) = data::shared_dir() else {
        data::skip_note("real_meshes");
        return;
    };
    let mut workspace = Workspace::default();
    let mut random = Random::new(6);
    let (mut within, mut without, mut open) = (0, 0, 0);
    for name in [
        "spot.obj.gz",
        "bunny_7k.obj.gz",
        "penguin.obj",
        "hand_lowres.obj",
        "suzanne.obj",
        "teapot.obj",
    ] {
        let mesh = mesh(&data::obj(&directory.join("meshes").join(name)));
        let model = Model::new(mesh.clone());
        let Aabb { min: low, max: high } = mesh.bounds();
        let points: Vec<DVec3> = (0..60)
            .map(|_| low + (high - low) * DVec3::new(random.unit(), random.unit(), random.unit()))
            .collect();
        let certainty = profile(&model, &mut workspace).certainty;
        open += u32::from(!certainty.is_exact());
        for (answer, &point) in windings(&model, &HERE, &points, &mut workspace).iter().zip(&points)
        {
            assert_eq!(answer.certainty, certainty);
            let brute = by_solid_angles(&mesh, point);
            let close = if certainty.is_exact() { 1e-9 } else { 0.05 };
            assert!((answer.number - brute).abs() < close, "{name} {point}: {answer:?} {brute}");
            within += u32::from(answer.is_inside());
            without += u32::from(!answer.is_inside());
        }
        // Itself is the same solid and a duplicate; a little aside, it crosses itself.
        assert!(is_duplicate(&model, &HERE, &model, &HERE, &mut workspace));
        let aside = Pose::from_translation((high - low) * 0.11).unwrap();
        assert!(intersects(&model, &HERE, &model, &aside));
        assert!(solids(&model, &HERE, &model, &aside, &mut workspace).is_crossing(), "{name}");
        let far = Pose::from_translation((high - low) * 1.5).unwrap();
        let answer = solids(&model, &HERE, &model, &far, &mut workspace);
        assert!(!answer.both && answer.only_a && answer.only_b, "{name}: {answer:?}");
    }
    assert!(within > 60 && without > 120 && open >= 2, "{within} {without} {open}");
}
