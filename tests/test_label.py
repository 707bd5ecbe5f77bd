"""Labels: what is offered, what is stored, what stands after a crash, a merge, an undo."""

import json
import random
import subprocess
import sys
import warnings
from dataclasses import replace
from math import isnan
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import react_lab as rl
from react_lab import label, stats
from react_lab.analysis import paper
from react_lab.envs.pages import Encyclopedia
from react_lab.label.events import read
from react_lab.label.rules import Evidence, claims
from react_lab.label.session import picture
from react_lab.types import Step, Task, Trajectory

OLDER = "Who is older, Ada Smith or Bob Jones?"
TASK = Task("q1", "multihop", OLDER, "Ada Smith", {"accepted": ["Ada"]})
PAGES = Encyclopedia([
    {"title": "Ada Smith", "text": "Ada Smith was an English painter, born in 1901. She lived in Leeds."},
    {"title": "Bob Jones", "text": "Bob Jones was a miner. He was born in 1911."},
])  # fmt: skip
ADA, BOB = PAGES.get("Ada Smith"), PAGES.get("Bob Jones")


def react(*rounds, answer="Bob Jones", end="finished", name="r", task=TASK):
    """A run of ReAct: (thought, act, observation) a step."""
    steps = tuple(Step(*each) for each in rounds)
    return Trajectory(name, task, "react", "m", steps=steps, answer=answer, end=end)


def cot(thought, answer="Bob Jones", name="c", task=TASK):
    steps = (Step(thought, f"Finish[{answer}]", ""),)
    return Trajectory(name, task, "cot", "m", steps=steps, answer=answer, end="finished")


READ = (
    ("I need to search Ada Smith.", "Search[Ada Smith]", ADA),
    ("Now Bob Jones.", "Search[Bob Jones]", BOB),
)
END = ("Ada Smith was born in 1901 and Bob Jones in 1911.", "Finish[Bob Jones]", "")
WRONG, RIGHT = react(*READ, END), react(*READ, END, answer="Ada Smith", name="s")
THOUGHT = cot("Ada Smith was born in 1901.")


def runs(n=6):
    return [replace(WRONG if i % 2 else RIGHT, id=f"r{i}") for i in range(n)]


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def session(path, by="me", given=None, **options):
    return label.Session(runs() if given is None else given, path, by, **options)


# the modes
def test_the_modes_are_those_of_table_2():
    rows = paper.table(2)
    assert tuple(rows.index) == label.MODES
    assert tuple(rows.index[rows["group"] == "success"]) == label.SUCCESS


@pytest.mark.parametrize(
    ("run", "modes"),
    [(RIGHT, label.SUCCESS), (WRONG, label.FAILURE), (THOUGHT, (label.FAILURE[0], *label.FAILURE[2:])),
     (replace(WRONG, task=replace(TASK, gold=None)), label.MODES)],
)  # fmt: skip
def test_the_grade_decides_what_is_offered(run, modes):
    assert label.offered(run) == modes
    beyond = [m for m in label.MODES if m != "search result error" or run is not THOUGHT]
    assert label.offered(run, override=True) == tuple(beyond)


@pytest.mark.parametrize("kind", ["multihop", "household", "shop"])
def test_the_guideline_defines_every_mode_with_examples_and_a_near_miss(kind):
    guide, questions = label.guideline(kind), label.guideline()
    assert list(guide.modes) == list(label.MODES) and guide.version == questions.version
    for told in guide.modes.values():
        assert told.count("**Example:**") == 2 - (kind == "shop")
        assert told.count("**Near miss:**") == 1 and "**Boundary:**" in told
    if kind == "multihop":
        assert not guide.words and "game" not in " ".join(guide.modes.values())
        assert label.guideline("claims").modes == guide.modes  # no part of its own
    else:
        assert list(guide.words) == list(label.MODES) and guide.modes != questions.modes


