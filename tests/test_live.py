"""Live Wikipedia: what it finds, every way a network fails, and that nobody's module is touched.

Against a stand-in on the loopback interface (`wiki_server.py`), which `make test-mediawiki` holds
against a real MediaWiki.
"""

import json
import os
import pickle
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import date
from multiprocessing import get_context

import pytest
from stub_server import Answer, Stub
from wiki_server import PAGES, WHEN, WikiServer

import react_lab as rl
from react_lab.envs.live import GATE, LiveWikipedia
from react_lab.records import RUN
from react_lab.running import kit_for, start_of
from react_lab.types import EnvError, Task

CONTACT = "teacher@example.org"
AT_ONCE = {"interval": 0}  # a wiki on this machine need not be spared


@pytest.fixture
def open_wiki():
    """A maker of (server, pages) in one fault mode; the servers close when the test ends."""
    servers = []

    def make(mode="ok", **settings):
        servers.append(wiki := WikiServer(mode).__enter__())
        return wiki, LiveWikipedia(CONTACT, api_url=wiki.url, **{**AT_ONCE, **settings})

    yield make
    for server in servers:
        server.__exit__()


def sentence_of(pages, title="Kale"):
    """The EnvError that get and search both raise: one sentence."""
    with pytest.raises(EnvError) as fault:
        pages.get(title)
    with pytest.raises(EnvError):
        pages.search(title)
    text = str(fault.value)
    assert text.endswith(".") and "\n" not in text and ". " not in text
    assert fault.value.end == "env_error" and fault.value.__cause__ is None
    return text


# what it finds
@pytest.mark.parametrize(("title", "page", "requests"), [
    ("Kale", "Kale", 1), ("kale", "Kale", 1),  # the wiki itself folds the first letter
    (" Albert_Einstein ", "Albert Einstein", 1), ("albert EINSTEIN", "Albert Einstein", 3),  # a near match
    ("Einstein", "Albert Einstein", 1), ("A. Einstein", "Albert Einstein", 1),  # redirects, also double
    ("Plato#Life", "Plato", 1), ("清华大学", "清华大学", 1), ("Empty page", "Empty page", 1),
    ("Long page", "Long page", 1),
])  # fmt: skip
def test_get_a_page(open_wiki, title, page, requests):
    wiki, pages = open_wiki()
    for _ in range(2):  # it is known by then
        assert pages.get(title) == PAGES[page] and len(wiki.asked) == requests
    edition = pages.edition(title)
    assert (edition.title, edition.revision) == (page, 101 + list(PAGES).index(page))
    assert edition.time == WHEN and edition.read.endswith("+00:00")
    assert len(wiki.asked) == requests
    assert not any("srinfo" in asked.query for asked in wiki.asked)  # the package's auto_suggest


@pytest.mark.parametrize(("title", "requests"), [
    ("No such page", 2), ("Ring a", 2), ("wikipedia:Plato", 2), ("Special:Random", 2), ("\ud800", 2), ("?", 2), ("%41", 2),
    ("", 0), (" _ ", 0), ("A|B", 0), ("bad[title]", 0), ("C#", 0), ("x" * 256, 0), ("清" * 86, 0), ("a\x00b", 0),
])  # fmt: skip
def test_no_such_page(open_wiki, title, requests):
    wiki, pages = open_wiki()
    assert pages.get(title) is None
    assert len(wiki.asked) == requests
    assert pages.edition(title) is None
    assert isinstance(pages.search(title), list)


def test_a_disambiguation_page_gives_its_meanings(open_wiki):
    wiki, pages = open_wiki()
    meanings = [f"Mercury ({x})" for x in ("planet", "element", "god", "band", "car")]
    for title in ("Mercury", "mercury", "Hermes"):
        assert pages.get(title) is None
        assert pages.search(title) == meanings
    assert not any(asked.query.get("srlimit") == "5" for asked in wiki.asked)  # they are enough
    assert pages.search("Mercury", 3) == meanings[:3]
    before = len(wiki.asked)  # a chain of such pages is not followed
    assert pages.get("Chain 0") is None and pages.search("Chain 0")[0] == "Chain 1"
    assert len(wiki.asked) == before + 3  # the page, its list, a full-text search


