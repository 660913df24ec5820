"""Whatever is array-like, as the arrays that the engine takes; or an error that names what is wrong.

Nothing is rounded: numbers of 16 and 32 bits fit into doubles, and what does not fit is refused.
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple, Union

import numpy as np

from .errors import ArrayError, DeviceError, ElbowroomError, MeshError

#: Device types of DLPack whose memory the CPU can read: the CPU's own, and what CUDA or ROCm pinned.
_READABLE = (1, 3, 11)

_MOST_INDEX = 2**32 - 1


def _described(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _array(value: Any, name: str) -> np.ndarray:
    """Any array-like as an array, without a copy where that is possible."""
    try:
        return _read(value, name)
    except (ElbowroomError, MemoryError):
        raise
    except Exception as error:
        # Whatever the object itself raises when it is read.
        raise ArrayError(f"{name} cannot be made an array of: {error}") from error


def _read(value: Any, name: str) -> np.ndarray:
    if isinstance(value, np.ma.MaskedArray):
        if np.ma.is_masked(value):
            raise ArrayError(f"{name} is a masked array with masked entries; fill or drop them")
        return np.asarray(value.data)
    if isinstance(value, np.ndarray):
        return np.asarray(value)
    if hasattr(value, "__dlpack_device__"):
        device = value.__dlpack_device__()
        if int(device[0]) not in _READABLE:
            raise DeviceError(
                f"{name} is a {_described(value)} that is not in the memory of the CPU; "
                "give it with .cpu()"
            )
        if getattr(value, "requires_grad", False):
            raise DeviceError(
                f"{name} is a tensor that requires a gradient; give it with .detach()"
            )
        try:
            return np.from_dlpack(value)
        except (AttributeError, BufferError, RuntimeError, TypeError):
            pass  # An old NumPy, or a type that DLPack does not have: by __array__, then.
    if isinstance(value, (str, bytes)) or value is None:
        raise ArrayError(f"{name} is {value!r}; give an array of numbers")
    return np.asarray(value)


def _numbers(value: Any, name: str) -> np.ndarray:
    """Doubles of the same values: aligned, of this machine's byte order, row by row."""
    array = _array(value, name)
    kind = array.dtype.kind
    if kind not in "fiu":
        if kind == "O":
            raise ArrayError(f"{name} is an array of objects; are its rows of one length?")
        raise ArrayError(f"{name} has the type {array.dtype}; give real numbers")
    doubles = _copied(array, np.float64)
    if array.ndim and (kind != "f" or array.dtype.itemsize > 8):
        with np.errstate(all="ignore"):
            is_same = bool(np.all((doubles.astype(array.dtype) == array) | (array != array)))
        if not is_same:
            raise ArrayError(f"{name} has numbers of type {array.dtype} that no double is equal to")
    if not (doubles.flags.aligned and doubles.dtype.isnative):
        doubles = np.array(doubles, dtype=np.float64, order="C")
    return doubles


def _copied(array: np.ndarray, dtype: Any) -> np.ndarray:
    """Row by row and of this type, which is a copy unless it is so already."""
    try:
        # This makes one axis of none.
        return np.ascontiguousarray(array, dtype=dtype) if array.ndim else array.astype(dtype)
    except ValueError as error:
        # An array may claim more than there is, one row repeated by a stride of 0.
        raise MemoryError(str(error)) from error


def _shape(array: np.ndarray) -> str:
    return str(tuple(array.shape))


