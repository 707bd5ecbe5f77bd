"""What a call of a model costs us in CPU time, against the bare `openai` package; and the clock.

python tests/benchmarks/calls.py [one] [many] [tools] [clock]

one: `models.openai`, one call at a time. many: `rl.evaluate`, 64 calls at a time, with all that an
episode is: prompt, parser, world, reply log, fsync. tools: `react-tools`, and other agents where
they are installed (agents.txt). clock: how near 500 episodes of 100 ms a call, 64 at once, come to
the ideal. The server is a process of its own; both sides send the same prompts.
"""

import json
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench import STEPS, in_turn, served, show, timed

import react_lab as rl
from react_lab.chat.tool_calls import schemas
from react_lab.envs.pages import Encyclopedia
from react_lab.envs.toolbox import weather
from react_lab.types import Ask, Task

PAGES = Encyclopedia([{"title": "Danube", "text": "A river. It ends in the Black Sea."}])
PROMPT = "Question: Which river?\nThought 1: Search it.\nAction 1: Search[River]\n" * 60
WARM = rl.tasks.question("How much warmer is it in Cairo than in Paris?", "13", kind="tools")
TOLD = "Do the task by calling tools, step by step. Before each call write one sentence."
AIMS = {"one": 0.80, "many": 0.80, "tools": 1.10, "clock": 1.15}


def client(url):
    import openai

    return openai.OpenAI(base_url=url, api_key="none", max_retries=0)


def complete(openai, ask):
    options = {"max_tokens": 256, "temperature": 0.0, "stop": list(ask.stop)}
    return openai.completions.create(model="m", prompt=ask.prompt, **options).choices[0].text


def evaluated(model, episodes, workers):
    tasks = [Task(f"t{k}", "multihop", f"Which sea, number {k}?") for k in range(episodes)]
    with tempfile.TemporaryDirectory() as folder:
        options = {"world": rl.envs.Wiki(PAGES), "workers": workers, "progress": False}
        runs = rl.evaluate("react", tasks, model, Path(folder) / "runs.jsonl", **options)
        assert len(runs) == episodes


def one(calls=300, rounds=12):
    with served() as url:
        bare, ours, ask = client(url), rl.models.openai("m", url), Ask(PROMPT, ("\n",), leg="react")
        loops = {
            "bare openai": lambda: [complete(bare, ask) for _ in range(calls)],
            "react_lab": lambda: [ours.complete(ask)[0].text for _ in range(calls)],
        }
        in_turn(loops, 1)  # connections, imports, caches
        return in_turn(loops, rounds, per=calls)


def many(episodes=200, workers=64, rounds=6):
    with served(0.1) as url, ThreadPoolExecutor(workers) as pool:
        bare, ours, asked = client(url), rl.models.openai("m", url), []
        send = ours.complete
        ours.complete = lambda ask, on_text=None: asked.append(ask) or send(ask, on_text)
        evaluated(ours, episodes, workers)
        ours.complete = send
        assert len(asked) == episodes * STEPS
        loops = {
            "bare openai": lambda: [*pool.map(lambda ask: complete(bare, ask), asked)],
            "react_lab": lambda: evaluated(ours, episodes, workers),
        }
        in_turn(loops, 1)
        return in_turn(loops, rounds, per=episodes * STEPS)


# ---------------------------------------------------------------------- tools: each an episode
def bare_tools(url):
    """The shortest honest loop: it sends what we send, and reads nothing twice."""
    openai, tools = client(url), list(schemas(rl.envs.Tools(weather).actions))

    def episode():
        said = [{"role": "system", "content": TOLD}, {"role": "user", "content": WARM.text}]
        options = {"model": "m", "tools": tools, "temperature": 0.0, "max_tokens": 512}
        while True:
            found = openai.chat.completions.create(messages=said, **options)
            said.append(found.choices[0].message)
            for call in said[-1].tool_calls:
                given = json.loads(call.function.arguments)
                if call.function.name == "Finish":
                    return given["answer"]
                said.append({"role": "tool", "tool_call_id": call.id, "content": weather(**given)})

    return episode


def our_tools(url):
    model, world = rl.models.openai("m", url, "chat"), rl.envs.Tools(weather)
    return lambda: rl.run("react-tools", WARM, model, world=world).answer


def langgraph(url):
    from langgraph.prebuilt import create_react_agent

    return of_langchain(url, create_react_agent, "prompt")


def langchain(url):
    from langchain.agents import create_agent

    return of_langchain(url, create_agent, "system_prompt")


def of_langchain(url, make, told_as):
    from langchain_openai import ChatOpenAI

    chat = ChatOpenAI(model="m", base_url=url, api_key="none", temperature=0, max_retries=0)
    agent = make(chat, [weather], **{told_as: TOLD})
    asked = {"messages": [{"role": "user", "content": WARM.text}]}
    return lambda: agent.invoke(asked)["messages"][-1].content


def smolagents(url):
    import smolagents as peer

    def weather_of(city: str) -> str:
        """Tells today's weather in a city.

        Args:
            city: its name
        """
        return weather(city)

    weather_of.__name__ = "weather"
    tool = peer.tool(weather_of)
    tool.name = "weather"
    model = peer.OpenAIModel(model_id="m", api_base=url, api_key="none")
    agent = peer.ToolCallingAgent(tools=[tool], model=model, verbosity_level=0)
    return lambda: agent.run(WARM.text)


def tools(episodes=40, rounds=8):
    makers = {"bare openai": bare_tools, "react_lab": our_tools}
    makers |= {make.__name__: make for make in (langgraph, langchain, smolagents)}
    with served() as url, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loops = {}
        for name, make in makers.items():
            try:
                loop = make(url)
            except ImportError as error:
                print(f"passed over: {name} ({error})")
                continue
            assert str(loop()) == "13", name
            loops[name] = lambda loop=loop: [loop() for _ in range(episodes)]
        in_turn(loops, 1)
        return in_turn(loops, rounds, per=3 * episodes)


# ---------------------------------------------------------------------- the clock
def clock(episodes=500, workers=64, latency=0.1):
    with served(latency) as url:
        model = rl.models.openai("m", url)
        evaluated(model, workers, workers)
        ideal = [1000 * episodes * STEPS * latency / workers]
        ours = min(timed(evaluated, model, episodes, workers) for _ in range(3))
        alone = timed(evaluated, model, episodes, None)
    return {"ideal": ideal, "react_lab": [ours], "it finds out how many at a time": [alone]}


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        of = {name: globals()[name]() for name in sys.argv[1:] or AIMS}
    sys.exit(max(show(f"{n}, CPU ms a call" if n != "clock" else "clock, ms", t, "react_lab", AIMS[n]) for n, t in of.items()))  # fmt: skip
