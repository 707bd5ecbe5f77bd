"""What reads text from outside works in proportion to it, however nasty or long it is.

Each door is measured at n and at 8 n: 8 times as much is in proportion, 64 times a square, 24 is
where we draw the line. Counted are the lines of Python that run: the same on every machine. What C
does in one line (a regular expression, a copy) no count of ours sees: that takes seconds, of longer
texts, in faults/test_large.py. A new door gets a row in `TEXT`, and one in `RECORDS` if it reads
lines.
"""

import json
import sys
import tempfile
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import household_houses
import pytest
import shop_small

import react_lab as rl
from react_lab import layouts, prompts, repairs
from react_lab.models import answers, class_server, faults
from react_lab.teach import reports
from react_lab.types import Ask, Reply, Step, Task, Trajectory

pytestmark = pytest.mark.filterwarnings("ignore")
SMALL, TIMES, MOST = 500, 8, 24  # characters; how much more; how much more work that may be
FOLDER = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
PIECES = {  # the first 14 hurt most: they are tried on every door, of the others every fourth
    "less": "<", "tags": "<a", "items": "<li>", "think": "<think>", "guillemets": "«", "mixed quotes": "(\"'", "spaces": " ",
    "sentences": "Ab cd. ", "thoughts": "Thought 1: ", "acts": "Action 1: Search[", "round": "(", "square": "[",
    "two accents": "\u0301\u0316", "numbered words": "w# ", "words": "ab ", "word": "a", "lines": "\n", "dots": ".",
    "questions": "? ", "digits": "1", "entities": "&lt;", "ampersands": "&#1", "closed": "]", "rounds": ") (", "braces": "{",
    "quotes": '"', "apostrophes": "'", "backslashes": "\\", "fences": "```\n", "commas": ",", "names": "Ab of the ",
    "act lines": "\nAction 1:", "observations": "\nObservation 1", "next tasks": "\nQuestion: ", "joiners": "a\u200d",
    "pairs": "Thought 1: a\nAction 1: Search[b]\n", "thinks": "<think>a</think> ", "ends": "</think>", "nulls": "\x00",
    "acts in Chinese": "行动 1：搜索［", "Chinese": "长。“《（", "escapes": "\x1b[31m", "surrogates": "\ud800",
}  # fmt: skip


def lines(piece, n):
    return "".join(piece.replace("#", str(i)) for i in range(1, n + 1))  # its # are numbered


