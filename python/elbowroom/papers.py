"""Five bounding volume hierarchies as their papers describe them, with counts and levels.

===================== =====================================================================
`ObbTree`             oriented boxes over a mesh: Gottschalk, Lin and Manocha, 1996
`CabHierarchy`        boxes over the links of a robot: Schmidl, Walker and Lin, 2004
`HybridTree`          spheres, AABBs and k-DOPs in layers: Liu, Wang and Yang, 2017
`CylinderHierarchy`   cylinders around a character: Stüvel and others, 2014
`MobbTree`            boxes in space-time around a motion: Sung, Chenney and Gleicher
===================== =====================================================================

They are for those who study, teach or compare hierarchies: binary trees that count every test. Those
over triangles answer as :class:`elbowroom.Model` does, which is faster.

All five are asked in one way, ``a.intersect(b, pose, other_pose)``, and answer with an
:class:`Intersection`; ``nodes()`` has the boxes to draw, ``levels()`` a table of the levels.

>>> import numpy as np
>>> from elbowroom.papers import ObbTree
>>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
>>> tree = ObbTree(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
>>> shift = np.eye(4)
>>> shift[0, 3] = 0.25
>>> found = tree.intersect(tree, other_pose=shift)
>>> found.verdict, found.count
('contact', 9)
>>> found.volume_tests > 0, found.primitive_tests >= found.count
(True, True)
>>> tree.levels()["nodes"]
array([1, 2, 2, 2])
"""

from __future__ import annotations

import itertools
import math
import operator
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._arrays import _numbers
from ._native import _papers
from ._table import Table
from .errors import ArgumentError, ArrayError

__all__ = [
    "CabHierarchy",
    "CylinderHierarchy",
    "FAMILIES",
    "Front",
    "HybridTree",
    "Intersection",
    "MobbTree",
    "Nodes",
    "ObbTree",
    "VERDICTS",
]

#: Every family of volumes.
FAMILIES: Tuple[str, ...] = _papers.FAMILIES

#: What is known after a question.
VERDICTS = ("clear", "may touch", "contact")


class Intersection(NamedTuple):
    """What one of the structures found, and the work that it took.

    It is true unless the verdict is ``"clear"``. To a batch the fields are arrays with one entry
    for each pose, but for the pairs, which are those of all poses, one pose after the other.
    """

    #: One of :data:`VERDICTS`. ``"clear"`` and ``"contact"`` are certain; ``"may touch"`` is what a
    #: limited level or cylinders can say.
    verdict: Any
    #: (K, 2): what meets, in order: two triangles, two links, or two samples. Cylinders name none.
    pairs: np.ndarray
    #: How many pairs there are.
    count: Any
    #: How many pairs of volumes were tested: N_v of the papers.
    volume_tests: Any
    #: How many pairs of triangles, links or samples were tested: N_p of the papers.
    primitive_tests: Any
    #: The tests of volumes by family, without families that nothing was tested of.
    by_family: Dict[str, Any]

    def __bool__(self) -> bool:
        return bool(self.verdict != "clear")


class Nodes(NamedTuple):
    """The nodes of a tree, parents before children, and a box around the volume of each."""

    #: (N,): the level; that of the root is 0.
    level: np.ndarray
    #: (N,): whether a node has no children.
    is_leaf: np.ndarray
    #: (N,): how many triangles, links, pieces of a contour or samples are below.
    members: np.ndarray
    #: (N,): one of :data:`FAMILIES`; empty for a node without a volume, whose numbers are ``nan``.
    family: np.ndarray
    #: (N,): the surface area of the volume; of a cylinder that of its circle.
    area: np.ndarray
    #: (N, 3): the centre of the box.
    center: np.ndarray
    #: (N, 3, 3): its axes, as columns.
    axes: np.ndarray
    #: (N, 3): half its extents along the axes.
    half: np.ndarray

    @property
    def corners(self) -> np.ndarray:
        """The corners of the boxes, (N, 8, 3)."""
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
        along = self.half[:, None, :] * signs
        corners: np.ndarray = self.center[:, None, :] + along @ self.axes.transpose(0, 2, 1)
        return corners

    def cut(self, level: int) -> Nodes:
        """The nodes of a level, and the leaves above it: together they enclose everything.

        Parameters
        ----------
        level : int
            The level; that of the root is 0.

        Returns
        -------
        Nodes

        Raises
        ------
        ArgumentError
            If the level is negative.

        Examples
        --------
        >>> from elbowroom.papers import ObbTree
        >>> tree = ObbTree([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
        >>> tree.nodes().cut(1).corners.shape
        (2, 8, 3)
        """
        number = _whole("level", level)
        chosen = (self.level == number) | (self.is_leaf & (self.level < number))
        return Nodes(*(column[chosen] for column in self))


def _whole(name: str, value: Any, least: int = 0, most: int = 2**31 - 1) -> int:
    number = operator.index(value)
    if not least <= number <= most:
        raise ArgumentError(f"{name} is {number}; give {least} to {most}")
    return number


def _real(name: str, value: Any) -> float:
    number = _numbers(value, name)
    if number.ndim:
        raise ArrayError(f"{name} has the shape {number.shape}; give a number")
    return float(number)


