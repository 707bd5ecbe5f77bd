"""The switches: every setting shows the prompt of a method, or of none."""

from itertools import product

import react_lab as rl
from react_lab.prompts import KEEP
from react_lab.widgets.panels import ablated, method_of, prompt_switches


def test_four_settings_are_the_four_methods_and_the_twin_has_the_characters_of_the_prompt():
    assert [*map(method_of, KEEP.values())] == ["ReAct", "Act", "CoT", "Standard"]
    assert method_of(frozenset({"thought", "action"})) == "none of the paper's"
    sent = rl.prompt_of("react", shots=1).head
    assert f"{len(sent):,} characters" in prompt_switches().twin.text
    assert repr(prompt_switches()) == repr(prompt_switches())
    assert "Observation 1:" in repr(prompt_switches("claims"))
    assert ablated("claims", KEEP["standard"]).endswith("Answer: SUPPORTS\n")


def test_every_setting_shows_only_what_is_switched_on():
    widget = prompt_switches()
    buttons, shown = widget.box.children[0].children, widget.box.children[1]
    names = ("Thought 1:", "Action 1:", "Observation 1:")
    for setting in product([True, False], repeat=3):
        for button, value in zip(buttons, setting, strict=True):
            button.value = value
        thought, action, observation = (name in shown.value for name in names)
        assert action == setting[1] and observation == (setting[1] and setting[2])
        assert thought == (setting[0] and setting[1])
        assert ("Thought: Let" in shown.value) == (setting[0] and not setting[1])
        assert ("Answer: " in shown.value) == (not setting[1])
