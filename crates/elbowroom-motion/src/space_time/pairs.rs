//! Which samples collide: what is asked when disks are only the beginning.

use std::ops::ControlFlow;

use super::config::Partners;
use super::query::{Placed, Workspace, sides};
use super::reference;
use super::tracked::Tracked;
use elbowroom::internal::traverse::Tally;

/// All pairs of samples that collide and are held at a common moment, by the number of the first
/// and then of the second: in order of time.
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
    colliding_samples_counted((a, pa), (b, pb), false, Partners::HeldTogether, workspace).0
}

/// The pairs with the counts of the binary trees; `first` ends the search at the first pair that is
/// found, as in [`collide_counted`](super::collide_counted), and the partners say which pairs
/// count.
pub fn colliding_samples_counted(
    (a, pa): (&Tracked, &Placed),
    (b, pb): (&Tracked, &Placed),
    first: bool,
    partners: Partners,
    workspace: &mut Workspace,
) -> (Vec<(u32, u32)>, Tally) {
    let (mut pairs, mut tally) = (Vec::new(), Tally::default());
    let sides = sides(a, pa, b, pb).with_partners(partners);
    reference::descend(&sides, &mut tally, &mut workspace.descend, |i, j| {
        pairs.push((i as u32, j as u32));
        if first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    pairs.sort_unstable();
    (pairs, tally)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space_time::{Config, Kind, Sample, Trace, collide_counted};

    #[test]
    fn the_first_pair_costs_what_the_paper_counts_and_all_of_them_no_less() {
        let walk = |way: f64| {
            let samples: Vec<Sample> =
                (-40..=40).map(|k| Sample::new(way * 0.1 * f64::from(k), 0.0, 0.25)).collect();
            Trace::new(&samples, 0.1).unwrap()
        };
        let (placed, mut workspace) = (Placed::ORIGIN, Workspace::new());
        for kind in Kind::ALL {
            let [a, b] =
                [1.0, -1.0].map(|way| Tracked::new(walk(way), Config::paper(kind)).unwrap());
            let (collide, counted) = collide_counted(&a, &placed, &b, &placed, &mut workspace);
            let (here, there) = ((&a, &placed), (&b, &placed));
            let partners = Partners::HeldTogether;
            let mut samples =
                |first| colliding_samples_counted(here, there, first, partners, &mut workspace);
            let ((one, sooner), (all, later)) = (samples(true), samples(false));
            assert!(collide && sooner == counted && one.len() == 1 && all.contains(&one[0]));
            assert_eq!(all, (38..=42).map(|k| (k, k)).collect::<Vec<_>>());
            assert!(later.primitives > sooner.primitives && later.volumes() >= sooner.volumes());
        }
    }
}
