"""How a page looks as text, three ways, and how each is read back.

notebook: as in the authors' notebook, so that their prompts fit: `[Buy Now]` on a line of its own,
the values of an option after its name, `[[chosen]]` ones in double brackets, and the instruction
on the first page only. text and rich: as in WebShop's own text environment, in one line with
`[SEP]` between its texts, or a line each with `[button] Buy Now [button_]`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from .pages import Page, Part
from .products import BUTTONS

__all__ = ["LOOKS", "Look", "Notebook", "Rich", "Text"]

BUTTON = re.compile(r"\[([^\[\]]*)\]")
OPTION = re.compile(r"\[(\[?)([^\[\]]*)\]+")
RICH = re.compile(r"(  )?\[(clicked )?button\] (.*) \[(?:clicked )?button_\]")


class Look(Protocol):
    """A way to show pages."""

    def parts(self, page: Page) -> tuple[Part, ...]: ...  # what of a page is shown

    def show(self, parts: Sequence[Part]) -> str: ...

    def read(self, text: str) -> tuple[Part, ...]: ...


def clickable(name: str, chosen: bool = False) -> Part:
    return Part("button" if name in BUTTONS else "product", name, chosen)


class Notebook:
    """The look of the authors' notebook (Appendix C.3)."""

    def parts(self, page: Page) -> tuple[Part, ...]:
        """The instruction stands on the first page only, below the notebook's own heading."""
        if page.name != "search":
            return page.body
        return Part("text", "Webshop"), *page.head[1:], *page.body

    def show(self, parts: Sequence[Part]) -> str:
        return "".join(map(self.shown, parts)).rstrip()

    def shown(self, part: Part) -> str:
        match part.kind:
            case "option":
                return f"[[{part.text}]]" if part.chosen else f"[{part.text}]"
            case "button" | "product":
                return f"\n[{part.text}] "
        return f"\n{part.text} " + " " * (part.text == "Instruction:")

    def read(self, text: str) -> tuple[Part, ...]:
        """The parts of a shown page. Which products were visited does not show."""
        return tuple(part for line in text.split("\n") for part in self.read_line(line.strip()))

    def read_line(self, line: str) -> list[Part]:
        if button := BUTTON.fullmatch(line):
            return [clickable(button[1])]
        name, bracket, values = line.partition("[")
        if not bracket:
            return [Part("text", line)] if line else []
        options = OPTION.finditer(bracket + values)
        return [Part("name", name.strip()), *(Part("option", o[2], bool(o[1])) for o in options)]


class Text:
    """WebShop's `text`: what can be clicked is not marked; the site's own buttons are known."""

    def parts(self, page: Page) -> tuple[Part, ...]:
        return page.head + page.body

    def show(self, parts: Sequence[Part]) -> str:
        return " [SEP] ".join(part.text for part in parts)

    def read(self, text: str) -> tuple[Part, ...]:
        """Options and products are read as texts."""
        found = text.split(" [SEP] ")
        return tuple(Part("button" if one in BUTTONS else "text", one) for one in found)


class Rich:
    """WebShop's `text_rich`: buttons are marked, and what was clicked is said at the top."""

    def parts(self, page: Page) -> tuple[Part, ...]:
        return page.head + page.body

    def show(self, parts: Sequence[Part]) -> str:
        chosen = [part.text for part in parts if part.kind == "option" and part.chosen]
        said = [f"You have clicked {name}." for name in reversed(chosen)]
        return "\n".join([*said, *map(self.shown, parts)])

    def shown(self, part: Part) -> str:
        if part.kind in ("text", "name"):
            return part.text
        clicked = "clicked " * part.chosen
        before = {"option": "  ", "product": "\n"}.get(part.kind, "")
        return f"{before}[{clicked}button] {part.text} [{clicked}button_]"

    def read(self, text: str) -> tuple[Part, ...]:
        """The parts of a shown page; a text before options is their name."""
        found: list[Part] = []
        for line in text.split("\n"):
            marked = RICH.fullmatch(line)
            if marked and marked[1]:
                if found[-1:] and found[-1].kind == "text":
                    found[-1] = Part("name", found[-1].text)
                found.append(Part("option", marked[3], bool(marked[2])))
            elif marked:
                found.append(clickable(marked[3], bool(marked[2])))
            elif line and (found or not line.startswith("You have clicked ")):
                found.append(Part("text", line))
        return tuple(found)


LOOKS: dict[str, Look] = {"notebook": Notebook(), "text": Text(), "rich": Rich()}
