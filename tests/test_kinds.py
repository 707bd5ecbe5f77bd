"""A kind of task from outside the package: nothing of react_lab is touched for it."""

import dataclasses
import functools
from types import SimpleNamespace

import pytest

import react_lab as rl
from react_lab.kinds import KINDS, Kind
from react_lab.label.rules import Evidence
from react_lab.types import Action, Seen, Task

EXEMPLARS = """Open the vault.

Riddle: It has hands and cannot clap.
Rationale: What has hands and is no animal is a clock.
Thought 1: I ask for a hint about hands.
Action 1: Ask[hands]
Observation 1: They turn all day.
Thought 2: A clock has hands that turn.
Action 2: Say[clock]
"""
HINTS = {"teeth": "It lies by the mirror.", "ring": "It hangs on a wall."}


class Vault:
    """The Env: ten lines."""

    actions = (Action("Ask[word]", "gives a hint"), Action("Say[answer]", "ends it"))
    snapshot = "vault 1"

    def __init__(self, task):
        self.gold = task.extra["opens"]

    def reset(self, task):
        return f"Riddle: {task.text}"

    def step(self, action):
        name, _, word = action.rstrip("]").partition("[")
        if name == "Say":
            return Seen("", done=True, answer=word, reward=float(word == self.gold))
        hint = HINTS.get(word)
        return Seen(hint or "Silence.", why=None if hint else "nobody asked about that")


class VaultEvidence(Evidence):
    """How its runs are read for labels: what was asked decides."""

    def of_failure(self, pages):
        yield "search result error", f"it asked {len(self.steps) - 1} times"


TASKS = [
    Task("r1", "riddles", "It has teeth and cannot bite.", extra={"opens": "comb", "type": "body"}),
    Task("r2", "riddles", "It rings and has no finger.", extra={"opens": "bell", "type": "body"}),
    Task("r3", "riddles", "It runs and has no legs.", extra={"opens": "river", "type": "place"}),
]
SOLVED = [" A hint.\nAction 1: Ask[teeth]", " A comb.\nAction 2: Say[comb]"]
LOST = [" Hm.\nAction 1: Ask[door]", " No.\nAction 2: Say[door]"]


@pytest.fixture
def riddles(tmp_path, monkeypatch):
    """The Kind and its exemplar file."""
    file = tmp_path / "riddles.txt"
    file.write_text(EXEMPLARS, encoding="utf-8")
    kind = Kind(
        opener="Riddle", noun="riddles", world=Vault, max_steps=4, legs=("cot", "act", "react"),
        exemplars=str(file), grade="reward", ends_with="Say", empty=("Silence",),
    )  # fmt: skip
    monkeypatch.setitem(KINDS, "riddles", kind)
    return SimpleNamespace(path=tmp_path / "runs.jsonl", tasks=TASKS)


def scripted(*replies):
    return rl.models.scripted(replies)


def test_a_kind_from_outside_runs_resumes_and_is_shown(riddles):
    run = rl.run("react", TASKS[0], scripted(*SOLVED))
    told = (run.end, run.answer, run.reward, run.settings["world"])
    assert told == ("finished", "comb", 1.0, "vault 1")
    edited = rl.rethink(run, at=1, action="Ask[ring]")
    again = rl.resume(edited, scripted(" A bell.\nAction 2: Say[bell]"))
    told = (again.reward, again.parent, again.steps[0].observation)
    assert told == (0.0, run.id, "It hangs on a wall.")
    words = str(rl.show([run, again]))
    assert words.startswith("Riddle: It has teeth") and "Reward: 1" in words


def test_its_prompts_are_ablated_and_its_legs_are_its_own(riddles):
    react, act = rl.prompt_of("react", "riddles"), rl.prompt_of("act", "riddles")
    assert react.head.startswith("Open the vault.\nTake turns: a Thought, an Action")
    assert "(1) Ask[word], which gives a hint; (2) Say[answer], which ends it." in react.head
    assert "Thought 2: A clock has hands" in react.head and "Thought" not in act.head
    cot = rl.prompt_of("cot", "riddles")
    assert "Thought: What has hands" in cot.head and "\nRiddle:" in cot.layout.stop(1)
    with pytest.raises(ValueError, match="riddles are not asked by standard; they take: cot, act"):
        rl.run("standard", TASKS[0], scripted("x"))
    with pytest.raises(ValueError, match="household games are not asked by cot; they take: act, r"):
        rl.prompt_of("cot", "household")


