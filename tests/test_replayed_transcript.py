"""The authors' 500 published GPT-3 episodes on FEVER, played again by our loop and our parser.

The model says what theirs said, the world answers what theirs answered, and 497 episodes take the
same acts, letter by letter. In the other three GPT-3 wrote an act that was none to their world, and
that our parser mends (the step says so in its repairs):

* 565: two empty lines before `Lookup[West Virginia, New York]`, once;
* 3522: two empty lines before `Finish[NOT ENOUGH INFO]`, five times: theirs ran out of steps, ours
  ends with that answer at the first of them;
* 5074: `Lookup[The Dark Tower (2017 film)] on different website`, five times: ours ends at the
  bracket.

Turns and observations are cut out of the print-out here, not by `rl.store.read_transcript`.
"""

import functools
import re
from dataclasses import replace

import pytest

import react_lab as rl
from react_lab.running import drain, kit_for, play
from react_lab.types import Action, Reply, Seen

STEPS = 7  # their notebook goes on to seven steps; the paper says five


def episodes(text):
    """The number, the claim and the answer of each episode, and its turns: raw text, act, seen."""
    start = 0
    for end in re.finditer(r"^\{'steps'.*$", text, re.M):
        part, start = text[start : end.start()], end.end()
        asked = re.search(r"^(\d+) Claim: (.*)$", part, re.M)
        answer = re.search(r"'answer': '(.*?)', 'gt", end[0])
        yield int(asked[1]), asked[2], answer and answer[1], list(turns(part[asked.end() :] + "\n"))


def turns(part):
    """A turn that had no act was printed behind `ohh...`, and its act asked for once more."""
    at = 0
    for i in range(1, STEPS + 1):
        found = re.compile(
            rf"\n(?:ohh\.\.\. (?P<tried>.*?)\n)?Thought {i}: (?P<thought>.*?)\nAction {i}: (?P<act>.*?)\n"
            rf"Observation {i}: (?P<seen>.*?)\n(?=\nThought {i + 1}: |\nohh\.\.\. |\n\n|\Z)",
            re.S,
        ).search(part, at)
        if found is None:
            return
        at = found.end() - 1
        raw = found["tried"]
        yield raw or f" {found['thought']}\nAction {i}: {found['act']}", found["act"], found["seen"]


class Recorded:
    """A world that answers what it answered."""

    actions = tuple(Action(a, "") for a in ("Search[entity]", "Lookup[keyword]", "Finish[answer]"))

    def __init__(self, seen):
        self.left, self.acts = list(seen), []

    def __call__(self, task):
        return self

    def reset(self, task):
        return f"Claim: {task.text}"

    def step(self, action):
        self.acts.append(action)
        name, _, argument = action.partition("[")
        done = name.lower() == "finish" and argument.endswith("]")
        return Seen(self.left.pop(0), done=done, answer=argument[:-1] if done else None)


@functools.cache
def kit():
    """The prompt of all episodes, made once."""
    task, nobody = rl.tasks.claim("?"), rl.models.scripted([])
    return kit_for(task, nobody, world=Recorded([]), max_steps=STEPS)


def played(claim, said):
    """The episode again: what it did and what it answered."""

    def model(ask):
        cue, i = re.search(r"(Thought|Action) (\d+):\Z", ask.prompt).groups()
        raw, act, _ = said[int(i) - 1]
        return Reply(raw if cue == "Thought" else f" {act}")

    asked = replace(kit(), model=rl.models.scripted(model), world=Recorded(s for *_, s in said))
    return drain(play("react", rl.tasks.claim(claim), asked))


@pytest.fixture(scope="module")
def printed(shared):
    return (shared / "gpt3_fever_500_transcript.txt").read_text(encoding="utf-8")


MENDED = {  # episode: their acts that ours are not, and how ours are mended
    565: (["\n\nLookup[West Virginia, New York]"], "act on a later line"),
    3522: (["\n\nFinish[NOT ENOUGH INFO]"] * 5, "act on a later line"),
    5074: (["Lookup[The Dark Tower (2017 film)] on different website"] * 5, "text after the act"),
}


def test_every_turn_of_the_500_episodes_is_found(printed):
    counted = [int(n) for n in re.findall(r"^\{'steps': (\d+)", printed, re.M)]
    found = [len(said) for *_, said in episodes(printed)]
    assert len(found) == 500 and sum(found) == 1250
    # who had no answer after seven steps was given an empty one in an eighth
    assert found == [min(n, STEPS) for n in counted] and counted.count(8) == 9


def test_every_episode_but_three_takes_the_same_acts(printed):
    other = {}
    for number, claim, answer, said in episodes(printed):
        run, theirs = played(claim, said), [act for _, act, _ in said]
        ours = [step.action for step in run.steps]
        if ours != theirs or run.answer != (answer or None):
            other[number] = run
            bad, how = MENDED[number]
            assert theirs == [act for act in theirs if act not in bad] + bad or number == 565
            assert {one for step in run.steps for one in step.repairs} == {how}
            kept = [act for act in theirs if act not in bad]
            assert [step.action for step in run.steps if not step.repairs] == kept
    assert other.keys() == MENDED.keys()
    assert other[3522].answer == "NOT ENOUGH INFO" and other[5074].answer is None
