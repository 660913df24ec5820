"""Nothing leaks: memory stays flat over very many calls, and so do the counts of references."""

from __future__ import annotations

import gc
import os
import sys
import weakref
from typing import Any, Callable, Dict

import numpy as np
import pytest
from conftest import CORNERS, FACES, shifted

import elbowroom as er

#: How often each method is called; `ELBOWROOM_CALLS=1000000` for the long run.
CALLS = int(os.environ.get("ELBOWROOM_CALLS", "2000"))

#: Bytes that may stay, whatever is called how often: tables of the allocator and of NumPy.
ROOM = 3 << 20

MODEL = er.Model(CORNERS, FACES)
SOFT = er.DeformableModel(CORNERS, FACES)
POSE, POSES = shifted(0.25, 0, 0), np.stack([shifted(0.25, 0, 0), shifted(3, 0, 0)])
POINTS = np.array([[0.1, 0.1, 0.1], [2, 2, 2]])
TREE = MODEL.tree_to_bytes()
WORLD = er.World()
WORLD.add("a", MODEL)
WORLD.add("soft", SOFT, POSE)


def refused(ask: Callable[[], Any]) -> None:
    try:
        ask()
    except (ValueError, TypeError, KeyError):
        return
    raise AssertionError("it was not refused")


def added() -> None:
    world = er.World()
    world.add("b", MODEL)
    world.add("c", MODEL, POSE)
    world.contacts()
    world.remove("b")


def steps() -> None:
    WORLD.set_pose("a", shifted(0.5, 0, 0))
    WORLD.contacts()
    WORLD.set_poses(["a", "soft"], POSES)
    WORLD.intersecting_pairs()


ASKS: Dict[str, Callable[[], Any]] = {
    "Model": lambda: er.Model(CORNERS, FACES),
    "Model of lists": lambda: er.Model(CORNERS.tolist(), FACES.tolist()),
    "DeformableModel": lambda: er.DeformableModel(CORNERS.astype("f4"), FACES),
    "refit": lambda: SOFT.refit(CORNERS),
    "vertices": lambda: (MODEL.vertices, MODEL.faces, MODEL.bounds, MODEL.is_deformable),
    "solid_profile": lambda: er.Model(CORNERS, FACES).solid_profile(),
    "contact_points": lambda: MODEL.contact_points(MODEL, [[0, 1], [2, 3]], POSE),
    "is_within": lambda: MODEL.is_within(MODEL, 0.5, POSE),
    "time_of_impact": lambda: MODEL.time_of_impact(MODEL, POSES, POSE),
    "self_contacts": MODEL.self_contacts,
    "inside": lambda: MODEL.inside(POINTS),
    "winding": lambda: MODEL.winding(POINTS, POSE),
    "closest_point": lambda: MODEL.closest_point(POINTS),
    "ray_cast": lambda: MODEL.ray_cast(POINTS, [1, 0, 0]),
    "trees": lambda: er.Model.from_tree_bytes(CORNERS, FACES, MODEL.tree_to_bytes()),
    "reduce": lambda: (MODEL.__reduce__(), SOFT.__reduce__()),
    "repr": lambda: (repr(MODEL), repr(WORLD)),
    "a bad shape": lambda: refused(lambda: MODEL.inside([1, 2])),
    "a bad pose": lambda: refused(lambda: MODEL.intersects(MODEL, POSES * 2)),
    "a bad face": lambda: refused(lambda: er.Model(CORNERS, [[0, 1, 9]])),
    "a bad model": lambda: refused(lambda: MODEL.intersects(None)),
    "a bad name": lambda: refused(lambda: WORLD.remove("z")),
    "World": added,
    "World steps": steps,
    "World.refit": lambda: WORLD.refit("soft", CORNERS),
    "World looks": lambda: (WORLD.names, WORLD.pose("a"), WORLD.model("a"), "a" in WORLD),
    "World.pairs_within": lambda: WORLD.pairs_within(0.5),
    "World.nearest_pair": WORLD.nearest_pair,
    "World.ray_cast": lambda: WORLD.ray_cast(POINTS, [1, 0, 0]),
}
for _name in (
    *("intersects", "contacts", "regions", "distance", "closest_points", "penetration"),
    *("overlap", "minimum_translation", "through"),
):
    ASKS[_name] = lambda ask=getattr(MODEL, _name): (ask(MODEL, POSE), ask(MODEL, None, POSES))
for _name in ("intersects", "meeting", "nearest"):
    ASKS[f"World.{_name}"] = lambda ask=getattr(WORLD, _name): (ask(MODEL, POSE), ask(MODEL, POSES))


def resident() -> int:
    """Bytes of this process that are in memory now."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        psutil = pytest.importorskip("psutil", reason="needs /proc or psutil")
        return int(psutil.Process().memory_info().rss)


@pytest.mark.parametrize("name", list(ASKS))
def test_memory_stays_flat(name: str) -> None:
    ask = ASKS[name]
    for _ in range(200):
        ask()
    gc.collect()
    before = resident()
    # Measured in parts: one that grew for a reason of its own does not grow again.
    grown = []
    for _ in range(3):
        for _ in range(CALLS // 3 + 1):
            ask()
        gc.collect()
        grown.append(resident() - before)
        before = resident()
    assert min(grown) < ROOM * max(1, CALLS // 10**6) // 3, grown


def test_references_are_given_back(tetra: er.Model) -> None:
    class Pose(np.ndarray):
        pass

    own = np.eye(4).view(Pose)
    things = [tetra, POSE, POSES, POINTS, CORNERS, FACES, TREE, "a", own, er.ArrayError]
    counts = [sys.getrefcount(thing) for thing in things]
    for _ in range(50):
        for ask in ASKS.values():
            ask()
        tetra.intersects(tetra, own)
        tetra.contacts(tetra, own, POSES)
    gc.collect()
    now = [sys.getrefcount(thing) for thing in things]
    assert all(abs(a - b) <= 2 for a, b in zip(counts, now)), (counts, now)


def test_arrays_and_worlds_let_go() -> None:
    class Array(np.ndarray):
        pass

    vertices = CORNERS.copy().view(Array)
    gone = weakref.ref(vertices)
    model = er.Model(vertices, FACES)
    del vertices
    gc.collect()
    assert gone() is None and len(model.vertices) == 4


def test_big_models_are_freed() -> None:
    from conftest import sphere

    vertices, faces = sphere(60)
    er.Model(vertices, faces)
    world = er.World()
    gc.collect()
    before = resident()
    for _ in range(30):
        model = er.DeformableModel(vertices, faces)
        model.refit(vertices)
        world.add("a", model)
        world.refit("a", vertices)
        world.contacts()
        world.remove("a")
        model.inside(vertices[:100] * 0.9)
    gc.collect()
    # One of them has 10 MB or so.
    assert resident() - before < 60 << 20
