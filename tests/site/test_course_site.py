"""The static site as a student meets it: every page, the network cut, by keyboard, on a phone."""

import itertools
import json
import random
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest
from shut_out import grave
from tabs import told_as_a_file
from test_display import PAYLOADS
from test_site import Seen
from website.build import write_assets
from website.runs import Set, sets, write_labels, write_runs

from react_lab import data, label, store
from react_lab.label import merging
from react_lab.label.failure_modes import Sample
from react_lab.label.session import Session, picture, run_in_sight
from react_lab.lessons import lesson_06
from react_lab.teach import reports
from react_lab.types import Step, Task, Trajectory
from react_lab.widgets.explorer import BY, Query, chosen, found, rows_of
from react_lab.widgets.run_view import run_view

pytestmark = pytest.mark.site
READY = {"runs/index.html": ".rl-explorer", "runs/player.html": ".rlp-player"}
TABLE = """async (set) => {
    const [{ Table }, m] = [await import('/assets/table.js'), await import('/assets/runs.js')];
    window.table = new Table(await m.rows(set), () => m.lines(set));
}"""


def pages(site):
    """But those of the live tab, which has tests of its own."""
    found = sorted(path.relative_to(site.folder).as_posix() for path in site.folder.rglob("*.html"))
    return [path for path in found if not path.startswith("live/")]


def named(name):
    """The runs of a set."""
    return next(one.runs for one in sets() if one.name == name)


LOADING = ("script", "link", "img", "iframe", "source")
BARRED = ("style", "iframe", "object", "embed", "base")


def read(path):
    """What a page leads to, loads, names, and must not have."""
    tags = Seen(path.read_text(encoding="utf-8")).tags
    return SimpleNamespace(
        links=[given["href"] for tag, given in tags if tag == "a" and given.get("href")],
        loads=[given.get("src") or given.get("href", "inline") for tag, given in tags if tag in LOADING],
        names={given.get("id") for _, given in tags},
        faults=[tag for tag, given in tags if tag in BARRED or [n for n in given if n == "style" or n[:2] == "on"]],
    )  # fmt: skip


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_outside(site):
    seen = {path: read(site.folder / path) for path in pages(site)}
    assert len(seen) >= 16
    for path, page in seen.items():
        assert page.faults == [] and "inline" not in page.loads, path
        here = (site.folder / path).parent
        for target in page.links + page.loads:
            parts = urlsplit(target)
            if parts.scheme:
                assert parts.scheme in ("http", "https") and target in page.links, (path, target)
                continue
            there = (here / unquote(parts.path)).resolve() if parts.path else site.folder / path
            assert there.is_file(), (path, target)
            if parts.fragment:
                name = there.relative_to(site.folder.resolve()).as_posix()
                assert parts.fragment in seen[name].names, (path, target)


@pytest.mark.parametrize("width", [400, 1000])
def test_every_page_works_with_the_network_cut_and_on_a_phone(site, visit, width):
    tab = visit(site, width=width)
    for path in pages(site):
        page = tab.open(path)
        if path in READY:
            page.locator(READY[path]).wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        rules = page.locator("meta[http-equiv='Content-Security-Policy']").get_attribute("content")
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in rules
        assert "unsafe" not in rules and "http" not in rules


# ---------------------------------------------------------------------- the course
def test_a_student_predicts_answers_and_hands_in_by_keyboard_alone(site, visit, tmp_path):
    tab = visit(site)
    page = tab.open("course/01_four_ways_to_prompt.html")
    guess = page.locator("[data-ask='predict']").first
    page.locator("[data-ask='recall']").get_by_text("You made none").wait_for()
    guess.locator("input").first.focus()
    for key in ("ArrowDown", "Tab", "Enter"):
        page.keyboard.press(key)
    guess.get_by_text("Your prediction: Chain-of-Thought").wait_for()
    page.locator("[data-ask='recall']").get_by_text("You said: Chain-of-Thought").wait_for()
    page.locator("[data-ask='recall']").get_by_text("It came out").wait_for()
    question = page.locator("[data-ask='choice']").first
    question.locator("input").first.focus()
    for key in ("Space", "Tab", "Enter"):
        page.keyboard.press(key)
    question.locator(".why:visible").wait_for()
    page.locator(".score").get_by_text("1 of").wait_for()
    page.locator("[data-hint='1'] summary").first.focus()
    page.keyboard.press("Enter")
    page.locator("[data-hint='1'][open] p").first.wait_for()
    page.reload()
    guess.get_by_text("Your prediction: Chain-of-Thought").wait_for()
    report = page.locator("[data-ask='report']")
    report.get_by_label("Your name").fill("Ann Lee")
    page.keyboard.press("Tab")
    path = tab.download(lambda: page.keyboard.press("Enter"), tmp_path)
    read = reports.read(path)
    assert path.name == "01-Ann-Lee.json"
    assert [(p.key, p.said) for p in read.predictions] == [("worst", "Chain-of-Thought")]
    assert read.exercises[0].hints == 1 and read.exercises[0].number == "1.1"
    assert read.quiz[0].option and read.quiz[0].right is not None and read.quiz[1].right is None
    table = reports.collect(tmp_path)
    assert table.remarks == () and list(table.table["by"]) == ["Ann Lee"]
    report.get_by_role("button", name="Forget").click()
    guess.get_by_text("none yet").wait_for()


