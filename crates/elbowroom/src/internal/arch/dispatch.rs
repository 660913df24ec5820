//! Which instruction set a query runs on is decided once, at its entry.
//!
//! A query is a [`Kernel`]: a value with one generic function. [`run`] calls it with the widest
//! lanes that the machine has. The lane types are private to `arch`, so that nothing can make one
//! without the detection here having said yes: that is what makes their methods safe to call.

use std::sync::atomic::{AtomicU8, Ordering};

use super::F32xN;
use super::portable::Plain;

/// Four lanes of what every machine has.
#[cfg(target_arch = "x86_64")]
use super::sse2::Quad;
#[cfg(not(target_arch = "x86_64"))]
type Quad = Plain<4>;

/// Something that can be run on any lanes.
pub trait Kernel {
    /// The result.
    type Output;

    /// Runs it. Must be `#[inline(always)]`, so that it becomes part of the function that switches
    /// the instruction set on: as a function of its own it gives the same answer, but slower.
    /// The trait is not sealed, because other crates of the workspace have kernels; a test in
    /// `arch::dispatch` reads the sources of all of them and fails where the attribute is
    /// missing.
    fn run<W: F32xN>(self) -> Self::Output;
}

/// A set of instructions. Every level gives the same answers, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SimdLevel {
    /// What every machine has, four lanes at a time.
    Portable,
    /// AVX2 and fused multiply-add, eight lanes.
    Avx2,
    /// AVX-512 (F, DQ, BW, VL), sixteen lanes.
    Avx512,
}

impl SimdLevel {
    /// All of them, from narrow to wide.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The widest that this machine has, or what `ELBOWROOM_SIMD` (`portable`, `avx2`, `avx512`)
    /// lowers it to. Looked up once.
    #[inline]
    pub fn best() -> Self {
        static BEST: AtomicU8 = AtomicU8::new(u8::MAX);
        match BEST.load(Ordering::Relaxed) {
            0 => Self::Portable,
            1 => Self::Avx2,
            2 => Self::Avx512,
            _ => {
                let best = Self::detect();
                BEST.store(best as u8, Ordering::Relaxed);
                best
            }
        }
    }

    #[cold]
    fn detect() -> Self {
        let wanted = match std::env::var("ELBOWROOM_SIMD").as_deref() {
            Ok("portable") => Self::Portable,
            Ok("avx2") => Self::Avx2,
            _ => Self::Avx512,
        };
        Self::ALL
            .into_iter()
            .rfind(|&level| level <= wanted && level.is_here())
            .unwrap_or(Self::Portable)
    }

    /// Whether this machine has it.
    #[cfg(target_arch = "x86_64")]
    pub fn is_here(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Avx2 => [
                is_x86_feature_detected!("avx2"),
                is_x86_feature_detected!("fma"),
                is_x86_feature_detected!("popcnt"),
                is_x86_feature_detected!("bmi1"),
                is_x86_feature_detected!("bmi2"),
                is_x86_feature_detected!("lzcnt"),
            ]
            .into_iter()
            .all(|has| has),
            Self::Avx512 => {
                Self::Avx2.is_here()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }

    /// Whether this machine has it.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn is_here(self) -> bool {
        self == Self::Portable
    }
}

/// Runs a kernel on the widest lanes up to a level that this machine has.
#[inline]
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code))]
pub fn run<K: Kernel>(level: SimdLevel, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if level == SimdLevel::Avx512 && SimdLevel::Avx512.is_here() {
            // SAFETY: the line above has seen every feature that the function asks for.
            return unsafe { on_avx512(kernel) };
        }
        if level >= SimdLevel::Avx2 && SimdLevel::Avx2.is_here() {
            // SAFETY: the line above has seen every feature that the function asks for.
            return unsafe { on_avx2(kernel) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    kernel.run::<Quad>()
}

/// Runs a kernel on sixteen lanes of plain Rust: the steps that AVX-512 takes, on any machine. For
/// tests.
#[doc(hidden)]
pub fn run_plain_sixteen<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Plain<16>>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma,popcnt,bmi1,bmi2,lzcnt")]
fn on_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<super::avx512::Sixteen>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2,lzcnt")]
fn on_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<super::avx2::Eight>()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// The names of kernels in a source file whose `run` is not `#[inline(always)]`, and how many
    /// kernels there are.
    fn not_inlined(source: &str) -> (Vec<&str>, usize) {
        let kernels = source.lines().enumerate().filter(|(_, line)| {
            let line = line.trim_start();
            line.starts_with("impl") && line.contains("Kernel for ")
        });
        let mut count = 0;
        let mut missing = Vec::new();
        for (at, line) in kernels {
            count += 1;
            let body = source.lines().skip(at + 1);
            let mut before_run = body.take_while(|line| !line.contains("fn run<"));
            if !before_run.any(|line| line.trim() == "#[inline(always)]") {
                missing.push(line);
            }
        }
        (missing, count)
    }

    /// Visits every Rust file below a folder.
    fn visit(folder: &Path, see: &mut impl FnMut(&Path, &str)) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "target") {
                    visit(&path, see);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                see(&path, &fs::read_to_string(&path).unwrap());
            }
        }
    }

    #[test]
    fn every_kernel_is_inlined() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut kernels = 0;
        visit(crates, &mut |path, source| {
            let (missing, count) = not_inlined(source);
            assert!(missing.is_empty(), "{}: not #[inline(always)]: {missing:?}", path.display());
            kernels += count;
        });
        assert!(kernels > 20, "{kernels} kernels found");
    }

    #[test]
    fn a_kernel_that_is_not_inlined_is_found() {
        let good = "impl Kernel for A {\n    type Output = ();\n\n    #[inline(always)]\n    fn run<W: F32xN>(self) {}\n}\n";
        let bad = good.replace("#[inline(always)]", "#[inline]");
        assert_eq!(not_inlined(good), (vec![], 1));
        assert_eq!(not_inlined(&bad), (vec!["impl Kernel for A {"], 1));
    }
}
