"""The labelled set of Table 2: AI readers label a sample blind, by sheets and files of answers.

    python data/build/labelled.py draw
    python data/build/labelled.py sheet reader-a blind OUT.md --part 1/4
    python data/build/labelled.py take reader-a blind ANSWERS.jsonl
        {"item": 1, "sound": false, "first_wrong": 2, "note": "..."}
    python data/build/labelled.py sheet reader-a reveal OUT.md     and take it likewise
        {"item": 1, "mode": "reasoning error", "note": "..."}
    python data/build/labelled.py disagree OUT.md
    python data/build/labelled.py take adjudicator adjudicate ANSWERS.jsonl
    python data/build/labelled.py report

Every answer goes through `label.Session`: the events are those of a person at `rl.Labeller`.
`draw --set fever --runs FILE` does the same with the authors' 500 published GPT-3 runs, which are
not part of the project.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sheets import STAGES, sheet, take

from react_lab import data, label, store
from react_lab.label.merging import ADJUDICATOR, HOW, RUNS, agreed, drawn, matches, readers
from react_lab.label.results import Share
from react_lab.stats import rate
from react_lab.types import Trajectory

__all__ = ["draw", "main", "report"]

FOLDERS = {"multihop": "data/labels", "fever": "runs/labels-fever"}
SOURCES = {
    "multihop": ("data/runs/comparison/multihop-tuned.jsonl", "data/runs/labelled/pool-cot.jsonl")
}
METHODS = {"multihop": ("react", "cot"), "fever": ("react",)}
NOT_TEST = ("multihop-dev-", "multihop-pool-", "fever-")  # the test questions stay unread
READ = ("finished", "step_limit", "repeated", "unreadable")  # the model's doing, not ours


# ---------------------------------------------------------------------- the sample


def draw(
    folder: Path, sources: Iterable[Path], methods: Sequence[str], n: int = 50, seed: int = 0
) -> label.Sample:
    """n right and n wrong runs of each method, stored with how they were drawn."""
    if held := sorted(path.name for path in folder.glob("*.jsonl") if path.stem != RUNS):
        sys.exit(f"There are labels already ({', '.join(held)}): they would lose their items")
    found = [run for path in sources for run in runs_in(path)]
    sample = label.sample(found, n, methods, seed)
    lines = [json.dumps(store.dump(run), ensure_ascii=False) + "\n" for run in sample]
    data.write(folder / f"{RUNS}.jsonl", "".join(lines))
    data.write(folder / HOW, json.dumps(sample.drawn_how, indent=1) + "\n")
    return sample


def runs_in(path: Path) -> Iterator[Trajectory]:
    """The runs of a file that may be labelled: never one of a test question."""
    if not path.exists():
        print(f"not there: {path.name}")
        return
    found = store.read_transcript(path) if path.suffix == ".txt" else store.open(path)
    yield from (run for run in found if run.task.id.startswith(NOT_TEST) and run.end in READ)


# ---------------------------------------------------------------------- the report


def report(folder: Path) -> Iterator[str]:
    """Table 2 of ours beside the paper's, how far the readers agree, what the rules are worth."""
    sample, merged, marks = drawn(folder), label.merge(readers(folder)), agreed(folder)
    yield f"{sample}\n{merged}\n\n{label.agreement(merged.runs)}\n"
    differ = len(label.disagreements(merged.runs))
    both = sum(len(readings) > 1 for readings in merged.runs.values())
    yield f"{both} runs labelled by two or more, {differ} not alike; {len(marks)} count below\n"
    yield from map(of_share, label.shares(marks))
    wrong = [mark for mark in marks if mark.grade == "failure" and mark.method == "react"]
    yield f"\nwrong ReAct runs by first wrong step: {label.first_wrong(wrong)}\n"
    runs = {(run.id, store.digest(run)): run for run in sample}
    found = [label.suggest(runs[mark.id, mark.digest]) for mark in marks]
    suggested = [suggestion.mode if suggestion else "" for suggestion in found]
    yield "the rules of label.suggest, against these labels:"
    worth = matches([str(mark.label) for mark in marks], suggested)
    for mode, (right, of_rules, of_readers) in worth.items():
        precision, recall = rate(right, of_rules), rate(right, of_readers)
        yield f"{mode:21} precision {precision}; recall {recall}"


def of_share(share: Share) -> str:
    theirs = "" if share.paper is None else f"; the paper (HotpotQA, PaLM) {share.paper}%"
    return f"{share.method:6}{share.mode:21}{rate(share.right, share.n)}{theirs}"


# ---------------------------------------------------------------------- the terminal


def main(argv: Sequence[str] | None = None) -> None:
    args = parser().parse_args(argv)
    folder = data.resolve(args.folder) if args.folder else data.shared(FOLDERS[args.set])
    if args.command == "draw":
        found = args.runs or SOURCES.get(args.set)
        if not found:
            sys.exit(f"Where are the runs? draw --set {args.set} --runs FILE")
        print(
            draw(
                folder,
                map(data.resolve if args.runs else data.shared, found),
                METHODS[args.set],
                args.n,
                args.seed,
            )
        )
    elif args.command == "sheet":
        data.write(args.out, sheet(folder, args.by, args.stage, args.part))
    elif args.command == "disagree":
        data.write(args.out, sheet(folder, ADJUDICATOR, "adjudicate"))
    elif args.command == "take":
        print(f"{take(folder, args.by, args.stage, args.answers)} answers of {args.by} are in")
    else:
        print("\n".join(report(folder)))


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("labelled", description="The labelled set of Table 2.")
    commands = parser.add_subparsers(required=True, dest="command")
    several = {
        name: commands.add_parser(name) for name in ("draw", "sheet", "take", "disagree", "report")
    }
    for command in several.values():
        command.add_argument("--set", choices=FOLDERS, default="multihop")
        command.add_argument(
            "--folder", help="where runs and labels lie, if not where the set's do"
        )
    several["draw"].add_argument("--runs", nargs="*", help="files of runs, if not the set's own")
    several["draw"].add_argument(
        "--n", type=int, default=50, help="right runs per method, and as many wrong"
    )
    several["draw"].add_argument("--seed", type=int, default=0)
    for name in ("sheet", "take"):
        several[name].add_argument("by")
        several[name].add_argument("stage", choices=STAGES)
    several["take"].add_argument("answers", type=Path)
    several["sheet"].add_argument("out", type=Path)
    several["sheet"].add_argument("--part", default="1/1", help="k/n: the k-th of n parts")
    several["disagree"].add_argument("out", type=Path)
    return parser


if __name__ == "__main__":
    main()
