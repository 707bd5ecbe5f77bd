"""Tables 1 to 5, Figure 3 and paired differences: ours with intervals, the paper beside."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .. import score, stats
from ..analysis import paper
from ..kinds import LEGS
from ..score import FINE_TUNED, NO_MODEL, PROMPTED
from ..types import FAULTS
from . import rates
from .backoff import combined
from .picture import Picture, cell_text, drawing, plain, sheet, written
from .rates import FILLED, HOLLOW, OURS, PAPER, QUIET, RATE, RunsOrFrame, name_of, task_word

BARS = "Bars: 95% Wilson intervals."
ANOTHER = "Another model than the paper's: compare the order, not the height."
OTHERS = "Other tasks and another model than the paper's: compare the order, not the height."
PUBLISHED = ("hotpotqa", "fever")  # how the source of the paper's own tasks begins
ALONE = "none of these runs is {}: Table {} is of prompting; figure3 shows fine-tuned runs"


def of_kinds(df: pd.DataFrame, kinds: tuple[str, ...], number: int) -> pd.DataFrame:
    words = " and ".join(map(task_word, kinds))
    none = f"Table {number} is about {words}, and none of these runs is"
    return rates.only(df, df["kind"].isin(kinds), none)


def side_by_side(df: pd.DataFrame, theirs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rates of each kind of task, beside the paper's column of it."""
    parts = {}
    for kind, rows in rates.in_kinds(df):
        title = f"{task_word(kind)}\n{rates.source_names(rows)}"
        parts[title] = rates.beside(rates.of_methods(rows), theirs, kind)
    return parts


def table1(data: RunsOrFrame) -> Picture:
    """Table 1: prompting, on questions and on claims. Beside prompted runs, others are left out.

    Where none is prompted, the fine-tuned ones are shown, and the caption says so. A method without
    runs stands empty beside the paper's number.
    """
    df, setting, words = rates.graded(data, "model", "source", "end", "calls"), PROMPTED, ""
    if not (df["setting"] == PROMPTED).any() and (df["setting"] == FINE_TUNED).any():
        setting = FINE_TUNED
        words = " CAREFUL: the paper's Table 1 is of prompting, and none of these runs is prompted."
    df = rates.only(df, df["setting"] == setting, ALONE.format(setting, 1))
    df = of_kinds(df, ("multihop", "claims"), 1)
    ran, warning, df = set(df["method"]), rates.caution(df), combined(df)
    if set(df["method"]) - ran:
        words += " The combinations are computed from the runs of ReAct and CoT-SC."
    parts = side_by_side(df, paper.table(1))
    on = " and ".join(paper.settings()[kind]["benchmark"] for kind, _ in rates.in_kinds(df))
    same = df["source"].astype(str).str.startswith(PUBLISHED).all()  # the paper's own tasks
    caption = (
        f"{warning}Table 1 with our runs: {rates.about(df, setting)}{words} {BARS} Diamonds: "
        f"PaLM-540B on {on}. {ANOTHER if same else OTHERS}"
    )
    return rates.panels(parts, caption, paper.notes("table1"))


def table2(labels: pd.DataFrame, of: str = "") -> Picture:
    """Table 2: labels given by hand, one row per label: columns method (react, cot) and label.

    Shares are of the successes and of the failures apart; of modes of one's own (column modes) of
    all labels. labels: a frame of `rl.label.frame`, or your own. of: for the caption, whose
    trajectories they are (model, setting, data set).
    """
    from ..label.about_runs import QUESTIONS, nouns, one_kind
    from ..label.failure_modes import SUCCESS, modes_of
    from ..label.results import shares_of

    taxonomy = modes_of(labels["modes"].fillna("") if "modes" in labels else ())
    modes = labels["label"] if taxonomy.own else labels["label"].map(taxonomy.find)
    kinds = list(labels["kind"].fillna("")) if "kind" in labels else []
    kind = one_kind(kinds, "these labels", "a table is of one kind, labels[labels['kind'] == ...]")
    found = shares_of(zip(labels["method"], modes, strict=True), kind, taxonomy)
    rows = pd.DataFrame([{**vars(share), "rate": share.rate} for share in found])
    group = rows["mode"].isin(SUCCESS).map({True: "success", False: "failure"})
    rows["label"] = rows["mode"] if taxonomy.own else group + ": " + rows["mode"]
    rows[["low", "high"]] = rows[["low", "high"]].where(rows["n"] > 0)
    rows = rows.astype({"rate": float, "paper": float})
    parts = {name_of(str(method)): mine for method, mine in rows.groupby("method", sort=False)}
    sizes = labels["method"].value_counts()
    counts = [f"{sizes.get(m, 0)} trajectories of {name_of(m)}" for m in rows["method"].unique()]
    whose = f", {of}" * bool(of)
    theirs = "Diamonds: the paper's 200 trajectories (50 right and 50 wrong of each method)."
    if kind != QUESTIONS:
        whose = f", {plain(nouns([kind]))}{whose}"
        theirs = "The paper's Table 2 is of questions."
    told = f"{' and '.join(counts)}{whose}, labelled by hand."
    if taxonomy.own:
        unit = "% of the trajectories"
        return rates.panels(parts, f"How often each mode: {told} {BARS}", unit=unit)
    caption = (
        f"Table 2 with our labels: {told} Shares are of the successes and of the failures apart. "
        f"{BARS} {theirs}"
    )
    return rates.panels(parts, caption, paper.notes("table2"), unit="% of its group")


