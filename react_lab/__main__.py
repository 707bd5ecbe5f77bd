"""The commands of the terminal: `python -m react_lab --help` lists them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from . import __version__
from .commands import (
    check_world,
    do_fetch,
    do_finetune,
    do_run,
    do_table1,
    serve_class,
    show_class,
    show_doctor,
    show_figure3,
    show_table,
    write_site,
)
from .methods import METHODS
from .support import terminal
from .support.text import visible
from .types import Halt

__all__ = ["main"]

FETCHED = ("alfworld", "hotpotqa", "fever", "prompts", "site")


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


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("react_lab", description="Take apart the ReAct paper.")
    parser.add_argument("--version", action="version", version=f"react_lab {__version__}")
    commands = parser.add_subparsers(required=True)

    def command(name: str, do: Callable[..., int], what: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
        added.set_defaults(do=do)
        return added

    fetch = command("fetch", do_fetch, "get the weights of a model, once (135m: 100 MB)")
    fetch.add_argument(
        "what", nargs="?", default="weights", choices=("weights", "135m", "0.5b", "1.5b", *FETCHED),
        help="weights (default): those of local(); a size: 135m (100 MB), 0.5b (491 MB), 1.5b "
        "(1.1 GB); or, of the paper, alfworld (37 MB): its games; hotpotqa (1 MB); "
        "fever (2 MB); prompts: the authors' exemplars; or site (12 MB): the parts of the live tab",
    )  # fmt: skip
    fetch.add_argument("--from", dest="source", help="a folder with the weights; needs no network")
    add_run(command("run", do_run, "run a method on tasks and show the runs; --path stores them"))
    table = command("table", show_table, "print a table of stored runs, one row per method")
    table.add_argument("path", help="a file of runs (JSON lines)")
    add_table1(
        command("table1", do_table1, "run the paper's Table 1: a price first, then the rest")
    )
    add_finetune(command("finetune", do_finetune, "train an adapter on correct trajectories"))
    add_serve(command("serve", serve_class, "share one model with a class, behind a class key"))
    command("figure3", show_figure3, "print what fine-tuning changed, with intervals")
    command("world", check_world, "check the bundled pages, questions and claims")
    grade = command("grade", show_class, "collect the reports and labels of a class in one table")
    grade.add_argument("folder", help="with the students' files; nothing in it is run")
    grade.add_argument("--csv", help="write the table to this file too, for a spreadsheet")
    site = command("site", write_site, "write the course as static files, for any web server")
    site.add_argument("folder", help="an empty or a new one, or one that holds a site already")
    site.add_argument("--no-live", action="store_true", help="without the model: needs no network")
    command("doctor", show_doctor, "say what works here, and how to mend the rest")
    return parser


def add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("method", help=" ".join(METHODS))
    parser.add_argument("question", nargs="?", help="a question of your own; else bundled tasks")
    parser.add_argument("--claim", action="store_true", help="it is a claim, not a question")
    parser.add_argument("--tasks", default="multihop", help="a bundled task set")
    parser.add_argument("--split", default="dev", help="of the task set (default dev)")
    parser.add_argument("--n", type=int, default=1, help="how many bundled tasks (default 1)")
    parser.add_argument("--samples", type=int, default=21, help="that CoT-SC draws (default 21)")
    parser.add_argument("--seed", type=int, default=0, help="of the draw and of CoT-SC (default 0)")
    parser.add_argument("--model", help="a model's name at a server; else the bundled model")
    parser.add_argument("--base-url", help="an OpenAI-compatible server; else OpenAI's own")
    parser.add_argument(
        "--adapter", default="auto", help="the bundled model's: auto (default), none, or a file"
    )
    parser.add_argument("--path", help="a file to add the runs to; what it has is not asked again")


def add_table1(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--model", help="a model's name at a server; else the bundled model, prompted")
    add("--base-url", help="an OpenAI-compatible server; else OpenAI's own")
    add("--n", type=int, default=500, help="tasks of each set (default 500, as in the paper)")
    add(
        "--tasks",
        default="paper",
        choices=("paper", "bundled"),
        help="HotpotQA and FEVER (default), or questions and claims of ours: needs no network",
    )
    add("--hotpotqa", help="a file of HotpotQA that you have; else it is fetched once")
    add("--fever", help="a file of FEVER that you have; else it is fetched once")
    add("--pages", help="live (default), or a file: wikipedia.zim")
    add("--contact", default="", help="your e-mail address, which live pages need")
    add("--prompts", default="ours", help="ours (default), authors, or a file")
    add("--samples", type=int, default=21, help="that CoT-SC draws (default 21)")
    add("--seed", type=int, help="of the draw of tasks; else the tasks that the authors drew")
    add(
        "--price",
        type=float,
        nargs=2,
        metavar=("READ", "WRITTEN"),
        help="of a million tokens; else what the server says, if it does",
    )
    add("--budget", type=float, help="the most that all of it may cost, in the same money")
    add("--workers", type=int, help="calls at a time; else it finds out how many")
    add("--out", help="the folder that keeps it all (default runs/table1-MODEL)")
    add("--yes", action="store_true", help="go on after the preview without a question")


def add_finetune(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--method", default="react", help="standard, cot, act or react (default)")
    parser.add_argument("--n", type=int, default=560, help="gold trajectories (default 560)")
    parser.add_argument("--runs", nargs="+", help="files of yours instead; correct runs count")
    parser.add_argument("--gguf", help="weights of yours; else the bundled model's")
    parser.add_argument("--out", help="the folder of the checkpoints and of the adapter")
    parser.add_argument("--epochs", type=float, default=1.0, help="over the lines (default 1)")
    parser.add_argument(
        "--dev", type=int, default=20, help="dev questions to try it on (default 20)"
    )
    parser.add_argument(
        "--export", choices=("openai", "dataset"), help="write the lines, do not train"
    )


def add_serve(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--share", action="store_true", help="in the network that this machine is in"
    )
    where.add_argument("--host", help="at this address of the machine; else for itself alone")
    parser.add_argument("--port", type=int, default=8765, help="(default 8765; 0 is any free one)")
    parser.add_argument("--threads", type=int, help="of the model; else one less than the cores")


if __name__ == "__main__":
    sys.exit(main())
