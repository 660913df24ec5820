"""Commands of the program, run in this process."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import _native
from .errors import InputError

__all__ = ["Ran", "run"]


class Ran(NamedTuple):
    """What came of a command."""

    #: 0 clean, 1 contacts, 3 incomplete.
    exit_code: int
    #: What it printed.
    out: bytes
    #: Lines that it would have printed on stderr, each with its kind.
    messages: List[Tuple[str, str]]


def run(args: List[str], memory: Optional[Dict[str, Any]] = None) -> Ran:
    """Run a command.

    Raises
    ------
    InputError
        If the program would have refused its input.
    """
    code, out, messages = _native.command(args, memory)
    if code == 2 or (code == 3 and not out):
        problems = [text for kind, text in messages if kind == "error"]
        hints = [text for kind, text in messages if kind == "hint"]
        raise InputError(problems or ["the command failed"], "; ".join(hints))
    return Ran(code, out, messages)
