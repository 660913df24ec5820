"""The five structures of the papers: the answers of the engine or of brute force, with counts."""

from __future__ import annotations

import doctest
import inspect
import itertools
import re
import threading
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import pytest
from conftest import CORNERS, FACES, random_poses, rotation, same, shifted, sphere

import elbowroom as er
from elbowroom import papers
from elbowroom.errors import ArgumentError, ArrayError, MeshError, PoseError
from elbowroom.papers import CabHierarchy, CylinderHierarchy, Front, HybridTree, MobbTree, ObbTree

FAMILIES = ["obb", "aabb", "sphere", "14-dop", "18-dop", "24-dop", "26-dop", "cylinder"]
KINDS = ["MOBB", "UMOBB", "Hybrid 1", "Hybrid 2", "MOBB 1 level", "UMOBB 1 level"]
METHODS = ["brute", "aabb-vertices", "aabb-corners", "aabb-centre", "obb", "cab", "cab-sum"]
LAYERS: List[Any] = [
    *("sbbk", "hbbcd", "s-aabb", "s-obb", "aabb-kdop", "auto", "24-dop"),
    [("obb", 0), ("14-dop", 2), ("sphere", 3)],
]
Mesh = Tuple[np.ndarray, np.ndarray]


def blob(rings: int, seed: int) -> Mesh:
    """A ball with a rough surface."""
    vertices, faces = sphere(rings)
    rough = np.random.default_rng(seed).uniform(0.6, 1.2, (len(vertices), 1))
    return vertices * rough, faces


def turned(angle: float, x: float, y: float, z: float = 0.0) -> np.ndarray:
    """A pose that turns about z."""
    pose = shifted(x, y, z)
    pose[:3, :3] = rotation(np.array([0.0, 0.0, 1.0]), angle)
    return pose


def costs(found: papers.Intersection) -> Tuple[Any, Any]:
    return found.volume_tests, found.primitive_tests


# Trees over triangles.

VARIANTS: Dict[str, Dict[str, Any]] = {
    "rapid": {"rapid": True},
    "triangles": {"fit": "triangles"},
    "vertices": {"fit": "vertices"},
    "dito": {"fit": "dito-14", "split": "median"},
    "by spread": {"by_spread": True},
    "sah": {"family": "aabb", "split": "sah", "bins": 8},
    "coarse sah": {"family": "aabb", "split": "sah", "bins": 2},
    "usual sah": {"family": "aabb", "split": "sah"},
    "area-mean": {"split": "area-mean", "by_spread": True, "failed": "halve", "leaf": 4},
    **{family: {"family": family} for family in FAMILIES},
}


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS.keys())
def test_every_obb_tree_finds_the_pairs_of_the_engine(options: Dict[str, Any]) -> None:
    met = {"clear": 0, "contact": 0}
    for seed in range(3):
        a, b = blob(4, seed), blob(3 + seed, seed + 100)
        exact, other = er.Model(*a), er.Model(*b)
        tree, second = ObbTree(*a, **options), ObbTree(*b, **options)
        for pose in random_poses(8, 1.6, seed):
            expected = exact.contacts(other, pose)
            for rule in ("larger", "first", "both"):
                found = tree.intersect(second, pose, rule=rule)
                assert np.array_equal(found.pairs, expected.pairs)
                assert found.count == len(expected.pairs) and bool(found) == bool(expected)
                assert found.verdict == ("contact" if expected else "clear")
                assert found.primitive_tests >= found.count
                assert found.volume_tests == sum(found.by_family.values()) > 0
                assert list(found.by_family) == [options.get("family", "obb")]
            met[found.verdict] += 1
    assert min(met.values()) >= 3, met


def test_variants_of_the_tree_cost_different_counts() -> None:
    a, b = blob(4, 1), blob(5, 2)
    trees = {name: (ObbTree(*a, **it), ObbTree(*b, **it)) for name, it in VARIANTS.items()}
    counted = {costs(first.intersect(second)) for first, second in trees.values()}
    # An option that were passed over would give the counts of another variant.
    assert len(counted) == len(VARIANTS)
    rules = {costs(trees["obb"][0].intersect(trees["obb"][1], rule=it)) for it in ("first", "both")}
    assert len(rules) == 2


def test_trees_of_two_families_are_compared_as_boxes() -> None:
    a, b = ObbTree(*blob(4, 1), family="sphere"), ObbTree(*blob(4, 2), family="18-dop")
    found = a.intersect(b, shifted(0.7, 0, 0))
    exact = er.Model(*blob(4, 1)).contacts(er.Model(*blob(4, 2)), shifted(0.7, 0, 0))
    assert np.array_equal(found.pairs, exact.pairs) and len(found.pairs) > 5
    assert list(found.by_family) == ["obb"]


@pytest.mark.parametrize("make", [ObbTree, HybridTree])
def test_a_limited_level_is_never_wrong(make: Callable[..., Any]) -> None:
    a, b = blob(4, 5), blob(5, 6)
    tree, other, exact = make(*a), make(*b), er.Model(*a)
    poses = random_poses(12, 1.8, 3)
    truth = exact.intersects(er.Model(*b), poses)
    met = dict.fromkeys(papers.VERDICTS, 0)
    tests = []
    for level in [0, 1, 2, 4, 8, 40]:
        found = tree.intersect(other, poses, level=level)
        assert not (truth & (found.verdict == "clear")).any()
        assert not (~truth & (found.verdict == "contact")).any()
        tests.append(found.volume_tests.sum())
        for verdict in found.verdict.tolist():
            met[verdict] += 1
    assert tests == sorted(tests) and tests[0] == 12 and tests[0] < tests[-1]
    assert min(met.values()) >= 4, met
    # Below the leaves no level limits anything.
    assert np.array_equal(found.verdict == "contact", truth)


@pytest.mark.parametrize("make", [ObbTree, HybridTree])
def test_the_first_pair_is_one_of_all(make: Callable[..., Any]) -> None:
    tree, other = make(*blob(4, 7)), make(*blob(4, 8))
    every = tree.intersect(other, shifted(0.5, 0, 0))
    first = tree.intersect(other, shifted(0.5, 0, 0), first=True)
    assert first.count == 1 < every.count and first.verdict == "contact"
    assert first.pairs[0].tolist() in every.pairs.tolist()
    assert first.volume_tests < every.volume_tests
    assert tree.intersect(other, shifted(9.0, 0, 0), first=True).count == 0


