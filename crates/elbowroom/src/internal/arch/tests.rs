//! Every operation of every level against plain arithmetic, lane by lane and bit for bit.
//!
//! A kernel loads sixteen numbers, as one, two or four registers, and stores sixteen again: so all
//! levels can be held to the same numbers. What only moves bits must keep those of a NaN, because
//! lanes carry the numbers of nodes; what calculates need only give some NaN where plain arithmetic
//! does.
//!
//! The digests were written down on one machine. They hold other machines, and emulated ones (see
//! `scripts/avx512-emulated`), to its results.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::array::from_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};

use elbowroom_testkit::random::Random;

use super::{
    Block, F32x16, F32xN, Kernel, PackedTriangle, SimdLevel, TransformF32, TransformF64,
    TransformLanes, run,
};

/// The bits of sixteen numbers.
type Row = [u32; 16];

/// Zeros, ones, the ends of every range of f32, infinities, and NaNs quiet and signalling, of both
/// signs.
const NASTY: [u32; 24] = [
    0x0000_0000,
    0x8000_0000,
    0x3F80_0000,
    0xBF80_0000,
    0x3F80_0001,
    0x3F7F_FFFF,
    0x0000_0001,
    0x8000_0001,
    0x007F_FFFF,
    0x807F_FFFF,
    0x0080_0000,
    0x8080_0000,
    0x7F7F_FFFF,
    0xFF7F_FFFF,
    0x7F00_0000,
    0x7F80_0000,
    0xFF80_0000,
    0x7FC0_0000,
    0xFFC0_0000,
    0x7FFF_FFFF,
    0xFFFF_FFFF,
    0x7F80_0001,
    0xFFBF_FFFF,
    0x7FA5_A5A5,
];

/// Any bits, numbers of like size, or what is nasty.
fn number(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => random.bits() as u32,
        1 => *random.choice(&NASTY),
        2 => (random.uniform(-2.0, 2.0) as f32).to_bits(),
        _ => (random.range(-9, 9) as f32).to_bits(),
    }
}

fn rows(random: &mut Random, count: usize) -> Vec<Row> {
    (0..count).map(|_| from_fn(|_| number(random))).collect()
}

/// Runs the test on every level that is here, and says which is not.
fn on_every_level(mut test: impl FnMut(SimdLevel)) {
    let mut tested = 0;
    for level in SimdLevel::ALL {
        if level.is_here() {
            test(level);
            println!("{level:?} is tested");
            tested += 1;
        } else {
            println!("{level:?} is skipped: this machine lacks it");
        }
    }
    assert!(tested >= 1);
}

fn is_nan(bits: u32) -> bool {
    f32::from_bits(bits).is_nan()
}

/// The bits, with one value for all NaNs, because no instruction set promises which NaN results.
fn some_nan(bits: u32) -> u32 {
    if is_nan(bits) { f32::NAN.to_bits() } else { bits }
}

