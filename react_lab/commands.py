"""What the commands of the terminal do: each takes its options and gives the exit status."""

from __future__ import annotations

import argparse
import contextlib
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

from . import __version__, data
from .support.text import inline, visible
from .types import FAULTS, Model, Task, Trajectory

__all__ = [
    "check_world",
    "do_fetch",
    "do_finetune",
    "do_run",
    "do_table1",
    "serve_class",
    "show_class",
    "show_doctor",
    "show_figure3",
    "show_table",
    "write_site",
]


def do_fetch(args: argparse.Namespace) -> int:
    from .envs.household import alfworld
    from .models import weights
    from .tasks import authors, published

    if args.what in ("weights", *weights.SIZES):
        name = weights.BUNDLED if args.what == "weights" else args.what
        print(f"the model's weights are in {weights.fetch(name, args.source)}")
    elif args.what == "alfworld":
        print(f"ALFWorld's games are in {alfworld.fetch()}")
    elif args.what == "site":
        from .site.live import parts

        print("what the live tab is made of is in", *parts.fetched(print).values())
    elif args.what == "prompts":
        print("the authors' prompts are in", *map(authors.fetch, authors.FILES))
    else:
        print(f"{args.what} is in {published.fetch(args.what)}")
    return 0


def do_table1(args: argparse.Namespace) -> int:
    from . import reproduce

    wanted = {field.name: getattr(args, field.name) for field in fields(reproduce.Wanted)}
    return reproduce.table1(reproduce.Wanted(**wanted))


def do_finetune(args: argparse.Namespace) -> int:
    from .finetune import terminal

    if args.export:
        print("written:", terminal.export(args.export, args.method, args.n, args.runs, args.out))
        return 0
    adapter = terminal.make(args.method, args.n, args.runs, args.out, args.epochs, args.gguf)
    weights = f"{args.gguf!r}, " if args.gguf else ""
    print(f"the adapter is {adapter}: rl.models.local({weights}adapter={str(adapter)!r})")
    if args.dev:
        print(terminal.tried(adapter, args.method, args.dev, args.gguf))
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
    from . import running
    from .evaluation import evaluate

    model, chosen = named_model(args), chosen_tasks(args)
    if args.path:
        return evaluate(args.method, chosen, model, args.path, n=args.samples, seed=args.seed)
    if getattr(sys.stdout, "stream", sys.stdout) is None:
        raise ValueError("there is no output to show runs on: give --path to store them")
    print(f"{args.method}, asking {model.name}")  # a full disk shows before anything is paid for
    return (
        running.run(args.method, task, model, n=args.samples, seed=args.seed, on_error="record")
        for task in chosen
    )


def named_model(args: argparse.Namespace) -> Model:
    from . import models

    if args.model:
        return models.openai(args.model, base_url=args.base_url)
    return models.local(adapter=None if args.adapter == "none" else args.adapter)


def chosen_tasks(args: argparse.Namespace) -> list[Task]:
    from . import tasks

    if args.question:
        return [(tasks.claim if args.claim else tasks.question)(args.question)]
    return tasks.load(args.tasks, args.split, args.n, args.seed)


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
        wait_for_the_end()
    return 0


def wait_for_the_end() -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()


def show_table(args: argparse.Namespace) -> int:
    from . import score, store

    here = Path(args.path).expanduser()
    runs = store.open(here.resolve() if here.is_file() else args.path)
    if not len(runs):
        raise ValueError(f"{runs.path} holds no runs yet")
    table = score.table(score.frame(runs)).rename(index=inline).to_string()
    print(f"{len(runs)} runs in {inline(runs.path)}\n{table}")
    return 0


def check_world(args: argparse.Namespace) -> int:
    program = data.folder("build", "check.py")
    if not program.exists():
        raise ValueError("pages and questions are checked in a checkout of react_lab: clone it")
    return subprocess.call([sys.executable, str(program)])


def show_figure3(args: argparse.Namespace) -> int:
    from .finetune import figure3

    print(figure3.report())
    return 0


def show_class(args: argparse.Namespace) -> int:
    """What was refused goes to the other stream, so that the table can be piped."""
    from . import score
    from .teach import reports

    found = reports.collect(args.folder)
    print("no reports and no labels" if found.table.empty else found.table.to_string(index=False))
    print("As the students' own notebooks said: no answer was run or checked again.")
    for why in found.refused:
        print(visible(why), file=sys.stderr)
    if args.csv:
        print("written:", score.to_csv(found.table, args.csv))
    return int(found.table.empty)


def write_site(args: argparse.Namespace) -> int:
    from . import site

    there = site.build(args.folder, lambda words: print(words, flush=True), not args.no_live)
    print(f"The site is in {there}")
    print(f"To open it: python -m http.server --directory {there}, then http://localhost:8000")
    return 0


def show_doctor(args: argparse.Namespace) -> int:
    from . import doctor

    print(f"react_lab {__version__}, its data in {data.folder()}")
    findings = doctor.examine()
    for finding in findings:
        print(finding)
    return 0 if all(finding.works or finding.optional for finding in findings) else 1
