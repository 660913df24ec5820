"""Worlds: names in, names out."""

from __future__ import annotations

import itertools
import threading

import numpy as np
import pytest
from conftest import CORNERS, FACES, random_poses, same, shifted, sphere

import elbowroom as er
from elbowroom import errors


@pytest.fixture
def world(tetra: er.Model) -> er.World:
    bodies = er.World()
    for i, name in enumerate("abc"):
        bodies.add(name, tetra, shifted(0.75 * i, 0, 0))
    return bodies


def test_names(world: er.World, tetra: er.Model) -> None:
    assert world.names == ["a", "b", "c"] and len(world) == 3 and repr(world) == "World(3 bodies)"
    assert "a" in world and "d" not in world
    assert world.pose("b").tolist() == shifted(0.75, 0, 0).tolist()
    assert same(world.model("b").vertices, tetra.vertices)
    world.remove("b")
    assert world.names == ["a", "c"] and "b" not in world
    world.add("b", tetra)
    assert sorted(world.names) == ["a", "b", "c"]
    for name in ("", "Zoë", "名前", "a b\n", "x" * 1000):
        world.add(name, tetra, shifted(99, 0, 0))
        assert name in world and name in world.names
        world.remove(name)


def test_unknown_names_and_names_twice(world: er.World, tetra: er.Model) -> None:
    for ask in (
        lambda: world.remove("z"),
        lambda: world.pose("z"),
        lambda: world.model("z"),
        lambda: world.set_pose("z", np.eye(4)),
        lambda: world.set_poses(["a", "z"], np.stack([shifted(9, 9, 9)] * 2)),
        lambda: world.refit("z", CORNERS),
    ):
        with pytest.raises(er.UnknownNameError, match='^"z" is not in the world$') as caught:
            ask()
        assert isinstance(caught.value, KeyError)
    assert world.pose("a").tolist() == np.eye(4).tolist()
    with pytest.raises(errors.ArgumentError, match='"a" is in the world already'):
        world.add("a", tetra)
    with pytest.raises(er.ArrayError, match="2 names and 3 poses"):
        world.set_poses(["a", "b"], np.stack([np.eye(4)] * 3))
    with pytest.raises(er.ArrayError, match="1 names and one pose"):
        world.set_poses(["a"], np.eye(4))
    with pytest.raises(TypeError):
        world.set_poses("a", np.eye(4)[None])
    assert len(world) == 3


def test_pairs(world: er.World) -> None:
    assert world.intersecting_pairs() == [("a", "b"), ("b", "c")]
    assert world.pairs_within(0.5) == [("a", "b"), ("a", "c"), ("b", "c")]
    contacts = world.contacts()
    assert contacts.names == [("a", "b"), ("b", "c")] and len(contacts) == 2
    model, at = world.model("a"), world.pose
    for one in contacts:
        alone = model.contacts(model, at(one.a), at(one.b))
        assert same(one.pairs, alone.pairs) and same(one.crossing, alone.crossing)
    assert repr(contacts).startswith("WorldContacts(2 pairs of bodies")
    assert same(contacts[-1], contacts[1])
    with pytest.raises(IndexError):
        contacts[2]
    world.set_poses(["a", "b"], np.stack([shifted(50, 0, 0), shifted(60, 0, 0)]))
    assert world.intersecting_pairs() == [] and len(world.contacts().pairs) == 0


def test_refit_of_a_body_changes_that_body_alone(tetra: er.Model) -> None:
    soft, world = er.DeformableModel(CORNERS, FACES), er.World()
    world.add("a", soft)
    world.add("b", soft)
    world.add("still", tetra, shifted(20, 0, 0))
    world.refit("a", CORNERS + [9, 0, 0])
    assert world.intersecting_pairs() == []
    assert same(world.model("a").vertices, CORNERS + [9, 0, 0])
    assert same(world.model("b").vertices, CORNERS) and same(soft.vertices, CORNERS)
    with pytest.raises(er.MeshError):
        world.refit("still", CORNERS)
    with pytest.raises(er.MeshError):
        world.refit("a", CORNERS[:3])


