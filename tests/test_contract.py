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
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest

import react_lab as rl

CONTRACT, DATA = Path(__file__).with_name("contract.json"), rl.data.folder()
OTHERS, LABELLED = DATA / "runs" / "agents", DATA / "labels" / "runs.jsonl"  # chats; our own runs
RUNS = [path for path in sorted(DATA.glob("runs/**/*.jsonl")) if path.parent != OTHERS]
NAMES = """tasks.load tasks.question tasks.claim models.local models.openai models.scripted
models.cached models.recorded envs.Wiki envs.Household envs.Shop envs.Tools plots.table1
plots.samples_curve label.suggest label.Session label.merge finetune.train_adapter kinds.Kind"""
COMMANDS = "fetch run table figure3 finetune world doctor"
COLUMNS = "id task type method correct f1 end calls tokens_in tokens_out"
METHODS = ["cot-sc", "react->cot-sc", "cot-sc->react", "react-chat", "react-tools", "act-tools"]
OPTIONS = {  # of legs with exemplars, and of single methods
    "": [{"shots": 0}, {"shots": 1}, {"prompts": "ours 1"}, {"max_steps": 1}],
    "cot-sc": [{"n": 5}, {"temperature": 0.2}, {"seed": 3}],
    "act": [{"end_repeats": True}, {"decoding": "best-of-n"}, {"decoding": "admissible"}],
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
}  # pages of our own, so that nothing here changes with the encyclopedia
PAGES = {"Aare": "The Aare is a river. It flows through Bern.", "阿勒": "阿勒河是一条河。"}
PAGES = SimpleNamespace(get=PAGES.get, search=lambda query, k=5: [*PAGES])
WORLDS = {kind: rl.envs.Wiki(PAGES) for kind in ("multihop", "claims")}
WORLDS["multihop-zh"] = rl.envs.Wiki(PAGES, lang="zh")
WORLDS["household"] = rl.envs.Household(DATA / "tasks" / "household" / "unseen.jsonl")


class Player:
    """An object, so that no source of it is a part of the script's identity; mute without acts."""

    def __init__(self, acts=""):
        self.acts = itertools.cycle(enumerate(acts.split(" | "), 1))

    def __call__(self, ask):
        i, act = next(self.acts)
        if not act:
            raise rl.types.ModelError("mute")
        name, given = rl.types.split_act(act) or ("go_to", "shelf 1")
        call = {"id": f"c{i}", "function": {"name": name, "arguments": json.dumps({"X": given})}}
        alone = ask.leg.startswith(("household/", "shop/"))
        text = f" {act}" if alone else f" To Bern.\nAction {i}: {act}\nAnswer: {given}"
        return rl.types.Reply(text, tool_calls=(call,))


def play(method, task, acts="", tuned=(), **options):
    """A run, and the model that was asked."""
    model = rl.models.scripted(Player(acts), tuned=tuned)
    model.grammars = True
    options = {"world": WORLDS.get(task.kind), "max_steps": 5, "on_error": "record"} | options
    return rl.run(method, task, model, **options), model


def content(ask):
    """All that one request says."""
    chat = ask.prompt if isinstance(ask.prompt, tuple) else ()
    prompt = [(m.role, m.text, [[*c] for c in m.calls], m.answers) for m in chat] or ask.prompt
    more = (ask.stop, ask.temperature, ask.samples, ask.max_tokens, ask.leg, ask.seed, ask.grammar)
    return prompt, more, [*ask.tools]


def episodes(made, kind, task, method, has_exemplars):
    """What is sent, under which ids, and what can be made of such a run."""
    ids, sent = made[f"ids {kind} {method}"], made[f"prompts {kind} {method}"]
    world, tuned = {"world": WORLDS.get(kind)}, {"tuned": (method, f"{kind}/{method}")}
    for more in ({}, *OPTIONS.get(method, ()), *((tuned, *OPTIONS[""]) if has_exemplars else ())):
        run, model = play(method, task, ACTS[kind], **more)
        early, _ = play(method, replace(task, gold=None), **more)
        assert (early.calls, early.id) == (0, run.id)  # known before the first call
        ids += [run.id, rl.store.digest(run)]
        sent += map(content, model.asked)
        if not more:
            sent.append(rl.prompt_of(run, len(run.steps), **world))
    if method in ("react", "react-tools"):
        again = [rl.rethink(run, 1, "Mine.", act) for act in (None, "look")] + [early]
        ids += [one.id for run in again for one in (run, rl.resume(run, model, **world))]
    if has_exemplars:
        type = {"type": task.extra.get("type"), **world}
        sent += [rl.prompt_of(method, kind, shots=n, **type).head for n in (None, 1)]
        made[f"training {kind} {method}"].append(lines_of([run], method, **world))
"""x"""


