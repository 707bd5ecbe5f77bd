"""Live Wikipedia against a real MediaWiki (make test-mediawiki), the judge of our stand-in too."""

import pytest
from wiki_server import MEANINGS, PAGES, REDIRECTS, WikiServer

from react_lab.envs.live import LiveWikipedia

pytestmark = pytest.mark.mediawiki
CONTACT = "teacher@example.org"
HERE_ONLY = {
    "AC/DC": "AC/DC is a rock band. It comes from Sydney.",
    "C++": "C++ is a programming language. It extends C.",
    "São Paulo": "São Paulo is a city in Brazil.",
    "Beyoncé": "Beyoncé is a singer. She was born in Houston.",
}


def wikitexts():
    """The stand-in's pages as wikitext, and a few more; its longest is more than a wiki takes."""
    pages = {title: text for title, text in PAGES.items() if title != "Long page"} | HERE_ONLY
    pages |= {title: f"#REDIRECT [[{to}]]" for title, to in REDIRECTS.items()}
    pages["In Ulm"] = "#REDIRECT [[Albert Einstein#Life]]"
    for title in ("Mercury", "Chain 0", "Chain 1"):
        links = "".join(f"* [[{meaning}]], a meaning\n" for meaning in MEANINGS[title])
        pages[title] = f"'''{title}''' may refer to:\n\n{links}\n__DISAMBIG__"
    return pages


@pytest.fixture(scope="module")
def wiki(mediawiki):
    mediawiki.load(wikitexts())
    return mediawiki


@pytest.fixture(scope="module")
def real(wiki):
    return LiveWikipedia(CONTACT, api_url=wiki.api)


@pytest.fixture(scope="module")
def stand_in():
    with WikiServer() as server:
        yield LiveWikipedia(CONTACT, api_url=server.url)


@pytest.mark.parametrize(
    "title",
    [
        *["Kale", "kale", " Albert_Einstein ", "albert EINSTEIN", "Plato#Life", "清华大学"],
        *["Einstein", "A. Einstein", "Ring a", "Empty page"],  # a redirect, a double one, a ring
        *["Mercury", "mercury", "Hermes", "Chain 0"],  # lists of meanings
        *["No such page", "wikipedia:Plato", "Special:Random", "?", "%41", "\ud800", "a\x00b"],
        *["", " _ ", "A|B", "bad[title]", "<b>", "C#", "x" * 256, "清" * 86],
    ],
    ids=ascii,
)
def test_the_stand_in_answers_as_a_real_wiki(real, stand_in, title):
    assert real.get(title) == stand_in.get(title)


@pytest.mark.parametrize("title", HERE_ONLY)
def test_odd_titles(real, title):
    assert real.get(title) == real.get(title.lower()) == HERE_ONLY[title]


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
    later = LiveWikipedia(CONTACT, api_url=wiki.api)
    assert later.get("Kal") == "Kal is a name."
    assert later.revisions["Kal"][0] > real.revisions["Kal"][0]
