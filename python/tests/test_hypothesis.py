"""Small meshes against an oracle of this file's own: all pairs, in rational arithmetic."""

from __future__ import annotations

import collections
import itertools
from fractions import Fraction
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np
from conftest import rotation, shifted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import elbowroom as er

Number = Union[int, Fraction]
Point = Tuple[Number, Number, Number]
Triangle = Tuple[Point, Point, Point]

PLAIN = settings(
    max_examples=250,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)

#: What was met, to be sure that the tests ask about something.
MET: "collections.Counter[str]" = collections.Counter()


# The oracle: sets of points as they are defined, nothing of what an engine does. Coordinates are whole
# numbers (all doubles are, in units of a power of two), and what is divided becomes a fraction.


def sub(p: Point, q: Point) -> Point:
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def dot(p: Point, q: Point) -> Number:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def cross(p: Point, q: Point) -> Point:
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]


def along(p: Point, way: Point, share: Number) -> Point:
    return p[0] + way[0] * share, p[1] + way[1] * share, p[2] + way[2] * share


def place(pose: np.ndarray, point: Sequence[float]) -> Point:
    """R · v + t of the doubles as they are written."""
    rows = [[Fraction(float(entry)) for entry in row] for row in pose[:3]]
    v = [Fraction(float(entry)) for entry in point]
    x, y, z = (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3] for row in rows)
    return x, y, z


def normal(t: Triangle) -> Point:
    return cross(sub(t[1], t[0]), sub(t[2], t[0]))


def is_flat(t: Triangle) -> bool:
    """A segment or a point."""
    return not any(normal(t))


def to_segment(p: Point, a: Point, b: Point) -> Number:
    """Squared distance of a point and a segment, which may be a point."""
    way = sub(b, a)
    length = dot(way, way)
    share = dot(sub(p, a), way)
    if share <= 0:
        off = sub(p, a)
    elif share >= length:
        off = sub(p, b)
    else:
        off = sub(p, a)
        return dot(off, off) - Fraction(share) ** 2 / length
    return dot(off, off)


def between_segments(a: Point, b: Point, c: Point, d: Point) -> Number:
    """Squared distance of two segments."""
    best = min(to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b))
    u, v, w = sub(b, a), sub(d, c), sub(a, c)
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    spread = uu * vv - uv * uv
    if spread:
        s, t = uv * vw - vv * uw, uu * vw - uv * uw
        if 0 <= s <= spread and 0 <= t <= spread:
            apart = dot(cross(u, v), w)
            best = min(best, Fraction(apart) ** 2 / spread)
    return best


def edges(t: Triangle) -> List[Tuple[Point, Point]]:
    return [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]


def sides(p: Point, t: Triangle) -> List[Number]:
    """On which side of each edge a point of the triangle's plane is: all positive inside."""
    n = normal(t)
    return [dot(n, cross(sub(b, a), sub(p, a))) for a, b in edges(t)]


def to_triangle(p: Point, t: Triangle) -> Number:
    """Squared distance of a point and a triangle."""
    best = min(to_segment(p, a, b) for a, b in edges(t))
    n = normal(t)
    if any(n):
        # The foot is off by a multiple of the normal, which no side depends on.
        height = dot(n, sub(p, t[0]))
        if min(sides(p, t)) >= 0:
            best = min(best, Fraction(height) ** 2 / dot(n, n))
    return best


def pierces(a: Point, b: Point, t: Triangle) -> Optional[Point]:
    """Where a segment that is on both sides of the plane goes through the triangle."""
    n = normal(t)
    high, low = dot(n, sub(a, t[0])), dot(n, sub(b, t[0]))
    if high * low >= 0:
        return None
    point = along(a, sub(b, a), Fraction(high) / (high - low))
    return point if min(sides(point, t)) >= 0 else None


def squared(s: Triangle, t: Triangle) -> Number:
    """Squared distance of two triangles."""
    for first, second in ((s, t), (t, s)):
        if any(pierces(a, b, second) for a, b in edges(first)):
            return 0
    best = min(min(to_triangle(p, t) for p in s), min(to_triangle(p, s) for p in t))
    pairs = itertools.product(edges(s), edges(t))
    return min(best, min(between_segments(*one, *other) for one, other in pairs))


def crosses(s: Triangle, t: Triangle) -> bool:
    """Whether two that meet have a point that is inside both, and do not lie in one plane."""
    if is_flat(s) and is_flat(t):
        return False
    if is_flat(s) or is_flat(t):
        segment, face = (s, t) if is_flat(s) else (t, s)
        a, b = max(edges(segment), key=lambda it: dot(sub(*it), sub(*it)))
        point = pierces(a, b, face)
        return point is not None and min(sides(point, face)) > 0
    line = cross(normal(s), normal(t))
    if not any(line):
        return False
    spans = []
    for one, other in ((s, t), (t, s)):
        heights = [dot(normal(other), sub(p, other[0])) for p in one]
        if not min(heights) < 0 < max(heights):
            return False
        ends = [dot(line, p) for p, height in zip(one, heights) if height == 0]
        for i in range(3):
            j = (i + 1) % 3
            if heights[i] * heights[j] < 0:
                share = Fraction(heights[i]) / (heights[i] - heights[j])
                ends.append(dot(line, along(one[i], sub(one[j], one[i]), share)))
        spans.append((min(ends), max(ends)))
    return max(low for low, _ in spans) < min(high for _, high in spans)