@pytest.mark.parametrize("layers", LAYERS, ids=str)
def test_every_hybrid_tree_finds_the_pairs_of_the_engine(layers: Any) -> None:
    met = {"clear": 0, "contact": 0}
    for seed in range(3):
        families = set()
        (points, faces), b = blob(5, seed), blob(4, seed + 50)
        tree, other = HybridTree(points, faces, layers=layers), HybridTree(*b, layers=layers)
        model = er.Model(*b)
        for frame, pose in enumerate(random_poses(6, 2.0, seed)):
            # It deforms from frame to frame, and is as if it were new.
            moved = points * (1.0 + 0.1 * frame) + np.sin(5.0 * points[:, [1, 2, 0]]) * 0.05 * frame
            tree.refit(moved)
            expected = er.Model(moved, faces).contacts(model, pose)
            found = tree.intersect(other, pose)
            assert np.array_equal(found.pairs, expected.pairs)
            assert found.verdict == ("contact" if expected else "clear")
            assert found.volume_tests == sum(found.by_family.values()) > 0
            met[found.verdict] += 1
            families |= set(found.by_family)
        assert families == {family for family, _ in tree.layers}
    assert min(met.values()) >= 2, met


def test_layers_are_what_was_asked_for() -> None:
    mesh = blob(6, 1)
    tree = HybridTree(*mesh)
    assert tree.layers == [("sphere", 0), ("aabb", 1), ("18-dop", 5)]
    by_level = tree.levels()
    assert by_level["family"][0] == "sphere" and by_level["family"][2] == "aabb"
    assert by_level["family"][7] == "18-dop"
    for layers, expected in [
        ("hbbcd", [("sphere", 0), ("aabb", 1), ("obb", 4)]),
        ("s-aabb", [("sphere", 0), ("aabb", 1)]),
        ("s-obb", [("sphere", 0), ("obb", 1)]),
        ("aabb-kdop", [("aabb", 0), ("18-dop", 3)]),
        ("26-DOP", [("26-dop", 0)]),
        (iter([("aabb", 0), ("24-dop", 9)]), [("aabb", 0), ("24-dop", 9)]),
    ]:
        again = tree.with_layers(layers)
        assert again.layers == expected and len(again) == len(tree)
        found, expected = [it.intersect(it, shifted(1.9, 0, 0)) for it in (again, tree)]
        assert same(found.pairs, expected.pairs)
    # What is chosen depends on how often the mesh deforms.
    soft = tree.with_layers("auto", refits=50.0)
    assert "obb" not in dict(soft.layers) and soft.layers != tree.with_layers("auto").layers


def test_other_layers_keep_the_fit() -> None:
    mesh = blob(5, 3)
    areas = {}
    for fit in ("hull", "vertices"):
        made = HybridTree(*mesh, layers="obb", fit=fit).nodes().area
        again = HybridTree(*mesh, layers="aabb", fit=fit).with_layers("obb").nodes().area
        assert np.array_equal(made, again)
        areas[fit] = made.sum()
    assert areas["hull"] != areas["vertices"]


def moving(frames: int) -> np.ndarray:
    """Poses that come near each other in small steps, and part again."""
    times = np.linspace(0, 1, frames)
    return np.array([turned(t, 2.5 * np.cos(np.pi * t) + 0.3, 0.1 * t, 0.2) for t in times])


@pytest.mark.parametrize("raising", [True, False])
def test_a_front_changes_the_work_and_never_the_answer(raising: bool) -> None:
    (points, faces), b = blob(6, 2), blob(6, 3)
    tree, other = HybridTree(points, faces), HybridTree(*b)
    front, lengths = Front(raising=raising), []
    met, saved = {"clear": 0, "contact": 0}, 0
    for frame, pose in enumerate(moving(60)):
        tree.refit(points * (1.0 + 0.002 * frame))
        fresh = tree.intersect(other, pose)
        found = tree.intersect(other, pose, front=front)
        assert np.array_equal(found.pairs, fresh.pairs) and found.verdict == fresh.verdict
        assert found.volume_tests > 0
        saved += fresh.volume_tests - found.volume_tests
        met[found.verdict] += 1
        lengths.append(len(front))
    assert min(met.values()) >= 10 and max(lengths) > 100, (met, lengths)
    # Raised, it is short again after they have parted; as in the paper, it only grows.
    assert raising == (lengths[-1] < max(lengths) / 2)
    assert raising == (saved > 0)
    front.reset()
    assert len(front) == 0


def test_a_front_goes_through_a_batch_in_order() -> None:
    tree, other, poses = HybridTree(*blob(5, 2)), HybridTree(*blob(5, 3)), moving(40)
    front = Front()
    one_by_one = [tree.intersect(other, pose, front=front) for pose in poses]
    batch = tree.intersect(other, poses, front=Front())
    assert batch.volume_tests.tolist() == [it.volume_tests for it in one_by_one]
    assert same(batch.pairs, np.concatenate([it.pairs for it in one_by_one]))


def test_a_front_is_of_two_trees_and_begins_anew_with_others() -> None:
    mesh, front = blob(5, 2), Front()
    a, b = HybridTree(*mesh), HybridTree(mesh[0][:, [1, 2, 0]], mesh[1])
    for first, second in [(a, a), (a, b), (b, a), (b, b), (a, b.with_layers("obb"))]:
        found = first.intersect(second, shifted(0.3, 0, 0), front=front)
        fresh = first.intersect(second, shifted(0.3, 0, 0))
        assert np.array_equal(found.pairs, fresh.pairs) and found.count > 0
        # Nothing of the trees before was taken for one of theirs.
        assert found.volume_tests == fresh.volume_tests
    # Layers do not change the topology, so that the front goes on.
    assert b.intersect(b, shifted(0.3, 0, 0), front=front).volume_tests > 0
    again = b.with_layers("aabb").intersect(b, shifted(0.3, 0, 0), front=front)
    assert again.volume_tests < b.with_layers("aabb").intersect(b, shifted(0.3, 0, 0)).volume_tests
    limited = b.intersect(b, front=front, level=1)
    assert limited.volume_tests == b.intersect(b, level=1).volume_tests


# Links.


def chain(links: int, frames: int, seed: int) -> np.ndarray:
    """(T, J, 4, 4): a chain of joints that coils."""
    random = np.random.default_rng(seed)
    axes, speeds = random.normal(size=(links, 3)), random.uniform(0.3, 1.0, links)
    all_frames = []
    for frame in range(frames):
        pose, joints = np.eye(4), []
        for axis, speed in zip(axes, speeds):
            turn = np.eye(4)
            turn[:3, :3] = rotation(axis, speed * (1 + 0.5 * frame))
            pose = pose @ turn
            joints.append(pose)
            pose = pose @ shifted(0.8, 0, 0)
        all_frames.append(joints)
    return np.array(all_frames)


