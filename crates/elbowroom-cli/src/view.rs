//! `elbowroom view`: shows a report in the browser, from this machine to this machine.
//!
//! A report opens from the disk as well; a browser that may not read files, or a program on a
//! machine without a screen whose port is forwarded, needs it served. One page is served and
//! nothing else ([`serve`]), on the loopback address alone, until Ctrl-C.

mod serve;

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::args::ViewArgs;
use crate::check;
use crate::check::flags;
use crate::messages::{self, Refusal};
use crate::outcome::Outcome;
use crate::output::html;
use crate::save::refusal;
use crate::terminal;

/// Does what the command line says.
pub(crate) fn run(args: ViewArgs) -> Outcome {
    try_run(args).unwrap_or_else(|refusal| {
        messages::refuse(&refusal);
        Outcome::BadInput
    })
}

fn try_run(args: ViewArgs) -> Result<Outcome, Refusal> {
    let ViewArgs { check, port, no_open } = args;
    // Where no page can be served, nothing needs to be checked.
    let listener = listen(port.unwrap_or(0))?;
    let (page, outcome) = match check.files.as_slice() {
        [report] if is_page(report) && !check.outputs.is_empty() => {
            let what = "is a report, and -o is for a check";
            return Err(refusal(report, what, "leave out -o, or name the files to check"));
        }
        [report] if is_page(report) => {
            flags::check_shown(&check)?;
            (read(report)?, Outcome::Clean)
        }
        // The page stays in memory: a file in a shared folder could be another's.
        _ => match check::run_to_show(&check) {
            (Some(page), outcome) => (page, outcome),
            (None, outcome) => return Ok(outcome),
        },
    };
    let stop = terminal::listen();
    if stop.is_by_user() {
        return Ok(outcome);
    }
    let address = listener.local_addr().map_err(|error| unserved(&error))?;
    let address = format!("http://{address}/");
    messages::say_out(&address);
    messages::note("only this machine can reach the page; Ctrl-C ends the program");
    if !no_open {
        open(&address);
    }
    serve::serve(&listener, &page, &|| stop.is_by_user()).map_err(|error| unserved(&error))?;
    Ok(outcome)
}

fn listen(port: u16) -> Result<TcpListener, Refusal> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| Refusal {
        problems: vec![format!("127.0.0.1:{port}: the port cannot be opened: {error}")],
        hint: "leave out --port to use a free one".to_owned(),
    })
}

fn unserved(error: &std::io::Error) -> Refusal {
    let problems = vec![format!("the page could not be served: {error}")];
    Refusal { problems, hint: "open the file in a browser instead".to_owned() }
}

fn is_page(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    matches!(ending.as_deref(), Some("html" | "htm"))
}

fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    let hint = "name a report that `elbowroom check -o report.html` has written";
    let bytes = std::fs::read(path)
        .map_err(|error| refusal(path, &format!("cannot be read: {error}"), hint))?;
    if html::is_report(&bytes) {
        Ok(bytes)
    } else {
        Err(refusal(path, "is no report of elbowroom", hint))
    }
}

/// Asks the system to show an address. Where it cannot, the user can open the address.
fn open(address: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(before).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // The program does not wait for it: a browser may stay open for as long as the user looks at
    // it.
    if command.spawn().is_err() {
        messages::note("no browser could be opened from here; open the address in one");
    }
}
