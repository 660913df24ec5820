//! The clock of the benches: how long this thread has been on a core, so that others who use the
//! machine count for little.
//!
//! The system's own count by ticks (`schedstat`) is too coarse: a tick of 4 ms is a fifth of what
//! some measurements take in all.

/// Seconds of this thread; of the day, where a system does not tell.
#[cfg(unix)]
pub(crate) fn thread_secs() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Seconds of this thread; of the day, where a system does not tell.
#[cfg(not(unix))]
pub(crate) fn thread_secs() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}
