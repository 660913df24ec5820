//! When two motions are in contact.
//!
//! Time is cut into *cells*: the moments at which the same two samples are held. Cells follow one
//! another; those whose samples collide, one after the other, are a contact. Whether one cell
//! follows another is decided by the numbers of the samples and by exact times, so that rounding
//! opens no gaps. Where motions move between samples, a contact begins and ends within a cell,
//! where the quadratic says.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::query::{Placed, Workspace, held_together, sides};
use super::reference;
use super::rings::{self, Visitor};
use super::side::Sides;
use super::tracked::Tracked;
use elbowroom::internal::traverse::Tally;

/// A time during which two motions collide without a break.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The beginning, in seconds of the common clock, rounded.
    pub from: f64,
    /// The end, rounded; if samples are held, this moment is not in the interval.
    pub to: f64,
    /// The first two samples that collide.
    pub first: (usize, usize),
    /// The last two.
    pub last: (usize, usize),
}

/// All times during which two motions collide, in order.
///
/// ```
/// use elbowroom_motion::space_time::{Config, Placed, Sample, Trace, Tracked, Workspace, contacts};
///
/// // One stands, the other passes by, eight samples a second.
/// let stand = Trace::new(&[Sample::new(0.0, 0.0, 0.5); 33], 0.125)?;
/// let pass: Vec<Sample> = (0..33).map(|k| Sample::new(0.25 * f64::from(k) - 4.0, 0.0, 0.5)).collect();
/// let [stand, pass] = [stand, Trace::new(&pass, 0.125)?].map(|t| Tracked::new(t, Config::default()));
/// let found = contacts(&stand?, &Placed::ORIGIN, &pass?, &Placed::ORIGIN, &mut Workspace::new());
/// // Nearer than 1 m from sample 13 to sample 19, which is held until 2.5 s.
/// assert_eq!((found.len(), found[0].from, found[0].to), (1, 1.625, 2.5));
/// # Ok::<(), elbowroom_motion::space_time::TraceError>(())
/// ```
pub fn contacts(
    a: &Tracked,
    pa: &Placed,
    b: &Tracked,
    pb: &Placed,
    workspace: &mut Workspace,
) -> Vec<Contact> {
    let mut out = Vec::new();
    contacts_into(a, pa, b, pb, workspace, &mut out);
    out
}

/// Finds the contacts into an existing list: a warm query allocates nothing.
pub fn contacts_into(
    a: &Tracked,
    pa: &Placed,
    b: &Tracked,
    pb: &Placed,
    workspace: &mut Workspace,
    out: &mut Vec<Contact>,
) {
    let sides = sides(a, pa, b, pb);
    find(&sides, workspace, false);
    join(&sides, &workspace.found, out);
}

/// The times at which two motions collide, by a given structure, with the tests that it took.
///
/// Circles give way to the readable trees where the sampling times differ.
///
/// ```
/// use elbowroom_motion::space_time::{
///     Config, Kind, Placed, Sample, Structure, Trace, Tracked, Workspace, contacts, contacts_counted,
/// };
///
/// let walk: Vec<Sample> = (0..100).map(|k| Sample::new(0.05 * f64::from(k), 0.0, 0.3)).collect();
/// let walk = Tracked::new(Trace::new(&walk, 1.0 / 30.0)?, Config::paper(Kind::Umobb))?;
/// let (here, mut workspace) = (Placed::ORIGIN, Workspace::new());
/// let [circles, tree] = [Structure::Circles, Structure::Tree]
///     .map(|by| contacts_counted(&walk, &here, &walk, &here, by, &mut workspace));
/// assert_eq!((&circles.0, &tree.0), (&contacts(&walk, &here, &walk, &here, &mut workspace), &circles.0));
/// assert!(circles.1.volumes > 0 && tree.1.volumes > 0 && tree.1.samples >= 100);
/// # Ok::<(), elbowroom_motion::space_time::TraceError>(())
/// ```
pub fn contacts_counted(
    a: &Tracked,
    pa: &Placed,
    b: &Tracked,
    pb: &Placed,
    by: Structure,
    workspace: &mut Workspace,
) -> (Vec<Contact>, Tests) {
    let sides = sides(a, pa, b, pb);
    let tests = match by {
        Structure::Circles => find(&sides, workspace, false),
        Structure::Tree => find_by_tree(&sides, workspace),
    };
    let mut out = Vec::new();
    join(&sides, &workspace.found, &mut out);
    (out, tests)
}

/// Pairs of samples, in order of time, as contacts.
fn join(sides: &Sides<'_>, found: &[(u32, u32)], out: &mut Vec<Contact>) {
    out.clear();
    for &(i, j) in found {
        let cell = Cell::new(sides, i as usize, j as usize);
        match out.last_mut() {
            Some(contact) if cell.follows(sides, contact) => {
                (contact.to, contact.last) = (cell.to, cell.samples);
            }
            _ => out.push(Contact {
                from: cell.from,
                to: cell.to,
                first: cell.samples,
                last: cell.samples,
            }),
        }
    }
}

