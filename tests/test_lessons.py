"""Every lesson: its words and its exercises. A wrong answer is told what is wrong, in a sentence."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from exercises import MAKERS, NAMES, defined, lesson_of, solved, told

import react_lab as rl
from react_lab.languages.speech import PLACE
from react_lab.lessons import lesson_00, lesson_01, lesson_02, words
from react_lab.methods import majority
from react_lab.prompts import KEEP

QUOKKA = " The animal first.\nAction 1: Search[Quokka]"
ISLAND = " It is Rottnest Island.\nAction 2: Search[Rottnest Island]"
RIGHT = {leg: set(parts) for leg, parts in KEEP.items()}
RECKONED = {"type": 1, "attributes": 0, "options": 1, "price": 1, "score": 0.67}


def voted(enough):
    """CoT-SC with ReAct as in the paper, but for when the votes are enough."""

    def solution(order, votes, react):
        winner, count, _ = majority(votes)
        answer = None if winner is None else votes[winner]
        if order == "react->cot-sc":
            return react if react is not None else answer
        return answer if enough(count, votes) else react

    return solution


above_half = voted(lambda count, votes: count > len(votes) / 2)
half_who_spoke = voted(lambda count, votes: count and 2 * count >= len([*filter(None, votes)]))


def guess(mountain: str) -> int:
    """Tells how high a mountain is."""
    return 1085


def silent(mountain: str) -> int:
    return {"Zugspitze": 2962, "Snowdon": 1085}[mountain]


def swapped(mountain: str) -> int:
    """Tells how high a mountain is."""
    return {"Zugspitze": 1085, "Snowdon": 2962}[mountain]


def correct(runs):
    return [run for run in runs if rl.score.correct(run)]


WRONG = [
    ("0.1", [], "a list of strings"), ("0.1", "Action 1: Search[Quokka]", "a list of strings"),
    ("0.1", [QUOKKA, ...], "a list of strings"),
    ("0.1", [QUOKKA] * 9, "stopped after step 7: no line said Finish"),
    ("0.1", [QUOKKA, " so what", "hm"], "Step 2 is a thought without an action"),
    ("0.1", [QUOKKA.replace("\n", "\\n"), ISLAND], "Step 1 is a thought without an action"),
    ("0.1", [" I go.\nAction 1: Open[Quokka]"], "Step 1: the world knows Search"),
    ("0.1", [QUOKKA, ISLAND, " So.\nAction 3: Finish[Rottnest Island]"], "the Noongar people use"),
    ("0.1", [QUOKKA, " So.\nAction 2: Finish[Perth]"], "'Perth' is not what the pages say"),
    ("0.1", [" I know it.\nAction 1: Finish[Wadjemup]"], "from memory"),
    ("1.1", "react", "asks for a dict"), ("1.1", {"react": RIGHT["react"], "act": RIGHT["act"]}, "missing: cot, standard"),
    ("1.1", RIGHT | {"act": "action"}, "act: give a set"), ("1.1", RIGHT | {"standard": {"answer"}}, "'answer' is no part"),
    ("1.1", RIGHT | {"act": {"action"}}, "Not quite act: observation is missing. Act"),
    ("1.1", RIGHT | {"act": RIGHT["react"]}, "Not quite act: thought is too much."),
    ("1.1", RIGHT | {"standard": {}}, "the empty set is set(), for {} is an empty dict"),
    ("1.1", RIGHT | {"cot": {"thought", "observation"}}, "nothing to observe"),
    ("1.1", RIGHT | {"standard": {"action"}}, "an answer is none of the three parts"),
    ("2.1", 7, "asks for a function"), ("2.1", lambda *given: 3, "asked 0 times"),
    ("3.1", lambda a, b: (sum(a.values()), sum(b.values())), "Exercise 3.1: not yet"),
    ("3.1", lambda a, b: (sum(a[t] and not b[t] for t in a), 0), "Exercise 3.1: not yet"),
    ("4.1", lambda pairs: {pair: pairs.count(pair) for pair in pairs}, "Exercise 4.1: not yet"),
    ("5.1", above_half, "Exercise 5.1: not yet"), ("5.1", half_who_spoke, "Exercise 5.1: not yet"),
    ("5.1", lambda order, votes, react: react, "Exercise 5.1: not yet"),
    ("6.1", "35462135", "asks for keys"), ("6.1", dict.fromkeys("abcdefgh", 3), "Exercise 6.1: not yet"),
    ("6.1", {name: case["key"] for name, case in words.read("06")["cases"].items()} | {"c": 3, "h": 4},
     "Case c is something else than 3. Where has the thought its fact from?"),
    ("7.1", {"a": 1, "b": 4, "c": 3}, "back or ahead"), ("7.1", 3, "asks for keys"),
    ("8.1", 3, "asks for a dict"), ("8.1", {"type": "1"}, "type is not"),
    ("8.1", RECKONED | {"options": 2, "score": 0.75}, "was clicked, not"), ("8.1", RECKONED, "score is not"),
    ("9.1", lambda runs: runs, "Exercise 9.1: not yet"), ("9.1", correct, "luck"),
    ("9.1", correct, "it gave [a run], not []"),  # no name of a class
    ("10.1", guess, "should raise an error"), ("10.1", silent, "needs a docstring"), ("10.1", swapped, "gave"),
]  # fmt: skip


@pytest.mark.parametrize("number", NAMES)
def test_an_exercise_waits_then_accepts_its_solution(number):
    assert told(number, ...)[0] is None
    assert told(number, solved(number))[0] is True


@pytest.mark.parametrize(("number", "answer", "why"), WRONG, ids=[f"{n} {why[:20]}" for n, _, why in WRONG])  # fmt: skip
def test_a_wrong_answer_is_told_what_is_wrong(number, answer, why):
    passed, said = told(number, answer)
    assert passed is False and why in said


def test_a_right_answer_may_be_another_than_ours():
    look = " Where is the name?\nAction 2: Lookup[Noongar]"
    lines = [ISLAND.replace("2", "1"), look, " There.\nAction 3: Finish[Wadjemup]"]
    assert told("0.1", lines)[0] and told("2.1", lesson_02.play)[0]
    assert "luck" not in told("9.1", lambda runs: [])[1]


@pytest.mark.parametrize("right, wrong, why", [
    ("range(1, max_steps + 1)", "range(1, max_steps)", "asked 2 times, not 3"),
    ("range(1, max_steps + 1)", "range(1, 10**9)", "no end in sight"),
    ("range(1, max_steps + 1)", "range(max_steps)", "The first step is number 1"),
    ("return None", 'return ""', "gave '', not None"),
    ("return argument", "break", "gave None, not 'yes'"), ("text +=", "text =", "the text grows"),
    ("Thought {i}:", "Thought 1:", "call 2 ended with 'Thought 1:', not 'Thought 2:'"),
    ('.partition(f"\\nObservation {i}:")[0]', "", "made up: cut it"),
    ("{seen.text}", "nothing", "the text grows"),
])  # fmt: skip
def test_a_loop_by_hand_with_one_fault_is_told_which(right, wrong, why):
    code = lesson_of("2.1").exercises["2.1"].solution
    assert right in code
    passed, said = told("2.1", defined(code.replace(right, wrong), "play"))
    assert passed is False and why in said


def test_the_cell_to_fill_is_not_right_yet_and_what_never_ends_is_told(monkeypatch):
    book = Path(__file__).parents[1] / "notebooks" / "02_the_loop_by_hand.ipynb"
    cells = [cell.source for cell in nbformat.read(book, 4).cells]
    (stub,) = [one for one, next in pairwise(cells) if next.startswith('lesson.check("2.1"')]
    assert not told("2.1", defined(stub, "play"))[0]
    monkeypatch.setattr("react_lab.teach.exercises.PATIENCE", 0.2)

    def endless(*given):
        while True:
            pass

    passed, said = told("2.1", endless)
    assert passed is False and "has not ended" in said


# the words
FILE = """
[exercises."7.1"]
minutes = 3
task = '''
Say "a" for
b.

Then stop.
'''
hints = ["One.", "It is b."]
solution = '''
"b"
    "c"'''