/// FNV-1a of the words.
fn digest(words: impl IntoIterator<Item = u32>) -> u64 {
    words.into_iter().flat_map(u32::to_le_bytes).fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// A row as kernels load it.
type Blocks = [Block; 4];

/// The numbers as component 0 of four blocks, the rest filled with other numbers.
fn blocks_of(row: &Row) -> Blocks {
    from_fn(|u| {
        Block(from_fn(|component| {
            from_fn(|lane| {
                let bits = row[4 * u + lane];
                f32::from_bits(if component == 0 { bits } else { !bits ^ component as u32 })
            })
        }))
    })
}

/// As many numbers as a register holds, from `first` on.
#[inline(always)]
fn load<W: F32xN>(blocks: &Blocks, first: usize) -> W {
    let blocks = from_fn(|u| &blocks[(first / 4 + u) % 4]);
    W::line(&blocks, 0)[0]
}

/// The lanes of a register, to the row from `first` on.
#[inline(always)]
fn store<W: F32xN>(value: W, first: usize, row: &mut Row) {
    let mut lanes = [0; 16];
    value.compress(u32::MAX, &mut lanes);
    row[first..first + W::LANES].copy_from_slice(&lanes[..W::LANES]);
}

/// All lanes of a register.
fn full<W: F32xN>() -> u32 {
    ((1_u64 << W::LANES) - 1) as u32
}

/// The lanes where something holds.
fn lanes_where(holds: impl Fn(usize) -> bool) -> u32 {
    (0..16).map(|lane| u32::from(holds(lane)) << lane).sum()
}

struct Width;

impl Kernel for Width {
    type Output = usize;

    #[inline(always)]
    fn run<W: F32xN>(self) -> usize {
        W::LANES
    }
}

#[test]
fn a_level_runs_on_its_own_lanes_or_the_widest_below() {
    let mut expected = 0;
    for (level, lanes) in SimdLevel::ALL.into_iter().zip([4, 8, 16]) {
        expected = if level.is_here() { lanes } else { expected };
        assert_eq!(run(level, Width), expected, "{level:?}");
    }
    assert!(SimdLevel::Portable.is_here());
    assert!(SimdLevel::best().is_here());
    assert!(!SimdLevel::Avx512.is_here() || SimdLevel::Avx2.is_here());
}

/// Results that are rounded, and results that are taken from the operands.
const ROUNDED: usize = 7;
const TAKEN: usize = 3;

/// All arithmetic on three rows at a time.
struct Arithmetic<'a> {
    input: &'a [Blocks],
    out: &'a mut Vec<[Row; ROUNDED + TAKEN]>,
    masks: &'a mut Vec<[u32; 6]>,
}

impl Kernel for Arithmetic<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: F32xN>(self) {
        for three in self.input.windows(3) {
            let (mut rows, mut masks) = ([[0; 16]; ROUNDED + TAKEN], [0; 6]);
            for first in (0..16).step_by(W::LANES) {
                let [a, b, c] = [0, 1, 2].map(|i| load::<W>(&three[i], first));
                let more = a.greater(b);
                let results = [
                    a + b,
                    a - b,
                    a * b,
                    a.times_plus(b, c),
                    a.times_from(b, c),
                    a.over(b),
                    a.sqrt(),
                    a.abs(),
                    a.max(b),
                    W::select(more, a, c),
                ];
                for (result, row) in results.into_iter().zip(&mut rows) {
                    store(result, first, row);
                }
                let either = more | c.greater(b);
                assert_eq!(W::all(either), W::bits(either) == full::<W>());
                masks[0] |= W::bits(more) << first;
                masks[1] |= W::bits(either) << first;
                masks[2] |= a.signs() << first;
                let negative = a.negative();
                masks[3] |= W::bits(negative) << first;
                masks[4] |= W::bits(W::both(negative, more)) << first;
                masks[5] |= W::bits(W::without(negative, more)) << first;
            }
            self.out.push(rows);
            self.masks.push(masks);
        }
    }
}

fn plain(a: f32, b: f32, c: f32) -> [f32; ROUNDED + TAKEN] {
    [
        a + b,
        a - b,
        a * b,
        a.mul_add(b, c),
        (-a).mul_add(b, c),
        a / b,
        a.sqrt(),
        a.abs(),
        if a > b { a } else { b },
        if a > b { a } else { c },
    ]
}

