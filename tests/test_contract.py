"""What stays, byte for byte, while everything inside the package moves. Only public names stand here.

`python tests/test_contract.py` writes tests/contract.json anew: only where a change is meant.
"""

import hashlib
import inspect
import itertools
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

import react_lab as rl

CONTRACT, DATA = Path(__file__).with_name("contract.json"), rl.data.folder()
OTHERS, LABELLED = DATA / "runs" / "agents", DATA / "labels" / "runs.jsonl"  # chats; our own runs
RUNS = [path for path in sorted(DATA.glob("runs/**/*.jsonl")) if path.parent != OTHERS]
LABELS = sorted({*DATA.glob("labels/*.jsonl")} - {LABELLED})
NAMES = """tasks.load tasks.question tasks.claim models.local models.openai models.scripted models.cached
models.recorded envs.Wiki envs.Household envs.Shop envs.Tools store.open store.append plots.table1
plots.samples_curve label.suggest label.Session label.merge finetune.train_adapter kinds.Kind"""
COLUMNS = "id task type method correct f1 end calls tokens_in tokens_out"
COMMANDS = "fetch run table figure3 finetune world doctor"
CHATS, VOTES = (
    ("react-chat", "react-tools", "act-tools"),
    ("cot-sc", "react->cot-sc", "cot-sc->react"),
)
OPTIONS = {  # of all legs with exemplars, and of single methods
    "": [{"shots": 0}, {"shots": 1}, {"prompts": "ours 1"}],
    "cot-sc": [{"n": 5}, {"temperature": 0.2}, {"seed": 3}],
    "act": [{"max_steps": 1}, {"end_repeats": True}, {"decoding": "admissible"}],
    "react": [{"decoding": "best-of-n"}],
    "react->cot-sc": [{"max_steps": 1}],
    "react-chat": [{"context": 900}],
}
SPLITS = {"multihop": "pool", "claims": "pool", "household": "unseen", "multihop-zh": "dev"}
ALL = {kind: rl.tasks.load(kind, SPLITS.get(kind, "test")) for kind in rl.kinds.KINDS}
GAMES = {task.extra["type"]: task for task in reversed(ALL["household"])}  # one of each type
TASKS = {kind: tasks[:2] for kind, tasks in ALL.items()} | {"household": [*GAMES.values()]}
ACTS = {  # what a player does, over and over
    "multihop": "Search[Aare] | Lookup[Bern] | Finish[Bern]",
    "claims": "Jump[Aare] | Search[Nowhere] | Finish[REFUTES]",
    "multihop-zh": "搜索[阿勒] | 查找[河] | 完成[河]",
    "tools": "Weather[Lima] | Calculate[1/0] | Finish[22]",
    "household": "go to shelf 1 | think: It is empty. | go to shelf 1",
    "shop": "search[journal] | think[The first one.] | click[Next >]",
}


class Pages(dict):  # so that nothing here changes with a page of the encyclopedia
    def search(self, query, k=5):
        return [*self][:k]


PAGES = Pages({"Aare": "The Aare is a river. It flows through Bern.", "阿勒": "一条河。"})
WORLDS = {kind: rl.envs.Wiki(PAGES) for kind in ("multihop", "claims")}
WORLDS["multihop-zh"] = rl.envs.Wiki(PAGES, lang="zh")
WORLDS["household"] = rl.envs.Household(DATA / "tasks" / "household" / "unseen.jsonl")


class Player:
    """An object, so that no source of it is a part of the script's identity."""

    def __init__(self, kind):
        self.acts = itertools.cycle(enumerate(ACTS[kind].split(" | "), 1))

    def __call__(self, ask):
        i, act = next(self.acts)
        name, given = rl.types.split_act(act) or ("go_to", "shelf 1")
        call = {"id": f"c{i}", "function": {"name": name, "arguments": json.dumps({"X": given})}}
        whole = f" To Bern.\nAction {i}: {act}\nAnswer: {given}"
        short = ask.leg.startswith(("household/", "shop/"))
        return rl.types.Reply(f" {act}" if short else whole, tool_calls=(call,))


