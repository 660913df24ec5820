//! Where and when a report was made.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use elbowroom::internal::arch::SimdLevel;
use serde::Serialize;

/// The machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Machine {
    /// The processor's name, as the system gives it.
    pub(super) cpu: String,
    /// How many threads it runs at once, for this program.
    pub(super) cores: usize,
    /// What the library's batches run on here.
    pub(super) lanes: &'static str,
    /// System and architecture.
    pub(super) system: String,
}

impl Machine {
    pub(super) fn here() -> Self {
        Self {
            cpu: cpu().unwrap_or_else(|| "unnamed processor".to_owned()),
            cores: thread::available_parallelism().map_or(1, std::num::NonZero::get),
            lanes: match SimdLevel::best() {
                SimdLevel::Portable => "portable, 4 lanes",
                SimdLevel::Avx2 => "AVX2, 8 lanes",
                SimdLevel::Avx512 => "AVX-512, 16 lanes",
            },
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// The processor's name; each system keeps it elsewhere.
fn cpu() -> Option<String> {
    let name = if cfg!(target_os = "linux") {
        named(&fs::read_to_string("/proc/cpuinfo").ok()?)?
    } else if cfg!(target_os = "macos") {
        let asked =
            Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
        String::from_utf8(asked.stdout).ok()?
    } else {
        std::env::var("PROCESSOR_IDENTIFIER").ok()?
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}

/// What Linux says of the first processor.
fn named(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.to_owned())
}

/// Day and time, in UTC: `2026-11-16 19:50`.
pub(super) fn now() -> String {
    let secs = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    said(secs)
}

/// Seconds since 1970 as a date. Years begin in March, so that a leap day is the last (H. Hinnant,
/// *chrono-compatible low-level date algorithms*, 2013).
fn said(secs: u64) -> String {
    let days = secs / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute) = (secs / 3600 % 24, secs / 60 % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_dates() {
        let secs = [0, 951_782_399, 951_782_400, 1_709_251_199, 4_102_444_800];
        let dates = [
            "1970-01-01 00:00",
            "2000-02-28 23:59",
            "2000-02-29 00:00",
            "2024-02-29 23:59",
            "2100-01-01 00:00",
        ];
        assert_eq!(secs.map(said), dates);
    }

    #[test]
    fn a_processor_has_a_name() {
        let text = "processor\t: 0\nmodel name\t: AMD EPYC 7713\nmodel name\t: other\n";
        assert_eq!(named(text).as_deref(), Some(" AMD EPYC 7713"));
        assert_eq!(named("processor: 0"), None);
        assert!(!Machine::here().cpu.is_empty());
    }
}
