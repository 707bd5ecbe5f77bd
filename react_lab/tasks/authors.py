"""The authors' own exemplars, fetched from their public repository when asked for: never shipped.

They are put into the form of an exemplar file of ours: each ReAct exemplar, with the thought that
the authors' Chain-of-Thought prompt has for it. The other prompts are ablated from that.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..data import downloads
from ..data.downloads import Source
from ..kinds import Kind
from ..layouts import Plain
from ..prompts import read_exemplars
from ..records import parsed, text
from .published import REACT

FILES = {  # in the authors' repository, and the sha256 of the copies that we were tested with
    "prompts_naive.json": "f35e8c17bbd620b90857712484c51005f5440641a37cff0b042b82ac7f3d71b5",
    "fever.json": "bfd7793d8766e020a817c8a56b2228f230298fb161f9fa87fa543b4b38d46c03",
    "alfworld_3prompts.json": "a10976b4ae99f4802aa9e621933bb71065ae103f2bd273a24466ab1005fbc45a",
}
AGAIN = (
    "with network, `python -m react_lab fetch prompts` goes on from there; or get {url} by other "
    "means and put it at {path}"
)
TYPES = {  # what the authors call the types of a game
    "pick_and_place_simple": "put", "pick_clean_then_place_in_recep": "clean",
    "pick_heat_then_place_in_recep": "heat", "pick_cool_then_place_in_recep": "cool",
    "look_at_obj_in_light": "examine", "pick_two_obj_and_place": "puttwo",
}  # fmt: skip


def source(name: str) -> Source:
    url, kept = f"{REACT}/prompts/{name}", f"react-authors-{name}"
    bare = Source(f"the authors' {name}", url, "", tested=FILES[name], name=kept)
    again = AGAIN.format(url=url, path=bare.path)
    return Source(bare.what, url, again, tested=bare.tested, name=kept)


def fetch(name: str, on_bytes: downloads.OnBytes | None = None, folder: str | None = None) -> Path:
    """One of the authors' prompt files, fetched unless it is there; folder: one that has it."""
    return downloads.fetch(source(name), on_bytes, prompts_in, folder)


def prompts_in(path: Path) -> dict[str, str]:
    """The prompts of a file by the authors' names for them."""
    found = parsed(text(path))
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        raise ValueError(f"{path} holds no prompts by name")
    return found


def exemplars(kind: Kind, task_type: object = None, leg: str = "") -> str:
    """The text of an exemplar file with the authors' exemplars for a kind of task."""
    if not kind.authors or leg in kind.twins:
        raise ValueError(f"the authors published no prompt of {kind.noun} for {leg or 'this'}")
    name, react, *cot = kind.authors.format(type=TYPES.get(str(task_type), task_type)).split()
    there = prompts_in(fetch(name))
    found = [there[key] for key in sorted(there) if re.fullmatch(react, key)]
    thoughts = "".join(there.get(key, "") for key in cot)
    if not found or (cot and not thoughts):
        raise ValueError(f"{source(name).path} has no {react} {' '.join(cot)}".rstrip())
    whole = "\n".join(one.rstrip("\n") + "\n" for one in found)
    return with_rationales(whole, thoughts, kind) if cot else whole


def with_rationales(react: str, cot: str, kind: Kind) -> str:
    """Each exemplar with the line of its thought in the CoT prompt, where it has one."""
    _, answered = read_exemplars(cot, Plain(lead=kind.lead), [kind.start])
    thoughts = {one.opening: one.steps[0].thought for one in answered}

    def opening(line: re.Match[str]) -> str:
        thought = thoughts.get(line[0].strip())
        return f"{line[0]}\nRationale: {thought}" if thought else line[0]

    return re.sub(rf"^{re.escape(kind.start)}.*$", opening, react, flags=re.M)
