"""Writes our household games: data/tasks/household/{train,dev,unseen}.jsonl.

    python data/build/make_games.py

Each row has the walkthrough that a search found. One seed always gives the same files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from house.games import game_in, games
from house.search import walkthrough

from react_lab import data

__all__ = ["GAMES", "main", "rows"]

GAMES = {"train": 120, "dev": 36, "unseen": 72}  # twenty, six and twelve of each of the six types


def rows(split: str) -> Iterator[dict[str, Any]]:
    """The rows of a split, each proven to be winnable."""
    for row in games(split, GAMES[split]):
        yield row | {"walkthrough": walkthrough(game_in(row))}


def main() -> None:
    for split in GAMES:
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows(split)]
        data.write(data.folder("tasks", "household", f"{split}.jsonl"), "".join(lines))
        print(f"{split}: {len(lines)} games")


if __name__ == "__main__":
    main()
