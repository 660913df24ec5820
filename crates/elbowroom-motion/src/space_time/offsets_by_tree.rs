//! Every start offset by the readable trees: lag by lag.
//!
//! Motions of one sampling time collide at the offsets around a lag if they do where they start
//! exactly that many steps apart, and that is one traversal of both trees. Circles find all lags at
//! once and many times sooner; this is for who wants the paper's trees to answer, with their
//! counts.

use std::ops::ControlFlow;

use super::contacts::Tests;
use super::offset_set::{End, OffsetSet};
use super::offsets::at_rest;
use super::query::Workspace;
use super::reference;
use super::tracked::Tracked;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::traverse::Tally;

/// The set of [`offsets`](super::offsets()), found by the trees of both motions, and what that
/// took. `None` if a motion moves between samples or the sampling times differ: then lags do not
/// tell.
///
/// ```
/// use elbowroom_motion::Planar;
/// use elbowroom_motion::space_time::{
///     Config, Kind, Sample, Trace, Tracked, Workspace, offsets, offsets_by_tree,
/// };
///
/// let walk: Vec<Sample> = (0..60).map(|k| Sample::new(0.05 * f64::from(k), 0.0, 0.3)).collect();
/// let walk = Tracked::new(Trace::new(&walk, 1.0 / 30.0)?, Config::paper(Kind::Mobb))?;
/// let (here, mut workspace) = (Planar::IDENTITY, Workspace::new());
/// let (set, tests) = offsets_by_tree(&walk, &here, &walk, &here, &mut workspace).expect("one rate");
/// assert_eq!(set, offsets(&walk, &here, &walk, &here, &mut workspace));
/// // 119 lags, each of which takes one test at least.
/// assert!(tests.volumes >= 119);
/// # Ok::<(), elbowroom_motion::space_time::TraceError>(())
/// ```
pub fn offsets_by_tree(
    a: &Tracked,
    at_a: &Planar,
    b: &Tracked,
    at_b: &Planar,
    workspace: &mut Workspace,
) -> Option<(OffsetSet, Tests)> {
    let mut sides = at_rest(a, at_a, b, at_b);
    let (dt_a, dt_b) = (a.trace().dt(), b.trace().dt());
    if sides.is_linear || dt_a != dt_b {
        return None;
    }
    let (mut set, mut tally) = (OffsetSet::default(), Tally::default());
    set.clear(dt_a, dt_b);
    let mut run: Option<(i64, i64)> = None;
    for lag in 1 - b.trace().len() as i64..a.trace().len() as i64 {
        // The second motion begins this many steps later.
        sides.b.clock.first = lag;
        let mut hit = false;
        reference::descend(&sides, &mut tally, &mut workspace.descend, |_, _| {
            hit = true;
            ControlFlow::Break(())
        });
        match (&mut run, hit) {
            (Some((_, last)), true) => *last = lag,
            (None, true) => run = Some((lag, lag)),
            (_, false) => set.runs.extend(run.take().map(ends)),
        }
    }
    set.runs.extend(run.map(ends));
    Some((set, Tests::of(&tally)))
}

/// Lags from one to another collide at the offsets from a step before to a step after.
fn ends((from, to): (i64, i64)) -> (End, End) {
    (End::steps(from - 1, 0), End::steps(to + 1, 0))
}