/// The time when two motions first collide, in seconds of the common clock, rounded. `None` if they
/// do not collide.
pub fn first_contact(
    a: &Tracked,
    pa: &Placed,
    b: &Tracked,
    pb: &Placed,
    workspace: &mut Workspace,
) -> Option<f64> {
    let sides = sides(a, pa, b, pb);
    find(&sides, workspace, true);
    let &(i, j) = workspace.found.first()?;
    Some(Cell::new(&sides, i as usize, j as usize).from)
}

/// Notes the pairs of samples that collide, in order of time; only the first if that is all that is
/// wanted.
fn find(sides: &Sides<'_>, workspace: &mut Workspace, first: bool) -> Tests {
    let Some(lags) = sides.lags() else { return find_by_tree(sides, workspace) };
    let found = &mut workspace.found;
    found.clear();
    let mut cells = Cells { sides, lags, found, first, tests: Tests::default() };
    let [a, b] = [&sides.a, &sides.b].map(|side| side.clip.rings());
    let _ = rings::visit(a, b, lags, &sides.space(), &mut cells);
    cells.tests
}

/// Notes all of them as the readable trees have them.
fn find_by_tree(sides: &Sides<'_>, workspace: &mut Workspace) -> Tests {
    let Workspace { found, descend, .. } = workspace;
    found.clear();
    let mut tally = Tally::default();
    reference::descend(sides, &mut tally, descend, |i, j| {
        found.push((i as u32, j as u32));
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    Tests::of(&tally)
}

/// Which structure over the samples a question goes by. The answers are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Structure {
    /// Circles around runs of samples, eight at a time: what production queries run on.
    #[default]
    Circles,
    /// The tree of boxes in space-time that the [`Config`](super::Config) describes.
    Tree,
}

/// What a question took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tests {
    /// Pairs of boxes, or of circles around several samples.
    pub volumes: u64,
    /// Pairs of samples.
    pub samples: u64,
}

impl Tests {
    pub(super) fn of(tally: &Tally) -> Self {
        Self { volumes: tally.volumes(), samples: tally.primitives }
    }
}

struct Cells<'a> {
    sides: &'a Sides<'a>,
    lags: super::clock::Lags,
    found: &'a mut Vec<(u32, u32)>,
    first: bool,
    tests: Tests,
}

impl Visitor for Cells<'_> {
    fn margin(&self) -> f64 {
        0.0
    }

    fn tested(&mut self, pairs: u32) {
        self.tests.volumes += u64::from(pairs);
    }

    fn chunk(&mut self, chunk: usize) -> ControlFlow<()> {
        let (low, high) = (self.lags.low, self.lags.high);
        let (from, to) =
            (held_together(self.sides, chunk, low).0, held_together(self.sides, chunk, high).1);
        for i in from..to {
            for j in (i - high..=i - low).filter(|&j| (0..self.sides.b.len() as i64).contains(&j)) {
                self.tests.samples += 1;
                if self.sides.meet(i as usize, j as usize) {
                    self.found.push((i as u32, j as u32));
                    if self.first {
                        return ControlFlow::Break(());
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The time during which two samples collide.
struct Cell {
    samples: (usize, usize),
    from: f64,
    to: f64,
    /// Whether they collide from the beginning of their common hold.
    from_start: bool,
}

impl Cell {
    fn new(sides: &Sides<'_>, i: usize, j: usize) -> Self {
        let (ca, cb) = (&sides.a.clock, &sides.b.clock);
        let begin = ca.at(i as i64).max(cb.at(j as i64));
        let end = ca.at(i as i64 + 1).min(cb.at(j as i64 + 1));
        let (low, high) = sides.shares(i, j);
        let at = |share: f64| begin + share * (end - begin);
        Self {
            samples: (i, j),
            from: at(low),
            to: if high == 1.0 { end } else { at(high) },
            from_start: low == 0.0,
        }
    }

    /// Whether a contact that was going on at the end of its last cell goes on here.
    fn follows(&self, sides: &Sides<'_>, contact: &Contact) -> bool {
        let ((i, j), (k, l)) = (contact.last, self.samples);
        let is_next = match (k - i, l.wrapping_sub(j)) {
            (1, 0) | (0, 1) => true,
            // Both change at once, or another cell is between.
            (1, 1) => sides.a.clock.compare(k as i64, &sides.b.clock, l as i64) == Ordering::Equal,
            _ => false,
        };
        is_next && self.from_start && sides.shares(i, j).1 == 1.0
    }
}
