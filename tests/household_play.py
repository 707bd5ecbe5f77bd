"""Random and adversarial play of household games: the same acts for our engine and the real one."""

import gzip
import hashlib
import json
import random
import re
import zipfile

from react_lab.envs.household import rules

WORDS = ("", " ", "go", "go to", "take", "put", "move", "think: I wait.", "help", "xyzzy", "go to loc 1",
         "look around", "inventory 1", "examine", "use", "open", "slice", "drop all", "undo", "restart",
         "go to a fridge 1", "put in/on", "take from", "take apple 1", "none", "{o}", "go to {r}",
         "GO TO", "öffne fridge 1", "go\u00a0to fridge 1", "🙂", "look\nlook", "l\x00ook", "a" * 500,
         "go to fridge 1; look", "look.", "'look'", "(look)", "move", "[look]", "help me", "Look", "LOOK")  # fmt: skip
VERBS = ("go to {0}", "open {0}", "close {0}", "examine {0}", "use {0}", "take {0} from {1}", "put {0} in/on {1}",
         "put {0} on {1}", "put {0} in {1}", "move {0} to {1}", "clean {0} with {1}", "heat {0} with {1}",
         "cool {0} with {1}", "slice {0} with {1}", "clean {0}", "take {0}", "go to the {0}", "examine the {0}")  # fmt: skip
BUSY = ("take", "put", "move", "open", "clean", "heat", "cool", "use", "slice")


def bundles(shared):
    """The authors' 134 games of the paper, in both syntaxes."""
    for syntax in ("move", "put"):
        packed = (shared / f"alfworld_unseen_134_{syntax}_syntax.json.gz").read_bytes()
        yield syntax, json.loads(gzip.decompress(packed))


def files(whole):
    """The games of a bundle as game files."""
    (domain,), (grammar,) = whole["pddl_domain"], whole["grammar"]
    for name, game in whole["games"].items():
        filled = grammar.replace("UNKNOWN GOAL.", game["task"])
        texts = {"pddl_domain": domain, "grammar": filled, "pddl_problem": game["pddl_problem"]}
        yield name, texts


def released(shared, path, syntax="put"):
    """These games as ALFWorld's release has them: a zip file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as box:
        for name, game in files(dict(bundles(shared))[syntax]):
            place = f"json_2.1.1/valid_unseen/{name}/game.tw-pddl"
            box.writestr(place, json.dumps({**game, "solvable": True}))
    return path


def walkthrough(acts, syntax):
    """A walkthrough of the bundle, in a syntax."""
    if syntax == "move":
        return acts
    return [re.sub("move (.*) to (.*)", r"put \1 in/on \2", act) for act in acts]


def jobs(shared):
    """Every game, one half in each syntax; one half of each begins with its walkthrough."""
    whole = dict(bundles(shared))
    read = {syntax: dict(files(bundle)) for syntax, bundle in whole.items()}
    for i, (name, game) in enumerate(whole["move"]["games"].items()):
        syntax = ("move", "put")[i % 2]
        first = walkthrough(game["walkthrough"], syntax) if i % 4 < 2 else ()
        yield name, syntax, read[syntax][name], first


class Dice(random.Random):
    """Only `random()` is promised to stay the same in every Python."""

    def pick(self, things):
        return things[int(self.random() * len(things))]

    def draw(self, things, most):
        """Some of the things, each once."""
        left = list(things)
        return [left.pop(int(self.random() * len(left))) for _ in range(min(most, len(left)))]


def spoilt(command, rng):
    """A command with a slip."""
    words = command.split(" ")
    at = rng.pick(range(len(words)))
    match rng.pick(range(9)):
        case 0:
            return command.upper() if rng.random() < 0.5 else command.capitalize()
        case 1:
            return command.replace(" ", "  ", 1)
        case 2:
            return command + rng.pick([" ", "\n", "\t", "\u00a0", "."])
        case 3:
            return rng.pick([" ", "\n", "> ", "\t"]) + command
        case 4:
            return " ".join(words[:at] + words[at + 1 :])
        case 5:
            other = rng.pick(["on", "in", "to", "in / on"])
            return command.replace("in/on", other).replace(" to ", " on ")
        case 6:
            return f"{command} {rng.pick(words)}"
        case 7:
            return " ".join(reversed(words))
    return command.replace("1", rng.pick("0239"))


def command(game, state, rng, seen):
    """One more command: often one that does something, else a try or a slip."""
    possible = sorted(rules.acts(game, state))
    busy = [text for text in possible if text.startswith(BUSY)]
    chance = rng.random()
    if chance < 0.1:
        return f"examine {state.held}" if state.held else "look"
    if busy and chance < 0.5:
        return rng.pick(busy)
    if chance < 0.65:
        return rng.pick(possible)
    if chance < 0.75:
        return f"examine {rng.pick(seen)}"
    if chance < 0.85:
        return rng.pick(VERBS).format(rng.pick(seen), rng.pick(seen))
    return spoilt(rng.pick(possible), rng) if chance < 0.95 else rng.pick(WORDS)


def play(game, steps, seed, first=()):
    """The commands of a game that begins with `first`, and what our engine says to each."""
    rng = Dice(seed)
    state, answers, commands = game.start, [], []
    seen = [*game.spots, *rng.draw(sorted(game.kinds), 20)]
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
