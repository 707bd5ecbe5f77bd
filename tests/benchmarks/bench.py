"""What the benchmarks share: clocks, a table, and a lean server in a process of its own.

    from bench import in_turn, served, show, timed

The server answers after a fixed latency and is not what is measured. As a completion it plays
episodes of five calls (four searches, then the answer); as a chat, of three (two tools, the answer).
"""

import json
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]
from stub_server import Stub, chat, completion  # noqa: E402

STEPS = 5
CITIES = (("Cairo", "24 degrees"), ("Paris", "11 degrees"))


def timed(do, *given, clock=time.perf_counter):
    """Milliseconds."""
    began = clock()
    do(*given)
    return 1000 * (clock() - began)


def in_turn(loops, rounds, clock=time.process_time, per=1):
    """Milliseconds of CPU time; rounds of all alternate, so that a busy machine slows all alike."""
    times = {name: [] for name in loops}
    for i in range(rounds):
        for name in sorted(loops, reverse=bool(i % 2)):
            times[name].append(timed(loops[name], clock=clock) / per)
    return times


def show(what, times, ours="", aim=None):
    """A table; each ratio is to the first row, round by round. 1 where ours misses its aim."""
    base, ratios = next(iter(times.values())), {}
    print(f"{what:34}{'median':>10}{'least':>10}{'most':>10}{'ratio':>8}")
    for name, found in times.items():
        ratios[name] = statistics.median(b / a for a, b in zip(base, found, strict=True))
        row = statistics.median(found), min(found), max(found)
        print(f"{name:34}" + "".join(f"{x:10.2f}" for x in row) + f"{ratios[name]:8.2f}")
    missed = aim is not None and ratios[ours] > aim
    if aim:
        print(f"{ours}: aim at most {aim:.2f}, {'MISSED' if missed else 'met'}")
    return int(missed)


@contextmanager
def served(latency=0.0):
    """The address of the server."""
    command = [sys.executable, __file__, str(latency)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen(command, **pipes) as child:
        yield child.stdout.readline().strip()
        child.stdin.close()


def said(prompt):
    i = prompt.rpartition("Question:")[2].count("\nThought ")
    act = f"Action {i}: Search[Danube]" if i < STEPS else f"Action {i}: Finish[Black Sea]"
    return completion(f" I need to look at the river Danube.\n{act}", usage=(2000, 20))


def called(body):
    """The weather of the city that was not asked for yet; then the answer, by a tool if one ends."""
    names, sent = {tool["function"]["name"] for tool in body["tools"]}, json.dumps(body["messages"])
    ends = [*names & {"Finish", "final_answer"}]
    city = next((city for city, seen in CITIES if seen not in sent), None)
    if not city and not ends:
        return chat("13")
    name = next(name for name in names if name.lower() == "weather") if city else ends[0]
    call = {"name": name, "arguments": json.dumps({"city": city} if city else {"answer": "13"})}
    calls = [{"id": "call00001", "type": "function", "function": call}]
    return chat("One step more.", usage=(2000, 20), tool_calls=calls)


def answer(request):
    made = called(request.body) if request.chat else said(request.body["prompt"])
    return replace(made, delay=float(sys.argv[1]))


if __name__ == "__main__":
    with Stub(answer) as stub:
        print(stub.url, flush=True)
        sys.stdin.read()
