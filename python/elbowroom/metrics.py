"""Metrics of interpenetration: how much two bodies go through each other.

>>> import numpy as np
>>> import elbowroom as er
>>> corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
>>> faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
>>> there = corners + np.array([1.5, 1.0, 0.75])[:, None, None] * [1, 0, 0]    # (T, N, 3)
>>> frames = er.metrics.pair(corners, there, faces)
>>> frames.crossing
array([False, False,  True])
>>> frames.volume.round(3)
array([     0.,      0., 250000.])

Lengths are in cm, areas in cm², volumes in cm³. docs/score.md defines every number.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _arrays, _native
from ._body_models import PosedBodies, pose_file
from ._run import Ran, run
from ._table import Table
from .errors import ArrayError, InputError

__all__ = [
    "ClipScore",
    "PairFrames",
    "PosedBodies",
    "ScoreReport",
    "clip",
    "dataset",
    "pair",
    "pose_file",
]

PathLike = Union[str, "os.PathLike[str]"]

_METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}

#: The power of the unit of length that each number has.
_POWERS = {"depth": 1, "distance": 1, "area": 2, "volume": 3}


class PairFrames(NamedTuple):
    """What is measured of two bodies: arrays with an entry for each frame."""

    #: Whether the surfaces have a point in common.
    contact: np.ndarray
    #: Whether the interiors of the solids meet: touching does not count.
    crossing: np.ndarray
    #: The farthest point of either boundary inside the other solid, in cm: at least so far.
    depth: np.ndarray
    #: At most so far.
    depth_upper: np.ndarray
    #: The volume of what is in both solids, in cm³.
    volume: np.ndarray
    #: A bound of the rounding error of the volume.
    volume_error: np.ndarray
    #: The area of the first boundary inside the second solid, in cm².
    area_a: np.ndarray
    #: The area of the second boundary inside the first solid.
    area_b: np.ndarray
    #: The distance of the surfaces in cm; ``nan`` if they meet, or it was not asked for.
    distance: np.ndarray
    #: Whether depths are exact: both meshes are closed, and do not meet themselves where it matters.
    exact: np.ndarray

    def to_table(self) -> Table:
        """A table with a row for each frame, for pandas, polars and Arrow."""
        columns: Dict[str, Any] = {"frame": np.arange(len(self.contact))}
        return Table({**columns, **self._asdict()})


class ClipScore(NamedTuple):
    """What a clip comes to. Means over all frames and over the frames that cross are two things."""

    frames: int
    contact_frames: int
    crossing_frames: int
    #: Frames whose answers on solids are estimates: a mesh is open, or meets itself.
    estimated_frames: int
    share_contact: float
    share_crossing: float
    depth_mean: float
    #: ``None`` if no frame crosses.
    depth_mean_crossing: Optional[float]
    depth_max: float
    depth_max_upper: float
    volume_mean: float
    volume_mean_crossing: Optional[float]
    volume_max: float
    volume_error_max: float
    #: ``None`` if distances were not asked for.
    distance_min: Optional[float]
    #: Runs of frames with contact or crossing.
    incidents: int
    incident_frames: int
    longest_incident: int
    #: ``None`` if no frame crosses.
    worst_frame: Optional[int]


def _power(name: str) -> int:
    return _POWERS.get(name.split("_")[0], 0)


def _frames(value: Any, name: str) -> np.ndarray:
    """(T, N, 3) of doubles, from that or from (N, 3)."""
    array = _arrays._array(value, name)
    if array.ndim not in (2, 3) or array.shape[-1] != 3 or array.dtype.kind not in "fiu":
        raise ArrayError(
            f"{name} has shape {array.shape} and type {array.dtype}; give numbers (T, N, 3) or (N, 3)"
        )
    if not array.size:
        raise ArrayError(f"{name} has shape {array.shape}; give at least one frame and one vertex")
    return np.ascontiguousarray(array[None] if array.ndim == 2 else array, dtype=np.float64)


def _measure(
    va: Any, vb: Any, faces: Any, faces_b: Any, cap: bool, distance: bool, unit: str, gap: int
) -> Any:
    if unit not in _METRES:
        raise ValueError(f"unit is {unit!r}; give one of {', '.join(_METRES)}")
    a, b = _frames(va, "va"), _frames(vb, "vb")
    if len(a) != len(b) and 1 not in (len(a), len(b)):
        raise ArrayError(
            f"va has {len(a)} frames and vb has {len(b)}; give as many of each, or one of either"
        )
    other = faces if faces_b is None else faces_b
    found = _native.measure_pair(a, a[0], faces, b, b[0], other, cap, distance, gap)
    return found, 100.0 * _METRES[unit]


def pair(
    va: Any,
    vb: Any,
    faces: Any,
    faces_b: Any = None,
    *,
    cap: bool = False,
    distance: bool = True,
    unit: str = "m",
) -> PairFrames:
    """Measure two bodies in every frame, on all cores.

    Parameters
    ----------
    va, vb : (T, N, 3) or (N, 3) array
        The vertices of each body. One with a single frame is the same in all frames.
    faces : (M, 3) array
        The triangles of both bodies, or of the first.
    faces_b : (M, 3) array, optional
        The triangles of the second body, if they differ.
    cap : bool
        Close the holes of each mesh in every frame, by a fan to the centroid of each.
    distance : bool
        Also measure how far bodies are apart that do not meet, which takes the longest.
    unit : {"m", "cm", "mm", "in", "ft"}
        The unit of the vertices.

    Returns
    -------
    PairFrames

    Examples
    --------
    >>> import numpy as np
    >>> import elbowroom as er
    >>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> found = er.metrics.pair(corners, corners + [2.0, 0, 0], faces, unit="cm")
    >>> found.contact.item(), found.distance.item()
    (False, 1.0)
    """
    (columns, _, _), scale = _measure(va, vb, faces, faces_b, cap, distance, unit, 0)
    scaled = {
        name: values * scale ** _power(name) if _power(name) else values
        for name, values in columns.items()
    }
    return PairFrames(**scaled)


def clip(
    va: Any,
    vb: Any,
    faces: Any,
    faces_b: Any = None,
    *,
    cap: bool = False,
    distance: bool = True,
    unit: str = "m",
    gap: int = 2,
) -> ClipScore:
    """Measure two bodies in every frame, and give what the clip comes to.

    Parameters
    ----------
    va, vb, faces, faces_b, cap, distance, unit
        As for `pair`.
    gap : int
        The longest gap, in frames without contact, within one incident.

    Returns
    -------
    ClipScore

    Examples
    --------
    >>> import numpy as np
    >>> import elbowroom as er
    >>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> shift = np.array([2.0, 0.25, 0.5, 2.0])[:, None, None] * [1, 0, 0]
    >>> score = er.metrics.clip(corners + shift, corners, faces)
    >>> score.share_crossing, score.incidents, score.worst_frame
    (0.5, 1, 1)
    """
    (_, summary, _), scale = _measure(va, vb, faces, faces_b, cap, distance, unit, gap)
    scaled = {
        name: value * scale ** _power(name) if value is not None and _power(name) else value
        for name, value in summary.items()
    }
    return ClipScore(**scaled)


class ScoreReport:
    """The scores of a data set."""

    def __init__(self, ran: Ran) -> None:
        self._document: Dict[str, Any] = json.loads(ran.out)
        self._messages = ran.messages

    def to_dict(self) -> Dict[str, Any]:
        """The result as the program's JSON has it (docs/score.md)."""
        return self._document

    @property
    def clips(self) -> Table:
        """A row for each two bodies of a clip; ``error`` says why a clip was not scored."""
        return _table(self._document["clips"])

    @property
    def set(self) -> Table:
        """A row for each metric: its mean over clips, the ends of its 95 % interval, the largest."""
        return _table(self._document["set"])

    @property
    def is_complete(self) -> bool:
        """Whether all clips were scored."""
        return bool(self._document["complete"])

    @property
    def notes(self) -> List[str]:
        """What was assumed, which clips were not scored, and other remarks."""
        told = [text for kind, text in self._messages if kind in ("note", "hint", "warning")]
        return [*self._document["assumed"], *told]

    def __repr__(self) -> str:
        pairs, frames = self._document["pairs"], self._document["frames_examined"]
        failed = self._document["failed"]
        more = f", {failed} not scored" if failed else ""
        return f"ScoreReport({pairs} pairs, {frames} frames{more})"