COUNTED = {
    "score": "it earned more on {wins} goals, the other on {losses}",
    "success rate": "{wins} goals only it won, {losses} only the other",
}


def table4(data: RunsOrFrame) -> Picture:
    """Table 4: shopping. The score is the mean reward; success is a reward of 1.

    Programs, and people who shopped for the same goals by hand, are lines too.
    """
    df = rates.graded(data, "model", "source", "end", "calls", "reward")
    df = of_kinds(df, ("shop",), 4)
    rates.one_model(df, "source", "sets")  # the score depends on the shop
    check_adapters(df)
    setting, theirs = rates.one_setting(df), paper.table(4)
    score = df.assign(correct=df["reward"].fillna(0).astype(float))  # without a purchase: nothing
    means = rates.of_methods(score, stats.bootstrap)
    parts = {
        "Score": rates.beside(means, theirs, "score"),
        "Success rate": rates.beside(rates.of_methods(df), theirs, "success"),
    }
    caption = (
        f"{rates.caution(df)}Table 4 with our runs: {rates.about(df, setting)} Bars: 95% "
        "intervals, of the score by bootstrap, of the success rate Wilson's. Diamonds: the paper, "
        "on WebShop. Other goals and another model than the paper's: compare the order, not the "
        "height."
    )
    asked = set(df[df["setting"] != NO_MODEL]["method"])
    same = {}
    for (name, counted), rows in zip(COUNTED.items(), (score, df), strict=True):
        if pairs := all_pairs(rows):
            same[f"same goals, {name}"] = table_of_pairs(pairs)
        caption += words_of_pairs(f"The {name} on the same goals", pairs, asked, counted, "sign")
    picture = rates.panels(parts, caption, paper.notes("table4"), unit="%", down=True)
    return replace(picture, tables={**picture.tables, **same})


def table5(data: RunsOrFrame) -> Picture:
    """Table 5: ReAct prompting, one row per model: only here may several models stand."""
    df = rates.graded(data, "model", "source", "end", "calls")
    df = rates.only(df, df["setting"] == PROMPTED, ALONE.format(PROMPTED, 5))
    df = of_kinds(df, ("multihop", "household"), 5)
    none = "Table 5 compares models by ReAct, and none of these runs is of react"
    df = rates.only(df, df["method"] == "react", none)
    models = df.assign(method=df["model"].map(plain))
    parts = side_by_side(models, paper.table(5).assign(method=None))
    each = " ".join(rates.about(rows, PROMPTED) for _, rows in df.groupby("model"))
    words = f"Table 5 with our runs, ReAct alone: {each} {BARS} Diamonds: the paper. {OTHERS}"
    return rates.panels(parts, rates.caution(df) + words, paper.notes("table5"), paper="the paper")


# ------------------------------------------------------------------ figure 3

VERDICTS = {1: "supported", -1: "contradicted", 0: "not decided"}


