"""Reads the shop's pages back: what stands on them, in the same parts as they were shown from."""

from __future__ import annotations

import re

from react_lab.envs.shop.products import BUTTONS
from react_lab.envs.shop.world import Part

__all__ = ["read"]

BUTTON = re.compile(r"\[([^\[\]]*)\]")
OPTION = re.compile(r"\[(\[?)([^\[\]]*)\]+")


def read(text: str) -> tuple[Part, ...]:
    """The parts of a shown page. Which products were visited does not show."""
    return tuple(part for line in text.split("\n") for part in read_line(line.strip()))


def read_line(line: str) -> list[Part]:
    if button := BUTTON.fullmatch(line):
        return [Part("button" if button[1] in BUTTONS else "product", button[1])]
    name, bracket, values = line.partition("[")
    if not bracket:
        return [Part("text", line)] if line else []
    options = OPTION.finditer(bracket + values)
    return [Part("name", name.strip()), *(Part("option", o[2], bool(o[1])) for o in options)]
