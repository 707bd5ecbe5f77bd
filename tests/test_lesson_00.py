"""Lesson 00: the recorded runs show what it talks about, and a script can be shown before it ends."""

import react_lab as rl
from react_lab.lessons import lesson_00

QUOKKA = " The animal first.\nAction 1: Search[Quokka]"


def test_react_is_right_and_memory_is_wrong_and_a_run_of_react_loses():
    model = rl.models.recorded("00_start_here", "replay")
    run, memory = (rl.run(name, lesson_00.task(), model=model) for name in ("react", "standard"))
    assert rl.score.correct(run) and (run.end, run.flags) == ("finished", ())
    assert 3 <= len(run.steps) <= 6 and not any(s.repairs or s.rescued for s in run.steps)
    assert rl.score.correct(memory) is False and len(memory.steps) == 1
    lost = lesson_00.losing()
    (known,) = (t for t in rl.tasks.load("multihop", "dev") if t.text == lost.task.text)
    assert lost.answer and rl.score.reward(known, lost.answer) == 0.0


def test_an_unfinished_script_can_be_shown():
    assert lesson_00.played(...) == lesson_00.played([]) == []
    (run,) = lesson_00.played([QUOKKA])
    assert run.end == "unfinished" and "Rottnest Island" in run.steps[0].observation
    assert run.task.text in lesson_00.lesson().exercises["0.1"].task
    assert "your lines" in rl.show(run).text
    assert [run.end for run in lesson_00.played([QUOKKA] * 7)] == ["step_limit"]
    (short,) = lesson_00.played([" I go. Action 1: Search[Quokka]"])
    assert "a line break, then" in rl.show(short).text and "script" not in short.error
