//! The commands inside another program, such as the Python package: without a terminal, without an end
//! of the process, and on data in memory.
//!
//! A [`Call`] is a command line and what comes with it. While it runs on its thread, results and
//! messages are collected instead of printed, the caller is asked whether to stop, and hears how far
//! the work has come. [`check`](Call::check) gives the result itself, for tables, pages and files.
//!
//! Invariant: nothing of a call is left behind on its thread when it ends, also by a panic.

mod checked;

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};

use clap::Parser;
use elbowroom_io::memory::Memory;
use elbowroom_io::opened;

use crate::args::{Args, Command};
use crate::messages::Refusal;
use crate::outcome::Outcome;
use crate::stop::Stop;

pub use checked::{Checked, Column, Table, Values};

/// Asked from time to time whether to stop; true ends the work.
pub type ShouldStop = Box<dyn Fn() -> bool + Send + Sync>;

/// Called with how many steps are done, and of how many.
pub type OnProgress = Box<dyn FnMut(u64, u64) + Send>;

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

/// A line that a terminal would have shown on stderr.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// `note`, `warning`, `error` or `hint`.
    pub kind: String,
    /// The text.
    pub text: String,
}

/// What came of a command.
#[derive(Debug)]
pub struct Reply {
    /// The exit code.
    pub code: u8,
    /// What it would have printed on stdout.
    pub out: Vec<u8>,
    /// What it would have printed on stderr.
    pub messages: Vec<Message>,
}

/// What a thread that runs a call has instead of a terminal.
struct Host {
    out: Vec<u8>,
    messages: Vec<Message>,
    request: String,
    memory: Memory,
    stop: Stop,
    on_progress: Option<OnProgress>,
}

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
}

impl Call {
    /// Runs any command to its end.
    pub fn run(self) -> Reply {
        let (code, host) = self.hosted(crate::dispatch);
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
        // Whoever is told of progress may call again, in the middle of this call.
        let leave =
            Leave(HOST.replace(Some(Host { out, messages, request, memory, stop, on_progress })));
        let _read = opened::begin();
        let name = OsString::from("elbowroom");
        let outcome = match Args::try_parse_from(std::iter::once(name).chain(args)) {
            Ok(mut args) => match args.command.take_units() {
                Ok(()) => work(args.command),
                Err(refusal) => refused(&refusal),
            },
            Err(error) => refused(&unparsed(&error)),
        };
        let host = HOST.take();
        drop(leave);
        (outcome, host.unwrap_or_else(|| unreachable!("nobody else takes it")))
    }
}

/// Puts back the host of the call around this one, if any, however a call ends.
struct Leave(Option<Host>);

impl Drop for Leave {
    fn drop(&mut self) {
        HOST.set(self.0.take());
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

/// Whether this thread runs a call.
pub(crate) fn is_here() -> bool {
    HOST.with_borrow(Option::is_some)
}

/// Takes a line that would be printed; gives it back where there is a terminal.
pub(crate) fn say(kind: &str, text: &str) -> bool {
    HOST.with_borrow_mut(|host| match host {
        Some(host) => {
            host.messages.push(Message { kind: kind.to_owned(), text: text.to_owned() });
            true
        }
        None => false,
    })
}

/// Where results go: to stdout, or into the reply.
pub(crate) fn out() -> Box<dyn Write> {
    if is_here() { Box::new(Collected) } else { Box::new(BufWriter::new(io::stdout().lock())) }
}

struct Collected;

impl Write for Collected {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        HOST.with_borrow_mut(|host| {
            if let Some(host) = host {
                host.out.extend_from_slice(bytes);
            }
        });
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What stops the work of this thread's call.
pub(crate) fn stop() -> Option<Stop> {
    HOST.with_borrow(|host| host.as_ref().map(|host| host.stop.clone()))
}

/// The data that this thread's call brought.
pub(crate) fn memory() -> Memory {
    HOST.with_borrow(|host| host.as_ref().map(|host| host.memory.clone())).unwrap_or_default()
}

/// How the caller wrote the call.
pub(crate) fn request() -> Option<String> {
    HOST.with_borrow(|host| host.as_ref().map(|host| host.request.clone()))
}

/// Says how far the work has come.
pub(crate) fn progress(done: u64, all: u64) {
    // Whoever hears it may call again, so nothing is borrowed meanwhile.
    let on_progress =
        HOST.with_borrow_mut(|host| host.as_mut().and_then(|host| host.on_progress.take()));
    let Some(mut on_progress) = on_progress else { return };
    on_progress(done, all);
    HOST.with_borrow_mut(|host| {
        if let Some(host) = host {
            host.on_progress = Some(on_progress);
        }
    });
}
