"""The household game: word for word like ALFWorld's engine, total on any input, exact when rebuilt.

tests/alfworld plays the same games on the real engine; the hashes here are of its words.
"""

import dataclasses
import json
import pickle
import subprocess
import sys
from pathlib import Path

import household_odd
import household_play
import pytest
from household_houses import house
from hypothesis import given, settings
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
    problem_of,
    read_game,
)  # fmt: skip
from react_lab.envs.household.authored import game_from
from react_lab.envs.household.game import game_of
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


def last(*commands, **parts):
    return told(kitchen(**parts), *commands)[0][-1]


# ---------------------------------------------------------------------- the rules, one by one


def test_the_first_words_list_the_receptacles_backwards():
    assert intro(kitchen()) == (
        LATE + "You are in the middle of a room. Looking quickly around you, you see a cabinet 1, "
        "a countertop 1, a fridge 1, a microwave 1, a shelf 2, a shelf 1, a sidetable 1, and a "
        "sinkbasin 1.\n\nYour task is to: put some mug on shelf."
    )


def test_look_shows_nothing_before_the_first_move():
    assert last("look") == (
        "You are in the middle of a room. Looking quickly around you, you see nothing."
    )
    assert (
        last("go to fridge 1", "look")
        == "You are facing the fridge 1. Next to it, you see nothing."
    )


def test_arriving_opening_closing():
    texts, _ = told(
        kitchen(), "go to fridge 1", "open fridge 1", "examine fridge 1", "close fridge 1",
        "examine fridge 1", "go to fridge 1", "go to countertop 1", "go to microwave 1", "go to shelf 2",
    )  # fmt: skip
    arrived = [text.partition(". ")[0] for text in (texts[0], texts[6])]
    assert all(text.startswith("You arrive at loc ") for text in arrived)
    inside = "The fridge 1 is open. In it, you see a apple 2, and a egg 1."
    assert [texts[0].partition(". ")[2], *texts[1:6]] == [
        "The fridge 1 is closed.", f"You open the fridge 1. {inside}", inside,
        "You close the fridge 1.", "The fridge 1 is closed.", "Nothing happens.",
    ]  # fmt: skip
    assert texts[6].endswith("On the countertop 1, you see a apple 1, a knife 1, and a mug 2.")
    assert texts[8].endswith("On the shelf 2, you see nothing.")


def test_a_cabinet_without_a_door_shows_what_is_on_it_at_once():
    env = HouseholdEnv(kitchen(doorless=("cabinet 1",)))
    seen = [env.step(act) for act in ("go to cabinet 1", "open cabinet 1", "close cabinet 1")]
    assert [one.text for one in seen] == [
        "On the cabinet 1, you see a plate 1.", "Nothing happens.", "Nothing happens.",
    ]  # fmt: skip
    assert [one.why for one in seen] == [None, *["cabinet 1 has no door"] * 2]
    assert env.step("take plate 1 from cabinet 1").text.startswith("You pick up")
    (cabinet, *_) = env.view()["receptacles"]
    assert (cabinet["name"], cabinet["open"], cabinet["contents"]) == ("cabinet 1", None, [])


def test_one_thing_can_be_held():
    texts, _ = told(
        kitchen(), "inventory", "go to countertop 1", "take mug 2 from countertop 1", "inventory",
        "take apple 1 from countertop 1", "put mug 2 in/on countertop 1", "take apple 1 from countertop 1",
    )  # fmt: skip
    assert [*texts[:1], *texts[2:]] == [
        "You are not carrying anything.", "You pick up the mug 2 from the countertop 1.",
        "You are carrying: a mug 2.", "Nothing happens.", "You put the mug 2 in/on the countertop 1.",
        "You pick up the apple 1 from the countertop 1.",
    ]  # fmt: skip


