"""The household game: word for word like ALFWorld's engine, total on any input, exact when rebuilt.

tests/alfworld plays the same games on the real engine; the hashes here are of its words.
"""

import dataclasses
import json
import pickle
from pathlib import Path

import household_odd
import household_play
import pytest
from household_houses import house
from hypothesis import given
from hypothesis import strategies as st

import react_lab as rl
from react_lab.envs.household import (
    TYPES,
    Goal,
    Household,
    HouseholdEnv,
    acts,
    intro,
    play,
    read_game,
)
from react_lab.envs.household.alfworld import game_from
from react_lab.types import EnvError, Task

HASHES = json.loads((Path(__file__).parent / "household_hashes.json").read_text(encoding="utf-8"))
LATE = "-= Welcome to TextWorld, ALFRED! =-\n\n"


def kitchen(type="pick_and_place_simple", text="put some mug on shelf.", **parts):
    return game_from(type, text, house(**parts))


def told(game, *commands):
    """What the player reads after each command, and whether the game is won at the end."""
    state, texts = game.start, []
    for command in commands:
        state, text = play(game, state, command)
        texts.append(text)
    return texts, game.won(state)


# the rules, one by one
MUG = ("go to countertop 1", "take mug 2 from countertop 1")
APPLE = ("go to countertop 1", "take apple 1 from countertop 1")
KNIFE = ("go to countertop 1", "take knife 1 from countertop 1")


def test_a_cabinet_without_a_door_shows_what_is_on_it_at_once():
    env = HouseholdEnv(kitchen(doorless=("cabinet 1",)))
    seen = [env.step(act) for act in ("go to cabinet 1", "open cabinet 1", "close cabinet 1")]
    assert seen[0].text == "On the cabinet 1, you see a plate 1."
    told = ("Nothing happens.", "cabinet 1 has no door")
    assert {(one.text, one.why) for one in seen[1:]} == {told}
    assert env.step("take plate 1 from cabinet 1").text.startswith("You pick up")
    (cabinet, *_) = env.view()["receptacles"]
    assert (cabinet["name"], cabinet["open"], cabinet["contents"]) == ("cabinet 1", None, [])


def test_what_is_cool_is_cold_unless_it_is_sliced():
    """No game of the hashes below comes to that."""
    cool = ("go to fridge 1", "cool apple 1 with fridge 1", "examine apple 1")
    slices = ("slice apple 1 with knife 1", "put knife 1 in/on countertop 1", APPLE[1])
    assert told(kitchen(), *APPLE, *cool)[0][-1] == "This is a cold apple 1."
    assert told(kitchen(), *KNIFE, *slices, *cool)[0][-1] == "This is a cool sliced apple 1."


def test_a_lamp_shines_on_what_is_held_at_its_spot():
    game = kitchen("look_at_obj_in_light", "look at mug under the desklamp.", target="desklamp")
    lit = ("go to sidetable 1", "use desklamp 1")
    assert not told(game, *lit)[1] and not told(game, *lit, *MUG)[1]
    assert told(game, *lit, *MUG, "go to shelf 1")[1]  # they share the spot
    assert told(game, *MUG, "go to shelf 1", "use desklamp 1")[1]


