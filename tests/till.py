"""A server on loopback that answers as a model would and writes down what it is to be paid."""

import hashlib
import os
import re
import signal
import threading

from stub_server import Answer, completion

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # on Windows both end a process at once
READ, WRITTEN = 2.5, 10.0  # what a million tokens cost


class Till:
    """Answers as a model would, by the text alone, and writes down what is to be paid."""

    def __init__(self, tokens=True):
        self.tokens = tokens
        self.paid, self.lock = [], threading.Lock()
        self.kill_at, self.victim = [], None

    def __call__(self, request):
        body = request.body
        with self.lock:
            if self.kill_at and len(self.paid) >= self.kill_at[0]:
                self.kill_at.pop(0)
                os.kill(self.victim.pid, KILL)
                return Answer(reset=True)
            texts = [said(body["prompt"], body.get("seed", 0) + k) for k in range(body.get("n", 1))]
            used = (len(body["prompt"]) // 4, sum(len(text) // 4 + 1 for text in texts))
            asked = (body["prompt"], body["temperature"], body.get("seed"), body.get("n"))
            self.paid.append((asked, used))
        return completion(*texts, usage=used if self.tokens else None)

    @property
    def bill(self):
        return sum(read * READ + written * WRITTEN for _, (read, written) in self.paid) / 1e6


def said(prompt, sample):
    """One to five searches and an answer, more of them for some questions than for others."""
    task = prompt.rpartition("\n\n")[2]
    lot = int(hashlib.sha256(task.split("\n")[0].encode()).hexdigest(), 16)
    cue = re.match(r"(Thought|Action|Answer)(?: (\d+))?:", prompt.rpartition("\n")[2])
    kind, i = cue[1], int(cue[2] or 0)
    answer = ("yes", "REFUTES", "NOT ENOUGH INFO")[(lot + sample) % 3]
    if not i:
        why = f" so {'very ' * (lot % 7)}long\nAnswer:" if kind == "Thought" else ""
        return f"{why} {answer}"
    act = f"Finish[{answer}]" if i > lot % 5 else f"Search[place {(lot + i) % 900}]"
    return f" I look.\nAction {i}: {act}" if kind == "Thought" else f" {act}"


def command(till, folder, *more):
    words = ["table1", "--model", "m", "--base-url", till.url, "--tasks", "bundled", "--n", "11"]
    words += ["--price", f"{READ}", f"{WRITTEN}"]
    return [*words, "--samples", "3", "--workers", "1", "--out", str(folder), *more]