def winding(p: Point, triangles: List[Triangle], way: Point) -> Optional[int]:
    """How often a closed mesh goes around a point off it, by a ray; None if that hits an edge."""
    number = 0
    for t in triangles:
        n = normal(t)
        slope, height = dot(n, way), dot(n, sub(t[0], p))
        if slope == 0:
            if height == 0 and any(n):
                return None
            continue
        share = Fraction(height) / slope
        inside = sides(along(p, way, share), t)
        if share > 0 and min(inside) == 0:
            return None
        if share > 0 and min(inside) > 0:
            number += 1 if slope > 0 else -1
    return number


# What is asked about.

SMALL = st.integers(-3, 3).map(float)
NEAR = st.builds(
    lambda whole, part: whole + part * 2.0**-40, st.integers(-2, 2), st.integers(-2, 2)
)
REAL = st.floats(-4, 4, allow_subnormal=True)


@st.composite
def meshes(draw: Any) -> "tuple[np.ndarray, np.ndarray]":
    if draw(st.integers(0, 3)):
        # What Hypothesis draws number by number is mostly zeros.
        random = np.random.default_rng(draw(st.integers(0, 2**32)))
        corners = random.integers(-3, 4, (7, 3)) * random.choice([1.0, 0.3])
        return corners, random.integers(0, 7, (random.integers(1, 5), 3))
    numbers = draw(st.sampled_from([SMALL, SMALL, NEAR, REAL]))
    corners = draw(st.lists(st.tuples(numbers, numbers, numbers), min_size=3, max_size=7))
    index = st.integers(0, len(corners) - 1)
    faces = draw(st.lists(st.tuples(index, index, index), min_size=1, max_size=4))
    return np.array(corners), np.array(faces)


@st.composite
def poses(draw: Any) -> np.ndarray:
    kind = draw(st.sampled_from([0, 0, 0, 1, 2, 3]))
    pose = shifted(*draw(st.tuples(SMALL, SMALL, SMALL))) if kind else np.eye(4)
    if kind == 2:
        axes = draw(st.permutations(range(3)))
        pose[:3, :3] = np.eye(3)[list(axes)]
        if np.linalg.det(pose[:3, :3]) < 0:
            pose[0, :3] = -pose[0, :3]
    if kind == 3:
        axis = np.array(draw(st.tuples(SMALL, SMALL, st.just(1.0))))
        pose[:3, :3] = rotation(axis, draw(st.floats(-3, 3)))
    return pose


def placed(pose: np.ndarray, corners: np.ndarray, faces: np.ndarray) -> List[Triangle]:
    points = [place(pose, corner) for corner in corners]
    return [(points[a], points[b], points[c]) for a, b, c in faces]


def whole(points: Any) -> "Tuple[int, Any]":
    """The same in units in which they are whole, and how many of those are one."""

    def denominators(it: Any) -> Any:
        return (
            [it.denominator]
            if isinstance(it, Fraction)
            else (d for p in it for d in denominators(p))
        )

    def scale(it: Any) -> Any:
        return int(it * unit) if isinstance(it, Fraction) else type(it)(map(scale, it))

    # All are powers of two.
    unit = max(denominators(points), default=1)
    return unit, scale(points)


@settings(PLAIN, max_examples=800)
@given(meshes(), meshes(), poses(), poses())
def test_contacts_and_distances(
    first: Any, second: Any, pose: np.ndarray, other: np.ndarray
) -> None:
    a, b = er.Model(*first), er.Model(*second)
    unit, (all_a, all_b) = whole((placed(pose, *first), placed(other, *second)))
    table = {
        (i, j): squared(s, t)
        for (i, s), (j, t) in itertools.product(enumerate(all_a), enumerate(all_b))
    }
    meeting = sorted(pair for pair, far in table.items() if far == 0)
    found = a.contacts(b, pose, other)
    assert found.pairs.tolist() == [list(pair) for pair in meeting]
    assert found.crossing.tolist() == [crosses(all_a[i], all_b[j]) for i, j in meeting]
    assert a.intersects(b, pose, other) is bool(meeting)
    MET["crossing"] += sum(found.crossing.tolist())
    MET["touching"] += len(meeting) - sum(found.crossing.tolist())
    table = {pair: Fraction(far, unit * unit) for pair, far in table.items()}
    least = min(table.values())
    distance = a.distance(b, pose, other)
    assert (distance == 0) == (least == 0)
    if least > 0:
        MET["apart"] += 1
        error = abs(Fraction(distance) ** 2 / least - 1)
        # Twice 2**-30, and what squares of small numbers lose.
        assert error < Fraction(1, 2**28) or distance < 1e-150
        closest = a.closest_points(b, pose, other)
        assert closest.distance == distance
        assert (
            abs(table[closest.a, closest.b] / least - 1) < Fraction(1, 2**28) or distance < 1e-150
        )
        assert np.isclose(np.linalg.norm(closest.point_a - closest.point_b), distance, atol=1e-12)
    for clearance in (0.5, 2.0):
        if abs(least - Fraction(clearance) ** 2) > Fraction(1, 10**9):
            assert a.is_within(b, clearance, pose, other) is (least <= Fraction(clearance) ** 2)
        elif least == Fraction(clearance) ** 2:
            assert a.is_within(b, clearance, pose, other)


