"""The pictures of a household run: the map, step by step, and the timeline of subgoals."""

import io
from dataclasses import replace

import household_houses
import pytest
from house.games import Generated, game, task_of
from house.oracle import play
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Text
from test_plots import overlapping

import react_lab as rl
from react_lab import plots
from react_lab.envs.household import HouseholdEnv
from react_lab.envs.household.alfworld import game_from
from react_lab.types import Seen, Step, Task, Trajectory

BUNDLED = rl.envs.Household()
TASK = Task("t", "household", "put some mug on shelf.", extra={"game": "mine"})
ACTS = (
    "go to fridge 1", "open fridge 1", "go to cabinet 1", "dance", "go to countertop 1", "take mug 2 from countertop 1",
    "go to microwave 1", "heat mug 2 with microwave 1", "go to shelf 2", "put mug 2 in/on shelf 2",
)  # fmt: skip


def kitchen(task=TASK):
    house = household_houses.house(spots=())
    return HouseholdEnv(game_from("pick_and_place_simple", task.text, house))


def run_of(acts=ACTS, thoughts=(), task=TASK, world=kitchen, **more):
    """A run of these acts, with what the world says to them."""
    env, steps = world(task), []
    env.reset(task)
    for i, act in enumerate(acts):
        steps += [Step(thoughts[i], observation="OK.")] if i < len(thoughts) else []
        steps.append(Step(None, act, env.step(act).text))
    facts = {"method": "react", "model": "m", "end": "finished", "reward": 1.0}
    return Trajectory(**{"id": "r", "task": task, "steps": tuple(steps), **facts, **more})


def rows_at(run, at, world=kitchen):
    rows = plots.house(run, at, world).table.set_index("receptacle")
    return {name: row.to_dict() for name, row in rows.iterrows()}


