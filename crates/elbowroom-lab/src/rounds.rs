//! Times that can be compared: several rounds, taken in turns.
//!
//! A machine is faster at one moment than at the next. Contestants therefore run one after the
//! other in each of several rounds, and ratios are taken within a round; reported are the median
//! over the rounds and the range. Times are the thread's own.
//!
//! Where a round is many queries, [`Least`] takes the least time of each of them over the rounds:
//! what disturbs a query of microseconds in one round hardly does so in all, and something disturbs
//! every round that takes long.

use elbowroom_papers::grammar::thread_secs;

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

    /// As `median (low–high)`, with this many decimals.
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
    /// Runs all contestants in turns, once unmeasured to warm up and then `rounds` times, at least
    /// once.
    pub(crate) fn run(rounds: usize, contestants: &mut [&mut dyn FnMut()]) -> Self {
        let mut turn = || -> Vec<f64> {
            let mut secs = Vec::with_capacity(contestants.len());
            for contestant in contestants.iter_mut() {
                let start = thread_secs();
                contestant();
                secs.push(thread_secs() - start);
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

    /// How many times the second's time the first took, round by round.
    pub(crate) fn ratio(&self, first: usize, second: usize) -> Spread {
        let ratio = |round: &Vec<f64>| round[first] / round[second].max(1e-9);
        Spread::of(self.secs.iter().map(ratio).collect())
    }
}

/// Seconds of every contestant, each of its steps at its least.
#[derive(Clone, Debug)]
pub(crate) struct Least {
    secs: Vec<f64>,
}

impl Least {
    /// Runs all contestants in turns, each through all its steps, once unmeasured to warm up and
    /// then `rounds` times, at least once.
    pub(crate) fn run(
        rounds: usize,
        steps: usize,
        contestants: &mut [&mut dyn FnMut(usize)],
    ) -> Self {
        let mut least = vec![vec![f64::INFINITY; steps]; contestants.len()];
        for round in 0..=rounds.max(1) {
            for (contestant, least) in contestants.iter_mut().zip(&mut least) {
                let mut start = thread_secs();
                for (step, least) in least.iter_mut().enumerate() {
                    contestant(step);
                    let end = thread_secs();
                    if round > 0 {
                        *least = least.min(end - start);
                    }
                    start = end;
                }
            }
        }
        Self { secs: least.iter().map(|steps| steps.iter().sum()).collect() }
    }

    /// Seconds of one contestant, all its steps together.
    pub(crate) fn secs(&self, contestant: usize) -> f64 {
        self.secs[contestant]
    }

    /// How many times the second's time the first took.
    pub(crate) fn ratio(&self, first: usize, second: usize) -> f64 {
        self.secs[first] / self.secs[second].max(1e-9)
    }

    /// Which of the first contestants, this many, was fastest.
    pub(crate) fn fastest(&self, of: usize) -> usize {
        (0..of).min_by(|&a, &b| self.secs[a].total_cmp(&self.secs[b])).unwrap_or(0)
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
    }

    #[test]
    fn every_step_counts_at_its_least() {
        let order = std::cell::RefCell::new(String::new());
        let mut first = |step: usize| order.borrow_mut().push_str(["a", "b"][step]);
        let mut second = |step: usize| order.borrow_mut().push_str(["c", "d"][step]);
        let least = Least::run(1, 2, &mut [&mut first, &mut second]);
        assert_eq!(order.into_inner(), "abcdabcd");
        assert!(least.secs(0) >= 0.0 && least.ratio(0, 1).is_finite() && least.fastest(2) < 2);
    }
}
