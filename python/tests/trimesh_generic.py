"""What trimesh's test_collision.py takes from the ``generic.py`` beside it.

The sdist of trimesh has neither that helper nor the models. With ``ELBOWROOM_TRIMESH_REPO`` set to a
clone of trimesh's repository, test_trimesh.py takes both from there and this file is not used.
"""

from __future__ import annotations

import logging
import unittest
from typing import Any

import numpy as np
import trimesh

__all__ = ["get_mesh", "log", "np", "random", "trimesh", "unittest"]

log = logging.getLogger("trimesh")


def random(*shape: Any) -> np.ndarray:
    """Numbers that are the same in every run."""
    return np.asarray(np.random.RandomState(seed=1).random_sample(*shape))


def _unit_cube() -> trimesh.Trimesh:
    """The vertices of models/unit_cube.STL in its order: one test asks for a corner of it."""
    x, y, z = -0.5, -0.5, 0.5
    corners = [
        (x, y, z),
        (x, -y, z),
        (x, y, -z),
        (x, -y, -z),
        (-x, y, z),
        (-x, y, -z),
        (-x, -y, z),
        (-x, -y, -z),
    ]
    faces = [[0, 1, 2], [2, 1, 3], [4, 0, 5], [5, 0, 2], [6, 4, 7], [7, 4, 5]]
    faces += [[1, 6, 3], [3, 6, 7], [4, 6, 0], [0, 6, 1], [7, 5, 3], [3, 5, 2]]
    cube = trimesh.Trimesh(corners, faces, process=False)
    assert cube.is_convex and cube.volume == 1.0
    return cube


def _gearbox() -> trimesh.Scene:
    """In the place of models/cycloidal.3DXML: an assembly of parts that stand in each other."""
    scene = trimesh.Scene()
    plate = trimesh.creation.annulus(r_min=0.3, r_max=1.0, height=0.1)
    pin = trimesh.creation.cylinder(radius=0.1, height=1.0)
    for level in range(3):
        transform = trimesh.transformations.translation_matrix([0, 0, 0.2 * level])
        scene.add_geometry(plate, node_name=f"plate_{level}", transform=transform)
    for turn in range(8):
        angle = 2 * np.pi * turn / 8
        position = [0.6 * np.cos(angle), 0.6 * np.sin(angle), 0.2]
        transform = trimesh.transformations.translation_matrix(position)
        scene.add_geometry(pin, node_name=f"pin_{turn}", transform=transform)
    return scene


def get_mesh(name: str) -> Any:
    """A mesh or a scene in the place of a model of that name."""
    return {"unit_cube.STL": _unit_cube, "cycloidal.3DXML": _gearbox}[name]()
