"""Killed, out of room, not allowed, two at once: what is there afterwards is whole, and going on
gives the same bytes."""

import os
import shutil
import signal
import subprocess
import time

import limits

STREAMS = ["x.ndjson", "x.csv", "x.parquet", "x.html"]
# What changes files, and so what a kill can cut in two.
CALLS = "write,pwrite64,rename,openat,ftruncate,unlink,close"


def outputs(names):
    return [argument for name in names for argument in ("-o", name)]


def killed(place):
    """`kill -9` at random system calls and at random times, several times over, then `--resume` to
    the end."""
    # Long enough that records are written on the way: half a second lies between them.
    base = ["check", "-q", "--threads=2"]
    whole = place.room("whole")
    ended = place.run([*base, *outputs(STREAMS)], whole, seconds=300)
    if not place.expect(ended.code == 1, "exit", "undisturbed", base, f"exit code {ended.code}"):
        return
    expected = {name: place.read(whole, name) for name in sorted(os.listdir(whole))}
    tracer = shutil.which("strace")
    if not tracer:
        place.tally.skip("kills at system calls: strace is not installed")
    for round_ in range(place.rounds):
        chosen = STREAMS if round_ % 2 == 0 else [place.rng.choice(STREAMS)]
        room = place.room(f"round-{round_}")
        arguments = [*base, *outputs(chosen)]
        deaths = 0
        for number in range(place.rng.randrange(1, 5)):
            resumed = [*arguments, "--resume"] if number else arguments
            if tracer and place.rng.random() < 0.6:
                deaths += at_call(place, tracer, resumed, room, int(3 * 100 ** place.rng.random()))
            else:
                deaths += at_time(place, resumed, room, place.rng.uniform(0.02, 4))
        resumed = [*arguments, "--resume"]
        ended = place.run(resumed, room, "resumed", seconds=300)
        place.expect(
            ended.code == 1,
            "resume",
            "exit",
            resumed,
            f"exit code {ended.code} after {deaths} kills: {ended.err[-200:]!r}",
        )
        for name, content in expected.items():
            stem = name.replace(".incidents", "")
            if stem in chosen:
                same = place.read(room, name) == content
                place.expect(
                    same,
                    "resume",
                    name,
                    resumed,
                    f"{name} has other bytes after {deaths} kills (round {round_})",
                )
        left = [n for n in os.listdir(room) if n.endswith(".progress")]
        place.expect(not left, "resume", "left", resumed, f"{left} left over")


def at_call(place, tracer, arguments, room, when):
    """Kills it when it makes a system call for the so manyth time. Says whether it came to that."""
    command = [
        tracer,
        "-f",
        "-o",
        "/dev/null",
        "-e",
        f"trace={CALLS}",
        "-e",
        f"inject={CALLS}:signal=KILL:when={when}",
        place.program,
    ]
    ended = limits.run(command, arguments, room, memory=0, seconds=300)
    place.tally.count(place.kind, "check", "killed", ended.code)
    return ended.code == -signal.SIGKILL


