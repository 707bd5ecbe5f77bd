"""Our own household games, the oracle that plays them, and the exemplars made from them."""

import functools
import itertools
import json
from collections import Counter, defaultdict

import exemplars as author
import household_play
import make_games as made
import pandas as pd
import pytest
from house import oracle
from house.games import Generated, game, game_in, games, task_of
from house.gold import gold_runs, taken_over
from house.rooms import HELD_OUT

import react_lab as rl
from react_lab import data
from react_lab.analysis.household import kind_of
from react_lab.envs.household import TYPES, Household, HouseholdEnv, source
from react_lab.envs.household.rules import intro, play
from react_lab.finetune.lines import training_lines
from react_lab.kinds import KINDS
from react_lab.label.rules import GameEvidence
from react_lab.prompts import order_of, read_exemplars
from react_lab.replay import prompt_of
from react_lab.score import over_prompts
from react_lab.types import Step, Task, Trajectory

KIND = KINDS["household"]
LEGS = ("act", "react", "react-im")
PAIRS = [f"ours {a}+{b}" for a, b in itertools.permutations((1, 2, 3), 2)]


def stored(split):
    lines = data.folder("tasks", "household", f"{split}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in lines.splitlines()]


ROWS = {split: stored(split) for split in ("train", "dev", "unseen")}
ALL = [row for rows in ROWS.values() for row in rows]
OLD = [*stored("old"), *stored("old_train")]  # until November 2026: stored runs are of them


@functools.cache
def played(id, leg):
    row = next(row for row in ALL if row["id"] == id)
    return oracle.play(task_of(row), HouseholdEnv(game_in(row)), leg)


# the games
def test_there_are_games_of_every_type_and_tasks_name_them():
    for split, rows in ROWS.items():
        assert Counter(row["type"] for row in rows) == dict.fromkeys(TYPES, made.GAMES[split] / 6)
        tasks = rl.tasks.load("household", split)
        assert len(tasks) == len(rows) and {task.gold for task in tasks} == {None}
        assert all(task.extra == {"type": task.extra["type"], "game": task.id} for task in tasks)
    assert len(ALL) >= 120 and len({row["id"] for row in ALL}) == len(ALL)
    _, opening = intro(game_in(ROWS["unseen"][0])).split("\n\n", 1)
    assert Household()(tasks[0]).reset(tasks[0]) == opening.replace("\n\n", "\n")


def test_every_walkthrough_wins_and_none_is_won_before_its_last_act():
    for row in [*ALL[::4], *OLD[::8]]:
        game = game_in(row)
        state, won = game.start, [game.won(game.start)]
        for command in row["walkthrough"]:
            state, text = play(game, state, command)
            assert text != "Nothing happens.", (row["id"], command)
            won.append(game.won(state))
        assert won == [False] * len(row["walkthrough"]) + [True], row["id"]


def test_the_files_are_what_the_generator_makes_and_further_games_are_others():
    for split, rows in ROWS.items():
        fresh = list(games(split, made.GAMES[split]))
        assert [row | {"walkthrough": was["walkthrough"]} for row, was in zip(fresh, rows, strict=True)] == rows  # fmt: skip
    some = list(itertools.islice(made.rows("unseen"), 3))
    assert some == ROWS["unseen"][:3]
    more = list(games("train", 12, first=3001))
    assert [row["type"] for row in more] == [*TYPES, *TYPES] and more[0] == game("train", 3001)
    assert not {json.dumps(row["game"]) for row in more} & {json.dumps(r["game"]) for r in ALL}


def furniture(row):
    return frozenset(Counter(map(kind_of, row["game"]["receptacles"])).items())


def lying(row):
    there = row["game"]["receptacles"].items()
    return {(kind_of(thing), kind_of(place)) for place, things in there for thing in things}


def test_unseen_games_show_what_no_train_game_does():
    train = [*ROWS["train"], *games("train", 150, first=1000)]
    rooms = {furniture(row) for row in train}
    kinds = {frozenset(kind for kind, _ in room) for room in rooms}
    for row in ROWS["unseen"]:
        assert furniture(row) not in rooms
        assert frozenset(kind for kind, _ in furniture(row)) not in kinds
    shown = set().union(*map(lying, train))
    wanted = {(row["game"]["object"], row["game"]["target"]) for row in train}
    assert not (shown | wanted) & HELD_OUT
    new = [{(row["game"]["object"], row["game"]["target"]), *lying(row)} for row in ROWS["unseen"]]
    assert sum(bool(pairs & HELD_OUT) for pairs in new) > len(new) / 2


# the oracle
@pytest.mark.parametrize("leg", LEGS)
def test_the_oracle_wins_our_games(leg):
    assert {played(row["id"], leg).end for row in ALL[::4]} == {"finished"}


def test_the_oracle_wins_the_papers_games(shared, tmp_path):
    bundle = source(household_play.released(shared, tmp_path / "games.zip"))
    won = 0
    for row in bundle.rows("valid_unseen"):
        env = HouseholdEnv(bundle.game(row["game"]))
        run = oracle.play(task_of(row), env, "react")  # the legs do the same acts: see below
        won += run.reward == 1.0 and len(run.steps) <= 50
    assert won >= 0.95 * 134


def test_the_legs_differ_in_thoughts_alone():
    counts = defaultdict(list)
    for row in ALL[::4]:
        acts = {}
        for leg in LEGS:
            steps = played(row["id"], leg).steps
            acts[leg] = [step.action for step in steps if step.action]
            counts[leg].append(sum(step.thought is not None for step in steps))
            assert all((step.thought is None) != (step.action is None) for step in steps)
        assert acts["act"] == acts["react"] == acts["react-im"]
    assert max(counts["act"]) == 0 and min(counts["react"]) >= 1
    assert sum(counts["react"]) < 0.7 * sum(counts["react-im"])  # sparse, dense


# the exemplars
def file_of(type, leg="react"):
    return data.folder("exemplars", f"{KIND.exemplars_for(type, leg)}.txt")


def read(type, leg="react"):
    text = file_of(type, leg).read_text(encoding="utf-8")
    return read_exemplars(text, KIND.layout, [KIND.start])[1]


@pytest.mark.parametrize("leg", ["react", "react-im"])
@pytest.mark.parametrize("type", TYPES)
def test_exemplars_replay_word_for_word_and_win(type, leg):
    shown = read(type, leg)
    assert len(shown) == 3
    for exemplar in shown:
        env = author.game_env(exemplar.opening)
        assert env.game.goal.type == type
        for step in exemplar.steps:
            if step.action is None:
                assert step.observation == "OK."
                continue
            seen = env.step(step.action)
            assert (seen.text, seen.why) == (step.observation, None)
        assert seen.done and seen.reward == 1.0
        steps = Step(None, "look", exemplar.opening), *exemplar.steps
        run = Trajectory("x", Task("t", "household", "win"), leg, "m", steps=steps)
        assert GameEvidence(run).first_unseen == (0, "")  # no thought names what was not seen
    text = file_of(type, leg).read_text(encoding="utf-8")
    assert author.written_games(text) == text


def test_there_are_six_prompts_of_two_exemplars_for_each_type():
    for type in TYPES:
        openings = [exemplar.opening for exemplar in read(type)]
        heads = []
        for prompts in PAIRS:
            heads.append(prompt_of("react", "household", type=type, prompts=prompts).head)
            first, second = (heads[-1].index(openings[k - 1]) for k in order_of(prompts))
            assert first < second
            assert sum(opening in heads[-1] for opening in openings) == 2
        assert len(set(heads)) == 6
        act = prompt_of("act", "household", type=type, prompts="ours 2+1").head
        assert "think:" not in act and "> go to" in act
    with pytest.raises(ValueError, match="exemplars 1 to 3"):
        prompt_of("react", "household", type=TYPES[0], prompts="ours 1+4")


def test_the_average_and_the_best_of_several_prompts():
    """Of the best prompts, All is one single prompt's; each type has its own best (Table 3)."""
    won = {"ours 1+2": {"put": [1, 1], "look": [0]}, "ours 2+1": {"put": [1, 0], "look": [1]}}
    df = pd.DataFrame(
        {"method": "react", "model": "m", "prompts": prompts, "type": type, "correct": bool(one)}
        for prompts, types in won.items() for type, ones in types.items() for one in ones
    )  # fmt: skip
    rows = over_prompts(df).round(1).loc[("react", "m")].to_dict("index")
    assert rows["avg"] == {"put": 75.0, "look": 50.0, "All": 66.7, "prompts": 2}
    assert rows["best"] == {"put": 100.0, "look": 100.0, "All": 66.7, "prompts": 2}


def test_gold_runs_are_the_same_games_for_every_leg_and_become_lines():
    runs = {leg: list(gold_runs(12, leg)) for leg in LEGS}
    acts = {leg: [[s.action for s in run.steps if s.action] for run in of] for leg, of in runs.items()}  # fmt: skip
    assert acts["act"] == acts["react"] == acts["react-im"]
    assert all(run.end == "finished" for of in runs.values() for run in of)
    assert any(step.outcome == "failed" for run in runs["react"] for step in run.steps)
    for leg in ("act", "react"):
        lines = training_lines(runs[leg], leg, Generated())
        assert len(lines) == 12 and any(not turn.learned for line in lines for turn in line)
    with pytest.raises(ValueError, match="other thoughts"):
        training_lines(runs["react"][:1], "react-im", Generated())


def test_the_oracle_takes_over_from_a_model():
    """What the model did is shown and not taught; the oracle plays to the end."""
    task = task_of(game("train", 2))
    steps = tuple(Step(None, act) for act in ("go to nowhere 1", "look", "inventory", "dance"))
    lost = Trajectory("x", task, "react", "m", steps=steps, end="step_limit")
    run = taken_over(lost, 4, "react")
    assert [step.action for step in run.steps[:3]] == [step.action for step in steps[:3]]
    assert [step.outcome for step in run.steps[:3]] == ["failed"] * 3
    assert run.reward == 1.0 and len(run.steps) > 3 and run.steps[3].outcome is None
