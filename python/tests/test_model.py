"""What models answer: meanings, signs, shapes; pickles and threads."""

from __future__ import annotations

import copy
import os
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from conftest import CORNERS, FACES, python, random_poses, same, shifted, sphere

import elbowroom as er
from elbowroom import results

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
CUBE_FACES = [
    *([0, 1, 3], [0, 3, 2], [4, 7, 5], [4, 6, 7], [0, 5, 1], [0, 4, 5]),
    *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
]

#: Queries about two models and their poses.
ABOUT_TWO = {
    "intersects": {},
    "contacts": {"solid": True, "clearance": 0.1},
    "regions": {},
    "distance": {"solid": True},
    "closest_points": {},
    "is_within": {"clearance": 0.25},
    "penetration": {},
    "overlap": {},
    "minimum_translation": {},
    "through": {},
}


@pytest.fixture(scope="module")
def cube() -> er.Model:
    return er.Model(CUBE, CUBE_FACES)


@pytest.fixture(scope="module")
def balls() -> "tuple[er.Model, er.Model]":
    return er.Model(*sphere(6)), er.Model(*sphere(5, 0.75))


def test_what_a_model_is(cube: er.Model, tetra: er.Model) -> None:
    assert repr(cube) == "Model(8 vertices, 12 faces)"
    assert same(cube.bounds, np.array([[0.0, 0, 0], [1, 1, 1]]))
    assert cube.vertices.dtype == np.float64 and cube.faces.dtype == np.uint32
    profile = cube.solid_profile()
    assert profile == results.SolidProfile(True, True, True, 0, 1, None)
    opened = er.Model(CUBE, CUBE_FACES[:-1]).solid_profile()
    assert (
        not opened.is_closed and opened.boundary_edges == 3 and opened.doubt == "3 boundary edges"
    )
    assert not tetra.is_deformable and er.DeformableModel(CORNERS, FACES).is_deformable


def test_surfaces_and_solids(cube: er.Model) -> None:
    crumb = er.Model(CUBE * 0.25 + 0.5, CUBE_FACES)
    assert cube.intersects(crumb) is False
    assert cube.intersects(crumb, solid=True) is True
    assert cube.contacts(crumb).kind == "clear" and not cube.contacts(crumb)
    solid = cube.contacts(crumb, solid=True)
    assert (solid.kind, solid.inside, solid.is_exact) == ("containment", "b", True) and solid
    assert crumb.contacts(cube, solid=True).inside == "a"
    assert cube.contacts(cube, solid=True).inside == "both"
    assert cube.distance(crumb) == 0.25 and cube.distance(crumb, solid=True) == -0.25
    opened = er.Model(CUBE, CUBE_FACES[:-1])
    assert not opened.contacts(crumb, solid=True).is_exact
    batch = np.stack([np.eye(4), shifted(5, 0, 0)])
    assert cube.intersects(crumb, None, batch, solid=True).tolist() == [True, False]
    assert cube.distance(crumb, None, batch, solid=True).tolist() == [-0.25, 4.5]


def test_clearance(cube: er.Model) -> None:
    apart = shifted(1.5, 0, 0)
    assert cube.contacts(cube, apart).kind == "clear"
    assert cube.contacts(cube, apart, clearance=0.49).kind == "clear"
    near = cube.contacts(cube, apart, clearance=0.5)
    assert near.kind == "clearance" and not near
    assert cube.is_within(cube, 0.5, apart) and not cube.is_within(cube, 0.49, apart)
    touching = cube.contacts(cube, shifted(1, 0, 0), clearance=0.5)
    assert touching.kind == "touching" and touching and not touching.crossing.any()


def test_minimum_translation_moves_the_model_that_is_asked(cube: er.Model) -> None:
    for at, other_at in (
        ([0.9, 0, 0], [0, 0, 0]),
        ([0, 0, 0], [0.9, 0, 0]),
        ([3, 4, 4.8], [3, 4, 4]),
    ):
        pose, other = shifted(*at), shifted(*other_at)
        out = cube.minimum_translation(cube, pose, other)
        way = np.sign(np.array(at) - other_at)
        assert out.is_convex and out.is_exact
        assert np.allclose(out.vector, way * out.upper, atol=1e-9)
        assert np.isclose(np.linalg.norm(out.vector), out.upper) and out.lower <= out.upper
        freed = cube.contacts(cube, shifted(*(at + out.vector * (1 + 1e-9))), other, solid=True)
        assert freed.kind in ("touching", "clear")
        # The other way, or the other model by the same vector, does not free them.
        assert cube.overlap(cube, shifted(*(at - out.vector)), other).volume > 0
        assert cube.overlap(cube, pose, shifted(*(other_at + out.vector))).volume > 0
    clear = cube.minimum_translation(cube, shifted(7, 0, 0))
    assert clear.upper == 0 and clear.vector.tolist() == [0, 0, 0]


