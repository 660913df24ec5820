//! Kernels and whole traversals give the same bits, tallies and hits, in the same order, on every
//! instruction set.
//!
//! The counts and digests were written down on one machine, so they also hold all machines to each
//! other. What depends on how trees are built is only printed; `scripts/avx512-emulated` compares
//! it between machines.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::array::from_fn;
use std::ops::ControlFlow;
use std::process::Command;

use elbowroom::internal::arch::{
    Block, F32xN, Kernel, PackedTriangle, SimdLevel, run, run_plain_sixteen,
};
use elbowroom::internal::bvh::{Config, Packed};
use elbowroom::internal::exact::{
    PlacedTriangle, Plane, Relations, TriangleTransform, pack_triangle, relate, relate_batch,
};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Want, collide};
use elbowroom::internal::traverse::packed::{Bodies, Hits, Stacks, Wanted, descent};
use elbowroom::internal::traverse::relative::RelativePose;
use elbowroom::internal::traverse::{Tally, Workspace};
use elbowroom::internal::volume::obb_batch::{BoxTransform, EMPTY, WorkItems, separate_batch};
use elbowroom::{Mesh, Pose, Relation};
use elbowroom_testkit::nasty::{Class, generate};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DQuat, DVec3};

/// What a kernel runs on: a level, or sixteen lanes of plain Rust, which take the steps of AVX-512
/// on any machine.
#[derive(Clone, Copy, Debug)]
enum Lanes {
    Of(SimdLevel),
    PlainSixteen,
}

impl Lanes {
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Self::Of(level) => run(level, kernel),
            Self::PlainSixteen => run_plain_sixteen(kernel),
        }
    }
}

/// What a test gives on every level that is here, and on sixteen lanes of plain Rust: they must be
/// the same.
fn same_on_every_level<T: PartialEq>(mut test: impl FnMut(Lanes) -> T) -> T {
    let first = test(Lanes::Of(SimdLevel::Portable));
    let others = [SimdLevel::Avx2, SimdLevel::Avx512].into_iter().filter(|level| level.is_here());
    for lanes in others.map(Lanes::Of).chain([Lanes::PlainSixteen]) {
        // Not printed: it may be a long list.
        assert!(test(lanes) == first, "{lanes:?} differs from Portable");
    }
    first
}

/// Says which levels are tested.
fn say_levels() {
    for level in SimdLevel::ALL {
        let what = if level.is_here() { "tested" } else { "skipped: this machine lacks it" };
        println!("{level:?} is {what}");
    }
}

/// FNV-1a of the words.
fn digest(words: impl IntoIterator<Item = u32>) -> u64 {
    words.into_iter().flat_map(u32::to_le_bytes).fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

fn vector(random: &mut Random, reach: f64) -> DVec3 {
    DVec3::from_array([(); 3].map(|()| random.uniform(-reach, reach)))
}

fn place(random: &mut Random, reach: f64) -> Pose {
    let axis = (vector(random, 1.0) + DVec3::Z * 1e-3).normalize();
    let turn = DQuat::from_axis_angle(axis, random.uniform(-3.0, 3.0));
    Pose::from_quat(turn, vector(random, reach)).expect("finite")
}

/// Four boxes: most of them boxes, some empty, some with a number that is none.
fn block(random: &mut Random) -> Block {
    let mut block = EMPTY;
    for lane in 0..4 {
        if random.one_in(6) {
            continue;
        }
        let turn = DMat3::from_cols_array(&place(random, 1.0).rotation().to_cols_array());
        let (centre, mut half) = (vector(random, 0.8), vector(random, 0.7).abs().to_array());
        half.sort_by(|x, y| y.total_cmp(x));
        let numbers = turn.to_cols_array().into_iter().chain(centre.to_array()).chain(half);
        for (component, number) in numbers.enumerate() {
            block.0[component][lane] = number as f32;
        }
        block.0[15][lane] = f32::from_bits(random.bits() as u32);
        if random.one_in(10) {
            let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e-40, -0.0];
            block.0[random.below(15) as usize][lane] = *random.choice(&odd);
        }
    }
    block
}

