"""Table 3 from runs of all sorts: who won, why the others lost, and what is kept of it."""

from collections import Counter
from dataclasses import replace

import household_play
import pandas as pd
import pytest
import table3_runs as author
from house.oracle import play
from house.programs import AT_RANDOM, IN_ORDER, at_random, in_order
from hypothesis import given
from hypothesis import strategies as st

import react_lab as rl
from react_lab import plots
from react_lab.analysis import paper, table3
from react_lab.analysis.household import CAUSES, cause_of
from react_lab.envs.household import Household
from react_lab.score import NO_MODEL
from react_lab.types import ENDS, FAULTS, EnvError, Step, Task, Trajectory

LEGS = ("act", "react", "react-im")
WORLD = Household()
TASKS = rl.tasks.load("household", "old")
BY_TYPE = {task.extra["type"]: task for task in TASKS[:6]}
TYPES = dict(zip(("put", "clean", "heat", "cool", "look", "two"), BY_TYPE, strict=True))


def task_of(type):
    return BY_TYPE[TYPES[type]]


def lost(task, acts, end="step_limit"):
    return Trajectory("i", task, "act", "m", steps=tuple(Step(None, act) for act in acts), end=end)


def winning(task):
    """The acts with which the oracle wins a game."""
    return [step.action for step in play(task, WORLD(task), "act").steps]


def game_of(task):
    return WORLD(task).game


def elsewhere(task, *not_these):
    """Places of other kinds than the goal's, on which anything was never looked for."""
    game = game_of(task)
    return [r for r in game.spots if game.kinds[r] not in (game.goal.target, *not_these)]


# ---------------------------------------------------------------------- why it was lost
@pytest.mark.parametrize("type", TYPES)
def test_a_won_game_has_no_cause(type):
    run = play(task_of(type), WORLD(task_of(type)), "react")
    assert run.reward == 1 and cause_of(run) is None
    assert cause_of(replace(run, reward=None, end="unfinished")) is None


ENDED = {"repeated": "stuck", "step_limit": "never found"}  # after `look`
ENDED |= dict.fromkeys(("unreadable", "refused", "context_limit"), "broke off")
ENDED |= dict.fromkeys(FAULTS, "fault")


@pytest.mark.parametrize("end", sorted(set(ENDS) - {"finished", "unfinished"}))
def test_an_end_that_the_player_did_not_choose_is_the_cause(end):
    assert cause_of(lost(task_of("put"), ["look"], end)) == ENDED[end]


@pytest.mark.parametrize("type", ["put", "clean", "heat", "cool"])
def test_a_walk_past_the_thing_is_passed_by(type):
    acts = winning(task_of(type))
    at = next(i for i, act in enumerate(acts) if act.startswith("take "))
    here = acts[at].rpartition(" from ")[2]
    away = next(r for r in elsewhere(task_of(type)) if r != here)
    assert cause_of(lost(task_of(type), [*acts[:at], f"go to {away}"])) == "passed by"
    assert cause_of(lost(task_of(type), acts[:at])) == "out of steps"  # seen, and not yet passed
    back = [*acts[:at], f"go to {away}", f"go to {here}", acts[at]]
    assert cause_of(lost(task_of(type), back)) == "out of steps"  # it came back for it


@pytest.mark.parametrize("type", ["clean", "heat", "cool"])
def test_what_is_put_unready_is_a_forgotten_subgoal(type):
    acts = winning(task_of(type))
    verb = type + " "
    short = [act for act in acts if not act.startswith(verb)]
    assert cause_of(lost(task_of(type), short)) == "forgot a subgoal"
    thing, place = short[-1].removeprefix("put ").split(" in/on ")
    taken = [*short, f"take {thing} from {place}"]
    assert cause_of(lost(task_of(type), taken)) == "out of steps"  # it noticed