def test_search(open_wiki):
    wiki, pages = open_wiki()
    assert pages.search("physicist") == ["Albert Einstein", *[f"Physicist {i}" for i in range(4)]]
    assert len(pages.search("physicist", 20)) == 20
    assert pages.search("zzz") == []
    assert pages.search("") == []
    before = len(wiki.asked)
    assert len(pages.search("physicist " * 200)) == 5  # no title, and cut to what Wikipedia takes
    assert len(wiki.asked) == before + 1 and len(wiki.asked[-1].query["srsearch"]) <= 300


# as of a day
def then(open_wiki, day, **settings):
    return open_wiki(as_of=day, **settings)[1]


@pytest.mark.parametrize(("day", "title", "text"), [
    ("2009-12-31", "Kale", None),  # not yet written
    ("2010-03-01", "Kale", "Kal, then."),  # it was a redirect to Kal
    ("2015-03-01", "Kale", "Kale was food."), ("2021-12-31", "Kale", "Kale was food."),
    ("2022-01-01", "Kale", PAGES["Kale"]), ("2022-01-01", "kale", PAGES["Kale"]),
    ("2020-01-01", "Kal", None),  # a ring of redirects, of then
    ("2020-01-01", "Einstein", None),  # a redirect of today to a page of today
    ("2023-01-01", "A. Einstein", PAGES["Albert Einstein"]), ("2023-01-01", "Ring a", None),
    ("2023-01-01", "albert EINSTEIN", PAGES["Albert Einstein"]), ("2023-01-01", "wikipedia:Plato", None),
    ("2023-01-01", "Empty page", ""), ("2023-01-01", "No such page", None), ("2023-01-01", "bad[title]", None),
    ("2023-01-01", "Long page", PAGES["Long page"].strip()),  # ten million characters
])  # fmt: skip
def test_a_page_as_of_a_day(open_wiki, day, title, text):
    pages = then(open_wiki, day)
    assert pages.get(title) == text
    assert pages.snapshot.endswith(f", as of {day}")


def test_a_list_of_meanings_as_of_a_day(open_wiki):
    pages = then(open_wiki, "2013-01-01")
    assert pages.get("Plato") is None and pages.search("Plato")[0] == "Plato (man)"
    edition = pages.edition("Plato")
    assert (edition.title, edition.time) == ("Plato", "2012-05-01T00:00:00Z")


def test_a_page_as_of_a_day_takes_two_requests_and_replays_offline(open_wiki, tmp_path):
    cache = tmp_path / "then.jsonl"
    wiki, pages = open_wiki(as_of=date(2016, 1, 1), cache=cache)
    assert pages.get("Kale") == "Kale was food." and len(wiki.asked) == 2
    assert pages.edition("Kale").revision == 1001 and len(wiki.asked) == 2
    assert pages.search("Kale") and pages.get("No such page") is None
    replay = LiveWikipedia(api_url=wiki.url, cache=cache, offline=True, as_of="2016-01-01")
    assert replay.get("Kale") == "Kale was food." and replay.search("Kale") == pages.search("Kale")
    assert replay.edition("Kale") == pages.edition("Kale")
    assert replay.snapshot.endswith(", as of 2016-01-01, from then.jsonl")
    live = LiveWikipedia(api_url=wiki.url, cache=cache, offline=True)
    assert "does not hold 'Kale'" in sentence_of(live)  # another day is another page


# what a run says of its pages
def test_a_run_names_the_editions_that_it_saw(open_wiki):
    wiki, pages = open_wiki()
    acts = [f"Search[{title}]" for title in ("Einstein", "Mercury", "Kale", "Einstein")]
    said = [f" Hm.\nAction {i}: {act}" for i, act in enumerate([*acts, "Finish[x]"], 1)]
    task = Task("1", "multihop", "Where?")
    model, world = rl.models.scripted(said), rl.envs.Wiki(pages)
    run = rl.run("react", task, model, world=world)
    assert (
        run.id == start_of("react", task, kit_for(task, model, world=world)).id
    )  # before any page
    seen = run.settings["pages"]
    told = [(row["title"], row["revision"], row["time"]) for row in seen]
    assert told == [("Albert Einstein", 103, WHEN), ("Mercury", 142, WHEN), ("Kale", 101, WHEN)]
    assert seen[0] == asdict(pages.edition("Einstein"))
    again = RUN.read(RUN.write(run))
    assert again == run and rl.store.digest(again) == rl.store.digest(run)

    wiki.mode, plato = "403", " Hm.\nAction 2: Search[Plato]"  # a run that fails keeps what it saw
    with pytest.raises(EnvError) as fault:
        rl.run("react", task, rl.models.scripted([said[0], plato]), world=world)
    assert [row["title"] for row in fault.value.run.settings["pages"]] == ["Albert Einstein"]


