"""The documentation is there, is true and runs; the stubs say what the native module has."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pathlib
import re
import subprocess
import sys
from typing import Iterator, Tuple

import pytest
from conftest import ROOT

import elbowroom
import elbowroom.errors
import elbowroom.results

CLASSES = [elbowroom.Model, elbowroom.DeformableModel, elbowroom.World]


def members(owner: type) -> Iterator[Tuple[str, object]]:
    for name, value in vars(owner).items():
        if not name.startswith("_") and (callable(value) or hasattr(value, "__get__")):
            yield name, getattr(owner, name)


def documented() -> Iterator[Tuple[str, str]]:
    """Everything in public that can have a docstring."""
    for module in (elbowroom, elbowroom.errors, elbowroom.results):
        yield module.__name__, module.__doc__ or ""
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                yield f"{module.__name__}.{name}", thing.__doc__ or ""
            if not inspect.isclass(thing):
                continue
            yield f"{module.__name__}.{name}", thing.__doc__ or ""
            for member, value in members(thing):
                if inspect.isroutine(value) and isinstance(value.__doc__, str):
                    yield f"{module.__name__}.{name}.{member}", value.__doc__


ALL = dict(documented())


@pytest.mark.parametrize("name", [name for name, text in ALL.items() if ">>>" in text])
def test_examples_run(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(ALL[name], {}, name, None, 0)
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert results.attempted > 0
    assert results.failed == 0


def test_most_of_it_has_an_example() -> None:
    assert sum(">>>" in text for text in ALL.values()) >= 25


@pytest.mark.parametrize("owner", CLASSES)
def test_every_method_is_documented(owner: type) -> None:
    for name, value in [(owner.__name__, owner), *members(owner)]:
        text = value.__doc__
        assert text, f"{owner.__name__}.{name} has no documentation"
        first = text.split("\n\n")[0]
        assert first.endswith("."), f"{name}: the first sentence stands alone: {first!r}"
        assert len(first) <= 100, f"{name}: {first!r}"
        assert all(len(line) <= 100 for line in text.splitlines()), name
        # Before Python 3.10 a native class has no signature.
        has_none = inspect.isclass(value) and sys.version_info < (3, 10)
        if not callable(value) or has_none:
            continue
        parameters = [it for it in inspect.signature(value).parameters if it != "self"]
        section = re.search(r"Parameters\n-+\n(.*?)(\n\n[A-Z]|\Z)", text, re.DOTALL)
        lines = re.findall(r"^(\w[\w, ]*) :", section.group(1), re.MULTILINE) if section else []
        given = [it for line in lines for it in line.split(", ")]
        assert given == parameters, f"{owner.__name__}.{name} documents {given}"
        assert not parameters or "Raises\n------" in text, f"{name} does not say what it raises"


def test_errors_that_are_documented_exist() -> None:
    for name, text in ALL.items():
        for error in re.findall(r"\b[A-Z]\w+Error\b", text):
            known = hasattr(elbowroom.errors, error) or hasattr(__builtins__, error)
            known = known or error in dir(importlib.import_module("builtins"))
            assert known, f"{name} names {error}"


def run_mypy(*arguments: str, cwd: pathlib.Path = ROOT) -> "subprocess.CompletedProcess[str]":
    pytest.importorskip("mypy", reason="needs mypy")
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )


needs_sources = pytest.mark.skipif(
    not (ROOT / "pyproject.toml").exists() or sys.version_info < (3, 10),
    reason="needs the repository, and a Python that mypy runs on",
)


@needs_sources
def test_the_stubs_are_those_of_the_native_module(tmp_path: pathlib.Path) -> None:
    # In a folder of its own: the sources have no native module, what is installed has one.
    done = run_mypy(
        "mypy.stubtest",
        *("elbowroom._native", "elbowroom.results", "elbowroom.errors", "elbowroom._arrays"),
        *("--mypy-config-file", str(ROOT / "pyproject.toml")),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_function_has_an_example() -> None:
    for name in elbowroom.__all__:
        if inspect.isfunction(getattr(elbowroom, name)):
            assert ">>>" in ALL[f"elbowroom.{name}"], name


def test_what_is_exported_is_there() -> None:
    assert set(elbowroom._HOME) | {"__version__", "errors", "results"} == set(elbowroom.__all__)
    assert elbowroom.__all__ == sorted(elbowroom.__all__)


@needs_sources
def test_the_package_is_strictly_typed() -> None:
    done = run_mypy("mypy", "--strict", "python/elbowroom")
    assert done.returncode == 0, done.stdout + done.stderr


USES = """
from typing import Any, List, Tuple
import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type
from elbowroom import _native as er
from elbowroom.results import BatchContacts, ClosestPoints, Contacts

