"""Asks the published samples of continuous collision detection of others' code, and counts what it gets wrong.

    bench/ccd/run [DATA]

The code is that of the IPC Toolkit's wheel: Tight Inclusion (Wang and others, 2021) and Additive CCD (Li and others, 2021).
Ours is counted on the same queries by `cargo bench -p elbowroom --bench continuous`.

A call from Python has a price of its own; it is measured with the toolkit's test of two boxes, which does next to nothing, and subtracted.
"""

import csv
import gzip
import pathlib
import sys
import time

import ipctk
import numpy as np


def queries(path):
    with gzip.open(path, "rt") as file:
        rows = [[int(cell) for cell in row] for row in csv.reader(file) if row]
    for at in range(0, len(rows), 8):
        eight = rows[at : at + 8]
        # The quotient of two integers is rounded once; the samples are f64 to begin with.
        points = [np.array([r[0] / r[1], r[2] / r[3], r[4] / r[5]]) for r in eight]
        yield points, bool(eight[0][6])


def load(data):
    kinds = {"vertex-face": [], "edge-edge": []}
    for path in sorted(data.glob("*/*/*.csv.gz")):
        if path.parent.name in kinds:
            kinds[path.parent.name] += queries(path)
    return kinds


def ask(call, asked):
    wrong = {"missed": 0, "false": 0}
    for points, truth in asked:
        hit = bool(call(*points)[0])
        wrong["missed"] += truth and not hit
        wrong["false"] += hit and not truth
    return wrong


def clock(call, asked, rounds):
    best = float("inf")
    for _ in range(rounds):
        start = time.thread_time()
        for points, _ in asked:
            call(*points)
        best = min(best, time.thread_time() - start)
    return best / len(asked) * 1e9


def main():
    data = pathlib.Path(sys.argv[1]) / "benchmarks" / "ccd_sample_queries"
    if not data.is_dir():
        sys.exit(f"{data} is not there: name the folder of the data, as ELBOWROOM_DATA does")
    kinds = load(data)
    methods = {
        # A million steps a query is what its paper allows.
        "Tight Inclusion": ipctk.TightInclusionCCD(max_iterations=1_000_000),
        "Additive CCD": ipctk.AdditiveCCD(),
    }
    boxes = {
        "vertex-face": ipctk.point_triangle_aabb_ccd,
        "edge-edge": ipctk.edge_edge_aabb_ccd,
    }
    print(f"IPC Toolkit {ipctk.__version__}")
    print("| method | kind | queries | meet | missed | false positives | ns each, less the call |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for kind, asked in kinds.items():
        price = clock(lambda *p, box=boxes[kind]: box(*p, 0.0), asked, 5)
        for name, method in methods.items():
            face = method.point_triangle_ccd
            call = face if kind == "vertex-face" else method.edge_edge_ccd
            wrong = ask(call, asked)
            each = clock(call, asked, 1) - price
            meet = sum(truth for _, truth in asked)
            print(
                f"| {name} | {kind} | {len(asked):,} | {meet} | {wrong['missed']} | {wrong['false']} | {each:,.0f} |",
                flush=True,
            )


main()
