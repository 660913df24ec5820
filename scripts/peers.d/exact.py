"""The judge of pairs on which two programs disagree: triangles in rational arithmetic."""

from fractions import Fraction


def rational(triangle):
    return [tuple(Fraction(float(x)) for x in corner) for corner in triangle]


def minus(p, q):
    return tuple(a - b for a, b in zip(p, q))


def side(a, b, c, p):
    """The sign of p's side of the plane through a, b and c; 0 on it."""
    u, v, w = minus(b, a), minus(c, a), minus(p, a)
    value = (
        u[0] * (v[1] * w[2] - v[2] * w[1])
        - u[1] * (v[0] * w[2] - v[2] * w[0])
        + u[2] * (v[0] * w[1] - v[1] * w[0])
    )
    return (value > 0) - (value < 0)


def turn(a, b, p):
    value = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    return (value > 0) - (value < 0)


def between(a, b, p):
    return all(min(a[i], b[i]) <= p[i] <= max(a[i], b[i]) for i in range(2))


def segments_meet(p, q, a, b):
    """Two segments of the plane have a point in common."""
    s, t = turn(a, b, p), turn(a, b, q)
    u, v = turn(p, q, a), turn(p, q, b)
    if s != t and u != v and s * t <= 0 and u * v <= 0:
        return True
    return (
        (s == 0 and between(a, b, p))
        or (t == 0 and between(a, b, q))
        or (u == 0 and between(p, q, a))
        or (v == 0 and between(p, q, b))
    )


def meets_in_plane(p, q, triangle):
    """A segment in the plane of a triangle with area: both are projected along one axis."""
    for drop in range(3):
        keep = [i for i in range(3) if i != drop]
        a, b, c = ([corner[i] for i in keep] for corner in triangle)
        if turn(a, b, c) != 0:
            break
    else:
        raise ValueError("a triangle without area")
    p, q = [p[i] for i in keep], [q[i] for i in keep]
    edges = [(a, b), (b, c), (c, a)]
    turns = {turn(u, v, p) for u, v in edges}
    return not {1, -1} <= turns or any(segments_meet(p, q, u, v) for u, v in edges)


def segment_meets(p, q, triangle):
    a, b, c = triangle
    s, t = side(a, b, c, p), side(a, b, c, q)
    if s == 0 and t == 0:
        return meets_in_plane(p, q, triangle)
    if s == t:
        return False
    return not {1, -1} <= {side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)}


def triangles_meet(first, second):
    """Whether two triangles of floating-point corners have a point in common, exactly."""
    first, second = rational(first), rational(second)
    return any(
        segment_meets(one[i], one[(i + 1) % 3], other)
        for one, other in ((first, second), (second, first))
        for i in range(3)
    )
