"""The real engine in a process of its own: games and commands come in lines of JSON, answers go back.

A game is a game file of ALFWorld, or a problem and a task, of which it makes one in the syntax
that is asked for: "move" is the package's own, "put" the paper's, both without `help`.
"""

import json
import os
import re
import sys
import time
from pathlib import Path


def assemble(problem, task, syntax):
    import alfworld.info

    folder = Path(alfworld.info.BUILTIN_DATA_PATH)
    domain, grammar = (
        (folder / name).read_text(encoding="utf-8") for name in ("alfred.pddl", "alfred.twl2")
    )
    domain = domain[: domain.index("(:action help")] + ")"
    grammar = grammar[: grammar.index("action help")]
    if syntax == "put":
        domain = domain.replace(";(receptacleType ?r SinkType)", "(receptacleType ?r SinkType)")
        grammar = grammar.replace('"move {o} to {r}"', '"put {o} in/on {r}"')
        grammar = grammar.replace("You move the {o.name} to the", "You put the {o.name} in/on the")
        grammar = grammar.replace("You arrive at {r.name}.", "You arrive at {lend.name}.")
    grammar = re.sub("UNKNOWN GOAL.?", lambda _: task, grammar)
    return {"pddl_domain": domain, "grammar": grammar, "pddl_problem": problem}


def main():
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the engine prints is no answer
    import textworld
    from alfworld.agents.environment.alfred_tw_env import AlfredDemangler, AlfredInfos
    from textworld.envs import PddlEnv

    infos = textworld.EnvInfos(won=True, admissible_commands=True, extras=["gamefile"])
    env = AlfredInfos(AlfredDemangler(PddlEnv(infos), shuffle=False))
    for line in sys.stdin:
        asked = json.loads(line)
        file = asked.get("file") or assemble(asked["problem"], asked["task"], asked["syntax"])
        began = time.perf_counter()
        env.load(file)
        state = env.reset()
        loaded = time.perf_counter()
        read = [[state.feedback, state.admissible_commands]]
        for command in asked["commands"]:
            state, score, done = env.step(command)
            read.append([state.feedback, score, bool(done), state.admissible_commands])
        took = {"load": loaded - began, "steps": time.perf_counter() - loaded}
        print(json.dumps({"file": file, "read": read, **took}), file=answers, flush=True)


if __name__ == "__main__":
    main()
