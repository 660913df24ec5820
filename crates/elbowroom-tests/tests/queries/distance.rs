//! Distance and clearance: every tree, level and order gives the bits of brute force.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::ops::ControlFlow;

use elbowroom::internal::arch::{F32xN, Kernel, PackedTriangle, SimdLevel, run};
use elbowroom::internal::bvh::Config;
use elbowroom::internal::exact::{
    Gap, PlacedTriangle, Span, TriangleTransform, gap, gap_batch, near_batch, pack_triangle,
};
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::ClosestPoints;
use elbowroom::internal::traverse::nearest::{Near, Queues, descend_near};
use elbowroom::internal::traverse::packed::Bodies;
use elbowroom::internal::traverse::relative::RelativePose;
use elbowroom::internal::traverse::{Tally, Workspace};
use elbowroom::internal::volume::Family;
use elbowroom::{Mesh, Pose};
use elbowroom_testkit::cases;
use elbowroom_testkit::nasty::{Class, generate};
use elbowroom_testkit::random::Random;
use elbowroom_tests::common;
use elbowroom_tests::common::Engine;
use glam::{DQuat, DVec3};

const HERE: Pose = Pose::IDENTITY;

fn direction(random: &mut Random) -> DVec3 {
    let mut any = || random.uniform(-1.0, 1.0);
    DVec3::new(any(), any(), any()).normalize_or(DVec3::X)
}

fn turned(random: &mut Random, step: DVec3) -> Pose {
    let turn = DQuat::from_axis_angle(direction(random), random.uniform(0.0, 6.0));
    Pose::from_quat(turn, step).expect("rigid")
}

/// The gap of every pair of triangles, in order; 0 if they meet.
fn all_gaps(a: &Mesh, place_a: &Pose, b: &Mesh, place_b: &Pose) -> Vec<ClosestPoints> {
    let mut gaps = Vec::new();
    for i in 0..a.triangles().len() {
        let first = PlacedTriangle::new(place_a, a.triangle(i));
        for j in 0..b.triangles().len() {
            let second = PlacedTriangle::new(place_b, b.triangle(j));
            let Gap { distance, points: [point_a, point_b] } =
                gap(&first, &second).unwrap_or(Gap { distance: 0.0, points: [DVec3::ZERO; 2] });
            gaps.push(ClosestPoints { distance, a: i as u32, b: j as u32, point_a, point_b });
        }
    }
    gaps
}

/// Small shapes; the last has copies and degenerate triangles.
fn shapes() -> Vec<Mesh> {
    let ball = elbowroom_make::icosphere(2);
    let mut triangles = ball.triangles().to_vec();
    triangles.extend(ball.triangles().iter().map(|&[a, b, c]| [b, c, a]));
    triangles.extend(ball.triangles().iter().step_by(3).map(|&[a, b, _]| [a, b, b]));
    let copies = Mesh::new(ball.vertices().to_vec(), triangles).expect("sound");
    vec![
        elbowroom_make::cuboid(DVec3::new(1.0, 0.6, 0.4)),
        elbowroom_make::bumpy_sphere(3, 0.2, 7),
        elbowroom_make::wrinkled_torus(8, 6),
        copies,
    ]
}

fn scaled(mesh: &Mesh, scale: f64) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&v| v * scale).collect();
    Mesh::new(vertices, mesh.triangles().to_vec()).expect("sound")
}

fn engines() -> Vec<Engine> {
    let family = |family| Config::default().with_family(family);
    vec![
        Engine::Packed,
        Engine::PackedFrom(Config::rapid()),
        Engine::Readable(Config::default()),
        Engine::Readable(family(Family::Sphere)),
        Engine::Readable(family(Family::Kdop18)),
    ]
}

