"""What an instruction asks for, as a shopper reads it: a kind of goods, what it is like, options.

Read from its words and from what everybody knows of goods, colors and sizes, and nothing else.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from shop.vocabulary import goods, sayings, spoken

__all__ = [
    "BOUND",
    "Wish",
    "article",
    "core",
    "names_of",
    "option_of",
    "plain",
    "read_wish",
    "says",
]

BOUND = re.compile(r",? and price lower than (\d+(?:\.\d+)?) dollars")
WORD = re.compile(r"\w(?:[\w.'’&|/-]*\w)?")
CODE = re.compile(r"(?:[a-z]\d{1,2}-|0\d )(?=[a-z])")  # a seller's own number of a color
UNITS = {"inches": "inch", "ounces": "ounce", "pounds": "pound", "pieces": "piece"}
NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
SAME = UNITS | {word: str(i) for i, word in enumerate(NUMBERS.split(), 1)}
FILLER = """
a about after all also am an and any are as at be been but buy by can can't color comes could do
does find flavor for from get give has have he help her him his i i'd i'm i've if in into is it its
it's just like looking make me must my name need needs not of off on or order our out please scent
she shopping should show since size smell so some something style sure than that the their them
then these they this those to too up us want wants was we what when where which while who will with
would you your
"""
NO_WORDS = frozenset(FILLER.split())


@dataclass(frozen=True)
class Wish:
    """words: what is worth typing. labels: what the thing is like. most: the price bound."""

    words: tuple[str, ...]
    kind: str = ""
    labels: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    most: float | None = None


def read_wish(text: str) -> Wish:
    """An instruction -> what it asks for.

    >>> read_wish("i need a dimmable table lamp in a size 9, and price lower than 30.00 dollars")
    Wish(words=('dimmable', 'table', 'lamp', '9'), kind='table lamp', labels=('dimmable',), \
options=('9',), most=30.0)
    """
    bound = BOUND.search(text)
    asked = BOUND.sub("", text).lower()
    words = dict.fromkeys(word for word in WORD.findall(asked) if word not in NO_WORDS)
    left = plain(re.sub(rf"(?<![\w-]){CODE.pattern}", "", asked))
    meant = {words: label for label, words in spoken().items()}
    found, left = said(left, [*sayings(), *meant])
    labels = tuple(dict.fromkeys(meant.get(words, words) for words in found))
    kinds, left = said(left, (one.query for one in goods()))
    options, _ = said(left, option_names())
    most = float(bound[1]) if bound else None
    return Wish(tuple(words), kinds[0] if kinds else "", labels, options, most)


def article(named: str) -> str:
    """A thing with its article; many things, or a mass, have none."""
    mass = (
        "coffee",
        "tea",
        "fruit",
        "mix",
        "shampoo",
        "deodorant",
        "toothpaste",
        "sunscreen",
        "lotion",
        "polish",
    )
    if named.endswith(mass) or (named.endswith("s") and not named.endswith(("ss", "dress"))):
        return named
    return f"{'an' if named[0] in 'aeio' or named.startswith('rgb') else 'a'} {named}"


@functools.lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """A text in small letters, without hyphens, its numbers as digits.

    >>> plain("Eighteen inches, Vegan-Leather")
    '18 inch, vegan leather'
    """
    return re.sub(r"[a-z]+", lambda m: SAME.get(m[0], m[0]), text.lower().replace("-", " "))


def core(value: str) -> str:
    """An option's value without the seller's own code before it.

    >>> core("a4-dusty rose"), core("4.25 ounce (pack of 3)")
    ('dusty rose', '4.25 ounce (pack of 3)')
    """
    return CODE.sub("", value, count=1) if CODE.match(value) else value


def says(text: str, phrase: str) -> bool:
    """Does a text have a phrase, as whole words?"""
    return found(plain(text), phrase) is not None


def found(text: str, phrase: str) -> re.Match[str] | None:
    return re.search(rf"(?<![\w.]){re.escape(plain(phrase))}(?![\w]|\.\d)", text)


def said(text: str, phrases: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """Which phrases a text has, in its order, the longer ones first; and the text without them."""
    places = {}
    for phrase in sorted(phrases, key=len, reverse=True):
        if match := plain(phrase) in text and found(text, phrase):
            places[match.start()] = phrase
            text = text[: match.start()] + "#" * len(match[0]) + text[match.end() :]
    return tuple(phrase for _, phrase in sorted(places.items())), text


def names_of(kind: str) -> tuple[str, ...]:
    """What goods of a kind are called; of a kind that nobody knows, nothing."""
    return tuple(name for one in goods() if one.query == kind for name in (kind, *one.names))


def option_of(value: str) -> str:
    """What a value is a value of: a color, a size."""
    return option_names().get(value, "option")


@functools.cache
def option_names() -> dict[str, str]:
    """The values of options that a shopper has heard of, and what each is a value of."""
    pairs = ((name, some) for one in goods() for name, some in one.options.items())
    return {core(value): name for name, some in pairs for value in some}
