"""Exact collision detection: who touches whom, when, and how deep.

>>> import numpy as np
>>> import elbowroom as er
>>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
>>> faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
>>> model = er.Model(corners, faces)
>>> shifted = np.eye(4)
>>> shifted[0, 3] = 0.25
>>> model.intersects(model, other_pose=shifted)
True
>>> many = np.repeat(np.eye(4)[None], 3, axis=0)
>>> many[:, 0, 3] = 0.25, 1.0, 1.5
>>> model.intersects(model, other_pose=many)
array([ True,  True, False])

Everything is decided in exact arithmetic on the numbers given; touching counts as contact. Poses are
rigid matrices (4, 4) that act on columns; batches of them are (P, 4, 4), and are asked on all cores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List

# Nothing is imported until it is used, so that the program starts at once.
_HOME = {
    "DeformableModel": "_native",
    "Model": "_native",
    "World": "_native",
    "ClipsReport": "_clips",
    "CrowdReport": "_crowd",
    "Posed": "_shot",
    "Report": "_check",
    "Sequence": "_check",
    "Shot": "_shot",
    "Table": "_table",
    "check": "_check",
    "clips": "_clips",
    "crowd": "_crowd",
    "load": "_shot",
    "make": "_shot",
    "pose": "_shot",
    "ArgumentError": "errors",
    "ArrayError": "errors",
    "DeviceError": "errors",
    "ElbowroomError": "errors",
    "InputError": "errors",
    "MeshError": "errors",
    "PoseError": "errors",
    "RayError": "errors",
    "UnknownNameError": "errors",
}

_MODULES = ("errors", "metrics", "papers", "results", "trimesh")

__all__ = [
    "ArgumentError",
    "ArrayError",
    "ClipsReport",
    "CrowdReport",
    "DeformableModel",
    "DeviceError",
    "ElbowroomError",
    "InputError",
    "MeshError",
    "Model",
    "PoseError",
    "Posed",
    "RayError",
    "Report",
    "Sequence",
    "Shot",
    "Table",
    "UnknownNameError",
    "World",
    "__version__",
    "check",
    "clips",
    "crowd",
    "errors",
    "load",
    "make",
    "pose",
    "results",
]

if TYPE_CHECKING:
    from . import (
        errors as errors,
        metrics as metrics,
        papers as papers,
        results as results,
        trimesh as trimesh,
    )
    from ._check import Report, Sequence, check
    from ._clips import ClipsReport, clips
    from ._crowd import CrowdReport, crowd
    from ._shot import Posed, Shot, load, make, pose
    from ._table import Table
    from ._native import DeformableModel, Model, World, __version__
    from .errors import (
        ArgumentError,
        ArrayError,
        DeviceError,
        ElbowroomError,
        InputError,
        MeshError,
        PoseError,
        RayError,
        UnknownNameError,
    )


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name == "__version__":
        value = import_module("._native", __name__).__version__
    elif name in _HOME:
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__, *_MODULES})
