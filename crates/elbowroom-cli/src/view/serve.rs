//! One page over HTTP/1.1 (Fielding, Nottingham and Reschke, RFC 9110 and RFC 9112, 2022), to
//! browsers on this machine.
//!
//! A request is read up to its empty line, answered, and the connection closed. Web pages of others
//! can make a browser send requests here, and a name that they control can be made to mean
//! 127.0.0.1 (DNS rebinding); so a request for another host than this one gets nothing.
//!
//! Invariants: what is served is given at the start, so that no request can name a file. What a
//! connection takes, in bytes, time and number, is bounded.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most bytes of a request: browsers send less than one kilobyte.
const MOST_BYTES: usize = 8 << 10;

/// So long may a request take to come.
const PATIENCE: Duration = Duration::from_secs(5);

/// A browser that takes nothing for so long is gone.
const STALLED: Duration = Duration::from_secs(30);

/// Connections at a time; browsers open six.
const MOST_AT_ONCE: usize = 32;

/// How often the server asks whether to go on.
const TICK: Duration = Duration::from_millis(20);

/// Those who are connected, the first to come first.
#[derive(Default)]
struct Clients(Mutex<Vec<Client>>);

struct Client {
    number: u64,
    stream: TcpStream,
    /// Whether its request is not there yet.
    is_waiting: bool,
}

impl Clients {
    fn list(&self) -> MutexGuard<'_, Vec<Client>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one in. Where there are too many, the one that has said nothing for the longest is
    /// sent away, so that idle connections cannot keep others out.
    fn enter(&self, number: u64, stream: TcpStream) {
        let mut list = self.list();
        if list.len() >= MOST_AT_ONCE {
            let silent = list.iter().position(|client| client.is_waiting).unwrap_or(0);
            send_away(&list.remove(silent));
        }
        list.push(Client { number, stream, is_waiting: true });
    }

    fn has_asked(&self, number: u64) {
        let mut list = self.list();
        if let Some(client) = list.iter_mut().find(|client| client.number == number) {
            client.is_waiting = false;
        }
    }

    fn leave(&self, number: u64) {
        self.list().retain(|client| client.number != number);
    }
}

/// Ends a connection, whatever its thread waits for.
fn send_away(client: &Client) {
    // One that is gone already needs no sending.
    let _ = client.stream.shutdown(Shutdown::Both);
}

/// Serves the page until it is told to stop.
pub(super) fn serve(
    listener: &TcpListener,
    page: &[u8],
    is_over: &(dyn Fn() -> bool + Sync),
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let clients = Clients::default();
    std::thread::scope(|scope| {
        for number in 0.. {
            if is_over() {
                break;
            }
            let Ok((stream, _)) = listener.accept() else {
                // No client is there, or it has gone again.
                std::thread::sleep(TICK);
                continue;
            };
            let Ok(handle) = stream.try_clone() else { continue };
            clients.enter(number, handle);
            let clients = &clients;
            scope.spawn(move || {
                // A browser that goes away is no news.
                let _ = attend(stream, page, || clients.has_asked(number));
                clients.leave(number);
            });
        }
        // A client that reads slowly does not keep the program from ending.
        clients.list().iter().for_each(send_away);
    });
    Ok(())
}

fn attend(mut stream: TcpStream, page: &[u8], has_asked: impl FnOnce()) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(STALLED))?;
    let reply = match request(&mut stream)? {
        Ok(head) => answer(&head),
        Err(reply) => reply,
    };
    has_asked();
    stream.write_all(&reply.head(page.len()))?;
    if reply == Reply::Page {
        stream.write_all(page)?;
    }
    stream.shutdown(Shutdown::Write)?;
    // What still comes is taken, up to a bound: closing on unread bytes would cut off the answer.
    let mut rest = [0; 1024];
    let start = Instant::now();
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    while start.elapsed() < Duration::from_secs(1) && stream.read(&mut rest)? > 0 {}
    Ok(())
}

/// What is said to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reply {
    Page,
    /// The page was asked about, not for.
    About,
    Bad,
    Elsewhere,
    Absent,
    NotAllowed,
    Late,
    TooLong,
}

impl Reply {
    fn status(self) -> &'static str {
        match self {
            Self::Page | Self::About => "200 OK",
            Self::Bad => "400 Bad Request",
            Self::Absent => "404 Not Found",
            Self::NotAllowed => "405 Method Not Allowed",
            Self::Late => "408 Request Timeout",
            Self::Elsewhere => "421 Misdirected Request",
            Self::TooLong => "431 Request Header Fields Too Large",
        }
    }

    fn head(self, page_bytes: usize) -> Vec<u8> {
        let status = self.status();
        let bytes = if matches!(self, Self::Page | Self::About) { page_bytes } else { 0 };
        let allow = if self == Self::NotAllowed { "Allow: GET, HEAD\r\n" } else { "" };
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {bytes}\r\n{allow}\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
             Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n"
        )
        .into_bytes()
    }
}

