"""Writes the observations of our exemplars anew, by doing their acts in the world.

    python -m react_lab.authoring.exemplars        after a change to the encyclopedia

Thoughts and acts are written by hand; what the world says never is.
"""

from __future__ import annotations

from dataclasses import replace

from .. import data
from ..envs.pages import Encyclopedia, bundled
from ..envs.wiki import WikiEnv
from ..layouts import Numbered
from ..prompts import Exemplar, exemplar_text, read_exemplars, render

__all__ = ["main", "played", "written"]


def played(exemplar: Exemplar, book: Encyclopedia) -> Exemplar:
    """The exemplar with what the world says today."""
    env = WikiEnv(book)
    steps = (replace(s, observation=env.step(s.action or "").text or None) for s in exemplar.steps)
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


def main() -> None:
    for name in ("multihop", "claims"):
        path = data.folder("exemplars", f"{name}.txt")
        data.write(path, written(exemplar_text(name), bundled()))
        print(f"{path.name}: observations written anew")


if __name__ == "__main__":
    main()
