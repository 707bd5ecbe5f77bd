"""Everything that reads text or records takes time in proportion to what it reads.

Each public function is measured at n and at 8 n, in seconds of its own thread: 8 times as long is
in proportion, 64 times would be a square, 24 is where we draw the line. What would take no time even
if it grew as a square is not measured twice. Who writes a new public function that takes text or
records adds it to a table here, or says why not.
"""

import atexit
import contextlib
import dataclasses
import functools
import importlib
import inspect
import io
import json
import pkgutil
import re
import shutil
import tempfile
import time
import types as python_types
import warnings
from fnmatch import fnmatch
from pathlib import Path

import household_houses
import pytest
from hypothesis import given
from hypothesis import strategies as st
from react_lab.world.household import belief, failures, subgoals
from react_lab.world.household import oracle as player
from react_lab.world.reader import oracle as reader
from react_lab.world.reader import plans as reader_plans
from react_lab.world.shop import failures as shop_failures
from react_lab.world.shop import oracle as shop_oracle
from react_lab.world.shop import wishes

import react_lab
from react_lab import (
    agent,
    blocks,
    calls,
    characters,
    chat,
    data,
    decoding,
    display,
    edits,
    forks,
    kinds,
    layouts,
    methods,
    plots,
    prompts,
    records,
    repairs,
    score,
    stats,
    store,
    tables,
    tasks,
    teach,
    transcript,
    types,
)
from react_lab import files as files_room
from react_lab import spoken as spoken_room
from react_lab.envs import answers as wiki_answers
from react_lab.envs import (
    calculator,
    household,
    html_text,
    live,
    meanings,
    own,
    pages,
    past,
    shop,
    toolbox,
    wiki,
)
from react_lab.envs import tools as envs_tools
from react_lab.envs.household import authored, goal, pddl, reasons, wording
from react_lab.envs.household import game as household_game
from react_lab.envs.shop import pages as shop_pages
from react_lab.envs.shop import products as shop_products
from react_lab.envs.shop import search as shop_search
from react_lab.envs.shop import words
from react_lab.envs.shop.catalogue import Memory
from react_lab.evaluation import files, plan
from react_lab.finetune import lines, trainer
from react_lab.label import (
    events,
    evidence,
    games,
    merging,
    modes,
    raters,
    results,
    rules,
    sampling,
    session,
    shipped,
    thoughts,
    view,
)
from react_lab.label import shopping as label_shopping
from react_lab.languages import chinese, language, speech
from react_lab.lessons import claims as claims_lesson
from react_lab.lessons import (
    combining,
    compared,
    errors,
    loop,
    multihop,
    prompting,
    start,
    today,
    tuning,
    voting,
)
from react_lab.lessons import (
    household as household_lesson,
)
from react_lab.models import (
    answers,
    asking,
    cache,
    exchange,
    faults,
    keys,
    prices,
    script,
    thinking,
)
from react_lab.plots import plan as house_plan
from react_lab.plots import replayed
from react_lab.plots import rows as plot_rows
from react_lab.reproduce import preview
from react_lab.store import index, messages
from react_lab.types import Action, Ask, Event, Reply, Seen, Step, Task, ToolCall, Trajectory
from react_lab.world import check, difficulty, gold, oracle, shortcuts

SMALL, TIMES, MOST = 2_000, 8, 24  # characters; how much more; how much longer that may take
HOUSE = 60  # mugs: 32 times as many are still a game that is short enough to be read
FLOOR = 0.02  # seconds: less than that is no time, however it grew

# ---------------------------------------------------------------------- nasty texts

PIECES = {
    "word": "a", "words": "ab ", "numbered words": None, "spaces": " ", "lines": "\n", "tabs": "a\t",
    "sentences": "Ab cd. ", "dots": ".", "letters with dots": "A.", "questions": "? ", "digits": "1",
    "less": "<", "tags": "<a", "greater": "<>", "entities": "&lt;", "ampersands": "&#1",
    "square": "[", "closed": "]", "both": "[]", "round": "(", "rounds": ") (", "braces": "{",
    "quotes": '"', "apostrophes": "'", "mixed quotes": "(\"'", "open quotes": "“", "guillemets": "«",
    "backslashes": "\\", "dollars": "$", "stars": "*", "fences": "```\n", "dashes": "-a", "slashes": "/",
    "thoughts": "Thought 1: ", "thought lines": "Thought 1: a\n", "acts": "Action 1: Search[", "act lines": "\nAction 1:",
    "pairs": "Thought 1: a\nAction 1: Search[b]\n", "observations": "\nObservation 1", "questions asked": "\nQuestion: ",
    "answers": "\nAnswer", "think": "<think>", "thinks": "<think>a</think> ", "thought ends": "</think>",
    "accents": "\u0301", "two accents": "\u0301\u0316", "joiners": "a\u200d", "chinese acts": "行动 1：搜索［", "chinese marks": "长。“《（", "emoji": "\U0001f600", "right to left": "\u202e",
    "nulls": "\x00", "escapes": "\x1b[31m", "surrogates": "\ud800", "ligatures": "\ufdfa", "names": "Ab of the ", "models": "model ",
}  # fmt: skip