# a session
def test_labels_are_on_the_disk_and_tied_to_what_was_read(tmp_path):
    s = session(tmp_path / "me.jsonl")
    assert s.label("true_positive") == "Saved: true positive"
    assert s.label(4) == "Saved: search result error"
    first, second = map(json.loads, lines(tmp_path / "me.jsonl"))
    found = (first["by"], first["id"], first["label"], first["seq"])
    assert found == ("me", "r0", "true positive", 1)
    assert first["digest"] == rl.store.digest(runs()[0]) and second["seq"] == 2
    assert first["guideline"] == label.guideline().version
    changed = [replace(run, answer="else") for run in runs()]
    assert session(tmp_path / "me.jsonl", given=changed).mark is None  # another text, no label


def test_a_mode_of_the_other_grade_takes_an_override_that_is_stored(tmp_path):
    s = session(tmp_path / "me.jsonl")
    assert s.label("hallucination").startswith("Not offered here") and not s.labelled
    s.override()
    s.label("hallucination")
    assert s.labelled[0].override and not s.overriding
    assert s.label("hallucination") and not s.labelled[1].override
    with pytest.raises(ValueError, match="no mode 'nonsense'; there are 1 to 6"):
        s.label("nonsense")
    with pytest.raises(ValueError, match="no mode 7"):
        s.label(7)


def test_step_note_and_deferral_stand_beside_the_label(tmp_path):
    s = session(tmp_path / "me.jsonl")
    s.step(2)
    s.note("odd \x1b[31m\ud800")
    s.defer()
    s.back()
    assert (s.mark.step, s.mark.deferred, s.mark.label) == (2, True, None)
    assert s.mark.note == "odd <U+001B>[31m<U+D800>"
    s.label(1)
    s.back()
    assert (s.mark.step, s.mark.deferred, s.mark.label) == (2, False, "true positive")
    assert s.step(0) == "First wrong step: none" and s.mark.step is None
    assert s.step(9) == "There is no step 9"


KEYS = ["label(1)", "label(3)", "label(5)", "defer()", "next()", "back()", "undo()", "redo()", "step(1)",
        "note('x')", "sound()", "unsound(1)", "override()"]  # fmt: skip


@settings(max_examples=25)
@given(keys=st.lists(st.sampled_from(KEYS), max_size=25), blind=st.booleans())
def test_a_session_is_its_file_and_every_key_is_undone_and_redone(tmp_path_factory, keys, blind):
    path = tmp_path_factory.mktemp("s") / "me.jsonl"
    s = session(path, blind=blind)
    for key in keys:
        eval(f"s.{key}")
        again, here = label.LabelFile(path, "me").ledger, s.ledger
        assert (again.marks, again.done, again.undone) == (here.marks, here.done, here.undone)
    before, times = dict(s.ledger.marks), len(s.ledger.done)
    for _ in range(times):
        s.undo()
    assert not s.ledger.marks and s.undo() == "Nothing to undo"
    for _ in range(times):
        session(path).redo()  # by a later session: the file is all that is needed
    assert label.LabelFile(path, "me").ledger.marks == before


def test_the_ends_and_an_empty_list_say_so(tmp_path):
    s = session(tmp_path / "me.jsonl", given=runs(1))
    assert s.back() == "This is the first run" and s.next() == "This is the last run"
    s.label(1)
    assert s.label(2) == "Saved: false positive. This is the last run"
    assert s.labelled[0].label == "false positive"
    with pytest.raises(ValueError, match="no run to label"):
        session(tmp_path / "e.jsonl", given=[]).label(1)


def test_what_was_put_off_in_another_round_is_not_counted(tmp_path):
    session(tmp_path / "gold.jsonl").label(1)
    session(tmp_path / "me.jsonl").defer()
    assert picture(session(tmp_path / "me.jsonl"))["deferred"] == 1
    calibration = session(tmp_path / "me.jsonl", gold=tmp_path / "gold.jsonl")
    assert picture(calibration)["deferred"] == 0