def test_things_are_cleaned_heated_and_cooled_behind_closed_doors():
    take = ("go to countertop 1", "take apple 1 from countertop 1")
    clean = (*take, "go to sinkbasin 1", "clean apple 1 with sinkbasin 1")
    assert last(*clean) == "You clean the apple 1 using the sinkbasin 1."
    heat = ("go to microwave 1", "heat apple 1 with microwave 1")
    cool = ("go to fridge 1", "cool apple 1 with fridge 1")
    assert last(*take, *heat) == "You heat the apple 1 using the microwave 1."
    for acts_done, adjective in (
        (clean, "clean"), ((*take, *heat), "hot"), ((*take, *cool), "cold"),
        ((*clean, *heat), "hot and clean"), ((*clean, *cool), "cool and clean"),
        ((*take, *heat, *cool), "cold"), ((*take, *cool, *heat), "hot"),
    ):  # fmt: skip
        assert last(*acts_done, "examine apple 1") == f"This is a {adjective} apple 1."
    assert last(*take, "examine apple 1") == "There's nothing special about apple 1."


def test_slicing_goes_by_where_a_thing_lies_and_not_by_what_can_be_seen():
    knife = ("go to countertop 1", "take knife 1 from countertop 1")
    assert last(*knife, "slice apple 1 with knife 1") == "You sliced the apple 1 with the knife 1."
    assert last(*knife, "go to fridge 1", "slice egg 1 with knife 1") == (
        "You sliced the egg 1 with the knife 1."  # the fridge is closed
    )
    sliced = (*knife, "slice apple 1 with knife 1", "put knife 1 in/on countertop 1")
    held = (*sliced, "take apple 1 from countertop 1")
    assert last(*held, "examine apple 1") == "This is a sliced apple 1."
    assert last(
        *held, "go to sinkbasin 1", "clean apple 1 with sinkbasin 1", "examine apple 1"
    ) == ("This is a clean sliced apple 1.")
    assert last(*held, "go to fridge 1", "cool apple 1 with fridge 1", "examine apple 1") == (
        "This is a cool sliced apple 1."
    )
    assert last("go to countertop 1", "slice apple 1 with knife 1") == "Nothing happens."


def test_a_container_is_always_normal_and_shows_what_was_in_it_at_first():
    take = ("go to shelf 1", "take bowl 1 from shelf 1")
    normal = "This is a normal bowl 1. In it, you see a pen 1."
    assert last(*take, "examine bowl 1") == normal
    assert last("go to shelf 1", "take pen 1 from shelf 1", "put pen 1 in/on shelf 1",
                "take bowl 1 from shelf 1", "go to sinkbasin 1", "clean bowl 1 with sinkbasin 1",
                "examine bowl 1") == normal  # fmt: skip
    assert last("go to countertop 1", "take mug 2 from countertop 1", "examine mug 2") == (
        "This is a normal mug 2. In it, you see nothing."
    )


def test_receptacles_that_share_a_spot():
    texts, _ = told(
        kitchen(), "go to sidetable 1", "go to shelf 1", "look", "examine shelf 1",
        "take pen 1 from shelf 1", "put pen 1 in/on sidetable 1", "look", "take bowl 1 from shelf 1",
        "put bowl 1 in/on shelf 1", "look",
    )  # fmt: skip
    facing = "You are facing the shelf 1, and sidetable 1. Next to it, you see"
    assert texts[1] == "Nothing happens."
    assert texts[2] == f"{facing} nothing."
    assert texts[6] == texts[9] == f"{facing} a pen 1."  # it is not where it was taken from


def test_a_thing_in_two_receptacles_is_taken_from_one():
    """Real games have shelves in cabinets: the other one still shows what the player holds."""
    problem = problem_of("pick_and_place_simple", house())
    twice = problem.replace("(:init", "(:init\n(inreceptacle mug_bar_001 shelf_bar_001)")
    game = game_of(twice, "put some mug on shelf.", kitchen().wording)
    texts, won = told(
        game, "go to countertop 1", "take mug 2 from countertop 1", "go to shelf 2",
        "put mug 2 in/on shelf 2", "take mug 2 from shelf 2",
    )  # fmt: skip
    assert (
        texts[2].endswith("On the shelf 2, you see a mug 2.") and game.won(game.start) and not won
    )
    assert texts[-1] == "You pick up the mug 2 from the shelf 2."


