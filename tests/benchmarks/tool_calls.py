"""What a call of `react-tools` costs in CPU time, against a bare loop over `openai`, and others.

    /somewhere/bin/python tests/benchmarks/tool_calls.py [--episodes 40] [--rounds 8] [--out FILE]

The environment is that of agents.py; without LangGraph or smolagents those are passed over. All ask
the same stub on loopback, a process of its own, so that only the client's CPU time is counted, and
do the same three calls: two tools, then the answer. Rounds of all alternate in one run.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from stub_server import Answer, Request, Stub, chat  # noqa: E402

from react_lab import models, running, tasks  # noqa: E402
from react_lab.chat.tool_calls import schemas  # noqa: E402
from react_lab.envs.toolbox import weather  # noqa: E402
from react_lab.envs.tools import Tools  # noqa: E402

AIM, CALLS = 1.10, 3
WORLD = Tools(weather)
TASK = tasks.question("How much warmer is it in Cairo than in Paris?", "13", kind="tools")
CITIES = (("Cairo", "24 degrees"), ("Paris", "11 degrees"))
ENDS = ("Finish", "final_answer")  # tools that end a run; LangGraph has none
TOLD = "Do the task by calling tools, step by step. Before each call write one sentence."


def answer(request: Request) -> Answer:
    """The weather of the city that was not asked for yet, then the answer."""
    sent = json.dumps(request.body["messages"])
    names = [tool["function"]["name"] for tool in request.body.get("tools", ())]
    city = next((city for city, seen in CITIES if seen not in sent), None)
    end = next((name for name in ENDS if name in names), None)
    if city:
        asked = next(name for name in names if name.lower() == "weather")
        return called(asked, {"city": city}, f"I need the weather in {city}.")
    return called(end, {"answer": "13"}, "It is 13 degrees.") if end else chat("13")


def called(name: str, given: dict[str, str], thought: str) -> Answer:
    call = {"name": name, "arguments": json.dumps(given)}
    return chat(thought, tool_calls=[{"id": "call00001", "type": "function", "function": call}])


def serve() -> None:
    with Stub(answer) as stub:
        print(stub.url, flush=True)
        sys.stdin.read()


@contextmanager
def server() -> Iterator[str]:
    """The address of a stub in a process of its own."""
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as child:
        assert child.stdin and child.stdout
        yield child.stdout.readline().strip()
        child.stdin.close()


# ---------------------------------------------------------------------- the loops


def bare(url: str) -> Callable[[], str]:
    """The shortest honest loop: it sends what we send, and reads nothing twice."""
    import openai

    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)
    tools: Any = list(schemas(WORLD.actions))

    def episode() -> str:
        said: list[Any] = [
            {"role": "system", "content": TOLD},
            {"role": "user", "content": f"Question: {TASK.text}"},
        ]
        while True:
            found = client.chat.completions.create(
                model="m", messages=said, tools=tools, temperature=0.0, max_tokens=512
            )
            message: Any = found.choices[0].message
            said.append(message)
            for call in message.tool_calls:
                given = json.loads(call.function.arguments)
                if call.function.name == "Finish":
                    return str(given["answer"])
                said.append({"role": "tool", "tool_call_id": call.id, "content": weather(**given)})

    return episode


def ours(url: str) -> Callable[[], str]:
    model = models.openai("m", url, "chat")
    return lambda: str(running.run("react-tools", TASK, model, world=WORLD).answer)


def langgraph(url: str) -> Callable[[], str]:
    from langchain_openai import ChatOpenAI
    from langgraph.prebuilt import create_react_agent

    model = ChatOpenAI(model="m", base_url=url, api_key="none", temperature=0, max_retries=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agent = create_react_agent(model, [weather], prompt=TOLD)
    asked = {"messages": [{"role": "user", "content": TASK.text}]}
    return lambda: str(agent.invoke(asked)["messages"][-1].content)


def langchain(url: str) -> Callable[[], str]:
    from langchain.agents import create_agent
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(model="m", base_url=url, api_key="none", temperature=0, max_retries=0)
    agent: Any = create_agent(model, [weather], system_prompt=TOLD)
    asked = {"messages": [{"role": "user", "content": TASK.text}]}
    return lambda: str(agent.invoke(asked)["messages"][-1].content)


def smolagents(url: str) -> Callable[[], str]:
    import smolagents as peer

    def city_weather(city: str) -> str:
        """Tells today's weather in a city.

        Args:
            city: its name
        """
        return weather(city)

    city_weather.__name__ = "weather"
    tool: Any = peer.tool(city_weather)
    tool.name = "weather"
    model = peer.OpenAIModel(model_id="m", api_base=url, api_key="none")
    agent = peer.ToolCallingAgent(tools=[tool], model=model, verbosity_level=0)
    return lambda: str(agent.run(TASK.text))


LOOPS: dict[str, Callable[[str], Callable[[], str]]] = {
    "bare openai": bare, "react_lab": ours, "langgraph": langgraph, "langchain": langchain,
    "smolagents": smolagents,
}  # fmt: skip


def cpu(episode: Callable[[], str], episodes: int) -> float:
    """Milliseconds of CPU time per call of the model."""
    began = time.process_time()
    for _ in range(episodes):
        assert episode() == "13"
    return (time.process_time() - began) * 1000 / episodes / CALLS


def made(url: str) -> dict[str, Callable[[], str]]:
    """The loops whose package is there, each tried and warm."""
    found = {}
    for name, make in LOOPS.items():
        try:
            found[name] = make(url)
        except ImportError as error:
            print(f"passed over: {name} ({error})")
            continue
        cpu(found[name], 10)  # connections, imports, caches
    return found


def measure(episodes: int, rounds: int) -> dict[str, Any]:
    with server() as url:
        loops = made(url)
        times: dict[str, list[float]] = {name: [] for name in loops}
        for i in range(rounds):
            for name in sorted(loops, reverse=bool(i % 2)):
                times[name].append(cpu(loops[name], episodes))
    base = times["bare openai"]
    ratios = {
        name: statistics.median(b / a for a, b in zip(base, each, strict=True))
        for name, each in times.items()
    }
    return {"ms": times, "ratio": ratios}


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("openai", "langgraph", "langchain", "langchain-openai", "smolagents"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def show(found: dict[str, Any]) -> None:
    print(f"{'CPU ms a call':16}{'median':>9}{'least':>9}{'most':>9}{'ratio':>9}")
    for name, times in found["ms"].items():
        numbers = statistics.median(times), min(times), max(times), found["ratio"][name]
        print(f"{name:16}" + "".join(f"{number:9.3f}" for number in numbers))
    verdict = "met" if found["ratio"]["react_lab"] <= AIM else "MISSED"
    print(f"react_lab to bare: {found['ratio']['react_lab']:.3f} (aim: at most {AIM}, {verdict})")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--episodes", type=int, default=40, help="of three calls each, a round")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.serve:
        serve()
        return 0
    found = measure(given.episodes, given.rounds) | {
        "episodes": given.episodes,
        "versions": versions(),
    }
    show(found)
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")
    return 0 if found["ratio"]["react_lab"] <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
