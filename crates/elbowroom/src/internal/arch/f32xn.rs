//! Several f32 side by side, in groups of four.
//!
//! A packed node holds four volumes, component by component: sixteen groups of four numbers, a
//! [`Block`]. A register holds one, two or four such groups, and so a kernel that is written once
//! over [`F32xN`] works on four, eight or sixteen volumes at a time:
//!
//! ```text
//!   line      group u of a register  =  component k of block u         "one volume of every lane"
//!   spread    group u of a register  =  component k of block u at one lane, four times
//!   turned    the same, of vectors that have been turned, each group in its own way
//! ```
//!
//! Every operation gives the same bits on every instruction set: products that are added are fused
//! everywhere, so that a query takes the same steps on any machine. What is fused need not be
//! exact: kernels over these lanes only cull, or decide signs with a proved bound.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use super::Floats;

/// Four volumes, sixteen components.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct Block(pub [[f32; 4]; 16]);

/// Bit for bit: some components are not numbers.
impl PartialEq for Block {
    fn eq(&self, other: &Self) -> bool {
        let bits = |block: &Self| block.0.map(|group| group.map(f32::to_bits));
        bits(self) == bits(other)
    }
}

/// Sixteen numbers side by side, one of each of sixteen bodies: a line of the cache, one to four
/// registers.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct F32x16(pub [f32; 16]);

impl F32x16 {
    /// Nothing but zeros.
    pub const ZERO: Self = Self([0.0; 16]);
}

/// A triangle, or whatever else takes twelve words: a point in f64, the low word of each coordinate
/// before the high one, and two vectors in f32.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedTriangle(pub [[u32; 4]; 3]);

/// Four, eight or sixteen f32.
///
/// Of four blocks or values, as many are read as there are groups: one, two or four.
pub trait F32xN: Floats {
    /// How many numbers a register holds: 4, 8 or 16.
    const LANES: usize;

    /// One lane of each block, ready to be spread.
    type Pick<'a>: Copy;

    /// A point in f64 for every lane, in whatever order suits the registers.
    type Points: Copy;

    /// A mask from bits.
    fn mask(bits: u32) -> Self::Mask;

    /// As many numbers of a strip as a register holds, from `first` on.
    ///
    /// # Panics
    /// If there are not as many.
    fn load(strip: &F32x16, first: usize) -> Self;

    /// Writes the lanes to a strip, from `first` on.
    ///
    /// # Panics
    /// If there is not as much room.
    fn store(self, strip: &mut F32x16, first: usize);

    /// The sign bits, whatever the number.
    fn signs(self) -> u32;

    /// Components 4·line to 4·line + 3 of the blocks.
    fn line(blocks: &[&Block; 4], line: usize) -> [Self; 4];

