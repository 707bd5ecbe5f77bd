"""The authors' baselines are ablations of their ReAct prompts: ours must reproduce their files.

44 comparisons of parse -> ablate -> render with the authors' own prompt files, line by line, blank
lines and trailing spaces ignored. 37 are exact. The other seven come from five slips in the files:

1. `yes` in the ReAct exemplar, `Yes` in the CoT and standard prompts (HotpotQA: two comparisons);
2. `Answer:REFUTES` without its space (FEVER, CoT and standard: two comparisons);
3. `>go to` without its space, three times (react_cool_0 against itself and against its act twin);
4. a thought wedged between an act and its observation (in the second of those two);
5. an `OK.` left behind where its thought was taken away (act_examine_0).

The authors' files are not ours to give away: where they are missing, a text of our own with each
slip in it says that the same functions are at work; test_contract.py pins our own prompts.
"""

import hashlib
import json

import pytest

from react_lab.kinds import Kind
from react_lab.layouts import Game, Numbered, Plain, parse
from react_lab.prompts import KEEP, Exemplar, ablate, read_exemplars, render


def layout_for(keep, acting, lead=""):
    return Kind(layout=acting).layout_for(keep, lead)


@pytest.fixture(scope="module")
def load(shared):
    return lambda name: json.loads((shared / "authors_prompts" / name).read_text(encoding="utf-8"))


def rows(text):
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def differences(ours, theirs):
    """The lines that stand on one side only, in order."""
    ours, theirs = rows(ours), rows(theirs)
    return [row for row in ours if row not in theirs], [row for row in theirs if row not in ours]


LEGS = {"react": "webthink", "act": "webact", "cot": "cotqa", "standard": "webqa"}


def question_comparisons(load):
    hotpotqa = ("hotpotqa", "prompts_naive.json", "simple6", "Let's think step by step.")
    for name, file, tag, lead in (hotpotqa, ("fever", "fever.json", "simple3", "")):
        files = load(file)
        react, cot = files[f"webthink_{tag}"], files[f"cotqa_{tag}"]
        head, exemplars = read_exemplars(react, Numbered())
        _, thoughts = read_exemplars(cot, Plain(lead=lead))
        both = zip(exemplars, thoughts, strict=True)
        exemplars = [Exemplar(e.opening, e.steps, t.steps[0].thought) for e, t in both]
        for leg, key in LEGS.items():
            layout = layout_for(KEEP[leg], Numbered(), lead)
            ours = head + "".join(render(ablate(e, KEEP[leg]), layout) for e in exemplars)
            yield f"{name} {leg}", ours, files[f"{key}_{tag}"]


def game_comparisons(load):
    files = load("alfworld_3prompts.json")
    for key in files:
        if key.startswith("react_"):
            head, steps = parse(Game(), files[key])
            exemplar = Exemplar(head.strip(), steps)
            yield key, render(exemplar, Game()), files[key]
            act = key.replace("react_", "act_")
            yield act, render(ablate(exemplar, KEEP["act"]), Game(thinks=False)), files[act]


@pytest.fixture(scope="module")
def comparisons(load):
    return [*question_comparisons(load), *game_comparisons(load)]


YES = (["Answer: yes"], ["Answer: Yes"])
REFUTES = (["Answer: REFUTES"], ["Answer:REFUTES"])
GO = [f"> go to stoveburner {n}" for n in (1, 2, 1)]
GONE = [row.replace("> ", ">") for row in GO]
WEDGED = "You pick up the pan 1 from the stoveburner 3."
SLIPS = {
    "hotpotqa cot": YES, "hotpotqa standard": YES, "fever cot": REFUTES, "fever standard": REFUTES,
    "react_cool_0": (GO, GONE), "act_cool_0": (GO, [*GONE[:2], WEDGED, GONE[2]]), "act_examine_0": ([], ["OK."]),
}  # fmt: skip


def test_37_of_44_comparisons_are_exact_and_each_difference_is_a_slip_in_their_file(comparisons):
    """They are the files of 2022, and we make of them what we always made."""
    other = (each for each in comparisons if rows(each[1]) != rows(each[2]))
    assert {name: differences(ours, theirs) for name, ours, theirs in other} == SLIPS
    assert len(comparisons) == 44
    _, *both = zip(*comparisons, strict=True)
    digests = [hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16] for texts in both]
    assert digests == ["83ac38f594f67203", "5f97cc5756aac47b"]


def test_the_wedged_thought_keeps_its_late_observation(load):
    """Slip 4: our reader takes the sentence that came late as what the thought saw."""
    _, steps = parse(Game(), load("alfworld_3prompts.json")["react_cool_0"])
    wedged = next(step for step in steps if WEDGED in (step.observation or ""))
    assert wedged.thought and wedged.observation == f"OK.\n{WEDGED}"


ROOM = "You are in a room.\n"
NAMED = {  # what is read, what is kept of it, how a file with the slip has that; lines of one side
    "yes and Yes": (
        Numbered(), "Question: Is Ulm old?\nThought 1: It is.\nAction 1: Finish[yes]\n", "standard",
        "Question: Is Ulm old?\nAnswer: Yes\n", (["Answer: yes"], ["Answer: Yes"]),
    ),
    "no space after Answer:": (
        Plain(), "Claim: Ulm is new.\nThought: No.\nAnswer:REFUTES\n", "cot",
        "Claim: Ulm is new.\nThought: No.\nAnswer:REFUTES\n", REFUTES,
    ),
    "no space after >": (
        Game(), f"{ROOM}>go to shelf 1\nA mug 1.\n", "react",
        f"{ROOM}>go to shelf 1\nA mug 1.\n", (["> go to shelf 1"], [">go to shelf 1"]),
    ),
    "a wedged thought": (
        Game(), f"{ROOM}> take mug 1\n> think: I have it.\nOK.\nYou take the mug 1.\n> look\nA sink.\n", "act",
        f"{ROOM}> take mug 1\nYou take the mug 1.\n> look\nA sink.\n", ([], ["You take the mug 1."]),
    ),
    "an OK. left behind": (
        Game(), f"{ROOM}> think: Where is it?\nOK.\n> look\nA sink.\n", "act",
        f"{ROOM}OK.\n> look\nA sink.\n", ([], ["OK."]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_a_text_with_a_slip_is_read_without_it(name):
    layout, text, leg, theirs, slip = NAMED[name]
    head, steps = parse(layout, text)
    ours = render(ablate(Exemplar(head.strip(), steps), KEEP[leg]), layout_for(KEEP[leg], layout))
    assert differences(ours, theirs) == slip