/// A batch of four units, on any lanes: three words of bits, and what is below.
struct Batches<'a> {
    units: WorkItems<'a>,
    frames: [BoxTransform; 4],
}

impl Kernel for Batches<'_> {
    type Output = ([u32; 3], [[u32; 16]; 2]);

    #[inline(always)]
    fn run<W: F32xN>(self) -> Self::Output {
        let (mut bits, mut below) = ([0; 3], [[0; 16]; 2]);
        for first in (0..16).step_by(W::LANES) {
            let from = |u: usize| (first / 4 + u) % 4;
            let WorkItems { singles, lanes, nodes } = self.units;
            let units = WorkItems {
                singles: from_fn(|u| singles[from(u)]),
                lanes: from_fn(|u| lanes[from(u)]),
                nodes: from_fn(|u| nodes[from(u)]),
            };
            let frames = from_fn(|u| &self.frames[from(u)]);
            let found = separate_batch::<W>(&units, frames, true);
            let unseen = separate_batch::<W>(&units, frames, false);
            assert_eq!(W::bits(found.apart), W::bits(unseen.apart), "whether it looks or not");
            let meets = W::without(found.present, found.apart);
            for (bits, more) in bits.iter_mut().zip([meets, found.present, found.single_larger]) {
                *bits |= W::bits(more) << first;
            }
            for (row, value) in below.iter_mut().zip([found.below_single, found.below_node]) {
                let mut lanes = [0; 16];
                value.compress(u32::MAX, &mut lanes);
                row[first..first + W::LANES].copy_from_slice(&lanes[..W::LANES]);
            }
        }
        (bits, below)
    }
}

#[test]
fn batches_of_boxes_are_the_same() {
    say_levels();
    let mut random = Random::new(11);
    let blocks: Vec<Block> = (0..64).map(|_| block(&mut random)).collect();
    let cases: Vec<_> = (0..5000)
        .map(|_| {
            let mut pick = || from_fn(|_| &blocks[random.below(64) as usize]);
            let (singles, nodes) = (pick(), pick());
            let lanes = from_fn(|_| random.bits() as u32);
            // Two frames, as two trees have, and units of either kind.
            let two = [(); 2].map(|()| {
                let place = place(&mut random, 1.0);
                BoxTransform::new(place.rotation(), place.translation(), 1e-5)
            });
            let frames = from_fn(|_| two[random.below(2) as usize]);
            (WorkItems { singles, lanes, nodes }, frames)
        })
        .collect();
    let found = same_on_every_level(|lanes| {
        cases
            .iter()
            .map(|&(units, frames)| lanes.run(Batches { units, frames }))
            .collect::<Vec<_>>()
    });
    let count = |k: usize| found.iter().map(|(bits, _)| bits[k].count_ones()).sum::<u32>();
    let words = found.iter().flat_map(|(bits, below)| bits.iter().chain(below.as_flattened()));
    let all = digest(words.copied());
    let met = [count(0), count(1), count(2)];
    assert_eq!((met, all), ([12_385, 65_728, 38_545], 0xA42D_410D_2EE4_DEEB));
}

/// Sixteen pairs of triangles, on any lanes.
struct Relates<'a> {
    records: [&'a [PackedTriangle]; 2],
    ids: [[u32; 16]; 2],
    count: usize,
    transform: TriangleTransform,
}

impl Kernel for Relates<'_> {
    type Output = Relations;

    #[inline(always)]
    fn run<W: F32xN>(self) -> Relations {
        let [ids_a, ids_b] = &self.ids;
        let ask = |mut plane| {
            relate_batch::<W>(self.records, [ids_a, ids_b], self.count, &self.transform, &mut plane)
        };
        let found = ask(Plane::OfA);
        assert_eq!(found, ask(Plane::OfB), "whichever plane is looked at first");
        // Beyond the count a level may tell more than another.
        let asked = u32::MAX >> (32 - self.count);
        Relations { crossing: found.crossing & asked, unsure: found.unsure & asked }
    }
}