def test_a_lamp_lit_without_the_thing_is_a_forgotten_subgoal():
    acts = winning(task_of("look"))
    assert acts[-1].startswith("use ")
    short = [act for act in acts if not act.startswith("take ")]
    assert cause_of(lost(task_of("look"), short)) == "forgot a subgoal"
    take = next(i for i, act in enumerate(acts) if act.startswith("take "))
    late = [*acts[take + 1 :], *acts[: take + 1]]  # the lamp first, and then the thing
    assert cause_of(lost(task_of("look"), late)) == "out of steps"


def test_the_thing_put_elsewhere_is_a_wrong_place():
    """Every open place that takes the thing, but the right one."""
    found = Counter()
    for task in (task for task in TASKS if task.extra["type"] == TYPES["put"]):
        acts, game = winning(task), game_of(task)
        thing = acts[-1].removeprefix("put ").split(" in/on ")[0]
        take = next(i for i, act in enumerate(acts) if act.startswith("take "))
        fits = [r for r in elsewhere(task) if (game.kinds[r], game.kinds[thing]) in game.fits]
        for place in [r for r in fits if r not in game.openable][:2]:
            there = [f"go to {place}"] * (not acts[take].endswith(f" {place}"))
            way = [*acts[: take + 1], *there, f"put {thing} in/on {place}"]
            found[cause_of(lost(task, way))] += 1
    assert set(found) == {"wrong place"} and found.total() > 8


def test_the_same_acts_again_are_stuck_and_a_wrong_thing_kept_or_one_of_two_is_told():
    task = task_of("put")
    one, other = list(game_of(task).spots)[:2]
    acts = [f"go to {one}", f"go to {other}"] * 10
    assert cause_of(lost(task, acts)) == "stuck"
    assert cause_of(lost(task, acts[:4])) != "stuck"
    assert cause_of(lost(task, ["dance"] * 10)) == "stuck"
    assert cause_of(lost(task, ["dance"] * 9)) == cause_of(lost(task, [])) == "never found"
    for task in TASKS[:12]:
        game = game_of(task)
        other, place = min(
            (thing, r) for thing, r in game.start.inside
            if game.kinds[thing] != game.goal.object and thing in game.able["pickupable"]
            and r not in game.openable
        )  # fmt: skip
        acts = [f"go to {place}", f"take {other} from {place}"]
        assert cause_of(lost(task, acts)) == "wrong thing", task.id
    acts = winning(task_of("two"))
    first = next(i for i, act in enumerate(acts) if act.startswith("put "))
    assert cause_of(lost(task_of("two"), acts[: first + 1])) == "one of two"
    second = len(acts) - 1
    assert cause_of(lost(task_of("two"), acts[:second])) == "out of steps"  # it is in hand


ODD = ["", "  ", "think: a", "look", "inventory", "help", "go to", "take from", "\x00"]
ACTS = st.one_of(st.text(max_size=30), st.sampled_from(ODD), st.integers(0, 10**6))


@given(st.sampled_from(TASKS[:12]), st.lists(ACTS, max_size=25), st.sampled_from(ENDS))
def test_any_acts_have_exactly_one_cause_and_the_same_each_time(task, acts, end):
    """Whole numbers choose among what can be done; the rest is any text."""
    env, steps = WORLD(task), []
    env.reset(task)
    for act in acts:
        can = env.admissible()
        act = can[act % len(can)] if isinstance(act, int) else act
        seen = env.step(act)
        steps.append(Step(None, act or None, seen.text))
    reward = 1.0 if end == "finished" else None
    run = Trajectory("i", task, "act", "m", steps=tuple(steps), end=end, reward=reward)
    cause = cause_of(run)
    other = (replace(step, thought="I am lost.", observation="?") for step in steps)
    assert cause == cause_of(replace(run, steps=tuple(other)))
    assert (cause is None) == (end in ("finished", "unfinished")) and cause in (None, *CAUSES)


def test_a_run_of_no_game_is_named():
    claim = Trajectory("c", Task("c", "claims", "?"), "act", "m")
    game = Trajectory("i", TASKS[0], "act", "m")
    for told in ((claim,), (game, lambda task: object())):
        with pytest.raises(ValueError, match="is no household game"):
            cause_of(*told)
    with pytest.raises(EnvError, match="no game 'gone' was found"):
        cause_of(lost(Task("t", "household", "put", extra={"game": "gone"}), ["look"]))


