"""The program: ``elbowroom check shot.glb`` and all its other commands."""

from __future__ import annotations

import sys
from typing import List, NoReturn, Optional


def main(args: Optional[List[str]] = None) -> NoReturn:
    """Run the program, and end with its exit code.

    Parameters
    ----------
    args : list of str, optional
        What stands behind the program's name; what was typed otherwise.
    """
    from . import _native

    typed = sys.argv[1:] if args is None else args
    sys.exit(_native.main(["elbowroom", *typed]))


if __name__ == "__main__":
    main()
