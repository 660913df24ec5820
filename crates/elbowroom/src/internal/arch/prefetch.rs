//! What will be read soon, fetched into the cache meanwhile.

#![cfg_attr(target_arch = "x86_64", expect(unsafe_code))]

/// Has an item of a slice fetched, line by line. A hint: nothing is read, and a place that is not
/// there does no harm.
#[inline]
pub fn prefetch<T>(items: &[T], index: usize) {
    /// How many bytes come at a time.
    const LINE: usize = 64;
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

        let start = items.as_ptr().wrapping_add(index).cast::<i8>();
        for line in 0..size_of::<T>().div_ceil(LINE) {
            // SAFETY: every x86-64 machine has it, and it faults at no address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(LINE * line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index, LINE);
}
