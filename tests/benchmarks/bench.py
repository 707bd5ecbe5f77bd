"""What the benchmarks share: clocks, a table, and a lean server in a process of its own.

    from bench import in_turn, served, show, timed

The server answers after a fixed latency and is not what is measured. As a completion it plays
episodes of five calls (four searches, then the answer); as a chat, of three (two tools, the answer).
"""

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]
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


def used(pid):
    """CPU seconds of a process so far; Linux only."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def most_memory(pid):
    """The most that a process ever had, in MB; Linux only."""
    told = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmHWM:\s+(\d+)", told)[1]) / 1000


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
    return f" I need to look at the river Danube.\n{act}"


def called(body):
    """The weather of the city that was not asked for yet; then the answer, by a tool if one ends."""
    names, sent = {tool["function"]["name"] for tool in body["tools"]}, json.dumps(body["messages"])
    ends = [*names & {"Finish", "final_answer"}]
    city = next((city for city, seen in CITIES if seen not in sent), None)
    if not city and not ends:
        return {"role": "assistant", "content": "13"}
    name = next(name for name in names if name.lower() == "weather") if city else ends[0]
    call = {"name": name, "arguments": json.dumps({"city": city} if city else {"answer": "13"})}
    calls = [{"id": "call00001", "type": "function", "function": call}]
    return {"role": "assistant", "content": "One step more.", "tool_calls": calls}


def answer(body):
    chat = "messages" in body
    choice = {"message": called(body)} if chat else {"text": said(body["prompt"])}
    choice |= {"index": 0, "finish_reason": "tool_calls" if choice.get("tool_calls") else "stop"}
    usage = {"prompt_tokens": 2000, "completion_tokens": 20, "total_tokens": 2020}
    kind = "chat.completion" if chat else "text_completion"
    made = {"id": "x", "object": kind, "created": 0, "model": "m", "usage": usage}
    text = json.dumps(made | {"choices": [choice]}).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(text)}"
    return f"{head}\r\n\r\n".encode() + text


async def serve(latency):
    async def talk(reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                size = int(re.search(rb"content-length: *(\d+)", head.lower())[1])
                body = json.loads(await reader.readexactly(size))
                await asyncio.sleep(latency)
                writer.write(answer(body))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    found = await asyncio.start_server(talk, "127.0.0.1", 0, limit=1 << 20)
    print(f"http://127.0.0.1:{found.sockets[0].getsockname()[1]}/v1", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)  # without a word about the connections that are still open


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
