//! Floor 0: stopping a query that takes too long.
//!
//! The library has no clock and no threads of its own. The caller owns an [`Interrupt`], runs its
//! queries inside [`Interrupt::run`], and raises the interrupt from another thread, a signal
//! handler or a timer. Every long loop of the library passes a [`checkpoint`] once per step; a
//! raised interrupt ends the query at the next one, well within a tenth of a second.
//!
//! An interrupt can also bound memory ([`Interrupt::with_room`]): a query that has to hold a longer
//! list of pairs than there is room for ends in the same way, before it takes the memory.
//!
//! An interrupted query has no result: `run` returns [`Interrupted`]. It is done by unwinding, as
//! `salsa` does for rust-analyzer, so no half-finished value is ever returned and no query needs a
//! second return type. Without an interrupt a checkpoint is one decrement of a thread-local
//! counter. Where the program is compiled with `panic = "abort"` nothing can unwind: queries run to
//! the end.
//!
//! ```
//! use elbowroom::interrupt::Interrupt;
//! use elbowroom::{Mesh, Model};
//! use glam::DVec3;
//!
//! let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
//! let interrupt = Interrupt::new();
//! let ask = || model.contacts(&model).pairs.len();
//! assert_eq!(interrupt.run(ask), Ok(1));
//! interrupt.raise();
//! assert!(interrupt.run(ask).is_err());
//! # Ok::<(), elbowroom::MeshError>(())
//! ```

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of checkpoints between two reads of an interrupt. Steps take 10 ns to 100 µs.
const EVERY: u32 = 128;

/// No limit on the number of looks.
const UNLIMITED: u64 = u64::MAX;

thread_local! {
    /// Checkpoints until the next look.
    static LEFT: Cell<u32> = const { Cell::new(EVERY) };
    /// The interrupt of the innermost [`Interrupt::run`] on this thread.
    static CURRENT: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
}

/// A request to stop, shared between the thread that works and the one that stops it.
///
/// Clones are the same interrupt. Once raised it stays raised.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<State>);

struct State {
    is_raised: AtomicBool,
    /// The most bytes of one list.
    room: u64,
    /// The number of reads after which it raises itself.
    looks: AtomicU64,
    /// Asked at each look; stops the work if it answers yes.
    should_stop: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl Default for State {
    fn default() -> Self {
        let (is_raised, looks) = (AtomicBool::new(false), AtomicU64::new(UNLIMITED));
        Self { is_raised, room: UNLIMITED, looks, should_stop: None }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State { is_raised, room, looks, should_stop } = self;
        f.debug_struct("State")
            .field("is_raised", is_raised)
            .field("room", room)
            .field("looks", looks)
            .field("asks", &should_stop.is_some())
            .finish()
    }
}

/// The work was interrupted and has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupted {
    /// The interrupt was raised.
    Raised,
    /// The lists of results need more memory than the interrupt allows.
    Full,
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Raised => "the work was interrupted",
            Self::Full => "more was found than there is room for",
        })
    }
}

impl std::error::Error for Interrupted {}

impl Interrupt {
    /// An interrupt that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// An interrupt that raises itself after a number of checks, each some hundred steps of a query
    /// after the last: a limit of work that is equal on every machine.
    ///
    /// ```
    /// use elbowroom::interrupt::{Interrupt, Interrupted, checkpoint};
    ///
    /// let ended = Interrupt::after(10).run(|| (0..100_000).for_each(|_| checkpoint()));
    /// assert_eq!(ended, Err(Interrupted::Raised));
    /// ```
    pub fn after(looks: u64) -> Self {
        let (is_raised, looks) = (AtomicBool::new(false), AtomicU64::new(looks));
        Self(Arc::new(State { is_raised, looks, ..State::default() }))
    }

    /// An interrupt that ends work when a list becomes longer than a number of bytes: candidate
    /// pairs, pairs of triangles, contacts. A query holds at most a handful of such lists at once.
    pub fn with_room(bytes: u64) -> Self {
        Self(Arc::new(State { room: bytes, ..State::default() }))
    }

    /// Lets the interrupt call a function at each check, on the working thread, that returns
    /// whether to stop. For callers who cannot raise it from another thread, such as an interpreter
    /// whose signals arrive on its main thread. Checks are some microseconds apart, so the function
    /// should be cheap.
    ///
    /// ```
    /// use elbowroom::interrupt::{Interrupt, Interrupted, checkpoint};
    ///
    /// let ended = Interrupt::new().asking(|| true).run(|| (0..1000).for_each(|_| checkpoint()));
    /// assert_eq!(ended, Err(Interrupted::Raised));
    /// ```
    #[must_use]
    pub fn asking(self, should_stop: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let should_stop: Option<Box<dyn Fn() -> bool + Send + Sync>> = Some(Box::new(should_stop));
        let State { room, ref looks, .. } = *self.0;
        let looks = AtomicU64::new(looks.load(Ordering::Relaxed));
        Self(Arc::new(State { room, looks, should_stop, ..State::default() }))
    }

    /// Asks the work to stop. Safe to call from any thread.
    pub fn raise(&self) {
        self.0.is_raised.store(true, Ordering::Relaxed);
    }

    /// Whether it was raised.
    pub fn is_raised(&self) -> bool {
        self.0.is_raised.load(Ordering::Relaxed)
    }

