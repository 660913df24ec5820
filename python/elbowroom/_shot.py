"""Files of any kind, posed frame by frame."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, Union

from . import _native
from ._run import run

if TYPE_CHECKING:
    import numpy as np

    from ._check import Sequence

__all__ = ["Posed", "Shot", "load", "make", "pose"]

PathLike = Union[str, "os.PathLike[str]"]


class Posed(NamedTuple):
    """An object in one frame, in metres with Y up."""

    #: (N, 3).
    vertices: "np.ndarray"
    #: (M, 3).
    faces: "np.ndarray"
    #: (M,): the number of each face's part, into ``Shot.parts(name)``.
    parts: "np.ndarray"


class Shot:
    """The contents of a file: objects over frames, in metres with Y up.

    Examples
    --------
    >>> import elbowroom as er
    >>> man = er.load("make:man", clip="walk")
    >>> man.names, len(man)
    (['make:man'], 33)
    >>> posed = man.pose(frame=3)
    >>> posed.vertices.shape[1], len(posed.faces) == len(posed.parts)
    (3, True)
    """

    def __init__(self, native: Any, argument: str, clip: Optional[str]) -> None:
        self._native = native
        self._argument = argument
        self._clip = clip

    @property
    def names(self) -> List[str]:
        """The names of its objects."""
        names: List[str] = self._native.names
        return names

    @property
    def notes(self) -> List[str]:
        """What was assumed about the file, and what was left out."""
        notes: List[str] = self._native.notes
        return notes

    @property
    def fps(self) -> float:
        """Frames per second."""
        fps: float = self._native.timing[0]
        return fps

    @property
    def frames(self) -> range:
        """The numbers of its frames."""
        _, first, last = self._native.timing
        return range(first, last + 1)

    def __len__(self) -> int:
        """The number of frames."""
        return len(self.frames)

    def parts(self, name: str) -> List[str]:
        """The names of an object's parts, such as the joints of a character."""
        parts: List[str] = self._native.parts(name)
        return parts

    def _name(self, name: Optional[str]) -> str:
        if name is not None:
            return name
        if len(self.names) == 1:
            return self.names[0]
        raise ValueError(f"the shot has {len(self.names)} objects; name one: {self.names}")

    def pose(self, name: Optional[str] = None, frame: Optional[int] = None) -> Posed:
        """An object in a frame.

        Parameters
        ----------
        name : str, optional
            Which object; not needed if there is one.
        frame : int, optional
            The number of the frame; the first otherwise.

        Returns
        -------
        Posed
        """
        name = self._name(name)
        frame = self.frames[0] if frame is None else frame
        vertices = self._native.vertices(name, frame)
        if vertices is None:
            raise ValueError(f"{name!r} is not there in frame {frame}")
        faces, parts = self._native.faces(name, frame)
        return Posed(vertices, faces, parts)

    def sequence(self, name: Optional[str] = None, frames: Optional[range] = None) -> "Sequence":
        """An object over frames, as one array.

        Parameters
        ----------
        name : str, optional
            Which object; not needed if there is one.
        frames : range, optional
            Which frames; all otherwise.

        Raises
        ------
        ValueError
            If the object is not there in each of the frames, or does not keep its vertices.
        """
        import numpy as np

        from ._check import Sequence

        name = self._name(name)
        wanted = self.frames if frames is None else frames
        first = self.pose(name, wanted[0])
        vertices = np.empty((len(wanted), *first.vertices.shape))
        for place, frame in enumerate(wanted):
            points = self._native.vertices(name, frame)
            if points is None or points.shape != first.vertices.shape:
                count = "none" if points is None else len(points)
                raise ValueError(
                    f"{name!r} has {len(first.vertices)} vertices in frame {wanted[0]} and {count} "
                    f"in frame {frame}; give frames between which it does not change"
                )
            vertices[place] = points
        known = self.parts(name)
        labels = [known[part] for part in first.parts.tolist()]
        return Sequence(
            vertices,
            first.faces,
            fps=self.fps / wanted.step,
            name=name,
            parts=labels,
            units="m",
            up="y",
        )

    def __repr__(self) -> str:
        names = ", ".join(self.names[:3]) + (", …" if len(self.names) > 3 else "")
        return f"Shot({self._argument!r}: {names}; {len(self)} frames at {self.fps:g} fps)"