def test_every_prediction_quiz_report_and_player_of_the_notebooks_is_in_the_pages(site):
    led = [path for path in pages(site) if "run=notebooks:" in (site.folder / path).read_text()]
    assert len(led) >= 5
    for path in sorted((data.project() / "notebooks").glob("[0-9]*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
        page = (site.folder / "course" / f"{path.stem}.html").read_text(encoding="utf-8")
        for call in ("predict", "recall", "help", "report"):
            asked = sum(f"lesson.{call}(" in source for source in code)
            assert page.count(f'data-ask="{call}"') == asked, (path.stem, call)
        assert ("data-quiz" in page) == any("lesson.quiz()" in source for source in code)


# ---------------------------------------------------------------------- the runs
def test_the_player_shows_what_the_package_shows(site, visit):
    """Each piece is put together again: the same prompt, world and steps."""
    page = visit(site).open("runs/index.html")
    for one in sets():
        runs = one.runs
        for number in sorted({1, len(runs) // 2 + 1, len(runs)}):
            sight = "([set, n]) => import('/assets/runs.js').then((m) => m.sight(set, n))"
            told = page.evaluate(sight, [one.name, number])
            assert told == json.loads(json.dumps(run_view(runs[number - 1]))), (one.name, number)


def test_the_table_filters_searches_and_sorts_as_in_the_notebook(site, visit):
    page = visit(site).open("runs/index.html")
    runs = named("comparison/multihop-tuned")
    rows = rows_of(runs, list(map(str, merging.readers(data.folder("labels")))))
    page.evaluate(TABLE, "comparison/multihop-tuned")

    def shown(given, do="table.ask(given)"):
        code = f"async (given) => {{ table.clear(); await {do}; return table.shown(); }}"
        return page.evaluate(code, given)

    def mine(**asked):
        return [rows[place].number for place in chosen(rows, Query(**asked))]

    for by, down in itertools.product(BY, (False, True)):
        assert shown({"by": by, "down": down}) == mine(by=by, down=down), (by, down)
    wrong = {"method": "react", "grade": "wrong"}
    for only in (wrong, {"flag": "repeated"}, {"flag": "no flag", "end": "finished"}):
        assert shown({"only": only}) == mine(only=only) != []
    assert shown("Denmark", "table.search(given)") == sorted(found(runs, "Denmark")) != []
    for n, seed in ((1, 0), (5, 7), (20, 0), (20, -3), (90, 2**32 + 5), (len(rows) + 1, 2**53 - 1)):
        got = shown({"sample": [n, seed]})
        assert got == mine(sample=(n, seed)) and len(got) == min(n, len(rows)), (n, seed)


def test_browse_compare_and_download_by_keyboard(site, visit, tmp_path):
    tab = visit(site)
    page = tab.open("runs/index.html?set=comparison/multihop-tuned")
    page.locator(".rl-grid").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_text("Run 2 is open below").wait_for()
    page.locator(".rl-grid").focus()
    for key in ("Space", "ArrowDown", "Space"):
        page.keyboard.press(key)
    page.get_by_text("2 ticked").first.wait_for()
    page.keyboard.press("c")
    page.get_by_text("stands below on the left").wait_for()
    page.locator(".rlp-two").wait_for()
    two = tab.download(page.get_by_role("button", name="Download the 2 ticked").click, tmp_path)
    assert list(store.open(two)) == [named("comparison/multihop-tuned")[i] for i in (1, 2)]
    page.get_by_role("link", name="in a page of their own").click()
    page.locator(".rlp-two").wait_for()


def test_another_run_of_the_same_question_stands_beside(site, visit):
    tab = visit(site)
    page = tab.open("runs/player.html?run=comparison/multihop-tuned:1")
    page.locator(".rlp-player").wait_for()
    other = page.locator("#other option[value]:not([value=''])").first.get_attribute("value")
    page.locator("#other").select_option(other)
    page.locator(".rlp-two").wait_for()
    assert f"%3A{other}" in page.url or f":{other}" in page.url
    page.locator("#other").select_option("")
    page.get_by_label("Run").last.fill("7")
    page.keyboard.press("Enter")
    page.wait_for_url("**multihop-tuned**7")
    tab.clean()
    page = tab.open("runs/player.html?run=..%2F..%2Fetc:1")
    page.get_by_text("there is no such set of runs").wait_for()


# ---------------------------------------------------------------------- labels
def test_labels_given_in_the_page_merge_with_the_packages_own(site, visit, tmp_path):
    tab = visit(site)
    page = tab.open("label/index.html")
    page.get_by_label("Your name").fill("Ann")
    for key in ("Tab", "Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    page.locator(".rl-labeller:focus").wait_for()
    for key in ("s", "1", "3"):  # sound; one of the two modes is offered, and goes on
        page.keyboard.press(key)
    page.get_by_text("run 2 of").wait_for()
    page.reload()
    page.get_by_label("Your name").fill("Ann")
    page.keyboard.press("Enter")
    page.get_by_text("1 label that counts is in Ann.jsonl").wait_for()
    page.get_by_text("run 2 of").wait_for()
    mine = tab.download(page.get_by_role("button", name="Download my labels").click, tmp_path)
    merged = label.merge([mine, *merging.readers(data.folder("labels"))])
    (mark,) = [mark for mark in merged.marks if mark.by == "Ann"]
    run = merging.drawn(data.folder("labels"))[0]
    assert not merged.refused and (mark.id, mark.digest) == (run.id, store.digest(run))
    assert mark.sound is True and mark.blind and mark.label in label.offered(run)
    assert label.agreement(merged.runs) is not None


def test_the_runs_of_a_labelling_party_are_those_of_the_notebook(site, visit):
    page = visit(site).open("label/index.html")
    page.get_by_label("Your name").fill("Ben")
    page.get_by_label("Only the ten runs of a labelling party").check()
    page.get_by_role("button", name="Begin, or go on").click()
    first, *_ = lesson_06.labelled().for_class
    page.get_by_text("run 1 of 10").wait_for()
    page.locator(".rl-labeller").get_by_text(first.task.text).first.wait_for()


@pytest.mark.parametrize("blind", [True, False])
def test_any_keys_do_in_the_page_what_they_do_in_the_package(site, visit, tmp_path, blind):
    page = visit(site).open("label/index.html")
    page.evaluate(
        """async (blind) => {
            const [{ Session }, set] = await Promise.all([import('/assets/session.js'), fetch('/label/set.json').then((r) => r.json())]);
            window.kept = [];
            window.opened = () => new Session(set, { lines: () => kept, add: (line) => kept.push(line) }, 'Ann', blind);
            window.session = opened();
        }""",
        blind,
    )
    mine = Session(merging.drawn(data.folder("labels")), tmp_path / "Ann.jsonl", "Ann", blind=blind)
    pick = random.Random(19)
    keys = ["sound", "unsound", *3 * ["label"], *2 * ["step"], "note", "defer", "override"]
    keys += [*2 * ["undo"], "redo", "next", "back", "filter"]
    given = {
        "label": lambda: pick.randint(1, 6), "step": lambda: pick.randint(0, 5),
        "note": lambda: pick.choice(["", "odd\u202e\x07", "<b>x</b>\r\ny"]),
        "filter": lambda: pick.choice(["", "open", "deferred", "method:react", "hallucination", "the", "zzz"]),
    }  # fmt: skip
    script = [(key, *([given[key]()] if key in given else [])) for key in pick.choices(keys, k=400)]
    press = "([key, ...more]) => { session[key](...more); return [session.view, session.sight]; }"
    seen = page.evaluate(f"(script) => script.map({press})", script)
    for (key, *more), (view, there) in zip(script, seen, strict=True):
        getattr(mine, key)(*more)
        told = json.loads(json.dumps(picture(mine) | {"per_hour": view["per_hour"]}))
        assert view == told, (key, more)
        assert there == json.loads(json.dumps(run_in_sight(mine)))
    done = page.evaluate("() => { window.session = opened(); return session.view.done; }")
    assert done == picture(mine)["done"]
    text = page.evaluate("kept.join('\\n') + '\\n'")
    (tmp_path / "page.jsonl").write_text(text, encoding="utf-8", newline="\n")
    theirs, ours = (
        {(m.id, m.label, m.step, m.note, m.sound, m.override, m.blind) for m in marks}
        for marks in (label.merge(tmp_path / "page.jsonl").marks, mine.labelled)
    )
    assert theirs == ours


# ---------------------------------------------------------------------- hostile text
def hostile(payload, i):
    task = Task(f"q{i}", "multihop", f"{payload} asks?", gold=payload)
    first, last = (Step(payload, f"{act}[{payload}]", payload) for act in ("Search", "Finish"))
    steps = (first, Step(None, None, None, raw=payload), last)
    told = {"steps": steps, "answer": payload, "end": "finished", "error": payload}
    return Trajectory(f"{i:016x}", task, "react", payload, **told)


@pytest.fixture
def infected(site, tmp_path):
    """A site whose every run is hostile."""
    runs = [hostile(payload, i) for i, payload in enumerate(PAYLOADS)]
    path = tmp_path / "hostile.jsonl"
    for run in runs:
        store.append(path, run)
    folder = tmp_path / "site"
    write_assets(folder)
    write_runs(folder, [Set("hostile/set", PAYLOADS[4], path)])
    write_labels(folder, Sample(tuple(runs), 0, {PAYLOADS[4]: (1, 1)}))
    for name in ("runs/index.html", "runs/player.html", "label/index.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((site.folder / name).read_bytes())
    return folder


ALIEN = "[...document.querySelectorAll('main img, main iframe, main svg, main object, main embed, main video, main audio, main base, main math, main style, main script')].length"


def test_hostile_runs_stay_text_in_the_player_the_table_and_the_labeller(infected, visit):
    tab = visit(infected)
    page = tab.open("runs/index.html")
    page.locator(".rl-row").first.wait_for()
    for number in range(1, len(PAYLOADS) + 1, 6):
        page = tab.open(f"runs/player.html?run=hostile/set:{number}")
        page.locator(".rlp-player").wait_for()
        page.keyboard.press("End")
        assert page.evaluate(ALIEN) == 0
    page = tab.open("label/index.html")
    page.get_by_label("Your name").fill(PAYLOADS[4])
    page.keyboard.press("Enter")
    page.locator(".rl-labeller:focus").wait_for()
    for payload in PAYLOADS:
        page.keyboard.press("s")
        page.keyboard.press("ArrowRight")
    assert page.evaluate(ALIEN) == 0 and page.evaluate("location.pathname") == "/label/index.html"


# ---------------------------------------------------------------------- for everybody
@pytest.mark.parametrize("path", ["index.html", "course/00_start_here.html", *READY, "label/index.html"])  # fmt: skip
def test_opened_as_a_plain_file_a_page_says_what_to_do(site, browser, visit, path):
    said = told_as_a_file(browser, site.folder / path)
    assert "python -m http.server" in said and "localhost" in said
    page = visit(site).open(path)
    assert page.locator(".alarm").count() == page.locator("noscript .alarm").count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_shuts_anybody_out(site, visit, scheme):
    """axe-core, which writes into the page: the rules are off for it alone."""
    tab, faults = visit(site, color_scheme=scheme, bypass_csp=True), []
    for path in ("index.html", "course/index.html", "course/00_start_here.html", "course/06_where_it_fails.html",
                 "course/08_web_shop.html", "runs/index.html", "runs/player.html", "label/index.html"):  # fmt: skip
        page = tab.open(path)
        if path in READY:
            page.locator(READY[path]).wait_for()
        if path.startswith("course/0"):
            page.locator("[data-ask='choice'] input").first.check()
            page.locator("[data-ask='choice'] button").first.click()
            unfold = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
            page.evaluate(unfold)
        if path.startswith("label"):
            page.get_by_label("Your name").fill("Ann")
            page.keyboard.press("Enter")
            page.locator(".rl-labeller").wait_for()
        faults += [(path, *fault) for fault in grave(page)]
    assert faults == []
