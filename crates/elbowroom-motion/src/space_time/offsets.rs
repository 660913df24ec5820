//! Every start offset at once.
//!
//! For equal sampling times only the lag k = i − j of two samples that collide matters, so that the
//! answer is a set of bits, one for each lag. Lags come in *blocks* of 16: what block m needs of 16
//! samples of the first motion are 31 samples of the second, two neighbouring runs, and the
//! same two for every run along the diagonal:
//!
//! ```text
//!      j ▲      ╱ ╱            one block of lags: a band along the diagonal.
//!        │    ╱▓╱              Large circles (128 × 128 samples) say where in the band to look at all,
//!        │  ╱▓╱                small circles (16 × 16) where to look at samples, or that
//!        │╱ ╱                  all of them collide and the block is done.
//!        └────────► i
//! ```
//!
//! A block ends as soon as all its lags are known to collide. What is left are runs of 16 pairs
//! along a diagonal, in which the disks are compared exactly as [`collide`](super::collide()) does.
//! Where no circles part anything that is the brute force below, in another order.
//!
//! For different sampling times each sample of the first motion gives the runs of the second's that
//! it collides with, and those intervals are joined.

// A kernel must become part of the function that switches the instruction set on, and does not
// branch.
#![expect(clippy::inline_always, clippy::needless_bitwise_bool)]

use super::layout::{Circles, LARGE, Layout, PAD, SMALL};
use super::moving_offsets;
use super::offset_set::{End, OffsetSet};
use super::query::{Placed, Workspace, sides};
use super::side::{Disk, Sides, meet};
use super::tracked::Tracked;
use elbowroom::internal::arch;
use elbowroom::internal::arch::{F32xN, Kernel};
use elbowroom::internal::math::planar::Planar;

/// Circles tested at a time.
const LANES: usize = 8;

/// What a query over all lags keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Lagging {
    pub(super) a: Layout,
    pub(super) b: Layout,
    /// A bit for each lag, 16 to a word, the first block's first.
    pub(super) bits: Vec<u16>,
    /// Of moving disks: the lags that may collide.
    pub(super) maybe: Vec<u16>,
    flagged: Vec<u32>,
    runs: Vec<u32>,
    others: Vec<u32>,
}

/// All start offsets of the second motion against the first at which they collide: how much later
/// it starts, in seconds.
///
/// Where both motions hold their samples, an offset is in the set if and only if
/// [`collide`](super::collide()) says yes to it. Where one moves between samples, every such offset
/// is in it; ends are rounded outward, to offsets at which the disks come as near to touching as
/// rounding can tell, or a 2⁻⁴⁰th of a step beyond.
///
/// ```
/// use elbowroom::internal::math::planar::Planar;
/// use elbowroom_motion::space_time::{Config, Sample, Trace, Tracked, Workspace, offsets};
/// use glam::DVec2;
///
/// // Two walks of four seconds that cross in the middle, where they are for half a second.
/// let walk: Vec<Sample> =
///     (0..128).map(|k| Sample::new(f64::from(k - 64) / 32.0, 0.0, 0.25)).collect();
/// let walk = Tracked::new(Trace::new(&walk, 1.0 / 32.0)?, Config::default())?;
/// let across = Planar::new(0.0, 1.0, DVec2::ZERO)?;
/// let set = offsets(&walk, &Planar::IDENTITY, &walk, &across, &mut Workspace::new());
/// assert!(set.contains(0.0) && set.contains(0.6) && !set.contains(0.8) && !set.contains(-3.0));
/// assert_eq!(set.len(), 1);
/// let wait = set.smallest_wait(0.0);
/// assert!(!set.contains(wait) && set.contains(wait.next_down()));
/// assert_eq!(set.nearest_free(0.01), wait);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn offsets(
    a: &Tracked,
    at_a: &Planar,
    b: &Tracked,
    at_b: &Planar,
    workspace: &mut Workspace,
) -> OffsetSet {
    let mut set = OffsetSet::default();
    offsets_into(a, at_a, b, at_b, workspace, &mut set);
    set
}

/// Finds the offsets into an existing set: a warm query allocates nothing.
pub fn offsets_into(
    a: &Tracked,
    at_a: &Planar,
    b: &Tracked,
    at_b: &Planar,
    workspace: &mut Workspace,
    set: &mut OffsetSet,
) {
    find(&at_rest(a, at_a, b, at_b), Way::Circles, workspace, set);
}