def test_filters(tmp_path):
    given = [*runs(4), replace(THOUGHT, id="c1", method="CoT")]
    s = session(tmp_path / "me.jsonl", given=given)
    s.label(1)
    s.defer()
    counts = {"true positive": 1, "open": 4, "method:cot": 1, "ada smith": 5, "deferred": 1, "": 5}
    for query, n in counts.items():
        s.filter(query)
        assert len(s.order) == n, query
    assert s.filter("nowhere").startswith("No run fits") and len(s.order) == 5
    said = map(session(tmp_path / "b.jsonl", blind=True).filter, ("method:cot", " METHOD:cot"))
    assert {*said} == {"Methods are hidden: this is a blind round"}


def test_another_persons_file_is_not_written_to(tmp_path):
    session(tmp_path / "me.jsonl").label(1)
    with pytest.raises(ValueError, match="holds the labels of 'me': open it with by='me'"):
        session(tmp_path / "me.jsonl", by="ben")
    with pytest.raises(ValueError, match="by= takes a name"):
        session(tmp_path / "x.jsonl", by=" ")


# blind
def test_blind_means_judging_first_and_a_second_look_is_not_blind(tmp_path):
    s = session(tmp_path / "me.jsonl", blind=True, given=[WRONG])
    assert s.label(5).startswith("First judge") and s.hidden and s.modes == ()
    assert s.unsound().startswith("Mark the step")
    assert s.unsound(3) == "You say unsound; exact match says wrong"
    assert not s.hidden and s.modes == label.FAILURE
    assert s.sound().startswith("This run is revealed already")
    s.label(3)
    mark = s.labelled[0]
    assert (mark.sound, mark.step, mark.blind, mark.label) == (False, 3, True, "reasoning error")
    s.undo()
    s.undo()
    assert s.hidden and s.last == ""
    s.sound()
    assert not s.mark.blind and s.mark.step is None  # the gold answer had been shown
    short = session(tmp_path / "short.jsonl", blind=True, given=[THOUGHT])
    short.unsound()  # a run of one step goes wrong there
    assert short.mark.step == 1


# samples
def test_a_sample_is_stratified_seeded_told_and_stored(tmp_path):
    several = ((RIGHT, 80), (WRONG, 30), (THOUGHT, 60))
    given = [replace(run, id=f"{k}-{i}") for k, (run, n) in enumerate(several) for i in range(n)]
    given += [replace(THOUGHT, id="x", method="act")]
    drawn = label.sample(given, n=50, seed=3)
    assert drawn.strata == {
        "react success": (50, 80), "react failure": (30, 30), "cot success": (0, 0), "cot failure": (50, 60),
    }  # fmt: skip
    assert "react failure: 30 of 30" in repr(drawn) and len(drawn) == 130
    random.shuffle(given)
    assert [run.id for run in label.sample(given, n=50, seed=3)] == [run.id for run in drawn]
    assert [run.id for run in label.sample(given, n=50, seed=4)] != [run.id for run in drawn]
    session(tmp_path / "me.jsonl", given=drawn)
    stored = read(tmp_path / "me.jsonl")[0].sample
    assert stored["seed"] == 3 and stored["ids"] == [run.id for run in drawn]
    session(tmp_path / "large.jsonl", given=label.Sample((RIGHT,) * 60_000, 0, {}))
    assert len(read(tmp_path / "large.jsonl")[0].sample["ids"]) == 60_000


