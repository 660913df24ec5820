//! Boxes without end, and boxes that stand alike.

use elbowroom::internal::volume::{Meet, Obb, ObbPair, Rigid, separated};
use glam::{DMat3, DVec3};

use crate::random::Random;
use crate::report::grouped;
use crate::{Claim, Context, Table};

/// Boxes of the scene reach at most this far from the origin, and a box this long goes right
/// through.
const SCENE: f64 = 16.0;
const LONG: f64 = 64.0;

/// A rotation that only exchanges axes: one of 24.
fn exchange(random: &mut Random) -> DMat3 {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let first = random.below(3) as usize;
    let second = (first + 1 + random.below(2) as usize) % 3;
    let mut sign = || if random.below(2) == 0 { 1.0 } else { -1.0 };
    let (x, y) = (sign() * axes[first], sign() * axes[second]);
    DMat3::from_cols(x, y, x.cross(y))
}

fn whole_point(random: &mut Random, most: i64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| random.whole(-most, most) as f64))
}

fn whole_half(random: &mut Random) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| random.whole(1, 4) as f64))
}

/// Two boxes in one frame, seen from the first.
fn seen(a: &Obb, b: &Obb) -> ObbPair<f64> {
    let turn = a.axes.transpose();
    ObbPair::new(turn * b.axes, turn * (b.center - a.center), a.half, b.half)
}

/// What came of a kind of infinite boxes.
#[derive(Default)]
struct Endless {
    pairs: u64,
    apart: u64,
    /// Not the answer of a long box.
    differ: u64,
    /// Apart, which the test without the paper's change cannot see, as it meets 0 · ∞.
    rescued: u64,
}

impl Endless {
    fn meet(&mut self, a: &Obb, b: &Obb) {
        let [long_a, long_b] = [a, b].map(|b| Obb { half: b.half.min(DVec3::splat(LONG)), ..*b });
        let space = Rigid::common(3.0 * SCENE, 3.0 * SCENE, 0.0);
        let answers =
            [a.may_meet(b, &space), b.may_meet(a, &space), long_a.may_meet(&long_b, &space)];
        self.pairs += 1;
        self.apart += u64::from(!answers[2]);
        self.differ += u64::from(answers != [answers[2]; 3]);
        let plain = separated::<_, false>(&seen(a, b), space.allowance());
        self.rescued += u64::from(!answers[0] && !plain);
    }
}

/// Fat rays and slabs, against boxes and each other.
pub(super) fn infinite(context: &Context) -> (Table, Claim) {
    let each = if context.quick { 20_000 } else { 200_000 };
    let mut table = Table::new(
        "ObbPair without end against boxes longer than the scene",
        [
            "boxes",
            "pairs",
            "apart",
            "another answer than the long box's",
            "apart thanks to the change for 0·∞",
        ],
    );
    let (mut differ, mut pairs, mut rescued, mut apart) = (0, 0, 0, 0);
    for (seed, (name, stands, shapes)) in (30..).zip([
        ("fat rays and boxes, any way", Stands::AnyWay, [Shape::Ray, Shape::Box]),
        ("slabs and boxes, any way", Stands::AnyWay, [Shape::Slab, Shape::Box]),
        ("fat rays and boxes, axes parallel", Stands::Parallel, [Shape::Ray, Shape::Box]),
        ("slabs and boxes, axes parallel", Stands::Parallel, [Shape::Slab, Shape::Box]),
        ("fat rays, axes parallel", Stands::Parallel, [Shape::Ray, Shape::Ray]),
        ("fat rays, turned about each other", Stands::TurnedAbout, [Shape::Ray, Shape::Ray]),
        ("fat rays and slabs, axes parallel", Stands::Parallel, [Shape::Ray, Shape::Slab]),
        ("slabs, axes parallel", Stands::Parallel, [Shape::Slab, Shape::Slab]),
    ]) {
        let mut random = Random::new(seed);
        let mut met = Endless::default();
        for _ in 0..each {
            let [first, second] = endless(&mut random, stands, shapes);
            met.meet(&first, &second);
        }
        table.row([
            name.into(),
            met.pairs.into(),
            met.apart.into(),
            met.differ.into(),
            met.rescued.into(),
        ]);
        pairs += met.pairs;
        differ += met.differ;
        rescued += met.rescued;
        apart += met.apart;
    }
    let claim = Claim::gate("OBB-S5-infinite", "Fat rays and slabs need only a small change of the test.")
        .paper("none")
        .ours(format!(
            "{differ} of {} answers differ from those of boxes longer than the scene; {} are *apart*, and {} of these \
             hang on the change",
            grouped(pairs),
            grouped(apart),
            grouped(rescued)
        ))
        .holds_if(differ == 0 && rescued > 0 && apart > pairs / 10 && apart < pairs)
        .why(
            "Where a direction is exactly across an endless edge the unchanged test meets 0·∞, which is not a number \
             and separates nothing. If only one box is endless that never matters: a direction that decides without \
             its endless edges is among the fifteen. Two endless boxes that stand alike hang on the change.",
        );
    (table, claim)
}

