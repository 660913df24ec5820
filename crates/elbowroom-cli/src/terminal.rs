//! What a command talks to: a terminal, or the call of another program that runs on this thread.
//!
//! Invariant: nothing of a call is left behind on its thread when it ends, also by a panic.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::sync::OnceLock;

use elbowroom_io::memory::Memory;

use crate::stop::Stop;

/// Called with how many steps are done, and of how many.
pub type OnProgress = Box<dyn FnMut(u64, u64) + Send>;

/// A line that a terminal would have shown on stderr.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// `note`, `warning`, `error` or `hint`.
    pub kind: String,
    /// The text.
    pub text: String,
}

/// What a thread that runs a call has instead of a terminal.
pub(crate) struct Host {
    pub(crate) out: Vec<u8>,
    pub(crate) messages: Vec<Message>,
    pub(crate) request: String,
    pub(crate) memory: Memory,
    pub(crate) stop: Stop,
    pub(crate) on_progress: Option<OnProgress>,
}

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
}

/// Puts a host in the place of this thread's terminal, until what is returned is dropped.
pub(crate) fn enter(host: Host) -> Leave {
    Leave(HOST.replace(Some(host)))
}

/// Puts back the host of the call around this one, if any, however a call ends.
pub(crate) struct Leave(Option<Host>);

impl Drop for Leave {
    fn drop(&mut self) {
        HOST.set(self.0.take());
    }
}

/// What the host of this thread's call has collected; from here on it is gone.
pub(crate) fn take_host() -> Host {
    HOST.take().unwrap_or_else(|| unreachable!("nobody else takes it"))
}

static TYPED: OnceLock<Vec<OsString>> = OnceLock::new();

/// What was typed, the program's name first.
pub(crate) fn typed() -> Vec<OsString> {
    TYPED.get().cloned().unwrap_or_else(|| std::env::args_os().collect())
}

/// What was typed instead of the arguments of the process.
pub(crate) fn set_typed(args: Vec<OsString>) {
    TYPED.get_or_init(|| args);
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

/// What stops the work: of this thread's call, or of all of the process from here on.
pub(crate) fn listen() -> Stop {
    let stop = HOST.with_borrow(|host| host.as_ref().map(|host| host.stop.clone()));
    stop.unwrap_or_else(Stop::listen)
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
    // The callback may call again, so nothing is borrowed meanwhile.
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
