//! Ctrl-C, a polite kill and the time limit: the work ends where it is, also within a frame, and
//! what was found before is written. A second Ctrl-C ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use elbowroom::interrupt::{Interrupt, Interrupted};

/// As shells have it for a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// The most bytes of one list of pairs while a frame is examined: 11 million pairs of triangles, or
/// 16 million pairs of boxes that overlap. A few such lists may be there at once, for each core.
const ROOM: u64 = 1 << 28;

/// Whether to stop.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    interrupt: Interrupt,
    is_by_user: Arc<AtomicBool>,
    is_by_clock: Arc<AtomicBool>,
}

impl Default for Stop {
    fn default() -> Self {
        let interrupt = Interrupt::with_room(ROOM);
        Self { interrupt, is_by_user: Arc::default(), is_by_clock: Arc::default() }
    }
}

impl Stop {
    /// Stops when a caller in the same process says so.
    pub(crate) fn asking(ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let interrupt = Interrupt::with_room(ROOM).asking(ask);
        Self { interrupt, ..Self::default() }
    }

    /// Looks whether the work is to stop, from a thread that waits for others.
    pub(crate) fn look(&self) -> bool {
        let looked = self.interrupt.run(elbowroom::interrupt::look);
        looked.is_err() || self.is_set()
    }

    /// Listens to the system from here on. A later call has no further effect.
    pub(crate) fn listen() -> Self {
        static HEARD: OnceLock<Stop> = OnceLock::new();
        let begin = || {
            let stop = Self::default();
            let told = stop.clone();
            // Where no signal can be caught, the program ends as any other does.
            let _ = ctrlc::set_handler(move || {
                if told.is_by_user.swap(true, Ordering::Relaxed) {
                    std::process::exit(INTERRUPTED);
                }
                told.interrupt.raise();
            });
            stop
        };
        HEARD.get_or_init(begin).clone()
    }

    /// Whether the work is to stop.
    pub(crate) fn is_set(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// Whether the user asked the program to end.
    pub(crate) fn is_by_user(&self) -> bool {
        self.is_by_user.load(Ordering::Relaxed)
    }

    /// Whether the time limit was reached.
    pub(crate) fn is_by_clock(&self) -> bool {
        self.is_by_clock.load(Ordering::Relaxed)
    }

    /// Stops the work because its time is up.
    pub(crate) fn set_by_clock(&self) {
        self.is_by_clock.store(true, Ordering::Relaxed);
        self.interrupt.raise();
    }

    /// Does a part of the work.
    ///
    /// # Errors
    /// If it is stopped, or would take too much memory: nothing comes of it then.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
        self.interrupt.run(work)
    }

    /// Stops the work.
    #[cfg(test)]
    pub(crate) fn set(&self) {
        self.interrupt.raise();
    }
}
