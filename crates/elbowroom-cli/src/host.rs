//! The commands inside another program, such as the Python package: without a terminal, without an
//! end of the process, and on data in memory.
//!
//! A [`Call`] is a command line and what comes with it. While it runs on its thread, results and
//! messages are collected instead of printed, the caller is asked whether to stop, and hears how
//! far the work has come. [`check`](Call::check) gives the result itself, for tables, pages and
//! files.
//!
//! Invariant: nothing of a call is left behind on its thread when it ends, also by a panic.

mod checked;

use std::ffi::OsString;

use clap::Parser;
use elbowroom_io::memory::Memory;
use elbowroom_io::opened;

use crate::command::{Args, Command};
use crate::messages::Refusal;
use crate::outcome::Outcome;
use crate::stop::Stop;
use crate::terminal::{self, Host};

pub use crate::terminal::{Message, OnProgress};
pub use checked::{Checked, Column, Table, Values};

/// Asked from time to time whether to stop; true ends the work.
pub type ShouldStop = Box<dyn Fn() -> bool + Send + Sync>;

/// A command line, and what comes with it.
#[derive(Default)]
pub struct Call {
    /// The command and its options, as they would be typed behind the program's name.
    pub args: Vec<OsString>,
    /// Data that is named in place of files.
    pub memory: Memory,
    /// How the caller wrote the call; a page shows it.
    pub request: String,
    /// Whether to stop.
    pub should_stop: Option<ShouldStop>,
    /// How far it has come.
    pub on_progress: Option<OnProgress>,
}

/// What came of a command.
#[derive(Debug)]
pub struct Reply {
    /// The exit code.
    pub code: u8,
    /// The text that the program would have printed on stdout.
    pub out: Vec<u8>,
    /// The text that the program would have printed on stderr.
    pub messages: Vec<Message>,
}

impl Call {
    /// Runs any command to its end.
    pub fn run(self) -> Reply {
        let (code, host) = self.hosted(Command::run);
        Reply { code: code as u8, out: host.out, messages: host.messages }
    }

    /// Runs `check`, and gives what it found.
    ///
    /// # Errors
    /// What the program would have said and its exit code, if there is no result.
    pub fn check(mut self) -> Result<Checked, Reply> {
        // All contacts are kept; nothing is printed.
        self.args.insert(1.min(self.args.len()), "--json".into());
        let mut checked = None;
        let (code, host) = self.hosted(|command| {
            let Command::Check(args) = command else {
                crate::messages::error("this is no check");
                return Outcome::BadInput;
            };
            match crate::check::for_host(&args) {
                Ok((plan, account, outcome)) => {
                    checked = Some((plan, account));
                    outcome
                }
                Err(halt) => halt.told(),
            }
        });
        let code = code as u8;
        match checked {
            Some((plan, account)) => {
                Ok(Checked::new(plan, account, code, host.messages, host.request))
            }
            None => Err(Reply { code, out: host.out, messages: host.messages }),
        }
    }

    fn hosted(self, work: impl FnOnce(Command) -> Outcome) -> (Outcome, Host) {
        let Self { args, memory, request, should_stop, on_progress } = self;
        let stop = should_stop.map_or_else(Stop::default, Stop::asking);
        let (out, messages) = (Vec::new(), Vec::new());
        // The callback for progress may call again, in the middle of this call.
        let leave = terminal::enter(Host { out, messages, request, memory, stop, on_progress });
        let _read = opened::begin();
        let name = OsString::from("elbowroom");
        let outcome = match Args::try_parse_from(std::iter::once(name).chain(args)) {
            Ok(mut args) => match args.command.take_units() {
                Ok(()) => work(args.command),
                Err(refusal) => refused(&refusal),
            },
            Err(error) => refused(&unparsed(&error)),
        };
        let host = terminal::take_host();
        drop(leave);
        (outcome, host)
    }
}

fn refused(refusal: &Refusal) -> Outcome {
    crate::messages::refuse(refusal);
    Outcome::BadInput
}

/// What is wrong with a command line, without the usage that only a terminal would want.
fn unparsed(error: &clap::Error) -> Refusal {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let (tips, problem): (Vec<&str>, Vec<&str>) = lines
        .filter(|line| !line.is_empty() && !line.starts_with("For more information"))
        .partition(|line| line.starts_with("tip: "));
    let problem = problem.join(" ").trim_start_matches("error: ").to_owned();
    let tips: Vec<&str> = tips.iter().map(|tip| tip.trim_start_matches("tip: ")).collect();
    let hint = if tips.is_empty() { "see `elbowroom --help`".to_owned() } else { tips.join("; ") };
    Refusal { problems: vec![problem], hint }
}
