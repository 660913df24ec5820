//! One page over HTTP/1.1 (Fielding, Nottingham and Reschke, RFC 9110 and RFC 9112, 2022), to browsers on this machine.
//!
//! A request is read up to its empty line, answered, and the connection closed. Web pages of others can make a browser send requests here, and a name
//! that they control can be made to mean 127.0.0.1 (DNS rebinding); so whoever asks for another host than this one gets nothing.
//!
//! Invariants: what is served is given at the start, so that no request can name a file. What a connection takes, in bytes, time and number, is bounded.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The most bytes of a request: browsers send less than one kilobyte.
const MOST_BYTES: usize = 8 << 10;

/// So long may a request take to come.
const PATIENCE: Duration = Duration::from_secs(5);

/// A browser that takes nothing for so long is gone.
const STALLED: Duration = Duration::from_secs(30);

/// So many at a time; browsers open six.
const MOST_AT_ONCE: usize = 32;

/// How often somebody is asked whether to go on.
const TICK: Duration = Duration::from_millis(20);

/// Serves the page until somebody says stop.
pub(super) fn serve(
    listener: &TcpListener,
    page: &[u8],
    is_over: &(dyn Fn() -> bool + Sync),
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let at_once = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        while !is_over() {
            match listener.accept() {
                Ok((stream, _)) => {
                    if at_once.fetch_add(1, Ordering::Relaxed) >= MOST_AT_ONCE {
                        at_once.fetch_sub(1, Ordering::Relaxed);
                        continue;
                    }
                    let at_once = &at_once;
                    scope.spawn(move || {
                        // A browser that goes away is no news.
                        let _ = attend(stream, page);
                        at_once.fetch_sub(1, Ordering::Relaxed);
                    });
                }
                // Nobody is there, or whoever was is gone again.
                Err(_) => std::thread::sleep(TICK),
            }
        }
    });
    Ok(())
}

fn attend(mut stream: TcpStream, page: &[u8]) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(STALLED))?;
    let reply = match request(&mut stream)? {
        Ok(head) => answer(&head),
        Err(reply) => reply,
    };
    stream.write_all(&reply.head(page.len()))?;
    if reply == Reply::Page {
        stream.write_all(page)?;
    }
    stream.shutdown(std::net::Shutdown::Write)?;
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

/// Whether a host is this machine, as it calls itself. A forwarded port may be any.
fn is_own(host: &str) -> bool {
    let (name, port) = host.split_once(':').unwrap_or((host, "80"));
    let is_port = port.parse::<u16>().is_ok() && port.bytes().all(|byte| byte.is_ascii_digit());
    is_port && (name.eq_ignore_ascii_case("localhost") || name == "127.0.0.1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::sync::atomic::AtomicBool;

    const PAGE: &[u8] = b"<!DOCTYPE html>the page";

    /// Serves while something is done, with the port.
    fn served(done: impl FnOnce(u16)) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let server =
                scope.spawn(|| serve(&listener, PAGE, &|| is_over.load(Ordering::Relaxed)));
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
            assert_eq!(pages, 3);
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
            // Whoever only connects keeps nobody else, and a request may come in pieces.
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
}
