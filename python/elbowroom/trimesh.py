"""The collision manager of trimesh, answered by elbowroom.

Replace one import, and the rest of a script stays as it is::

    from elbowroom.trimesh import CollisionManager  # was: from trimesh.collision import ...

>>> import numpy as np
>>> import trimesh
>>> from elbowroom.trimesh import CollisionManager
>>> manager = CollisionManager()
>>> _ = manager.add_object("table", trimesh.creation.box([2.0, 1.0, 0.1]))
>>> cup = trimesh.creation.annulus(r_min=0.03, r_max=0.04, height=0.1)
>>> up = np.eye(4)
>>> up[2, 3] = 0.05
>>> manager.in_collision_single(cup, up, return_names=True)
(True, {'table'})
>>> up[2, 3] = 0.3
>>> manager.in_collision_single(cup, up)
False
>>> round(manager.min_distance_single(cup, up), 6)
0.2

Methods take and return what those of trimesh 5.2 do. Some answers differ, because trimesh's are wrong
or depend on the order of the objects; docs/python/trimesh.md lists every one of them.
"""

from __future__ import annotations

import functools
import hashlib
import math
import sys
import warnings
import weakref
from collections import OrderedDict
from typing import (
    Any,
    Dict,
    Hashable,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
    Union,
)

import numpy as np

from . import _arrays
from ._native import Model, World
from .errors import ArrayError, ElbowroomError, MeshError, PoseError, UnknownNameError

__all__ = [
    "COLLISION_PER_PAIR_CAP",
    "CollisionManager",
    "CollisionObject",
    "ContactData",
    "DistanceData",
    "Geometry",
    "mesh_to_BVH",
    "mesh_to_convex",
    "scene_to_collision",
]

#: At most this many contacts are returned for each pair of objects.
COLLISION_PER_PAIR_CAP = 100000

#: The name of the object that was given to a query.
_EXTERNAL = "__external"

#: The distance if there is nothing to measure to, as in trimesh.
_NO_DISTANCE = sys.float_info.max

_SOLID = ("auto", "surface", "volume")
_TOUCHING = ("count", "ignore")

#: A matrix nearer than this to a rotation is one, rounded to 32 bits or to six decimals.
_ROUNDED = 2e-6

#: A matrix nearer than this to a rotation is a pose as it is. A pose may be 1e-9 away.
_RIGID = 5e-10


class _UnknownObject(UnknownNameError, ValueError):
    """A name that is not in the manager; trimesh raises a ValueError for it."""


# ---------------------------------------------------------------------------------------------------
# Geometry: one tree for each mesh, however often it is added.


class _Box(NamedTuple):
    """A box along the axes."""

    centre: np.ndarray
    #: From the centre to a corner.
    half: np.ndarray
    #: Both as numbers.
    numbers: Sequence[float]


def _box_of(bounds: np.ndarray) -> _Box:
    centre, half = 0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[1] - bounds[0])
    return _Box(centre, half, centre.tolist() + half.tolist())


