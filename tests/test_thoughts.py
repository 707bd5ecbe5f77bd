"""What a thought draws on: rules of a few words, and their limits."""

from hypothesis import given
from hypothesis import strategies as st

from react_lab.label.rules import evidence_of
from react_lab.types import Step, Task, Trajectory


def run(*steps, kind="multihop", task="Which one?"):
    return Trajectory("r", Task("t", kind, task), "react", "m", steps=steps)


def origins(run):
    return [(one.step, one.at) for one in evidence_of(run).origins]


def test_on_pages_it_is_the_sentence_that_holds_what_is_stated_or_shares_the_most_words():
    """Three shared words are a name: the sentence of the name alone is not where it comes from."""
    kept = run(
        Step("I look him up.", "Search[Pyotr Ilyich Tchaikovsky]", "Pyotr Ilyich Tchaikovsky was a composer who was born far from Moscow. He wrote Swan Lake."),
        Step("I look for his birth.", "Lookup[born]", "(Result 1 / 1) He was born at Votkinsk in 1840."),
        Step("Votkinsk is where Pyotr Ilyich Tchaikovsky was born.", "Search[Peter]", "Could not find Peter. Similar: ['Tula', 'Ulm']"),
        Step("There is no page Peter; Ulm and Tula are similar.", "Search[Moscow]", "It is a city."),
        Step("Tula is where Pyotr Ilyich Tchaikovsky was born.", "Finish[Tula]"),
        task="Where was the composer born?",
    )  # fmt: skip
    assert origins(kept) == [(0, 0), (0, 0), (2, 0), (3, 1), (0, 0)]
    assert evidence_of(kept).origins[4].missing == ()  # it was seen, and nothing says it
    page = "The Book is a novel by Ann Smith. It was printed in Leeds in 1901."
    kept = run(
        Step("I look it up.", "Search[The Book]", page),
        Step("It was printed in Leeds in 1901.", "Lookup[novel]", f"(Result 1 / 1) {page[:33]}"),
        Step("The Book is a novel by Ann Smith, born in Ulm.", "Finish[x]"),
    )
    assert origins(kept) == [(0, 0), (1, 1), (1, 0)]
    assert evidence_of(kept).origins[2].missing == ("ulm",)


def test_in_a_house_it_is_the_last_sentence_in_a_shop_the_last_line_that_shows_the_thing():
    seen = (
        Step(None, f"go to {a} 1", f"On the {a} 1, you see a mug 2.") for a in ("desk", "shelf")
    )
    kept = run(*seen, Step("Now I take mug 2.", None, "OK."), kind="household")
    assert origins(kept) == [(0, 0), (0, 0), (2, 0)]
    page = "[Back to Search]\ncolor [cream][mint]\n[Buy Now]\n"
    thought = Step("Color has cream. I click it and then Buy Now.", None, "OK.")
    assert origins(run(Step(None, "click[B0]", page), thought, kind="shop"))[1] == (1, 1)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.sampled_from(["multihop", "shop", "household"]))  # fmt: skip
def test_the_sentences_of_an_observation_are_all_of_it(text, kind):
    step = Step("a", "b", text)
    assert "".join(evidence_of(run(step, kind=kind)).cut(step)) == text
