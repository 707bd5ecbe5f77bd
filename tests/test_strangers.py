"""Runs of other tools, in and out: what can be read is read, the rest is named."""

import json
import warnings
import zipfile
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import react_lab as rl
from react_lab.store import read_transcript, to_dataset, to_inspect
from react_lab.types import Step, Task, Trajectory

HOTPOT = """
17 Question: Where does the Danube end?
Thought 1: I search the Danube.
Action 1: Search[Danube]
Observation 1: The Danube is a river.

Thought 2: It is the Black Sea.
Action 2: Finish[Black Sea]
Observation 2: Episode finished, reward = 1


{'steps': 2, 'answer': 'Black Sea', 'gt_answer': 'the Black Sea', 'question_idx': 17, 'em': True, 'reward': True, 'f1': 1.0, 'n_calls': 2, 'traj': "17 Question: x"}@

1 1 1.0 4.0
-----------
""".replace("@", " ")
GAMES = """pick_and_place_simple-Mug-None-Desk-308/trial_T2
pick_and_place put
You are in a room. You see a desk 1.
Your task is to: put a mug in desk.
Act 1: think: A mug may be on the desk.
Obs 1: OK.
Act 2: fly to desk 1
Obs 2: Nothing happens.
Act 3: put mug 1 in/on desk 1
Obs 3: You put the mug 1 in/on the desk 1.
1 r True rs [1, 0, 0, 0, 0, 0] cnts [1, 0, 0, 0, 0, 0] sum(rs)/sum(cnts) 1.0
------------

look_at_obj_in_light-Pen-None-Lamp-1/trial_T3
look_at_obj examine
You are in a room.
Your task is to: look at pen under the lamp.
Act 1: look
Obs 1: You see
a lamp 1.
2 r 0 rs [1, 0, 0, 0, 0, 0] cnts [1, 0, 0, 0, 1, 0] sum(rs)/sum(cnts) 0.5
------------

"""
SHOP = """-----------------
0
Action: reset
Observation:@
Webshop@
Instruction:@@
i need a red lamp, and price lower than 20.00 dollars@
[Search]@

Action: search[red lamp]
Observation:@
[Back to Search]@
[B01]@
A lamp@

Action: think[B01 is a red lamp.]
Observation: OK.

Action: click[Next >]
Observation: Invalid action!

Action: click[Buy Now]
Observation: Your score (min 0.0, max 1.0): 0.5

1 0.5 0.0 0.0
-------------
-----------------
1
Action: reset
Observation:@
Webshop@
Instruction:@@
a pen@
[Search]@

Action: search[pen]
Observation: nothing

2 0.25 0.0 0.0
-------------
""".replace("@", " ")


