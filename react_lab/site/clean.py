"""Markdown, code and outputs of notebooks as HTML of a few elements, with no script and no style.

What is not on the lists here is left out. Styles of ours become classes of one sheet, so that the
pages allow no style of their own. The second wall is the rule in each page (`page.RULES`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

from ..support.text import visible

__all__ = ["Sheet", "coloured", "headed", "marked"]

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
NAMES = frozenset(STYLED.split())
CALLS = {"calc", "linear-gradient", "var", "min", "max", "minmax", "repeat", "rgb", "rgba"}
PLAIN = re.compile(r"[\w\s#.,%()+*/-]*")
BOX = 'class="highlight" tabindex="0" role="region" aria-label="Code"'
LINK = re.compile(r"(?!//)[\w./-]*(#[\w-]*)?|https?://\S+")
HEAD = re.compile(r"<h([23])>(.*?)</h\1>", re.S)


class Sheet:
    """The styles of cleaned HTML, each under a class of its own."""

    def __init__(self) -> None:
        self.classes: dict[str, str] = {}

    def class_of(self, style: str) -> str:
        """The class for what is harmless in a style; "" if nothing is."""
        kept = "; ".join(declarations(style))
        return self.classes.setdefault(kept, f"s{len(self.classes)}") if kept else ""

    @property
    def css(self) -> str:
        return "".join(f".{name} {{ {style} }}\n" for style, name in self.classes.items())

    def cleaned(self, source: str) -> str:
        """HTML with the elements and styles of the lists, and nothing else."""
        return str(cleaner(self.class_of).clean(DROPPED.sub("", visible(source))))


def declarations(style: str) -> Iterator[str]:
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        called = set(re.findall(r"([\w-]*)\(", value)) - {""}
        moves = name == "position" and value not in ("sticky", "static", "relative")
        if name in NAMES and PLAIN.fullmatch(value) and called <= CALLS and not moves:
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
        return (
            tag == "a" and re.fullmatch(r"(?!//)[\w./-]*(#[\w-]*)?|https?://\S+", value) is not None
        )
    return name == "style" or (name == "open" and tag == "details") or is_span(name, value)


def is_span(name: str, value: str) -> bool:
    return name in ("colspan", "rowspan") and value.isdecimal() and len(value) < 3


# ---------------------------------------------------------------------- what a cell holds


@functools.cache
def coloured(code: str) -> str:
    """Python with a class for each kind of word."""
    from nbconvert.filters.highlight import Highlight2HTML

    lines = str(Highlight2HTML(pygments_lexer="ipython3")(code)).strip()
    return re.sub(r'^<div class="[^"]*">', f"<div {BOX}>", lines)


def marked(text: str, sheet: Sheet) -> str:
    """Markdown as cleaned HTML; links to other notebooks lead to their pages."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    renderer = IPythonRenderer(escape=False, exclude_anchor_links=True)
    found = sheet.cleaned(str(MarkdownWithMath(renderer=renderer).render(text)))
    found = re.sub(r'href="([\w-]+)\.ipynb"', r'href="\1.html"', found)
    return re.sub(r'<a href="\.\./[^"]*">(.*?)</a>', r"\1 (in the package)", found)


def headed(source: str, first: int) -> tuple[str, list[tuple[int, str, str]]]:
    """Cleaned HTML whose headings have anchors, and these: their level, anchor and words."""
    heads: list[tuple[int, str, str]] = []

    def anchored(found: re.Match[str]) -> str:
        name = f"part-{first + len(heads)}"
        words = re.sub(r"<[^>]*>", "", found[2])
        heads.append((int(found[1]), name, words))
        return f'<h{found[1]} id="{name}">{found[2]}</h{found[1]}>'

    return HEAD.sub(anchored, source), heads
