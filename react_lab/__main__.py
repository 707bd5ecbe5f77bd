"""The same from a terminal: python -m react_lab fetch|run|table|finetune|world|doctor."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from . import __version__, data
from .types import Halt, Model, Task

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    args = parser().parse_args(argv)
    try:
        return int(args.do(args))
    except (Halt, ValueError, OSError) as error:
        print(f"react_lab: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("react_lab: stopped; with --path every finished run is stored", file=sys.stderr)
        return 130


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("react_lab", description="Take apart the ReAct paper.")
    parser.add_argument("--version", action="version", version=f"react_lab {__version__}")
    commands = parser.add_subparsers(
        required=True, metavar="{fetch,run,table,finetune,figure3,world,doctor}"
    )
    fetch = commands.add_parser("fetch", help="get the bundled model's weights, once (100 MB)")
    fetch.set_defaults(do=do_fetch)
    add_run(commands.add_parser("run", help="run a method on tasks and store the trajectories"))
    table = commands.add_parser("table", help="print a table of stored runs")
    table.add_argument("path")
    table.set_defaults(do=show_table)
    add_finetune(commands.add_parser("finetune", help="train an adapter on correct trajectories"))
    figure3 = commands.add_parser("figure3", help="print what fine-tuning changed, with intervals")
    figure3.set_defaults(do=show_figure3)
    world = commands.add_parser("world", help="check the bundled pages, questions and claims")
    world.set_defaults(do=check_world)
    doctor = commands.add_parser("doctor", help="say what works here, and how to mend the rest")
    doctor.set_defaults(do=show_doctor)
    return parser


def add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("method", help="standard cot cot-sc act react react->cot-sc cot-sc->react")
    parser.add_argument("question", nargs="?", help="a question of your own; else bundled tasks")
    parser.add_argument("--claim", action="store_true", help="what you give is a claim")
    parser.add_argument("--tasks", default="multihop", help="a bundled task set")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--n", type=int, default=1, help="how many tasks")
    parser.add_argument("--samples", type=int, default=21, help="of CoT-SC")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", help="a model's name at a server; else the bundled model")
    parser.add_argument("--base-url", help="an OpenAI-compatible server; else OpenAI's own")
    parser.add_argument(
        "--adapter", default="auto", help="of the bundled model: auto, none, a file"
    )
    parser.add_argument("--path", help="where to store the runs, as JSON lines")
    parser.set_defaults(do=do_run)


def add_finetune(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--method", default="react", help="standard cot act react")
    parser.add_argument("--n", type=int, default=560, help="how many gold trajectories")
    parser.add_argument(
        "--runs", nargs="+", help="your stored runs instead; the correct ones count"
    )
    parser.add_argument("--out", help="the folder of the checkpoints and of the adapter")
    parser.add_argument("--epochs", type=float, default=1.0)
    parser.add_argument("--dev", type=int, default=20, help="on how many dev questions to try it")
    parser.add_argument(
        "--export", choices=("openai", "dataset"), help="write a file, do not train"
    )
    parser.set_defaults(do=do_finetune)


def do_fetch(args: argparse.Namespace) -> int:
    from .models import weights

    print(f"the bundled model's weights are in {weights.fetch()}")
    return 0


def do_finetune(args: argparse.Namespace) -> int:
    from .authoring import adapters

    if args.export:
        print("written:", adapters.export(args.export, args.method, args.n, args.runs, args.out))
        return 0
    adapter = adapters.make(args.method, args.n, args.runs, args.out, args.epochs)
    print(f"the adapter is {adapter}: rl.models.local(adapter={str(adapter)!r})")
    if args.dev:
        print(adapters.tried(adapter, args.method, args.dev))
    return 0


def do_run(args: argparse.Namespace) -> int:
    from . import lab, page, store

    model = named_model(args)
    for task in chosen_tasks(args):
        run = lab.run(args.method, task, model, n=args.samples, seed=args.seed, on_error="record")
        print(page.show(run))
        if args.path:
            print("stored in", store.append(args.path, run))
        if run.end in lab.FAULTS:
            return 1
    return 0


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
    table = score.table(score.frame(runs)).to_string()
    print(f"{len(runs)} runs in {runs.path}\n{table}")
    return 0


def check_world(args: argparse.Namespace) -> int:
    from .authoring import check, difficulty

    faults = check.examine()
    print("\n".join(faults[:50]) or "The bundled world has no fault that a machine can see.")
    print(f"{len(faults)} faults" if len(faults) > 50 else "")
    print(difficulty.table())
    return 1 if faults else 0


def show_figure3(args: argparse.Namespace) -> int:
    from .authoring import figure3

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
