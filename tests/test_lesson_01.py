"""Lesson 01: its recorded runs show what it says, and its exemplars too."""

import react_lab as rl
from react_lab.lessons import lesson_01
from react_lab.prompts import KEEP


def runs(**settings):
    model = rl.models.recorded("01_four_ways_to_prompt", "replay", **settings)
    return {method: rl.run(method, lesson_01.task(), model=model) for method in KEEP}


def test_of_the_tuned_runs_react_alone_is_right_and_cot_made_its_answer_up():
    learned, task = runs(), lesson_01.task()
    assert [method for method, run in learned.items() if rl.score.correct(run)] == ["react"]
    assert {run.end for run in learned.values()} == {"finished"}
    assert 3 <= len(learned["react"].steps) <= 6
    assert lesson_01.saying(task, learned["react"].answer)
    assert not lesson_01.saying(task, learned["cot"].answer)
    plain = runs(adapter=None)
    assert all(plain[method].tokens_in > learned[method].tokens_in for method in KEEP)


def test_a_part_of_a_word_is_not_found():
    task, whole = lesson_01.task(), "Juscelino Kubitschek"
    assert lesson_01.saying(task, whole) and lesson_01.saying(task, whole[:-1]) == []


def test_every_kind_of_thought_is_found_in_our_exemplars():
    found = [lesson_01.exemplars()[e - 1].steps[i - 1].thought for *_, e, i in lesson_01.thoughts()]
    words = ["and then find", "was designed by", "I search that instead", "usually", "1815 - 1769",
             "so the answer is"]  # fmt: skip
    assert all(word in thought for word, thought in zip(words, found, strict=True))
