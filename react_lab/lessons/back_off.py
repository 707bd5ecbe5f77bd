"""Lesson 05: where the combinations can differ from ReAct and CoT-SC at all, and what came out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..analysis import paper
from ..plots.rates import name_of, task_word
from .combining import Combinations

if TYPE_CHECKING:
    import pandas as pd

FEW = 0.1  # a combination that hands over on fewer tasks can hardly differ
COMBINED = ("react->cot-sc", "cot-sc->react")


def hand_overs(several: Iterable[Combinations]) -> pd.DataFrame:
    """How often each combination can hand over; elsewhere it says what its first part says."""
    import pandas as pd

    rows = {
        each.name: {
            "tasks": each.tasks, "samples": each.n, "ReAct's step limit": each.limit,
            "majority reaches n/2": f"{sure_of(each):.0%}",
            "ReAct gives no answer": f"{each.react()['gave_up']:.0%}",
        }
        for each in several
    }  # fmt: skip
    return pd.DataFrame(rows).T


def sure_of(both: Combinations) -> float:
    return float(both.curve()["sure"].iloc[-1])


def words_of(both: Combinations) -> str:
    """What the two shares mean for the combinations, in a sentence or two."""
    sure, silent = sure_of(both), both.react()["gave_up"]
    words = f"{both.name}: the majority reaches n/2 on {sure:.0%} of {both.tasks} tasks"
    if sure < FEW:
        words += ", so CoT-SC → ReAct asks ReAct nearly always and can hardly differ from it here"
    elif sure > 1 - FEW:
        words += ", so CoT-SC → ReAct asks ReAct hardly ever and can hardly differ from CoT-SC here"
    words += f". ReAct gives no answer on {silent:.0%}"
    if silent < FEW:
        words += ", so ReAct → CoT-SC can hardly differ from ReAct here"
    elif sure < FEW:
        words += ", and then CoT-SC answers, though its samples do not agree"
    return f"{words}. For the combinations look at the claims." if sure < FEW else f"{words}."


def reaches(curve: pd.DataFrame, method: str) -> int | None:
    """The fewest samples with which a method is as good as CoT-SC with all. The solution of 5.3."""
    goal = curve[curve["method"] == "cot-sc"].sort_values("samples")["rate"].iloc[-1]
    there = curve[(curve["method"] == method) & (curve["rate"] >= goal)]
    return None if there.empty else int(there["samples"].min())


def figure2_claims(several: Iterable[Combinations]) -> pd.DataFrame:
    """What the paper says of Figure 2, looked up in our curves."""
    import pandas as pd

    rows = []
    for both in several:
        curve = both.curve()
        rate = curve.pivot(index="samples", columns="method", values="rate")
        for method in COMBINED:
            above = int((rate[method] > rate["cot-sc"]).sum())
            first = reaches(curve, method)
            rows.append({
                "": both.name, "method": name_of(method),
                "above CoT-SC": f"at {above} of {both.n} numbers of samples",
                f"reaches CoT-SC with {both.n}": "never" if first is None else f"with {first}",
            })  # fmt: skip
    return pd.DataFrame(rows).set_index("")


def beside_paper(both: Combinations) -> pd.DataFrame:
    """The rows of Table 1 that this lesson is about, ours beside the paper's."""
    import pandas as pd

    theirs = paper.table(1).set_index("method")[both.kind]
    last = both.curve().groupby("method").last().T.to_dict()
    ours = {"react": both.react()} | {str(method): row for method, row in last.items()}
    rows = {
        name_of(method): {
            f"{paper.settings()[both.kind]['benchmark']}, paper": theirs[method],
            f"{task_word(both.kind)}, here": round(100 * row["rate"], 1),
            "95% interval": f"{100 * row['low']:.0f} to {100 * row['high']:.0f}",
        }
        for method in ("cot-sc", "react", *COMBINED)
        for row in [ours[method]]
    }
    return pd.DataFrame(rows).T
