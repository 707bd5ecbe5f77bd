"""Household games from files: ours, ALFWorld's, and whatever else a file may hold."""

import dataclasses
import hashlib
import json
import zipfile

import household_play
import pytest
from file_server import server
from household_houses import game_file, game_json, house
from hypothesis import given
from hypothesis import strategies as st

import react_lab as rl
from react_lab.__main__ import main
from react_lab.data.downloads import fetch
from react_lab.envs.household import Household, alfworld, intro, play, read_game, source
from react_lab.envs.household.alfworld import game_from
from react_lab.types import EnvError

UNSEEN = "json_2.1.1/valid_unseen"
NAME = "pick_and_place_simple-Mug-None-Shelf-308/trial_T2019"
OTHER = "pick_cool_then_place_in_recep-Mug-None-Shelf-10/trial_T2020"


# one game file
def with_problem(old, new, times=1):
    """A game file whose problem text says something else."""
    file = game_file()
    assert old in file["pddl_problem"]
    return file | {"pddl_problem": file["pddl_problem"].replace(old, new, times)}


def with_goal(goal):
    file = game_file()
    return file | {"pddl_problem": f"{file['pddl_problem'].partition('(:goal')[0]}(:goal {goal}))"}


def test_a_game_file_is_the_record_that_it_was_made_from():
    game = read_game(game_file())
    assert game == game_from("pick_and_place_simple", "put some mug on shelf.", house())
    types = "(and (inReceptacle ?o ?r) (receptacleType ?r ShelfType) (objectType ?o MugType))"
    other = f"(exists (?o - object ?r - receptacle) {types})"
    assert read_game(with_goal(other)) == game  # in whatever order its conditions stand
    game = read_game(with_problem("pen_bar_001", "pen", -1))  # named as the real engine names it
    assert play(game, game.start, "go to shelf 1")[1].endswith("you see a bowl 1, and a pen .")


def test_the_grammar_tells_the_syntax_and_the_help():
    told = "Available commands:\n  look:  look around\n"
    for syntax, help, arrival, said in (
        ("put", False, "You arrive at loc 4.", "Nothing happens."), ("move", True, "You arrive at fridge 1.", told),
    ):  # fmt: skip
        game = read_game(game_file(syntax=syntax, help=help))
        assert play(game, game.start, "go to fridge 1")[1] == f"{arrival} The fridge 1 is closed."
        assert play(game, game.start, "help")[1] == said


def test_clean_needs_a_sink_that_the_rules_name():
    sink = {"receptacles": {"countertop 1": ("mug 1",), "shelf 1": ()}, "spots": (), "inside": {}}
    file = game_file(**sink)
    typed = "(receptacletype countertop_bar_001 {})".format
    file["pddl_problem"] = file["pddl_problem"].replace(typed("countertoptype"), typed("sinktype"))
    rules = file["pddl_domain"].replace("(receptacleType ?r SinkType)", "; not a sink\n")
    for domain, said in (
        (file["pddl_domain"], "You clean the mug 1 using the countertop 1."), (rules, "Nothing happens."),
    ):  # fmt: skip
        game = read_game(file | {"pddl_domain": domain})
        state, _ = play(game, game.start, "go to countertop 1")
        state, _ = play(game, state, "take mug 1 from countertop 1")
        assert play(game, state, "clean mug 1 with countertop 1")[1] == said


