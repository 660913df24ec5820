"""What several tests share: small meshes, poses, and where things are."""

from __future__ import annotations

import pathlib
import sys

import numpy as np
import pytest

import elbowroom as er

ROOT = pathlib.Path(__file__).resolve().parents[2]

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])


@pytest.fixture
def tetra() -> er.Model:
    """A corner of a cube, closed and wound outwards, of volume 1/6."""
    return er.Model(CORNERS, FACES)


@pytest.fixture
def soft() -> er.DeformableModel:
    return er.DeformableModel(CORNERS, FACES)


def shifted(*by: float) -> np.ndarray:
    """A pose that only moves."""
    pose = np.eye(4)
    pose[:3, 3] = by
    return pose


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """By the formula of Rodrigues; within a few roundings of a rotation."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)


def random_poses(count: int, size: float, seed: int) -> np.ndarray:
    """(P, 4, 4), anywhere within a size of the origin."""
    random = np.random.default_rng(seed)
    poses = np.repeat(np.eye(4)[None], count, axis=0)
    for pose in poses:
        pose[:3, :3] = rotation(random.normal(size=3), random.uniform(0, np.pi))
        pose[:3, 3] = random.uniform(-size, size, 3)
    return poses


def sphere(rings: int, radius: float = 1.0) -> "tuple[np.ndarray, np.ndarray]":
    """A closed ball of 4 · rings · (rings - 1) triangles."""
    around = 2 * rings
    angles = np.linspace(0, np.pi, rings + 1)[1:-1]
    turns = np.arange(around) * (2 * np.pi / around)
    ring = np.stack(
        [
            np.outer(np.sin(angles), np.cos(turns)),
            np.outer(np.sin(angles), np.sin(turns)),
            np.outer(np.cos(angles), np.ones(around)),
        ],
        axis=-1,
    ).reshape(-1, 3)
    vertices = np.concatenate([ring, [[0, 0, 1], [0, 0, -1]]]) * radius
    north, south = len(ring), len(ring) + 1
    faces = []
    for j in range(around):
        k = (j + 1) % around
        faces.append([north, j, k])
        last = (rings - 2) * around
        faces.append([south, last + k, last + j])
        for i in range(rings - 2):
            a, b, c, d = i * around + j, i * around + k, (i + 1) * around + j, (i + 1) * around + k
            faces += [[a, c, d], [a, d, b]]
    return vertices, np.array(faces)


def same(first: object, second: object) -> bool:
    """Whether two answers are the same, bit for bit."""
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        first, second = np.asarray(first), np.asarray(second)
        return (
            first.dtype == second.dtype
            and first.shape == second.shape
            and first.tobytes() == second.tobytes()
        )
    if isinstance(first, (tuple, list)):
        return (
            type(first) is type(second)
            and len(first) == len(second)
            and all(map(same, first, second))
        )
    if isinstance(first, float):
        return type(second) is float and np.float64(first).tobytes() == np.float64(second).tobytes()
    if hasattr(type(first), "__slots__"):
        names = type(first).__slots__
        return type(first) is type(second) and all(
            same(getattr(first, name), getattr(second, name)) for name in names
        )
    return first == second


def python(program: str, *arguments: str, timeout: float = 60) -> "tuple[int, str, str]":
    """Runs a program in an interpreter of its own."""
    import os
    import subprocess

    paths = [str(ROOT / "python" / "tests"), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )
    return done.returncode, done.stdout, done.stderr
