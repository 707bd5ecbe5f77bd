"""The README's first screen: the picture (Table 1 and Figure 2) and the table, from stored runs.

python data/build/front.py
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

import react_lab as rl
from react_lab import data, stats

__all__ = ["main", "picture", "rows", "with_table"]

DPI = 100
LEGS = ("standard", "cot", "act", "react")
TASKS = {  # name: how the ids of its tasks begin, and where the paper has Act and ReAct
    "questions": ("questions", "multihop-test-", "table1", "multihop"),
    "claims": ("claims", "claims-test-", "table1", "claims"),
    "questions as typed": ("questions", "multihop-typed-", "", ""),
    "household games": ("household", "household-unseen-", "table3", "All"),
    "web shop": ("shop", "shop-test-", "table4", "success"),
}
CHINESE = {
    "questions": "问题", "claims": "论断", "questions as typed": "随手输入的问题",
    "household games": "家务游戏", "web shop": "网店", "above": "更高", "below": "更低",
    "unclear": "分不出", "best of 6": "6 组提示里最好的",
}  # fmt: skip


def rows() -> Iterator[str]:
    """A line of the README's table for each task: rates, their intervals, the paper, a verdict."""
    for name, (path, begins, table, column) in TASKS.items():
        runs = rl.store.open(data.folder("runs", "0.5b", f"{path}.jsonl"))
        df = rl.frame(run for run in runs if run.task.id.startswith(begins))
        right = {leg: df["correct"][df["method"] == leg] for leg in LEGS}
        n = right["react"].size
        rates = [rate(int(each.sum()), each.size) for each in right.values()]
        yield " | ".join([f"| {name}, {n}", *rates, paper(table, column), f"{verdict(df)} |"])


def rate(right: int, n: int) -> str:
    if not n:
        return "-"
    low, high = stats.wilson(right, n)
    return f"{right / n:.0%} ({low:.0%}-{high:.0%})".replace("%", "")


def paper(table: str, column: str) -> str:
    """What the paper has for Act and ReAct; of Table 3 the best of six, the only one of Act."""
    if not table:
        return "-"
    found = json.loads((data.folder("paper") / f"{table}.json").read_text(encoding="utf-8"))
    best = {row["method"]: row for row in found["rows"] if row.get("best_of") in (None, 6)}
    mark = " (best of 6)" if any(row.get("best_of") for row in best.values()) else ""
    return f"{best['act'][column]:g}, {best['react'][column]:g}{mark}"


def verdict(df: pd.DataFrame) -> str:
    """Is ReAct above Act here? On the same tasks, exact McNemar."""
    pair = stats.paired(df, "react", "act")
    word = ("above" if pair.difference > 0 else "below") if pair.separated else "unclear"
    return f"{word}, {pair.chance}"


def with_table(readme: str, words: dict[str, str]) -> str:
    """The README with today's lines in its first table of seven columns."""
    made = "\n".join(rows())
    for word, other in words.items():
        made = re.sub(rf"(?<![a-z]){word}(?![a-z ])", other, made)
    head = re.search(r"(?m)^\|(---\|){7}\n(\|.*\n)*", readme)
    assert head, "the README has no table of seven columns"
    first = head[0].partition("\n")[0]
    return f"{readme[: head.start()]}{first}\n{made}\n{readme[head.end() :]}"


def picture() -> bytes:
    """Both drawn, one below the other, as a PNG of few colours."""
    from PIL import Image

    stored = sorted(data.folder("runs", "comparison").glob("*-tuned.jsonl"), reverse=True)
    df = rl.frame([run for path in stored for run in rl.store.open(path)])
    drawn = [rl.plots.table1(df), rl.plots.figure2(df)]
    drawn[1].figure.set_figwidth(drawn[0].figure.get_figwidth())
    pngs = [each.rendered("png", dpi=DPI) for each in drawn]
    parts = [Image.open(io.BytesIO(png)) for png in pngs]
    size = max(part.width for part in parts), sum(part.height for part in parts)
    whole = Image.new("RGB", size, "white")
    top = 0
    for part in parts:
        whole.paste(part, (0, top))
        top += part.height
    stream = io.BytesIO()
    whole.quantize(64).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def main() -> None:
    root = data.project() or Path.cwd()
    (root / "notebooks" / "pictures" / "table1_figure2.png").write_bytes(picture())
    for name, words in (("README.md", {}), ("README.zh.md", CHINESE)):
        path = root / name
        path.write_text(with_table(path.read_text(encoding="utf-8"), words), encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