def at_time(place, arguments, room, seconds):
    child = subprocess.Popen(
        [place.program, *arguments],
        cwd=room,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(seconds)
    child.kill()
    child.wait()
    place.tally.count(place.kind, "check", "killed", child.returncode)
    return child.returncode == -signal.SIGKILL


WRITING = [
    (["check", "-q", "--frames=98-104"], [[n] for n in ["x.json", *STREAMS]] + [STREAMS]),
    (["convert", "chain.glb", "-q"], [["o.glb"], ["o.obj"], ["o.npz"]]),
    (["pose", "chain.glb", "--frame=1", "-q"], [["o.obj"]]),
    (["make", "man", "-q"], [["o.glb"]]),
    (["clips", "chain.glb", "chain.glb", "-q"], [["o.html"]]),
    (["crowd", "crowd.csv", "--no-exact", "-q"], [["o.html"], ["o.csv"]]),
]


def written(command, names):
    return [*command, *names] if command[0] == "convert" else [*command, *outputs(names)]


def full(place):
    """A full disk and a folder that may not be written: exit code 2 or 3 with a message, and what
    was there before is there."""
    for command, choices in WRITING:
        for names in choices:
            arguments = written(command, names)
            complete = place.room("complete")
            place.take(complete, "chain.glb", "crowd.csv")
            place.run(arguments, complete)
            for limit in (0, 1000, 5000):
                room = place.room("limit")
                place.take(room, "chain.glb", "crowd.csv")
                ended = place.run(arguments, room, "full", file=limit)
                check_failed(
                    place,
                    ended,
                    arguments,
                    names,
                    room,
                    complete,
                    f"files of {limit} bytes at most",
                )
    forbidden(place)
    small_disk(place)


def check_failed(place, ended, arguments, names, room, complete, how):
    """What is there after a failed write is whole, as before, or says of itself that it is not the
    end."""
    fits = all(place.read(room, name) == place.read(complete, name) for name in names)
    if fits:
        return
    place.expect(
        ended.code in (2, 3),
        "full",
        arguments[0],
        arguments,
        f"exit code {ended.code} with {how}, and the output is not whole",
    )
    place.expect(
        ended.err != b"", "full", f"{arguments[0]} silent", arguments, f"no message with {how}"
    )
    # What is on record stays, for --resume.
    known = any(name.endswith(".progress") for name in os.listdir(room))
    left = [name for name in os.listdir(room) if name.endswith(".part") and not known]
    place.expect(not left, "draft", arguments[0], arguments, f"{left} left over with {how}")
    for name in names:
        # Streams are written as they go, and their record says how far they are good; all else is
        # whole or not there.
        content = place.read(room, name)
        stream = arguments[0] == "check" and name.endswith((".ndjson", ".csv"))
        whole = content is None or stream or content == place.read(complete, name)
        place.expect(
            whole, "full", f"{arguments[0]} {name}", arguments, f"{name} is cut off with {how}"
        )


def forbidden(place):
    """A folder that may not be written."""
    if os.geteuid() != 0:
        drop = None
    else:

        def drop():
            os.setgid(65534)
            os.setuid(65534)

    for command, choices in WRITING:
        names = choices[0]
        arguments = written(command, names)
        room = place.room("forbidden")
        place.take(room, "chain.glb", "crowd.csv")
        for name in os.listdir(room):
            os.chmod(os.path.join(room, name), 0o644)
        os.chmod(room, 0o555)
        if drop and not reachable(place, room):
            place.tally.skip(
                "folders that may not be written: another user cannot reach the program or the room"
            )
            return
        ended = place.run(arguments, room, "forbidden", before=drop)
        os.chmod(room, 0o755)
        place.expect(
            ended.code in (2, 3),
            "forbidden",
            arguments[0],
            arguments,
            f"exit code {ended.code} where nothing may be written",
        )
        place.expect(
            ended.err != b"",
            "forbidden",
            f"{arguments[0]} silent",
            arguments,
            "no message where nothing may be written",
        )


def reachable(place, room):
    """Opens the way to the room and the program for another user, where it is ours to open."""
    path = room
    while path != "/":
        if os.stat(path).st_mode & 0o001 == 0:
            if os.stat(path).st_uid != os.geteuid() or not os.path.basename(path).startswith(
                "elbowroom-attack-"
            ):
                return False
            os.chmod(path, 0o755)
        path = os.path.dirname(path)
    path = os.path.dirname(place.program)
    while path != "/":
        if os.stat(path).st_mode & 0o001 == 0:
            return False
        path = os.path.dirname(path)
    return os.stat(place.program).st_mode & 0o001 != 0


def small_disk(place):
    """A file system of 64 kB, where one may be mounted."""
    room = place.room("disk")
    mounted = (
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", room], capture_output=True
        )
        if os.geteuid() == 0
        else None
    )
    if mounted is None or mounted.returncode != 0:
        place.tally.skip("a small disk: nothing may be mounted here")
        return
    try:
        complete = place.room("complete")
        for names in [["x.json"], ["x.ndjson"], ["x.html"], ["x.parquet"], STREAMS]:
            arguments = ["check", "-q", "--frames=90-130", *outputs(names)]
            for name in os.listdir(room):
                os.remove(os.path.join(room, name))
            place.run(arguments, complete)
            ended = place.run(arguments, room, "disk")
            check_failed(place, ended, arguments, names, room, complete, "a disk of 64 kB")
    finally:
        subprocess.run(["umount", room], capture_output=True, check=False)


def writers(place):
    """Two at once to one output: the file is the whole one of either."""
    first, second = ["check", "-q", "--frames=95-105"], ["check", "-q", "--frames=100-112"]
    for name in ["x.json", *STREAMS]:
        sides = []
        for number, base in enumerate((first, second)):
            room = place.room(f"side-{number}")
            place.run([*base, "-o", name], room)
            sides.append(place.read(room, name))
        for attempt in range(3):
            room = place.room("both")
            children = []
            for base in (first, second):
                children.append(
                    subprocess.Popen(
                        [place.program, *base, "-o", name],
                        cwd=room,
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.PIPE,
                    )
                )
                time.sleep(0.05 * attempt)
            codes = [(child.communicate()[1], child.returncode)[1] for child in children]
            place.tally.count(place.kind, "check", "writers", "/".join(map(str, codes)))
            content = place.read(room, name)
            place.expect(
                content in sides,
                "writers",
                name,
                [*first, "-o", name],
                f"two at once ended with {codes}, and the file is of neither ({len(content or b'')} bytes)",
            )
