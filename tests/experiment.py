"""An experiment that may be killed at any moment: the program, and what its logs say afterwards.

python tests/experiment.py FOLDER [--tasks 1000] [--workers 8] [--methods react cot-sc]
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import react_lab as rl
from react_lab.envs.pages import Encyclopedia
from react_lab.envs.wiki import Wiki
from react_lab.evaluation import evaluate
from react_lab.types import Reply, Task

WORLD = Wiki(Encyclopedia([{"title": "Danube", "text": "A river. It ends in the Black Sea."}]))
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # on Windows both end a process at once


@dataclass
class Player:
    """Plays five steps, or answers; writes every call down before it answers."""

    log: Path | None = None
    delay: float = 0.0
    name: str = "player"
    tuned: frozenset[str] = frozenset({"react", "cot", "act", "standard"})
    asked: list[str] = field(default_factory=list)

    def identity(self, leg):
        return "player 1"

    def complete(self, ask, on_text=None):
        """One sample per request, as a server without `n`; every seventh question goes wrong."""
        number = str(ask.prompt).partition("number ")[2].partition("?")[0]
        step, sample = str(ask.prompt).count("\nThought "), ask.samples[0]
        self.note(f"{number} {ask.leg} {step} {sample}")
        time.sleep(self.delay)
        answer = "Rhine" if int(number) % 7 == 0 else "Black Sea"
        text = f" so {sample}\nAnswer: {answer if sample % 3 else 'Ulm'}"
        if ask.leg == "react":
            act = "Search[Danube]" if step < 5 else f"Finish[{answer}]"
            text = f" on\nAction {step}: {act}"
        return {sample: Reply(text, tokens_in=len(ask.prompt), tokens_out=sample)}

    def note(self, call):
        self.asked.append(call)
        if self.log:
            with self.log.open("ab", buffering=0) as file:
                file.write(f"{call}\n".encode())


def tasks(n):
    return [Task(f"t{k}", "multihop", f"Which sea, number {k}?", "Black Sea") for k in range(n)]


def table(runs):
    return str(rl.score.table(rl.frame(runs)).to_csv())


def peak():
    """The most memory that this process had, in MB; `getrusage` would count its parent's too."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--methods", nargs="+", default=["react"])
    parser.add_argument("--die", help="function:count, the system call at which to be killed")
    given = parser.parse_args()
    if given.die:
        dies_at(*given.die.split(":"))
    log = given.folder / f"calls.{len(list(given.folder.glob('calls.*')))}"
    log.touch()
    model = Player(log, given.delay)
    path = given.folder / "runs.jsonl"
    options = {"world": WORLD, "workers": given.workers}
    runs = evaluate(given.methods, tasks(given.tasks), model, path, **options)
    (given.folder / "table.csv").write_text(table(runs), encoding="utf-8")


def dies_at(name, count):
    """Be killed at the count-th audited event of this name: open, os.rename, os.remove, ..."""
    left = [int(count)]

    def hook(event, about):
        if event == name and "runs.jsonl" in str(about[0]):
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), KILL)

    sys.addaudithook(hook)


@dataclass
class Experiment:
    """One experiment in a folder: killed as often as you like, and what came of it."""

    folder: Path
    tasks: int
    workers: int
    methods: tuple[str, ...] = ("react",)
    delay: float = 0.0
    kills: int = 0
    finished: list[set[str]] = field(default_factory=list)  # after each session

    def session(self, calls, *more):
        """Run it, and kill it after so many calls; whether it came to its end."""
        sessions = len(self.logs())
        sizes = ["--tasks", self.tasks, "--workers", self.workers, "--delay", self.delay]
        command = [sys.executable, __file__, self.folder, *sizes, "--methods", *self.methods, *more]
        child = subprocess.Popen(list(map(str, command)))
        while calls is not None and child.poll() is None:
            logs = self.logs()
            if len(logs) > sessions and len(lines(logs[-1])) >= calls:
                child.send_signal(KILL)
                break
            time.sleep(0.005)
        child.wait()
        self.kills += child.returncode != 0
        self.finished.append(self.stored())
        return child.returncode == 0

    def logs(self):
        return sorted(self.folder.glob("calls.*"), key=lambda path: int(path.suffix[1:]))

    def stored(self):
        """The questions whose runs are whole lines in the file, by number; none stands twice."""
        path = self.folder / "runs.jsonl"
        rows = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
        found = [f"{row['task']['id'][1:]} {row['method']}" for row in map(json.loads, rows)]
        assert len(found) == len(set(found)), "a finished episode was stored again"
        return set(found)

    def check(self):
        """Nothing finished was lost or played again; the calls that were made twice."""
        for before, after in zip(self.finished, self.finished[1:], strict=False):
            assert before <= after, "a finished episode was lost"
        for k, log in enumerate(self.logs()[1:]):
            legs = {f"{question} {leg}" for question, leg, *_ in map(str.split, lines(log))}
            again = {f"{q} {m.removesuffix('-sc')}" for q, m in map(str.split, self.finished[k])}
            assert not legs & again, "a finished episode was played again"
        made = Counter(call for log in self.logs() for call in lines(log))
        twice = made - Counter(set(made))
        assert sum(twice.values()) <= self.kills * self.workers, "more than was under way"
        return twice


def lines(log):
    return log.read_bytes().decode().split("\n")[:-1]


def killed_often(folder, tasks, workers, kills, seed, **more):
    """Killed at random points at least so often, then left to end."""
    folder.mkdir()
    pick, experiment = random.Random(seed), Experiment(folder, tasks, workers, **more)
    share = 5 * tasks // (kills + 1)
    for _ in range(kills):
        assert not experiment.session(pick.randint(1, share)), "it ended before it was killed"
    assert experiment.session(None)
    return experiment


if __name__ == "__main__":
    main()
