"""Ctrl-C, panics, and the interpreter's lock: queries end when told to, and hold no one up."""

from __future__ import annotations

import os
import threading
import time

import numpy as np
import pytest
from conftest import python, random_poses, sphere

import elbowroom as er

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs signals")

#: Each is a long query about `big`, two finely divided balls that meet: seconds to minutes of work.
LONG = {
    "batch of contacts": "big.contacts(other, poses)",
    "batch of distances": "big.distance(other, poses)",
    "batch of booleans": "big.intersects(inner, close)",
    "penetration": "big.penetration(other, poses)",
    "overlap": "big.overlap(other, poses)",
    "inside": "big.inside(points)",
    "closest point": "big.closest_point(points)",
    "self contacts": "[big.self_contacts('count') for _ in range(1000)]",
    "time of impact": "big.time_of_impact(other, poses, poses[::-1])",
    "model": "[er.Model(vertices, faces) for _ in range(1000)]",
    "world contacts": "[step(i) for i in range(100000)]",
    "world of batches": "world.nearest(big, poses)",
}

SCENE = """
import os, signal, sys, threading, time
import numpy as np
from conftest import random_poses, shifted, sphere
import elbowroom as er

vertices, faces = sphere(60)
big, other = er.Model(vertices, faces), er.Model(vertices * 0.9, faces)
# A batch takes all cores, so the more there are the more it is given.
poses = np.repeat(random_poses(2000, 0.5, 1), 10 * os.cpu_count(), axis=0)
# A ball just within the other, turned: no box tells the two apart.
inner = er.Model(vertices * 0.99, faces)
close = poses.copy()
close[:, :3, 3] = 0
points = np.random.default_rng(0).uniform(-1, 1, (500_000 * os.cpu_count(), 3))
small = er.Model(*sphere(8))
world = er.World()
for i in range(300):
    world.add(str(i), small, shifted(0.5 * i, 0, 0))

def step(i):
    world.set_poses(world.names, random_poses(300, 1, i))
    return world.contacts()

expected = small.contacts(small).pairs.tobytes(), len(world.names)
"""

QUERY = (
    SCENE
    + """
calls = []

def handle(number, frame):
    calls.append(number)
    # Signals that are not looked for become one: a query that looks for them hears several.
    if len(calls) == 4:
        raise KeyboardInterrupt

signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
try:
    QUERY
except KeyboardInterrupt:
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert (small.contacts(small).pairs.tobytes(), len(world.names)) == expected
    assert big.intersects(other) in (True, False)
    assert len(world.contacts()) >= 0
    print('interrupted')
else:
    print('ended before', len(calls))
"""
)


@pytest.mark.parametrize("name", list(LONG))
def test_a_long_query_hears_signals_and_the_model_goes_on(name: str) -> None:
    # Not by eval: a KeyboardInterrupt that passes it ends the interpreter later, caught or not.
    status, out, problem = python(QUERY.replace("QUERY", LONG[name]), timeout=300)
    assert status == 0, problem
    assert out == "interrupted\n", out


def test_ctrl_c_is_a_keyboard_interrupt() -> None:
    code = """
# A shell hides the signal from what it starts in the background, and so from its children.
signal.signal(signal.SIGINT, signal.default_int_handler)

def interrupt():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
try:
    big.contacts(other, poses)
except KeyboardInterrupt:
    print('interrupted')
print(small.intersects(small))
"""
    status, out, problem = python(SCENE + code, timeout=300)
    assert status == 0 and out.split() == ["interrupted", "True"], out + problem


def test_what_a_handler_raises_is_raised() -> None:
    code = (
        SCENE
        + """
def handle(number, frame):
    # A handler may ask itself, but not the world that is being asked.
    seen.append(small.intersects(small))
    try:
        world.names
    except RuntimeError as error:
        seen.append('asked')
    raise ZeroDivisionError('from the handler')
seen = []
signal.signal(signal.SIGALRM, handle)
for ask in (lambda: big.contacts(other, poses), lambda: [step(i) for i in range(100000)]):
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        ask()
    except ZeroDivisionError as error:
        print(error, seen)
print(len(world.names), small.intersects(small))
"""
    )
    status, out, problem = python(code, timeout=120)
    assert status == 0, problem
    lines = out.splitlines()
    assert len(lines) == 3 and all(line.startswith("from the handler [True") for line in lines[:2])
    assert lines[2] == "300 True"


def test_a_handler_that_raises_nothing_changes_nothing() -> None:
    code = (
        SCENE
        + """
calls = []
signal.signal(signal.SIGALRM, lambda number, frame: calls.append(small.intersects(small)))
part = poses[::40]
before = big.contacts(other, part)
same = True
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
# However fast the machine is: until a signal came in the middle of some of them.
while same and len(calls) < 10:
    same = big.contacts(other, part).pairs.tobytes() == before.pairs.tobytes()
signal.setitimer(signal.ITIMER_REAL, 0)
print(len(calls), same)
"""
    )
    status, out, problem = python(code, timeout=120)
    assert status == 0, problem
    called, same = out.split()
    assert int(called) >= 10 and same == "True", out


def test_a_query_does_not_hold_the_interpreter_up() -> None:
    model, other = er.Model(*sphere(30)), er.Model(*sphere(29, 0.95))
    poses = random_poses(4000, 0.5, 1)
    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        before, started = counted[0], time.perf_counter()
        for _ in range(20):
            model.contacts(other, poses[:1000])
            if time.perf_counter() - started > 0.5:
                break
        took = time.perf_counter() - started
        during = counted[0] - before
    finally:
        stop.set()
        counter.join()
    # Held, it would have counted a few at most, between the calls.
    assert during > 20 * took, (during, took)


def test_two_threads_ask_at_once() -> None:
    # Each waits inside of nothing: what one asks does not wait for what the other asks.
    slow, fast = er.Model(*sphere(40)), er.Model(np.eye(3), [[0, 1, 2]])
    poses = random_poses(3000, 0.5, 1)
    ended = threading.Event()
    started = threading.Event()

    def ask() -> None:
        started.set()
        slow.distance(slow, poses)
        ended.set()

    thread = threading.Thread(target=ask)
    thread.start()
    started.wait()
    answers = 0
    while not ended.is_set():
        fast.intersects(fast)
        answers += 1
    thread.join()
    assert answers > 100, answers