# agreement
def labels_of(seed, n, people=2, missing=0.0):
    pick = random.Random(seed)
    modes = label.MODES[: pick.randint(2, 6)]
    truth = [pick.choice(modes) for _ in range(n)]
    guess = lambda t: t if pick.random() < 0.6 else pick.choice(modes)  # noqa: E731
    said = [[guess(t) for t in truth] for _ in range(people)]
    return [[None if pick.random() < missing else mode for mode in row] for row in said]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_kappa_is_scikit_learns(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    a, b = labels_of(seed, 5 + 7 * seed)
    assert label.kappa(a, b) == pytest.approx(metrics.cohen_kappa_score(a, b))
    table = label.confusion(a, b)
    theirs = metrics.confusion_matrix(a, b, labels=list(table)).tolist()
    assert [list(row.values()) for row in table.values()] == theirs


@pytest.mark.parametrize("seed", range(12))
def test_alpha_is_krippendorffs(seed):
    krippendorff = pytest.importorskip("krippendorff")
    said = labels_of(seed, 10 + 5 * seed, people=2 + seed % 4, missing=0.2)
    number = {None: float("nan"), **{mode: i for i, mode in enumerate(label.MODES)}}
    table = [[number[mode] for mode in row] for row in said]
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement="nominal")
    assert label.alpha(said) == pytest.approx(theirs)


def test_the_interval_holds_kappa_and_narrows_and_of_one_label_there_is_none():
    assert isnan(label.kappa(["a"] * 5, ["a"] * 5)) and isnan(label.kappa([], []))
    assert isnan(label.alpha([["a", "a"], ["a", None]]))
    assert all(map(isnan, label.interval(["a"], ["a"])))
    wide, narrow = (label.interval(*labels_of(1, n)) for n in (30, 1000))
    assert wide[0] < label.kappa(*labels_of(1, 30)) < wide[1]
    assert narrow[1] - narrow[0] < wide[1] - wide[0]


def fill(path, by, modes, given=None):
    s = session(path, by, given=given)
    for mode in modes:
        s.label(mode)
    return path


def test_kappas_are_told_within_the_grades(tmp_path):
    """All six flatter: the grade settles half of it."""
    one = fill(tmp_path / "a.jsonl", "ann", [1, 3, 2, 4, 1, 5])
    two = fill(tmp_path / "b.jsonl", "ben", [2, 3, 1, 5, 1, 4])
    found = label.agreement(label.merge([one, two]).runs)
    kappas = found.pairs["ann", "ben"]
    assert [(k.n, k.same) for k in kappas.values()] == [(3, 1), (3, 1), (6, 2)]
    assert kappas["within success"].value == pytest.approx(-0.5)
    assert "kappa, within failure" in repr(found) and "where ann said" in repr(found)
    three = fill(tmp_path / "c.jsonl", "eve", [1, 3, 2, 4])
    assert set(label.agreement(label.merge([one, two, three]).runs).alphas) == set(kappas)


# merging
def test_files_are_merged_and_disagreements_adjudicated(tmp_path):
    one = fill(tmp_path / "a.jsonl", "ann", [1, 3, 2, 4])
    two = fill(tmp_path / "b.jsonl", "ben", [1, 5, 2, 6])
    merged = label.merge(tmp_path / "*.jsonl")
    assert (len(merged.marks), merged.conflicts, dict(merged.refused)) == (8, (), {})
    longer = label.merge([fill(tmp_path / "more" / "z.jsonl", "zoe", [1, 3, 2, 4, 1]), two, one])
    assert [line[:3] for line in repr(longer).splitlines()] == ["ann", "ben", "zoe"]
    assert [key[0] for key in label.disagreements(merged.runs)] == ["r1", "r3"]
    s = session(tmp_path / "agreed" / "x.jsonl", "ann and ben", between=[one, two])
    assert len(s.order) == 2 and s.label(3).startswith("An agreed label needs its reason")
    s.note("read again")
    s.label(5)
    final = label.settled(merged.runs, s.labelled)
    found = {"r0": "true positive", "r1": "hallucination", "r2": "false positive"}
    assert {m.id: m.label for m in final} == found