class Mute:
    """A model by its name alone."""

    grammars = True

    def __init__(self, identity, name="scripted", tuned=()):
        self.name, self.tuned, self.identity = name, frozenset(tuned), lambda leg: identity

    def complete(self, ask, on_text=None):
        raise rl.types.ModelError("mute")


def play(method, task, kind, tuned=(), **options):
    """The run of a player, its model, and how the same run begins without a word."""
    model = rl.models.scripted(Player(kind), tuned=tuned)
    model.grammars, mute = True, Mute(model.identity(""), tuned=tuned)
    options = {"world": WORLDS.get(kind), "on_error": "record", "max_steps": 5} | options
    early = rl.run(method, replace(task, gold=None), mute, **options)
    return rl.run(method, task, model, **options), model, early


def asked(ask):
    """All that one request says."""
    chat = ask.prompt if isinstance(ask.prompt, tuple) else ()
    prompt = [(m.role, m.text, [[*c] for c in m.calls], m.answers) for m in chat] or ask.prompt
    more = (ask.stop, ask.temperature, ask.samples, ask.max_tokens, ask.leg, ask.seed, ask.grammar)
    return prompt, more, [*ask.tools]


def episodes(made, kind, task, method):
    """What is sent, under which ids, and what can be made of such a run."""
    ids, sent = made[f"ids {kind} {method}"], made[f"prompts {kind} {method}"]
    world, legs, bare = (
        WORLDS.get(kind),
        rl.kinds.KINDS[kind].legs,
        {"tuned": (method, f"{kind}/{method}")},
    )
    for more in ({}, *OPTIONS.get(method, ()), *((bare, *OPTIONS[""]) if method in legs else ())):
        run, model, early = play(method, task, kind, **more)
        assert (early.calls, early.id) == (0, run.id)  # known before the first call
        ids += [run.id, rl.store.digest(run)]
        sent += map(asked, model.asked)
        sent += [rl.prompt_of(run, i, world=world) for i in range(1, len(run.steps) + 1)]
        if not more and method in ("react", "react-tools"):
            for edit in ({"thought": "Mine."}, {"thought": "Mine.", "action": "look"}):
                edited = rl.rethink(run, at=1, **edit)
                ids += [edited.id, rl.resume(edited, model, world=world).id]
            ids.append(rl.resume(early, model, world=world).id)
        if more in ({}, {"shots": 1}) and method in legs:
            type = {"type": task.extra.get("type"), "world": world}
            sent.append(rl.prompt_of(method, kind, **type, **more).head)
            line = rl.finetune.training_line(run, method, world)
            made[f"training {kind} {method}"] += map(vars, line)


def contract():
    """A digest of each group of what must not change."""
    made = defaultdict(list)
    for kind, tasks in TASKS.items():
        legs, world = rl.kinds.KINDS[kind].legs, WORLDS.get(kind)
        methods = [*legs, *(VOTES if "cot" in legs else ()), *CHATS]
        for task, method in itertools.product(tasks, methods):
            episodes(made, kind, task, method)
        with tempfile.TemporaryDirectory() as folder:
            path, player = Path(folder, "runs.jsonl"), rl.models.scripted(Player(kind))
            plan = {"n": 5, "repeats": 2, "max_steps": 3, "workers": 1, "progress": False}
            for model in (player, Mute(player.identity(""))):  # the second one is asked nothing
                rl.evaluate(methods, tasks[:2], model, path, world=world, **plan)
            assert [*Path(folder).iterdir()] == [path]
            for line in path.read_text("utf-8").splitlines():
                line = re.sub(r'"seconds":[0-9.e-]+', '"seconds":0', line)
                made[f"file {kind} {json.loads(line)['method']}"].append(line)
    for name, legs in (("react", rl.kinds.LEGS), ("cot", ("standard", "cot"))):
        runs = rl.store.open(DATA / "runs" / "labelled" / f"pool-{name}.jsonl")
        for leg in legs:
            lines = rl.finetune.training_lines(runs, leg)
            made[f"training pool-{name} {leg}"] += [
                *map(vars, itertools.chain(*lines)),
                *rl.finetune.rows(lines),
            ]
    for name in ("Wiki", "Household", "Shop", "Tools"):
        made[f"snapshot {name}"] = getattr(rl.envs, name)().snapshot
    made["options"] = [*map(str, inspect.signature(rl.run).parameters.values())]
    made["names"] = [sorted(rl.__all__), [*rl.METHODS], [*rl.kinds.KINDS], rl.types.ENDS]
    dumped = {name: json.dumps(made[name], sort_keys=True).encode() for name in sorted(made)}
    return {name: hashlib.sha256(text).hexdigest()[:32] for name, text in dumped.items()}


