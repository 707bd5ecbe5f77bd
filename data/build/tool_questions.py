"""Train questions for tools: each with the thoughts and acts that answer it.

Questions vary in their words, thoughts hardly do: a small model then learns which thought a
question calls for, and not one more way to put it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from tool_wordings import (
    CLOCK,
    DIVIDED,
    EITHER,
    FIELDS,
    HEAT,
    INTO,
    LESS,
    LESS_OF,
    MORE,
    MORE_OF,
    NEAR,
    NOWHERE,
    ROOT,
    SKY,
    SKY_YES,
    STORY,
    SUMS,
    TOTAL,
    UNITS,
    VALUE,
    YES,
)  # fmt: skip

from react_lab.envs.toolbox import convert, skies, worked_out

__all__ = ["HELD_OUT", "Maker", "rows"]

HELD_OUT = ("Cairo", "Dublin", "Lima", "Nairobi", "Oslo", "Paris", "Tokyo", "Zagreb")  # test's
SEED = 20230501
Row = dict[str, Any]
Acts = list[tuple[str, str]]
Made = tuple[str, Acts]


class Maker:
    """Draws one question after the other, each with the thoughts and acts that answer it."""

    def __init__(self, cities: tuple[str, ...] = (), seed: int = SEED) -> None:
        self.pick = random.Random(seed)
        known = [row["city"] for row in skies().values()]
        self.cities = cities or tuple(city for city in known if city not in HELD_OUT)
        self.skies = sorted({row["sky"] for row in skies().values()})

    # ------------------------------------------------------------------ one city

    def sky(self) -> Made:
        a = self.city()
        what = skies()[a.lower()]["sky"]
        other = self.pick.choice([sky for sky in self.skies if sky != what])
        form = self.pick.choice(("name", "yes", "either"))
        if form == "name":
            asked, answer = self.near(SKY, a=a), what
        elif form == "either":
            s, t = self.pick.sample((what, other), 2)
            asked, answer = self.near(EITHER, a=a, s=s, t=t), what
        else:
            s = self.pick.choice((what, other))
            asked, answer = self.near(SKY_YES, a=a, s=s), "yes" if s == what else "no"
        fact = f"It is {what} in {a}" + (f", not {other}." if answer == "no" else ".")
        return asked, [(f"I need the weather in {a}.", f"Weather[{a}]"), end(fact, answer)]

    def value(self) -> Made:
        a, field = self.city(), self.field()
        noun, of_one, _ = FIELDS[field]
        x = number(a, field)
        need = (f"I need the {noun} in {a}.", f"Weather[{a}]")
        return self.near(VALUE[field], a=a), [need, end(of_one.format(a=a, x=x), x)]

    def heat(self) -> Made:
        a = self.city()
        x = number(a, "temperature")
        hot = f"{x * 9 / 5 + 32:g}"
        turn = f"{a} has {x} degrees Celsius. I convert {x} into Fahrenheit."
        return self.near(HEAT, a=a), [
            (f"I need the temperature in {a} in Fahrenheit.", f"Weather[{a}]"),
            (turn, f"Convert[{x}, celsius, fahrenheit]"),
            end(f"{x} degrees Celsius are {hot} degrees Fahrenheit.", hot),
        ]

    def nowhere(self) -> Made:
        a = self.pick.choice(NOWHERE)
        field = self.pick.choice((None, *FIELDS))
        noun = FIELDS[field][0] if field else "weather"
        asked = self.near(VALUE[field] if field else SKY, a=a)
        return asked, [
            (f"I need the {noun} in {a}.", f"Weather[{a}]"),
            end(f"There is no weather for {a}.", "unknown"),
        ]

    # ------------------------------------------------------------------ several cities

    def asked_both(self, a: str, b: str, field: str) -> Acts:
        """The first two steps: the weather of one, then of the other."""
        noun, of_one, _ = FIELDS[field]
        told = of_one.format(a=a, x=number(a, field))
        return [
            (f"I need the {noun} in {a} and in {b}. I start with {a}.", f"Weather[{a}]"),
            (f"{told} Next I need the {noun} in {b}.", f"Weather[{b}]"),
        ]

    def difference(self) -> Made:
        field = self.field()
        a, b = self.two(field)
        x, y = number(a, field), number(b, field)
        wordings = self.pick.choice((MORE_OF[field], LESS_OF[field]))
        sums = f"{x} - {y}"
        think = f"{FIELDS[field][2].format(a=a, b=b, x=x, y=y)} I work out {sums}."
        last = [(think, f"Calculate[{sums}]"), end(f"The difference is {x - y}.", x - y)]
        return self.one(wordings, a=a, b=b), self.asked_both(a, b, field) + last

    def total(self) -> Made:
        chosen = self.pick.sample(self.cities, self.pick.choice((2, 2, 3)))
        a, b, *third = chosen
        acts = self.asked_both(a, b, "rain")
        xs = [number(city, "rain") for city in chosen]
        if third:
            plan = f"I need the rain in {a}, in {b} and in {third[0]}. I start with {a}."
            acts[0] = (plan, acts[0][1])
            told = FIELDS["rain"][1].format(a=b, x=xs[1])
            acts.append((f"{told} Next I need the rain in {third[0]}.", f"Weather[{third[0]}]"))
        sums = " + ".join(map(str, xs))
        facts = " and ".join(f"{city} has {x} mm" for city, x in zip(chosen, xs, strict=True))
        acts.append((f"{facts}. I work out {sums}.", f"Calculate[{sums}]"))
        asked = self.one(TOTAL, a=listed(chosen))
        return asked, [*acts, end(f"Together this is {sum(xs)} mm.", sum(xs))]

    def which(self) -> Made:
        field = self.field()
        more, less = self.two(field)
        a, b = self.pick.sample((more, less), 2)
        x, y = number(a, field), number(b, field)
        form = self.pick.choice(("more", "less", "yes"))
        told = FIELDS[field][2].format(a=a, b=b, x=x, y=y)
        if form == "yes":
            asked, answer = self.one(YES[field], a=a, b=b), "yes" if x > y else "no"
            fact = f"{x} is {'more' if x > y else 'less'} than {y}."
        else:
            wordings = (MORE if form == "more" else LESS)[field]
            asked, answer = self.one(wordings, a=a, b=b), more if form == "more" else less
            fact = f"{answer} has {form}."
        return asked, [*self.asked_both(a, b, field), end(f"{told} {fact}", answer)]

    # ------------------------------------------------------------------ sums, units, the clock

    def sums(self) -> Made:
        if self.pick.random() < 0.2:
            root = self.pick.randint(5, 99)
            return self.worked(self.one(ROOT, x=root * root), f"sqrt({root * root})")
        op = self.pick.choice("*+-/")
        x, y = self.numbers(op)
        return self.worked(self.one(SUMS[op], x=x, y=y), f"{x} {op} {y}")

    def story(self) -> Made:
        if self.pick.random() < 0.25:
            x, y = self.numbers("/")
            return self.worked(self.one(DIVIDED, x=x, y=y), f"{x} / {y}")
        asked, form = self.pick.choice(STORY)
        x, y = self.numbers(next(op for op in "*+-" if op in form))
        return self.worked(asked.format(x=x, y=y), form.format(x=x, y=y))

    def worked(self, asked: str, sums: str) -> Made:
        result = worked_out(sums)
        return asked, [
            (f"I work out {sums}.", f"Calculate[{sums}]"),
            end(f"It is {result}.", result),
        ]

    def into(self) -> Made:
        ((unit, u), (other, v)), x = self.pick.choice(UNITS), self.pick.randint(2, 90)
        seen = convert(x, unit, other).split()[0]
        turn = (f"I convert {x} {u} into {v}.", f"Convert[{x}, {unit}, {other}]")
        return self.one(INTO, x=x, u=u, v=v), [turn, end(f"It is {seen} {v}.", seen)]

    def clock(self) -> Made:
        asked, answer = self.pick.choice(CLOCK)
        return asked, [("I look at the clock.", "Clock[]"), end(f"It is {answer}.", answer)]

    # ------------------------------------------------------------------ draws

    def city(self) -> str:
        return self.pick.choice(self.cities)

    def field(self) -> str:
        return self.pick.choice(("temperature", "temperature", "wind", "rain"))

    def one(self, wordings: tuple[str, ...], **words: Any) -> str:
        return self.pick.choice(wordings).format(**words)

    def near(self, wordings: tuple[str, ...], **words: Any) -> str:
        """A question about one city, now and then with a sentence before it."""
        before = self.pick.random() < 0.35
        return (self.one(NEAR, a=words["a"]) + " ") * before + self.one(wordings, **words)

    def two(self, field: str) -> tuple[str, str]:
        """Two cities, the one with more first."""
        while True:
            a, b = self.pick.sample(self.cities, 2)
            if number(a, field) > number(b, field):
                return a, b

    def numbers(self, op: str) -> tuple[int, int]:
        """The larger first; a quotient is whole."""
        low, high = (3, 99) if op == "*" else (12, 1500)
        if op == "/":
            y = self.pick.randint(3, 40)
            return y * self.pick.randint(3, 40), y
        y, x = sorted(self.pick.sample(range(low, high), 2))
        return (x * self.pick.choice((1, 1, 7)), y) if op == "*" else (x, y)


def number(city: str, field: str) -> int:
    return int(skies()[city.lower()][field])


def listed(cities: list[str]) -> str:
    return f"{', '.join(cities[:-1])} and {cities[-1]}"


def end(fact: str, answer: object) -> tuple[str, str]:
    return f"{fact} So the answer is {answer}.", f"Finish[{answer}]"


def rows(
    n: int, name: str = "train", maker: Maker | None = None, without: Collection[str] = ()
) -> Iterator[Row]:
    """n questions of all types in turn, none twice and none of those to be left out."""
    maker = maker or Maker()
    makers: Mapping[str, Callable[[], Made]] = {
        "weather": maker.sky, "value": maker.value, "difference": maker.difference,
        "sum": maker.sums, "units": maker.into, "comparison": maker.which, "story": maker.story,
        "total": maker.total, "fahrenheit": maker.heat, "unknown": maker.nowhere,
        "clock": maker.clock,
    }  # fmt: skip
    turns = [*makers, "value", "difference", "comparison", "story", "weather"]
    seen, count = set(without), 0
    for turn in range(100 * n):
        if count == n:
            return
        kind = turns[turn % len(turns)]
        text, acts = makers[kind]()
        if text not in seen:
            seen.add(text)
            count += 1
            gold = acts[-1][1].removeprefix("Finish[")[:-1]
            made = {"text": text, "gold": gold, "type": kind, "steps": acts}
            yield {"id": f"tools-{name}-{count:03d}", **made}
