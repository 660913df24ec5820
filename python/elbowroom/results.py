"""Results of queries: named tuples, and small tables if there is one answer for each of many.

To one pose the fields are numbers, to a batch of poses arrays with the axis of the poses first.
Nothing else changes: no flag makes an answer another type.
"""

from __future__ import annotations

from typing import Any, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np

__all__ = [
    "BatchContacts",
    "BodyContacts",
    "ClosestPoint",
    "ClosestPoints",
    "ContactPoints",
    "Contacts",
    "KINDS",
    "MinimumTranslation",
    "Overlap",
    "Penetration",
    "RayHits",
    "Region",
    "SelfContacts",
    "SolidProfile",
    "Through",
    "TimeOfImpact",
    "Windings",
    "WorldContacts",
    "WorldRayHits",
]

#: What two objects are to each other; the numbers in ``BatchContacts.kind`` count from 0.
KINDS = ("clear", "clearance", "touching", "crossing", "containment", "duplicate")

#: Which of two is inside the other; the numbers in ``BatchContacts.inside`` count from 0.
_INSIDE = (None, "a", "b", "both")


class Contacts(NamedTuple):
    """The contacts of two models.

    It is true where they are in contact: ``if a.contacts(b): ...``.
    """

    #: (K, 2): a triangle of the first model and one of the second, in order.
    pairs: np.ndarray
    #: (K,): whether the two go through each other; those that do not touch.
    crossing: np.ndarray
    #: One of :data:`KINDS`.
    kind: str
    #: With ``solid``, which is inside the other: ``"a"``, ``"b"``, ``"both"`` or ``None``.
    inside: Optional[str]
    #: Whether this is certain; of solids it is not where a mesh is not closed.
    is_exact: bool

    def __bool__(self) -> bool:
        return self.kind not in KINDS[:2]


class BatchContacts:
    """The contacts of two models at each pose of a batch; ``batch[i]`` is that of one pose."""

    __slots__ = ("pairs", "crossing", "offsets", "kind", "inside", "is_exact")

    def __init__(
        self,
        pairs: np.ndarray,
        crossing: np.ndarray,
        offsets: np.ndarray,
        kind: np.ndarray,
        inside: np.ndarray,
        is_exact: np.ndarray,
    ) -> None:
        #: (K, 2): the pairs of triangles of all poses.
        self.pairs = pairs
        #: (K,): whether the two go through each other.
        self.crossing = crossing
        #: (P + 1,): those of pose i are ``pairs[offsets[i]:offsets[i + 1]]``.
        self.offsets = offsets
        #: (P,): numbers into :data:`KINDS`.
        self.kind = kind
        #: (P,): 0 neither, 1 the first is inside the second, 2 the other way round, 3 both.
        self.inside = inside
        #: (P,): whether this is certain.
        self.is_exact = is_exact

    def __len__(self) -> int:
        return len(self.kind)

    def __getitem__(self, index: int) -> Contacts:
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"pose {index} of {count}")
        index = index % count
        part = slice(int(self.offsets[index]), int(self.offsets[index + 1]))
        return Contacts(
            self.pairs[part],
            self.crossing[part],
            KINDS[self.kind[index]],
            _INSIDE[self.inside[index]],
            bool(self.is_exact[index]),
        )

    def __iter__(self) -> Iterator[Contacts]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        meeting = int(np.count_nonzero(self.kind > 1))
        return f"BatchContacts({len(self)} poses, {meeting} in contact, {len(self.pairs)} pairs)"


class ContactPoints(NamedTuple):
    """A point of each pair of triangles."""

    #: (K, 3).
    point: np.ndarray
    #: (K, 3): from the first towards the second.
    normal: np.ndarray
    #: (K,): how far the two triangles reach through each other.
    depth: np.ndarray


class Region(NamedTuple):
    """A place where two surfaces meet: triangles that hang together."""

    point: np.ndarray
    #: From the first model towards the second.
    normal: np.ndarray
    #: The length of its curves.
    length: float
    #: The area in which triangles lie in each other.
    area: float
    #: The corners of its box.
    low: np.ndarray
    high: np.ndarray
    #: The triangles of each model.
    triangles_a: np.ndarray
    triangles_b: np.ndarray
    #: How many pairs of triangles touch, and how many cross.
    touching: int
    crossing: int
    #: Curves in which the surfaces meet, each (N, 3); a closed one ends where it begins.
    curves: List[np.ndarray]


class ClosestPoints(NamedTuple):
    """The distance of two models, and their closest points."""

    #: 0 where they meet.
    distance: Any
    #: The point of the first model, (3,) or (P, 3).
    point_a: np.ndarray
    #: The point of the second.
    point_b: np.ndarray
    #: The triangle of each.
    a: Any
    b: Any


class Penetration(NamedTuple):
    """The penetration depth of two solids: between ``lower`` and ``upper``."""

    lower: Any
    upper: Any
    #: The deepest point, (3,) or (P, 3); not a number where there is none.
    point: np.ndarray
    #: The point of the other boundary that is nearest to it.
    foot: np.ndarray
    #: Whether the deepest point is one of the first model.
    is_of_a: Any
    #: The triangle that has the deepest point, and that of the other model that has the foot; or -1.
    triangle: Any
    other: Any
    #: How deep the first is in the second, and the second in the first.
    a_in_b: Any
    b_in_a: Any
    #: Whether the two solids share space.
    is_overlap: Any
    is_exact: Any


