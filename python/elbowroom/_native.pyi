# Held true by mypy.stubtest, in python/tests/test_stubs.py. The documentation is in the sources of
# crates/elbowroom-py, and in the docstrings that come of it.
#
# One pose gives one answer, a batch of poses an array of them. Where a type checker knows how many
# axes an array has (``np.eye(4)`` has two, ``np.zeros((9, 4, 4))`` three), it knows the type of the
# answer as well; of any other array the answer is ``Any``, not a union that every use would have to
# take apart.
# The fields of named tuples are ``Any`` for the same reason: numbers of one pose, arrays of many.

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias, final, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from .results import (
    BatchContacts,
    ClosestPoint,
    ClosestPoints,
    ContactPoints,
    Contacts,
    MinimumTranslation,
    Overlap,
    Penetration,
    RayHits,
    Region,
    SelfContacts,
    SolidProfile,
    Through,
    TimeOfImpact,
    Windings,
    WorldContacts,
    WorldRayHits,
)

class _HasMatrix(Protocol):
    """A transform, such as ``scipy.spatial.transform.RigidTransform``."""

    def as_matrix(self) -> Any: ...

_Bools: TypeAlias = npt.NDArray[np.bool_]
_Doubles: TypeAlias = npt.NDArray[np.float64]
_Array: TypeAlias = npt.ArrayLike
_One: TypeAlias = np.ndarray[tuple[int, int], np.dtype[Any]] | Sequence[Sequence[float]]
_Many: TypeAlias = np.ndarray[tuple[int, int, int], np.dtype[Any]] | Sequence[_One]
# Nothing has eight axes. What fits all the same is an array whose number of axes is not known.
_Unknown: TypeAlias = np.ndarray[tuple[int, int, int, int, int, int, int, int], np.dtype[Any]]
_Poses: TypeAlias = npt.ArrayLike | _HasMatrix

__all__ = [
    "Checks",
    "DeformableModel",
    "Model",
    "Shot",
    "World",
    "__version__",
    "check",
    "command",
    "load",
    "main",
    "measure_pair",
]

__version__: str

