"""Correct trajectories -> training lines (section 3.3, Figure 3): one `ablate`, four formats.

A line is what the model will be shown when it is asked bare, turn by turn, and what it must write
there. Observations are shown and never learned: the world writes them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from .. import tasks
from ..envs.pages import Encyclopedia, bundled
from ..envs.wiki import Wiki
from ..kinds import kind_of, world_of
from ..layouts import Layout
from ..methods import leg_of
from ..models.openai_compatible import system_line
from ..prompts import CHAT, KEEP, TWINS, Exemplar, ablate, parts_of
from ..score import correct
from ..support.files import expand, write
from ..types import Step, Task, Trajectory, World


@dataclass(frozen=True)
class Turn:
    """What is shown since the model's last turn, what it must write, and what comes next."""

    shown: str
    written: str
    mark: str = ""  # the start of what the world writes: the model learns that its turn ends
    learned: bool = True


Line = tuple[Turn, ...]


def training_lines(runs: Iterable[Trajectory], leg: str, world: World | None = None) -> list[Line]:
    """The lines of the correct runs, and only those, in a leg's format.

    world: where the runs were made; None is the bundled one of their kind.
    """
    parts_of(leg)  # or a sentence that lists the legs
    return [training_line(run, leg, world) for run in runs if correct(run)]


def learnable(runs: Iterable[Trajectory], leg: str) -> list[Line]:
    """The lines of the correct runs; without any, a sentence."""
    if lines := training_lines(runs, leg):
        return lines
    raise ValueError(f"none of these runs is correct, so there is nothing to learn for {leg}")


def training_line(run: Trajectory, leg: str, world: World | None = None) -> Line:
    """A run, ablated to what the leg keeps, in the words of a bare prompt."""
    keep, wrote = parts_of(leg), parts_of(prompted_by(run))
    lacks = f"no {', '.join(sorted(keep - wrote))}" if not keep <= wrote else ""
    if keep == wrote and leg != prompted_by(run):  # react-im and react
        lacks = "other thoughts"
    if lacks:
        raise ValueError(f"a {run.method} run has {lacks}: it cannot become a line of {leg}")
    kind = kind_of(run.task.kind)
    kind.check(leg)
    opening = world_of(kind, world)(run.task).reset(run.task)
    rationale = run.task.extra.get("rationale") if "action" in wrote else None
    kept = ablate(Exemplar(opening, run.steps, rationale), keep)
    return tuple(turns(kept, kind.layout_for(keep)))


def prompted_by(run: Trajectory) -> str:
    """The leg that wrote a run's steps; of a method of your own, the one it asked with."""
    leg = leg_of(run)
    if leg not in (*KEEP, *TWINS, *CHAT):
        leg = next(iter(run.settings.get("prompt", ())), "react")
    return CHAT.get(leg, leg)  # a call is an act like any other


def turns(exemplar: Exemplar, layout: Layout) -> Iterator[Turn]:
    """What is shown and what is written, turn by turn. Acts that led nowhere are never taught."""
    shown = exemplar.opening + "\n"
    for i, step in enumerate(exemplar.steps, 1):
        cue = layout.cue(i)
        written = layout.show(replace(step, observation=None), i)
        seen = layout.show(step, i).removeprefix(written)
        mark = next((m for m in map(str.lstrip, layout.stop(i)) if m and seen.startswith(m)), "")
        learned = step.outcome != "failed"
        yield Turn(shown + cue, written.removeprefix(cue), mark, learned)
        shown = seen.removeprefix(mark)


def rows(lines: Iterable[Line]) -> Iterator[dict[str, str]]:
    """One row per learned turn: the whole prompt so far, and its completion."""
    for line in lines:
        prompt = ""
        for turn in line:
            prompt += turn.shown
            if turn.learned:
                yield {"prompt": prompt, "completion": turn.written}
            prompt += turn.written + turn.mark


def write_dataset(lines: Iterable[Line], folder: str | PathLike[str], leg: str) -> Path:
    """A plain Hugging Face dataset folder, for people with bigger machines."""
    folder = expand(folder)
    write(
        folder / "README.md",
        "---\nconfigs:\n- config_name: default\n  data_files: train.jsonl\n---\n\n"
        f"Turns of correct {leg} trajectories: `prompt` is all that the model is shown, "
        "`completion` is what it must write. Train on the completions alone.\n",
    )
    return write_rows(folder / "train.jsonl", rows(lines))


def write_openai(lines: Iterable[Line], path: str | PathLike[str], leg: str) -> Path:
    """OpenAI's fine-tuning file: each turn asked just as `models.openai` asks it in a chat.

    For whole runs, the wrong ones too, `store.to_openai`.
    """
    system, chats = {"role": "system", "content": system_line(leg)}, []
    for row in rows(lines):
        asked = {"role": "user", "content": row["prompt"]}
        told = {"role": "assistant", "content": row["completion"].strip()}
        chats.append({"messages": [system, asked, told]})
    return write_rows(expand(path), chats)


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    return write(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


# ------------------------------------------------------------------ demonstrations

SEED = 20230501  # the month of the paper's conference
SPLITS = {"multihop": ("train", "written", "natural"), "claims": ("train", "written")}
QUESTIONS = 2 / 3  # of the demonstrations; the others are claims


def demonstration(task: Task, book: Encyclopedia | None = None) -> Trajectory:
    """A train task's own solution, played today.

    An act that is marked as astray is shown and never taught. One that finds nothing is taught: to
    look twice before giving up is what a good agent does.
    """
    if "steps" not in task.extra:
        raise ValueError(f"{task.id} comes with no demonstration: those of train do")
    lang = kind_of(task.kind).language.code
    env = Wiki(book or bundled(lang), lang=lang)(task)
    env.reset(task)
    steps = tuple(
        Step(thought, action, seen.text or None, outcome="failed" if astray else None)
        for thought, action, *astray in task.extra["steps"]
        for seen in [env.step(action)]
    )
    answer = (steps[-1].action or "").partition("[")[2].removesuffix("]")
    return Trajectory(
        f"gold-{task.id}", task, "react", "gold", {}, steps, answer=answer, end="finished"
    )


def draw_gold(n: int, seed: int = SEED) -> list[Trajectory]:
    """n demonstrations, two questions per claim; a smaller draw is part of a larger one."""
    questions = round(n * QUESTIONS)
    runs = [demonstration(task) for task in drawn("multihop", questions, seed)]
    runs += [demonstration(task) for task in drawn("claims", n - questions, seed)]
    random.Random(seed).shuffle(runs)
    return runs


def drawn(kind: str, n: int, seed: int) -> list[Task]:
    """Generated ones, hand-written ones and those as students type them, in turn."""
    sets = [tasks.load(kind, split) for split in SPLITS[kind]]
    if n > sum(map(len, sets)):
        raise ValueError(f"there are {sum(map(len, sets))} tasks of {kind}, not {n}")
    pick = random.Random(seed)
    shuffled = [pick.sample(each, len(each)) for each in sets]
    places = [(k / len(each), task) for each in shuffled for k, task in enumerate(each)]
    return [task for _, task in sorted(places, key=lambda pair: pair[0])[:n]]
