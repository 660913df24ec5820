//! Where a set of triangles is cut in two, in the frame of its own box.
//!
//! The cut is a plane across an axis of the box; a triangle goes by the middle of its own box along
//! that axis, so that copies of one triangle stay together. The plane through the mean across the
//! longest axis is the rule. Others are taken only where their cost, the surfaces of both sides'
//! boxes times their numbers of triangles, is well below. For few triangles these are planes
//! through the mean and the middle across the other axes; many are counted in bins.
//!
//! Source: the surface area heuristic is by Goldsmith and Salmon, 1987; bins by Wald, *On fast
//! construction of SAH-based bounding volume hierarchies*, 2007. We differ in the preference for
//! the mean: against other surfaces, unlike against rays, equal halves are worth more than the
//! heuristic says.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use super::faces::{NOTHING, Row, half_area, middle, sides};
use crate::internal::arch::F32x8;

/// Triangles whose doubled middle along an axis is not above go left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) axis: usize,
    pub(super) at: f32,
}

impl Plane {
    /// Nothing is right of it.
    pub(super) const NONE: Self = Self { axis: 0, at: f32::INFINITY };

    #[inline(always)]
    pub(super) fn is_right(self, row: &Row) -> bool {
        row[self.axis] - row[4 + self.axis] > self.at
    }

    /// The plane in its lane, and infinity in the others, to compare with the result of [`middle`].
    #[inline(always)]
    pub(super) fn lanes<O: F32x8>(self) -> O {
        let mut lanes = [f32::INFINITY; 8];
        lanes[self.axis] = self.at;
        O::load(&lanes)
    }
}

/// The box around some triangles' boxes, and where their middles are.
#[inline(always)]
pub(super) fn measured<O: F32x8>(rows: &[Row]) -> (Row, Middles) {
    let mut gathered = Gathered::<O>::none();
    for row in rows {
        gathered.add(O::load(row));
    }
    (gathered.bound(), Middles::of(&gathered, rows.len()))
}

/// What is gathered of rows, one after the other: the box around them, and of their middles the sum
/// and the box.
#[derive(Clone, Copy)]
pub(super) struct Gathered<O> {
    bound: O,
    sum: O,
    span: O,
}

impl<O: F32x8> Gathered<O> {
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self { bound: O::load(&NOTHING), sum: O::splat(0.0), span: O::load(&NOTHING) }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, row: O) {
        let at = middle(row);
        self.bound = self.bound.max(row);
        self.sum = self.sum + at;
        self.span = self.span.max(at);
    }

    /// The box around them.
    #[inline(always)]
    pub(super) fn bound(&self) -> Row {
        self.bound.to_array()
    }
}

/// Where the middles are: their mean, and their box.
#[derive(Clone, Copy)]
pub(super) struct Middles {
    mean: [f32; 3],
    low: [f32; 3],
    high: [f32; 3],
}

impl Middles {
    /// The statistics of gathered rows, given their number.
    #[inline(always)]
    pub(super) fn of<O: F32x8>(gathered: &Gathered<O>, count: usize) -> Self {
        let (sum, span) = (gathered.sum.to_array(), gathered.span.to_array());
        let share = 1.0 / count as f32;
        Self {
            mean: [sum[0] * share, sum[1] * share, sum[2] * share],
            low: [-span[4], -span[5], -span[6]],
            high: [span[0], span[1], span[2]],
        }
    }

    /// A plane with something on both sides, if the middles are not all one.
    fn any(&self) -> Option<Plane> {
        let axis = self.widest();
        (self.low[axis] < self.high[axis]).then_some(Plane { axis, at: self.low[axis] })
    }

    fn widest(&self) -> usize {
        longest([0, 1, 2].map(|i| self.high[i] - self.low[i]))
    }
}

/// The longest side, of equal ones the first. Without branches: which it is cannot be guessed.
#[inline(always)]
fn longest([x, y, z]: [f32; 3]) -> usize {
    let (axis, side) = if y > x { (1, y) } else { (0, x) };
    if z > side { 2 } else { axis }
}

