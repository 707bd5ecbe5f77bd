"""Live Wikipedia: what it finds, every way a network fails, and that nobody's module is touched.

Against a stand-in on the loopback interface (`wiki_server.py`), which `make test-mediawiki` holds
against a real MediaWiki.
"""

import inspect
import json
import pickle
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import pytest
from wiki_server import PAGES, WikiServer

from react_lab.envs.answers import Answers
from react_lab.envs.live import LiveWikipedia
from react_lab.envs.wiki import WikiEnv
from react_lab.types import EnvError, Task

CONTACT = "teacher@example.org"


@pytest.fixture
def open_wiki():
    """A maker of (server, pages) in one fault mode; the servers close when the test ends."""
    servers = []

    def make(mode="ok", **settings):
        servers.append(WikiServer(mode).__enter__())
        return servers[-1], LiveWikipedia(CONTACT, api_url=servers[-1].url, **settings)

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


# --- what it finds


@pytest.mark.parametrize(
    ("title", "page", "requests"),
    [
        ("Kale", "Kale", 1),
        ("kale", "Kale", 1),  # the wiki itself folds the first letter
        (" Albert_Einstein ", "Albert Einstein", 1),
        ("albert EINSTEIN", "Albert Einstein", 3),  # missing, near match, the page
        ("Einstein", "Albert Einstein", 1),  # a redirect
        ("A. Einstein", "Albert Einstein", 1),  # a double redirect
        ("Plato#Life", "Plato", 1),
        ("清华大学", "清华大学", 1),
        ("Empty page", "Empty page", 1),
        ("Long page", "Long page", 1),
    ],
)
def test_get_a_page(open_wiki, title, page, requests):
    wiki, pages = open_wiki()
    assert pages.get(title) == PAGES[page]
    assert len(wiki.asked) == requests
    assert pages.get(title) == PAGES[page]
    assert len(wiki.asked) == requests  # known by now
    number, when = pages.revisions[page]
    assert number == 101 + list(PAGES).index(page) and when.endswith("+00:00")


@pytest.mark.parametrize(
    ("title", "requests"),
    [
        *[("No such page", 2), ("Ring a", 2), ("wikipedia:Plato", 2), ("Special:Random", 2)],
        *[("", 0), (" _ ", 0), ("A|B", 0), ("bad[title]", 0), ("<b>", 0), ("C#", 0)],
        *[("x" * 256, 0), ("清" * 86, 0), ("a\x00b", 0), ("\ud800", 2), ("?", 2), ("%41", 2)],
    ],
)
def test_no_such_page(open_wiki, title, requests):
    wiki, pages = open_wiki()
    assert pages.get(title) is None
    assert len(wiki.asked) == requests
    assert pages.revisions == {}
    assert isinstance(pages.search(title), list)


def test_a_disambiguation_page_gives_its_meanings(open_wiki):
    wiki, pages = open_wiki()
    meanings = [f"Mercury ({x})" for x in ("planet", "element", "god", "band", "car")]
    for title in ("Mercury", "mercury", "Hermes"):
        assert pages.get(title) is None
        assert pages.search(title) == meanings
    assert not any(
        asked.get("srlimit") == "5" for asked, _ in wiki.asked
    )  # five meanings are enough
    assert pages.search("Mercury", 3) == meanings[:3]


def test_a_chain_of_disambiguation_pages_is_not_followed(open_wiki):
    wiki, pages = open_wiki()
    assert pages.get("Chain 0") is None
    assert pages.search("Chain 0")[0] == "Chain 1"
    assert len(wiki.asked) == 3  # the page, its list, a full-text search
    for i in range(50):
        assert pages.get(f"Chain {i}") is None
        titles = pages.search(f"Chain {i}")
        assert titles[0] == f"Chain {i + 1}" and len(titles) <= 5


def test_search(open_wiki):
    wiki, pages = open_wiki()
    assert pages.search("physicist") == ["Albert Einstein", *[f"Physicist {i}" for i in range(4)]]
    assert len(pages.search("physicist", 20)) == 20
    assert pages.search("zzz") == []
    assert pages.search("") == []
    before = len(wiki.asked)
    assert len(pages.search("physicist " * 200)) == 5  # no title, and cut to what Wikipedia takes
    assert len(wiki.asked) == before + 1 and len(wiki.asked[-1][0]["srsearch"]) <= 300


def test_a_title_is_never_replaced_by_a_guess(open_wiki):
    wiki, pages = open_wiki()
    pages.get("Kale")
    pages.search("Kale")
    assert not any("srinfo" in asked for asked, _ in wiki.asked)  # the package's auto_suggest