/// Everything that is asked of two models in two places, against brute force. Whether they are
/// apart.
fn check(
    meshes: [&Mesh; 2],
    [place_a, place_b]: [&Pose; 2],
    engines: &[Engine],
    workspace: &mut Workspace,
) -> bool {
    let gaps = all_gaps(meshes[0], place_a, meshes[1], place_b);
    let least = gaps.iter().fold(f64::INFINITY, |least, gap| least.min(gap.distance));
    let truth = *gaps.iter().find(|gap| gap.distance == least).expect("a pair");
    let clearance = least * 1.05;
    let near: Vec<_> = gaps.iter().filter(|gap| gap.distance <= clearance).collect();
    for engine in engines {
        let [a, b] = meshes.map(|mesh| engine.model(mesh.clone()));
        let mut ask = |limit| query::distance(&a, place_a, &b, place_b, limit, workspace);
        let found = ask(f64::INFINITY).expect("nothing is beyond infinity");
        assert_eq!(found.distance.to_bits(), least.to_bits(), "{engine:?} {found:?} {truth:?}");
        assert_eq!((found.a, found.b), (truth.a, truth.b), "{engine:?} {found:?} {truth:?}");
        if least > 0.0 {
            assert_eq!(found, truth, "{engine:?}");
            assert_eq!(ask(least.next_down()), None);
        } else {
            assert_eq!(found.point_a, found.point_b);
        }
        assert_eq!(ask(least), Some(found));
        assert_eq!((ask(-1.0), ask(f64::NAN)), (None, None));
        let swapped = query::distance(&b, place_b, &a, place_a, f64::INFINITY, workspace);
        assert_eq!(swapped.map(|nearest| nearest.distance), Some(least));
        for start in [None, Some((truth.a, truth.b)), Some((0, 0)), Some((u32::MAX, 7))] {
            let mut last = start;
            let limit = f64::INFINITY;
            let again =
                query::distance_again(&a, place_a, &b, place_b, limit, &mut last, workspace);
            assert_eq!(again, Some(found), "{start:?}");
            assert_eq!(last, Some((found.a, found.b)));
        }
        let mut nearer = |d| query::is_nearer(&a, place_a, &b, place_b, d, workspace);
        assert!(nearer(least) && nearer(least * 2.0) && nearer(f64::INFINITY));
        assert!(!nearer(least.next_down()) && !nearer(f64::NAN) && !nearer(-1.0));
        assert_eq!(nearer(0.0), query::intersects(&a, place_a, &b, place_b));
        let pairs = query::all_nearer(&a, place_a, &b, place_b, clearance, workspace);
        assert_eq!(pairs.len(), near.len(), "{engine:?}");
        for (pair, truth) in pairs.iter().zip(&near) {
            assert_eq!((pair.a, pair.b, pair.distance), (truth.a, truth.b, truth.distance));
        }
    }
    least > 0.0
}

#[test]
fn every_engine_gives_the_bits_of_brute_force() {
    let mut random = Random::new(501);
    let (shapes, engines, mut workspace) = (shapes(), engines(), Workspace::default());
    let mut met = [0; 2];
    for a in 0..shapes.len() {
        for b in 0..=a {
            for far in [0.5, 2.2, 2.5, 40.0] {
                let step = direction(&mut random) * far;
                let there = turned(&mut random, step);
                let apart =
                    check([&shapes[a], &shapes[b]], [&HERE, &there], &engines, &mut workspace);
                met[usize::from(apart)] += 1;
            }
        }
    }
    println!("meet and apart: {met:?}");
    assert!(met[0] > 8 && met[1] > 20, "{met:?}");
}

#[test]
fn large_small_and_far_away() {
    let mut random = Random::new(502);
    let shapes = shapes();
    let engines = [Engine::Packed, Engine::Readable(Config::default())];
    let mut workspace = Workspace::default();
    let mut apart = 0;
    for (scale, origin, gap) in [
        (1e6, 0.0, 2.5),
        (1e-6, 0.0, 2.5),
        (1.0, 1e6, 2.3),
        (1.0, 1e9, 2.3),
        (1e-14, 0.0, 2.5),
        (1e12, 0.0, 2.5),
        (1.0, 0.0, 1e6),
        (1.0, 0.0, 1e12),
        (1e-100, 0.0, 3.0),
        (1e200, 0.0, 3.0),
    ] {
        for (a, b) in [(0, 1), (2, 1), (3, 0)] {
            let meshes = [scaled(&shapes[a], scale), scaled(&shapes[b], scale)];
            let home = direction(&mut random) * origin;
            let step = home + direction(&mut random) * (gap * scale);
            let places = [turned(&mut random, home), turned(&mut random, step)];
            let [place_a, place_b] = places.each_ref();
            let [first, second] = meshes.each_ref();
            apart +=
                u32::from(check([first, second], [place_a, place_b], &engines, &mut workspace));
        }
    }
    assert!(apart > 25, "{apart}");
}

