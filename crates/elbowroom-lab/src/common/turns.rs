//! Times of contestants that take turns, in two parts each.
//!
//! As [`Rounds`](crate::rounds::Rounds), but a contestant says itself what it took: the seconds of
//! questions, and those of getting ready for them, such as a refit. So both come from one run, in
//! which caches are as they are in use.

use crate::rounds::Spread;

/// Seconds of questions, and of what goes before them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Secs {
    pub(super) ask: f64,
    pub(super) follow: f64,
}

impl Secs {
    pub(super) fn both(self) -> f64 {
        self.ask + self.follow
    }
}

/// What every contestant took, by round.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    /// `rounds[round][contestant]`.
    rounds: Vec<Vec<Secs>>,
}

impl Turns {
    /// All contestants in turns, once unmeasured to warm up and then this many times, at least
    /// once.
    pub(super) fn run(
        rounds: usize,
        contestants: usize,
        mut turn: impl FnMut(usize) -> Secs,
    ) -> Self {
        let mut round = || -> Vec<Secs> { (0..contestants).map(&mut turn).collect() };
        round();
        Self { rounds: (0..rounds.max(1)).map(|_| round()).collect() }
    }

    /// Of one contestant.
    pub(super) fn of(&self, contestant: usize, part: impl Fn(Secs) -> f64) -> Spread {
        Spread::of(self.rounds.iter().map(|round| part(round[contestant])).collect())
    }

    /// How many times the second's time the first took, round by round.
    pub(super) fn ratio(
        &self,
        first: usize,
        second: usize,
        part: impl Fn(Secs) -> f64 + Copy,
    ) -> Spread {
        let ratio = |round: &Vec<Secs>| part(round[first]) / part(round[second]).max(1e-9);
        Spread::of(self.rounds.iter().map(ratio).collect())
    }

    /// The contestants of these, the fastest first, by the median of their times.
    pub(super) fn ranked(&self, part: impl Fn(Secs) -> f64 + Copy) -> Vec<usize> {
        let contestants = self.rounds.first().map_or(0, Vec::len);
        let mut order: Vec<usize> = (0..contestants).collect();
        let median = |contestant: usize| self.of(contestant, part).median;
        order.sort_by(|&a, &b| median(a).total_cmp(&median(b)));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_take_turns_and_are_ranked() {
        let mut order = Vec::new();
        let turns = Turns::run(2, 2, |contestant| {
            order.push(contestant);
            Secs { ask: 2.0 - contestant as f64, follow: 1.0 }
        });
        assert_eq!(order, [0, 1, 0, 1, 0, 1]);
        assert_eq!(turns.ranked(Secs::both), [1, 0]);
        assert_eq!(turns.ratio(0, 1, |secs| secs.ask).median, 2.0);
        assert_eq!(turns.of(1, |secs| secs.follow).high, 1.0);
    }
}
