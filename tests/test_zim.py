"""ZIM files: what Kiwix gives becomes a world."""

import pickle
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zim_book import entry, write_zim

import react_lab as rl
from react_lab.envs.archive import text_of
from react_lab.envs.pages import Encyclopedia, bundled
from react_lab.types import EnvError, Task

pytest.importorskip("libzim", reason="the extra [zim]")

BOOK = Encyclopedia([
    {"title": "Mercury", "options": ["Mercury (planet)", "AC/DC"]},
    {"title": "Mercury (planet)", "aliases": ["Planète Mercure", "AC/DC"], "text": "It is <hot> & small.\n\nNo moon."},
    {"title": "AC/DC", "aliases": ["Rock/Hard/Loud", "Rock/Hard/Loud"], "text": "They play loud."},
    {"title": "Empty", "text": ""},
])  # fmt: skip


@pytest.fixture(scope="session")
def shipped(tmp_path_factory):
    return write_zim(tmp_path_factory.mktemp("zim") / "shipped.zim")


def searched(pages, title):
    return rl.envs.Wiki(pages)(Task("t", "multihop", "Why?")).step(f"Search[{title}]").text


def test_the_bundled_encyclopedia_is_read_back_equal_and_a_miss_gives_similar_titles(shipped):
    ours, theirs = bundled(), rl.envs.zim(shipped)
    names = [name for title, row in ours.rows.items() for name in (title, *row.get("aliases", ()))]
    assert len(names) > 2500 and all(theirs.get(name) == ours.get(name) for name in names)
    for title, row in ours.rows.items():
        if options := row.get("options"):
            assert theirs.search(title)[: len(options)] == list(options)[:5]
        else:
            assert searched(theirs, title) == searched(ours, title)
    found = [theirs.get(name.lower()) == ours.get(name) for name in names]
    assert sum(found) > 0.99 * len(names)  # libzim offers one of `St. Andrews` and `St Andrews`
    for query in (
        "mercury planet craters zzzz",
        "the Danube river in Ulm",
        "Jim Thorp the athlete",
    ):
        seen = searched(theirs, query)
        assert seen.startswith(f"Could not find {query}. Similar: ['")
        assert all(title in bundled().rows for title in theirs.search(query))
    assert searched(theirs, "zzzz") == "Could not find zzzz. Similar: []."


def test_odd_titles_and_aliases(tmp_path):
    file = rl.envs.zim(write_zim(tmp_path / "a.zim", BOOK))
    for title in ("Planète Mercure", "planete mercure"):
        assert file.get(title) == BOOK.rows["Mercury (planet)"]["text"]
    for title in ("AC/DC", "Rock/Hard/Loud", "ac/dc#Life"):
        assert file.get(title) == "They play loud."
    assert file.get("Mercury") is None and file.get("Empty") == ""
    assert file.search("Mercury") == ["Mercury (planet)", "AC/DC"]
    assert file.get("_main") is file.get("") is None


def test_a_run_names_the_edition_and_pickles(tmp_path):
    first = rl.envs.zim(write_zim(tmp_path / "a.zim", BOOK))
    second = rl.envs.zim(write_zim(tmp_path / "b.zim", BOOK))
    world = rl.envs.Wiki(first)
    model = rl.models.scripted([" a\nAction 1: Search[AC/DC]", " b\nAction 2: Finish[loud]"])
    run = rl.run("react", Task("t", "multihop", "How?", "loud"), model, world=world)
    assert rl.score.correct(run) and run.steps[0].observation == "They play loud."
    assert run.settings["world"] == world.snapshot and first.snapshot != second.snapshot
    assert first.snapshot.startswith("zim The encyclopedia of react_lab 20")
    assert pickle.loads(pickle.dumps(world)).snapshot == world.snapshot


def test_four_threads_read_one_file(shipped):
    file, ours = rl.envs.zim(shipped), bundled()
    titles = [title for title, row in ours.rows.items() if "text" in row]

    def right(title):
        return file.get(title) == ours.get(title) and file.search(f"{title} zzzz")

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(right, random.Random(0).choices(titles, k=240)))


@pytest.mark.parametrize("query", ["", " ", "\x00", "\ud800", "(" * 3000, '"a" OR', "*", "NOT a", "a" * 5000, "ulm " * 2000, "\u202e"])  # fmt: skip
def test_no_query_is_a_fault(shipped, query):
    file = rl.envs.zim(shipped)
    file.get(query)
    assert len(file.search(query)) <= 5