/// Which extents are infinite.
#[derive(Clone, Copy)]
enum Shape {
    Ray,
    Slab,
    Box,
}

impl Shape {
    fn around(self, center: DVec3, axes: DMat3, half: DVec3) -> Obb {
        match self {
            Self::Ray => Obb { axes, ..Obb::ray(center, axes.x_axis, half.y) },
            Self::Slab => Obb { axes, ..Obb::plane(center, axes.x_axis, half.x) },
            Self::Box => Obb { center, axes, half },
        }
    }
}

/// How a box stands to an endless one.
#[derive(Clone, Copy, PartialEq)]
enum Stands {
    AnyWay,
    /// Every axis is parallel to one of the other's, exactly.
    Parallel,
    /// One axis is, and so the others are across it.
    TurnedAbout,
}

/// Two boxes, one or both of them endless.
fn endless(random: &mut Random, stands: Stands, shapes: [Shape; 2]) -> [Obb; 2] {
    let is_any = stands == Stands::AnyWay;
    let first = if is_any { random.rotation() } else { exchange(random) };
    let second = match stands {
        Stands::AnyWay => random.rotation(),
        Stands::Parallel => exchange(random),
        Stands::TurnedAbout => {
            let angle = random.uniform(0.0, std::f64::consts::TAU);
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            let DMat3 { x_axis, y_axis, z_axis } = first;
            DMat3::from_cols(x_axis, y_axis * cos + z_axis * sin, z_axis * cos - y_axis * sin)
        }
    };
    let mut place = |shape: Shape, axes| {
        if is_any {
            shape.around(random.point(-5.0, 5.0), axes, random.point(0.2, 2.0))
        } else {
            shape.around(whole_point(random, 5), axes, whole_half(random))
        }
    };
    [place(shapes[0], first), place(shapes[1], second)]
}

/// What came of boxes that stand alike.
#[derive(Default)]
struct Alike {
    pairs: u64,
    touching: u64,
    /// Called apart, and they are not.
    missed: u64,
    /// What would have been called apart without any margin.
    missed_bare: u64,
}

