"""Table 4: the score and the success rate in the shop, of models, of programs and of people."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .. import stats
from ..analysis import paper
from ..score import NO_MODEL
from .compared import table_of_pairs, told
from .household import check_adapters, pairs_of
from .picture import Picture, plain
from .rates import RunsOrFrame, about, beside, caution, graded, one_setting, panels, rates

if TYPE_CHECKING:
    import pandas as pd

COUNTED = {
    "score": "it earned more on {wins} goals, the other on {losses}",
    "success rate": "{wins} goals only it won, {losses} only the other",
}


def table4(data: RunsOrFrame) -> Picture:
    """Table 4: shopping. The score is the mean reward; success is a reward of 1.

    Programs, and people who shopped for the same goals by hand, are lines too.
    """
    df = graded(data, "model", "source", "end", "calls", "reward")
    df = df[df["kind"] == "shop"]
    if df.empty:
        raise ValueError("Table 4 is about shopping, and none of these runs is")
    one_shop(df)
    check_adapters(df)
    setting, theirs = one_setting(df), paper.table(4)
    score = df.assign(correct=df["reward"].fillna(0).astype(float))  # without a purchase: nothing
    means = rates(score, "method", interval=stats.bootstrap)
    parts = {
        "Score": beside(means, theirs, "score"),
        "Success rate": beside(rates(df, "method"), theirs, "success"),
    }
    pairs = {"score": pairs_of(score), "success rate": pairs_of(df)}
    caption = (
        f"{caution(df)}Table 4 with our runs: {about(df, setting)} Bars: 95% intervals, of the "
        "score by bootstrap, of the success rate Wilson's. Diamonds: the paper, on WebShop. Other "
        "goals and another model than the paper's: compare the order, not the height."
    )
    asked = set(df[df["setting"] != NO_MODEL]["method"])
    for name, each in pairs.items():
        if words := told(each, asked, COUNTED[name]):
            caption += f"\nThe {name} on the same goals, with 95% intervals (paired bootstrap) and "
            caption += f"exact sign tests: {words}."
    picture = panels(parts, caption, paper.notes("table4"), unit="%", down=True)
    same = {f"same goals, {name}": table_of_pairs(each) for name, each in pairs.items() if each}
    return replace(picture, tables={**picture.tables, **same})


def one_shop(df: pd.DataFrame) -> None:
    """The goals are of one shop: in another one the same score is easier or harder to get."""
    names = sorted(set(map(str, df["source"])))
    if len(names) > 1:
        raise ValueError(
            f"these goals are of {len(names)} sets ({', '.join(map(plain, names))}): choose one, "
            f"as in df[df['source'] == {names[0]!r}]"
        )