def test_examine_finds_what_is_here_or_in_hand():
    assert last("go to countertop 1", "examine apple 1") == "Nothing happens."
    assert last("examine fridge 1") == "Nothing happens."


def test_a_lamp_is_only_ever_turned_on():
    game = kitchen("look_at_obj_in_light", "look at mug under the desklamp.", target="desklamp")
    texts, won = told(game, "go to sidetable 1", "use desklamp 1", "use desklamp 1")
    assert texts[1:] == ["You turn on the desklamp 1."] * 2 and not won
    after = ("go to countertop 1", "take mug 2 from countertop 1")
    assert not told(game, "go to sidetable 1", "use desklamp 1", *after)[1]
    assert told(game, "go to sidetable 1", "use desklamp 1", *after, "go to shelf 1")[1]
    assert told(game, *after, "go to shelf 1", "use desklamp 1")[1]  # they share the spot


@pytest.mark.parametrize("type", TYPES)
def test_each_goal_is_won_by_its_acts_and_by_no_fewer(type):
    target = "desklamp" if type == "look_at_obj_in_light" else "cabinet"
    game = kitchen(type, "win.", target=target, opened=("cabinet 1",))
    change = {
        "pick_clean_then_place_in_recep": ["go to sinkbasin 1", "clean mug 2 with sinkbasin 1"],
        "pick_heat_then_place_in_recep": ["go to microwave 1", "heat mug 2 with microwave 1"],
        "pick_cool_then_place_in_recep": ["go to fridge 1", "cool mug 2 with fridge 1"],
    }.get(type, [])
    way = ["go to countertop 1", "take mug 2 from countertop 1", *change]
    if target == "desklamp":
        way += ["go to sidetable 1", "use desklamp 1"]
    else:
        way += ["go to cabinet 1", "put mug 2 in/on cabinet 1"]
    if type == "pick_two_obj_and_place":
        way += [
            "go to sinkbasin 1",
            "take mug 1 from sinkbasin 1",
            "go to cabinet 1",
            "put mug 1 in/on cabinet 1",
        ]
    assert told(game, *way)[1] and not told(game, *way[:-1])[1]
    assert not told(game, *(act for act in way if act not in change))[1] or not change
    assert game.goal == Goal(type, "mug", target)


def test_what_was_cooled_and_then_heated_is_cool_no_more():
    game = kitchen("pick_cool_then_place_in_recep", "cool some mug and put it in shelf.")
    cooled = [
        "go to countertop 1",
        "take mug 2 from countertop 1",
        "go to fridge 1",
        "cool mug 2 with fridge 1",
    ]
    heated = [*cooled, "go to microwave 1", "heat mug 2 with microwave 1"]
    put = ["go to shelf 2", "put mug 2 in/on shelf 2"]
    assert told(game, *cooled, *put)[1] and not told(game, *heated, *put)[1]


def test_a_game_that_was_won_can_be_lost_again():
    game = kitchen()
    way = (
        "go to countertop 1",
        "take mug 2 from countertop 1",
        "go to shelf 1",
        "put mug 2 in/on shelf 1",
    )
    assert told(game, *way)[1] and not told(game, *way, "take mug 2 from shelf 1")[1]


def test_commands_are_matched_exactly_but_for_the_space_around_them():
    for command in (" go to fridge 1", "go to fridge 1\n", "\tgo to fridge 1 "):
        assert last(command).endswith("The fridge 1 is closed.")
    for command in (
        "Go to fridge 1",
        "go to  fridge 1",
        "go to fridge",
        "go to fridge 1.",
        "",
        "go",
        "help",
        "goto fridge 1",
    ):
        assert last(command) == "Nothing happens."


