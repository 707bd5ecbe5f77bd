"""What stays, byte for byte, while everything inside the package moves. Only public names stand here.

`python tests/test_contract.py` writes tests/contract.json anew: only where a change is meant.
"""

import functools
import inspect
import json
import operator
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import replace
from hashlib import sha256
from itertools import cycle, product
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest

import react_lab as rl

CONTRACT, DATA = Path(__file__).with_name("contract.json"), rl.data.folder()
RUNS = [*sorted(DATA.glob("runs/[!a]*/*.jsonl")), DATA / "labels" / "runs.jsonl"]  # agents: chats
NAMES = """tasks.question tasks.claim models.local models.openai models.recorded plots.table1
plots.samples_curve label.suggest label.Session label.merge finetune.train_adapter"""  # and those used
COMMANDS = "fetch run table figure3 finetune world doctor"
METHODS = ["cot-sc", "react->cot-sc", "cot-sc->react", "react-chat", "react-tools", "act-tools"]
OPTIONS = [{"shots": 0, "n": 5}, {"shots": 1, "max_steps": 1, "temperature": 0.2}, {"seed": 3}]
OPTIONS += [{"prompts": "ours 1", "end_repeats": True, "decoding": "sampled"}, {}]
BARE = r"(?:Question|Claim): (.+)\n.+"  # how a question is put without exemplars
RECORD = {"on_error": "record", "max_steps": 4}
SPLITS = dict.fromkeys(("multihop", "claims"), "pool") | dict.fromkeys(("household", "shop"), "old")
SPLITS |= {"multihop-zh": "dev"}
TASKS = {kind: rl.tasks.load(kind, SPLITS.get(kind, "test")) for kind in rl.kinds.KINDS}
ACTS = {  # what a player does, over and over
    "multihop": ("Search[Aare]", "Lookup[Bern]", "Finish[Bern]"),
    "claims": ("Jump[Aare]", "Search[Nowhere]", "Finish[REFUTES]"),
    "multihop-zh": ("搜索[阿勒]", "查找[河]", "完成[河]"),
    "tools": ("Weather[Lima]", "Calculate[1/0]", "Finish[22]"),
    "household": ("go to shelf 1", "think: It is empty.", "go to shelf 1"),
    "shop": ("search[journal]", "think[The first one.]", "click[Next >]"),
}
PAGES = {"Aare": "The Aare is a river. It flows through Bern.", "阿勒": "阿勒河是一条河。"}
PAGES = SimpleNamespace(get=PAGES.get, search=lambda query, k=5: ["Aare"])  # whatever data/wiki has
WORLDS = {kind: rl.envs.Wiki(PAGES) for kind in ("multihop", "claims")}
WORLDS["multihop-zh"] = rl.envs.Wiki(PAGES, lang="zh")
HOME = TemporaryDirectory()  # the games are of a file with the name that their ids hang on
GAMES = Path(HOME.name, "unseen.jsonl")
GAMES.write_bytes((DATA / "tasks" / "household" / "old.jsonl").read_bytes())
WORLDS["household"] = rl.envs.Household(GAMES)
WORLDS["shop"] = rl.envs.Shop(DATA / "shop" / "old.jsonl.gz")


def reply(acts, ask):
    for i, act in acts:
        name, given = rl.types.split_act(act) or ("go_to", "shelf 1")
        call = {"id": f"c{i}", "function": {"name": name, "arguments": json.dumps({"X": given})}}
        return rl.types.Reply(f" {act}\nAction {i}: {act}\nAnswer: {given}", tool_calls=(call,))
    raise rl.types.ModelError("mute")


def player(acts=(), tuned=()):
    script = functools.partial(reply, cycle(enumerate(acts, 1)))  # no source to hash
    return rl.models.scripted(script, tuned=tuned)


def episodes(made, kind, task, method, exemplars):
    ids, sent, name, world = [], [], f"{kind} {method}", {"world": WORLDS.get(kind)}
    for more in OPTIONS:
        model, options = player(ACTS[kind]), RECORD | world | more
        run = rl.run(method, task, model, **options)
        early = rl.run(method, replace(task, gold=None), player(), **options)
        assert (early.calls, early.id) == (0, run.id)  # known before the first call
        ids += [run.id, rl.store.digest(run)]
        sent += model.asked
    if method in ("react", "react-tools"):
        again = [rl.rethink(run, 1, "Mine.", act) for act in (None, "look")] + [early]
        ids += [one.id for run in again for one in (run, rl.resume(run, model, **world))]
    if exemplars:
        head = rl.prompt_of(method, kind, type=task.extra.get("type"), **world).head
        assert model.asked[0].prompt.startswith(head)
        bare = player(ACTS[kind], tuned=(method, f"{kind}/{method}"))
        ids.append(rl.run(method, task, bare, **RECORD | world).id)
        sent += bare.asked
        made[f"training {name}"] += map(vars, rl.finetune.training_line(run, method, **world))
    made[f"ids {name}"] += ids
    made[f"prompts {name}"].append(rl.prompt_of(run, len(run.steps), **world))
    made[f"prompts {name}"] += [{k: v for k, v in vars(ask).items() if v} for ask in sent]