# every way a network fails
@pytest.mark.parametrize(("mode", "requests", "words"), [
    ("403", 1, "set contact to your own address"), ("404", 1, "check lang and api_url"),
    ("429", 2, "gets too many requests (HTTP 429)"), ("429 for an hour", 1, "asks for 3600 seconds"),
    ("maxlag", 2, "is busy (maxlag)"), ("ratelimited", 2, "gets too many requests (ratelimited)"),
    ("html200", 1, "sign in to this network"), ("json200", 1, "sign in to this network"),
    ("odd shapes", 1, "sign in to this network"), ("deep", 1, "sign in to this network"),
    ("denied", 1, "You need to log in."), ("no extracts", 1, "TextExtracts"),
    ("hang", 2, "cannot be reached (it took too long)"), ("drip", 1, "not read (it was not whole after 0.3 s)"),
    ("endless", 1, "not read (more than 16 MB)"),  # more such servers: in test_replies.py, by the same client
    ("301 for good", 1, "sends us elsewhere ('portal.example"),
    ("307 with the question", 1, "sends us elsewhere ('portal.example"),
])  # fmt: skip
@pytest.mark.usefixtures("no_collection")
def test_a_fault_is_one_sentence(open_wiki, mode, requests, words):
    waits = {"timeout": (60, 0.5 if mode == "hang" else 60)}
    waits |= {"deadline": 0.3} if mode == "drip" else {}
    wiki, pages = open_wiki(mode, attempts=2, **waits)
    text = sentence_of(pages)
    assert words in text
    assert len(wiki.asked) == 2 * requests  # get's and search's: a fault is not remembered
    wiki.mode = "ok"
    assert pages.get("Kale") == PAGES["Kale"]


def page_of(revisions, **more):
    page = {"pageid": 1, "title": "Kale", "fullurl": "x", "extract": "Kale."}
    return Answer({"query": {"pages": {"1": page | {"revisions": revisions} | more}}})


SEVERAL = page_of([{"revid": 1, "timestamp": WHEN}], pageprops={"disambiguation": ""})
UNSOUND = {
    "a redirect to no address": Answer(b"", 302, {"Location": "http://["}),
    "a search without hits": Answer({"query": {}}),
    "a page of no revision": page_of([]), "a list of meanings that is hidden": SEVERAL,
}  # fmt: skip


@pytest.mark.parametrize("what", UNSOUND)
def test_an_answer_that_lacks_what_was_asked_for_is_a_fault(what):
    with Stub([UNSOUND[what]]) as stub:
        pages = LiveWikipedia(CONTACT, api_url=stub.url, attempts=1, **AT_ONCE)
        with pytest.raises(EnvError):
            pages.search("Kale")
        if "hits" not in what:
            with pytest.raises(EnvError):
                pages.get("Kale")


def test_a_hit_without_a_title_is_no_page():
    missing = {"query": {"pages": {"-1": {"title": "Kalee", "missing": ""}}}}
    hit = {"query": {"search": [{"title": ""}]}}
    with Stub(lambda asked: Answer(hit if "list=search" in asked.path else missing)) as stub:
        assert LiveWikipedia(CONTACT, api_url=stub.url, **AT_ONCE).get("Kalee") is None


@pytest.mark.parametrize(("mode", "least"), [("429 once", 1.0), ("503 once", 0.2)])
def test_a_fault_that_passes_is_waited_for(open_wiki, mode, least):
    wiki, pages = open_wiki(mode)
    start = time.monotonic()
    assert pages.get("Kale") == PAGES["Kale"]
    assert len(wiki.asked) == 2
    assert time.monotonic() - start >= least  # Retry-After: 1; else 0.2 to 0.8 s