@disjoint_base
class Model:
    def __new__(
        cls, vertices: Any, faces: _Array | Sequence[Sequence[int]] | None = None
    ) -> Self: ...
    @property
    def vertices(self) -> _Doubles: ...
    @property
    def faces(self) -> npt.NDArray[np.uint32]: ...
    @property
    def bounds(self) -> _Doubles: ...
    @property
    def is_deformable(self) -> bool: ...
    def solid_profile(self) -> SolidProfile: ...
    @overload
    def intersects(
        self, other: Model, pose: _Unknown, other_pose: _Poses | None = None, *, solid: bool = False
    ) -> Any: ...
    @overload
    def intersects(
        self, other: Model, pose: _Poses | None = None, *, other_pose: _Unknown, solid: bool = False
    ) -> Any: ...
    @overload
    def intersects(
        self,
        other: Model,
        pose: _One | None = None,
        *,
        other_pose: _One | None = None,
        solid: bool = False,
    ) -> bool: ...
    @overload
    def intersects(
        self,
        other: Model,
        pose: _Many,
        *,
        other_pose: _One | _Many | None = None,
        solid: bool = False,
    ) -> _Bools: ...
    @overload
    def intersects(
        self, other: Model, pose: _One | None = None, *, other_pose: _Many, solid: bool = False
    ) -> _Bools: ...
    @overload
    def intersects(
        self,
        other: Model,
        pose: _Poses | None = None,
        other_pose: _Poses | None = None,
        *,
        solid: bool = False,
    ) -> Any: ...
    @overload
    def contacts(
        self,
        other: Model,
        pose: _Unknown,
        other_pose: _Poses | None = None,
        *,
        solid: bool = False,
        clearance: float | None = None,
    ) -> Any: ...
    @overload
    def contacts(
        self,
        other: Model,
        pose: _Poses | None = None,
        *,
        other_pose: _Unknown,
        solid: bool = False,
        clearance: float | None = None,
    ) -> Any: ...
    @overload
    def contacts(
        self,
        other: Model,
        pose: _One | None = None,
        *,
        other_pose: _One | None = None,
        solid: bool = False,
        clearance: float | None = None,
    ) -> Contacts: ...
    @overload
    def contacts(
        self,
        other: Model,
        pose: _Many,
        *,
        other_pose: _One | _Many | None = None,
        solid: bool = False,
        clearance: float | None = None,
    ) -> BatchContacts: ...
    @overload
    def contacts(
        self,
        other: Model,
        pose: _One | None = None,
        *,
        other_pose: _Many,
        solid: bool = False,
        clearance: float | None = None,
    ) -> BatchContacts: ...
    @overload
    def contacts(
        self,
        other: Model,
        pose: _Poses | None = None,
        other_pose: _Poses | None = None,
        *,
        solid: bool = False,
        clearance: float | None = None,
    ) -> Any: ...
    @overload
    def regions(self, other: Model, pose: _Unknown, other_pose: _Poses | None = None) -> Any: ...
    @overload
    def regions(self, other: Model, pose: _Poses | None = None, *, other_pose: _Unknown) -> Any: ...
    @overload
    def regions(
        self, other: Model, pose: _One | None = None, *, other_pose: _One | None = None
    ) -> list[Region]: ...
    @overload
    def regions(
        self, other: Model, pose: _Many, *, other_pose: _One | _Many | None = None
    ) -> list[list[Region]]: ...
    @overload
    def regions(
        self, other: Model, pose: _One | None = None, *, other_pose: _Many
    ) -> list[list[Region]]: ...
    @overload
    def regions(
        self, other: Model, pose: _Poses | None = None, other_pose: _Poses | None = None
    ) -> Any: ...
    def contact_points(
        self,
        other: Model,
        pairs: _Array,
        pose: _Poses | None = None,
        other_pose: _Poses | None = None,
    ) -> ContactPoints: ...
    @overload
    def distance(
        self, other: Model, pose: _Unknown, other_pose: _Poses | None = None, *, solid: bool = False
    ) -> Any: ...
    @overload
    def distance(
        self, other: Model, pose: _Poses | None = None, *, other_pose: _Unknown, solid: bool = False
    ) -> Any: ...
    @overload
    def distance(
        self,
        other: Model,
        pose: _One | None = None,
        *,
        other_pose: _One | None = None,
        solid: bool = False,
    ) -> float: ...
    @overload
    def distance(
        self,
        other: Model,
        pose: _Many,
        *,
        other_pose: _One | _Many | None = None,
        solid: bool = False,
    ) -> _Doubles: ...
    @overload
    def distance(
        self, other: Model, pose: _One | None = None, *, other_pose: _Many, solid: bool = False
    ) -> _Doubles: ...
    @overload
    def distance(
        self,
        other: Model,
        pose: _Poses | None = None,
        other_pose: _Poses | None = None,
        *,
        solid: bool = False,
    ) -> Any: ...
    def closest_points(
        self, other: Model, pose: _Poses | None = None, other_pose: _Poses | None = None
    ) -> ClosestPoints: ...
    @overload
    def is_within(
        self, other: Model, clearance: float, pose: _Unknown, other_pose: _Poses | None = None
    ) -> Any: ...
    @overload
    def is_within(
        self, other: Model, clearance: float, pose: _Poses | None = None, *, other_pose: _Unknown
    ) -> Any: ...
    @overload
    def is_within(
        self,
        other: Model,
        clearance: float,
        pose: _One | None = None,
        *,
        other_pose: _One | None = None,
    ) -> bool: ...
    @overload
    def is_within(
        self, other: Model, clearance: float, pose: _Many, *, other_pose: _One | _Many | None = None
    ) -> _Bools: ...
    @overload
    def is_within(
        self, other: Model, clearance: float, pose: _One | None = None, *, other_pose: _Many
    ) -> _Bools: ...
    @overload
    def is_within(
        self,
        other: Model,
        clearance: float,
        pose: _Poses | None = None,
        other_pose: _Poses | None = None,
    ) -> Any: ...
    def penetration(
        self, other: Model, pose: _Poses | None = None, other_pose: _Poses | None = None
    ) -> Penetration: ...
    def overlap(
        self, other: Model, pose: _Poses | None = None, other_pose: _Poses | None = None
    ) -> Overlap: ...
    def minimum_translation(
        self, other: Model, pose: _Poses | None = None, other_pose: _Poses | None = None
    ) -> MinimumTranslation: ...
    def through(
        self, other: Model, pose: _Poses | None = None, other_pose: _Poses | None = None
    ) -> Through: ...
    def time_of_impact(
        self,
        other: Model,
        start: _Poses,
        end: _Poses,
        other_start: _Poses | None = None,
        other_end: _Poses | None = None,
        *,
        clearance: float = 0.0,
        delta: float | None = None,
    ) -> TimeOfImpact: ...
    def self_contacts(self, neighbours: str = "decide") -> SelfContacts: ...
    def inside(self, points: _Array, pose: _Poses | None = None) -> _Bools: ...
    def winding(self, points: _Array, pose: _Poses | None = None) -> Windings: ...
    def closest_point(self, points: _Array, pose: _Poses | None = None) -> ClosestPoint: ...
    def ray_cast(
        self, origins: _Array, directions: _Array, pose: _Poses | None = None
    ) -> RayHits: ...
    def tree_to_bytes(self) -> bytes | None: ...
    @staticmethod
    def from_tree_bytes(
        vertices: _Array, faces: _Array | Sequence[Sequence[int]], tree: bytes
    ) -> Model: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