def _level(level: Optional[int]) -> Optional[int]:
    return None if level is None else _whole("level", level)


def _answer(raw: Any) -> Intersection:
    is_one, verdicts, pairs, counts, volumes, primitives = raw
    verdict = np.array(VERDICTS)[verdicts]
    families = zip(FAMILIES, volumes.T)
    by_family = {family: tests for family, tests in families if tests.any()}
    found = Intersection(verdict, pairs, counts, volumes.sum(axis=1), primitives, by_family)
    if not is_one:
        return found
    return Intersection(
        str(found.verdict[0]),
        pairs,
        int(counts[0]),
        int(found.volume_tests[0]),
        int(primitives[0]),
        {family: int(tests[0]) for family, tests in by_family.items()},
    )


def _nodes(raw: Any) -> Nodes:
    level, is_leaf, members, family, area, center, axes, half = raw
    names = np.array([*FAMILIES, ""])[np.minimum(family, len(FAMILIES))]
    return Nodes(level, is_leaf, members, names, area, center, axes, half)


def _levels(nodes: Nodes) -> Table:
    rows: List[Dict[str, Any]] = []
    for level in range(int(nodes.level.max()) + 1):
        here = nodes.level == level
        rows.append(
            {
                "level": level,
                "nodes": int(here.sum()),
                "leaves": int(nodes.is_leaf[here].sum()),
                "members": int(nodes.members[here].sum()),
                "family": ", ".join(sorted({it for it in nodes.family[here].tolist() if it})),
                "area": float(nodes.area[here].sum()),
            }
        )
    return Table({name: [row[name] for row in rows] for name in rows[0]})


class _Tree:
    """What all five have."""

    _native: Any

    def _other(self, other: Any) -> Any:
        kind: Any = next(it for it in type(self).__mro__ if it.__module__ == __name__)
        if not isinstance(other, kind):
            raise TypeError(f"other is a {type(other).__name__}; give a {kind.__name__}")
        native: Any = other._native
        return native

    def nodes(self) -> Nodes:
        """The nodes with their boxes, to be drawn.

        Returns
        -------
        Nodes
        """
        return _nodes(self._native.nodes())

    def levels(self) -> Table:
        """A table of the levels: how many nodes each has, what is below, and how large they are.

        Returns
        -------
        Table
            ``level``, ``nodes``, ``leaves``, ``members`` (what is below the nodes of a level, which
            leaves above it have no part in), ``family``, and ``area``: the sum of the nodes' areas.
        """
        return _levels(self.nodes())

    def __len__(self) -> int:
        """How many nodes there are."""
        return len(self._native)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} nodes)"


def _growth(
    family: Optional[str],
    fit: Optional[str],
    split: Optional[str],
    bins: int,
    by_spread: Optional[bool],
    failed: Optional[str],
    leaf: Optional[int],
) -> Dict[str, Any]:
    return {
        "family": family,
        "fit": fit,
        "split": split,
        "bins": _whole("bins", bins, 2, 1024),
        "by_spread": None if by_spread is None else bool(by_spread),
        "failed": failed,
        "leaf": None if leaf is None else _whole("leaf", leaf, 1),
    }


def _question(first: bool, rule: str, level: Optional[int]) -> Dict[str, Any]:
    return {"first": bool(first), "rule": rule, "level": _level(level)}


