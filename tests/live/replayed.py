"""Recorded acts done again: run by this Python and by the one in a browser, which must agree."""

import json

from react_lab.kinds import kind_of, world_of
from react_lab.records import RUN


def replay(line):
    """What the world says to each act of a recorded run, and what was stored."""
    run = RUN.read(line.encode())
    env = world_of(kind_of(run.task.kind), None)(run.task)
    said = [env.reset(run.task)]
    for step in run.steps:
        if step.action:
            seen = env.step(step.action)
            told = seen.text, seen.done, seen.answer, seen.reward, seen.why
            said.append([*told, step.observation or ""])
    return said


def replayed(lines):
    return json.dumps([replay(line) for line in lines.split("\n") if line])