def test_two_files_of_one_annotator_are_never_mixed(tmp_path):
    """A copy counts once; where they differ neither counts, and it is said."""
    one = fill(tmp_path / "a.jsonl", "ann", [1, 3])
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(one.read_bytes())
    fill(one, "ann", [2, 4])
    merged = label.merge(tmp_path)
    assert (len(merged.marks), merged.copies, merged.conflicts) == (4, 1, ())
    other = fill(tmp_path / "other.jsonl", "ann", [1, 5])
    merged = label.merge([one, copy, other])
    found = {"r0": "true positive", "r2": "false positive", "r3": "search result error"}
    assert {m.id: m.label for m in merged.marks} == found
    (conflict,) = merged.conflicts
    assert conflict.startswith("run r1: 'ann' says reasoning error and hallucination in different")
    assert one.read_bytes() and "conflict: run r1" in repr(merged)


def test_two_files_that_were_made_one_keep_every_label(tmp_path):
    """Numbers come twice where git or a hand put one annotator's files together."""
    path, modes = fill(tmp_path / "a.jsonl", "ann", [1, 3]), [1, 3, 2, 5]
    other = fill(tmp_path / "b.jsonl", "ann", modes).read_bytes().splitlines(keepends=True)
    more = b"".join(other[2:]).replace(b'"seq":3', b'"seq":1').replace(b'"seq":4', b'"seq":2')
    path.write_bytes(path.read_bytes() + more)
    s = session(path, "ann")
    s.goto(1)
    s.note("x")
    s.undo()  # what stands about the first run is told anew
    told = {f"r{i}": label.MODES[mode - 1] for i, mode in enumerate(modes)}
    for found in (s.labelled, label.merge(path).marks):
        assert {mark.id: mark.label for mark in found} == told


GOOD = '{"seq": 1, "by": "ann", "event": "label", "id": "r0", "digest": "d", "label": "true positive"}\n'
HOSTILE = {  # what a single event may not say, test_records tries at every place of it
    "a pickle": b"\x80\x04cos\nsystem\n(S'touch /tmp/owned'\ntR.",
    "a zip bomb": b"PK\x03\x04" + b"\x00" * 5000 + b"\n",
    "utf-16": GOOD.encode("utf-16"),
    "deep objects": b'{"a":' * 1_000_000 + b"\n",
    "deep sample": b'{"seq":1,"by":"x","event":"sample","sample":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001 + b"\n",
    "a huge number": b'{"seq": ' + b"9" * 100_000 + b', "by": "x", "event": "undo"}\n',
    "a long line": b'{"by": "' + b"x" * 2_000_000 + b'"}\n',
    "nobody": b'{"seq": 1, "by": "  ", "event": "undo"}\n',
    "a mode of its own": GOOD.replace("true positive", "brilliant").encode(),
    "an event like a method": GOOD.replace('"event": "label"', '"event": "__class__"').encode(),
    "a later schema": GOOD.replace('"seq"', '"schema": 2, "seq"', 1).encode(),
    "one bad line among good ones": (GOOD * 3 + "oops\n" + GOOD).encode(),
    "runs, not labels": json.dumps(rl.store.dump(WRONG)).encode() + b"\n",
    "a control character": b'{"seq": 1, "by": "x\x00", "event": "undo"}\n',
}  # fmt: skip


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_refused_with_a_reason_and_the_others_count(tmp_path, what):
    (tmp_path / "bad.jsonl").write_bytes(HOSTILE[what])
    (tmp_path / "good.jsonl").write_text(GOOD, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a file without a last line end is torn as well
        merged = label.merge(tmp_path)
    [(path, why)] = merged.refused.items()
    assert path.endswith("bad.jsonl") and why.startswith("bad.jsonl") and len(why) < 400
    assert [m.by for m in merged.marks] == ["ann"]


def test_a_file_too_large_a_folder_and_a_missing_one_are_refused(tmp_path):
    with (tmp_path / "big.jsonl").open("wb") as file:
        file.truncate(100 << 20)  # sparse: it takes no disk
    (tmp_path / "folder.jsonl").mkdir()
    names = ("big.jsonl", "none.jsonl", "folder.jsonl/x")
    merged = label.merge([tmp_path / name for name in names])
    assert len(merged.refused) == 3 and "64 MB" in repr(merged)


def test_names_and_ids_are_never_paths(tmp_path):
    """`../` in whatever a file says leads nowhere: nothing of it is opened or written."""
    row = {**json.loads(GOOD), "by": "../../x", "id": "../../y", "note": "../z"}
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    marks = label.merge(tmp_path / "in").marks
    label.export(marks, tmp_path / "out" / "all.csv")
    made = sorted(p.name for p in tmp_path.rglob("*") if p.is_file())
    assert made == ["a.jsonl", "all.csv"]


# crashes and company
TYPIST = """
import sys
from test_label import session
s = session(sys.argv[1])
for key in sys.stdin:
    eval("s." + key)
    print(s.file.seq, flush=True)
"""


def typist(path):
    """A session in a process of its own, which does each key that it is told and says so."""
    pipes, here = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}, Path(__file__).parent
    return subprocess.Popen([sys.executable, "-c", TYPIST, path], **pipes, text=True, cwd=here)