def test_both_syntaxes():
    game = game_from("pick_and_place_simple", "put some mug on shelf.", house(), household_odd.MOVE)
    texts, won = told(
        game, "go to countertop 1", "take mug 2 from countertop 1", "go to shelf 1",
        "put mug 2 in/on shelf 1", "move mug 2 to shelf 1",
    )  # fmt: skip
    assert texts[0].startswith("You arrive at countertop 1. On the countertop 1, you see")
    assert texts[3:] == ["Nothing happens.", "You move the mug 2 to the shelf 1."] and won


# ---------------------------------------------------------------------- word for word


@pytest.mark.parametrize("number", range(40))
def test_odd_games_read_as_on_the_real_engine(number):
    wording = (kitchen().wording, household_odd.MOVE)[number % 2]
    game = household_odd.odd_game(number, wording)
    _, answers = household_play.play(game, 40, f"odd {number}")
    assert household_play.digest(household_play.whole(game, answers)) == HASHES["odd"][number]


def test_the_papers_games_read_as_on_the_real_engine(shared):
    different = []
    for name, _, file, first in household_play.jobs(shared):
        game = read_game(file)
        _, answers = household_play.play(game, 30, name, first)
        if household_play.digest(household_play.whole(game, answers)) != HASHES["real"][name]:
            different.append(name)
    assert not different and len(HASHES["real"]) == 134


def test_the_134_walkthroughs_win_in_both_syntaxes(shared):
    whole = dict(household_play.bundles(shared))
    ways = {name: game["walkthrough"] for name, game in whole["move"]["games"].items()}
    for syntax, bundle in whole.items():
        for name, file in household_play.files(bundle):
            game, way = read_game(file), household_play.walkthrough(ways[name], syntax)
            texts, won = told(game, *way)
            assert won and "Nothing happens." not in texts, name


# ---------------------------------------------------------------------- any input, and copies

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


@pytest.mark.hypothesis
def test_a_hundred_thousand_texts_at_the_prompt():
    """All of them in `make test-long`; a part of them every day."""
    most = 100_000 if settings.get_current_profile_name() == "long" else 4_000
    dice, game = household_play.Dice("texts"), kitchen()
    state, words = game.start, [*acts(game, game.start), *household_play.WORDS, *game.kinds]
    env = HouseholdEnv(game)
    for i in range(most):
        text = (
            household_play.spoilt(dice.pick(words), dice)
            if i % 3
            else chr(32 + int(dice.random() * 60_000)) * 3
        )
        state, _ = play(game, state, text)
        env.step(text)
    assert env.state == state


@given(st.integers(0, 30), st.integers(0, 39))
def test_a_state_is_a_value_to_fork_rebuild_and_compare(number, at):
    game = household_odd.odd_game(number)
    commands, answers = household_play.play(game, 40, f"odd {number}")
    env, again = (HouseholdEnv(game) for _ in range(2))
    for command in commands[:at]:
        env.step(command)
    kept, view = env.state, env.view()
    for command in commands[at:]:
        env.step(command)
    for command in commands[:at]:
        again.step(command)
    assert again.state == kept and hash(again.state) == hash(kept) and again.view() == view
    assert pickle.loads(pickle.dumps((game, kept))) == (game, kept)
    for command, (said, *_rest) in zip(commands[at:], answers[at:], strict=True):
        kept, text = play(game, kept, command)
        assert text == said
    assert kept == env.state
    env.reset(Task("t", "household", "win"))
    assert env.state == game.start and env.view()["way"] == []


# ---------------------------------------------------------------------- why nothing happened


