//! Ctrl-C and a polite kill: the work ends after the frame at hand, and what was found is written. The second time the program ends at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// As shells have it for a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Whether to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Listens to the system from here on. Whoever listens later hears the same.
    pub(crate) fn listen() -> Self {
        static HEARD: OnceLock<Stop> = OnceLock::new();
        let begin = || {
            let stop = Self::default();
            let told = stop.clone();
            // Where nobody can be listened to, the program ends as any other does.
            let _ = ctrlc::set_handler(move || {
                if told.0.swap(true, Ordering::Relaxed) {
                    std::process::exit(INTERRUPTED);
                }
            });
            stop
        };
        HEARD.get_or_init(begin).clone()
    }

    /// Whether somebody said so.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Says so.
    #[cfg(test)]
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