@pytest.mark.parametrize("kill_after", (0, 4))
def test_what_was_acknowledged_is_there_after_kill_9(tmp_path, kill_after):
    path = tmp_path / "me.jsonl"
    child = typist(path)
    keys = ["label(1)", "label(3)", "note('x')", "undo()", "redo()", "step(2)", "defer()"] * 3
    for key in keys[:kill_after]:
        child.stdin.write(f"{key}\n")
        child.stdin.flush()
        acknowledged = int(child.stdout.readline())
    child.stdin.write("\n".join(keys[kill_after:]) + "\n")  # more keys are under way
    child.stdin.flush()
    child.kill()
    child.wait()
    child.stdin.close()
    child.stdout.close()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a line may have been torn; it was not acknowledged
        stored = read(path) if path.exists() else []
        assert len(stored) >= (acknowledged if kill_after else 0)
        assert [e.seq for e in stored] == list(range(1, len(stored) + 1))
        s = session(path)
        s.label(s.modes[0])
    assert len(read(path)) == len(stored) + 1


def test_two_writers_of_one_file_lose_nothing_while_it_is_read(tmp_path):
    path = tmp_path / "me.jsonl"
    with typist(path) as child, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the last line may be half written, or be waited for
        child.stdin.write("note('x')\n" * 60)
        child.stdin.close()
        assert child.stdout.readline()
        s = session(path)
        for _ in range(60):
            s.note("x")
            read(path)
        assert child.wait(120) == 0
    assert [e.seq for e in read(path)] == list(range(1, 121))


def test_two_sessions_on_one_file_see_each_other(tmp_path):
    one, two = session(tmp_path / "me.jsonl"), session(tmp_path / "me.jsonl")
    one.label(1)
    two.next()
    two.label(3)
    assert len(two.labelled) == 2 and two.undo() == "Undo: reasoning error"
    assert one.undo() == "Undo: true positive" and one.ledger.marks == {}
    (tmp_path / "me.jsonl").write_bytes(b"")
    with pytest.raises(OSError, match="was cut or taken away"):
        one.note("x")


# suggestions, evidence
LOST = ("I need Ada.", "Search[Ada]", "Could not find Ada. Similar: [].")
AGAIN = [("a", "Lookup[x]", "(Result 1 / 2) x y."), ("b", "Lookup[x]", "(Result 2 / 2) x z."), END]
GUESS = ("Ada Smith was born in 1850 in Hull.", "Finish[Ada Smith]", "")


