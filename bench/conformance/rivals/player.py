"""Plays the conformance suite through a Python engine, one answer a line.

    python RIVAL.py SUITE.jsonl ANSWERS.jsonl

An engine is an object with one method a question (`meets(a, b)`, `within(a, b, length)`, `point(a, p)`); a question without a method is
answered with null. Answers are written as they come, and a run goes on after the last one, so that an engine that crashes loses only the
question that it crashed on: whoever starts it writes an error for that one and starts it again.
"""

import json
import sys

import numpy as np


class Body:
    """A mesh and where it stands, in doubles."""

    def __init__(self, data):
        self.vertices = np.array(data["vertices"], dtype=np.float64)
        self.triangles = np.array(data["triangles"], dtype=np.int64)
        self.rotation = np.array(data["r"], dtype=np.float64).reshape(3, 3)
        self.translation = np.array(data["t"], dtype=np.float64)

    def matrix(self):
        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation
        matrix[:3, 3] = self.translation
        return matrix

    def placed(self):
        """The placed vertices, for engines that take no placement."""
        return self.vertices @ self.rotation.T + self.translation


def answer(engine, bodies, check):
    method = getattr(engine, check["question"], None)
    if method is None:
        return None
    arguments = list(bodies)
    if check["argument"] is not None:
        arguments.append(check["argument"])
    try:
        given = method(*arguments)
    except Exception as problem:  # What an engine throws is its answer.
        return {"error": f"{type(problem).__name__}: {problem}"[:120]}
    if isinstance(given, np.generic):
        given = given.item()
    if isinstance(given, float) and not np.isfinite(given):
        return {"error": f"it says {given}"}
    return given


def play(engine):
    suite, answers = sys.argv[1:3]
    with open(answers, "a+", encoding="utf-8") as to:
        to.seek(0)
        done = sum(1 for _ in to)
        number = 0
        with open(suite, encoding="utf-8") as lines:
            for line in lines:
                scene = json.loads(line)
                if number + len(scene["checks"]) <= done:
                    number += len(scene["checks"])
                    continue
                bodies = [Body(scene[side]) for side in ("a", "b") if scene[side]]
                for check in scene["checks"]:
                    if number >= done:
                        to.write(json.dumps(answer(engine, bodies, check)) + "\n")
                        to.flush()
                    number += 1