#[test]
fn arithmetic_gives_the_bits_of_plain_arithmetic() {
    const TRIPLES: usize = 4000;
    let input = rows(&mut Random::new(1), TRIPLES + 2);
    let blocks: Vec<Blocks> = input.iter().map(blocks_of).collect();
    let numbers = |i: usize| input[i].map(f32::from_bits);
    on_every_level(|level| {
        let (mut out, mut masks) = (Vec::new(), Vec::new());
        run(level, Arithmetic { input: &blocks, out: &mut out, masks: &mut masks });
        assert_eq!((out.len(), masks.len()), (TRIPLES, TRIPLES));
        let (mut compared, mut nan, mut infinite, mut subnormal, mut fused) = (0, 0, 0, 0, 0);
        for (i, rows) in out.iter().enumerate() {
            let [a, b, c] = [numbers(i), numbers(i + 1), numbers(i + 2)];
            for lane in 0..16 {
                let expected = plain(a[lane], b[lane], c[lane]).map(f32::to_bits);
                let found = rows.map(|row| row[lane]);
                let about = || {
                    format!(
                        "{level:?}: {:x?}",
                        [input[i][lane], input[i + 1][lane], input[i + 2][lane]]
                    )
                };
                for k in 0..ROUNDED {
                    assert_eq!(
                        some_nan(found[k]),
                        some_nan(expected[k]),
                        "result {k}, {}",
                        about()
                    );
                    let value = f32::from_bits(found[k]);
                    nan += usize::from(value.is_nan());
                    infinite += usize::from(value.is_infinite());
                    subnormal += usize::from(value.is_subnormal());
                }
                assert_eq!(found[ROUNDED..], expected[ROUNDED..], "{}", about());
                let twice = a[lane] * b[lane] + c[lane];
                fused += usize::from(!twice.is_nan() && twice.to_bits() != found[3]);
                compared += found.len();
            }
            let more = lanes_where(|lane| a[lane] > b[lane]);
            let either = more | lanes_where(|lane| c[lane] > b[lane]);
            let signs = lanes_where(|lane| a[lane].is_sign_negative());
            let expected = [more, either, signs, signs, signs & more, signs & !more];
            assert_eq!(masks[i], expected, "{level:?}");
        }
        assert_eq!(compared, TRIPLES * 16 * (ROUNDED + TAKEN));
        // What was met, the same on every level: fusing shows, and so do the ends of the range.
        let all = digest(out.iter().flatten().flatten().map(|&bits| some_nan(bits)));
        let met = [nan, infinite, subnormal, fused];
        assert_eq!((met, all), ([95_012, 27_197, 6409, 1843], 0x9BB8_927F_9C23_B567), "{level:?}");
    });
}

/// Products that bring a sum close to the middle between two numbers, where rounding to f64 first
/// would lose on which side of it: those that make up for the missing instruction are held to it.
#[test]
fn sums_near_the_middle_between_two_numbers_are_rounded_once() {
    const ROWS: usize = 4000;
    let mut random = Random::new(9);
    let power = |exponent: i64| 2_f32.powi(exponent as i32);
    let mut input: Vec<Row> = Vec::new();
    for _ in 0..ROWS {
        let mut three = [[0; 16]; 3];
        for lane in 0..16 {
            // (1 + t)(1 − t) is 1 − t², a little less than the half of the sum's last bit.
            let small = power(-random.range(18, 23));
            let scale = random.range(-60, 60);
            let split = random.range(-12, 12);
            let sign = |random: &mut Random| if random.below(2) == 0 { 1.0 } else { -1.0 };
            let a = sign(&mut random) * (1.0 + small) * power(scale - 12 + split);
            let b = sign(&mut random) * (1.0 - small) * power(-12 - split);
            let last = random.below(1 << 23) as u32;
            let c = sign(&mut random) * f32::from_bits(0x3F80_0000 | last) * power(scale);
            for (row, value) in three.iter_mut().zip([a, b, c]) {
                row[lane] = value.to_bits();
            }
        }
        input.extend(three);
    }
    let blocks: Vec<Blocks> = input.iter().map(blocks_of).collect();
    on_every_level(|level| {
        let (mut out, mut masks) = (Vec::new(), Vec::new());
        run(level, Arithmetic { input: &blocks, out: &mut out, masks: &mut masks });
        let (mut compared, mut twice) = (0, 0);
        for (i, rows) in out.iter().enumerate().step_by(3) {
            for lane in 0..16 {
                let [a, b, c] = [0, 1, 2].map(|k| f32::from_bits(input[i + k][lane]));
                for (found, a) in [(rows[3][lane], a), (rows[4][lane], -a)] {
                    assert_eq!(found, a.mul_add(b, c).to_bits(), "{level:?}: {a:e} {b:e} {c:e}");
                    let by_two_steps = (f64::from(a) * f64::from(b) + f64::from(c)) as f32;
                    twice += usize::from(by_two_steps.to_bits() != found);
                    compared += 1;
                }
            }
        }
        assert_eq!(compared, ROWS * 16 * 2);
        assert!(twice > compared / 5, "{level:?}: two roundings would differ in {twice} only");
    });
}

/// Reads a strip register by register and writes it again, the registers the other way round.
struct Strips<'a> {
    input: &'a F32x16,
    first: usize,
}