class _Shape:
    """A mesh with its tree, and what is derived from it when it is needed first."""

    __slots__ = (
        "__weakref__",
        "_boundary",
        "_box",
        "_convex",
        "_hull",
        "_normals",
        "_seed_box",
        "_seeds",
        "_planes",
        "_variants",
        "model",
    )

    def __init__(self, model: Model) -> None:
        self.model = model
        self._convex: Optional[bool] = None
        self._hull: Optional[Model] = None
        self._seeds: Optional[np.ndarray] = None
        self._normals: Optional[np.ndarray] = None
        self._planes: Optional[Tuple[np.ndarray, np.ndarray]] = None
        self._boundary: Optional[int] = None
        self._box: Optional[_Box] = None
        self._seed_box: Optional[_Box] = None
        self._variants: "OrderedDict[bytes, _Shape]" = OrderedDict()

    def is_convex(self, mesh: Any = None) -> bool:
        """What ``mesh.is_convex`` says; of objects without that, the same by its rule."""
        if self._convex is None:
            try:
                self._convex = bool(mesh.is_convex)
            except (AttributeError, ImportError):
                # No mesh of trimesh, or networkx and SciPy are missing.
                self._convex = _is_convex(self.model)
        return self._convex

    @property
    def box(self) -> _Box:
        """The box around the mesh."""
        if self._box is None:
            self._box = _box_of(self.model.bounds)
        return self._box

    @property
    def seeds(self) -> np.ndarray:
        """A vertex of each piece of the surface: where none of them is inside, nothing is."""
        if self._seeds is None:
            if self._convex:
                self._seeds = np.asarray(self.model.vertices[self.model.faces[:1, 0]])
            else:
                self._seeds = _one_of_each_piece(self.model)
        return self._seeds

    @property
    def seed_box(self) -> _Box:
        """The box around the seeds."""
        if self._seed_box is None:
            self._seed_box = _box_of(np.array([self.seeds.min(axis=0), self.seeds.max(axis=0)]))
        return self._seed_box

    @property
    def boundary_edges(self) -> int:
        """How many edges have one face only."""
        if self._boundary is None:
            _, faces = _welded(self.model)
            edges = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
            _, counts = np.unique(edges, axis=0, return_counts=True)
            self._boundary = int((counts == 1).sum())
        return self._boundary

    @property
    def hull(self) -> Model:
        """The convex solid that depths are measured with.

        Vertices that were rounded to 32 bits are convex to trimesh, and not to the engine, which
        has a tolerance of 1e-9. Of those it is the convex hull.
        """
        if self._hull is None:
            self._hull = self.model
            if not self.model.minimum_translation(self.model).is_convex:
                hull = _convex_hull(self.model.vertices)
                if hull is not None:
                    self._hull = hull
        return self._hull

    @property
    def normals(self) -> np.ndarray:
        """The directions of the faces of the convex solid, without repetitions."""
        if self._normals is None:
            normals, areas = _normals(self.hull)
            normals = normals[areas > 0]
            _, first = np.unique(np.round(normals, 9) + 0.0, axis=0, return_index=True)
            self._normals = normals[np.sort(first)]
        return self._normals

    @property
    def planes(self) -> Tuple[np.ndarray, np.ndarray]:
        """The planes of the convex solid: normals, and how far the solid reaches along each."""
        if self._planes is None:
            vertices = self.hull.vertices
            step = max(1, 1_000_000 // len(vertices))
            parts = [
                (self.normals[start : start + step] @ vertices.T).max(axis=1)
                for start in range(0, len(self.normals), step)
            ]
            self._planes = self.normals, np.concatenate(parts)
        return self._planes

    def variant(self, key: bytes, linear: np.ndarray) -> _Shape:
        """This shape with a scale, a reflection or a shear baked into the vertices."""
        shape = self._variants.get(key)
        if shape is None:
            faces = self.model.faces
            if np.linalg.det(linear) < 0:
                # The outside stays outside.
                faces = faces[:, ::-1]
            shape = _Shape(Model(self.model.vertices @ linear.T, np.ascontiguousarray(faces)))
            shape._convex = self._convex
            self._variants[key] = shape
            while len(self._variants) > 32:
                self._variants.popitem(last=False)
        else:
            self._variants.move_to_end(key)
        return shape


class Geometry:
    """A mesh with its tree, taken as a surface or as a solid.

    :func:`mesh_to_BVH` and :func:`mesh_to_convex` make one. It is accepted wherever a mesh is.

    Attributes
    ----------
    model : elbowroom.Model
        The mesh and its tree.
    is_solid : bool
        Whether its inside belongs to it.
    is_convex : bool
        Whether it is a convex solid. Two of those have one contact, with the depth of penetration.
    """

    __slots__ = ("_shape", "is_convex", "is_solid")

    def __init__(self, shape: _Shape, is_solid: bool, is_convex: bool) -> None:
        self._shape = shape
        self.is_solid = is_solid
        self.is_convex = is_convex

    @property
    def model(self) -> Model:
        return self._shape.model

    def __repr__(self) -> str:
        kind = "convex solid" if self.is_convex else "solid" if self.is_solid else "surface"
        return f"Geometry({self.model!r}, {kind})"


class _Known(NamedTuple):
    mesh: Any
    content: Any
    shape: _Shape


#: The shape of each mesh that is alive, by identity; it counts while the mesh has not changed.
_by_identity: Dict[int, _Known] = {}

#: The same by content, so that equal meshes share a tree.
_by_content: "weakref.WeakValueDictionary[bytes, _Shape]" = weakref.WeakValueDictionary()

#: Shapes of objects that are made again for every call stay for a while.
_recent: "OrderedDict[bytes, _Shape]" = OrderedDict()


def _described(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _is_of_trimesh(mesh: Any) -> bool:
    """Whether it is a mesh of trimesh, which knows when its arrays change."""
    module = sys.modules.get("trimesh")
    return module is not None and isinstance(mesh, getattr(module, "Trimesh", ()))


def _content(mesh: Any) -> Any:
    """A number of what the arrays hold, which trimesh keeps until they change."""
    vertices, faces = mesh.vertices, mesh.faces
    if isinstance(vertices, Hashable) and isinstance(faces, Hashable):
        return hash(vertices), hash(faces)
    # A primitive, which has parameters.
    return hash(mesh)


def _shape_of(mesh: Any, what: str) -> _Shape:
    known = _by_identity.get(id(mesh))
    is_tracked = _is_of_trimesh(mesh)
    content = _content(mesh) if is_tracked else None
    if known is not None and known.mesh() is mesh and known.content == content:
        return known.shape
    shape = _shape_by_content(mesh, what)
    if is_tracked:
        key = id(mesh)
        reference = weakref.ref(mesh, lambda _: _by_identity.pop(key, None))
        _by_identity[key] = _Known(reference, content, shape)
    return shape


def _shape_by_content(mesh: Any, what: str) -> _Shape:
    try:
        vertices, faces = _arrays.mesh_like(mesh)
        vertices = np.asarray(_arrays.points(vertices, "vertices"))
        faces = _arrays.faces(faces, "faces")
        digest = hashlib.blake2b(digest_size=16)
        digest.update(np.ascontiguousarray(vertices).data)
        if isinstance(faces, np.ndarray):
            digest.update(faces.data)
        else:
            digest.update(repr(faces).encode())
        key = digest.digest()
        shape = _by_content.get(key)
        if shape is None:
            shape = _Shape(
                Model(mesh) if not isinstance(faces, np.ndarray) else Model(vertices, faces)
            )
            _by_content[key] = shape
    except ElbowroomError as error:
        raise _about(error, what) from error
    _recent[key] = shape
    _recent.move_to_end(key)
    while len(_recent) > 16:
        _recent.popitem(last=False)
    return shape


def _about(error: ElbowroomError, what: str) -> ElbowroomError:
    """The same error, with the name of the object in front."""
    text = f"{what}: {error}"
    if isinstance(error, MeshError):
        return MeshError(text, vertex=error.vertex, face=error.face)
    if isinstance(error, PoseError):
        return PoseError(text, pose=error.pose)
    return type(error)(text)


def _geometry(mesh: Any, solid: str, what: str) -> Geometry:
    if isinstance(mesh, Geometry):
        return mesh
    shape = _shape_of(mesh, what)
    if solid == "surface":
        return Geometry(shape, False, False)
    is_convex = shape.is_convex(mesh)
    if solid == "volume" and not is_convex:
        edges = shape.boundary_edges
        if edges:
            warnings.warn(
                f"{what} is not closed ({edges} boundary edges), so what is inside it is an "
                "estimate; close it, or take it with solid='surface'",
                stacklevel=3,
            )
    return Geometry(shape, is_convex or solid == "volume", is_convex)


def mesh_to_BVH(mesh: Any) -> Geometry:
    """A mesh as a surface, whether or not it is convex.

    Parameters
    ----------
    mesh : trimesh.Trimesh, or anything with ``vertices`` and ``faces``

    Returns
    -------
    Geometry
        It may be given wherever a mesh is expected.

    Examples
    --------
    >>> import trimesh
    >>> from elbowroom.trimesh import CollisionManager, mesh_to_BVH
    >>> manager = CollisionManager()
    >>> _ = manager.add_object("room", mesh_to_BVH(trimesh.creation.box([4, 4, 3])))
    >>> manager.in_collision_single(trimesh.creation.icosphere())
    False
    """
    return _geometry(mesh, "surface", "mesh")


def mesh_to_convex(mesh: Any) -> Geometry:
    """A mesh as a convex solid. It has to be convex; no hull is made of it, as in trimesh.

    Parameters
    ----------
    mesh : trimesh.Trimesh, or anything with ``vertices`` and ``faces``

    Returns
    -------
    Geometry
        It may be given wherever a mesh is expected.

    Raises
    ------
    MeshError
        If the mesh is not convex.

    Examples
    --------
    >>> import trimesh
    >>> from elbowroom.trimesh import mesh_to_convex
    >>> mesh_to_convex(trimesh.creation.box())
    Geometry(Model(8 vertices, 12 faces), convex solid)
    """
    if isinstance(mesh, Geometry):
        mesh = mesh.model
    shape = _shape_of(mesh, "mesh")
    if not shape.is_convex(mesh):
        raise MeshError("mesh: it is not convex; give mesh.convex_hull, or use mesh_to_BVH")
    return Geometry(shape, True, True)


def _normals(model: Model) -> Tuple[np.ndarray, np.ndarray]:
    """Unit normals of the faces, and twice the areas."""
    corners = model.vertices[model.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.sqrt((across * across).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(across / areas[:, None]), np.asarray(areas)


def _welded(model: Model) -> Tuple[np.ndarray, np.ndarray]:
    """The vertices without repetitions, and the faces in their numbers."""
    vertices, inverse = np.unique(model.vertices, axis=0, return_inverse=True)
    return vertices, np.asarray(inverse.reshape(-1)[model.faces])


def _one_of_each_piece(model: Model) -> np.ndarray:
    """A vertex of each piece that hangs together."""
    vertices, faces = _welded(model)
    label = np.arange(len(vertices))
    while True:
        least = label[faces].min(axis=1)
        before = label.copy()
        for corner in range(3):
            np.minimum.at(label, faces[:, corner], least)
        label = label[label]
        if np.array_equal(label, before):
            return np.asarray(vertices[np.unique(label[faces[:, 0]])])


def _is_convex(model: Model) -> bool:
    """Whether a mesh is convex by trimesh's rule: closed, one piece, and no edge bent inwards."""
    if len(_one_of_each_piece(model)) != 1:
        return False
    vertices, faces = _welded(model)
    normals, areas = _normals(model)
    # Each edge once for each of its two faces; sorted, the two are next to each other.
    edges = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    first, second = order[0::2], order[1::2]
    if len(first) != len(second) or not np.array_equal(edges[first], edges[second]):
        return False
    if len(first) > 1 and (edges[first[1:]] == edges[first[:-1]]).all(axis=1).any():
        return False
    across = vertices[faces[second // 3, (second + 2) % 3]]
    start = vertices[edges[first, 0]]
    beyond = ((across - start) * normals[first // 3]).sum(axis=1)
    used = (areas[first // 3] > 0) & (areas[second // 3] > 0)
    scale = float(np.linalg.norm(np.ptp(vertices, axis=0)))
    return bool(used.any() and beyond[used].max() < 1e-5 * scale)


def _convex_hull(vertices: np.ndarray) -> Optional[Model]:
    """The convex hull; ``None`` if SciPy is missing, or if there is none."""
    try:
        from scipy.spatial import (  # type: ignore[import-untyped,unused-ignore]
            ConvexHull,
            QhullError,
        )
    except ImportError:
        return None
    try:
        hull = ConvexHull(vertices)
    except QhullError:
        return None
    faces = np.array(hull.simplices)
    corners = vertices[faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inwards = (across * hull.equations[:, :3]).sum(axis=1) < 0
    faces[inwards] = faces[inwards][:, ::-1]
    used, numbers = np.unique(faces, return_inverse=True)
    return Model(vertices[used], numbers.reshape(-1, 3))


# ---------------------------------------------------------------------------------------------------
# Transforms: rigid ones are poses; scale, reflection and shear go into the vertices.


class _Place(NamedTuple):
    """A rigid pose, and what is baked into the vertices before it."""

    pose: np.ndarray
    key: Optional[bytes]
    linear: Optional[np.ndarray]

    def of(self, geometry: Geometry) -> Geometry:
        if self.key is None or self.linear is None:
            return geometry
        shape = geometry._shape.variant(self.key, self.linear)
        return Geometry(shape, geometry.is_solid, geometry.is_convex)


_IDENTITY = np.eye(4)
_IDENTITY.setflags(write=False)
_NOWHERE = _Place(_IDENTITY, None, None)


def _matrix(transform: Any) -> np.ndarray:
    if type(transform) is np.ndarray and transform.dtype == np.float64:
        matrix = transform
    else:
        matrix = _numbers(transform, "transform")
    if matrix.shape != (4, 4):
        raise ArrayError(f"transform must be (4,4)! It has the shape {tuple(matrix.shape)}")
    return matrix


def _numbers(value: Any, name: str) -> np.ndarray:
    array = np.asarray(_arrays._array(value, name))
    if array.dtype.kind not in "fiu":
        raise ArrayError(f"{name} has the type {array.dtype}; give real numbers")
    return np.asarray(array, dtype=np.float64)


def _place(transform: Any) -> _Place:
    if transform is None:
        return _NOWHERE
    matrix = _matrix(transform)
    (a, b, c, x), (d, e, f, y), (g, h, i, z), last = rows = matrix.tolist()
    # By hand, since this is done for every call, and NumPy would take ten times as long.
    if (
        last == [0.0, 0.0, 0.0, 1.0]
        and x - x + y - y + z - z == 0.0  # They are finite.
        and abs(a * a + d * d + g * g - 1.0) <= _RIGID
        and abs(b * b + e * e + h * h - 1.0) <= _RIGID
        and abs(c * c + f * f + i * i - 1.0) <= _RIGID
        and abs(a * b + d * e + g * h) <= _RIGID
        and abs(a * c + d * f + g * i) <= _RIGID
        and abs(b * c + e * f + h * i) <= _RIGID
        and a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) > 0.0
    ):
        return _Place(matrix, None, None)
    return _bake(matrix, rows, None)


def _bake(matrix: np.ndarray, rows: List[List[float]], number: Optional[int]) -> _Place:
    which = "transform" if number is None else f"transform {number}"
    for row, entries in enumerate(rows):
        for column, entry in enumerate(entries):
            if not math.isfinite(entry):
                raise PoseError(
                    f"{which} has {entry} in row {row}, column {column}; give finite numbers",
                    pose=number,
                )
    if rows[3] != [0.0, 0.0, 0.0, 1.0]:
        raise PoseError(f"the last row of {which} is {rows[3]}; it has to be 0 0 0 1", pose=number)
    linear = np.array(matrix[:3, :3], dtype=np.float64)
    largest = float(np.abs(linear).max())
    determinant = float(np.linalg.det(linear / largest)) if largest > 0 else 0.0
    if abs(determinant) < 1e-12:
        raise PoseError(
            f"{which} flattens what it is applied to (its determinant is 0)", pose=number
        )
    scale = largest * abs(determinant) ** (1.0 / 3.0)
    mirror = np.diag([math.copysign(1.0, determinant), 1.0, 1.0])
    left, _, right = np.linalg.svd((linear / scale) @ mirror)
    rotation = left @ right
    away = float(np.linalg.norm((linear / scale) @ mirror - rotation))
    pose = np.eye(4)
    pose[:3, 3] = matrix[:3, 3]
    if away > _ROUNDED:
        # A shear, or scales that differ. Nothing is rounded more than by one product of matrices.
        return _Place(pose, linear.tobytes(), linear)
    pose[:3, :3] = rotation
    scale = _short(scale, max(4.0 * away, 1e-12))
    if abs(scale - 1.0) <= _ROUNDED and determinant > 0:
        return _Place(pose, None, None)
    baked = scale * mirror
    return _Place(pose, baked.tobytes(), baked)


def _short(value: float, tolerance: float) -> float:
    """The shortest decimal number that is as near, so that a scale is the same in every pose."""
    for digits in range(1, 17):
        short = float(f"{value:.{digits}g}")
        if abs(short - value) <= tolerance * value:
            return short
    return value


class _Group(NamedTuple):
    """Poses of a batch that have the same baked into the vertices."""

    numbers: np.ndarray
    poses: np.ndarray
    place: _Place


def _groups(transforms: Any) -> Tuple[int, List[_Group]]:
    array = _numbers(transforms, "transforms")
    if array.size == 0 and array.ndim in (1, 3):
        return 0, []
    if array.ndim != 3 or array.shape[1:] != (4, 4):
        raise ArrayError(
            f"transforms must be (P,4,4)! It has the shape {tuple(array.shape)}"
            + ("; give one as transform=" if array.shape == (4, 4) else "")
        )
    count = len(array)
    linear = array[:, :3, :3]
    with np.errstate(all="ignore"):
        gram = np.swapaxes(linear, 1, 2) @ linear
        is_rigid = np.abs(gram - np.eye(3)).max(axis=(1, 2)) <= _RIGID
        is_rigid &= np.linalg.det(linear) > 0
        is_rigid &= np.isfinite(array).all(axis=(1, 2))
        is_rigid &= (array[:, 3] == (0.0, 0.0, 0.0, 1.0)).all(axis=1)
    if is_rigid.all():
        return count, [_Group(np.arange(count), np.ascontiguousarray(array), _NOWHERE)]
    numbers: Dict[Optional[bytes], List[int]] = {}
    places: Dict[Optional[bytes], _Place] = {}
    poses = np.array(array)
    for number in range(count):
        place = _NOWHERE
        if not is_rigid[number]:
            place = _bake(array[number], array[number].tolist(), number)
            poses[number] = place.pose
        numbers.setdefault(place.key, []).append(number)
        places[place.key] = place
    groups = []
    for key, listed in numbers.items():
        index = np.array(listed)
        groups.append(_Group(index, poses[index], places[key]))
    return count, groups


# ---------------------------------------------------------------------------------------------------
# What queries return.


class _Contact(NamedTuple):
    """A contact with the names of the fields of ``fcl.Contact``."""

    b1: int
    b2: int
    normal: np.ndarray
    pos: np.ndarray
    penetration_depth: float


class _Distance(NamedTuple):
    """A distance with the names of the fields of ``fcl.DistanceResult``."""

    b1: int
    b2: int
    nearest_points: Tuple[np.ndarray, np.ndarray]
    min_distance: float


class ContactData:
    """One contact of two objects.

    Attributes
    ----------
    names : set
        The names of the two objects. What was given to a query is ``"__external"``.
    """

    def __init__(self, names: Sequence[Hashable], contact: Any) -> None:
        """
        Parameters
        ----------
        names : sequence of two names
        contact : object with b1, b2, normal, pos, penetration_depth
        """
        self.names: Set[Hashable] = set(names)
        self._inds: Dict[Hashable, int] = {names[0]: contact.b1, names[1]: contact.b2}
        self._normal = contact.normal
        self._point = contact.pos
        self._depth = contact.penetration_depth

    @property
    def normal(self) -> np.ndarray:
        """The unit vector (3,) along which the second object leaves the first.

        The first is the object of the manager; of two in one manager the first in sorted order; of
        two managers the object of the one that was asked.
        """
        return np.asarray(self._normal)

    @property
    def point(self) -> np.ndarray:
        """The point of the contact, (3,)."""
        return np.asarray(self._point)

    @property
    def depth(self) -> float:
        """How deep the two are in each other there; never below 0.

        Of two convex solids, the length of the shortest shift that separates them. Of two triangles
        that cross, how far they have to be moved along the normal. Of a part that is wholly inside a
        solid, how far its deepest point is from the boundary.
        """
        return float(self._depth)

    def index(self, name: Hashable) -> int:
        """The number of the face in contact of the object with this name.

        Parameters
        ----------
        name : hashable

        Returns
        -------
        int
        """
        return int(_of(self._inds, name))

    def __repr__(self) -> str:
        names = " ".join(f"{name!r}" for name in self._inds)
        return f"ContactData({names}, depth {self.depth:.6g})"


class DistanceData:
    """The distance of two objects, and where it is.

    Attributes
    ----------
    names : set
        The names of the two objects. What was given to a query is ``"__external"``.
    """

    def __init__(self, names: Sequence[Hashable], result: Any) -> None:
        """
        Parameters
        ----------
        names : sequence of two names
        result : object with b1, b2, nearest_points, min_distance
        """
        self.names: Set[Hashable] = set(names)
        self._inds: Dict[Hashable, int] = {names[0]: result.b1, names[1]: result.b2}
        self._points: Dict[Hashable, Any] = {
            names[0]: result.nearest_points[0],
            names[1]: result.nearest_points[1],
        }
        self._distance = result.min_distance

    @property
    def distance(self) -> float:
        """The distance; below 0 if a solid is penetrated: then minus the depth."""
        return float(self._distance)

    def index(self, name: Hashable) -> int:
        """The number of the face that has the closest point, of the object with this name.

        Parameters
        ----------
        name : hashable

        Returns
        -------
        int
        """
        return int(_of(self._inds, name))

    def point(self, name: Hashable) -> np.ndarray:
        """The closest point (3,) of the object with this name.

        Of objects that penetrate, the two ends of the depth.

        Parameters
        ----------
        name : hashable

        Returns
        -------
        numpy.ndarray
        """
        return np.asarray(_of(self._points, name))

    def __repr__(self) -> str:
        names = " ".join(f"{name!r}" for name in self._inds)
        return f"DistanceData({names}, {self.distance:.6g})"


def _of(table: Mapping[Hashable, Any], name: Hashable) -> Any:
    try:
        return table[name]
    except KeyError:
        names = " and ".join(f"{name!r}" for name in table)
        raise UnknownNameError(f"{name!r} is not one of the two; they are {names}") from None


class CollisionObject:
    """An object of a manager: what :meth:`CollisionManager.add_object` returns.

    Attributes
    ----------
    name : hashable
    geometry : Geometry
        The mesh, without the transform.
    transform : numpy.ndarray
        (4, 4), as it was set last.
    """

    __slots__ = ("_key", "_placed", "_pose", "geometry", "name", "transform")

    def __init__(self, name: Hashable, key: str, geometry: Geometry) -> None:
        self.name = name
        self._key = key
        self.geometry = geometry
        self.transform: np.ndarray = _IDENTITY
        #: With scale and reflection baked in, and the rigid rest.
        self._placed = geometry
        self._pose: np.ndarray = _IDENTITY

    def __repr__(self) -> str:
        return f"CollisionObject({self.name!r}, {self.geometry!r})"


def _sorted(a: Hashable, b: Hashable) -> Tuple[Hashable, Hashable]:
    """Two names in order; those of types that have no order by how they are written."""
    try:
        return (b, a) if b < a else (a, b)  # type: ignore[operator]
    except TypeError:
        return (b, a) if (str(type(b)), repr(b)) < (str(type(a)), repr(a)) else (a, b)


def _one_of(value: str, allowed: Tuple[str, ...], name: str) -> str:
    if value not in allowed:
        listed = ", ".join(repr(it) for it in allowed[:-1]) + f" or {allowed[-1]!r}"
        raise ValueError(f"{name} is {value!r}; give {listed}")
    return value


# ---------------------------------------------------------------------------------------------------
# Two objects. Of each: its geometry and its pose.


class _Side(NamedTuple):
    geometry: Geometry
    pose: np.ndarray

    @property
    def model(self) -> Model:
        return self.geometry._shape.model

    def seeds(self) -> np.ndarray:
        return _moved(self.geometry._shape.seeds, self.pose)


def _moved(points: np.ndarray, pose: np.ndarray) -> np.ndarray:
    return np.asarray(points @ pose[:3, :3].T + pose[:3, 3])


def _is_contained(a: _Side, b: _Side) -> bool:
    """Whether one is inside the other, or a piece of it is. The surfaces do not meet."""
    if a.geometry.is_solid and b.geometry.is_solid:
        return bool(a.model.contacts(b.model, a.pose, b.pose, solid=True).kind != "clear")
    if a.geometry.is_solid and bool(a.model.inside(b.seeds(), a.pose).any()):
        return True
    return b.geometry.is_solid and bool(b.model.inside(a.seeds(), b.pose).any())


def _is_more_than_touching(a: _Side, b: _Side) -> bool:
    """Whether two that meet share more than points of their boundaries."""
    both = a.geometry.is_solid and b.geometry.is_solid
    kind = a.model.contacts(b.model, a.pose, b.pose, solid=both).kind
    if kind not in ("clear", "clearance", "touching"):
        return True
    if both or kind != "touching":
        # Surfaces that do not meet were found to be inside a solid before.
        return not both
    if not (a.geometry.is_solid or b.geometry.is_solid):
        return False
    return _solid_depth(a, b).depth > 0.0


class _Depth(NamedTuple):
    """The second object leaves the first along the normal after so much."""

    depth: float
    normal: np.ndarray
    point_a: np.ndarray
    point_b: np.ndarray
    face_a: int
    face_b: int

    @property
    def contact(self) -> _Contact:
        point = 0.5 * (self.point_a + self.point_b)
        return _Contact(self.face_a, self.face_b, self.normal, point, self.depth)

    def turned(self) -> _Depth:
        """The same with the two in the other order."""
        return _Depth(
            self.depth, -self.normal, self.point_b, self.point_a, self.face_b, self.face_a
        )

    @property
    def distance(self) -> _Distance:
        points = (self.point_a, self.point_b)
        # No -0.0.
        return _Distance(self.face_a, self.face_b, points, -self.depth or 0.0)


def _depth(a: _Side, b: _Side) -> _Depth:
    """How deep two objects are in each other, one of which is a solid."""
    if a.geometry.is_convex and b.geometry.is_convex:
        return _convex_depth(a, b)
    return _solid_depth(a, b)


def _first_contact(a: _Side, b: _Side) -> _Depth:
    """Two that touch only."""
    found = a.model.contacts(b.model, a.pose, b.pose)
    if len(found.pairs):
        at = a.model.contact_points(b.model, found.pairs[:1], a.pose, b.pose)
        face_a, face_b = found.pairs[0].tolist()
        return _Depth(0.0, at.normal[0], at.point[0], at.point[0], face_a, face_b)
    near = a.model.closest_points(b.model, a.pose, b.pose)
    return _Depth(0.0, np.array([1.0, 0.0, 0.0]), near.point_a, near.point_b, near.a, near.b)


def _convex_depth(a: _Side, b: _Side) -> _Depth:
    """Two convex solids: the shortest shift that separates them."""
    shape_a, shape_b = a.geometry._shape, b.geometry._shape
    found = shape_a.hull.minimum_translation(shape_b.hull, a.pose, b.pose)
    depth = float(found.upper)
    vertices_a, vertices_b = _moved(a.model.vertices, a.pose), _moved(b.model.vertices, b.pose)
    length = float(np.linalg.norm(found.vector))
    normal = -found.vector / length if length > 0 else None
    size = float(np.abs(vertices_a).max() + np.abs(vertices_b).max())
    # Of several shifts of the same length the one whose normal comes first, x before y before z:
    # not one that depends on the order of the triangles.
    normals = np.concatenate(
        [shape_a.normals @ a.pose[:3, :3].T, -shape_b.normals @ b.pose[:3, :3].T]
    )
    if len(normals) * (len(vertices_a) + len(vertices_b)) <= 1_000_000:
        depths = (normals @ vertices_a.T).max(axis=1) - (normals @ vertices_b.T).min(axis=1)
        least = float(depths.min())
        if least <= depth * (1.0 + 1e-9) + 1e-14 * size:
            tied = np.flatnonzero(depths <= least + 1e-9 * depth + 1e-14 * size)
            keys = np.round(normals[tied], 9)
            best = tied[np.lexsort((keys[:, 2], keys[:, 1], keys[:, 0]))[0]]
            normal, depth = normals[best] + 0.0, min(max(float(depths[best]), found.lower), depth)
    # The corner of the area of contact that has the lowest number, as FCL has it.
    if normal is None:
        return _first_contact(a, b)
    slack = 1e-9 * depth + 1e-12 * size
    for mine, theirs, ahead, is_a in (
        (vertices_a, b, normal, True),
        (vertices_b, a, -normal, False),
    ):
        along = mine @ ahead
        corners = np.flatnonzero(along >= along.max() - slack)
        ends = mine[corners] - ahead * depth
        nearest = theirs.model.closest_point(ends, theirs.pose)
        on_both = np.flatnonzero(nearest.distance <= slack)
        if len(on_both):
            corner = int(on_both[0])
            start, end = mine[corners[corner]], nearest.point[corner]
            other = int(nearest.triangle[corner])
            face = _face_at((a if is_a else b), int(corners[corner]), ahead)
            if is_a:
                return _Depth(depth, normal, start, end, face, other)
            return _Depth(depth, normal, end, start, other, face)
    # Two edges that cross: shifted apart, those are the closest points.
    apart = np.array(a.pose)
    apart[:3, 3] -= normal * depth
    near = a.model.closest_points(b.model, apart, b.pose)
    return _Depth(depth, normal, near.point_a + normal * depth, near.point_b, near.a, near.b)


def _face_at(side: _Side, vertex: int, ahead: np.ndarray) -> int:
    """The face at a vertex that looks into a direction more than the others do."""
    faces = np.flatnonzero((side.model.faces == vertex).any(axis=1))
    if not len(faces):
        return -1
    normals, areas = _normals(side.model)
    looks = np.where(areas[faces] > 0, normals[faces] @ (ahead @ side.pose[:3, :3]), -np.inf)
    # Rounding does not decide between two halves of a quadrilateral.
    return int(faces[np.flatnonzero(looks >= looks.max() - 1e-9)[0]])


def _solid_depth(a: _Side, b: _Side) -> _Depth:
    """How deep the deepest point of either boundary is in the other, as far as that is a solid."""
    if not (a.geometry.is_solid and b.geometry.is_solid):
        return _surface_depth(a, b) if b.geometry.is_solid else _surface_depth(b, a).turned()
    found = a.model.penetration(b.model, a.pose, b.pose)
    if not found.lower > 0.0:
        return _first_contact(a, b)
    faces = int(found.triangle), int(found.other)
    return _from_site(float(found.lower), found.point, found.foot, faces, bool(found.is_of_a))


def _from_site(
    depth: float, point: np.ndarray, foot: np.ndarray, faces: Tuple[int, int], is_of_a: bool
) -> _Depth:
    """Of a point of one that is inside the other, and the point of the other's boundary next to it."""
    out = foot - point
    length = float(np.linalg.norm(out))
    out = out / length if length > 0 else np.array([1.0, 0.0, 0.0])
    if is_of_a:
        return _Depth(depth, -out, point, foot, faces[0], faces[1])
    return _Depth(depth, out, foot, point, faces[1], faces[0])


def _surface_depth(inner: _Side, solid: _Side) -> _Depth:
    """How deep a surface is in a solid; not how deep the solid is in what the surface encloses."""
    if solid.geometry.is_convex:
        return _depth_in_convex(inner, solid)
    found = inner.model.penetration(solid.model, inner.pose, solid.pose)
    if found.lower > 0.0 and found.is_of_a:
        at = int(found.triangle), int(found.other)
        return _from_site(float(found.lower), found.point, found.foot, at, True)
    # The engine finds the larger of two depths, and this one is the other: of vertices only.
    points = _moved(inner.model.vertices, inner.pose)
    inside = np.flatnonzero(solid.model.inside(points, solid.pose))
    if len(inside):
        near = solid.model.closest_point(points[inside], solid.pose)
        most = int(np.argmax(near.distance))
        if near.distance[most] > 0.0:
            face = int(np.flatnonzero((inner.model.faces == inside[most]).any(axis=1))[:1].sum())
            at = face, int(near.triangle[most])
            depth, point = float(near.distance[most]), points[inside[most]]
            return _from_site(depth, point, near.point[most], at, True)
    return _first_contact(inner, solid)


def _depth_in_convex(inner: _Side, solid: _Side) -> _Depth:
    """The point of a surface that is deepest in a convex solid.

    A depth in a convex solid is the least of the distances from its planes. Each of those is linear,
    so on a triangle none is more than at one of the corners, and the deepest point of a triangle is
    that of a small linear program.
    """
    normals, offsets = solid.geometry._shape.planes
    rotation, shift = solid.pose[:3, :3], solid.pose[:3, 3]
    corners = (_moved(inner.model.vertices, inner.pose) - shift) @ rotation
    faces = inner.model.faces
    low, high = solid.model.bounds
    of_faces = corners[faces]
    near = ((of_faces.min(axis=1) <= high) & (of_faces.max(axis=1) >= low)).all(axis=1)
    numbers = np.flatnonzero(near)
    used = np.unique(faces[numbers])
    depths = np.full(len(corners), -np.inf)
    # Products so small that they are not shared by threads, which cost more than they bring.
    step = max(1, 80_000 // len(offsets))
    for start in range(0, len(used), step):
        part = used[start : start + step]
        depths[part] = (offsets - corners[part] @ normals.T).min(axis=1)
    best, weights, face = 0.0, None, -1
    if len(used):
        deepest = int(used[np.argmax(depths[used])])
        if depths[deepest] > 0.0:
            best = float(depths[deepest])
            face = int(numbers[(faces[numbers] == deepest).any(axis=1).argmax()])
            weights = (faces[face] == deepest).astype(np.float64)
    # No point of a triangle is deeper than a corner by more than the longest edge.
    of_faces = of_faces[numbers]
    edges = np.linalg.norm(of_faces - np.roll(of_faces, 1, axis=1), axis=2).max(axis=1)
    numbers = numbers[depths[faces[numbers]].min(axis=1) + edges > best]
    most = np.empty(len(numbers))
    for start in range(0, len(numbers), step):
        some = faces[numbers[start : start + step]].T
        highest = offsets - corners[some[0]] @ normals.T
        for corner in some[1:]:
            np.maximum(highest, offsets - corners[corner] @ normals.T, out=highest)
        most[start : start + step] = highest.min(axis=1)
    order = np.argsort(-most, kind="stable")
    block = max(1, min(64, step // 3))
    for start in range(0, len(order), block):
        chosen = order[start : start + block]
        chosen = chosen[most[chosen] > best * (1.0 + 1e-9)]
        if not len(chosen):
            break
        some = corners[faces[numbers[chosen]]].reshape(-1, 3) @ normals.T
        value, at, which = _best_value((offsets - some).reshape(len(chosen), 3, -1), best)
        if value > best:
            best, weights, face = value, at, int(numbers[chosen[which]])
    if weights is None:
        return _first_contact(inner, solid)
    point = weights @ corners[faces[face]] @ rotation.T + shift
    foot = solid.model.closest_point(point[None], solid.pose)
    return _from_site(best, point, foot.point[0], (face, int(foot.triangle[0])), True)


def _best_value(tables: np.ndarray, best: float) -> Tuple[float, np.ndarray, int]:
    """Of tables (T, 3, K) the largest minimum of the columns of weights that sum to 1 times the table.

    Returns that value if it is more than the best so far, the weights, and the number of the table.
    A column after the other is taken in, and those that do not matter are dropped.
    """
    centres = tables.sum(axis=1)
    few = min(3, centres.shape[1])
    columns = np.concatenate(
        [tables.argmin(axis=2), np.argpartition(centres, few - 1, axis=1)[:, :few]], axis=1
    )
    at, which = np.eye(3)[0], 0
    left = np.arange(len(tables))
    for _ in range(100):
        some = np.take_along_axis(tables, columns[:, None, :], axis=2)
        bound, weights = _mixed(some)
        values = (tables * weights[:, :, None]).sum(axis=1)
        lowest = values.argmin(axis=1)[:, None]
        reached = np.take_along_axis(values, lowest, axis=1)[:, 0]
        most = int(reached.argmax())
        if reached[most] > best:
            best, at, which = float(reached[most]), weights[most], int(left[most])
        # A column that is there already is lower by rounding only.
        goes_on = (bound > best * (1.0 + 1e-9)) & ~(columns == lowest).any(axis=1)
        if not goes_on.any():
            break
        tight = np.argsort(np.take_along_axis(values, columns, axis=1), axis=1)[:, :5]
        columns = np.concatenate([np.take_along_axis(columns, tight, axis=1), lowest], axis=1)
        columns, left, tables = columns[goes_on], left[goes_on], tables[goes_on]
    return best, at, which


def _mixed(tables: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """That value of tables with few columns (T, 3, R), and the weights, by trying all mixtures."""
    many, _, count = tables.shape
    first, second, threes = _choices(count)
    some = [np.broadcast_to(np.eye(3), (many, 3, 3))]
    with np.errstate(all="ignore"):
        for a, b in ((0, 1), (1, 2), (2, 0)):
            # On an edge of the triangle two columns are equal.
            by = tables[:, a] - tables[:, b]
            share = (tables[:, b, second] - tables[:, b, first]) / (by[:, first] - by[:, second])
            weights = np.zeros((many, len(first), 3))
            weights[:, :, a], weights[:, :, b] = share, 1.0 - share
            some.append(weights)
        # Inside it three are.
        i, j, k = threes
        x, y, z = np.swapaxes(tables[:, :, i] - tables[:, :, j], 0, 1)
        u, v, w = np.swapaxes(tables[:, :, i] - tables[:, :, k], 0, 1)
        weights = np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=2)
        some.append(weights / weights.sum(axis=2, keepdims=True))
        tried = np.concatenate(some, axis=1)
        is_inside = (tried >= -1e-12).all(axis=2) & (tried <= 1.0 + 1e-12).all(axis=2)
    tried[~is_inside] = (1.0, 0.0, 0.0)
    tried = np.clip(tried, 0.0, 1.0)
    least = (tried @ tables).min(axis=2)
    best = least.argmax(axis=1)
    every = np.arange(many)
    return least[every, best], tried[every, best]


@functools.lru_cache(maxsize=None)
def _choices(count: int) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All choices of two and of three out of this many."""
    first, second = np.triu_indices(count, 1)
    threes = [(i, j, k) for i in range(count) for j in range(i) for k in range(j)]
    return first, second, np.array(threes, dtype=np.intp).reshape(-1, 3).T


def _most(a: _Side, b: _Side) -> float:
    """No depth of the two is more than this: along one axis their boxes overlap no more."""
    if not (a.geometry.is_solid or b.geometry.is_solid):
        return 0.0
    ends_a, ends_b = _ends(a.geometry._shape.box, a.pose), _ends(b.geometry._shape.box, b.pose)
    return float((ends_a - _starts(ends_b)).min())


def _deepest(
    pairs: Sequence[Tuple[str, str]], sides: Sequence[Tuple[_Side, _Side]]
) -> Optional[Tuple[str, str, _Distance]]:
    """Of pairs that meet the one with the smallest signed distance; of several the first."""
    if len(pairs) == 1:
        return (*pairs[0], _distance(*sides[0]))
    most = [_most(*both) for both in sides]
    best: Optional[Tuple[float, int, _Distance]] = None
    for index in sorted(range(len(pairs)), key=lambda index: (-most[index], index)):
        if best is not None and -best[0] > most[index]:
            break
        result = _distance(*sides[index])
        if best is None or (result.min_distance, index) < best[:2]:
            best = result.min_distance, index, result
    return None if best is None else (*pairs[best[1]], best[2])


def _contacts(a: _Side, b: _Side) -> List[_Contact]:
    """All contacts of two that meet."""
    if a.geometry.is_convex and b.geometry.is_convex:
        return [_convex_depth(a, b).contact]
    pairs = a.model.contacts(b.model, a.pose, b.pose).pairs
    if not len(pairs):
        return [_solid_depth(a, b).contact]
    pairs = pairs[: max(COLLISION_PER_PAIR_CAP, 0)]
    points = a.model.contact_points(b.model, pairs, a.pose, b.pose)
    faces, depths = pairs.tolist(), points.depth.tolist()
    return [
        _Contact(first, second, points.normal[i], points.point[i], depths[i])
        for i, (first, second) in enumerate(faces)
    ]


def _distance(a: _Side, b: _Side) -> _Distance:
    """The signed distance of two that meet."""
    if a.geometry.is_solid or b.geometry.is_solid:
        return _depth(a, b).distance
    return _nearest_points(a, b)


# ---------------------------------------------------------------------------------------------------


class _Boxes(NamedTuple):
    """Boxes of all objects: of the whole, and of one vertex of each piece.

    Of each the upper corner and minus the lower one, so that one comparison tells which overlap.
    """

    objects: List[CollisionObject]
    row: Dict[str, int]
    whole: np.ndarray
    seeds: np.ndarray
    solid: np.ndarray


def _ends(box: _Box, pose: np.ndarray) -> np.ndarray:
    """The upper corner of the box of a box in a pose, and minus its lower one."""
    # Not by NumPy, which takes three times as long for so few numbers.
    x, y, z, u, v, w = box.numbers
    highs, lows = [], []
    for a, b, c, d in pose.tolist()[:3]:
        middle = a * x + b * y + c * z + d
        reach = abs(a) * u + abs(b) * v + abs(c) * w
        reach += 1e-12 * (abs(middle) + reach) + 1e-300
        highs.append(middle + reach)
        lows.append(reach - middle)
    return np.array(highs + lows)


_ROLLED = np.array([3, 4, 5, 0, 1, 2])


def _starts(ends: np.ndarray) -> np.ndarray:
    """The lower corner and minus the upper one: a box overlaps those whose ends are not below."""
    return np.asarray(-ends[..., _ROLLED])


class CollisionManager:
    """Objects with names, and questions about which of them meet.

    Parameters
    ----------
    solid : {"auto", "surface", "volume"}
        Whether the inside of an object belongs to it. ``"auto"`` is what trimesh does: convex meshes
        are solids, all others are surfaces. With ``"volume"`` every mesh is a solid.
    touching : {"count", "ignore"}
        Whether objects that only touch collide.

    Examples
    --------
    >>> import numpy as np
    >>> import trimesh
    >>> from elbowroom.trimesh import CollisionManager
    >>> box = trimesh.creation.box()
    >>> beside = np.eye(4)
    >>> beside[0, 3] = 1.0
    >>> manager = CollisionManager()
    >>> _ = manager.add_object("a", box)
    >>> _ = manager.add_object("b", box, beside)
    >>> manager.in_collision_internal(return_names=True)
    (True, {('a', 'b')})
    >>> manager.in_collision_internal(touching="ignore")
    False
    """

    def __init__(self, *, solid: str = "auto", touching: str = "count") -> None:
        self._solid = _one_of(solid, _SOLID, "solid")
        self._touching = _one_of(touching, _TOUCHING, "touching")
        #: As in trimesh: {name: {"obj": ..., "geom": ...}}.
        self._objs: Dict[Hashable, Dict[str, Any]] = {}
        self._by_key: Dict[str, CollisionObject] = {}
        self._added = 0
        self._solids = 0
        self._world = World()
        self._boxes: Optional[_Boxes] = None
        self._stale: Set[str] = set()

    @classmethod
    def from_scene(
        cls, scene: Any, *, solid: str = "auto", touching: str = "count"
    ) -> CollisionManager:
        """A manager of all meshes of a scene, with the names of their nodes.

        Parameters
        ----------
        scene : trimesh.Scene
        solid, touching : str
            As for the constructor.

        Returns
        -------
        CollisionManager

        Examples
        --------
        >>> import trimesh
        >>> from elbowroom.trimesh import CollisionManager
        >>> scene = trimesh.Scene({"a": trimesh.creation.box(), "b": trimesh.creation.icosphere()})
        >>> CollisionManager.from_scene(scene).in_collision_internal(return_names=True)
        (True, {('a', 'b')})
        """
        manager = cls(solid=solid, touching=touching)
        manager._add_scene(scene)
        return manager

    def _add_scene(self, scene: Any) -> Dict[Hashable, CollisionObject]:
        graph = getattr(scene, "graph", None)
        if graph is None or not hasattr(scene, "geometry"):
            raise ArrayError(f"scene is a {_described(scene)}; give a trimesh.Scene")
        objects: Dict[Hashable, CollisionObject] = {}
        for node in graph.nodes_geometry:
            transform, geometry = graph[node]
            objects[node] = self.add_object(node, scene.geometry[geometry], transform)
        return objects

    def __len__(self) -> int:
        return len(self._objs)

    def __contains__(self, name: Hashable) -> bool:
        return name in self._objs

    def __repr__(self) -> str:
        count = len(self)
        return f"CollisionManager({count} object{'' if count == 1 else 's'})"

    def add_object(
        self, name: Hashable, mesh: Any, transform: Any = None, *, solid: Optional[str] = None
    ) -> CollisionObject:
        """Adds an object. One with the same name is replaced.

        Meshes with the same vertices and faces share one tree.

        Parameters
        ----------
        name : hashable
        mesh : trimesh.Trimesh, or anything with ``vertices`` and ``faces``
        transform : (4, 4) array-like, optional
            Scale, reflection and shear are baked into the vertices.
        solid : {"auto", "surface", "volume"}, optional
            For this object; otherwise as the constructor says.

        Returns
        -------
        CollisionObject

        Raises
        ------
        ValueError
            If the transform is not (4, 4), or the mesh is not sound. The message names the object.

        Examples
        --------
        >>> import trimesh
        >>> from elbowroom.trimesh import CollisionManager
        >>> CollisionManager().add_object("box", trimesh.creation.box())
        CollisionObject('box', Geometry(Model(8 vertices, 12 faces), convex solid))
        """
        place = _place(transform)
        hash(name)
        geometry = _geometry(mesh, self._solid_of(solid), f"object {name!r}")
        key = str(self._added)
        added = CollisionObject(name, key, geometry)
        added._placed, added._pose = place.of(geometry), np.array(place.pose)
        added.transform = _kept(transform)
        if name in self._objs:
            self.remove_object(name)
        self._world.add(key, added._placed.model, added._pose)
        self._added += 1
        self._by_key[key] = added
        self._objs[name] = {"obj": added, "geom": geometry}
        self._solids += geometry.is_solid
        self._boxes = None
        return added

    def remove_object(self, name: Hashable) -> None:
        """Removes an object.

        Parameters
        ----------
        name : hashable

        Raises
        ------
        ValueError
            If there is no such object.
        """
        removed = self._get(name)
        del self._objs[name]
        del self._by_key[removed._key]
        self._world.remove(removed._key)
        self._solids -= removed.geometry.is_solid
        self._boxes = None
        self._stale.discard(removed._key)

    def set_transform(self, name: Hashable, transform: Any) -> None:
        """Gives an object another transform, in place of the one that it has.

        Parameters
        ----------
        name : hashable
        transform : (4, 4) array-like

        Raises
        ------
        ValueError
            If there is no such object, or the transform is not (4, 4).
        """
        moved = self._get(name)
        place = _place(transform)
        placed = place.of(moved.geometry)
        if placed._shape is moved._placed._shape:
            self._world.set_pose(moved._key, place.pose)
        else:
            self._world.remove(moved._key)
            self._world.add(moved._key, placed.model, place.pose)
        moved._placed, moved._pose = placed, np.array(place.pose)
        moved.transform = _kept(transform)
        self._stale.add(moved._key)

    def _get(self, name: Hashable) -> CollisionObject:
        try:
            found = self._objs[name]["obj"]
        except KeyError:
            raise _UnknownObject(f"{name} not in collision manager!") from None
        assert isinstance(found, CollisionObject)
        return found

    def _solid_of(self, solid: Optional[str]) -> str:
        return self._solid if solid is None else _one_of(solid, _SOLID, "solid")

    def _ignores(self, touching: Optional[str]) -> bool:
        if touching is None:
            touching = self._touching
        return _one_of(touching, _TOUCHING, "touching") == "ignore"

    # What is inside what. The world knows surfaces only.

    def _table(self) -> _Boxes:
        boxes = self._boxes
        if boxes is None:
            objects = list(self._by_key.values())
            shape = (len(objects), 6)
            boxes = _Boxes(
                objects,
                {it._key: row for row, it in enumerate(objects)},
                np.empty(shape),
                np.empty(shape),
                np.array([it.geometry.is_solid for it in objects], dtype=bool),
            )
            self._boxes = boxes
            self._stale = set(self._by_key)
        for key in self._stale:
            row = boxes.row[key]
            of = boxes.objects[row]
            shape_of = of._placed._shape
            boxes.whole[row] = _ends(shape_of.box, of._pose)
            boxes.seeds[row] = _ends(shape_of.seed_box, of._pose)
        self._stale.clear()
        return boxes

    def _containing(self, geometry: Geometry, pose: np.ndarray, skip: Iterable[str]) -> List[str]:
        """Objects that are inside the geometry, or it inside them. Those to skip are not looked at."""
        if not self._by_key or not (self._solids or geometry.is_solid):
            return []
        boxes = self._table()
        near: Set[int] = set()
        if self._solids:
            starts = _starts(_ends(geometry._shape.seed_box, pose))
            rows = (starts <= boxes.whole).all(axis=1)
            near.update((rows & boxes.solid).nonzero()[0].tolist())
        if geometry.is_solid:
            starts = _starts(_ends(geometry._shape.box, pose))
            near.update((starts <= boxes.seeds).all(axis=1).nonzero()[0].tolist())
        if not near:
            return []
        skipped = set(skip)
        external = _Side(geometry, pose)
        found = []
        for row in sorted(near):
            of = boxes.objects[row]
            if of._key not in skipped and _is_contained(_Side(of._placed, of._pose), external):
                found.append(of._key)
        return found

    def _contained_pairs(self, skip: Set[Tuple[str, str]]) -> List[Tuple[str, str]]:
        """Pairs of objects of which one is inside the other."""
        if not self._solids:
            return []
        boxes = self._table()
        solids = np.flatnonzero(boxes.solid)
        found: List[Tuple[str, str]] = []
        seen = set(skip)
        # Blocks, so that memory does not grow with the square of the objects.
        block = max(1, 2_000_000 // max(1, len(boxes.objects)))
        for start in range(0, len(solids), block):
            rows = solids[start : start + block]
            near = np.ones((len(rows), len(boxes.objects)), dtype=bool)
            starts = _starts(boxes.seeds)
            for side in range(6):
                near &= starts[None, :, side] <= boxes.whole[rows, None, side]
            near[np.arange(len(rows)), rows] = False
            for first, second in np.argwhere(near):
                a, b = sorted((int(rows[first]), int(second)))
                of_a, of_b = boxes.objects[a], boxes.objects[b]
                pair = (of_a._key, of_b._key)
                if pair in seen or pair[::-1] in seen:
                    continue
                seen.add(pair)
                if _is_contained(_Side(of_a._placed, of_a._pose), _Side(of_b._placed, of_b._pose)):
                    found.append(pair)
        return found

    def _side(self, key: str) -> _Side:
        of = self._by_key[key]
        return _Side(of._placed, of._pose)

    def _meeting(self, geometry: Geometry, pose: np.ndarray, ignores: bool) -> List[str]:
        """The objects that meet a geometry, in the order in which they were added."""
        keys: List[str] = self._world.meeting(geometry.model, pose)
        contained = self._containing(geometry, pose, keys)
        if ignores:
            external = _Side(geometry, pose)
            keys = [key for key in keys if _is_more_than_touching(self._side(key), external)]
        return sorted(keys + contained, key=int)

    def _meets(self, geometry: Geometry, pose: np.ndarray, ignores: bool) -> bool:
        """Whether any object meets a geometry; the search ends with the first."""
        if self._world.intersects(geometry.model, pose):
            if not ignores:
                return True
            external = _Side(geometry, pose)
            keys: List[str] = self._world.meeting(geometry.model, pose)
            if any(_is_more_than_touching(self._side(key), external) for key in keys):
                return True
            return bool(self._containing(geometry, pose, keys))
        return bool(self._containing(geometry, pose, ()))

    def in_collision_single(
        self,
        mesh: Any,
        transform: Any = None,
        return_names: bool = False,
        return_data: bool = False,
        *,
        transforms: Any = None,
        solid: Optional[str] = None,
        touching: Optional[str] = None,
    ) -> Any:
        """Whether a mesh collides with any object of the manager.

        Parameters
        ----------
        mesh : trimesh.Trimesh, or anything with ``vertices`` and ``faces``
        transform : (4, 4) array-like, optional
        return_names : bool
            Also return the names of the objects that it collides with.
        return_data : bool
            Also return the contacts.
        transforms : (P, 4, 4) array-like, optional
            Many transforms instead of one. They are asked on all cores, and every part of the answer
            has one entry for each.
        solid : {"auto", "surface", "volume"}, optional
            How the mesh is taken; otherwise as the constructor says.
        touching : {"count", "ignore"}, optional
            Otherwise as the constructor says.

        Returns
        -------
        is_collision : bool
            With ``transforms`` an array (P,).
        names : set
            Only with ``return_names``. With ``transforms`` a list of P sets.
        contacts : list of ContactData
            Only with ``return_data``. With ``transforms`` a list of P lists.

        Examples
        --------
        >>> import numpy as np
        >>> import trimesh
        >>> from elbowroom.trimesh import CollisionManager
        >>> manager = CollisionManager()
        >>> _ = manager.add_object("box", trimesh.creation.box())
        >>> many = np.repeat(np.eye(4)[None], 3, axis=0)
        >>> many[:, 0, 3] = 0.0, 1.2, 2.0
        >>> ball = trimesh.creation.icosphere(radius=0.5)
        >>> manager.in_collision_single(ball, transforms=many)
        array([ True, False, False])
        """
        ignores = self._ignores(touching)
        if transforms is not None:
            _not_both(transform)
            geometry = _geometry(mesh, self._solid_of(solid), "mesh")
            return self._in_collision_many(geometry, transforms, return_names, return_data, ignores)
        place = _place(transform)
        geometry = place.of(_geometry(mesh, self._solid_of(solid), "mesh"))
        if not (return_names or return_data):
            return self._meets(geometry, place.pose, ignores)
        keys = self._meeting(geometry, place.pose, ignores)
        answer: List[Any] = [bool(keys)]
        if return_names:
            answer.append({self._by_key[key].name for key in keys})
        if return_data:
            answer.append(self._data(keys, _Side(geometry, place.pose)))
        return tuple(answer)

    def _data(self, keys: List[str], external: _Side) -> List[ContactData]:
        data = []
        for key in keys:
            names = (self._by_key[key].name, _EXTERNAL)
            data += [ContactData(names, it) for it in _contacts(self._side(key), external)]
        return data

    def _in_collision_many(
        self,
        geometry: Geometry,
        transforms: Any,
        return_names: bool,
        return_data: bool,
        ignores: bool,
    ) -> Any:
        count, groups = _groups(transforms)
        hit = np.zeros(count, dtype=bool)
        names: List[Set[Hashable]] = [set() for _ in range(count)]
        data: List[List[ContactData]] = [[] for _ in range(count)]
        for group in groups:
            placed = group.place.of(geometry)
            if not (return_names or return_data or ignores):
                hit[group.numbers] = self._meets_many(placed, group.poses)
                continue
            if not (return_names or return_data):
                first = np.array(self._meets_many(placed, group.poses))
                for i in np.flatnonzero(first).tolist():
                    first[i] = self._meets(placed, group.poses[i], True)
                hit[group.numbers] = first
                continue
            listed: List[List[str]] = self._world.meeting(placed.model, group.poses)
            for number, pose, meeting in zip(group.numbers.tolist(), group.poses, listed):
                external = _Side(placed, pose)
                contained = self._containing(placed, pose, meeting)
                if ignores:
                    meeting = [
                        key for key in meeting if _is_more_than_touching(self._side(key), external)
                    ]
                keys = sorted(meeting + contained, key=int)
                hit[number] = bool(keys)
                names[number] = {self._by_key[key].name for key in keys}
                if return_data:
                    data[number] = self._data(keys, external)
        answer: List[Any] = [hit]
        if return_names:
            answer.append(names)
        if return_data:
            answer.append(data)
        return tuple(answer) if len(answer) > 1 else hit

    def _meets_many(self, geometry: Geometry, poses: np.ndarray) -> np.ndarray:
        """For each pose whether any object meets a geometry."""
        hit = np.array(self._world.intersects(geometry.model, poses), dtype=bool)
        if not self._by_key or not (self._solids or geometry.is_solid):
            return hit
        boxes = self._table()
        seeds = _starts(_moving_ends(geometry._shape.seed_box, poses))
        whole = _starts(_moving_ends(geometry._shape.box, poses))
        for row, of in enumerate(boxes.objects):
            near = np.zeros(len(poses), dtype=bool)
            if boxes.solid[row]:
                near |= (seeds <= boxes.whole[row]).all(axis=1)
            if geometry.is_solid:
                near |= (whole <= boxes.seeds[row]).all(axis=1)
            asked = np.flatnonzero(near & ~hit)
            if not len(asked):
                continue
            side = _Side(of._placed, of._pose)
            if boxes.solid[row] and geometry.is_solid:
                found = side.model.contacts(geometry.model, side.pose, poses[asked], solid=True)
                hit[asked[found.kind > 0]] = True
                continue
            for number in asked.tolist():
                hit[number] = _is_contained(side, _Side(geometry, poses[number]))
        return hit

    def in_collision_internal(
        self,
        return_names: bool = False,
        return_data: bool = False,
        *,
        touching: Optional[str] = None,
    ) -> Any:
        """Whether any two objects of the manager collide.

        Parameters
        ----------
        return_names : bool
            Also return which.
        return_data : bool
            Also return the contacts.
        touching : {"count", "ignore"}, optional
            Otherwise as the constructor says.

        Returns
        -------
        is_collision : bool
        names : set of 2-tuples
            Only with ``return_names``. The two names of each tuple are in sorted order.
        contacts : list of ContactData
            Only with ``return_data``.
        """
        ignores = self._ignores(touching)
        pairs: List[Tuple[str, str]] = self._world.intersecting_pairs()
        if not (return_names or return_data or ignores) and pairs:
            return True
        contained = self._contained_pairs(set(pairs))
        if ignores:
            sides = self._side
            pairs = [it for it in pairs if _is_more_than_touching(sides(it[0]), sides(it[1]))]
        pairs = pairs + contained
        if not (return_names or return_data):
            return bool(pairs)
        named: List[Tuple[Tuple[int, int], str, str]] = []
        for first, second in pairs:
            order = sorted((int(first), int(second)))
            name = self._by_key[first].name
            if _sorted(name, self._by_key[second].name)[0] is not name:
                first, second = second, first
            named.append(((order[0], order[1]), first, second))
        named.sort()
        return _answer(
            [(self._by_key[a], self._by_key[b]) for _, a, b in named], return_names, return_data
        )

    def in_collision_other(
        self,
        other_manager: CollisionManager,
        return_names: bool = False,
        return_data: bool = False,
        *,
        touching: Optional[str] = None,
    ) -> Any:
        """Whether any object of this manager collides with any object of another one.

        Parameters
        ----------
        other_manager : CollisionManager
        return_names : bool
            Also return which.
        return_data : bool
            Also return the contacts.
        touching : {"count", "ignore"}, optional
            Otherwise as the constructor of this manager says.

        Returns
        -------
        is_collision : bool
        names : set of 2-tuples
            Only with ``return_names``: the name in this manager, and the one in the other.
        contacts : list of ContactData
            Only with ``return_data``.
        """
        _check_manager(other_manager)
        ignores = self._ignores(touching)
        few, many, is_swapped = self, other_manager, False
        if len(many) < len(few):
            few, many, is_swapped = many, few, True
        pairs: List[Tuple[CollisionObject, CollisionObject]] = []
        for of in few._by_key.values():
            if not (return_names or return_data):
                if many._meets(of._placed, of._pose, ignores):
                    return True
                continue
            for key in many._meeting(of._placed, of._pose, ignores):
                found = many._by_key[key]
                pairs.append((found, of) if is_swapped else (of, found))
        if not (return_names or return_data):
            return False
        pairs.sort(key=lambda pair: (int(pair[0]._key), int(pair[1]._key)))
        return _answer(pairs, return_names, return_data)

    # Distances.

    def min_distance_single(
        self,
        mesh: Any,
        transform: Any = None,
        return_name: bool = False,
        return_data: bool = False,
        *,
        transforms: Any = None,
        solid: Optional[str] = None,
        signed: bool = True,
    ) -> Any:
        """The distance from a mesh to the nearest object of the manager.

        Parameters
        ----------
        mesh : trimesh.Trimesh, or anything with ``vertices`` and ``faces``
        transform : (4, 4) array-like, optional
        return_name : bool
            Also return the name of the nearest object.
        return_data : bool
            Also return where the distance is.
        transforms : (P, 4, 4) array-like, optional
            Many transforms instead of one. They are asked on all cores, and every part of the answer
            has one entry for each.
        solid : {"auto", "surface", "volume"}, optional
            How the mesh is taken; otherwise as the constructor says.
        signed : bool
            ``False`` if 0 is enough where objects collide; depths take much longer than distances.

        Returns
        -------
        distance : float
            0 where surfaces meet. Below 0 where a solid is penetrated: minus the depth, and of
            several objects the deepest. The largest float if the manager is empty. With
            ``transforms`` an array (P,).
        name : hashable
            Only with ``return_name``. With ``transforms`` a list.
        data : DistanceData
            Only with ``return_data``. With ``transforms`` a list.

        Examples
        --------
        >>> import numpy as np
        >>> import trimesh
        >>> from elbowroom.trimesh import CollisionManager
        >>> manager = CollisionManager()
        >>> _ = manager.add_object("box", trimesh.creation.box())
        >>> many = np.repeat(np.eye(4)[None], 2, axis=0)
        >>> many[:, 0, 3] = 0.75, 3.0
        >>> manager.min_distance_single(trimesh.creation.box(), transforms=many)
        array([-0.25,  2.  ])
        """
        if transforms is not None:
            _not_both(transform)
            geometry = _geometry(mesh, self._solid_of(solid), "mesh")
            return self._min_distance_many(geometry, transforms, return_name, return_data, signed)
        place = _place(transform)
        geometry = place.of(_geometry(mesh, self._solid_of(solid), "mesh"))
        name, result = self._nearest(geometry, place.pose, signed)
        return _distances(result, name, (name, _EXTERNAL), return_name, return_data)

    def _nearest(
        self,
        geometry: Geometry,
        pose: np.ndarray,
        signed: bool,
        known: Optional[Tuple[str, Any]] = None,
    ) -> Tuple[Optional[Hashable], _Distance]:
        near = self._world.nearest(geometry.model, pose) if known is None else known
        if near is None:
            return None, _nothing()
        key, found = near
        meeting: List[str] = []
        if found.distance == 0.0 and not signed:
            points = (found.point_b, found.point_a)
            return self._by_key[key].name, _Distance(int(found.b), int(found.a), points, 0.0)
        if found.distance == 0.0 and (self._solids or geometry.is_solid):
            meeting = self._world.meeting(geometry.model, pose)
        meeting = sorted(meeting + self._containing(geometry, pose, meeting), key=int)
        external = _Side(geometry, pose)
        if meeting and not signed:
            result = _nearest_points(self._side(meeting[0]), external)
            return self._by_key[meeting[0]].name, result._replace(min_distance=0.0)
        pairs = [(met, _EXTERNAL) for met in meeting]
        best = _deepest(pairs, [(self._side(met), external) for met in meeting])
        if best is not None:
            return self._by_key[best[0]].name, best[2]
        # The nearest comes as the point of the model first.
        points = (found.point_b, found.point_a)
        result = _Distance(int(found.b), int(found.a), points, float(found.distance))
        return self._by_key[key].name, result

    def _min_distance_many(
        self,
        geometry: Geometry,
        transforms: Any,
        return_name: bool,
        return_data: bool,
        signed: bool,
    ) -> Any:
        count, groups = _groups(transforms)
        distances = np.full(count, _NO_DISTANCE)
        names: List[Optional[Hashable]] = [None] * count
        data: List[Any] = [None] * count
        for group in groups:
            placed = group.place.of(geometry)
            near = self._world.nearest(placed.model, group.poses)
            if near is None:
                for number in group.numbers.tolist():
                    data[number] = DistanceData((None, _EXTERNAL), _nothing())
                continue
            keys, found = near
            for i, number in enumerate(group.numbers.tolist()):
                known = keys[i], type(found)(*(field[i] for field in found))
                name, result = self._nearest(placed, group.poses[i], signed, known)
                distances[number], names[number] = result.min_distance, name
                if return_data:
                    data[number] = DistanceData((name, _EXTERNAL), result)
        answer: List[Any] = [distances]
        if return_name:
            answer.append(names)
        if return_data:
            answer.append(data)
        return tuple(answer) if len(answer) > 1 else distances

    def min_distance_internal(
        self,
        name: Optional[Hashable] = None,
        return_names: bool = False,
        return_data: bool = False,
        *,
        signed: bool = True,
    ) -> Any:
        """The smallest distance between any two objects of the manager.

        Parameters
        ----------
        name : hashable, optional
            Only distances from this object to the others.
        return_names : bool
            Also return which two.
        return_data : bool
            Also return where the distance is.
        signed : bool
            ``False`` if 0 is enough where objects collide; depths take much longer than distances.

        Returns
        -------
        distance : float
            As of :meth:`min_distance_single`. The largest float if there are not two objects.
        names : 2-tuple
            Only with ``return_names``; in sorted order.
        data : DistanceData
            Only with ``return_data``.

        Raises
        ------
        ValueError
            If there is no object of that name.
        """
        best: Optional[Tuple[str, str, _Distance]] = None
        if name is not None:
            best = self._nearest_to(self._get(name), signed)
        else:
            best = self._nearest_pair(signed)
        if best is None:
            nobody = (None, None)
            return _distances(_nothing(), nobody, nobody, return_names, return_data)
        first, second, result = best
        names = (self._by_key[first].name, self._by_key[second].name)
        return _distances(result, _sorted(*names), names, return_names, return_data)

    def _nearest_pair(self, signed: bool) -> Optional[Tuple[str, str, _Distance]]:
        near = self._world.nearest_pair()
        if near is None:
            return None
        (first, second), found = near
        if found.distance == 0.0 and not signed:
            return first, second, _apart(found)
        meeting: List[Tuple[str, str]] = []
        if self._solids:
            if found.distance == 0.0:
                meeting = self._world.intersecting_pairs()
            meeting = meeting + self._contained_pairs(set(meeting))
            meeting.sort(key=lambda pair: sorted((int(pair[0]), int(pair[1]))))
        if meeting and not signed:
            a, b = meeting[0]
            result = _nearest_points(self._side(a), self._side(b))
            return a, b, result._replace(min_distance=0.0)
        best = _deepest(meeting, [(self._side(a), self._side(b)) for a, b in meeting])
        return best or (first, second, _apart(found))

    def _nearest_to(
        self, of: CollisionObject, signed: bool
    ) -> Optional[Tuple[str, str, _Distance]]:
        """The object nearest to one of the objects: those with near boxes first."""
        boxes = self._table()
        row = boxes.row[of._key]
        apart = _starts(boxes.whole) - boxes.whole[row]
        gap = np.maximum(apart[:, :3], apart[:, 3:])
        bound = np.sqrt((np.maximum(gap, 0.0) ** 2).sum(axis=1))
        side = _Side(of._placed, of._pose)
        best: Optional[Tuple[str, str, _Distance]] = None
        for other in np.argsort(bound, kind="stable").tolist():
            if other == row:
                continue
            if best is not None and bound[other] > max(best[2].min_distance, 0.0):
                break
            met = boxes.objects[other]
            theirs = _Side(met._placed, met._pose)
            result = _nearest_points(side, theirs)
            if of.geometry.is_solid or met.geometry.is_solid:
                if result.min_distance == 0.0 or _is_contained(side, theirs):
                    meets = result._replace(min_distance=0.0)
                    result = _distance(side, theirs) if signed else meets
            if best is None or result.min_distance < best[2].min_distance:
                best = of._key, met._key, result
        return best

    def min_distance_other(
        self,
        other_manager: CollisionManager,
        return_names: bool = False,
        return_data: bool = False,
        *,
        signed: bool = True,
    ) -> Any:
        """The smallest distance between an object of this manager and one of another.

        Parameters
        ----------
        other_manager : CollisionManager
        return_names : bool
            Also return which two.
        return_data : bool
            Also return where the distance is.
        signed : bool
            ``False`` if 0 is enough where objects collide; depths take much longer than distances.

        Returns
        -------
        distance : float
            As of :meth:`min_distance_single`. The largest float if one of the managers is empty.
        names : 2-tuple
            Only with ``return_names``: the name in this manager, and the one in the other.
        data : DistanceData
            Only with ``return_data``.
        """
        _check_manager(other_manager)
        few, many, is_swapped = self, other_manager, False
        if len(many) < len(few):
            few, many, is_swapped = many, few, True
        best: Optional[Tuple[Tuple[Any, Any], _Distance]] = None
        for of in few._by_key.values() if len(many) else ():
            name, result = many._nearest(of._placed, of._pose, signed)
            # The object of the manager that was asked comes first in the result.
            names = (name, of.name)
            if not is_swapped:
                names = (of.name, name)
                points = (result.nearest_points[1], result.nearest_points[0])
                result = _Distance(result.b2, result.b1, points, result.min_distance)
            if best is None or result.min_distance < best[1].min_distance:
                best = names, result
        if best is None:
            best = (None, None), _nothing()
        return _distances(best[1], best[0], best[0], return_names, return_data)


def _kept(transform: Any) -> np.ndarray:
    return _IDENTITY if transform is None else np.array(_matrix(transform))


def _moving_ends(box: _Box, poses: np.ndarray) -> np.ndarray:
    """As :func:`_ends`, of many poses."""
    rotations = poses[:, :3, :3]
    middle = rotations @ box.centre + poses[:, :3, 3]
    reach = np.abs(rotations) @ box.half
    reach += 1e-12 * (np.abs(middle) + reach) + 1e-300
    return np.concatenate([middle + reach, reach - middle], axis=1)


def _not_both(transform: Any) -> None:
    if transform is not None:
        raise ValueError("there are both transform and transforms; give one of them")


def _check_manager(other: Any) -> None:
    if not isinstance(other, CollisionManager):
        raise TypeError(
            f"other_manager is a {_described(other)}; give an elbowroom.trimesh.CollisionManager"
        )


def _apart(found: Any) -> _Distance:
    points = (found.point_a, found.point_b)
    return _Distance(int(found.a), int(found.b), points, float(found.distance))


def _nearest_points(a: _Side, b: _Side) -> _Distance:
    """The closest points of two surfaces."""
    return _apart(a.model.closest_points(b.model, a.pose, b.pose))


def _nothing() -> _Distance:
    nowhere = np.full(3, np.nan)
    return _Distance(-1, -1, (nowhere, nowhere), _NO_DISTANCE)


def _answer(
    pairs: Sequence[Tuple[CollisionObject, CollisionObject]], return_names: bool, return_data: bool
) -> Tuple[Any, ...]:
    answer: List[Any] = [bool(pairs)]
    if return_names:
        answer.append({(a.name, b.name) for a, b in pairs})
    if return_data:
        data: List[ContactData] = []
        for a, b in pairs:
            found = _contacts(_Side(a._placed, a._pose), _Side(b._placed, b._pose))
            data += [ContactData((a.name, b.name), it) for it in found]
        answer.append(data)
    return tuple(answer)


def _distances(
    result: _Distance,
    returned: Any,
    names: Sequence[Any],
    return_names: bool,
    return_data: bool,
) -> Union[float, Tuple[Any, ...]]:
    answer: List[Any] = [result.min_distance]
    if return_names:
        answer.append(returned)
    if return_data:
        answer.append(DistanceData(names, result))
    return tuple(answer) if len(answer) > 1 else result.min_distance


def scene_to_collision(
    scene: Any, *, solid: str = "auto", touching: str = "count"
) -> Tuple[CollisionManager, Dict[Hashable, CollisionObject]]:
    """A manager of all meshes of a scene, and its objects by the names of their nodes.

    Parameters
    ----------
    scene : trimesh.Scene
    solid, touching : str
        As for :class:`CollisionManager`.

    Returns
    -------
    manager : CollisionManager
    objects : dict
        The object of each node.

    Examples
    --------
    >>> import trimesh
    >>> from elbowroom.trimesh import scene_to_collision
    >>> scene = trimesh.Scene({"a": trimesh.creation.box(), "b": trimesh.creation.icosphere()})
    >>> manager, objects = scene_to_collision(scene)
    >>> manager, sorted(objects)
    (CollisionManager(2 objects), ['a', 'b'])
    """
    manager = CollisionManager(solid=solid, touching=touching)
    return manager, manager._add_scene(scene)
