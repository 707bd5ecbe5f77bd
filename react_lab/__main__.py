"""The commands of the terminal: `python -m react_lab --help` lists them."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":  # a file of a pupil's, `msgspec.py`, is no module of ours
    sys.path[:] = [place for place in sys.path if place not in ("", os.getcwd())]  # noqa: PTH109

import argparse
import contextlib
import importlib
import signal
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from types import ModuleType

from . import __version__, data
from .methods import METHODS
from .support import terminal
from .support.text import inline, visible
from .types import FAULTS, Halt, Model, ModelError, Trajectory

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

    fetch = command("fetch", do_fetch, "get the weights of a model, once (491 MB)")
    fetch.add_argument(
        "what", nargs="?", default="weights", choices=("weights", "135m", "0.5b", "1.5b", *FETCHED),
        help="weights (default): those of local(); a size: 135m (100 MB), 0.5b (491 MB), 1.5b "
        "(1.1 GB); or, of the paper, alfworld (37 MB): its games; hotpotqa (1 MB); "
        "fever (2 MB); prompts: the authors' exemplars; or site (12 MB): the parts of the live tab",
    )  # fmt: skip
    fetch.add_argument("--from", dest="source", help="a folder that has it; needs no network")
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
    grade.add_argument("--roster", help="a .csv with a column `name`: who is missing is named")
    grade.add_argument("--csv", help="write the table to this file too, for a spreadsheet")
    site = command("site", write_site, "write the course as static files, for any web server")
    site.add_argument("folder", help="an empty or a new one, or one that holds a site already")
    site.add_argument("--no-live", action="store_true", help="without the model: needs no network")
    lab = command("lab", start_lab, "copy the notebooks into my_notebooks/ and open the first")
    lab.add_argument("--no-browser", action="store_true", help="print the address instead")
    command("doctor", show_doctor, "say what works here, and how to mend the rest")
    return parser


def add_run(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("method", help=" ".join(METHODS))
    add("question", nargs="?", help="a question of your own; else bundled tasks")
    add("--claim", action="store_true", help="it is a claim, not a question")
    add("--tasks", default="multihop", help="a bundled task set")
    add("--split", default="dev", help="of the task set (default dev)")
    add("--n", type=int, default=1, help="how many bundled tasks (default 1)")
    add("--samples", type=int, default=21, help="that CoT-SC draws (default 21)")
    add("--seed", type=int, default=0, help="of the draw and of CoT-SC (default 0)")
    add("--model", help="a model's name at a server; else the bundled model")
    add("--base-url", help="an OpenAI-compatible server; else OpenAI's own")
    add("--adapter", default="auto", help="the bundled model's: auto (default), none, or a file")
    add("--path", help="a file to add the runs to; what it has is not asked again")


def add_table1(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--model", help="a model's name at a server; else the bundled model, prompted")
    add("--base-url", help="an OpenAI-compatible server; else OpenAI's own")
    apis = ("auto", "chat", "completions", "responses")
    add("--api", choices=apis, help="of the server (default auto: it finds out)")
    add("--max-tokens", type=int, help="of a reply; 4096 or more for one that thinks in private")
    add("--temperature", type=float, help="of every reply (default 0, and 0.7 for CoT-SC)")
    add("--extra", metavar="JSON", help="""more of each request, as '{"top_p": 0.9}'""")
    add("--timeout", type=float, help="seconds of silence before it is asked again (default 60)")
    methods = "standard", "cot", "cot-sc", "act", "react"
    add("--methods", nargs="+", default=methods, metavar="METHOD",
        help=f"{', '.join(methods)} (default all); react-chat, react-tools, act-tools")  # fmt: skip
    add("--n", type=int, default=500, help="tasks of each set (default 500, as in the paper)")
    add("--tasks", default="paper", choices=("paper", "bundled"),
        help="HotpotQA and FEVER (default), or questions and claims of ours: needs no network"
    )  # fmt: skip
    own = "a file of {}, or yours (rl.tasks.read says how): then nothing else is asked"
    add("--hotpotqa", help=own.format("HotpotQA"))
    add("--fever", help=own.format("FEVER"))
    add("--pages", help="live (default), a file (.zim, .csv, .jsonl), or a folder of texts")
    add("--contact", default="", help="your e-mail address, which live pages need")
    add("--prompts", default="ours", help="ours (default), authors, or a file")
    add("--samples", type=int, default=21, help="that CoT-SC draws (default 21)")
    add("--seed", type=int, help="of the draw of tasks; else the tasks that the authors drew")
    add("--price", type=float, nargs=2, metavar=("READ", "WRITTEN"),
        help="of a million tokens; else what the server says, if it does")  # fmt: skip
    add("--budget", type=float, help="the most that all of it may cost, in the same money")
    add("--workers", type=int, help="calls at a time; else it finds out how many")
    add("--out", help="the folder that keeps it all (default runs/table1-MODEL)")
    add("--yes", action="store_true", help="go on after the preview without a question")


def add_finetune(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--method", default="react", help="standard, cot, act or react (default)")
    add("--n", type=int, default=560, help="gold trajectories (default 560)")
    add("--runs", nargs="+", help="files of yours instead; correct runs count")
    add("--gguf", help="weights of yours; else the bundled model's")
    add("--out", help="the folder of the checkpoints and of the adapter")
    add("--epochs", type=float, default=1.0, help="over the lines (default 1)")
    add("--dev", type=int, default=20, help="dev questions to try it on (default 20)")
    add("--export", choices=("openai", "dataset"), help="write the lines, do not train")


def add_serve(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group().add_argument
    where("--share", action="store_true", help="in the network that this machine is in")
    where("--host", help="at this address of the machine; else for itself alone")
    parser.add_argument("--port", type=int, default=8765, help="(default 8765; 0 is any free one)")
    parser.add_argument("--threads", type=int, help="of the model; else one less than the cores")


# ---------------------------------------------------------------------- what each does


def do_fetch(args: argparse.Namespace) -> int:
    from .data import downloads
    from .envs.household import alfworld
    from .models import weights
    from .tasks import published

    if args.what in ("weights", *weights.SIZES):
        name = None if args.what == "weights" else args.what
        try:
            print(f"the model's weights are in {weights.fetch(name, args.source)}")
        except ModelError as error:
            if name or os.environ.get(weights.CHOICE):
                raise
            weights.fetch(weights.SMALL, args.source)
            print(f"{error}; until then the small model, {weights.SMALL}, serves in its place")
    elif args.what == "alfworld":
        print(f"ALFWorld's games are in {downloads.fetch(alfworld.release(), folder=args.source)}")
    elif args.what == "site" and args.source:
        raise ValueError("the parts of the live tab come from the network alone: leave out --from")
    elif args.what == "site":
        live = of_checkout("website.live")
        live.fetch_parts(print)
        print("what the live tab is made of is in", *(part.path for part in live.PARTS.values()))
    elif args.what == "prompts":
        files = (published.fetch_prompts(one, folder=args.source) for one in published.FILES)
        print("the authors' prompts are in", *files)
    else:
        print(f"{args.what} is in {published.fetch(args.what, folder=args.source)}")
    return 0


def do_table1(args: argparse.Namespace) -> int:
    from .apps import table1

    wanted = {field.name: getattr(args, field.name) for field in fields(table1.Wanted)}
    return table1.table1(table1.Wanted(**wanted))


def do_finetune(args: argparse.Namespace) -> int:
    from .finetune import trainer

    if args.export:
        print("written:", trainer.export(args.export, args.method, args.n, args.runs, args.out))
        return 0
    adapter = trainer.make(args.method, args.n, args.runs, args.out, args.epochs, args.gguf)
    weights = f"{args.gguf!r}, " if args.gguf else ""
    print(f"the adapter is {adapter}: rl.models.local({weights}adapter={str(adapter)!r})")
    if args.dev:
        print(trainer.tried(adapter, args.method, args.dev, args.gguf))
    return 0


def do_run(args: argparse.Namespace) -> int:
    from . import display

    ends = set()
    for run in runs_of(args):
        print(display.show(run))
        ends.add(run.end)
    if args.path:
        print("stored in", data.resolve(args.path))
    return int(not ends.isdisjoint(FAULTS))


def runs_of(args: argparse.Namespace) -> Iterable[Trajectory]:
    """All of them, when they are stored; else one after the other, as they are shown."""
    from . import models, running, tasks
    from .evaluation import evaluate

    if args.model:
        model: Model = models.openai(args.model, base_url=args.base_url)
    else:
        model = models.local(adapter=None if args.adapter == "none" else args.adapter)
    if args.question:
        chosen = [(tasks.claim if args.claim else tasks.question)(args.question)]
    else:
        chosen = tasks.load(args.tasks, args.split, args.n, args.seed)
    if args.path:
        return evaluate(args.method, chosen, model, args.path, n=args.samples, seed=args.seed)
    if getattr(sys.stdout, "stream", sys.stdout) is None:
        raise ValueError("there is no output to show runs on: give --path to store them")
    print(f"{args.method}, asking {model.name}")  # a full disk shows before anything is paid for
    return (
        running.run(args.method, task, model, n=args.samples, seed=args.seed, on_error="record")
        for task in chosen
    )


def serve_class(args: argparse.Namespace) -> int:
    """Until Ctrl-C. The key is shown this once, and not at all where the environment has it."""
    from .models import class_server, llama, openai_compatible

    known = openai_compatible.key_in(llama.KEY)
    key = known or class_server.new_key()
    host = class_server.own_address() if args.share else args.host or "127.0.0.1"
    model = llama.Local(threads=args.threads)
    with class_server.open_classroom(model, key, host, args.port) as room:
        print(f"The model is at {room.url}; Ctrl-C ends it.")
        print("Its key is the one in", llama.KEY) if known else print(f"Its key: {key}")
        print(f"In a notebook: model = rl.models.local(at={room.url!r})", flush=True)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
    return 0


def show_table(args: argparse.Namespace) -> int:
    from . import score, store

    runs = store.open(args.path)
    if not len(runs):
        raise ValueError(f"{runs.path} holds no runs yet")
    table = score.table(score.frame(runs)).rename(index=inline).to_string()
    print(f"{len(runs)} runs in {inline(runs.path)}\n{table}")
    return 0


def of_checkout(name: str) -> ModuleType:
    """A program that no wheel has: how what comes with react_lab is made and checked."""
    if not (folder := data.folder("build")).is_dir():
        raise ValueError("this works in a checkout of react_lab alone: clone it")
    sys.path.insert(0, str(folder))
    return importlib.import_module(name)


def check_world(args: argparse.Namespace) -> int:
    of_checkout("check").main()
    return 0


def show_figure3(args: argparse.Namespace) -> int:
    from .lessons.lesson_09 import sizes
    from .plots import figure3

    print(figure3(sizes()).markdown())
    return 0


def show_class(args: argparse.Namespace) -> int:
    """What was refused goes to the other stream, so that the table can be piped."""
    from . import score
    from .teach import reports

    if args.csv and not args.csv.lower().endswith(".csv"):
        raise ValueError(f"--csv {args.csv} is no name of a table: end it in .csv")
    found = reports.collect(args.folder, args.roster)
    print("no reports and no labels" if found.table.empty else found.table.to_string(index=False))
    print("As the students' own notebooks said: no answer was run or checked again.")
    for remark in found.remarks:
        print(visible(remark), file=sys.stderr)
    if args.csv:
        print("written:", score.to_csv(found.table, args.csv))
    return int(found.table.empty)


def write_site(args: argparse.Namespace) -> int:
    build = of_checkout("website.build").build
    there = build(args.folder, lambda words: print(words, flush=True), not args.no_live)
    print(f"The site is in {there}")
    print(f"To open it: python -m http.server --directory {there}, then http://localhost:8000")
    return 0


def start_lab(args: argparse.Namespace) -> int:
    from .apps import lab

    return lab.open_lab(not args.no_browser)


def show_doctor(args: argparse.Namespace) -> int:
    from .apps import doctor

    print(f"react_lab {__version__}, its data in {data.folder()}")
    findings = doctor.examine()
    for finding in findings:
        print(finding)
    return 0 if all(finding.works or finding.optional for finding in findings) else 1


if __name__ == "__main__":
    sys.exit(main())
