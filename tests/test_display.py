"""Whatever a model, the web or a user wrote stays text, and reads well without any style."""

import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from unicodedata import east_asian_width

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_lab import display
from react_lab.display import inert, note, show
from react_lab.display.html import BRIEF
from react_lab.prompts import CHAT
from react_lab.support.text import visible
from react_lab.types import ENDS, Step, Task, Trajectory

TASK = Task("q1", "multihop", "Which magazine was started first?", gold="GOLD-CANARY")
STEPS = (
    Step("I need to search.", "Search[Arthur's Magazine]", "A literary periodical."),
    Step("Now I know.", "Finish[Arthur's Magazine]", "Episode finished"),
)
RUN = Trajectory(
    "r1", TASK, "react", "scripted", steps=STEPS, answer="Arthur's Magazine", end="finished",
    calls=2, tokens_in=1200, tokens_out=34, seconds=3.4,
)  # fmt: skip
ALLOWED = {"div", "b", "i", "span", "br", "details", "summary", "table", "tr", "td"}

PAYLOADS = [
    "<script>alert(1)</script>", "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "</div></td></tr></table><script>alert(1)</script>", "<img src=x onerror=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "<img/src=x/onerror=alert(1)>", "<img src=https://evil.example/pixel.png>",
    "<picture><source srcset=https://evil.example/p></picture>", "<svg onload=alert(1)>",
    "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
    "<svg><use href=data:image/svg+xml;base64,PHN2Zz4=#x></svg>",
    "<svg><foreignObject><iframe srcdoc='<script>alert(1)</script>'></foreignObject></svg>",
    "<math><mi//xlink:href=data:x,<script>alert(1)</script>>",
    "<math><mtext><table><mglyph><style><img src onerror=alert(1)></style>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<object data=data:text/html,<script>alert(1)</script>></object>", "<body onload=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<textarea autofocus onfocus=alert(1)></textarea><script>alert(1)</script>",
    "<button formaction=javascript:alert(1)>x</button>", "<details open ontoggle=alert(1)>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<div onpointerenter=alert(1) style=position:fixed;inset:0>x</div>",
    "<a href=javascript:alert(1)>x</a>", "<a href='java&#10;script:alert(1)'>x</a>",
    "<a href=data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==>x</a>",
    "<base href=https://evil.example/>", "<link rel=stylesheet href=https://evil.example/x.css>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<style>@import 'https://evil.example/x.css';</style>",
    "<style>*{background:url(https://evil.example/x)}</style>",
    "<div style='width:expression(alert(1))'>x</div>",
    '" style="background:url(https://evil.example/x)" x="',
    '" onmouseover="alert(1)',
    "; background: url(https://evil.example/x); x:",
    "<button data-commandlinker-command='terminal:create-new'>x</button>",
    '" data-commandlinker-command="console:create" data-commandlinker-args="{}',
    "<div class='jp-Button tex2jax_process mathjax_process' id=main>x</div>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>", "<plaintext>",
    "<!--<img src=x onerror=alert(1)>-->", "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?><script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#x3c;img src=x onerror=alert(1)&#x3e;", "\x00<script\x00>alert(1)</script>",
    "\u202e<script>alert(1)</script>\u202c", "<\u200bscript>alert(1)</script>",
    "\x1b]8;;javascript:alert(1)\x07click\x1b]8;;\x07", "\x1b[2J\x1b[31mred\x9b0m",
    "[x](javascript:alert(1)) ![x](https://evil.example/p.png)", "$\\href{javascript:alert(1)}{x}$",
    "$$\\style{background:url(https://evil.example/x)}{x}$$",
    "\\begin{equation}\\require{html}\\class{x}{y}\\end{equation} \\ref{x}",
    "{{constructor.constructor('alert(1)')()}}",
    "<custom-element onclick=alert(1)>x</custom-element>",
]  # fmt: skip


MARK = "\ue000"  # a harmless text, to be replaced by a hostile one


class Seer(HTMLParser):
    """What a browser would find: the elements with their styles, and the text."""

    def __init__(self, source):
        super().__init__()
        self.tags = []
        self.texts = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        assert tag in ALLOWED
        assert [name for name, _ in attrs] in ([], ["style"])
        self.tags.append((tag, dict(attrs).get("style") or ""))
        self.texts += ["\n"] if tag == "br" else []

    def handle_data(self, data):
        self.texts.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment or a declaration: {data}")

    def handle_decl(self, decl):
        self.handle_comment(decl)

    handle_pi = unknown_decl = handle_comment

    @property
    def text(self):
        return "".join(self.texts)

    @property
    def shape(self):
        """Our own elements. A text may add only bare <br> and <span>."""
        return [tag for tag in self.tags if tag not in (("br", ""), ("span", ""))]


