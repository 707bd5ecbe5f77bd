"""Whatever stands in a file, or comes from a model or a world: a record, or one sentence."""

import contextlib
import json
import warnings
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_agent import BARE, GOOD, TASK, WORLD
from test_store import make

import react_lab as rl
from react_lab import models
from react_lab.envs.live import KEPT
from react_lab.envs.pages import PAGE, Encyclopedia
from react_lab.evaluation.files import PAID, ReplyLog
from react_lab.label import Session, merge
from react_lab.label.events import ENTRY, read
from react_lab.label.merging import DRAWN
from react_lab.models.cache import LINE
from react_lab.records import MOST, RUN, encode
from react_lab.records import TASK as TASKS
from react_lab.store import dump
from react_lab.types import Edition, EnvError, ModelError, Reply, Seen, Task

MANY = pytest.mark.filterwarnings("ignore:.* runs ended in")  # faults, as they should
JSONS = [
    None, True, False, 0, 1, -1, 2**53, 2**63, 2**70, 1.5, -0.0, 1e308, "", "x", "x" * 2_000_000, "\u0000\u001b[31m",
    [], ["x"], [[]], [None], {}, {"x": 1}, [{}], "../../x", "NaN",
]  # fmt: skip
RAW = [  # what is not even whole, clean JSON
    b"NaN", b"Infinity", b"1e999", b'"\\ud800"', b"\xff\xfe", b'"\xed\xa0\x80"', b"[" * 100_000, b"{" * 5, b"", b"1 2",
]  # fmt: skip
REPLY = {"text": "t", "why": "stop", "tokens_in": 1, "tokens_out": 2, "settings": {"a": 1}, "fingerprint": "f",
         "reasoning": "r", "tool_calls": [{"a": 1}]}  # fmt: skip
ENTRIES = {"seq": 1, "by": "me", "event": "label", "at": "t", "id": "r", "digest": "d", "label": "hallucination",
           "sound": True, "step": 1, "note": "n", "method": "react", "grade": "failure", "override": False,
           "blind": True, "round": "", "ms": 5, "item": 3, "of": 1, "guideline": "1", "sample": {}, "schema": 1}  # fmt: skip
KEYED = {"about": "a", "key": "k", "sample": 0, "prompt": "p", "reply": REPLY}
RECORDS = {
    "run": (RUN, lambda: dump(make())),
    "task": (TASKS, lambda: vars(TASK)),
    "label": (ENTRY, lambda: ENTRIES),
    "recording": (LINE, lambda: KEYED),
    "paid": (PAID, lambda: {"run": "r", "key": "k", "reply": REPLY}),
    "page": (PAGE, lambda: {"title": "T", "text": "t", "aliases": ["U"], "options": ["V"]}),
    "answer": (KEPT, lambda: {"source": "s", "asked": {"q": 1}, "answer": {"query": {}}}),
    "sample": (DRAWN, lambda: {"ids": ["r"], "seed": 0, "strata": {"a": [1, 2]}}),
}  # fmt: skip


def places(value, path=()):
    """Every place in parsed JSON, the whole first."""
    yield path
    rows = dict(enumerate(value)) if isinstance(value, list) else value
    for key, inner in rows.items() if isinstance(rows, dict) else ():
        yield from places(inner, (*path, key))


def put(value, path, other):
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], other)
    return copy


HOLE = "a hole that the test fills"


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("name", RECORDS)
def test_any_json_in_any_place_is_a_record_or_a_sentence(name):
    """Every field x every kind of JSON: what is read can be written, and is read again the same."""
    record, example = RECORDS[name]
    row = json.loads(json.dumps(example()))
    assert record.read(record.write(record.of_row(row))) == record.of_row(row)
    lines = [json.dumps(put(row, path, other)).encode() for path in places(row) for other in JSONS]
    holes = [json.dumps(put(row, path, HOLE)).encode() for path in places(row)]
    lines += [hole.replace(json.dumps(HOLE).encode(), raw) for hole in holes for raw in RAW]
    taken = 0
    for line in lines:
        try:
            found = record.read(line)
        except ValueError as error:
            assert 5 < len(str(error)) < 500 and "\n" not in str(error)
            continue
        taken += 1
        assert record.read(record.write(found)) == found
    assert 0 < taken < len(lines)


# ---------------------------------------------------------------------- runs
BENT = [{"steps": ["x"]}, {"id": []}, {"id": ""}, {"id": "x" * 501}, {"end": []}, {"end": "soon"}, {"answer": 5},
        {"task": {"id": "t", "kind": "multihop", "text": "q", "gold": 5}}, {"calls": -1}, {"tokens_in": -100},
        {"seconds": -1.0}, {"steps": "abc"}, {"schema": True}, {"schema": 0}, {"settings": []}, {"flags": "abc"}]  # fmt: skip


