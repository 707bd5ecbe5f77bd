"""Every notebook is whole: run from top to bottom, outputs in it, small, and made of the package."""

import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
KINDS = ("goal", "demo", "exercise", "check", "solution")


def test_there_are_notebooks():
    assert [path.name[:2] for path in NOTEBOOKS][:3] == ["00", "01", "02"]


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def book(request):
    return nbformat.read(request.param, as_version=4)


def code(book):
    return [cell for cell in book.cells if cell.cell_type == "code" and cell.source.strip()]


def test_it_was_run_from_top_to_bottom(book):
    assert [cell.execution_count for cell in code(book)] == list(range(1, len(code(book)) + 1))
    assert sum(bool(cell.outputs) for cell in code(book)) > len(code(book)) / 3
    for cell in code(book):
        if "raises-exception" not in cell.metadata.get("tags", []):
            assert not [out for out in cell.outputs if out.output_type == "error"]


def test_its_cells_are_short_and_start_with_a_demo(book):
    assert all(len(cell.source.splitlines()) <= 15 for cell in code(book))
    assert "demo" in code(book)[0].metadata.get("tags", [])
    tags = {tag for cell in book.cells for tag in cell.metadata.get("tags", [])}
    assert set(KINDS) <= tags and not tags & {"nbval-skip", "skip-execution"}


def test_it_uses_nothing_that_cannot_be_checked(book):
    text = "\n".join(cell.source for cell in code(book))
    assert not re.search(r"\binteract\b|widgets\.Output|tqdm|\binput\(|display\(HTML|;\s*$", text)
    assert text.count("import react_lab") == 1


def test_it_is_small_and_holds_no_path_of_a_machine(book):
    told = nbformat.writes(book)
    assert len(told) < 350_000
    assert not re.search(r"/(home|root|work|Users|tmp)/|[A-Z]:\\\\", told)
    assert "0x7f" not in told


def test_it_says_whose_words_they_are(book):
    """A person's, in a script, or a model's, recorded."""
    words = " ".join(cell.source for cell in book.cells[:8]).lower()
    assert any(said in words for said in ("hand-written", "written by hand", "recorded"))


def test_what_a_layout_does_not_say_is_left_out():
    from react_lab.authoring.record import slim

    def model(name):
        return {"model_name": name, "state": {"width": "11em", "height": None}}

    state = {"a": model("LayoutModel"), "b": model("ButtonModel")}
    book = nbformat.v4.new_notebook(metadata={"widgets": {"mime": {"state": state}}})
    slim(book)
    kept = book.metadata["widgets"]["mime"]["state"]
    assert kept["a"]["state"] == {"width": "11em"} and kept["b"]["state"]["height"] is None
    slim(nbformat.v4.new_notebook())
