"""Table 2: labels given by hand, the paper's beside them. Apart, for it alone needs those."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis import paper
from ..label.failure_modes import QUESTIONS, SUCCESS, as_mode, nouns, one_kind
from ..label.results import shares_of
from .picture import Picture, plain
from .rates import name_of, panels
from .tables import BARS

if TYPE_CHECKING:
    import pandas as pd


def table2(labels: pd.DataFrame, of: str = "") -> Picture:
    """Table 2: labels given by hand, one row per label: columns method (react, cot) and label.

    Shares are of the successes and of the failures apart. labels: a frame of `rl.label.frame`, or
    your own. of: for the caption, whose trajectories they are (model, setting, data set).
    """
    import pandas as pd

    modes = labels["label"].map(as_mode)
    kinds = list(labels["kind"].fillna("")) if "kind" in labels else []
    kind = one_kind(kinds, "these labels", "a table is of one kind, labels[labels['kind'] == ...]")
    found = shares_of(zip(labels["method"], modes, strict=True), kind)
    rows = pd.DataFrame([{**vars(share), "rate": share.rate} for share in found])
    group = rows["mode"].isin(SUCCESS).map({True: "success", False: "failure"})
    rows["label"] = group + ": " + rows["mode"]
    rows[["low", "high"]] = rows[["low", "high"]].where(rows["n"] > 0)
    rows = rows.astype({"rate": float, "paper": float})
    parts = {name_of(str(method)): mine for method, mine in rows.groupby("method", sort=False)}
    sizes = labels["method"].value_counts()
    counts = [f"{sizes.get(m, 0)} trajectories of {name_of(m)}" for m in rows["method"].unique()]
    about = f", {of}" * bool(of)
    theirs = "Diamonds: the paper's 200 trajectories (50 right and 50 wrong of each method)."
    if kind != QUESTIONS:
        about, theirs = f", {plain(nouns([kind]))}{about}", "The paper's Table 2 is of questions."
    caption = (
        f"Table 2 with our labels: {' and '.join(counts)}{about}, labelled by hand. "
        f"Shares are of the successes and of the failures apart. {BARS} {theirs}"
    )
    return panels(parts, caption, paper.notes("table2"), unit="% of its group")