@pytest.mark.parametrize("bent", BENT, ids=lambda bent: json.dumps(bent)[:30])
def test_a_bent_run_is_passed_over_and_counted(tmp_path, bent):
    path = tmp_path / "runs.jsonl"
    rl.store.append(path, make(0))
    with path.open("ab") as file:
        file.write(json.dumps({**dump(make(1)), **bent}).encode() + b"\n")
    rl.store.append(path, make(2))
    with pytest.warns(UserWarning, match="line 2: not a run that can be read"):
        assert [run.task.id for run in rl.store.open(path)] == ["t0", "t2"]
    with pytest.warns(UserWarning, match="passed over"):
        assert len(rl.frame(rl.store.open(path))) == 2
    other = Task("t9", "multihop", TASK.text, TASK.gold)
    with pytest.warns(UserWarning, match="1 lines of .* are no runs"):
        rl.evaluate("react", other, tuned(), path, world=WORLD)


def tuned():
    return models.scripted(lambda ask: GOOD[str(ask.prompt).count("Observation")], tuned=BARE)


@pytest.mark.parametrize("bent", [{"id": ""}, {"id": "x" * 501}, {"seconds": float("nan")}, {"calls": -1}, {"answer": 5},
                                  {"settings": {"x": object()}}, {"task": Task("t", "multihop", "q", 5)}])  # fmt: skip
def test_what_would_be_refused_is_not_written(tmp_path, bent):
    path = tmp_path / "runs.jsonl"
    rl.store.append(path, make(0))
    before = path.read_bytes()
    with pytest.raises(ValueError):
        rl.store.append(path, replace(make(1), **bent))
    assert path.read_bytes() == before


@pytest.mark.parametrize("task", [Task("t", "multihop", "q", 1984), Task("", "multihop", "q"), Task("t" * 501, "multihop", "q"),
                                  Task(5, "multihop", "q"), Task("t", "multihop", "half \ud83d"), Task("t", "multihop", ["q"]),
                                  Task("t", "multihop", "q", extra={"x": object()})], ids=range(7))  # fmt: skip
def test_a_task_that_could_not_be_kept_is_refused_before_any_call(tmp_path, task):
    model = tuned()
    tasks = [Task(f"t{k}", "multihop", TASK.text, TASK.gold) for k in range(3)] + [task]
    with pytest.raises(ValueError, match="could not be kept"):
        rl.evaluate("react", tasks, model, tmp_path / "runs.jsonl", world=WORLD)
    with pytest.raises(ValueError, match="could not be kept"):
        rl.run("react", task, model=model, world=WORLD)
    assert model.asked == []


class World:
    actions, snapshot = WORLD.actions, "odd"

    def __init__(self, step):
        self.step = step

    def __call__(self, task):
        return self

    def reset(self, task):
        return f"Question: {task.text}"


def test_half_characters_of_a_world_are_question_marks(tmp_path):
    def step(action):
        done = "Finish" in action
        return Seen("half \ud83d", done=done, answer="a \ud83d" if done else None)

    run = rl.run("react", TASK, model=tuned(), world=World(step))
    rl.store.append(tmp_path / "runs.jsonl", run)
    assert rl.store.open(tmp_path / "runs.jsonl")[0] == run
    assert run.steps[0].observation == "half ?" and run.answer == "a ?"


@pytest.mark.parametrize("seen", ["text", None, Seen(5), Seen("a", answer=5), Seen("a", why=5), Seen("a", reward=float("nan")), Seen("a", page=Edition([], 1, "", ""))])  # fmt: skip
def test_a_world_that_answers_nonsense_ends_the_episode_in_a_sentence(seen):
    with pytest.raises(EnvError, match=r"step\(\) must return a Seen"):
        rl.run("react", TASK, model=tuned(), world=World(lambda action: seen))


class Model:
    """Says what it is given to say."""

    name, tuned = "mine", BARE

    def __init__(self, say):
        self.say = say

    def identity(self, leg):
        return "mine"

    def complete(self, ask, on_text=None):
        return {0: self.say(ask)}


class Mute:
    def __repr__(self):
        raise ZeroDivisionError


@pytest.mark.parametrize("reply", ["text", None, Mute(), Reply(5), Reply("a", tokens_in=Mute()), Reply(None), Reply("a", tokens_in=-100), Reply("a", tokens_out=1.5)])  # fmt: skip
def test_a_model_that_returns_nonsense_ends_the_episode_in_a_sentence(reply):
    with pytest.raises(ModelError, match="must return"):
        rl.run("react", TASK, model=Model(lambda ask: reply), world=WORLD)


