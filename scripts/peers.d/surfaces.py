"""FCL on posed people: the same pairs of triangles, and the same distances.

FCL tests triangles in floating point. A pair on which the two differ is decided in rational
arithmetic: the program must be right there, and FCL's errors are counted.
"""

import itertools

import fcl
import numpy as np

from common import Run, read_obj, rotation, write_obj
from exact import triangles_meet

ROUNDS = 16
PEOPLE = 9
BOX_ROUNDS = 6
FCL_WRONG = "distances in which FCL is wrong, by brute force"
CLIPS = ["walk", "idle", "wave", "turn-left"]


def postures(run):
    """Single frames of made people, as vertices and triangles."""
    made = []
    for kind in ("man", "woman"):
        run.elbowroom("make", kind, "--triangles", "1500", "-o", f"{kind}.glb", "-q")
        for clip in CLIPS:
            name = f"{kind}-{clip}.obj"
            frame = str(run.rng.integers(0, 30))
            run.elbowroom(
                "convert", f"{kind}.glb", name, "--clip", clip, "--frame", frame, "-q"
            )
            made.append(read_obj(run.path(name)))
    return made


def model(vertices, triangles):
    bvh = fcl.BVHModel()
    bvh.beginModel(len(vertices), len(triangles))
    bvh.addSubModel(vertices, triangles)
    bvh.endModel()
    return fcl.CollisionObject(bvh, fcl.Transform())


def fcl_pairs(a, b):
    request = fcl.CollisionRequest(num_max_contacts=10_000_000, enable_contact=False)
    result = fcl.CollisionResult()
    fcl.collide(a, b, request, result)
    return {(contact.b1, contact.b2) for contact in result.contacts}


def closest(p, q):
    """The distance between two triangles that have no point in common."""
    best = np.inf
    for one, other in ((p, q), (q, p)):
        normal = np.cross(other[1] - other[0], other[2] - other[0])
        for corner in one:
            foot = corner - normal * ((corner - other[0]) @ normal) / (normal @ normal)
            edges = np.roll(other, -1, axis=0) - other
            sides = np.cross(edges, foot - other) @ normal
            if min(sides) >= 0:
                best = min(best, np.linalg.norm(corner - foot))
    for i in range(3):
        for j in range(3):
            best = min(best, segments(p[i], p[(i + 1) % 3], q[j], q[(j + 1) % 3]))
    return best


def segments(p, q, a, b):
    """The distance between two segments: by their ends, and by their insides if not parallel."""

    def to_segment(x, s, t):
        along = np.clip((x - s) @ (t - s) / ((t - s) @ (t - s)), 0, 1)
        return np.linalg.norm(x - s - along * (t - s))

    best = min(to_segment(p, a, b), to_segment(q, a, b), to_segment(a, p, q), to_segment(b, p, q))
    u, v = q - p, b - a
    matrix = np.array([[u @ u, -(u @ v)], [-(u @ v), v @ v]])
    if np.linalg.det(matrix) > 1e-14 * matrix[0, 0] * matrix[1, 1]:
        s, t = np.linalg.solve(matrix, [(a - p) @ u, -((a - p) @ v)])
        if 0 <= s <= 1 and 0 <= t <= 1:
            best = min(best, np.linalg.norm(p + s * u - a - t * v))
    return best


def brute_distance(a, b, near):
    """The judge of distances: all pairs of triangles with boxes no farther apart than `near`."""
    p, q = a[0][a[1]], b[0][b[1]]
    low, high = p.min(axis=1), p.max(axis=1)
    best = np.inf
    for triangle in q:
        apart = np.maximum(low - triangle.max(axis=0), triangle.min(axis=0) - high)
        distance = np.linalg.norm(np.maximum(apart, 0), axis=1)
        for i in np.flatnonzero(distance <= near):
            best = min(best, closest(p[i], triangle))
    return best


