"""What the oracle of the shop thinks, in words that stand on the pages."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from react_lab.types import split_act
from shop import phrases as say
from shop.belief import Belief, Offer
from shop.shopper import Move, Shopper
from shop.wishes import article, option_of, says

__all__ = ["sparse"]

FEW = 5  # values that a thought lists


def sparse(
    shopper: Shopper, move: Move, before: Move, pick: random.Random, failed: str = ""
) -> str | None:
    """What is worth a thought now; None if nothing is.

    before: the last move that there was to make. failed: the act that led nowhere just now.
    """
    if failed:
        return after_failure(shopper, move, failed, pick)
    if move.aim in ("search", "back") or (move.aim == "open" and before.aim == "leave"):
        return None
    if move.aim in ("choose", "buy"):
        return product(shopper, move, before, pick)
    return THINK[move.aim](shopper, move, before, pick)


def said(pick: random.Random, choices: Sequence[str], **words: str) -> str:
    """One of the wordings, filled in. A capital letter in a slot's name asks for one."""
    capitals = {name.capitalize(): text[:1].upper() + text[1:] for name, text in words.items()}
    return pick.choice(choices).format(**{**capitals, **words})


def listed(words: Sequence[str], last: str = "and") -> str:
    """In words: a, b and c."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def money(price: float) -> str:
    return f"{price:.2f}"


# ---------------------------------------------------------------------- a page of results


def choose_hit(shopper: Shopper, move: Move, before: Move, pick: random.Random) -> str:
    know = shopper.belief
    offer = know.offers[move.asin]
    parts = [first(know, pick)] if before.aim == "search" and len(know.queries) == 1 else []
    if not know.fits(offer) or offer.options is not None:
        return " ".join([*parts, said(pick, say.TAKE, asin=offer.asin)])
    parts += [weighed(know, know.offers[asin], pick) for asin in know.shown]
    return " ".join([*parts, said(pick, say.OPEN, asin=offer.asin)])


def first(know: Belief, pick: random.Random) -> str:
    """The wish in parts, each in the words of the instruction."""
    wish = know.wish
    parts = [article(wish.kind or " ".join(wish.words)), *wish.labels]
    parts += [named_option(value) for value in wish.options]
    parts += [f"for less than {money(wish.most)}"] if wish.most else []
    return said(pick, say.FIRST, wanted=", ".join(parts))


def named_option(value: str) -> str:
    name = option_of(value).removesuffix(" name")
    plain = name in ("color", "scent", "flavor") or (name == "size" and " " not in value)
    return f"{name} {value}" if plain else value


def weighed(know: Belief, offer: Offer, pick: random.Random) -> str:
    """What speaks for a hit or against it: the numbers first, then what they come to."""
    if not know.thing(offer):
        return said(pick, say.OTHER_KIND, asin=offer.asin, kind=article(know.wish.kind))
    most, named = know.wish.most, [label for label in know.wish.labels if says(offer.title, label)]
    words = {"asin": offer.asin, "price": money(offer.dearest), "most": money(most or 0)}
    words["named"] = f", and the title says {listed(named)}" if named else ""
    fits = know.affordable(offer)
    return (say.NO_LIMIT if most is None else say.FITS if fits else say.COSTLY).format(**words)


def turn(shopper: Shopper, move: Move, before: Move, pick: random.Random) -> str:
    know = shopper.belief
    why = [weighed(know, know.offers[asin], pick) for asin in know.shown]
    return " ".join([*why, said(pick, say.TURN)])


def again(shopper: Shopper, move: Move, before: Move, pick: random.Random) -> str:
    query = next(shopper.search()).act.partition("[")[2][:-1]
    why = lacks(shopper.belief, pick) if move.asin else ""
    return " ".join(filter(None, [why, said(pick, say.AGAIN, query=query)]))


# ---------------------------------------------------------------------- a product's page


def product(shopper: Shopper, move: Move, before: Move, pick: random.Random) -> str | None:
    """Which button is which, when the page is new; which one is wrong, after a wrong click."""
    know = shopper.belief
    offer, chosen = know.offer, know.chosen
    if before.aim == "choose" or (before.aim == "buy" and chosen):
        name, value = offer.button(move.wanted) or ("", "")
        if name not in chosen:
            return None
        return said(pick, say.WRONG, chosen=chosen[name], value=value, wanted=move.wanted)
    parts = [lacks(know, pick), said(pick, say.BEST)] if not shopper.good(offer) else []
    found = {w: b for w in know.wish.options if (b := offer.button(w))}
    if offer.notes and shopper.good(offer):
        parts += [f"{one}." for one in evidence(know, offer)]
    if shopper.good(offer) and (untold := know.untold(offer)):
        parts.append(say.UNSURE.format(wanted=listed(untold)))
    if found:
        has = [say.HAS[w != v].format(wanted=w, name=n, value=v) for w, (n, v) in found.items()]
        it = "it" if len(has) == 1 else "both" if len(has) == 2 else "them"
        parts.append(said(pick, say.CHOOSE, has=listed(has), it=it))
    else:
        parts.append(said(pick, say.NO_CHOICE))
    return " ".join(parts)


def lacks(know: Belief, pick: random.Random) -> str:
    """What speaks against the product whose page is open."""
    offer = know.offer
    if not know.thing(offer) or not know.affordable(offer):
        return weighed(know, offer, pick)
    why = []
    if not know.missing(offer) and (untold := know.untold(offer)):
        return said(pick, say.UNTOLD, wanted=listed(untold))
    for wanted in know.missing(offer):
        name = option_of(wanted)
        values = (offer.options or {}).get(name, ())
        rest = listed([*values[:FEW], *["others"][: len(values) > FEW]]) if values else ""
        why.append(say.WITHOUT[bool(values)].format(name=name, wanted=wanted, values=rest))
    return said(pick, say.LACKS, why=", and ".join(why))


def leave(shopper: Shopper, move: Move, before: Move, pick: random.Random) -> str:
    know = shopper.belief
    fresh = shopper.fresh()
    if fresh:
        return f"{lacks(know, pick)} {said(pick, say.INSTEAD, asin=fresh[0].asin)}"
    best = max((know.offers[asin] for asin in know.shown), key=shopper.met)
    return f"{lacks(know, pick)} {said(pick, say.RETURN, asin=best.asin)}"


def read_on(shopper: Shopper, move: Move, before: Move, pick: random.Random) -> str:
    """What the page that is to be read next has to say."""
    know, page = shopper.belief, move.act[6:-1]
    offer = know.offer
    has = [found[1] for wanted in know.wish.options if (found := offer.button(wanted))]
    there = f"{listed(has)} {'are' if has[1:] else 'is'} there. " if has and not offer.notes else ""
    first = there[:1].upper() + there[1:]
    return said(pick, say.READ, has=first, wanted=listed(know.untold(offer)), page=page)


def evidence(know: Belief, offer: Offer) -> list[str]:
    """What was read on its pages of what is wanted."""
    found = []
    for label in know.wish.labels:
        place, words = offer.told(label) or ("", "")
        if place in offer.notes:
            meant = "" if words == label else f", which means {label}"
            found.append(say.TOLD.format(place=place, words=words) + meant)
    return found


# ---------------------------------------------------------------------- after an invalid action


def after_failure(shopper: Shopper, move: Move, failed: str, pick: random.Random) -> str:
    name, argument = split_act(failed) or ("", "")
    why = say.NOT_THAT.get(name.lower(), say.NOT_THAT[""]).format(name=argument[:40])
    _, button = split_act(move.act) or ("", "")
    next = f"I search for {button}" if move.aim == "search" else f"I click {button}"
    return said(pick, say.FAILED, why=why, next=next)


THINK: dict[str, Callable[[Shopper, Move, Move, random.Random], str]] = {
    "open": choose_hit, "read": read_on, "turn": turn, "again": again, "leave": leave,
}  # fmt: skip