/// Up to this number of triangles, a cut is chosen without bins. No record compares other values.
pub(super) const FEW: usize = 64;
/// Up to this number of triangles, only the mean across each axis is tried. No record compares
/// other values.
const FEWEST: usize = 16;

/// On which sides of a few planes at most [`FEW`] triangles are: a byte each, a bit for each plane.
pub(super) type Sides = [u8; FEW];

/// A cut of few triangles.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cut {
    /// Those go right that have this bit in their [`Sides`].
    Bit(u32),
    /// One that was not tried.
    Plane(Plane),
}

/// The best of a few planes, for at most [`FEW`] triangles. `None` if all middles are equal.
///
/// `bound` is the box around all; another plane than that of the mean must cost less than
/// `preference` times as much. `sides_of`, which comes in empty, is where [`Cut::Bit`] is to be
/// looked up.
#[inline(always)]
pub(super) fn divide_few<O: F32x8>(
    rows: &[Row],
    (bound, middles): (&Row, &Middles),
    preference: f32,
    sides_of: &mut Sides,
) -> Option<Cut> {
    let Middles { mean, low, high } = *middles;
    let longest = longest(sides(bound));
    // Two can be split in one way only.
    if rows.len() == 2 && low[longest] < high[longest] {
        return Some(Cut::Plane(Plane { axis: longest, at: mean[longest] }));
    }
    let means = costs::<O, 0>(rows, mean, sides_of);
    let (mut least, mut bit) = (preference * means[longest], longest);
    for axis in 0..3 {
        let is_better = axis != longest && means[axis] < least;
        (least, bit) = if is_better { (means[axis], axis) } else { (least, bit) };
    }
    if rows.len() > FEWEST {
        let half = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])];
        let halves = costs::<O, 3>(rows, half, sides_of);
        for axis in 0..3 {
            let is_better = halves[axis] < least;
            (least, bit) = if is_better { (halves[axis], 3 + axis) } else { (least, bit) };
        }
    }
    if least < f32::INFINITY { Some(Cut::Bit(bit as u32)) } else { middles.any().map(Cut::Plane) }
}

/// The costs of planes across the three axes; infinite where one side is empty. On which side of
/// them each is is added to the bits of its byte, from `FIRST` on.
#[inline(always)]
fn costs<O: F32x8, const FIRST: u32>(
    rows: &[Row],
    planes: [f32; 3],
    sides_of: &mut Sides,
) -> [f32; 3] {
    let [x, y, z] = planes;
    let all = f32::INFINITY;
    let planes = O::load(&[x, y, z, all, all, all, all, all]);
    // For each axis, what is left and what is right of its plane.
    let mut bounds = [[NOTHING; 2]; 3];
    let mut counts = 0;
    for (row, side_of) in rows.iter().zip(sides_of) {
        let row = O::load(row);
        let bits = O::bits(middle(row).greater(planes));
        *side_of |= (bits << FIRST) as u8;
        // A byte for each axis.
        counts += (bits * 0x4081) & 0x1_0101;
        for axis in 0..3 {
            let side = &mut bounds[axis][(bits >> axis & 1) as usize];
            *side = O::load(side).max(row).to_array();
        }
    }
    let mut costs = [0.0; 3];
    for axis in 0..3 {
        let rights = counts >> (8 * axis) & 0xFF;
        let lefts = rows.len() as u32 - rights;
        let [left, right] = &bounds[axis];
        let cost = half_area(left) * lefts as f32 + half_area(right) * rights as f32;
        costs[axis] = if lefts == 0 || rights == 0 { f32::INFINITY } else { cost };
    }
    costs
}

/// Bins across an axis. No record compares other values.
const BINS: usize = 16;
/// 2²³, from which on f32 are integers: a sum with it ends in the bits of the nearest one.
const INTEGERS: f32 = 8_388_608.0;
/// The greatest sample size; at least half as many are counted. With 128, for covariances too,
/// builds were 2 to 3 % faster and boxes 2 to 3 % larger (`docs/notes/engine-limits.md`, *Build*).
const LOOKED_AT: usize = 256;