def test_it_is_evaluated_stored_and_scored(riddles):
    model = scripted(*SOLVED, *LOST, *LOST)
    runs = rl.evaluate("react", TASKS, model, riddles.path, workers=1, progress=False)
    assert [run.reward for run in rl.store.open(riddles.path)] == [1.0, 0.0, 0.0]
    assert [step.outcome for step in runs[1].steps] == ["failed", None]
    df = rl.frame(runs)
    assert list(df["correct"]) == [True, False, False]
    assert list(df["type"]) == ["body", "body", "place"]
    assert rl.score.table(df)["% of all"].tolist() == [33.3]


def test_it_is_drawn_and_labelled(riddles, tmp_path):
    played = zip(TASKS, (SOLVED, LOST, LOST), strict=True)
    runs = [rl.run("react", task, scripted(*replies)) for task, replies in played]
    runs += [rl.run("act", task, scripted(" Say[door]")) for task in TASKS]
    picture = rl.plots.differences(runs)
    assert "riddles" in picture.caption and list(picture.table["method"]) == ["Act"]
    assert rl.label.suggest(runs[0]).mode == "true positive"
    assert rl.label.suggest(runs[1]).mode == "search result error"
    desk = rl.Labeller(runs, path=tmp_path / "labels.jsonl", by="me", blind=False)
    assert desk.front.run["asked"] == "Riddle"
    assert "Saved" in desk.label("true positive")


def test_its_evidence_causes_and_view_are_its_own(riddles, monkeypatch):
    causes = SimpleNamespace(CAUSES={"nobody to ask": "no hint came"})
    causes.causes = lambda runs, world=None: rl.frame(runs).assign(cause="nobody to ask")
    view = {"title": "The vault", "sentences": ["It is shut."], "upto": 1, "keyword": ""}
    monkeypatch.setattr(Vault, "view", lambda env: view, raising=False)
    own = {"evidence": VaultEvidence, "causes": causes, "view": "page"}
    monkeypatch.setitem(KINDS, "riddles", dataclasses.replace(KINDS["riddles"], **own))
    runs = [rl.run("react", task, scripted(*LOST)) for task in TASKS[1:]]
    assert rl.label.suggest(runs[0])[:2] == ("search result error", "it asked 1 times")
    picture = rl.plots.failures([*runs, rl.run("react", TASKS[0], scripted(*SOLVED))])
    assert "Every lost riddle has one cause" in picture.caption and "no hint came" in repr(picture)
    became = picture.table.set_index("row")["n"].to_dict()
    assert became == {"won": 1, "nobody to ask": 2}
    world = rl.widgets.player(runs[0]).front.runs[0]["world"]
    assert (world["kind"], list(world["pages"])) == ("page", ["The vault"])


def test_it_becomes_training_lines(riddles):
    run = rl.run("react", TASKS[0], scripted(*SOLVED))
    (line,) = rl.finetune.training_lines([run], "act")
    assert line[0].shown == "Riddle: It has teeth and cannot bite.\nAction 1:"
    assert [turn.written for turn in line] == [" Ask[teeth]\n", " Say[comb]\n"]
    tuned = rl.models.scripted(SOLVED, tuned=["react"])
    rl.run("react", TASKS[0], tuned)
    assert tuned.asked[0].prompt == "Riddle: It has teeth and cannot bite.\nThought 1:"


def test_an_adapter_belongs_to_a_world_and_a_leg(riddles, monkeypatch):
    named = dataclasses.replace(KINDS["riddles"], adapters="vault")
    monkeypatch.setitem(KINDS, "riddles", named)
    wiki = rl.models.scripted(SOLVED, tuned=["react"])  # of another world: prompted here
    run = rl.run("react", TASKS[0], wiki)
    assert wiki.asked[0].leg == "vault/react" and run.settings["bare"] == []
    ours = rl.models.scripted(SOLVED, tuned=["vault/react"])
    assert rl.run("react", TASKS[0], ours).settings["bare"] == ["react"]


