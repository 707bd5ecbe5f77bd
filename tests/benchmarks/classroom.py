"""Thirty kernels of a class on one server: their memory, the server's, and how long they wait.

python tests/benchmarks/classroom.py [kernels] [steps of each]
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

from jupyter_client.manager import KernelManager

KERNEL = """
import json, time
import react_lab as rl
from react_lab.types import Ask
model = rl.models.local()
waits = []
complete = model.complete
def timed(ask, on_text=None):
    began, heard = time.monotonic(), []
    def hear(text):
        heard or heard.append(time.monotonic() - began)
    replies = complete(ask, hear)
    waits.append((heard[0] if heard else time.monotonic() - began, time.monotonic() - began))
    return replies
model.complete = timed
rl.tasks.load("multihop", "dev")  # a lesson has its tasks and pages by now
ends, seconds = [], []
print("ready")
"""
ASK = """
(task,) = rl.tasks.load("multihop", "dev", n=1, seed={k})
began = time.monotonic()
ends.append(rl.run("react", task, model, max_steps={n}).end)
seconds.append(time.monotonic() - began)
print(json.dumps([waits, seconds, ends]))
"""


def memory(pid: int, name: str) -> float:
    """In MB. Pss: what several processes share is divided among them."""
    rows = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    return int(re.search(rf"^{name}: +(\d+) kB", rows, re.MULTILINE)[1]) / 1000


def highest(pid: int) -> float:
    told = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(told.split("VmHWM:")[1].split()[0]) / 1000


def worked(pid: int) -> float:
    """Seconds of one core that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def child_of(pid: int) -> int:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return int(" ".join(task.read_text(encoding="utf-8") for task in tasks).split()[0])


def started() -> KernelManager:
    kernel = KernelManager(kernel_name="python3", transport="ipc")
    kernel.start_kernel()
    kernel.waiter = kernel.client()
    kernel.waiter.start_channels()
    kernel.waiter.wait_for_ready(timeout=300)
    return kernel


def said(kernel: KernelManager) -> str:
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


def run(kernel: KernelManager, code: str) -> None:
    kernel.waiter.execute(code)


def spread(values: list[float]) -> str:
    values = sorted(values)
    nine = values[int(0.9 * (len(values) - 1))]
    return f"median {statistics.median(values):.1f}, nine in ten {nine:.1f}, most {values[-1]:.1f}"


def cpu() -> str:
    rows = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    return f"{re.search('model name.*: (.*)', rows)[1]}, {os.cpu_count()} cores"


def main(count: int = 30, steps_each: int = 2) -> None:
    command = [sys.executable, "-m", "react_lab", "serve", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    lines = [server.stdout.readline() for _ in range(3)]
    os.environ["REACT_LAB_AT"] = re.search(r"http://\S+:\d+", lines[0])[0]
    os.environ["REACT_LAB_KEY"] = lines[1].split()[-1]
    pids = [server.pid, child_of(server.pid)]
    print(f"{date.today()}, {cpu()}, load before {os.getloadavg()[0]:.1f}")
    kernels = [started() for _ in range(count)]
    try:
        for kernel in kernels:
            run(kernel, KERNEL)
            assert "ready" in said(kernel)
        began, before = time.monotonic(), worked(pids[1])
        for k, kernel in enumerate(kernels):
            run(kernel, ASK.format(n=steps_each, k=k))
        results = [json.loads(said(kernel)) for kernel in kernels]
        took, work = time.monotonic() - began, worked(pids[1]) - before
        steps = sum(len(r[0]) for r in results)
        own = [kernel.provisioner.pid for kernel in kernels]
        rows = {
            "memory of a kernel without a model, MB (its share)": spread(
                [memory(p, "Pss") for p in own]
            ),
            "memory of a kernel without a model, MB (all of it)": spread(
                [memory(p, "Rss") for p in own]
            ),
            "memory of the server, MB (gate, model)": " + ".join(f"{highest(p):.0f}" for p in pids),
            "wait for the first words of a step, s": spread([w[0] for r in results for w in r[0]]),
            "wait for a whole step, s": spread([w[1] for r in results for w in r[0]]),
            "an episode of so many steps, s": spread([s for r in results for s in r[1]]),
            "all of them, s": f"{took:.0f} ({steps} steps)",
            "work of the model, s of one core a step": f"{work / steps:.2f}",
        }
        print("\n".join(f"{name:52}{value}" for name, value in rows.items()))
        print("ends:", sorted({e for r in results for e in r[2]}), f"load {os.getloadavg()[0]:.1f}")
    finally:
        for kernel in kernels:
            kernel.shutdown_kernel(now=True)
        server.kill()
        server.wait()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