def figure3(data: RunsOrFrame, kind: str = "multihop") -> Picture:
    """Figure 3: prompted and fine-tuned, two panels and two tables, and the paper's claims.

    A claim is supported where every comparison it makes is beyond chance on the same tasks
    (exact McNemar), contradicted where one is the other way round, else not decided.
    kind: the kind of task; the paper's is multihop. Of several models each has a line for every
    method, in the order in which they come; the claim that compares a fine-tuned model with a
    prompted one takes the next model for that.
    """
    df = rates.graded(data, "model", "source", "end", "calls")
    df = df[df["method"].isin(LEGS) & (df["kind"] == kind)]
    parts = {how: rows for how in (PROMPTED, FINE_TUNED) if len(rows := df[df["setting"] == how])}
    if FINE_TUNED not in parts:
        raise ValueError(f"Figure 3 wants fine-tuned runs on {task_word(kind)}: none is here")
    models = list(map(str, dict.fromkeys(df["model"])))
    several = any(rows["model"].nunique() > 1 for rows in parts.values())
    claims = pd.DataFrame([
        {"model": " and ".join(map(plain, dict.fromkeys(each["model"]))), **judged(claim, each)}
        for claim in paper.figure(3)["claims"]
        for each in (compared(claim, df, models) if several else [df])
    ])  # fmt: skip
    told = claims.groupby("claim", sort=False)[["model", "verdict"]].apply(
        lambda rows: "; ".join(map(": ".join, rows.to_numpy()))
    )
    who = ", ".join(map(plain, models))
    each = " ".join(rates.about(rows, how, who) for how, rows in parts.items())
    caption = (
        f"{rates.caution(df)}Figure 3 with our runs: {each} {BARS} The paper's "
        "claims (PaLM-8B and 62B on HotpotQA, fine-tuned on 3,000 trajectories), here by exact "
        "McNemar tests on the same tasks:\n"
        + "\n".join(f"{claim}? {words}." for claim, words in told.items())
    )
    forests, tables = {}, {"claims": claims}
    for how, rows in parts.items():
        found = pd.concat([
            rates.of_methods(rows[rows["model"] == m]).assign(model=plain(m)) for m in models
        ], ignore_index=True)  # fmt: skip
        found = found.iloc[found["method"].map(LEGS.index).argsort(kind="stable")]
        names = found["method"].map(name_of)
        labels = names + ", " + found["model"] if len(models) > 1 else names
        forests[how] = found.assign(label=labels, paper=float("nan"))
        table = rates.table_of(found, model=found["model"], row=names).reset_index(drop=True)
        tables = {how: table, **tables}
    drawn = rates.panels(forests, caption, paper.notes("figure3"), down=len(models) == 1)
    return replace(drawn, tables=tables)


def compared(claim: dict[str, Any], df: pd.DataFrame, models: list[str]) -> Iterator[pd.DataFrame]:
    """What a claim is judged by: each model's runs; or one's fine-tuned, the next's prompted."""
    (better,), (worse,) = ({how for _, how in claim[side]} for side in ("better", "worse"))
    for model, other in zip(models, [*models[1:], ""], strict=True):
        if better == worse:
            yield df[df["model"] == model]
        elif other:
            sides = {model: better, other: worse}
            yield pd.concat(
                df[(df["model"] == m) & (df["setting"] == how)] for m, how in sides.items()
            )


def judged(claim: dict[str, Any], df: pd.DataFrame) -> dict[str, str]:
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


# ------------------------------------------------------------------ paired differences


def differences(data: RunsOrFrame, than: str = "react") -> Picture:
    """Every method against one (`than`) on the same tasks, and how many tasks it would take."""
    df = rates.graded(data, "model", "source", "end", "calls")
    setting, warning, df = rates.one_setting(df), rates.caution(df), combined(df)
    parts = {}
    for title, rows in rates.in_sources(df):
        others = [method for method in rates.in_order(set(rows["method"])) if method != than]
        if not others:
            raise ValueError(f"these runs are all of {than}: a difference wants another method's")
        parts[title] = [stats.paired(rows, method, than) for method in others]
    caption = (
        f"{warning}Differences from {name_of(than)} on the same tasks: {rates.about(df, setting)} "
        "Bars: 95% intervals by paired bootstrap. Filled: beyond chance (exact McNemar, p < 0.05). "
        f"{' '.join(filter(None, (too_few(title, pairs) for title, pairs in parts.items())))}"
    )
    size = 2.7 + 5.2 * len(parts), 1.8 + 0.55 * max(map(len, parts.values()))
    with sheet(caption, len(parts), *size) as (figure, axes):
        for ax, (title, pairs) in zip(axes, parts.items(), strict=True):
            for y, pair in enumerate(pairs):
                look = FILLED if pair.separated else FILLED | {"mfc": "white", "mew": 2}
                rates.mark(ax, y, 100 * pair.difference, 100 * pair.low, 100 * pair.high, look)
                text = f"{100 * pair.difference:+.1f}   {pair.chance}"
                ax.text(1.03, y, text, transform=ax.get_yaxis_transform(), va="center", size=13)
            ax.axvline(0, color="#222222", lw=1)
            rates.in_lines(ax, [name_of(pair.a) for pair in pairs])
            ax.set(title=title, xlabel=f"points above {name_of(than)}")
    return Picture(figure, caption, {title: table_of_pairs(p) for title, p in parts.items()})


