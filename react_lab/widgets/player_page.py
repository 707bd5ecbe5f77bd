"""The player as one HTML file: no kernel, no network, no other file. It reads without any script.

The page's own rules allow its one script, by its hash, and nothing from anywhere. The runs are JSON
in which no tag can end, and the words to be read are those of `rl.show`: both are text only.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..blocks import inert
from ..languages import say, spoken
from .scripts import script, style

__all__ = ["page_of"]

START = """
const given = JSON.parse(document.getElementById("data").textContent);
const model = { get: (name) => given[name], on() {}, off() {}, send() {} };
document.getElementById("words").open = false;
render({ model, el: document.getElementById("player") });
"""
STYLE = """
:root { --jp-content-font-size1: 16px; color-scheme: light dark; }
body { margin: 0 auto; max-width: 1500px; padding: 8px 16px; background: #fff; color: #111;
  font-family: sans-serif; font-size: 16px; line-height: 1.45; }
h1 { font-size: 1.1em; margin: 4px 0; }
summary { cursor: pointer; }
@media (prefers-color-scheme: dark) {
  :root { --jp-content-font-color1: #eee; --jp-layout-color0: #111; --jp-layout-color1: #181818;
    --jp-layout-color2: #333; --jp-border-color0: #999; --jp-border-color1: #666; }
  body { background: #181818; color: #eee; }
}
"""
PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{rules}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{head}</h1>
<div id="player"></div>
<details id="words" open><summary>{in_words}</summary>{words}</details>
</main>
<script type="application/json" id="data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def page_of(
    sights: Sequence[Mapping[str, Any]],
    tree: Sequence[Sequence[Any]],
    looks: Sequence[int],
    words: str,
) -> str:
    """The page of runs. words: the same runs as HTML that reads without any script."""
    view = {"looks": looks, "looked": 1, "number": 1, "of": 1, "live": -1, "playing": False}
    still = {"static": True, "can_fork": False, "why_not": say("page.no_model")}
    data = {"still": still, "runs": sights, "live": {}, "text": "", "view": {**view, "tree": tree}}
    played = script("player") + START
    digest = base64.b64encode(hashlib.sha256(played.encode()).digest()).decode()
    sources = f"script-src 'sha256-{digest}'; style-src 'unsafe-inline'"
    return PAGE.format(
        rules=f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'",
        title=inert(sights[0]["task"][:200]) if sights else say("page.no_run"),
        lang=spoken(),
        head=inert(say("page.head")),
        in_words=inert(say("page.in_words")),
        style=style("player") + STYLE,
        words=words,
        data=json.dumps(data).replace("<", "\\u003c").replace("&", "\\u0026"),
        script=played,
    )