@pytest.mark.parametrize(
    ("before", "command", "why"),
    [
        ((), "", "no act was given"),
        ((), "Go to fridge 1", "an act is written exactly so: `go to fridge 1`"),
        ((), "fly to fridge 1", "`fly` is no act here; there are: go to X"),
        ((), "go to fridge 7", "there is no `fridge 7` in this house"),
        ((), "go to mug 1", "mug 1 is no place to go to"),
        (("go to fridge 1",), "go to fridge 1", "the player is already at fridge 1"),
        (("go to fridge 1",), "go to the fridge 2", "there is no `fridge 2` in this house"),
        ((), "go to the fridge 1", "the act is written `go to fridge 1` here"),
        ((), "open fridge 1", "the player is not at fridge 1: `go to fridge 1` first"),
        (("go to shelf 1",), "open shelf 1", "shelf 1 has no door"),
        (("go to fridge 1", "open fridge 1"), "open fridge 1", "fridge 1 is already open"),
        (("go to fridge 1",), "close fridge 1", "fridge 1 is already closed"),
        (("go to fridge 1",), "take egg 1 from fridge 1", "fridge 1 is closed: `open fridge 1` first"),
        (("go to shelf 2",), "take mug 1 from shelf 2", "mug 1 is not at shelf 2"),
        (("go to shelf 1",), "take desklamp 1 from sidetable 1", "desklamp 1 cannot be picked up"),
        (("go to shelf 1",), "take pen 1", "the act is written `take X from Y`"),
        (("go to countertop 1", "take mug 2 from countertop 1"), "take apple 1 from countertop 1",
         "the hands are full: the player holds mug 2"),
        (("go to countertop 1",), "put mug 2 in/on countertop 1", "the player does not hold mug 2: take it first"),
        (("go to countertop 1", "take mug 2 from countertop 1"), "put apple 1 in/on countertop 1",
         "the player does not hold apple 1, but mug 2"),
        (("go to countertop 1", "take mug 2 from countertop 1"), "move mug 2 to countertop 1",
         "the act is written `put mug 2 in/on countertop 1` here"),
        (("go to countertop 1", "take mug 2 from countertop 1"), "put mug 2 on countertop 1",
         "the act is written `put mug 2 in/on countertop 1` here"),
        (("go to countertop 1", "take knife 1 from countertop 1", "go to shelf 2"), "put knife 1 in/on shelf 2",
         "knife 1 does not go in or on shelf 2"),
        (("go to countertop 1", "take apple 1 from countertop 1"), "clean apple 1 with countertop 1",
         "countertop 1 cannot clean things: a sinkbasin can"),
        (("go to countertop 1", "take knife 1 from countertop 1", "go to fridge 1"), "cool knife 1 with fridge 1",
         "knife 1 is nothing to cool"),
        (("go to countertop 1",), "use mug 2", "mug 2 has no switch"),
        ((), "use desklamp 1", "desklamp 1 is not here: go to where it is"),
        (("go to countertop 1",), "slice apple 1 with knife 1", "the player does not hold knife 1"),
        (("go to countertop 1", "take mug 2 from countertop 1"), "slice apple 1 with mug 2", "mug 2 does not cut"),
        (("go to countertop 1", "take knife 1 from countertop 1"), "slice mug 2 with knife 1", "mug 2 is nothing to slice"),
        (("go to countertop 1", "take knife 1 from countertop 1"), "slice egg 1 with knife 1", "egg 1 is not here"),
        (("go to countertop 1",), "examine apple 1", "only what the player holds can be examined: take apple 1 first"),
        ((), "look around", "the act is written `look`"),
        ((), "take mug 1 from apple 1", "apple 1 is nothing to put things on or in"),
    ],
)  # fmt: skip
def test_why_nothing_happened_is_said_beside_the_transcript(before, command, why):
    env = HouseholdEnv(kitchen())
    for act in before:
        assert env.step(act).why is None
    seen = env.step(command)
    assert (seen.text, seen.outcome) == ("Nothing happens.", "failed")
    assert seen.why.startswith(why) or why in seen.why