    /// Runs work on this thread until it ends or the interrupt is raised.
    ///
    /// Workspaces, models and finders that the work used can be used again afterwards. Values of
    /// the caller's own that the work was writing to may be unfinished.
    ///
    /// ```
    /// use elbowroom::interrupt::Interrupt;
    ///
    /// assert_eq!(Interrupt::new().run(|| 6 * 7), Ok(42));
    /// ```
    ///
    /// # Errors
    /// [`Interrupted::Raised`] if the interrupt was raised before the work ended;
    /// [`Interrupted::Full`] if there was not enough room.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
        if self.is_raised() {
            return Err(Interrupted::Raised);
        }
        let outer = CURRENT.replace(Some(self.clone()));
        // The next checkpoint is a look, so that short work and small budgets are seen, too.
        LEFT.set(0);
        let ended = catch_unwind(AssertUnwindSafe(work));
        CURRENT.replace(outer);
        match ended {
            Ok(value) => Ok(value),
            Err(payload) => match payload.downcast_ref::<Interrupted>() {
                Some(&interrupted) => Err(interrupted),
                None => resume_unwind(payload),
            },
        }
    }

    /// Looks at it once, and whether it is raised now.
    fn look(&self) -> bool {
        let State { is_raised, looks, should_stop, .. } = &*self.0;
        if !is_raised.load(Ordering::Relaxed) && should_stop.as_ref().is_some_and(|ask| ask()) {
            is_raised.store(true, Ordering::Relaxed);
        }
        let left = looks.load(Ordering::Relaxed);
        if left == 0 {
            is_raised.store(true, Ordering::Relaxed);
        } else if left != UNLIMITED {
            looks.store(left - 1, Ordering::Relaxed);
        }
        is_raised.load(Ordering::Relaxed)
    }
}

/// Ends the work here if its interrupt was raised. For loops of your own inside [`Interrupt::run`];
/// without effect outside of it.
#[inline]
pub fn checkpoint() {
    let left = LEFT.get();
    if left == 0 {
        look();
    } else {
        LEFT.set(left - 1);
    }
}

/// Ends the work here if its interrupt was raised, and reads the interrupt at every call: for rare
/// places, where [`checkpoint`] would read it too seldom.
#[doc(hidden)]
#[cold]
#[inline(never)]
pub fn look() {
    LEFT.set(EVERY);
    // Nothing is borrowed during the call: the function may run work of its own.
    let current = CURRENT.with_borrow(Clone::clone);
    let is_raised = current.is_some_and(|current| current.look());
    if is_raised {
        end(Interrupted::Raised);
    }
}

/// The growth of a list, in entries, after which it is measured again.
const MEASURED: usize = 1 << 12;

/// Ends the work if a list of `entries` of `bytes` each is longer than the interrupt allows. Call
/// it after every push.
#[doc(hidden)]
#[inline]
pub fn hold(entries: usize, bytes: usize) {
    if entries.is_multiple_of(MEASURED) {
        measure(entries, bytes);
    }
}

/// Ends the work, as [`hold`], for a list that has just grown by several entries.
#[inline]
pub(crate) fn hold_more(entries: usize, new: usize, bytes: usize) {
    if entries % MEASURED < new {
        measure(entries, bytes);
    }
}

#[cold]
#[inline(never)]
fn measure(entries: usize, bytes: usize) {
    let room = CURRENT.with_borrow(|current| current.as_ref().map_or(UNLIMITED, |it| it.0.room));
    if (entries as u64).saturating_mul(bytes as u64) > room {
        end(Interrupted::Full);
    }
}

fn end(why: Interrupted) {
    // To unwind while a panic unwinds would abort.
    if cfg!(panic = "unwind") && !std::thread::panicking() {
        resume_unwind(Box::new(why));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(count: u32) -> u32 {
        (0..count).map(|_| checkpoint()).count() as u32
    }

    #[test]
    fn work_ends_or_is_interrupted() {
        assert_eq!(Interrupt::new().run(|| steps(100_000)), Ok(100_000));
        let budget = Interrupt::after(3);
        assert_eq!(budget.run(|| steps(3 * EVERY)), Ok(3 * EVERY));
        assert_eq!(budget.run(|| steps(10 * EVERY)), Err(Interrupted::Raised));
        assert!(budget.is_raised());
        assert_eq!(budget.run(|| unreachable!("raised before")), Err::<(), _>(Interrupted::Raised));
        // Outside of it nothing stops.
        assert_eq!(steps(10 * EVERY), 10 * EVERY);
    }

    #[test]
    fn lists_are_bounded_where_somebody_says_so() {
        let grow = |entries: usize| {
            for len in 1..=entries {
                hold(len, 8);
            }
        };
        grow(10 * MEASURED);
        let interrupt = Interrupt::with_room(8 * 4 * MEASURED as u64);
        assert_eq!(interrupt.run(|| grow(4 * MEASURED)), Ok(()));
        assert_eq!(interrupt.run(|| grow(5 * MEASURED)), Err(Interrupted::Full));
        assert!(!interrupt.is_raised());
    }

    #[test]
    fn the_innermost_interrupt_counts_and_the_outer_one_comes_back() {
        let (outer, inner) = (Interrupt::new(), Interrupt::after(0));
        let ended = outer.run(|| {
            assert_eq!(inner.run(|| steps(1)), Err(Interrupted::Raised));
            assert_eq!(steps(1000), 1000);
            outer.raise();
            steps(1000)
        });
        assert_eq!(ended, Err(Interrupted::Raised));
    }

    #[test]
    fn a_panic_is_passed_on() {
        let caught = catch_unwind(|| Interrupt::new().run(|| resume_unwind(Box::new("mine"))));
        let payload = caught.map(|_: Result<(), _>| ()).expect_err("it panics");
        assert_eq!(payload.downcast_ref(), Some(&"mine"));
    }
}
