"""Table 4 beside shoppers without any model, and beside people (lesson 08)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .. import data, stats, store
from ..analysis import paper, table4
from ..plots.picture import Picture, canvas, drawing, written
from ..types import Trajectory
from .purchases import who

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

FIRST = "first hit"  # searches for the instruction, and buys whatever comes first
BANDS = {  # of a reward: from the best to nothing
    "1: a success": "#0072B2",
    "0.5 and more": "#6FB1DC",
    "below 0.5": "#C9CED3",
    "0, or nothing bought": "#FFFFFF",
}


def simple() -> list[Trajectory]:
    """Three shoppers without a model, on our test goals: two silly ones, and our oracle."""
    return table4.programs()


def people(path: str = "runs/by_hand.jsonl") -> Sequence[Trajectory]:
    """The runs of people, as `console.save()` keeps them; none where nobody shopped."""
    found = data.resolve(path)
    shopped = store.open(found) if found.exists() else []
    return [run for run in shopped if run.task.kind == "shop" and run.end != "unfinished"]


def on_the_same(mine: Iterable[Trajectory], others: Iterable[Trajectory]) -> list[Trajectory]:
    """My runs, and those of the others on the same goals."""
    mine = list(mine)
    goals = {run.task.id for run in mine}
    return [*mine, *(run for run in others if run.task.id in goals)]


# ---------------------------------------------------------------------- Table 4


def table_row(rewards: Sequence[float | None]) -> tuple[float, float]:
    """The solution of 8.4, by which its cases are made: score and success rate, in percent."""
    n = len(rewards)
    return 100 * sum(r or 0 for r in rewards) / n, 100 * sum(r == 1 for r in rewards) / n


def beside_paper(runs: Iterable[Trajectory]) -> pd.DataFrame:
    """Score and success rate of each shopper with 95% intervals; below them the paper's rows."""
    import pandas as pd

    rows = {}
    for name, found in by_shopper(runs).items():
        score, success = table_row(found)
        low, high = stats.bootstrap([r or 0.0 for r in found])
        least, most = (100 * end for end in stats.wilson(sum(r == 1 for r in found), len(found)))
        between = f" ({100 * low:.0f} to {100 * high:.0f})" if len(found) > 1 else ""
        rows[f"here: {name}"] = [
            len(found), f"{score:.1f}{between}", f"{success:.1f} ({least:.0f} to {most:.0f})"
        ]  # fmt: skip
    for label, each in paper.table(4).iterrows():
        rows[f"paper: {label}"] = ["–", f"{each['score']:.1f}", f"{each['success']:.1f}"]
    return pd.DataFrame(rows, index=["goals", "score", "success rate"]).T


def by_shopper(runs: Iterable[Trajectory]) -> dict[str, list[float | None]]:
    """The rewards of each shopper's shopping goals."""
    found: dict[str, list[float | None]] = {}
    for run in runs:
        if run.task.kind == "shop":
            found.setdefault(who(run), []).append(run.reward)
    return found


def gaps(runs: Iterable[Trajectory], one: str, other: str) -> pd.DataFrame:
    """Two shoppers on the same goals, by score and by success: the difference, and its chance."""
    import pandas as pd

    rows = [(who(run), run.task.id, run.reward or 0.0) for run in runs]
    df = pd.DataFrame(rows, columns=["method", "task", "correct"])
    pairs = {
        "score": stats.paired(df, one, other),
        "success rate": stats.paired(df.assign(correct=df["correct"] == 1), one, other),
    }
    return pd.DataFrame({
        name: {
            "goals": pair.n, one: f"{100 * pair.rate_a:.1f}", other: f"{100 * pair.rate_b:.1f}",
            "difference": f"{100 * pair.difference:+.1f}",
            "95%": f"{100 * pair.low:+.1f} to {100 * pair.high:+.1f}",
            f"{one} better": pair.wins, f"{other} better": pair.losses, "p": pair.chance,
        }
        for name, pair in pairs.items()
    }).T  # fmt: skip


def rewards(runs: Iterable[Trajectory]) -> Picture:
    """Where the score comes from: the share of each shopper's goals by what they earned."""
    import pandas as pd

    found = by_shopper(runs)
    counts = {name: [*map([band(r) for r in each].count, BANDS)] for name, each in found.items()}
    table = pd.DataFrame.from_dict(counts, orient="index", columns=list(BANDS))
    goals = sorted({len(each) for each in found.values()})
    caption = (
        f"What {len(found)} shoppers earned on {' or '.join(map(str, goals))} goals. The first "
        "part of a bar is the success rate; the diamond is the score, the mean of all rewards. "
        "What lies between the first part and the last earns some score and is no success."
    )
    with drawing():
        figure, [ax] = canvas(1, 9.5, 1.4 + 0.55 * len(found))
        for y, (name, row) in enumerate(counts.items()):
            base = 0.0
            for share, colour in zip(
                (100 * n / sum(row) for n in row), BANDS.values(), strict=True
            ):
                ax.barh(y, share, 0.7, left=base, color=colour, edgecolor="#555555", lw=0.8)
                base += share
            ax.plot(table_row(found[name])[0], y, "D", color="#D55E00", mec="#FFFFFF", ms=10)
        ax.set_yticks(range(len(counts)), list(counts))
        ax.set(xlabel="% of the goals", xlim=(0, 100), ylim=(len(counts) - 0.5, -0.6))
        key(figure)
        written(figure, caption)
    return Picture(figure, caption, {"rewards": table.rename_axis("shopper").reset_index()})


def band(reward: float | None) -> str:
    names = list(BANDS)
    if not reward:
        return names[3]
    return names[0] if reward == 1 else names[1] if reward >= 0.5 else names[2]


def key(figure: Figure) -> None:
    from matplotlib.patches import Patch

    marks = [Patch(fc=colour, ec="#555555", label=name) for name, colour in BANDS.items()]
    figure.legend(handles=marks, loc="outside upper left", ncols=4)