def all_pairs(df: pd.DataFrame) -> list[stats.Pair]:
    """Every two methods, of which one asks a model, on the tasks that both were run on."""
    asked = set(df[df["setting"] != NO_MODEL]["method"])
    tasks = {str(method): set(rows["task"]) for method, rows in df.groupby("method")}
    order = sorted(rates.in_order(tasks), key=lambda method: method != "react")
    return [
        stats.paired(df, other, one)
        for one, other in itertools.combinations(order, 2)
        if asked & {one, other} and tasks[one] & tasks[other]
    ]


def check_adapters(df: pd.DataFrame) -> None:
    """The runs of a method are of one adapter: two trainings are two models."""
    for method, rows in df.groupby("method") if "adapter" in df else ():
        names = sorted(set(map(str, rows["adapter"].dropna())))
        if len(names) > 1:
            raise ValueError(
                f"the runs of {plain(method)} are of {len(names)} adapters ({', '.join(names)}): "
                f"choose one, as in df[df['adapter'] != {names[0]!r}]"
            )


def too_few(tasks: str, pairs: list[stats.Pair]) -> str:
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


def table_of_pairs(pairs: list[stats.Pair]) -> pd.DataFrame:
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


def words_of_pairs(
    what: str, pairs: Iterable[stats.Pair], among: Collection[str], counted: str, test: str
) -> str:
    """The differences between these methods, as a paragraph of a caption.

    counted: what is said of the tasks on which one of them did better, `{wins}` and `{losses}`.
    """
    words = "; ".join(
        f"{name_of(pair.a)} against {name_of(pair.b)} {100 * pair.difference:+.1f} points "
        f"({100 * pair.low:+.0f} to {100 * pair.high:+.0f}; "
        f"{counted.format(wins=pair.wins, losses=pair.losses)}; {pair.chance})"
        for pair in pairs if {pair.a, pair.b} <= {*among}
    )  # fmt: skip
    head = f"\n{what}, with 95% intervals (paired bootstrap) and exact {test} tests: "
    return f"{head}{words}." if words else ""


# ------------------------------------------------------------------ table 3: games by type

COLUMNS = {  # of the numbers: where each stands, and its colour
    "ours": (0.16, OURS), "n": (0.28, QUIET), "paper": (0.46, PAPER), "best": (0.61, PAPER),
    "against ReAct": (1.0, "#222222"),
}  # fmt: skip
LOOKS = {  # of a row of the table: ours, and the paper's
    "mean": (FILLED, HOLLOW),
    "best": (FILLED | {"marker": "^", "lw": 0}, HOLLOW | {"marker": "^"}),
    "rule": (FILLED | {"color": QUIET, "marker": "s"}, HOLLOW),
}
TYPE, WIDTHS = 1.4, (3.2, 4.6)  # of a type; of all games and their numbers, below the types
ACTING = ("act", "react", "react-im")  # the methods of the paper's table
SAME = ["accepted", "finished", "of_finished", "calls"]  # a finished game is a won one


class Block(NamedTuple):
    """Games of one source, in one setting: rates by type, and differences on the same games."""

    title: str
    about: str  # for the caption
    df: pd.DataFrame
    asked: pd.DataFrame  # the runs of a model among them
    rows: pd.DataFrame  # of: a column of the paper's table; line: where it is drawn
    pairs: list[stats.Pair]
    prompts: int  # by how many each method was run, at most


