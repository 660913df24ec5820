//! An allocator that counts for each thread on its own, so that tests in one program do not see
//! each other.
//!
//! Threads of a pool are not seen either: a test whose code hands out work runs [`on_one_thread`].

#![expect(
    unsafe_code,
    reason = "an allocator is unsafe to implement; this one passes everything on"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// How often this thread asked the heap for memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) allocations: usize,
    pub(crate) reallocations: usize,
}

thread_local! {
    // A constant without a destructor: reading it allocates nothing, at any time in a thread's life.
    static SO_FAR: Cell<Change> = const { Cell::new(Change { allocations: 0, reallocations: 0 }) };
}

fn count(allocations: usize, reallocations: usize) {
    let _ = SO_FAR.try_with(|so_far| {
        let Change { allocations: a, reallocations: r } = so_far.get();
        so_far.set(Change { allocations: a + allocations, reallocations: r + reallocations });
    });
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system's allocator with the arguments that came in.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, 0);
        // SAFETY: the caller keeps the promises of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(1, 0);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(0, 1);
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Runs a test on the only thread of a pool, so that what the library hands out to rayon's threads
/// is counted as well.
pub(crate) fn on_one_thread(test: impl FnOnce() + Send) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(test);
}

/// Counts from here on, on this thread.
pub(crate) struct Region(Change);

impl Region {
    pub(crate) fn new() -> Self {
        Self(SO_FAR.get())
    }

    pub(crate) fn change(&self) -> Change {
        let now = SO_FAR.get();
        Change {
            allocations: now.allocations - self.0.allocations,
            reallocations: now.reallocations - self.0.reallocations,
        }
    }
}