def _table(rows: List[Dict[str, Any]]) -> Table:
    def column(values: List[Any]) -> Any:
        if any(isinstance(value, str) for value in values):
            return values
        return np.array([np.nan if value is None else value for value in values])

    names = list(rows[0]) if rows else []
    return Table({name: column([row[name] for row in rows]) for name in names})


def _alternatives(pattern: str) -> List[str]:
    """A pattern for each choice of what is in its braces."""
    opened = pattern.find("{")
    closed = pattern.find("}", opened)
    if opened < 0 or closed < 0:
        return [pattern]
    before, within, after = pattern[:opened], pattern[opened + 1 : closed], pattern[closed + 1 :]
    return [text for one in within.split(",") for text in _alternatives(before + one + after)]


def _posed(
    pattern: str,
    body_model: PathLike,
    folder: str,
    fps: Optional[float],
    problems: Dict[str, str],
) -> str:
    """Pose the files of a pattern into a folder, and give the pattern of what is there."""
    from glob import glob
    from zipfile import is_zipfile

    for path in sorted({p for one in _alternatives(pattern) for p in glob(one, recursive=True)}):
        kept = os.path.splitext(_under(folder, path))[0] + ".npz"
        if is_zipfile(kept) and os.path.getmtime(kept) >= os.path.getmtime(path):
            continue
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        try:
            bodies = pose_file(path, body_model, fps=fps)
        except InputError as error:
            # The row of this clip says it, and the others are scored.
            problems[kept] = str(error)
            with open(kept, "w", encoding="utf-8") as file:
                file.write(str(error))
            continue
        people = bodies.vertices.shape[1]
        vertices = bodies.vertices if people > 1 else bodies.vertices[:, 0]
        arrays: Dict[str, Any] = {"vertices": vertices, "faces": bodies.faces}
        if bodies.fps is not None:
            arrays["fps"] = bodies.fps
        part = kept + ".part.npz"
        np.savez(part, **arrays)
        os.replace(part, kept)
    return os.path.splitext(_under(folder, pattern))[0] + ".npz"


