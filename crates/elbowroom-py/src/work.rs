//! How work is done: without the interpreter's lock, on all cores for batches, and so that Ctrl-C ends
//! it.
//!
//! Signals reach Python code on the main thread only, so the thread that calls works itself: it looks
//! for signals every now and then ([`Interrupt::asking`]), and helpers take part of a batch once it
//! turns out to take long. Results are in order, and do not depend on how many threads there are.

use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use elbowroom::interrupt::{self, Interrupt};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::arrays::Poses;
use crate::errors;

/// Signals are looked for so often.
const PATIENCE: Duration = Duration::from_millis(50);

/// Work that ends before this is not worth a thread.
const WORTH: Duration = Duration::from_micros(300);

/// Between two looks at helpers.
const MOMENT: Duration = Duration::from_micros(20);

/// Items that a thread takes at once.
const CHUNK: usize = 16;

thread_local! {
    static INTERRUPT: RefCell<Interrupt> = RefCell::new(asking());
    /// When signals were looked for last; `None` on threads that only help.
    static LOOKED: Cell<Option<Instant>> = const { Cell::new(None) };
    /// What a signal handler raised.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

fn asking() -> Interrupt {
    Interrupt::new().asking(should_stop)
}

/// Whether the work of this thread is to stop.
pub(crate) fn should_stop() -> bool {
    let Some(looked) = LOOKED.get() else { return false };
    if RAISED.with_borrow(Option::is_some) {
        return true;
    }
    if looked.elapsed() < PATIENCE {
        return false;
    }
    LOOKED.set(Some(Instant::now()));
    match Python::try_attach(|py| py.check_signals()) {
        Some(Err(error)) => {
            RAISED.set(Some(error));
            true
        }
        _ => false,
    }
}

/// Runs something that asks for itself whether to stop ([`should_stop`]).
pub(crate) fn call<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let ended = py.detach(|| {
        let outer = LOOKED.replace(Some(Instant::now()));
        let ended = work();
        LOOKED.set(outer);
        ended
    });
    RAISED.take().map_or(Ok(ended), Err)
}

/// Tells a callback how far the work has come. What it raises ends the work.
pub(crate) fn report(progress: &Py<PyAny>, done: u64, all: u64) {
    let raised = Python::attach(|py| progress.call1(py, (done, all)).err());
    if raised.is_some() {
        RAISED.set(raised);
    }
}

/// Does work without the lock.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let ended = py.detach(|| {
        let outer = LOOKED.replace(Some(Instant::now()));
        let interrupt = INTERRUPT.with_borrow(Clone::clone);
        let ended = interrupt.run(work);
        LOOKED.set(outer);
        ended
    });
    ended.map_err(|_| {
        // A raised interrupt stays raised.
        INTERRUPT.set(asking());
        RAISED.take().unwrap_or_else(|| PyKeyboardInterrupt::new_err("interrupted"))
    })
}

/// Asks about each of many, on all cores.
pub(crate) fn many<T: Send>(
    py: Python<'_>,
    count: usize,
    one: impl Fn(usize) -> T + Sync + Send,
) -> PyResult<Vec<T>> {
    run(py, || {
        let started = Instant::now();
        let mut done = Vec::with_capacity(count);
        while done.len() < count && (done.len() % CHUNK != 0 || started.elapsed() < WORTH) {
            done.push(one(done.len()));
        }
        if done.len() < count {
            share(count, &one, &mut done);
        }
        done
    })
}

