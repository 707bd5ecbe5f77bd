"""A small stand-in for MediaWiki on the loopback interface: a few pages, and every way to fail.

    with WikiServer("429") as wiki: LiveWikipedia(CONTACT, api_url=wiki.url)

It answers what the `wikipedia` package asks of api.php, in the shapes that MediaWiki 1.39 gave for
the same questions. `wiki.asked` is what came in, `wiki.peak` how many requests at one time.
"""

import itertools
import json
import threading

from stub_server import Answer, Stub

PAGES = {
    "Kale": "Kale is a leafy vegetable. It belongs to the cabbage group.",
    "Kal": "Kal is a given name.",
    "Albert Einstein": "Albert Einstein was a physicist. He was born in Ulm.",
    "Plato": "Plato was a philosopher. He founded the Academy.",
    "清华大学": "清华大学位于北京市海淀区。",
    "AC/DC": "AC/DC is a rock band. It comes from Sydney.",
    "C++": "C++ is a programming language. It extends C.",
    "São Paulo": "São Paulo is a city in Brazil.",
    "Beyoncé": "Beyoncé is a singer. She was born in Houston.",
    "Empty page": "",
    "Long page": "A sentence of the long page. " * 350_000,  # 10 MB
    **{f"Physicist {i}": "A physicist." for i in range(30)},
}
MEANINGS = {  # each meaning of a meaning is a disambiguation page again, 50 deep
    "Mercury": [f"Mercury ({x})" for x in ("planet", "element", "god", "band", "car", "ship")],
    **{f"Chain {i}": [f"Chain {i + 1}"] for i in range(50)},
}
REDIRECTS = {"Einstein": "Albert Einstein", "A. Einstein": "Einstein", "Hermes": "Mercury"}
REDIRECTS |= {"Ring a": "Ring b", "Ring b": "Ring a"}
# the revisions before the newest, the oldest first: when, and as HTML or the title redirected to
PAST = {
    "Kale": [("2010-03-01T00:00:00Z", "Kal"), ("2015-03-01T00:00:00Z", "<p>Kale was food.</p>")],
    "Plato": [("2012-05-01T00:00:00Z", "<ul><li><a>Plato (man)</a></li></ul>")],  # meanings
    "Kal": [("2008-01-01T00:00:00Z", "<p>Kal, then.</p>"), ("2018-01-01T00:00:00Z", "Kaal")],
    "Kaal": [("2018-01-01T00:00:00Z", "Kal")],
}
WHEN = "2022-01-01T00:00:00Z"  # all that is newest
FOREIGN = "wikipedia:"
DENIED = '{"error": {"code": "readapidenied", "info": "You need to log in."}}'


def follow(title):
    """A title's redirects, as (from, to), and the page they end at; None for a ring."""
    steps = []
    while title in REDIRECTS:
        if len(steps) > len(REDIRECTS):
            return steps, None
        steps.append({"from": title, "to": REDIRECTS[title]})
        title = REDIRECTS[title]
    return steps, title


def about(title, asked):
    """One page, with what was asked about it."""
    known = [*PAGES, *MEANINGS]
    if title not in known:
        return {"-1": {"ns": 0, "title": title, "missing": ""}}
    number = known.index(title) + 1
    page = {"pageid": number, "ns": 0, "title": title, "fullurl": f"https://wiki/{title}"}
    page["revisions"] = [{"revid": 100 + number, "parentid": 0, "timestamp": WHEN}]
    page["lastrevid"] = 100 + number
    if "extracts" in asked["prop"]:
        page["extract"] = PAGES.get(title, f"{title} may refer to:")
    if title in MEANINGS:
        page["pageprops"] = {"disambiguation": ""}
        items = "".join(f"<li><a href='#'>{m}</a>, a meaning</li>" for m in MEANINGS[title])
        contents = "<li class='toclevel-1 tocsection-1'><a>Contents</a></li>"
        page["revisions"][0]["*"] = f"<div><ul>{contents}{items}<li>no link</li></ul></div>"
    return {str(number): page}


def revision(title, asked):
    """The last revision of a title before a time; its number says which it is."""
    titles = [*PAGES, *MEANINGS, *PAST]
    if title not in [*titles, *REDIRECTS]:
        return {"-1": {"ns": 0, "title": title, "missing": ""}}
    times = [when for when, _ in PAST.get(title, ())] + [WHEN] * (title not in REDIRECTS)
    before = [i for i, when in enumerate(times) if when <= asked["rvstart"]]
    number = titles.index(title) + 1 if title in titles else 999
    page = {"pageid": number, "ns": 0, "title": title}
    page |= {"redirect": ""} if title in REDIRECTS else {}
    if before:
        id = 1000 * before[-1] + number
        page["revisions"] = [{"revid": id, "parentid": 0, "timestamp": times[before[-1]]}]
    return {str(number): page}