# ---------------------------------------------------------------------- the table
def played(tasks, leg, right, tuned=True, prompts="ours", **more):
    """Runs of which so many tasks, the first ones, are won."""
    settings = {"bare": [leg] if tuned else [], "prompts": prompts, "max_steps": 50}
    settings["identity"] = {leg: f"m abc adapter={'ab' * 8 if tuned else None}"}
    return [
        Trajectory(
            f"{leg} {prompts} {task.id}", task, leg, "small", settings, calls=9,
            **{"end": "finished", "reward": 1.0} | more if i < right else {"end": "step_limit"} | more,
        )
        for i, task in enumerate(tasks)
    ]  # fmt: skip


REAL = [
    replace(task, id=f"real/{task.id}", extra={**task.extra, "source": "alfworld-valid_unseen"})
    for task in TASKS[:12]
]
OURS = [run for leg, n in zip(LEGS, (20, 40, 20), strict=True) for run in played(TASKS, leg, n)]
THEIRS = [run for leg, n in zip(LEGS, (5, 9, 7), strict=True) for run in played(REAL, leg, n)]
PROMPTED = [run for leg in ("act", "react") for run in played(TASKS, leg, 3, tuned=False)]


def lines_of(table, of="All"):
    return table[table["of"] == of].set_index("row")


def test_settings_sources_and_adapters_are_kept_apart():
    picture = plots.table3(OURS + THEIRS + PROMPTED)
    rates = {"fine-tuned: alfworld-valid_unseen": [12, 9, 0],
             "fine-tuned: household-unseen": [72, 40, 0],
             "prompted: household-unseen": [72, 3, 0]}  # fmt: skip
    assert list(picture.tables)[:3] == list(rates)
    for name, told in rates.items():
        row = lines_of(picture.tables[name]).loc["ReAct (avg)", ["n", "right", "faults"]]
        assert row.tolist() == told
    assert picture.caption.count("small, ") == 3 and "Adapters: Act abababab" in picture.caption
    assert plots.table3(OURS).table.equals(picture.tables["fine-tuned: household-unseen"])
    other = {"bare": ["react"], "identity": {"react": f"m abc adapter={'cd' * 8}"}}
    mixed = [replace(run, settings=other) if i % 2 else run for i, run in enumerate(OURS)]
    with pytest.raises(ValueError, match="are of 2 adapters \\(abababab, cdcdcdcd\\): choose one"):
        plots.table3(mixed)
    tables = plots.differences(OURS + THEIRS).tables
    assert {name: set(table["n"]) for name, table in tables.items()} == {
        "games of alfworld-valid_unseen": {12}, "games of household-unseen": {72},
    }  # fmt: skip
    assert list(plots.differences(OURS).tables) == ["household games"]
    rule = [in_order(task, WORLD(task)) for task in TASKS[:24]]
    beside = plots.differences(OURS + rule).table.set_index("method")
    assert beside.loc[IN_ORDER, "n"] == 24 and beside.loc["Act", "n"] == 72


def test_the_papers_rows_stand_beside_ours_and_methods_are_compared_on_the_same_games():
    table = plots.table3(OURS).table
    theirs = paper.table(3)
    for name in paper.read("table3")["columns"]:
        rows = lines_of(table, name)
        assert rows["paper %"].dropna().to_dict() == theirs[name].to_dict()
        assert rows["n"].dropna().eq(72 if name == "All" else 12).all()
    best = [row for row in table["row"].unique() if "best" in row]
    assert len(best) == 5 and lines_of(table).loc[best, "%"].isna().all() if "%" in table else False
    low, high = rl.stats.wilson(40, 72)
    react = lines_of(table).loc["ReAct (avg)"]
    assert (react["from"], react["to"]) == (round(100 * low, 1), round(100 * high, 1))
    picture = plots.table3(OURS)
    pairs = picture.tables["same games, fine-tuned: household-unseen"]
    row = pairs.set_index(["method", "against"]).loc[("Act", "ReAct")]
    assert (row["n"], row["only it"], row["only the other"]) == (72, 0, 20)
    assert "Act against ReAct -27.8 points" in picture.caption and "p < 0.001" in picture.caption
    drawn = [text.get_text() for ax in picture.figure.axes for text in ax.texts]
    assert "-27.8, p < 0.001" in drawn
    apart = plots.table3([*played(TASKS[:6], "act", 3), *played(TASKS[6:], "react", 3)])
    assert len(apart.tables) == 1 and "same games" not in apart.caption