/// Does what is left of a batch together with one helper for each other core.
fn share<T: Send>(count: usize, one: &(impl Fn(usize) -> T + Sync), done: &mut Vec<T>) {
    let helpers = std::thread::available_parallelism().map_or(0, |cores| cores.get() - 1);
    let chunk = ((count - done.len()) / (8 * (helpers + 1))).clamp(1, CHUNK);
    let interrupt = INTERRUPT.with_borrow(Clone::clone);
    let (next, is_over) = (AtomicUsize::new(done.len()), AtomicBool::new(false));
    let take = || {
        let _over = Over(&is_over);
        let mut taken = Vec::new();
        while !interrupt.is_raised() && !is_over.load(Ordering::Relaxed) {
            let from = next.fetch_add(chunk, Ordering::Relaxed);
            if from >= count {
                break;
            }
            let to = (from + chunk).min(count);
            taken.push((from, (from..to).map(one).collect::<Vec<_>>()));
        }
        taken
    };
    let mut taken = std::thread::scope(|scope| {
        let help = || interrupt.run(take).unwrap_or_default();
        let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(help)).collect();
        // If this unwinds, the helpers end as well.
        let mut taken = take();
        for helper in helpers {
            // Signals are still looked for while a helper finishes what it took last.
            while !helper.is_finished() {
                std::thread::sleep(MOMENT);
                interrupt::look();
            }
            taken.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        taken
    });
    taken.sort_unstable_by_key(|(from, _)| *from);
    done.extend(taken.into_iter().flat_map(|(_, part)| part));
}

/// Ends the work of all when one of them unwinds.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// One answer, or one for each pose.
pub(crate) enum Answers<T> {
    One(T),
    Many(Vec<T>),
}

/// Where two things are, for one question or for many.
pub(crate) struct Places {
    a: Poses,
    b: Poses,
}

impl Places {
    pub(crate) fn read(
        py: Python<'_>,
        pose: Option<&Bound<'_, PyAny>>,
        other_pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let places = Self::named(pose, other_pose, ["pose", "other_pose"])?;
        if let (Poses::Many(a), Poses::Many(b)) = (&places.a, &places.b)
            && a.len() != b.len()
        {
            let text = format!(
                "pose has {} poses and other_pose has {}; give as many of each, or one of either",
                a.len(),
                b.len()
            );
            return Err(errors::new(py, "ArrayError", &text, &[]));
        }
        Ok(places)
    }

    /// Of arguments of these names, whose numbers are not compared.
    pub(crate) fn named(
        pose: Option<&Bound<'_, PyAny>>,
        other_pose: Option<&Bound<'_, PyAny>>,
        names: [&str; 2],
    ) -> PyResult<Self> {
        Ok(Self { a: Poses::read(pose, names[0])?, b: Poses::read(other_pose, names[1])? })
    }

    /// Asks about each two poses.
    pub(crate) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        query: impl Fn(elbowroom::Pose, elbowroom::Pose) -> T + Sync + Send,
    ) -> PyResult<Answers<T>> {
        let (a, b) = (&self.a, &self.b);
        match a.count().or(b.count()) {
            None => run(py, || query(a.at(0), b.at(0))).map(Answers::One),
            Some(count) => many(py, count, |i| query(a.at(i), b.at(i))).map(Answers::Many),
        }
    }
}

impl Places {
    /// Asks about each two motions from one place to another.
    pub(crate) fn ask_motions<T: Send>(
        py: Python<'_>,
        starts: Self,
        ends: Self,
        query: impl Fn([elbowroom::Pose; 2], [elbowroom::Pose; 2]) -> T + Sync + Send,
    ) -> PyResult<Answers<T>> {
        let all = [&starts.a, &starts.b, &ends.a, &ends.b];
        let count = all.iter().find_map(|poses| poses.count());
        if let Some(count) = count
            && all.iter().any(|poses| poses.count().is_some_and(|other| other != count))
        {
            let text = "start, end, other_start and other_end have different numbers of poses; \
                        give as many of each, or one";
            return Err(errors::new(py, "ArrayError", text, &[]));
        }
        let ask = |i: usize| {
            let [a0, b0, a1, b1] = all.map(|poses| poses.at(i));
            query([a0, a1], [b0, b1])
        };
        match count {
            None => run(py, || ask(0)).map(Answers::One),
            Some(count) => many(py, count, ask).map(Answers::Many),
        }
    }
}
