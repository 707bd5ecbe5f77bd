"""From runs to the rows that a plot draws: rates with intervals, and words for the caption."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import score, stats
from ..kinds import KINDS, kind_of
from ..methods import METHODS
from ..score import FINE_TUNED, NO_MODEL, PROMPTED
from ..support import pd
from ..types import FAULTS
from .picture import Picture, cell_text, decimals, plain, sheet

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RunsOrFrame = Any  # one run, many, or a DataFrame of `rl.frame`
Interval = Callable[[Sequence[float]], tuple[float, float]]

NAMED = 3  # data sets that a caption names
SETTINGS = {
    PROMPTED: "prompted with exemplars (few-shot)",
    FINE_TUNED: "fine-tuned, asked without exemplars",
    NO_MODEL: "played by a rule or by hand",
}
RATE = (
    "n", "right", "rate", "low", "high", "accepted", "finished", "of_finished", "faults", "calls",
)  # fmt: skip


def frame_of(data: RunsOrFrame, *needs: str) -> pd.DataFrame:
    """One run or many as a frame with the columns that a plot needs; a frame is taken as it is."""
    df = data if isinstance(data, pd.DataFrame) else score.frame(data)
    if df.empty:
        raise ValueError("there are no runs to draw")
    if missing := ", ".join(name for name in needs if name not in df):
        raise ValueError(f"this frame lacks {missing}: give the plot the runs themselves")
    return df


def graded(data: RunsOrFrame, *needs: str) -> pd.DataFrame:
    """The rows that somebody can grade. In a world that rewards, a run without a reward failed.

    A run that a person edited is not the method's own work: it counts in no rate.
    """
    df = frame_of(data, "kind", "method", "task", "correct", "setting", *needs)
    ungraded = "none of these runs can be graded: their tasks have no gold answer"
    own = kept = only(df, df["correct"].notna(), ungraded)
    if {"parent", "edits"} <= set(df):  # else a frame of your own
        whole = kept["parent"].isna() | ~kept["edits"].gt(0)
        edited = "all of these runs were edited by a person: compare them with rl.show"
        own = only(kept, whole, edited)
    own = own.assign(correct=own["correct"].astype(float))
    own.attrs["edited"] = df.attrs.get("edited", 0) + len(kept) - len(own)
    return own


def only(df: pd.DataFrame, rows: pd.Series[bool], otherwise: str) -> pd.DataFrame:
    if not rows.any():
        raise ValueError(otherwise)
    return df[rows]


def one_setting(df: pd.DataFrame) -> str:
    """Prompted or fine-tuned: never both in one picture of rates. Programs may stand by either."""
    settings = sorted(set(df["setting"]) - {NO_MODEL}) or [NO_MODEL]
    if len(settings) > 1:
        raise ValueError(
            "some of these runs are prompted and some fine-tuned: give one kind, as in "
            "df[df['setting'] == 'prompted']"
        )
    return str(settings[0])


def one_model(df: pd.DataFrame, column: str = "model", what: str = "models") -> str:
    """The model of a table, or what else it has one of; of several, a sentence."""
    names = sorted({*map(str, df[column])} - {NO_MODEL}) or [NO_MODEL]
    if len(names) > 1:
        raise ValueError(
            f"these runs are of {len(names)} {what} ({', '.join(map(plain, names))}): choose "
            f"one, as in df[df[{column!r}] == {names[0]!r}]"
        )
    return plain(names[0])


def by_wilson(values: Sequence[float]) -> tuple[float, float]:
    return stats.wilson(min(sum(values), len(values)), len(values))


def of_methods(df: pd.DataFrame, interval: Interval = by_wilson) -> pd.DataFrame:
    """A method's rate three ways: correct of all, finished of all, correct of the finished.

    The tasks are the sample: one that was run several times counts once, by its mean.
    """
    rows = [{"method": name, **rate_of(rows, interval)} for name, rows in df.groupby("method")]
    return pd.DataFrame(rows, columns=["method", *RATE])


def rate_of(group: pd.DataFrame, interval: Interval) -> dict[str, Any]:
    tasks, finished, accepted = group.groupby("task"), group["end"] == "finished", None
    means = tasks["correct"].mean()
    low, high = interval(means.tolist())
    if "accepted" in group:  # with other wordings that tasks list
        accepted = float(tasks["accepted"].apply(lambda each: each.eq(True).mean()).mean())
    return {
        "n": len(means), "right": float(means.sum()), "rate": float(means.mean()),
        "low": max(low, 0.0), "high": min(high, 1.0), "accepted": accepted,
        "finished": float(finished.mean()),
        "of_finished": float(group["correct"][finished].mean()),  # missing where none finished
        "faults": int(group["end"].isin(FAULTS).sum()), "calls": float(group["calls"].mean()),
    }  # fmt: skip


def beside(ours: pd.DataFrame, theirs: pd.DataFrame, column: str) -> pd.DataFrame:
    """Our rates beside the paper's lines, in its order; below them the methods it has not."""
    lines = theirs[["method", column]].set_axis(["method", "paper"], axis="columns")
    lines = lines.rename_axis("label").reset_index()
    beyond = in_order({*ours["method"]} - {*theirs["method"]})
    others = pd.DataFrame({"label": list(map(name_of, beyond)), "method": beyond})
    rows = pd.concat([lines, others]).merge(ours, "left", on="method")
    return rows.astype(dict.fromkeys((*RATE, "paper"), "float"))