def finisher(bad):
    """Finishes at once; what is bad of its reply is so for the third task."""
    good = Reply("Thought 1: so\nAction 1: Finish[yes]", tokens_in=1, tokens_out=1)
    return Model(lambda ask: replace(good, **bad) if "third?" in ask.prompt else good)


@pytest.mark.parametrize("bad", [
    {"why": "tool_calls"}, {"why": None}, {"settings": None}, {"settings": {"raw": object()}},
    {"tool_calls": None}, {"tool_calls": (object(),)}, {"fingerprint": 5}, {"reasoning": ["x"]},
], ids=range(8))  # fmt: skip
def test_one_reply_that_cannot_be_kept_ends_one_run(tmp_path, bad):
    tasks = [rl.tasks.question(f"{which}?") for which in ("first", "second", "third", "fourth")]
    path = tmp_path / "r.jsonl"
    runs = rl.evaluate("react", tasks, finisher(bad), path, world=WORLD, progress=False)
    assert [run.end for run in runs] == ["finished", "finished", "error", "finished"]
    assert "a reply that cannot be kept" in runs[2].error


def test_numbers_of_numpy_are_numbers(tmp_path):
    np = pytest.importorskip("numpy")
    task = Task("t", "multihop", "q?", extra={"n": np.int64(3), "x": np.float32(0.5)})
    options = {"seed": np.int64(1), "max_steps": np.int32(3), "temperature": np.float32(0.5)}
    path = tmp_path / "r.jsonl"
    rl.evaluate("react", task, finisher({}), path, world=WORLD, progress=False, **options)
    (run,) = rl.store.open(path)
    assert run.task.extra == {"n": 3, "x": 0.5} and run.settings["max_steps"] == 3


@MANY
@pytest.mark.parametrize("bad", [
    {"answer": 42}, {"end": "done"}, {"end": []}, {"votes": [1]}, {"model": None}, {"settings": None}, {"task": Task("t", "multihop", 5)},
    {"settings": {"x": object()}}, {"settings": json.loads('{"a":' * 60 + "1" + "}" * 60)}, {"answer": "\ud800", "settings": {"x": object()}}, {"answer": "x" * MOST},
], ids=range(11))  # fmt: skip
def test_one_run_that_cannot_be_kept_takes_no_other_with_it(tmp_path, bad):
    def mine(task, kit):
        run = yield from rl.methods.METHODS["react"](task, kit)
        return replace(run, **bad) if task.text == "third?" else run

    tasks = [rl.tasks.question(f"{which}?") for which in ("first", "second", "third")]
    path = tmp_path / "r.jsonl"
    for _ in range(2):  # the next call tries it again, and is not stuck
        runs = rl.evaluate(mine, tasks, finisher({}), path, world=WORLD, workers=1, progress=False)
        assert [run.end for run in runs] == ["finished", "finished", "error"]
    assert "could not be kept" in runs[2].error and runs[2].steps == ()
    assert (runs[2].task.id, runs[2].method) == (tasks[2].id, "mine")
    assert runs[2].settings["repeat"] == 0


@MANY
@pytest.mark.parametrize("kept", [False, True])
def test_a_reply_as_long_as_a_line_may_be_ends_one_run(tmp_path, kept):
    model = finisher({"text": "z" * (MOST - len(encode(Reply(""))) - 20)})
    if kept:
        model = models.cached(model, tmp_path / "c.jsonl")
    tasks = [rl.tasks.question(f"{which}?") for which in ("first", "third")]
    path = tmp_path / "r.jsonl"
    for _ in range(2):
        runs = rl.evaluate("react", tasks, model, path, world=WORLD, workers=1, progress=False)
        assert [run.end for run in runs] == ["finished", "error"]
    assert "a reply that cannot be kept" in runs[1].error


# ---------------------------------------------------------------------- files that people bring
@pytest.mark.parametrize("content, said", [
    (b'[{"question": "q", "answer": 1984}]', r"row 1, is no task: gold must be str or null, not int"),
    (b'[{"question": ["q"], "answer": "a"}]', r"row 1, is no task: text must be str"),
    (b'[{"question": "q", "_id": []}]', r"row 1, is no task: id must be str"),
    (b'[5]', r"row 1, is not a JSON object"), (b'[{"foo": 1}]', "neither a question nor a claim"),
    (b'{"question": "q"}', "holds no list of tasks"),
    (b"[" * 100_000, "lists inside lists"),
    ('[{"question": "q"}]'.encode("utf-16"), "UTF-16 text: save it as UTF-8"),
    (b"\xff\xfe\xfd", "UTF-16|not UTF-8"), (b"\x80abc", "not UTF-8 text"),
    (b'[{"question": "q", "answer": NaN}]', "not whole, clean JSON"),
])  # fmt: skip
@pytest.mark.usefixtures("no_collection")
def test_a_bad_task_file_is_named(tmp_path, content, said):
    path = tmp_path / "tasks.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=said) as caught:
        rl.tasks.read(path)
    assert "tasks.json" in str(caught.value)


