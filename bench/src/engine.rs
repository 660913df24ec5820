//! The engines that can take part, and a running one.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use elbowroom_bench_protocol::play::{Ready, Reply};

use crate::Failure;
use crate::definition::Question;

/// Every engine, in the order of the tables. `ours` comes first: the others are measured against
/// it.
pub(crate) const NAMES: [&str; 12] = [
    "ours",
    "ours-count",
    "reference",
    "naive",
    "fcl-native",
    "fcl",
    "coal",
    "parry-f64",
    "parry-f32",
    "parry-f64-stock",
    "parry-f32-stock",
    "bullet",
];

/// Whether it is another's work.
pub(crate) fn is_rival(name: &str) -> bool {
    !["ours", "ours-count", "reference", "naive"].contains(&name)
}

/// How an engine is started, before its directory and workload.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub(crate) name: &'static str,
    pub(crate) command: Vec<String>,
}

/// An engine that has read its workload and waits for questions.
pub(crate) struct Playing {
    pub(crate) name: &'static str,
    pub(crate) ready: Ready,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    /// Starts it on a workload of a directory, and waits until it is ready.
    pub(crate) fn start(&self, directory: &Path, work: &str) -> Result<Playing, Failure> {
        let failed =
            |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", self.name));
        let [program, arguments @ ..] = &self.command[..] else {
            return Err(failed(&"it has no command"));
        };
        let mut child = Command::new(program)
            .args(arguments)
            .arg(directory)
            .arg(work)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&error))?;
        let input = child.stdin.take();
        let Some(output) = child.stdout.take() else {
            return Err(failed(&"it has no output"));
        };
        let mut playing = Playing {
            name: self.name,
            ready: Ready::default(),
            child,
            input,
            output: BufReader::new(output),
        };
        playing.ready = playing.read()?;
        Ok(playing)
    }
}

impl Playing {
    /// Asks once; `None` if it cannot answer such questions.
    pub(crate) fn ask(&mut self, question: Question, least: f64) -> Result<Option<Reply>, Failure> {
        let name = self.name;
        let failed = |error: std::io::Error| Failure::new(format!("{name}: {error}"));
        if let Some(input) = &mut self.input {
            writeln!(input, "{} {least}", question.word()).map_err(failed)?;
            input.flush().map_err(failed)?;
        }
        let reply: Reply = self.read()?;
        Ok((!reply.unable).then_some(reply))
    }

    fn read<T: serde::de::DeserializeOwned>(&mut self) -> Result<T, Failure> {
        let mut line = String::new();
        let read = self.output.read_line(&mut line);
        match read {
            Ok(0) => Err(Failure::new(format!("{}: it ended without an answer", self.name))),
            Ok(_) => serde_json::from_str(&line)
                .map_err(|error| Failure::new(format!("{}: {error}", self.name))),
            Err(error) => Err(Failure::new(format!("{}: {error}", self.name))),
        }
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        // At the end of its input a player ends; one that does not would be waited for in vain.
        self.input = None;
        if self.child.wait().is_err() {
            let _ = self.child.kill();
        }
    }
}