def infected(text, error=None):
    """A run that holds this text wherever somebody else may write."""
    step = Step(text, text, text, human=("thought",), raw=text, repairs=(text,), rescued=True)
    task = Task(text, "multihop", text, text, {"x": text})
    return Trajectory(
        text, task, text, text, {"x": text}, (step, Step(raw=text)), text, 0.5, flags=(f"x{text}",),
        branch=text, votes=(text, text), samples=(text, text), error=error, parent=text,
    )  # fmt: skip


def assert_inert(told, calm, text):
    """`told` differs from `calm` only in that its text stands where the mark stood."""
    seen, expected = Seer(told), Seer(calm)
    assert seen.text == expected.text.replace(MARK, visible(text))
    assert seen.shape == expected.shape


# nothing of it is markup
any_text = st.text(st.characters(exclude_categories=()), max_size=80)
markup = st.lists(st.sampled_from([*PAYLOADS, *"<>&\"'$\\=/ \n\r"]), max_size=8).map("".join)
hostile = st.one_of(any_text, markup, st.text("<>&\"'/=$\\ a\n", max_size=900))
# what RUN says too, and a chat's methods, are told of in another way
OTHERWISE = (*CHAT, RUN.method, RUN.model, RUN.task.text)
brief = hostile.filter(lambda text: text.strip() and len(visible(text)) <= BRIEF)
short = brief.filter(lambda text: text not in OTHERWISE)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_in_every_field_stays_text(payload):
    told, calm = infected(payload, payload), infected(MARK, MARK)
    assert_inert(show(told).html, show(calm).html, payload)
    assert_inert(show([told, RUN]).html, show([calm, RUN]).html, payload)
    told, calm = (replace(run, reward=None, end="finished") for run in (told, calm))
    # now the answer is in the head, too
    assert_inert(show([told, RUN]).html, show([calm, RUN]).html, payload)


@given(short)
def test_no_markup_of_any_text_survives(text):
    told = show([infected(text), RUN])
    assert_inert(told.html, show([infected(MARK), RUN]).html, text)
    told.html.encode("utf-8")  # a lone surrogate would break the notebook's file
    told.text.encode("utf-8")


@given(hostile)
def test_a_long_text_is_folded_and_still_whole(text):
    told, text = Seer(note("Name", text).html).text.removeprefix("Name"), visible(text)
    if len(text) > display.LONG:
        head, _, rest = told.partition("show all (")
        told = head + rest.partition(" more characters)")[2]
    assert told == (text or "(empty)")


@given(hostile)
def test_mathjax_finds_no_delimiter(text):
    """It reads a formula only within one run of text: there each `$` and backslash is alone."""
    for piece in Seer(note("Name", text).html).texts:
        assert piece in ("$", "\\") or not set(piece) & {"$", "\\"}


def test_hidden_characters_are_named():
    assert visible("a\x1b[2Jb\u202ec\r\nd\re") == "a<U+001B>[2Jb<U+202E>c\nd<U+000D>e"
    assert visible("می\u200cخواهم café 日本 👩\u200d🔬\t") == "می\u200cخواهم café 日本 👩\u200d🔬\t"
    assert inert("a\n<b>") == "a<br>&lt;b&gt;"


LABELS = re.compile(r"(Question|Method|Thought|Action|Observation|Answer|Votes|Samples|Error)\b")
forged = st.sampled_from(["Action 2: Finish[no]", "Answer: no", "\n", "\r", "\v", "\x85", "\u2028"])
parts = st.one_of(forged, st.text(max_size=90), st.just(" " * 70))
posing = st.lists(parts, max_size=6).map("".join)


def labels(text):
    """The parts that begin at the left edge."""
    return [found[0] for line in text.split("\n") if (found := LABELS.match(line))]


@given(posing)
def test_only_a_part_of_the_run_begins_a_line(text):
    run = replace(
        RUN, steps=(Step(text, text, text),), answer=text, votes=(text,), samples=(text,),
        error=text, method=text, model=text, parent=text, flags=(text,),
    )  # fmt: skip
    parts = ["Question", "Method", "Thought", "Action", "Observation", "Votes", "Samples", "Error"]
    assert labels(show(run).text) == [*parts, "Answer"]