class ObbTree(_Tree):
    """A binary tree of oriented boxes over the triangles of a mesh; or of any other family.

    By default it is grown as the paper describes it: boxes from the area of the convex hull, cut at
    the mean of the vertices across the longest axis, one triangle in a leaf. ``rapid`` grows it as
    the program RAPID of the authors does. What else is given replaces a part of either recipe.

    Source: Gottschalk, Lin and Manocha, *OBBTree: a hierarchical structure for rapid interference
    detection*, 1996.

    Parameters
    ----------
    vertices : array_like of shape (N, 3)
        The vertices; or, without ``faces``, anything that has vertices and faces, as for
        :class:`elbowroom.Model`.
    faces : array_like of shape (M, 3), optional
        Three vertex numbers for each triangle, counted from 0.
    rapid : bool, default False
        Boxes from the area of the triangles, cut at the mean of that area across the direction of
        largest spread.
    family : str, optional
        ``"obb"``, ``"aabb"``, ``"sphere"``, ``"14-dop"``, ``"18-dop"``, ``"24-dop"``, ``"26-dop"``
        or ``"cylinder"``.
    fit : str, optional
        How oriented boxes find their axes: ``"hull"``, ``"triangles"``, ``"vertices"`` or
        ``"dito-14"``.
    split : str, optional
        Where a group is cut: ``"mean"``, ``"area-mean"``, ``"median"``, or ``"sah"``, by the
        surface area heuristic.
    bins : int, default 16
        The steps of that heuristic on each axis, 2 to 1024.
    by_spread : bool, optional
        Cut across the direction of largest spread rather than the longest axis.
    failed : str, optional
        What is done when a cut leaves one side empty: ``"next-axis"`` or ``"halve"``.
    leaf : int, optional
        A group of at most this many triangles is a leaf.

    Raises
    ------
    MeshError
        If a vertex is not finite, a face names a vertex that does not exist, or there is no face.
    ArrayError
        If an array has a wrong shape or type.
    ArgumentError
        If a word is not known or a number out of its range.

    Examples
    --------
    >>> from elbowroom.papers import ObbTree
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
    >>> for family in "obb", "aabb", "sphere":
    ...     tree = ObbTree(corners, faces, family=family)
    ...     found = tree.intersect(tree)
    ...     print(found.count, sorted(found.by_family))
    16 ['obb']
    16 ['aabb']
    16 ['sphere']
    """

    def __init__(
        self,
        vertices: Any,
        faces: Any = None,
        *,
        rapid: bool = False,
        family: Optional[str] = None,
        fit: Optional[str] = None,
        split: Optional[str] = None,
        bins: int = 16,
        by_spread: Optional[bool] = None,
        failed: Optional[str] = None,
        leaf: Optional[int] = None,
    ) -> None:
        growth = _growth(family, fit, split, bins, by_spread, failed, leaf)
        self._native = _papers.ObbTree(vertices, faces, bool(rapid), growth)

    def intersect(
        self,
        other: ObbTree,
        pose: Any = None,
        other_pose: Any = None,
        *,
        first: bool = False,
        rule: str = "larger",
        level: Optional[int] = None,
    ) -> Intersection:
        """Every pair of triangles that meet, and what it took to find them.

        Exact, whatever the trees are. Trees of different families are compared as oriented boxes.

        Parameters
        ----------
        other : ObbTree
            The other tree; it may be this one.
        pose, other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
            Where each of the two is; at the origin if left out.
        first : bool, default False
            End with the first pair that is found.
        rule : str, default "larger"
            Which of two nodes gives way to its children: the ``"larger"`` one, that of the
            ``"first"`` tree as long as it has any, or ``"both"``.
        level : int, optional
            The lowest level that is tested. Then the verdict may be ``"may touch"``, and only
            triangles of leaves above that level are compared.

        Returns
        -------
        Intersection

        Raises
        ------
        PoseError
            If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
        ArrayError
            If an array has a wrong shape or type, or two batches have different lengths.
        ArgumentError
            If the rule is not known, or the level is negative.

        Examples
        --------
        >>> import numpy as np
        >>> from elbowroom.papers import ObbTree
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> tree = ObbTree(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
        >>> many = np.repeat(np.eye(4)[None], 3, axis=0)
        >>> many[:, 0, 3] = 0.25, 1.0, 1.5
        >>> found = tree.intersect(tree, other_pose=many)
        >>> found.verdict, found.count
        (array(['contact', 'contact', 'clear'], dtype='<U9'), array([9, 9, 0]))
        >>> tree.intersect(tree, other_pose=many[1], level=0).verdict
        'may touch'
        """
        question = _question(first, rule, level)
        raw = self._native.intersect(self._other(other), pose, other_pose, question)
        return _answer(raw)


class Front:
    """Where the last question about two hybrid trees stopped, so that the next begins there.

    Of any two trees at a time, in their order: a question about others begins at their roots.

    Source: Liu, Wang and Yang, 2017, section 3.2; raising is after Li and Chen, *Incremental 3D
    collision detection with hierarchical data structures*, 1998.

    Parameters
    ----------
    limit : int, default 131072
        The most pairs of nodes that are kept.
    raising : bool, default True
        Go up again where objects have parted. Without it the front only grows, as in the paper.

    Raises
    ------
    ArgumentError
        If the limit is below 1.

    Examples
    --------
    >>> from elbowroom.papers import Front, HybridTree
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> tree = HybridTree(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], layers="aabb")
    >>> front = Front()
    >>> tests = [tree.intersect(tree, front=front).volume_tests for frame in range(2)]
    >>> tests[0] > tests[1], len(front) > 1
    (True, True)
    """

    def __init__(self, limit: int = 1 << 17, *, raising: bool = True) -> None:
        self._native = _papers.Front(_whole("limit", limit, 1), bool(raising))

    def reset(self) -> None:
        """Forgets the past: the next question begins at the roots."""
        self._native.reset()

    def __len__(self) -> int:
        """How many pairs of nodes are kept."""
        return len(self._native)

    def __repr__(self) -> str:
        return f"Front({len(self)} pairs)"


_Layers = Union[str, Iterable[Tuple[str, int]]]


def _layers(layers: _Layers) -> Union[str, List[Tuple[str, int]]]:
    if isinstance(layers, str):
        return layers
    try:
        pairs = [(name, level) for name, level in layers]
    except (TypeError, ValueError):
        text = f"layers is {layers!r}; give a name, or pairs of a family and its first level"
        raise ArgumentError(text) from None
    return [(name, _whole("a level", level)) for name, level in pairs]


def _refits(refits: float) -> float:
    number = _real("refits", refits)
    if not 0.0 <= number < math.inf:
        raise ArgumentError(f"refits is {refits}; give 0 or more for each question")
    return number