@pytest.mark.parametrize("type", TYPES)
def test_each_goal_is_won_by_its_acts_and_by_no_fewer(type):
    target = "desklamp" if type == "look_at_obj_in_light" else "cabinet"
    game = kitchen(type, "win.", target=target, opened=("cabinet 1",))
    change = {
        "pick_clean_then_place_in_recep": ["go to sinkbasin 1", "clean mug 2 with sinkbasin 1"],
        "pick_heat_then_place_in_recep": ["go to microwave 1", "heat mug 2 with microwave 1"],
        "pick_cool_then_place_in_recep": ["go to fridge 1", "cool mug 2 with fridge 1"],
    }.get(type, [])
    there = ["go to cabinet 1", "put mug 2 in/on cabinet 1"]
    lit = ["go to sidetable 1", "use desklamp 1"]
    way = [*MUG, *change, *(lit if target == "desklamp" else there)]
    if type == "pick_two_obj_and_place":
        way += ["go to sinkbasin 1", "take mug 1 from sinkbasin 1", there[0]]
        way += ["put mug 1 in/on cabinet 1"]
    assert told(game, *way)[1] and not told(game, *way[:-1])[1]
    assert not told(game, *(act for act in way if act not in change))[1] or not change
    assert game.goal == Goal(type, "mug", target)
    undone = ("go to cabinet 1", "take mug 2 from cabinet 1")
    assert target == "desklamp" or not told(game, *way, *undone)[1]  # it can be lost again


def test_what_was_cooled_and_then_heated_is_cool_no_more():
    game = kitchen("pick_cool_then_place_in_recep", "cool some mug and put it in shelf.")
    cooled = (*MUG, "go to fridge 1", "cool mug 2 with fridge 1")
    heated = (*cooled, "go to microwave 1", "heat mug 2 with microwave 1")
    put = ("go to shelf 2", "put mug 2 in/on shelf 2")
    assert told(game, *cooled, *put)[1] and not told(game, *heated, *put)[1]


# word for word
@pytest.mark.parametrize("number", range(40))
def test_odd_games_read_as_on_the_real_engine(number):
    wording = (kitchen().wording, household_odd.MOVE)[number % 2]
    game = household_odd.odd_game(number, wording)
    _, answers = household_play.play(game, 40, f"odd {number}")
    assert household_play.digest(household_play.whole(game, answers)) == HASHES["odd"][number]


def test_the_papers_games_read_as_on_the_real_engine(shared):
    for name, _, file, first in household_play.jobs(shared):
        game = read_game(file)
        _, answers = household_play.play(game, 30, name, first)
        read = household_play.digest(household_play.whole(game, answers))
        assert read == HASHES["real"][name], name
    assert len(HASHES["real"]) == 134


def test_the_134_walkthroughs_win_in_both_syntaxes(shared):
    whole = dict(household_play.bundles(shared))
    ways = {name: game["walkthrough"] for name, game in whole["move"]["games"].items()}
    for syntax, bundle in whole.items():
        for name, file in household_play.files(bundle):
            game, way = read_game(file), household_play.walkthrough(ways[name], syntax)
            texts, won = told(game, *way)
            assert won and "Nothing happens." not in texts, name


# any input, and copies
TRIES = st.one_of(
    st.text(max_size=60),
    st.builds(" ".join, st.lists(st.sampled_from(
        ["go", "to", "put", "take", "in/on", "from", "with", "the", "open", "close", "use", "slice", "clean", "heat", "cool", "examine", "look", "help", "inventory", "fridge", "mug", "knife", "apple", "shelf", "1", "2", "99", "think:", "\n", "\t", ">", "move"]), max_size=8)),
)  # fmt: skip


@given(st.lists(TRIES, max_size=30), st.integers(0, 20))
def test_any_text_at_the_prompt_is_answered(texts, number):
    env = HouseholdEnv(household_odd.odd_game(number))
    task = Task("t", "household", "win")
    env.reset(task)
    for text in texts:
        possible, seen = env.admissible(), env.step(text)
        assert isinstance(seen.text, str) and seen.text
        assert (seen.why is None) == (text.strip() in possible or seen.text == "OK.")
        assert seen.why is None or (seen.text == "Nothing happens." and seen.why)
        rl.types.Seen(**dataclasses.asdict(seen))
        json.dumps(env.view())