def compare_pairs(run, name, a, b, ours, theirs):
    for i, j in ours ^ theirs:
        truth = triangles_meet(a[0][a[1][i]], b[0][b[1][j]])
        if truth != ((i, j) in ours):
            run.disagree(f"{name}: triangles {i} and {j} meet: {truth}, in rational arithmetic")
            continue
        run.count("triangle pairs in which FCL is wrong, by rational arithmetic")
    run.count("triangle pairs", len(ours))


def compare_distance(run, name, a, b, ours, theirs):
    run.count("distances")
    if abs(ours - theirs) <= 1e-9 * theirs:
        return
    # The judge is slow. FCL differs rarely if at all: many differences are the program's.
    if run.counts.get(FCL_WRONG, 0) >= 3 or len(run.wrong) >= 3:
        run.disagree(f"{name}: distance {ours!r}, FCL {theirs!r}")
        return
    truth = brute_distance(a, b, min(ours, theirs) * (1 + 1e-6))
    if abs(ours - truth) > 1e-9 * truth:
        run.disagree(f"{name}: distance {ours!r}, FCL {theirs!r}, by brute force {truth!r}")
    else:
        run.count(FCL_WRONG)


def people(run, made):
    """People in a small room, turned and moved; the placement is baked into the vertices."""
    placed = []
    for _ in range(PEOPLE):
        vertices, triangles = made[run.rng.integers(len(made))]
        shift = run.rng.uniform(-0.8, 0.8, size=3)
        centred = vertices - vertices.mean(axis=0)
        placed.append((centred @ rotation(run.rng).T + shift, triangles))
    return placed


def boxes(run, made):
    """Boxes on a coarse grid: faces in one plane, edges on faces, corners on corners."""
    vertices, triangles = made
    placed = []
    for _ in range(PEOPLE):
        size = run.rng.integers(1, 4, size=3)
        placed.append((vertices * size + run.rng.integers(-3, 4, size=3) / 2, triangles))
    return placed


def compare(run, label, meshes):
    """Every pair of some meshes."""
    names = [f"m{i}" for i in range(len(meshes))]
    for name, mesh in zip(names, meshes):
        write_obj(run.path(f"{name}.obj"), *mesh)
    options = ["--split", "none", "--triangles", "--clearance", "10"]
    result = run.check([f"{name}.obj" for name in names], *options)
    contacts = {(c["a"], c["b"]): c for c in result["contacts"]}
    objects = [model(*mesh) for mesh in meshes]
    for i, j in itertools.combinations(range(len(meshes)), 2):
        place = f"{label}, {names[i]} {names[j]}"
        contact = contacts[names[i], names[j]]
        ours = {tuple(pair) for pair in contact.get("triangles", [])}
        if len(ours) != contact["triangle_pairs"]:
            run.disagree(f"{place}: {contact['triangle_pairs']} pairs, {len(ours)} listed")
        apart = contact["kind"] == "clearance"
        if apart == bool(ours) or (contact["distance"] == 0) == apart:
            run.disagree(f"{place}: {contact['kind']}, {len(ours)} pairs, {contact['distance']}")
        compare_pairs(run, place, meshes[i], meshes[j], ours, fcl_pairs(objects[i], objects[j]))
        run.count("pairs apart" if apart else f"pairs that meet, {contact['kind']}")
        if apart:
            request, answer = fcl.DistanceRequest(), fcl.DistanceResult()
            theirs = fcl.distance(objects[i], objects[j], request, answer)
            compare_distance(run, place, meshes[i], meshes[j], contact["distance"], theirs)


def main():
    run = Run()
    made = postures(run)
    for number in range(ROUNDS):
        compare(run, f"people {number}", people(run, made))
    run.elbowroom("make", "box", "--size", "1,1,1", "-o", "box.obj", "-q")
    for number in range(BOX_ROUNDS):
        compare(run, f"boxes {number}", boxes(run, read_obj(run.path("box.obj"))))
    run.finish(
        {
            "pairs that meet, crossing": 100,
            "pairs that meet, touching": 20,
            "pairs apart": 200,
            "triangle pairs": 10000,
            "distances": 200,
        }
    )


main()
