//! `--time-limit`: how long a command may take, from its start.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::messages;
use crate::outcome::Outcome;
use crate::stop::Stop;

/// The switch of every command that may take long.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct TimeLimitArgs {
    /// Stop after this time: 30s, 5m, 1h, 500ms, or seconds
    ///
    /// What was found until then is reported, with exit code 3.
    #[arg(long = "time-limit", value_name = "DURATION", value_parser = parse)]
    pub(crate) limit: Option<TimeLimit>,
}

/// A duration as it was typed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimeLimit(Duration);

impl TimeLimit {
    /// How long it is.
    pub(crate) fn duration(self) -> Duration {
        self.0
    }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        match seconds {
            s if s < 1.0 => write!(f, "{} ms", s * 1e3),
            s if s < 120.0 => write!(f, "{s} s"),
            s if s < 7200.0 => write!(f, "{} min", s / 60.0),
            s => write!(f, "{} h", s / 3600.0),
        }
    }
}

/// Reads a duration as it is typed.
pub(crate) fn parse(text: &str) -> Result<TimeLimit, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(digits.len());
    let unit = match unit.to_ascii_lowercase().as_str() {
        "ms" => Some(1e-3),
        "" | "s" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let seconds = number.trim().parse().ok().zip(unit).map(|(n, unit): (f64, f64)| n * unit);
    let seconds = seconds.filter(|seconds| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.map(TimeLimit).ok_or_else(|| "give a duration, such as 30s, 5m or 1h".to_owned())
}

/// What happens when the time is up.
enum Phase {
    /// The program ends, because nothing was examined or written yet.
    Begun,
    /// The work is stopped, and what was found is reported.
    Working(Stop),
    /// No effect, because the result is being written.
    Over,
}

/// Watches the time limit of a command.
pub(crate) struct Clock(Arc<Mutex<Phase>>);

impl Clock {
    /// Starts to count; without a limit it never ends.
    pub(crate) fn start(limit: Option<TimeLimit>) -> Self {
        let clock = Self(Arc::new(Mutex::new(Phase::Begun)));
        if let Some(limit) = limit {
            let phase = Arc::clone(&clock.0);
            std::thread::spawn(move || {
                std::thread::sleep(limit.0);
                is_up(&phase, limit);
            });
        }
        clock
    }

    /// From here on the time limit stops the work instead of the program.
    pub(crate) fn watch(&self, stop: &Stop) {
        self.set(Phase::Working(stop.clone()));
    }

    /// From here on the time limit has no effect, so that nothing is half written.
    pub(crate) fn end(&self) {
        self.set(Phase::Over);
    }

    fn set(&self, phase: Phase) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = phase;
    }
}

fn is_up(phase: &Mutex<Phase>, limit: TimeLimit) {
    // Held while the program ends, so that nothing is begun in between.
    let phase = phase.lock().unwrap_or_else(PoisonError::into_inner);
    match &*phase {
        Phase::Begun => {
            messages::error(&format!(
                "the time limit of {limit} was reached before there was a result"
            ));
            messages::hint("nothing was written; give a longer --time-limit, or ask for less");
            std::process::exit(Outcome::Incomplete as i32);
        }
        Phase::Working(stop) => stop.set_by_clock(),
        Phase::Over => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        let given = ["30s", "5m", "1.5h", "500ms", "2", "0.25 s", "3MIN"]
            .map(|text| parse(text).expect(text).0.as_secs_f64());
        assert_eq!(given, [30.0, 300.0, 5400.0, 0.5, 2.0, 0.25, 180.0]);
        for bad in ["", "s", "0", "-1s", "nan", "inf", "5 days", "1e400", "1e30h"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        let words = ["30s", "5m", "2h", "250ms"].map(|text| parse(text).expect(text).to_string());
        assert_eq!(words, ["30 s", "5 min", "2 h", "250 ms"]);
    }
}