corners: npt.NDArray[np.float64] = np.zeros((3, 3))
model = er.Model(corners, [[0, 1, 2]])
soft = er.DeformableModel(corners, [[0, 1, 2]])
many = np.zeros((9, 4, 4))
unknown: npt.NDArray[np.float64] = np.eye(4)

assert_type(model.intersects(soft), bool)
assert_type(model.intersects(soft, np.eye(4)), bool)
assert_type(model.intersects(soft, other_pose=np.eye(4)), bool)
assert_type(model.intersects(soft, many), npt.NDArray[np.bool_])
assert_type(model.intersects(soft, None, many), Any)
assert_type(model.intersects(soft, other_pose=many), npt.NDArray[np.bool_])
assert_type(model.intersects(soft, np.eye(4), other_pose=many, solid=True), npt.NDArray[np.bool_])
assert_type(model.intersects(soft, unknown), Any)
assert_type(model.intersects(soft, None, unknown), Any)
assert_type(model.intersects(soft, other_pose=unknown), Any)
assert_type(model.intersects(soft, np.eye(4), other_pose=unknown), Any)
assert_type(model.distance(soft), float)
assert_type(model.distance(soft, other_pose=many), npt.NDArray[np.float64])
assert_type(model.contacts(soft, clearance=0.5), Contacts)
assert_type(model.contacts(soft, many), BatchContacts)
assert_type(model.is_within(soft, 0.5), bool)
assert_type(model.closest_points(soft, many), ClosestPoints)
assert_type(er.World().meeting(model), List[str])
assert_type(er.World().meeting(model, many), List[List[str]])
assert_type(er.World().meeting(model, unknown), Any)
found: bool = model.intersects(soft, unknown)
batch: npt.NDArray[np.bool_] = model.intersects(soft, unknown)
"""


@needs_sources
def test_a_type_checker_tells_one_pose_from_a_batch(tmp_path: pathlib.Path) -> None:
    import numpy

    if tuple(map(int, numpy.__version__.split(".")[:2])) < (2, 2):
        pytest.skip("NumPy's own types say nothing about shapes before 2.2")
    file = tmp_path / "uses.py"
    file.write_text(USES)
    done = run_mypy("mypy", "--strict", "--follow-imports=silent", str(file))
    assert done.returncode == 0, done.stdout + done.stderr


@needs_sources
def test_a_type_checker_finds_all_that_is_exported(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "uses.py"
    names = "".join(f"er.{name}\n" for name in elbowroom.__all__)
    file.write_text(f"import elbowroom as er\n{names}")
    done = run_mypy("mypy", "--strict", "--follow-imports=silent", str(file))
    assert done.returncode == 0, done.stdout + done.stderr


@needs_sources
def test_the_stubs_name_all_that_is_native() -> None:
    native = importlib.import_module("elbowroom._native")
    text = (ROOT / "python/elbowroom/_native.pyi").read_text(encoding="utf-8")
    for name in native.__all__:
        assert re.search(rf"\b{name}\b", text), f"the stubs have no {name}"
