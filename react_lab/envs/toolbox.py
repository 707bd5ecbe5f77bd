"""The tools of the lesson: a clock, weather from a small table, units, and a calculator."""

from __future__ import annotations

import csv
import functools
from collections.abc import Mapping

from .. import data
from ..records import text
from .calculator import worked_out

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
