"""What can go wrong, as typed exceptions that say where.

All of them are :class:`ElbowroomError`. Those about values are :class:`ValueError` as well, so that
code which catches that goes on working. An argument of a wrong type altogether (a string for a model)
is a plain :class:`TypeError`, and an array that does not fit into memory a :class:`MemoryError`.
"""

from __future__ import annotations

from typing import Optional, Sequence

__all__ = [
    "ArgumentError",
    "ArrayError",
    "DeviceError",
    "ElbowroomError",
    "InputError",
    "MeshError",
    "PoseError",
    "RayError",
    "UnknownNameError",
]


class ElbowroomError(Exception):
    """The base of all errors of this package."""


class ArgumentError(ElbowroomError, ValueError):
    """An argument out of its range, such as a negative clearance."""


class ArrayError(ElbowroomError, ValueError):
    """An array of a wrong shape or type."""


class DeviceError(ElbowroomError, TypeError):
    """A tensor that is not in the memory of the CPU."""


class MeshError(ElbowroomError, ValueError):
    """A mesh that is not sound.

    Attributes
    ----------
    vertex : int or None
        The vertex that is wrong, counted from 0.
    face : int or None
        The face that is wrong, counted from 0.
    """

    def __init__(
        self, text: str, *, vertex: Optional[int] = None, face: Optional[int] = None
    ) -> None:
        super().__init__(text)
        self.vertex = vertex
        self.face = face


class PoseError(ElbowroomError, ValueError):
    """A matrix that is no rigid pose.

    Attributes
    ----------
    pose : int or None
        Its number in a batch, counted from 0; ``None`` for a single one.
    """

    def __init__(self, text: str, *, pose: Optional[int] = None) -> None:
        super().__init__(text)
        self.pose = pose


class RayError(ElbowroomError, ValueError):
    """A ray without a direction, or that is not finite.

    Attributes
    ----------
    ray : int or None
        Its number, counted from 0.
    """

    def __init__(self, text: str, *, ray: Optional[int] = None) -> None:
        super().__init__(text)
        self.ray = ray


class UnknownNameError(ElbowroomError, KeyError):
    """A name that nothing has."""

    def __str__(self) -> str:
        # A KeyError shows its argument in quotes, as if it were the key.
        return str(self.args[0]) if self.args else ""


class InputError(ElbowroomError):
    """Files or options with which nothing can be examined.

    Attributes
    ----------
    problems : tuple of str
        What is wrong, each with the file and the place.
    hint : str
        What to do about it.
    """

    def __init__(self, problems: Sequence[str], hint: str = "") -> None:
        self.problems = tuple(problems)
        self.hint = hint
        text = "; ".join(self.problems)
        super().__init__(f"{text} ({hint})" if hint else text)