def test_nothing_changes():
    was, now = json.loads(CONTRACT.read_text("utf-8")), contract()
    assert not [name for name in {**was, **now} if was.get(name) != now.get(name)]


@pytest.mark.parametrize(
    "path", [*RUNS, LABELLED], ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_stored_runs_open_and_are_written_again_alike(path, tmp_path):
    runs, lines = rl.store.open(path), path.read_bytes().splitlines()
    assert len(runs) == len(lines) > 0
    places = sorted({*range(len(lines))[:20], len(lines) - 1})
    for place in places:
        rl.store.append(tmp_path / path.name, runs[place])
    again = rl.store.open(tmp_path / path.name)
    assert [*again] == [runs[place] for place in places]
    for place, line in zip(places, again.lines(), strict=True):
        was, now = json.loads(lines[place]), json.loads(line)
        for row in (was, now) if was["schema"] == 1 else ():  # which had no outcomes
            row |= {"schema": 2, "steps": [step | {"outcome": None} for step in row["steps"]]}
        assert now == was


@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.stem)
def test_labels_open_and_are_written_again_alike(path, tmp_path):
    digests = {rl.store.digest(run) for run in rl.store.open(LABELLED)}
    assert {entry.digest for entry in rl.label.read(path)} <= digests | {""}
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    file, given = rl.label.LabelFile(tmp_path / path.name, rows[0]["by"]), [*rows[:20], rows[-1]]
    for row in given:
        file.append(**{name: row[name] for name in row.keys() - {"seq", "by", "at"}})
    for was, line in zip(given, file.path.read_bytes().splitlines(), strict=True):
        now = json.loads(line)
        assert now == was | {"seq": now["seq"], "at": now["at"]}


@pytest.mark.parametrize(
    "path", sorted(DATA.glob("recordings/*.jsonl")), ids=lambda path: path.stem
)
def test_recordings_replay_their_first_reply(path):
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    first = next(row for row in rows if "reply" in row)
    (whose,) = (row for row in rows if "identity" in row and row["about"] == first["about"])
    world, _, leg = whose["leg"].rpartition("/")
    kind = world or ("claims" if "Claim: " in first["prompt"] else "multihop")
    text = re.findall(r"^(?:Question|Claim): (.+)$", first["prompt"], re.M)[-1:]
    tasks = [replace(TASKS[kind][0], text=text[0])] if text else ALL[kind]
    tuned = [whose["leg"]] * whose["tuned"]
    asks = (play(leg, task, kind, tuned, max_steps=1, world=None)[1].asked[0] for task in tasks)
    ask = next(ask for ask in asks if ask.prompt.endswith(first["prompt"]))
    mute = Mute(whose["identity"], whose["name"], tuned)
    reply = rl.models.cached(mute, path, "replay").complete(ask)[0]
    newest = [row["reply"]["text"] for row in rows if row.get("key") == first["key"]][-1]
    assert (reply.text, reply.settings["replayed"]) == (newest, True)


def test_public_names_and_commands_are_there():
    for room, name in (names.split(".") for names in NAMES.split()):
        assert callable(getattr(getattr(rl, room), name))
    assert {*COLUMNS.split()} <= {*rl.frame(rl.store.open(LABELLED)[:2]).columns}
    assert len(rl.store.read_transcript(OTHERS / "dspy-written.jsonl", "openai", "tools")) == 5
    told = subprocess.run(
        [sys.executable, "-m", "react_lab", "--help"], capture_output=True, text=True
    )
    assert {*COMMANDS.split()} <= {*re.findall(r"\w+", told.stdout)}


if __name__ == "__main__":
    CONTRACT.write_text(json.dumps(contract(), indent=0) + "\n", "utf-8", newline="\n")
