"""The whole conformance suite (testdata/conformance), asked through Python."""

from __future__ import annotations

import collections
import json
import os
import pathlib
import shutil
import subprocess
from typing import Any, Dict, List, Tuple

import numpy as np
import pytest
from conftest import ROOT

import elbowroom as er

#: How many questions there are; a suite that grows changes this line.
QUESTIONS = 18_707


@pytest.fixture(scope="module")
def scenes() -> List[Dict[str, Any]]:
    """The suite: `ELBOWROOM_SUITE`, or written by bench/python/suite."""
    given = os.environ.get("ELBOWROOM_SUITE")
    suite = pathlib.Path(given) if given else make()
    with suite.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def make() -> pathlib.Path:
    cargo, manifest = shutil.which("cargo"), ROOT / "bench/python/suite/Cargo.toml"
    if cargo is None or not manifest.exists():
        pytest.skip("needs ELBOWROOM_SUITE, or cargo and the repository to make the suite")
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    command = [cargo, "run", "--quiet", "--locked", "--manifest-path", manifest]
    suite = target / "python" / "suite.jsonl"
    suite.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([*command, "--target-dir", target / "suite", "--", suite], check=True)
    return suite


def body(data: Dict[str, Any]) -> Tuple[er.Model, np.ndarray]:
    pose = np.eye(4)
    pose[:3, :3] = np.reshape(data["r"], (3, 3))
    pose[:3, 3] = data["t"]
    return er.Model(np.array(data["vertices"]), np.array(data["triangles"])), pose


def side(a: bool, b: bool) -> str:
    return {(0, 0): "neither", (1, 0): "a", (0, 1): "b", (1, 1): "both"}[int(a), int(b)]


class Scene:
    """A scene, whose models and common answers are made once."""

    def __init__(self, data: Dict[str, Any]) -> None:
        self.a, self.pose_a = body(data["a"])
        if data["b"]:
            self.b, self.pose_b = body(data["b"])
            self.at = {"pose": self.pose_a, "other_pose": self.pose_b}
        self.models = [self.a] + ([self.b] if data["b"] else [])

    def meets(self) -> bool:
        return self.a.intersects(self.b, **self.at)

    def surface(self, clearance: float) -> str:
        return self.a.contacts(self.b, **self.at, clearance=clearance).kind

    def solid(self, clearance: float) -> str:
        return self.a.contacts(self.b, **self.at, solid=True, clearance=clearance).kind

    def solids_meet(self) -> bool:
        return self.a.intersects(self.b, **self.at, solid=True)

    def contains(self) -> str:
        # The suite asks which contains the other, and the answer is which is inside.
        inside = self.a.contacts(self.b, **self.at, solid=True).inside
        return {None: "neither", "a": "b", "b": "a", "both": "both"}[inside]

    def through(self) -> str:
        through = self.a.through(self.b, **self.at)
        return side(through.a_through_b, through.b_through_a)

    def closed(self) -> Any:
        return [model.solid_profile().doubt is None for model in self.models]

    def pairs(self) -> int:
        return len(self.a.contacts(self.b, **self.at).pairs)

    def crossing_pairs(self) -> int:
        return int(self.a.contacts(self.b, **self.at).crossing.sum())

    def pair_list(self) -> List[List[int]]:
        return self.a.contacts(self.b, **self.at).pairs.tolist()

    def distance(self) -> float:
        return self.a.distance(self.b, **self.at)

    def signed_distance(self) -> float:
        return self.a.distance(self.b, **self.at, solid=True)

    def within(self, length: float) -> bool:
        return self.a.is_within(self.b, length, **self.at)

    def meets_itself(self) -> bool:
        return len(self.a.self_contacts().pairs) > 0

    def self_pairs(self) -> List[List[int]]:
        return self.a.self_contacts().pairs.tolist()

    def point(self, point: List[float]) -> str:
        winding = self.a.winding(point, self.pose_a)
        if winding.on_surface[0]:
            return "on"
        assert bool(winding.inside[0]) == bool(self.a.inside(point, self.pose_a)[0])
        return "inside" if winding.inside[0] else "outside"


def is_right(check: Dict[str, Any], given: Any) -> bool:
    expected, tolerance = check["expected"], check["tolerance"]
    if tolerance is None:
        return bool(given == expected) and type(given) is type(expected)
    is_right_side = expected == 0 or (expected > 0) == (given > 0)
    return is_right_side and abs(given - expected) <= tolerance


def test_every_answer_is_right(scenes: List[Dict[str, Any]]) -> None:
    asked: "collections.Counter[str]" = collections.Counter()
    wrong = []
    for data in scenes:
        scene = Scene(data)
        for check in data["checks"]:
            question, argument = check["question"], check["argument"]
            given = getattr(scene, question)(*([] if argument is None else [argument]))
            asked[question] += 1
            if not is_right(check, given):
                wrong.append((data["theme"], data["case"], data["variant"], check, given))
    assert not wrong, f"{len(wrong)} wrong, such as {wrong[:3]}"
    assert sum(asked.values()) == QUESTIONS
    assert len(asked) == 16, asked


def test_batches_answer_as_single_calls_do(scenes: List[Dict[str, Any]]) -> None:
    # All pairs at once, each with its own pose and with the other's: what batches share between
    # poses is nothing.
    asked = 0
    for data in scenes[::7]:
        if not data["b"]:
            continue
        scene = Scene(data)
        poses = np.stack([scene.pose_a, scene.pose_b, np.eye(4)])
        others = np.stack([scene.pose_b, scene.pose_a, scene.pose_b])
        batch = scene.a.intersects(scene.b, poses, others)
        contacts = scene.a.contacts(scene.b, poses, others, solid=True)
        distance = scene.a.distance(scene.b, poses, others)
        for i in range(3):
            assert batch[i] == scene.a.intersects(scene.b, poses[i], others[i])
            assert distance[i] == scene.a.distance(scene.b, poses[i], others[i])
            single = scene.a.contacts(scene.b, poses[i], others[i], solid=True)
            assert contacts[i].kind == single.kind and contacts[i].inside == single.inside
            assert np.array_equal(contacts[i].pairs, single.pairs)
            asked += 1
    assert asked > 500
