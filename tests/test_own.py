"""What a person makes from a docstring or a page alone: a model, an exemplar file, an instruction."""

import inspect
import re
import textwrap
from pathlib import Path

import pytest

import react_lab as rl

TASK = rl.tasks.load("multihop")[0]
PAGE = Path(__file__).parents[1] / "data/exemplars/README.md"


def test_the_model_of_the_docstring_runs():
    code = re.search(r"\n\n(    class .*?)\n\n", inspect.getdoc(rl.types.Model), re.S)[1]
    names = {"rl": rl}
    exec(textwrap.dedent(code), names)
    run = rl.run("react", TASK, names["Parrot"](), max_steps=2)
    assert [step.action for step in run.steps] == ["Search[Danube]"] * 2
    assert run.model == "Parrot" and run.end == "step_limit"


def test_the_exemplar_file_of_the_page_makes_four_prompts(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(re.search(r"```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)[1])
    legs = ("standard", "cot", "act", "react")
    heads = {leg: rl.prompt_of(leg, prompts=path).head for leg in legs}
    assert all(head.startswith("Answer the question in a few words.") for head in heads.values())
    assert "Thought 2: He was born in Ulm." in heads["react"] and "Thought" not in heads["act"]
    assert "born in Ulm. Ulm lies" in heads["cot"] and "Search" not in heads["standard"]


@pytest.mark.parametrize("method", ["react", "standard", "react-chat", "react-tools"])
def test_an_instruction_stands_in_place_of_the_first_line(method):
    said = rl.models.scripted([" x\nAction 1: Finish[a]", "Answer: a", "y"] * 3)
    run = rl.run(method, TASK, said, instruction="Speak like a pirate.", max_steps=1)
    sent = said.asked[0].prompt
    text = sent if isinstance(sent, str) else sent[0].text
    first, rest = text.split("\n", 1)
    assert first == "Speak like a pirate." and rest in rl.prompt_of(run, 1)
    assert rl.prompt_of(run, 1).count("Speak like a pirate.") == 1
    other = rl.run(method, TASK, rl.models.scripted(["Answer: a"] * 9), max_steps=1)
    assert run.id != other.id and "instruction" not in other.settings
    tuned = rl.models.scripted([" x"], tuned={"multihop/react", "react"})
    with pytest.raises(ValueError, match="take it without its adapter"):  # it is asked bare
        rl.run("react", TASK, tuned, instruction="Speak.")
