"""Chooses the games that notebook 07 shows: the bundled model plays all unseen games, and we look.

    python data/build/scenes.py                    (the adapters in data/adapters)
    python data/build/scenes.py runs/adapters      (household/act/act.gguf ... below it)

Writes data/recordings/07_household.scenes.json; then `python data/build/record.py
07_household` records the replies. A killed one goes on where it was.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from house import oracle

from react_lab import data, evaluation, replay, tasks
from react_lab.editing import rethink
from react_lab.envs.household import Household
from react_lab.lessons import lesson_07
from react_lab.models import cached, local
from react_lab.types import Model, Task, Trajectory

__all__ = ["apart", "choose", "main", "rescue", "to_play"]

LEGS = ("act", "react", "react-im")
PATH = "runs/scenes.jsonl"
TRIES = 25  # of a lost run


def choose(runs: Iterable[Trajectory], model: Model) -> lesson_07.Scenes:
    """The scenes that these runs of act and of react can show."""
    won: dict[str, dict[str, Trajectory]] = {}
    for run in runs:
        won.setdefault(run.task.id, {})[run.method] = run
    lost, edits = rescue([both["react"] for both in won.values()], model)
    first = apart(won)
    return lesson_07.Scenes(to_play({first, lost}), first, lost, edits)


def apart(runs: Mapping[str, Mapping[str, Trajectory]]) -> str:
    """A game that Act loses and ReAct wins: best where Act had the thing, and ReAct is quick."""
    found = [
        (lesson_07.FAR.index(lesson_07.how_far(both["act"])), -len(both["react"].steps), name)
        for name, both in runs.items()
        if both["act"].reward != 1.0 and both["react"].reward == 1.0
    ]
    if not found:
        raise SystemExit("In no game does Act lose and ReAct win: train the adapters further.")
    return max(found)[2]


def to_play(shown: Iterable[str]) -> str:
    """A game to be played by hand: none of the others, and neither short nor long."""
    games = [game for game in tasks.load("household", "old") if game.id not in shown]
    lengths = {game.id: len(oracle.play(game, Household()(game), "act").steps) for game in games}
    return min(lengths, key=lambda name: (abs(lengths[name] - 12), name))


# ---------------------------------------------------------------------- the rescue


def rescue(runs: Iterable[Trajectory], model: Model) -> tuple[str, tuple[lesson_07.Edit, ...]]:
    """A lost run of ReAct that one or two other thoughts mend, and these thoughts."""
    lost = [run for run in runs if run.reward != 1.0]
    for run in sorted(lost, key=lambda run: -lesson_07.FAR.index(lesson_07.how_far(run))):
        print("to be mended:", run.task.id, run.task.text, flush=True)
        if edits := mending(run, model):
            return run.task.id, edits
    raise SystemExit("No lost run of ReAct was mended by two thoughts.")


def mending(
    run: Trajectory, model: Model, most: int = 2, after: int = 0
) -> tuple[lesson_07.Edit, ...]:
    """The edits, at most so many, after which the model wins; () if none of the tries did it."""
    once = list[tuple[lesson_07.Edit, Trajectory]]()
    for edit in better(run, after):
        edited = replay.resume(rethink(run, edit[0], thought=edit[1]), model=model)
        if edited.reward == 1.0:
            return (edit,)
        once.append((edit, edited))
    for edit, edited in once[: TRIES // 5] if most > 1 else ():
        if further := mending(edited, model, most - 1, edit[0]):
            return (edit, *further)
    return ()


def better(run: Trajectory, after: int = 0) -> Iterator[lesson_07.Edit]:
    """What our oracle would have thought at each later thought, where it is something else."""
    opening, tried = Household()(run.task).reset(run.task), 0
    for at, step in enumerate(run.steps, start=1):
        if at <= after or step.action is not None or tried >= TRIES:
            continue
        wish = oracle.answer(opening, run.steps[: at - 1], "react")
        thought = wish.thought or f"Next: {wish.action}."
        if thought != step.thought:
            tried += 1
            yield at, thought


# ---------------------------------------------------------------------- all of it


def played(games: Iterable[Task], model: Model) -> list[Trajectory]:
    return [*evaluation.evaluate(["act", "react"], [*games], model, PATH, workers=1)]


def main() -> None:
    given = {}
    if sys.argv[1:]:
        folder = Path(sys.argv[1]) / "household"
        found = {f"household/{leg}": folder / leg / f"{leg}.gguf" for leg in LEGS}
        given = {leg: path for leg, path in found.items() if path.exists()}
    model = cached(local(adapter=given or "auto"), "runs/scenes-replies.jsonl")
    if not {"household/act", "household/react"} <= model.tuned:
        raise SystemExit("The adapters household/act and household/react are wanted for this.")
    games = tasks.load("household", "old")
    scenes = choose(played(games, model), model)
    path = data.folder("recordings") / f"{lesson_07.NAME}.scenes.json"
    path.write_text(json.dumps(vars(scenes), indent=1) + "\n", encoding="utf-8", newline="\n")
    print(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
