"""The exercises and questions of lesson 06: where one mode of Table 2 ends and the next begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import teach

__all__ = ["CASES", "EXERCISES", "QUESTIONS"]

Check = Callable[[Any], str | None]

CASES: Mapping[str, tuple[str, int, str]] = {  # a case, its key, and what to ask about it
    "a": (
        "It reads that the tower was finished in 1884 and the bridge in 1886. It answers that the "
        "bridge is the older one. Wrong.",
        3, "Is a fact made up here, or is a conclusion wrong?",
    ),
    "b": (
        "It searches for Anna Perry, for Anna Perry (painter), and looks up Perry on the page of "
        "her museum. Each time there is nothing. Then it answers Leeds. Wrong.",
        4, "Would a careful person with these results have known more?",
    ),
    "c": (
        "It does not search. Its thought says that the composer was born in Turin, and the answer "
        "is Turin. He was born in Lucca. Wrong.",
        5, "Where has the thought its fact from?",
    ),
    "d": (
        "The gold answer is Robert Bruce. It answers: Robert the Bruce, King of Scots. Wrong, says "
        "exact match.",
        6, "Would somebody who knows accept this answer?",
    ),
    "e": (
        "The page names the director and no year. The last thought says that she was born in 1930, "
        "and the answer is 1930. Right.",
        2, "Strike out what no page said: does the answer still stand?",
    ),
    "f": (
        "Two searches find nothing. The third opens the right page, the year is read from it, and "
        "the answer is that year. Right.",
        1, "Do clumsy steps count against a run?",
    ),
    "g": (
        "The open page says that he is buried in Bath. The next thought says that no sentence "
        "tells where he is buried; a look-up of 'grave' finds nothing, and it gives up. Wrong.",
        3, "Which comes first, the look-up that fails or the sentence that is overlooked?",
    ),
    "h": (
        "The page says nothing of his wife. The next thought says that his wife was Clara Dent. It "
        "searches for her, there is no such page, and it answers Dent. Wrong.",
        5, "The search fails too, but which of the two is the first thing that goes wrong?",
    ),
}  # fmt: skip


def keys_right(answer: Any) -> str | None:
    """The first case that is wrong, with the question to ask about it."""
    if not isinstance(answer, Mapping):
        return "This exercise asks for keys, as in dict(a=1, b=2)."
    for name, (_, key, ask) in CASES.items():
        if answer.get(name) != key:
            return f"Case {name} is something else than {answer.get(name)!r}. {ask}"
    return None


def rounded(check: Check) -> Check:
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


NAMED = teach.Exercise(
    "Eight short cases stand above. Give each its key: 1 true positive, 2 false positive, 3 "
    "reasoning error, 4 search result error, 5 hallucination, 6 label ambiguity.",
    keys_right,
    "keys = dict(a=3, b=4, c=5, d=6, e=2, f=1, g=3, h=5)",
    (
        "First ask whether the answer is right: 1 and 2 are successes, 3 to 6 are failures.",
        "Then find the first thing that goes wrong, and ask whether a page said so.",
    ),
    minutes=8,
    dots=2,
)

AGREED = teach.Exercise(
    "Write kappa(a, b) for two lists of labels of the same runs: (same - chance) / (1 - chance). "
    "`same` is the share of runs with the same label. `chance` is the share that two readers would "
    "have in common if each gave labels as often as they did, but blindly: for every label, the "
    "share it has in a times the share it has in b, all added up.",
    rounded(
        teach.cases(
            ((["x", "y", "x", "y"], ["x", "y", "y", "y"]), 0.5),
            ((["x", "y"] * 4, ["x", "y"] * 4), 1.0),
            ((["x", "x", "y", "y"], ["x", "y", "x", "y"]), 0.0),
            ((["x", "y"], ["y", "x"]), -1.0),
            ((["x"] * 6 + ["y"] * 2, ["x"] * 6 + ["z"] * 2), 0.429),
        )
    ),
    """def kappa(a, b):
    n = len(a)
    same = sum(x == y for x, y in zip(a, b)) / n
    chance = sum(a.count(label) / n * b.count(label) / n for label in set(a))
    return (same - chance) / (1 - chance)""",
    (
        "The share that is the same: sum(x == y for x, y in zip(a, b)) / len(a).",
        "Chance, for one label: a.count(label) / n * b.count(label) / n. Add up over set(a).",
    ),
    minutes=12,
    dots=3,
)

MEASURED = teach.Exercise(
    "Write measured(mode, agreed, suggested) for two lists of modes of the same runs. It returns "
    "two numbers: the precision (of the runs for which the rules suggest this mode, the share for "
    "which it was agreed) and the recall (of the runs for which it was agreed, the share for which "
    "the rules suggest it).",
    rounded(
        teach.cases(
            (("x", ["x", "x", "y"], ["x", "y", "y"]), (1.0, 0.5)),
            (("y", ["x", "x", "y"], ["x", "y", "y"]), (0.5, 1.0)),
            (("x", ["y", "y", "x", "x"], ["x", "x", "x", "y"]), (0.333, 0.5)),
        )
    ),
    """def measured(mode, agreed, suggested):
    both = sum(a == s == mode for a, s in zip(agreed, suggested))
    return both / suggested.count(mode), both / agreed.count(mode)""",
    (
        "Count three things: agreed on, suggested, and both on the same run.",
        "Precision is both / suggested.count(mode), recall is both / agreed.count(mode).",
    ),
    minutes=6,
    dots=2,
)

EXERCISES = {"6.1": NAMED, "6.2": AGREED, "6.3": MEASURED}

QUESTIONS = (
    teach.Question(
        "Why is the gold answer hidden when a run is judged?",
        (
            ("It may be wrong", False, "It may, and the second stage has a mode for that."),
            (
                "Who knows the outcome reads the steps by it",
                True,
                "A lucky guess looks sound, and a sound run looks wrong, once the grade is known.",
            ),
            ("To save time", False, "It costs time: the run is looked at twice."),
        ),
    ),
    teach.Question(
        "Why is kappa given within successes and within failures, and not over all six modes?",
        (
            (
                "There are too few runs",
                False,
                "To divide them makes each interval wider, if anything.",
            ),
            (
                "The grade settles half of it for both readers",
                True,
                "Neither reader can call a wrong answer a true positive: that is no agreement.",
            ),
            ("The paper does so", False, "The paper gives no agreement at all."),
        ),
    ),
    teach.Question(
        "The first search fails. The next thought states a fact that no page said, and the answer "
        "is wrong. Further searches might have found the page. Which mode?",
        (
            ("Search result error", False, "Only if a careful person would be stuck there too."),
            ("Hallucination", True, "A made-up fact, although it had a chance to look it up."),
            ("Reasoning error", False, "No conclusion is wrong here: its premise is made up."),
        ),
    ),
    teach.Question(
        "A rule suggests 'hallucination' for 20 runs, and 10 of them are. There are 40 such runs "
        "in all. What are its precision and its recall?",
        (
            ("50% and 25%", True, "10 of the 20 suggested; 10 of the 40 there are."),
            ("25% and 50%", False, "The other way round: precision is about what is suggested."),
            ("50% and 50%", False, "It misses 30 of the 40."),
        ),
    ),
)
