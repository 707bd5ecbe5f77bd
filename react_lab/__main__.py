"""The commands of the terminal: `python -m react_lab --help` lists them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from . import __version__, data, streams
from .characters import inline, visible
from .methods import METHODS
from .types import FAULTS, Halt, Model, Task, Trajectory

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    with streams.safe() as shown:
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

    fetch = command("fetch", do_fetch, "get the bundled model's weights, once (100 MB)")
    fetch.add_argument(
        "what", nargs="?", default="weights", choices=("weights", "alfworld"),
        help="weights (default), or alfworld: the games of the paper (37 MB)",
    )  # fmt: skip
    add_run(command("run", do_run, "run a method on tasks and show the runs; --path stores them"))
    table = command("table", show_table, "print a table of stored runs, one row per method")
    table.add_argument("path", help="a file of runs (JSON lines)")
    add_finetune(command("finetune", do_finetune, "train an adapter on correct trajectories"))
    command("figure3", show_figure3, "print what fine-tuning changed, with intervals")
    command("world", check_world, "check the bundled pages, questions and claims")
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


def add_finetune(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--method", default="react", help="standard, cot, act or react (default)")
    parser.add_argument("--n", type=int, default=560, help="gold trajectories (default 560)")
    parser.add_argument("--runs", nargs="+", help="files of yours instead; correct runs count")
    parser.add_argument("--out", help="the folder of the checkpoints and of the adapter")
    parser.add_argument("--epochs", type=float, default=1.0, help="over the lines (default 1)")
    parser.add_argument(
        "--dev", type=int, default=20, help="dev questions to try it on (default 20)"
    )
    parser.add_argument(
        "--export", choices=("openai", "dataset"), help="write the lines, do not train"
    )


def do_fetch(args: argparse.Namespace) -> int:
    from .envs.household import release
    from .models import weights

    if args.what == "alfworld":
        print(f"ALFWorld's games are in {release.fetch()}")
        return 0
    print(f"the bundled model's weights are in {weights.fetch()}")
    return 0


def do_finetune(args: argparse.Namespace) -> int:
    from .finetune import terminal

    if args.export:
        print("written:", terminal.export(args.export, args.method, args.n, args.runs, args.out))
        return 0
    adapter = terminal.make(args.method, args.n, args.runs, args.out, args.epochs)
    print(f"the adapter is {adapter}: rl.models.local(adapter={str(adapter)!r})")
    if args.dev:
        print(terminal.tried(adapter, args.method, args.dev))
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
    from . import lab
    from .evaluation import evaluate

    model, chosen = named_model(args), chosen_tasks(args)
    if args.path:
        return evaluate(args.method, chosen, model, args.path, n=args.samples, seed=args.seed)
    if getattr(sys.stdout, "stream", sys.stdout) is None:
        raise ValueError("there is no output to show runs on: give --path to store them")
    print(f"{args.method}, asking {model.name}")  # a full disk shows before anything is paid for
    return (
        lab.run(args.method, task, model, n=args.samples, seed=args.seed, on_error="record")
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
    from .world import check, difficulty

    faults = check.examine()
    print("\n".join(faults[:50]) or "The bundled world has no fault that a machine can see.")
    print(f"{len(faults)} faults" if len(faults) > 50 else "")
    print(difficulty.table())
    return 1 if faults else 0


def show_figure3(args: argparse.Namespace) -> int:
    from .finetune import figure3

    print(figure3.report())
    return 0


def show_doctor(args: argparse.Namespace) -> int:
    from . import doctor

    print(f"react_lab {__version__}, its data in {data.folder()}")
    findings = doctor.examine()
    for finding in findings:
        print(finding)
    return 0 if all(finding.works or finding.optional for finding in findings) else 1


if __name__ == "__main__":
    sys.exit(main())
