"""Whatever a model, the web or a user wrote stays text, and reads well without any style."""

from __future__ import annotations

import shutil
import unicodedata
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_lab import page
from react_lab.page import event_text, inert, note, show, visible
from react_lab.types import ENDS, Event, Seen, Step, Task, Trajectory

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
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "</div></td></tr></table><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "'><img src=x onerror=alert(1)>",
    "<img src=`x` onerror=alert(1)>",
    "<img/src=x/onerror=alert(1)>",
    "<img src=https://evil.example/pixel.png>",
    "<image href=x onerror=alert(1)>",
    "<picture><source srcset=https://evil.example/p></picture>",
    "<svg onload=alert(1)>",
    "<svg/onload=alert(1)//",
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
    "<svg><use href=data:image/svg+xml;base64,PHN2Zz4=#x></svg>",
    "<svg><foreignObject><iframe srcdoc='<script>alert(1)</script>'></foreignObject></svg>",
    "<math><mi//xlink:href=data:x,<script>alert(1)</script>>",
    "<math href=javascript:alert(1)>click</math>",
    "<math><mtext><table><mglyph><style><img src onerror=alert(1)></style>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='&lt;script&gt;alert(1)&lt;/script&gt;'></iframe>",
    "<embed src=javascript:alert(1)>",
    "<object data=data:text/html,<script>alert(1)</script>></object>",
    "<body onload=alert(1)>",
    "<html onpageshow=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<select autofocus onfocus=alert(1)>",
    "<textarea autofocus onfocus=alert(1)></textarea><script>alert(1)</script>",
    "<button onclick=alert(1)>x</button>",
    "<form action=https://evil.example><input type=submit></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<details open ontoggle=alert(1)>",
    "<video><source onerror=alert(1)></video>",
    "<audio src=x onerror=alert(1)>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<div onmouseover=alert(1)>x</div>",
    "<div onpointerenter=alert(1) style=position:fixed;inset:0>x</div>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href='java&#10;script:alert(1)'>x</a>",
    "<a href=data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==>x</a>",
    "<a href=vbscript:msgbox(1)>x</a>",
    "<base href=https://evil.example/>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<link rel=import href=data:text/html,<script>alert(1)</script>>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<style>@import 'https://evil.example/x.css';</style>",
    "<style>*{background:url(https://evil.example/x)}</style>",
    "<div style=background:url(javascript:alert(1))>x</div>",
    "<div style='width:expression(alert(1))'>x</div>",
    '" style="background:url(https://evil.example/x)" x="',
    '" onmouseover="alert(1)',
    "' onfocus='alert(1)' autofocus='",
    "; background: url(https://evil.example/x); x: ",
    "<button data-commandlinker-command='terminal:create-new'>x</button>",
    '" data-commandlinker-command="console:create" data-commandlinker-args="{}',
    "<div class='jp-Button tex2jax_process mathjax_process' id=main>x</div>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<xmp><script>alert(1)</script></xmp>",
    "<plaintext>",
    "<!--<img src=x onerror=alert(1)>-->",
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?><script>alert(1)</script>",
    "<!DOCTYPE html><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "&#x3c;img src=x onerror=alert(1)&#x3e;",
    "\x00<script\x00>alert(1)</script>",
    "\u202e<script>alert(1)</script>\u202c",
    "\ufeff<script>alert(1)</script>",
    "＜script＞alert(1)＜/script＞",
    "<\u200bscript>alert(1)</script>",
    "\x1b]8;;javascript:alert(1)\x07click\x1b]8;;\x07",
    "\x1b[2J\x1b[31mred\x9b0m",
    "[x](javascript:alert(1)) ![x](https://evil.example/p.png)",
    "$\\href{javascript:alert(1)}{x}$",
    "\\(\\unicode{x3c}script\\unicode{x3e}\\)",
    "$$\\style{background:url(https://evil.example/x)}{x}$$",
    "\\begin{equation}\\require{html}\\class{x}{y}\\end{equation} \\ref{x}",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)} #{alert(1)} <%= 1 %>",
    "<custom-element onclick=alert(1)>x</custom-element>",
]  # fmt: skip


class Seer(HTMLParser):
    """What a browser would find: the elements with their attributes, and the text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.other: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[Any]) -> None:
        assert tag in ALLOWED
        assert [name for name, _ in attrs] in ([], ["style"])
        self.tags.append((tag, dict(attrs).get("style", "")))
        self.texts += ["\n"] if tag == "br" else []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.other.append(data)

    handle_decl = handle_pi = unknown_decl = handle_comment

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def shape(self) -> list[tuple[str, str]]:
        """The elements that are ours, whatever the texts: a text may add only <br> and <span>."""
        return [tag for tag in self.tags if tag not in (("br", ""), ("span", ""))]


def infected(text: str) -> Trajectory:
    """A run that holds this text in every field that somebody else may write."""
    step = Step(text, text, text, human=("thought",), raw=text, repairs=(text,), rescued=True)
    return Trajectory(
        text, Task(text, text, text, text, {"x": text}), text, text, {"x": text},
        (step, Step(raw=text)), text, 0.5, "finished", (text,), text, (text, text), (text, text),
        error=text, parent=text,
    )  # fmt: skip


def reads_in_order(parts: list[str], text: str) -> bool:
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


# ---------------------------------------------------------------------- nothing of it is markup

any_text = st.text(st.characters(exclude_categories=()), max_size=80)
markup = st.lists(st.sampled_from([*PAYLOADS, "<", ">", "&", '"', "'", "$", "\\", "\n", "\r\n"]))
hostile = st.one_of(any_text, markup.map("".join), st.text("<>&\"'/=$\\ a\n", max_size=900))


def test_there_are_enough_payloads() -> None:
    assert len(set(PAYLOADS)) >= 60


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_in_every_field_stays_text(payload: str) -> None:
    seen = Seer(show(infected(payload)).html)
    assert seen.shape == Seer(show(infected("x")).html).shape
    assert not seen.other
    fields = 18  # question, method, model, thought, ... : each is there, and readable
    assert seen.text.count(visible(payload)) >= fields
    assert Seer(show([infected(payload), RUN]).html).text.count(visible(payload)) >= fields


@given(hostile)
@settings(max_examples=300, deadline=None)
def test_no_markup_of_a_text_survives(text: str) -> None:
    seen = Seer(note("Name", text).html)
    seen.html.encode() if hasattr(seen, "html") else None
    told = visible(text) or "(empty)"
    if len(told) <= page.LONG:
        assert seen.text == "Name" + told
        assert seen.shape == Seer(note("Name", "x").html).shape
    else:
        head, _, tail = seen.text.removeprefix("Name").partition("show all (")
        assert head + tail.partition(" more characters)")[2] == told


@given(hostile.filter(lambda text: len(visible(text)) <= page.LONG))
@settings(max_examples=100, deadline=None)
def test_no_markup_of_a_run_survives(text: str) -> None:
    whole = show(infected(text))
    whole.html.encode("utf-8")  # a lone surrogate would break the notebook's file
    whole.text.encode("utf-8")
    calm = Seer(show(infected("x" if text else "")).html)
    seen = Seer(whole.html)
    votes = {"b", "table", "tr", "td"}  # two empty votes still are one row
    assert [t for t in seen.shape if t[0] not in votes] == [
        t for t in calm.shape if t[0] not in votes
    ]