#[test]
fn batches_of_triangles_are_the_same_and_right() {
    say_levels();
    let mut random = Random::new(12);
    let (mut apart, mut crossing, mut unsure) = (0, 0, 0);
    let mut words = Vec::new();
    for round in 0..60 {
        for class in Class::ALL {
            let cases: [_; 16] = from_fn(|_| generate(class, &mut random));
            let points = |t: [[f64; 3]; 3]| t.map(DVec3::from_array);
            let corners = cases.each_ref().map(|case| [points(case.a), points(case.b)]);
            let there = if round % 2 == 0 { Pose::IDENTITY } else { place(&mut random, 0.5) };
            let [a, b] = [0, 1].map(|k| corners.map(|pair| pack_triangle(pair[k])));
            let mut ids = [from_fn(|lane| lane as u32); 2];
            random.shuffle(&mut ids[0]);
            random.shuffle(&mut ids[1]);
            let size = |v: DVec3| v.abs().element_sum();
            let reach = corners.as_flattened().as_flattened().iter().copied().map(size);
            let reach = 2.0 * reach.fold(0.0, f64::max) + size(there.translation());
            let transform = TriangleTransform::new(there.rotation(), there.translation(), reach);
            let count = if round % 3 == 0 { 1 + random.below(16) as usize } else { 16 };
            let found = same_on_every_level(|lanes| {
                lanes.run(Relates { records: [&a, &b], ids, count, transform })
            });
            assert_eq!(found.crossing & found.unsure, 0);
            // A packed tree has no coordinates beyond this.
            if reach > Packed::LARGEST {
                continue;
            }
            for i in 0..count {
                let [a, b] = [corners[ids[0][i] as usize][0], corners[ids[1][i] as usize][1]];
                let a = PlacedTriangle::new(&Pose::IDENTITY, a);
                let truth = relate(&a, &PlacedTriangle::new(&there, b));
                match (found.crossing >> i & 1, found.unsure >> i & 1) {
                    (0, 0) => {
                        assert_eq!(truth, Relation::Apart, "{class:?}");
                        apart += 1;
                    }
                    (1, 0) => {
                        assert_eq!(truth, Relation::Crossing, "{class:?}");
                        crossing += 1;
                    }
                    _ => unsure += 1,
                }
            }
            words.extend([found.crossing, found.unsure]);
        }
    }
    let all = digest(words);
    assert_eq!(([apart, crossing, unsure], all), ([10139, 2024, 4871], 0xD746_C708_F6FD_591A));
}

/// Notes the hits, until there are enough.
struct Noted {
    hits: Vec<(u32, u32, bool)>,
    enough: usize,
    wanted: Wanted,
}

impl Hits for Noted {
    fn wanted(&self) -> Wanted {
        self.wanted
    }