def saved(tmp_path, content, name="x.json"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def strict(path, kind, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return read_transcript(path, kind, **more)


def test_the_authors_questions_games_and_shop(tmp_path):
    (run,) = strict(saved(tmp_path, HOTPOT), "authors-hotpotqa")
    assert run.task == Task("hotpotqa-17", "multihop", run.task.text, "the Black Sea")
    assert run.steps[0].observation == "The Danube is a river." and run.steps[1].observation == ""
    assert rl.score.correct(run) and run.method == "react" and run.end == "finished"
    won, lost = strict(saved(tmp_path, GAMES), "authors-alfworld")
    told = (won.task.text, won.task.extra["type"])
    assert told == ("put a mug in desk.", "pick_and_place_simple")
    assert won.steps[0] == Step("A mug may be on the desk.", None, "OK.")
    assert won.steps[1] == Step(None, "fly to desk 1", "Nothing happens.", outcome="failed")
    assert [rl.score.correct(run) for run in (won, lost)] == [True, False]
    assert [run.end for run in (won, lost)] == ["finished", "step_limit"]
    assert lost.steps == (Step(None, "look", "You see\na lamp 1."),) and lost.method == "act"
    bought, gave_up = strict(saved(tmp_path, SHOP), "authors-webshop")
    assert bought.task.text == "i need a red lamp, and price lower than 20.00 dollars"
    acts = [step.action for step in bought.steps]
    assert acts == ["search[red lamp]", None, "click[Next >]", "click[Buy Now]"]
    assert bought.steps[1].thought == "B01 is a red lamp." and bought.steps[2].outcome == "failed"
    assert "score" not in str(bought.steps) and bought.reward == 0.5 and bought.end == "finished"
    assert (gave_up.reward, gave_up.end) == (0.0, "step_limit")
    frame = rl.frame([bought, gave_up])
    assert list(frame["method"]) == ["react", "act"] and list(frame["reward"]) == [0.5, 0.0]


@pytest.mark.parametrize("kind, text, n", [("authors-hotpotqa", HOTPOT, 1), ("authors-alfworld", GAMES, 2), ("authors-webshop", SHOP, 2)])  # fmt: skip
def test_a_notebook_is_read_by_what_it_printed(tmp_path, kind, text, n):
    lines = text.splitlines(keepends=True)
    outputs = [{"output_type": "stream", "text": part} for part in (lines[:7], lines[7:])]
    notebook = {"cells": [{"cell_type": "markdown"}, {"cell_type": "code", "outputs": outputs}]}
    assert len(strict(saved(tmp_path, json.dumps(notebook), "x.ipynb"), kind)) == n
    path = saved(tmp_path, text + text[: len(text) // 2])
    with pytest.warns(UserWarning, match=r"x\.json: 1 passed over: line \d+: .*cut short"):
        assert len(read_transcript(path, kind)) == n


def test_what_cannot_be_read_is_named_and_the_other_episodes_are_read(tmp_path):
    bad = HOTPOT.replace("'answer': 'Black Sea'", "'answer': 5")
    with pytest.warns(UserWarning, match=r"1 passed over: line 27: answer must be str or null"):
        assert len(read_transcript(saved(tmp_path, HOTPOT + bad), "authors-hotpotqa")) == 1
    with pytest.raises(ValueError, match=r"no episode of kind 'authors-hotpotqa' \(line 1[23]: "):
        read_transcript(saved(tmp_path, bad), "authors-hotpotqa")
    with pytest.raises(ValueError, match="there are: authors-fever"):
        read_transcript(saved(tmp_path, HOTPOT), kind="other")
    for kind in ("authors-fever", "authors-alfworld", "authors-webshop"):
        with pytest.raises(ValueError, match="holds no episode"):
            read_transcript(saved(tmp_path, "nothing"), kind)


# ---------------------------------------------------------------------- messages
SEARCH = {"name": "Search", "arguments": '{"entity": "Danube"}'}
CALL = {"id": "c1", "type": "function", "function": SEARCH}
OPENAI = [
    {"role": "system", "content": "You are kind."}, {"role": "user", "content": [{"type": "text", "text": "Where does it end?"}]},
    {"role": "assistant", "content": "I search.", "tool_calls": [CALL, {**CALL, "id": "c2", "function": {"name": "look_up", "arguments": '{"a": 1, "b": "x"}'}}]},
    {"role": "tool", "tool_call_id": "c2", "content": "second"}, {"role": "tool", "tool_call_id": "c1", "content": "first"},
    {"role": "assistant", "content": "Black Sea"},
]  # fmt: skip
STEPS = [("I search.", "Search[Danube]", "first"), (None, 'look_up[{"a": 1, "b": "x"}]', "second"),
         (None, "Finish[Black Sea]", "")]  # fmt: skip


def parts(steps):
    return [(step.thought, step.action, step.observation) for step in steps]


@pytest.mark.parametrize("content", [
    json.dumps(OPENAI), json.dumps({"messages": OPENAI, "gold": "black sea", "id": 7}), json.dumps([OPENAI, OPENAI]), json.dumps([{"messages": OPENAI}]),
    json.dumps({"messages": OPENAI}) + "\n" + json.dumps(OPENAI),
])  # fmt: skip
def test_chat_messages_with_tools(tmp_path, content):
    for run in strict(saved(tmp_path, content, "x.jsonl"), "openai"):
        assert parts(run.steps) == STEPS and run.task.text == "Where does it end?"
        assert (run.answer, run.method, run.end) == ("Black Sea", "react", "finished")
        assert run.calls == 2  # two tools in one turn: asked once
        assert rl.score.correct(run) is (True if run.task.gold else None)


def test_chat_messages_in_the_papers_words_and_lines_that_are_none_are_named(tmp_path):
    told = [{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "Thought 1: hm\nAction 1: Search[Ulm]"},
            {"role": "user", "content": "Observation 1: Could not find Ulm. Similar: []."}, {"role": "assistant", "content": "Thought 2: so\nAction 2: Finish[yes]"}]  # fmt: skip
    (run,) = strict(saved(tmp_path, json.dumps(told)), "openai")
    seen = "Could not find Ulm. Similar: []."
    assert parts(run.steps) == [("hm", "Search[Ulm]", seen), ("so", "Finish[yes]", "")]
    assert run.steps[0].outcome == "failed"
    rows = [json.dumps(OPENAI), "{", "[]", "5", '[{"role": "clown", "content": "x"}]', '[{"role": "user", "content": 5}]',
            '[{"role": "assistant", "content": "x", "tool_calls": 5}]', '[{"role": "assistant", "tool_calls": [{}]}]', '{"messages": {}}', "[5]",
            '{"messages": ' * 300, "[" * 200 + "]" * 200, '[{"role": "user", "content": 1e999}]', json.dumps(OPENAI)]  # fmt: skip
    with pytest.warns(UserWarning) as told:
        assert len(read_transcript(saved(tmp_path, "\n".join(rows), "x.jsonl"), "openai")) == 2
    (message,) = [str(one.message) for one in told]
    said = "x.jsonl: 12 passed over: line 2: it is not whole, clean JSON; line 3: "
    assert message.startswith(said) and "\n" not in message and len(message) < 2000
    assert all(f"line {n}: " in message for n in range(2, 14))
    path = saved(tmp_path, "\n".join(["5"] * 1000 + rows[:1]), "x.jsonl")
    with pytest.warns(UserWarning, match=r"1000 passed over: .*line 20: [^;]*; \.\.\.$"):
        read_transcript(path, "openai")


# ---------------------------------------------------------------------- Inspect
SAMPLE = {
    "id": "s1", "epoch": 1, "input": "Where?", "target": ["Black Sea", "the Black Sea"], "attachments": {"abc": "first"},
    "messages": [{"role": "user", "content": "Where does it end?"},
                 {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "I search."}],
                  "tool_calls": [{"id": "c1", "function": "Search", "arguments": {"entity": "Danube"}}]},
                 {"role": "tool", "content": "attachment://abc", "tool_call_id": "c1", "function": "Search"},
                 {"role": "assistant", "content": "", "tool_calls": [{"id": "c2", "function": "submit", "arguments": {"answer": "Black Sea"}}]}],
    "model_usage": {"m": {"input_tokens": 5, "output_tokens": 2}, "n": {"input_tokens": 10**400, "output_tokens": -1}},
    "scores": {"s": {"value": "I"}}, "total_time": 1.5,
}  # fmt: skip
EVAL = {"task": "t", "model": "openai/gpt"}
LIMITED = SAMPLE | {"id": "s2", "target": "", "limit": {"type": "message"}, "messages": SAMPLE["messages"][:3], "scores": {"s": {"value": 0.25}}}  # fmt: skip


def zipped(tmp_path, files, name="x.eval"):
    with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as file:
        for each, content in files.items():
            whole = isinstance(content, bytes | str)
            file.writestr(each, content if whole else json.dumps(content))
    return tmp_path / name


def test_logs_of_inspect_are_as_ours_and_a_sample_of_a_wrong_form_is_named(tmp_path):
    whole = saved(tmp_path, json.dumps({"version": 2, "eval": EVAL, "samples": [SAMPLE, LIMITED]}))
    packed = zipped(tmp_path, {"header.json": {"eval": EVAL}, "samples/s1_epoch_1.json": SAMPLE, "samples/s2_epoch_1.json": LIMITED, "summaries.json": []})  # fmt: skip
    started = zipped(tmp_path, {"_journal/start.json": {"eval": EVAL}, "samples/a.json": SAMPLE, "samples/b.json": LIMITED}, "y.eval")  # fmt: skip
    for path in (whole, packed, started):
        run, cut = strict(path, "inspect")
        assert parts(run.steps) == [STEPS[0], STEPS[2]]
        assert (run.model, run.tokens_in, run.tokens_out, run.seconds) == ("openai/gpt", 5, 2, 1.5)
        assert rl.score.correct(run) and run.reward is None and run.task.extra["accepted"] == ["Black Sea", "the Black Sea"]  # fmt: skip
        assert (cut.end, cut.reward, cut.task.gold) == ("step_limit", 0.25, None)
    failed = strict(saved(tmp_path, json.dumps({"eval": EVAL, "samples": [SAMPLE | {"error": {"message": "no net"}}]})), "inspect")  # fmt: skip
    assert failed[0].end == "error" and "no net" in failed[0].error
    found = strict(saved(tmp_path, json.dumps({"eval": EVAL, "samples": [SAMPLE]})), "inspect")
    path = tmp_path / "runs.jsonl"
    rl.store.append(path, found[0])
    assert list(rl.store.open(path)) == found
    assert rl.label.suggest(found[0]) and rl.show(found[0])
    assert rl.plots.table1(found) is not None
    odd = "x", [{"role": "user", "content": {}}]
    bad = [5, {}, *(SAMPLE | {"messages": messages} for messages in odd)]
    path = saved(tmp_path, json.dumps({"eval": EVAL, "samples": [*bad, SAMPLE]}))
    said = "4 passed over: sample 1: a sample must be an object; sample 2: "
    with pytest.warns(UserWarning, match=said):
        assert len(read_transcript(path, "inspect")) == 1


@pytest.mark.parametrize("content, said", [
    ("{", "not whole, clean JSON"), ("[]", "is no log of Inspect: it has no eval"), ('{"eval": 5}', "it has no eval"),
    ('{"eval": {}, "samples": {"a": 1}}', "its samples are no list"), ('{"eval": {}}', "holds no episode"), ('{"eval":' * 200, "not whole|too many"),
    ("[" * 90_000 + "]" * 90_000, "too many to follow"), (b"PK\x05\x06" + b"\x00" * 18, "it has no header"), (b"\xff\xfe", "UTF-16"), (b"\x80", "not UTF-8"),
])  # fmt: skip
@pytest.mark.usefixtures("no_collection")
def test_what_is_no_log_is_said_in_a_sentence(tmp_path, content, said):
    with pytest.raises(ValueError, match=said) as caught:
        read_transcript(saved(tmp_path, content), "inspect")
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 500


def test_a_damaged_zip_is_said_in_a_sentence_and_a_zip_bomb_is_refused(tmp_path, monkeypatch):
    files = {"header.json": {"eval": EVAL}, "samples/a.json": SAMPLE}
    content = zipped(tmp_path, files).read_bytes()
    for at in range(0, len(content), 7):
        for damaged in (content[:at], content[:at] + b"\x00\xff" + content[at + 2 :]):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    read_transcript(saved(tmp_path, damaged, "x.eval"), "inspect")
            except ValueError as error:
                assert len(str(error)) < 500 and "\n" not in str(error)
    monkeypatch.setattr(rl.store.importers, "MEMBER", 100_000)
    monkeypatch.setattr(rl.store.importers, "WHOLE", 150_000)
    head = {"header.json": {"eval": EVAL}}
    one, much = json.dumps(SAMPLE | {"store": "0" * 90_000}), b"0" * 200_000
    for files, said in (
        ({"header.json": much}, "header.json unpacks to more than"),
        (head | {"samples/a.json": much}, r"samples/a\.json unpacks to more than"),
        (head | {"samples/a.json": one, "samples/b.json": one}, "it unpacks to more than"),
    ):
        with pytest.raises(ValueError, match=said):
            read_transcript(zipped(tmp_path, files), "inspect")


junk = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)
                    | st.dictionaries(st.sampled_from(["messages", "role", "content", "tool_calls", "function", "outputs", "inputs", "type", "kwargs", "id", "scores", "target", "model_usage", "attachments"]), inner, max_size=4))  # fmt: skip