def test_several_prompts_have_an_average_and_a_best_of_and_programs_stand_below():
    runs = [
        run for i, n in enumerate((6, 12, 0)) for leg in ("act", "react")
        for run in played(TASKS[:12], leg, n, tuned=False, prompts=f"ours {i + 1}")
    ]  # fmt: skip
    rows = lines_of(plots.table3(runs).table)
    assert rows.loc["ReAct (avg)", "%"] == 50.0 and rows.loc["ReAct (best of 6)", "%"] == 100.0
    assert pd.isna(rows.loc["ReAct (best of 6)", "from"])  # the best of several has no interval
    once = lines_of(plots.table3(runs[:12]).table)
    assert pd.isna(once.loc["Act (best of 6)"].get("%"))
    rule = [in_order(task, WORLD(task)) for task in TASKS[:6]]
    blind = [at_random(task, WORLD(task), seed) for task in TASKS[:6] for seed in (0, 1)]
    assert {run.model for run in rule + blind} == {NO_MODEL}
    assert set(rl.frame(rule)["setting"]) == {NO_MODEL}
    picture = plots.table3(OURS + rule + blind)
    rows = lines_of(picture.table)
    assert rows.loc[IN_ORDER, "%"] == 100 and rows.loc[AT_RANDOM, "n"] == 6  # games, not runs
    assert rows.loc["ReAct (avg)", "n"] == 72 and "no model" not in picture.caption
    assert at_random(TASKS[0], WORLD(TASKS[0]), 1) == at_random(TASKS[0], WORLD(TASKS[0]), 1)
    with pytest.raises(ValueError, match="these are of programs alone"):
        plots.table3(rule)


def test_what_is_lacking_is_no_fault_of_the_table():
    few = [run for run in OURS if run.method == "react" and run.task.extra["type"] != TYPES["heat"]]
    picture = plots.table3(few)
    assert lines_of(picture.table, "Heat")["paper %"].notna().sum() == 7
    assert "no games" in {ax.get_xlabel() for ax in picture.figure.axes} and picture.png
    faulty = [replace(run, end="error", reward=None) for run in few[:7]] + few[7:]
    assert "7 of these runs were ended by a fault" in plots.table3(faulty).caption
    odd = [replace(run, task=replace(run.task, extra={"type": "dance"})) for run in few[:2]]
    told = plots.table3(odd + few[2:])
    assert "2 runs are of none of the six types" in told.caption
    assert lines_of(told.table).loc["ReAct (avg)", "n"] == 60


def tried(stray, leg="react"):
    return [
        replace(play(t, WORLD(t), leg, stray=stray), model="small", settings={"bare": [leg]})
        for t in TASKS[:24]
    ]  # fmt: skip


def test_what_became_of_the_games_adds_up():
    runs = tried(0.7) + tried(0.9, "act")
    picture = plots.failures(runs)
    table = picture.table
    assert (table.groupby("of")["n"].sum() == 24).all()
    for method, leg in (("ReAct", "react"), ("Act", "act")):
        told = Counter(cause_of(run) for run in runs if run.method == leg)
        mine = table[table["of"] == f"{method} household games"].set_index("row")
        assert mine["n"][mine["n"] > 0].to_dict() == {n or "won": k for n, k in told.items()}
        assert mine["%"].sum() == pytest.approx(100, abs=0.5)
    rule = [in_order(task, WORLD(task)) for task in TASKS[:3]]
    assert plots.failures(runs + rule).table.equals(table)  # a program by itself, or not at all
    assert all(CAUSES[name] in picture.caption for name in {*table["row"]} - {"won"})
    assert picture.png and "95% Wilson" in picture.caption