class DeformableModel(Model):
    def __new__(
        cls, vertices: Any, faces: _Array | Sequence[Sequence[int]] | None = None
    ) -> Self: ...
    def refit(self, vertices: _Array) -> None: ...

@disjoint_base
class World:
    def __new__(cls) -> Self: ...
    def add(self, name: str, model: Model, pose: _Poses | None = None) -> None: ...
    def remove(self, name: str) -> None: ...
    def set_pose(self, name: str, pose: _Poses) -> None: ...
    def set_poses(self, names: Sequence[str], poses: _Array) -> None: ...
    def refit(self, name: str, vertices: _Array) -> None: ...
    def pose(self, name: str) -> _Doubles: ...
    def model(self, name: str) -> Model: ...
    @property
    def names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, name: str, /) -> bool: ...
    def intersecting_pairs(self) -> list[tuple[str, str]]: ...
    def pairs_within(self, clearance: float) -> list[tuple[str, str]]: ...
    def contacts(self) -> WorldContacts: ...
    @overload
    def intersects(self, model: Model, pose: _Unknown) -> Any: ...
    @overload
    def intersects(self, model: Model, pose: _One | None = None) -> bool: ...
    @overload
    def intersects(self, model: Model, pose: _Many) -> _Bools: ...
    @overload
    def intersects(self, model: Model, pose: _Poses | None = None) -> Any: ...
    @overload
    def meeting(self, model: Model, pose: _Unknown) -> Any: ...
    @overload
    def meeting(self, model: Model, pose: _One | None = None) -> list[str]: ...
    @overload
    def meeting(self, model: Model, pose: _Many) -> list[list[str]]: ...
    @overload
    def meeting(self, model: Model, pose: _Poses | None = None) -> Any: ...
    @overload
    def nearest(self, model: Model, pose: _Unknown) -> Any: ...
    @overload
    def nearest(
        self, model: Model, pose: _One | None = None
    ) -> tuple[str, ClosestPoints] | None: ...
    @overload
    def nearest(self, model: Model, pose: _Many) -> tuple[list[str], ClosestPoints] | None: ...
    @overload
    def nearest(self, model: Model, pose: _Poses | None = None) -> Any: ...
    def nearest_pair(self) -> tuple[tuple[str, str], ClosestPoints] | None: ...
    def ray_cast(self, origins: _Array, directions: _Array) -> WorldRayHits: ...

# What stands behind `elbowroom.check` and its like; not for others.

_Messages: TypeAlias = list[tuple[str, str]]
_Columns: TypeAlias = dict[str, Any]

@final
class Checks:
    @property
    def exit_code(self) -> int: ...
    @property
    def messages(self) -> _Messages: ...
    def contacts(self) -> _Columns: ...
    def incidents(self) -> _Columns: ...
    def between(self) -> _Columns: ...
    def triangles(self) -> list[npt.NDArray[np.uint32]]: ...
    def json(self) -> bytes: ...
    def text(self, top: int) -> bytes: ...
    def page(self) -> bytes: ...
    def save(self, path: str) -> None: ...

@final
class Shot:
    @property
    def names(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def timing(self) -> tuple[float, int, int]: ...
    def vertices(self, name: str, frame: int) -> _Doubles | None: ...
    def faces(
        self, name: str, frame: int
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]: ...
    def parts(self, name: str) -> list[str]: ...

def main(args: Sequence[str]) -> int: ...
def command(
    args: Sequence[str], memory: dict[str, Any] | None = None
) -> tuple[int, bytes, _Messages]: ...
def check(
    args: Sequence[str],
    memory: dict[str, Any],
    request: str,
    progress: Callable[[int, int], Any] | None = None,
) -> Checks: ...
def load(
    path: str,
    units: str | None = None,
    up: str | None = None,
    clip: str | None = None,
    fps: float | None = None,
    split: str | None = None,
) -> Shot: ...
def measure_pair(
    a: _Doubles,
    first_a: _Array,
    faces_a: _Array,
    b: _Doubles,
    first_b: _Array,
    faces_b: _Array,
    cap: bool,
    distance: bool,
    gap: int,
) -> tuple[_Columns, dict[str, Any], list[tuple[int, float, float]]]: ...

# What stands behind `elbowroom.papers`.
_papers: Any