@pytest.mark.parametrize("kind, wrap", [("openai", lambda x: x), ("inspect", lambda x: {"eval": {}, "samples": [x]})])  # fmt: skip
@given(row=junk | st.just(SAMPLE).flatmap(lambda known: st.builds(lambda key, value: known | {key: value}, st.sampled_from(sorted(known)), junk)))  # fmt: skip
def test_any_json_gives_runs_or_a_sentence(kind, wrap, row, tmp_path_factory):
    path = saved(tmp_path_factory.getbasetemp(), json.dumps(wrap(row)), "junk.json")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            runs = read_transcript(path, kind)
    except ValueError as error:
        assert "junk.json" in str(error)
        return
    for run in runs:
        assert rl.store.load(json.loads(json.dumps(rl.store.dump(run)))) == run


# ---------------------------------------------------------------------- out, and in again
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(str.strip)
full = words.filter(bool)
acts = st.builds("{}[{}]".format, st.sampled_from(["Search", "click"]), words) | st.just("go to x")
steps = st.lists(st.builds(Step, st.none() | full, acts, words) | st.builds(Step, full, st.none(), words), max_size=4)  # fmt: skip
runs = st.builds(
    lambda i, text, gold, steps, answer: Trajectory(
        i, Task(f"t{i}", "multihop", text, gold), "react", "m",
        steps=(*steps, Step(None, f"Finish[{answer}]", "")), answer=answer, end="finished", calls=1),
    full, full, st.none() | full, steps, words,
)  # fmt: skip


