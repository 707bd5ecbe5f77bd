"""Random and adversarial play of household games: the same acts for our engine and the real one."""

import gzip
import hashlib
import json
import random

from react_lab.envs.household import rules
from react_lab.envs.household.game import read_game

WORDS = ("", " ", "go", "go to", "take", "put", "move", "think: I wait.", "help", "xyzzy", "go to loc 1",
         "look around", "inventory 1", "examine", "use", "open", "slice", "drop all", "undo", "restart",
         "go to a fridge 1", "put in/on", "take from", "take apple 1", "none", "{o}", "go to {r}",
         "GO TO", "öffne fridge 1", "go\u00a0to fridge 1", "🙂", "look\nlook", "l\x00ook", "a" * 500,
         "go to fridge 1; look", "look.", "'look'", "(look)", "move", "[look]", "help me", "Look", "LOOK")  # fmt: skip
VERBS = ("go to {0}", "open {0}", "close {0}", "examine {0}", "use {0}", "take {0} from {1}", "put {0} in/on {1}",
         "put {0} on {1}", "put {0} in {1}", "move {0} to {1}", "clean {0} with {1}", "heat {0} with {1}",
         "cool {0} with {1}", "slice {0} with {1}", "clean {0}", "take {0}", "go to the {0}", "examine the {0}")  # fmt: skip
BUSY = ("take", "put", "move", "open", "clean", "heat", "cool", "use", "slice")


def bundle(shared, syntax):
    """The paper's 134 games as game files, each with its walkthrough; the authors' own texts."""
    whole = json.loads(
        gzip.decompress((shared / f"alfworld_unseen_134_{syntax}_syntax.json.gz").read_bytes())
    )
    (domain,), (grammar,) = whole["pddl_domain"], whole["grammar"]
    for name, game in whole["games"].items():
        yield (
            name,
            {
                "pddl_domain": domain,
                "grammar": grammar.replace("UNKNOWN GOAL.", game["task"]),
                "pddl_problem": game["pddl_problem"],
            },
        )


def spoilt(command, rng):
    """A command with a slip."""
    words = command.split(" ")
    at = rng.randrange(len(words))
    match rng.randrange(9):
        case 0:
            return command.upper() if rng.random() < 0.5 else command.capitalize()
        case 1:
            return command.replace(" ", "  ", 1)
        case 2:
            return command + rng.choice([" ", "\n", "\t", "\u00a0", "."])
        case 3:
            return rng.choice([" ", "\n", "> ", "\t"]) + command
        case 4:
            return " ".join(words[:at] + words[at + 1 :])
        case 5:
            return command.replace("in/on", rng.choice(["on", "in", "to", "in / on"])).replace(
                " to ", " on "
            )
        case 6:
            return f"{command} {rng.choice(words)}"
        case 7:
            return " ".join(reversed(words))
    return command.replace("1", rng.choice("0239"))


def command(game, state, rng, seen):
    """One more command: often one that does something, else a try or a slip."""
    possible = sorted(rules.acts(game, state))
    busy = [text for text in possible if text.startswith(BUSY)]
    chance = rng.random()
    if busy and chance < 0.45:
        return rng.choice(busy)
    if chance < 0.65:
        return rng.choice(possible)
    if chance < 0.75:
        return f"examine {rng.choice(seen)}"
    if chance < 0.85:
        return rng.choice(VERBS).format(rng.choice(seen), rng.choice(seen))
    return spoilt(rng.choice(possible), rng) if chance < 0.95 else rng.choice(WORDS)


def play(game, steps, seed, first=()):
    """The commands of a game that begins with `first`, and what our engine says to each."""
    rng = random.Random(seed)
    state, answers, commands = game.start, [], []
    seen = [*game.spots, *rng.sample(sorted(game.kinds), min(20, len(game.kinds)))]
    for i in range(steps):
        text = first[i] if i < len(first) else command(game, state, rng, seen)
        state, said = rules.play(game, state, text)
        commands.append(text)
        won = game.won(state)
        answers.append([said, int(won), won, sorted(rules.acts(game, state))])
    return commands, answers


def whole(game, answers):
    """All that the player reads, from the intro on."""
    return [[rules.intro(game), sorted(rules.acts(game, game.start))], *answers]


def digest(read):
    return hashlib.sha256(json.dumps(read).encode()).hexdigest()


def game_of(file):
    return read_game(file)
