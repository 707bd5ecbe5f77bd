"""HotpotQA and FEVER in the files that their authors publish: where they are, and what they hold.

Nothing of them is in the package. A file is read from your disk, or fetched once.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .. import data
from ..data import downloads
from ..data.downloads import Source
from ..kinds import Kind
from ..layouts import Plain
from ..prompts import read_exemplars
from ..records import blame, objects, parsed, text

# The repository of the paper's authors, at its last commit: what lies there cannot change.
REACT = "https://raw.githubusercontent.com/ysymyth/ReAct/6bdb3a1fd38b8188fc7ba4102969fe483df8fdc9"
SEED, OF = 233, 7405  # the authors' notebooks shuffle the numbers below OF with this seed


def source_of(name: str, url: str, sha256: str, size: int) -> Source:
    again = downloads.again(name, url, f", and give that file: tasks.load({name!r}, path=...)")
    return Source(f"the file of {name}", url, again, sha256, size)


SETS = {  # the dev split of each: the kind of its tasks, and its file
    "hotpotqa": ("multihop", source_of(
        "hotpotqa", f"{REACT}/data/hotpot_dev_v1_simplified.json",
        "05001dcdeb2b2b2243a88f23daaf8de9237494cd387e13bc25854d3e031101d3", 1_179_017,
    )),
    "fever": ("claims", source_of(
        "fever", "https://fever.ai/download/fever/paper_dev.jsonl",
        "41158707810008747946bf23471e82df53e77a513524b9e3ec1c2e674ef5ef8c", 2_168_767,
    )),
}  # fmt: skip


def rows(path: Path, lines: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a file, JSON lines or one JSON list, each with the words for where it stands."""
    if lines:
        yield from objects(path)
        return
    with blame(f"{path} cannot be read"):
        found = parsed(text(path))
    if not isinstance(found, list):
        raise ValueError(f"{path} holds no list of tasks (one task a line is a .jsonl file)")
    for number, row in enumerate(found, 1):
        if not isinstance(row, dict):
            raise ValueError(f"{path}, row {number}, is not a JSON object")
        yield f"{path}, row {number}", row


def fields_of(row: dict[str, Any], where: str) -> dict[str, Any]:
    """Kind, text, gold answer and type of a row: nothing else of it is for a model."""
    if "question" in row:
        gold, type = row.get("answer"), {"type": row.get("type")}
        return {"kind": "multihop", "text": row["question"], "gold": gold, "extra": type}
    if "claim" in row:
        return {"kind": "claims", "text": row["claim"], "gold": row.get("label"), "extra": {}}
    raise ValueError(f"{where}, has neither a question nor a claim")


def as_the_authors(n: int) -> list[int]:
    """The places in the file of the first n tasks that the authors' notebooks ask, in their order.

    Both notebooks, of HotpotQA and of FEVER, draw from the first 7,405; they ask 500.
    """
    places = list(range(OF))
    random.Random(SEED).shuffle(places)
    if not 0 <= n <= OF:
        raise ValueError(f"{n} tasks were asked for, and the authors drew from {OF:,}")
    return places[:n]


# ------------------------------------------------------------------ the authors' exemplars

# Fetched from their public repository when asked for. They are put into the form of an exemplar
# file of ours: each ReAct exemplar, with the thought that the authors' Chain-of-Thought prompt has
# for it. The other prompts are ablated from that.

FILES = {  # in the authors' repository, the sha256 and the size of each
    "prompts_naive.json": (
        "f35e8c17bbd620b90857712484c51005f5440641a37cff0b042b82ac7f3d71b5", 38_129,
    ),
    "fever.json": ("bfd7793d8766e020a817c8a56b2228f230298fb161f9fa87fa543b4b38d46c03", 6_853),
    "alfworld_3prompts.json": (
        "a10976b4ae99f4802aa9e621933bb71065ae103f2bd273a24466ab1005fbc45a", 62_340,
    ),
}  # fmt: skip
TYPES = {  # what the authors call the types of a game
    "pick_and_place_simple": "put", "pick_clean_then_place_in_recep": "clean",
    "pick_heat_then_place_in_recep": "heat", "pick_cool_then_place_in_recep": "cool",
    "look_at_obj_in_light": "examine", "pick_two_obj_and_place": "puttwo",
}  # fmt: skip


def fetch_prompts(name: str, folder: str | None = None) -> Path:
    """A file of prompts, fetched unless it is there; folder: one that has it."""
    url, kept = f"{REACT}/prompts/{name}", f"react-authors-{name}"
    again = downloads.again("prompts", url, f" and put it at {data.cache() / kept}")
    return downloads.fetch(Source(f"the authors' {name}", url, again, *FILES[name], kept), folder)


def exemplars(kind: Kind, task_type: object = None, leg: str = "") -> str:
    """The text of an exemplar file with the authors' exemplars for a kind of task."""
    if not kind.authors or leg in kind.suffixes:
        raise ValueError(f"the authors published no prompt of {kind.noun} for {leg or 'this'}")
    name, react, *cot = kind.authors.format(type=TYPES.get(str(task_type), task_type)).split()
    there = parsed(text(fetch_prompts(name)))
    found = [there[key] for key in sorted(there) if re.fullmatch(react, key)]
    whole = "\n".join(one.rstrip("\n") + "\n" for one in found)
    if not cot:
        return whole
    answers = "".join(there[key] for key in cot)
    _, answered = read_exemplars(answers, Plain(lead=kind.lead), [kind.start])
    thoughts = {one.opening: one.steps[0].thought for one in answered}

    def opening(line: re.Match[str]) -> str:
        thought = thoughts.get(line[0].strip())
        return f"{line[0]}\nRationale: {thought}" if thought else line[0]

    return re.sub(rf"^{re.escape(kind.start)}.*$", opening, whole, flags=re.M)