def told(run):
    """What a log for Inspect keeps: not what reading mended, nor who was rescued."""
    task, about = run.task, (run.answer, run.model, run.method, run.end, rl.score.correct(run))
    return (task.id, task.text, task.gold, *about, *parts(run.steps))


@given(runs=st.lists(runs, min_size=1, max_size=3))
def test_a_log_for_inspect_holds_the_runs(tmp_path_factory, runs):
    path = to_inspect(tmp_path_factory.getbasetemp() / "log.eval", runs)
    for ours, back in zip(runs, strict(path, "inspect"), strict=True):
        assert told(back) == told(ours)


@given(st.lists(runs, min_size=1, max_size=3))
def test_a_dataset_holds_the_runs(tmp_path_factory, runs):
    folder = to_dataset(tmp_path_factory.getbasetemp() / "set", runs)
    rows = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
    assert [rl.store.load(json.loads(row["run"])) for row in rows] == runs
    card = (folder / "README.md").read_text()
    assert all(f"- name: {key}\n" in card for key in rows[0]) and "Methods: react" in card


def test_openais_messages_hold_the_runs_as_its_client_sends_them_and_logs_hold_odd_names(tmp_path):
    """An act is the call of a function whose arguments are JSON in a text; the wrong runs stay."""
    act = Step("I look.", "Search[Oslo]", "Oslo is a city.")
    ours = Trajectory("r1", Task("q", "multihop", "Where?", "Norway"), "react", "m", {}, (act,))
    path = rl.store.to_openai(tmp_path / "m.jsonl", [ours, ours])
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    (call,) = rows[0]["messages"][1]["tool_calls"]
    assert call["function"] == {"name": "Search", "arguments": '{"input": "Oslo"}'}
    assert len(rows) == 2 and set(rows[0]["messages"][2]) == {"role", "content", "tool_call_id"}
    assert strict(path, "openai")[0].steps[0].observation == act.observation
    odd = ["../../etc", "a/b", "a\\b", "a", "a\0", "a ", "ä" * 400, "CON"]
    ours = [Trajectory("r", Task(name, "multihop", "?"), "react", "m") for name in odd]
    with zipfile.ZipFile(to_inspect(tmp_path / "x.eval", ours)) as file:
        found = [file.read(name) for name in file.namelist() if name.startswith("samples/")]
    assert [json.loads(one)["id"] for one in found] == odd


