"""Our own games on the real engine: each walkthrough wins there, and every text is the same as ours.

python tests/alfworld/games_on_engine.py [PYTHON]      PYTHON: one that has alfworld
"""

import json
import subprocess
import sys
from pathlib import Path

from react_lab import data
from react_lab.envs.household import problem_of
from react_lab.envs.household.files import Lines
from react_lab.envs.household.rules import intro, play
from react_lab.types import Step
from react_lab.world.household.games import game_in
from react_lab.world.household.oracle import Oracle

ENGINE = Path(__file__).with_name("engine.py")


def rows():
    """Every row of our games, as it stands in the files."""
    for file in sorted(data.folder("tasks", "household").glob("*.jsonl")):
        yield from map(json.loads, file.read_text(encoding="utf-8").splitlines())


def oracle_acts(row):
    """What the oracle does in a game: the search, closed doors and all."""
    game = game_in(row)
    state, acts = game.start, []
    oracle = Oracle("\n".join(intro(game).split("\n\n")[1:]), "act")
    while not game.won(state) and len(acts) < 50:
        acts.append(oracle.next().action)
        state, text = play(game, state, acts[-1])
        oracle.see(Step(None, acts[-1], text))
    return acts


def ours(row, commands):
    """What our engine answers: the first text, then texts and whether the game is won."""
    game = game_in(row)
    state, read = game.start, [intro(game)]
    for command in commands:
        state, text = play(game, state, command)
        read.append([text, game.won(state)])
    return read


def differences(python, chosen):
    """Play on both engines; a sentence for each game that is not the same or is not won."""
    source = {row.id: row for file in sorted(data.folder("tasks", "household").glob("*.jsonl"))
              for row in Lines(file).games().values()}  # fmt: skip
    with subprocess.Popen(
        [python, str(ENGINE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        encoding="utf-8", stderr=subprocess.DEVNULL,
    ) as engine:  # fmt: skip
        for row in chosen:
            for commands in (row["walkthrough"], oracle_acts(row)):
                problem = problem_of(row["type"], source[row["id"]].game)
                asked = {"problem": problem, "task": row["text"], "syntax": "put"}
                print(json.dumps({**asked, "commands": commands}), file=engine.stdin, flush=True)
                first, *steps = json.loads(engine.stdout.readline())["read"]
                real = [first[0].strip(), *([text.strip(), done] for text, _, done, _ in steps)]
                if real != ours(row, commands):
                    yield f"{row['id']}: the engines answer differently"
                elif not real[-1][1]:
                    yield f"{row['id']}: it is not won by {commands}"
        engine.stdin.close()


if __name__ == "__main__":
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    games = list(rows())
    found = list(differences(python, games))
    print(*found, f"{len(games)} games, {len(found)} differences", sep="\n")
    sys.exit(bool(found))
