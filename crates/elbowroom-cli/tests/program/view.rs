//! `elbowroom view`: one page, from this machine to this machine.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::desk::Desk;

/// A program that serves, ended when dropped.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts it and waits for the address, which is the last line of what comes before.
fn begin(desk: &Desk, arguments: &[&str]) -> (Served, u16) {
    let mut command = desk.command(&[&["view", "--no-open"], arguments].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it runs");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut lines = lines.map(|line| line.expect("text"));
    let served = Served(child);
    let address = lines.find(|line| line.starts_with("http://")).expect("an address");
    let port = address.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix('/'));
    (served, port.and_then(|port| port.parse().ok()).expect("a port"))
}

fn get(port: u16, host: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("sent");
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).expect("an answer");
    reply
}

/// Says Ctrl-C, and how it ends.
fn end(mut served: Served) -> Option<i32> {
    let told = Command::new("kill").args(["-INT", &served.0.id().to_string()]).status();
    assert!(told.is_ok_and(|status| status.success()));
    served.0.wait().expect("it ends").code()
}

#[test]
fn a_report_is_served_to_this_machine_alone() {
    let desk = Desk::new();
    let run = desk.run(&["check", "-q", "--frames", "100-102", "-o", "r.html"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let page = std::fs::read(desk.path().join("r.html")).expect("a report");
    let (served, port) = begin(&desk, &["r.html"]);
    let reply = get(port, "localhost");
    assert!(reply.starts_with(b"HTTP/1.1 200 OK\r\n") && reply.ends_with(&page));
    assert!(get(port, "evil.example").starts_with(b"HTTP/1.1 421 "));
    // Only on the loopback address: another of this machine's own is not listened on.
    assert!(TcpStream::connect(("127.0.0.2", port)).is_err());
    assert!(TcpStream::connect(("::1", port)).is_err());
    // The port is taken, and said so.
    let taken = desk.run(&["view", "r.html", "--no-open", "--port", &port.to_string()]);
    assert_eq!((taken.code, taken.out.as_str()), (2, ""));
    assert!(taken.err.contains("cannot be opened"), "{}", taken.err);
    assert_eq!(end(served), Some(0));
}

#[test]
fn files_are_checked_and_shown() {
    let desk = Desk::new();
    desk.put_obj("a.obj", &elbowroom_make::cuboid(glam::DVec3::ONE));
    let (served, port) = begin(&desk, &["a.obj", "a.obj"]);
    let reply = String::from_utf8(get(port, "127.0.0.1")).expect("text");
    assert!(reply.contains("id=\"shot\">") && reply.contains("\"duplicate\""));
    // Contacts, as the check would have said; and no file is left.
    assert_eq!(end(served), Some(1));
    let left = std::fs::read_dir(desk.path()).expect("a folder").count();
    assert_eq!(left, 1);
}

#[test]
fn what_is_no_report_is_refused() {
    let desk = Desk::new();
    desk.put("page.html", "<html></html>");
    for (name, words) in [("page.html", "is no report"), ("none.html", "cannot be read")] {
        let run = desk.run(&["view", name, "--no-open"]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{name}");
        assert!(run.err.contains(words) && run.err.contains("hint: "), "{}", run.err);
    }
    assert_eq!(desk.run(&["view", "none.obj", "a.obj", "--no-open"]).code, 2);
}
