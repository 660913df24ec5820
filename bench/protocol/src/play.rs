//! The conversation: the bench asks, a player answers, one line each.
//!
//! A player reads its workload, builds its trees and says [`Ready`]. Then it reads lines of a
//! question and the least seconds to measure for, and writes a [`Reply`] for each, until its input
//! ends:
//!
//! ```text
//! boolean 0.05   whether the meshes of each query meet: 0 or 1 for each
//! all 0.05       how many pairs of triangles meet, having listed them: a number for each
//! world 0.05     how many pairs of bodies meet, starting from their poses alone: one number
//! distance 0.05  how far apart the meshes of each query are, in millionths
//! build 0.05     a tree for the first mesh: its number of triangles
//! ```
//!
//! A reply has the mean seconds of a pass over all queries, in CPU time of the thread. The clock is
//! read around passes, never within one; what a pass needs (placements in the engine's own types)
//! is prepared before. A pass shorter than the least time is repeated.

use std::io::{BufRead, Result, Write};

use serde::{Deserialize, Serialize};

/// What a player says when it is ready.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ready {
    /// The triangles of all meshes.
    pub triangles: u64,
    /// Heap bytes of all models, their copies of the triangles included; absent where not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// What a player answers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Reply {
    /// The engine does not answer such questions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unable: bool,
    /// Seconds of a pass.
    #[serde(default)]
    pub secs: f64,
    /// The answers, one for each query.
    #[serde(default)]
    pub answers: Vec<u64>,
    /// Pairs of volumes tested in a pass; 0 where not known.
    #[serde(default)]
    pub volume_tests: u64,
    /// Pairs of triangles tested in a pass; 0 where not known.
    #[serde(default)]
    pub triangle_tests: u64,
}

/// Tests that an engine made, where it counts them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tests {
    /// Pairs of volumes.
    pub volumes: u64,
    /// Pairs of triangles.
    pub triangles: u64,
}

/// An engine with its models built and its queries prepared. What it cannot answer is `None`.
pub trait Player {
    /// The triangles of all meshes, and the bytes of their models.
    fn ready(&self) -> Ready;
    /// How many queries there are.
    fn queries(&self) -> usize;
    /// Whether the meshes of a query meet.
    fn boolean(&mut self, query: usize) -> Option<bool>;
    /// How many pairs of triangles meet, having listed them.
    fn all(&mut self, query: usize) -> Option<u64>;
    /// How far apart the meshes of a query are.
    fn distance(&mut self, _query: usize) -> Option<f64> {
        None
    }
    /// How many pairs of bodies meet.
    fn world(&mut self) -> Option<u64>;
    /// Builds the first mesh's model: the seconds that took, and its triangles.
    fn build(&mut self) -> Option<(f64, u64)>;
    /// The tests made since the last call.
    fn tests(&mut self) -> Tests {
        Tests::default()
    }
}

/// CPU seconds of this thread.
pub fn thread_secs() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Answers every line of the input.
///
/// # Errors
/// If the input cannot be read or the output not written.
pub fn play(player: &mut impl Player, input: impl BufRead, mut output: impl Write) -> Result<()> {
    writeln!(output, "{}", serde_json::to_string(&player.ready())?)?;
    output.flush()?;
    for line in input.lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        let question = words.next().unwrap_or("");
        let least = words.next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
        let reply = answer(player, question, least);
        let reply = reply.unwrap_or(Reply { unable: true, ..Reply::default() });
        writeln!(output, "{}", serde_json::to_string(&reply)?)?;
        output.flush()?;
    }
    Ok(())
}

fn answer<P: Player>(player: &mut P, question: &str, least: f64) -> Option<Reply> {
    match question {
        "boolean" => passes(player, least, |player, answers| {
            for query in 0..player.queries() {
                answers.push(u64::from(player.boolean(query)?));
            }
            Some(())
        }),
        "all" => passes(player, least, |player, answers| {
            for query in 0..player.queries() {
                answers.push(player.all(query)?);
            }
            Some(())
        }),
        "distance" => passes(player, least, |player, answers| {
            for query in 0..player.queries() {
                answers.push((player.distance(query)? * 1e6).round() as u64);
            }
            Some(())
        }),
        "world" => passes(player, least, |player, answers| {
            answers.push(player.world()?);
            Some(())
        }),
        "build" => builds(player, least),
        _ => None,
    }
}

fn passes<P: Player>(
    player: &mut P,
    least: f64,
    mut pass: impl FnMut(&mut P, &mut Vec<u64>) -> Option<()>,
) -> Option<Reply> {
    let mut answers = Vec::with_capacity(player.queries().max(1));
    player.tests();
    let start = thread_secs();
    pass(player, &mut answers)?;
    let mut secs = thread_secs() - start;
    let tests = player.tests();
    if secs < least {
        let count = (least / secs.max(1e-9)) as u32 + 1;
        let start = thread_secs();
        for _ in 0..count {
            answers.clear();
            pass(player, &mut answers)?;
        }
        secs = (thread_secs() - start) / f64::from(count);
    }
    let Tests { volumes, triangles } = tests;
    Some(Reply {
        secs,
        answers,
        volume_tests: volumes,
        triangle_tests: triangles,
        ..Reply::default()
    })
}

fn builds(player: &mut impl Player, least: f64) -> Option<Reply> {
    let (mut secs, triangles) = player.build()?;
    let mut count = 1;
    while secs < least {
        secs += player.build()?.0;
        count += 1;
    }
    let answers = vec![triangles];
    Some(Reply { secs: secs / f64::from(count), answers, ..Reply::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Queries touch where their number is odd, and it cannot do worlds.
    struct Odd;

    impl Player for Odd {
        fn ready(&self) -> Ready {
            Ready { triangles: 7, bytes: None }
        }
        fn queries(&self) -> usize {
            4
        }
        fn boolean(&mut self, query: usize) -> Option<bool> {
            Some(query % 2 == 1)
        }
        fn all(&mut self, query: usize) -> Option<u64> {
            Some(query as u64)
        }
        fn world(&mut self) -> Option<u64> {
            None
        }
        fn build(&mut self) -> Option<(f64, u64)> {
            Some((0.25, 7))
        }
    }

    #[test]
    fn every_line_is_answered() {
        let mut output = Vec::new();
        let input = "boolean 0.001\nall 0\nworld 0\nbuild 1\nnonsense\n";
        play(&mut Odd, input.as_bytes(), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6);
        assert_eq!(serde_json::from_str::<Ready>(lines[0]).unwrap().triangles, 7);
        let replies: Vec<Reply> =
            lines[1..].iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(replies[0].answers, [0, 1, 0, 1]);
        assert_eq!(replies[1].answers, [0, 1, 2, 3]);
        assert!(replies[2].unable && replies[4].unable);
        assert_eq!((replies[3].secs, &replies[3].answers[..]), (0.25, &[7][..]));
    }
}