/// The offsets without any circles, by every pair of samples along every lag until one collides:
/// the reference for the query, on the same instructions.
pub fn offsets_brute(
    a: &Tracked,
    at_a: &Planar,
    b: &Tracked,
    at_b: &Planar,
    workspace: &mut Workspace,
    set: &mut OffsetSet,
) {
    find(&at_rest(a, at_a, b, at_b), Way::Brute, workspace, set);
}

/// How lags are gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Circles,
    Brute,
}

fn find(sides: &Sides<'_>, way: Way, workspace: &mut Workspace, set: &mut OffsetSet) {
    set.clear(sides.a.clock.dt, sides.b.clock.dt);
    let Workspace { lagging, level, .. } = workspace;
    if sides.is_linear {
        moving_offsets::find(sides, way, *level, lagging, set);
        return;
    }
    lagging.a.set(&sides.a);
    lagging.b.set(&sides.b);
    if set.dt_a == set.dt_b {
        arch::run(*level, Lanes { touching: sides.touching, way, lagging });
        collect(lagging, set);
    } else {
        unequal(sides, lagging, set);
    }
}

pub(super) fn at_rest<'a>(
    a: &'a Tracked,
    at_a: &Planar,
    b: &'a Tracked,
    at_b: &Planar,
) -> Sides<'a> {
    let at = |place: &Planar| Placed::at_rest(*place);
    sides(a, &at(at_a), b, &at(at_b))
}

impl Lagging {
    /// The first block, and how many there are: lags go from 1 − b.count to a.count − 1.
    pub(super) fn blocks(&self) -> (i64, usize) {
        let first = (1 - self.b.count as i64).div_euclid(SMALL as i64);
        let last = (self.a.count as i64 - 1).div_euclid(SMALL as i64);
        (first, (last - first + 1) as usize)
    }

    /// The lags of a block that any two samples have.
    #[inline(always)]
    fn possible(&self, block: i64) -> u16 {
        let low = (1 - self.b.count as i64 - block * SMALL as i64).max(0);
        let high = (self.a.count as i64 - 1 - block * SMALL as i64).min(SMALL as i64 - 1);
        if low > high { 0 } else { (0xffff_u32 >> (15 - (high - low)) << low) as u16 }
    }
}

/// From bits to intervals: consecutive lags k₁ … k₂ are the offsets from (k₁ − 1)·dt to (k₂ +
/// 1)·dt.
pub(super) fn collect(lagging: &Lagging, set: &mut OffsetSet) {
    let (first, _) = lagging.blocks();
    let mut run: Option<(i64, i64)> = None;
    let end = |lag: i64| End::steps(lag, 0);
    for (word, &bits) in lagging.bits.iter().enumerate() {
        let base = (first + word as i64) * SMALL as i64;
        if bits == 0xffff
            && let Some((_, last)) = &mut run
            && *last == base - 1
        {
            *last = base + 15;
            continue;
        }
        let mut left = bits;
        while left != 0 {
            let lag = base + i64::from(left.trailing_zeros());
            left &= left - 1;
            match &mut run {
                Some((_, last)) if *last == lag - 1 => *last = lag,
                _ => {
                    set.runs.extend(run.map(|(from, to)| (end(from - 1), end(to + 1))));
                    run = Some((lag, lag));
                }
            }
        }
    }
    set.runs.extend(run.map(|(from, to)| (end(from - 1), end(to + 1))));
}

/// What eight circles are to eight others, a bit each.
#[derive(Clone, Copy)]
struct Met {
    /// There may be two disks that collide.
    some: u32,
    /// There probably are: disks of the mean radius in both middles would.
    likely: u32,
    /// There are none that do not.
    all: u32,
}

#[inline(always)]
fn classify(a: &Circles, at_a: i64, b: &Circles, at_b: i64) -> Met {
    let load = |column: &'_ [f64], at: i64| -> [f64; LANES] {
        let at = (PAD as i64 + at) as usize;
        let eight = &column[at..at + LANES];
        std::array::from_fn(|lane| eight[lane])
    };
    let (ax, ay, ao, ai) =
        (load(&a.x, at_a), load(&a.y, at_a), load(&a.outer, at_a), load(&a.inner, at_a));
    let (bx, by, bo, bi) =
        (load(&b.x, at_b), load(&b.y, at_b), load(&b.outer, at_b), load(&b.inner, at_b));
    let mut met = [[false; LANES]; 3];
    for lane in 0..LANES {
        let (dx, dy) = (ax[lane] - bx[lane], ay[lane] - by[lane]);
        let square = dx * dx + dy * dy;
        let (outer, inner) = (ao[lane] + bo[lane], ai[lane] + bi[lane]);
        // One is the radii and the spread of the centres, the other the radii less the spread.
        let middle = 0.5 * (outer + inner);
        met[0][lane] = square <= outer * outer;
        met[1][lane] = (square < middle * middle) & (middle > 0.0);
        met[2][lane] = (square < inner * inner) & (inner > 0.0);
    }
    let bits = |mask: [bool; LANES]| (0..LANES).map(|lane| u32::from(mask[lane]) << lane).sum();
    let [some, likely, all] = met.map(bits);
    Met { some, likely, all }
}