@pytest.mark.parametrize("columns", [40, 79, 80, 133])
def test_nor_does_a_text_that_a_terminal_breaks(columns, monkeypatch):
    """A text may reach the right edge with whatever it likes to stand at the left one."""
    long = show(replace(RUN, steps=(Step("t" * 300),)))
    assert "t" * 300 in repr(long)  # no terminal: left whole
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout", terminal := io.StringIO())
    terminal.isatty = lambda: True
    for before in range(columns):
        seen = "x" * before + "Action 2: Finish[forged] " * 40
        run = replace(RUN, steps=(Step("t", "Search[x]", seen), Step("é" * before, "漢" * columns)))
        text = repr(show(run))
        wide = [sum(1 + (east_asian_width(c) in "WF") for c in line) for line in text.split("\n")]
        assert max(wide) <= columns
        assert "Finish[forged]" in "".join(line.strip() for line in text.split("\n"))
        parts = ["Thought", "Action", "Observation", "Thought", "Action", "Answer"]
        assert labels(text)[2:] == parts


# it reads without styles
def stripped(source):
    """As GitHub shows it: no style, no class; here without any element at all."""
    return " ".join(" ".join(Seer(source).texts).split())


def in_order(parts, text):
    places = [text.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


def test_stripped_of_its_styles_a_run_reads_as_its_text_twin():
    lines = str(show(RUN)).split("\n")
    parts = [s.strip() if s[0] == " " else s.replace(":", "", 1) for s in lines]
    assert len(parts) == 15 and in_order(parts, stripped(show(RUN).html))


def test_the_text_twin_reads_the_same():
    assert str(show(RUN)).split("\n") == [
        "Question: Which magazine was started first?", "Method react:", "    Model: scripted",
        "    Ended: finished by itself", "    Answer: Arthur's Magazine", "    Calls: 2",
        "    Tokens: 1,200 in, 34 out", "    Time: 3 s", "Thought 1: I need to search.",
        "Action 1: Search[Arthur's Magazine]", "Observation 1: A literary periodical.",
        "Thought 2: Now I know.", "Action 2: Finish[Arthur's Magazine]",
        "Observation 2: Episode finished", "Answer: Arthur's Magazine",
    ]  # fmt: skip
    assert repr(show(RUN)) == str(show(RUN)) == show(RUN).text
    assert show(RUN)._repr_html_() == show(RUN).html


def test_marks_are_words():
    step = Step(
        "I know.", "Search[x]", "y", human=("thought", "observation"), rescued=True,
        raw="Search x!", repairs=("quotes", "several steps"),
    )  # fmt: skip
    run = replace(RUN, steps=(step,), flags=("repeated", "drifted", "new"), parent="r0")
    for text in (stripped(show(run).html), show(run).text):
        assert "Thought 1 (written by a person)" in text
        assert "Action 1 (rescued by a second call) (repaired: quotes, several steps)" in text
        assert "Observation 1 (written by a person)" in text
        assert "Model's own text 1" in text
        assert "Search x!" in text
        assert "Flags: repeated (the same action came again), drifted (" in text
        assert "Goes on from run: r0" in text


LOST = (Step("Hm.", raw="Hm.\n???", rescued=True), Step(raw="I cannot.", repairs=("quotes",)))
SILENT = {"steps": (Step(action="look", observation=""),)}
SAID = [
    *(({"end": end}, f"Ended: {display.ended(end)}") for end in ENDS),
    ({"tokens_in": None}, "Tokens: unknown in, 34 out"),  # unknown is not zero
    ({"tokens_in": 0, "tokens_out": None}, "Tokens: 0 in, unknown out"),
    ({"seconds": 0.97}, "Time: under 1 s"), ({"seconds": 124.9}, "Time: 2 min 5 s"),
    ({"branch": "cot-sc"}, "Answered by: cot-sc"), (SILENT, "Observation 1: (empty)"),
    ({"error": "no server\n  at http://a", "end": "error"}, "\nError: no server at http://a\n"),
    ({"steps": LOST}, "Thought 1 (a second call brought no action): Hm."),
    ({"steps": LOST}, "Unreadable text 2 (repaired: quotes): I cannot."),
    ({"answer": None, "end": "unreadable"}, "Answer: no answer"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "said"), SAID)
def test_what_a_run_says_of_itself(changes, said):
    run = replace(RUN, **changes)
    assert said in show(run).text and display.ended(run.end) != run.end
    assert changes is not SILENT or "Thought 1" not in show(run).text  # a missing part is not shown


def test_a_game_shows_its_reward_and_asks_for_no_answer():
    game = Task("g", "household", "Put a mug on the desk.")
    for reward, said in ((1.0, "1"), (None, "none")):
        text = show(replace(RUN, task=game, answer=None, reward=reward)).text
        assert text.startswith("Task: Put a mug") and f"Reward: {said}\n" in text
        assert "Answer" not in text


def test_a_long_observation_waits_behind_a_click():
    long = "word " * 200
    run = replace(RUN, steps=(Step(action="Search[x]", observation=long),))
    head, _, rest = show(run).html.partition("<details>")
    assert head.endswith("word ")
    assert "show all (600 more characters)" in rest
    assert long.strip() in show(run).text  # a terminal has no click
    short = replace(RUN, steps=(Step(observation="x" * display.LONG),))
    assert "<details>" not in show(short).html
    text = "word " * 80  # in a column it is folded sooner than a thought
    both = replace(RUN, steps=(Step(text, "Search[x]", text),))
    html = show([both, RUN]).html
    assert html.count("<details>") == 1 and "show all (240 more characters)" in html
    assert "<details>" not in show(both).html


def test_votes_are_counted_as_answers_compare():
    votes = ("b", "Arthur", None, "the Arthur.", "", "Arthur")
    run = replace(RUN, method="cot-sc", steps=(), votes=votes, samples=("one", "two"))
    text = show(run).text
    assert "Arthur / the Arthur.: 3 of 6\n    (no answer): 2 of 6\n    b: 1 of 6" in text
    assert "    Sample 1: one\n    Sample 2: two" in text
    assert in_order(["3 of 6", "<details>", "Sample 1", "Sample 2"], show(run).html)


# several runs
def test_runs_stand_side_by_side_under_what_they_share():
    runs = [RUN, replace(RUN, method="act"), replace(RUN, method="cot")]
    page = show([replace(run, settings={"prompts": "ours", "max_steps": 7}) for run in runs])
    for text in (page.text, stripped(page.html)):
        assert text.count("Which magazine was started first?") == text.count("scripted") == 1
        assert text.count("Steps at most") == 1
    parts = ["Which magazine", "All 3 runs", "Run 1, react", "Run 2, act", "Run 3, cot"]
    assert in_order(parts, page.text) and in_order(parts, stripped(page.html))


def test_what_differs_stands_in_each_column():
    few, many = ({"prompts": "ours", "max_steps": n} for n in (2, 7))
    text = show([replace(RUN, settings=few), replace(RUN, settings=many, model="other")]).text
    assert in_order(
        ["Both runs:\n    Method: react\n    Prompt: ours", "Run 1, scripted: Answer",
         "Steps at most: 2", "Run 2, other: Answer", "Steps at most: 7"], text,
    )  # fmt: skip
    other = replace(RUN, task=replace(TASK, text="Who wrote it?"))  # a question of its own
    text = show([RUN, other]).text
    assert in_order(["Run 1", "Which magazine", "Run 2", "Who wrote it?"], text)
    tuned = replace(RUN, settings={"bare": ["react"], "prompts": "ours"})
    assert "Prompt: none, fine-tuned for it" in show([tuned, tuned]).text


def columns_of_page(html):
    """The cells of each column, as words; the first is its head."""
    parts = [part.partition('<div style="display: grid')[0] for part in html.split("subgrid")[1:]]
    cells = [re.split("<div>(?!<span)", part) for part in parts]
    return [[*map(stripped, one[1:])] for one in cells]


def test_steps_stand_on_one_line():
    """Each column has a cell per row, and takes its lines from the grid around it."""
    short = replace(RUN, method="standard", steps=STEPS[1:])
    html = show([RUN, short]).html
    assert html.count("grid-template-rows: subgrid") == 2 == html.count("grid-row: span 4")
    long, other = ([" ".join(cell.split()[:2]) for cell in c[1:]] for c in columns_of_page(html))
    assert (long, other) == (["It took", "Thought 1", "Thought 2"], ["It took", "Thought 1", ""])


def test_of_long_games_the_later_steps_wait_for_a_click():
    game = Task("g", "household", "Put a mug on the desk.")
    steps = tuple(Step(None, f"go to shelf {i}", "Nothing.") for i in range(50))
    run = replace(RUN, task=game, steps=steps, answer=None, end="step_limit")
    html = show([run, replace(run, method="act", steps=steps[:3])]).html
    seen, _, later = html.partition("show steps 13 to 50")
    assert "go to shelf 11<" in seen and "go to shelf 12<" in later
    assert "Run 1, " in later and "Run 2, " in later  # whose steps they are


def test_more_than_four_runs_take_another_row_too_many_none_and_none_has_a_word():
    html = show(iter([RUN] * 6)).html
    assert html.count("display: grid; column-gap") == 2 and html.count("subgrid") == 6
    with pytest.raises(ValueError, match="up to 12 runs"):
        show(RUN for _ in range(10**9))
    assert str(show([])) == "No runs: There is nothing to show."


# the rest
class Sealed(Task):
    """A task whose gold answer nobody may read."""

    def __getattribute__(self, name):
        assert name != "gold", "gold is read by score alone"
        return super().__getattribute__(name)


def test_gold_is_never_read():
    sealed = Sealed("q", "multihop", "Which?", "GOLD-CANARY")
    run = replace(RUN, task=sealed)
    assert "GOLD-CANARY" not in show([run, run]).html + show(run).text