/// The head of a request as text.
fn request(stream: &mut TcpStream) -> io::Result<Result<String, Reply>> {
    let start = Instant::now();
    let mut head = Vec::new();
    let mut some = [0; 1024];
    loop {
        let left = PATIENCE.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Ok(Err(Reply::Late));
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut some) {
            Ok(0) => return Ok(Err(Reply::Bad)),
            Ok(count) => head.extend_from_slice(&some[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Ok(Err(Reply::Late));
            }
            Err(error) => return Err(error),
        }
        if let Some(end) = head.windows(4).position(|four| four == b"\r\n\r\n") {
            head.truncate(end);
            return Ok(String::from_utf8(head).map_err(|_| Reply::Bad));
        }
        if head.len() > MOST_BYTES {
            return Ok(Err(Reply::TooLong));
        }
    }
}

fn answer(head: &str) -> Reply {
    let mut lines = head.split("\r\n");
    let first: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let [method, target, "HTTP/1.1" | "HTTP/1.0"] = first[..] else { return Reply::Bad };
    let mut hosts = Vec::new();
    for line in lines {
        let Some((name, value)) = line.split_once(':') else { return Reply::Bad };
        if name.is_empty() || name.contains([' ', '\t']) {
            return Reply::Bad;
        }
        if name.eq_ignore_ascii_case("host") {
            hosts.push(value.trim_matches([' ', '\t']));
        }
    }
    let [host] = hosts[..] else { return Reply::Bad };
    if !is_own(host) {
        return Reply::Elsewhere;
    }
    match (method, target) {
        ("GET", "/") => Reply::Page,
        ("HEAD", "/") => Reply::About,
        ("GET" | "HEAD", _) => Reply::Absent,
        _ => Reply::NotAllowed,
    }
}

