"""The bundled model on one thread and on as many as it takes: the same episodes in turn.

python tests/benchmarks/threads.py [questions] [programs that keep a core busy meanwhile]
"""

import os
import subprocess
import sys

from bench import show, timed

import react_lab as rl

BUSY = "import os; ours = os.getppid()\nwhile os.getppid() == ours: pass"  # as long as we live


def main(questions=10, busy=0):
    models = {"one thread": rl.models.local(threads=1), "as it is": rl.models.local()}
    times = {name: [] for name in models}
    print(f"{os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f}, {busy} busy beside it")
    for _ in range(busy):
        subprocess.Popen([sys.executable, "-c", BUSY])
    for task in rl.tasks.load("multihop", "dev", n=questions, by_type=True):
        for name, model in models.items():
            times[name].append(timed(rl.run, "react", task, model))
    show("ms of an episode", times)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