def table_of(rows: pd.DataFrame, **first: Any) -> pd.DataFrame:
    """Rates as a table for people: percent, one decimal, the paper's number beside ours."""
    shares = {
        "%": "rate", "from": "low", "to": "high", "accepted %": "accepted",
        "finished %": "finished", "% of finished": "of_finished",
    }  # fmt: skip
    counts = {name: whole(rows[name]) for name in ("n", "right", "faults") if name in rows}
    percent = {name: (100 * rows[key]).round(1) for name, key in shares.items() if key in rows}
    calls = {"calls": rows["calls"].round(1)} if "calls" in rows else {}
    beside = {"paper %": rows["paper"]} if "paper" in rows else {}
    table = pd.DataFrame({**first, **counts, **percent, **calls, **beside})
    return table.dropna(axis="columns", how="all")


def whole(numbers: pd.Series[Any]) -> pd.Series[Any]:
    """Counts without a decimal point, unless repeats made fractions of them."""
    fractions = (numbers.dropna() % 1 != 0).any()
    return numbers.round(1) if fractions else numbers.astype("Int64")


def name_of(method: str) -> str:
    return METHODS[method].title if method in METHODS else plain(method, 24)


def in_order(names: Iterable[str], known: Iterable[str] = METHODS) -> list[str]:
    """The known ones (methods) in the order of their table, then whatever else there is."""
    there = set(names)
    return [name for name in known if name in there] + sorted(there - {*known})


def task_word(kind: str) -> str:
    return plain(kind_of(kind).noun)


