"""How long a run takes to open in the player, beside `rl.show`, which only reads it out.

    python tests/benchmarks/player.py

CPU milliseconds of making the widget: steps, prompt, evidence, and the world, whose acts are done
again. The runs are shipped ones, the longest of each kind of task. Aim: 200 ms each.
"""

import statistics
import time

import react_lab as rl
from react_lab.widgets import player

FILES = ("comparison/multihop-tuned", "comparison/claims-tuned", "table3/unseen", "table4/test")


def ms(do, times=7):
    found = []
    for _ in range(times):
        began = time.process_time()
        do()
        found.append(1000 * (time.process_time() - began))
    return statistics.median(found), max(found)


def main():
    print(f"{'CPU ms, median and most':26}{'player':>16}{'rl.show':>16}{'ratio':>8}{'KB sent':>9}")
    for name in FILES:
        runs = rl.store.open(rl.data.folder("runs") / f"{name}.jsonl")
        run = max((run for run in runs if run.method == "react"), key=lambda run: len(run.steps))
        player(run)  # the world is read once
        (ours, most), (theirs, slowest) = ms(lambda: player(run)), ms(lambda: rl.show(run).html)  # noqa: B023
        sent = len(player(run).page()) / 1000
        label = f"{run.task.kind}, {len(run.steps)} steps"
        print(
            f"{label:26}{ours:8.1f}{most:8.1f}{theirs:8.1f}{slowest:8.1f}{ours / theirs:8.1f}{sent:9.0f}"
        )


if __name__ == "__main__":
    main()
