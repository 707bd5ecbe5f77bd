"""The text of a page's HTML, in its order: headings, paragraphs, items.

Tables, boxes, navigation, notes, references and scripts stay out, and so does the page's own title.
Any string has a text, and reading it takes time in proportion to it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

__all__ = ["text_of"]

TAG = re.compile(r"""<(/?)([a-z][a-z0-9]*)((?:[^<>=]|=\s*+(?:"[^"]*+"|'[^']*+')?)*+)>""", re.I)
NAMED = re.compile(r"""\b(?:class|id|role)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))""", re.I)
HIDDEN = re.compile(r"""\bhidden\b|display\s*+:\s*+none""", re.I)
RAW = {name: re.compile(f"</{name}", re.I) for name in ("script", "style", "textarea", "title")}
VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"])
LEFT_OUT = frozenset([
    "aside", "audio", "button", "figure", "footer", "form", "head", "math", "nav", "noscript",
    "object", "select", "svg", "table", "template", "video",
])  # fmt: skip
BOXES = frozenset([
    "ambox", "catlinks", "gallery", "hatnote", "infobox", "metadata", "mw-editsection",
    "mw-references-wrap", "navbox", "navigation", "noprint", "portalbox", "reference", "references",
    "reflist", "shortdescription", "sidebar", "sistersitebox", "thumb", "toc",
])  # fmt: skip
BLOCKS = frozenset([
    "address", "article", "blockquote", "body", "br", "center", "dd", "details", "div", "dl", "dt",
    "figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "html", "li", "main", "ol", "p", "pre",
    "section", "summary", "ul",
])  # fmt: skip
AT_THE_END = frozenset([
    "bibliography", "citations", "external links", "footnotes", "further reading", "notes",
    "notes and references", "references", "see also", "sources",
])  # fmt: skip


def text_of(page: str) -> str:
    """Paragraphs, a blank line between them."""
    reader, at = Reader(), 0
    for start, end, tag in tags(page):
        reader.text(page[at:start])
        if tag:
            closes, name, attributes = tag.groups()
            (reader.close if closes else reader.open)(name.lower(), attributes)
        at = end
    reader.text(page[at:])
    reader.end_block()
    return "\n\n".join(reader.blocks)


def tags(page: str) -> Iterator[tuple[int, int, re.Match[str] | None]]:
    """Where each tag begins and ends, and the tag; None for what is to be passed over."""
    at = 0
    while (start := page.find("<", at)) >= 0:
        at, tag = start + 1, TAG.match(page, start)
        if tag:
            yield start, (at := tag.end()), tag
            raw = RAW.get(tag[2].lower())
            if raw and not tag[1]:
                closed = raw.search(page, at)
                end = closed.start() if closed else len(page)
                yield at, (at := end), None
        elif page.startswith(("<!", "<?"), start):
            mark = "-->" if page.startswith("<!--", start) else ">"
            end = page.find(mark, start)
            yield start, (at := len(page) if end < 0 else end + len(mark)), None


class Reader:
    """The blocks read so far, and what is being passed over."""

    def __init__(self) -> None:
        self.blocks, self.block = list[str](), list[str]()
        self.left_out, self.depth = "", 0  # the element that is passed over, how often it is open
        self.heading, self.muted = 0, 0  # levels: of the heading, of the section passed over

    def text(self, text: str) -> None:
        if text and not self.left_out:
            self.block.append(text)

    def open(self, name: str, attributes: str) -> None:
        if self.left_out == "p" and name in BLOCKS:  # a paragraph has none inside
            self.left_out = ""
        if self.left_out:
            self.depth += name == self.left_out
        elif name not in VOID and (name in LEFT_OUT or is_box(attributes)):
            self.left_out, self.depth = name, 1
        elif name in BLOCKS:
            self.end_block()
            self.heading = level(name)

    def close(self, name: str, attributes: str) -> None:
        if self.left_out:
            self.depth -= name == self.left_out
            self.left_out = self.left_out if self.depth else ""
        elif name in BLOCKS:
            self.end_block()

    def end_block(self) -> None:
        text = " ".join(html.unescape("".join(self.block)).split())
        self.block.clear()
        if text and self.heading:
            self.begin_section(text)
        elif text and not self.muted:
            self.blocks.append(text)
        self.heading = 0

    def begin_section(self, heading: str) -> None:
        """Sections of notes and links are passed over, with the sections in them."""
        if self.muted and self.heading > self.muted:
            return
        self.muted = self.heading if heading.casefold() in AT_THE_END else 0
        if not self.muted and self.heading > 1:
            self.blocks.append(heading)


def is_box(attributes: str) -> bool:
    if not attributes.strip():
        return False
    names = {name for found in NAMED.findall(attributes) for name in " ".join(found).split()}
    return not names.isdisjoint(BOXES) or bool(HIDDEN.search(attributes))


def level(name: str) -> int:
    return int(name[1]) if name[0] == "h" and name[1:].isdigit() else 0
