"""Two motions on the ground: when they collide, and at which start offsets."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

from ._run import Ran, run
from ._table import Table

if TYPE_CHECKING:
    import numpy as np

__all__ = ["ClipsReport", "clips"]

PathLike = Union[str, "os.PathLike[str]"]


class ClipsReport:
    """Whether two motions collide, when, how near they come, and at which start offsets."""

    def __init__(self, ran: Ran) -> None:
        self._document: Dict[str, Any] = json.loads(ran.out)
        self._messages = ran.messages

    def to_dict(self) -> Dict[str, Any]:
        """The result as the program's JSON has it (docs/clips-json.md)."""
        return self._document

    @property
    def collide(self) -> bool:
        """Whether they collide as they are placed and started."""
        return bool(self._document["collide"])

    @property
    def complete(self) -> bool:
        """Whether there was something to examine, and all of it was read."""
        return bool(self._document["complete"])

    @property
    def contacts(self) -> Table:
        """When they collide: ``from`` and ``to`` in seconds, in order."""
        rows: List[Dict[str, Any]] = self._document["contacts"]
        return Table({name: [float(row[name]) for row in rows] for name in ("from", "to")})

    @property
    def gap(self) -> Optional[float]:
        """The least distance of their disks, below zero where they overlap."""
        nearest = self._document["nearest"]
        return None if nearest is None else float(nearest["gap"])

    @property
    def offsets(self) -> "np.ndarray":
        """(K, 2): the start offsets of the second at which they collide, as open intervals."""
        import numpy as np

        intervals = self._offsets()["intervals"]
        return np.asarray(intervals, dtype=np.float64).reshape(-1, 2)

    @property
    def smallest_wait(self) -> float:
        """How many seconds the second has to wait until it is free."""
        return float(self._offsets()["smallest_wait"])

    def _offsets(self) -> Dict[str, Any]:
        if "offsets" not in self._document:
            raise ValueError("start offsets were not asked for; leave out offsets=False")
        found: Dict[str, Any] = self._document["offsets"]
        return found

    @property
    def skins_touch(self) -> Optional[bool]:
        """With ``exact``, whether the bodies themselves touch."""
        skins = self._document.get("skins")
        return None if skins is None else bool(skins["touch"])

    @property
    def notes(self) -> List[str]:
        """What was assumed, and other remarks."""
        return [text for kind, text in self._messages if kind in ("note", "hint", "warning")]

    def __repr__(self) -> str:
        what = "collide" if self.collide else "do not collide"
        if "offsets" not in self._document:
            return f"ClipsReport({what})"
        return f"ClipsReport({what}; {len(self.offsets)} intervals of offsets that do)"


def clips(
    a: Any,
    b: Any,
    *,
    clip_a: Union[None, str, int] = None,
    clip_b: Union[None, str, int] = None,
    fps: Union[None, float, str] = None,
    radius: Union[None, float, str] = None,
    place_a: Optional[Tuple[float, ...]] = None,
    place_b: Optional[Tuple[float, ...]] = None,
    start_a: float = 0.0,
    start_b: float = 0.0,
    exact: bool = False,
    body: Optional[PathLike] = None,
    between: str = "held",
    offsets: bool = True,
    method: str = "circles",
    n_min: Optional[int] = None,
    counts: bool = False,
    units: Optional[str] = None,
    up: Optional[str] = None,
    save: Optional[PathLike] = None,
) -> ClipsReport:
    """Find whether two motions collide, when, and at which start offsets of the second.

    Parameters
    ----------
    a, b : path or Sequence
        Motions: captures, characters with a clip, or vertices over time. May be the same.
    clip_a, clip_b : str or int, optional
        The clip of each.
    fps : float or "own", optional
        Samples per second; 30 by default.
    radius : float or str, optional
        Radius of all disks; by default they reach to the farthest joint or vertex of each sample.
    place_a, place_b : tuple, optional
        Place of each on the ground: ``(x, y)`` in metres, or ``(x, y, degrees)``.
    start_a, start_b : float
        Start of each, in seconds.
    exact : bool
        Compare the bodies themselves where disks collide.
    body : path, optional
        The body of a motion that has none, with ``exact``.
    between : {"held", "linear"}
        Motion between two samples.
    offsets : bool
        Also find the start offsets at which they collide.
    method : {"circles", "mobb", "umobb", "hybrid1", "hybrid2", "one-level"}
        The structure that answers the question; the answers are the same.
    n_min : int, optional
        The most samples in a leaf of the tree; 10 by default.
    counts : bool
        Also report how many boxes and samples were tested: ``ClipsReport.to_dict()["counts"]``.
    units, up : str, optional
        Unit and up axis of files and arrays that do not state theirs.
    save : path, optional
        Also write a picture (``.svg`` or ``.html``).

    Returns
    -------
    ClipsReport

    Examples
    --------
    >>> import elbowroom as er
    >>> met = er.clips("make:man", "make:man", clip_a="walk", clip_b="walk", place_b=(0.0, 2.0))
    >>> met.collide, round(met.gap, 2) > 0
    (False, True)
    """
    from ._check import Sequence, _Inputs

    given = _Inputs()
    for name, item in (("a", a), ("b", b)):
        given.add(item, name if isinstance(item, Sequence) and item.name == "sequence" else None)
    args = ["clips", "--json", "--exit-zero"]
    if offsets:
        args.append("--offsets")
    if counts:
        args.append("--counts")

    def option(name: str, value: Any) -> None:
        if value is not None:
            args.append(f"--{name}={value}")

    def place(value: Optional[Tuple[float, ...]]) -> Optional[str]:
        return None if value is None else ",".join(repr(float(number)) for number in value)

    option("clip", given.clip)
    option("clip-a", clip_a)
    option("clip-b", clip_b)
    option("fps", fps)
    option("radius", radius)
    option("place-a", place(place_a))
    option("place-b", place(place_b))
    option("start-a", start_a or None)
    option("start-b", start_b or None)
    option("body", None if body is None else os.fspath(body))
    option("between", None if between == "held" else between)
    option("method", None if method == "circles" else method)
    option("n-min", n_min)
    option("units", units)
    option("up", up)
    if exact:
        args.append("--exact")
    if save is not None:
        args += ["--force", "-o", os.fspath(save)]
    return ClipsReport(run([*args, "--", *given.paths], given.memory))