def test_what_is_no_zim_file_is_said_in_a_sentence_and_a_damaged_page_is_a_fault(tmp_path, shipped):
    path = tmp_path / "a.zim"
    with pytest.raises(FileNotFoundError, match=r"no ZIM file at .*a\.zim"):
        rl.envs.zim(path)
    with pytest.raises(OSError, match="is a folder: give the path of a file"):
        rl.envs.zim(tmp_path)
    for content in (b"", b"PK\x03\x04", b"Dear diary"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"a\.zim is no ZIM file"):
            rl.envs.zim(path)
    whole = shipped.read_bytes()
    for size in (4, 80, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=r"a\.zim is cut short or damaged .*: fetch it again$"):
            rl.envs.zim(path)
    damaged = bytearray(shipped.read_bytes())
    for at in range(5_000, len(damaged) - 5_000, 499):
        damaged[at] ^= 255
    path = tmp_path / "a.zim"
    path.write_bytes(damaged)
    with pytest.raises((EnvError, ValueError), match=r"a\.zim .*damaged"):
        file = rl.envs.zim(path)
        for title in bundled().rows:
            file.get(title)


def test_other_entries_are_no_pages(tmp_path):
    from libzim.writer import Creator

    path = tmp_path / "a.zim"
    with Creator(path) as file:
        file.add_item(entry("t", "Table", "text/csv", "a,b"))
        file.add_item(entry("h", "Huge", "text/html", "<p>a</p>" * 2_100_000))
        file.add_item(entry("n", "Page", "text/html; charset=utf-8", "<p>a</p>"))
    book = rl.envs.zim(path)
    assert book.get("Table") is None and book.get("page") == "a"
    assert book.search("page zzzz") == ["Page"]  # without an index of its words, too
    with pytest.raises(EnvError, match="'Huge' in a.zim has 17 MB, more than the 16 MB of a page"):
        book.get("Huge")


@pytest.mark.parametrize("page, text", [
    ("<h1>Ulm</h1><p>A <b>town</b>&nbsp;&amp;\nmore<sup class='reference'>[1]</sup>.<p>Next", "A town & more.\n\nNext"),
    ("<ul><li>a<ul><li>b</ul><li>c</ul><dl><dt>d<dd>e</dl>f<br/>g", "a\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng"),
    ("<table class=infobox><tr><td>x<table></table>y</table><div class='a navbox b'>x<div>y</div>z</div>kept", "kept"),
    ("<h2>Life</h2><p>a</p><h2>References</h2><p>b</p><h3>Books</h3><p>c</p><h2>Death</h2>d", "Life\n\na\n\nDeath\n\nd"),
    ("<title>x</title><script>'</p>' < 3</script>a<style>b</style><!-- <p>c --><!doctype d>e", "ae"),
    ("<p title='x > y' data-mw=\"<p>z\">a</p><p title=don't>it's</p>", "a\n\nit's"), ("3 < 4 <5 & 6", "3 < 4 <5 & 6"),
    ("<div hidden>x</div><span style='display: none'>y</span>a<img class=thumb>b", "ab"), ("a<script>never closed", "a"),
    ("a<!-- never closed", "a"), ("<table>never closed", ""), ("</table></p></x>a", "a"), ("&lt;script&gt;&#0;&#xD800;&no;", "<script>\ufffd\ufffd&no;"),
    ("<nav>x</nav><figure>y</figure>\x00a", "\x00a"), ("<p class=hatnote>For x<p>y</p>a", "y\n\na"),
])  # fmt: skip
def test_html_becomes_text_in_its_order(page, text):
    assert text_of(page) == text


pieces = ["<p>", "</p>", "<table>", "</table>", "<li", ">", "<", "=", '"', "'", "<!--", "-->", "<script>", "</script", "&", "&#", ";",
          "<h2>", "Notes", "</h2>", "<div class='navbox'>", "</div>", "a ", "\n", "\x00", "\u0301"]  # fmt: skip


@given(st.lists(st.sampled_from(pieces) | st.text(max_size=5)))
def test_any_html_has_a_text(page):
    text = text_of("".join(page))
    assert "\n\n\n" not in text and text == text.strip("\n")
