"""How long a slider's plot takes to draw anew, beside Matplotlib drawing a few lines into as many axes.

    python tests/benchmarks/redraw.py

The heaviest sliders there are: lesson 05's combinations, over the recorded claims. Aim: 150 ms.
"""

import io
import statistics
import time

from matplotlib.figure import Figure

from react_lab.lessons import combining, compared
from react_lab.plots import Rule


def bare(like):
    figure = Figure(like.get_size_inches(), dpi=like.dpi)
    for axes in figure.subplots(1, len(like.axes), squeeze=False)[0]:
        for k in range(4):
            axes.plot(range(21), [k + i % 3 for i in range(21)], label=f"line {k}")
        axes.legend()
    figure.savefig(io.BytesIO(), format="png")


def ms(do):
    began = time.process_time()
    do()
    return 1000 * (time.process_time() - began)


def main():
    both = combining.combinations(list(compared.runs("claims", "tuned")))
    like, times = both.drawn(1, Rule(0.6, max_steps=2))[0], {"react_lab": [], "bare Matplotlib": []}
    for samples in [*range(1, 11)] * 2:
        rule = Rule(0.6, max_steps=2)
        times["react_lab"].append(ms(lambda: combining.png(both.drawn(samples, rule)[0])))  # noqa: B023
        times["bare Matplotlib"].append(ms(lambda: bare(like)))
    print(f"{'CPU ms a redraw':18}{'median':>9}{'least':>9}{'most':>9}")
    for name, found in times.items():
        print(f"{name:18}{statistics.median(found):9.1f}{min(found):9.1f}{max(found):9.1f}")
    ours, theirs = map(statistics.median, times.values())
    print(f"ratio of the medians: {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