#[test]
fn the_suite_is_at_no_distance_exactly_where_it_meets() {
    let mut workspace = Workspace::default();
    let mut met = [0; 2];
    for case in cases::load() {
        let (place_a, place_b) = (common::placement(&case.pose_a), common::placement(&case.pose_b));
        for engine in [Engine::Packed, Engine::Readable(Config::default())] {
            let [a, b] = [&case.a, &case.b].map(|soup| engine.model(common::mesh(soup)));
            let pairs = query::triangle_pairs(&a, &place_a, &b, &place_b);
            let found = query::distance(&a, &place_a, &b, &place_b, f64::INFINITY, &mut workspace);
            let found = found.expect("nothing is beyond infinity");
            assert_eq!(found.distance == 0.0, !pairs.is_empty(), "{}", case.name);
            if let Some(first) = pairs.first() {
                assert_eq!((found.a, found.b), (first.a, first.b), "{}", case.name);
            }
            let near = query::all_nearer(&a, &place_a, &b, &place_b, 0.0, &mut workspace);
            assert!(near.iter().map(|p| (p.a, p.b)).eq(pairs.iter().map(|p| (p.a, p.b))));
            assert!(near.iter().all(|pair| pair.distance == 0.0));
            met[usize::from(pairs.is_empty())] += 1;
        }
    }
    println!("suite, meet and apart: {met:?}");
    assert!(met.iter().all(|&count| count > 20), "{met:?}");
}

#[test]
fn points_are_as_near_as_the_nearest_triangle() {
    let mut random = Random::new(503);
    let mut workspace = Workspace::default();
    let mut zeros = 0;
    for mesh in shapes() {
        for engine in engines() {
            let model = engine.model(mesh.clone());
            for round in 0..30 {
                let far = direction(&mut random) * 5.0;
                let there = turned(&mut random, far);
                let point = match round % 3 {
                    0 => far + direction(&mut random) * random.uniform(0.0, 3.0),
                    1 => far + direction(&mut random) * 1e7,
                    _ => mesh.vertices()[round % mesh.vertices().len()],
                };
                let place = if round % 3 == 2 { HERE } else { there };
                let own = PlacedTriangle::new(&HERE, [point; 3]);
                let gaps = (0..mesh.triangles().len()).map(|t| {
                    let other = PlacedTriangle::new(&place, mesh.triangle(t));
                    gap(&own, &other).map_or((0.0, point), |gap| (gap.distance, gap.points[1]))
                });
                let gaps: Vec<_> = gaps.collect();
                let least = gaps.iter().fold(f64::INFINITY, |least, gap| least.min(gap.0));
                let triangle = gaps.iter().position(|gap| gap.0 == least).expect("a triangle");
                let limit = f64::INFINITY;
                let found = query::nearest(&model, &place, point, limit, &mut workspace);
                let found = found.expect("nothing is beyond infinity");
                assert_eq!(found.distance.to_bits(), least.to_bits(), "{engine:?} {found:?}");
                assert_eq!(found.triangle as usize, triangle, "{engine:?}");
                assert_eq!(found.point, gaps[triangle].1);
                zeros += u32::from(least == 0.0);
                let limit = least.next_down();
                assert_eq!(query::nearest(&model, &place, point, limit, &mut workspace), None);
            }
            let nowhere = DVec3::splat(f64::NAN);
            let found = query::nearest_all(
                &model,
                &HERE,
                &[nowhere, DVec3::splat(1e300)],
                f64::INFINITY,
                &mut workspace,
            );
            assert!(found[0].is_none() && found[1].is_some());
        }
    }
    assert!(zeros >= 200, "{zeros}");
}

/// Spans of sixteen pairs.
struct Spans<'a> {
    records: [&'a [PackedTriangle]; 2],
    ids: [u32; 16],
    transform: &'a TriangleTransform,
    limit: f32,
}

impl Kernel for Spans<'_> {
    /// The spans, and which may be within the limit.
    type Output = (Span, u32);

    #[inline(always)]
    fn run<W: F32xN>(self) -> (Span, u32) {
        let [a, b] = self.records;
        let span = gap_batch::<W>(a, &self.ids, b, &self.ids, 16, self.transform);
        let near = near_batch::<W>(a, &self.ids, b, &self.ids, 16, self.transform, self.limit);
        (span, near)
    }
}

