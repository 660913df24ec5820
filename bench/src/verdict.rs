//! Who is right: every engine's answers beside ours, query by query, and ours beside what is
//! expected.

use serde::Serialize;

use crate::definition::{Expected, Question};
use crate::rounds::Turns;
use crate::spread::Spread;

/// All about a question to a workload.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) workload: String,
    /// Which bits: a set of the definition, or `unknown`.
    pub(crate) set: String,
    pub(crate) digest: String,
    pub(crate) question: &'static str,
    /// Left out of the means.
    pub(crate) aside: bool,
    /// Queries; for a world its bodies; for a build the mesh's triangles.
    pub(crate) size: usize,
    /// What ours should add up to; absent where the bits are not known.
    pub(crate) expected: Option<u64>,
    pub(crate) rows: Vec<Row>,
}

/// An engine's part.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) engine: &'static str,
    /// Seconds of a pass over all queries, by round.
    pub(crate) secs: Vec<f64>,
    /// Queries whose answer is not zero.
    pub(crate) touching: u64,
    /// The sum of all answers.
    pub(crate) sum: u64,
    /// Queries that are answered otherwise than ours.
    pub(crate) wrong: usize,
    /// Another round gave other answers.
    pub(crate) wavers: bool,
    pub(crate) volume_tests: u64,
    pub(crate) triangle_tests: u64,
    /// Its time as a multiple of ours, round by round.
    #[serde(skip)]
    pub(crate) ratio: Option<Spread>,
}

impl Outcome {
    pub(crate) fn new(
        [workload, set, digest]: [String; 3],
        question: Question,
        size: usize,
        expected: Option<&Expected>,
        turns: Vec<Turns>,
    ) -> Self {
        let ours = turns.iter().find(|turn| turn.engine == "ours").cloned();
        let rows = turns.into_iter().map(|turn| Row::new(turn, ours.as_ref())).collect();
        let expected = expected.and_then(|expected| expected.sum(question));
        Self {
            workload,
            set,
            digest,
            question: question.word(),
            aside: false,
            size,
            expected,
            rows,
        }
    }

    pub(crate) fn row(&self, engine: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.engine == engine)
    }

    /// What is wrong with our own answers, if anything.
    pub(crate) fn complaint(&self) -> Option<String> {
        let at = format!("{} {}", self.workload, self.question);
        let Some(ours) = self.row("ours") else {
            return Some(format!("{at}: ours gave no answer"));
        };
        if let Some(expected) = self.expected.filter(|&expected| expected != ours.sum) {
            return Some(format!("{at}: ours found {}, expected are {expected}", ours.sum));
        }
        ours.wavers.then(|| format!("{at}: ours gave different answers in different rounds"))
    }
}

impl Row {
    fn new(turns: Turns, ours: Option<&Turns>) -> Self {
        let answers = &turns.first.answers;
        let wrong = ours.map_or(0, |ours| {
            answers.iter().zip(&ours.first.answers).filter(|(a, b)| a != b).count()
        });
        let ratio = ours.and_then(|ours| {
            Spread::of(turns.secs.iter().zip(&ours.secs).map(|(a, b)| a / b.max(1e-12)).collect())
        });
        Self {
            engine: turns.engine,
            touching: answers.iter().filter(|&&answer| answer > 0).count() as u64,
            sum: answers.iter().sum(),
            wrong,
            wavers: turns.wavers,
            volume_tests: turns.first.volume_tests,
            triangle_tests: turns.first.triangle_tests,
            ratio,
            secs: turns.secs,
        }
    }

    /// The best round.
    pub(crate) fn least_secs(&self) -> f64 {
        self.secs.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_bench_protocol::play::Reply;

    fn turns(engine: &'static str, secs: &[f64], answers: &[u64]) -> Turns {
        let first = Reply { answers: answers.to_vec(), ..Reply::default() };
        Turns { engine, secs: secs.to_vec(), first, wavers: false }
    }

    #[test]
    fn a_rival_that_is_wrong_is_counted_and_ours_is_held_to_the_expected() {
        let both =
            vec![turns("ours", &[1.0, 2.0], &[1, 0, 3]), turns("fcl", &[4.0, 4.0], &[1, 1, 3])];
        let names = || ["W".into(), "own".into(), "0".into()];
        let mut expected = Expected {
            set: "own".into(),
            digest: "0".into(),
            touching: 2,
            pairs: 4,
            world: 0,
            distance: None,
        };
        let outcome = Outcome::new(names(), Question::All, 3, Some(&expected), both.clone());
        assert_eq!(outcome.complaint(), None);
        let rival = outcome.row("fcl").unwrap();
        assert_eq!((rival.wrong, rival.touching, rival.sum), (1, 3, 5));
        assert_eq!(rival.ratio, Some(Spread { low: 2.0, median: 3.0, high: 4.0 }));
        expected.pairs = 5;
        let outcome = Outcome::new(names(), Question::All, 3, Some(&expected), both);
        assert!(outcome.complaint().unwrap().contains("expected are 5"));
    }
}