def test_no_server_at_all():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://user:secret@127.0.0.1:{unused.getsockname()[1]}/w/api.php"
        pages = LiveWikipedia(CONTACT, api_url=url, attempts=2, max_wait=1.5)
        text = sentence_of(pages)
    assert "cannot be reached ([Errno 111] Connection refused)" in text and "bundled pages" in text
    assert "secret" not in text + pages.snapshot + repr(pages)


def test_bad_encoding_is_shown_as_such(open_wiki):
    _, pages = open_wiki("bad encoding")
    assert pages.get("Plato") == PAGES["Plato"]
    found = pages.get("清华大学")
    assert found is not None and "\ufffd" in found


# who asks, and how much
@pytest.mark.parametrize(("given", "why"), [
    *(({"contact": contact}, "^contact must be your own e-mail address or web page: ")
      for contact in ("", "me@home", "http://", "a@b.c\r\nX: y", "é@b.fr", None)),
    *(({"api_url": url}, "api_url is no address such as")
      for url in ("nonsense", "http://[", "ftp://w/api.php", "http://w:x/", "https://")),
    *(({"as_of": day}, "^as_of='.*' is not a day in the past, such as as_of=")
      for day in ("2022", "yesterday", "2999-01-01", "", "2022-13-01")),
    ({"offline": True}, "offline=True needs cache="),
])  # fmt: skip
def test_a_wiki_that_cannot_be_asked_so(given, why):
    with pytest.raises(ValueError, match=why):
        LiveWikipedia(**{"contact": CONTACT, **given})


def test_the_contact_is_sent_and_not_shown(open_wiki):
    wiki, pages = open_wiki()
    pages.get("Kale")
    assert wiki.asked[0].headers["user-agent"] == f"react-lab ({CONTACT}) python-wikipedia/1.4.0"
    assert CONTACT not in repr(pages) + pages.snapshot


def test_identical_requests_at_one_time_are_one(open_wiki):
    wiki, pages = open_wiki("slow")
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(pages.get, ["Kale", "Plato"] * 8))
    assert texts == [PAGES["Kale"], PAGES["Plato"]] * 8
    assert len(wiki.asked) == 2


def test_a_fault_that_threads_share_is_an_error_for_each(open_wiki):
    wiki, pages = open_wiki("hang", attempts=1, timeout=(1, 0.5))

    def fault(_):
        with pytest.raises(EnvError) as fault:
            pages.get("Kale")
        return fault.value

    with ThreadPoolExecutor(4) as pool:
        faults = list(pool.map(fault, range(4)))  # kept: the next one may take a lost one's id
    assert len({id(one) for one in faults}) == 4
    assert len(wiki.asked) == 1


def test_all_worlds_together_ask_one_request_at_a_time(open_wiki):
    wiki, one = open_wiki("slow")
    two = LiveWikipedia(CONTACT, lang="zh", api_url=wiki.url, **AT_ONCE)
    worlds = [one, two, pickle.loads(pickle.dumps(one))]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: worlds[i % 3].get(f"Physicist {i}"), range(12)))
    assert wiki.peak == 1 and len(wiki.asked) == 12


def test_requests_begin_an_interval_apart(open_wiki):
    _, pages = open_wiki(interval=0.1)
    start = time.monotonic()
    assert all(map(pages.get, ("Kale", "Plato", "Kal")))
    assert time.monotonic() - start >= 0.2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
def test_a_forked_worker_begins_with_an_open_gate(open_wiki):
    _, pages = open_wiki()
    worker = get_context("fork").Process(target=pages.get, args=("Kale",))
    with GATE.lock:  # a request of the parent's is under way
        worker.start()
        worker.join(30)
    ended = worker.exitcode
    worker.kill()
    assert ended == 0