WRONG = [  # what of the problem is replaced, by what, and what is said
    ("(:init", "(:no-init", "its problem has no section :init"), ("(:goal", "(:no-goal", "no section :goal"),
    ("(:domain alfred)", "", "its domain is not alfred"),
    ("(atlocation agent1 loc_bar_000)", "", "its :init has 0 players"),
    *(("(:init", f"(:init {extra}", says) for extra, says in (
        ("(holds agent1 mug_bar_001)", "no fact of a household"), ("()", "no fact of a household"),
        ("(not (opened fridge_bar_001))", "no fact of a household"), ("openable", "no fact of a household"),
        ("(openable)", "no fact of a household"),
        ("(objecttype mug_bar_001 pentype)", "says objecttype twice of one thing"),
        ("(atlocation agent1 loc_bar_001)", "its :init has 2 players"),
        ("(openable fridge_bar_001", "is not one list in brackets"), ("(" * 30 + ")" * 30, "lists inside lists"),
        ("(openable fridge_bar_001))", "closing bracket too many|not one list"), ("(openable frídge_bar_001)", "not ASCII"),
    )),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "says"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_with_a_problem_is_one_sentence(old, new, says):
    with pytest.raises(ValueError, match=says) as caught:
        read_game(with_problem(old, new))
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


@pytest.mark.parametrize("goal", [
    "", "(and)", "(holds agent1 mug_bar_001)", "((and))", "(exists (?r - receptacle ?r - receptacle) (and))",
    "(exists ?o (holds ?a ?o))", "(objecttype)", "(forall (?o - object) (objecttype ?o mugtype))",
    "(and (exists (?r - receptacle) (exists (?o - object) (and (inreceptacle ?o ?r) (objecttype ?o mugtype)))))",
])  # fmt: skip
def test_a_goal_that_is_none_of_the_six_is_one_sentence(goal):
    with pytest.raises(ValueError, match="its goal"):
        read_game(with_goal(goal))


def test_another_grammar_or_other_rules_are_refused():
    file = game_file()
    for part, old, new, says in (
        ("grammar", "You arrive at {lend.name}", "You reach {lend.name}", "in words that are not ALFWorld's"),
        ("grammar", "Your task is to: ", "Please: ", "does not say what the task is"),
        ("grammar", "put some mug on shelf.", "put #mug# on {shelf}", "no plain words for a task"),
        ("pddl_domain", "(domain alfred)", "(domain blocks)", "are not those of ALFWorld"),
    ):  # fmt: skip
        assert old in file[part]
        with pytest.raises(ValueError, match=says):
            read_game(file | {part: file[part].replace(old, new)})
    for part in ("grammar", "pddl_domain", "pddl_problem"):
        with pytest.raises(ValueError, match="it lacks one of the texts"):
            read_game(file | {part: 7})
        with pytest.raises(ValueError, match="has more than 1048576 characters"):
            read_game(file | {part: "x" * (1 << 20) + "xx"})


@given(st.data())
def test_any_text_for_a_problem_gives_a_game_or_a_sentence(data):
    file = game_file()
    problem = file["pddl_problem"]
    tokens = [*problem.split()[:80], "(", ")", "?o", "-", "exists", "and", "not", "=", ";", "\n"]
    words = st.sampled_from(tokens)
    at = data.draw(st.integers(0, len(problem)))
    to = data.draw(st.integers(at, min(len(problem), at + 200)))
    new = data.draw(st.one_of(st.text(max_size=40), st.lists(words, max_size=12).map(" ".join)))
    try:
        game = read_game(file | {"pddl_problem": problem[:at] + new + problem[to:]})
    except ValueError as error:
        assert str(error) and "\n" not in str(error)
    else:
        assert intro(game)


# our own
ROW = {"id": "g1", "type": "pick_and_place_simple", "text": "put some mug on shelf."}


def line(game=None, **parts):
    """A line of a file of games; `game`: what else its house has."""
    return {**ROW, "game": dataclasses.asdict(house(**(game or {}))), **parts}


NO_GAMES = [
    (line(type="pick_nothing"), "no type of task"), (line(id=""), "its id is empty"), ([], "must be object"),
    (line(text="put {mug}."), "no plain words"), (line() | {"game": {"object": "mug"}}, "it lacks .target.|target"),
    (line({"receptacles": {"shelf 1": ("mug 2",)}}), "'mug' are not numbered from 1 on"),
    (line({"receptacles": {"volcano 1": ()}}), "'volcano', of which we know nothing"),
    (line({"receptacles": {"shelf 1": ("dragon 1",)}}), "'dragon', of which we know"),
    (line({"opened": ("safe 1",)}), "speaks of 'safe 1', which is not among"), (line({"doorless": "cabinet 1"}), "doorless"),
    (line({"doorless": ("shelf 1",)}), "'shelf 1' cannot be doorless"),
    (line({"doorless": ("fridge 1",), "opened": ("fridge 1",)}), "'fridge 1' cannot be doorless"),
    (line({"inside": {"vase 1": ()}}), "speaks of 'vase 1', which stands nowhere"),
    (line({"spots": (("shelf 1",), ("shelf 1",))}), "has two spots"),
    (line({"target": "mug"}), "no goal of a pick_and_place_simple task"),
]  # fmt: skip


def lines(file, *rows):
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return source(file)


@pytest.mark.parametrize(("row", "says"), NO_GAMES, ids=range(len(NO_GAMES)))
def test_a_line_that_is_no_game_is_named(tmp_path, row, says):
    games = lines(tmp_path / "games.jsonl", line(), row)
    with pytest.raises(ValueError, match=f"games.jsonl, line 2, is no game: .*(?:{says})"):
        list(games.rows("train"))


def test_two_games_of_one_name_are_refused_and_a_changed_file_is_read_again(tmp_path):
    file = tmp_path / "games.jsonl"
    assert list(lines(file, line()).rows("train")) == [ROW | {"game": "g1"}]
    found = lines(file, line(), line(id="g22")).rows("train")
    assert [row["id"] for row in found] == ["g1", "g22"]
    with pytest.raises(ValueError, match="line 2: there are two games 'g1'"):
        lines(file, line(), line()).game("g1")


def test_bundled_tasks_hold_the_name_and_neither_game_nor_walkthrough(tmp_path, monkeypatch):
    (tmp_path / "tasks/household").mkdir(parents=True)
    file = tmp_path / "tasks/household/train.jsonl"
    lines(file, *(line(id=f"g{i}", walkthrough=["look"]) for i in range(3)))
    monkeypatch.setattr(rl.data, "folder", tmp_path.joinpath)
    tasks = rl.tasks.load("household", "train")
    told = [(one.kind, one.text, one.gold, one.extra["game"], len(one.extra)) for one in tasks]
    assert told == [("household", "put some mug on shelf.", None, f"g{i}", 2) for i in range(3)]
    world = Household()
    assert world(tasks[0]).reset(tasks[0]).endswith("Your task is to: put some mug on shelf.")
    before = world.snapshot
    lines(file, line())
    assert world.snapshot != before and before.startswith("household ")


# ALFWorld's
@pytest.fixture
def places(tmp_path):
    """The same games in each form in which ALFWorld's come."""
    cool = "cool some mug and put it in shelf."
    files = {NAME: game_file(), OTHER: game_file(type="pick_cool_then_place_in_recep", task=cool)}
    simple = f"{UNSEEN}/pick_and_place_simple-Mug"
    whole = {
        **{f"{UNSEEN}/{name}/game.tw-pddl": json.dumps(file) for name, file in files.items()},
        f"{simple}Sliced-None-Shelf-1/t/game.tw-pddl": game_json(),
        f"{UNSEEN}/pick_and_place_with_movable_recep-Mug-None-Shelf-1/t/game.tw-pddl": game_json(),
        f"{simple}-None-Shelf-1/unsolvable/game.tw-pddl": json.dumps(
            game_file() | {"solvable": False}
        ),
        f"{simple}-None-Shelf-1/nogame/traj_data.json": "{}",
        "json_2.1.1/train/pick_and_place_simple-Mug-None-Shelf-9/t/game.tw-pddl": game_json(),
    }
    for name, text in whole.items():
        at = tmp_path / "folder" / name
        at.parent.mkdir(parents=True)
        at.write_text(text, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "release.zip", "w") as box:
        for name, text in whole.items():
            box.writestr(name, text)
    return tmp_path


@pytest.mark.parametrize("place", [
    "folder", "folder/json_2.1.1", f"folder/{UNSEEN}", "release.zip",
])  # fmt: skip
def test_the_papers_games_load_from_wherever_they_lie(places, place, monkeypatch):
    monkeypatch.delenv("ALFWORLD_DATA", raising=False)
    tasks = rl.tasks.load("alfworld", split="valid_unseen", path=places / place)
    told = {NAME: "put some mug on shelf.", OTHER: "cool some mug and put it in shelf."}
    assert {task.id: task.text for task in tasks} == told
    for task in tasks:
        extra = {"type": task.id.partition("-")[0], "game": task.id}
        assert task.extra == extra | {"source": "alfworld-valid_unseen"}
    env = Household(places / place)(tasks[1])
    assert env.reset(tasks[1]).endswith("Your task is to: cool some mug and put it in shelf.")
    monkeypatch.setenv("ALFWORLD_DATA", str(places / place))
    assert rl.tasks.load("alfworld", "valid_unseen") == tasks
    assert Household()(tasks[1]).game == env.game
    assert len(rl.tasks.load("alfworld", "valid_unseen", 1)) == 1


def test_what_is_wrong_with_a_place_is_one_sentence(places):
    (places / "no.zip").write_bytes(b"PK no zip")
    with pytest.raises(ValueError, match="is no zip file that can be read"):
        rl.tasks.load("alfworld", "valid_unseen", path=places / "no.zip")
    with pytest.raises(ValueError, match="there are no games of the split 'valid_seen' in"):
        rl.tasks.load("alfworld", "valid_seen", path=places / "folder")
    broken = places / "folder" / UNSEEN / NAME / "game.tw-pddl"
    broken.write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match="game.tw-pddl in .*folder cannot be read: it is not"):
        rl.tasks.load("alfworld", "valid_unseen", path=places / "folder")
    with pytest.raises(EnvError, match="the game .* cannot be played: .* cannot be read"):
        Household(places / "folder").game(NAME)