# why nothing happened
@pytest.mark.parametrize(("before", "command", "why"), [
    ((), "", "no act was given"),
    ((), "Go to fridge 1", "an act is written exactly so: `go to fridge 1`"),
    ((), "fly to fridge 1", "`fly` is no act here; there are: go to X"),
    ((), "go to fridge 7", "there is no `fridge 7` in this house"),
    ((), "go to mug 1", "mug 1 is no place to go to"),
    (("go to fridge 1",), "go to fridge 1", "the player is already at fridge 1"),
    (("go to sidetable 1",), "go to shelf 1", "shelf 1 is within reach here, beside sidetable 1: `examine shelf 1` shows"),
    ((), "go to the fridge 1", "there is no `the fridge 1` in this house"),
    ((), "open fridge 1", "the player is not at fridge 1: `go to fridge 1` first"),
    (("go to shelf 1",), "open shelf 1", "shelf 1 has no door"),
    (("go to fridge 1", "open fridge 1"), "open fridge 1", "fridge 1 is already open"),
    (("go to fridge 1",), "close fridge 1", "fridge 1 is already closed"),
    (("go to fridge 1",), "take egg 1 from fridge 1", "fridge 1 is closed: `open fridge 1` first"),
    (("go to shelf 2",), "take mug 1 from shelf 2", "mug 1 is not at shelf 2"),
    (("go to shelf 1",), "take desklamp 1 from sidetable 1", "desklamp 1 cannot be picked up"),
    (("go to shelf 1",), "take pen 1", "the act is written `take X from Y`"),
    (MUG, "take apple 1 from countertop 1", "the hands are full: the player holds mug 2"),
    (("go to countertop 1",), "put mug 2 in/on countertop 1", "the player does not hold mug 2: take it first"),
    (MUG, "put apple 1 in/on countertop 1", "the player does not hold apple 1, but mug 2"),
    (MUG, "move mug 2 to countertop 1", "`move` is no act here"),
    (MUG, "put mug 2 on countertop 1", "the act is written `put X in/on Y`"),
    ((*KNIFE, "go to shelf 2"), "put knife 1 in/on shelf 2", "knife 1 does not go in or on shelf 2"),
    (APPLE, "clean apple 1 with countertop 1", "countertop 1 cannot clean things: a sinkbasin can"),
    ((*KNIFE, "go to fridge 1"), "cool knife 1 with fridge 1", "knife 1 is nothing to cool"),
    (("go to countertop 1",), "use mug 2", "mug 2 has no switch"),
    ((), "use desklamp 1", "desklamp 1 is not here: go to where it is"),
    (("go to countertop 1",), "slice apple 1 with knife 1", "the player does not hold knife 1"),
    (MUG, "slice apple 1 with mug 2", "mug 2 does not cut"),
    (KNIFE, "slice mug 2 with knife 1", "mug 2 is nothing to slice"),
    (KNIFE, "slice egg 1 with knife 1", "egg 1 is not here"),
    (("go to countertop 1",), "examine apple 1", "only what the player holds can be examined: take apple 1 first"),
    ((), "look around", "the act is written `look`"),
    ((), "take mug 1 from apple 1", "apple 1 is nothing to put things on or in"),
])  # fmt: skip
def test_why_nothing_happened_is_said_beside_the_transcript(before, command, why):
    env = HouseholdEnv(kitchen())
    for act in before:
        assert env.step(act).why is None
    seen = env.step(command)
    assert (seen.text, seen.outcome) == ("Nothing happens.", "failed")
    assert why in seen.why


