"""Runs the program under limits of memory, processor time and file size, and says how it ended."""

import json
import os
import re
import resource
import signal
import subprocess

MEMORY = 3 << 30
SECONDS = 20
# On a busy machine a run may wait long for a processor: the clock on the wall only ends what waits
# for ever.
WALL = 120
FILE = 256 << 20


class Ended:
    """How a run ended and what it printed."""

    def __init__(self, code, out, err, overdue):
        self.code, self.out, self.err, self.overdue = code, out, err, overdue


def child_limits(memory, seconds, file):
    def apply():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_FSIZE, (file, file))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # A file that is too large is an error of the write then, as a full disk is, and no signal.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    return apply


def run(
    program,
    arguments,
    folder,
    memory=MEMORY,
    seconds=SECONDS,
    file=FILE,
    wall=WALL,
    environment=None,
    before=None,
):
    """Runs it to its end, or ends it."""
    apply = child_limits(memory, seconds, file)
    settings = dict(os.environ, RUST_BACKTRACE="0", **(environment or {}))

    def prepare():
        apply()
        if before:
            before()

    command = [program, *arguments] if isinstance(program, str) else [*program, *arguments]
    # Pipes, since a limit of file sizes would hold for files that take the output, too.
    child = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=prepare,
        restore_signals=False,
        start_new_session=True,
        env=settings,
    )
    overdue = False
    try:
        out, err = child.communicate(timeout=wall)
    except subprocess.TimeoutExpired:
        overdue = True
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
    return Ended(child.returncode, out, err, overdue)


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def as_json(data):
    return json.loads(data.decode("utf-8"), parse_constant=no_constant)


# What no output to a terminal may hold: control characters but line ends and tabs.
CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def fault(ended, arguments):
    """What is wrong with how a run ended: a class and a detail, or nothing."""
    code, err = ended.code, ended.err
    panic = re.search(rb"panicked at ([^\n]*)", err)
    if panic:
        return "panic", panic.group(1).decode(errors="replace").rstrip(":")
    if (
        re.search(rb"memory allocation of \d+ bytes failed|out of memory", err)
        or b"capacity overflow" in err
    ):
        return "allocation", "allocation failed"
    if b"stack overflow" in err or b"overflowed its stack" in err:
        return "stack", "stack overflow"
    if ended.overdue:
        return "time", f"did not end in {WALL} s on the wall"
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "time", f"more than {SECONDS} s of processor time"
    if code < 0:
        return "signal", signal.Signals(-code).name
    if code not in (0, 1, 2, 3):
        return "exit", f"exit code {code}"
    as_machine = "--json" in arguments
    if as_machine and code in (0, 1) or as_machine and ended.out:
        try:
            as_json(ended.out)
        except (ValueError, RecursionError) as error:
            return "json", f"not JSON: {str(error)[:60]}"
    if "--ndjson" in arguments:
        for line in ended.out.splitlines():
            try:
                as_json(line)
            except (ValueError, RecursionError) as error:
                return "json", f"not NDJSON: {str(error)[:60]}"
    if code == 2 and b"error:" not in err and not (arguments and arguments[0] == "info"):
        return "silent", "exit code 2 and no error on stderr"
    for name, stream in (("stdout", ended.out), ("stderr", err)):
        hit = CONTROL.search(stream)
        if hit:
            return "control", f"control character {hit.group()!r} on {name}"
    return None
