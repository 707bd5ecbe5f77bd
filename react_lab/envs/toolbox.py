"""The tools of the lesson: a clock, weather from a small table, units, and a calculator."""

from __future__ import annotations

import ast
import csv
import functools
import math
import operator
import re
from collections.abc import Callable, Mapping

from .. import data
from ..records import text

UNITS: Mapping[str, tuple[str, float]] = {  # of what it measures, and how many of the first
    "m": ("length", 1), "km": ("length", 1000), "cm": ("length", 0.01), "mm": ("length", 0.001),
    "mile": ("length", 1609.344), "foot": ("length", 0.3048), "inch": ("length", 0.0254),
    "kg": ("weight", 1), "g": ("weight", 0.001), "pound": ("weight", 0.45359237),
    "ounce": ("weight", 0.028349523125), "l": ("volume", 1), "ml": ("volume", 0.001),
    "s": ("time", 1), "minute": ("time", 60), "hour": ("time", 3600), "day": ("time", 86400),
    "week": ("time", 604800), "km/h": ("speed", 1 / 3.6), "m/s": ("speed", 1),
    "mph": ("speed", 0.44704), "knot": ("speed", 1852 / 3600),
}  # fmt: skip
SPELLED: Mapping[str, str] = {
    "metre": "m", "meter": "m", "kilometre": "km", "kilometer": "km", "centimetre": "cm",
    "millimetre": "mm", "feet": "foot", "ft": "foot", "inches": "inch", "kilogram": "kg",
    "gram": "g", "lb": "pound", "litre": "l", "liter": "l", "millilitre": "ml", "second": "s",
    "sec": "s", "min": "minute", "h": "hour", "°c": "celsius", "c": "celsius", "°f": "fahrenheit",
    "f": "fahrenheit", "kmh": "km/h", "metres per second": "m/s", "kilometres per hour": "km/h",
    "miles per hour": "mph", "kn": "knot",
}  # fmt: skip


def clock() -> str:
    """Tells the day and the time.

    It stands still, so that a run can be replayed.
    """
    return "Monday, 2 March 2026, 09:30"


def weather(city: str) -> str:
    """Tells today's weather in a city."""
    row = skies().get(city.strip().lower())
    if row is None:
        raise LookupError(f"there is no weather for {city}")
    return (
        f"{row['sky']}, {row['temperature']} degrees Celsius, wind {row['wind']} km/h, "
        f"{row['rain']} mm of rain"
    )


@functools.cache
def skies() -> Mapping[str, Mapping[str, str]]:
    """Our table: made-up weather for one day."""
    rows = csv.DictReader(text(data.folder("tools", "weather.csv")).splitlines())
    return {row["city"].lower(): row for row in rows}


def convert(amount: float, unit: str, into: str) -> str:
    """Converts an amount from one unit into another."""
    one, other = unit_named(unit), unit_named(into)
    if {one, other} <= {"celsius", "fahrenheit"}:
        same = one == other
        warm = amount * 9 / 5 + 32 if one == "celsius" else (amount - 32) * 5 / 9
        return f"{amount if same else warm:.10g} degrees {other.capitalize()}"
    if one not in UNITS or other not in UNITS:
        lacks = unit if one not in UNITS else into
        raise LookupError(f"there is no unit {lacks}")
    (kind, size), (wanted, into_size) = UNITS[one], UNITS[other]
    if kind != wanted:
        raise ValueError(f"{unit} measures {kind} and {into} measures {wanted}")
    return f"{amount * size / into_size:.10g} {other}"


def unit_named(name: str) -> str:
    name = name.strip().lower()
    for word in (name, name.removesuffix("s"), name.removeprefix("degrees ")):
        if (found := SPELLED.get(word, word)) in (*UNITS, "celsius", "fahrenheit"):
            return found
    return name


def calculate(expression: str) -> str:
    """Works out a sum such as (21 - 4) * 2."""
    return worked_out(expression)


# ------------------------------------------------------------------ the calculator

LONGEST, FIGURES, EXPONENT = 200, 60, 200  # characters; figures of a number; the largest exponent
SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "^"})


def root(value: float) -> float:
    if value < 0:
        raise ValueError("a number below zero has no real root")
    return math.sqrt(value)


def power(base: float, exponent: float) -> float:
    if abs(exponent) > EXPONENT:
        raise ValueError(f"an exponent may be at most {EXPONENT}")
    if base and abs(exponent) * abs(math.log10(abs(base))) > FIGURES:
        raise ValueError(f"a number may have at most {FIGURES} figures")
    found: float = base**exponent
    return found


def rounded(value: float, places: float = 0) -> float:
    if abs(places) > FIGURES or places != int(places):
        raise ValueError(f"round takes a whole number of places, up to {FIGURES}")
    return round(value, int(places)) if places else round(value)


OPERATORS: Mapping[type, Callable[..., float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Pow: power,
}  # fmt: skip
FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "abs": abs, "max": lambda *several: max(several), "min": lambda *several: min(several),
    "round": rounded, "sqrt": root,
}  # fmt: skip
NAMES = {"pi": math.pi}
TOKEN = re.compile(  # nothing but figures, operators, brackets and our functions is parsed
    rf"\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\b(?:{'|'.join([*FUNCTIONS, *NAMES])})\b|[-+*/%(),^]|\s", re.A
)


def worked_out(expression: str) -> str:
    """The value of an expression in figures, or a ValueError that says what is wrong with it.

    >>> worked_out("(21 - -4) * 2"), worked_out("2 / 3"), worked_out("sqrt(16)")
    ('50', '0.6666666667', '4')
    """
    text = expression.strip().removesuffix("=").translate(SIGNS).strip()
    if not text:
        raise ValueError("there is nothing to work out")
    if len(text) > LONGEST:
        raise ValueError(f"an expression has at most {LONGEST} characters")
    if odd := TOKEN.sub("", text):
        raise ValueError(
            f"{odd[:20]!r} is nothing that the calculator knows: it takes numbers, "
            f"+ - * / // % ^, brackets, {', '.join(FUNCTIONS)} and pi"
        )
    try:
        value = value_of(ast.parse(text.replace("^", "**"), mode="eval").body)
    except (SyntaxError, MemoryError):
        raise ValueError("this is no expression that can be worked out") from None
    except ZeroDivisionError:
        raise ValueError("nothing can be divided by zero") from None
    except (OverflowError, RecursionError, TypeError):
        raise ValueError("this cannot be worked out") from None
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return str(value) if isinstance(value, int) else f"{value:.10g}"


def value_of(node: ast.expr) -> float:
    """The value of what is on the list; there is no other way on."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return bounded(value)
        case ast.Name(id=name) if name in NAMES:
            return NAMES[name]
        case ast.UnaryOp(op=sign, operand=inner) if type(sign) in OPERATORS:
            return bounded(OPERATORS[type(sign)](value_of(inner)))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in OPERATORS:
            return bounded(OPERATORS[type(sign)](value_of(left), value_of(right)))
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as args, keywords=[]) if (
            name in FUNCTIONS
        ):
            return bounded(FUNCTIONS[name](*map(value_of, args)))
    raise ValueError("this is no expression that can be worked out")


def bounded(value: object) -> float:
    if isinstance(value, complex):
        raise ValueError("this has no real value")
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("this cannot be worked out")
    if abs(value) >= 10**FIGURES:
        raise ValueError(f"a number may have at most {FIGURES} figures")
    return value