/// Whether a host is this machine, as it calls itself. Its port may be any: behind a forwarded
/// one (`ssh -L`) it is not ours, and a page of another origin has another name, not another port.
fn is_own(host: &str) -> bool {
    let (name, port) = match host.strip_prefix("[::1]") {
        Some(rest) => ("::1", if rest.is_empty() { Some("80") } else { rest.strip_prefix(':') }),
        None => host.split_once(':').map_or((host, Some("80")), |(name, port)| (name, Some(port))),
    };
    let is_port =
        |port: &str| port.parse::<u16>().is_ok() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = name.eq_ignore_ascii_case("localhost") || ["127.0.0.1", "::1"].contains(&name);
    is_name && port.is_some_and(is_port)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::sync::atomic::{AtomicBool, Ordering};

    const PAGE: &[u8] = b"<!DOCTYPE html>the page";

    /// Serves while something is done, with the port.
    fn served(done: impl FnOnce(u16)) {
        served_page(PAGE, done);
    }

    fn served_page(page: &[u8], done: impl FnOnce(u16)) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let server =
                scope.spawn(|| serve(&listener, page, &|| is_over.load(Ordering::Relaxed)));
            // Also if a test fails, the server has to end.
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| done(port)));
            is_over.store(true, Ordering::Relaxed);
            server.join().expect("no panic").expect("served");
            outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        });
    }

    fn say(port: u16, request: &[u8]) -> String {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
        // The server may answer and close before all was sent.
        let _ = stream.write_all(request);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        String::from_utf8(reply).expect("text")
    }

    #[test]
    fn the_page_and_nothing_else() {
        served(|port| {
            let cases = [
                ("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n", "200"),
                ("GET / HTTP/1.1\r\nhOST:localhost:{port}\r\nAccept: */*\r\n\r\n", "200"),
                ("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n", "200"),
                ("GET / HTTP/1.1\r\nHost: [::1]:{port}\r\n\r\n", "200"),
                ("GET / HTTP/1.1\r\nHost: [::1]\r\n\r\nGET /x HTTP/1.1\r\n\r\n", "200"),
                ("GET / HTTP/1.1\r\nHost: [::1]x\r\n\r\n", "421"),
                ("GET / HTTP/1.1\r\nHost: [::1]:\r\n\r\n", "421"),
                ("GET / HTTP/1.1\r\nHost: ::1\r\n\r\n", "421"),
                ("GET / HTTP/1.1\r\nHost: [::2]:{port}\r\n\r\n", "421"),
                ("GET / HTTP/1.1\r\nHost: localhost:+80\r\n\r\n", "421"),
                ("HEAD / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n", "200"),
                ("GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
                ("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
                ("GET /%2e%2e/x HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
                ("GET /?x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
                ("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
                ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc", "405"),
                ("DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"),
                ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"),
                ("GET / HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n", "421"),
                ("GET / HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", "421"),
                ("GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example:{port}\r\n\r\n", "421"),
                ("GET / HTTP/1.1\r\nHost: 127.0.0.1:\r\n\r\n", "421"),
                ("GET / HTTP/1.1\r\nHost: 127.0.0.1:80:80\r\n\r\n", "421"),
                ("GET / HTTP/1.1\r\nHost: localhost@evil\r\n\r\n", "421"),
                ("GET / HTTP/1.1\r\nHost: \r\n\r\n", "421"),
                ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", "400"),
                ("GET / HTTP/1.1\r\n\r\n", "400"),
                ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", "400"),
                ("GET / HTTP/1.1\r\nHost: localhost\r\n folded: 1\r\n\r\n", "400"),
                ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", "400"),
                ("GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
                ("GET /\r\n\r\n", "400"),
                ("\r\n\r\n", "400"),
            ];
            let mut pages = 0;
            for (request, status) in cases {
                let request = request.replace("{port}", &port.to_string());
                let reply = say(port, request.as_bytes());
                assert!(reply.starts_with(&format!("HTTP/1.1 {status} ")), "{request:?}: {reply}");
                let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
                assert!(head.contains("\r\nX-Content-Type-Options: nosniff"), "{head}");
                let is_page = status == "200" && request.starts_with("GET");
                assert_eq!(body.as_bytes(), if is_page { PAGE } else { b"" }, "{request:?}");
                let says_bytes = head.contains(&format!("\r\nContent-Length: {}\r\n", PAGE.len()));
                assert_eq!(says_bytes, status == "200", "{head}");
                pages += usize::from(is_page);
            }
            assert_eq!(pages, 5);
        });
    }

    #[test]
    fn what_is_no_request_does_no_harm() {
        served(|port| {
            let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(100_000));
            let reply = say(port, long.as_bytes());
            assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 431 "), "{reply}");
            assert!(
                say(port, b"GET / HTTP/1.1\r\nX: \xff\xfe\r\n\r\n").starts_with("HTTP/1.1 400 ")
            );
            assert!(say(port, &[0, 13, 10, 13, 10]).starts_with("HTTP/1.1 400 "));
            // Ends before its head does.
            let mut half = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
            half.write_all(b"GET / HT").expect("sent");
            half.shutdown(std::net::Shutdown::Write).expect("ended");
            let mut reply = String::new();
            half.read_to_string(&mut reply).expect("an answer");
            assert!(reply.starts_with("HTTP/1.1 400 "), "{reply}");
            // A client that only connects does not keep others waiting, and a request may come in
            // pieces.
            let _idle = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
            let mut slow = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
            for piece in ["GET / HTTP/1.1\r\nHo", "st: localhost\r\n", "\r\n"] {
                slow.write_all(piece.as_bytes()).expect("sent");
                slow.flush().expect("sent");
                std::thread::sleep(Duration::from_millis(10));
            }
            let mut reply = String::new();
            slow.read_to_string(&mut reply).expect("an answer");
            assert!(reply.starts_with("HTTP/1.1 200 ") && reply.ends_with("the page"), "{reply}");
        });
    }

    /// More connections than are served at once, which send nothing, keep no one out.
    #[test]
    fn idle_clients_make_room() {
        served(|port| {
            let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
            let idle: Vec<TcpStream> = (0..2 * MOST_AT_ONCE).map(|_| connect()).collect();
            for _ in 0..5 {
                let reply = say(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assert!(reply.ends_with("the page"), "{reply}");
            }
            drop(idle);
        });
    }

    /// A client that asks and never reads keeps neither others nor the end.
    #[test]
    fn a_client_that_does_not_read_keeps_nobody() {
        let page = vec![b'x'; 32 << 20];
        served_page(&page, |port| {
            let stuck: Vec<TcpStream> = (0..MOST_AT_ONCE + 3)
                .map(|_| {
                    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port));
                    let mut stream = stream.expect("a connection");
                    let request = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
                    // The first may have been sent away by now.
                    let _ = stream.write_all(request);
                    stream
                })
                .collect();
            let reply = say(port, b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assert!(reply.starts_with("HTTP/1.1 200 "), "{reply}");
            std::mem::forget(stuck);
        });
    }
}