@pytest.mark.parametrize(("run", "mode"), [
    (RIGHT, "true positive"), (react(*READ, GUESS, answer="Ada Smith"), "false positive"),
    (react(*[LOST] * 3, answer=None, end="step_limit"), "reasoning error"), (react(*AGAIN, answer="x"), "reasoning error"),
    (react(LOST, ("Look.", "Lookup[born]", "No more results."), END), "search result error"),
    (react(READ[0], ("So it is Eve.", "Finish[Eve Brown]", ""), answer="Eve Brown"), "hallucination"),
    (react(*READ, END, answer="the painter Ada Smith"), "label ambiguity"),
    # thoughts without acts are compared with the encyclopedia
    (cot("Ada Smith was born in 1850. Bob Jones was born in 1911."), "hallucination"),
    (cot("Ada Smith was born in 1901. Bob Jones was born in 1911. So Bob Jones is older."), "reasoning error"),
    (cot("It is her.", answer="Ada"), "label ambiguity"),
    (cot("Ada Smith was born in 1901 and Bob Jones in 1911.", answer="Ada Smith"), "true positive"),
    (cot("Ada Smith was born in 1850.", answer="Ada Smith"), "false positive"),
])  # fmt: skip
def test_rules_suggest_a_mode_with_a_reason(run, mode):
    found = label.suggest(run, pages=PAGES)
    assert (found.mode, found.by) == (mode, "rules") and found.reason
    assert mode in label.offered(run)


def test_without_a_grade_nothing_is_suggested_and_the_bundled_pages_do():
    assert label.suggest(replace(WRONG, task=replace(TASK, gold=None))) is None
    assert label.suggest(cot("Nobody knows.")).mode == "reasoning error"


@pytest.mark.parametrize("method", ["react", "cot"])
def test_a_reply_that_was_cut_before_its_first_word_shows_no_mode(method):
    def think(ask):
        return rl.types.Reply("", why="length")

    run = rl.run(method, TASK, rl.models.scripted(think), world=rl.envs.Wiki(PAGES))
    found = label.suggest(run)
    assert found.mode == "none of these" and "max_tokens" in found.reason
    said = replace(run, steps=(Step(None, None, None, raw="I think"),))
    assert label.suggest(said).mode in label.offered(said)
    empty = label.suggest(replace(run, steps=(), flags=(), end="unreadable"))
    assert empty.mode == "none of these" and empty.reason == "it has no step that could be read"


def test_a_suggestion_comes_after_the_label_and_never_before(tmp_path):
    s = session(tmp_path / "me.jsonl", given=[WRONG, WRONG], suggestions=True)
    assert "rules" not in s.said + s.last
    s.label(3)
    assert s.last.startswith("Run 1: reasoning error. rules would say")
    quiet = session(tmp_path / "q.jsonl")
    quiet.label(1)
    assert "rules" not in quiet.last


def test_a_calibration_round_gives_feedback_and_stays_apart(tmp_path):
    s = session(tmp_path / "gold.jsonl", "teacher")
    s.note("both dates are on the pages")
    s.label(1)
    s.label(5)
    s = session(tmp_path / "me.jsonl", gold=tmp_path / "gold.jsonl")
    assert len(s.order) == 2
    assert s.label(1).endswith("Read what was agreed, and why; → goes on")
    assert "Calibration: as agreed. both dates are on the pages" in s.last
    assert (s.at, s.agreed) == (0, True)  # it does not go on by itself
    s.next()
    assert s.last == ""
    s.label(3)
    assert "agreed was hallucination" in s.last and s.score == (1, 2) and not s.agreed
    assert not session(tmp_path / "me.jsonl").labelled
    assert not label.merge(tmp_path / "me.jsonl").marks


