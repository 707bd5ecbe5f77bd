"""The frame of every page of the site: its rules, its head, the way to the other pages."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from string import Template

from .. import data
from ..support.text import visible

__all__ = ["RULES", "escaped", "filled", "put", "shell"]

WORDS = Path(__file__).parent / "words"
# Scripts, styles, pictures and data come from the site's own folder, and no text becomes markup.
RULES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
)
PARTS = (
    ("", "react_lab"),
    ("course/", "Course"),
    ("runs/", "Runs"),
    ("label/", "Labeller"),
    ("live/", "Live"),
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{rules}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<link rel="icon" href="{up}assets/icon.svg">
<script defer src="{up}assets/opened.js"></script>
{head}
</head>
<body{wide}>
<a class="skip" href="#main">To the text</a>
<header class="site"><nav aria-label="The site">{nav}</nav></header>
<main id="main">
{body}
</main>
</body>
</html>
"""


def escaped(text: str) -> str:
    """Text as HTML that stays text, every hidden character to be seen."""
    return html.escape(visible(text))


def shell(
    title: str,
    body: str,
    here: str,
    *,
    live: bool,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    wide: bool = False,
) -> str:
    """A whole page. here: its part of the site (`course/`); live: is the live tab there?"""
    up = "../" if here else ""
    sheets = [f'<link rel="stylesheet" href="{up}assets/{s}">' for s in ("site.css", *styles)]
    loads = [f'<script type="module" src="{up}assets/{s}"></script>' for s in scripts]
    return PAGE.format(
        rules=html.escape(RULES, quote=False), title=escaped(title), up=up, body=body,
        head="\n".join(sheets + loads), nav=nav(here, up, live), wide=' class="wide"' * wide,
    )  # fmt: skip


def nav(here: str, up: str, live: bool) -> str:
    shown = [part for part in PARTS if live or part[0] != "live/"]
    return "".join(
        f'<a href="{up}{path}index.html"{current(path == here)}>{words}</a>'
        for path, words in shown
    )


def current(is_it: bool) -> str:
    return ' aria-current="page"' if is_it else ""


def filled(name: str, **known: str) -> str:
    """The words of a part of the site, in words/, with its names filled in."""
    text = (WORDS / f"{name}.html").read_text(encoding="utf-8")
    return Template(text).substitute(known).strip()


def put(folder: Path, name: str, text: str) -> None:
    """Write one file of the site."""
    data.write(folder / name, text)