def table3(data: RunsOrFrame) -> Picture:
    """Table 3: household games by type, prompted and fine-tuned apart, and each source apart.

    Best-of rows are each type's best trial, so no one trial had all of them. Programs without a
    model stand below, to compare with.
    """
    df = rates.graded(data, "model", "source", "end", "calls", "type", "steps")
    df = of_kinds(df, ("household",), 3)
    types = paper.read("table3")["types"]
    games = [types.get(str(name).lower(), "") for name in df["type"]]
    df = df.assign(game=games, source=df["source"].astype(str))
    blocks = [
        block_of(df[df["setting"].isin((setting, NO_MODEL)) & (df["source"] == source)], setting)
        for setting in (FINE_TUNED, PROMPTED)
        for source in sorted(set(df.loc[df["setting"] == setting, "source"]))
    ]
    if not blocks:
        raise ValueError("Table 3 wants runs of a model, and these are of programs alone")
    many = max(block.prompts for block in blocks)
    avg = f"the mean of our prompts (up to {many})" if many > 1 else "one trial of each game"
    best = "filled, the best of ours" if many > 1 else "we have none"
    faults = int(df["end"].isin(FAULTS).sum())
    none = sum(int((block.df["game"] == "").sum()) for block in blocks)
    counted = "{wins} games only it won, {losses} only the other"
    caption = " ".join(filter(None, [
        f"{rates.caution(df)}Table 3 with our runs: {' '.join(block.about for block in blocks)}",
        f"{faults} of these runs were ended by a fault and count as lost." if faults else "",
        f"{none} runs are of none of the six types: they count under All alone." if none else "",
        f"{BARS} Hollow marks: the paper (PaLM-540B, prompted; percent of 134 "
        f"ALFWorld games). Diamonds: the mean of its six prompts; ours beside them, {avg}. "
        "Triangles: the best of six prompts (BUTLER: of eight trainings), for every type its own; "
        f"{best}. "
        "Other games and another model than the paper's: compare the order, not the height.",
        *(words_of_pairs(f"{block.title}, on the same games", block.pairs, {*block.asked["method"]},
                         counted, "McNemar") for block in blocks),
    ]))  # fmt: skip
    with drawing():
        figure = drawn(blocks, many > 1)
        written(figure, caption)
    tables = {}
    for block in blocks:
        rows = block.rows.drop(columns=SAME)
        table = rates.table_of(rows, of=rows["of"], row=rows["label"])
        table["steps when won"] = rows["steps"].round(1)
        tables[block.title] = table.dropna(axis="columns", how="all")
    tables |= {f"same games, {b.title}": table_of_pairs(b.pairs) for b in blocks if b.pairs}
    return Picture(figure, caption, tables, tuple(paper.notes("table3")))


def block_of(df: pd.DataFrame, setting: str) -> Block:
    """What there is of one source in a setting; programs stand in every block."""
    check_adapters(df)
    asked, prompts, best = df[df["setting"] != NO_MODEL], 1, {}
    if "prompts" in df and setting == PROMPTED:
        prompts = int(asked.groupby("method")["prompts"].nunique().max())
    if prompts > 1:  # of our prompts the best one, for every type its own
        tried = score.over_prompts(asked.assign(type=asked["game"]))
        tops = tried[tried["prompts"] > 1].xs("best", level="of").droplevel("model") / 100
        best = tops.to_dict()
    rows = pd.concat([
        rows_of(df if name == "All" else df[df["game"] == name], df, best.get(name, {}), name)
        for name in paper.read("table3")["columns"]
    ], ignore_index=True)  # fmt: skip
    about = rates.about(asked, setting)
    if setting == FINE_TUNED and "adapter" in asked:
        named = asked.groupby("method")["adapter"].first()
        known = [f"{name_of(m)} {named[m]}" for m in rates.in_order(named.index) if named[m]]
        about += f" Adapters: {', '.join(known)}." if known else ""
    title = f"{setting}: {plain(df['source'].iloc[0])}"
    return Block(title, about, df, asked, rows, all_pairs(df), prompts)


def rows_of(
    games: pd.DataFrame, df: pd.DataFrame, best: Mapping[Any, Any], column: str
) -> pd.DataFrame:
    """A column of the table: each method with ours and the paper's, its best-of row below."""
    theirs = paper.table(3)
    rules = set(df[df["setting"] == NO_MODEL]["method"])
    ours: dict[Any, dict[Any, Any]] = rates.of_methods(games).set_index("method").to_dict("index")
    steps = games[games["correct"] == 1].groupby("method")["steps"].mean()
    found: list[dict[Any, Any]] = []
    methods = dict.fromkeys((*ACTING, *rates.in_order(set(df["method"]))))
    for line, method in enumerate(methods):
        look = "rule" if method in rules else "mean"
        mine = {"line": line, "method": method, "label": name_of(method), "look": look,
                "steps": steps.get(method), **ours.get(method, {})}  # fmt: skip
        found.append(mine)
        for name, row in theirs[theirs["method"] == method].iterrows():
            if row["best_of"] == row["best_of"]:
                found.append({"line": line, "label": name, "look": "best",
                              "rate": best.get(method), "paper": row[column]})  # fmt: skip
            else:
                mine |= {"label": name, "paper": row[column]}
    for line, (name, row) in enumerate(theirs[theirs["method"].isna()].iterrows(), len(methods)):
        found.append({"line": line, "label": name, "look": "best", "paper": row[column]})
    numbers = dict.fromkeys((*RATE, "steps", "paper"), "float")
    columns = ["of", "line", "method", "label", "look", *numbers]
    return pd.DataFrame(found, columns=columns).astype(numbers).assign(of=column)


