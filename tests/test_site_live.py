"""The live tab without a browser: its episodes, its parts, its weights."""

import json
import re

import exercises
import pytest
from website import live
from website.tab import Desk, Known

import react_lab as rl
from react_lab.envs.pages import bundled
from react_lab.envs.wiki import sentences
from react_lab.languages import language
from react_lab.types import EnvError

ABOUT = {
    "name": "small", "sha256": "a" * 64, "context": 3840,
    "adapters": {leg: leg[0] * 64 for leg in ("act", "cot", "react", "standard")},
}  # fmt: skip
SAID = ["I look.\nAction 1: Search[Jaws (film)]", "Done.\nAction 2: Finish[Steven Spielberg]"]


def reply(text):
    spent = {"tokens_in": 10, "tokens_out": 5, "seconds": 1.5, "settings": {"api": "wllama"}}
    return {"text": f" {text}", "why": "stop", **spent}


class Page:
    """A page that answers each ask with the next text."""

    def __init__(self):
        self.desk = Desk(json.dumps(ABOUT))

    def call(self, do, **told):
        return json.loads(self.desk.handle(json.dumps({"do": do, **told})))

    def play(self, view, texts):
        for text in texts:
            view = self.call("tell", at=view["at"], reply=reply(text))
        return view

    def ask(self, method="react", text="Who directed Jaws?", kind="multihop", plain=False):
        return self.call("ask", kind=kind, text=text, method=method, plain=plain)

    def runs(self, folder, do="lines", **told):
        (folder / "run.jsonl").write_text(self.call(do, **told)["text"], encoding="utf-8")
        return rl.store.open(folder / "run.jsonl")


def test_the_loop_runs_on_known_replies_and_stops_at_what_it_lacks():
    page = Page()
    view = page.ask()
    assert view["ask"]["prompt"] == "Question: Who directed Jaws?\nThought 1:"
    assert view["ask"]["cue"] == "Thought 1:" and view["steps"] == [] and view["end"] is None
    view = page.play(view, SAID[:1])
    assert view["steps"][0]["observation"].startswith("Jaws is an American thriller")
    assert view["ask"]["prompt"].endswith("\nThought 2:")
    view = page.play(view, SAID[1:])
    end = view["end"]
    told = [end[name] for name in ("end", "answer", "calls", "seconds")]
    assert told == ["finished", "Steven Spielberg", 2, 3.0] and view["ask"] is None


def test_a_run_is_the_one_that_the_package_makes(tmp_path):
    page = Page()
    page.play(page.ask(), SAID)
    (mine,) = page.runs(tmp_path, ats=[0])
    model = Known(ABOUT, plain=False)

    class Whole:  # the same model, with its replies at hand
        name, tuned, context = model.name, model.tuned, model.context
        identity, texts = staticmethod(model.identity), iter(SAID)

        def complete(self, ask, on_text=None):
            return {0: rl.types.Reply(f" {next(self.texts)}", "stop", 10, 5, {"api": "wllama"})}

    theirs = rl.run("react", rl.tasks.question("Who directed Jaws?"), Whole())
    assert (mine.id, mine.steps, mine.settings) == (theirs.id, theirs.steps, theirs.settings)
    assert mine.settings["identity"] == {"react": f"small {'a' * 16} adapter={'r' * 16}"}


def test_an_edited_thought_goes_on_as_another_run(tmp_path):
    page = Page()
    first = page.play(page.ask(), SAID)
    edited = page.call("edit", at=first["at"], step=2, thought="I look for the book.")
    assert edited["ask"]["prompt"].endswith("Thought 2: I look for the book.\nAction 2:")
    done = page.play(edited, ["Finish[Peter Benchley]"])
    assert done["end"]["answer"] == "Peter Benchley" and done["end"]["parent"] == first["end"]["id"]
    assert done["steps"][1]["human"] == ["thought"]
    act = page.call("edit", at=first["at"], step=1, action="Search[Quokka]")
    assert "quokka" in act["steps"][0]["observation"].lower()
    assert len(page.runs(tmp_path, ats=[0, 1, 2])) == 2  # the third still waits


def test_stop_and_a_broken_model_end_the_run_with_what_there_is():
    page = Page()
    with pytest.raises(AttributeError):  # a message of no known kind runs nothing
        page.call("added", episode=1)
    view = page.play(page.ask(), SAID[:1])
    assert page.call("edit", at=0, step=1, thought="x")["wrong"] == "it still runs: stop it first"
    stopped = page.call("stop", at=view["at"], seconds=2)
    assert stopped["end"]["end"] == "cancelled" and len(stopped["steps"]) >= 1
    broken = page.call("stop", at=page.ask()["at"], fault="out of memory")
    assert (broken["end"]["end"], broken["end"]["error"]) == ("error", "out of memory")