impl Kernel for Strips<'_> {
    type Output = (usize, Row);

    #[inline(always)]
    fn run<W: F32xN>(self) -> Self::Output {
        let mut out = F32x16::ZERO;
        let (mut first, mut last) = (self.first, 16 - W::LANES);
        loop {
            let lanes = W::load(self.input, first);
            let mut row = [0; 16];
            store(lanes, 0, &mut row);
            // Out of the compiler's sight: folded into shifts of masks, it would fail on Bochs 2.7,
            // which gets those wrong.
            let row = std::hint::black_box(row);
            assert!((0..W::LANES).all(|i| row[i] == self.input.0[first + i].to_bits()));
            lanes.store(&mut out, last);
            if last == 0 {
                return (W::LANES, out.0.map(f32::to_bits));
            }
            (first, last) = (first + W::LANES, last - W::LANES);
        }
    }
}

#[test]
fn strips_keep_every_bit_and_their_ends() {
    let mut random = Random::new(12);
    on_every_level(|level| {
        let mut compared = 0;
        for round in 0..300 {
            let bits: Row =
                from_fn(|i| if round == 0 { NASTY[i + 8] } else { random.bits() as u32 });
            let input = F32x16(bits.map(f32::from_bits));
            let (lanes, out) = run(level, Strips { input: &input, first: 0 });
            let turned: Row = from_fn(|i| bits[16 - lanes - i / lanes * lanes + i % lanes]);
            assert_eq!(out, turned, "{level:?}");
            compared += out.len();
        }
        assert_eq!(compared, 4800);
        let over = catch_unwind(|| run(level, Strips { input: &F32x16::ZERO, first: 13 }));
        assert!(over.is_err(), "{level:?} reads beyond the end");
    });
}

/// Where every lane is asked for its own bit: select, mask, bits and compress.
struct Masks<'a> {
    yes: &'a Blocks,
    no: &'a Blocks,
    mask: u32,
}

/// A mask's bits, a row selected by it, and a row compressed register by register.
impl Kernel for Masks<'_> {
    type Output = (u32, Row, Vec<u32>);

    #[inline(always)]
    fn run<W: F32xN>(self) -> Self::Output {
        let (mut bits, mut selected, mut packed) = (0, [0; 16], Vec::new());
        for first in (0..16).step_by(W::LANES) {
            let (yes, no) = (load::<W>(self.yes, first), load::<W>(self.no, first));
            // Bits beyond the lanes must not matter, as they do not after a `!`.
            let own = self.mask >> first | !full::<W>();
            let mask = W::mask(own);
            assert_eq!(W::all(mask), W::bits(mask) == full::<W>());
            bits |= W::bits(mask) << first;
            store(W::select(mask, yes, no), first, &mut selected);
            let mut out = [0; 16];
            yes.compress(own, &mut out);
            packed.extend_from_slice(&out[..(own & full::<W>()).count_ones() as usize]);
        }
        (bits, selected, packed)
    }
}

#[test]
fn every_mask_selects_and_compresses() {
    let mut random = Random::new(2);
    // One row of NaNs and the ends of ranges, three of any bits.
    let mut rows: Vec<(Row, Row)> = (0..4)
        .map(|_| from_fn(|_| random.bits() as u32))
        .zip((0..4).map(|_| from_fn(|lane| lane as u32)))
        .collect();
    rows[0].0 = from_fn(|lane| NASTY[lane + 8]);
    let blocks: Vec<_> = rows.iter().map(|(yes, no)| (blocks_of(yes), blocks_of(no))).collect();
    on_every_level(|level| {
        let mut kept = 0;
        for mask in 0..1 << 16 {
            let ((yes, no), blocks) = (&rows[mask / 5 % 4], &blocks[mask / 5 % 4]);
            let mask = mask as u32;
            let (bits, selected, packed) =
                run(level, Masks { yes: &blocks.0, no: &blocks.1, mask });
            assert_eq!(bits, mask, "{level:?}");
            let is_in = |lane: usize| mask >> lane & 1 == 1;
            assert_eq!(selected, from_fn(|i| if is_in(i) { yes[i] } else { no[i] }), "{level:?}");
            let expected: Vec<u32> = (0..16).filter(|&i| is_in(i)).map(|i| yes[i]).collect();
            assert_eq!(packed, expected, "{level:?}, mask {mask:#x}");
            kept += packed.len();
        }
        assert_eq!(kept, 16 << 15);
    });
}