class HybridTree(_Tree):
    """One topology with a family of volumes for each level, which follows a mesh that deforms.

    Cheap volumes at the top tell most pairs apart, tight ones at the bottom let few through.

    Source: Liu, Wang and Yang, *A three-layer hybrid bounding volume hierarchy for collision
    detection* (SBBK), 2017.

    Parameters
    ----------
    vertices : array_like of shape (N, 3)
        The vertices; or, without ``faces``, anything that has vertices and faces, as for
        :class:`elbowroom.Model`.
    faces : array_like of shape (M, 3), optional
        Three vertex numbers for each triangle, counted from 0.
    layers : str or iterable of (str, int), default "sbbk"
        A name: ``"sbbk"`` (the paper's: spheres, AABBs from level 1, 18-DOPs from level 5),
        ``"hbbcd"`` (spheres, AABBs, OBBs), ``"s-aabb"``, ``"s-obb"``, ``"aabb-kdop"``, one family
        throughout, or ``"auto"``, which takes what costs least against a copy of itself nearby. Or
        by hand, as in ``[("sphere", 0), ("aabb", 2), ("26-dop", 6)]``: families with the levels
        where they begin.
    refits : float, default 0.0
        For ``"auto"``: how often the mesh deforms for each question. At 0 it turns, too.
    family : str, optional
        The family by whose volumes groups are cut when the topology is grown.
    fit : str, optional
        How oriented boxes find their axes: ``"hull"``, ``"triangles"``, ``"vertices"`` or
        ``"dito-14"``.
    split : str, optional
        Where a group is cut: ``"mean"``, ``"area-mean"``, ``"median"``, or ``"sah"``, by the
        surface area heuristic.
    bins : int, default 16
        The steps of that heuristic on each axis, 2 to 1024.
    by_spread : bool, optional
        Cut across the direction of largest spread rather than the longest axis.
    failed : str, optional
        What is done when a cut leaves one side empty: ``"next-axis"`` or ``"halve"``.
    leaf : int, optional
        A group of at most this many triangles is a leaf.

    Raises
    ------
    MeshError
        If a vertex is not finite, a face names a vertex that does not exist, or there is no face.
    ArrayError
        If an array has a wrong shape or type.
    ArgumentError
        If a word is not known or a number out of its range, or layers do not begin one below the
        other.

    Examples
    --------
    >>> from elbowroom.papers import HybridTree
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> tree = HybridTree(
    ...     corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    ...     layers=[("sphere", 0), ("18-dop", 1)],
    ... )
    >>> tree.levels()["family"]
    array(['sphere', '18-dop', '18-dop', '18-dop'], dtype=object)
    """

    def __init__(
        self,
        vertices: Any,
        faces: Any = None,
        *,
        layers: _Layers = "sbbk",
        refits: float = 0.0,
        family: Optional[str] = None,
        fit: Optional[str] = None,
        split: Optional[str] = None,
        bins: int = 16,
        by_spread: Optional[bool] = None,
        failed: Optional[str] = None,
        leaf: Optional[int] = None,
    ) -> None:
        growth = _growth(family, fit, split, bins, by_spread, failed, leaf)
        given = _layers(layers)
        self._native = _papers.HybridTree(vertices, faces, given, _refits(refits), growth)

    @property
    def layers(self) -> List[Tuple[str, int]]:
        """The families, each with the level where it begins. All leaves are of the last one."""
        layers: List[Tuple[str, int]] = self._native.layers
        return layers

    def with_layers(self, layers: _Layers, *, refits: float = 0.0) -> HybridTree:
        """The same mesh and topology with other layers, for a comparison of nothing else.

        Parameters
        ----------
        layers : str or iterable of (str, int)
            A name, or families with the levels where they begin.
        refits : float, default 0.0
            For ``"auto"``: how often the mesh deforms for each question.

        Returns
        -------
        HybridTree

        Raises
        ------
        ArgumentError
            If the layers are not known, or do not begin one below the other.

        Examples
        --------
        >>> from elbowroom.papers import HybridTree
        >>> tree = HybridTree([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
        >>> tree.with_layers("s-obb").layers
        [('sphere', 0), ('obb', 1)]
        """
        same = object.__new__(type(self))
        same._native = self._native.with_layers(_layers(layers), _refits(refits))
        return same

    def refit(self, vertices: Any) -> None:
        """Moves the vertices, and puts new volumes around them.

        Parameters
        ----------
        vertices : array_like of shape (N, 3)
            As many as the mesh has.

        Raises
        ------
        MeshError
            If a vertex is not finite, or there are more or fewer; then nothing has changed.
        ArrayError
            If the array has a wrong shape or type.

        Examples
        --------
        >>> import numpy as np
        >>> from elbowroom.papers import HybridTree
        >>> square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
        >>> floor = HybridTree(square, [[0, 1, 2], [0, 2, 3]])
        >>> sheet = HybridTree(square, [[0, 1, 2], [0, 2, 3]])
        >>> sheet.refit(square + [0, 0, 0.5])
        >>> bool(sheet.intersect(floor))
        False
        """
        self._native.refit(vertices)

    def intersect(
        self,
        other: HybridTree,
        pose: Any = None,
        other_pose: Any = None,
        *,
        first: bool = False,
        rule: str = "larger",
        level: Optional[int] = None,
        front: Optional[Front] = None,
    ) -> Intersection:
        """Every pair of triangles that meet, and what it took to find them.

        Exact, whatever the layers are. Tests count for the family of the first tree's volume.

        Parameters
        ----------
        other : HybridTree
            The other tree; it may be this one.
        pose, other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
            Where each of the two is; at the origin if left out.
        first : bool, default False
            End with the first pair that is found.
        rule : str, default "larger"
            Which of two nodes gives way to its children: the ``"larger"`` one, that of the
            ``"first"`` tree as long as it has any, or ``"both"``.
        level : int, optional
            The lowest level that is tested. Then the verdict may be ``"may touch"``, and only
            triangles of leaves above that level are compared.
        front : Front, optional
            Begin where the last question with this front stopped. The answers are the same, with
            fewer tests if little has moved. The poses of a batch are then asked one after the
            other, and with ``level`` the front is left alone.

        Returns
        -------
        Intersection

        Raises
        ------
        PoseError
            If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
        ArrayError
            If an array has a wrong shape or type, or two batches have different lengths.
        ArgumentError
            If the rule is not known, or the level is negative.

        Examples
        --------
        >>> from elbowroom.papers import HybridTree
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> tree = HybridTree(
        ...     corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], layers="s-aabb"
        ... )
        >>> found = tree.intersect(tree)
        >>> found.count, sorted(found.by_family)
        (16, ['aabb', 'sphere'])
        """
        question = _question(first, rule, level)
        if not (front is None or isinstance(front, Front)):
            raise TypeError(f"front is a {type(front).__name__}; give a Front")
        native = None if front is None else front._native
        return _answer(
            self._native.intersect(self._other(other), pose, other_pose, question, native)
        )


