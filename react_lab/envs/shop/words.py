"""How the reward compares words: colours made equal, similar token sets, nouns of titles."""

from __future__ import annotations

import re

__all__ = ["COLOURS", "alike", "colour", "nouns"]

# The original's 102 names in its order. The first of these that stands anywhere in a text replaces
# the whole text, so "tapered leg" is red, and "standard" is tan.
COLOUR_WORDS = """
alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux bronze brown
burgundy camel camo caramel champagne charcoal cheetah chestnut chocolate christmas coffee cognac
copper coral cranberry cream crystal dark denim eggplant elephant espresso fuchsia gold granite
grape graphite grass gray green grey heather indigo ivory ivy khaki lavender lemon leopard light
lilac lime magenta maroon mauve merlot midnight mint mocha multicolor mushroom mustard natural navy
nude olive orange peach pewter pink plum purple rainbow red rose royal rust sand sapphire seashell
silver skull slate steel stone stonewash sunflower tan taupe teal tiger turquoise violet walnut
wheat white wine yellow
"""
COMMON_WORDS = """
a about above after against all also am an and any are around as at back be been before behind best
better big both but by can cheap cool cute does each easy every extra fine fit for free fresh from
full good great had has have heavy her here high his hot how if in inside into is it its just large
less lightweight long low many may medium mini more most much my natural near new no non not of off
old on once one only or organic other our out over own per perfect portable premium pure quick real
reusable rich safe same self she short simple slim small smart so soft some strong such super sweet
than that the their them then there these they thick thin this those three through to together two
ultimate under unique until up upon use vintage was we were what when where which while who whole
why wide will with within without you your
"""
COLOURS = tuple(COLOUR_WORDS.split())
NO_NOUNS = frozenset(COMMON_WORDS.split())
LATIN = dict.fromkeys(range(128, 256))  # the letters that the original drops
LONGEST = 500  # characters that are compared: the time grows with their square
WORD = re.compile(r"(?<!\w)[^\W\d_](?:[\w'’]|\.(?=\w))*")


def colour(text: str) -> str:
    """A text that names a colour is that colour.

    >>> colour("washed navy"), colour("size 7")
    ('ash', 'size 7')
    """
    return next((name for name in COLOURS if name in text), text)


def alike(one: str, other: str) -> bool:
    """More than 85 of 100 by the token set ratio, which is rounded first, as in thefuzz.

    >>> alike("cool powder snow", "powder snow"), alike("powder snow", "powder blue")
    (True, False)
    """
    from rapidfuzz import fuzz, utils

    pair = (text[:LONGEST].translate(LATIN) for text in (one, other))
    return round(fuzz.token_set_ratio(*pair, processor=utils.default_process)) > 85


def nouns(title: str) -> list[str]:
    """The words of a title that may be nouns, in lower case; a word may come twice.

    The original asks spaCy for nouns and names. In a title nearly every word is one of them to it,
    so this takes all words that begin with a letter, but for common words that are no nouns and
    for those that end as `Listed` does.

    >>> nouns("UL Listed 2 Prong Cord for JBL Bar 3.1")
    ['ul', 'prong', 'cord', 'jbl', 'bar']
    """
    words = (word.lower().removesuffix("'s").rstrip("'’") for word in WORD.findall(title))
    return [word for word in words if word not in NO_NOUNS and not word.endswith("ed")]
