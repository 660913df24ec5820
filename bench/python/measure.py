"""Runs the engines in turns and writes the record; `run` calls it in an environment with all of them.

Every round asks each engine each question once. Ratios are taken within a round; shown are the median
and the range. Seconds are of the clock, since a batch is asked on all cores by those who can; a
rival's processor time is in the JSON. A rival's answers are compared with ours, one by one.
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

import numpy as np
from scene import Scene

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

QUESTIONS = {
    "boolean": "do two people of 2,850 triangles meet, 200 pairs, one call each",
    "contacts": "all pairs of triangles of the same, one call each",
    "distance": "how far apart are the same, one call each",
    "batch": "do two people meet, 100,000 poses in one call (rivals: in a loop)",
    "distances": "how far apart, 1,000 poses in one call (rivals: in a loop)",
    "refit": "200 frames of a deforming person, ready to be asked (rivals: built again)",
    "inside": "which of 1,000,000 points are inside a ball of 1,520 triangles",
    "overlap": "the volume that two such balls share",
}
#: What users of python-fcl and of trimesh call in a loop.
BATCHES = ("batch", "distances")
TOLERANCE = {"distance": 1e-6, "distances": 1e-6, "overlap": 1e-9, "refit": 1e-6}
NAMES = {
    "ours": "elbowroom",
    "dropin": "elbowroom.trimesh",
    "fcl": "python-fcl",
    "coal": "coal",
    "trimesh": "trimesh",
    "open3d": "Open3D",
    "manifold": "manifold3d",
    "igl": "libigl",
}


class Engine:
    """A process that answers one line with another; ``None`` in place of what it has no answer to."""

    def __init__(self, command):
        self.command = [str(part) for part in command]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, text=True)

    def ask(self, question):
        print(question, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.command[-1]} ended with {self.process.wait()} at {question}")
        return line

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("rust", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--no-record", action="store_true")
    options = parser.parse_args()
    scene = Scene()
    folder = options.work / "scene"
    folder.mkdir(parents=True, exist_ok=True)
    scene.write(folder)
    wanted = [name for name in NAMES if not options.only or name in options.only.split(",")]
    engines, versions = {}, {}
    for name in wanted:
        engine = Engine([sys.executable, HERE / "player.py", name])
        line = engine.process.stdout.readline()
        if line:
            engines[name], versions[name] = engine, json.loads(line)["version"]
        else:
            print(f"absent: {name}", file=sys.stderr)
    if "ours" not in engines:
        print("bench/python: elbowroom itself is absent", file=sys.stderr)
        return 2
    rust = Engine([options.rust, folder])
    rounds = [one_round(engines, rust, index, options.rounds) for index in range(options.rounds)]
    for engine in (*engines.values(), rust):
        engine.end()
    right = verdicts(scene, rounds[0])
    text = table(rounds, right, versions)
    print(text)
    if not options.no_record:
        record(text, rounds, right, versions)
    return 0 if all(right["ours"].values()) else 1


def one_round(engines, rust, index, count):
    """Seconds and answers of every engine, by question."""
    found = {name: {} for name in engines}
    found["rust"] = {}
    for question in (*QUESTIONS, "calls"):
        print(f"round {index + 1} of {count}: {question}", file=sys.stderr)
        for name, engine in engines.items():
            found[name][question] = json.loads(engine.ask(question))
        if question in ("batch", "distances", "calls"):
            clock, processor, _ = map(float, rust.ask(question).split())
            found["rust"][question] = {"seconds": clock, "processor": processor}
    return found


def verdicts(scene, answers):
    """Whether each answer is right: ours by what is known, a rival's by ours."""
    known = {
        "boolean": [pair["intersects"] for pair in scene.pairs],
        "contacts": [pair["n_pairs"] for pair in scene.pairs],
    }
    right = {name: {} for name in answers if name != "rust"}
    for question in QUESTIONS:
        ours = np.array(answers["ours"][question]["found"])
        expected = np.array(known.get(question, ours), dtype=float)
        for name, verdict in right.items():
            answer = answers[name][question]
            if answer is None:
                continue
            theirs = np.array(answer["found"])
            some = expected[: len(theirs)]
            near = TOLERANCE.get(question, 0.0)
            verdict[question] = len(theirs) > 0 and bool(np.allclose(theirs, some, near, near))
    return right


def ratios(rounds, name, question):
    """How many times ours its time is, in each round."""
    return [it[name][question]["seconds"] / it["ours"][question]["seconds"] for it in rounds]