@pytest.mark.parametrize("name", ["../secret", "../../secret/x", "a/../b", "a\\b/c", "a/b/c", "", "a", "a/b\n"])  # fmt: skip
def test_a_name_never_leads_out_of_the_folder(places, name):
    (places / "secret").mkdir()
    (places / "secret/game.tw-pddl").write_text(game_json(), encoding="utf-8")
    with pytest.raises(KeyError):
        source(places / "folder").game(name)


def test_the_papers_134_and_their_types(shared, tmp_path):
    for syntax in ("put", "move"):
        path = household_play.released(shared, tmp_path / f"{syntax}.zip", syntax)
        tasks = rl.tasks.load("alfworld", "valid_unseen", path=path)
        types = [task.extra["type"] for task in tasks]
        assert {type: types.count(type) for type in types} == {
            "pick_and_place_simple": 24, "look_at_obj_in_light": 18, "pick_clean_then_place_in_recep": 31,
            "pick_heat_then_place_in_recep": 23, "pick_cool_then_place_in_recep": 21, "pick_two_obj_and_place": 17,
        }  # fmt: skip
        world = Household(path)
        assert all(task.text in world(task).reset(task) for task in tasks[::20])


# the release
@pytest.fixture
def zipped(places, monkeypatch):
    """The release, small; an empty cache."""
    content = (places / "release.zip").read_bytes()
    monkeypatch.setenv("REACT_LAB_CACHE", str(places / "cache"))
    monkeypatch.delenv("ALFWORLD_DATA", raising=False)
    monkeypatch.setattr(alfworld, "SIZE", len(content))
    monkeypatch.setattr(alfworld, "SHA256", hashlib.sha256(content).hexdigest())
    return content


