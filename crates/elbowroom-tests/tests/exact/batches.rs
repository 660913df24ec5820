//! The f32 kernels behind packed trees: boxes that share a point are never separated, and no
//! certain answer about triangles is wrong.

use elbowroom::Pose;
use elbowroom::internal::arch::{Block, F32xN, Kernel, PackedTriangle, SimdLevel, run};
use elbowroom::internal::exact::{
    PlacedTriangle, Plane, Relation, Relations, TriangleTransform, pack_triangle, relate,
    relate_batch,
};
use elbowroom::internal::volume::SmallObb;
use elbowroom::internal::volume::obb_batch::{
    BoxTransform, EMPTY, SLACK, WorkItems, separate_batch,
};
use elbowroom_testkit::nasty::{Class, generate};
use elbowroom_testkit::random::Random;
#[allow(dead_code, unreachable_pub, reason = "shared with the tests of volumes")]
use elbowroom_tests::dyadic::{Dyadic, Point, dot, minus, placed, point};
use glam::{DMat3, DQuat, DVec3};

/// One box of the first lane against one of the second.
struct One<'a> {
    single: &'a Block,
    node: &'a Block,
    frame: BoxTransform,
}

impl Kernel for One<'_> {
    type Output = bool;

    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "kernels are part of what switches the instructions on"
    )]
    fn run<W: F32xN>(self) -> bool {
        let units = WorkItems {
            singles: [self.single, &EMPTY, &EMPTY, &EMPTY],
            lanes: [0; 4],
            nodes: [self.node, &EMPTY, &EMPTY, &EMPTY],
        };
        W::bits(separate_batch::<W>(&units, [&self.frame; 4], true).apart) & 1 == 0
    }
}

fn block_of(volume: &SmallObb) -> Block {
    let mut block = EMPTY;
    let [x, y, z] = volume.axes.map(|axis| axis.to_array());
    let numbers = [x, y, z, volume.centre.to_array(), volume.half.to_array()];
    for (k, number) in numbers.as_flattened().iter().enumerate() {
        block.0[k][0] = *number;
    }
    block.0[15][0] = 0.0;
    block
}

fn vector(random: &mut Random, size: f64) -> DVec3 {
    DVec3::from_array([(); 3].map(|()| random.uniform(-size, size)))
}

fn rotation(random: &mut Random) -> DMat3 {
    let axis = (vector(random, 1.0) + DVec3::Z * 1e-3).normalize();
    let angle = match random.below(4) {
        // Nearly parallel boxes have the most doubtful edge directions.
        0 => random.uniform(-1e-6, 1e-6),
        _ => random.uniform(-3.0, 3.0),
    };
    DMat3::from_quat(DQuat::from_axis_angle(axis, angle))
}

/// Whether a box contains a point, in exact arithmetic.
fn holds(volume: &SmallObb, at: &Point) -> bool {
    let from_centre = minus(at, &point(volume.centre.as_dvec3()));
    (0..3).all(|i| {
        let along = dot(&from_centre, &point(volume.axes[i].as_dvec3())).abs();
        along <= Dyadic::from(f64::from(volume.half[i]))
    })
}

fn small(random: &mut Random, reach: f64) -> SmallObb {
    let turn = rotation(random);
    let half = DVec3::from_array([(); 3].map(|()| match random.below(4) {
        0 => 0.0,
        1 => random.uniform(0.0, 1e-4),
        _ => random.uniform(0.0, 1.0),
    }));
    let centre = vector(random, reach);
    let corners = (0..8).map(|i| {
        let sign = |bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
        centre + turn * (half * DVec3::new(sign(0), sign(1), sign(2)))
    });
    SmallObb::of_points(turn, corners)
}