    fn hit(&mut self, a: u32, b: u32, is_certain: bool) -> ControlFlow<()> {
        self.hits.push((a, b, is_certain));
        if self.hits.len() == self.enough {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// The second model in some place, the first where it is; `None` if balls around them are apart.
fn bodies<'a>(a: &'a Model, b: &'a Model, there: &Pose) -> Option<Bodies<'a>> {
    let [packed_a, packed_b] = [a, b].map(|model| model.packed().expect("packed"));
    let relative = RelativePose::new(&Pose::IDENTITY, there)?;
    let main = relative.frames(&packed_a.islands()[0], &packed_b.islands()[0], 0.0)?;
    Some(Bodies {
        a: packed_a,
        b: packed_b,
        relative,
        main,
        transform: relative.triangle_transform(100.0),
    })
}

/// Shapes of some hundred triangles; one has every triangle several times, and degenerate ones, and
/// the last is of several islands.
fn shapes() -> Vec<Mesh> {
    let ball = elbowroom_make::icosphere(5);
    let mut triangles = ball.triangles().to_vec();
    triangles.extend(ball.triangles().iter().map(|&[a, b, c]| [b, c, a]));
    triangles.extend(ball.triangles().iter().step_by(3).map(|&[a, b, _]| [a, b, b]));
    let copies = Mesh::new(ball.vertices().to_vec(), triangles).expect("sound");
    vec![
        elbowroom_make::cuboid(DVec3::new(1.0, 0.6, 0.4)),
        elbowroom_make::bumpy_sphere(8, 0.2, 7),
        elbowroom_make::wrinkled_torus(24, 16),
        elbowroom_make::person(),
        copies,
        with_stray(&elbowroom_make::icosphere(6), 1e6),
    ]
}

/// The mesh, and a triangle far from it.
fn with_stray(mesh: &Mesh, distance: f64) -> Mesh {
    let (mut vertices, mut triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
    let first = vertices.len() as u32;
    vertices.extend([DVec3::X, DVec3::Y, DVec3::Z].map(|axis| DVec3::splat(distance) + axis));
    triangles.push([first, first + 1, first + 2]);
    Mesh::new(vertices, triangles).expect("sound")
}

/// Every two shapes, also a shape and itself, in several places.
fn scenes() -> (Vec<Model>, Vec<(usize, usize, Pose)>) {
    let mut random = Random::new(13);
    let models: Vec<Model> = shapes().into_iter().map(Model::new).collect();
    let mut scenes = Vec::new();
    for a in 0..models.len() {
        for b in 0..=a {
            // In one place every triangle of a shape touches itself: f32 is unsure of all.
            scenes.push((a, b, Pose::IDENTITY));
            scenes.extend((0..4).map(|_| (a, b, place(&mut random, 0.8))));
        }
    }
    (models, scenes)
}

#[test]
fn descents_take_the_same_steps_and_find_everything() {
    say_levels();
    let (models, scenes) = scenes();
    let readable: Vec<Model> = models
        .iter()
        .map(|model| Model::with_config(model.mesh().clone(), &Config::default()))
        .collect();
    let (mut stacks, mut workspace) = (Stacks::default(), Workspace::default());
    let (mut volumes, mut primitives, mut certain, mut unsure) = (0, 0, 0, 0);
    let (mut narrower, mut settled) = (0, 0);
    let mut words = Vec::new();
    for &(a, b, there) in &scenes {
        let bodies = bodies(&models[a], &models[b], &there).expect("near each other");
        let mut descend_on = |lanes: Lanes, enough: usize, wanted: Wanted| {
            let mut noted = Noted { hits: Vec::new(), enough, wanted };
            let mut tally = Tally::default();
            let flow = lanes.run(descent(&bodies, &mut noted, &mut stacks, &mut tally));
            (flow.is_break(), noted.hits, tally)
        };
        let mut descend = |enough: usize| {
            let wanted = if enough == 1 { Wanted::First } else { Wanted::All };
            same_on_every_level(|lanes| descend_on(lanes, enough, wanted))
        };
        let (is_broken, hits, tally) = descend(usize::MAX);
        assert!(!is_broken);
        // Broken off, it has found the first of the same.
        let (is_broken, first, shorter) = descend(17);
        assert_eq!(first[..], hits[..hits.len().min(17)]);
        assert_eq!(is_broken, hits.len() >= 17);
        assert!(shorter.volumes() <= tally.volumes());
        // In a hurry it may take other steps, but the same ones on every level.
        let (is_broken, first, _) = descend(1);
        assert_eq!((is_broken, first.len()), (!hits.is_empty(), hits.len().min(1)));
        assert!(first.iter().all(|hit| hits.contains(hit)));
        // Where any hit will do, lanes below sixteen take narrow steps, as many units at a time as
        // they hold.
        let mut any = |lanes| {
            let (is_broken, any, tally) = descend_on(lanes, 1, Wanted::Any);
            assert_eq!((is_broken, any.len()), (!hits.is_empty(), hits.len().min(1)));
            assert!(any.iter().all(|hit| hits.contains(hit)));
            tally
        };
        let narrow = any(Lanes::Of(SimdLevel::Portable));
        let wide = any(Lanes::PlainSixteen);
        let eight = any(Lanes::Of(SimdLevel::Avx2));
        if hits.is_empty() {
            // All that is to be done is done in either order.
            for some in [&narrow, &eight, &wide] {
                assert_eq!(some.volumes(), tally.volumes());
            }
        }
        narrower += usize::from(narrow.volumes() < wide.volumes());
        settled += usize::from(!hits.is_empty());
        let found = decided(&models[a], &models[b], &there, &hits);
        let here = Pose::IDENTITY;
        let truth = collide(
            &readable[a],
            &here,
            &readable[b],
            &there,
            &CollisionRequest::default(),
            &mut workspace,
        );
        let truth: Vec<_> = truth.pairs.iter().map(|p| (p.a, p.b, p.relation)).collect();
        assert!(found == truth, "{a} and {b} at {there:?}");
        volumes += tally.volumes();
        primitives += tally.primitives;
        certain += hits.iter().filter(|hit| hit.2).count();
        unsure += hits.iter().filter(|hit| !hit.2).count();
        words.extend(hits.into_iter().flat_map(|(a, b, certain)| [a, b, u32::from(certain)]));
    }
    assert_eq!(scenes.len(), 105);
    assert!(settled > 50 && narrower > settled / 2, "{narrower} {settled}");
    let all = digest(words);
    println!("descents everywhere: {volumes} {primitives} {certain} {unsure} {all:#x}");
    assert!(certain > 10_000 && unsure > 1000 && primitives > 10_000, "{certain} {unsure}");
}

/// The pairs of triangles, in order, that hits stand for.
fn decided(
    a: &Model,
    b: &Model,
    there: &Pose,
    hits: &[(u32, u32, bool)],
) -> Vec<(u32, u32, Relation)> {
    let [packed_a, packed_b] = [a, b].map(|model| model.packed().expect("packed"));
    let mut pairs = Vec::new();
    for &(x, y, is_certain) in hits {
        let (copies_a, copies_b) = (packed_a.triangles(x), packed_b.triangles(y));
        let relation = relate(
            &PlacedTriangle::new(&Pose::IDENTITY, a.mesh().triangle(copies_a[0] as usize)),
            &PlacedTriangle::new(there, b.mesh().triangle(copies_b[0] as usize)),
        );
        assert!(!is_certain || relation == Relation::Crossing);
        if relation != Relation::Apart {
            for &a in copies_a {
                pairs.extend(copies_b.iter().map(|&b| (a, b, relation)));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Answers with the level that the environment asks for; see below.
#[test]
#[ignore = "run by the next test, with other settings"]
fn answers() {
    let (models, scenes) = scenes();
    let mut workspace = Workspace::default();
    let mut words = Vec::new();
    for (a, b, there) in scenes {
        for ask_for in [Want::First, Want::All] {
            let question = CollisionRequest { want: ask_for, ..CollisionRequest::default() };
            let here = Pose::IDENTITY;
            let answer = collide(&models[a], &here, &models[b], &there, &question, &mut workspace);
            words.extend([answer.tally.volumes() as u32, answer.tally.primitives as u32]);
            words.extend(answer.pairs.iter().flat_map(|p| [p.a, p.b, p.relation as u32]));
        }
    }
    println!(
        "answers: {:?} {} {:#x}",
        SimdLevel::best(),
        words.len(),
        digest(words.iter().copied())
    );
}

#[test]
fn the_environment_lowers_the_level_and_changes_no_answer() {
    let own = std::env::current_exe().expect("a test knows where it is");
    let answers = |wanted: &str| {
        let output = Command::new(&own)
            .args(["answers", "--exact", "--ignored", "--nocapture"])
            .env("ELBOWROOM_SIMD", wanted)
            .output()
            .expect("a test can run itself");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{wanted}: {text}");
        let (_, found) = text.split_once("answers: ").expect("it says what it found");
        let (level, rest) = found.split_once(' ').expect("a level and what was found with it");
        let rest = rest.lines().next().expect("a line").to_owned();
        (level.to_owned(), rest)
    };
    let (level, portable) = answers("portable");
    assert_eq!(level, "Portable");
    let mut best = SimdLevel::Portable;
    for (wanted, name) in [(SimdLevel::Avx2, "avx2"), (SimdLevel::Avx512, "avx512")] {
        best = if wanted.is_here() { wanted } else { best };
        let (level, found) = answers(name);
        assert_eq!(level, format!("{best:?}"), "{name}");
        assert_eq!(found, portable, "{name}");
    }
    // What is not known is as if it were not there.
    assert_eq!(answers("sse9"), (format!("{best:?}"), portable.clone()));
    println!("answers everywhere: {portable}");
    let count: usize = portable.split(' ').next().and_then(|n| n.parse().ok()).expect("a count");
    assert!(count > 100_000, "{portable}");
}
