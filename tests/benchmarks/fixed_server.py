"""A server of a fixed latency, lean enough not to be what is measured; and the episodes it plays.

Every episode takes five calls: four searches, then the answer.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2])]

from react_lab.envs.pages import Encyclopedia  # noqa: E402
from react_lab.envs.wiki import Wiki  # noqa: E402
from react_lab.types import Task  # noqa: E402

STEPS = 5
WORLD = Wiki(Encyclopedia([{"title": "Danube", "text": "A river. It ends in the Black Sea."}]))


def tasks(n: int) -> list[Task]:
    return [Task(f"t{k}", "multihop", f"Which sea, number {k}?", "Black Sea") for k in range(n)]


def said(prompt: str) -> str:
    i = prompt.rpartition("Question:")[2].count("\nThought ")
    act = f"Action {i}: Search[Danube]" if i < STEPS else f"Action {i}: Finish[Black Sea]"
    return f" I need to look at the river Danube.\n{act}"


@contextmanager
def server(latency: float) -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, __file__, str(latency)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as child:
        assert child.stdin and child.stdout
        yield child.stdout.readline().strip()
        child.stdin.close()


async def serve(latency: float) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await head_of(reader):
            size = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
            asked = json.loads(await reader.readexactly(size))
            await asyncio.sleep(latency)
            writer.write(answer(said(asked["prompt"])))
        writer.close()

    found = await asyncio.start_server(talk, "127.0.0.1", 0, limit=1 << 20)
    print(f"http://127.0.0.1:{found.sockets[0].getsockname()[1]}/v1", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)  # without a word about the connections that are still open


async def head_of(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""


def answer(text: str) -> bytes:
    choice = {"index": 0, "text": text, "finish_reason": "stop"}
    usage = {"prompt_tokens": 2000, "completion_tokens": 20, "total_tokens": 2020}
    body = json.dumps(
        {"object": "text_completion", "model": "m", "choices": [choice], "usage": usage}
    ).encode()
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
