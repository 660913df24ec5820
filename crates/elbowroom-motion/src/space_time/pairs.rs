//! Which samples collide: what is asked when disks are only the beginning.

use std::ops::ControlFlow;

use super::query::{Placed, Workspace, sides};
use super::reference;
use super::tracked::Tracked;
use elbowroom::internal::traverse::Tally;

/// All pairs of samples that collide and are held at a common moment, by the number of the first and then of the second: in order of time.
///
/// ```
/// use elbowroom_motion::space_time::{Config, Placed, Sample, Trace, Tracked, Workspace, colliding_samples};
///
/// let walk = |way: f64| {
///     let samples: Vec<Sample> =
///         (-10..=10).map(|k| Sample::new(way * 0.1 * f64::from(k), 0.0, 0.25)).collect();
///     Tracked::new(Trace::new(&samples, 0.1)?, Config::default())
/// };
/// let (here, there) = (walk(1.0)?, walk(-1.0)?);
/// let placed = Placed::ORIGIN;
/// let pairs = colliding_samples(&here, &placed, &there, &placed, &mut Workspace::new());
/// assert_eq!(pairs, [(8, 8), (9, 9), (10, 10), (11, 11), (12, 12)]);
/// # Ok::<(), elbowroom_motion::space_time::TraceError>(())
/// ```
pub fn colliding_samples(
    a: &Tracked,
    pa: &Placed,
    b: &Tracked,
    pb: &Placed,
    workspace: &mut Workspace,
) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let sides = sides(a, pa, b, pb);
    reference::descend(&sides, &mut Tally::default(), &mut workspace.descend, |i, j| {
        pairs.push((i as u32, j as u32));
        ControlFlow::Continue(())
    });
    pairs.sort_unstable();
    pairs
}