def test_penetration_has_a_point_of_one_and_a_foot_on_the_other(cube: er.Model) -> None:
    deep = cube.penetration(cube, shifted(0.75, 0.1, 0.1))
    assert deep.lower <= 0.25 + 1e-12 and deep.upper >= 0.25 - 1e-12 and deep.is_overlap
    assert deep.upper - deep.lower < 1e-3
    assert np.isclose(np.linalg.norm(deep.point - deep.foot), deep.lower, atol=1e-6)
    assert 0.75 <= deep.point[0] <= 1
    mesh, other = (0, 1) if deep.is_of_a else (1, 0)
    assert 0 <= deep.triangle < 12 and 0 <= deep.other < 12 and mesh != other
    assert max(deep.a_in_b, deep.b_in_a) == deep.lower
    apart = cube.penetration(cube, shifted(2, 0, 0))
    assert (apart.lower, apart.upper, apart.triangle, apart.other) == (0, 0, -1, -1)
    assert not apart.is_overlap and np.isnan(apart.point).all()


def test_overlap(cube: er.Model) -> None:
    half = cube.overlap(cube, shifted(0.5, 0.25, 0))
    assert abs(half.volume - 0.375) <= max(half.volume_error, 1e-15) and half.is_exact
    stacked = cube.overlap(cube, shifted(0, 0, 1))
    assert stacked.volume == 0 and np.isclose(stacked.against, 1)
    inner = er.Model(CUBE * 0.5 + 0.25, CUBE_FACES)
    assert np.isclose(cube.overlap(inner).area_b, 1.5) and cube.overlap(inner).area_a == 0


