"""Thirty kernels of a class on one server: their memory, the server's, and how long they wait.

python tests/benchmarks/classroom.py [kernels] [steps of each]
"""

import json
import os
import re
import statistics
import subprocess
import sys
import time
from datetime import date
from itertools import chain
from pathlib import Path

from bench import most_memory, used
from jupyter_client.manager import KernelManager

KERNEL = """
import json, time
import react_lab as rl
model = rl.models.local()
waits, complete = [], model.complete
def timed(ask, on_text=None):
    began, heard = time.monotonic(), []
    replies = complete(ask, lambda text: heard.append(time.monotonic() - began))
    waits.append(([*heard, time.monotonic() - began][0], time.monotonic() - began))
    return replies
model.complete = timed
rl.tasks.load("multihop", "dev")  # a lesson has its tasks and pages by now
print("ready")
"""
ASK = """
(task,) = rl.tasks.load("multihop", "dev", n=1, seed={k})
began = time.monotonic()
end = rl.run("react", task, model, max_steps={n}).end
print(json.dumps([waits, time.monotonic() - began, end]))
"""


def memory(pid, name):
    """In MB. Pss: what several processes share is divided among them."""
    rows = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    return int(re.search(rf"^{name}: +(\d+) kB", rows, re.MULTILINE)[1]) / 1000


def child_of(pid):
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return int(" ".join(task.read_text(encoding="utf-8") for task in tasks).split()[0])


def started():
    kernel = KernelManager(kernel_name="python3", transport="ipc")
    kernel.start_kernel()
    kernel.waiter = kernel.client()
    kernel.waiter.start_channels()
    kernel.waiter.wait_for_ready(timeout=300)
    return kernel


def said(kernel):
    """What the cell that runs prints, when it is done."""
    words = []
    while True:
        message = kernel.waiter.get_iopub_msg(timeout=3000)
        content = message["content"]
        if message["msg_type"] == "stream":
            words.append(content["text"])
        elif message["msg_type"] == "error":
            raise SystemExit("\n".join(content["traceback"]))
        elif content.get("execution_state") == "idle":
            return "".join(words)


def spread(values):
    values = sorted(values)
    nine = values[int(0.9 * (len(values) - 1))]
    return f"median {statistics.median(values):.1f}, nine in ten {nine:.1f}, most {values[-1]:.1f}"


def main(count=30, steps_each=2):
    command = [sys.executable, "-m", "react_lab", "serve", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    lines = [server.stdout.readline() for _ in range(3)]
    os.environ["REACT_LAB_AT"] = re.search(r"http://\S+:\d+", lines[0])[0]
    os.environ["REACT_LAB_KEY"] = lines[1].split()[-1]
    pids = [server.pid, child_of(server.pid)]
    print(f"{date.today()}, {os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f}")
    kernels = [started() for _ in range(count)]
    try:
        for kernel in kernels:
            kernel.waiter.execute(KERNEL)
            assert "ready" in said(kernel)
        began, before = time.monotonic(), used(pids[1])
        for k, kernel in enumerate(kernels):
            kernel.waiter.execute(ASK.format(n=steps_each, k=k))
        waits, episodes, ends = zip(*(json.loads(said(kernel)) for kernel in kernels), strict=True)
        took, work = time.monotonic() - began, used(pids[1]) - before
        own, waits = [kernel.provisioner.pid for kernel in kernels], [*chain(*waits)]
        rows = {
            "memory of a kernel, MB (its share)": spread([memory(pid, "Pss") for pid in own]),
            "memory of a kernel, MB (all of it)": spread([memory(pid, "Rss") for pid in own]),
            "memory of the server, MB": " + ".join(f"{most_memory(pid):.0f}" for pid in pids),
            "wait for the first words of a step, s": spread([first for first, _ in waits]),
            "wait for a whole step, s": spread([whole for _, whole in waits]),
            "an episode of so many steps, s": spread(episodes),
            "all of them, s": f"{took:.0f} ({len(waits)} steps)",
            "work of the model, s of one core a step": f"{work / len(waits):.2f}",
            "ends": f"{sorted({*ends})}, load {os.getloadavg()[0]:.1f}",
        }
        print("\n".join(f"{name:44}{value}" for name, value in rows.items()))
    finally:
        for kernel in kernels:
            kernel.shutdown_kernel(now=True)
        server.kill()
        server.wait()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