def test_a_byte_order_mark_does_no_harm(tmp_path):
    path = tmp_path / "tasks.json"
    path.write_text('[{"question": "q", "answer": "a"}]', encoding="utf-8-sig")
    assert rl.tasks.read(path)[0].text == "q"
    runs = tmp_path / "runs.jsonl"
    rl.store.append(runs, make(0))
    runs.write_bytes(b"\xef\xbb\xbf" + runs.read_bytes())
    assert [run.task.id for run in rl.store.open(runs)] == ["t0"]


@pytest.mark.parametrize("row, said", [
    ({"title": "A", "text": "b", "aliases": "abc"}, "aliases must be array, not str"), ({"title": 5, "text": "b"}, "title must be str"),
    ({"text": "b"}, "lacks `title`"), ({"title": "A"}, "neither text nor options"), ({"title": " ", "text": ""}, "title is empty"),
    ({"title": "A", "options": [5]}, "must be str, not int"), ([], "must be object"), ({"title": "A", "text": None}, "neither"),
])  # fmt: skip
def test_a_bad_page_is_named_by_its_number(row, said):
    with pytest.raises(ValueError, match=f"page 2: .*{said}"):
        Encyclopedia([{"title": "Good", "text": "page"}, row])


@pytest.mark.parametrize("content, said", [
    *((bad, "no exemplar file that can be read: .*UTF")
      for bad in ("Question".encode("utf-16"), b"\xff\x00\x80")),
    *((b"Question: q\n" + more, "goes on to its answer") for more in (b"", b"Thought 1: t\n")),
    (b"Question: q\n" * 30_000, "256 kB is more than any prompt takes"),
])  # fmt: skip
@pytest.mark.parametrize("method", ["standard", "react"])
def test_exemplars_that_are_no_text_or_end_before_their_answer(tmp_path, method, content, said):
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=said):
        rl.run(method, TASK, model=models.scripted([]), world=WORLD, prompts=str(path))


def test_a_reply_whose_line_lacks_its_end_spoils_no_other(tmp_path):
    log = ReplyLog(tmp_path / "r.jsonl")
    log.runs.touch()
    log.begin(())
    log.keep("a", "k", Reply("one"))
    log.path.write_bytes(log.path.read_bytes().removesuffix(b"\n"))
    log.begin(())
    log.keep("b", "k", Reply("two"))
    assert log.begin(()) == {"a": {"k": Reply("one")}, "b": {"k": Reply("two")}}


# ---------------------------------------------------------------------- labels
def labelling(tmp_path, **changes):
    runs = [replace(make(k), answer="wrong", **changes) for k in range(2)]
    return Session(runs, tmp_path / "me.jsonl", by="me")


@pytest.mark.parametrize("press", [
    lambda s: s.step(1.0), lambda s: s.step(True), lambda s: s.step("1"), lambda s: s.step(2**60), lambda s: s.step(-1),
    lambda s: s.note(5), lambda s: s.goto("2"), lambda s: s.filter(5), lambda s: s.label({}), lambda s: s.label("\ud800"),
])  # fmt: skip
def test_a_key_that_makes_no_sense_writes_nothing_that_cannot_be_read(tmp_path, press):
    session = labelling(tmp_path)
    session.label("hallucination")
    before = read(session.file.path)
    with contextlib.suppress(ValueError):
        assert isinstance(press(session), str)
    assert read(session.file.path) == before
    session.label("hallucination")
    session.note("half \ud83d")
    assert "half" in read(session.file.path)[-1].note and not merge(session.file.path).refused
    with pytest.raises(ValueError, match="not written"):  # an id that no label can name
        labelling(tmp_path, id="x" * 501).step(1)
    assert not merge(session.file.path).refused


@given(text=st.text(alphabet=st.characters(), max_size=40))
def test_any_text_makes_a_run_that_reads_back(text, tmp_path_factory):
    path = tmp_path_factory.mktemp("r") / "runs.jsonl"
    model = models.scripted([f" {text}\nAction 1: Finish[{text}]"] * 9, tuned=BARE)
    run = rl.run("react", rl.tasks.question(f"Who? {text}"), model=model, world=WORLD)
    again = rl.rethink(run, 1, thought=f"It says {text}")
    rl.store.append(path, run)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(rl.store.open(path)) == [run]
    rl.store.append(path, again)
    assert rl.store.open(path)[1] == again