def test_a_strangers_kind_runs_with_a_world_and_prompts_of_its_own(tmp_path, monkeypatch):
    file = tmp_path / "mine.txt"
    file.write_text(EXEMPLARS.replace("Riddle:", "Question:"), encoding="utf-8")
    task = Task("m1", "mine", "It has teeth.", extra={"opens": "comb", "type": ["a", "b"]})
    run = rl.run("react", task, scripted(*SOLVED), world=Vault, prompts=file)
    assert run.reward == 1.0 and rl.frame(run)["kind"].tolist() == ["mine"]
    with pytest.raises(ValueError, match="no kind of task 'mine'; there are: multihop, claims"):
        rl.run("react", task, scripted(*SOLVED), world=Vault)
    monkeypatch.setitem(KINDS, "mine", Kind(noun="tasks of mine"))
    with pytest.raises(ValueError, match="no world for tasks of mine comes with react_lab"):
        rl.run("act", task, scripted("x"), prompts=file)
    file.write_text(EXEMPLARS, encoding="utf-8")
    with pytest.raises(ValueError, match=r"no exemplar found .* begins with a line 'Question: '"):
        rl.prompt_of("react", prompts=file)


def test_what_a_kind_lacks_is_said_before_a_call_is_paid_for(riddles, monkeypatch):
    game = dataclasses.replace(KINDS["riddles"], legs=("act", "react"))
    monkeypatch.setitem(KINDS, "riddles", game)
    model = scripted(*SOLVED)
    with pytest.raises(ValueError, match="riddles are not asked by cot; they take: act, react"):
        rl.run("react->cot-sc", TASKS[0], model)
    assert not model.asked

    def mine(task, kit):
        return (yield from rl.METHODS["react"](task, kit))

    run = rl.run(mine, TASKS[0], model)
    assert (run.method, run.reward) == ("mine", 1.0)
    with pytest.raises(ValueError, match="riddles are not asked by cot"):
        rl.finetune.training_line(run, "cot")


def test_a_game_that_is_lost_without_a_reward_is_a_failure(riddles):
    lost = rl.run("react", TASKS[0], scripted(*[" Hm.\nAction 1: Ask[door]"] * 4))
    assert (lost.end, lost.reward, rl.score.correct(lost)) == ("step_limit", None, False)
    assert rl.score.correct(rl.rethink(lost, at=1, thought="Ask.")) is None
    assert rl.label.suggest(lost).mode == "reasoning error"


def test_a_made_up_next_task_is_cut_in_its_own_words_and_an_answer_is_its_own_last_act(riddles):
    forged = " A hint.\nRiddle: What is black?\nThought 1: Tar.\nAction 1: Say[tar]"
    run = rl.run("react", TASKS[0], scripted(forged, " Ask[teeth]", SOLVED[1]))
    assert run.answer == "comb" and run.steps[0].repairs == ("forged observation",)
    run = rl.run("cot", TASKS[0], scripted(" It is a comb.\nAnswer: comb"))
    assert (run.steps[0].action, run.reward) == ("Say[comb]", 1.0)
    begun = dataclasses.replace(KINDS["riddles"], begins="Solve this: ")
    layout = begun.layout_for({"thought"})
    assert "\nSolve this:" in layout.stop(1)
    assert layout.read(" a\nSolve this: b\nAnswer: c", 1).action is None


def test_names_of_methods_are_told_apart(riddles):
    def made(name):
        def mine(task, kit):
            return (yield from rl.METHODS["act"](task, kit))

        mine.__name__ = name
        return mine

    with pytest.raises(ValueError, match="a method of your own cannot be called react"):
        rl.run(made("react"), TASKS[0], scripted())
    with pytest.raises(ValueError, match="needs a name: make it with def"):
        rl.run(functools.partial(made("mine")), TASKS[0], scripted())
    with pytest.raises(ValueError, match="two methods are called mine"):
        rl.evaluate([made("mine"), made("mine")], TASKS, scripted(), riddles.path)


def test_an_act_that_failed_is_not_taught_after_a_replay_either(riddles):
    run = rl.run("react", TASKS[0], scripted(*LOST))
    first = dataclasses.replace(run.steps[0], observation="Hush.")
    moved = dataclasses.replace(run, steps=(first, *run.steps[1:]))
    again = rl.resume(rl.rethink(moved, at=2, action="Say[comb]"), scripted())
    assert again.flags == ("drifted",) and again.steps[0].outcome == "failed"
    (line,) = rl.finetune.training_lines([again], "react")
    assert [turn.learned for turn in line] == [False, True]
