"""What stays, byte for byte, while everything inside the package moves. Only public names stand here.

`python tests/test_contract.py` writes tests/contract.json anew: only where a change is meant.
"""

import hashlib
import inspect
import json
import re
import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

import react_lab as rl

CONTRACT, FOLDER = Path(__file__).with_name("contract.json"), rl.data.folder()
OTHERS, LABELLED = FOLDER / "runs" / "agents", FOLDER / "labels" / "runs.jsonl"
RUNS = [path for path in sorted(FOLDER.glob("runs/**/*.jsonl")) if path.parent != OTHERS]
LABELS = sorted({*FOLDER.glob("labels/*.jsonl")} - {LABELLED})
NAMES = """tasks.load tasks.question tasks.claim models.local models.openai models.scripted models.cached
models.recorded envs.Wiki envs.Household envs.Shop envs.Tools store.open store.append finetune.train_adapter
plots.table1 plots.samples_curve label.suggest label.Session label.merge"""  # beside rl.__all__
COLUMNS = "id task type method correct f1 end calls tokens_in tokens_out"
COMMANDS = "fetch run table figure3 finetune world doctor"
CHATS = ["react-chat", "react-tools", "act-tools"]
OPTIONS = {  # of a method, beside shots
    "cot-sc": [{"n": 5}, {"temperature": 0.2}, {"seed": 3}],
    "react": [{"prompts": "ours 2+1"}, {"end_repeats": True}, {"decoding": "best-of-n"}],
    "act": [{"max_steps": 1}, {"decoding": "admissible"}],
    "react->cot-sc": [{"max_steps": 1}],
    "react-chat": [{"context": 800}],
}
SPLITS = {"multihop": "pool", "claims": "pool", "household": "unseen", "multihop-zh": "dev"}
GAMES = {task.extra["type"]: task for task in reversed(rl.tasks.load("household", "unseen"))}
TASKS = {kind: rl.tasks.load(kind, SPLITS.get(kind, "test"))[:2] for kind in rl.kinds.KINDS}
TASKS["household"] = [*GAMES.values()]  # the first one of each type
ACTS = {  # what a player does first and then, and what it answers without acts
    "multihop": ("Search[Aare]", "Finish[Bern]", "Bern Thun Brienz Olten Biel"),
    "claims": ("Jump[Aare]", "Finish[REFUTES]", "REFUTES SUPPORTS"),
    "multihop-zh": ("搜索[阿尔]", "完成[伯尔尼]", "伯尔尼 伯尔尼 图恩"),
    "tools": ("Weather[Lima]", "Finish[22]", "22"),
    "household": ("think: I go.", "go to shelf 1", ""),
    "shop": ("think[I go.]", "search[journal]", ""),
}


class Pages(dict):  # so that nothing here changes with a page of the encyclopedia
    def search(self, query, k=5):
        return [*self][:k]


AARE, WORLDS = {"Aare": "The Aare is a river. It flows through Bern.", "阿勒": "一条河。"}, {}
WORLDS |= dict.fromkeys(["multihop", "claims"], rl.envs.Wiki(Pages(AARE)))
WORLDS["multihop-zh"] = rl.envs.Wiki(Pages(AARE), lang="zh")
WORLDS["household"] = rl.envs.Household(FOLDER / "tasks" / "household" / "unseen.jsonl")


class Player:
    """An object, so that no source of it is a part of the script's identity."""

    def __init__(self, kind):
        self.first, self.then, self.answers = ACTS[kind]

    def __call__(self, ask):
        leg, prompt = ask.leg.rpartition("/")[2], str(ask.prompt)
        begun = "I go to Ulm." in prompt or self.first in prompt or (leg[:3] == "act" and not self.answers)
        act = self.then if begun else self.first
        if leg in ("standard", "cot"):
            answer = self.answers.split()[ask.samples[0] % len(self.answers.split())]
            return f" {answer}" if leg == "standard" else f" I go.\nAnswer: {answer}"
        if leg.endswith("-tools"):
            name, given = rl.types.split_act(act) or ("go_to", "shelf 1")
            call = {"id": "c", "function": {"name": name, "arguments": json.dumps({"X": given})}}
            return rl.types.Reply("I go to Ulm." * leg.startswith("react"), tool_calls=(call,))
        return f" I go to Ulm.\nAction {1 + begun}: {act}" if self.answers and leg != "act" else f" {act}"


class Mute:
    """A model by its name alone; of a player's name, its runs have the player's ids."""

    def __init__(self, identity=rl.models.scripted(Player("tools")).identity(""), name="scripted", tuned=()):
        self.name, self.tuned, self.identity = name, frozenset(tuned), lambda leg: identity
        self.grammars = True

    def complete(self, ask, on_text=None):
        raise rl.types.ModelError("mute")


def player(kind, tuned=()):
    model = rl.models.scripted(Player(kind), tuned=tuned)
    model.grammars = True
    return model


def play(method, task, model, **options):
    options = {"world": WORLDS.get(task.kind), "on_error": "record", "max_steps": 4} | options
    return rl.run(method, task, model, **options)


def own(task, kit):
    return (yield from rl.METHODS["react"](task, kit))


def asked(ask):
    """All that one request says."""
    chat = ask.prompt if isinstance(ask.prompt, tuple) else ()
    prompt = [(m.role, m.text, [[*call] for call in m.calls], m.answers) for m in chat] or ask.prompt
    more = (ask.stop, ask.temperature, ask.samples, ask.max_tokens, ask.leg, ask.seed, ask.grammar)
    return [prompt, more, [dict(tool) for tool in ask.tools]]


def taught(lines):
    turns = [(turn.shown, turn.written, turn.mark, turn.learned) for line in lines for turn in line]
    return [len(lines), turns, [*rl.finetune.rows(lines)]]


def contract():
    """What must not change, by group."""
    made = defaultdict(list)
    for kind, tasks in TASKS.items():
        legs, world = rl.kinds.KINDS[kind].legs, WORLDS.get(kind)
        votes = ["cot-sc", "react->cot-sc", "cot-sc->react"] if "cot" in legs else []
        for task, method in ((task, method) for task in tasks for method in (*legs, *votes, *CHATS)):
            shots = [{"shots": 0}, {"shots": 1}, {"tuned": [method, f"{kind}/{method}"]}]
            for more in ({}, *(shots if method in legs else ()), *OPTIONS.get(method, ())):
                options, tuned = {**more}, more.get("tuned", ())
                options.pop("tuned", None)
                model, mute = player(kind, tuned), Mute(tuned=tuned)
                run = play(method, task, model, **options)
                early = play(method, replace(task, gold=None), mute, **options)
                assert (early.calls, early.id) == (0, run.id)  # known before the first call
                made[f"ids {kind} {method}"] += [run.id, rl.store.digest(run)]
                made[f"prompts {kind} {method}"] += map(asked, model.asked)
                made[f"prompts {kind} {method}"].append(rl.prompt_of(run, len(run.steps), world=world))
            if method in legs:
                head = rl.prompt_of(method, kind, world=world, type=task.extra.get("type")).head
                assert str(player_prompt).startswith(head)
