//! Floor 0: lanes and run-time dispatch. Kernels are written once over [`Lane`] or [`Wide`] and
//! live beside their volume; the only unsafe code of the library is here.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod lane;
mod oct;
mod portable;
mod prefetch;
mod skin;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(test)]
mod tests;
mod wide;

pub use dispatch::{Kernel, SimdLevel, run, run_plain_sixteen};
pub use lane::{Floats, Lane};
pub use oct::{Oct, OctKernel, run_oct};
pub use prefetch::prefetch;
pub use skin::{Four, FourKernel, run_four};
pub use wide::{Block, Record, Shift, Strip, Turn, Turned, Wide};
