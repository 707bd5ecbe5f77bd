"""Pages as of a day, on a real MediaWiki."""

import pytest

from react_lab.envs.live import LiveWikipedia

pytestmark = pytest.mark.mediawiki
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


def test_its_edition_is_that_of_then(edited):
    pages = at(edited, "2016-06-01")
    edition, newest = pages.edition("Pluto"), at(edited, "2021-01-01").edition("Pluto")
    assert (edition.title, edition.time) == ("Pluto", "2015-01-01T12:00:00Z")
    assert edition.revision < newest.revision
    assert at(edited, "2012-01-01").edition("Kiev").title == "Kyiv"


def test_meanings_of_then_and_a_search_of_today(edited):
    assert at(edited, "2012-01-01").search("Orion")[0] == "Orion (myth)"
    assert at(edited, "2012-01-01").search("probe") == ["Pluto"]
