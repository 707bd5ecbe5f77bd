"""Live Wikipedia against a real MediaWiki (make test-mediawiki), the judge of our stand-in too."""

import pytest
from wiki_server import PAGES, WikiServer

from react_lab.envs.live import LiveWikipedia

pytestmark = pytest.mark.mediawiki
CONTACT = "teacher@example.org"


@pytest.fixture(scope="module")
def real(wiki):
    return LiveWikipedia(CONTACT, api_url=wiki.api, interval=0)


@pytest.fixture(scope="module")
def stand_in():
    with WikiServer() as server:
        yield LiveWikipedia(CONTACT, api_url=server.url, interval=0)


@pytest.mark.parametrize("title", [
    "Kale", "kale", " Albert_Einstein ", "albert EINSTEIN", "Plato#Life", "清华大学", "Empty page",
    "Einstein", "A. Einstein", "Ring a", "Mercury", "mercury", "Hermes", "Chain 0",  # redirects, a ring, lists of meanings
    "No such page", "wikipedia:Plato", "Special:Random", "?", "%41", "\ud800", "a\x00b",
    "", " _ ", "A|B", "bad[title]", "<b>", "C#", "x" * 256, "清" * 86,
], ids=ascii)  # fmt: skip
def test_the_stand_in_answers_as_a_real_wiki(real, stand_in, title):
    assert real.get(title) == stand_in.get(title)


@pytest.mark.parametrize("title", ["AC/DC", "C++", "São Paulo", "Beyoncé"], ids=ascii)
def test_odd_titles(real, stand_in, title):
    assert real.get(title) == real.get(title.lower()) == stand_in.get(title) == PAGES[title]


def test_a_redirect_to_a_section(real):
    assert real.get("In Ulm") == PAGES["Albert Einstein"]


@pytest.mark.parametrize("query", ["Mercury", "Hermes", "physicist", "zzz", ""])
def test_searches_agree(real, stand_in, query):
    ours, theirs = stand_in.search(query), real.search(query)
    assert (theirs[0], len(theirs)) == (ours[0], len(ours)) if ours else theirs == []


def test_a_search_reads_the_text(real):
    assert real.search("Sydney") == ["AC/DC"]


def test_a_revision_has_its_number(wiki, real):
    assert real.get("Kal") == PAGES["Kal"]
    wiki.load({"Kal": "Kal is a name."}, when="2023-01-01T00:00:00Z")
    later = LiveWikipedia(CONTACT, api_url=wiki.api, interval=0)
    assert later.get("Kal") == "Kal is a name."
    first, second = real.edition("Kal"), later.edition("Kal")
    assert second.revision > first.revision
    assert (first.time, second.time) == ("2022-01-01T00:00:00Z", "2023-01-01T00:00:00Z")