def text(name, n):
    return lines(PIECES[name], n // len(PIECES[name]) + 1)[:n]


def quiet(do):
    def done(*given):  # what it raises for a nasty text is for other tests
        with suppress(Exception):
            return do(*given)

    return done


def file_of(content, suffix=".jsonl"):
    path = Path(tempfile.mkdtemp(dir=FOLDER.name), f"a{suffix}")  # alone in its folder
    path.write_text(content, encoding="utf-8", errors="backslashreplace", newline="\n")
    return path


def run_with(text, kind="multihop"):
    steps = Step(text, f"Lookup[{text}]", text, raw=text), Step(None, text, text), Step(text)
    task, told = Task("t", kind, text, "Ulm", {"accepted": [text]}), {"error": text}
    return Trajectory("r#", task, "react", "m", {}, steps, text, None, "finished", **told)


def asked(method, question, *replies):
    task, model = rl.tasks.question(question), rl.models.scripted([*replies, *replies])
    return rl.run(method, task, model, world=wiki("It is a town."), max_steps=len(replies))


def acted(env, *acts):
    return env.reset(Task("t", "multihop", "?")), [env.step(act) for act in acts]


def said(text):
    calls = [{"function": {"name": name, "arguments": text}} for name in ("Search", text)]
    return {"role": "assistant", "content": text, "reasoning_content": text, "tool_calls": calls}


def wiki(text):
    return rl.envs.Wiki(rl.envs.read_pages([("Ulm", text)]))


def live_wiki(extract, html="", **more):
    """It says so of a page, or of a list of meanings, and of a search: no network."""
    page = {"title": "T", "pageid": 1, "lastrevid": 1, "extract": extract, "fullurl": "u"}
    page["revisions"] = [{"revid": 1, "timestamp": "then", "*": html}]
    page |= {"pageprops": {"disambiguation": ""}} if html else {}
    told = {"query": {"pages": {"1": page}, "search": [{"title": extract}]}}
    old = {"parse": {"title": "T", "text": {"*": html}, "properties": []}}
    live, site = rl.envs.LiveWikipedia("me@example.org", **more), {"site": "w", "url": "u"}
    live._client = SimpleNamespace(ask=lambda asked: old if "action" in asked else told, **site)
    return live


def zim_page(html):
    archive = rl.envs.zim.__globals__["Archive"]
    pages = SimpleNamespace(page=lambda _: html, paths=lambda *_: (), reading=nullcontext)
    return archive.get(pages, "T"), archive.search(pages, html)


def household(file, *acts):
    return acted(rl.envs.household.HouseholdEnv(rl.envs.household.read_game(file)), *acts)


def shop(text):
    lamp = shop_small.product(description=text, bullets=(text,), options={"color": (text, "blue")})
    world = rl.envs.Shop(shop_small.written(file_of(""), [lamp]))
    return world(shop_small.task(text, options=["blue"]))


CHINESE = layouts.Numbered(language="zh")
LAYOUTS = layouts.Numbered(), CHINESE, layouts.Game(), layouts.Shop(), layouts.Plain()
GAME, BODY = household_houses.game_file(), '{"choices": [{"message": %s, "finish_reason": "stop"}]}'
LABEL = '{"seq": #, "by": "me", "event": "label", "id": "r#", "digest": "d", "label": "hallucination"}\n'
REPORT = '{"lesson": "1", "by": "A", "predictions": [], "quiz": [], "exercises": [{"number": "1", "passed": true, "tries": 1, "hints": 0, "given": %s}]}'
SCORES = "{'steps': 1, 'answer': 'REFUTES', 'gt_answer': 'REFUTES', 'em': 1}\n"
TEXT = {
    "a reply": lambda text: [(of.read(text, 1), of.read_act(text, 1), of.show(Step(text, text, text), 1)) for of in LAYOUTS] + [repairs.tidy(text), repairs.forges(text)],
    "a transcript": lambda text: [layouts.parse(of, text) for of in LAYOUTS],
    "a run": lambda text: [asked(method, text, text, text, Reply(text, reasoning=text)) for method in ("react", "cot", "react-chat")],
    "calls of tools": lambda text: asked("react-tools", text, *(Reply(text, tool_calls=(call,)) for call in said(text)["tool_calls"])),
    "a server's answer": lambda text: [quiet(answers.read)(text.encode("utf-8", "replace")), answers.replies_in(answers.read((BODY % json.dumps(said(text))).encode()), {}, 1)],
    "a server's stream": lambda text: answers.gathered([(BODY % json.dumps(said(text))).encode()] * 2, answers.Relay(len)),
    "a server's error": lambda text: faults.halt(faults.fault_of(400, {}, json.dumps({"error": {"message": text, "code": text}}).encode()), 1, url="", name="", key_env=""),
    "a class's request": lambda text: [quiet(class_server.request_in)(one.encode("utf-8", "replace"), class_server.Asked) for one in (text, json.dumps({"prompt": text}))] + [class_server.GRAMMAR.fullmatch(text)],
    "exemplars": lambda text: [prompts.read_exemplars(text, layout) for layout in LAYOUTS],
    "tasks": lambda text: [quiet(rl.tasks.read)(file_of(*one)) for one in ((text, ".csv"), (f"question\n{text}", ".tsv"), (text, ".json"), (json.dumps({"question": text}),))],
    "pages": lambda text: [quiet(rl.envs.read_pages)(file_of(*one)) for one in ((text,), (text, ".csv"), (f"title,text\n{text}", ".csv"), (json.dumps({"title": text, "text": text}),))],
    "a folder of pages": lambda text: rl.envs.read_pages(file_of(f"# T\n{text}", ".md").parent).search(text),
    "a live wiki": lambda text: [live_wiki(text).get("T"), live_wiki("a", text).search("T", 10**9), live_wiki(text).search(text), live_wiki("a", text, as_of="2022-10-01").get("T")],
    "a page of a ZIM file": lambda text: [zim_page(text), zim_page(f'<div class="disambigbox">{text}')],
    "Search and Lookup": lambda text: acted(wiki(text)(Task("", "multihop", text)), "Search[Ulm]", text, f"Search[{text}]", f"Lookup[{text}]", "Lookup[a]", f"Finish[{text}]"),
    "tools": lambda text: acted(rl.envs.Tools()(Task("", "tools", text)), text, f"Calculate[{text}]", f"Convert[2, {text}, {text}]", f"Weather[{text}]"),
    "a household": lambda text: household(GAME, text, f"think: {text}", f"go to {text}", f"put {text} in/on {text}"),
    "a household's file": lambda text: [quiet(household)(GAME | {part: GAME[part] + text}) for part in ("grammar", "pddl_domain", "pddl_problem")],
    "a shop": lambda text: acted(shop(text), text, f"search[{text}]", "search[lamp]", f"click[{text}]", "click[B000000001]", f"click[{text}]", "click[Description]", "click[< Prev]", "click[Buy Now]"),
    "a shop's file": lambda text: quiet(list)(rl.envs.shop.read_products(file_of(text))),
    "a file of runs": lambda text: [list(rl.store.open(rl.store.append(file_of(""), run_with(text)))), *(quiet(do)(rl.store.open(file_of(text))) for do in (list, rl.frame))],
    "runs of other tools": lambda text: [quiet(rl.store.read_transcript)(file_of(one, end), kind) for kind, end, one in (
        ("openai", ".json", json.dumps([{"role": "user", "content": text}, said(text)])), ("authors-fever", ".txt", f"1 Claim: a\n{text}\n{SCORES}"),
        ("authors-hotpotqa", ".txt", f"1 Question: {text}\n{text}\n{SCORES}"), ("authors-webshop", ".txt", f"{'-' * 17}\n0\nAction: reset\nInstruction: {text}\n{text}\n1 0 0 0\n"),
        ("authors-alfworld", ".txt", f"a\nYour task is to: b\nAct 1: {text}\n1 r 0 rs [\n--\n{text}"))],
    "a run shown": lambda text: str(rl.show(run_with(text))),
    "a run labelled": lambda text: [rl.label.suggest(run_with(text, kind), pages=wiki("A town.").pages) for kind in ("multihop", "household", "shop")],
    "labels": lambda text: [quiet(do)(file_of(one)) for do in (rl.label.read, rl.label.merge) for one in (f"{text}\n", json.dumps({"seq": 1, "by": text, "event": "note", "id": "r", "digest": "d", "note": text}) + "\n")],
    "scores": lambda text: [rl.score.exact_match(text, text), rl.score.f1(text, text), rl.score.f1(text, text, "zh"), *map(rl.frame, [run_with(text)] * 2, ("run", "step"))],
    "a student's report": lambda text: [reports.collect(file_of(one, ".json").parent) for one in (text, REPORT % json.dumps(text))],
    "recorded replies": lambda text: quiet(rl.models.cached(None, file_of(f"{text}\n"), "replay").complete)(Ask(text, leg="react")),
    "a training line": lambda text: rl.finetune.training_line(run_with(text), "react"),
}  # fmt: skip

RECORDS = {  # what reads them, what makes so many, and how many
    **{f"{door}, many": (TEXT[door], partial(lines, piece), n) for door, piece, n in (
        ("a transcript", "Thought #: a\nAction #: Search[b]\nObservation #: c\n", 600), ("exemplars", "Question: a\nThought 1: b\nAction 1: Finish[c]\n\n", 120),
        ("a live wiki", "<li><a>Page #</a></li>", 120), ("tasks", "q#\n", 120), ("labels", LABEL, 120), ("runs of other tools", "Thought #: a\nAction #: b\n", 120),
        ("pages", '{"title": "Page #", "aliases": ["P#"], "text": "It is a town."}\n', 120), ("a shop's file", '{"asin": "B#", "title": "a"}\n', 1000),
        ("recorded replies", '{"about": "a#", "name": "m", "identity": "m", "tuned": false, "leg": "react", "head": ""}\n{"about": "a#", "key": "k#", "sample": 0, "reply": {"text": "x"}}\n', 120),
        ("a file of runs", json.dumps(rl.store.dump(run_with("a"))) + "\n", 120))},
    **{f"a stream of {name}": (lambda events: answers.gathered(events, answers.Relay(len)), lambda n, piece=PIECES[name]: [(BODY % json.dumps({"content": piece})).encode()] * n, 500) for name in ("words", "less", "think", "thinks", "ends")},
    "a run of many replies": (lambda many: asked("react", "Who?", *many), lambda n: [f" a{i}\nAction {i}: Search[e{i}]" for i in range(1, n + 1)], 25),
    "a run of many steps": (lambda row: [str(rl.show(rl.store.load(row))), rl.frame(rl.store.load(row), "step"), rl.label.suggest(rl.store.load(row), pages=wiki("A town.").pages)],
                            lambda n: rl.store.dump(run_with("no")) | {"steps": [{"thought": f"Ab{i} cd.", "action": f"Search[e{i}]", "observation": f"Page{i} says Cd{i}."} for i in range(n)]}, 50),
    "a run of many steps labelled": (lambda run: rl.Labeller([run, run], file_of(""), by="me").label("label ambiguity"),
                                     lambda n: Trajectory("r", Task("t", "multihop", "?", "Ulm"), "react", "m", steps=tuple(Step(f"I saw shelf {i}.", "look", f"A mug stands on shelf {i}. " * 12) for i in range(n))), 50),
    "many rooms": (lambda game: household(game, "go to shelf 1", "take mug 1 from shelf 1", "look"), lambda n: household_houses.game_file(receptacles={f"shelf {i}": (f"mug {i}",) for i in range(1, n)}, spots=(), inside={}), 60),
    "labels undone": (lambda path: rl.label.LabelFile(path, "me").ledger.marks, lambda n: file_of(lines(LABEL.replace("r#", "r"), n) + lines(f'{{"seq": {n}#, "by": "me", "event": "undo", "of": #}}\n', n)), 500),
}  # fmt: skip


def lines_run(do, given):
    """How many lines of Python ran, each round of a loop counted."""
    ran = 0

    def count(frame, event, _):
        nonlocal ran
        ran += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        do(given)
    finally:
        sys.settrace(before)
    return ran


def growth(do, make, n, cost=lines_run, floor=20_000):
    """The work for n and for 8 n where they are out of proportion, else None; below the floor it is
    none, however it grew. Twice the size must show it too: what reads a text in parts seems slow
    where it grows from one part to two.
    """
    do(make(n - 1))  # imports, and what is kept
    for size in (n, 2 * n):
        few = cost(do, make(size))
        if few * TIMES * TIMES < floor:
            return None
        many = cost(do, make(TIMES * size))
        if many < floor or many < MOST * few:
            return None
    return few, many


@pytest.mark.parametrize("name", TEXT)
def test_what_reads_a_text_grows_in_proportion(name):
    TEXT[name](text("words", 60))  # it does read
    do, rest = quiet(TEXT[name]), [*PIECES][14 + [*TEXT].index(name) % 4 :: 4]
    assert not [of for of in [*PIECES][:14] + rest if growth(do, partial(text, of), SMALL)]


@pytest.mark.parametrize("name", RECORDS)
def test_what_reads_records_grows_in_proportion(name):
    do, make, n = RECORDS[name]
    assert growth(do, make, n // 4) is None