/// Boxes that just touch: a corner, or a point of an edge or a face of one is on the rim of the
/// other. Both contain it, in exact arithmetic; so no slack that is given may part them, and
/// without slack some would be.
#[test]
fn boxes_that_share_a_point_are_not_parted() {
    const U: f64 = 1.0 / (1_u64 << 24) as f64;
    let mut random = Random::new(17);
    let (mut shared, mut parted_without, mut most) = (0, 0, 0.0_f64);
    for round in 0..60_000 {
        let reach = [0.1, 1.0, 30.0][round % 3];
        let (a, shape) = (small(&mut random, reach), small(&mut random, reach));
        let (turn, step) = (rotation(&mut random), vector(&mut random, reach));
        // Points of the rims; now and then on an edge or a face instead of at a corner.
        let mut rim = |volume: &SmallObb| {
            DVec3::from_array(std::array::from_fn(|i| {
                let at = if random.one_in(3) { random.uniform(-1.0, 1.0) } else { 1.0 };
                let sign = if random.one_in(2) { at } else { -at };
                sign * f64::from(volume.half[i])
            }))
        };
        let (on_a, on_b) = (rim(&a), rim(&shape));
        let along = |volume: &SmallObb, at: DVec3| -> DVec3 {
            (0..3).map(|i| volume.axes[i].as_dvec3() * at[i]).sum()
        };
        let corner = a.centre.as_dvec3() + along(&a, on_a) * (1.0 - 1e-9);
        let exact = placed(turn, step, corner);
        let near = turn * corner + step;
        let b = SmallObb { centre: (near - along(&shape, on_b) * (1.0 - 1e-9)).as_vec3(), ..shape };
        if !holds(&a, &point(corner)) || !holds(&b, &exact) {
            continue;
        }
        shared += 1;
        let size = a.reach() + b.reach() + step.abs().element_sum();
        let (single, node) = (block_of(&a), block_of(&b));
        let meets = |slack: f64| {
            let frame = BoxTransform::new(turn, step, slack * U * size);
            run(SimdLevel::best(), One { single: &single, node: &node, frame })
        };
        assert!(meets(SLACK), "round {round}: {a:?} {b:?} {turn:?} {step:?}");
        if !meets(0.0) {
            parted_without += 1;
            let least = (1..=256).map(|k| f64::from(k) / 16.0).find(|&slack| meets(slack));
            most = most.max(least.unwrap_or(16.0));
        }
    }
    println!("{shared} pairs share a point, {parted_without} need slack, at most {most} u·X");
    assert!(shared > 4_000, "{shared}");
    // If the kernel needed no slack at all, this test would not notice one that is too small.
    assert!(parted_without > 300 && (0.25..16.0).contains(&most), "{parted_without} {most}");
}

/// Sixteen pairs of triangles.
struct Sixteen<'a> {
    a: [DVec3; 3],
    b: [DVec3; 3],
    transform: &'a TriangleTransform,
}

impl Kernel for Sixteen<'_> {
    type Output = (bool, bool);

    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "kernels are part of what switches the instructions on"
    )]
    fn run<W: F32xN>(self) -> (bool, bool) {
        let (a, b) = ([pack_triangle(self.a)], [pack_triangle(self.b)]);
        let ask =
            |mut plane| relate_batch::<W>([&a, &b], [&[0; 16]; 2], 16, self.transform, &mut plane);
        let found = ask(Plane::OfA);
        assert_eq!(found, ask(Plane::OfB), "whichever plane is looked at first");
        assert!([0, 0xFFFF].contains(&found.crossing) && [0, 0xFFFF].contains(&found.unsure));
        (found.crossing != 0, found.unsure != 0)
    }
}

#[derive(Default)]
struct Told {
    apart: u32,
    crossing: u32,
    unsure: u32,
}

fn tell(a: [DVec3; 3], place_a: &Pose, b: [DVec3; 3], place_b: &Pose, told: &mut Told) {
    let back = place_a.rotation().inverse();
    let step = place_b.translation() - place_a.translation();
    let reach = a.iter().chain(&b).map(|p| p.abs().element_sum()).fold(0.0, f64::max) * 2.0
        + step.abs().element_sum();
    let transform = TriangleTransform::new(back * place_b.rotation(), back * step, reach);
    let (is_crossing, is_unsure) = run(SimdLevel::best(), Sixteen { a, b, transform: &transform });
    let truth = relate(&PlacedTriangle::new(place_a, a), &PlacedTriangle::new(place_b, b));
    match (is_crossing, is_unsure) {
        (_, true) => told.unsure += 1,
        (true, false) => {
            assert_eq!(truth, Relation::Crossing, "{a:?} {place_a:?} {b:?} {place_b:?}");
            told.crossing += 1;
        }
        (false, false) => {
            assert_eq!(truth, Relation::Apart, "{a:?} {place_a:?} {b:?} {place_b:?}");
            told.apart += 1;
        }
    }
}

