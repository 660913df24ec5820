"""Crowds: bodies on trajectories, and their contacts."""

from __future__ import annotations

import io
import json
import os
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ._run import Ran, run
from ._table import Table
from .errors import ArrayError

__all__ = ["CrowdReport", "crowd"]

PathLike = Union[str, "os.PathLike[str]"]

_COLUMNS = ("id", "frame", "x", "y", "z", "heading")


class CrowdReport:
    """The contacts in a crowd, by each method."""

    def __init__(self, ran: Ran) -> None:
        self._document: Dict[str, Any] = json.loads(ran.out)
        self._messages = ran.messages
        #: 0 no contact, 1 contacts.
        self.exit_code = ran.exit_code

    def to_dict(self) -> Dict[str, Any]:
        """The result as the JSON of the program (docs/crowd-json.md)."""
        return self._document

    @property
    def contacts(self) -> Table:
        """A row for each pair that touches, those with the most frames first."""
        rows: List[Dict[str, Any]] = self._document["contacts"]
        parts = [row.get("parts") or [None, None] for row in rows]
        plain = ("first_frame", "last_frame", "frames", "seconds", "times", "nearest", "x", "y")
        columns: Dict[str, Any] = {
            "id_a": [row["ids"][0] for row in rows],
            "id_b": [row["ids"][1] for row in rows],
            **{name: [row[name] for row in rows] for name in plain},
            "part_a": [_first(pair, 0) for pair in parts],
            "part_b": [_first(pair, 1) for pair in parts],
        }
        return Table(columns)

    @property
    def methods(self) -> Table:
        """A row for each method: the pairs it lists, found and missed, and its cost."""
        rows: List[Dict[str, Any]] = self._document["methods"]
        names = (
            "name",
            "listed",
            "found",
            "missed",
            "false",
            "pairs",
            "circle_tests",
            "mesh_tests",
        )
        return Table({name: [row[name] for row in rows] for name in names})

    @property
    def notes(self) -> List[str]:
        """What was assumed, and other remarks."""
        return [text for kind, text in self._messages if kind in ("note", "hint")]

    def __repr__(self) -> str:
        people, pairs = self._document["people"], len(self._document["contacts"])
        return f"CrowdReport({people} people, {pairs} pairs touch)"


def _first(pair: Any, side: int) -> Optional[str]:
    """The first of a body's parts, whether they come as pairs or as lists."""
    if not pair:
        return None
    entry = pair[0] if isinstance(pair[0], (list, tuple)) else pair
    value = entry[side]
    return None if value is None else str(value)


def _table(data: Any, fps: Optional[float]) -> bytes:
    """A table of trajectories as the text that the program reads."""
    import numpy as np

    rate = fps if fps is not None else getattr(data, "frame_rate", None)
    # PedPy keeps its table in a field.
    data = getattr(data, "data", data) if hasattr(data, "frame_rate") else data
    columns: Dict[str, Any] = {}
    if isinstance(data, np.ndarray) and data.dtype.names is None:
        if data.ndim != 2 or data.shape[1] not in (4, 5):
            raise ArrayError(
                f"trajectories has the shape {data.shape}; give columns id, frame, x, y[, z]"
            )
        columns = {name: data[:, index] for index, name in enumerate(_COLUMNS[: data.shape[1]])}
    else:
        if isinstance(data, dict):
            named: List[str] = list(data)
        elif getattr(data, "dtype", None) is not None and getattr(data.dtype, "names", None):
            named = list(data.dtype.names)
        else:
            named = list(getattr(data, "columns", []))
        columns = {name: np.asarray(data[name]) for name in _COLUMNS if name in named}
        missing = [name for name in _COLUMNS[:4] if name not in columns]
        if missing:
            raise ArrayError(f"trajectories has no column {', '.join(missing)}; it has {named}")
    lengths = {len(column) for column in columns.values()}
    if len(lengths) != 1:
        raise ArrayError(f"the columns of trajectories have different lengths: {sorted(lengths)}")
    out = io.StringIO()
    if rate is not None:
        out.write(f"# framerate: {float(rate)!r}\n")
    out.write(",".join(columns) + "\n")
    listed = [_column(name, column) for name, column in columns.items()]
    out.writelines(",".join(row) + "\n" for row in zip(*listed))
    return out.getvalue().encode()