def test_the_world_reads_these_pages(open_wiki):
    wiki, pages = open_wiki()
    world = WikiEnv(pages)
    world.reset(Task("1", "multihop", "Where was Einstein born?"))
    assert world.step("Search[Einstein]").text == PAGES["Albert Einstein"]
    assert world.step("Lookup[Ulm]").text == "(Result 1 / 1) He was born in Ulm."
    assert "Mercury (planet)" in world.step("Search[Mercury]").text
    assert world.step("Search[Empty page]").text.startswith("Could not find Empty page.")
    assert world.step("Search[Long page]").text == " ".join(["A sentence of the long page."] * 5)
    wiki.mode = "403"
    with pytest.raises(EnvError):
        world.step("Search[Plato]")


# --- every way a network fails


@pytest.mark.parametrize(
    ("mode", "requests", "words"),
    [
        ("403", 1, "set contact to your own address"),
        ("404", 1, "check lang and api_url"),
        ("429", 2, "gets too many requests (HTTP 429)"),
        ("429 for an hour", 1, "asks for 3600 seconds"),
        ("maxlag", 2, "is busy (maxlag)"),
        ("ratelimited", 2, "gets too many requests (ratelimited)"),
        ("html200", 1, "sign in to this network"),
        ("json200", 1, "sign in to this network"),
        ("deep", 1, "sign in to this network"),
        ("denied", 1, "You need to log in."),
        ("no extracts", 1, "TextExtracts"),
        ("hang", 2, "cannot be reached (ReadTimeout)"),
    ],
)
@pytest.mark.usefixtures("no_collection")
def test_a_fault_is_one_sentence(open_wiki, mode, requests, words):
    wiki, pages = open_wiki(mode, attempts=2, timeout=(60, 0.5 if mode == "hang" else 60))
    text = sentence_of(pages)
    assert words in text
    assert len(wiki.asked) == 2 * requests  # get's and search's: a fault is not remembered
    wiki.mode = "ok"
    assert pages.get("Kale") == PAGES["Kale"]


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
    assert "cannot be reached (ConnectionError)" in text and "bundled pages" in text
    assert "secret" not in text + pages.snapshot


def test_bad_encoding_is_shown_as_such(open_wiki):
    _, pages = open_wiki("bad encoding")
    assert pages.get("Plato") == PAGES["Plato"]
    found = pages.get("清华大学")
    assert found is not None and "\ufffd" in found


# --- who asks, and how much


@pytest.mark.parametrize(
    "contact", ["", "me", "me@home", "http://", "a@b.c\r\nX: y", "é@b.fr", None]
)
def test_a_contact_is_required(contact):
    with pytest.raises(ValueError, match=r"^contact must be your own e-mail address or web page: "):
        LiveWikipedia(contact)


def test_the_contact_is_sent_and_not_shown(open_wiki):
    wiki, pages = open_wiki()
    pages.get("Kale")
    assert wiki.asked[0][1] == f"react-lab ({CONTACT}) python-wikipedia/1.4.0"
    assert CONTACT not in repr(pages) + pages.snapshot


def test_the_default_is_wikipedia_over_https():
    pages = LiveWikipedia(CONTACT, lang="zh")
    assert pages.snapshot == "zh.wikipedia.org, live"
    assert pages._client.url == "https://zh.wikipedia.org/w/api.php"


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
        assert len(set(map(id, pool.map(fault, range(4))))) == 4
    assert len(wiki.asked) == 1


def test_a_stop_leaves_nothing_half_known():
    def stop():
        raise KeyboardInterrupt

    answers = Answers(None, "a wiki")
    with pytest.raises(KeyboardInterrupt):
        answers.get("{}", stop)
    assert answers.get("{}", lambda: {"found": 1}) == {"found": 1}


def test_no_more_than_two_requests_at_a_time(open_wiki):
    wiki, pages = open_wiki("slow")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(pages.get, [f"Physicist {i}" for i in range(12)]))
    assert wiki.peak == 2 and len(wiki.asked) == 12


# --- the file


def test_a_class_replays_offline(open_wiki, tmp_path):
    cache = tmp_path / "new folder" / "class.jsonl"
    wiki, pages = open_wiki(cache=cache)
    titles = ["Kale", "Einstein", "albert einstein", "Mercury", "No such page", "清华大学"]
    seen = [(pages.get(t), pages.search(t)) for t in titles]
    asked = len(wiki.asked)
    rows = rows_of(cache)
    assert len(rows) == asked and {row["source"] for row in rows} == {wiki.url[7:-10]}

    again = LiveWikipedia(CONTACT, api_url=wiki.url, cache=cache)
    replay = LiveWikipedia(api_url=wiki.url, cache=str(cache), offline=True)
    for known in (again, replay):
        assert [(known.get(t), known.search(t)) for t in titles] == seen
        assert known.revisions == pages.revisions
    assert len(wiki.asked) == asked
    assert replay.snapshot == f"{wiki.url[7:-10]}, from class.jsonl"
    assert "does not hold 'Plato'" in sentence_of(replay, "Plato")


