"""The terminal: `python -m react_lab --help` lists the commands, which are in `apps`."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":  # a file of a pupil's, `msgspec.py`, is no module of ours
    sys.path[:] = [place for place in sys.path if place not in ("", os.getcwd())]  # noqa: PTH109

from collections.abc import Sequence

from .apps import parser
from .support import terminal
from .support.text import visible
from .types import Halt


def main(argv: Sequence[str] | None = None) -> int:
    with terminal.safe() as shown:
        return obey(argv) or int(shown.broken)


def obey(argv: Sequence[str] | None) -> int:
    try:
        args = parser.parse_args(argv)
        return int(args.do(args) or 0)
    except SystemExit as end:  # of argparse
        return int(end.code or 0)
    except (Halt, ValueError, OSError) as error:
        print("react_lab:", visible(str(error)).replace("\n", "\n    "), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        kept = "what was finished is kept: runs with --path, a training in its folder"
        print(f"react_lab: stopped; {kept}", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
