"""The terminal: `python -m react_lab --help` lists the commands, which are in `apps`."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":  # a file of a pupil's, `msgspec.py`, is no module of ours
    sys.path[:] = [place for place in sys.path if place not in ("", os.getcwd())]  # noqa: PTH109

from argparse import ArgumentParser
from collections.abc import Sequence

from . import __version__
from .apps import COMMANDS
from .support import terminal
from .support.text import visible
from .types import Halt


def main(argv: Sequence[str] | None = None) -> int:
    with terminal.safe() as shown:
        return obey(argv) or int(shown.broken)


def obey(argv: Sequence[str] | None) -> int:
    try:
        args = parser().parse_args(argv)
        return int(args.do(args))
    except SystemExit as end:  # of argparse
        return int(end.code or 0)
    except (Halt, ValueError, OSError) as error:
        print("react_lab:", visible(str(error)).replace("\n", "\n    "), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        kept = "what was finished is kept: runs with --path, a training in its folder"
        print(f"react_lab: stopped; {kept}", file=sys.stderr)
        return 130


def parser() -> ArgumentParser:
    parser = ArgumentParser("react_lab", description="Take apart the ReAct paper.")
    parser.add_argument("--version", action="version", version=f"react_lab {__version__}")
    commands = parser.add_subparsers(required=True)
    for name, (what, options, do) in COMMANDS.items():
        added = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
        added.set_defaults(do=do)
        for option in options:
            option(added)
    return parser


if __name__ == "__main__":
    sys.exit(main())
