"""Methods against each other on the same tasks: Figure 3's claims, and paired differences."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from .. import stats
from ..analysis import paper
from ..kinds import LEGS
from ..score import FINE_TUNED, PROMPTED
from .backoff import combined
from .picture import Picture, canvas, drawing, written
from .rates import (
    OURS,
    RunsOrFrame,
    about,
    beside,
    caution,
    graded,
    in_order,
    in_sources,
    joined,
    name_of,
    one_model,
    one_setting,
    panels,
    rates,
    task_word,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

VERDICTS = {1: "supported", -1: "contradicted", 0: "not decided"}


def figure3(data: RunsOrFrame, kind: str = "multihop") -> Picture:
    """Figure 3: prompted and fine-tuned, two panels and two tables, and the paper's claims.

    A claim is supported where every comparison it makes is beyond chance on the same tasks
    (exact McNemar), contradicted where one is the other way round, else not decided.
    kind: the kind of task; the paper's is multihop.
    """
    import pandas as pd

    df = graded(data, "model", "source", "end", "calls")
    df = df[df["method"].isin(LEGS) & (df["kind"] == kind)]
    parts = {setting: df[df["setting"] == setting] for setting in (PROMPTED, FINE_TUNED)}
    parts = {setting: rows for setting, rows in parts.items() if len(rows)}
    if FINE_TUNED not in parts:
        raise ValueError(f"Figure 3 wants fine-tuned runs on {task_word(kind)}: none is here")
    claims = pd.DataFrame([judged(claim, df) for claim in paper.figure(3)["claims"]])
    lines = [f"{verdict}: {text} ({sure})." for text, verdict, sure in claims.to_numpy()]
    each = " ".join(about(rows, how) for how, rows in parts.items())
    caption = (
        f"{caution(df)}Figure 3 with our runs: {each} Bars: 95% Wilson intervals. The paper's "
        "claims (PaLM-8B and 62B on HotpotQA, fine-tuned on 3,000 trajectories), here by exact "
        "McNemar tests on the same tasks:\n" + "\n".join(lines)
    )
    order = pd.DataFrame({"method": LEGS, "paper": None}, index=[name_of(leg) for leg in LEGS])
    forests = {how: beside(rates(rows, "method"), order, "paper") for how, rows in parts.items()}
    drawn = panels(forests, caption, paper.notes("figure3"), down=True)
    tables = {how: joined({how: rows}) for how, rows in reversed(forests.items())}
    return Picture(drawn.figure, caption, {**tables, "claims": claims}, drawn.notes)


def judged(claim: dict[str, Any], df: pd.DataFrame) -> dict[str, str]:
    """A claim of the paper against these runs, in a word."""
    row, df = {"claim": str(claim["text"])}, df.assign(arm=df["method"] + " " + df["setting"])
    better, worse = ([" ".join(arm) for arm in claim[side]] for side in ("better", "worse"))
    if lacking := sorted({*better, *worse} - set(df["arm"])):
        return row | {"verdict": "not run", "comparisons": f"no runs of {', '.join(lacking)}"}
    arms = itertools.product(better, worse)
    pairs = [stats.paired(df, one, other, by="arm") for one, other in arms]
    signs = [(1 if pair.difference > 0 else -1) if pair.separated else 0 for pair in pairs]
    row["verdict"] = VERDICTS[-1 if -1 in signs else min(signs)]
    told = f"{signs.count(1)} of {len(signs)} comparisons beyond chance"
    other = f", {signs.count(-1)} the other way" if -1 in signs else ""
    return row | {"comparisons": told + other}


def differences(data: RunsOrFrame, than: str = "react") -> Picture:
    """Every method against one (`than`) on the same tasks, and how many tasks it would take."""
    df = graded(data, "model", "source", "end", "calls")
    setting, warning, df = one_setting(df), caution(df), combined(df)
    parts = {title: pairs_with(rows, than) for title, rows in in_sources(df)}
    caption = (
        f"{warning}Differences from {name_of(than)} on the same tasks: {about(df, setting)} "
        "Bars: 95% intervals by paired bootstrap. Filled: beyond chance (exact McNemar, p < 0.05). "
        f"{' '.join(filter(None, (in_words(title, pairs) for title, pairs in parts.items())))}"
    )
    with drawing():
        rows = max(map(len, parts.values()))
        figure, axes = canvas(len(parts), 2.7 + 5.2 * len(parts), 1.8 + 0.55 * rows)
        for ax, (title, pairs) in zip(axes, parts.items(), strict=True):
            draw_pairs(ax, pairs)
            ax.set_title(title)
            ax.set_xlabel(f"points above {name_of(than)}")
        written(figure, caption)
    return Picture(figure, caption, {title: table_of_pairs(p) for title, p in parts.items()})


def pairs_with(df: pd.DataFrame, than: str) -> list[stats.Pair]:
    one_model(df)
    others = [method for method in in_order(set(df["method"])) if method != than]
    if not others:
        raise ValueError(f"these runs are all of {than}: a difference wants another method's")
    return [stats.paired(df, method, than) for method in others]


def in_words(tasks: str, pairs: list[stats.Pair]) -> str:
    """Which differences these tasks are too few to see, and how many would be enough."""
    unsure = [
        f"{name_of(pair.a)} ({f'about {pair.roughly}' if pair.needed else 'even'})"
        for pair in pairs if not pair.separated
    ]  # fmt: skip
    if not unsure:
        return ""
    return (
        f"Too few {tasks} to tell apart, with the number that would show a difference "
        f"of this size 4 times in 5: {', '.join(unsure)}."
    )


def draw_pairs(ax: Axes, pairs: list[stats.Pair]) -> None:
    for y, pair in enumerate(pairs):
        ax.plot([100 * pair.low, 100 * pair.high], [y, y], "-", color=OURS, lw=3.5, alpha=0.5)
        fill = OURS if pair.separated else "white"
        ax.plot([100 * pair.difference], [y], "o", color=OURS, mfc=fill, mew=2, ms=10)
        text = f"{100 * pair.difference:+.1f}   {pair.chance}"
        ax.text(1.03, y, text, transform=ax.get_yaxis_transform(), va="center", size=13)
    ax.axvline(0, color="#222222", lw=1)
    ax.set_yticks(range(len(pairs)), [name_of(pair.a) for pair in pairs])
    ax.set_ylim(len(pairs) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def table_of_pairs(pairs: list[stats.Pair]) -> pd.DataFrame:
    import pandas as pd

    rows = [
        {
            "method": name_of(pair.a), "against": name_of(pair.b), "n": pair.n,
            "points": round(100 * pair.difference, 1), "from": round(100 * pair.low, 1),
            "to": round(100 * pair.high, 1), "only it": pair.wins, "only the other": pair.losses,
            "p": pair.chance.removeprefix("p ").removeprefix("= "), "tasks needed": pair.needed,
        }
        for pair in pairs
    ]  # fmt: skip
    return pd.DataFrame(rows).astype({"tasks needed": "Int64"})


def told(pairs: Iterable[stats.Pair], among: Collection[str], counted: str) -> str:
    """The differences between these methods, for the reader of a caption.

    counted: what is said of the tasks on which one of them did better, `{wins}` and `{losses}`.
    """
    return "; ".join(
        f"{name_of(pair.a)} against {name_of(pair.b)} {100 * pair.difference:+.1f} points "
        f"({100 * pair.low:+.0f} to {100 * pair.high:+.0f}; "
        f"{counted.format(wins=pair.wins, losses=pair.losses)}; {pair.chance})"
        for pair in pairs if {pair.a, pair.b} <= {*among}
    )  # fmt: skip