@st.composite
def solids(draw: Any) -> "tuple[np.ndarray, np.ndarray]":
    """Tetrahedra, which may be in each other, of either orientation: a closed mesh."""
    corners: List[Any] = []
    faces: List[Any] = []
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(1, 3))):
        k = len(corners)
        four = random.integers(-3, 4, (4, 3)).astype(float)
        if draw(st.booleans()) and np.linalg.det(four[1:] - four[0]) < 0:
            four = four[[1, 0, 2, 3]]  # Not inside out.
        corners += four.tolist()
        faces += [(k, k + 2, k + 1), (k, k + 1, k + 3), (k + 1, k + 2, k + 3), (k + 2, k, k + 3)]
    return np.array(corners), np.array(faces)


@settings(PLAIN, max_examples=150)
@given(solids(), poses(), st.data())
def test_points_in_solids(solid: Any, pose: np.ndarray, data: Any) -> None:
    model = er.Model(*solid)
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    # Among the corners, at them, on their edges and faces, and anywhere.
    local = np.concatenate([solid[0][:4], random.multinomial(4, [0.25] * 4, 12) / 4 @ solid[0][:4]])
    points = (local @ pose[:3, :3].T + pose[:3, 3]).tolist()
    points += random.integers(-3, 4, (3, 3)).tolist() + random.uniform(-3, 3, (3, 3)).tolist()
    exact = [place(np.eye(4), entries) for entries in points]
    unit, (triangles, exact) = whole((placed(pose, *solid), exact))
    found = model.winding(points, pose)
    inside = model.inside(points, pose)
    closest = model.closest_point(points, pose)
    for i, entries in enumerate(points):
        p = exact[i]
        far = Fraction(min(to_triangle(p, t) for t in triangles), unit * unit)
        assert bool(found.on_surface[i]) is (far == 0), entries
        error = abs(Fraction(closest.distance[i]) ** 2 - far)
        assert error <= far / 2**28 + Fraction(1, 10**24), (closest.distance[i], float(far))
        if far == 0:
            MET["on"] += 1
            assert inside[i]
            continue
        ways = itertools.count(1)
        number = None
        while number is None:
            k = next(ways)
            number = winding(p, triangles, (3 * k * k, 7 * k + 1, k + 5))
        MET["inside" if number > 0 else "outside"] += 1
        assert found.number[i] == number or all(map(is_flat, triangles))
        assert bool(inside[i]) is (number > 0)


@PLAIN
@given(solids(), st.integers(0, 2**32))
def test_rays(solid: Any, seed: int) -> None:
    _, triangles = whole(placed(np.eye(4), *solid))
    model = er.Model(*solid)
    ends = np.random.default_rng(seed).integers(-3, 4, (8, 3)).tolist()
    for start, way in zip(ends[::2], ends[1::2]):
        if not any(way):
            continue
        hit = model.ray_cast(start, way)
        beyond = along(start, way, 100)
        p, beyond = tuple(start), tuple(beyond)
        meeting = [i for i, t in enumerate(triangles) if squared((p, beyond, beyond), t) == 0]
        # The end of the engine's ray is rounded: it may pass by an edge that this one touches.
        through = [i for i in meeting if crosses((p, beyond, beyond), triangles[i])]
        MET["hit" if through else "no hit"] += 1
        if through:
            assert hit.triangle[0] in meeting and np.isfinite(hit.distance[0])
        if not meeting:
            assert hit.triangle[0] == -1


@settings(PLAIN, max_examples=600)
@given(meshes())
def test_a_mesh_meets_itself(mesh: Any) -> None:
    corners, faces = mesh
    _, triangles = whole(placed(np.eye(4), *mesh))
    pairs = [
        [i, j]
        for i, j in itertools.combinations(range(len(faces)), 2)
        if squared(triangles[i], triangles[j]) == 0
    ]
    model = er.Model(*mesh)
    assert model.self_contacts("count").pairs.tolist() == pairs
    apart = [[i, j] for i, j in pairs if not set(triangles[i]) & set(triangles[j])]
    assert model.self_contacts("skip").pairs.tolist() == apart
    decided = model.self_contacts().pairs.tolist()
    assert all(pair in decided for pair in apart) and all(pair in pairs for pair in decided)
    MET["self"] += len(decided)


def test_enough_was_met() -> None:
    assert MET["crossing"] > 150 and MET["touching"] > 300 and MET["apart"] > 80, MET
    assert MET["on"] > 100 and MET["inside"] > 50 and MET["outside"] > 300, MET
    assert MET["hit"] > 50 and MET["no hit"] > 100 and MET["self"] > 100, MET