def in_kinds(df: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The rows of each kind of task, in the paper's order."""
    return [(kind, df[df["kind"] == kind]) for kind in in_order(map(str, df["kind"]), KINDS)]


def in_sources(df: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows of each kind of task; of games in a house, those of each source apart."""
    for kind, rows in in_kinds(df):
        names = rows["source"].astype(str)
        if kind_of(kind).view != "house" or names.nunique() == 1:
            yield task_word(kind), rows
        else:
            yield from ((f"games of {plain(name)}", part) for name, part in rows.groupby(names))


def source_names(df: pd.DataFrame) -> str:
    """The data sets by name: a few, for tasks of one's own may have each a source of its own."""
    names = [plain(name, 32) for name in sorted(set(map(str, df["source"])))]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED + 1 else ""
    return ", ".join(names[:NAMED] if more else names) + more


def about(df: pd.DataFrame, setting: str, who: str = "") -> str:
    """Model (or who), setting, data set and n: what every caption says."""
    sets = " and ".join(
        f"{task_word(str(rows['kind'].iloc[0]))} ({source_names(rows)}, n = {sizes(rows)})"
        for _, rows in in_sources(df)
    )
    return f"{who or one_model(df)}, {SETTINGS[setting]}, on {sets}."


def sizes(df: pd.DataFrame) -> str:
    counts = sorted(set(df.groupby(["model", "method"])["task"].nunique()))
    return " to ".join(map(str, dict.fromkeys((counts[0], counts[-1]))))


def caution(df: pd.DataFrame) -> str:
    """Runs that failed for reasons of the network, not of the model; and what was left out."""
    shares = {"the world could not be reached; run them again": (df["end"] == "env_error").mean()}
    if "run_flags" in df:
        told = "a reply was cut in the middle; give the model a larger max_tokens="
        shares[told] = df["run_flags"].astype(str).str.contains(r"\bcut\b").mean()
    careful = {what: share for what, share in shares.items() if share > 0.05}
    words = "".join(f"CAREFUL: in {n:.0%} of these runs {what}. " for what, n in careful.items())
    if edited := df.attrs.get("edited", 0):
        words += f"Left out: {edited} run{'s' * (edited > 1)} that a person edited. "
    return words


# ------------------------------------------------------------------ forest

# Okabe and Ito's colours, distinct to the colour-blind; form and fill say the same once more.
OURS, PAPER, QUIET = "#0072B2", "#A34700", "#777777"
COLUMNS = {"ours": (0.28, OURS), "n": (0.58, QUIET), "paper": (0.98, PAPER)}
FILLED: dict[str, Any] = {"color": OURS, "marker": "o", "ms": 10, "lw": 3.5}
HOLLOW: dict[str, Any] = {"color": PAPER, "marker": "D", "ms": 8, "mfc": "white", "mew": 2, "lw": 0}

Panels = Mapping[str, "pd.DataFrame"]  # title -> rows: label, rate, low, high, n, paper ...
Looks = Mapping[str, Mapping[str, Any]]  # what a mark stands for, and how it looks


def panels(
    parts: Panels, caption: str, notes: Sequence[str] = (), *,
    paper: str = "the paper: PaLM-540B", unit: str = "% correct", down: bool = False,
) -> Picture:  # fmt: skip
    """One picture of several forests with the same scale, and one table of them all.

    down: below each other, so that a narrow page can show the letters at their size.
    """
    each = (3.6, 1.9)  # a forest, and the columns of numbers beside it
    rows = max(map(len, parts.values()))
    tops = [100 * p["high"].max() for p in parts.values()]
    tops += [p["paper"].max() for p in parts.values()]
    most = min(100, 10 * (int(max(0, *(top for top in tops if top == top)) / 10) + 1))
    wide, tall = (1, len(parts)) if down else (len(parts), 1)
    size = 2.7 + sum(each) * wide, 0.6 + (1.3 + 0.55 * rows) * tall
    ratios = each * wide
    with sheet(caption, len(ratios), *size, tall, width_ratios=ratios) as (figure, axes):
        before = None
        for ax, numbers, (title, part) in zip(axes[::2], axes[1::2], parts.items(), strict=True):
            labels = list(part["label"])
            for y, row in enumerate(part.to_dict("records")):
                both = row["rate"] == row["rate"] and row["paper"] == row["paper"]
                mark(ax, y + 0.18 * both, row["paper"], look=HOLLOW)
                mark(ax, y - 0.12 * both, *(100 * row[name] for name in ("rate", "low", "high")))
            in_lines(ax, labels if down or labels != before else [""] * len(labels))
            ax.set(title=title, xlabel=unit, xlim=(0, most))
            columns = {
                "ours": [cell_text(100 * rate, 1) for rate in part["rate"]],
                "n": [cell_text(n, 0) for n in part["n"]],
            }
            if part["paper"].notna().any():
                digits = decimals(part["paper"])
                columns["paper"] = [cell_text(number, digits) for number in part["paper"]]
            in_columns(numbers, columns, COLUMNS)
            before = labels
        theirs = {paper: HOLLOW} if any(p["paper"].notna().any() for p in parts.values()) else {}
        key(figure, {"ours, 95% interval": FILLED, **theirs})
    table = pd.concat([
        table_of(part, **({"of": " ".join(title.split())} if len(parts) > 1 else {}),
                 row=part["label"])
        for title, part in parts.items()
    ], ignore_index=True)  # fmt: skip
    return Picture(figure, caption, {"table": table}, tuple(notes))


def mark(
    ax: Axes, y: float, rate: float, low: float = math.nan, high: float = math.nan,
    look: Mapping[str, Any] = FILLED,
) -> None:  # fmt: skip
    """A number on its interval, as far as they are known: so a rate stands in every picture."""
    if low == low:
        ax.plot([low, high], [y, y], "-", color=look["color"], lw=3.5, alpha=0.5,
                solid_capstyle="butt")  # fmt: skip
    if rate == rate:
        ax.plot([rate], [y], clip_on=False, **look)


def in_lines(ax: Axes, names: Sequence[str]) -> None:
    ax.set_ylim(len(names) - 0.45, -0.6)
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0, pad=10)  # a mark at 0 needs room
    ax.spines["left"].set_visible(False)


def in_columns(
    ax: Axes, columns: Mapping[str, Sequence[str]], places: Mapping[str, tuple[float, str]]
) -> None:
    """Columns of words, each below its name. places: where each ends, and its colour."""
    for head, texts in columns.items():
        x, colour = places[head]
        for y, text in enumerate([head, *texts], -1):
            weight = "bold" if head == "ours" and y >= 0 else "normal"
            ax.text(x, y, text, color=colour, weight=weight, ha="right", va="center", size=13)
    ax.set(xlim=(0, 1), ylim=(max(map(len, columns.values())) - 0.45, -0.6))
    ax.set_axis_off()


def key(figure: Figure, looks: Looks) -> None:
    """What the marks and the boxes (those with a face) are, once per figure, above it."""
    figure.legend(handles=marks_of(looks), loc="outside upper left", ncols=5)


def marks_of(looks: Looks) -> list[Artist]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    return [
        Patch(label=name, **look) if "fc" in look else Line2D([], [], label=name, **look)
        for name, look in looks.items()
    ]


# ------------------------------------------------------------------ shares


def stacked(counts: pd.DataFrame, fills: Looks, caption: str, unit: str) -> tuple[Figure, Axes]:
    """A bar per row of counts, parted as its columns say."""
    with sheet(caption, 1, 9.5, 1.4 + 0.55 * len(counts)) as (figure, [ax]):
        ends = counts.cumsum(axis="columns")
        for name, fill in fills.items():
            look = {"ec": "#555555", "lw": 0.8, "label": name, **fill}
            ax.barh(range(len(counts)), counts[name], 0.72, ends[name] - counts[name], **look)
        ax.set(xlabel=unit, xlim=(0, 1.003 * ends.to_numpy().max()), ylim=(len(counts) - 0.5, -0.6))
        ax.set_yticks(range(len(counts)), list(map(str, counts.index)))
        above(figure, [ax])
    return figure, ax


# ------------------------------------------------------------------ looks


def look_of(method: str) -> tuple[str, str, str]:
    """A method's colour, mark and line: the same in every picture."""
    known = METHODS.get(method)
    return (known.colour, known.mark, known.line) if known else ("#000000", "*", "-")


def above(figure: Figure, axes: Sequence[Axes], columns: int = 5) -> None:
    found = [ax.get_legend_handles_labels() for ax in axes]
    marks = {name: mark for each in found for mark, name in zip(*each, strict=True)}
    figure.legend(marks.values(), marks.keys(), loc="outside upper left", ncols=columns)