def bones(links: int) -> List[Mesh]:
    points, faces = sphere(3)
    thick = np.linspace(0.25, 0.4, links)
    return [((points + [1, 0, 0]) * [0.45, it, it], faces) for it in thick]


@pytest.mark.parametrize("method", METHODS)
def test_links_meet_as_their_models_do(method: str) -> None:
    count = 7
    meshes = bones(count)
    models = [er.Model(*mesh) for mesh in meshes]
    # Half of the links are given as models.
    links: List[Any] = [models[i] if i % 2 else meshes[i] for i in range(count)]
    body = CabHierarchy(links, [-1, *range(count - 1)], method=method)
    a, b = chain(count, 12, 1), chain(count, 12, 2)
    b[:, :, :3, 3] += 1.0
    met = {"clear": 0, "contact": 0}
    spared = 0
    for here, there in zip(a, b):
        expected = [
            [i, j]
            for i, j in itertools.product(range(count), repeat=2)
            if models[i].intersects(models[j], here[i], there[j])
        ]
        found = body.intersect(body, here, there)
        assert found.pairs.tolist() == expected and found.count == len(expected)
        assert found.count <= found.primitive_tests <= count**2
        assert list(found.by_family) == (
            [] if method == "brute" else ["aabb" if method[:4] == "aabb" else "obb"]
        )
        spared += count**2 - found.primitive_tests
        met[found.verdict] += 1
        first = body.intersect(body, here, there, first=True)
        assert first.verdict == found.verdict and first.count == min(1, found.count)

        own = [
            [i, j]
            for i, j in itertools.combinations(range(count), 2)
            if models[i].intersects(models[j], there[i], there[j])
        ]
        apart = [pair for pair in own if pair[1] - pair[0] > 1]
        assert body.self_intersect(there, adjacent=False).pairs.tolist() == own
        assert body.self_intersect(there).pairs.tolist() == apart
        if apart:
            met["own"] = met.get("own", 0) + 1
            allowed = apart[0][::-1]
            assert body.self_intersect(there, allowed=[allowed]).pairs.tolist() == apart[1:]
    assert met["clear"] >= 2 and met["contact"] >= 2 and met["own"] >= 2, met
    assert (spared == 0) == (method == "brute")


def test_ways_of_refitting_cost_different_counts() -> None:
    meshes, poses = bones(7), chain(7, 20, 3)
    poses_b = chain(7, 20, 4)
    counted = set()
    for method in ("brute", "aabb-vertices", "aabb-corners", "obb", "cab"):
        body = CabHierarchy(meshes, [-1, 0, 1, 2, 3, 4, 5], method=method)
        found = body.intersect(body, poses, poses_b)
        counted.add((found.volume_tests.sum(), found.primitive_tests.sum()))
    assert len(counted) == 5, counted


def test_links_of_one_joint_and_away_from_it() -> None:
    mesh = (CORNERS, FACES)
    offsets = np.array([np.eye(4), shifted(3.0, 0, 0), shifted(0, 3.0, 0)])
    # Joint 2 carries nothing, joint 1 two links.
    body = CabHierarchy([mesh] * 3, [1, -1, 0], joints=[0, 1, 1], joint_from_link=offsets)
    found = body.self_intersect(adjacent=False)
    assert found.pairs.tolist() == []
    poses = np.array([shifted(3.1, 0, 0), np.eye(4), shifted(9, 9, 9)])
    assert body.self_intersect(poses, adjacent=False).pairs.tolist() == [[0, 1]]
    assert body.self_intersect(poses).count == 0
    one = CabHierarchy([mesh], [-1], joint_from_link=shifted(5.0, 0, 0))
    beside = np.array([shifted(5.2, 0, 0)] * 3)
    assert one.intersect(body, other_pose=beside).pairs.tolist() == [[0, 0]]
    assert len(body) == 5 and body.levels()["members"][0] == 3


# Cylinders.


