"""The lessons, and their exercises as a student meets them: the cell to fill, the solution's code."""

import importlib
import pkgutil

import react_lab as rl
from react_lab import lessons

ROOMS = [one.name for one in pkgutil.iter_modules(lessons.__path__)]
MODULES = {name: importlib.import_module(f"react_lab.lessons.{name}") for name in ROOMS}
MAKERS = {room.lesson().name: room.lesson for room in MODULES.values() if hasattr(room, "lesson")}
NAMES = {  # what the notebook checks
    "0.1": "lines", "1.1": "kept", "2.1": "play", "3.1": "only_one", "4.1": "confusion", "5.1": "combine",
    "6.1": "keys", "7.1": "keys", "8.1": "mine", "9.1": "grounded", "10.1": "height",
}  # fmt: skip


def lesson_of(number):
    return MAKERS[f"{int(number.partition('.')[0]):02}"]()


def defined(code, name):
    """What code leaves behind under a name."""
    room = {"rl": rl, **MODULES}
    exec(code, room)
    return room[name]


def solved(number):
    """What the solution's code leaves behind."""
    return defined(lesson_of(number).exercises[number].solution, NAMES[number])


def told(number, answer):
    """Whether the check takes an answer, and what it says."""
    said = lesson_of(number).check(number, answer)
    return said.passed, said.text