/// Divides a large group of triangles.
#[inline(always)]
pub(super) fn divide_many<O: F32x8>(
    rows: &[Row],
    (bound, middles): (&Row, &Middles),
    preference: f32,
) -> Option<Plane> {
    let mut bins = [[NOTHING; BINS]; 3];
    let mut counts = [[0_u32; BINS]; 3];
    let (mut base, mut steps) = ([0.0; 8], [0.0; 8]);
    for i in 0..3 {
        base[i] = middles.low[i];
        let step = (BINS - 1) as f32 / (middles.high[i] - middles.low[i]);
        // Too narrow to be divided by: all in the first bin.
        steps[i] = if step < f32::MAX { step } else { 0.0 };
    }
    let (from, step, integers) = (O::load(&base), O::load(&steps), O::splat(INTEGERS));
    for row in rows.iter().step_by(rows.len().div_ceil(LOOKED_AT)) {
        let row = O::load(row);
        let at = (middle(row) - from).times_plus(step, integers).to_array();
        for axis in 0..3 {
            let bin = at[axis].to_bits() as usize & (BINS - 1);
            bins[axis][bin] = O::load(&bins[axis][bin]).max(row).to_array();
            counts[axis][bin] += 1;
        }
    }
    let mut best: Option<(f32, Plane)> = None;
    let mut mean_cost = f32::INFINITY;
    let longest = longest(sides(bound));
    for axis in 0..3 {
        let costs = sweep::<O>(&bins[axis], &counts[axis]);
        for (bin, &cost) in costs.iter().enumerate() {
            if cost < best.map_or(f32::INFINITY, |(least, _)| least) {
                let at = base[axis] + (bin as f32 + 0.5) / steps[axis];
                best = Some((cost, Plane { axis, at }));
            }
        }
        if axis == longest {
            let bin = (middles.mean[axis] - base[axis]) * steps[axis];
            mean_cost = costs[(bin.max(0.0) as usize).min(BINS - 2)];
        }
    }
    match best {
        Some((cost, plane)) if cost < preference * mean_cost => Some(plane),
        Some(_) => Some(Plane { axis: longest, at: middles.mean[longest] }),
        None => middles.any(),
    }
}

/// The cost of cutting after each bin but the last; infinite where one side is empty.
#[inline(always)]
fn sweep<O: F32x8>(bins: &[Row; BINS], counts: &[u32; BINS]) -> [f32; BINS - 1] {
    let mut costs = [0.0; BINS - 1];
    let (mut bound, mut count) = (O::load(&NOTHING), 0);
    for bin in (1..BINS).rev() {
        bound = bound.max(O::load(&bins[bin]));
        count += counts[bin];
        costs[bin - 1] = weighed(bound, count);
    }
    (bound, count) = (O::load(&NOTHING), 0);
    for bin in 0..BINS - 1 {
        bound = bound.max(O::load(&bins[bin]));
        count += counts[bin];
        costs[bin] += weighed(bound, count);
    }
    costs
}

#[inline(always)]
fn weighed<O: F32x8>(bound: O, count: u32) -> f32 {
    if count == 0 { f32::INFINITY } else { half_area(&bound.to_array()) * count as f32 }
}

/// The plane through the median across the axis along which the middles spread the most. `None` if
/// they are all equal.
#[cold]
#[inline(never)]
pub(super) fn halve(rows: &[Row]) -> Option<Plane> {
    let place = |row: &Row, axis: usize| row[axis] - row[4 + axis];
    let along = |axis: usize| rows.iter().map(move |row| place(row, axis));
    let width = [0, 1, 2].map(|axis| {
        along(axis).fold(f32::NEG_INFINITY, f32::max) - along(axis).fold(f32::INFINITY, f32::min)
    });
    let axis = longest(width);
    let mut places: Vec<f32> = along(axis).collect();
    places.sort_unstable_by(f32::total_cmp);
    let (least, most) = (places[0], places[places.len() - 1]);
    // Not the last place of all, above which nothing is.
    let below = places.partition_point(|&at| at < most);
    let at = places[(places.len() / 2).min(below.saturating_sub(1))];
    (least < most).then_some(Plane { axis, at })
}
