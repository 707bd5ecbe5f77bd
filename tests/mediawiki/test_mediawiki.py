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
    "", " _ ", "A|B", "bad[title]", "<b>", "C#", "x" * 256, "清" * 86, "AC/DC", "ac/dc", "C++", "São Paulo", "beyoncé",
], ids=ascii)  # fmt: skip
def test_the_stand_in_answers_as_a_real_wiki(real, stand_in, title):
    assert real.get(title) == stand_in.get(title)


def test_a_redirect_to_a_section_and_a_search_that_reads_the_text(real):
    assert real.get("In Ulm") == PAGES["Albert Einstein"]
    assert real.search("Sydney") == ["AC/DC"]


@pytest.mark.parametrize("query", ["Mercury", "Hermes", "physicist", "zzz", ""])
def test_searches_agree(real, stand_in, query):
    ours, theirs = stand_in.search(query), real.search(query)
    assert (theirs[0], len(theirs)) == (ours[0], len(ours)) if ours else theirs == []


def test_a_revision_has_its_number(wiki, real):
    assert real.get("Kal") == PAGES["Kal"]
    wiki.load({"Kal": "Kal is a name."}, when="2023-01-01T00:00:00Z")
    later = LiveWikipedia(CONTACT, api_url=wiki.api, interval=0)
    assert later.get("Kal") == "Kal is a name."
    first, second = real.edition("Kal"), later.edition("Kal")
    assert second.revision > first.revision
    assert (first.time, second.time) == ("2022-01-01T00:00:00Z", "2023-01-01T00:00:00Z")


# ---------------------------------------------------------------------- pages as of a day
EDITS = [  # on the first of each January
    (2010, {"Pluto": "Pluto is a '''planet'''. It is small.\n\n== Moons ==\nIt has four moons."}),
    (2010, {"Uluru": "#REDIRECT [[Ayers Rock#Name]]"}),
    (2010, {"Ayers Rock": "Ayers Rock is a rock.", "Ring 1": "#REDIRECT [[Ring 2]]"}),
    (2010, {"Ring 2": "#REDIRECT [[Ring 1]]", "Orion": "* [[Orion (myth)]]\n\n__DISAMBIG__"}),
    (2015, {"Pluto": "Pluto is a dwarf planet.", "Ring 2": "Ring 2 is a page."}),
    (2020, {"Pluto": "Pluto is a dwarf planet. A probe was there."}),
    (2020, {"Orion": "Orion is a star sign.", "Eswatini": "Eswatini is a kingdom."}),
    (2020, {"Uluru": "Uluru is a rock.", "Ayers Rock": "#REDIRECT [[Uluru]]"}),
]
PLUTO = "Pluto is a planet. It is small.\n\nMoons\n\nIt has four moons."  # of 2010


@pytest.fixture(scope="module")
def edited(wiki):
    for year, pages in EDITS:
        wiki.load(pages, when=f"{year}-01-01T12:00:00Z")
    wiki.load({"Kiev": "Kiev is a city."}, when="2010-01-01T12:00:00Z")
    moves = wiki.folder / "moves.txt"
    moves.write_text("Kiev|Kyiv\n", encoding="utf-8")
    wiki.php("moveBatch", moves)
    return wiki


def at(wiki, day):
    return LiveWikipedia("me@example.org", api_url=wiki.api, interval=0, as_of=day)


@pytest.mark.parametrize(("day", "title", "text"), [
    ("2009-12-31", "Pluto", None), ("2010-01-01", "Pluto", PLUTO), ("2014-12-31", "pluto", PLUTO),
    ("2016-01-01", "Pluto", "Pluto is a dwarf planet."),
    ("2021-01-01", "Pluto", "Pluto is a dwarf planet. A probe was there."),
    ("2016-01-01", "Uluru", "Ayers Rock is a rock."), ("2021-01-01", "Ayers Rock", "Uluru is a rock."),  # turned round
    ("2012-01-01", "Ring 1", None), ("2016-01-01", "Ring 1", "Ring 2 is a page."),
    ("2012-01-01", "Kiev", "Kiev is a city."), ("2012-01-01", "Kyiv", "Kiev is a city."),  # it was moved today
    ("2012-01-01", "Orion", None), ("2021-01-01", "Orion", "Orion is a star sign."), ("2016-01-01", "Eswatini", None),
    *(("2021-01-01", title, None) for title in ("No such page", "wikipedia:Plato", "Special:Random")),
])  # fmt: skip
def test_a_page_as_of_a_day(edited, day, title, text):
    assert at(edited, day).get(title) == text


def test_its_edition_and_meanings_are_those_of_then_and_a_search_is_of_today(edited):
    pages = at(edited, "2016-06-01")
    edition, newest = pages.edition("Pluto"), at(edited, "2021-01-01").edition("Pluto")
    assert (edition.title, edition.time) == ("Pluto", "2015-01-01T12:00:00Z")
    assert edition.revision < newest.revision
    assert at(edited, "2012-01-01").edition("Kiev").title == "Kyiv"
    assert at(edited, "2012-01-01").search("Orion")[0] == "Orion (myth)"
    assert at(edited, "2012-01-01").search("probe") == ["Pluto"]