    /// Takes up one lane of each block; of a lane's number the two lowest bits count.
    fn pick<'a>(blocks: &[&'a Block; 4], lanes: &[u32; 4]) -> Self::Pick<'a>;

    /// A component of what was taken up, each spread over four lanes.
    fn spread(pick: &Self::Pick<'_>, component: usize) -> Self;

    /// Four numbers to each group.
    fn join(groups: [&[f32; 4]; 4]) -> Self;

    /// The first three numbers of each group, each spread over the group.
    fn components(self) -> [Self; 3];

    /// The vector whose components begin at `component`, of what was taken up: turned, spread over
    /// four lanes.
    #[inline(always)]
    fn turned(pick: &Self::Pick<'_>, component: usize, turn: &TransformLanes<Self>) -> [Self; 3] {
        let [x, y, z] = spread3::<Self>(pick, component);
        let [cx, cy, cz] = turn.columns;
        cz.times_plus(z, cy.times_plus(y, cx * x)).components()
    }

    /// Transforms a point, that is, rotates and translates it.
    #[inline(always)]
    fn placed(pick: &Self::Pick<'_>, component: usize, turn: &TransformLanes<Self>) -> [Self; 3] {
        let [x, y, z] = spread3::<Self>(pick, component);
        let [cx, cy, cz] = turn.columns;
        cz.times_plus(z, cy.times_plus(y, cx.times_plus(x, turn.translation))).components()
    }

    /// Where the sign bit is set, whatever the number.
    fn negative(self) -> Self::Mask;

    /// What is in both masks.
    fn both(mask: Self::Mask, other: Self::Mask) -> Self::Mask;

    /// What is in one mask and not in another.
    fn without(mask: Self::Mask, other: Self::Mask) -> Self::Mask;

    /// Of the lanes of a mask, that with the least number and that with the next; any lanes where
    /// there are fewer than two.
    ///
    /// Of each number the upper sixteen bits count but for the sign, so that it is about the least;
    /// of equal ones the first.
    #[inline(always)]
    fn two_least(self, mask: Self::Mask) -> [u32; 2] {
        let (mut numbers, bits) = ([0; 16], Self::bits(mask));
        self.compress(u32::MAX, &mut numbers);
        let (mut first, mut second) = (u32::MAX, u32::MAX);
        for lane in 0..Self::LANES as u32 {
            let is_in = bits >> lane & 1 == 1;
            let number = if is_in { numbers[lane as usize] & 0x7FFF_0000 } else { 0xFFFF_0000 };
            let key = number | lane;
            second = second.min(first.max(key));
            first = first.min(key);
        }
        [first & 0xFFFF, second & 0xFFFF]
    }

    /// The bits of each value in four lanes.
    fn repeat(values: &[u32; 4]) -> Self;

    /// The bits of each value plus 0, 1, 2, 3 in four lanes.
    fn count_up(values: &[u32; 4]) -> Self;

    /// The bits of the lanes in the mask, packed to the front; what follows them is unspecified.
    fn compress(self, mask: u32, out: &mut [u32; 16]);

    /// The points and the vectors of the records with these ids, from the one numbered `first` on.
    ///
    /// # Panics
    /// If there is no such record.
    fn records(
        records: &[PackedTriangle],
        ids: &[u32; 16],
        first: usize,
    ) -> (Self::Points, [[Self; 3]; 2]);

    /// `rotation · q + translation − p` in f64, rounded to f32 at the end.
    fn shift(p: &Self::Points, q: &Self::Points, frame: &TransformF64) -> [Self; 3];
}

/// Points as the words of records stand, and the vectors behind them, for lanes that have no better
/// way: from twelve words of each record, by quads.
#[inline(always)]
pub(super) fn parted<W: F32xN>([head, middle, tail]: [[W; 4]; 3]) -> ([W; 6], [[W; 3]; 2]) {
    let ([p0, p1, p2, p3], [p4, p5, e0, e1], [e2, f0, f1, f2]) = (head, middle, tail);
    ([p0, p1, p2, p3, p4, p5], [[e0, e1, e2], [f0, f1, f2]])
}

#[inline(always)]
pub(super) fn spread3<W: F32xN>(pick: &W::Pick<'_>, component: usize) -> [W; 3] {
    [W::spread(pick, component), W::spread(pick, component + 1), W::spread(pick, component + 2)]
}

/// One lane of each of four blocks, by where it is: for lanes that read numbers one by one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'a> {
    blocks: [&'a Block; 4],
    lanes: [u32; 4],
}

impl<'a> Places<'a> {
    #[inline(always)]
    pub(super) fn new(blocks: &[&'a Block; 4], lanes: &[u32; 4]) -> Self {
        Self { blocks: *blocks, lanes: *lanes }
    }

    /// A component of the lane of a block.
    #[inline(always)]
    pub(super) fn at(&self, block: usize, component: usize) -> f32 {
        self.blocks[block].0[component][self.lanes[block] as usize & 3]
    }
}

/// How a vector of one frame is brought into another, in f32; each with a zero behind, so that it
/// fills a group.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransformF32 {
    /// Column by column.
    pub columns: [[f32; 4]; 3],
    /// Added to points, after the rotation.
    pub translation: [f32; 4],
}

/// A transform for every group of a register, each with its own matrix.
#[derive(Clone, Copy, Debug)]
pub struct TransformLanes<W> {
    columns: [W; 3],
    translation: W,
}

impl<W: F32xN> TransformLanes<W> {
    /// Takes the first transforms, as many as the register has groups.
    #[inline(always)]
    pub fn new([a, b, c, d]: [&TransformF32; 4]) -> Self {
        let column = |k: usize| [&a.columns[k], &b.columns[k], &c.columns[k], &d.columns[k]];
        let columns = [W::join(column(0)), W::join(column(1)), W::join(column(2))];
        let translation = W::join([&a.translation, &b.translation, &c.translation, &d.translation]);
        Self { columns, translation }
    }
}

/// How a point of one frame is brought into another, in f64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransformF64 {
    /// Row by row.
    pub rotation: [[f64; 3]; 3],
    /// Added after the rotation.
    pub translation: [f64; 3],
}
