"""Columns as an Arrow stream, without a library for it.

The Arrow C stream interface is three C structs and five functions. They are made here with ``ctypes``,
so that pandas, polars, DuckDB and pyarrow read a :class:`~elbowroom.Table` without a copy of the
numbers and without another dependency.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p, py_object
from typing import Any, Dict, List, Tuple

import numpy as np


class _Schema(ctypes.Structure):
    pass


_ReleaseSchema = CFUNCTYPE(None, POINTER(_Schema))
_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))),
    ("dictionary", POINTER(_Schema)),
    ("release", _ReleaseSchema),
    ("private_data", c_void_p),
]


class _Array(ctypes.Structure):
    pass


_ReleaseArray = CFUNCTYPE(None, POINTER(_Array))
_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_Array))),
    ("dictionary", POINTER(_Array)),
    ("release", _ReleaseArray),
    ("private_data", c_void_p),
]


class _Stream(ctypes.Structure):
    pass


_GetSchema = CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))
_GetNext = CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))
_LastError = CFUNCTYPE(c_void_p, POINTER(_Stream))
_ReleaseStream = CFUNCTYPE(None, POINTER(_Stream))
_Stream._fields_ = [
    ("get_schema", _GetSchema),
    ("get_next", _GetNext),
    ("get_last_error", _LastError),
    ("release", _ReleaseStream),
    ("private_data", c_void_p),
]

_NULLABLE = 2

#: What C still points to, by the address of the struct that says so. An entry goes when that is released.
_kept: Dict[int, Any] = {}
_next_key = [1]


def _keep(thing: Any) -> int:
    key = _next_key[0]
    _next_key[0] += 1
    _kept[key] = thing
    return key


@_ReleaseSchema
def _release_schema(schema: Any) -> None:
    inner = schema.contents
    for index in range(inner.n_children):
        child = inner.children[index]
        if child.contents.release:
            child.contents.release(child)
    _kept.pop(inner.private_data or 0, None)
    inner.release = _ReleaseSchema()


@_ReleaseArray
def _release_array(array: Any) -> None:
    inner = array.contents
    for index in range(inner.n_children):
        child = inner.children[index]
        if child.contents.release:
            child.contents.release(child)
    _kept.pop(inner.private_data or 0, None)
    inner.release = _ReleaseArray()


def _text_buffers(values: List[Any]) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    encoded = [b"" if value is None else str(value).encode() for value in values]
    offsets = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in encoded], out=offsets[1:])
    text = np.frombuffer(b"".join(encoded) or b"\0", dtype=np.uint8)
    return _bits([value is not None for value in values]), offsets, text


def _bits(is_there: Any) -> np.ndarray:
    return np.packbits(np.asarray(is_there, dtype=bool), bitorder="little")


def _column(values: np.ndarray) -> Tuple[bytes, int, List[Any]]:
    """The format of a column, how many of its values are missing, and its buffers."""
    kind = values.dtype.kind
    if kind == "O":
        listed = values.tolist()
        return b"U", sum(value is None for value in listed), list(_text_buffers(listed))
    if kind == "i":
        return b"l", 0, [None, np.ascontiguousarray(values, dtype=np.int64)]
    numbers = np.ascontiguousarray(values, dtype=np.float64)
    missing = np.isnan(numbers)
    return b"g", int(missing.sum()), [_bits(~missing), numbers]


def _fill_schema(out: _Schema, name: bytes, form: bytes, children: List[_Schema]) -> None:
    pointers = (POINTER(_Schema) * max(len(children), 1))(*[ctypes.pointer(it) for it in children])
    out.format, out.name, out.metadata = form, name, None
    out.flags = 0 if children else _NULLABLE
    out.n_children = len(children)
    out.children = ctypes.cast(pointers, POINTER(POINTER(_Schema)))
    out.dictionary = None
    out.release = _release_schema
    out.private_data = _keep((form, name, pointers, children))


def _fill_array(
    out: _Array, length: int, nulls: int, buffers: List[Any], children: List[_Array]
) -> None:
    places = [None if buffer is None else buffer.ctypes.data for buffer in buffers]
    addresses = (c_void_p * len(buffers))(*places)
    pointers = (POINTER(_Array) * max(len(children), 1))(*[ctypes.pointer(it) for it in children])
    out.length, out.null_count, out.offset = length, nulls, 0
    out.n_buffers, out.n_children = len(buffers), len(children)
    out.buffers = ctypes.cast(addresses, POINTER(c_void_p))
    out.children = ctypes.cast(pointers, POINTER(POINTER(_Array)))
    out.dictionary = None
    out.release = _release_array
    out.private_data = _keep((buffers, addresses, pointers, children))


def stream(columns: Dict[str, np.ndarray]) -> Any:
    """A capsule that holds an Arrow stream of one batch."""
    made = {name: _column(values) for name, values in columns.items()}
    length = len(next(iter(columns.values()))) if columns else 0
    is_given = [False]

    @_GetSchema
    def get_schema(_stream: Any, out: Any) -> int:
        children = [_Schema() for _ in made]
        for child, (name, (form, _, _)) in zip(children, made.items()):
            _fill_schema(child, name.encode(), form, [])
        _fill_schema(out.contents, b"", b"+s", children)
        return 0

    @_GetNext
    def get_next(_stream: Any, out: Any) -> int:
        if is_given[0]:
            out.contents.release = _ReleaseArray()
            return 0
        is_given[0] = True
        children = [_Array() for _ in made]
        for child, (_, nulls, buffers) in zip(children, made.values()):
            _fill_array(child, length, nulls, buffers, [])
        _fill_array(out.contents, length, 0, [None], children)
        return 0

    @_LastError
    def last_error(_stream: Any) -> Any:
        return None

    @_ReleaseStream
    def release(pointer: Any) -> None:
        inner = pointer.contents
        inner.release = _ReleaseStream()
        _kept.pop(inner.private_data or 0, None)

    struct = _Stream(get_schema, get_next, last_error, release)
    struct.private_data = _keep((struct, get_schema, get_next, last_error, release))
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = py_object
    new.argtypes = [c_void_p, c_char_p, _Destructor]
    return new(ctypes.addressof(struct), b"arrow_array_stream", _destroy)


_Destructor = CFUNCTYPE(None, c_void_p)


@_Destructor
def _destroy(capsule: Any) -> None:
    # A consumer that took the stream has moved it out and cleared `release`; else it ends here.
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype = c_void_p
    pointer.argtypes = [c_void_p, c_char_p]
    struct = ctypes.cast(pointer(capsule, b"arrow_array_stream"), POINTER(_Stream))
    if struct.contents.release:
        struct.contents.release(struct)
