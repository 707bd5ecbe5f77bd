"""A layout reads any string into a step (F9) and shows a step as it stands in the paper."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from texts import SEEN_IN_THE_WILD

from react_lab.layouts import Game, Numbered, Plain, Shop, parse
from react_lab.types import Step

LAYOUTS = [
    Numbered(), Numbered(thinks=False), Game(), Game(thinks=False), Shop(), Shop(thinks=False),
    Plain(), Plain(thinks=False), Plain(lead="Let's think step by step."),
]  # fmt: skip


def read(text, i=1, layout=None):
    return (layout or Numbered()).read(text, i)


def parts(step):
    return step.thought, step.action


@pytest.mark.parametrize("text, thought, action, repairs", [
    (" look\nAction 1: Search[Ulm]", "look", "Search[Ulm]", ()),
    (" look\nAction 1: Search[Foo [bar]]", "look", "Search[Foo [bar]]", ()),
    (" a\n b\nAction 1: Search[x]", "a\n b", "Search[x]", ()),
    (" a\nAction 1: Search[Foo [bar]", "a", "Search[Foo [bar]", ()),
    ("Thought 1: a\nAction 1: Search[b]", "a", "Search[b]", ("repeated cue",)),
    ("thought 1: a\nACTION 1: SEARCH[b]", "a", "SEARCH[b]", ("repeated cue",)),
    ("```\na\nAction 1: Search[b]\n```", "a", "Search[b]", ("code fence",)),
    (" a\n**Action 1:** Search[b]", "a", "Search[b]", ()),
    (" a\nAction 1: `Search[b]` now", "a", "Search[b]", ("quotes", "text after the act")),
    (" a\nAction 1: \"Search[b]\".", "a", "Search[b]", ("quotes",)),
    (" a\nAction: Search[b]", "a", "Search[b]", ("number missing",)),
    (" a\nAction 7: Search[b]", "a", "Search[b]", ("wrong number",)),
    (" a\nAction 1:\n\nSearch[b]", "a", "Search[b]", ("act on a later line",)),
    (" a\nAction 1: Search[b] I will look.", "a", "Search[b]", ("text after the act",)),
    (" a\nAction 1: Search[b]\nThought 2: c\nAction 2: Finish[d]", "a", "Search[b]", ("several steps",)),
    (" a\nAction 1: Search[b]\nObservation 1: c\nAction 2: Finish[d]", "a", "Search[b]", ("forged observation",)),
    (" a\nAction 1: Search[b]\nObservation 1:", "a", "Search[b]", ("stop word",)),
    (" a\nAction 1: Finish[b]\n\nQuestion: c?", "a", "Finish[b]", ("forged observation",)),
    ("Sure!\n\n**Thought 1:** a\n**Action 1:** Search[b]", "a", "Search[b]", ("text before the thought",)),
    (" a\nThought 2: b\nAction 2: Search[c]", "a", "Search[c]", ("several steps", "wrong number")),
    ("Finish[yes]", None, "Finish[yes]", ("act without its marker",)),
    ("Action 1: Finish[yes]", None, "Finish[yes]", ()), (" a\nAction 1:", "a", None, ()),
    (" only a thought\nand more of it", "only a thought", None, ()),
    (" a\nThought 2: b", "a", None, ("several steps",)),
    (" a\nAction 1: Search[Ulm", "a", "Search[Ulm", ()),  # it never closes
    (" it says Observation 1: no, and Action 2: no\nAction 1: Lookup[Observation 3: x]",
     "it says Observation 1: no, and Action 2: no", "Lookup[Observation 3: x]", ()),
    (" The word 'Action:' is one\nAction 1: Finish['Action:']", "The word 'Action:' is one", "Finish['Action:']", ()),
    (" a\nObservation 1: you may finish\nAction 1: Finish[forged]", "a", None, ("forged observation",)),
    ("", None, None, ()),
])  # fmt: skip
def test_numbered_reads(text, thought, action, repairs):
    step = read(text)
    assert (*parts(step), step.repairs) == (thought, action, repairs)
    assert step.raw == text


@pytest.mark.parametrize("layout, text, thought, action", [
    (Game(), " go to shelf 1", None, "go to shelf 1"), (Game(), " think: where?", "where?", None),
    (Game(), "> Think: where?\nOK.\n> look", "where?", None),
    (Game(), " go to shelf 1\nOn it, you see nothing.\n> look", None, "go to shelf 1"),
    (Shop(), " search[red mug]", None, "search[red mug]"), (Shop(), "Action: click[Buy Now]", None, "click[Buy Now]"),
    (Shop(), " think[it fits [well]]", "it fits [well]", None),
    (Shop(), " click[a]\nObservation: b\nAction: click[c]", None, "click[a]"),
    (Plain(), " It is Ulm.\nAnswer: Ulm", "It is Ulm.", "Finish[Ulm]"),
    (Plain(), " It is Ulm.\nAnswer: Ulm\nQuestion: next", "It is Ulm.", "Finish[Ulm]"),
    (Plain(), " Two\nlines\nANSWER: a [b]", "Two\nlines", "Finish[a [b]]"),
    (Plain(), " It is Ulm.", "It is Ulm.", None), (Plain(), " It is.\nAnswer:", "It is.", None),
    (Plain(), " It is.\nAnswer: Finish[Ulm]", "It is.", "Finish[Ulm]"),
    (Plain(thinks=False), " Ulm\nQuestion: b", None, "Finish[Ulm]"),
    (Numbered(thinks=False), "Thought 1: hm\nAction 1: Search[x]", None, "Search[x]"),
])  # fmt: skip
def test_the_other_layouts_read(layout, text, thought, action):
    assert parts(read(text, layout=layout)) == (thought, action)


# F9. What a model may write: pieces of the layouts in any order, and anything at all between.
pieces = st.one_of(
    st.sampled_from([
        "Thought 1:", "Action 1:", "Observation 1:", "Thought 2:", "Action:", "Answer:", "Question:",
        "Search[", "Finish[", "[", "]", "]]", "\n", "\n\n", "\r\n", "```", "> ", "think:", "think[", " ", "**", "`",
    ]),
    st.text(max_size=12),
    st.sampled_from(SEEN_IN_THE_WILD),
)  # fmt: skip
outputs = st.lists(pieces, max_size=12).map("".join)


def check_total(text, layouts=LAYOUTS):
    for layout in layouts:
        for step in (layout.read(text, 1), layout.read_act(text, 1)):
            assert isinstance(step, Step) and step.raw == text
            assert step.thought is None or step.thought.strip()
            assert step.action is None or ("\n" not in step.action and step.action.strip())
            assert isinstance(layout.read(layout.show(step, 1), 1), Step)
        parse(layout, text)


@given(outputs)
@example("x" * 1_000_000)
def test_any_string_gives_a_step(text):
    check_total(text)


word = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp", "Zs"), exclude_characters="[]"),
    min_size=1, max_size=12,
)  # fmt: skip
phrase = st.lists(word, min_size=1, max_size=6).map(" ".join)
argument = st.one_of(phrase, st.tuples(phrase, phrase).map(lambda ab: f"{ab[0]} [{ab[1]}]"))
# a phrase that begins like a marker is not well-formed: no writer of the paper's layout has one
marker = ("thought", "action", "observation", "question", "claim", "answer", "think", "let's", ">", "*", "#", "```")  # fmt: skip
plain_phrase = phrase.filter(lambda text: not text.lower().startswith(marker))
names = st.sampled_from(["Search", "Lookup", "Finish"])
act = st.tuples(names, argument).map("{0[0]}[{0[1]}]".format)
well_formed = st.builds(Step, plain_phrase, act, plain_phrase)


@given(st.lists(well_formed, min_size=1, max_size=8))
@pytest.mark.parametrize("layout", [Numbered(), Numbered(thinks=False)])
def test_well_formed_steps_round_trip(layout, steps):
    if not layout.thinks:
        steps = [Step(None, step.action, step.observation) for step in steps]
    text = "Question: q?\n" + "".join(layout.show(step, i) for i, step in enumerate(steps, 1))
    head, again = parse(layout, text)
    assert head == "Question: q?\n" and list(again) == steps
    for i, step in enumerate(steps, 1):  # and each alone, as the model writes it, with no repair
        text = layout.show(step, i).removeprefix(layout.cue(i)).partition("\nObservation")[0]
        assert layout.read(text, i).repairs == ()


@pytest.mark.parametrize("layout, act", [(Game(), "go {}"), (Shop(), "click[{} [b]]")])
@given(st.lists(st.tuples(plain_phrase, plain_phrase, st.booleans()), min_size=1, max_size=8))
def test_steps_of_games_and_of_a_shop_round_trip(layout, act, rows):
    steps = [
        Step(a, None, "OK.") if thinks else Step(None, act.format(a), b) for a, b, thinks in rows
    ]
    text = "You are in a room.\n" + "".join(layout.show(step, 1) for step in steps)
    assert list(parse(layout, text)[1]) == steps


@given(plain_phrase, plain_phrase, st.sampled_from(["", "Let's think step by step."]))
def test_plain_steps_round_trip(thought, answer, lead):
    layout = Plain(lead=lead)
    step = Step(thought, f"Finish[{answer}]")
    _head, (again,) = parse(layout, "Question: q?\n" + layout.show(step, 1))
    assert (again.thought, again.action) == (thought, step.action)


def test_a_layout_of_your_own_may_stop_at_more_words():
    class Polite(Numbered):
        def stop(self, i):
            return (*super().stop(i), "\nHuman:")

    text = "Question: Who?\nThought 1: I look.\nAction 1: Search[Ulm]\nObservation 1: A city.\n"
    (step,) = parse(Polite(), text)[1]
    assert (step.thought, step.action, step.observation) == ("I look.", "Search[Ulm]", "A city.")