[[questions]]
text = "Why?"
options = [["So", true, "Yes."], ["No", false, "No."]]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "07.toml").write_text(FILE, encoding="utf-8")
    return tmp_path


HAN = re.compile("[\u4e00-\u9fff]")


@pytest.fixture
def chinese(monkeypatch):
    monkeypatch.setenv("REACT_LAB_LANG", "zh")


def shape(part):
    """Its keys, numbers and code, which are the same in every language; of words, their places."""
    if isinstance(part, dict):
        return {k: v if k == "solution" else shape(v) for k, v in part.items() if k != "thoughts"}
    if isinstance(part, list):
        return [shape(each) for each in part]
    return sorted(set(PLACE.findall(part))) if isinstance(part, str) else part


@pytest.mark.parametrize("name", MAKERS)
def test_a_lesson_has_a_chinese_twin_whose_right_options_have_the_same_numbers(name, chinese):
    files = [(room / f"{name}.toml").read_text("utf-8") for room in (words.HERE, words.HERE / "zh")]
    english, twin = map(tomllib.loads, files)
    assert shape(english) == shape(twin) and max(map(len, files[1].splitlines())) <= 100
    lesson = MAKERS[name]()
    said = [each for one in lesson.exercises.values() for each in (one.task, *one.hints[:1])]
    said += [each for one in lesson.questions for each in (one.text, *(o[2] for o in one.options))]
    assert all(HAN.search(text) for text in said)
    assert not any(re.search(f"{HAN.pattern} {HAN.pattern}", text) for text in said)  # where joined