def contract():
    """A digest of each group of what must not change."""
    made = defaultdict(list)
    for kind, tasks in TASKS.items():
        legs, types = rl.kinds.KINDS[kind].legs, {t.extra.get("type"): t for t in reversed(tasks)}
        methods = [*legs, *METHODS[0 if "cot" in legs else 3 :]]
        every = [*types.values()] if kind == "household" else tasks[:1]  # the first of each type
        for task, method in (*product(every, legs), *product(tasks[:1], methods[len(legs) :])):
            episodes(made, kind, task, method, method in legs)
        with TemporaryDirectory() as folder:
            path, options = Path(folder, "runs.jsonl"), {"n": 5, "repeats": 2, "max_steps": 3}
            options |= {"world": WORLDS.get(kind), "workers": 1, "progress": False}
            for model in (player(ACTS[kind]), player()):  # the second one is asked nothing
                rl.evaluate(methods, tasks[0], model, path, **options)
            for line in path.read_text("utf-8").splitlines():
                line = re.sub(r'"seconds":[0-9.e-]+', '"seconds":0', line)
                made[f"file {kind} {json.loads(line)['method']}"].append(json.loads(line))
    runs = rl.store.open(DATA / "runs" / "labelled" / "pool-react.jsonl")
    for leg in rl.kinds.LEGS:
        made[f"training stored {leg}"] = [*rl.finetune.rows(rl.finetune.training_lines(runs, leg))]
    for name in ("Wiki", "Household", "Shop", "Tools"):
        made[f"snapshot {name}"] = getattr(rl.envs, name)().snapshot
    chats = rl.store.read_transcript(DATA / "runs/agents/dspy-written.jsonl", "openai", "tools")
    made["chats of others"] = [*map(rl.store.dump, chats)]
    listed = inspect.signature(rl.run).parameters.values()
    defaults = {p.name: p.default for p in listed if p.kind is p.KEYWORD_ONLY}
    made["names"] = [sorted(rl.__all__), [*rl.METHODS], [*rl.frame(runs)], defaults]
    return {k: sha256(json.dumps(v, sort_keys=True).encode()).hexdigest() for k, v in made.items()}


def test_nothing_changes():
    was, now = json.loads(CONTRACT.read_text("utf-8")), contract()
    assert not (odd := [k for k in was | now if was.get(k) != now.get(k)]), ", ".join(odd)
    assert all(callable(operator.attrgetter(name)(rl)) for name in NAMES.split())
    told = subprocess.check_output([sys.executable, "-m", "react_lab", "--help"], text=True)
    assert {*COMMANDS.split()} <= {*re.findall(r"\w+", told)}


@pytest.mark.parametrize("path", RUNS, ids=str)
def test_stored_runs_open_and_are_written_again_alike(path, tmp_path):
    runs, lines = rl.store.open(path), path.read_bytes().splitlines()
    places, copy = [*range(len(lines))[:20], len(lines) - 1][: len(lines)], tmp_path / path.name
    for place in places:
        rl.store.append(copy, runs[place])
    for place, line in zip(places, copy.read_bytes().splitlines(), strict=True):
        was, now = json.loads(lines[place]), json.loads(line)
        for row in (was, now) if was["schema"] == 1 else ():  # which had no outcomes
            row |= {"schema": 2, "steps": [step | {"outcome": None} for step in row["steps"]]}
        assert now == was and len(runs) == len(lines)


@pytest.mark.parametrize("path", sorted(DATA.glob("labels/*[!s].jsonl")), ids=str)
def test_labels_open_and_are_written_again_alike(path, tmp_path):
    rows = [*map(json.loads, path.read_bytes().splitlines())]
    digests = map(rl.store.digest, rl.store.open(path.with_name("runs.jsonl")))
    assert {entry.digest for entry in rl.label.read(path)} <= {"", *digests}
    file = rl.label.LabelFile(tmp_path / path.name, rows[0]["by"])
    for was in [*rows[:20], rows[-1]]:
        file.append(**{name: was[name] for name in was.keys() - {"seq", "by", "at"}})
        now = json.loads(file.path.read_bytes().splitlines()[-1])
        assert now == was | {"seq": now["seq"], "at": now["at"]}


@pytest.mark.parametrize("path", sorted(DATA.glob("recordings/*.jsonl")), ids=str)
def test_recordings_replay_the_first_reply_of_an_episode(path):
    rows = [*map(json.loads, path.read_bytes().splitlines())]
    replies = [row for row in rows if "reply" in row]
    first = next((row for row in replies if re.fullmatch(BARE, row["prompt"])), replies[0])
    whose = next(row for row in rows if row["about"] == first["about"])
    world, _, leg = whose["leg"].rpartition("/")
    kind = world or ("claims" if first["prompt"].startswith("Claim") else "multihop")
    question = re.fullmatch(BARE, first["prompt"])
    newer = {"household": "unseen", "shop": "test"}.get(kind)
    tasks = TASKS[kind] + (rl.tasks.load(kind, newer) if newer else [])
    for task in [replace(tasks[0], text=question[1])] if question else tasks:
        model = player(tuned=[whose["leg"]])
        rl.run(leg, task, model, **RECORD)
        if model.asked[0].prompt.endswith(first["prompt"]):
            break
    model.name, model.identity = whose["name"], lambda leg: whose["identity"]
    reply = rl.models.cached(model, path, "replay").complete(model.asked[0])[0]
    alike = [row["reply"]["text"] for row in replies if row["prompt"] == first["prompt"]]
    assert reply.text in alike and reply.settings["replayed"]


if __name__ == "__main__":
    CONTRACT.write_text(json.dumps(contract(), indent=0) + "\n", "utf-8", newline="\n")
