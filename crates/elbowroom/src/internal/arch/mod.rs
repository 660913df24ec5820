//! Floor 0: lanes and run-time dispatch. Kernels are written once over [`Lane`] or [`F32xN`] and
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
pub use f32x8::{F32x8, F32x8Kernel, run_f32x8};
pub use f32xn::{Block, F32x16, F32xN, PackedTriangle, TransformF32, TransformF64, TransformLanes};
pub use f64x4::{F64x4, F64x4Kernel, run_f64x4};
pub use lane::{Floats, Lane};
pub use prefetch::prefetch;