def test_contact_points_push_the_second_away_from_the_first() -> None:
    floor = er.Model([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    pin = er.Model([[1, 1, -0.25], [0.5, 1, 1], [1.5, 1, 1]], [[0, 1, 2]])
    for a, b, sign in ((floor, pin, 1), (pin, floor, -1)):
        points = a.contact_points(b, a.contacts(b).pairs)
        assert np.allclose(points.point, [[1, 1, 0]]) and np.allclose(points.depth, 0.25)
        assert np.allclose(points.normal, [[0, 0, sign]])


def test_triangles_that_only_touch_have_no_depth() -> None:
    flat = er.Model([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    found = flat.contacts(flat, None, shifted(0.5, 0.5, 0))
    assert found.kind == "touching"
    points = flat.contact_points(flat, found.pairs, None, shifted(0.5, 0.5, 0))
    assert points.depth.tolist() == [0]
    apart = flat.contact_points(flat, [[0, 0]], None, shifted(0, 0, 2))
    assert apart.depth.tolist() == [0] and apart.normal.tolist() == [[0, 0, 1]]


def test_a_region_points_from_the_first_to_the_second(cube: er.Model) -> None:
    [region] = cube.regions(cube, shifted(0.2, 0.2, 0.9))
    assert region.normal[2] < -0.7 and region.crossing > 0 and region.length > 2
    assert all(curve.shape[1] == 3 for curve in region.curves)
    closed = region.curves[0]
    assert same(closed[0], closed[-1])
    assert (region.low <= region.point).all() and (region.point <= region.high).all()
    assert cube.regions(cube, shifted(5, 0, 0)) == []


def test_through(cube: er.Model) -> None:
    bar = er.Model(CUBE * [0.25, 0.25, 5] + [0.4, 0.4, -2], CUBE_FACES)
    assert bar.through(cube) == (True, False, True)
    assert cube.through(bar) == (False, True, True)
    batch = bar.through(cube, np.stack([np.eye(4), shifted(9, 0, 0), shifted(0, 0, 2.5)]))
    assert batch.a_through_b.tolist() == [True, False, False]


def test_time_of_impact(cube: er.Model) -> None:
    start, end = shifted(-3, 0, 0), shifted(5, 0, 0)
    hit = cube.time_of_impact(cube, start, end)
    assert 0.25 - 1e-6 < hit.time <= 0.25 and hit.separation < 1e-6 and hit.a >= 0
    # The other one stays where it started, or moves itself.
    assert cube.time_of_impact(cube, start, end, shifted(0, 5, 0)).time == np.inf
    miss = cube.time_of_impact(cube, start, end, shifted(0, 5, 0), shifted(1, 5, 0))
    assert miss.time == np.inf and miss.a == miss.b == -1 and np.isnan(miss.point_a).all()
    meet = cube.time_of_impact(cube, start, end, shifted(5, 0, 0), shifted(-3, 0, 0))
    assert abs(meet.time - 7 / 16) < 1e-6
    near = cube.time_of_impact(cube, start, end, clearance=1)
    assert abs(near.time - 0.125) < 1e-6
    batch = cube.time_of_impact(cube, np.stack([start, np.eye(4)]), end)
    assert batch.time.tolist() == [hit.time, 0.0]


def test_self_contacts() -> None:
    folded = er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.1, 0.1, 0]], [[0, 1, 2], [2, 1, 3]])
    assert folded.self_contacts().pairs.tolist() == [[0, 1]]
    assert len(folded.self_contacts("skip").pairs) == 0
    assert folded.self_contacts("count").pairs.tolist() == [[0, 1]]


def test_points_and_rays(cube: er.Model) -> None:
    points = np.array([[0.5, 0.5, 0.5], [0, 0.5, 0.5], [2, 0.5, 0.5]])
    assert cube.inside(points).tolist() == [True, True, False]
    winding = cube.winding(points)
    assert winding.number[[0, 2]].tolist() == [1, 0] and winding.is_exact
    assert winding.on_surface.tolist() == [False, True, False]
    assert winding.inside.tolist() == [True, True, False]
    assert cube.inside(points, shifted(2, 0, 0)).tolist() == [False, False, True]
    closest = cube.closest_point(points)
    assert closest.distance.tolist() == [0.5, 0, 1] and closest.point[2].tolist() == [1, 0.5, 0.5]
    hits = cube.ray_cast([[-1, 0.2, 0.3], [-1, 5, 0]], [3, 0, 0])
    assert hits.distance.tolist() == [1, np.inf] and hits.triangle[1] == -1
    assert hits.point[0].tolist() == [0, 0.2, 0.3] and np.isnan(hits.point[1]).all()


@pytest.mark.parametrize("name", list(ABOUT_TWO))
def test_batches_are_single_calls_bit_for_bit(
    name: str, balls: "tuple[er.Model, er.Model]"
) -> None:
    a, b = balls
    poses, others = random_poses(60, 1.2, 1), random_poses(60, 0.4, 2)

    def ask(pose, other_pose):
        return getattr(a, name)(b, pose=pose, other_pose=other_pose, **ABOUT_TWO[name])

    for batch, places in (
        (ask(poses, others), list(zip(poses, others))),
        (ask(poses, None), [(pose, None) for pose in poses]),
        (ask(others[3], poses), [(others[3], pose) for pose in poses]),
    ):
        for i, (pose, other) in enumerate(places):
            single = ask(pose, other)
            assert same(of_batch(batch, i), single), (name, i)


def of_batch(batch: Any, i: int) -> Any:
    """What a batch has for one pose, as one pose has it."""
    if isinstance(batch, tuple):
        return type(batch)(*(of_batch(field, i) for field in batch))
    if isinstance(batch, np.ndarray):
        return batch[i].item() if batch.ndim == 1 else batch[i]
    return batch[i]


def test_motions_in_a_batch_are_single_ones(balls: "tuple[er.Model, er.Model]") -> None:
    a, b = balls
    start, end = random_poses(20, 4, 3), random_poses(20, 1, 4)
    batch = a.time_of_impact(b, start, end, shifted(0.1, 0, 0))
    for i in range(20):
        single = a.time_of_impact(b, start[i], end[i], shifted(0.1, 0, 0))
        assert same(of_batch(batch, i), single)


def test_a_long_batch_is_the_same_on_one_core(balls: "tuple[er.Model, er.Model]") -> None:
    code = """
import os, sys, numpy as np
if sys.argv[1] == 'one' and hasattr(os, 'sched_setaffinity'):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from conftest import random_poses, sphere
import elbowroom as er, hashlib
a, b = er.Model(*sphere(6)), er.Model(*sphere(5, 0.75))
poses = random_poses(3000, 1.5, 9)
told = hashlib.sha256()
found = a.contacts(b, poses, solid=True)
for part in (found.pairs, found.crossing, found.offsets, found.kind, found.inside,
             a.distance(b, poses), *a.closest_points(b, None, poses), *a.penetration(b, poses[:300]),
             *a.winding(poses[:, :3, 3])):
    told.update(np.asarray(part).tobytes())
print(told.hexdigest())
"""
    all_cores, one = python(code, "all"), python(code, "one")
    assert all_cores[0] == one[0] == 0, all_cores[2] + one[2]
    assert all_cores[1] == one[1] and len(one[1]) == 65


def test_a_batch_of_contacts_is_a_sequence(cube: er.Model) -> None:
    batch = cube.contacts(cube, np.stack([np.eye(4), shifted(5, 0, 0), shifted(1, 0, 0)]))
    assert len(batch) == 3 and [it.kind for it in batch] == ["duplicate", "clear", "touching"]
    assert same(batch[-1], batch[2]) and same(batch[np.int64(1)], batch[1])
    assert repr(batch).startswith("BatchContacts(3 poses, 2 in contact")
    for index in (3, -4):
        with pytest.raises(IndexError):
            batch[index]


def test_refit_gives_the_answers_of_a_new_model() -> None:
    vertices, faces = sphere(5)
    soft, still = er.DeformableModel(vertices, faces), er.Model(*sphere(4, 0.8))
    random = np.random.default_rng(0)
    for _ in range(10):
        moved = vertices + random.normal(0, 0.1, vertices.shape)
        soft.refit(moved)
        new = er.Model(moved, faces)
        pose = shifted(*random.uniform(-1, 1, 3))
        assert same(soft.contacts(still, pose), new.contacts(still, pose))
        assert same(soft.distance(still, pose), new.distance(still, pose))
        assert same(soft.self_contacts(), new.self_contacts())
    before = soft.vertices
    with pytest.raises(er.MeshError):
        soft.refit(vertices[:-1])
    assert same(soft.vertices, before)


class Named(er.Model):
    """A class of a user's own."""

    def __new__(cls, *arguments: Any, name: str = "") -> "Named":
        return super().__new__(cls, *arguments)

    def __init__(self, *arguments: Any, name: str = "") -> None:
        self.name = name


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(protocol: int, tetra: er.Model) -> None:
    for model in (tetra, er.DeformableModel(CORNERS, FACES), Named(CORNERS, FACES, name="me")):
        for again in (
            pickle.loads(pickle.dumps(model, protocol)),
            copy.copy(model),
            copy.deepcopy(model),
        ):
            assert type(again) is type(model)
            assert same(again.vertices, model.vertices) and same(again.faces, model.faces)
            assert same(again.contacts(tetra), model.contacts(tetra))
            assert getattr(again, "name", None) == getattr(model, "name", None)
    huge = er.Model(CORNERS * 2.0**40, FACES)
    assert same(pickle.loads(pickle.dumps(huge, protocol)).vertices, huge.vertices)
    answers = tetra.contacts(tetra, np.eye(4)[None]), tetra.contacts(tetra), tetra.overlap(tetra)
    assert same(pickle.loads(pickle.dumps(answers, protocol)), answers)


def test_a_tree_is_a_tree_of_its_mesh(tetra: er.Model) -> None:
    tree = tetra.tree_to_bytes()
    assert isinstance(tree, bytes)
    assert type(er.DeformableModel.from_tree_bytes(CORNERS, FACES, tree)) is er.Model
    with pytest.raises(er.ElbowroomError):
        er.Model.from_tree_bytes(CORNERS * 2, FACES, tree)
    with pytest.raises(er.ElbowroomError):
        er.Model.from_tree_bytes(CORNERS, FACES, tree[:-1])
    assert er.Model(CORNERS * 2.0**40, FACES).tree_to_bytes() is None


def test_several_threads_ask_while_another_refits() -> None:
    vertices, faces = sphere(8)
    soft, still = er.DeformableModel(vertices, faces), er.Model(*sphere(7, 0.9))
    there, away = vertices, vertices + [9, 0, 0]
    near, far = er.Model(there, faces).contacts(still), er.Model(away, faces).contacts(still)
    stop = threading.Event()
    seen = [0, 0]

    def refit() -> None:
        while not stop.is_set():
            soft.refit(away)
            soft.refit(there)

    def ask() -> None:
        for _ in range(150):
            found = soft.contacts(still)
            # One or the other, never a mixture.
            assert same(found, near) or same(found, far)
            seen[bool(found)] += 1

    refitting = threading.Thread(target=refit)
    refitting.start()
    try:
        with ThreadPoolExecutor(4) as pool:
            for done in [pool.submit(ask) for _ in range(4)]:
                done.result(timeout=60)
    finally:
        stop.set()
        refitting.join(30)
    assert not refitting.is_alive() and sum(seen) == 600


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_answers_as_well() -> None:
    code = """
import os, sys, warnings
import numpy as np
from conftest import random_poses, sphere
import elbowroom as er
warnings.simplefilter('ignore')
a, world = er.Model(*sphere(6)), er.World()
world.add('a', a); world.add('b', a)
poses = random_poses(2000, 1.5, 9)
before = a.distance(a, poses).sum(), world.intersecting_pairs()
child = os.fork()
now = a.distance(a, poses).sum(), world.intersecting_pairs()
if child == 0:
    os._exit(0 if now == before else 9)
assert now == before
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    status, _, problem = python(code)
    assert status == 0, problem