@pytest.mark.parametrize("method", ["react", "act", "cot", "standard"])
def test_each_method_takes_its_adapter_and_the_plain_model_takes_none(method):
    page = Page()
    legs = sorted(ABOUT["adapters"])
    tuned, plain = page.ask(method), page.ask(method, plain=True)
    assert tuned["ask"]["scales"] == [float(leg == method) for leg in legs]
    assert plain["ask"]["scales"] == [0.0] * 4
    assert len(plain["ask"]["prompt"]) > len(tuned["ask"]["prompt"]) + 300  # it is shown examples


def test_a_claim_is_judged_and_a_demo_has_its_gold():
    page = Page()
    text = page.call("offers")["claims"][0]
    done = page.play(page.ask("standard", text, "claims"), ["REFUTES"])
    assert done["end"]["gold"] == "SUPPORTS" and done["end"]["right"] is False
    assert page.ask(text="  ")["wrong"] == "Type a question or a claim first."


def test_games_and_goals_are_played_by_hand(tmp_path):
    page = Page()
    game = page.call("games", kind="household", split="unseen")[0]
    begun = page.call("play", kind="household", split="unseen", id=game["id"])
    act = begun["view"]["acts"][0]
    seen = page.call("act", line=act, ack="1")
    assert seen["ack"] == "1" and seen["lines"][0][0] == act
    assert page.runs(tmp_path, "played")[0].steps[0].human == ("action",)
    goal = page.call("games", kind="shop", split="dev")[0]
    view = page.call("play", kind="shop", split="dev", id=goal["id"])["view"]
    assert "search" in view["opening"].lower()


# ---------------------------------------------------------------------- what it is built from
def test_the_package_in_the_tab_is_what_it_needs_and_sentences_are_cut_before_as_now(monkeypatch):
    names = {name.removeprefix("react_lab/") for name, _ in live.our_code()}
    assert {"widgets/by_hand.py", "languages/words/zh.toml"} <= names
    assert not [name for name in names if name.startswith(("evaluation/", "apps/table1", "_data/"))]
    texts = [row["text"] for row in bundled().rows.values() if "text" in row][::20]
    now = [sentences(text) for text in texts]
    known = live.cuts()
    monkeypatch.setattr(language, "cuts", lambda: known)
    monkeypatch.setattr(language, "cut_of", lambda text: pytest.fail("cut again"))
    assert [sentences(text) for text in texts] == now


def test_a_part_that_is_not_the_pinned_one_is_refused_and_sizes_are_said(tmp_path, monkeypatch):
    def download(part, folder):
        (folder / "other.whl").write_bytes(b"something else")
        return folder / "other.whl"

    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path))
    assert [part.name for part in live.missing_parts()] == [*live.PARTS]
    part = live.PARTS["msgspec"]
    monkeypatch.setattr(live, "download_wheel", download)
    wrong = "what came is not msgspec 0.22.0 .sha256 .*ask who runs the mirror"
    with pytest.raises(EnvError, match=wrong):
        live.fetch_by_pip(part)
    assert not part.path.exists()
    said = []
    for name in ("fetch_from_npm", "fetch_by_pip"):
        monkeypatch.setattr(live, name, lambda part: said.append(part.name))
    live.fetch_parts(said.append)
    first = "To fetch, this once: pyodide 6.5 MB, @wllama/wllama 5.8 MB, msgspec 0.1 MB."
    assert said == [first, *live.PARTS]


def test_the_page_forbids_all_that_is_outside_and_makes_no_tag_of_any_text():
    for name in ("index", "household", "shop"):
        page = (live.HERE / "static" / f"{name}.html").read_text(encoding="utf-8")
        assert "default-src 'none'" in page
        for bad in ("unsafe-inline", "'unsafe-eval'", "http://", "https://"):
            assert bad not in page, (name, bad)
    scripts = [*(live.HERE / "static").glob("*.js")]
    assert len(scripts) >= 6
    makes = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Func"
    for file in scripts:
        assert not re.search(makes, file.read_text(encoding="utf-8")), file.name


def checked(number, code):
    lesson, name = f"{int(number.partition('.')[0]):02}", exercises.NAMES[number]
    return Page().call("check", lesson=lesson, number=number, code=code, answer=name)


@pytest.mark.parametrize("number", exercises.NAMES)
def test_an_exercise_is_checked_as_in_the_notebook(number):
    solution = exercises.lesson_of(number).exercises[number].solution
    assert checked(number, solution)["passed"] is True


@pytest.mark.parametrize("code, said, passed", [
    *((code, "replace the dots", None) for code in ("lines = ...", "x = 1")),
    ("lines = 3", "a list of strings", False), ("1 / 0", "ZeroDivisionError", "wrong"),
    ("def (", "Python cannot read line 1: invalid syntax", "wrong"),
])  # fmt: skip
def test_code_that_is_not_right_is_told_why(code, said, passed):
    found = checked("0.1", code)
    assert said in found.get("text", found.get("wrong")) and found.get("passed", "wrong") == passed