def contract():
    """A digest of each group of what must not change."""
    made = defaultdict(list)
    for kind, tasks in TASKS.items():
        legs = rl.kinds.KINDS[kind].legs
        methods = [*legs, *METHODS[0 if "cot" in legs else 3 :]]
        for task, method in itertools.product(tasks, methods):
            episodes(made, kind, task, method, method in legs)
        with TemporaryDirectory() as folder:
            path, options = Path(folder, "runs.jsonl"), {"n": 5, "repeats": 2, "max_steps": 3}
            options |= {"world": WORLDS.get(kind), "workers": 1, "progress": False}
            for acts in (ACTS[kind], ""):  # the second time nothing is asked
                rl.evaluate(methods, tasks[:2], rl.models.scripted(Player(acts)), path, **options)
            for line in path.read_text("utf-8").splitlines():
                line = re.sub(r'"seconds":[0-9.e-]+', '"seconds":0', line)
                made[f"file {kind} {json.loads(line)['method']}"].append(line)
    for leg in rl.kinds.LEGS:
        runs = rl.store.open(DATA / "runs" / "labelled" / "pool-react.jsonl")
        lines = rl.finetune.training_lines(runs, leg)
        made[f"training stored {leg}"] = [*map(vars, sum(lines, ())), *rl.finetune.rows(lines)]
    for name in ("Wiki", "Household", "Shop", "Tools"):
        made[f"snapshot {name}"] = getattr(rl.envs, name)().snapshot
    made["options"] = [*map(str, inspect.signature(rl.run).parameters.values())]
    made["names"] = [sorted(rl.__all__), [*rl.METHODS], [*rl.kinds.KINDS], rl.types.ENDS]
    texts = {name: json.dumps(made[name], sort_keys=True).encode() for name in sorted(made)}
    return {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()}


def test_nothing_changes():
    was, now = json.loads(CONTRACT.read_text("utf-8")), contract()
    assert not [name for name in was | now if was.get(name) != now.get(name)]


@pytest.mark.parametrize("path", [*RUNS, LABELLED], ids=str)
def test_stored_runs_open_and_are_written_again_alike(path, tmp_path):
    runs, lines = rl.store.open(path), path.read_bytes().splitlines()
    assert len(runs) == len(lines) > 0
    places = [*range(len(lines))[:20], len(lines) - 1][: len(lines)]
    for place in places:
        rl.store.append(tmp_path / path.name, runs[place])
    again = rl.store.open(tmp_path / path.name)
    assert [*again] == [runs[place] for place in places]
    for place, line in zip(places, again.lines(), strict=True):
        was, now = json.loads(lines[place]), json.loads(line)
        for row in (was, now) if was["schema"] == 1 else ():  # which had no outcomes
            row |= {"schema": 2, "steps": [step | {"outcome": None} for step in row["steps"]]}
        assert now == was


@pytest.mark.parametrize("path", sorted({*DATA.glob("labels/*.jsonl")} - {LABELLED}), ids=str)
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


@pytest.mark.parametrize("path", sorted(DATA.glob("recordings/*.jsonl")), ids=str)
def test_recordings_replay_their_first_reply(path):
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    first = next(row for row in rows if "reply" in row)
    (whose,) = (row for row in rows if "identity" in row and row["about"] == first["about"])
    world, _, leg = whose["leg"].rpartition("/")
    kind = world or ("claims" if "Claim: " in first["prompt"] else "multihop")
    text = re.findall(r"^(?:Question|Claim): (.+)$", first["prompt"], re.M)[-1:]
    options = {"tuned": [whose["leg"]] * whose["tuned"], "max_steps": 1, "world": None}
    for task in [replace(TASKS[kind][0], text=text[0])] if text else ALL[kind]:
        _, model = play(leg, task, **options)
        if (ask := model.asked[0]).prompt.endswith(first["prompt"]):
            break
    model.name, model.identity = whose["name"], lambda leg: whose["identity"]
    reply = rl.models.cached(model, path, "replay").complete(ask)[0]
    newest = [row["reply"]["text"] for row in rows if row.get("key") == first["key"]][-1]
    assert (reply.text, reply.settings["replayed"]) == (newest, True)


def test_public_names_and_commands_are_there():
    for room, name in (names.split(".") for names in NAMES.split()):
        assert callable(getattr(getattr(rl, room), name))
    assert {*COLUMNS.split()} <= {*rl.frame(rl.store.open(LABELLED)[:2]).columns}
    assert len(rl.store.read_transcript(OTHERS / "dspy-written.jsonl", "openai", "tools")) == 5
    told = subprocess.check_output([sys.executable, "-m", "react_lab", "--help"], text=True)
    assert {*COMMANDS.split()} <= {*re.findall(r"\w+", told)}


if __name__ == "__main__":
    CONTRACT.write_text(json.dumps(contract(), indent=0) + "\n", "utf-8", newline="\n")