def test_a_model_against_a_world(world: er.World, tetra: er.Model) -> None:
    poses = np.stack([shifted(0.7, 0, 0), shifted(-0.75, 0, 0), shifted(50, 0, 0)])
    assert world.intersects(tetra, poses).tolist() == [True, True, False]
    assert world.meeting(tetra, poses) == [["a", "b", "c"], ["a"], []]
    for pose, meets, names in zip(
        poses, world.intersects(tetra, poses), world.meeting(tetra, poses)
    ):
        assert world.intersects(tetra, pose) is bool(meets) and world.meeting(tetra, pose) == names
    name, closest = world.nearest(tetra, shifted(5.5, 0, 0))
    assert name == "c" and closest.distance == 3 and closest.point_a[0] == 5.5
    names, closest = world.nearest(tetra, poses)
    assert names[2] == "c" and closest.point_b.shape == (3, 3)
    assert er.World().nearest(tetra) is None and er.World().nearest(tetra, poses) is None
    assert world.nearest_pair()[0] == ("a", "b")
    assert er.World().nearest_pair() is None
    assert world.meeting(tetra, np.zeros((0, 4, 4))) == []


def test_rays(world: er.World) -> None:
    hits = world.ray_cast(
        [[-1, 0.125, 0.125], [9, 0.125, 0.125], [0, 9, 0]], [[1, 0, 0], [-1, 0, 0], [0, 1, 0]]
    )
    assert hits.name == ["a", "c", None] and hits.distance[0] == 1
    assert hits.triangle[2] == -1 and np.isinf(hits.distance[2])
    assert er.World().ray_cast([0, 0, 0], [1, 0, 0]).name == [None]


def test_a_world_answers_as_its_bodies_do() -> None:
    random = np.random.default_rng(5)
    models = [er.Model(*sphere(rings, size)) for rings, size in ((3, 0.4), (4, 0.5), (5, 0.6))]
    world, bodies = er.World(), {}
    for i, pose in enumerate(random_poses(40, 2.5, 6)):
        bodies[str(i)] = models[i % 3], pose
        world.add(str(i), models[i % 3], pose)
    for step in range(4):
        expected = [
            (a, b)
            for a, b in itertools.combinations(bodies, 2)
            if bodies[a][0].intersects(bodies[b][0], bodies[a][1], bodies[b][1])
        ]
        assert world.intersecting_pairs() == expected and world.contacts().names == expected
        assert len(expected) > 5
        near = [
            (a, b)
            for a, b in itertools.combinations(bodies, 2)
            if bodies[a][0].is_within(bodies[b][0], 0.25, bodies[a][1], bodies[b][1])
        ]
        assert world.pairs_within(0.25) == near
        moved = [str(i) for i in random.choice(40, 10, replace=False)]
        poses = random_poses(10, 2.5, 7 + step)
        world.set_poses(moved, poses)
        for name, pose in zip(moved, poses):
            bodies[name] = bodies[name][0], pose


def test_many_bodies_in_one_call(tetra: er.Model) -> None:
    count = 20_000
    world, names = er.World(), [f"body {i}" for i in range(20_000)]
    for name in names:
        world.add(name, tetra)
    poses = np.repeat(np.eye(4)[None], count, axis=0)
    poses[:, 0, 3] = np.arange(count) * 1.5
    world.set_poses(names, poses)
    assert world.intersecting_pairs() == []
    poses[::2, 0, 3] += 0.75
    world.set_poses(names, poses)
    assert len(world.intersecting_pairs()) == count // 2


def test_a_world_is_asked_and_changed_from_several_threads(tetra: er.Model) -> None:
    world = er.World()
    for i in range(50):
        world.add(str(i), tetra, shifted(3.0 * i, 0, 0))
    problems = []

    def ask() -> None:
        try:
            for _ in range(100):
                found = world.intersecting_pairs()
                assert found in ([], [("0", "1")]), found
                assert world.meeting(tetra, shifted(150, 0, 0)) == []
        except BaseException as error:
            problems.append(error)

    def change() -> None:
        for i in range(200):
            world.set_pose("1", shifted(3.0 * (i % 2), 0, 0))

    threads = [threading.Thread(target=it) for it in (ask, ask, change)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert not problems
