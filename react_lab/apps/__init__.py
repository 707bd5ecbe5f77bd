"""The commands of the terminal, each with its options: `python -m react_lab --help` lists them."""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import threading
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

import react_lab as rl

from ..support.text import inline, visible
from ..types import FAULTS, Model, ModelError, Trajectory

Do = Callable[[Namespace], int | None]
FETCHED = ("alfworld", "hotpotqa", "fever", "prompts", "site")
SERVER = "an OpenAI-compatible server; else OpenAI's own"
OWN = "a file of {}, or yours (rl.tasks.read says how): then nothing else is asked"

parser = ArgumentParser("react_lab", description="Take apart the ReAct paper.")
parser.add_argument("--version", action="version", version=f"react_lab {rl.__version__}")
commands = parser.add_subparsers(required=True)


def option(name: str, help: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return name, {"help": help, **more}


def command(name: str, what: str, *options: tuple[str, dict[str, Any]]) -> Callable[[Do], None]:
    """A function of this module as a command; it returns the exit status, where that is not 0."""
    added = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    for flag, more in options:
        added.add_argument(flag, **more)
    return lambda do: added.set_defaults(do=do)


@command(
    "fetch", "get the weights of a model, once (491 MB)",
    option(
        "what",
        "weights (default): those of local(); a size: 135m (100 MB), 0.5b (491 MB), 1.5b "
        "(1.1 GB); or, of the paper, alfworld (37 MB): its games; hotpotqa (1 MB); "
        "fever (2 MB); prompts: the authors' exemplars; or site (12 MB): the parts of the live tab",
        nargs="?", default="weights", choices=("weights", "135m", "0.5b", "1.5b", *FETCHED),
    ),
    option("--from", "a folder that has it; needs no network", dest="source"),
)  # fmt: skip
def do_fetch(args: Namespace) -> None:
    from ..data import downloads
    from ..envs.household import alfworld
    from ..models import weights
    from ..tasks import published

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
        print(f"ALFWorld's games are in {downloads.fetch(alfworld.release(), args.source)}")
    elif args.what == "site":
        if args.source:
            raise ValueError("the parts of the live tab come from the network: leave out --from")
        live = of_checkout("website.live")
        live.fetch_parts(print)
        print("what the live tab is made of is in", *(part.path for part in live.PARTS.values()))
    elif args.what == "prompts":
        files = (published.fetch_prompts(one, folder=args.source) for one in published.FILES)
        print("the authors' prompts are in", *files)
    else:
        _, file = published.SETS[args.what]
        print(f"{args.what} is in {downloads.fetch(file, args.source)}")


@command(
    "run", "run a method on tasks and show the runs; --path stores them",
    option("method", " ".join(rl.METHODS)),
    option("question", "a question of your own; else bundled tasks", nargs="?"),
    option("--claim", "it is a claim, not a question", action="store_true"),
    option("--tasks", "a bundled task set", default="multihop"),
    option("--split", "of the task set (default dev)", default="dev"),
    option("--n", "how many bundled tasks (default 1)", type=int, default=1),
    option("--samples", "that CoT-SC draws (default 21)", type=int, default=21),
    option("--seed", "of the draw and of CoT-SC (default 0)", type=int, default=0),
    option("--model", "a model's name at a server; else the bundled model"),
    option("--base-url", SERVER),
    option("--adapter", "the bundled model's: auto (default), none, or a file", default="auto"),
    option("--path", "a file to add the runs to; what it has is not asked again"),
)  # fmt: skip
def do_run(args: Namespace) -> int:
    if args.model:
        model: Model = rl.models.openai(args.model, base_url=args.base_url)
    else:
        model = rl.models.local(adapter=None if args.adapter == "none" else args.adapter)
    if args.question:
        chosen = [(rl.tasks.claim if args.claim else rl.tasks.question)(args.question)]
    else:
        chosen = rl.tasks.load(args.tasks, args.split, args.n, args.seed)
    options: dict[str, Any] = {"n": args.samples, "seed": args.seed}
    runs: Iterable[Trajectory]
    if args.path:
        runs = rl.evaluate(args.method, chosen, model, args.path, **options)
    elif getattr(sys.stdout, "stream", sys.stdout) is None:
        raise ValueError("there is no output to show runs on: give --path to store them")
    else:
        print(f"{args.method}, asking {model.name}")  # a full disk shows before anything is paid
        options["on_error"] = "record"
        runs = (rl.run(args.method, task, model, **options) for task in chosen)
    failed = False
    for run in runs:  # one after the other, as they are made; those that are stored all at once
        print(rl.show(run))
        failed |= run.end in FAULTS
    if args.path:
        print("stored in", rl.data.resolve(args.path))
    return int(failed)


@command(
    "table", "print a table of stored runs, one row per method",
    option("path", "a file of runs (JSON lines)"),
)  # fmt: skip
def show_table(args: Namespace) -> None:
    runs = rl.store.open(args.path)
    if not len(runs):
        raise ValueError(f"{runs.path} holds no runs yet")
    table = rl.score.table(rl.score.frame(runs)).rename(index=inline).to_string()
    print(f"{len(runs)} runs in {inline(runs.path)}\n{table}")


@command(
    "table1", "run the paper's Table 1: a price first, then the rest",
    option("--model", "a model's name at a server; else the bundled model, prompted"),
    option("--base-url", SERVER),
    option("--api", "of the server (default auto: it finds out)",
           choices=("auto", "completions", "chat", "responses")),
    option("--max-tokens", "of a reply; 4096 or more for one that thinks in private", type=int),
    option("--extra", "more of each request, as '{\"top_p\": 0.9}'", metavar="JSON"),
    option("--timeout", "seconds of silence before it is asked again (default 60)", type=float),
    option("--methods", "standard, cot, cot-sc, act, react (default all); react-chat, react-tools, "
           "act-tools", nargs="+", metavar="METHOD"),
    option("--n", "tasks of each set (default 500, as in the paper)", type=int, default=500),
    option("--tasks", "HotpotQA and FEVER (default), or questions and claims of ours: needs no "
           "network", choices=("paper", "bundled"), default="paper"),
    option("--hotpotqa", OWN.format("HotpotQA")),
    option("--fever", OWN.format("FEVER")),
    option("--pages", "live (default), a file (.zim, .csv, .jsonl), or a folder of texts"),
    option("--contact", "your e-mail address, which live pages need"),
    option("--prompts", "ours (default), authors, or a file", default="ours"),
    option("--samples", "that CoT-SC draws (default 21)", type=int, default=21),
    option("--seed", "of the draw of tasks; else the tasks that the authors drew", type=int),
    option("--price", "of a million tokens", type=float, nargs=2, metavar=("READ", "WRITTEN")),
    option("--budget", "the most that all of it may cost, in the same money", type=float),
    option("--workers", "calls at a time; else it finds out how many", type=int),
    option("--out", "the folder that keeps it all (default runs/table1-MODEL)"),
    option("--yes", "go on after the preview without a question", action="store_true"),
)  # fmt: skip
def do_table1(args: Namespace) -> int:
    from .table1 import table1

    return table1(args)


@command(
    "finetune", "train an adapter on correct trajectories",
    option("--method", "standard, cot, act or react (default)", default="react"),
    option("--n", "gold trajectories (default 560)", type=int, default=560),
    option("--runs", "files of yours instead; correct runs count", nargs="+"),
    option("--gguf", "weights of yours; else the bundled model's"),
    option("--out", "the folder of the checkpoints and of the adapter"),
    option("--epochs", "over the lines (default 1)", type=float, default=1.0),
    option("--dev", "dev questions to try it on (default 20)", type=int, default=20),
    option("--export", "write the lines, do not train", choices=("openai", "dataset")),
)  # fmt: skip
def do_finetune(args: Namespace) -> None:
    trainer = rl.finetune.trainer
    if args.export:
        print("written:", trainer.export(args.export, args.method, args.n, args.runs, args.out))
        return
    adapter = trainer.make(args.method, args.n, args.runs, args.out, args.epochs, args.gguf)
    weights = f"{args.gguf!r}, " if args.gguf else ""
    print(f"the adapter is {adapter}: rl.models.local({weights}adapter={str(adapter)!r})")
    if args.dev:
        print(trainer.tried(adapter, args.method, args.dev, args.gguf))


@command(
    "serve", "share one model with a class, behind a class key",
    option("--share", "in the network that this machine is in", action="store_true"),
    option("--host", "at this address of the machine; else for itself alone"),
    option("--port", "(default 8765; 0 is any free one)", type=int, default=8765),
    option("--threads", "of the model; else all cores but one, of two both", type=int),
)  # fmt: skip
def serve_class(args: Namespace) -> None:
    """Until Ctrl-C. The key is shown this once, and not at all where the environment has it."""
    from ..models import class_server, llama, openai_compatible

    known = openai_compatible.key_in(llama.KEY)
    key = known or class_server.new_key()
    host = args.host or (class_server.own_address() if args.share else "127.0.0.1")
    model = llama.Local(threads=args.threads)
    with class_server.open_classroom(model, key, host, args.port) as room:
        print(f"The model is at {room.url}; Ctrl-C ends it.")
        print("Its key is the one in", llama.KEY) if known else print(f"Its key: {key}")
        print(f"In a notebook: model = rl.models.local(at={room.url!r})", flush=True)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


@command("figure3", "print what fine-tuning changed, with intervals")
def show_figure3(args: Namespace) -> None:
    from ..lessons.lesson_09 import sizes

    print(rl.plots.figure3(sizes()).markdown())


def of_checkout(name: str) -> ModuleType:
    """A program that no wheel has: how what comes with react_lab is made and checked."""
    if not (folder := rl.data.folder("build")).is_dir():
        raise ValueError("this works in a checkout of react_lab alone: clone it")
    sys.path.insert(0, str(folder))
    return importlib.import_module(name)


@command("world", "check the bundled pages, questions and claims")
def check_world(args: Namespace) -> None:
    of_checkout("check").main()


@command(
    "grade", "collect the reports and labels of a class in one table",
    option("folder", "with the students' files; nothing in it is run"),
    option("--roster", "a .csv with a column `name`: who is missing is named"),
    option("--csv", "write the table to this file too, for a spreadsheet"),
)  # fmt: skip
def show_class(args: Namespace) -> int:
    """What was refused goes to the other stream, so that the table can be piped."""
    if args.csv and not args.csv.lower().endswith(".csv"):
        raise ValueError(f"--csv {args.csv} is no name of a table: end it in .csv")
    found = rl.teach.reports.collect(args.folder, args.roster)
    print("no reports and no labels" if found.table.empty else found.table.to_string(index=False))
    print("As the students' own notebooks said: no answer was run or checked again.")
    for remark in found.remarks:
        print(visible(remark), file=sys.stderr)
    if args.csv:
        print("written:", rl.score.to_csv(found.table, args.csv))
    return int(found.table.empty)


@command(
    "site", "write the course as static files, for any web server",
    option("folder", "an empty or a new one, or one that holds a site already"),
    option("--no-live", "without the model: needs no network", action="store_true"),
)  # fmt: skip
def write_site(args: Namespace) -> None:
    build = of_checkout("website.build").build
    there = build(args.folder, lambda words: print(words, flush=True), not args.no_live)
    print(f"The site is in {there}")
    print(f"To open it: python -m http.server --directory {there}, then http://localhost:8000")


@command(
    "lab", "copy the notebooks into my_notebooks/ and open the first",
    option("--no-browser", "print the address instead", action="store_true"),
)  # fmt: skip
def start_lab(args: Namespace) -> int:
    from . import lab

    return lab.open_lab(not args.no_browser)


@command("doctor", "say what works here, and how to mend the rest")
def show_doctor(args: Namespace) -> int:
    from . import doctor

    print(f"react_lab {rl.__version__}, its data in {rl.data.folder()}")
    broken = False
    for finding in doctor.examine():
        print(finding)
        broken |= not (finding.works or finding.optional)
    return int(broken)
