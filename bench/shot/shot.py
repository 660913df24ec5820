"""Checks a shot of two people with elbowroom and the Python way, on the same bits, and compares answers and times.

    bench/shot/run [DATA] [--frames N]

The shot is 45 s at 30 frames a second: two people who were captured together (CMU subjects 22 and 23, a shoulder rub, and 33 and 34, a game of catch),
played over and over, on bodies of 2,850 triangles. `elbowroom convert` writes the posed vertices once, and both are given those bits: elbowroom poses them itself, from
rig and clip, which its time includes.

The Python way is what people write who have trimesh: for every frame a mesh and a `CollisionManager` anew, and `in_collision_internal`. It is asked whether
the two meet; elbowroom also says with how many triangles and which parts, merges incidents and writes a report in JSON. The lower bound of the same is
python-fcl alone, one `BVHModel` for each body and frame.

Times are of the wall clock: ours the whole program, start to exit, the best of some runs; Python's the loop alone, without imports and without reading.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import fcl
import numpy as np
import trimesh

SHOTS = [("shoulder rub", "22_09", "23_09"), ("game of catch", "33_01", "34_01")]
RUNS = 5

SCENE = """\
fps = 30
frames = [1, {frames}]
[[character]]
name = "a"
file = "{data}/characters/mh_male2850_cmu.glb"
motion = {{ file = "{data}/mocap/two_person/{a}.bvh.gz", root_scale = 1 }}
loop = true
[[character]]
name = "b"
file = "{data}/characters/mh_female2850_cmu.glb"
motion = {{ file = "{data}/mocap/two_person/{b}.bvh.gz", root_scale = 1 }}
loop = true
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--frames", type=int, default=1350)
    options = parser.parse_args()
    data = pathlib.Path(options.data).resolve()
    if not (data / "mocap" / "two_person").is_dir():
        print(f"there are no captures of two people in {data}", file=sys.stderr)
        return 2
    program = str(pathlib.Path(options.program).resolve())
    print(f"{options.frames} frames; trimesh {trimesh.__version__}, python-fcl and numpy {np.__version__}")
    agree = True
    with tempfile.TemporaryDirectory() as folder:
        for name, a, b in SHOTS:
            agree &= shot(program, pathlib.Path(folder), name, SCENE.format(frames=options.frames, data=data, a=a, b=b))
    return 0 if agree else 1


def shot(program, folder, name, text):
    """One shot: prints a row for each way; whether all say the same."""
    scene, baked = folder / "scene.toml", folder / "scene.npz"
    scene.write_text(text, encoding="utf-8")
    convert = [program, "convert", scene, baked, "--allow-outside", "--quiet", "--force"]
    subprocess.run(convert, check=True)
    ours, report = check(program, scene)
    sizes = [(entry["vertices"], entry["triangles"]) for entry in report["objects"]]
    vertices, faces = split(np.load(baked), sizes)
    meeting = {contact["frame"] for contact in report["contacts"]}
    print(f"\n{name}: {sizes[0][1]} and {sizes[1][1]} triangles, {report['incidents_found']} incidents")
    print(f"{'way':32} {'seconds':>8} {'ratio':>6}  frames with contact")
    row("elbowroom check --json", ours, ours, len(meeting), "ours")
    agree = True
    for way, ask in [("trimesh.CollisionManager", by_trimesh), ("python-fcl alone", by_fcl)]:
        seconds, found = loop(ask, vertices, faces)
        theirs = {1 + frame for frame in found}
        differ = len(theirs ^ meeting)
        agree &= differ == 0
        row(way, seconds, ours, len(theirs), f"{differ} differ" if differ else "the same")
    return agree


def row(way, seconds, ours, frames, note):
    print(f"{way:32} {seconds:8.3f} {seconds / ours:6.1f}  {frames} ({note})")


def check(program, scene):
    """The best time of some runs, and the report."""
    command = [program, "check", scene, "--allow-outside", "--quiet", "--exit-zero", "--json"]
    best = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True)
        best = min(best, time.perf_counter() - start)
    return best, json.loads(done.stdout)


def split(baked, sizes):
    """The vertices over time and the faces of each body."""
    vertices, faces, first, start = [], [], 0, 0
    for points, triangles in sizes:
        vertices.append(baked["vertices"][:, first : first + points])
        faces.append(baked["faces"][start : start + triangles].astype(np.int64) - first)
        first, start = first + points, start + triangles
    return vertices, faces


def loop(ask, vertices, faces):
    found = []
    start = time.perf_counter()
    for frame in range(len(vertices[0])):
        if ask([body[frame] for body in vertices], faces):
            found.append(frame)
    return time.perf_counter() - start, found


def by_trimesh(vertices, faces):
    manager = trimesh.collision.CollisionManager()
    for name, points, triangles in zip("ab", vertices, faces):
        manager.add_object(name, trimesh.Trimesh(points, triangles, process=False))
    return manager.in_collision_internal()


def by_fcl(vertices, faces):
    bodies = []
    for points, triangles in zip(vertices, faces):
        model = fcl.BVHModel()
        model.beginModel(len(points), len(triangles))
        model.addSubModel(points, triangles)
        model.endModel()
        bodies.append(fcl.CollisionObject(model))
    return fcl.collide(*bodies, fcl.CollisionRequest(), fcl.CollisionResult()) > 0


if __name__ == "__main__":
    sys.exit(main())