class Overlap(NamedTuple):
    """The overlap of two solids: common volume and areas."""

    volume: Any
    #: The volume is right to within this.
    volume_error: Any
    #: How much of each boundary is inside the other solid.
    area_a: Any
    area_b: Any
    #: How much of the boundaries lies in each other: with both solids on one side, and on two.
    shared: Any
    against: Any
    #: The areas are right to within this.
    area_error: Any
    is_exact: Any


class MinimumTranslation(NamedTuple):
    """The shortest translation of the first model after which the two do not overlap."""

    #: What to add to the translation of the first model, the one that was asked: (3,) or (P, 3). Its
    #: length is ``upper``; zero if they do not overlap.
    vector: np.ndarray
    #: No translation shorter than this is enough.
    lower: Any
    #: The length of ``vector``, which is enough.
    upper: Any
    #: Whether both are convex; then ``lower`` and ``upper`` are next to each other.
    is_convex: Any
    #: Whether this is certain: it is if both meshes are closed.
    is_exact: Any


class Through(NamedTuple):
    """Which of two solids goes right through the other; both may."""

    #: Whether the first comes out of the second again.
    a_through_b: Any
    #: Whether the second comes out of the first again.
    b_through_a: Any
    #: Whether this is certain: it is if both meshes are closed.
    is_exact: Any


class TimeOfImpact(NamedTuple):
    """The time of impact of two moving models: never late."""

    #: The share of the motion, 0 to 1; infinite if they do not meet.
    time: Any
    #: How far they are from each other then.
    separation: Any
    #: The points of each that come together, (3,) or (P, 3).
    point_a: np.ndarray
    point_b: np.ndarray
    #: The triangle of each; or -1.
    a: Any
    b: Any


class SelfContacts(NamedTuple):
    """The contacts of a model with itself."""

    #: (K, 2): two triangles, the lower number first.
    pairs: np.ndarray
    #: (K,): whether the two go through each other.
    crossing: np.ndarray


class SolidProfile(NamedTuple):
    """A mesh as a solid: closed or not, and why."""

    #: Every edge has a face on each side.
    is_closed: bool
    is_manifold: bool
    is_oriented: bool
    #: Edges with one face only.
    boundary_edges: int
    #: Pieces that do not hang together.
    components: int
    #: Why answers about it are estimates; ``None`` if they are exact.
    doubt: Optional[str]


class Windings(NamedTuple):
    """The winding number of a mesh around each point."""

    #: (N,): whole where the mesh is closed.
    number: np.ndarray
    #: (N,): whether a point is on the surface.
    on_surface: np.ndarray
    #: (N,): whether a point is inside or on the surface.
    inside: np.ndarray
    is_exact: bool


class ClosestPoint(NamedTuple):
    """The point of a model that is nearest to each of some points."""

    distance: np.ndarray
    point: np.ndarray
    triangle: np.ndarray


class RayHits(NamedTuple):
    """The first hit of each ray."""

    #: (N,): infinite for a ray that hits nothing.
    distance: np.ndarray
    #: (N, 3): not a number there.
    point: np.ndarray
    #: (N,): -1 there.
    triangle: np.ndarray


class BodyContacts(NamedTuple):
    """The contacts of two bodies of a world."""

    a: str
    b: str
    #: (K, 2): a triangle of ``a`` and one of ``b``.
    pairs: np.ndarray
    crossing: np.ndarray


class WorldContacts:
    """The contacts of all bodies of a world. ``contacts[i]`` is one pair of bodies."""

    __slots__ = ("names", "pairs", "crossing", "offsets")

    def __init__(
        self,
        names: List[Tuple[str, str]],
        pairs: np.ndarray,
        crossing: np.ndarray,
        offsets: np.ndarray,
    ) -> None:
        #: The pairs of bodies.
        self.names = names
        #: (K, 2): the pairs of triangles of all pairs of bodies.
        self.pairs = pairs
        #: (K,): whether the two go through each other.
        self.crossing = crossing
        #: Those of pair i are ``pairs[offsets[i]:offsets[i + 1]]``.
        self.offsets = offsets

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: int) -> BodyContacts:
        a, b = self.names[index]
        index = index % len(self.names)
        part = slice(int(self.offsets[index]), int(self.offsets[index + 1]))
        return BodyContacts(a, b, self.pairs[part], self.crossing[part])

    def __iter__(self) -> Iterator[BodyContacts]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"WorldContacts({len(self)} pairs of bodies, {len(self.pairs)} pairs of triangles)"


class WorldRayHits(NamedTuple):
    """The first hit of each ray in a world."""

    #: The name of the body; ``None`` for a ray that hits nothing.
    name: List[Optional[str]]
    distance: np.ndarray
    point: np.ndarray
    triangle: np.ndarray