#[test]
fn spans_hold_the_distance_on_every_level() {
    let mut random = Random::new(504);
    let (mut seen, mut tight, mut passed_over) = (0, 0, 0);
    for class in Class::ALL {
        for round in 0..24 {
            // One pose for all sixteen.
            let step = direction(&mut random) * random.uniform(0.0, 3.0);
            let there = if round % 2 == 0 { HERE } else { turned(&mut random, step) };
            let cases: Vec<_> = (0..16).map(|_| generate(class, &mut random)).collect();
            let corners = |t: [[f64; 3]; 3]| t.map(DVec3::from_array);
            let first: Vec<_> = cases.iter().map(|case| corners(case.a)).collect();
            let second: Vec<_> = cases.iter().map(|case| corners(case.b)).collect();
            let all = first.iter().chain(&second).flatten();
            let reach = all.fold(0.0, |most: f64, p| most.max(p.abs().element_sum()));
            // What packed trees hold.
            if !(1e-12..=1e9).contains(&reach) {
                continue;
            }
            let transform =
                TriangleTransform::new(there.rotation(), there.translation(), 2.0 * reach + 6.0);
            let records = [&first, &second]
                .map(|all| all.iter().map(|&t| pack_triangle(t)).collect::<Vec<_>>());
            let ids = std::array::from_fn(|i| i as u32);
            let limit = random.uniform(0.0, 0.5 * reach) as f32;
            let spans =
                || Spans { records: [&records[0], &records[1]], ids, transform: &transform, limit };
            let (span, near) = run(SimdLevel::Portable, spans());
            for level in SimdLevel::ALL {
                let (other, also) = run(level, spans());
                assert_eq!(near, also, "{level:?}");
                assert_eq!(span.low.map(f32::to_bits), other.low.map(f32::to_bits), "{level:?}");
                assert_eq!(span.high.map(f32::to_bits), other.high.map(f32::to_bits), "{level:?}");
            }
            for i in 0..16 {
                let own = PlacedTriangle::new(&HERE, first[i]);
                let distance = gap(&own, &PlacedTriangle::new(&there, second[i]))
                    .map_or(0.0, |gap| gap.distance);
                let (low, high) = (f64::from(span.low[i]), f64::from(span.high[i]));
                assert!(low <= distance && distance <= high, "{class:?}: {low} {distance} {high}");
                if near >> i & 1 == 0 {
                    assert!(distance > f64::from(limit), "{class:?}: {distance} {limit}");
                    passed_over += 1;
                }
                seen += 1;
                tight +=
                    u32::from(low > 0.99 * distance && distance > 0.0 && high < 1.01 * distance);
            }
        }
    }
    println!("{seen} spans, {tight} of them within a hundredth; {passed_over} plainly too far");
    assert!(seen > 6000 && tight > 1500 && passed_over > 500, "{seen} {tight} {passed_over}");
}

/// Notes what a traversal shows; its limit shrinks as it would for the least distance.
struct Noted {
    limit: f32,
    shown: Vec<(u32, u32, u32, u32)>,
}

impl Near for Noted {
    fn limit(&self) -> f32 {
        self.limit
    }

    fn pair(&mut self, a: u32, b: u32, low: f32, high: f32) -> ControlFlow<()> {
        self.limit = self.limit.min(high);
        self.shown.push((a, b, low.to_bits(), high.to_bits()));
        ControlFlow::Continue(())
    }
}

#[test]
fn descents_take_the_same_steps_on_every_level() {
    let mut random = Random::new(505);
    let models: Vec<Model> = shapes().into_iter().map(Model::new).collect();
    let mut queues = Queues::default();
    let mut pairs = 0;
    for a in &models {
        for b in &models {
            for far in [0.0, 2.2, 3.0, 9.0] {
                let step = direction(&mut random) * far;
                let there = turned(&mut random, step);
                let [packed_a, packed_b] = [a, b].map(|model| model.packed().expect("packed"));
                let relative = RelativePose::new(&Pose::IDENTITY, &there).expect("finite");
                let islands = [packed_a, packed_b].map(|packed| packed.islands()[0]);
                let main = relative.frames(&islands[0], &islands[1], f64::INFINITY);
                let main = main.expect("nothing is farther than infinity");
                let transform = relative.triangle_transform(100.0);
                let bodies = Bodies { a: packed_a, b: packed_b, relative, main, transform };
                let mut steps = |level| {
                    let mut noted = Noted { limit: f32::INFINITY, shown: Vec::new() };
                    let mut tally = Tally::default();
                    let flow = descend_near(&bodies, level, &mut noted, &mut queues, &mut tally);
                    assert!(flow.is_continue());
                    (noted.shown, tally)
                };
                let first = steps(SimdLevel::Portable);
                for level in SimdLevel::ALL {
                    assert_eq!(steps(level), first, "{level:?}");
                }
                pairs += first.0.len();
            }
        }
    }
    assert!(pairs > 3000, "{pairs}");
}
