"""Pages of one's own: folders, tables, lists; and a sentence for each that cannot be read."""

import hashlib
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import react_lab as rl
from react_lab.__main__ import main
from react_lab.tasks import published
from react_lab.types import Task


def folder(tmp_path, files):
    for name, content in files.items():
        path = tmp_path / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return tmp_path / "pages"


def search(book, title):
    return rl.envs.Wiki(book)(Task("t", "multihop", "Why?")).step(f"Search[{title}]").text


def test_a_folder_is_a_world(tmp_path):
    book = rl.envs.read_pages(folder(tmp_path, {
        "Ulm_Minster.txt": "The minster is\na church.\n\nIt is in Ulm.", "deep/er/b.md": "# Neckar\n\nA river.",
        "bom.txt": b"\xef\xbb\xbfIt has a mark.", "old.TXT": "A line.\r\n \r\nAnother line\r\n", ".hidden.txt": "x", ".git/c.txt": "x",
        "notes.docx": b"\xff\xfe", "# x.txt": "a",
    }))  # fmt: skip
    assert list(book.rows) == ["# x", "Ulm Minster", "bom", "old", "Neckar"]
    assert search(book, "ulm minster") == "The minster is a church. It is in Ulm."
    assert search(book, "Neckar") == "A river." and search(book, "bom") == "It has a mark."
    assert search(book, "old") == "A line. Another line"
    assert search(book, "church") == "Could not find church. Similar: ['Ulm Minster']."
    assert rl.envs.read_pages(tmp_path / "pages/bom.txt").get("BOM") == "It has a mark."


def test_markdown_has_no_marks_on_the_page(tmp_path):
    page = "# Ulm\n\nA **town** on the [Danube](https://x.org/a).\n\n## Sights ##\n- the `minster`\n- a ![tower](t.png)\n> Fine.\n```\n3 * 4\n```"
    book = rl.envs.read_pages(folder(tmp_path, {"x.md": page}))
    seen = rl.envs.wiki.sentences(book.get("Ulm"))
    told = ["A town on the Danube.", "Sights ##", "- the minster", "- a tower Fine.", "3 * 4"]
    assert [*seen] == told


@pytest.mark.parametrize("name, content", [
    ("a.csv", 'title,text\nUlm,"A town, big.\n\nIt is old."\n\nBern,A city.\n'), ("a.csv", "Text;n;TITLE \n\"A town, big.\n\nIt is old.\";1;Ulm\nA city.;2;Bern"),
    ("a.tsv", "title\ttext\r\nUlm\t\"A town, big.\n\nIt is old.\"\r\nBern\tA city.\r\n"),
    ("a.jsonl", '{"title": "Ulm", "text": "A town, big.\\n\\nIt is old."}\n{"title": "Bern", "text": "A city."}'),
])  # fmt: skip
def test_a_table_is_a_world(tmp_path, name, content):
    book = rl.envs.read_pages(folder(tmp_path, {name: content}) / name)
    pages = {"Ulm": "A town, big.\n\nIt is old.", "Bern": "A city."}
    assert {title: book.get(title) for title in book.rows} == pages
    if name == "a.csv":  # a cell may hold a long page
        long = folder(tmp_path, {name: content.replace("A city", "word " * 40_000)}) / name
        assert rl.envs.read_pages(long).get("Bern").count("word") == 40_000


def test_what_is_fetched_may_come_from_a_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path / "cache"))
    text = '{"a": "b"}'
    known = (hashlib.sha256(text.encode()).hexdigest(), len(text))
    monkeypatch.setattr(published, "FILES", dict.fromkeys(published.FILES, known))
    first, *others = published.FILES
    stick = folder(tmp_path, dict.fromkeys(others, text) | {first: "[]"})
    assert main(["fetch", "prompts", "--from", str(stick)]) == 1
    assert f"what came is not the authors' {first}" in capsys.readouterr().err
    (stick / first).write_text(text)
    assert main(["fetch", "prompts", "--from", str(stick)]) == 0
    assert main(["fetch", "fever", "--from", str(stick)]) == 1
    assert "name the folder that has it" in capsys.readouterr().err


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(st.dictionaries(words, words, min_size=1, max_size=5))
def test_a_list_is_a_world(texts):
    try:
        book = rl.envs.read_pages(list(texts.items()))
    except ValueError as error:
        assert "which is that of page" in str(error)  # `a` and `A`, for one
        return
    assert {title: book.rows[title]["text"] for title in texts} == texts