def drawn(blocks: Sequence[Block], several: bool) -> Figure:
    """Per block a row of panels, one per type; below it all games, and the numbers of that."""
    names = list(dict.fromkeys(blocks[0].rows["of"]))
    types = len(names) - 1
    tall = [h for b in blocks for h in (0.35, *[1.3 + 0.5 * b.rows["line"].nunique()] * 2)]
    figure = Figure(figsize=(2.2 + TYPE * types, 0.5 + sum(tall)))
    cells = figure.add_gridspec(len(tall), 1, height_ratios=tall)
    for i, block in enumerate(blocks):
        head = figure.add_subplot(cells[3 * i])
        head.text(0, 0, block.title, weight="bold", size=16)
        head.set_axis_off()
        upper = cells[3 * i + 1].subgridspec(1, types)
        lower = cells[3 * i + 2].subgridspec(1, 2, width_ratios=WIDTHS)
        above = [figure.add_subplot(upper[j]) for j in range(types)]
        whole, numbers = (figure.add_subplot(lower[j]) for j in range(2))
        for ax, name in zip([*above, whole], names, strict=True):
            draw_games(ax, block, name, named=ax in (above[0], whole))
        rates.in_columns(numbers, numbers_of(block), COLUMNS)
    looks = {"ours, 95% interval": FILLED, "the paper": HOLLOW}
    looks["best of several, by type"] = LOOKS["best"][1]
    if any((block.rows["look"] == "rule").any() for block in blocks):
        looks["a program, no model"] = LOOKS["rule"][0]
    if several:
        looks["our best, by type"] = LOOKS["best"][0]
    rates.key(figure, looks)
    return figure


def draw_games(ax: Axes, block: Block, name: str, named: bool) -> None:
    """Ours above the line, the paper's below it: circle and diamond, triangles for the best."""
    rows = block.rows[block.rows["of"] == name]
    for row in rows.to_dict("records"):
        ours, theirs = LOOKS[row["look"]]
        rates.mark(ax, row["line"] + 0.17, row["paper"], look=theirs)
        rates.mark(
            ax, row["line"] - 0.17, 100 * row["rate"], 100 * row["low"], 100 * row["high"], ours
        )
    labels = rows.drop_duplicates("line")["label"]
    rates.in_lines(ax, [label.partition(" (")[0] if named else "" for label in labels])
    played = block.df if name == "All" else block.df[block.df["game"] == name]
    n = played["task"].nunique()
    unit = f"% of {n}" if n else "no games"
    ax.set(title=name, xlabel=unit, xlim=(-4, 104), xticks=[0, 50, 100])
    if name != "All":  # the next panel's 0 is near
        ax.get_xticklabels()[-1].set_horizontalalignment("right")


def numbers_of(block: Block) -> dict[str, list[str]]:
    """All games in numbers; beside them how far each method is from ReAct."""
    whole = block.rows[block.rows["of"] == "All"]
    first = whole.drop_duplicates("line").set_index("line")
    best = whole[whole["look"] == "best"].groupby("line")["paper"].max().reindex(first.index)
    columns = {
        "ours": [cell_text(100 * rate, 1) for rate in first["rate"]],
        "n": [cell_text(n, 0) for n in first["n"]],
        "paper": [cell_text(n, 0) for n in first["paper"].where(first["look"] != "best")],
        "best": [cell_text(n, 0) for n in best],
    }
    from_react = {
        pair.a: f"{100 * pair.difference:+.1f}, {pair.chance}"
        for pair in block.pairs if pair.b == "react"
    }  # fmt: skip
    against = [from_react.get(method, "") for method in first["method"]]
    return columns | ({"against ReAct": against} if block.pairs else {})
