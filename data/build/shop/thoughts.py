"""What the oracle of the shop thinks, in words that stand on the pages."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from react_lab.types import split_act
from shop.belief import Belief, Offer
from shop.phrases import (
    AGAIN,
    BELOW,
    BEST,
    CHOOSE,
    CLICK,
    COSTLY,
    FAILED,
    FIRST,
    HAS,
    INSTEAD,
    LACKS,
    NO_BUTTON,
    NO_CHOICE,
    NOT_THAT,
    OPEN,
    OTHER_KIND,
    RETURN,
    TAKE,
    TURN,
    WITHOUT,
    WRONG,
)
from shop.shopper import Move, Shopper
from shop.wishes import option_of, says

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


def below(know: Belief, offer: Offer) -> str:
    """The price beside the bound, and what the title says of what is wanted."""
    most, price = know.wish.most, money(offer.dearest)
    text = BELOW.format(price=price, most=money(most)) if most else f"it costs {price}"
    named = [label for label in know.wish.labels if says(offer.title, label)]
    return f"{text}, and the title says {listed(named)}" if named else text


# ---------------------------------------------------------------------- a page of results


def choose_hit(shopper: Shopper, move: Move, before: Move, pick: random.Random) -> str:
    know = shopper.belief
    offer = know.offers[move.asin]
    parts = [first(know, pick)] if before.aim == "search" and len(know.queries) == 1 else []
    if not know.fits(offer) or offer.options is not None:
        return " ".join([*parts, said(pick, TAKE, asin=offer.asin)])
    for asin in know.shown[: know.shown.index(move.asin)]:
        parts.append(passed(know, know.offers[asin], pick))
    words = {"thing": know.thing(offer), "below": below(know, offer)}
    return " ".join(filter(None, [*parts, said(pick, OPEN, asin=offer.asin, **words)]))


def first(know: Belief, pick: random.Random) -> str:
    """The wish in parts."""
    wish = know.wish
    parts = [wish.kind or " ".join(wish.words), *wish.labels, *wish.options]
    parts += [f"a price below {money(wish.most)}"] if wish.most else []
    return said(pick, FIRST, wanted=", ".join(parts))


def passed(know: Belief, offer: Offer, pick: random.Random) -> str:
    """Why a hit is not opened."""
    if not know.thing(offer):
        return said(pick, OTHER_KIND, asin=offer.asin, kind=know.wish.kind)
    if not know.affordable(offer):
        return said(pick, COSTLY, asin=offer.asin, **prices(know, offer))
    return ""


def prices(know: Belief, offer: Offer) -> dict[str, str]:
    return {"price": money(offer.dearest), "most": money(know.wish.most or 0)}


def turn(shopper: Shopper, move: Move, before: Move, pick: random.Random) -> str:
    know = shopper.belief
    why = [passed(know, know.offers[asin], pick) for asin in know.shown]
    return " ".join(filter(None, [*why, said(pick, TURN)]))


def again(shopper: Shopper, move: Move, before: Move, pick: random.Random) -> str:
    query = next(shopper.search()).act.partition("[")[2][:-1]
    why = lacks(shopper.belief, pick) if move.asin else ""
    return " ".join(filter(None, [why, said(pick, AGAIN, query=query)]))


# ---------------------------------------------------------------------- a product's page


def product(shopper: Shopper, move: Move, before: Move, pick: random.Random) -> str | None:
    """Which button is which, when the page is new; which one is wrong, after a wrong click."""
    know = shopper.belief
    offer, chosen = know.offer, know.chosen
    if before.aim == "choose" or (before.aim == "buy" and chosen):
        name, value = offer.button(move.wanted) or ("", "")
        if name not in chosen:
            return None
        return said(pick, WRONG, chosen=chosen[name], value=value, wanted=move.wanted)
    if shopper.plain:
        return by_option(know, offer, pick)
    parts = [lacks(know, pick), said(pick, BEST)] if not shopper.good(offer) else []
    found = {w: b for w in know.wish.options if (b := offer.button(w))}
    if found:
        has = [HAS[w != v].format(wanted=w, name=n, value=v) for w, (n, v) in found.items()]
        it = "it" if len(has) == 1 else "both" if len(has) == 2 else "them"
        parts.append(said(pick, CHOOSE, has=listed(has), it=it))
    elif not parts:
        parts.append(said(pick, NO_CHOICE, below=below(know, offer)))
    return " ".join(parts)


def buttons(know: Belief, offer: Offer) -> dict[str, str]:
    """The wanted values that the page has, by option, as they stand on their buttons."""
    return dict(found for wanted in know.wish.options if (found := offer.button(wanted)))


def by_option(know: Belief, offer: Offer, pick: random.Random) -> str:
    """Option by option, as they stand on the page: which value is wanted, and is it there?"""
    found = buttons(know, offer)
    lacking = {option_of(wanted): wanted for wanted in know.missing(offer)}
    parts = []
    for name in offer.options or {}:
        value = found.get(name) or (f"no {lacking[name]}" if name in lacking else "any")
        parts.append(f"{name.capitalize()}: {value}.")
    last = [*found.values(), "Buy Now"]
    return " ".join([*parts, said(pick, CLICK, buttons=listed(last, "then"))])


def lacks(know: Belief, pick: random.Random) -> str:
    """What speaks against the product whose page is open."""
    offer = know.offer
    if not know.thing(offer) or not know.affordable(offer):
        return passed(know, offer, pick)
    why = []
    for wanted in know.missing(offer):
        name = option_of(wanted)
        values = (offer.options or {}).get(name, ())
        rest = listed([*values[:FEW], *["others"][: len(values) > FEW]]) if values else ""
        why.append(WITHOUT[bool(values)].format(name=name, wanted=wanted, values=rest))
    return said(pick, LACKS, why=", and ".join(why))


def leave(shopper: Shopper, move: Move, before: Move, pick: random.Random) -> str:
    know = shopper.belief
    fresh = shopper.fresh()
    if fresh:
        words = {"asin": fresh[0].asin, "below": below(know, fresh[0])}
        return f"{lacks(know, pick)} {said(pick, INSTEAD, **words)}"
    best = max((know.offers[asin] for asin in know.shown), key=shopper.met)
    return f"{lacks(know, pick)} {said(pick, RETURN, asin=best.asin)}"


# ---------------------------------------------------------------------- after an invalid action


def after_failure(shopper: Shopper, move: Move, failed: str, pick: random.Random) -> str:
    name, argument = split_act(failed) or ("", "")
    if shopper.plain and shopper.belief.page in ("results", "item"):
        return no_button(shopper.belief, move, argument, pick)
    why = NOT_THAT.get(name.lower(), NOT_THAT[""]).format(name=argument[:40])
    _, button = split_act(move.act) or ("", "")
    next = f"I search for {button}" if move.aim == "search" else f"I click {button}"
    return said(pick, FAILED, why=why, next=next)


def no_button(know: Belief, move: Move, name: str, pick: random.Random) -> str:
    """What to click instead, to the end of the page."""
    left: tuple[str, ...] = (split_act(move.act) or ("", ""))[1:]
    if know.page == "item":
        values = buttons(know, know.offer).items()
        left = (*(v for option, v in values if know.chosen.get(option) != v), "Buy Now")
    return said(
        pick, NO_BUTTON, name=name[:60], click=said(pick, CLICK[:1], buttons=listed(left, "then"))
    )


THINK: dict[str, Callable[[Shopper, Move, Move, random.Random], str]] = {
    "open": choose_hit, "turn": turn, "again": again, "leave": leave,
}  # fmt: skip