def _under(folder: str, path: str) -> str:
    """A path below a folder, without a drive and without what leads out of it."""
    inner = os.path.splitdrive(path)[1].replace("..", "__").lstrip("/\\")
    return os.path.join(folder, inner)


def dataset(
    patterns: Union[PathLike, Sequence[PathLike]],
    *,
    faces: Union[None, PathLike, Sequence[PathLike]] = None,
    include: Sequence[PathLike] = (),
    body_model: Optional[PathLike] = None,
    cache: Optional[PathLike] = None,
    cap: bool = False,
    with_self: bool = False,
    legacy: bool = False,
    distance: bool = True,
    fps: Optional[float] = None,
    gap: int = 2,
    seed: int = 0,
    against: Optional[PathLike] = None,
    save: Optional[PathLike] = None,
    resume: bool = False,
) -> ScoreReport:
    """Score the clips that patterns name, as ``elbowroom score`` does.

    Parameters
    ----------
    patterns : path or list of paths
        Files, or patterns such as ``"takes/*/P{1,2}.npz"``: what wildcards stand for names the clip,
        alternatives in braces are its bodies.
    faces : path, optional
        The faces of arrays that have none; two paths are those of the first and of other bodies.
    include : list of paths
        Objects and scenes that are compared with the bodies of every clip.
    body_model : path, optional
        The folder of the body models, if the files are parameters of them: each is posed by
        `pose_file` first. With ``fps``, fewer frames are posed.
    cache : path, optional
        The folder in which posed bodies are kept, and taken from by the next call; by default a
        folder that is removed at the end.
    cap, distance, gap
        As for `clip`.
    with_self : bool
        Also compare each body with itself, by its parts.
    legacy : bool
        Also compute what papers report instead.
    fps : float, optional
        Frames to examine in a second; every frame by default.
    seed : int
        The seed of the bootstrap intervals.
    against : path, optional
        A reference: a ``.parquet`` that was saved before.
    save : path, optional
        Also write the rows, to a ``.parquet`` or ``.csv``.
    resume : bool
        Go on with a run that was interrupted; needs ``save``.

    Returns
    -------
    ScoreReport

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> import elbowroom as er
    >>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(folder + "/a1.npz", vertices=corners[None], faces=faces)
    ...     np.savez(folder + "/a2.npz", vertices=corners[None] + [0.5, 0, 0], faces=faces)
    ...     report = er.metrics.dataset(folder + "/*{1,2}.npz")
    >>> report
    ScoreReport(1 pairs, 1 frames)
    >>> report.clips.row(0)["share_crossing"]
    1.0
    """

    def listed(value: Any) -> List[str]:
        if value is None:
            return []
        one = isinstance(value, (str, os.PathLike))
        return [os.fspath(path) for path in ([value] if one else value)]

    if body_model is not None:
        from tempfile import TemporaryDirectory

        if resume and cache is None:
            raise ValueError("resume needs the bodies that were posed: give a folder as cache")
        with TemporaryDirectory() as folder:
            kept = folder if cache is None else os.fspath(cache)
            problems: Dict[str, str] = {}
            posed = [_posed(path, body_model, kept, fps, problems) for path in listed(patterns)]
            report = dataset(
                posed,
                include=include,
                cap=cap,
                with_self=with_self,
                legacy=legacy,
                distance=distance,
                gap=gap,
                seed=seed,
                against=against,
                save=save,
                resume=resume,
            )
            for row in report.to_dict()["clips"]:
                told = [why for name, why in problems.items() if name in (row["error"] or "")]
                row["error"] = told[0] if told else row["error"]
            return report
    args = ["score", "--json", f"--gap={gap}", f"--seed={seed}"]
    args += [f"--faces={path}" for path in listed(faces)]
    args += [f"--with={path}" for path in listed(include)]
    switches = {
        "--cap": cap,
        "--self": with_self,
        "--legacy": legacy,
        "--no-distance": not distance,
        "--resume": resume,
    }
    args += [name for name, is_on in switches.items() if is_on]
    if fps is not None:
        args.append(f"--fps={fps}")
    if against is not None:
        args.append(f"--against={os.fspath(against)}")
    if save is not None:
        args.append(f"--output={os.fspath(save)}")
    return ScoreReport(run([*args, "--", *listed(patterns)]))