def load(
    path: PathLike,
    *,
    units: Optional[str] = None,
    up: Optional[str] = None,
    clip: Union[None, str, int] = None,
    fps: Optional[float] = None,
    split: Optional[str] = None,
) -> Shot:
    """Read a file of any format that the program reads.

    Parameters
    ----------
    path : str or path-like
        A mesh, a shot, a robot, a scene file, vertices over time (``cloth.####.obj``, ``.npz``); or
        ``make:man``, ``make:woman``, ``make:cube``, ``make:ball``.
    units, up : str, optional
        Unit and up axis of a file that does not state its own.
    clip : str or int, optional
        The clip to play, by name or number.
    fps : float, optional
        Frames per second; by default as in the file, or 30.
    split : {"shells", "groups", "none"}, optional
        How each mesh file is split into objects.

    Returns
    -------
    Shot

    Raises
    ------
    InputError
        Names the file, the place, and what to do.

    Examples
    --------
    >>> import elbowroom as er
    >>> walker = er.load("make:woman", clip="walk")
    >>> walker.frames, len(walker.pose(frame=3).faces)
    (range(0, 32), 2848)
    """
    path = os.fspath(path)
    chosen = None if clip is None else str(clip)
    native = _native.load(path, units, up, chosen, fps, split)
    behind = ",".join(part for part in (units, up) if part)
    return Shot(native, f"{path}@{behind}" if behind else path, chosen)


def make(what: str, path: Optional[PathLike] = None, **options: Any) -> Shot:
    """Make one of our own models: a person, a crowd, a ball.

    Parameters
    ----------
    what : str
        As ``elbowroom make list`` names them: ``"man"``, ``"crowd"``, ``"pipes"``, ``"ball"``.
    path : str or path-like, optional
        The file to write; none is kept otherwise.
    **options
        The options of that model: ``make("crowd", people=20, seed=3)``.

    Returns
    -------
    Shot

    Examples
    --------
    >>> import elbowroom as er
    >>> ball = er.make("ball", size=0.5, detail=4).pose()
    >>> len(ball.faces)
    320
    """
    args = ["make", what]
    for name, value in options.items():
        text = ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
        args += [f"--{name.replace('_', '-')}"] + ([] if value is True else [text])
    if path is not None:
        run([*args, "--force", "-o", os.fspath(path)])
        return load(path)
    folder = tempfile.mkdtemp(prefix="elbowroom-")
    target = os.path.join(folder, f"{what}.glb")
    try:
        run([*args, "-o", target])
        shot = load(target)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    # A check reads the file again, so that it stays as long as the shot.
    weakref.finalize(shot, shutil.rmtree, folder, ignore_errors=True)
    return shot


def pose(
    path: PathLike,
    *,
    frame: Optional[int] = None,
    time: Optional[float] = None,
    motion: Optional[PathLike] = None,
    values: Optional[Dict[str, float]] = None,
    clip: Union[None, str, int] = None,
) -> Tuple["np.ndarray", "np.ndarray"]:
    """A character or robot in one pose: of a clip, of motion capture, or by joint values.

    Parameters
    ----------
    path : str or path-like
        A character or a robot.
    frame, time : int or float, optional
        The moment, by its frame or in seconds.
    motion : str or path-like, optional
        A file whose motion is played, such as a BVH capture.
    values : dict of float by joint, optional
        The joint values of a robot.
    clip : str or int, optional
        The clip.

    Returns
    -------
    vertices, faces : ndarray
        (N, 3) and (M, 3), in metres with Y up.

    Examples
    --------
    >>> import elbowroom as er
    >>> vertices, faces = er.pose("make:man", clip="walk", time=0.5)
    >>> model = er.Model(vertices, faces)
    >>> bool(vertices[:, 1].max() > 1.5)
    True
    """
    args = ["pose", os.fspath(path), "--metres", "--to-up=y"]
    if frame is not None:
        args.append(f"--frame={frame}")
    if time is not None:
        args.append(f"--time={time}")
    if motion is not None:
        args += ["--motion", os.fspath(motion)]
    if clip is not None:
        args.append(f"--clip={clip}")
    for joint, value in (values or {}).items():
        args.append(f"--set={joint}={float(value)!r}")
    with tempfile.TemporaryDirectory(prefix="elbowroom-") as folder:
        target = os.path.join(folder, "posed.obj")
        run([*args, "-o", target])
        posed = load(target).pose()
    return posed.vertices, posed.faces
