//! Times that can be compared: several rounds, taken in turns.
//!
//! A machine is faster at one moment than at the next. Contestants therefore run one after the other
//! in each of several rounds, and ratios are taken within a round; reported are the median over
//! the rounds and the range.

use std::time::Instant;

/// The median of some measurements, and between which values they lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) low: f64,
    pub(crate) median: f64,
    pub(crate) high: f64,
}

impl Spread {
    /// Of at least one value.
    pub(crate) fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let (low, high) = (values[0], values[values.len() - 1]);
        Self { low, median: values[values.len() / 2], high }
    }

    /// As `median (low–high)`, with so many decimals.
    pub(crate) fn show(&self, decimals: usize) -> String {
        let Self { low, median, high } = self;
        format!("{median:.decimals$} ({low:.decimals$}–{high:.decimals$})")
    }
}

/// Seconds of every contestant, by round.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    /// `secs[round][contestant]`.
    secs: Vec<Vec<f64>>,
}

impl Rounds {
    /// Runs all contestants in turns, once unmeasured to warm up and then `rounds` times, at least once.
    pub(crate) fn run(rounds: usize, contestants: &mut [&mut dyn FnMut()]) -> Self {
        let mut turn = || -> Vec<f64> {
            let mut secs = Vec::with_capacity(contestants.len());
            for contestant in contestants.iter_mut() {
                let start = Instant::now();
                contestant();
                secs.push(start.elapsed().as_secs_f64());
            }
            secs
        };
        turn();
        Self { secs: (0..rounds.max(1)).map(|_| turn()).collect() }
    }

    /// Seconds of one contestant.
    pub(crate) fn secs(&self, contestant: usize) -> Spread {
        Spread::of(self.secs.iter().map(|round| round[contestant]).collect())
    }

    /// How many times the second's least time the first one's least is: what is left of a comparison where other programs take
    /// turns with this one.
    pub(crate) fn least_ratio(&self, first: usize, second: usize) -> f64 {
        self.secs(first).low / self.secs(second).low.max(1e-9)
    }

    /// How many times the second's time the first took, round by round.
    pub(crate) fn ratio(&self, first: usize, second: usize) -> Spread {
        let ratio = |round: &Vec<f64>| round[first] / round[second].max(1e-9);
        Spread::of(self.secs.iter().map(ratio).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_is_median_and_range() {
        let spread = Spread::of(vec![3.0, 1.0, 2.0]);
        assert_eq!(spread, Spread { low: 1.0, median: 2.0, high: 3.0 });
        assert_eq!(spread.show(1), "2.0 (1.0–3.0)");
    }

    #[test]
    fn contestants_take_turns() {
        let order = std::cell::RefCell::new(String::new());
        let mut first = || order.borrow_mut().push('a');
        let mut second = || order.borrow_mut().push('b');
        let rounds = Rounds::run(2, &mut [&mut first, &mut second]);
        assert_eq!(order.into_inner(), "ababab");
        assert!(rounds.secs(0).low >= 0.0 && rounds.ratio(0, 1).high >= 0.0);
        assert!(rounds.least_ratio(0, 1) >= 0.0);
    }
}