/// Whether one of 16 pairs collides: samples from `i` on against samples from `j` on.
#[inline(always)]
pub(super) fn any_of_sixteen<const TOUCHING: bool>(a: &Layout, i: i64, b: &Layout, j: i64) -> bool {
    let (i, j) = ((PAD as i64 + i) as usize, (PAD as i64 + j) as usize);
    let [ax, ay, ar] = [&a.x, &a.y, &a.radius].map(|column| &column[i..i + SMALL]);
    let [bx, by, br] = [&b.x, &b.y, &b.radius].map(|column| &column[j..j + SMALL]);
    let mut hit = false;
    for k in 0..SMALL {
        let (dx, dy, reach) = (ax[k] - bx[k], ay[k] - by[k], ar[k] + br[k]);
        let (square, limit) = (dx * dx + dy * dy, reach * reach);
        hit |= if TOUCHING { square <= limit } else { square < limit };
    }
    hit
}

/// Finds the bits of all lags.
pub(super) struct Lanes<'a> {
    pub(super) touching: bool,
    pub(super) way: Way,
    pub(super) lagging: &'a mut Lagging,
}

impl Kernel for Lanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: F32xN>(self) {
        let Self { touching, way, lagging } = self;
        let (_, count) = lagging.blocks();
        lagging.bits.clear();
        lagging.bits.resize(count, 0);
        match (way, touching) {
            (Way::Circles, true) => blocks::<true>(lagging),
            (Way::Circles, false) => blocks::<false>(lagging),
            (Way::Brute, true) => brute::<true>(lagging),
            (Way::Brute, false) => brute::<false>(lagging),
        }
    }
}

#[inline(always)]
fn blocks<const TOUCHING: bool>(lagging: &mut Lagging) {
    const MANY: i64 = (LARGE / SMALL) as i64;
    let (first, count) = lagging.blocks();
    let last = first + count as i64 - 1;
    for large in first.div_euclid(MANY)..=last.div_euclid(MANY) {
        let seen = flag_large(lagging, large);
        for block in first.max(large * MANY)..=last.min(large * MANY + MANY - 1) {
            let wanted = lagging.possible(block);
            let mut bits = match seen {
                // The next diagonal of large runs has all lags of this one but the first.
                Seen::AllButFirst if block == large * MANY => 0xfffe,
                Seen::All | Seen::AllButFirst => 0xffff,
                Seen::Some => 0,
            };
            if wanted & !bits != 0 {
                bits |= flag_small(lagging, block);
            }
            if wanted & !bits != 0 {
                bits = compare_runs::<TOUCHING>(lagging, block, bits, wanted);
            }
            lagging.bits[(block - first) as usize] = bits & wanted;
        }
    }
}

/// What large circles say about 128 lags.
#[derive(Clone, Copy)]
enum Seen {
    Some,
    All,
    AllButFirst,
}

/// Notes the large runs of the first motion that may collide with the second at 128 lags.
#[inline(always)]
fn flag_large(lagging: &mut Lagging, large: i64) -> Seen {
    let Lagging { a: Layout { large: a, .. }, b: Layout { large: b, .. }, flagged, .. } = lagging;
    flagged.clear();
    let mut seen = Seen::Some;
    let (mut from, to) = (large.max(0), (a.count as i64).min(b.count as i64 + large + 1));
    while from < to {
        let here = classify(a, from, b, from - large);
        let next = classify(a, from, b, from - large - 1);
        if here.all != 0 {
            return Seen::All;
        }
        if next.all != 0 {
            seen = Seen::AllButFirst;
        }
        let mut left = here.some | next.some;
        while left != 0 {
            flagged.push((from + i64::from(left.trailing_zeros())) as u32);
            left &= left - 1;
        }
        from += LANES as i64;
    }
    seen
}