def test_causes_want_games_and_one_setting():
    with pytest.raises(ValueError, match="this frame lacks cause"):
        plots.failures(rl.frame(OURS))
    with pytest.raises(ValueError, match="some of these runs are prompted and some fine-tuned"):
        plots.failures(OURS[:3] + PROMPTED[:3])
    question = Trajectory("i", Task("multihop-1", "multihop", "q", "a"), "act", "m", end="finished")
    for data in (question, [question]):
        with pytest.raises(ValueError, match="none of these runs is of one"):
            plots.failures(data)
    with pytest.raises(ValueError, match="is about household games"):
        plots.table3([question])


# ---------------------------------------------------------------------- what is kept
def test_what_is_shipped_can_be_drawn():
    new = table3.measured()
    won = new.groupby("method")["correct"].agg(["sum", "count"]).to_dict("index")
    assert won[IN_ORDER] == {"sum": 72, "count": 72} and won[AT_RANDOM] == {"sum": 0, "count": 360}
    assert won["react"] == {"sum": 66, "count": 72} and won["act"] == {"sum": 67, "count": 72}
    assert set(new[new["setting"] != NO_MODEL]["task"]) == set(new["task"])  # on the same games
    assert plots.table3(new).png
    df = table3.measured(table3.folder())
    programs = df[df["setting"] == NO_MODEL]
    won = programs.groupby(["source", "method"])["correct"].agg(["sum", "count"]).to_dict("index")
    assert won[("household-unseen", IN_ORDER)] == {"sum": 72, "count": 72}
    assert won[("alfworld-valid_unseen", IN_ORDER)] == {"sum": 60, "count": 60}
    assert programs[programs["method"] == AT_RANDOM]["correct"].mean() < 0.05
    assert plots.failures(programs).png
    again = in_order(TASKS[5], WORLD(TASKS[5]))
    kept = programs[programs["id"] == again.id].iloc[0]
    assert (kept["steps"], kept["correct"]) == (len(again.steps), True)


def player(games):
    """A model that plays the first of the games as the oracle does, and else looks around."""
    answers = {opening: iter(winning(task)) for opening, task in games.items()}

    def say(ask):
        opening = next((text for text in answers if text in ask.prompt), None)
        mine = opening and ask.leg.endswith("/act")
        return f" {next(answers[opening], 'look')}" if mine else " look"

    return rl.models.scripted(say, name="small", tuned=[f"household/{leg}" for leg in LEGS])


def test_of_alfworlds_games_only_what_became_of_them_is_kept(tmp_path, shared):
    path = household_play.released(shared, tmp_path / "release.zip")
    games = author.real_games(path)
    assert Counter(game.extra["type"] for game in games) == dict.fromkeys(TYPES.values(), 10)
    assert games == author.real_games(path) != author.real_games(path, seed=1)
    taught = set(map(author.goal_of, rl.tasks.load("household", "old_train")))
    assert not taught & set(map(author.goal_of, games))
    model = player({})
    author.measure(model, path, tmp_path / "kept", tmp_path / "aside", per_type=1)
    df = table3.measured(tmp_path / "kept")
    real = df[(df["source"] == "alfworld-valid_unseen") & (df["model"] == "small")]
    assert len(real) == 18 and len(list(rl.store.open(tmp_path / "aside" / "alfworld.jsonl"))) == 18
    assert next(iter(plots.table3(df).tables)) == "fine-tuned: alfworld-valid_unseen"
    text = (tmp_path / "kept" / "alfworld.json").read_text(encoding="utf-8")
    assert "You are in the middle" not in text and not any(game.text in text for game in games)
