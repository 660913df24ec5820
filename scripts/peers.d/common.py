"""What the comparisons share: running the program, meshes in and out, counting and asserting."""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np


class Run:
    """One comparison: the program, a seeded generator, a folder for files, and the counts."""

    def __init__(self):
        self.program = os.path.abspath(sys.argv[1])
        self.rng = np.random.default_rng(int(sys.argv[2]))
        self.folder = tempfile.TemporaryDirectory()
        self.counts = {}
        self.wrong = []

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def elbowroom(self, *arguments, codes=(0,)):
        """Runs the program and returns what it printed; any other exit code is an error."""
        done = subprocess.run(
            [self.program, *arguments],
            cwd=self.folder.name,
            capture_output=True,
            text=True,
            timeout=60,
        )
        if done.returncode not in codes:
            command = " ".join(["elbowroom", *arguments])
            raise SystemExit(f"{command}: exit {done.returncode}\n{done.stderr}")
        return done.stdout

    def check(self, files, *options):
        """`check --json`, complete and with every file read."""
        text = self.elbowroom("check", *files, "--json", "-q", *options, codes=(0, 1))
        result = json.loads(text)
        examined = result["pairs_examined"]
        pairs = len(result["objects"]) * (len(result["objects"]) - 1) // 2
        if not result["complete"] or examined != pairs:
            raise SystemExit(f"check of {files} examined {examined} of {pairs} pairs")
        return result

    def count(self, what, by=1):
        self.counts[what] = self.counts.get(what, 0) + by

    def disagree(self, text):
        self.wrong.append(text)

    def finish(self, least):
        """Prints the counts; fails on any disagreement, or if less than `least` was met."""
        for what, number in sorted(self.counts.items()):
            print(f"  {what}: {number}")
        for what, number in least.items():
            if self.counts.get(what, 0) < number:
                self.wrong.append(f"only {self.counts.get(what, 0)} of {what}, expected {number}")
        for text in self.wrong[:20]:
            print(f"  WRONG {text}")
        if len(self.wrong) > 20:
            print(f"  and {len(self.wrong) - 20} more")
        sys.exit(1 if self.wrong else 0)


def read_obj(path):
    """The vertices and triangles of an OBJ of triangles."""
    vertices, triangles = [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words and words[0] == "v":
                vertices.append([float(word) for word in words[1:4]])
            elif words and words[0] == "f":
                assert len(words) == 4, line
                triangles.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return np.array(vertices), np.array(triangles)


def write_obj(path, vertices, triangles):
    """Writes every coordinate so that it is read back bit for bit."""
    with open(path, "w", encoding="utf-8") as out:
        for x, y, z in vertices.tolist():
            out.write(f"v {x!r} {y!r} {z!r}\n")
        for a, b, c in (triangles + 1).tolist():
            out.write(f"f {a} {b} {c}\n")


def rotation(rng):
    """A rotation matrix, uniform over all."""
    w, x, y, z = quaternion(rng)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion(rng):
    """A unit quaternion w, x, y, z."""
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)