def test_a_wrong_answer_is_told_so_in_the_language_that_is_spoken(chinese):
    for number, answer, _ in WRONG:
        assert HAN.search(lesson_of(number).exercises[number].check(answer)), (number, answer)


def test_a_lesson_that_a_language_lacks_is_in_english(folder, chinese):
    assert words.read("07", folder)["questions"][0]["text"] == "Why?"


def test_every_file_is_a_lesson_and_every_lesson_is_made_afresh():
    files = {path.stem: path.read_text(encoding="utf-8") for path in words.HERE.glob("*.toml")}
    assert files.keys() == MAKERS.keys()
    for name, make in MAKERS.items():
        lesson = make()
        assert lesson.exercises.keys() == {n for n in NAMES if n.startswith(f"{int(name)}.")}
        assert lesson.questions and lesson is not make()
        known = {"exercises", "questions", "cases", "says", "thoughts"}
        assert tomllib.loads(files[name]).keys() <= known
        assert max(map(len, files[name].splitlines())) <= 100


def test_words_are_joined_and_code_is_not(folder):
    lesson = words.lesson_of("07", {"7.1": lambda _: None}, folder)
    one = lesson.exercises["7.1"]
    assert one.task == 'Say "a" for b.\nThen stop.' and (one.minutes, one.dots) == (3, 1)
    assert one.hints == ("One.", "It is b.") and one.solution == '"b"\n    "c"'
    assert lesson.questions[0].options[1] == ("No", False, "No.")


@pytest.mark.parametrize("checks, sentence", [
    ({}, "exercise 7.1 of lesson 07 has no check"),
    (dict.fromkeys(["7.1", "7.2"], print), "exercise 7.2 of lesson 07 has no words"),
])  # fmt: skip
def test_words_without_a_check_are_named_and_a_check_without_words(folder, checks, sentence):
    with pytest.raises(ValueError, match=sentence):
        words.lesson_of("07", checks, folder)


# lesson 00
def test_an_unfinished_script_can_be_shown():
    assert lesson_00.played(...) == lesson_00.played([]) == []
    (run,) = lesson_00.played([QUOKKA])
    assert run.end == "unfinished" and "Rottnest Island" in run.steps[0].observation
    assert run.task.text in lesson_00.lesson().exercises["0.1"].task
    assert "your lines" in rl.show(run).text
    assert [run.end for run in lesson_00.played([QUOKKA] * 7)] == ["step_limit"]
    (short,) = lesson_00.played([" I go. Action 1: Search[Quokka]"])
    assert "a line break, then" in rl.show(short).text and "script" not in short.error


# lesson 01
def test_a_part_of_a_word_is_not_found():
    task, whole = lesson_01.task(), "Juscelino Kubitschek"
    assert lesson_01.saying(task, whole) and lesson_01.saying(task, whole[:-1]) == []


def test_every_kind_of_thought_is_found_in_our_exemplars():
    found = [lesson_01.exemplars()[e - 1].steps[i - 1].thought for *_, e, i in lesson_01.thoughts()]
    words = ["and then find", "was designed by", "I search that instead", "usually", "1815 - 1769",
             "so the answer is"]  # fmt: skip
    assert all(word in thought for word, thought in zip(words, found, strict=True))
