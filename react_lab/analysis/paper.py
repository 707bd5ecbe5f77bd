"""The paper's numbers as data: Tables 1-5, its settings, what Figures 2 and 3 say, and the traps.

>>> print(table(1).loc["ReAct", "multihop"])
27.4
"""

from __future__ import annotations

import json
from typing import Any

from .. import data
from ..support import pd


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(data.folder("paper", f"{name}.json").read_bytes())
    return found


def numbered(what: str, number: int, known: tuple[int, ...]) -> dict[str, Any]:
    if number not in known:
        raise ValueError(f"no {what} {number} here; there are: {', '.join(map(str, known))}")
    return read(f"{what}{number}")


def table(number: int) -> pd.DataFrame:
    """A table of the paper, one row per line of it. What the paper leaves blank is missing here."""
    return pd.DataFrame(numbered("table", number, (1, 2, 3, 4, 5))["rows"]).set_index("name")


def figure(number: int) -> dict[str, Any]:
    """What the paper says of Figure 2 or 3: end points and claims. It prints no points between."""
    return numbered("figure", number, (2, 3))


def settings() -> dict[str, Any]:
    """How the paper ran its experiments: exemplars, step limits, samples, back-off, fine-tuning."""
    return read("settings")


def notes(name: str) -> list[str]:
    """What a reader of `table1` ... `figure3` has to know: its notes, and the traps beside it."""
    return [*read(name)["notes"], *(trap["text"] for trap in traps() if name in trap["about"])]


def traps() -> list[dict[str, Any]]:
    """Where the paper's numbers mislead: each with the tables and figures it is about."""
    found: list[dict[str, Any]] = read("traps")["traps"]
    return found