/// What reads blocks and ids: each of four results of a line, a spread, a repetition and a count.
struct Reads<'a> {
    blocks: &'a Blocks,
    lanes: [u32; 4],
    line: usize,
    values: [u32; 4],
}

impl Kernel for Reads<'_> {
    type Output = [Row; 10];

    #[inline(always)]
    fn run<W: F32xN>(self) -> [Row; 10] {
        let mut rows = [[0; 16]; 10];
        for first in (0..16).step_by(W::LANES) {
            // Beyond the groups of a register there are others, which must not matter.
            let from = |u: usize| (first / 4 + u) % 4;
            let blocks: [&Block; 4] = from_fn(|u| &self.blocks[from(u)]);
            let lanes = from_fn(|u| self.lanes[from(u)]);
            let values = from_fn(|u| self.values[from(u)]);
            let [l0, l1, l2, l3] = W::line(&blocks, self.line);
            let pick = W::pick(&blocks, &lanes);
            let [s0, s1, s2, s3] = from_fn(|k| W::spread(&pick, 4 * self.line + k));
            let repeated = W::repeat(&values);
            let counted = W::count_up(&values);
            let all = [l0, l1, l2, l3, s0, s1, s2, s3, repeated, counted];
            for (value, row) in all.into_iter().zip(&mut rows) {
                store(value, first, row);
            }
        }
        rows
    }
}

#[test]
fn lines_and_spreads_read_every_lane_of_every_line() {
    let mut random = Random::new(3);
    on_every_level(|level| {
        let mut compared = 0;
        for round in 0..4 * 256 {
            let line = round / 256;
            // All ways to take a lane of each block, by the lower bits; the upper ones must not
            // matter.
            let lanes: [u32; 4] =
                from_fn(|u| (round >> (2 * u)) as u32 & 3 | (random.bits() as u32 & !3));
            let blocks: Blocks =
                from_fn(|_| Block(from_fn(|_| from_fn(|_| f32::from_bits(number(&mut random))))));
            let values: [u32; 4] = from_fn(|u| match (round + u) % 5 {
                0 => u32::MAX - u as u32,
                1 => (1 << 31) - 2,
                _ => number(&mut random),
            });
            let rows = run(level, Reads { blocks: &blocks, lanes, line, values });
            for lane in 0..16 {
                let (group, within) = (lane / 4, lane % 4);
                for k in 0..4 {
                    let component = blocks[group].0[4 * line + k].map(f32::to_bits);
                    assert_eq!(rows[k][lane], component[within], "{level:?}");
                    assert_eq!(
                        rows[4 + k][lane],
                        component[lanes[group] as usize & 3],
                        "{level:?}"
                    );
                }
                assert_eq!(rows[8][lane], values[group], "{level:?}");
                assert_eq!(rows[9][lane], values[group].wrapping_add(within as u32), "{level:?}");
                compared += rows.len();
            }
        }
        assert_eq!(compared, 1024 * 160);
    });
}

/// Vectors of one lane of each block, turned and placed.
struct Turns<'a> {
    blocks: &'a Blocks,
    lanes: [u32; 4],
    component: usize,
    ways: &'a [TransformF32; 4],
}

impl Kernel for Turns<'_> {
    type Output = [Row; 6];

    #[inline(always)]
    fn run<W: F32xN>(self) -> [Row; 6] {
        let mut rows = [[0; 16]; 6];
        for first in (0..16).step_by(W::LANES) {
            let from = |u: usize| (first / 4 + u) % 4;
            let blocks: [&Block; 4] = from_fn(|u| &self.blocks[from(u)]);
            let lanes = from_fn(|u| self.lanes[from(u)]);
            let pick = W::pick(&blocks, &lanes);
            let turn = &TransformLanes::new(from_fn(|u| &self.ways[from(u)]));
            let [t0, t1, t2] = W::turned(&pick, self.component, turn);
            let [p0, p1, p2] = W::placed(&pick, self.component, turn);
            for (value, row) in [t0, t1, t2, p0, p1, p2].into_iter().zip(&mut rows) {
                store(value, first, row);
            }
        }
        rows
    }
}