@pytest.fixture(scope="module")
def played():
    """One run of each leg, with slips, in small and large houses of ours."""
    tasks = rl.tasks.load("household", "old")
    tasks = sorted(tasks, key=lambda task: len(BUNDLED(task).game.spots))
    picked = {"act": tasks[0], "react": tasks[len(tasks) // 2], "react-im": tasks[-1]}
    return [play(task, BUNDLED(task), leg, stray=0.2) for leg, task in picked.items()]


# -- the map -------------------------------------------------------------------------------------
def test_the_table_tells_what_was_seen_where_by_a_step_and_the_map_says_it_in_words():
    run = run_of()
    at_0, at_3, end = (rows_at(run, at) for at in (0, 3, None))
    assert {row["contents"] for row in at_0.values()} == {None}
    assert [*at_3["fridge 1"].values()] == ["open", "apple 2, egg 1", 1]
    assert [*at_3["fridge 1"]] == ["door", "contents", "visits"]
    assert end["countertop 1"]["contents"] == "apple 1, knife 1"
    assert end["shelf 2"]["contents"] == "mug 2 (hot)"
    assert rows_at(run, 9)["shelf 2"]["contents"] == "empty"
    words = drawn_words(plots.house(run_of(), 8, kitchen).figure)
    assert "Task: put some mug on shelf." in words
    assert "After step 8 of 10: at microwave 1, holding mug 2 (hot)." in words
    assert "● here" in words and "★ shelf 1" in words
    assert {"not looked at yet", "not opened yet", "open", "closed"} <= set(words)
    assert "apple 2, egg 1" in words and "apple 1, knife 1" in words
    assert words.count("1") == words.count("5") == 1  # the steps at which it came there


@settings(max_examples=25)
@given(st.integers(1, 10_000), st.sampled_from([0.0, 0.4]), st.randoms(use_true_random=False))
def test_the_map_of_any_game_is_what_its_world_says(number, slips, pick):
    task, world = task_of(game("train", number)), Generated()
    run = play(task, world(task), "act", stray=slips, max_steps=12)
    at, env = pick.randrange(len(run.steps) + 1), world(task)
    env.reset(task)
    for step in run.steps[:at]:
        env.step(step.action)
    view, rows = env.view(), rows_at(run, at, world)
    assert [place["name"] for place in view["receptacles"]] == list(rows)
    for place in view["receptacles"]:
        row, things = rows[place["name"]], place["contents"]
        assert (row["contents"] is None) == (things is None)
        assert all(thing in row["contents"] for thing in things or ())
        assert row["door"] == {None: "", True: "open", False: "closed"}[place["open"]]
        assert row["visits"] == view["way"].count(place["name"])


def drawn_words(figure):
    return [text.get_text() for text in figure.findobj(Text)]


def test_the_caption_has_the_step_and_why_it_led_nowhere():
    run = run_of(thoughts=["I look for a mug."])
    assert plots.house(run, 1, kitchen).caption == "ReAct by m, step 1.\nThought: I look for a mug."
    picture = plots.house(run, 5, kitchen)
    assert "Act: dance\nThe game: Nothing happens.\nWhy: " in picture.caption
    assert any("The act led nowhere." in words for words in drawn_words(picture.figure))
    assert "Nothing is done yet." in plots.house(run, 0, kitchen).caption
    for last, said in ((run, "is done."), (replace(run, reward=None), "is not done.")):
        ends = [drawn_words(plots.house(last, at, kitchen).figure) for at in (None, 5)]
        told = [any(f"The task {said}" in line for line in words) for words in ends]
        assert told == [True, False]


def test_no_words_of_a_map_overlap_none_is_small_and_it_is_a_small_opaque_png(played):
    for run in played[::2]:
        for at in (len(run.steps) // 2, len(run.steps)):
            figure = plots.house(run, at).figure
            assert overlapping(figure) == []
            texts = [text for text in figure.findobj(Text) if text.get_text()]
            assert min(text.get_fontsize() for text in texts) >= 11
    from PIL import Image

    figures = [plots.house(played[-1], at).figure for at in (0, 5, len(played[-1].steps))]
    assert len({tuple(figure.get_size_inches()) for figure in figures}) == 1
    png = plots.house(played[-1], 5).png
    assert len(png) < 100_000
    assert Image.open(io.BytesIO(png)).convert("RGBA").getpixel((2, 2)) == (255,) * 4


# -- what cannot be drawn ------------------------------------------------------------------------
@pytest.mark.parametrize("at, error, words", [
    (11, ValueError, "step 11 is not in this run: at= takes 0 .* to 10"),
    (-1, ValueError, "step -1 is not in this run"),
    *((odd, TypeError, f"takes the number of a step, not {odd!r}") for odd in ("end", True)),
])  # fmt: skip
def test_a_step_that_is_not_there_is_named(at, error, words):
    with pytest.raises(error, match=words):
        plots.house(run_of(), at, kitchen)


@pytest.mark.parametrize("draw", [plots.house, plots.subgoals])
def test_what_has_no_house_is_said(draw):
    with pytest.raises(ValueError, match="is of multi-hop questions: only a run of a hous"):
        draw(Trajectory("q", Task("q", "multihop", "Who?"), "react", "m"))
    with pytest.raises(ValueError, match="no game 'mine' was found: .* give that as world="):
        draw(run_of())
    with pytest.raises(ValueError, match="nothing to draw"):
        draw(run_of(), world=lambda task: rl.envs.Wiki()(task))
    with pytest.raises(TypeError, match="drawn of runs, not of str"):
        draw(["x"])
    with pytest.raises(ValueError, match="there are no runs to draw"):
        draw([])


def test_a_map_is_of_one_run_and_a_timeline_of_a_few():
    assert plots.house([run_of()], 3, kitchen).table.equals(plots.house(run_of(), 3, kitchen).table)
    with pytest.raises(ValueError, match=r"room for one run: give runs\[:1\]"):
        plots.house([run_of()] * 2, None, kitchen)
    with pytest.raises(ValueError, match=r"room for 8 runs: give runs\[:8\]"):
        plots.subgoals([run_of()] * 9, kitchen)


def test_a_run_that_drifted_is_drawn_with_a_banner_and_a_step_of_a_person_is_no_drift():
    run = run_of()
    steps = [*run.steps]
    steps[4] = replace(steps[4], observation="On the countertop 1, you see nothing.")
    other = replace(run, steps=tuple(steps))
    banner = "CAREFUL: at step 5 the world answers otherwise than this run has it"
    assert plots.house(other, 5, kitchen).caption.startswith(banner)
    assert plots.subgoals(other, kitchen).caption.startswith(banner)
    assert "CAREFUL" not in plots.house(other, 4, kitchen).caption
    assert "CAREFUL" not in plots.house(run, None, kitchen).caption
    edited = rl.rethink(run_of(), 5, action="go to sinkbasin 1")
    assert edited.steps[-1].observation is None
    assert "CAREFUL" not in plots.house(edited, None, kitchen).caption
    assert rows_at(edited, None)["sinkbasin 1"]["contents"] == "mug 1"


HOSTILE = "<script>alert(1)</script> $x^2$ \x1b[31m\u202e" + "x" * 400


class Haunted:
    """An Env whose every word is hostile."""

    def reset(self, task):
        return f"{HOSTILE}\nYour task is to: put some mug on shelf."

    def step(self, action):
        return Seen(HOSTILE, why=HOSTILE)

    def view(self):
        place = {"name": HOSTILE, "kind": HOSTILE, "open": False, "contents": [HOSTILE] * 9}
        return {
            "task": HOSTILE, "at": HOSTILE, "held": HOSTILE, "way": [HOSTILE],
            "receptacles": [place], "done": {HOSTILE: [HOSTILE]},
        }  # fmt: skip


def test_hostile_words_stay_words():
    def haunt(task):
        return Haunted()

    run = run_of([HOSTILE] * 2, [HOSTILE] * 2, world=haunt, model=HOSTILE)
    for picture in (plots.house(run, None, haunt), plots.subgoals(run, haunt)):
        svg = picture.rendered("svg").decode()
        assert "<script" not in svg and "<script" not in picture.markdown()
        assert "\x1b" not in repr(picture) and "\u202e" not in repr(picture)
        assert picture.figure.get_size_inches().max() < 30


# -- subgoals ------------------------------------------------------------------------------------
def test_each_act_has_the_subgoal_that_it_served():
    rows = plots.subgoals(run_of(), kitchen).tables["acts"].fillna("").itertuples()
    assert [(row.subgoal, row.reached) for row in rows] == [
        ("find", ""), ("find", ""), ("find", ""), ("led nowhere", ""), ("find", "mug 2"), ("take", "mug 2"),
        ("detour", ""), ("detour", ""), ("put", ""), ("put", "shelf 2"),
    ]  # fmt: skip


@pytest.mark.parametrize("index, leg", [*enumerate(["act", "react", "react-im"])])
def test_the_oracle_reaches_every_subgoal_of_its_task(index, leg):
    task = rl.tasks.load("household", "old")[index]
    picture = plots.subgoals(play(task, BUNDLED(task), leg))
    acts = picture.tables["acts"]
    made = {"clean": "clean", "heat": "heat", "cool": "cool"}.get(task.extra["type"].split("_")[1])
    last = "light" if "light" in task.extra["type"] else "put"
    there = ["find", "take", *filter(None, [made]), last]
    for name in there:
        assert acts.loc[acts["subgoal"] == name, "reached"].notna().any(), name
    assert set(acts["subgoal"]) <= {*there, "led nowhere"}
    row = picture.table.iloc[0]
    assert row["acts"] == len(acts) == sum(row[name] for name in [*there, "detour", "led nowhere"])
    assert row["steps"] == row["acts"] + row["thoughts"] and row["done"]


def test_runs_of_a_game_stand_on_one_axis_and_those_of_several_are_named(played):
    run = played[1]
    runs = [play(run.task, BUNDLED(run.task), leg) for leg in ("act", "react", "react-im")]
    picture = plots.subgoals(runs)
    assert list(picture.table["run"]) == ["Act", "ReAct", "ReAct-IM"]
    assert len({ax.get_xlim() for ax in picture.figure.axes}) == 1
    assert overlapping(picture.figure) == []
    counts = picture.table[["find", "take", "put", "detour", "led nowhere"]]
    assert len(counts.drop_duplicates()) == 1  # they do the same acts

    picture = plots.subgoals(played)
    titles = [ax.get_title(loc="left") for ax in picture.figure.axes]
    for run, title in zip(played, titles, strict=True):
        assert run.task.text in title
    assert picture.caption.startswith("Several tasks.") and overlapping(picture.figure) == []
    assert picture.latex() and picture.markdown()
