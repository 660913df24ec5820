"""`view` under hostile requests: it serves one page to this machine, to whoever asks for it by its
own name, and ends when told."""

import os
import signal
import socket
import subprocess
import time

REQUESTS = [
    (b"GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", {404, 400}),
    (b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", {404, 400}),
    (b"GET //etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", {404, 400}),
    (b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", {421, 400, 404}),
    (b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", {421}),
    (b"GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n\r\n", {421}),
    (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n", {400, 421}),
    (b"GET / HTTP/1.1\r\n\r\n", {400, 421}),
    (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\nhello", {405, 400}),
    (b"DELETE / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", {405, 400}),
    (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 100_000 + b"\r\n\r\n", {431, 400}),
    (
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 200 + b"\r\n\r\n",
        {400, 405, 421, 431},
    ),
    (b"\r\n\r\n", {400, 405, 421}),
    (b"GET\r\n\r\n", {400, 404, 405, 421}),
    (b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n", {400, 505, 421, 200}),
    (
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        {200, 400, 501},
    ),
    (b"GET / HTTP/1.1\nHost: 127.0.0.1\n\n", {200, 400, 408}),
]


def probe(place):
    room = place.room("served")
    place.run(["check", "-q", "--frames=100-102", "-o", "r.html"], room)
    page = place.read(room, "r.html")
    if page is None:
        place.find("view", "page", ["check"], "no report was written")
        return
    arguments = ["view", "r.html", "--no-open"]
    child = subprocess.Popen(
        [place.program, *arguments],
        cwd=room,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        port = address(child)
        if not place.expect(port is not None, "view", "address", arguments, "prints no address"):
            return
        slow = [connect(port) for _ in range(20)]
        for one in slow:
            one.sendall(b"GET / HTTP/1.1\r\nHo")
        for request, wanted in REQUESTS:
            status = ask(port, request.replace(b"127.0.0.1\r", b"127.0.0.1:%d\r" % port))[0]
            place.tally.count(place.kind, "view", "request", status)
            place.expect(
                status in wanted,
                "view",
                f"{request[:40]!r}",
                arguments,
                f"answers {status}, wanted {sorted(wanted)}",
            )
        body = ask(port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)[1]
        place.tally.count(place.kind, "view", "request", "page")
        place.expect(
            body == page,
            "view",
            "page",
            arguments,
            f"{len(body)} bytes are served of a page of {len(page)}, with 20 slow clients",
        )
        # More than it takes at once: whoever comes later, when these are gone, is served.
        many = [connect(port) for _ in range(100)]
        for one in many + slow:
            one.close()
        time.sleep(0.3)
        body = ask(port, b"GET / HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % port)[1]
        place.expect(
            body == page,
            "view",
            "after many",
            arguments,
            f"{len(body)} bytes of a page of {len(page)}, after 100 clients",
        )
        child.send_signal(signal.SIGINT)
        code = child.wait(timeout=20)
        place.expect(code == 0, "view", "end", arguments, f"ends with {code} on Ctrl-C")
    except (OSError, subprocess.TimeoutExpired) as error:
        place.find("view", "broken", arguments, f"{type(error).__name__}: {error}")
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
    left = sorted(os.listdir(room))
    place.expect(left == ["r.html"], "view", "left", arguments, f"{left} is in the folder")


def address(child):
    for line in child.stdout:
        if line.startswith(b"http://127.0.0.1:"):
            return int(line.split(b":")[2].split(b"/")[0])
    return None


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def ask(port, request):
    """The status and the body of an answer; status 0 if the connection just ends."""
    with connect(port) as stream:
        try:
            stream.sendall(request)
            reply = b""
            while piece := stream.recv(1 << 16):
                reply += piece
        except ConnectionError:
            return 0, b""
    head, _, body = reply.partition(b"\r\n\r\n")
    words = head.split(b" ")
    return (int(words[1]) if len(words) > 1 and words[1].isdigit() else 0), body