def text(name, n):
    """A text of n characters."""
    if name == "numbered words":
        return " ".join(f"w{i}" for i in range(n // 5 + 1))[:n]
    piece = PIECES[name]
    return (piece * (n // len(piece) + 1))[:n]


# ---------------------------------------------------------------------- records

FOLDER = Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


@functools.cache
def numbers():
    return iter(range(10**9))


def place(suffix=".jsonl"):
    return FOLDER / f"{next(numbers())}{suffix}"


def file_of(content, suffix=".jsonl"):
    path = place(suffix)
    path.write_text(content, encoding="utf-8", errors="backslashreplace", newline="\n")
    return path


def silent(what):
    """A function without what it prints."""

    def called(text):
        with contextlib.redirect_stdout(io.StringIO()):
            what(text)

    return called


def file_of_rows(rows):
    return file_of("".join(json.dumps(row) + "\n" for row in rows))


ONE = (Step("I need Ulm.", "Search[Ulm]", "Ulm is a city."),)


def run_of(i=0, steps=ONE, **more):
    task = Task(f"multihop-{i}", "multihop", f"Question {i}?", "Ulm", {"type": "bridge"})
    facts = {
        "method": "react", "model": "m", "answer": "Bern" if i % 2 else "Ulm", "end": "finished", "calls": 2,
        "settings": {"max_steps": 7, "temperature": 0.7},
    }  # fmt: skip
    return Trajectory(**{"id": f"{i:016x}", "task": task, "steps": tuple(steps), **facts, **more})


def run_with(text):
    """A run with this text in every part."""
    seen = Step(text, f"Lookup[{text}]", text, raw=text, repairs=("quotes",))
    task = Task("t", "multihop", text, "Ulm", {"accepted": [text], "type": "bridge"})
    return run_of(
        steps=[seen, seen],
        task=task,
        answer=text,
        votes=(text, None, text),
        samples=(text,),
        error=text,
    )


def game_of(steps, text="put a mug in desk."):
    task = Task("household-train-0001", "household", text, extra={"game": "household-train-0001"})
    return run_of(steps=steps, task=task, answer=None, end="step_limit")


def game_with(text):
    """A game with this text in every part."""
    return game_of([Step(text, None, "OK."), Step(None, text, text), Step(text, text, text)], text)


def shopping_with(text):
    return dataclasses.replace(run_with(text), task=Task("s", "shop", text))


def game_steps(n):
    """Steps of a game, each with a thought that names other things."""
    return [
        Step(
            f"I take mug {i}. It is on shelf {i}.",
            f"take mug {i} from shelf {i}",
            f"A pen {i}, and a mug {n + i}.",
        )
        for i in range(n)
    ]


def decoder_of(form):
    """Of a world with one act, whose acts have to be well-formed."""
    return decoding.Decoder(None, None, decoding.Decoding(acts="formed"), [Action(form, "")])


def steps_of(n):
    """Steps that all differ."""
    return [
        Step(f"Thought Ab{i} cd.", f"Search[e{i}]", f"Page{i} says Cd{i}. It is so.")
        for i in range(n)
    ]


def runs(n):
    return [run_of(i) for i in range(n)]


def voted(n):
    """ReAct and CoT-SC on n tasks."""
    votes = ("Ulm", "Bern", None)
    return [
        *runs(n),
        *(run_of(i, method="cot-sc", votes=votes, samples=("a", "b", "c")) for i in range(n)),
    ]


def frame(n):
    return score.frame(voted(n))


def mark(i, by="me", label=None):
    label = label or modes.MODES[i % 6]
    grade = "success" if label in modes.SUCCESS else "failure"
    return events.Mark(
        by, f"r{i}", f"d{i}", label=label, step=i % 5, note="n", method="react", grade=grade, ms=5
    )


def marks(n):
    return [mark(i) for i in range(n)]


def by_run(n, people=("a", "b", "c")):
    return {(f"r{i}", f"d{i}"): {by: mark(i, by) for by in people} for i in range(n)}


def entry(seq, i, event="label", by="me", **more):
    label = "hallucination" if event == "label" else None
    return events.Entry(seq, by, event, id=f"r{i}", digest=f"d{i}", label=label, **more)


def undone(n, of_runs, order):
    """n labels on so many runs, then the undoing of all of them, in some order, and the redoing."""
    many = [entry(i + 1, i % of_runs) for i in range(n)]
    turned = list(range(n, 0, -1)) if order == "last first" else list(range(1, n + 1))
    many += [events.Entry(n + k, "me", "undo", of=of) for k, of in enumerate(turned, 1)]
    return many + [events.Entry(2 * n + k, "me", "redo", of=of) for k, of in enumerate(turned, 1)]


def label_file(entries):
    return file_of_rows(map(events.written, entries))


def session_of(n, gold=None, **more):
    many = runs(n)
    labels = [events.Entry(i + 1, "me", "label", id=run.id, digest=store.digest(run), label="hallucination", item=i)
              for i, run in enumerate(many)]  # fmt: skip
    return session.Session(many, label_file(labels), "me", **more)


def book_of(rows):
    return pages.Encyclopedia(rows)


def page(i, text="It is a town. It lies on the Danube."):
    return {
        "title": f"Page {i}",
        "aliases": [f"P{i}"],
        "text": text,
        "split": "dev",
        "facts": {"birth_year": ["1"]},
    }


def book(n):
    return book_of(page(i) for i in range(n))


@functools.cache
def small_book():
    return book(20)


def world(text="A town. It is on the Danube."):
    env = wiki.WikiEnv(book_of([page(1, text)]))
    env.step("Search[Page 1]")
    return env


def reply_rows(n, abouts=1):
    about = {"name": "m", "identity": "m", "tuned": False, "leg": "react", "head": ""}
    rows = [{"about": f"a{i}", **about} for i in range(abouts)]
    rows += [
        {"about": f"a{i % abouts}", "key": f"k{i}", "sample": 0, "reply": {"text": "x"}}
        for i in range(n)
    ]
    return file_of_rows(rows)


def chunks(pieces):
    """A stream of a chat: one event per piece."""
    events = [{"choices": [{"delta": {"content": piece}}]} for piece in pieces]
    last = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    return [json.dumps(event).encode() for event in [*events, last]]


def streamed(name):
    return lambda n: chunks(PIECES[name] for _ in range(n))


def body(text):
    said = {"message": {"content": records.whole(text)}, "finish_reason": "stop"}
    return json.dumps({"choices": [said], "usage": {}}).encode()


def numbered(n):
    return "".join(
        f"Thought {i}: a\nAction {i}: Search[b]\nObservation {i}: c\n" for i in range(1, n + 1)
    )


def transcript_of(block):
    """The authors' log: episodes of a claim, steps and a line of scores."""
    scores = "{'steps': 1, 'answer': 'REFUTES', 'gt_answer': 'REFUTES'}\n"
    return lambda n: file_of(f"1 Claim: a\n{block * n}\n{scores}", ".txt")


def strange(text):
    """Files of others with this text: what the notebooks print, and a conversation."""
    said = [{"role": role, "content": text} for role in ("user", "assistant", "user", "assistant")]
    yield "openai", file_of(json.dumps(said), ".json")
    yield "authors-hotpotqa", file_of(f"1 Question: {text}\n{text}", ".txt")
    yield (
        "authors-alfworld",
        file_of(f"a\nYour task is to: b\nAct 1: {text}\n1 r 0 rs [\n--\n{text}", ".txt"),
    )
    yield (
        "authors-webshop",
        file_of(f"{'-' * 17}\n0\nAction: reset\nInstruction: {text}\n{text}\n1 0 0 0\n", ".txt"),
    )


def html_page(html, several=False):
    """What the API says of one revision's HTML."""
    properties = [{"name": "disambiguation", "*": ""}] if several else []
    return {"parse": {"title": "T", "text": {"*": html}, "properties": properties}}


def kept_answer(asked):
    """A line of the file of answers."""
    answer = {"batchcomplete": ""}
    total = wiki_answers.sum_of(asked, answer)
    return {"source": "w", "asked": asked, "answer": answer, "sum": total}


def conversation(n):
    turns = [{"role": role, "content": f"a{i}"} for i in range(n) for role in ("user", "assistant")]
    return [messages.said(turn) for turn in turns]


def episodes(n):
    one = "1 Claim: a\nThought 1: b\nAction 1: Search[c]\nObservation 1: d\n"
    return file_of(
        (one + "{'steps': 1, 'answer': 'REFUTES', 'gt_answer': 'REFUTES'}\n") * n, ".txt"
    )


def wikipedia(answer):
    """Live Wikipedia over answers that are there already: no network."""
    found = live.LiveWikipedia("me@example.org")
    found._answers.get = lambda key, fetch: answer | {"time": "now"}
    return found


def found(extract, html="", search=()):
    """What the API says of a page, of a disambiguation's HTML, and of a search."""
    page = {
        "title": "T",
        "pageid": 1,
        "extract": extract,
        "fullurl": "u",
        "lastrevid": 1,
        "revisions": [{"revid": 1, "timestamp": "then", "*": html}],
    }
    if html:
        page["pageprops"] = {"disambiguation": ""}
    return {"query": {"pages": {"1": page}, "search": [{"title": title} for title in search]}}


class Same:
    """A model that always says the same."""

    name, tuned = "same", frozenset()

    def __init__(self, text):
        self.text = text

    def identity(self, leg):
        return "same"

    def complete(self, ask, on_text=None):
        return {i: Reply(self.text) for i in ask.samples}


class Silent:
    """Pages that nothing is found in."""

    snapshot = "none"

    def get(self, title):
        return None

    def search(self, query, k=5):
        return []


def fault(text):
    return faults.Fault(400, message=faults.message_in(text))


def spoken(text):
    told = fault(text)
    told.too_long, told.wants_chat, told.refused({"stop": 1, "n": 2})
    return faults.halt(told, 1, url="u", name="m", key_env="K")


def prompt():
    return prompts.Prompt("react", layouts.Numbered())


def chatted(text):
    """A chat in which a text stands everywhere."""
    for leg, acts in (("react-chat", ()), ("react-tools", wiki.WikiEnv.actions)):
        one = chat.transcript_of(
            prompts.Prompt(leg, layouts.Numbered(), "", "", tuple(acts), "Finish"), 10**9
        )
        one.begin(text)
        told = {"function": {"name": "Search", "arguments": text}}
        one.read(Reply(text, reasoning=text), 1)
        one.add(
            dataclasses.replace(one.read(Reply(text, tool_calls=(told,)), 1), observation=text), 1
        )
        one.ask(2)


def written_down(text):
    told = transcript.TextTranscript(prompt())
    told.begin(text)
    told.add(Step(text, text, text), 1)
    told.ask(2), told.ask_act(2, Step(text))
    return told.read(Reply(text), 2), told.read(Reply(text), 2, Step(text))


def written_down_in_little(steps):
    told = transcript.TextTranscript(prompt(), 300)
    told.begin("Question: Who?")
    for i, step in enumerate(steps, 1):
        told.ask(i)
        told.add(step, i)


def episode(replies):
    asked = Task("t", "multihop", "Who?")
    model = script.scripted(replies)
    kit = agent.Kit(model, wiki.Wiki(small_book()), lambda leg: prompt(), max_steps=len(replies))
    for _ in agent.play("react", asked, kit):
        pass


def lesson():
    """One exercise of each kind of check."""
    several = {**prompting.CHECKS, **loop.CHECKS, **start_checks(), **multihop.CHECKS, **claims_lesson.CHECKS,
               **voting.CHECKS, **tuning.CHECKS, **errors.CHECKS}  # fmt: skip
    return teach.Lesson("t", {n: teach.Exercise("t", check, "s") for n, check in several.items()})


def start_checks():
    return getattr(start, "CHECKS", {})


def every_check(answer):
    told = lesson()
    return [told.check(number, answer) for number in told.exercises]


def kept(n):
    about = {"name": "m", "identity": "m", "tuned": False, "leg": "react", "head": ""}
    recording = cache.Recording(place())
    for i in range(n):
        recording.keep(about, {"key": f"k{i}", "sample": 0, "prompt": ""}, Reply("x"))


def relayed(pieces):
    relay = thinking.Relay(len)
    for piece in pieces:
        relay(piece)
    relay("", last=True)


class Letters:
    """A tokenizer: every letter is a token."""

    eos_token_id = 0

    def __call__(self, text, return_offsets_mapping):
        places = [(i, i + 1) for i in range(len(text))]
        return python_types.SimpleNamespace(input_ids=list(map(ord, text)), offset_mapping=places)


def reply_log(n):
    path = file_of_rows({"run": f"{i:016x}", "key": "k", "reply": {"text": "x"}} for i in range(n))
    return files.ReplyLog(path), {f"{i:016x}" for i in range(0, n, 2)}


def pressing(one):
    for _ in range(3):
        one.label("hallucination", override=True)
        one.note("n")


def undoing(one):
    for _ in range(3):
        one.undo()
        one.redo()


def full_house(n):
    """A house of n receptacles on one spot, with n mugs in all of them, each in another."""
    shelves = {f"shelf {i}": (f"mug {i}",) for i in range(1, n + 1)}
    return household.Authored(
        "mug",
        "shelf",
        shelves,
        (tuple(shelves),),
        (),
        {"mug 1": tuple(f"mug {i}" for i in range(2, n))},
    )


def house_of(n):
    return authored.game_from("pick_two_obj_and_place", "put two mug in shelf.", full_house(n))


def crowded(n):
    """The house, and the state in which the player stands before all of it."""
    game = house_of(n)
    return game, household.play(game, game.start, "go to shelf 1")[0]


def moved(pair):
    game, state = pair
    for command in (
        "look",
        "examine shelf 1",
        "take mug 1 from shelf 1",
        "put mug 1 in/on shelf 2",
        "look",
    ):
        state, _ = household.play(game, state, command)
    return game.won(state)


@functools.cache
def small_house():
    return house_of(3)


def episode_in(game, acts):
    env = household.HouseholdEnv(game)
    env.reset(Task("t", "household", "win"))
    return [env.step(act) for act in acts], env.view()


def walked(n):
    """A run of n rounds through a small kitchen."""
    acts = (
        "go to fridge 1",
        "open fridge 1",
        "dance",
        "go to countertop 1",
        "take mug 2 from countertop 1",
    )
    task = Task("t", "household", "put some mug on shelf.")
    steps = tuple(
        Step("Hm.", act) for _ in range(n) for act in (*acts, "put mug 2 in/on countertop 1")
    )
    return Trajectory("t", task, "react", "m", steps=steps)


def kitchen_world(task):
    game = authored.game_from("pick_and_place_simple", task.text, household_houses.house())
    return household.HouseholdEnv(game)


def house_files(n):
    """Our games, n of them, and as many in a bundle of ALFWorld's."""
    one = household_houses.game_file(task="UNKNOWN GOAL.")
    row = {
        "type": "pick_and_place_simple",
        "text": "win.",
        "game": dataclasses.asdict(household_houses.house()),
    }
    games = {
        f"pick_and_place_simple-{i}/t": {"pddl_problem": one["pddl_problem"], "task": "win."}
        for i in range(n)
    }
    bundle = {"pddl_domain": [one["pddl_domain"]], "grammar": [one["grammar"]], "games": games}
    return file_of_rows({"id": f"g{i}", **row} for i in range(n)), file_of(
        json.dumps(bundle), ".json"
    )


def games_in(paths):
    for path, name in zip(paths, ("g1", "pick_and_place_simple-1/t"), strict=True):
        found = household.source(path)
        list(found.rows("train")), found.game(name)


# ---------------------------------------------------------------------- what reads a text


KITCHEN = (
    "You are in the middle of a room. Looking quickly around you, you see a cabinet 1, a shelf 1, and "
    "a shelf 2.\nYour task is to: put a mug in cabinet."
)


GAME = tasks.load("household", "unseen")[0]
BUY = tasks.load("shop", "test")[0]


def walk(n):
    """A player who looks around, and goes from one shelf to the other."""
    return [
        step
        for i in range(n)
        for place in (f"shelf {i % 2 + 1}",)
        for step in (
            Step(None, f"go to {place}", f"On the {place}, you see a pen {i}."),
            Step(None, "look", f"You are facing the {place}. Next to it, you see nothing."),
            Step(None, "dance", "Nothing happens."),
        )
    ]


@functools.cache
def a_game():
    return household_lesson.game("household-unseen-0001")


def played_game(steps):
    return run_of(task=a_game(), steps=steps, method="act")


def quiet(do):
    """What it raises or warns of for a nasty text is for other tests; the time it takes is measured here."""

    def done(given):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return do(given)
            except (ValueError, LookupError, types.Halt, StopIteration):
                return None

    return done


def reading(layout):
    return {
        f"{type(layout).__name__}.read": lambda text: layout.read(text, 1),
        f"{type(layout).__name__}.read_act": lambda text: layout.read_act(text, 1),
        f"{type(layout).__name__}.show": lambda text: layout.show(Step(text, text, text), 1),
        f"{type(layout).__name__}.divide": lambda text: layout.divide(text, 1),
    }


def product_of(text):
    return shop.Product(
        "B1",
        f"lamp {text}",
        (),
        text,
        text,
        (text,),
        text,
        {"color": (text, "blue"), text: (text,)},
        (text,),
    )


def optional(n):
    return shop.Product("B1", "lamp", options={f"size {i}": ("small", "large") for i in range(n)})


def shopping_goal(text):
    return shop.Goal("g", text, "B1", text, text, text, (text, "bright"), (text, "blue"), 40.0)


def shopping(text, look, acts):
    """An episode in a shop with one product, whose words are the text."""
    shelf = Memory({"B1": product_of(text)})
    env = shop.ShopEnv(shopping_goal(text), shelf, shop.Shop(look=look))
    return [env.reset(None), *(env.step(act) for act in acts), env.view(), env.admissible()]


URANIBORG = Task(
    "", "multihop", "Who founded Uraniborg?", "Tycho Brahe", {"hops": [["Uraniborg", "founder", "Tycho Brahe"]]}
)  # fmt: skip

TEXT = {
    **{f"layouts.{name}": do for layout in (layouts.Numbered(), layouts.Game(), layouts.Shop(), layouts.Plain())
       for name, do in reading(layout).items()},
    "layouts.Numbered.read_unmarked": lambda text: layouts.Numbered().read_unmarked(text, text, []),
    "layouts.parse": lambda text: [layouts.parse(layout, text) for layout in (layouts.Numbered(), layouts.Game(), layouts.Shop(), layouts.Plain())],
    "repairs.tidy": repairs.tidy,
    "repairs.drop_cue": lambda text: repairs.drop_cue(text, 1, "thought", []),
    "repairs.drop_preamble": lambda text: (mark := repairs.find_mark(text, "action")) and repairs.drop_preamble(text, mark, 1, []),
    "repairs.find_mark": lambda text: repairs.find_mark(text, "action"),
    "repairs.finish": lambda text: repairs.finish(text, []),
    "repairs.first_act": lambda text: repairs.first_act(text, []),
    "repairs.first_line": repairs.first_line,
    "repairs.first_turn": lambda text: repairs.first_turn(text, []),
    "repairs.one_line": lambda text: repairs.one_line(text, []),
    "repairs.step_of": lambda text: repairs.step_of(text, text, text, []),
    "types.normalise": types.normalise,
    **{f"languages.chinese.{name}": getattr(chinese, name) for name in ("act", "answers", "fold", "normalise", "show_act", "turns", "words")},
    "languages.chinese.sentences": lambda text: list(chinese.sentences(text)),
    "languages.language.segmented": lambda text: wiki.sentences(text),
    "languages.language.as_it_is": language.as_it_is,
    "languages.speech.say": lambda text: speech.say("parts.pair", name=text, value=text),
    "languages.speech.word": lambda text: speech.word("parts", text),
    "types.split_act": lambda text: types.split_act(f"Search[{text}]"),
    "records.replies_to": lambda text: (records.replies_to(Ask("a"), {0: Reply(text)}), records.replies_to(Ask("a"), {1: Reply(text)})),
    "records.parsed": records.parsed,
    "records.shallow": lambda text: records.shallow({"a": [text]}),
    "records.Record.of_row": lambda text: records.TASK.of_row({"id": "t", "kind": "", "text": text, text: text}),
    "records.Record.read": lambda text: records.TASK.read(text.encode("utf-8", "replace")),
    "records.Record.write": lambda text: records.TASK.write(Task("t", "multihop", text)),
    "decoding.accept": lambda text: decoding.accept(Reply(text, why="refused")),
    "decoding.decoding_named": lambda text: decoding.decoding_named(text),
    "decoding.decoding_in": lambda text: decoding.decoding_in({"decoding": text}),
    "decoding.grammar_of": lambda text: decoding.grammar_of([text], [text]),
    "decoding.Decoder.fits": lambda text: [decoder_of(form).fits(text, None) for form in ("Search[entity]", "put X in/on Y")],
    "edits.rethink": lambda text: edits.rethink(run_with(text), 1, text, text),
    "edits.leg_of": lambda text: edits.leg_of(run_of(method=text)),
    "agent.play": lambda text: episode([text]),
    "transcript.TextTranscript": written_down,
    "transcript.tokens": transcript.tokens,
    "prompts.read_exemplars": lambda text: prompts.read_exemplars(text, layouts.Numbered()),
    "prompts.prompt_for": lambda text: prompts.prompt_for("cot", kinds.kind_of("multihop"), (), f"{text}\nQuestion: a\n{text}\nAction 1: Finish[b]"),
    "prompts.order_of": lambda text: prompts.order_of(f"ours {text}"),
    "models.prices.price_in": lambda text: prices.price_in(json.dumps({"data": [{"id": text, "pricing": {"prompt": text, "completion": text}}]}).encode(), text),
    "prompts.exemplar_text": lambda text: prompts.exemplar_text(str(file_of(text, ".txt"))),
    "prompts.render": lambda text: prompts.render(prompts.Exemplar(text, (Step(text, text, text),)), layouts.Numbered()),
    "methods.majority": lambda text: methods.majority([text, None, text]),
    "methods.majority_of": lambda text: methods.majority_of([text, "a"], "multihop"),
    "methods.gave_up": lambda text: methods.gave_up("finished", text),
    "score.exact_match": lambda text: score.exact_match(text, text),
    "score.f1": lambda text: score.f1(text, text),
    "score.reward": lambda text: score.reward(Task("", "multihop", "", text), text),
    "score.correct": lambda text: score.correct(run_with(text)),
    "score.accepted": lambda text: score.accepted(run_with(text)),
    "world.shop.wishes.read_wish": wishes.read_wish,
    "world.shop.wishes.plain": wishes.plain,
    "world.shop.wishes.core": wishes.core,
    "analysis.baselines.by_words": lambda text: shortcuts.by_words(Task("", "claims", text)),
    "analysis.baselines.one_search": lambda text: [shortcuts.one_search(Task("", "multihop", asked), small_book()) for asked in (text, f"is {text} or b?")],
    "world.shop.wishes.says": lambda text: [wishes.plain.cache_clear(), wishes.says(text, "red lamp"), wishes.says("red lamp", text)],
    "world.shop.oracle.answer": lambda text: shop_oracle.answer(text, [Step(None, f"search[{text}]", text), Step(None, f"click[{text}]", "Invalid action!")]),
    "world.household.belief.read_task": quiet(lambda text: belief.read_task(f"{text} Your task is to: {text}")),
    "world.reader.oracle.answer": lambda text: reader.answer(URANIBORG, [Step(text, f"Search[{text}]", text), Step(None, f"Lookup[{text}]", text), Step(None, text, text)], left=7),
    "world.reader.plans.plan_of": lambda text: reader_plans.plan_of(Task("", "multihop", "?", "a", {"steps": [(text, "Search[Page 1]"), (text, f"Lookup[{text}]"), (text, f"Finish[{text}]")]}), small_book()),
    "world.household.oracle.answer": quiet(lambda text: player.answer(f"{KITCHEN}\n{text}", [Step(None, text, "Nothing happens."), Step(None, f"go to {text}", text)])),
    "score.frame": lambda text: (score.frame([run_with(text)]), score.frame([run_with(text)], by="step")),
    "characters.visible": characters.visible,
    "characters.inline": characters.inline,
    "characters.short": characters.short,
    "records.whole": records.whole,
    "files.Format.fits": lambda text: files_room.Format("x", ("a",)).fits(text.encode("utf-8", "replace")),
    "characters.fitted": characters.fitted,
    "models.faults.fault_named": lambda text: faults.fault_named(json.dumps({"error": {"message": text, "code": text}}).encode()),
    "models.exchange.events_in": lambda text: list(exchange.events_in([f"data: {text}\n\n".encode("utf-8", "replace")])),
    "models.asking.as_sent": lambda text: asking.as_sent(text, True, "react"),
    "blocks.inert": blocks.inert,
    "display.note": lambda text: display.note(text, text, text, (text,)),
    "display.show": lambda text: display.show(run_with(text)),
    "display.event_text": lambda text: display.event_text(Event("react", 1, Step(text, text, text), Seen(text, why=text))),
    "files.add_line": lambda text: files_room.add_line(place(), text.encode("utf-8", "replace")),
    "data.write": lambda text: data.write(place(), text.encode("utf-8", "replace").decode()),
    "envs.pages.Encyclopedia": lambda text: small_book().get(text),
    "envs.pages.Encyclopedia.row": lambda text: small_book().row(text),
    "envs.pages.Encyclopedia.get": lambda text: small_book().get(text),
    "envs.pages.Encyclopedia.search": lambda text: small_book().search(text),
    "envs.pages.Encyclopedia.misspelt": lambda text: small_book().misspelt(text),
    "envs.pages.Encyclopedia.edited": lambda text: small_book().edited({text: text}),
    "envs.pages.read_pages": lambda text: (book := pages.read_pages(file_of_rows([{"title": text, "aliases": [text], "text": text}])), book.search("ulm"), book.snapshot),
    "envs.own.rows_of": lambda text: [quiet(lambda path: [*own.rows_of(path)])(file_of(part, end)) for end in (".md", ".csv", ".tsv") for part in (text, f"title,text\n{text}", f"# {text}")],
    "envs.html_text.text_of": html_text.text_of,
    "envs.wiki.sentences": lambda text: (wiki.sentences(text), wiki.sentences(text, "paper")),
    "envs.wiki.Wiki": lambda text: wiki.Wiki(small_book())(Task("", text, text)),
    "envs.wiki.WikiEnv": lambda text: wiki.WikiEnv(small_book()).reset(Task("", "multihop", text)),
    "envs.wiki.WikiEnv.step": lambda text: [world(text).step(act) for act in (text, f"Search[{text}]", f"Lookup[{text}]", f"Finish[{text}]", "Lookup[a]")],
    "envs.wiki.WikiEnv.invalid": lambda text: world().invalid(text, "why"),
    "envs.wiki.WikiEnv.search": lambda text: world().search(text),
    "envs.wiki.WikiEnv.lookup": lambda text: world(text).lookup(text),
    "envs.meanings.Meanings.find_all": lambda text: [meanings.Meanings(html).find_all("li") for html in (text, f"<li><a>{text}")],
    "envs.past.read": lambda text: [past.read(html_page(html)) for html in (text, f'<ul class="redirectText"><li><a>{text}')],
    "envs.past.page_at": lambda text: past.page_at("2022", text, lambda asked: {}),
    "envs.answers.sound": lambda text: wiki_answers.sound({"query": {"pages": {text: {"title": text}}}}),
    "envs.live.LiveWikipedia.edition": lambda text: wikipedia(found("a")).edition(text),
    "envs.live.LiveWikipedia.get": lambda text: [wikipedia(found(text)).get("T"), wikipedia(found("a", html=text)).get("T"), wikipedia(found("a")).get(text)],
    "envs.live.LiveWikipedia.search": lambda text: [wikipedia(found("a", html=f"<li>{text}")).search("T"), wikipedia(found("a", search=[text])).search(text)],
    "envs.household.pddl.read_problem": lambda text: [quiet(pddl.read_problem)(part) for part in (text, f"(define {text})", f"(define (:domain alfred) (:objects {text}) (:init {text}) (:goal {text}))")],
    "envs.household.game.read_game": lambda text: [quiet(household.read_game)(household_houses.game_file() | {part: text}) for part in ("grammar", "pddl_domain", "pddl_problem")],
    "envs.household.wording.read_wording": lambda text: wording.read_wording(household_houses.game_file()["grammar"] + text, household_houses.game_file()["pddl_domain"] + text),
    "envs.household.wording.goal_of": lambda text: wording.goal_of(f'"rhs": "Your task is to: win." {text}'),
    "envs.household.wording.plain_goal": wording.plain_goal,
    "envs.household.reasons.why_nothing": lambda text: [reasons.why_nothing(small_house(), small_house().start, verb + text) for verb in ("", "go to ", "put a in/on ", "take a from ")],
    "envs.household.rules.play": lambda text: household.play(small_house(), small_house().start, text),
    "envs.household.world.HouseholdEnv.step": lambda text: episode_in(small_house(), (text, f"think: {text}", f"put {text} on {text}", f"go to {text}")),
    "envs.shop.products.plain": shop_products.plain,
    "envs.shop.products.folded": shop_products.folded,
    "envs.shop.products.label": lambda text: shop_products.label(text, text),
    "envs.shop.words.nouns": words.nouns,
    "envs.shop.words.colour": words.colour,
    "envs.shop.words.alike": lambda text: [words.alike(text, text[1:]), words.alike(text, "red lamp")],
    "envs.shop.goals.with_bound": lambda text: shop.with_bound(text, 40.0),
    "envs.shop.search.terms": shop_search.terms,
    "envs.shop.search.document": lambda text: shop_search.document(product_of(text)),
    "envs.shop.reward.reward": lambda text: shop.reward(shopping_goal(text), product_of(text), {"color": text, text: "blue"}),
    "envs.shop.looks.Notebook.read": shop.LOOKS["notebook"].read,
    "envs.shop.looks.Text.read": shop.LOOKS["text"].read,
    "envs.shop.looks.Rich.read": shop.LOOKS["rich"].read,
    "envs.shop.world.ShopEnv.step": lambda text: [shopping(text, look, (f"search[{text}]", "search[lamp]", f"click[{text}]", "click[B1]", text, "click[Description]", "click[< Prev]", f"click[{text}]", "click[Buy Now]")) for look in shop.LOOKS],
    "tasks.question": tasks.question,
    "tasks.claim": tasks.claim,
    "tasks.read": lambda text: [quiet(tasks.read)(path) for path in (file_of_rows([{"question": text, "answer": text}]), file_of(f"question,answer\n{text}", ".csv"))],
    "lessons.today.Screen": silent(lambda text: today.Screen()(text)),
    "tables.in_table": lambda text: [quiet(lambda path: [*tables.in_table(path, ())])(file_of(part, end)) for end in (".csv", ".tsv") for part in (text, f"question\n{text}")],
    "store.runs.digest": lambda text: store.digest(run_with(text)),
    "store.runs.dump": lambda text: store.dump(run_with(text)),
    "store.runs.append": lambda text: store.append(place(), run_with(text)),
    "store.runs.open": lambda text: list(store.open(store.append(place(), run_with(text)))),
    "store.transcripts.read_transcript": lambda text: (store.read_transcript(transcript_of(text)(1)), [quiet(lambda path, kind=kind: store.read_transcript(path, kind))(path) for kind, path in strange(text)]),
    "calls.act_of": lambda text: calls.act_of(text, text),
    "calls.act_by": lambda text: [calls.act_by(ToolCall("a", name, given), wiki.WikiEnv.actions) for name in ("Search", text) for given in (text, json.dumps({"entity": text}))],
    "calls.call_for": lambda text: [calls.call_for(act, [*wiki.WikiEnv.actions, *household.HouseholdEnv.actions], "a") for act in (text, f"Search[{text}]", f"take {text} from {text}")],
    "calls.joined": lambda text: calls.values_in(calls.joined([text, text]), 2),
    "calls.values_in": lambda text: [calls.values_in(text, 2), calls.values_in(f'"{text}", {text}', 2)],
    "calls.same_name": calls.same_name,
    "calls.calls_in": lambda text: calls.calls_in([{"function": {"name": text, "arguments": {text: text}}}]),
    "spoken.spoken": lambda text: [spoken_room.spoken(each, wiki.WikiEnv.actions, "Question") for each in (text, f"Thought: {text}", f"Thought: a\nAction: {text}", f"Action: Search({text})", f"Final Answer: {text}")],
    "spoken.said_by_others": lambda text: spoken_room.said_by_others(text, []),
    "repairs.forges": repairs.forges,
    "chat.ChatTranscript": chatted,
    "envs.calculator.worked_out": quiet(calculator.worked_out),
    "envs.toolbox.calculate": quiet(toolbox.calculate),
    "envs.toolbox.convert": quiet(lambda text: toolbox.convert(2, text, text)),
    "envs.toolbox.weather": quiet(toolbox.weather),
    "envs.tools.ToolsEnv.step": lambda text: [envs_tools.Tools()(Task("", "tools", "")).step(act) for act in (text, f"Finish[{text}]", f"Weather[{text}]", f"Convert[{text}]", f"Convert[2, {text}, {text}]", f"Calculate[{text}]")],
    "store.messages.said": lambda text: messages.said({"role": "user", "content": [text, {"type": "text", "text": text}]}),
    "store.exports.to_inspect": lambda text: store.to_inspect(place(), run_with(text)),
    "store.exports.to_dataset": lambda text: store.to_dataset(place(""), run_with(text)),
    "models.thinking.apart": thinking.apart,
    "models.thinking.Relay": lambda text: (relay := thinking.Relay(len), relay(text), relay("", last=True)),
    "models.answers.read": lambda text: (answers.read(text.encode("utf-8", "replace")), answers.read(json.dumps({"error": dict.fromkeys(("message", "code", "type", "param"), text)}).encode())),
    "models.answers.replies_in": lambda text: answers.replies_in(answers.read(body(text)), {}, 1),
    "models.answers.tokens_in": lambda text: answers.tokens_in(text.encode("utf-8", "replace")),
    "models.faults.message_in": faults.message_in,
    "models.faults.halt": spoken,
    "models.keys.redact": lambda text: keys.redact(text, "sk-abcdefgh"),
    "models.cache.key_of": lambda text: cache.key_of(text, Ask(text), 0),
    "models.cache.cached": lambda text: cache.cached(Same(text), place()).complete(Ask(text)),
    "models.script.scripted": lambda text: script.scripted([text, text]).complete(Ask(text)),
    "label.evidence.claims": evidence.claims,
    "label.evidence.is_closed": evidence.is_closed,
    "label.evidence.sentences": evidence.sentences,
    "label.evidence.words": evidence.words,
    "label.thoughts.kind_of_thought": thoughts.kind_of_thought,
    "label.thoughts.origins": lambda text: [thoughts.origins(run) for run in (run_with(text), game_with(text), shopping_with(text))],
    "label.thoughts.sentences_in": lambda text: [thoughts.sentences_in(run, run.steps[0]) for run in (run_with(text), shopping_with(text))],
    "label.rules.suggest": lambda text: (rules.suggest(run_with(text), pages=small_book()), rules.suggest(run_of(steps=[Step(text, "Finish[a]")], answer="a"), pages=small_book()), rules.suggest(run_of(), judge=Same(text))),
    "label.games.goal_of": lambda text: games.goal_of(game_with(text)),
    "label.games.opening": lambda text: games.opening(game_with(text)),
    "label.games.rules_of": lambda text: [list(games.rules_of(game_with(text), grade)) for grade in ("success", "failure")],
    "label.modes.as_mode": modes.as_mode,
    "label.modes.grade": lambda text: modes.grade(run_with(text)),
    "label.modes.offered": lambda text: modes.offered(run_with(text)),
    "score.neutral": score.neutral,
    "label.results.report": lambda text: results.report([dataclasses.replace(mark(1), note=text)]),
    "label.results.export": lambda text: results.export([dataclasses.replace(mark(1), note=text)], place(".csv")),
    "label.view.picture": lambda text: view.picture(session.Session([run_with(text)], place(), "me")),
    "label.session.Session.note": lambda text: session.Session(runs(1), place(), "me").note(text),
    "label.session.Session.filter": lambda text: session.Session([run_with(text)], place(), "me").filter(text),
    "finetune.lines.training_line": lambda text: lines.training_line(run_with(text), "react"),
    "lessons.loop.reading": loop.reading,
    "lessons.prompting.saying": lambda text: prompting.saying(prompting.task("jaws"), text),
    "lessons.start.played": lambda text: start.played([text, text]),
    "lessons.start.named_at": lambda text: start.named_at(run_with(text)),
    "lessons.tuning.line_shown": lambda text: tuning.line_shown(run_with(text), "react"),
    "lessons.errors.wall": lambda text: errors.wall({1: text}),
    "lessons.errors.for_reading": lambda text: errors.for_reading([run_with(text)]),
    "lessons.claims.speak_of_a_page": lambda text: claims_lesson.speak_of_a_page([run_of(steps=[Step(text)], method="cot")]),
    "teach.lesson.Lesson.check": every_check,
    "teach.exercises.short": teach.short,
    "teach.lesson.Lesson.recall": lambda text: teach.Lesson("t").recall(text, text),
    "teach.exercises.cases": lambda text: teach.cases((("a",), text))(lambda given: text + given),
    "plots.picture.plain": plots.picture.plain,
    "plots.picture.cell_text": lambda text: plots.picture.cell_text(text, 2),
    "plots.rows.name_of": plot_rows.name_of,
    "plots.rows.task_word": plot_rows.task_word,
    "world.oracle.bare": oracle.bare,
    "world.oracle.named": oracle.named,
    "world.oracle.stated": lambda text: (oracle.stated("Ulm", text), oracle.stated(text, "Ulm")),
    "world.difficulty.named_in": lambda text: difficulty.named_in(text, small_book()),
    "world.gold.gold_run": lambda text: gold.gold_run(Task("", "multihop", "?", "a", {"steps": [(text, f"Search[{text}]"), (text, f"Finish[{text}]")]}), small_book()),
    "world.check.faults_of_pages": lambda text: list(check.faults_of_pages(book_of([page(1, text)]))),
}  # fmt: skip


# these take none of the texts, and must say so soon
REFUSE = (
    "decoding.accept",
    "decoding.decoding_named",
    "decoding.Decoding",
    "label.modes.as_mode",
    "records.Record.read",
    "records.parsed",
    "records.replies_to",
)


# ---------------------------------------------------------------------- what reads records


@dataclasses.dataclass(frozen=True)
class Case:
    """What is read, made by a number, and what reads it."""

    make: object
    do: object
    n: int = 120


def undos(of_runs, order):
    return Case(
        lambda n: undone(n, of_runs(n), order),
        lambda events_: events.Ledger(events_).labelled(),
        500,
    )


def many_people(n):
    return {
        (f"r{i}", f"d{i}"): {
            f"p{i % 100}": mark(i, f"p{i % 100}"),
            f"p{(i + 1) % 100}": mark(i, f"p{(i + 1) % 100}"),
        }
        for i in range(n)
    }


RECORDS = {
    "agent.play": Case(lambda n: [f" a{i}\nAction {i}: Search[e{i}]" for i in range(1, n + 1)], episode, 25),
    "transcript.TextTranscript of a small context": Case(steps_of, written_down_in_little, 400),
    "edits.rethink": Case(steps_of, lambda steps: edits.rethink(run_of(steps=steps), 2, "t")),
    "decoding.stuck": Case(steps_of, lambda steps: decoding.stuck(Step(action="Search[no]"), steps)),
    "agent.Kit.start": Case(steps_of, lambda steps: agent.Kit(Same(""), wiki.Wiki(small_book()), lambda leg: prompt(), so_far=tuple(steps)).start(Task("t", "", ""), "react", ["react"])),
    "agent.Meter.complete": Case(range, lambda many: agent.Meter(Same("")).complete(Ask("a", samples=tuple(many)))),
    "layouts.parse": Case(numbered, lambda text: layouts.parse(layouts.Numbered(), text), 600),  # Python keeps 512 patterns
    "prompts.read_exemplars": Case(lambda n: "Question: a\nThought 1: b\nAction 1: Finish[c]\n\n" * n, lambda text: prompts.read_exemplars(text, layouts.Numbered())),
    "prompts.ablate": Case(lambda n: prompts.Exemplar("Q", tuple(steps_of(n))), lambda one: [prompts.ablate(one, keep) for keep in prompts.KEEP.values()]),
    "prompts.render": Case(lambda n: prompts.Exemplar("Q", tuple(steps_of(n))), lambda one: prompts.render(one, layouts.Numbered())),
    "prompts.instruction": Case(lambda n: [types.Action("a", "b")] * n, lambda acts: prompts.instruction(acts, prompts.KEEP["react"], kinds.kind_of("multihop"))),
    "methods.majority": Case(lambda n: [f"answer {i}" for i in range(n)], methods.majority),
    "methods.majority_of": Case(lambda n: [f"answer {i}" for i in range(n)], lambda many: methods.majority_of(many, "multihop")),
    "methods.legs_of": Case(lambda n: [f"leg {i}" for i in range(n)], lambda legs: methods.legs_of("mine", legs)),
    "display.show": Case(steps_of, lambda steps: display.show(run_of(steps=steps, votes=tuple(f"v{i}" for i in range(len(steps)))))),
    "display.show of edits": Case(steps_of, lambda steps: display.show([run_of(steps=steps), edits.rethink(run_of(steps=steps), len(steps), "t"), edits.rethink(run_of(steps=steps), 1, "t")])),
    "forks.same_steps": Case(steps_of, lambda steps: forks.same_steps(run_of(steps=steps), run_of(steps=[*steps]))),
    "display.together": Case(lambda n: [display.note("a", "b")] * n, display.together),
    "score.frame": Case(voted, lambda many: (score.frame(many), score.frame(many, by="step"))),
    "score.frame of votes": Case(lambda n: run_of(votes=tuple(f"v{i}" for i in range(n)), task=Task("t", "multihop", "?", "Ab " * n)), score.frame),
    "score.accepted": Case(lambda n: run_of(answer="Ab " * n, task=Task("t", "multihop", "?", "Ulm", {"accepted": [f"w{i}" for i in range(n)]})), score.accepted),
    "score.table": Case(frame, score.table, 500),
    "reproduce.preview.preview_of": Case(lambda n: [run_of(seconds=float(i)) for i in range(n)], lambda many: preview.preview_of(many, {"multihop": 10}, ["react"], (1.0, 1.0), 1).words()),
    "score.over_prompts": Case(lambda n: frame(n).assign(prompts="ours 1+2", type="put"), score.over_prompts, 500),
    "world.household.subgoals.served": Case(walk, lambda steps: subgoals.served(KITCHEN, steps), 50),
    "plots.replayed.replay": Case(walked, lambda run: replayed.replay(run, kitchen_world), 10),
    "plots.houses.house": Case(walked, lambda run: plots.house(run, world=kitchen_world), 5),
    "plots.timelines.subgoals": Case(walked, lambda run: plots.subgoals(run, kitchen_world), 5),
    "plots.plan.in_rows": Case(lambda n: [f"k{i % (n // 2)} {i}" for i in range(n)], lambda names: house_plan.in_rows(names, 5), 1000),
    "plots.plan.wrapped": Case(lambda n: [f"mug {i}" for i in range(n)], lambda things: house_plan.wrapped(things, 2.0, 12), 100),
    "world.reader.oracle.answer": Case(steps_of, lambda steps: reader.answer(URANIBORG, steps, left=7), 50),
    "world.household.oracle.answer": Case(walk, lambda steps: player.answer(KITCHEN, steps), 50),
    "world.household.failures.account": Case(walk, lambda steps: failures.account(run_of(steps=steps, task=GAME)), 50),
    "world.shop.failures.account": Case(lambda n: (Step(None, "fly"), Step(None, "think[a lamp]")) * n, lambda steps: shop_failures.account(run_of(steps=steps, task=BUY)), 500),
    "label.shopping.rules_of": Case(lambda n: (Step(None, "fly", "Invalid action!"), Step("B000000001 costs 3.17", None, "OK.")) * n, lambda steps: list(label_shopping.rules_of(run_of(steps=steps, task=BUY), "failure")), 300),
    "label.shopping.ShopEvidence.pieces": Case(lambda n: (Step(None, "fly", "Invalid action!"), Step("B000000001 costs 3.17", None, "OK.")) * n, lambda steps: list(label_shopping.ShopEvidence(run_of(steps=steps, task=BUY)).pieces()), 1000),
    "score.to_csv": Case(frame, lambda df: score.to_csv(df, place(".csv")), 500),
    "models.exchange.events_in": Case(lambda n: [b"data: {}\n", b"\n"] * n + [b"data: "] * n, lambda sent: list(exchange.events_in(sent)), 500),
    "stats.bootstrap": Case(lambda n: [float(i % 2) for i in range(n)], lambda values: stats.bootstrap(values, draws=9)),
    "stats.paired": Case(frame, lambda df: stats.paired(df, "react", "cot-sc")),
    "store.runs.load": Case(lambda n: json.loads(json.dumps(store.dump(run_of(steps=steps_of(n))))), store.load),
    "store.runs.dump": Case(steps_of, lambda steps: store.dump(run_of(steps=steps))),
    "store.runs.digest": Case(steps_of, lambda steps: store.digest(run_of(steps=steps))),
    "store.runs.add": Case(runs, lambda many: store.add(place(), map(records.RUN.write, many))),
    "store.runs.open": Case(lambda n: file_of_rows(map(store.dump, runs(n))), lambda path: list(store.open(path))),
    "store.outlines.outlines": Case(lambda n: store.open(file_of_rows(map(store.dump, runs(n)))), lambda many: list(store.outlines(many))),
    "store.runs.Runs.survey": Case(lambda n: file_of("x\n" * n), lambda path: list(store.open(path).survey())),
    "store.index.valid": Case(lambda n: [index.Head(i, 1, f"r{i}", "error") for i in range(n)], index.valid),
    "store.transcripts.read_transcript": Case(episodes, store.read_transcript),
    "store.messages.steps_in": Case(conversation, lambda told: [*messages.steps_in(told)]),
    "store.exports.to_inspect": Case(runs, lambda many: store.to_inspect(place(), many)),
    "store.exports.to_dataset": Case(runs, lambda many: store.to_dataset(place(""), many)),
    "store.transcripts.read_transcript of thoughts": Case(transcript_of("Thought 1: a\n"), store.read_transcript),
    "store.transcripts.read_transcript of acts": Case(transcript_of("Thought 1: a\nAction 1: b\n"), store.read_transcript),
    "store.transcripts.read_transcript of cries": Case(transcript_of("ohh... a\n"), store.read_transcript),
    "store.transcripts.read_transcript of scores": Case(lambda n: file_of("{'steps'}\n \n" * n + "x"), quiet(store.read_transcript)),
    "lessons.today.sent_as": Case(lambda n: [run_of(i) for i in range(n)], lambda runs: today.sent_as("react-tools", runs)),
    "lessons.today.preview": Case(lambda n: [dataclasses.replace(run_of(i), tokens_in=9, tokens_out=i) for i in range(n)], lambda runs: today.preview(runs, 10_000, (1.0, 2.0))),
    "tables.in_table": Case(lambda n: file_of("question,answer\n" + "q,a\n" * n, ".csv"), lambda path: [*tables.in_table(path, ("question",))]),
    "tasks.read": Case(lambda n: file_of_rows({"question": f"q{i}", "answer": "a", "type": f"t{i}"} for i in range(n)), lambda path: tasks.read(path, n=10)),
    "envs.pages.Encyclopedia": Case(lambda n: [page(i) for i in range(n)], lambda rows: book_of(rows).search("Ulm Danube")),
    "envs.pages.read_pages": Case(lambda n: file_of_rows(page(i) for i in range(n)), pages.read_pages),
    "envs.pages.Encyclopedia.edited": Case(book, lambda many: many.edited({"a": "b"})),
    "envs.pages.Encyclopedia.search": Case(lambda n: book_of([*(page(i) for i in range(n)), {"title": "M", "options": [f"Page {i}" for i in range(n)]}]), lambda many: many.search("M")),
    "envs.shop.pages.item": Case(optional, lambda one: shop.LOOKS["rich"].show(shop_pages.item("a", one, {}).body), 1000),
    "envs.shop.search.Fts.fill": Case(lambda n: [(f"B{i}", "a lamp") for i in range(n)], lambda rows: shop_search.Fts().fill(rows), 2000),
    "envs.shop.catalogue.read_products": Case(lambda n: file_of_rows([{"asin": f"B{i}", "title": "a"} for i in range(n)]), lambda path: list(shop.read_products(path)), 1000),
    "envs.household.authored.problem_of": Case(full_house, lambda one: household.problem_of("pick_two_obj_and_place", one), HOUSE),
    "envs.household.authored.game_from": Case(full_house, lambda one: authored.game_from("pick_two_obj_and_place", "win.", one), HOUSE),
    "envs.household.game.game_of": Case(lambda n: household.problem_of("pick_two_obj_and_place", full_house(n)), lambda text: household_game.game_of(text, "win.", wording.PAPER), HOUSE),
    "envs.household.game.Game.won": Case(crowded, lambda pair: pair[0].won(pair[1]), HOUSE),
    "envs.household.goal.read_goal": Case(lambda n: [["and", *[["objecttype", f"?o{i}", "mugtype"] for i in range(n)]]], quiet(goal.read_goal), 1000),
    "envs.household.rules.intro": Case(house_of, household.intro, HOUSE),
    "envs.household.rules.acts": Case(crowded, lambda pair: household.acts(*pair), HOUSE),
    "envs.household.rules.do": Case(crowded, lambda pair: household.do(*pair, ("look",)), HOUSE),
    "envs.household.rules.play": Case(crowded, moved, HOUSE),
    "envs.household.world.HouseholdEnv.step": Case(house_of, lambda game: episode_in(game, ("go to shelf 1", "take mug 1 from shelf 1", "fly")), HOUSE),
    "envs.household.files.Lines.game": Case(house_files, games_in, 25),
    "envs.live.LiveWikipedia.search": Case(lambda n: wikipedia(found("a", "".join(f"<li><a>Page {i}</a></li>" for i in range(n)))), lambda live_: live_.search("T", k=10**9)),
    "envs.live.LiveWikipedia.search of nested items": Case(lambda n: wikipedia(found("a", "<li>" * n)), lambda live_: live_.search("T"), 1000),
    "models.answers.gathered": Case(streamed("words"), lambda events_: answers.gathered(events_, len), 500),
    "models.answers.gathered of think": Case(streamed("think"), lambda events_: answers.gathered(events_, len), 500),
    "models.answers.gathered of thinks": Case(streamed("thinks"), lambda events_: answers.gathered(events_, len), 500),
    "models.answers.gathered of ends": Case(streamed("thought ends"), lambda events_: answers.gathered(events_, len), 500),
    "models.answers.gathered of less": Case(streamed("less"), lambda events_: answers.gathered(events_, len), 500),
    "models.answers.gathered of spaces": Case(lambda n: chunks(["</think>", *[" "] * n]), lambda events_: answers.gathered(events_, len), 500),
    "models.answers.replies_in": Case(lambda n: answers.read(json.dumps({"choices": [{"index": i, "text": "a"} for i in range(n)]}).encode()), lambda one: answers.replies_in(one, {}, len(one.choices))),
    "models.answers.read": Case(lambda n: json.dumps({"choices": [{"text": "a"}] * n}).encode(), answers.read),
    "label.view.picture": Case(steps_of, lambda steps: view.picture(session.Session([run_of(steps=steps)], place(), "me")), 25),
    "label.games.rules_of": Case(game_steps, lambda steps: list(games.rules_of(game_of(steps), "failure"))),
    "label.view.picture of a game": Case(game_steps, lambda steps: view.run_in_sight(session.Session([game_of(steps)], place(), "me")), 25),
    "label.thoughts.origins": Case(steps_of, lambda steps: thoughts.origins(run_of(steps=steps)), 100),
    "label.thoughts.origins of a game": Case(game_steps, lambda steps: thoughts.origins(game_of(steps)), 400),
    "label.rules.suggest": Case(steps_of, lambda steps: rules.suggest(run_of(steps=steps, answer="no"), pages=small_book()), 50),
    "models.cache.Cached.complete": Case(reply_rows, lambda path: [quiet(cache.cached(None, path, "replay").complete)(Ask(f"{i}", leg="react")) for i in range(3)]),
    "models.cache.Cached.identity": Case(lambda n: (n, cache.cached(None, reply_rows(n), "replay")), lambda pair: [pair[1].identity("react") for _ in range(pair[0])]),
    "models.cache.Cached.identity of many": Case(lambda n: cache.cached(None, reply_rows(n, n), "replay"), lambda one: one.identity("react")),
    "models.cache.Recording.keep": Case(lambda n: n, kept),
    "models.thinking.Relay": Case(lambda n: ["<think>", *["a"] * n, "</thi", "nk>", *[" "] * n, *["b</"] * n], relayed, 500),
    "records.Record.read": Case(lambda n: records.RUN.write(run_of(steps=steps_of(n))), records.RUN.read),
    "records.shallow": Case(lambda n: [[]] * n, records.shallow),
    "records.wrong_reply": Case(lambda n: Reply("a", settings={"a": [[]] * n}), records.wrong_reply),
    "envs.meanings.Meanings.find_all": Case(lambda n: "<li><a>a" * n + "</li>" * n, lambda html: meanings.Meanings(html).find_all("li"), 1000),
    "envs.answers.Answers": Case(lambda n: file_of_rows(kept_answer({"a": i}) for i in range(n)), lambda path: wiki_answers.Answers(path, "w").look()),
    "envs.past.read": Case(lambda n: html_page("<p>a</p>" * n), past.read),
    "envs.past.read of meanings": Case(lambda n: html_page("<li><a>a" * n, several=True), past.read, 1000),
    "envs.past.read of a redirect": Case(lambda n: html_page('<ul class="redirectText">' + "<li>a" * n), past.read),
    "lessons.combining.combinations": Case(frame, lambda df: combining.combinations(df, draws=10).curve(), 50),
    "finetune.trainer.encode": Case(lambda n: lines.training_line(run_of(steps=steps_of(n)), "react"), lambda line: trainer.encode(line, Letters())),
    "models.script.scripted": Case(lambda n: [f"a{i}" for i in range(n)], lambda lines_: [model := script.scripted(lines_), *(model.complete(Ask("a")) for _ in lines_)]),
    "evaluation.plan.planned": Case(lambda n: [run.task for run in runs(n)], lambda many: plan.planned(["react", "cot-sc"], many, Same(""), 1, {})),
    "evaluation.files.ReplyLog.begin": Case(lambda n: reply_log(n), lambda pair: pair[0].begin(pair[1])),
    "label.events.Ledger": undos(lambda n: n, "last first"),
    "label.events.Ledger of one run": undos(lambda n: 1, "last first"),
    "label.events.Ledger of one run, first undone first": undos(lambda n: 1, "first first"),
    "label.events.Ledger, first undone first": undos(lambda n: n, "first first"),
    "label.events.Ledger.seen": Case(lambda n: events.Ledger([entry(i + 1, 0, "note", note="a") for i in range(n)]), lambda ledger: ledger.seen(("", "r0", "d0"))),
    "label.events.read": Case(lambda n: label_file(undone(n, n, "last first")), events.read),
    "label.events.LabelFile": Case(lambda n: label_file(undone(n, 1, "first first")), lambda path: events.LabelFile(path, "me")),
    "label.events.LabelFile.append": Case(lambda n: label_file(undone(n, 1, "first first")), lambda path: events.LabelFile(path, "me").append("undo", of=1), 100),
    "label.session.Session": Case(lambda n: (runs(n), label_file(undone(n, n, "last first"))), lambda pair: session.Session(pair[0], pair[1], "me"), 100),
    "label.session.Session.label": Case(session_of, pressing, 100),
    "label.session.Session.undo": Case(session_of, undoing, 50),
    "label.session.Session.filter": Case(session_of, lambda one: one.filter("question"), 100),
    "label.merging.merge": Case(lambda n: [label_file([entry(i + 1, i, by=by) for i in range(n)]) for by in ("a", "b")], lambda paths: (repr(merging.merge(paths)), merging.merge(paths).runs)),
    "label.merging.merge of many people": Case(lambda n: [label_file([entry(i + 1, i, by=f"p{i}") for i in range(n)])], lambda paths: repr(merging.merge(paths))),
    "label.merging.merge of copies": Case(lambda n: [label_file([entry(i + 1, i, by="a") for i in range(n)])] * 3, merging.merge),
    "label.merging.merge of turns": Case(lambda n: [label_file([entry(i + 1, i, by="ab"[i % 2]) for i in range(n)])], merging.merge, 500),
    "label.merging.merge of files": Case(lambda n: [label_file([entry(1, i)]) for i in range(n)], merging.merge, 50),
    "label.merging.disagreements": Case(by_run, merging.disagreements),
    "label.merging.settled": Case(by_run, lambda found: merging.settled(found, marks(len(found)))),
    "label.raters.agreement": Case(by_run, raters.agreement),
    "label.raters.agreement of 100 people": Case(many_people, raters.agreement, 100),
    "label.raters.alpha": Case(lambda n: [[f"l{i}" for i in range(n)]] * 2, raters.alpha),
    "label.raters.kappa": Case(lambda n: [f"l{i}" for i in range(n)], lambda labels: raters.kappa(labels, labels)),
    "label.raters.interval": Case(lambda n: [f"l{i % 6}" for i in range(n)], lambda labels: raters.interval(labels, labels)),
    "label.raters.confusion": Case(lambda n: [f"l{i % 6}" for i in range(n)], lambda labels: raters.confusion(labels, labels)),
    "label.results.shares": Case(marks, results.shares),
    "label.results.shares_of": Case(lambda n: [(f"m{i}", "l") for i in range(n)], results.shares_of),
    "label.results.first_wrong": Case(marks, results.first_wrong),
    "label.results.per_hour": Case(marks, results.per_hour),
    "label.results.frame": Case(marks, results.frame),
    "label.results.report": Case(marks, results.report),
    "label.results.export": Case(marks, lambda many: [results.export(many, place(suffix)) for suffix in results.WRITERS]),
    "label.sampling.sample": Case(runs, lambda many: sampling.sample(many, n=10**9)),
    "label.sampling.deal": Case(runs, lambda many: sampling.deal(many, [run.id for run in many], common=0), 1000),
    "label.shipped.matches": Case(lambda n: [f"l{i % 6}" for i in range(n)], lambda labels: shipped.matches(labels, labels)),
    "finetune.lines.training_lines": Case(runs, lambda many: lines.training_lines(many, "react")),
    "finetune.lines.training_line": Case(steps_of, lambda steps: lines.training_line(run_of(steps=steps), "react")),
    "finetune.lines.rows": Case(lambda n: lines.training_lines(runs(n), "react"), lambda many: list(lines.rows(many))),
    "finetune.lines.write_dataset": Case(lambda n: lines.training_lines(runs(n), "react"), lambda many: lines.write_dataset(many, place(""), "react")),
    "finetune.lines.write_openai": Case(lambda n: lines.training_lines(runs(n), "react"), lambda many: lines.write_openai(many, place(), "react")),
    "lessons.start.named_at": Case(steps_of, lambda steps: start.named_at(run_of(steps=steps, answer="x"))),
    "lessons.start.acts_of": Case(steps_of, lambda steps: start.acts_of(run_of(steps=steps))),
    "lessons.multihop.walk": Case(lambda n: [bool(i % 2) for i in range(n)], multihop.walk, 1000),
    "lessons.multihop.nearly": Case(runs, multihop.nearly),
    "lessons.compared.disputed": Case(voted, lambda many: compared.disputed(many, wrong="cot-sc")),
    "lessons.voting.by_agreement": Case(voted, voting.by_agreement),
    "lessons.voting.trust": Case(voted, voting.trust),
    "lessons.claims.speak_of_a_page": Case(runs, claims_lesson.speak_of_a_page),
    "lessons.claims.said": Case(frame, lambda df: claims_lesson.said(df, "react")),
    "lessons.claims.above_guessing": Case(frame, claims_lesson.above_guessing),
    "lessons.claims.by_label": Case(frame, claims_lesson.by_label),
    "lessons.household.how_far": Case(walk, lambda steps: household_lesson.how_far(played_game(steps))),
    "lessons.household.far": Case(walk, lambda steps: household_lesson.far([played_game(steps)])),
    "lessons.errors.beside": Case(marks, lambda many: errors.beside({"ours": many})),
    "lessons.errors.most": Case(lambda n: [mark(i, label="hallucination") for i in range(n)], lambda many: errors.most(many, "react")),
    "lessons.errors.for_reading": Case(runs, errors.for_reading),
    "lessons.errors.wall": Case(lambda n: dict.fromkeys(range(n), "a"), errors.wall),
    "teach.lesson.Lesson.check": Case(lambda n: [f"a{i}" for i in range(n)], lambda lines_: teach.Lesson("t", {"1": teach.Exercise("t", lambda answer: "no", "s")}).check("1", lines_)),
    "teach.exercises.cases": Case(lambda n: [((i,), i) for i in range(n)], lambda pairs: teach.cases(*pairs)(int)),
    "plots.rows.frame_of": Case(voted, plot_rows.frame_of),
    "plots.rows.graded": Case(frame, plot_rows.graded),
    "plots.rows.rates": Case(lambda n: plot_rows.graded(frame(n)), lambda df: plot_rows.rates(df, "method")),
    "plots.rows.about": Case(frame, lambda df: plot_rows.about(df, "prompted")),
    "plots.rows.in_kinds": Case(lambda n: frame(n).assign(kind=lambda df: [f"k{i}" for i in range(len(df))]), plot_rows.in_kinds, 25),
    "plots.rows.in_order": Case(lambda n: [f"m{i}" for i in range(n)], plot_rows.in_order),
    "plots.rows.by_wilson": Case(lambda n: [1.0] * n, plot_rows.by_wilson),
    "plots.backoff.by_samples": Case(frame, lambda df: plots.by_samples(df, draws=10), 50),
    "plots.backoff.combined": Case(frame, plots.combined, 50),
    "world.check.faults_of_pages": Case(book, lambda many: list(check.faults_of_pages(many))),
    "world.difficulty.named_in": Case(book, lambda many: difficulty.named_in("Page 1 and Page 2", many)),
}  # fmt: skip


# ---------------------------------------------------------------------- the measure


def least(do, given, tries=2):
    """Seconds of this thread: the least of some tries, for whatever else is going on costs more."""
    found = []
    for _ in range(tries):
        began = time.thread_time()
        do(given)
        found.append(time.thread_time() - began)
    return min(found)


def growth(do, make, n):
    """Seconds where they are out of proportion, else None.

    Twice the size must show it too: what reads a text in parts seems slow where it grows from one
    part to two, and a square is a square at every size.
    """
    return grown(do, make, n) and grown(do, make, 2 * n)


def grown(do, make, n):
    """Seconds for n and for 8 n where they are out of proportion, else None."""
    few = make(n)
    short = least(do, few)
    if short * TIMES * TIMES < FLOOR:
        return None
    many = make(TIMES * n)
    for tries in (1, 2, 4):  # what seems slow is measured again
        long = least(do, many, tries)
        if long < FLOOR or long < MOST * short:
            return None
        short = (
            max(short, least(do, few, tries)) if tries == 4 else min(short, least(do, few, tries))
        )
    return short, long


# ---------------------------------------------------------------------- nothing is forgotten

CLOSED = {  # a property, a key of the table of methods, a method that takes no text
    "label.session.Session.label", "label.session.Session.undo", "models.cache.Cached.identity", "store.runs.Runs.survey",
    "plots.rows.task_word",
}  # fmt: skip
NEITHER = re.compile(
    r"(int|float|bool|None|Path|set\[str\]|frozenset\[Part\])( \| (None|int|float))*"
)
CHOSEN = {
    "leg",
    "kind",
    "mode",
    "by",
    "split",
    "way",
    "world",
    "model",
    "setting",
    "adapter",
}  # names of ours
BEYOND = (
    "react_lab.authoring",
    "react_lab.__main__",
    "react_lab.commands",
    "react_lab.finetune.adapter",
)


def public():
    """The public functions, and the public methods of public classes, that take text or records."""
    for module in pkgutil.walk_packages(react_lab.__path__, "react_lab."):
        if module.name.startswith(BEYOND):
            continue
        room = importlib.import_module(module.name)
        for name in getattr(room, "__all__", ()):
            of = getattr(room, name)
            if getattr(of, "__module__", "") == room.__name__:
                yield from (
                    f"{module.name}.{k}".removeprefix("react_lab.") for k in of_name(name, of)
                )


def of_name(name, of):
    if inspect.isclass(of) and not getattr(of, "_is_protocol", False):
        inside = {
            k: f
            for k, f in vars(of).items()
            if k in ("__init__", "__call__") or not k.startswith("_")
        }
        for k, method in inside.items():
            if (
                inspect.isfunction(method)
                and method.__code__.co_filename != "<string>"
                and takes(method)
            ):
                yield name if k.startswith("__") else f"{name}.{k}"
    elif callable(of) and takes(inspect.unwrap(of)):
        yield name


def takes(function):
    """Does it take text or records? A number, a path or one of our own names is neither."""
    given = inspect.signature(function).parameters.values()
    return any(
        p.annotation is not p.empty
        and p.name not in CHOSEN
        and not NEITHER.fullmatch(str(p.annotation))
        for p in given
    )


BESIDE = {
    "libzim does it: measured by tests/benchmarks/zim.py": "envs.archive.* world.export.*",
    "it is a part of read_transcript, which is measured": "store.messages.* store.printed.* store.strangers.*",  # why they are not in a table: what is meant
    "it hands texts and records on to what is measured: agent.play, models, records, the files": """
        agent.Meter.bill agent.episode agent.steps decoding.answer decoding.Decoder.* decoding.Decoding.* lessons.decoded.* asked.* chat.chat_prompt chat.in_turn chat.transcript_of
        chat.ChatTranscript.* calls.Form.* calls.form_of calls.schemas models.heard.* models.called.*
        envs.tools.Tools* envs.tools.ToolsEnv envs.tools.ToolsEnv.reset envs.tools.ToolsEnv.invalid authors.* downloads.*
        published.fetch published.fields_of reproduce.job.* reproduce.preview.Preview.* reproduce.preview.Group.means
        reproduce.report.* reproduce.terminal.* lab.* evaluation.* widgets.* finetune.terminal.* finetune.training.*
        finetune.trainer.Trainer* finetune.trainer.load languages.speech.speak languages.speech.words_of
        models.compatible.Compatible.complete models.compatible.openai models.llama.* models.child.* models.serve.serve models.classroom.* models.turns.*
        models.cache.Cached models.cache.Recording.reply models.script.Scripted*
        models.faults.Fault.refused models.faults.fault_of models.thinking.Relay.said models.asking.effective
        models.exchange.client_of models.exchange.events_of models.exchange.posted models.wire.* models.limits.* models.packed.*
        label.evidence.Evidence label.evidence.Evidence.* label.games.GameEvidence label.games.GameEvidence.*
        label.view.run_in_sight streams.*
        files.lock files.mend files.owned files.ready files.torn_words files.whole
        envs.household.alfworld.* envs.household.files.* envs.household.pddl.Problem.* envs.household.game.Game.listed
        envs.household.game.Game.ready envs.household.release.fetch envs.household.world.Household
        envs.household.world.Household.game envs.household.world.HouseholdEnv envs.household.world.HouseholdEnv.note*
        envs.household.world.HouseholdEnv.reset envs.household.world.HouseholdEnv.view_of
        envs.household.world.alfworlds envs.household.world.sources
        envs.shop.catalogue.Memory* envs.shop.catalogue.Stored.* envs.shop.catalogue.catalogue envs.shop.catalogue.store
        envs.shop.goals.goal_of envs.shop.search.Fts envs.shop.search.Fts.search envs.shop.search.Tantivy*
        envs.shop.looks.*.parts envs.shop.looks.*.show envs.shop.looks.Notebook.shown envs.shop.looks.Notebook.read_line
        envs.shop.looks.Rich.shown envs.shop.pages.results envs.shop.pages.search envs.shop.pages.sub envs.shop.reasons.why_not
        envs.shop.world.Shop envs.shop.world.ShopEnv envs.shop.world.ShopEnv.buttons envs.shop.world.ShopEnv.choose
        envs.shop.world.ShopEnv.click envs.shop.world.ShopEnv.known envs.shop.world.ShopEnv.locked envs.shop.world.ShopEnv.move
        envs.shop.world.ShopEnv.reset envs.shop.world.ShopEnv.searched
        languages.language_named languages.language.Language.* languages.language.cut_of languages.language.key_of site.live.* layouts.Numbered.heading envs.pages.bundled
        envs.answers.Answers.* envs.client.Client* shop_site.* envs.pages.Encyclopedia.match envs.wiki.WikiEnv.reset envs.wiki.WikiEnv.usages records.Record records.Record.checked
        store.runs.Runs store.runs.Runs.read transcript.TextTranscript.* transcript.mark_cut
        label.events.LabelFile.take label.events.Ledger.add label.events.Ledger.move label.events.Ledger.labelled
        label.session.Session.add label.session.Session.fits label.session.Session.move_to label.session.Session.say
        label.session.Session.turn
        lessons.ageing.*
        lessons.errors.Labelled.doubted lessons.errors.Labelled.without lessons.readers.* lessons.errors.files lessons.errors.gold_file
        lessons.errors.labelled lessons.errors.suggested lessons.errors.worth
        lessons.baselines.beside_paper lessons.baselines.within lessons.baselines.won lessons.household.for_labels lessons.household.mended
        lessons.household.played lessons.household.ready lessons.household.stuck
        lessons.purchases.counted lessons.purchases.earned lessons.purchases.lost lessons.purchases.of lessons.purchases.same
        lessons.purchases.shopped lessons.purchases.who lessons.purchases.why lessons.shop.bridge_at lessons.shop.for_labels
        lessons.shop.mended lessons.shop.most_lost lessons.shop.played lessons.shop.ready lessons.shop.whose
        lessons.shoppers.beside_paper lessons.shoppers.gaps lessons.shoppers.on_the_same lessons.shoppers.people
        lessons.shoppers.rewards lessons.shoppers.table_row
        lessons.household.whose lessons.household.without lessons.sparse.prompt_shown lessons.sparse.state_of
        lessons.sparse.taken_at lessons.sparse.thoughts_for lessons.sparse.told lessons.sparse.tried
        world.household.gold.taken_over world.household.oracle.Oracle* world.household.oracle.play
        world.household.belief.Belief.* world.household.player.Player.* world.household.thoughts.*
        world.playing.* world.shop.gold.taken_over world.shop.oracle.Oracle* world.shop.oracle.play world.shop.belief.*
        world.shop.shopper.* world.shop.thoughts.*
        world.household.failures.why_lost world.household.failures.causes world.household.programs.* finetune.table3.*
        world.shop.failures.causes world.shop.failures.has_button label.shopping.ShopEvidence
        """,
    "display.show measures it, of up to 12 runs": "blocks.* columns.* parts.* forks.families lessons.start.shown",
    "it draws a picture or a table from rows that plots.rows makes": """
        plots.tables.* plots.curves.* plots.costs.* plots.compared.* plots.outcomes.* plots.forest.* plots.looks.*
        plots.by_type.* plots.shopping.* plots.lost.* plots.trials.* plots.picture.Picture.* plots.picture.bare plots.picture.put plots.picture.canvas plots.picture.decimals plots.picture.few_colours plots.picture.written
        plots.backoff.Rule.sure plots.backoff.limited plots.rows.beside plots.rows.caution plots.rows.in_setting plots.rows.in_sources
        plots.rows.one_model plots.rows.one_setting plots.rows.source_names plots.rows.table_of
        lessons.claims.draw_said lessons.compared.kept lessons.compared.left lessons.compared.small lessons.compared.table_of
        lessons.multihop.by_type lessons.multihop.highest lessons.multihop.settling
        lessons.errors.failures lessons.errors.first_wrong lessons.voting.vote_chart lessons.back_off.*
        lessons.combining.Combinations.* lessons.sparse.strips
        lessons.combining.Combinations.* plots.floor.* plots.houses.House.* plots.houses.lines_of plots.plan.Plan.way
        plots.plan.halves plots.plan.plan_of plots.plan.text_width plots.plan.thing_kind plots.replayed.one_run
        plots.replayed.several world.household.subgoals.subgoals_of
        """,
    "it takes a name, an address or words that we or the user wrote": """
        data.folder data.resolve kinds.* label.view.fixed lessons.*.task lessons.question lessons.compared.runs
        lessons.today.request lessons.today.instruction lessons.today.read_back lessons.today.schema lessons.today.called lessons.tuning.marked
        lessons.household.cases lessons.shop.goal lessons.shop.sale lessons.shop.sale_shown
        lessons.purchases.sold lessons.shoppers.simple world.shop.programs.*
        lessons.household.game lessons.sparse.exemplars lessons.sparse.shares lessons.sparse.short_name lessons.sparse.twins
        lessons.baselines.best_columns lessons.baselines.by_chance lessons.baselines.in_listed_order
        lessons.start.lesson lessons.words.* methods.Method methods.method_named methods.name_of methods.stays
        address.is_local models.keys.address models.keys.key_in models.keys.key_asked models.keys.key_checked models.weights.fetch paper.notes prompts.layout_for stats.interval tasks.load
        teach.lesson.Lesson teach.lesson.Lesson.exercise teach.lesson.Lesson.find teach.lesson.Lesson.he* teach.lesson.Lesson.hint*
        teach.lesson.Lesson.predict teach.lesson.Lesson.quiz teach.lesson.Lesson.report teach.lesson.Lesson.s* teach.lesson.Lesson.ta*
        teach.lesson.Lesson.note teach.asking.* teach.controls.* teach.answers.* teach.reports.* teach.grading.collect world.wording.* world.check.* world.natural.* world.difficulty.table
        """,
    "the oracle looks for facts of ours on pages of ours": """
        world.oracle.Hop.* world.oracle.Oracle.* world.gold.* world.reader.names.* world.reader.oracle.* world.reader.reading.*
        world.reader.thoughts.* world.reader.words.* world.reader.by_hand.* world.reader.needs.*
        """,
    "it makes games of ours, and finds the way through them": """
        world.shop.wishes.option_of
        world.household.games.* world.household.search.* world.household.places.* world.household.belief.kind_of
        world.shop.goals.* world.shop.chatty.* world.shop.prose.* world.shop.titles.*
        world.household.belief.number
        """,
    "it seeds the drawing of a price": "envs.shop.goals.price_bound",
    "it makes pages of notebooks and recorded runs of ours, once": "site.*",
}


def measured():
    return {re.split(" of |,", name)[0] for name in (*TEXT, *RECORDS)}


def named(name, patterns):
    return any(fnmatch(name, pattern) for pattern in patterns.split())


def test_no_public_function_is_forgotten():
    there = set(public())
    assert not (gone := measured() - there - CLOSED), (
        f"measured here, and not public: {sorted(gone)}"
    )
    left = {
        name for name in there - measured() if not any(named(name, of) for of in BESIDE.values())
    }
    assert not left, f"takes text or records, and its growth is not measured: {sorted(left)}"
    stale = [
        p
        for of in BESIDE.values()
        for p in of.split()
        if not any(fnmatch(n, p) for n in there - measured())
    ]
    assert not stale, f"beside the tables stands what is measured or not there: {stale}"


# ---------------------------------------------------------------------- the tests

ALWAYS = (
    "less", "tags", "think", "two accents", "guillemets", "mixed quotes", "spaces", "numbered words", "thoughts",
    "round", "sentences", "acts",
)  # fmt: skip


def chosen(name):
    """The texts that hurt most, and a quarter of the others, each reader another one."""
    others = [text for text in PIECES if text not in ALWAYS]
    return (*ALWAYS, *others[list(TEXT).index(name) % 4 :: 4])


def slow_texts(name, texts, small=SMALL):
    do = quiet(TEXT[name])
    found = {of: growth(do, functools.partial(text, of), small) for of in texts}
    return {of: seconds for of, seconds in found.items() if seconds}


def said(seconds):
    return "; ".join(
        f"{of}: {a:.4f} s, of {TIMES} times as much {b:.4f} s" for of, (a, b) in seconds.items()
    )


@pytest.fixture(autouse=True)
def any_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.long
@pytest.mark.parametrize("name", TEXT)
def test_what_reads_a_text_grows_in_proportion(name):
    if name not in REFUSE:
        TEXT[name](text("words", 60))
    assert not (slow := slow_texts(name, chosen(name))), said(slow)


@pytest.mark.long
@pytest.mark.parametrize("name", RECORDS)
def test_what_reads_records_grows_in_proportion(name):
    case = RECORDS[name]
    slow = growth(case.do, case.make, case.n)
    assert slow is None, said({name: slow})


def test_a_square_is_seen_and_a_line_is_not():
    """The measure itself: over n items, and over all pairs of them."""
    assert growth(lambda n: sum(range(n)), lambda n: 20 * n, SMALL) is None
    assert growth(lambda n: [sum(range(n)) for _ in range(n)], lambda n: n, 400) is not None


# ---------------------------------------------------------------------- what is bounded, and what stays


def test_a_search_that_is_too_long_is_not_made_and_says_so():
    env = wiki.WikiEnv(small_book())
    for act in ("Search", "Lookup"):
        seen = env.step(f"{act}[{'ab ' * 1_000}]")
        assert seen.why == "longer than 2000 characters" and len(seen.text) < 500
    assert env.step(f"Finish[{'ab ' * 1_000}]").done  # an answer may be long
    assert env.step(f"Search[{'ulm ' * 499}]").why == "no such page"


def test_more_annotators_labels_or_samples_than_can_be_compared_are_named():
    with pytest.raises(ValueError, match="201 annotators: 200 at most"):
        raters.agreement({("r", "d"): {f"p{i}": mark(1, f"p{i}") for i in range(201)}})
    many = [f"l{i}" for i in range(51)]
    for compare in (raters.interval, raters.confusion):
        with pytest.raises(ValueError, match="51 different labels: 50 at most"):
            compare(many, many)
    long = [run_of(), run_of(method="cot-sc", votes=("Ulm",) * 201)]
    with pytest.raises(ValueError, match="201 votes: 200 at most"):
        plots.by_samples(long)


@given(
    st.lists(
        st.sampled_from(["<think>", "</think>", " ", "\n", "a", "<", "<th", "ink>", "</", "think>"])
    )
)
def test_a_streamed_answer_is_the_one_of_the_whole_text(pieces):
    heard, whole = [], "".join(pieces)
    relay = thinking.Relay(heard.append)
    for piece in pieces:
        relay(piece)
    relay("", last=True)
    opened = "<think>" in whole.partition("</think>")[0] or "</think>" not in whole
    answer = thinking.apart(whole)[0]
    assert "".join(heard) == answer if opened else "".join(heard).endswith(answer)


@given(st.text(alphabet="ab.\n “”'«»\ud800", max_size=300), st.integers(5, 50))
def test_the_parts_of_a_page_are_the_page(page, most):
    parts = list(wiki.parts(page, most))
    assert "".join(parts) == page.replace("\ud800", "?") and all(
        len(part) <= most for part in parts
    )


def test_a_page_of_several_parts_has_the_sentences_of_its_paragraphs():
    paragraph = "It is a town. It lies on the Danube (a river). Dr. Ab lived there."
    once = wiki.sentences(paragraph)
    assert wiki.sentences("\n\n".join([paragraph] * 500)) == once * 500


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["label", "undo", "redo"]), st.integers(0, 2), st.integers(1, 12)
        ),
        max_size=12,
    )
)
def test_a_ledger_says_what_the_events_that_were_not_undone_say(told):
    done = []
    many = [events.Entry(seq, "me", event, of=of) if event != "label" else entry(seq, run, note=str(seq))
            for seq, (event, run, of) in enumerate(told, 1)]  # fmt: skip
    undone = []
    for one in many:
        if one.event == "label":
            done.append(one.seq)
            undone.clear()
        for event, source, target in (("undo", done, undone), ("redo", undone, done)):
            if one.event == event and one.of in source:
                source.remove(one.of)
                target.append(one.of)
                break
    ledger = events.Ledger(many)
    left = events.Ledger(one for one in many if one.seq in done)
    assert (
        ledger.marks == left.marks and list(ledger.done) == done and list(ledger.undone) == undone
    )