#[test]
fn vectors_are_turned_as_one_by_one() {
    let mut random = Random::new(7);
    on_every_level(|level| {
        let mut compared = 0;
        for round in 0..13 * 64 {
            let component = round % 13;
            let lanes: [u32; 4] = from_fn(|_| random.bits() as u32);
            let mut small = || (random.bits() as u32 as f32) * 1e-9 - 2.0;
            let blocks: Blocks = from_fn(|_| Block(from_fn(|_| from_fn(|_| small()))));
            let mut four = || [small(), small(), small(), 0.0];
            let turns: [TransformF32; 4] = from_fn(|_| TransformF32 {
                columns: [four(), four(), four()],
                translation: four(),
            });
            let rows = run(level, Turns { blocks: &blocks, lanes, component, ways: &turns });
            for (lane, i) in (0..16).flat_map(|lane| (0..3).map(move |i| (lane, i))) {
                let group = lane / 4;
                let [cx, cy, cz] = turns[group].columns;
                let [x, y, z]: [f32; 3] =
                    from_fn(|k| blocks[group].0[component + k][lanes[group] as usize & 3]);
                let turned = cz[i].mul_add(z, cy[i].mul_add(y, cx[i] * x));
                let step = cx[i].mul_add(x, turns[group].translation[i]);
                let placed = cz[i].mul_add(z, cy[i].mul_add(y, step));
                assert_eq!(rows[i][lane], turned.to_bits(), "{level:?}");
                assert_eq!(rows[3 + i][lane], placed.to_bits(), "{level:?}");
                compared += 2;
            }
        }
        assert_eq!(compared, 13 * 64 * 16 * 6);
    });
}

/// The two least of some lanes.
struct Least<'a> {
    numbers: &'a Blocks,
    mask: u32,
}

impl Kernel for Least<'_> {
    type Output = Vec<[u32; 2]>;

    #[inline(always)]
    fn run<W: F32xN>(self) -> Self::Output {
        let mut found = Vec::new();
        for first in (0..16).step_by(W::LANES) {
            let mask = W::mask(self.mask >> first);
            found.push(load::<W>(self.numbers, first).two_least(mask));
        }
        found
    }
}

#[test]
fn the_two_least_are_found_by_their_upper_bits() {
    let mut random = Random::new(23);
    on_every_level(|level| {
        let (mut compared, mut ties, mut odd) = (0, 0, 0);
        for _ in 0..4000 {
            // Few numbers, so that some are equal, and some that are none.
            let row: Row = from_fn(|_| match random.below(8) {
                0 => number(&mut random),
                _ => (random.below(6) as f32 + 1e-3 * random.below(4) as f32).to_bits(),
            });
            let mask = random.bits() as u32 & random.bits() as u32 & 0xFFFF;
            let found = run(level, Least { numbers: &blocks_of(&row), mask });
            let lanes = 16 / found.len();
            for (part, [x, y]) in found.into_iter().enumerate() {
                let first = part * lanes;
                let key = |lane: usize| (row[first + lane] & 0x7FFF_0000) >> 16;
                let mut order: Vec<usize> =
                    (0..lanes).filter(|lane| mask >> (first + lane) & 1 == 1).collect();
                order.sort_by_key(|&lane| key(lane));
                assert!(x < 16 && y < 16, "{level:?}: a lane");
                for (&expected, found) in order.iter().zip([x, y]) {
                    assert_eq!(found as usize, expected, "{level:?}: {row:x?} of {mask:x}");
                    odd += usize::from(is_nan(row[first + expected]));
                    compared += 1;
                }
                ties += usize::from(order.len() > 1 && key(order[0]) == key(order[1]));
            }
        }
        assert!(compared > 7000 && ties > 500 && odd > 10, "{level:?}: {compared} {ties} {odd}");
    });
}

