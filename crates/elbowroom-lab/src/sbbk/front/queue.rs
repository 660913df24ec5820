//! §3.2: a priority queue for the front, against a list.
//!
//! The paper keeps the front in a priority queue, n log n, rather than in a linked list, n². Levels
//! of a front are put into three queues and taken out again, deepest first; comparisons and steps
//! are counted.

use std::cell::Cell as Counter;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::hint::black_box;

use super::Part;
use crate::random::Random;
use crate::rounds::Rounds;
use crate::{Cell, Claim, Table};

/// A level that counts how often it is compared.
struct Level<'a> {
    level: u32,
    compared: &'a Counter<u64>,
}

impl Ord for Level<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.compared.set(self.compared.get() + 1);
        self.level.cmp(&other.level)
    }
}

impl PartialOrd for Level<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Level<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Level<'_> {}

/// Puts all in and takes all out again; gives what came out, hashed, and the comparisons.
fn heap(levels: &[u32]) -> (u64, u64) {
    let compared = Counter::new(0);
    let mut heap: BinaryHeap<Level> = BinaryHeap::new();
    heap.extend(levels.iter().map(|&level| Level { level, compared: &compared }));
    let mut out = 0_u64;
    while let Some(deepest) = heap.pop() {
        out = mix(out, deepest.level);
    }
    (out, compared.get())
}

/// A linked list that is kept in order: who is put in walks along it.
fn list(levels: &[u32]) -> (u64, u64) {
    const END: u32 = u32::MAX;
    let mut next = vec![END; levels.len()];
    let (mut head, mut steps) = (END, 0);
    for (place, &level) in (0_u32..).zip(levels) {
        let (mut before, mut at) = (END, head);
        while at != END {
            steps += 1;
            if levels[at as usize] <= level {
                break;
            }
            (before, at) = (at, next[at as usize]);
        }
        next[place as usize] = at;
        if before == END {
            head = place;
        } else {
            next[before as usize] = place;
        }
    }
    let mut out = 0_u64;
    while head != END {
        out = mix(out, levels[head as usize]);
        head = next[head as usize];
    }
    (out, steps)
}

/// By counting: one look at each level, twice.
fn buckets(levels: &[u32]) -> (u64, u64) {
    let mut counts: Vec<u32> = Vec::new();
    for &level in levels {
        if counts.len() <= level as usize {
            counts.resize(level as usize + 1, 0);
        }
        counts[level as usize] += 1;
    }
    let mut out = 0_u64;
    for (level, &count) in counts.iter().enumerate().rev() {
        (0..count).for_each(|_| out = mix(out, level as u32));
    }
    (out, levels.len() as u64)
}

fn mix(sum: u64, level: u32) -> u64 {
    sum.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(level))
}

type Queue = fn(&[u32]) -> (u64, u64);
const QUEUES: [Queue; 3] = [heap, list, buckets];

/// Sizes, steps of all queues, and times in nanoseconds a pair.
struct Row {
    size: usize,
    steps: [u64; 3],
    nanos: [f64; 3],
}

/// With the visits to the first contact, front over root, where one node gives way and where both
/// do.
pub(super) fn run(quick: bool, until: [f64; 2]) -> Part {
    let powers = if quick { 8..=12 } else { 8..=15 };
    let rows: Vec<Row> =
        powers.step_by(if quick { 2 } else { 1 }).map(|power| measure(1 << power)).collect();
    let mut table = Table::new(
        "A front put into a queue and taken out, deepest first: comparisons or steps, time in ns for each pair",
        ["pairs", "heap", "list", "buckets", "time heap", "time list", "time buckets"],
    );
    for row in &rows {
        let mut cells: Vec<Cell> = vec![row.size.into()];
        cells.extend(row.steps.map(Cell::from));
        cells.extend(row.nanos.map(Cell::Number));
        table.row(cells);
    }
    Part { tables: vec![table], claims: vec![claim(&rows, until)] }
}

/// Levels as a front has them: most of them near the deepest.
fn measure(size: usize) -> Row {
    let mut random = Random::new(size as u64);
    let levels: Vec<u32> =
        (0..size).map(|_| 24 - (random.below(24).min(random.below(24))) as u32).collect();
    let results = QUEUES.map(|queue| queue(&levels));
    assert!(results.iter().all(|(out, _)| *out == results[0].0), "all queues give the same order");
    let repeats = (1 << 14) / size.min(1 << 14) + 1;
    let mut timed = QUEUES.map(|queue| {
        let levels = &levels;
        move || {
            for _ in 0..repeats {
                black_box(queue(black_box(levels)));
            }
        }
    });
    let [first, second, third] = &mut timed;
    let rounds = Rounds::run(3, &mut [first, second, third]);
    let nanos = [0, 1, 2].map(|queue| 1e9 * rounds.secs(queue).median / (repeats * size) as f64);
    Row { size, steps: results.map(|(_, steps)| steps), nanos }
}

fn claim(rows: &[Row], [larger, both]: [f64; 2]) -> Claim {
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    let slope = |queue: usize| {
        let up = last.steps[queue] as f64 / first.steps[queue] as f64;
        libm::log(up) / libm::log(last.size as f64 / first.size as f64)
    };
    let [heap, list, buckets] = [slope(0), slope(1), slope(2)];
    Claim::gate("SBBK-S3-queue", "A priority queue, deepest first, beats a linked list.")
        .paper("n log n against n²")
        .ours(format!(
            "comparisons grow with n to the power of {heap:.2} in a heap, {list:.2} in a list kept in order, {buckets:.2} in buckets by level; deepest first, the first contact takes {larger:.2} of the visits of a stack from the root where one node gives way, {both:.2} where both do"
        ))
        .holds_if(heap < 1.4 && list > 1.7 && buckets < 1.01)
        .why(
            "Levels are small whole numbers: counting them needs no comparison, and what a descent adds is deeper than all that waits, so that a stack \
             takes it. The front here is kept in buckets.",
        )
}
