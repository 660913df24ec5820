"""Checks of files and arrays, and what they find."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Tuple, Union

from ._native import check as _check
from ._table import Table
from .errors import ArrayError, InputError

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Report", "Sequence", "check"]

PathLike = Union[str, "os.PathLike[str]"]


class Sequence:
    """A mesh whose vertices move: a body over frames, a simulated cloth.

    The array is not copied; each frame is read when it is examined.

    Parameters
    ----------
    vertices : array-like
        ``(T, N, 3)``, or ``(N, 3)`` for a mesh at rest. Any real type; 32-bit numbers are exact.
    faces : array-like
        ``(M, 3)`` vertex numbers. Anything with ``faces`` may be given as well, such as a body model.
    fps : float, optional
        Frames per second. By default those of the other inputs of a check, or 30.
    name : str
        What it is called in reports.
    parts : sequence of M labels, or dict of faces by name, optional
        The part that each face belongs to, so that reports say which parts meet.
    first_frame : int
        The number of the first frame on the timeline.
    units : str, optional
        The unit of the vertices, such as ``"mm"``; otherwise that of ``check(units=...)``, or metres.
    up : str, optional
        The axis that points up: ``"y"`` or ``"z"``.

    Examples
    --------
    >>> import numpy as np
    >>> import elbowroom as er
    >>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
    >>> shift = np.linspace(2, 0, 5)[:, None, None] * [1.0, 0.0, 0.0]
    >>> mover = er.Sequence(corners + shift, faces, fps=30, name="mover")
    >>> report = er.check([mover, er.Sequence(corners, faces, name="rock")], units="m")
    >>> report.incidents.row(0)["first"], report.contacts["frame"]
    (2, array([2, 3, 4]))
    """

    def __init__(
        self,
        vertices: Any,
        faces: Any,
        fps: Optional[float] = None,
        name: str = "sequence",
        parts: Any = None,
        *,
        first_frame: int = 0,
        units: Optional[str] = None,
        up: Optional[str] = None,
    ) -> None:
        from . import _arrays

        array = _arrays.frames(vertices, f"vertices of {name}")
        self.vertices: "np.ndarray" = array
        self.faces = faces if not hasattr(faces, "faces") else faces.faces
        if fps is not None and not (fps > 0 and fps < float("inf")):
            raise ArrayError(f"fps of {name} is {fps}; give frames per second, above 0")
        self.fps = None if fps is None else float(fps)
        self.name = str(name)
        self.parts = parts
        self.first_frame = int(first_frame)
        self.units = units
        self.up = up

    def __len__(self) -> int:
        """The number of frames."""
        return len(self.vertices)

    def __repr__(self) -> str:
        frames, vertices = self.vertices.shape[:2]
        rate = "" if self.fps is None else f" at {self.fps:g} fps"
        return f"Sequence({self.name!r}, {frames} frames{rate}, {vertices} vertices)"

    def _entry(self) -> Dict[str, Any]:
        from . import _arrays

        runs = None
        if self.parts is not None:
            runs = _arrays.part_runs(self.parts, _arrays.faces(self.faces, "faces"), self.name)
        return {
            "vertices": self.vertices,
            "faces": self.faces,
            "fps": self.fps,
            "first_frame": self.first_frame,
            "parts": runs,
        }


class Report:
    """The result of a check.

    In a notebook it shows itself: the page with the timeline and the shot in 3-D.
    """

    def __init__(self, native: Any) -> None:
        self._native = native
        self._tables: Dict[str, Table] = {}
        self._document: Optional[Dict[str, Any]] = None

    def _table(self, name: str) -> Table:
        if name not in self._tables:
            self._tables[name] = Table(getattr(self._native, name)())
        return self._tables[name]

    @property
    def contacts(self) -> Table:
        """A row for each contact: a pair of objects in one frame."""
        return self._table("contacts")

    @property
    def incidents(self) -> Table:
        """Contacts of a pair, merged over frames, worst first."""
        return self._table("incidents")

    @property
    def between(self) -> Table:
        """Contacts that begin between frames; empty without ``continuous=True``."""
        return self._table("between")

    @property
    def triangles(self) -> List["np.ndarray"]:
        """For each contact its pairs of triangles, (K, 2); empty without ``triangles=True``."""
        found: List["np.ndarray"] = self._native.triangles()
        return found

    @property
    def exit_code(self) -> int:
        """The exit code of the program: 0 no contact, 1 contacts, 3 incomplete."""
        code: int = self._native.exit_code
        return code

    @property
    def is_clean(self) -> bool:
        """Whether everything was examined and nothing meets."""
        return self.exit_code == 0

    @property
    def is_complete(self) -> bool:
        """Whether everything was examined."""
        return self.exit_code != 3

    @property
    def notes(self) -> List[str]:
        """What was assumed, and other remarks."""
        return [text for kind, text in self._native.messages if kind in ("note", "hint")]

    @property
    def warnings(self) -> List[str]:
        """Doubts about what the result means."""
        return [text for kind, text in self._native.messages if kind in ("warning", "error")]

    def to_dict(self) -> Dict[str, Any]:
        """The result as the JSON of the program (docs/check-json.md)."""
        if self._document is None:
            self._document = json.loads(self._native.json())
        return self._document

    @property
    def summary(self) -> Dict[str, Any]:
        """The counts of the result: frames, pairs, contacts."""
        lists = ("contacts", "incidents", "between", "objects", "files")
        return {key: value for key, value in self.to_dict().items() if key not in lists}

    @property
    def objects(self) -> List[Dict[str, Any]]:
        """The objects that were examined."""
        found: List[Dict[str, Any]] = self.to_dict()["objects"]
        return found

    def save(self, path: PathLike) -> None:
        """Write the result to a file, by the ending of its name.

        Parameters
        ----------
        path : str or path-like
            ``.html`` for the page, ``.json``, ``.ndjson``, ``.csv`` or ``.parquet``; incidents go
            beside the last two, as ``x.incidents.csv``.
        """
        self._native.save(os.fspath(path))

    def html(self) -> str:
        """The page, which opens without a network."""
        page: bytes = self._native.page()
        return page.decode()

    def __str__(self) -> str:
        text: bytes = self._native.text(20)
        return text.decode().rstrip()

    def __repr__(self) -> str:
        count, incidents = len(self.contacts), len(self.incidents)
        return f"Report({incidents} incidents, {count} contacts, exit code {self.exit_code})"

    def _repr_html_(self) -> str:
        from html import escape

        # A page of its own, so that its styles and the notebook's stay apart.
        return (
            f'<iframe srcdoc="{escape(self.html())}" '
            'style="width:100%;height:640px;border:0" title="elbowroom report"></iframe>'
        )


def _frames(value: Any) -> str:
    """Frames as the program takes them: ``"10-50x5"``."""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, range):
        if not len(value) or value.step < 1:
            raise ValueError(f"frames is {value}; give a range that goes up")
        return f"{value[0]}-{value[-1]}x{value.step}"
    if isinstance(value, slice):
        start, stop, step = value.start or 0, value.stop, value.step or 1
        if stop is None:
            raise ValueError("frames needs an end; give slice(first, end), or leave it out")
        return _frames(range(start, stop, step))
    if isinstance(value, tuple) and len(value) in (2, 3):
        step = f"x{int(value[2])}" if len(value) == 3 else ""
        return f"{int(value[0])}-{int(value[1])}{step}"
    raise ValueError(f"frames is {value!r}; give 40, (10, 50), range(10, 51, 5) or '10-50x5'")


class _Inputs:
    """What is checked: paths as the program takes them, and data by name."""

    def __init__(self) -> None:
        self.paths: List[str] = []
        self.memory: Dict[str, Any] = {}
        self.terms: List[str] = []
        self.kept: List[Any] = []
        self.clip: Optional[str] = None

    def add(self, item: Any, name: Optional[str] = None) -> None:
        from ._shot import Shot

        if isinstance(item, (str, os.PathLike)):
            path = os.fspath(item)
            self.paths.append(path)
            self.terms.append(repr(path))
        elif isinstance(item, Shot):
            if item._clip is not None:
                if self.clip not in (None, item._clip):
                    raise InputError(
                        [f"two shots were loaded with the clips {self.clip!r} and {item._clip!r}"],
                        "play them in a scene file, or save one of them as a sequence",
                    )
                self.clip = item._clip
            self.kept.append(item)
            self.paths.append(item._argument)
            self.terms.append(repr(item._argument))
        else:
            self._sequence(_sequence_of(item, name), name)

    def _sequence(self, sequence: Sequence, name: Optional[str]) -> None:
        called = sequence.name if name is None else name
        unique, number = called, 2
        while unique in self.memory:
            unique, number = f"{called} #{number}", number + 1
        self.memory[unique] = sequence._entry()
        behind = ",".join(part for part in (sequence.units, sequence.up) if part)
        self.paths.append(f"memory:{unique}" + (f"@{behind}" if behind else ""))
        self.terms.append(unique)


def _sequence_of(item: Any, name: Optional[str]) -> Sequence:
    if isinstance(item, Sequence):
        return item
    from . import _arrays

    try:
        vertices, faces = _arrays.mesh_like(item)
    except ArrayError:
        kind = type(item).__name__
        raise InputError(
            [f"a {kind} cannot be checked"],
            "give paths, Sequence, Model, or anything with vertices and faces",
        ) from None
    metadata = getattr(item, "metadata", None)
    called = metadata.get("name") if isinstance(metadata, dict) else None
    return Sequence(vertices, faces, name=name or called or "mesh")


def _items(inputs: Any) -> Iterable[Tuple[Optional[str], Any]]:
    from ._shot import Shot

    if isinstance(inputs, dict):
        return [(str(name), item) for name, item in inputs.items()]
    is_pair = isinstance(inputs, tuple) and len(inputs) == 2 and hasattr(inputs[0], "shape")
    single = isinstance(inputs, (str, os.PathLike, Sequence, Shot)) or hasattr(inputs, "vertices")
    if single or is_pair:
        return [(None, inputs)]
    return [(None, item) for item in inputs]


def check(
    inputs: Any,
    *,
    solid: bool = False,
    depth: bool = False,
    self: bool = False,  # noqa: PLW0642 - the program's word
    rest: Optional[str] = None,
    clearance: Union[None, float, str] = None,
    touching: str = "count",
    where: bool = False,
    continuous: bool = False,
    refit: Optional[str] = None,
    counts: bool = False,
    triangles: bool = False,
    frames: Any = None,
    fps: Optional[float] = None,
    clip: Union[None, str, int] = None,
    first_frame: Optional[int] = None,
    split: Optional[str] = None,
    gap: Optional[int] = None,
    allow_left_out: bool = False,
    units: Optional[str] = None,
    up: Optional[str] = None,
    report_unit: Optional[str] = None,
    threads: Optional[int] = None,
    progress: Optional[Callable[[int, int], Any]] = None,
) -> Report:
    """Find which objects touch or pass through each other, and when.

    The options are those of ``elbowroom check``, with the same meaning and the same answers.

    Parameters
    ----------
    inputs : list or dict
        What is checked against each other: paths of any format that the program reads (one of a scene
        file alone), :class:`Sequence`, what :func:`load` gave, :class:`Model`, or anything with
        ``vertices`` and ``faces``. A dict gives names.
    solid : bool
        Compare what meshes enclose, not their surfaces.
    depth : bool
        Measure how deep and how much objects are in each other; implies ``solid``.
    self : bool
        Also find self-collisions: compare the parts of each object with each other.
    rest : {"count", "ignore"}, optional
        With ``self``: whether triangles that meet in the rest pose count.
    clearance : float or str, optional
        Also report objects no farther apart than this: ``0.02``, or ``"2cm"``.
    touching : {"count", "ignore"}
        Whether touching counts as contact.
    where : bool
        Report where objects meet: a point, a normal, the length of the contact.
    continuous : bool
        Also find contacts between frames (continuous collision detection).
    refit : {"auto", "cab", "cab-sum", "obb", "aabb", "aabb-vertices"}, optional
        Hierarchy of boxes over the links of robots and the meshes of characters; the contacts are
        the same.
    counts : bool
        Also report the cost of finding contacts: ``report.to_dict()["work"]``.
    triangles : bool
        Keep the pairs of triangles of each contact.
    frames : str, int, tuple or range, optional
        Frames to examine: ``40``, ``(10, 50)``, ``range(10, 51, 5)`` or ``"10-50x5"``.
    fps : float, optional
        Frames per second; by default the highest rate of the inputs, or 30.
    clip : str or int, optional
        The clip that files play.
    first_frame : int, optional
        Number of the first frame.
    split : {"shells", "groups", "none"}, optional
        How each mesh file is split into objects.
    gap : int, optional
        Longest gap, in frames without contact, within one incident.
    allow_left_out : bool
        Take a result as complete although something that could touch was not read.
    units, up : str, optional
        Unit and up axis of files and arrays that do not state theirs.
    report_unit : str, optional
        The unit of the results.
    threads : int, optional
        Number of threads; by default all cores.
    progress : callable, optional
        Called with the number of frames done, and of all frames. An exception ends the check.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        If nothing can be examined; names each bad file and its error.

    Examples
    --------
    >>> import elbowroom as er
    >>> man = er.load("make:man", clip="walk")
    >>> woman = er.load("make:woman", clip="walk")
    >>> report = er.check([man, woman], depth=True, frames=(0, 8))
    >>> len(report.contacts), report.is_clean
    (9, False)
    >>> report.incidents.row(0)["kind"]
    'crossing'
    """
    given = _Inputs()
    for name, item in _items(inputs):
        given.add(item, name)
    if not given.paths:
        raise InputError(["there is nothing to check"], "give two objects or files")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress is {progress!r}; give a function of two numbers")
    args: List[str] = []
    request = ["[" + ", ".join(given.terms) + "]"]

    def option(name: str, value: Any, text: Optional[str] = None) -> None:
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            return
        request.append(f"{name}={value!r}")
        args.extend([flag] if value is True else [f"{flag}={value if text is None else text}"])

    option("solid", bool(solid))
    option("depth", bool(depth))
    option("self", bool(self))
    option("rest", rest)
    option("clearance", clearance)
    option("touching", None if touching == "count" else touching)
    option("where", bool(where))
    option("continuous", bool(continuous))
    option("refit", refit)
    option("counts", bool(counts))
    option("triangles", bool(triangles))
    option("frames", frames, None if frames is None else _frames(frames))
    option("fps", fps)
    option("clip", given.clip if clip is None else clip)
    option("first_frame", first_frame)
    option("split", split)
    option("gap", gap)
    option("allow_left_out", bool(allow_left_out))
    option("units", units)
    option("up", up)
    option("report_unit", report_unit)
    option("threads", threads)
    typed = ["check", *args, "--", *given.paths]
    return Report(_check(typed, given.memory, f"elbowroom.check({', '.join(request)})", progress))