# the file
def test_a_class_replays_offline(open_wiki, tmp_path):
    cache = tmp_path / "new folder" / "class.jsonl"
    wiki, pages = open_wiki(cache=cache)
    titles = ["Kale", "Einstein", "albert einstein", "Mercury", "No such page", "清华大学"]
    seen = [(pages.get(t), pages.search(t)) for t in titles]
    asked = len(wiki.asked)
    rows = [json.loads(line) for line in cache.read_text("utf-8").split("\n")[:-1]]
    assert len(rows) == asked and {row["source"] for row in rows} == {wiki.url[7:-10]}

    again = LiveWikipedia(CONTACT, api_url=wiki.url, cache=cache, **AT_ONCE)
    replay = LiveWikipedia(api_url=wiki.url, cache=str(cache), offline=True)
    for known in (again, replay):
        assert [(known.get(t), known.search(t)) for t in titles] == seen
        assert [known.edition(t) for t in titles] == [pages.edition(t) for t in titles]
    assert len(wiki.asked) == asked
    assert replay.snapshot == f"{wiki.url[7:-10]}, from class.jsonl"
    assert "does not hold 'Plato'" in sentence_of(replay, "Plato")


@pytest.mark.usefixtures("no_collection")
def test_a_damaged_answer_is_fetched_again(open_wiki, tmp_path):
    cache = tmp_path / "class.jsonl"
    wiki, pages = open_wiki(cache=cache)
    titles = ["Kale", "Plato", "Kal"]
    for title in titles:
        pages.get(title)
    kale, plato, kal, _ = cache.read_bytes().split(b"\n")
    other = kal.replace(pages._answers.source.encode(), b"fr.wikipedia.org")
    odd = [b"[]", b"{}", b"\xff", b"[" * 100_000, kal.replace(b"query", b"quarry")]
    kale = kale.replace(b"query", b"quern")
    cache.write_bytes(b"\n".join([kale, plato[:50], *odd, other, kal, plato[:99]]))

    again = LiveWikipedia(CONTACT, api_url=wiki.url, cache=cache, **AT_ONCE)
    assert again.get("Kal") == PAGES["Kal"] and len(wiki.asked) == 3
    assert [again.get(title) for title in titles] == [PAGES[title] for title in titles]
    assert len(wiki.asked) == 5
    replay = LiveWikipedia(api_url=wiki.url, cache=cache, offline=True)
    assert [replay.get(title) for title in titles] == [PAGES[title] for title in titles]
    assert (tmp_path / "class.jsonl.torn").read_bytes() == plato[:99] + b"\n"


def test_a_file_of_something_else_is_left_alone(open_wiki, tmp_path):
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear teacher,\n", encoding="utf-8")
    _, pages = open_wiki(cache=letter)
    with pytest.raises(ValueError, match=r"holds something else than answers: it is left as it is"):
        pages.get("Kale")
    assert letter.read_text("utf-8") == "Dear teacher,\n"


def test_programs_that_are_open_at_once_share_what_each_fetches(open_wiki, tmp_path):
    cache = tmp_path / "class.jsonl"
    wiki, one = open_wiki(cache=cache)
    two = LiveWikipedia(CONTACT, api_url=wiki.url, cache=cache, **AT_ONCE)
    assert one.get("Kale") == two.get("Kale") == PAGES["Kale"]
    assert two.get("Plato") == one.get("Plato") == PAGES["Plato"]
    assert len(wiki.asked) == 2  # each page once


def test_a_cache_may_be_in_a_home_folder_and_offline_there_must_be_one(
    open_wiki, tmp_path, monkeypatch
):
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"No recorded pages at .*: give cache= another"):
        LiveWikipedia(cache="~/class.jsonl", offline=True)
    _, pages = open_wiki(cache="~/class.jsonl")
    pages.get("Kale")
    assert LiveWikipedia(cache="~/class.jsonl", offline=True).cache == tmp_path / "class.jsonl"


# the package, and this process
def test_pickles_as_settings(open_wiki):
    wiki, pages = open_wiki(attempts=2)
    pages.get("Kale")
    copy = pickle.loads(pickle.dumps(pages))
    assert repr(copy) == repr(pages) and copy.contact == CONTACT
    assert copy.get("Kale") == PAGES["Kale"] and len(wiki.asked) == 2


def test_the_users_own_module_stays_as_it_is(open_wiki):
    import wikipedia.wikipedia as theirs

    before = dict(vars(theirs))
    open_wiki()[1].search("Mercury")
    open_wiki()[1].get("Kale")
    assert dict(vars(theirs)) == before and sys.modules["wikipedia.wikipedia"] is theirs
    assert theirs.API_URL == "http://en.wikipedia.org/w/api.php"
