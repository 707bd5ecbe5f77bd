"""The authors' baselines are ablations of their ReAct prompts: ours must reproduce their files.

44 comparisons of parse -> ablate -> render with the authors' own prompt files, line by line, blank
lines and trailing spaces ignored. 37 are exact. The other seven come from five slips in the files:

1. `yes` in the ReAct exemplar, `Yes` in the CoT and standard prompts (HotpotQA: two comparisons);
2. `Answer:REFUTES` without its space (FEVER, CoT and standard: two comparisons);
3. `>go to` without its space, three times (react_cool_0 against itself and against its act twin);
4. a thought wedged between an act and its observation (in the second of those two);
5. an `OK.` left behind where its thought was taken away (act_examine_0).
"""

import json
from pathlib import Path

import pytest

from react_lab.layouts import Game, Numbered, Plain, parse
from react_lab.prompts import KEEP, Exemplar, ablate, layout_for, read_exemplars, render

AUTHORS = Path(__file__).parents[2] / "shared" / "data" / "authors_prompts"
pytestmark = pytest.mark.skipif(not AUTHORS.exists(), reason="the authors' files are not here")


def load(name):
    return json.loads((AUTHORS / name).read_text(encoding="utf-8"))


def rows(text):
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def differences(ours, theirs):
    """The lines that stand on one side only, in order."""
    ours, theirs = rows(ours), rows(theirs)
    return [row for row in ours if row not in theirs], [row for row in theirs if row not in ours]


def question_comparisons():
    for name, file, tag, lead in (
        ("hotpotqa", "prompts_naive.json", "simple6", "Let's think step by step."),
        ("fever", "fever.json", "simple3", ""),
    ):
        files = load(file)
        react, cot = files[f"webthink_{tag}"], files[f"cotqa_{tag}"]
        head, exemplars = read_exemplars(react, Numbered())
        _, thoughts = read_exemplars(cot, Plain(lead=lead))
        exemplars = [
            Exemplar(e.opening, e.steps, t.steps[0].thought)
            for e, t in zip(exemplars, thoughts, strict=True)
        ]
        for leg, key in (("react", "think"), ("act", "act"), ("cot", "cot"), ("standard", "qa")):
            layout = layout_for(KEEP[leg], Numbered(), lead)
            ours = head + "".join(render(ablate(e, KEEP[leg]), layout) for e in exemplars)
            theirs = files[
                {"cot": f"cotqa_{tag}", "standard": f"webqa_{tag}"}.get(leg, f"web{key}_{tag}")
            ]
            yield f"{name} {leg}", ours, theirs


def game_comparisons():
    files = load("alfworld_3prompts.json")
    for key in files:
        if key.startswith("react_"):
            head, steps = parse(Game(), files[key])
            exemplar = Exemplar(head.strip(), steps)
            yield key, render(exemplar, Game()), files[key]
            act = key.replace("react_", "act_")
            yield act, render(ablate(exemplar, KEEP["act"]), Game(thinks=False)), files[act]


def comparisons():
    return [*question_comparisons(), *game_comparisons()]


YES = (["Answer: yes"], ["Answer: Yes"])
REFUTES = (["Answer: REFUTES"], ["Answer:REFUTES"])
GO = [f"> go to stoveburner {n}" for n in (1, 2, 1)]
GONE = [row.replace("> ", ">") for row in GO]
WEDGED = "You pick up the pan 1 from the stoveburner 3."
SLIPS = {
    "hotpotqa cot": YES,
    "hotpotqa standard": YES,
    "fever cot": REFUTES,
    "fever standard": REFUTES,
    "react_cool_0": (GO, GONE),
    "act_cool_0": (GO, [*GONE[:2], WEDGED, GONE[2]]),
    "act_examine_0": ([], ["OK."]),
}


def test_37_of_44_comparisons_are_exact():
    same = [rows(ours) == rows(theirs) for _, ours, theirs in comparisons()]
    assert (sum(same), len(same)) == (37, 44)


@pytest.mark.parametrize("name", SLIPS)
def test_each_difference_is_a_slip_in_their_file(name):
    ours, theirs = {n: (a, b) for n, a, b in comparisons()}[name]
    assert differences(ours, theirs) == SLIPS[name]


def test_the_wedged_thought_keeps_its_late_observation():
    """Slip 4: our reader takes the sentence that came late as what the thought saw."""
    _, steps = parse(Game(), load("alfworld_3prompts.json")["react_cool_0"])
    wedged = next(step for step in steps if WEDGED in (step.observation or ""))
    assert wedged.thought and wedged.observation == f"OK.\n{WEDGED}"