def shown(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def table(rounds, right, versions):
    rivals = [name for name in versions if name != "ours"]
    lines = [
        "| question | elbowroom | " + " | ".join(NAMES[name] for name in rivals) + " |",
        "|---|---|" + "---|" * len(rivals),
    ]
    for question, text in QUESTIONS.items():
        best = min(it["ours"][question]["seconds"] for it in rounds)
        cells = [text, shown(best) + ("" if right["ours"][question] else " **x**")]
        for name in rivals:
            if question not in right[name]:
                cells.append("–")
                continue
            all_of = ratios(rounds, name, question)
            wrong = "" if right[name][question] else " **x**"
            low, high = min(all_of), max(all_of)
            cells.append(f"{statistics.median(all_of):.3g} ({low:.3g}–{high:.3g}){wrong}")
        lines.append("| " + " | ".join(cells) + " |")
    lines.append("")
    calls = 200_000
    by_call = {
        name: min(it[name]["calls"]["seconds"] for it in rounds) / calls
        for name in ("ours", "rust")
    }
    more = by_call["ours"] - by_call["rust"]
    lines.append(
        f"- A single call of `intersects` with a pose takes {shown(by_call['ours'])}, the same in Rust "
        f"{shown(by_call['rust'])}: {shown(more)} for the way in and out."
    )
    for question in BATCHES[:1]:
        to_rust = [
            it["ours"][question]["seconds"] / it["rust"][question]["seconds"] for it in rounds
        ]
        lines.append(
            f"- The {question} takes {statistics.median(to_rust):.2f} times as long as in Rust with "
            f"`intersects_batch` ({min(to_rust):.2f}–{max(to_rust):.2f})."
        )
    to_rust = [
        it["ours"]["distances"]["processor"] / it["rust"]["distances"]["processor"] for it in rounds
    ]
    lines.append(
        f"- The distances take {statistics.median(to_rust):.2f} times the processor's time of a loop in "
        f"Rust ({min(to_rust):.2f}–{max(to_rust):.2f})."
    )
    for name, wording in (("fcl", "python-fcl"), ("coal", "coal")):
        if name in versions:
            of_batches = [statistics.median(ratios(rounds, name, it)) for it in BATCHES]
            lines.append(
                f"- Batches against {wording} in a loop: {mean(of_batches):.3g} times as fast as a "
                "geometric mean."
            )
    if "trimesh" in versions:
        as_called = statistics.median(ratios(rounds, "trimesh", "batch"))
        lines.append(
            f"- The batch against trimesh's `in_collision_single` in a loop: {as_called:.4g} times."
        )
    return "\n".join(lines)


def machine():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    field = lambda name: re.search(rf"^{name}\s*: (.*)$", text, re.MULTILINE).group(1)  # noqa: E731
    return f"{field('model name')} family {field('cpu family')} model {field('model')}"


def record(text, rounds, right, versions):
    today = datetime.date.today().isoformat()
    slug = re.sub(r"[^a-z0-9]+", "-", machine().lower()).strip("-")
    base = ROOT / "bench" / "records" / f"python-{today}-{slug}"
    git = ["git", "describe", "--always", "--dirty"]
    commit = subprocess.run(
        git, cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    listed = ", ".join(
        f"{NAMES[name]} {version}" for name, version in versions.items() if name not in ("dropin",)
    )
    head = f"""# elbowroom's Python package and its peers, {today}

{machine()}, {os.cpu_count()} cores, Python {sys.version.split()[0]}, elbowroom at {commit}. Command:
`bench/python/run`, {len(rounds)} rounds. Peers: {listed}.

The second column is our best time of the clock; the others are a peer's time as a multiple of ours in
the same round: median (least–most). Peers ask in a loop and on one core where they have no batch, which
is how they are used. A slow peer was asked a part, and its time multiplied. **x**: some of its answers
differ from the known ones.

"""
    base.with_suffix(".md").write_text(head + text + "\n")
    kept = [
        {
            name: {
                question: answer and {key: answer[key] for key in ("seconds", "processor")}
                for question, answer in answers.items()
            }
            for name, answers in of_round.items()
        }
        for of_round in rounds
    ]
    whole = {"machine": machine(), "commit": commit, "versions": versions}
    whole.update(right=right, rounds=kept)
    base.with_suffix(".json").write_text(json.dumps(whole, indent=1) + "\n")
    print(f"{base}.md", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