def rows_of(cache):
    return [json.loads(line) for line in cache.read_text("utf-8").split("\n") if line]


@pytest.mark.usefixtures("no_collection")
def test_the_file_survives_a_line_cut_short_and_other_wikis(open_wiki, tmp_path):
    cache = tmp_path / "class.jsonl"
    wiki, pages = open_wiki(cache=cache)
    pages.get("Kale")
    other = cache.read_text("utf-8").replace(pages._answers.source, "fr.wikipedia.org")
    cache.write_bytes(
        cache.read_bytes()[:-20] + other.encode() + b"\n[]\n{}\n\xff\n" + b"[" * 100_000
    )
    pages = LiveWikipedia(CONTACT, api_url=wiki.url, cache=cache)
    assert pages.get("Kale") == PAGES["Kale"]
    assert len(wiki.asked) == 2
    assert LiveWikipedia(api_url=wiki.url, cache=cache, offline=True).get("Kale") == PAGES["Kale"]


def test_two_writers_lose_nothing(open_wiki, tmp_path):
    cache = tmp_path / "class.jsonl"
    wiki, one = open_wiki(cache=cache)
    two = LiveWikipedia(CONTACT, api_url=wiki.url, cache=cache)
    titles = [f"Physicist {i}" for i in range(30)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: (one, two)[i % 2].get(titles[i // 2]), range(60)))
    assert {row["asked"]["titles"] for row in rows_of(cache)} == set(titles)
    assert cache.read_text("utf-8").count('{"source"') == len(rows_of(cache))  # none is torn


def test_offline_needs_a_file():
    with pytest.raises(ValueError, match="offline=True needs cache="):
        LiveWikipedia(CONTACT, offline=True)


# --- the package, and this process


def test_pickles_as_settings(open_wiki):
    wiki, pages = open_wiki(attempts=2)
    pages.get("Kale")
    copy = pickle.loads(pickle.dumps(pages))
    assert repr(copy) == repr(pages) and copy.contact == CONTACT
    assert copy.revisions == {}
    assert copy.get("Kale") == PAGES["Kale"] and len(wiki.asked) == 2


def test_the_users_own_module_stays_as_it_is(open_wiki):
    import wikipedia.wikipedia as theirs

    before = dict(vars(theirs))
    (_, one), (_, two) = open_wiki(), open_wiki()
    one.search("Mercury")
    two.get("Kale")
    assert dict(vars(theirs)) == before
    assert theirs.API_URL == "http://en.wikipedia.org/w/api.php"
    assert sys.modules["wikipedia.wikipedia"] is theirs
    assert one._package is not two._package and one._package is not theirs


def test_nothing_is_imported_before_it_is_used_and_nothing_warns():
    code = f"""
import sys
from react_lab.envs.live import LiveWikipedia
pages = LiveWikipedia({CONTACT!r})
assert not {{"wikipedia", "requests", "bs4"}} & set(sys.modules)
pages._package
assert "bs4" in sys.modules
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, encoding="utf-8"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_pinned_package_is_the_one_we_wrap():
    import wikipedia.wikipedia as theirs

    assert version("wikipedia") == "1.4.0"
    source = inspect.getsource(theirs)
    assert "API_URL = 'http://en.wikipedia.org/w/api.php'" in source
    assert "def _wiki_request(params):" in source
    assert source.count("requests.get(") == 1  # its only way to the network
    assert "BeautifulSoup(html)" in source
    assert inspect.signature(theirs.page).parameters["auto_suggest"].default is True


# --- waits end, sizes are bounded


@pytest.mark.parametrize("mode", ["drip", "drip headers", "drip continue"])
def test_a_wiki_that_drips_ends_at_the_deadline(open_wiki, mode):
    wiki, pages = open_wiki(mode, deadline=0.3)
    with pytest.raises(EnvError) as fault:
        pages.get("Kale")
    assert "did not answer in 0.3 seconds" in str(fault.value) and len(wiki.asked) == 1


@pytest.mark.parametrize("mode", ["endless", "bomb"])
def test_a_wiki_without_end_is_not_read_to_memory_s_limit(open_wiki, mode):
    wiki, pages = open_wiki(mode)
    with pytest.raises(EnvError, match="sends more than 16 MB"):
        pages.get("Kale")
    assert len(wiki.asked) == 1


@pytest.mark.parametrize("mode", ["301 for good", "307 with the question"])
def test_no_redirect_is_followed(open_wiki, mode):
    wiki, pages = open_wiki(mode)
    with pytest.raises(EnvError, match=r"sends us elsewhere \('portal.example"):
        pages.get("Kale")
    assert len(wiki.asked) == 1
