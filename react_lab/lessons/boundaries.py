"""The checks of lesson 06: where one mode of Table 2 ends and the next begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import teach
from . import words


def rounded(check: teach.Check) -> teach.Check:
    """A number is right when it is right to a thousandth."""

    def checked(answer: Any) -> str | None:
        if not callable(answer):
            return check(answer)
        return check(lambda *given: to_thousandths(answer(*given)))

    return checked


def to_thousandths(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return tuple(map(to_thousandths, value))
    return round(value, 3) if isinstance(value, float) else value


CHECKS: Mapping[str, teach.Check] = {
    "6.1": words.keys_of("06", "Case {} is"),
    "6.2": rounded(
        teach.cases(
            ((["x", "y", "x", "y"], ["x", "y", "y", "y"]), 0.5),
            ((["x", "y"] * 4, ["x", "y"] * 4), 1.0),
            ((["x", "x", "y", "y"], ["x", "y", "x", "y"]), 0.0),
            ((["x", "y"], ["y", "x"]), -1.0),
            ((["x"] * 6 + ["y"] * 2, ["x"] * 6 + ["z"] * 2), 0.429),
        )
    ),
    "6.3": rounded(
        teach.cases(
            (("x", ["x", "x", "y"], ["x", "y", "y"]), (1.0, 0.5)),
            (("y", ["x", "x", "y"], ["x", "y", "y"]), (0.5, 1.0)),
            (("x", ["y", "y", "x", "x"], ["x", "x", "x", "y"]), (0.333, 0.5)),
        )
    ),
}
