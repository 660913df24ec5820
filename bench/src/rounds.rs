//! Times that can be compared: all engines take turns in each of several rounds.
//!
//! A machine is faster at one moment than at the next, so ratios are taken within a round.

use elbowroom_bench_protocol::play::Reply;

use crate::definition::Question;
use crate::engine::Playing;

/// How long and how often to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Rounds.
    pub(crate) rounds: usize,
    /// The least seconds of a measurement; shorter passes are repeated.
    pub(crate) least: f64,
    /// An engine whose pass takes more seconds than this is not asked again.
    pub(crate) patience: f64,
}

/// What an engine answered to a question, and how long each round took.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    pub(crate) engine: &'static str,
    /// Seconds of a pass, by round; none for the rounds after patience was lost.
    pub(crate) secs: Vec<f64>,
    /// The answers of the first round, and its tests.
    pub(crate) first: Reply,
    /// Whether a later round gave other answers.
    pub(crate) wavers: bool,
}

impl Turns {
    /// The best round.
    pub(crate) fn least_secs(&self) -> f64 {
        self.secs.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Lets all engines that can answer a question do so in turns. An engine that breaks down is named
/// in `notes` and out.
pub(crate) fn take_turns(
    players: &mut Vec<Playing>,
    question: Question,
    effort: Effort,
    notes: &mut Vec<String>,
) -> Vec<Turns> {
    let mut turns: Vec<Turns> = Vec::new();
    for round in 0..effort.rounds.max(1) {
        players.retain_mut(|player| {
            let known = turns.iter().position(|turn| turn.engine == player.name);
            let is_done = match known {
                None => round > 0,
                Some(at) => turns[at].least_secs() > effort.patience,
            };
            if is_done {
                return true;
            }
            match player.ask(question, effort.least) {
                Err(failure) => {
                    notes.push(failure.to_string());
                    turns.retain(|turn| turn.engine != player.name);
                    return false;
                }
                Ok(None) => {}
                Ok(Some(reply)) => match known {
                    None => turns.push(Turns {
                        engine: player.name,
                        secs: vec![reply.secs],
                        first: reply,
                        wavers: false,
                    }),
                    Some(at) => {
                        turns[at].secs.push(reply.secs);
                        turns[at].wavers |= turns[at].first.answers != reply.answers;
                    }
                },
            }
            true
        });
    }
    turns
}
