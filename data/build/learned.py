"""Plays the notes of all train tasks again, and writes the steps and rationales that they make.

python data/build/learned.py        after a change to pages, notes or the wordings of thoughts
"""

from __future__ import annotations

from check import LEARNED, tasks_of
from demonstrations import demonstrate, rationale
from questions import write

from react_lab.envs.pages import bundled
from react_lab.kinds import kind_of


def main() -> None:
    book = bundled()
    for kind, splits in LEARNED.items():
        for split in splits:
            rows = tasks_of(kind, split)
            for row in rows:
                row["steps"] = demonstrate(row, book, kind_of(kind).max_steps)
                row["rationale"] = rationale(row)
            write(kind, split, rows)
            print(kind, split, len(rows))


if __name__ == "__main__":
    main()