class CabHierarchy(_Tree):
    """Boxes over the rigid links of an articulated body, refitted from its joints for every pose.

    The links are cut apart at the joints, so that each group is a part of the body that hangs
    together. The box of a group comes from the two below it: along axes that follow from their
    longest ones (``"cab"``), without eigenvectors.

    Source: Schmidl, Walker and Lin, *CAB: fast update of OBB trees for collision detection between
    articulated bodies*, 2004.

    Parameters
    ----------
    links : sequence
        A mesh for each link: an :class:`elbowroom.Model`, which links may share, a pair of vertices
        and faces, or anything that has both.
    parents : sequence of int
        For each joint the joint that it hangs on, counted from 0; -1 for a root.
    joints : sequence of int, optional
        For each link the joint that carries it; link ``i`` is on joint ``i`` if left out.
    joint_from_link : array_like of shape (4, 4) or (L, 4, 4), optional
        Where each link is in the frame of its joint.
    method : str, default "cab"
        How boxes are made: ``"cab"``; ``"cab-sum"``, whose axes are added where two links point the
        same way; ``"obb"``, by covariance; ``"aabb-vertices"``, ``"aabb-corners"``,
        ``"aabb-centre"``, along the axes of the world; ``"brute"``, without boxes.

    Raises
    ------
    MeshError
        If the mesh of a link is not sound.
    PoseError
        If a matrix of ``joint_from_link`` is not rigid.
    ArrayError
        If an array has a wrong shape or type.
    ArgumentError
        If there is no link, a joint does not exist or hangs on itself, or the method is not known.

    Examples
    --------
    >>> import numpy as np
    >>> from elbowroom.papers import CabHierarchy
    >>> bone = ([[0, 0, 0], [1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]],
    ...         [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> arm = CabHierarchy([bone, bone, bone], parents=[-1, 0, 1])
    >>> joints = np.repeat(np.eye(4)[None], 3, axis=0)
    >>> joints[:, 0, 3] = 0, 1, 2
    >>> above = joints.copy()
    >>> above[:, 1, 3] = 0.05
    >>> found = arm.intersect(arm, joints, above)
    >>> found.verdict, found.pairs.tolist()
    ('contact', [[0, 0], [1, 0], [1, 1], [2, 1], [2, 2]])
    """

    def __init__(
        self,
        links: Sequence[Any],
        parents: Sequence[int],
        *,
        joints: Optional[Sequence[int]] = None,
        joint_from_link: Any = None,
        method: str = "cab",
    ) -> None:
        meshes = list(links)
        on = range(len(meshes)) if joints is None else joints
        carried = [_whole("a joint", joint) for joint in on]
        if len(carried) != len(meshes):
            raise ArgumentError(f"there are {len(meshes)} links and {len(carried)} joints of them")
        given = np.eye(4) if joint_from_link is None else joint_from_link
        offsets = _numbers(given, "joint_from_link")
        if offsets.shape not in [(4, 4), (len(meshes), 4, 4)]:
            raise ArrayError(
                f"joint_from_link has the shape {offsets.shape}; "
                f"give (4, 4), or one for each link, ({len(meshes)}, 4, 4)"
            )
        hangs = [_whole("a parent", parent, -1) for parent in parents]
        self._native = _papers.CabHierarchy(meshes, carried, hangs, offsets, method)

    def _posed(self, pose: Any, name: str) -> Tuple[Any, bool]:
        """Matrices of all joints, frame by frame, and whether there are many frames."""
        if pose is None:
            return None, False
        array = _numbers(pose, name)
        joints = self._native.joints
        if array.ndim not in (3, 4) or array.shape[-3:] != (joints, 4, 4):
            raise ArrayError(
                f"{name} has the shape {array.shape}; give a matrix for each joint, "
                f"({joints}, 4, 4), or (P, {joints}, 4, 4) for a batch"
            )
        return array.reshape(-1, 4, 4), array.ndim == 4

    def intersect(
        self,
        other: CabHierarchy,
        pose: Any = None,
        other_pose: Any = None,
        *,
        first: bool = False,
    ) -> Intersection:
        """Every pair of links that meet, and what it took to find them.

        Boxes only pass over pairs: what they do not tell apart is decided exactly, on the meshes.
        Each such decision counts as a test of primitives: *#coll* of the paper. What is more than
        ``count`` was in vain: its *#false*.

        Parameters
        ----------
        other : CabHierarchy
            The other body; it may be this one.
        pose, other_pose : array_like of shape (J, 4, 4) or (P, J, 4, 4), optional
            Where each joint of the two bodies is in the world; all at the origin if left out.
        first : bool, default False
            End with the first pair that is found.

        Returns
        -------
        Intersection

        Raises
        ------
        PoseError
            If a matrix is not rigid or not finite; its ``pose`` counts joints, frame after frame.
        ArrayError
            If an array has a wrong shape or type, or two batches have different lengths.

        Examples
        --------
        >>> import numpy as np
        >>> from elbowroom.papers import CabHierarchy
        >>> plate = ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> body = CabHierarchy([plate, plate], parents=[-1, 0])
        >>> frames = np.tile(np.eye(4), (3, 2, 1, 1))
        >>> frames[:, 1, 2, 3] = 0, 1, 2
        >>> body.intersect(body, frames).count
        array([4, 2, 2])
        """
        native = self._other(other)
        there = other._posed(other_pose, "other_pose")
        return _answer(
            self._native.intersect(native, *self._posed(pose, "pose"), *there, bool(first))
        )

    def self_intersect(
        self,
        pose: Any = None,
        *,
        adjacent: bool = True,
        allowed: Iterable[Tuple[int, int]] = (),
        first: bool = False,
    ) -> Intersection:
        """Every pair of links of the body that meet and are not allowed to.

        Parameters
        ----------
        pose : array_like of shape (J, 4, 4) or (P, J, 4, 4), optional
            Where each joint is in the world; all at the origin if left out.
        adjacent : bool, default True
            Links that are joined may touch.
        allowed : iterable of (int, int)
            More pairs of links that may.
        first : bool, default False
            End with the first pair that is found.

        Returns
        -------
        Intersection

        Raises
        ------
        PoseError
            If a matrix is not rigid or not finite; its ``pose`` counts joints, frame after frame.
        ArrayError
            If an array has a wrong shape or type.
        ArgumentError
            If an allowed pair names a link that does not exist.

        Examples
        --------
        >>> from elbowroom.papers import CabHierarchy
        >>> plate = ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> body = CabHierarchy([plate, plate, plate], parents=[-1, 0, 1])
        >>> body.self_intersect().pairs
        array([[0, 2]], dtype=uint32)
        """
        pairs = [(_whole("a link", a), _whole("a link", b)) for a, b in allowed]
        posed = self._posed(pose, "pose")
        return _answer(self._native.self_intersect(*posed, bool(adjacent), pairs, bool(first)))

    def nodes(self, pose: Any = None) -> Nodes:
        """The nodes with their boxes in a pose, to be drawn.

        Parameters
        ----------
        pose : array_like of shape (J, 4, 4), optional
            Where each joint is in the world; all at the origin if left out.

        Returns
        -------
        Nodes

        Raises
        ------
        PoseError
            If a matrix is not rigid or not finite; its ``pose`` is the joint.
        ArrayError
            If the array has a wrong shape or type.

        Examples
        --------
        >>> from elbowroom.papers import CabHierarchy
        >>> plate = ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> body = CabHierarchy([plate, plate, plate], parents=[-1, 0, 1])
        >>> body.nodes().members
        array([3, 1, 2, 1, 1], dtype=uint32)
        """
        posed, is_many = self._posed(pose, "pose")
        if is_many:
            raise ArrayError("pose is a batch; give one matrix for each joint")
        return _nodes(self._native.nodes(posed))

    def levels(self, pose: Any = None) -> Table:
        """A table of the levels in a pose: how many nodes each has, and how large they are.

        Parameters
        ----------
        pose : array_like of shape (J, 4, 4), optional
            Where each joint is in the world; all at the origin if left out.

        Returns
        -------
        Table
            As that of the other structures; ``members`` are links.

        Raises
        ------
        PoseError
            If a matrix is not rigid or not finite; its ``pose`` is the joint.
        ArrayError
            If the array has a wrong shape or type.

        Examples
        --------
        >>> from elbowroom.papers import CabHierarchy
        >>> plate = ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> body = CabHierarchy([plate, plate, plate], parents=[-1, 0, 1])
        >>> body.levels()["nodes"], body.levels()["family"][0]
        (array([1, 2, 2]), 'obb')
        """
        return _levels(self.nodes(pose))


