"""MuJoCo on pairs of primitives in MJCF files.

A pair that MuJoCo finds to penetrate by more than TOLERANCE must be a contact. A pair that is
farther apart than TOLERANCE must be none, where the program decides by the primitive itself
(sphere, capsule, box, and a plane against anything), and the distances must agree. A contact of
cylinders and ellipsoids may be an estimate; the pair must then be no farther apart than the stated
bound.
"""

import itertools

import mujoco
import numpy as np

from common import Run, quaternion
from mjcf import TOLERANCE, deepest, direction, load, words

FILES = 12
BODIES = 28
TIGHT = 6
EXACT = {"sphere", "capsule", "box", "plane"}
SIZES = {"sphere": 1, "capsule": 2, "box": 3, "ellipsoid": 3, "cylinder": 2}
GAPS = [1e-3, 1e-5, 3e-6, -3e-6, -1e-5, -1e-3]
HEAD = (
    '<mujoco model="pairs"><compiler angle="radian"/>'
    '<option ccd_tolerance="1e-10" ccd_iterations="500"/><worldbody>\n'
)
TAIL = "</worldbody></mujoco>\n"


def body(name, kind, size, pos, quat):
    return (
        f'<body name="{name}" pos="{words(pos)}" quat="{words(quat)}"><freejoint/>'
        f'<geom name="{name}" type="{kind}" size="{words(size)}"/></body>\n'
    )


def shape(rng, kind):
    return rng.uniform(0.05, 0.35, size=SIZES[kind])


def kind_of(model, geom):
    return mujoco.mjtGeom(model.geom_type[geom]).name.removeprefix("mjGEOM_").lower()


def compare(run, name, model, data, wanted=None):
    """Every pair of a file, or the wanted ones, against `check`."""
    result = run.check([name], "--clearance", "0.2")
    found = {frozenset((c["a"], c["b"])): c for c in result["contacts"]}

    def label(geom):
        return "world" if kind_of(model, geom) == "plane" else model.geom(geom).name

    depths = deepest(model, data, label)
    for g, h in wanted or itertools.combinations(range(model.ngeom), 2):
        pair = frozenset((label(g), label(h)))
        kinds = sorted((kind_of(model, g), kind_of(model, h)))
        distance = mujoco.mj_geomDistance(model, data, g, h, 1000.0, None)
        place = f"{name}, {' and '.join(kinds)} {label(g)} {label(h)}"
        run.count("pairs of primitives")
        run.count(f"pairs of {' and '.join(kinds)}")
        exact = set(kinds) <= EXACT or "plane" in kinds
        compare_pair(run, place, found.get(pair), exact, depths.get(pair, 0.0), distance)


def compare_pair(run, place, contact, exact, depth, distance):
    """One pair: what `check` has of it, and MuJoCo's deepest contact and distance."""
    near = contact is not None and contact["kind"] == "clearance"
    meets = contact is not None and not near
    penetrates = min(depth, distance) < -TOLERANCE
    run.count("pairs in contact" if meets else "pairs apart")
    if penetrates:
        run.count("pairs that penetrate")
        if not meets:
            run.disagree(f"{place}: clear, MuJoCo {depth!r} deep, distance {distance!r}")
    elif meets:
        estimate = contact.get("certainty", "exact") != "exact"
        if estimate:
            run.count("contacts that are estimates")
        if exact and estimate:
            run.disagree(f"{place}: an estimate, of shapes that are exact")
        bound = contact["bound"] if estimate else 0.0
        if distance > bound + TOLERANCE:
            run.disagree(f"{place}: {contact['kind']}, MuJoCo {distance!r} apart, bound {bound!r}")
    elif near and exact:
        run.count("distances of exact shapes")
        run.worst = max(run.worst, abs(contact["distance"] - distance))
        if abs(contact["distance"] - distance) > TOLERANCE:
            run.disagree(f"{place}: distance {contact['distance']!r}, MuJoCo {distance!r}")


def crowds(run):
    """Many bodies in a small room, above and through a plane."""
    for number in range(FILES):
        pos = run.rng.uniform(-1, -0.3, size=3)
        text = HEAD + (
            f'<geom name="ground" type="plane" size="0 0 1" pos="{words(pos)}"'
            f' quat="{words(quaternion(run.rng))}"/>\n'
        )
        for i in range(BODIES):
            kind = list(SIZES)[i % len(SIZES)]
            pos = run.rng.uniform(-0.9, 0.9, size=3)
            text += body(f"b{i}", kind, shape(run.rng, kind), pos, quaternion(run.rng))
        name = f"crowd{number}.xml"
        compare(run, name, *load(run, name, text + TAIL))


def tight(run):
    """Pairs that are moved together until a small gap or a small overlap is left."""
    for number in range(TIGHT):
        pairs = []
        for kinds in itertools.combinations_with_replacement(SIZES, 2):
            sizes = [shape(run.rng, kind) for kind in kinds]
            quats = [quaternion(run.rng) for _ in kinds]
            pairs.append((kinds, sizes, quats, run.rng.uniform(0.8, 1.5) * direction(run.rng)))
        # Far from each other, but not so far that coordinates lose the gaps.
        place = [np.array([5.0 * i, 0.0, 0.0]) for i in range(len(pairs))]

        def text(shifts):
            made = HEAD
            for i, (kinds, sizes, quats, _) in enumerate(pairs):
                made += body(f"a{i}", kinds[0], sizes[0], place[i], quats[0])
                made += body(f"b{i}", kinds[1], sizes[1], place[i] + shifts[i], quats[1])
            return made + TAIL

        shifts = [pair[3] for pair in pairs]
        model, data = load(run, "loose.xml", text(shifts))
        for i in range(len(pairs)):
            ends = np.zeros(6)
            apart = mujoco.mj_geomDistance(model, data, 2 * i, 2 * i + 1, 1000.0, ends)
            toward = (ends[:3] - ends[3:]) / np.linalg.norm(ends[:3] - ends[3:])
            if apart < 1e-2:
                continue
            gap = GAPS[(i + number) % len(GAPS)]
            shifts[i] = shifts[i] + toward * (apart - gap)
            run.count("pairs moved to a small gap" if gap > 0 else "pairs moved to a small overlap")
        name = f"tight{number}.xml"
        model, data = load(run, name, text(shifts))
        compare(run, name, model, data, [(2 * i, 2 * i + 1) for i in range(len(pairs))])


def main():
    run = Run()
    run.worst = 0.0
    crowds(run)
    tight(run)
    print(f"  largest difference of distances: {run.worst:.1e}")
    least = {
        f"pairs of {' and '.join(sorted(kinds))}": 40
        for kinds in itertools.combinations_with_replacement([*SIZES, "plane"], 2)
        if kinds != ("plane", "plane")
    }
    least |= {
        "pairs that penetrate": 400,
        "pairs apart": 2000,
        "pairs moved to a small gap": 30,
        "pairs moved to a small overlap": 30,
        "contacts that are estimates": 5,
        "distances of exact shapes": 100,
    }
    run.finish(least)


main()
