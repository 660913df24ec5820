//! Floor 0: lanes and run-time dispatch. Kernels are written once over [`Lane`] or [`Wide`] and
//! live beside their volume; the only unsafe code of the library is here.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod f32x8;
mod f32xn;
mod f64x4;
mod lane;
mod portable;
mod prefetch;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(test)]
mod tests;

pub use dispatch::{Kernel, SimdLevel, run, run_plain_sixteen};
pub use f32x8::{Oct, OctKernel, run_oct};
pub use f32xn::{Block, Record, Shift, Strip, Turn, Turned, Wide};
pub use f64x4::{Four, FourKernel, run_four};
pub use lane::{Floats, Lane};
pub use prefetch::prefetch;
