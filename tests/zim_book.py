"""Writes an encyclopedia as a ZIM file, as Wikipedia's come: for the tests of reading them."""

import html
from datetime import date
from pathlib import Path
from urllib.parse import quote

from react_lab.envs.pages import bundled

ABOUT = {"Name": "react_lab_en", "Title": "The encyclopedia of react_lab", "Language": "eng"}
MAIN = "_main"


def write_zim(path, book=None):
    """Write an encyclopedia (None: the bundled one) as a new ZIM file; it needs libzim."""
    from libzim.writer import Creator, Hint

    path, rows = Path(path).expanduser(), (book or bundled()).rows
    with Creator(path).config_indexing(True, "eng") as file:
        file.set_mainpath(MAIN)
        for name, words in (ABOUT | {"Date": date.today().isoformat()}).items():
            file.add_metadata(name, words)
        for at, title, page in pages(rows):
            file.add_item(entry(at, title, "text/html", page))
        for alias, title in redirects(rows):
            file.add_redirection(place(alias), alias, place(title), {Hint.FRONT_ARTICLE: True})
    return path


def pages(rows):
    """Where each page lies, its title, its HTML."""
    yield MAIN, "", paper(ABOUT["Title"], links(sorted(rows)))
    for title, row in rows.items():
        if row.get("text") is None:
            mark = '<div id="disambigbox" class="dmbox">This title has several meanings.</div>'
            body = links(row["options"]) + mark
        else:
            body = "".join(f"<p>{html.escape(part)}</p>\n" for part in row["text"].split("\n\n"))
        yield place(title), title, paper(title, body)


def redirects(rows):
    """Each other name of a page, once, and the title that it leads to."""
    taken = {place(title) for title in rows} | {MAIN}
    for title, row in rows.items():
        for alias in row.get("aliases", ()):
            if place(alias) not in taken:
                taken.add(place(alias))
                yield alias, title


def place(title):
    return title.replace(" ", "_")


def links(titles):
    names = ((quote(place(title)), html.escape(title)) for title in titles)
    return "<ul>" + "".join(f'<li><a href="{to}">{name}</a></li>\n' for to, name in names) + "</ul>"


def paper(title, body):
    name = html.escape(title)
    head = f'<head><meta charset="utf-8"><title>{name}</title><style>p {{}}</style></head>'
    return f"<!DOCTYPE html>\n<html>{head}\n<body><h1>{name}</h1>\n{body}</body></html>"


def entry(at, title, kind, content):
    """An entry as libzim takes it; a search finds only those with a title."""
    from libzim.writer import Hint, IndexData, Item, StringProvider

    class Nothing(IndexData):
        def has_indexdata(self):
            return False

    told = {"path": at, "title": title, "mimetype": kind}
    told |= {"hints": {Hint.FRONT_ARTICLE: bool(title)}}
    methods = {f"get_{name}": lambda self, value=value: value for name, value in told.items()}
    methods["get_contentprovider"] = lambda self: StringProvider(content)
    methods["get_indexdata"] = None if title else staticmethod(Nothing)  # None: libzim makes it
    return type("Entry", (Item,), methods)()