#[test]
fn splats_are_in_every_lane() {
    struct Splat(u32);
    impl Kernel for Splat {
        type Output = Row;

        #[inline(always)]
        fn run<W: F32xN>(self) -> Row {
            let mut row = [0; 16];
            for first in (0..16).step_by(W::LANES) {
                store(W::splat(f32::from_bits(self.0)), first, &mut row);
            }
            row
        }
    }
    on_every_level(|level| {
        for bits in NASTY {
            assert_eq!(run(level, Splat(bits)), [bits; 16], "{level:?}");
        }
    });
}

/// How far the points of sixteen records are from each other's when none is moved, and their six
/// words of vectors.
struct Gather<'a> {
    records: &'a [PackedTriangle],
    ids: &'a [u32; 16],
}

impl Kernel for Gather<'_> {
    type Output = [Row; 9];

    #[inline(always)]
    fn run<W: F32xN>(self) -> [Row; 9] {
        let nothing = [PackedTriangle::default()];
        let mut rows = [[0; 16]; 9];
        for first in (0..16).step_by(W::LANES) {
            let (origin, _) = W::records(&nothing, &[0; 16], first);
            let (points, vectors) = W::records(self.records, self.ids, first);
            let steps = W::shift(&origin, &points, &STAY);
            for (value, row) in
                steps.into_iter().chain(vectors.into_iter().flatten()).zip(&mut rows)
            {
                store(value, first, row);
            }
        }
        rows
    }
}

/// A frame that is where the other is.
const STAY: TransformF64 = TransformF64 {
    rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    translation: [0.0; 3],
};

/// Points of numbers that f32 holds, any six words behind them.
fn some_records(random: &mut Random, count: usize) -> Vec<PackedTriangle> {
    (0..count)
        .map(|_| {
            let point: [f64; 3] = from_fn(|_| f64::from(random.uniform(-1.0, 1.0) as f32));
            let words: [u32; 6] = from_fn(|_| number(random));
            record_of(&point, words)
        })
        .collect()
}

fn record_of(point: &[f64; 3], words: [u32; 6]) -> PackedTriangle {
    let half = |k: usize| (point[k / 2].to_bits() >> (32 * (k % 2))) as u32;
    let word = |k: usize| if k < 6 { half(k) } else { words[k - 6] };
    PackedTriangle(from_fn(|quad| from_fn(|k| word(4 * quad + k))))
}

/// Every order of four things.
fn orders() -> Vec<[u32; 4]> {
    let all = (0..256).map(|code| [0, 1, 2, 3].map(|place| code >> (2 * place) & 3));
    all.filter(|order| (0..4).all(|thing| order.contains(&thing))).collect()
}

#[test]
fn records_come_in_the_order_of_their_ids() {
    let mut random = Random::new(4);
    let records = some_records(&mut random, 37);
    let mut all_ids: Vec<[u32; 16]> = (0..37).map(|id| [id; 16]).collect();
    // Groups in every order, and the ids of a group in every order.
    for outer in orders() {
        for inner in orders() {
            all_ids.push(from_fn(|lane| 4 * outer[lane / 4] + inner[lane % 4]));
        }
    }
    all_ids.extend((0..2000).map(|_| from_fn(|_| random.below(37) as u32)));
    assert_eq!(all_ids.len(), 37 + 24 * 24 + 2000);
    on_every_level(|level| {
        for ids in &all_ids {
            let rows = run(level, Gather { records: &records, ids });
            for (k, row) in rows.iter().enumerate() {
                let expected = ids.map(|id| {
                    let words = records[id as usize].0.as_flattened();
                    let of_point = |k: usize| {
                        let bits = u64::from(words[2 * k]) | u64::from(words[2 * k + 1]) << 32;
                        (f64::from_bits(bits) as f32).to_bits()
                    };
                    if k < 3 { of_point(k) } else { words[k + 3] }
                });
                assert_eq!(*row, expected, "{level:?}, number {k} of {ids:?}");
            }
        }
    });
}