/// Every class of nasty pairs: what is told for certain is true. Touching is never certain.
#[test]
fn nasty_triangles_are_told_the_truth() {
    let mut random = Random::new(23);
    let mut told = Told::default();
    let points = |t: [[f64; 3]; 3]| t.map(DVec3::from_array);
    let large = |t: &[[f64; 3]; 3]| t.as_flattened().iter().any(|x| x.abs() > 1e9);
    for class in Class::ALL {
        for _ in 0..3_000 {
            let case = generate(class, &mut random);
            // Such meshes have no packed tree.
            if large(&case.a) || large(&case.b) {
                continue;
            }
            let place = |pose: &elbowroom_testkit::oracle::PlainPose| {
                let turn = DMat3::from_cols_array_2d(&pose.r).transpose();
                Pose::new(turn, DVec3::from_array(pose.t)).expect("generated poses are rigid")
            };
            let (place_a, place_b) = (place(&case.pose_a), place(&case.pose_b));
            tell(points(case.a), &place_a, points(case.b), &place_b, &mut told);
        }
    }
    assert!(
        told.apart > 5_000 && told.crossing > 2_000 && told.unsure > 10_000,
        "{} {} {}",
        told.apart,
        told.crossing,
        told.unsure
    );
}

/// Triangles of all sizes a hair from touching, from far below what f32 can tell to well above:
/// with bounds that are too small some would be told wrong.
#[test]
fn triangles_near_contact_are_told_the_truth() {
    let mut random = Random::new(29);
    let (mut near, mut clear) = (Told::default(), Told::default());
    for round in 0..200_000 {
        let far = [0.0, 1.0, 100.0][round % 3];
        let (place_a, place_b) = (
            Pose::new(rotation(&mut random), vector(&mut random, far)).expect("rigid"),
            Pose::new(rotation(&mut random), vector(&mut random, far)).expect("rigid"),
        );
        let thin = if random.one_in(3) { 1e-3 } else { 1.0 };
        let a = [(); 3].map(|()| vector(&mut random, 1.0) * DVec3::new(1.0, thin, 1.0));
        // A corner of the second, or a point of its edge, a hair off the first's plane or edge.
        let (s, t) = (random.unit(), random.unit());
        let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
        let (s, t) = if random.one_in(3) { (s, 0.0) } else { (s, t) };
        let normal = (a[1] - a[0]).cross(a[2] - a[0]).normalize_or(DVec3::Z);
        let hair =
            10.0_f64.powf(random.uniform(-9.0, -2.0)) * if random.one_in(2) { 1.0 } else { -1.0 };
        let on = a[0] + (a[1] - a[0]) * s + (a[2] - a[0]) * t + normal * hair;
        let back = place_b.rotation().inverse();
        let at = back * (place_a.rotation() * on + place_a.translation() - place_b.translation());
        let size = [1.0, 0.01, 30.0][round / 3 % 3];
        let (x, y) = (vector(&mut random, size), vector(&mut random, size));
        let b = if random.one_in(2) { [at, at + x, at + y] } else { [at - x, at + x, at + y] };
        let told = if hair.abs() < 1e-6 { &mut near } else { &mut clear };
        tell(a, &place_a, b, &place_b, told);
    }
    assert!(near.unsure > 10_000 && near.apart + near.crossing > 10_000, "{}", near.unsure);
    assert!(clear.apart > 10_000 && clear.crossing > 10_000, "{} {}", clear.apart, clear.crossing);
}

/// Sixteen times the same two triangles, and whose plane would go first next time.
struct Next<'a> {
    records: [&'a [PackedTriangle]; 2],
    transform: &'a TriangleTransform,
    plane: Plane,
}

impl Kernel for Next<'_> {
    type Output = (Relations, Plane);

    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "kernels are part of what switches the instructions on"
    )]
    fn run<W: F32xN>(self) -> Self::Output {
        let mut plane = self.plane;
        let found = relate_batch::<W>(self.records, [&[0; 16]; 2], 16, self.transform, &mut plane);
        (found, plane)
    }
}

#[test]
fn the_plane_that_parted_the_last_pairs_goes_first() {
    // Above a large triangle a small one that leans: its own plane cuts the large one, whose plane
    // parts them.
    let small = [DVec3::new(0.0, 0.0, 0.1), DVec3::new(0.1, 0.0, 0.2), DVec3::new(0.0, 0.1, 0.1)];
    let large =
        [DVec3::new(-10.0, -10.0, 0.0), DVec3::new(10.0, -10.0, 0.0), DVec3::new(0.0, 10.0, 0.0)];
    let (small, large) = ([pack_triangle(small)], [pack_triangle(large)]);
    let transform = TriangleTransform::new(DMat3::IDENTITY, DVec3::ZERO, 40.0);
    for (records, parts) in
        [([&small[..], &large[..]], Plane::OfB), ([&large[..], &small[..]], Plane::OfA)]
    {
        for plane in [Plane::OfA, Plane::OfB] {
            let next = run(SimdLevel::best(), Next { records, transform: &transform, plane });
            assert_eq!(next, (Relations::default(), parts));
        }
    }
}