/// Notes the small runs of the first motion, among the large ones that were noted, that may collide
/// with the second at 16 lags; gives the lags that do for certain.
#[inline(always)]
fn flag_small(lagging: &mut Lagging, block: i64) -> u16 {
    let Lagging {
        a: Layout { small: a, .. },
        b: Layout { small: b, .. },
        flagged,
        runs,
        others,
        ..
    } = lagging;
    runs.clear();
    others.clear();
    let mut bits = 0;
    let (least, most) = (block, b.count as i64 + block);
    for &large in flagged.iter() {
        let from = i64::from(large) * LANES as i64;
        // Beyond these there is no sample at these lags.
        if from + LANES as i64 <= least || from > most {
            continue;
        }
        let at = from - block;
        let here = classify(a, from, b, at);
        let next = classify(a, from, b, at - 1);
        if here.all != 0 {
            return 0xffff;
        }
        if next.all != 0 {
            bits = 0xfffe;
        }
        let (some, likely) = (here.some | next.some, here.likely | next.likely);
        for (mut left, list) in [(some & likely, &mut *runs), (some & !likely, &mut *others)] {
            while left != 0 {
                list.push((from + i64::from(left.trailing_zeros())) as u32);
                left &= left - 1;
            }
        }
    }
    bits
}

/// Compares the disks of the runs that were noted, for the lags of a block that are not yet known
/// to collide.
#[inline(always)]
fn compare_runs<const TOUCHING: bool>(
    lagging: &Lagging,
    block: i64,
    known: u16,
    wanted: u16,
) -> u16 {
    let mut bits = known;
    // Those first that leave least to the others.
    for &run in lagging.runs.iter().chain(&lagging.others) {
        let i = i64::from(run) * SMALL as i64;
        let mut left = wanted & !bits;
        while left != 0 {
            let lag = i64::from(left.trailing_zeros());
            left &= left - 1;
            let j = i - block * SMALL as i64 - lag;
            if any_of_sixteen::<TOUCHING>(&lagging.a, i, &lagging.b, j) {
                bits |= 1 << lag;
            }
        }
        if wanted & !bits == 0 {
            break;
        }
    }
    bits
}

#[inline(always)]
fn brute<const TOUCHING: bool>(lagging: &mut Lagging) {
    let (first, _) = lagging.blocks();
    let (na, nb) = (lagging.a.count as i64, lagging.b.count as i64);
    for lag in 1 - nb..na {
        let (mut i, end) = (lag.max(0), na.min(nb + lag));
        while i < end {
            if any_of_sixteen::<TOUCHING>(&lagging.a, i, &lagging.b, i - lag) {
                let place = (lag - first * SMALL as i64) as usize;
                lagging.bits[place / SMALL] |= 1 << (place % SMALL);
                break;
            }
            i += SMALL as i64;
        }
    }
}

/// The offsets at which a sample of the first motion is held together with one of some of the
/// second.
pub(super) fn whole(i: usize, (from, to): (usize, usize)) -> (End, End) {
    let (i, from, to) = (i as i64, from as i64, to as i64);
    (End::steps(i, to + 1), End::steps(i + 1, from))
}

/// Different sampling times: the runs of the second motion's samples that each sample of the first
/// collides with.
fn unequal(sides: &Sides<'_>, lagging: &Lagging, set: &mut OffsetSet) {
    let (a, b) = (&lagging.a, &lagging.b);
    let disk = |layout: &Layout, k: usize| Disk {
        x: layout.x[PAD + k],
        y: layout.y[PAD + k],
        radius: layout.radius[PAD + k],
    };
    for i in 0..a.count {
        let here = disk(a, i);
        let mut run: Option<(usize, usize)> = None;
        for c in 0..b.small.count {
            let circle = Disk {
                x: b.small.x[PAD + c],
                y: b.small.y[PAD + c],
                radius: b.small.outer[PAD + c],
            };
            // The slack of the circle has room for this test.
            if !meet(here, circle, true) {
                continue;
            }
            for j in c * SMALL..((c + 1) * SMALL).min(b.count) {
                if meet(here, disk(b, j), sides.touching) {
                    match &mut run {
                        Some((_, last)) if *last + 1 == j => *last = j,
                        _ => set.runs.extend(run.replace((j, j)).map(|run| whole(i, run))),
                    }
                }
            }
        }
        set.runs.extend(run.map(|run| whole(i, run)));
    }
    set.tidy();
}