def parsed(oldid):
    """One revision's HTML."""
    which, number = divmod(int(oldid), 1000)
    title = [*PAGES, *MEANINGS, *PAST][number - 1]
    older = PAST.get(title, ())
    shown = older[which][1] if which < len(older) else f"<p>{PAGES.get(title, '')}</p>"
    properties = [{"name": "disambiguation", "*": ""}] if "<li>" in shown else []
    if not shown.startswith("<"):
        shown = f'<ul class="redirectText"><li><a href="#">{shown}</a></li></ul>'
    page = {"title": title, "pageid": number, "text": {"*": shown}, "properties": properties}
    return {"parse": page}


def query(asked):
    """What the API answers, with the status still good."""
    if asked["action"] == "parse":
        return parsed(asked["oldid"])
    if asked.get("srwhat") == "nearmatch":
        if asked["srsearch"].startswith(FOREIGN):
            return {"error": {"code": "internal_api_error_Assert", "info": "Caught exception"}}
        titles = [t for t in (*PAGES, *MEANINGS) if t.lower() == asked["srsearch"].lower()]
        return {"batchcomplete": "", "query": {"search": [{"ns": 0, "title": t} for t in titles]}}
    if asked.get("list") == "search":
        words = asked["srsearch"].lower().split()
        said = {title: f"{title} {text[:99]}".lower() for title, text in PAGES.items()}
        titles = [title for title in said if any(word in said[title] for word in words)]
        titles = titles[: int(asked["srlimit"])]
        return {"batchcomplete": "", "query": {"search": [{"ns": 0, "title": t} for t in titles]}}
    title = asked["titles"].partition("#")[0]
    title = title[:1].upper() + title[1:]
    if asked["titles"].startswith(FOREIGN):
        return {"batchcomplete": "", "query": {"interwiki": [{"title": asked["titles"]}]}}
    steps, title = follow(title) if "redirects" in asked else ([], title)
    found = {"redirects": steps} if steps else {}
    look = revision if "rvstart" in asked else about
    return {"batchcomplete": "", "query": found | ({"pages": look(title, asked)} if title else {})}


def fault(mode, n):
    """Status, body and Retry-After of the n-th answer in this mode; None for a good one."""
    busy, portal = "<html>Too many requests</html>", "<html>Welcome to our hotel</html>"
    api = {"maxlag": "Waiting for a database", "ratelimited": "You've exceeded your rate limit."}
    if mode in api:
        return 200, json.dumps({"error": {"code": mode, "info": api[mode]}}), "0"
    return {
        "403": (403, "Please respect our robot policy", None),
        "404": (404, portal, None),
        "429": (429, busy, "0"),
        "429 for an hour": (429, busy, "3600"),
        "429 once": (429, busy, "1") if n == 1 else None,
        "503 once": (503, busy, None) if n == 1 else None,
        "html200": (200, portal, None),
        "json200": (200, '{"error": "log in"}', None),
        "deep": (200, "[" * 1_000_000, None),
        "denied": (200, DENIED, None),
        "no extracts": (200, '{"query": {"pages": {"7": {"pageid": 7, "title": "Kale"}}}}', None),
        "odd shapes": (200, '{"batchcomplete": "", "query": {"pages": [7], "search": {}}}', None),
    }.get(mode)


class WikiServer(Stub):
    def __init__(self, mode="ok"):
        super().__init__(self.answer)
        self.url = self.url.replace("/v1", "/w/api.php")
        self.lock, self.closing = threading.Lock(), threading.Event()
        self.mode, self.now, self.peak = mode, 0, 0

    def answer(self, request):
        with self.lock:
            self.now += 1
            self.peak = max(self.peak, self.now)
        try:
            return self.told(request.query, len(self.asked))
        finally:  # before the answer is sent: who has it may ask the next one at once
            with self.lock:
                self.now -= 1

    def told(self, asked, n):
        mode = self.mode
        if mode in ("hang", "slow"):
            self.closing.wait(30 if mode == "hang" else 0.1)
        if mode == "drip":
            return Answer(b" " * 99999, drip=0.02)
        if mode == "endless":
            return Answer(events=itertools.repeat(" " * 65536))
        if mode.startswith("30"):
            return Answer(
                b"", int(mode[:3]), {"Location": "https://portal.example/sign-in?from=us"}
            )
        good = json.dumps(query(asked), ensure_ascii=mode != "bad encoding")
        status, body, after = fault(mode, n) or (200, good, None)
        body = body.encode("gbk" if mode == "bad encoding" else "utf-8", "replace")
        return Answer(body, status, {"Retry-After": after} if after else {}, reset=mode == "hang")

    def __exit__(self, *fault):
        self.closing.set()
        super().__exit__(*fault)