class CylinderHierarchy(_Tree):
    """Upright cylinders around a posed character on a floor, under a binary tree. z points up.

    Seen from above they are circles: around pieces of the contour, or around the triangles.
    Cylinders have no ends, so that a ``"clear"`` is certain at whatever heights, and ``"may
    touch"`` is all else that is said; a body within a ring of another may touch it.

    Source: Stüvel, Magnenat-Thalmann, Thalmann, Egges and van der Stappen, *Hierarchical structures
    for collision checking between virtual characters* (BCH), 2014.

    Parameters
    ----------
    vertices : array_like of shape (N, 3)
        The vertices; or, without ``faces``, anything that has vertices and faces, as for
        :class:`elbowroom.Model`.
    faces : array_like of shape (M, 3), optional
        Three vertex numbers for each triangle, counted from 0.
    parts : str, default "contour"
        What the circles are put around: pieces of the ``"contour"``, all ``"triangles"``, or the
        ``"whole"`` body as a single cylinder. ``"union"`` finds the contour as the paper does, as
        the union of all projected triangles: the same but for rounding, and slower.
    cut : str, default "centroid"
        Where a group is cut: at the ``"centroid"`` of its segments, at that of the ``"area"`` they
        enclose, in the ``"center"`` of its box, or across the direction of largest
        ``"covariance"``.
    threshold : float, default 0.01
        Contours are cut until circles have a smaller radius than this.
    holes : bool, default True
        Whether holes of the contour count as room.

    Raises
    ------
    MeshError
        If a vertex is not finite, a face names a vertex that does not exist, or there is no face.
    ArrayError
        If an array has a wrong shape or type.
    ArgumentError
        If a word is not known, or the threshold is not positive or too fine for the body.

    Examples
    --------
    >>> from elbowroom.papers import CylinderHierarchy
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> body = CylinderHierarchy(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> round(body.covered_area(0), 2), body.covered_area() < 0.1
    (1.57, True)
    """

    def __init__(
        self,
        vertices: Any,
        faces: Any = None,
        *,
        parts: str = "contour",
        cut: str = "centroid",
        threshold: float = 0.01,
        holes: bool = True,
    ) -> None:
        least = _real("threshold", threshold)
        if not 0.0 < least < math.inf:
            raise ArgumentError(f"threshold is {threshold}; give a positive length")
        self._native = _papers.CylinderHierarchy(vertices, faces, parts, cut, least, bool(holes))

    def intersect(
        self,
        other: CylinderHierarchy,
        pose: Any = None,
        other_pose: Any = None,
        *,
        level: Optional[int] = None,
    ) -> Intersection:
        """Whether two characters on a floor may touch, and how many circles were compared for it.

        Parameters
        ----------
        other : CylinderHierarchy
            The other character; it may be this one.
        pose, other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
            Where each of the two is; at the origin if left out. They may turn about z only.
        level : int, optional
            The lowest level that is tested; 0 is the single cylinder.

        Returns
        -------
        Intersection
            ``"clear"`` or ``"may touch"``, without pairs.

        Raises
        ------
        PoseError
            If a pose is not rigid or tilts; its ``pose`` is the number in the batch.
        ArrayError
            If an array has a wrong shape or type, or two batches have different lengths.
        ArgumentError
            If the level is negative.

        Examples
        --------
        >>> import numpy as np
        >>> from elbowroom.papers import CylinderHierarchy
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> body = CylinderHierarchy(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
        >>> beside = np.eye(4)
        >>> beside[:2, 3] = 0.6, 0.6
        >>> [body.intersect(body, other_pose=beside, level=level).verdict for level in (0, None)]
        ['may touch', 'clear']
        """
        native = self._other(other)
        return _answer(self._native.intersect(native, pose, other_pose, _level(level)))

    def covered_area(self, level: Optional[int] = None) -> float:
        """The area that the circles of a level cover together: what the body takes up on the floor.

        Parameters
        ----------
        level : int, optional
            The level; that of the leaves if left out.

        Returns
        -------
        float

        Raises
        ------
        ArgumentError
            If the level is negative.

        Examples
        --------
        >>> from elbowroom.papers import CylinderHierarchy
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> body = CylinderHierarchy(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
        >>> body.covered_area(0) > body.covered_area(3) > body.covered_area()
        True
        """
        nodes = self.nodes()
        cut = nodes.cut(int(nodes.level.max()) if level is None else level)
        discs = np.column_stack([cut.center[:, :2], cut.half[:, 0]])
        area: float = _papers.covered_area(discs)
        return area


