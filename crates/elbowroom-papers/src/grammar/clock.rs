//! Time that is the thread's own.
//!
//! Where other programs run, what a clock on the wall shows is theirs as well. Times of the thread
//! alone are read by a call into the system, a few hundred nanoseconds: nothing shorter than some
//! microseconds should be timed by it.

/// CPU seconds of this thread.
#[cfg(unix)]
pub fn thread_secs() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Seconds since the first call, by the clock on the wall: there is no other here.
#[cfg(not(unix))]
pub fn thread_secs() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::thread_secs;

    #[test]
    fn it_goes_on_while_something_is_done() {
        let start = thread_secs();
        let mut sum = 0_u64;
        while thread_secs() <= start {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(thread_secs() > start);
    }
}