#[test]
fn a_record_that_is_not_there_panics() {
    let mut random = Random::new(5);
    on_every_level(|level| {
        let mut panics = 0;
        for count in [0, 1, 5, 16, 40] {
            let records = some_records(&mut random, count);
            for lane in 0..16 {
                for beyond in [count as u32, count as u32 + 1, 1 << 31, u32::MAX] {
                    let mut ids = [count.saturating_sub(1) as u32; 16];
                    ids[lane] = beyond;
                    let gather = Gather { records: &records, ids: &ids };
                    let caught = catch_unwind(AssertUnwindSafe(|| run(level, gather)));
                    panics += usize::from(caught.is_err());
                }
            }
        }
        assert_eq!(panics, 5 * 16 * 4, "{level:?}");
    });
}

/// Sixteen steps between points.
struct Steps<'a> {
    p: &'a [PackedTriangle],
    q: &'a [PackedTriangle],
    frame: &'a TransformF64,
}

impl Kernel for Steps<'_> {
    type Output = [Row; 3];

    #[inline(always)]
    fn run<W: F32xN>(self) -> [Row; 3] {
        let (mut rows, ids) = ([[0; 16]; 3], from_fn(|id| id as u32));
        for first in (0..16).step_by(W::LANES) {
            let (p, _) = W::records(self.p, &ids, first);
            let (q, _) = W::records(self.q, &ids, first);
            for (value, row) in W::shift(&p, &q, self.frame).into_iter().zip(&mut rows) {
                store(value, first, row);
            }
        }
        rows
    }
}

fn records_of(points: &[[f64; 3]; 16]) -> Vec<PackedTriangle> {
    points.iter().map(|point| record_of(point, [0; 6])).collect()
}

/// How a coordinate is made: of like size, of any size, or of any bits.
fn coordinate(random: &mut Random, kind: usize) -> f64 {
    match kind {
        0 => random.uniform(-1.0, 1.0),
        1 => random.uniform(-1.0, 1.0) * f64::powi(2.0, random.range(-1074, 200) as i32),
        _ => f64::from_bits(random.bits()),
    }
}

#[test]
fn shifts_round_as_plain_arithmetic_does() {
    const ROUNDS: usize = 3000;
    let mut random = Random::new(6);
    let cases: Vec<_> = (0..ROUNDS)
        .map(|round| {
            let mut point = || from_fn(|_| coordinate(&mut random, round % 3));
            let frame = TransformF64 { rotation: from_fn(|_| point()), translation: point() };
            let q: [[f64; 3]; 16] = from_fn(|_| point());
            let mut p: [[f64; 3]; 16] = from_fn(|_| point());
            if round % 2 == 0 {
                // Large numbers that cancel, but for the last bits.
                for (p, q) in p.iter_mut().zip(&q) {
                    *p = from_fn(|axis| shifted(&frame, q, &[0.0; 3], axis).next_up());
                }
            }
            (frame, p, q)
        })
        .collect();
    on_every_level(|level| {
        let (mut all, mut nan, mut small, mut infinite) = (Vec::new(), 0, 0, 0);
        for (frame, p, q) in &cases {
            let rows = run(level, Steps { p: &records_of(p), q: &records_of(q), frame });
            for (axis, row) in rows.iter().enumerate() {
                for lane in 0..16 {
                    let exact = shifted(frame, &q[lane], &p[lane], axis);
                    let expected = exact as f32;
                    let about = || format!("{level:?}: {frame:?} {:?} {:?}", p[lane], q[lane]);
                    assert_eq!(some_nan(row[lane]), some_nan(expected.to_bits()), "{}", about());
                    nan += usize::from(expected.is_nan());
                    infinite += usize::from(expected.is_infinite());
                    small += usize::from(expected.is_subnormal());
                }
                all.extend(row.map(some_nan));
            }
        }
        assert_eq!(all.len(), ROUNDS * 48);
        let (met, all) = ([nan, infinite, small], digest(all));
        assert_eq!((met, all), ([4213, 44_985, 1648], 0x19CC_9722_2ED1_24F0), "{level:?}");
    });
}

/// One coordinate of `rotation · q + translation − p`.
fn shifted(frame: &TransformF64, q: &[f64; 3], p: &[f64; 3], axis: usize) -> f64 {
    let row = frame.rotation[axis];
    let sum = row[0].mul_add(q[0], frame.translation[axis]);
    row[2].mul_add(q[2], row[1].mul_add(q[1], sum)) - p[axis]
}