@pytest.mark.parametrize("files, said", [
    ({"a.txt": b"caf\xe9"}, r"a\.txt is not UTF-8 text \(byte 3\): save it as UTF-8"),
    ({"a.txt": "x".encode("utf-16")}, r"a\.txt is UTF-16 text: save it as UTF-8"),
    ({"a.txt": "# B\nx", "b.txt": "y"}, r"b\.txt, has the title 'b', which is that of .*a\.txt"),
    ({"a.txt": "x" * 16_000_001}, r"a\.txt has 16 MB, more than the 16 MB that a page may have"),
    ({"a.csv": "x"}, "there is no page in .*pages: see help"),
])  # fmt: skip
def test_a_bad_folder_is_named(tmp_path, files, said):
    with pytest.raises(ValueError, match=said) as caught:
        rl.envs.read_pages(folder(tmp_path, files))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name, content, said", [
    ("a.csv", "name,text\na,b\n", r"a\.csv, line 1, must name the columns title and text; it has: 'name', 'text'"),
    ("a.csv", 'title,text\n"a\nb",c\nd,e,f\n', r"a\.csv, line 4, has 3 cells, not 2: a text with such a mark"),
    ("a.csv", 'title,text\na,"b\n', r"a\.csv, line 2, is no row of a table"),
    ("a.csv", "title,text\na,b\n ,c\n", r"a\.csv, line 3, is no page: its title is empty"),
    ("a.csv", "title,text\na,b\nc,d\nA,e\n", r"a\.csv, line 4, has the title 'A', which is that of .*a\.csv, line 2"),
    ("a.jsonl", '{"title": "a", "text": "b"}\n{"name": "c", "text": "d"}', r"a\.jsonl, line 2, is no page: it lacks `title`"),
    ("a.jsonl", '{"title": "a"', r"a\.jsonl, line 1, cannot be read"),
    ("a.jsonl", "", "there is no page in .*a.jsonl"),
])  # fmt: skip
def test_a_bad_table_is_named_with_its_line(tmp_path, name, content, said):
    with pytest.raises(ValueError, match=said) as caught:
        rl.envs.read_pages(folder(tmp_path, {name: content}) / name)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


def test_a_bad_list_is_named_half_characters_are_marks_and_a_world_is_told_from_another(tmp_path):
    for bad in (("a",), ("a", 5), "ab", None, ("a", "b", "c"), []):
        with pytest.raises(ValueError, match=r"page 2 of the list must be \(title, text\), not"):
            rl.envs.read_pages([("x", "y"), bad])
    book = rl.envs.read_pages([("Ulm", "A town\ud800.")])
    assert book.search("town") == ["Ulm"] and book.get("Ulm") == "A town?."
    first, second = [("Ulm", "A town.")], [("Ulm", "A city.")]
    names = {rl.envs.Wiki(rl.envs.read_pages(pages)).snapshot for pages in (first, first, second)}
    line = folder(tmp_path, {"x.jsonl": '{"title": "Ulm", "text": "A town."}'}) / "x.jsonl"
    assert len(names) == 2 and rl.envs.Wiki(rl.envs.read_pages(line)).snapshot in names


def test_pages_without_text_are_passed_over_and_said(tmp_path):
    with pytest.warns(UserWarning, match=r"without text is passed over: .*a\.txt, and 1 more"):
        book = rl.envs.read_pages(folder(tmp_path, {"a.txt": "", "b.md": "# B\n \n", "c.txt": "c"}))
    assert list(book.rows) == ["c"]
    with pytest.raises(FileNotFoundError, match="there is neither a file nor a folder"):
        rl.envs.read_pages(tmp_path / "none")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no file can have such a name")
def test_a_name_that_is_no_text_is_a_sentence_when_the_folder_is_read(tmp_path):
    """It was a UnicodeEncodeError at the first search."""
    Path(os.fsdecode(bytes(tmp_path) + b"/caf\xe9.txt")).write_text("A page.", encoding="utf-8")
    with pytest.raises(ValueError, match="its name is not UTF-8 text: rename it"):
        rl.envs.read_pages(tmp_path)


def test_a_folder_below_that_may_not_be_read_is_named(tmp_path, monkeypatch):
    book = folder(tmp_path, {"a.txt": "A."})
    (book / "closed").mkdir()
    scan = os.scandir

    def refuse(place):  # as for a user who is not root
        if Path(os.fspath(place)).name == "closed":
            raise PermissionError(13, "Permission denied", str(place))
        return scan(place)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(ValueError, match="closed may not be read .Permission denied."):
        rl.envs.read_pages(book)
