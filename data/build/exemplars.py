"""Writes the observations of our exemplars anew, by doing their acts in the world.

    python data/build/exemplars.py        after a change to the encyclopedia, the games or the shop

Thoughts and acts are written by hand; what the world says never is.
"""

from __future__ import annotations

import functools
from dataclasses import replace

from react_lab import data, tasks
from react_lab.envs.pages import Encyclopedia, bundled
from react_lab.envs.wiki import WikiEnv
from react_lab.kinds import KINDS, world_of
from react_lab.layouts import Numbered
from react_lab.prompts import Exemplar, exemplar_text, read_exemplars, render
from react_lab.types import Env

__all__ = ["game_env", "main", "played", "played_in", "written", "written_games"]


def played(exemplar: Exemplar, book: Encyclopedia) -> Exemplar:
    """The exemplar with what the world says today."""
    return played_in(exemplar, WikiEnv(book))


def played_in(exemplar: Exemplar, env: Env) -> Exemplar:
    steps = (
        replace(step, observation=env.step(step.action).text or None) if step.action else step
        for step in exemplar.steps
    )
    return replace(exemplar, steps=tuple(steps))


def written(text: str, book: Encyclopedia) -> str:
    """An exemplar file with every observation made anew."""
    layout = Numbered()
    statement, exemplars = read_exemplars(text, layout)
    blocks = []
    for exemplar in exemplars:
        opening = f"{exemplar.opening}\nRationale: {exemplar.rationale}"
        blocks.append(render(replace(played(exemplar, book), opening=opening), layout))
    return "\n".join([statement.strip() + "\n", *blocks])


def written_games(text: str, kind: str = "household") -> str:
    """An exemplar file of games, or of shopping goals, with every observation made anew."""
    record = KINDS[kind]
    _, exemplars = read_exemplars(text, record.layout, [record.start])
    return "\n".join(
        render(played_in(exemplar, game_env(exemplar.opening, kind)), record.layout)
        for exemplar in exemplars
    )


def game_env(opening: str, kind: str = "household") -> Env:
    """An episode of the train game, or train goal, that begins so."""
    return by_opening(kind)[opening]()


@functools.cache
def by_opening(kind: str) -> dict[str, functools.partial[Env]]:
    world = world_of(KINDS[kind], None)
    train = tasks.load(kind, "old_train")  # the games and goals they were written for
    return {world(task).reset(task): functools.partial(world, task) for task in train}


def main() -> None:
    for name in ("multihop", "claims"):
        path = data.folder("exemplars", f"{name}.txt")
        data.write(path, written(exemplar_text(name), bundled()))
        print(f"{path.name}: observations written anew")
    for path in sorted(data.folder("exemplars", "household").glob("*.txt")):
        data.write(path, written_games(path.read_text(encoding="utf-8")))
        print(f"household/{path.name}: observations written anew")
    path = data.folder("exemplars", "shop.txt")
    data.write(path, written_games(path.read_text(encoding="utf-8"), "shop"))
    print("shop.txt: observations written anew")


if __name__ == "__main__":
    main()