def shadow_distance(a: np.ndarray, b: np.ndarray) -> float:
    """How far apart two sets of triangles are in the plane, (N, 3, 2) each; 0 where they meet."""

    def cross(p: np.ndarray, q: np.ndarray) -> np.ndarray:
        result: np.ndarray = p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0]
        return result

    def inside(points: np.ndarray, triangles: np.ndarray) -> bool:
        sides = [
            cross(triangles[:, (k + 1) % 3] - triangles[:, k], points[:, None] - triangles[:, k])
            for k in range(3)
        ]
        stacked = np.stack(sides)
        return bool(((stacked >= 0).all(0) | (stacked <= 0).all(0)).any())

    def edges(triangles: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        rolled = np.roll(triangles, -1, axis=1)
        return triangles.reshape(-1, 2), rolled.reshape(-1, 2)

    (p, q), (r, s) = edges(a), edges(b)
    p, q, r, s = p[:, None], q[:, None], r[None], s[None]
    d1, d2 = cross(q - p, r - p), cross(q - p, s - p)
    d3, d4 = cross(s - r, p - r), cross(s - r, q - r)
    if ((d1 * d2 < 0) & (d3 * d4 < 0)).any():
        return 0.0
    if inside(a.reshape(-1, 2), b) or inside(b.reshape(-1, 2), a):
        return 0.0

    def to_segment(x: np.ndarray, u: np.ndarray, v: np.ndarray) -> float:
        along = v - u
        length = np.maximum((along**2).sum(-1), 1e-300)
        share = np.clip(((x - u) * along).sum(-1) / length, 0, 1)
        return float(np.sqrt(((x - u - share[..., None] * along) ** 2).sum(-1)).min())

    return min(to_segment(p, r, s), to_segment(r, p, q))


@pytest.mark.parametrize("parts", ["contour", "union", "triangles", "whole"])
def test_cylinders_are_bounds_of_what_casts_the_shadow(parts: str) -> None:
    threshold = 0.02
    met = {"clear": 0, "may touch": 0, "meet": 0, "near": 0, "levels": 0}
    for seed, cut in enumerate(["centroid", "center", "covariance", "area"]):
        (points, faces), (others, other_faces) = blob(4, seed), blob(5, seed + 9)
        body = CylinderHierarchy(points, faces, parts=parts, cut=cut, threshold=threshold)
        other = CylinderHierarchy(
            others, other_faces, parts=parts, cut=cut, threshold=threshold, holes=False
        )
        random = np.random.default_rng(seed)
        for _ in range(25):
            angle, way = random.uniform(-4, 4), random.uniform(0, 2 * np.pi)
            far = random.uniform(1.2, 2.4)
            pose = turned(angle, far * np.cos(way), far * np.sin(way), random.uniform(-50, 50))
            moved = (others @ pose[:3, :3].T + pose[:3, 3])[:, :2]
            distance = shadow_distance(points[faces][:, :, :2], moved[other_faces])
            found = body.intersect(other, other_pose=pose)
            assert found.verdict in ("clear", "may touch") and found.count == 0 == len(found.pairs)
            assert list(found.by_family) == ["cylinder"] and found.primitive_tests == 0
            assert found.volume_tests > 0
            met[found.verdict] += 1
            if distance == 0.0:
                assert found
                met["meet"] += 1
            elif parts in ("contour", "union"):
                # Around pieces of the contour circles reach no farther than twice the threshold.
                assert not (found and distance > 4 * threshold)
                met["near"] += 1
            # What is clear at a level is clear for certain; a level below all limits nothing.
            limited = [body.intersect(other, other_pose=pose, level=k) for k in (0, 2, 5, 99)]
            assert distance > 0.0 or all(limited)
            assert limited[0].volume_tests == 1 and costs(limited[-1]) == costs(found)
            met["levels"] += len({it.verdict for it in limited}) - 1
    assert min(met["meet"], met["may touch"], met["clear"]) >= 10, met
    assert (met["near"] >= 10) == (parts in ("contour", "union"))
    assert (met["levels"] >= 5) == (parts != "whole"), met


def test_a_body_in_a_ring_of_another_may_touch_it_unless_there_is_room() -> None:
    # A square with a square hole, flat on the floor, and a small one in the middle.
    outer = np.array([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], float)
    faces = []
    for k in range(4):
        j = (k + 1) % 4
        faces += [[k, j, 4 + j], [k, 4 + j, 4 + k]]
    frame = np.concatenate([outer, outer / 2])
    small = ((CORNERS - 0.25) * 0.2, FACES)
    inside = CylinderHierarchy(*small, threshold=0.05)
    verdicts = [
        CylinderHierarchy(frame, faces, threshold=0.05, holes=it).intersect(inside).verdict
        for it in (True, False)
    ]
    assert verdicts == ["clear", "may touch"]


def test_the_area_that_cylinders_cover() -> None:
    points, faces = sphere(8)
    body = CylinderHierarchy(points, faces, threshold=0.02)
    assert abs(body.covered_area(0) - np.pi) < 0.05
    levels = len(body.levels())
    assert body.covered_area() == body.covered_area(levels) < 0.3 and levels > 5
    grid = np.stack(np.meshgrid(*[np.linspace(-1.8, 1.8, 600)] * 2), axis=-1)
    for level in (1, 2, 3, 4):
        # Counted on a raster.
        cut = body.nodes().cut(level)
        discs = zip(cut.center[:, :2], cut.half[:, 0])
        is_covered = np.any([((grid - at) ** 2).sum(-1) < r**2 for at, r in discs], axis=0)
        assert abs(is_covered.mean() * 3.6**2 - body.covered_area(level)) < 0.02


# Motions.


def clip(samples: int, seed: int, size: float = 0.3) -> np.ndarray:
    """A walk on the ground, x, y and radius."""
    random = np.random.default_rng(seed)
    steps = np.cumsum(random.normal(scale=0.08, size=(samples, 2)) + [0.03, 0.01], axis=0)
    return np.column_stack([steps - steps[samples // 2], random.uniform(0.5, 1, samples) * size])


def brute_pairs(
    a: np.ndarray,
    b: np.ndarray,
    times: Tuple[np.ndarray, np.ndarray],
    dts: Tuple[float, float],
    linear: bool,
) -> List[List[int]]:
    """Pairs of samples that are held at a common moment, and whose disks overlap then."""
    found = []
    follow = [np.concatenate([it[1:], it[-1:]]) if linear else it for it in (a, b)]
    for i, j in itertools.product(range(len(a)), range(len(b))):
        since = max(times[0][i], times[1][j])
        until = min(times[0][i] + dts[0], times[1][j] + dts[1])
        if since >= until:
            continue
        ends = []
        for moment in (since, until):
            share = [(moment - times[0][i]) / dts[0], (moment - times[1][j]) / dts[1]]
            at = [
                own[k] + s * (to[k] - own[k])
                for own, to, k, s in zip((a, b), follow, (i, j), share)
            ]
            ends.append((at[0][:2] - at[1][:2], at[0][2] + at[1][2]))
        (p, r), (q, t) = ends
        # |p + s (q - p)|² - (r + s (t - r))² over 0 <= s <= 1.
        square = ((q - p) ** 2).sum() - (t - r) ** 2
        slope, still = 2 * ((p * (q - p)).sum() - r * (t - r)), (p**2).sum() - r**2
        moments = [0.0, 1.0, *([np.clip(-slope / (2 * square), 0, 1)] if square > 0 else [])]
        if min(square * s * s + slope * s + still for s in moments) < 0:
            found.append([i, j])
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("between", ["held", "linear"])
def test_motions_collide_as_their_samples_do(kind: str, between: str) -> None:
    met = {"clear": 0, "contact": 0}
    for seed, options in enumerate(
        [{}, {"n_min": 3, "axis": "covariance"}, {"leaf": "stride", "time_scale": 2.5}]
    ):
        a, b = clip(90, seed), clip(70, seed + 7)
        # Powers of two, so that times are the same numbers here and there.
        dts = (1 / 32, 1 / 16) if seed == 1 else (1 / 32, 1 / 32)
        trees = [
            MobbTree(it, dt, kind=kind, between=between, **options) for it, dt in zip((a, b), dts)
        ]
        random = np.random.default_rng(seed)
        for turn in range(8):
            way, far = random.uniform(0, 2 * np.pi), random.uniform(0, 1.6)
            pose = turned(random.uniform(-3, 3), far * np.cos(way), far * np.sin(way))
            start = float(random.integers(-64, 64)) / 64 - (9.0 if turn == 0 else 0.0)
            placed = b.copy()
            placed[:, :2] = b[:, :2] @ pose[:2, :2].T + pose[:2, 3]
            times = np.arange(len(a)) * dts[0], np.arange(len(b)) * dts[1] + start
            expected = brute_pairs(a, placed, times, dts, between == "linear")
            found = trees[0].intersect(trees[1], other_pose=pose, other_start=start)
            assert found.pairs.tolist() == expected and found.count == len(expected)
            assert found.primitive_tests >= found.count
            first = trees[0].intersect(trees[1], other_pose=pose, other_start=start, first=True)
            assert first.verdict == found.verdict and first.count == min(1, found.count)
            assert costs(first) <= costs(found)
            assert set(found.by_family) <= {"time box", "time obb"}
            met[found.verdict] += 1
    assert min(met.values()) >= 5, met


def test_kinds_of_motion_trees_cost_different_counts() -> None:
    a, b = clip(300, 1), clip(300, 2)
    counted, families = set(), set()
    for kind in KINDS:
        one, two = MobbTree(a, 1 / 30, kind=kind), MobbTree(b, 1 / 30, kind=kind)
        found = one.intersect(two, other_pose=shifted(0.5, 0, 0))
        counted.add((*found.by_family.items(), found.primitive_tests))
        families.add(tuple(found.by_family))
    assert len(counted) == len(KINDS) and len(families) == 3, (counted, families)
    every = MobbTree(a, 1 / 30).intersect(MobbTree(b, 1 / 30))
    stride = MobbTree(a, 1 / 30, leaf="stride").intersect(MobbTree(b, 1 / 30, leaf="stride"))
    assert same(stride.pairs, every.pairs) and stride.primitive_tests < every.primitive_tests
    below = [MobbTree(it, 1 / 30, n_min=n, test_below_leaf=True) for it, n in ((a, 40), (b, 5))]
    above = [MobbTree(it, 1 / 30, n_min=n) for it, n in ((a, 40), (b, 5))]
    found, expected = below[0].intersect(below[1]), above[0].intersect(above[1])
    assert same(found.pairs, expected.pairs) and costs(found) != costs(expected)


def test_as_printed_a_sample_has_one_partner() -> None:
    stand = MobbTree([[0, 0, 0.4]], 1.0)
    come = MobbTree([[x, 0, 0.4] for x in (-3, -2, -1, 0)], 1.0)
    # It arrives within what is left of the other's hold, which has no sample then.
    for one, two, start, other_start in ((come, stand, 0, 2.5), (stand, come, 2.5, 0)):
        asked = one.intersect(two, start=start, other_start=other_start)
        assert asked.verdict == "contact" and asked.count == 1
    found = [
        one.intersect(two, start=start, other_start=other, partners="at its time").verdict
        for one, two, start, other in ((come, stand, 0, 2.5), (stand, come, 2.5, 0))
    ]
    assert found == ["contact", "clear"]


def test_boxes_that_hardly_lean_are_upright() -> None:
    a, b = clip(300, 1), clip(300, 2)
    upright = MobbTree(a, 1 / 30).intersect(MobbTree(b, 1 / 30))
    counted = []
    for aligned in (0.0, 0.3, 1.0):
        one, two = (MobbTree(it, 1 / 30, kind="UMOBB", aligned=aligned) for it in (a, b))
        found = one.intersect(two)
        assert same(found.pairs, upright.pairs)
        counted.append(found.by_family.get("time obb", 0))
    assert counted[0] > counted[1] > counted[2] == 0, counted
    assert costs(found) == costs(upright)


def test_disks_that_only_touch_collide_if_both_motions_say_so() -> None:
    def stands(touching: bool) -> MobbTree:
        return MobbTree([[0, 0, 0.5]] * 4, 0.25, touching=touching)

    for a, b in itertools.product([False, True], repeat=2):
        found = stands(a).intersect(stands(b), other_pose=shifted(1.0, 0, 0))
        assert (found.verdict == "contact") == (a and b)


# All five.


def examples() -> Dict[str, Tuple[Any, Any, Dict[str, np.ndarray], Dict[str, Any]]]:
    """Two of each, arguments of a batch, and one more for all."""
    a, b, poses = blob(4, 1), blob(4, 2), random_poses(50, 1.5, 1)
    turns = np.array([turned(0.2 * k, 1 + 0.03 * k, -0.02 * k) for k in range(50)])
    arm = CabHierarchy(bones(5), [-1, 0, 1, 2, 3])
    others = chain(5, 50, 2)
    others[:, :, :3, 3] += 1.2
    starts = np.linspace(-1, 1, 50)
    return {
        "obb": (ObbTree(*a), ObbTree(*b), {"pose": poses}, {"other_pose": shifted(0.1, 0, 0)}),
        "hybrid": (HybridTree(*a), HybridTree(*b), {"pose": poses, "other_pose": turns}, {}),
        "cab": (arm, arm, {"pose": chain(5, 50, 1), "other_pose": others}, {}),
        "cylinders": (CylinderHierarchy(*a), CylinderHierarchy(*b), {"other_pose": turns}, {}),
        "mobb": (
            MobbTree(clip(90, 1), 1 / 30),
            MobbTree(clip(80, 2), 1 / 30),
            {"other_pose": turns, "start": starts},
            {"other_start": 0.3},
        ),
    }


EXAMPLES = examples()


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_batch_is_many_single_questions(name: str) -> None:
    a, b, batch, fixed = EXAMPLES[name]
    found = a.intersect(b, **batch, **fixed)
    one_by_one = [
        a.intersect(b, **{key: values[k] for key, values in batch.items()}, **fixed)
        for k in range(50)
    ]
    assert found.verdict.tolist() == [it.verdict for it in one_by_one]
    assert 5 <= (found.verdict == "clear").sum() <= 45
    assert found.count.tolist() == [it.count for it in one_by_one]
    assert found.volume_tests.tolist() == [it.volume_tests for it in one_by_one]
    assert found.primitive_tests.tolist() == [it.primitive_tests for it in one_by_one]
    assert same(found.pairs, np.concatenate([it.pairs for it in one_by_one]))
    for family, tests in found.by_family.items():
        assert tests.tolist() == [it.by_family.get(family, 0) for it in one_by_one]
    # Asked again, and from other threads, it is the same to the bit.
    again: List[Any] = []
    threads = [
        threading.Thread(target=lambda: again.append(a.intersect(b, **batch, **fixed)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(again) == 3
    for other in again:
        assert all(map(same, other[:5], found[:5]))
    # A batch of nothing is an answer to nothing.
    none = a.intersect(b, **{key: values[:0] for key, values in batch.items()}, **fixed)
    assert len(none.verdict) == 0 == len(none.count) and none.pairs.shape == (0, 2)


@pytest.mark.parametrize("name", EXAMPLES)
def test_batches_of_different_lengths_are_refused(name: str) -> None:
    a, b, batch, fixed = EXAMPLES[name]
    key = next(iter(batch))
    other = {"pose": "other_pose", "other_pose": "pose"}[key]
    lengths = {**batch, key: batch[key][:7], other: batch[key][:8]}
    with pytest.raises(ArrayError, match="[78] entries and .* [78]"):
        a.intersect(b, **{key: lengths[key], other: lengths[other]})


@pytest.mark.parametrize("name", EXAMPLES)
def test_nodes_and_levels_are_one_tree(name: str) -> None:
    tree = EXAMPLES[name][0]
    nodes, levels = tree.nodes(), tree.levels()
    assert len(tree) == len(nodes.level) == levels["nodes"].sum()
    assert all(len(column) == len(tree) for column in nodes)
    assert levels["nodes"][0] == 1 and nodes.level.max() + 1 == len(levels)
    assert levels["leaves"].sum() == nodes.is_leaf.sum() == (len(tree) + 1) // 2
    assert nodes.members[nodes.is_leaf].sum() == nodes.members[0] == levels["members"][0]
    assert set(nodes.family) <= set(papers.FAMILIES) and (nodes.area > 0).all()
    assert np.allclose(nodes.axes.transpose(0, 2, 1) @ nodes.axes, np.eye(3))
    for level in range(len(levels)):
        assert nodes.cut(level).members.sum() == nodes.members[0]
    # Seen from the box, its corners are as far away as it is large.
    seen = np.einsum("nji,nkj->nki", nodes.axes, nodes.corners - nodes.center[:, None])
    assert np.allclose(np.abs(seen), nodes.half[:, None])
    assert all(len({tuple(it) for it in np.sign(box).tolist()}) == 8 for box in seen)
    assert repr(tree) == f"{type(tree).__name__}({len(tree)} nodes)"


def outside(nodes: papers.Nodes, points: np.ndarray) -> np.ndarray:
    """How far each point is from the nearest of the boxes along their axes."""
    seen = np.einsum("nji,pnj->pni", nodes.axes, points[:, None] - nodes.center)
    far: np.ndarray = (np.abs(seen) - nodes.half).max(axis=2).min(axis=1)
    return far


def test_every_level_encloses_what_is_below_it() -> None:
    points, faces = blob(5, 4)
    moved = points * [1.5, 0.8, 1.0]
    soft = HybridTree(points, faces, layers=[("sphere", 0), ("obb", 2), ("24-dop", 4)])
    soft.refit(moved)
    trees: List[Tuple[Any, np.ndarray]] = [(soft, moved)]
    trees += [(ObbTree(points, faces, family=family), points) for family in FAMILIES]
    for kind in KINDS[:4]:
        disks, dt = clip(90, 3), 0.125
        # The rim of a disk while it is held; time is twice as long as it is in seconds.
        rim = [disks[:, :2] + disks[:, 2:] * np.array(it) for it in [(1, 0), (0, -1), (-0.6, 0.8)]]
        held = [np.column_stack([at, 2 * (np.arange(90) + s) * dt]) for at in rim for s in (0, 1)]
        trees.append((MobbTree(disks, dt, kind=kind, time_scale=2.0), np.concatenate(held)))
    checked = 0
    for tree, inside in trees:
        nodes = tree.nodes()
        for level in range(0, int(nodes.level.max()) + 1, 2):
            assert outside(nodes.cut(level), inside).max() < 1e-9
            checked += 1
        # And it would be seen if one did not.
        assert outside(nodes.cut(2), inside * 1.5).max() > 0.05
    assert checked > 40


def test_boxes_of_links_follow_their_joints() -> None:
    meshes, frames = bones(5), chain(5, 4, 5)
    for method in METHODS:
        body = CabHierarchy(meshes, [-1, 0, 1, 2, 3], method=method)
        for frame in frames:
            nodes = body.nodes(frame)
            if method == "brute":
                assert np.isnan(nodes.area).all() and set(nodes.family) == {""}
                assert body.levels(frame)["family"].tolist() == [""] * len(body.levels(frame))
                continue
            points = np.concatenate(
                [mesh @ pose[:3, :3].T + pose[:3, 3] for (mesh, _), pose in zip(meshes, frame)]
            )
            for level in range(int(nodes.level.max()) + 1):
                assert outside(nodes.cut(level), points).max() < 1e-9
            assert outside(nodes, points + 2.0).max() > 0.5


def test_areas_are_those_of_the_volumes() -> None:
    box = np.array(list(itertools.product([-1.0, 1.0], [-2.0, 2.0], [-3.0, 3.0])))
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    expected = 8.0 * (2 + 6 + 3)
    for family in ("aabb", "obb"):
        assert abs(ObbTree(box, faces, family=family).nodes().area[0] - expected) < 1e-6
    tree = HybridTree(box, faces, layers="sphere")
    assert abs(tree.nodes().area[0] - 4 * np.pi * 14) < 1e-3
    stand = MobbTree([[0, 0, 0.5]] * 8, 0.25, time_scale=3.0)
    assert abs(stand.nodes().area[0] - 2 * (1 + 6 + 6)) < 1e-9


# Bad input.

NAN_MESH = (np.where(CORNERS == 1, np.nan, CORNERS), FACES)
SCALED = np.diag([2.0, 2.0, 2.0, 1.0])
TILTED = shifted(1.0, 0, 0)
TILTED[:3, :3] = rotation(np.array([1.0, 0.0, 0.0]), 0.1)
MIRRORED = np.diag([1.0, -1.0, -1.0, 1.0])
MESH = (CORNERS, FACES)
TETRA = EXAMPLES["obb"][0]
HYBRID = EXAMPLES["hybrid"][0]
ARM = EXAMPLES["cab"][0]
BODY = EXAMPLES["cylinders"][0]
WALK = EXAMPLES["mobb"][0]

REFUSED: List[Tuple[Callable[[], Any], Any, str]] = [
    *[
        (lambda make=make: make(*NAN_MESH), MeshError, "vertex 1")
        for make in (ObbTree, HybridTree, CylinderHierarchy)
    ],
    *[
        (lambda make=make: make(CORNERS, [[0, 1, 9]]), MeshError, "vertex 9")
        for make in (ObbTree, HybridTree, CylinderHierarchy)
    ],
    *[
        (lambda make=make: make(CORNERS, []), MeshError, "")
        for make in (ObbTree, HybridTree, CylinderHierarchy)
    ],
    (lambda: ObbTree("mesh"), (ArrayError, TypeError), ""),
    (lambda: ObbTree(CORNERS[:, :2], FACES), ArrayError, r"\(N, 3\)"),
    (lambda: ObbTree(*MESH, family="egg"), ArgumentError, '"egg"; give one of "sphere", "aabb"'),
    (lambda: ObbTree(*MESH, family="time box"), ArgumentError, "give one of"),
    (lambda: ObbTree(*MESH, fit="tight"), ArgumentError, "fit is"),
    (lambda: ObbTree(*MESH, split="half"), ArgumentError, "split is"),
    (lambda: ObbTree(*MESH, failed="give up"), ArgumentError, "failed is"),
    (lambda: ObbTree(*MESH, leaf=0), ArgumentError, "leaf is 0; give 1"),
    (lambda: ObbTree(*MESH, leaf=-1), ArgumentError, "leaf is -1"),
    (lambda: ObbTree(*MESH, bins=1), ArgumentError, "bins is 1; give 2 to 1024"),
    (lambda: ObbTree(*MESH, leaf=1.5), TypeError, "float"),
    (lambda: ObbTree(*MESH, family=3), TypeError, ""),
    (lambda: TETRA.intersect(HYBRID), TypeError, "give a ObbTree|give an ObbTree"),
    (lambda: TETRA.intersect(None), TypeError, "NoneType"),
    (lambda: TETRA.intersect(TETRA, SCALED), PoseError, ""),
    (lambda: TETRA.intersect(TETRA, np.eye(3)), ArrayError, "other_pose|pose"),
    (lambda: TETRA.intersect(TETRA, rule="smaller"), ArgumentError, "rule is"),
    (lambda: TETRA.intersect(TETRA, level=-1), ArgumentError, "level is -1"),
    (lambda: TETRA.nodes().cut(-1), ArgumentError, "level is -1"),
    (lambda: HybridTree(*MESH, layers="sbbbk"), ArgumentError, 'layers is "sbbbk"; give one of'),
    (lambda: HybridTree(*MESH, layers=[]), ArgumentError, "layers: there is no layer"),
    (lambda: HybridTree(*MESH, layers=[("aabb", 1)]), ArgumentError, "layer 0 begins at level 1"),
    (lambda: HybridTree(*MESH, layers=[("cylinder", 0)]), ArgumentError, "cylinder"),
    (lambda: HybridTree(*MESH, layers=[("sphere", 0), ("aabb", 0)]), ArgumentError, "layer 1"),
    (lambda: HybridTree(*MESH, layers=[("sphere", -1)]), ArgumentError, "level is -1"),
    (lambda: HybridTree(*MESH, layers=[("17-dop", 0)]), ArgumentError, "17-dop"),
    (lambda: HybridTree(*MESH, layers=7), ArgumentError, "layers is 7"),
    (lambda: HybridTree(*MESH, layers=["aabb"]), ArgumentError, "pairs"),
    (lambda: HybridTree(*MESH, layers="auto", refits=-1), ArgumentError, "refits is -1"),
    (lambda: HybridTree(*MESH, refits=float("nan")), ArgumentError, "refits is nan"),
    (lambda: HYBRID.with_layers("none"), ArgumentError, "layers is"),
    (lambda: HYBRID.refit(CORNERS), MeshError, ""),
    (lambda: HYBRID.refit("soft"), ArrayError, "soft"),
    (lambda: HYBRID.intersect(HYBRID, front=3), TypeError, "Front"),
    (lambda: Front(0), ArgumentError, "limit is 0"),
    (lambda: CabHierarchy([], []), ArgumentError, "there are no links"),
    (lambda: CabHierarchy([MESH], []), ArgumentError, "joint 0"),
    (lambda: CabHierarchy([MESH], [0]), ArgumentError, "parents: "),
    (lambda: CabHierarchy([MESH], [5]), ArgumentError, "parents: "),
    (lambda: CabHierarchy([MESH], [-2]), ArgumentError, "parent is -2"),
    (lambda: CabHierarchy([MESH], [-1], joints=[1]), ArgumentError, "joint 1"),
    (lambda: CabHierarchy([MESH], [-1], joints=[0, 0]), ArgumentError, "1 links and 2 joints"),
    (lambda: CabHierarchy([MESH], [-1], method="best"), ArgumentError, "method is"),
    (lambda: CabHierarchy([MESH, NAN_MESH], [-1, 0]), MeshError, "vertex 1"),
    (lambda: CabHierarchy([MESH], [-1], joint_from_link=SCALED), PoseError, ""),
    (lambda: CabHierarchy([MESH], [-1], joint_from_link=np.eye(3)), ArrayError, "joint_from_link"),
    (lambda: CabHierarchy([7], [-1]), (ArrayError, TypeError), ""),
    (lambda: ARM.intersect(ARM, np.eye(4)), ArrayError, r"\(5, 4, 4\)"),
    (lambda: ARM.intersect(ARM, np.eye(4)[None]), ArrayError, r"\(5, 4, 4\)"),
    (lambda: ARM.intersect(ARM, np.tile(SCALED, (5, 1, 1))), PoseError, "pose 0"),
    (lambda: ARM.nodes(chain(5, 2, 1)), ArrayError, "batch"),
    (lambda: ARM.self_intersect(allowed=[(0, 9)]), ArgumentError, "links 0 and 9"),
    (lambda: ARM.self_intersect(allowed=[(0, -1)]), ArgumentError, "link is -1"),
    (lambda: CylinderHierarchy(*MESH, parts="half"), ArgumentError, "parts is"),
    (lambda: CylinderHierarchy(*MESH, cut="middle"), ArgumentError, "cut is"),
    *[
        (lambda it=it: CylinderHierarchy(*MESH, threshold=it), ArgumentError, "threshold is")
        for it in (0.0, -1.0, float("nan"), float("inf"), 1e-9)
    ],
    (lambda: CylinderHierarchy(*MESH, threshold="thin"), ArrayError, "threshold"),
    (lambda: BODY.intersect(BODY, TILTED), PoseError, "pose tilts"),
    (lambda: BODY.intersect(BODY, MIRRORED), PoseError, "tilts"),
    (lambda: BODY.intersect(BODY, None, np.array([np.eye(4), TILTED])), PoseError, "other_pose 1"),
    (lambda: BODY.intersect(BODY, level=-3), ArgumentError, "level is -3"),
    (lambda: BODY.covered_area(-1), ArgumentError, "level is -1"),
    (lambda: MobbTree(np.zeros((0, 3)), 0.1), ArrayError, "at least one sample"),
    (lambda: MobbTree([[0, 0]], 0.1), ArrayError, r"\(N, 3\)"),
    (lambda: MobbTree([[0, np.nan, 1]], 0.1), ArrayError, "y of sample 0 is NaN"),
    (lambda: MobbTree([[0, 0, 1], [0, 0, -1]], 0.1), ArrayError, "radius of sample 1 is -1"),
    *[
        (lambda it=it: MobbTree([[0, 0, 1]], it), ArgumentError, "sampling time")
        for it in (0.0, -1.0, float("nan"), float("inf"))
    ],
    (lambda: MobbTree([[0, 0, 1]], [0.1]), ArrayError, "dt has the shape"),
    (lambda: MobbTree([[0, 0, 1]], 0.1, time_scale=0.0), ArgumentError, "time scale"),
    (lambda: MobbTree([[0, 0, 1]], 0.1, aligned=1.5), ArgumentError, "from 0 to 1"),
    (lambda: WALK.intersect(WALK, partners="all"), ArgumentError, "partners is"),
    (lambda: MobbTree([[0, 0, 1]], 0.1, kind="OBB"), ArgumentError, 'give one of "MOBB 1 level"'),
    (lambda: MobbTree([[0, 0, 1]], 0.1, axis="z"), ArgumentError, "axis is"),
    (lambda: MobbTree([[0, 0, 1]], 0.1, between="jumps"), ArgumentError, "between is"),
    (lambda: MobbTree([[0, 0, 1]], 0.1, leaf="none"), ArgumentError, "leaf is"),
    (lambda: MobbTree([[0, 0, 1]], 0.1, n_min=0), ArgumentError, "n_min is 0"),
    (lambda: WALK.intersect(WALK, TILTED), PoseError, "pose tilts"),
    (lambda: WALK.intersect(WALK, start=float("nan")), ArgumentError, "the start is NaN"),
    (lambda: WALK.intersect(WALK, other_start=[[1.0]]), ArrayError, "other_start has the shape"),
    (lambda: WALK.intersect(WALK, start=[0, 1], other_start=[0, 1, 2]), ArrayError, "2 entries"),
    (lambda: WALK.intersect(WALK, start="soon"), ArrayError, "start"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_bad_input_is_refused_by_a_typed_error(number: int) -> None:
    call, error, text = REFUSED[number]
    with pytest.raises(error, match=text or None):
        call()


def test_a_pose_that_is_refused_has_its_number() -> None:
    poses = np.array([np.eye(4), np.eye(4), SCALED])
    with pytest.raises(PoseError) as caught:
        TETRA.intersect(TETRA, poses)
    assert caught.value.pose == 2
    with pytest.raises(PoseError) as caught:
        BODY.intersect(BODY, np.array([np.eye(4), TILTED]))
    assert caught.value.pose == 1
    with pytest.raises(PoseError) as caught:
        BODY.intersect(BODY, TILTED)
    assert caught.value.pose is None


def test_a_refit_that_is_refused_changes_nothing() -> None:
    points, faces = blob(4, 1)
    tree = HybridTree(points, faces)
    before = tree.intersect(tree, shifted(0.2, 0, 0))
    with pytest.raises(MeshError, match="vertex 3"):
        tree.refit(np.where(np.arange(len(points))[:, None] == 3, np.inf, points))
    assert same(tree.intersect(tree, shifted(0.2, 0, 0)), before)


def test_degenerate_meshes_have_trees() -> None:
    """One triangle, all in one point, without area, many copies: normal input."""
    point = np.ones((3, 3))
    line = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]], float)
    copies = np.tile([[0, 1, 2]], (40, 1))
    asked = 0
    for points, faces in [(point, copies), (line, [[0, 1, 2]]), (line, copies), (CORNERS, copies)]:
        exact = er.Model(points, faces).contacts(er.Model(points, faces))
        trees = [ObbTree(points, faces, **it) for it in VARIANTS.values()]
        for tree in [*trees, *(HybridTree(points, faces, layers=it) for it in LAYERS)]:
            assert np.array_equal(tree.intersect(tree).pairs, exact.pairs)
            asked += 1
        body = CabHierarchy([(points, faces)] * 2, [-1, 0])
        assert body.intersect(body).count == 4
        flat = CylinderHierarchy(points, faces, threshold=0.1)
        assert flat.intersect(flat).verdict == "may touch"
        assert flat.intersect(flat, shifted(50.0, 0, 0)).verdict == "clear"
    assert asked == 4 * (len(VARIANTS) + len(LAYERS))
    still = MobbTree([[0, 0, 0.0]], 1.0)
    assert still.intersect(still).verdict == "clear" and len(still) == 1


def test_anything_with_vertices_and_faces_is_a_mesh() -> None:
    model = er.Model(*blob(4, 1))
    for make in (ObbTree, HybridTree, CylinderHierarchy):
        tree: Any = make(model)
        assert np.array_equal(tree.nodes().area, make(*blob(4, 1)).nodes().area)
    assert len(CabHierarchy([model, model], [-1, 0])) == 3


# Documentation.


def test_examples_run() -> None:
    results = doctest.testmod(papers, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.failed == 0 and results.attempted > 80, results


@pytest.mark.parametrize(
    "owner", [getattr(papers, it) for it in papers.__all__ if inspect.isclass(getattr(papers, it))]
)
def test_every_method_is_documented(owner: type) -> None:
    methods = [it for name, it in inspect.getmembers(owner, inspect.isfunction) if name[0] != "_"]
    is_tuple = issubclass(owner, tuple)
    for thing in [owner, *(it for it in methods if it.__module__ == papers.__name__)]:
        text = inspect.getdoc(thing) or ""
        first = text.split("\n\n")[0]
        assert first.endswith(".") and len(first) <= 100, f"{thing}: {first!r}"
        has_none = thing is owner and is_tuple
        parameters = [] if has_none else list(inspect.signature(thing).parameters)
        section = re.search(r"Parameters\n-+\n(.*?)(\n\n[A-Z]|\Z)", text, re.DOTALL)
        lines = re.findall(r"^(\w[\w, ]*) :", section.group(1), re.MULTILINE) if section else []
        given = [it for line in lines for it in line.split(", ")]
        assert given == [it for it in parameters if it != "self"], thing
        assert not given or ("Raises\n------" in text and ">>>" in text), thing