# the world
@pytest.fixture
def games(tmp_path):
    """A file of games of one's own."""
    rows = [
        {"id": f"g{i}", "type": type, "text": "do it.", "walkthrough": ["look"],
         "game": dataclasses.asdict(house(target="desklamp" if "look" in type else "shelf"))}
        for i, type in enumerate(TYPES)
    ]  # fmt: skip
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def test_an_episode_begins_and_answers_as_in_the_paper(games):
    task, world = Task("t", "household", "do it.", extra={"game": "g0"}), Household(games)
    env = world(task)
    first = env.reset(task)
    assert first.startswith("You are in the middle of a room.") and "\n\n" not in first
    assert first.endswith("\nYour task is to: do it.") and intro(env.game).startswith(LATE)
    assert env.step("think: where is a mug?").text == env.step("Think:").text == "OK."
    arrived = env.step("go to fridge 1").text
    assert arrived == "The fridge 1 is closed."  # no "You arrive at loc 3. "
    assert env.admissible() == sorted(acts(env.game, env.state))
    assert "open fridge 1" in env.admissible()
    for act in (*MUG, "go to shelf 2"):
        assert not env.step(act).done
    won = env.step("put mug 2 in/on shelf 2")
    assert (won.done, won.reward, won.why) == (True, 1.0, None)
    assert world.snapshot == "household, games of games.jsonl"
    assert pickle.loads(pickle.dumps(world)) == world
    assert [action.usage for action in world.actions][:2] == ["go to X", "open X"]


def test_a_run_holds_the_games_name_and_is_resumed_in_it(games):
    script = [MUG[0], "take mug 9", MUG[1], "go to shelf 2", "put mug 2 in/on shelf 2"]
    prompts = games.with_name("shots.txt")
    shown = "You are in the middle of a room. It is dark.\n> look\nYou see nothing.\n"
    prompts.write_text(shown, encoding="utf-8")
    task = Task("t", "household", "do it.", extra={"type": TYPES[0], "game": "g0"})
    options = {"world": Household(games), "prompts": prompts}
    run = rl.run("act", task, rl.models.scripted([f" {act}" for act in script]), **options)
    assert (run.end, run.reward, run.steps[1].outcome) == ("finished", 1.0, "failed")
    assert run.steps[1].observation == "Nothing happens." and rl.score.correct(run)
    edit, put = rl.rethink(run, 4, action="go to shelf 1"), " put mug 2 in/on shelf 1"
    again = rl.resume(edit, rl.models.scripted([put]), **options)
    assert again.reward == 1.0 and "drifted" not in again.flags


def test_the_view_has_what_the_player_has_seen(games):
    env = Household(games)(Task("t", "household", "do it.", extra={"game": "g3"}))

    def sight(name):
        (found,) = (r for r in env.view()["receptacles"] if r["name"] == name)
        return found["open"], found["contents"]

    assert env.view()["at"] is None and sight("fridge 1") == sight("countertop 1") == (None, None)
    env.step("go to fridge 1")
    assert sight("fridge 1") == (False, None)
    env.step("open fridge 1")
    assert sight("fridge 1") == (True, ["apple 2", "egg 1"])
    env.step("take apple 2 from fridge 1")
    env.step("cool apple 2 with fridge 1")
    env.step("close fridge 1")
    assert sight("fridge 1") == (False, ["egg 1"]) and env.view()["held"] == "apple 2"
    env.step("go to countertop 1")
    env.step("put apple 2 in/on countertop 1")
    view = env.view()
    assert sight("countertop 1") == (None, ["apple 2", "apple 1", "knife 1", "mug 2"])
    assert (view["way"], view["at"]) == (["fridge 1", "countertop 1"], "countertop 1")
    assert view["done"] == {"apple 2": ["cool"]}
    assert sight("shelf 1") == (None, None)
    view["way"].clear()
    assert env.view()["way"]


def test_a_game_that_is_nowhere_is_said_in_a_sentence(games, tmp_path, monkeypatch):
    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("ALFWORLD_DATA", raising=False)
    for world, name in ((Household(games), "g9"), (Household(), "../../etc/passwd")):
        with pytest.raises(EnvError, match="no game '.*' was found: give Household"):
            world(Task("t", "household", "do it.", extra={"game": name}))
    with pytest.raises(EnvError, match="there are no household games at .*nothing"):
        Household(tmp_path / "nothing")(Task("t", "household", "x", extra={"game": "g0"}))
    with pytest.raises(ValueError, match="ALFWorld's games are not on this machine: run"):
        rl.tasks.load("alfworld", "valid_unseen")