# ---------------------------------------------------------------------- the world


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
    task = Task("t", "household", "do it.", extra={"type": TYPES[0], "game": "g0"})
    world = Household(games)
    env = world(task)
    first = env.reset(task)
    assert first.startswith("You are in the middle of a room.") and first.endswith(
        "\nYour task is to: do it."
    )
    assert "\n\n" not in first and env.intro.startswith(LATE)
    assert env.step("think: where is a mug?").text == env.step("Think:").text == "OK."
    assert (
        env.step("go to fridge 1").text == "The fridge 1 is closed."
    )  # no "You arrive at loc 3. "
    assert (
        env.admissible() == sorted(acts(env.game, env.state))
        and "open fridge 1" in env.admissible()
    )
    for act in ("go to countertop 1", "take mug 2 from countertop 1", "go to shelf 2"):
        assert not env.step(act).done
    won = env.step("put mug 2 in/on shelf 2")
    assert (won.done, won.reward, won.why) == (True, 1.0, None)
    assert (
        world.snapshot == "household, games of games.jsonl"
        and pickle.loads(pickle.dumps(world)) == world
    )
    assert [action.usage for action in world.actions][:2] == ["go to X", "open X"]


def test_a_run_holds_the_games_name_and_is_resumed_in_it(games):
    script = [
        "go to countertop 1",
        "take mug 9",
        "take mug 2 from countertop 1",
        "go to shelf 2",
        "put mug 2 in/on shelf 2",
    ]
    prompts = games.with_name("shots.txt")
    prompts.write_text(
        "You are in the middle of a room. It is dark.\n> look\nYou see nothing.\n", encoding="utf-8"
    )
    task = Task("t", "household", "do it.", extra={"type": TYPES[0], "game": "g0"})
    options = {"world": Household(games), "prompts": prompts}
    run = rl.run("act", task, rl.models.scripted([f" {act}" for act in script]), **options)
    assert (run.end, run.reward, run.steps[1].outcome) == ("finished", 1.0, "failed")
    assert run.steps[1].observation == "Nothing happens." and rl.score.correct(run)
    again = rl.resume(
        rl.rethink(run, 4, action="go to shelf 1"),
        rl.models.scripted([" put mug 2 in/on shelf 1"]),
        **options,
    )
    assert again.reward == 1.0 and "drifted" not in again.flags


def test_the_view_has_what_the_player_has_seen(games):
    env = Household(games)(Task("t", "household", "do it.", extra={"game": "g3"}))

    def sight(name):
        return next(
            (r["open"], r["contents"]) for r in env.view()["receptacles"] if r["name"] == name
        )

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
    assert (view["way"], view["at"], view["done"]) == (
        ["fridge 1", "countertop 1"],
        "countertop 1",
        {"apple 2": ["cool"]},
    )
    assert sight("shelf 1") == (None, None)
    view["way"].clear()
    assert env.view()["way"]


def test_a_game_that_is_nowhere_is_said_in_a_sentence(games, tmp_path, monkeypatch):
    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("ALFWORLD_DATA", raising=False)
    for world, name in (
        (Household(games), "g9"),
        (Household(), "a/b"),
        (Household(), "../../etc/passwd"),
    ):
        with pytest.raises(EnvError, match="no game '.*' was found: give Household"):
            world(Task("t", "household", "do it.", extra={"game": name}))
    with pytest.raises(EnvError, match="there are no household games at .*nothing"):
        Household(tmp_path / "nothing")(Task("t", "household", "x", extra={"game": "g0"}))
    with pytest.raises(ValueError, match="ALFWorld's games are not on this machine: run"):
        rl.tasks.load("alfworld", "valid_unseen")


def test_importing_it_is_light():
    """How long it takes is measured by tests/benchmarks/household.py."""
    code = (
        "import sys; before = {*sys.modules}; import react_lab.envs.household;"
        "print(sorted({m.split('.')[0] for m in {*sys.modules} - before} - sys.stdlib_module_names))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['msgspec', 'react_lab', 'typing_extensions']\n"