def _column(name: str, column: Any) -> List[str]:
    if name not in ("id", "frame"):
        return [repr(float(value)) for value in column.tolist()]
    whole = []
    for row, value in enumerate(column.tolist()):
        if value != int(value):
            raise ArrayError(f"{name} of row {row} is {value!r}; give whole numbers")
        whole.append(str(int(value)))
    return whole


def crowd(
    trajectories: Any = None,
    *,
    fps: Optional[float] = None,
    body: Union[None, PathLike, Sequence[PathLike]] = None,
    clip: Optional[str] = None,
    frames: Any = None,
    every: Optional[int] = None,
    radii: Sequence[float] = (),
    levels: Optional[Sequence[Union[int, str]]] = None,
    exact: bool = True,
    units: Optional[str] = None,
    save: Union[None, PathLike, Sequence[PathLike]] = None,
) -> CrowdReport:
    """Place bodies on recorded or simulated trajectories, and report contacts.

    Parameters
    ----------
    trajectories : path, DataFrame, dict, array or PedPy TrajectoryData, optional
        Columns ``id, frame, x, y`` (also ``z``, ``heading``), named as PedPy names them; an array has
        them in this order. Without it, a generated crowd.
    fps : float, optional
        Frames per second; a PedPy trajectory has its own.
    body : path or list of paths, optional
        Body: ``"make:man"``, or a character's file with a clip; several take turns.
    clip : str, optional
        Clip of the walk.
    frames : str, int, tuple or range, optional
        Frames to examine.
    every : int, optional
        Examine every N-th frame; by default about ten per second.
    radii : sequence of float
        Radii of more disks, beside 0.25 and 0.40 m.
    levels : sequence of int or "all", optional
        The levels of circles.
    exact : bool
        Compare meshes where circles meet.
    units : str, optional
        The unit of positions that do not state theirs.
    save : path or list of paths
        Also write a picture (``.svg``, ``.html``) or a row for each frame (``.csv``).

    Returns
    -------
    CrowdReport

    Examples
    --------
    >>> import numpy as np
    >>> import elbowroom as er
    >>> frame = np.arange(40)
    >>> walk = lambda person, x: np.column_stack([np.full(40, person), frame, x, 0 * x])
    >>> met = er.crowd(np.vstack([walk(1, frame * 0.1), walk(2, 4 - frame * 0.1)]), fps=10)
    >>> met.contacts.row(0)["id_a"], met.contacts.row(0)["id_b"]
    (1, 2)
    """
    from ._check import _frames

    memory: Dict[str, Any] = {}
    args = ["crowd", "--json", "--exit-zero"]
    if isinstance(trajectories, (str, os.PathLike)):
        args.append(os.fspath(trajectories))
        if fps is not None:
            args.append(f"--fps={fps}")
    elif trajectories is not None:
        memory["trajectories.csv"] = _table(trajectories, fps)
        args.append("memory:trajectories.csv")
    for name in _listed(body):
        args += ["--body", name]
    for path in _listed(save):
        args += ["-o", path, "--force"]
    if frames is not None:
        args.append(f"--frames={_frames(frames)}")
    if levels is not None:
        args.append("--levels=" + ",".join(map(str, levels)))
    options: Tuple[Tuple[str, Any], ...] = (("clip", clip), ("every", every), ("units", units))
    args += [f"--{name}={value}" for name, value in options if value is not None]
    args += [f"--radius={radius!r}" for radius in radii]
    if not exact:
        args.append("--no-exact")
    ran = run(args, memory)
    report = CrowdReport(ran)
    if report.exit_code == 0 and report.to_dict()["touch"]:
        report.exit_code = 1
    return report


def _listed(value: Union[None, PathLike, Sequence[PathLike]]) -> List[str]:
    if value is None:
        return []
    if isinstance(value, (str, os.PathLike)):
        return [os.fspath(value)]
    return [os.fspath(path) for path in value]