def points(value: Any, name: str) -> np.ndarray:
    """Points, (N, 3)."""
    array = _numbers(value, name)
    if array.shape == (0,):
        array = array.reshape(0, 3)
    if array.ndim == 1 and array.shape == (3,) and name != "vertices":
        array = array.reshape(1, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ArrayError(f"{name} has the shape {_shape(array)}; give (N, 3)")
    return array


def _indices(array: np.ndarray, name: str) -> None:
    """Refuses what cannot be the number of a vertex."""
    if array.size == 0 or array.dtype.kind == "u" and array.dtype.itemsize <= 4:
        return
    low, high = int(array.min()), int(array.max())
    if low >= 0 and high <= _MOST_INDEX:
        return
    bad = (array < 0) | (array > _MOST_INDEX)
    face = int(np.argwhere(bad)[0][0])
    index = int(array[tuple(np.argwhere(bad)[0])])
    what = "is negative" if index < 0 else "is more than there can be"
    raise MeshError(f"face {face} of {name} names vertex {index}, which {what}", face=face)


def faces(value: Any, name: str) -> Union[np.ndarray, Tuple[List[int], List[int]]]:
    """Triangles (M, 3); or polygons as the corners of all, and where those of each begin."""
    try:
        array = _array(value, name)
        is_ragged = array.dtype.kind == "O"
    except ArrayError:
        # Lists of different lengths are no array to newer versions of NumPy.
        if not isinstance(value, (list, tuple)):
            raise
        is_ragged = True
    if is_ragged:
        try:
            rows = list(value)
        except TypeError as error:
            raise ArrayError(f"{name} is a {_described(value)}; give (M, 3)") from error
        return _polygons(rows, name)
    if array.size == 0:
        return np.zeros((0, 3), dtype=np.uint32)
    if array.dtype.kind not in "iu":
        raise ArrayError(f"{name} has the type {array.dtype}; give whole numbers")
    if array.ndim == 1:
        raise ArrayError(
            f"{name} has the shape {_shape(array)}; give (M, 3). "
            "Of a list 3, a, b, c, 3, d, e, f that is faces.reshape(-1, 4)[:, 1:]"
        )
    if array.ndim != 2 or array.shape[1] < 3:
        raise ArrayError(f"{name} has the shape {_shape(array)}; give (M, 3)")
    _indices(array, name)
    triangles = _copied(array, np.uint32)
    if array.shape[1] == 3:
        return triangles
    count, corners = array.shape
    return triangles.ravel().tolist(), list(range(0, count * corners + 1, corners))


def _polygons(rows: List[Any], name: str) -> Tuple[List[int], List[int]]:
    corners: List[int] = []
    starts = [0]
    for face, row in enumerate(rows):
        polygon = _array(row, f"face {face} of {name}")
        if polygon.ndim != 1 or polygon.size and polygon.dtype.kind not in "iu":
            raise ArrayError(f"face {face} of {name} is no list of whole numbers")
        if polygon.size and (int(polygon.min()) < 0 or int(polygon.max()) > _MOST_INDEX):
            index = int(polygon.min()) if int(polygon.min()) < 0 else int(polygon.max())
            raise MeshError(
                f"face {face} of {name} names vertex {index}, which cannot be", face=face
            )
        corners.extend(polygon.tolist())
        starts.append(len(corners))
    return corners, starts


def poses(value: Any, name: str) -> np.ndarray:
    """One pose (4, 4), or many (P, 4, 4)."""
    if hasattr(value, "as_matrix") and not hasattr(value, "__array__"):
        try:
            value = value.as_matrix()
        except Exception as error:
            raise ArrayError(f"{name} cannot be made a matrix of: {error}") from error
    array = _numbers(value, name)
    if array.ndim in (2, 3) and array.shape[-2:] == (4, 4):
        return array
    raise ArrayError(f"{name} has the shape {_shape(array)}; give (4, 4), or (P, 4, 4) for a batch")


def pairs(value: Any, counts: Tuple[int, int]) -> np.ndarray:
    """Pairs of triangles, (K, 2)."""
    array = _array(value, "pairs")
    if array.size == 0:
        return np.zeros((0, 2), dtype=np.uint32)
    if array.dtype.kind not in "iu" or array.ndim != 2 or array.shape[1] != 2:
        raise ArrayError(
            f"pairs has the shape {_shape(array)} and the type {array.dtype}; "
            "give (K, 2) whole numbers"
        )
    for side in (0, 1):
        column = array[:, side]
        bad = (column < 0) | (column >= counts[side])
        if bad.any():
            row = int(np.argmax(bad))
            raise ArrayError(
                f"pair {row} names triangle {int(column[row])}, and there are {counts[side]}"
            )
    return _copied(array, np.uint32)


def mesh_like(value: Any) -> Tuple[Any, Any]:
    """Vertices and faces of whatever has them."""
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return value[0], value[1]
    vertices = getattr(value, "vertices", None)
    faces: Optional[Any] = getattr(value, "faces", None)
    if faces is None:
        faces = getattr(value, "triangles", None)
    if vertices is None or faces is None:
        raise ArrayError(
            f"{_described(value)} has no vertices and faces; "
            "give two arrays, or something that has both"
        )
    return vertices, faces


def frames(value: Any, name: str) -> np.ndarray:
    """Vertices over time, (T, N, 3), as they lie in memory."""
    array = _array(value, name)
    if array.dtype.kind not in "fiu":
        raise ArrayError(f"{name} has the type {array.dtype}; give real numbers")
    if array.ndim == 2:
        array = array[None]
    if array.ndim != 3 or array.shape[2] != 3:
        raise ArrayError(f"{name} has the shape {_shape(array)}; give (T, N, 3) or (N, 3)")
    if 0 in array.shape:
        raise ArrayError(f"{name} has the shape {_shape(array)}, so there is nothing in it")
    return array


def part_runs(parts: Any, triangles: Any, name: str) -> List[Tuple[str, int]]:
    """Runs of faces of one part: the name of each with its first face."""
    if not isinstance(triangles, np.ndarray):
        raise ArrayError(f"{name} has parts, so give its faces as triangles, (M, 3)")
    count = len(triangles)
    if isinstance(parts, dict):
        labels: List[str] = [name] * count
        for part, members in parts.items():
            for face in np.asarray(members).ravel().tolist():
                if not (isinstance(face, int) and 0 <= face < count):
                    raise ArrayError(f"part {part!r} of {name} names face {face} of {count}")
                labels[face] = str(part)
    else:
        labels = [str(label) for label in np.asarray(parts).ravel().tolist()]
        if len(labels) != count:
            raise ArrayError(f"{name} has {count} faces and {len(labels)} labels of parts")
    starts = [face for face in range(count) if face == 0 or labels[face] != labels[face - 1]]
    return [(labels[face], face) for face in starts]
