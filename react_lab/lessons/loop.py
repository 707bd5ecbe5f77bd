"""Lesson 02, the loop by hand: its scenes, its bench, its exercises, its questions.

A model speaks in the notebook, recorded. What a person wrote is here: the replies of the bench and
the thought that mends a run. The observations are real: the bundled world makes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import envs, page, tasks, teach
from ..layouts import Numbered
from ..types import Task

__all__ = ["ACTION", "AT", "TASKS", "THOUGHT", "WILD", "bench", "lesson", "reading", "task"]

TASKS = {
    "good": "multihop-dev-083",  # the tuned model finds the answer
    "invented": "multihop-dev-083",  # the plain model, not stopped, makes an observation up
    "repeats": "multihop-pool-0393",  # the same act, and the same observation, to the end
    "limit": "multihop-pool-0787",  # seven steps and no answer
    "mended": "multihop-pool-0560",  # wrong, and right after the edit below
}
AT = 3  # the first wrong step of that run, and what a person says there instead
THOUGHT = (
    "The composer of the Puccini La bohème was Giacomo Puccini. "
    "Next I need the year in which Giacomo Puccini died."
)
ACTION = "Search[Giacomo Puccini]"
WILD = {  # kinds of replies that users of such loops report; hand-written
    "a forged observation": " I need the city where Marie Curie was born."
    "\nAction 1: Search[Marie Curie]"
    "\nObservation 1: Marie Curie was a French physicist. She was born in Paris."
    "\nThought 2: So the city is Paris, and kings lie there.\nAction 2: Finish[Louis XIV]",
    "several steps in one reply": " First Warsaw, then the heart.\nAction 1: Search[Warsaw]"
    "\nThought 2: Now the heart.\nAction 2: Lookup[heart]",
    "brackets in brackets": " I look for the note.\nAction 1: Search[Foo [bar]]",
    "a code fence": "```\nThought 1: I need Warsaw.\nAction 1: Search[Warsaw]\n```",
    "an empty act": " I need Warsaw.\nAction 1:",
    "an echo of the instruction": " I know it.\nAction 1: Finish[answer]",
}


def task(name: str) -> Task:
    """The question of a scene."""
    split = TASKS[name].split("-")[1]
    return next(each for each in tasks.load("multihop", split) if each.id == TASKS[name])


def reading(reply: str) -> page.Page:
    """What the parser makes of a reply to the cue `Thought 1:`."""
    step = Numbered().read(reply, 1)
    notes = (
        page.note("Thought", step.thought or "(none)", "thought"),
        page.note("Action", step.action or "(none)", "action"),
        page.note("Repairs", ", ".join(step.repairs) or "(none)"),
    )
    return page.Page("".join(n.html for n in notes), "\n".join(n.text for n in notes))


def bench() -> teach.Interactive:
    """Write a reply, or choose one, and see at once how it is read."""
    import ipywidgets

    first = next(iter(WILD.values()))
    ready = ipywidgets.Dropdown(options=WILD, description="Start from", layout={"width": "24em"})
    written = ipywidgets.Textarea(value=first, rows=6, layout={"width": "98%"})
    shown = ipywidgets.HTML(reading(first).html)

    def draw(_: Any) -> None:
        shown.value = reading(written.value).html

    ipywidgets.dlink((ready, "value"), (written, "value"))
    written.observe(draw, names="value")
    asked = page.note("The model's reply, after the cue Thought 1:", first)
    twin = page.Page(asked.html + reading(first).html, f"{asked.text}\n{reading(first).text}")
    return teach.Interactive(ipywidgets.VBox([ready, written, shown]), twin)


CUT = teach.Exercise(
    "Write cut(reply, i). It gives what stands before the first line that the world should have "
    "written: a line that begins with 'Observation i:' (with the number i in place of the letter) "
    "or with 'Question:'. Take white space off the end. In the middle of a line the same words "
    "are the model's own: they stay.",
    teach.cases(
        ((" a\nAction 1: Search[Warsaw]\nObservation 1: A city.\nThought 2: b", 1),
         " a\nAction 1: Search[Warsaw]"),
        ((" a\nAction 12: Lookup[heart]\nObservation 12:", 12), " a\nAction 12: Lookup[heart]"),
        ((" a\nAction 1: Search[Warsaw]", 1), " a\nAction 1: Search[Warsaw]"),
        ((" The line Observation 2: is yours.\nAction 2: Finish[yes]", 2),
         " The line Observation 2: is yours.\nAction 2: Finish[yes]"),
        ((" a\nAction 3: Finish[yes]\n\nQuestion: Who?\nObservation 3: b", 3),
         " a\nAction 3: Finish[yes]"),
    ),
    'def cut(reply, i):\n    for sign in (f"\\nObservation {i}:", "\\nQuestion:"):\n'
    "        reply = reply.partition(sign)[0]\n    return reply.rstrip()",
    (
        "A line begins right after a line break: look for '\\nObservation 1:', with the break.",
        "text.partition(sign)[0] is what stands before the sign, or all of the text if there is "
        "none. Do it for both signs, one after the other.",
    ),
    minutes=5,
)  # fmt: skip

ACT = teach.Exercise(
    "Write act_of(text). It gives the name and the argument of the first act as a pair: "
    "'Search[Warsaw]' gives ('Search', 'Warsaw'). The argument ends where its bracket is closed, "
    "so 'Search[Foo [bar]]' gives ('Search', 'Foo [bar]'), and what follows the act is left out. "
    "If there is no bracket, or it is never closed, it gives None.",
    teach.cases(
        (("Search[Warsaw]",), ("Search", "Warsaw")),
        (("Search[Foo [bar]]",), ("Search", "Foo [bar]")),
        (("Finish[yes] and then Lookup[heart]",), ("Finish", "yes")),
        (("Search[a [b] c [d]] so [e]",), ("Search", "a [b] c [d]")),
        ((" Lookup[heart]",), ("Lookup", "heart")),
        (("I do not know.",), None),
        (("Search[Warsaw",), None),
    ),
    'def act_of(text):\n    name, bracket, rest = text.strip().partition("[")\n    depth = 1\n'
    "    for at, character in enumerate(rest):\n"
    '        depth += {"[": 1, "]": -1}.get(character, 0)\n        if depth == 0:\n'
    "            return name, rest[:at]\n    return None",
    (
        "Walk along the characters after the first bracket and count the brackets still open.",
        "The count starts at 1; '[' adds one, ']' takes one away. At 0 the argument ends.",
    ),
    minutes=10,
    dots=3,
)


def trial(play: Callable[..., Any], limit: int, finish_at: int | None) -> str | None:
    """One game against a model that goes on for ever, or finishes at a step."""
    prompts: list[str] = []

    def say(prompt: str) -> str:
        prompts.append(prompt)
        if len(prompts) > limit + 20:
            raise RecursionError(f"no end in sight after {len(prompts)} calls")
        act = "Finish[yes]" if len(prompts) == finish_at else "Search[Warsaw]"
        return f" I go on.\nAction {len(prompts)}: {act}"

    how = f"finishes at step {finish_at}" if finish_at else "never finishes"
    given = f"With max_steps={limit} and a model that {how}"
    calls, expected = finish_at or limit, "yes" if finish_at else None
    try:
        answer = play("Question: Is it?\n", say, envs.Wiki()(Task("", "multihop", "")), limit)
    except Exception as fault:  # noqa: BLE001 (a student's function may raise anything)
        return f"{given}, it raised {type(fault).__name__}: {fault}"
    faults = (
        (len(prompts) != calls, f"it asked {len(prompts)} times, not {calls}"),
        (answer != expected, f"it gave {teach.short(answer)}, not {expected!r}"),
        (not grown(prompts), "a prompt lacks its cue or an earlier observation: the text grows"),
    )
    return next((f"{given}, {told}." for wrong, told in faults if wrong), None)


def grown(prompts: list[str]) -> bool:
    """Whether every prompt ends in its cue, and the last one holds all observations."""
    cues = all(prompt.endswith(f"Thought {i}:") for i, prompt in enumerate(prompts, 1))
    return cues and all(f"Observation {i}: Warsaw" in prompts[-1] for i in range(1, len(prompts)))


def limited(play: Any) -> str | None:
    """The check of 2.3: count the calls of a model that never finishes."""
    if not callable(play):
        return "This exercise asks for a function."
    games = ((3, None), (1, None), (7, None), (5, 2), (3, 3))
    return next(filter(None, (trial(play, *game) for game in games)), None)


REPEATS = teach.Exercise(
    "Write repeats(done). It is given a list of pairs (act, observation), the newest last. It "
    "gives True if the last pair is the same as the one before (A, A), or if the last two are the "
    "same as the two before them (A, B, A, B); otherwise False. The same act with a new "
    "observation is no repeat: a second Lookup gives the next sentence.",
    teach.cases(
        (([],), False),
        (([("Search[Perth]", "none"), ("Search[Perth]", "none")],), True),
        (([("Lookup[sea]", "(Result 1 / 2)"), ("Lookup[sea]", "(Result 2 / 2)")],), False),
        (([("A", "1"), ("B", "2"), ("A", "1"), ("B", "2")],), True),
        (([("X", "0"), ("A", "1"), ("B", "2"), ("A", "1"), ("B", "2")],), True),
        (([("A", "1"), ("B", "2"), ("A", "1")],), False),
        (([("A", "1"), ("A", "1"), ("B", "2")],), False),
    ),
    "def repeats(done):\n    again = len(done) >= 2 and done[-1] == done[-2]\n"
    "    return again or (len(done) >= 4 and done[-2:] == done[-4:-2])",
    (
        "done[-1] is the last pair. A short list has no pair before it: ask for the length first.",
        "done[-2:] holds the last two, done[-4:-2] the two before. Lists compare with ==.",
    ),
    minutes=10,
    dots=3,
)

LIMIT = teach.Exercise(
    "Change play so that the model is asked max_steps times at most. If there is no Finish by "
    "then, play gives None. A Finish at the very last step still counts.",
    limited,
    """def play(text, say, world, max_steps):
    for i in range(1, max_steps + 1):
        said = say(text + f"Thought {i}:").partition(f"\\nObservation {i}:")[0]
        name, argument = said.partition(f"Action {i}: ")[2].rstrip("]").split("[")
        if name == "Finish":
            return argument
        seen = world.search(argument) if name == "Search" else world.lookup(argument)
        text += f"Thought {i}:{said}\\nObservation {i}: {seen.text}\\n"
    return None""",
    (
        "A for loop over range(1, max_steps + 1) counts the steps from 1 and stops by itself.",
        "What the function gives after the loop, when nothing was returned inside it, is None.",
    ),
    minutes=5,
    dots=2,
)

QUIZ = (
    teach.Question("Why does the loop cut the model's reply at 'Observation 1:'?", (
        ("Long replies cost more.", False, "They do, but the reason is that the rest is made up."),
        ("Nobody has seen what stands there.", True, "What is seen has to come from the world."),
        ("The world cannot read it.", False, "The world never reads the reply, only the act."),
    )),
    teach.Question("What does a thought change (section 2 of the paper)?", (
        ("The page that is open.", False, "Only a Search opens a page."),
        ("The weights of the model.", False, "Nothing is trained in this loop."),
        ("Only the text that the model reads next.", True,
         "A thought is an act too, one that changes nothing but the context."),
    )),
    teach.Question("A run has 4 steps, one of them rescued. How often was the model asked?", (
        ("4 times.", False, "One step took a second call, for the act alone."),
        ("5 times.", True, "Once a step, and once more for the act that was missing."),
        ("8 times.", False, "Thought and act come in one reply, unless the act is missing."),
    )),
    teach.Question("A run does the same act again and sees the same again. What does rl.run do?", (
        ("It flags the run and goes on.", True,
         "It goes on to the limit, as the authors' code does. end_repeats=True ends it."),
        ("It ends the run.", False, "Only if you say end_repeats=True."),
        ("It changes the act.", False, "What a model does wrong is data: nothing is changed."),
    )),
    teach.Question("rl.rethink(run, at=2, thought=...): what becomes of steps 3 and 4?", (
        ("They stay, below the new thought.", False,
         "They followed from the old thought, so the new run does not have them."),
        ("They are deleted from run.", False, "The old run stays exactly as it was."),
        ("run keeps them; the new run has none yet.", True,
         "The new run has a parent, and the model writes its next steps afresh."),
    )),
)  # fmt: skip


def lesson() -> teach.Lesson:
    """The exercises and questions of notebook 02, with nothing done yet."""
    exercises = {"2.1": CUT, "2.2": ACT, "2.3": LIMIT, "2.4": REPEATS}
    return teach.Lesson("02", exercises, QUIZ)
