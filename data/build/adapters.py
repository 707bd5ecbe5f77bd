"""Trains an adapter on the demonstrations, round by round, each from where the last one ended.

    python data/build/adapters.py react 1 --weights FILE.gguf        goes on where it was stopped

Every leg sees the same tasks in the same order. Round k learns lines (k - 1) * SIZE to k * SIZE and
writes runs/adapters/NAME/LEG-k.gguf: so the score on dev can be seen to grow, and a night can be
spent on one round.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from react_lab import data
from react_lab.finetune import Recipe, draw_gold, training_lines
from react_lab.finetune.adapter import write_gguf
from react_lab.finetune.terminal import Bar
from react_lab.finetune.trainer import train

ROUNDS, SIZE = 12, 300
RECIPE = Recipe(rank=8, alpha=16, rate=4e-4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("leg", choices=("standard", "cot", "act", "react"))
    parser.add_argument("round", type=int, choices=range(1, ROUNDS + 1))
    parser.add_argument("--weights", type=Path, required=True, help="the base, a .gguf file")
    asked = parser.parse_args()
    base = asked.weights.expanduser().resolve()
    folder = data.resolve(f"runs/adapters/{base.stem}")
    lines = training_lines(draw_gold(ROUNDS * SIZE), asked.leg)
    lines = lines[(asked.round - 1) * SIZE : asked.round * SIZE]
    before = folder / f"{asked.leg}-{asked.round - 1}.gguf" if asked.round > 1 else None
    work = folder / f"{asked.leg}-{asked.round}"
    with Bar(work.name) as bar:
        train(lines, work, base, RECIPE, start=before, on_step=bar)
    print(write_gguf(work, Path(f"{work}.gguf"), base))


if __name__ == "__main__":
    main()