def test_evidence_names_the_sentence_used_and_what_stands_nowhere():
    assert claims("It was Paris in 1889. I need to search Rome.") == {"paris", "1889"}
    run = react(*READ, ("Ada Smith, the painter born in 1901, lived in Hull.", "Finish[x]", ""))
    assert Evidence(run).origins[2] == (1, 0, ("hull",))
    told = next(Evidence(run).pieces(["Leeds"]))
    assert "".join(text for text, _ in told) == ADA
    assert {kind: text for text, kind in told}["answer"] == "Leeds"
    used = "Ada Smith was an English painter, born in 1901."
    assert [text for text, kind in told if kind == "used"] == [used]
    looked = react(("a", "Lookup[miner]", "(Result 1 / 1) Bob Jones was a Miner."))
    assert [p for p in next(Evidence(looked).pieces(["no"])) if p[1]] == [("Miner", "lookup")]
    thought = ("Ada Smith, the painter born in 1901.", "Finish[x]", "")
    again = ("Who?", "Lookup[who]", f"(Result 1 / 1) {used}")  # it was read on its page
    told, shown = list(Evidence(react(READ[0], again, thought)).pieces([]))[:2]
    assert (used, "used") in told and not any(kind for _, kind in shown)


@given(text=st.text(max_size=60), marks=st.lists(st.text(max_size=4), max_size=3))
def test_pieces_are_the_text(text, marks):
    run = react(("t", "Lookup[a]", text))
    (told,) = Evidence(run).pieces(marks)
    assert "".join(piece for piece, _ in told) == text


def test_marks_do_not_mind_case_and_the_last_of_two_wins():
    run = react(("t", "Lookup[İzmir bay]", "İZMİR BAY. The Bay of İzmir bay."))
    (told,) = Evidence(run).pieces(["bay"])
    assert [text for text, kind in told if kind == "answer"] == ["BAY", "Bay", "bay"]
    assert [text for text, kind in told if kind == "lookup"] == ["İZMİR ", "İzmir "]


# results
def marks_of(tmp_path, given=None):
    s = session(tmp_path / "marks.jsonl", given=given)
    for mode in (1, 3, 2, 5, 1, 3):
        s.step(2)
        s.note("=HYPERLINK(0)")
        s.label(mode)
    return s.labelled


def test_table_2_counts_within_the_groups(tmp_path):
    table = {(s.method, s.mode): s for s in label.shares(marks_of(tmp_path))}
    right, made_up = table["react", "true positive"], table["react", "hallucination"]
    assert (right.right, right.n, made_up.right, made_up.n, made_up.paper) == (2, 3, 1, 3, 0)
    assert table["cot", "search result error"].paper is table["cot", "hallucination"].rate is None
    share = table["react", "reasoning error"]
    assert (share.low, share.high) == stats.wilson(2, 3)


def test_where_it_first_goes_wrong_and_the_pace(tmp_path):
    marks = marks_of(tmp_path)
    assert label.first_wrong(marks) == {2: 6}
    assert label.per_hour([replace(m, ms=60_000) for m in marks]) == 60
    assert label.per_hour([replace(marks[0], ms=10**9)]) == 6 and label.per_hour([]) is None


def test_exports(tmp_path):
    marks = marks_of(tmp_path)
    text = label.export(marks, tmp_path / "x.csv").read_text(encoding="utf-8")
    assert "HYPERLINK" in text and ",=" not in text and ',"=' not in text  # no cell is a formula
    with pytest.raises(ValueError, match=r"go to a \.csv file; .*table2"):
        label.export(marks, tmp_path / "x.tex")


def test_a_line_refused_in_the_middle_counts_nothing_twice(tmp_path):
    session = label.Session([WRONG], tmp_path / "me.jsonl", by="me")
    session.note("one")
    good = (tmp_path / "me.jsonl").read_bytes()
    with (tmp_path / "me.jsonl").open("ab") as file:
        file.write(good.replace(b'"seq":1', b'"seq":2') + b'{"seq": "three"}\n')
    for _ in range(2):
        with pytest.raises(ValueError, match="line 3"):
            session.file.catch_up()
    assert list(session.ledger.entries) == [1]