def test_the_release_is_fetched_once_and_then_played(zipped, monkeypatch, capsys):
    with server(zipped) as (url, asked):
        monkeypatch.setattr(alfworld, "URL", url)
        assert main(["fetch", "alfworld"]) == 0 == main(["fetch", "alfworld"])
        assert len(asked) == 1 and "ALFWorld's games are in" in capsys.readouterr().out
    tasks = rl.tasks.load("alfworld", "valid_unseen")
    assert [task.id for task in tasks] == [NAME, OTHER]
    assert Household()(tasks[0]).reset(tasks[0])


def test_a_server_that_knows_no_ranges_begins_anew(zipped, monkeypatch):
    with server(zipped, stops=(1000,), ranges=False) as (url, asked):
        monkeypatch.setattr(alfworld, "URL", url)
        with pytest.raises(EnvError, match="came; with network"):
            fetch(alfworld.release())
        assert fetch(alfworld.release()).read_bytes() == zipped and asked == [None, "bytes=1000-"]


def test_what_is_not_the_release_is_thrown_away(zipped, monkeypatch):
    for content in (zipped[:-1] + b"x", zipped + b"more"):
        with server(content) as (url, _):
            monkeypatch.setattr(alfworld, "URL", url)
            with pytest.raises(EnvError, match="what came is not ALFWorld's release"):
                fetch(alfworld.release())
        path = alfworld.release().path
        assert not list(path.parent.glob("*.part")) and not path.exists()
    monkeypatch.setattr(alfworld, "URL", "http://127.0.0.1:9/x.zip")
    with pytest.raises(EnvError, match="could not be downloaded"):
        fetch(alfworld.release())
