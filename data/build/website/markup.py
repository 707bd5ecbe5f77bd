"""The HTML of the site: the frame of every page, and notebooks as a few elements, without scripts.

What is not on the lists here is left out. Styles of ours become classes of one sheet, so that the
pages allow no style of their own. The second wall is the rule in each page (`RULES`).
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from string import Template
from typing import Any

from react_lab.support.text import visible

HERE = Path(__file__).parent
# Scripts, styles, pictures and data come from the site's own folder, and no text becomes markup.
RULES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
)
# A page that checks code runs Python, from the site's own folder, off the page's thread.
ALSO = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:"
RUNS = RULES.replace("script-src 'self'", ALSO)
PARTS = {
    "": "react_lab", "course/": "Course", "runs/": "Runs", "label/": "Labeller", "live/": "Live",
}  # fmt: skip


def escape(text: str) -> str:
    """Text as HTML that stays text, every hidden character to be seen."""
    return html.escape(visible(text))


def fill(name: str, **known: str) -> str:
    """The words of a part of the site, in words/, with its names filled in."""
    text = (HERE / "words" / f"{name}.html").read_text(encoding="utf-8")
    return Template(text).substitute(known).strip()


def frame_page(
    title: str, body: str, here: str, *, live: bool, styles: Sequence[str] = (),
    scripts: Sequence[str] = (), wide: bool = False, python: bool = False,
) -> str:  # fmt: skip
    """A whole page. here: its part of the site (`course/`); live: is the live tab there?
    python: does it check a student's code?
    """
    up = "../" if here else ""
    sheets = [f'<link rel="stylesheet" href="{up}assets/{s}">' for s in ("site.css", *styles)]
    loads = [f'<script type="module" src="{up}assets/{s}"></script>' for s in scripts]
    current = {here: ' aria-current="page"'}
    nav = "".join(
        f'<a href="{up}{part}index.html"{current.get(part, "")}>{words}</a>'
        for part, words in PARTS.items()
        if live or part != "live/"
    )
    rules = html.escape(RUNS if python else RULES, quote=False)
    return fill(
        "page", rules=rules, title=escape(title), up=up, body=body, head="\n".join(sheets + loads),
        nav=nav, wide=' class="wide"' * wide,
    )  # fmt: skip


# ------------------------------------------------------------------ cleaned HTML

LISTED = """
p div span b i em strong s code pre br hr ul ol li dl dt dd table caption thead tbody tfoot tr th td
details summary h1 h2 h3 h4 h5 h6 blockquote a sup sub kbd
"""
TAGS = frozenset(LISTED.split())
DROPPED = re.compile(r"<(style|script|template|noscript)\b.*?(</\1\s*>|\Z)", re.I | re.S)
STYLED = """
align-items background border border-bottom border-left border-left-width border-radius color
column-gap cursor display flex flex-wrap font-family font-size font-style font-weight gap grid-row
grid-template-columns grid-template-rows height line-height margin margin-left margin-right
margin-top max-height max-width min-height min-width opacity overflow overflow-wrap overflow-x
padding padding-left position text-align text-decoration text-overflow top vertical-align
white-space width z-index
"""
STYLES = frozenset(STYLED.split())
CALLS = {"calc", "linear-gradient", "var", "min", "max", "minmax", "repeat", "rgb", "rgba"}
PLAIN = re.compile(r"[\w\s#.,%()+*/-]*")
LINK = re.compile(r"(?!//)[\w./-]*(#[\w-]*)?|https?://\S+")
BOX = 'class="highlight" tabindex="0" role="region" aria-label="Code"'
HEAD = re.compile(r"<h([23])>(.*?)</h\1>", re.S)


class Sheet:
    """The styles of cleaned HTML, each under a class of its own."""

    def __init__(self) -> None:
        self.classes: dict[str, str] = {}

    def class_of(self, style: str) -> str:
        """The class for what is harmless in a style; "" if nothing is."""
        kept = "; ".join(harmless(style))
        return self.classes.setdefault(kept, f"s{len(self.classes)}") if kept else ""

    @property
    def css(self) -> str:
        return "".join(f".{name} {{ {style} }}\n" for style, name in self.classes.items())

    def clean(self, source: str) -> str:
        """HTML with the elements and styles of the lists, and nothing else."""
        return str(cleaner(self.class_of).clean(DROPPED.sub("", visible(source))))


def harmless(style: str) -> Iterator[str]:
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        called = set(re.findall(r"([\w-]*)\(", value)) - {""}
        moves = name == "position" and value not in ("sticky", "static", "relative")
        if name in STYLES and PLAIN.fullmatch(value) and called <= CALLS and not moves:
            yield f"{name}: {value}"


def cleaner(class_of: Callable[[str], str]) -> Any:
    from bleach.html5lib_shim import Filter
    from bleach.sanitizer import Cleaner

    class Classes(Filter):  # type: ignore[misc]
        """In place of each style its class; tables of pandas keep the name of theirs."""

        def __iter__(self) -> Iterator[Any]:
            for token in super().__iter__():
                if token["type"] in ("StartTag", "EmptyTag"):
                    style = token["data"].pop((None, "style"), "")
                    if name := class_of(style):
                        token["data"][(None, "class")] = name
                yield token

    filters = [Classes]
    return Cleaner(TAGS, allowed, {"http", "https"}, True, filters=filters, css_sanitizer=Styles())


class Styles:
    """Styles go to the sheet, which chooses: bleach need not."""

    def sanitize_css(self, style: str) -> str:
        """The style as it is."""
        return style


def allowed(tag: str, name: str, value: str) -> bool:
    if name == "href":
        return tag == "a" and LINK.fullmatch(value) is not None
    if name in ("colspan", "rowspan"):
        return value.isdecimal() and len(value) < 3
    return name == "style" or (name == "open" and tag == "details")


# ------------------------------------------------------------------ what a cell holds


@functools.cache
def highlight(code: str) -> str:
    """Python with a class for each kind of word."""
    from nbconvert.filters.highlight import Highlight2HTML

    lines = str(Highlight2HTML(pygments_lexer="ipython3")(code)).strip()
    return re.sub(r'^<div class="[^"]*">', f"<div {BOX}>", lines)


def render_markdown(text: str, sheet: Sheet) -> str:
    """Markdown as cleaned HTML; links to other notebooks lead to their pages."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    renderer = IPythonRenderer(escape=False, exclude_anchor_links=True)
    found = sheet.clean(str(MarkdownWithMath(renderer=renderer).render(text)))
    found = re.sub(r'href="([\w-]+)\.ipynb"', r'href="\1.html"', found)
    return re.sub(r'<a href="\.\./[^"]*">(.*?)</a>', r"\1 (in the package)", found)


def add_anchors(source: str, first: int) -> tuple[str, list[tuple[int, str, str]]]:
    """Cleaned HTML whose headings have anchors, and these: their level, anchor and words."""
    heads: list[tuple[int, str, str]] = []

    def anchor(found: re.Match[str]) -> str:
        name = f"part-{first + len(heads)}"
        heads.append((int(found[1]), name, re.sub(r"<[^>]*>", "", found[2])))
        return f'<h{found[1]} id="{name}">{found[2]}</h{found[1]}>'

    return HEAD.sub(anchor, source), heads
