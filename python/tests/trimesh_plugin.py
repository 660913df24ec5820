"""A plugin for pytest that puts elbowroom in the place of trimesh's collision manager.

test_trimesh.py runs trimesh's own tests with it (``-p trimesh_plugin``). There is no FCL for them:
a module without content takes its place, so that whatever would still use it fails.
"""

from __future__ import annotations

import sys
import types
from typing import Any

sys.modules["fcl"] = types.ModuleType("fcl")

import trimesh.collision  # noqa: E402

import elbowroom.trimesh as ours  # noqa: E402

_made = []


class _Counted(ours.CollisionManager):
    """Ours, counted, so that no test passes because it did nothing."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        _made.append(1)


ours.CollisionManager = _Counted  # type: ignore[misc]
for _name in (
    "COLLISION_PER_PAIR_CAP",
    "CollisionManager",
    "ContactData",
    "DistanceData",
    "mesh_to_BVH",
    "mesh_to_convex",
    "scene_to_collision",
):
    setattr(trimesh.collision, _name, getattr(ours, _name))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.write_line(f"managers of elbowroom: {len(_made)}")
