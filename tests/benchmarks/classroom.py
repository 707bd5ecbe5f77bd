"""Thirty kernels of a class on one server: their memory, the server's, and how long they wait.

python tests/benchmarks/classroom.py [kernels] [steps of each]
"""

import ast
import os
import re
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from itertools import chain

import psutil
from jupyter_client.manager import KernelManager

KERNEL = """
import time
import react_lab as rl
model = rl.models.local()
waits, complete = [], model.complete
def timed(ask, on_text=None):
    began, heard = time.monotonic(), []
    replies = complete(ask, lambda text: heard.append(time.monotonic() - began))
    waits.append(([*heard, time.monotonic() - began][0], time.monotonic() - began))
    return replies
model.complete = timed
found = len(rl.tasks.load("multihop", "dev"))  # a lesson has its tasks and pages by now
"""
ASK = """
(task,) = rl.tasks.load("multihop", "dev", n=1, seed={k})
began = time.monotonic()
end = rl.run("react", task, model, max_steps={n}).end
found = waits, time.monotonic() - began, end
"""


def started():
    manager = KernelManager(kernel_name="python3", transport="ipc")
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=300)
    return manager, client


def told(client, code):
    """What a kernel has found when the cell is done."""
    wanted = {"allow_stdin": False, "timeout": 3000, "user_expressions": {"found": "found"}}
    done = client.execute_interactive(code, **wanted)["content"]
    if done["status"] != "ok":
        raise SystemExit("\n".join(done["traceback"]))
    return ast.literal_eval(done["user_expressions"]["found"]["data"]["text/plain"])


def spread(values):
    values = sorted(values)
    nine = values[int(0.9 * (len(values) - 1))]
    return f"median {statistics.median(values):.1f}, nine in ten {nine:.1f}, most {values[-1]:.1f}"


def main(count=30, steps_each=2):
    command = [sys.executable, "-m", "react_lab", "serve", "--port", "0"]
    server = psutil.Popen(command, stdout=subprocess.PIPE, text=True)
    lines = [server.stdout.readline() for _ in range(3)]
    os.environ["REACT_LAB_AT"] = re.search(r"http://\S+:\d+", lines[0])[0]
    os.environ["REACT_LAB_KEY"] = lines[1].split()[-1]
    (model,) = server.children()
    print(f"{date.today()}, {os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f}")
    managers, clients = zip(*(started() for _ in range(count)), strict=True)
    try:
        for client in clients:
            told(client, KERNEL)
        began, before = time.monotonic(), sum(model.cpu_times()[:2])
        asks = [ASK.format(n=steps_each, k=k) for k in range(count)]
        with ThreadPoolExecutor(count) as pool:
            waits, episodes, ends = zip(*pool.map(told, clients, asks), strict=True)
        took, work = time.monotonic() - began, sum(model.cpu_times()[:2]) - before
        own = [psutil.Process(one.provisioner.pid).memory_full_info() for one in managers]
        both, waits = [one.memory_info().rss for one in (server, model)], [*chain(*waits)]
        rows = {
            "memory of a kernel, MB (its share)": spread([one.pss / 1e6 for one in own]),
            "memory of a kernel, MB (all of it)": spread([one.rss / 1e6 for one in own]),
            "memory of the server, MB": " + ".join(f"{rss / 1e6:.0f}" for rss in both),
            "wait for the first words of a step, s": spread([first for first, _ in waits]),
            "wait for a whole step, s": spread([whole for _, whole in waits]),
            "an episode of so many steps, s": spread(episodes),
            "all of them, s": f"{took:.0f} ({len(waits)} steps)",
            "work of the model, s of one core a step": f"{work / len(waits):.2f}",
            "ends": f"{sorted({*ends})}, load {os.getloadavg()[0]:.1f}",
        }
        print("\n".join(f"{name:44}{value}" for name, value in rows.items()))
    finally:
        for manager in managers:
            manager.shutdown_kernel(now=True)
        server.kill()
        server.wait()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
