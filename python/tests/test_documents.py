"""The pages and the examples run as they are written."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
from typing import List

import pytest
from conftest import ROOT

needs_sources = pytest.mark.skipif(
    not (ROOT / "docs" / "python.md").exists(), reason="needs the repository"
)
# The test of pages in crates/elbowroom-cli looks here for every page that has code in Python.
PAGES = [
    "README.md",
    "python/README.md",
    "docs/notes/crowd-files.md",
    "docs/papers.md",
    "docs/python.md",
    "docs/python/trimesh.md",
    "docs/score.md",
]
EXAMPLES = sorted((ROOT / "python" / "examples").glob("*.py"))


def blocks(page: pathlib.Path) -> List[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@needs_sources
@pytest.mark.parametrize("name", PAGES)
def test_the_code_of_a_page_runs(name: str, tmp_path: pathlib.Path) -> None:
    if "trimesh" in name:
        pytest.importorskip("trimesh", reason="trimesh is not installed")
    code = blocks(ROOT / name)
    assert code, f"{name} has no Python code"
    # One after the other, as a reader would.
    run(["-c", "\n".join(code), *arguments(name, tmp_path)], tmp_path)


def arguments(name: str, folder: pathlib.Path) -> List[str]:
    """The files that the script of a page is called with."""
    if "crowd-files" not in name:
        return []
    contacts = '{"contacts": [{"ids": [1, 2], "seconds": 3.0}, {"ids": [1, 3], "seconds": 1.0}]}'
    (folder / "crowd.json").write_text(contacts, encoding="utf-8")
    (folder / "groups.txt").write_text("1 2\n3 4\n", encoding="utf-8")
    return ["crowd.json", "groups.txt"]


@needs_sources
@pytest.mark.parametrize("example", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_an_example_runs(example: pathlib.Path, tmp_path: pathlib.Path) -> None:
    out = run([str(example)], tmp_path)
    assert out.strip(), "it says nothing"
    assert not list(tmp_path.iterdir()), "it leaves files behind"
    if "sys.argv" not in example.read_text(encoding="utf-8"):
        return
    ending = "svg" if example.stem in ("crowd", "two_clips") else "html"
    page = tmp_path / f"page.{ending}"
    assert run([str(example), str(page)], tmp_path) == out
    assert page.stat().st_size > 10_000


@needs_sources
def test_there_is_an_example_for_each_group() -> None:
    assert len(EXAMPLES) >= 10
    for path in EXAMPLES:
        text = path.read_text(encoding="utf-8")
        assert text.startswith('"""') and len(text.splitlines()) <= 60, path


def run(arguments: List[str], folder: pathlib.Path) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