def _starts(value: Any, name: str) -> Tuple[List[float], bool]:
    array = _numbers(value, name)
    if array.ndim > 1:
        raise ArrayError(f"{name} has the shape {array.shape}; give a number, or (P,) for a batch")
    return np.atleast_1d(array).tolist(), array.ndim == 1


class MobbTree(_Tree):
    """Boxes in space and time around a motion on the ground, halved in time down to a few samples.

    The motion is a disk, sampled at equal steps of time.

    Source: Sung, Chenney and Gleicher, *Detecting collisions in graph-driven motion synthesis*.

    Parameters
    ----------
    disks : array_like of shape (T, 3)
        x, y and the radius of each sample.
    dt : float
        Seconds from one sample to the next.
    kind : str, default "MOBB"
        ``"MOBB"``, boxes that are upright in time; ``"UMOBB"``, boxes that lean; ``"Hybrid 1"``, an
        upright root over leaning boxes; ``"Hybrid 2"``, a leaning root over upright boxes; ``"MOBB
        1 level"`` or ``"UMOBB 1 level"``, one box for the whole.
    n_min : int, default 10
        A node of at most this many samples is a leaf.
    axis : str, default "chord"
        The first axis of a box: from the first sample to the last (``"chord"``), or the direction
        of largest spread (``"covariance"``).
    time_scale : float, default 1.0
        The length that stands for one second, in leaning boxes.
    aligned : float, default 0.0
        Leaning boxes of which an axis is off that of time by an angle with at most this sine are
        made upright. The paper does so and prints no tolerance.
    between : str, default "held"
        What happens between samples: each is ``"held"`` until the next, as in the paper, or the
        disk moves on a line (``"linear"``).
    touching : bool, default False
        Whether disks that only touch collide. The paper says no; it is yes if both motions say so.
    test_below_leaf : bool, default False
        Compare a leaf with the boxes below an inner node, and not only their times.
    leaf : str, default "every"
        How the samples of two leaves are compared: ``"every"`` pair, as in the paper, or in a
        ``"stride"`` that leaves out what cannot have come near.

    Raises
    ------
    ArrayError
        If the array has a wrong shape or type, or a sample is not finite or has a negative radius.
    ArgumentError
        If a word is not known, the step or the time scale is not a positive number, or ``aligned``
        not from 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from elbowroom.papers import MobbTree
    >>> time = np.arange(90) / 30
    >>> walk = MobbTree(np.column_stack([1.5 * time, 0 * time, 0.3 + 0 * time]), dt=1 / 30)
    >>> walk
    MobbTree(31 nodes)
    """

    def __init__(
        self,
        disks: Any,
        dt: float,
        *,
        kind: str = "MOBB",
        n_min: int = 10,
        axis: str = "chord",
        time_scale: float = 1.0,
        aligned: float = 0.0,
        between: str = "held",
        touching: bool = False,
        test_below_leaf: bool = False,
        leaf: str = "every",
    ) -> None:
        options = {
            "kind": kind,
            "n_min": _whole("n_min", n_min, 1),
            "axis": axis,
            "time_scale": _real("time_scale", time_scale),
            "aligned": _real("aligned", aligned),
            "between": between,
            "touching": bool(touching),
            "test_below_leaf": bool(test_below_leaf),
            "leaf": leaf,
        }
        self._native = _papers.MobbTree(disks, _real("dt", dt), options)

    def intersect(
        self,
        other: MobbTree,
        pose: Any = None,
        other_pose: Any = None,
        *,
        start: Any = 0.0,
        other_start: Any = 0.0,
        first: bool = False,
        partners: str = "held together",
    ) -> Intersection:
        """Every pair of samples that collide at a common moment, and what it took to find them.

        Parameters
        ----------
        other : MobbTree
            The other motion; it may be this one.
        pose, other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
            Where each of the two is; at the origin if left out. They may turn about z only.
        start, other_start : float or array_like of shape (P,), default 0.0
            When each of the two begins, in seconds.
        first : bool, default False
            End with the first pair that is found: the paper's question.
        partners : str, default "held together"
            Which samples of the other one are compared with a sample: all that are ``"held
            together"`` with it, two if the starts are not a whole number of steps apart; or the one
            that is held ``"at its time"``, as the paper prints it, so that the answer may be
            another one if the motions change places.

        Returns
        -------
        Intersection

        Raises
        ------
        PoseError
            If a pose is not rigid or tilts; its ``pose`` is the number in the batch.
        ArrayError
            If an array has a wrong shape or type, or two batches have different lengths.
        ArgumentError
            If a start is not finite, or the word for ``partners`` not known.

        Examples
        --------
        >>> import numpy as np
        >>> from elbowroom.papers import MobbTree
        >>> time = np.arange(90) / 30
        >>> walk = MobbTree(np.column_stack([1.5 * time, 0 * time, 0.3 + 0 * time]), dt=1 / 30)
        >>> across = np.array([[0, -1, 0, 2], [1, 0, 0, -2], [0, 0, 1, 0], [0, 0, 0, 1]])
        >>> walk.intersect(walk, other_pose=across, other_start=[0.0, 1.0]).verdict
        array(['contact', 'clear'], dtype='<U9')
        """
        native = self._other(other)
        starts = _starts(start, "start"), _starts(other_start, "other_start")
        question = bool(first), partners
        return _answer(self._native.intersect(native, pose, other_pose, *starts, question))