# ---------------------------------------------------------------------- the authors' 500 runs
def test_the_authors_transcript_is_read_whole(shared):
    found = read_transcript(shared / "gpt3_fever_500_transcript.txt")
    assert len(found) == len({run.id for run in found}) == 500
    assert sum(map(rl.score.correct, found)) == 270
    assert Counter(run.end for run in found) == {"finished": 491, "step_limit": 9}
    for run in found:
        assert all(step.thought for step in run.steps)
        parts = ((s.thought, s.action, s.observation) for s in run.steps)
        assert not any(odd in str([*parts]) for odd in ("reward", "ohh...", "Thought 2:"))
        assert run.answer is None or run.steps[-1].action == f"Finish[{run.answer}]"
    assert sum(step.rescued for run in found for step in run.steps) == 3


@pytest.mark.parametrize("kind, word", [("authors-hotpotqa", "Question"), ("authors-fever", "Claim")])  # fmt: skip
def test_a_reply_that_had_no_act_was_rescued(tmp_path, kind, word):
    tried = "\nohh...  It is it.\nAction 2\nThought 2:"
    told = HOTPOT.replace("Question", word).replace("\nThought 2:", tried)
    run, _ = strict(saved(tmp_path, told * 2), kind)
    assert [step.rescued for step in run.steps] == [False, True] and run.answer == "Black Sea"
    assert parts(run.steps)[1] == ("It is the Black Sea.", "Finish[Black Sea]", "")