/// Parallel, equal and axis-permuted boxes; and what a margin does.
pub(super) fn parallel(context: &Context) -> (Table, Claim) {
    let each = if context.quick { 20_000 } else { 200_000 };
    let mut table = Table::new(
        "ObbPair that stand alike and overlap or touch",
        ["boxes", "pairs", "only touch", "called apart", "called apart if nothing were added"],
    );
    let mut all = Alike::default();
    for (seed, (name, is_turned, is_equal)) in (40..).zip([
        ("axes exchanged, in the frame", false, false),
        ("axes exchanged, turned together", true, false),
        ("equal, in the frame", false, true),
        ("equal, turned together", true, true),
    ]) {
        let mut random = Random::new(seed);
        let mut met = Alike::default();
        for _ in 0..each {
            alike(&mut random, is_turned, is_equal, &mut met);
        }
        let row = [met.pairs, met.touching, met.missed, met.missed_bare];
        table.row(std::iter::once(name.into()).chain(row.map(Into::into)).collect::<Vec<_>>());
        all.pairs += met.pairs;
        all.touching += met.touching;
        all.missed += met.missed;
        all.missed_bare += met.missed_bare;
    }
    let margins = margins(each);
    let Alike { pairs, touching, missed, missed_bare } = all;
    let claim = Claim::gate(
        "OBB-S7-parallel",
        "Parallel faces or edges are no special case, and the margin guards against missed contacts.",
    )
    .paper("none")
    .ours(format!(
        "{missed} of {} pairs that overlap or only touch ({}) are called apart; {} would be if nothing were added. \
         Raising the margin turned {} answers into *may meet* and {} into *apart*",
        grouped(pairs),
        grouped(touching),
        grouped(missed_bare),
        grouped(margins.joined),
        margins.parted
    ))
    .holds_if(
        missed == 0 && touching > 0 && missed_bare > 0 && margins.parted == 0 && margins.joined > 0,
    )
    .why(
        "The cross product of parallel edges is no direction at all, along which nothing is ever apart: other \
         axes decide. What is added to the radii is a proved bound of all rounding, not a guess.",
    );
    (table, claim)
}

/// A box and another with the same axes in some order, at most as far as they touch.
fn alike(random: &mut Random, is_turned: bool, is_equal: bool, met: &mut Alike) {
    let frame = if is_turned { random.rotation() } else { DMat3::IDENTITY };
    let (half, order) =
        (whole_half(random), if is_equal { DMat3::IDENTITY } else { exchange(random) });
    let other = if is_equal { half } else { whole_half(random) };
    // How far the second reaches along the first one's axes.
    let reach = half + order.mul_vec3(other).abs();
    let offset = DVec3::from_array(std::array::from_fn(|i| {
        random.whole(-(reach[i] as i64), reach[i] as i64) as f64
    }));
    let origin = if is_turned { random.point(-5.0, 5.0) } else { whole_point(random, 5) };
    let a = Obb { center: origin, axes: frame, half };
    let b = Obb { center: origin + frame * offset, axes: frame * order, half: other };
    let size = |b: &Obb| b.center.abs().element_sum() + 2.0 * b.half.element_sum();
    let space = Rigid::common(size(&a), size(&b), 0.0);
    met.pairs += 1;
    met.touching += u64::from((0..3).any(|i| offset[i].abs() == reach[i]));
    met.missed += u64::from(!a.may_meet(&b, &space)) + u64::from(!b.may_meet(&a, &space));
    met.missed_bare += u64::from(seen(&a, &b).apart(0.0));
}

#[derive(Default)]
struct Margins {
    /// *Apart* became *may meet*.
    joined: u64,
    /// *May meet* became *apart*.
    parted: u64,
}

/// Random pairs under rising margins.
fn margins(pairs: u64) -> Margins {
    let mut random = Random::new(50);
    let mut turned = Margins::default();
    for _ in 0..pairs {
        let mut other = || Obb {
            center: random.point(-2.0, 2.0),
            axes: random.rotation(),
            half: random.point(0.2, 1.5),
        };
        let (a, b) = (other(), other());
        let answers = [0.0, 1e-9, 1e-3, 0.1, 0.5, 2.0]
            .map(|margin| a.may_meet(&b, &Rigid::common(12.0, 12.0, margin)));
        for step in answers.windows(2) {
            turned.joined += u64::from(!step[0] && step[1]);
            turned.parted += u64::from(step[0] && !step[1]);
        }
    }
    turned
}
