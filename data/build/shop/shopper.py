"""Shops as a sensible person would, knowing only what stood on the pages so far.

It can be asked on any page that a shopper gets to: with a wrong product, with a wrong option.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shop.belief import Belief, Offer

__all__ = ["STEPS", "Move", "Shopper"]

STEPS = 15  # as in the authors' notebook
PAGES = 2  # of results that are looked at after one search
# How many steps a way takes to a purchase, thoughts in it, clicks on options left out.
LEAVE, TURN, AGAIN, READ = 5, 6, 7, 5
PAGES_READ = ("Features", "Description")  # of a product, where its title does not say enough


@dataclass(frozen=True)
class Move:
    """An act, what it is for, with which product, and the wanted value that it chooses."""

    act: str
    aim: str  # search, open, read, turn, again, leave, back, choose, buy
    asin: str = ""
    wanted: str = ""


@dataclass
class Shopper:
    """Chooses the next act."""

    belief: Belief

    def next(self, left: int = STEPS) -> Move:
        """The best act that has not just failed. left: how many steps there are."""
        moves = (move for move in self.moves(left) if move.act not in self.belief.failed)
        return next(moves, Move("click[Back to Search]", "again"))

    def moves(self, left: int) -> Iterator[Move]:
        left -= len(self.belief.wish.options)
        match self.belief.page:
            case "search":
                yield from self.search()
            case "results":
                yield from self.pick(left)
            case "sub":
                yield Move("click[< Prev]", "back", self.belief.at)
            case _:
                yield from self.judge(left)

    # ------------------------------------------------------------------ the first page

    def search(self) -> Iterator[Move]:
        """All that is wanted; another time less of it."""
        queries = self.queries()
        fresh = [query for query in queries if query not in self.belief.queries]
        for query in [*fresh, *queries]:
            yield Move(f"search[{query}]", "search")

    def queries(self) -> list[str]:
        wish = self.belief.wish
        options = (wish.kind, *wish.options)
        first = (*wish.labels, wish.kind, *wish.options) if wish.kind else wish.words
        ways = (first, (*options, *wish.labels[:1]), options, (wish.kind, *wish.labels))
        queries = (" ".join(way).strip() for way in ways)
        other = {frozenset(query.split()): query for query in reversed([*queries])}
        return [query for query in reversed(other.values()) if query]

    def others(self) -> bool:
        """Is there a search that was not made?"""
        return not set(self.queries()) <= self.belief.queries

    # ------------------------------------------------------------------ a page of results

    def pick(self, left: int) -> Iterator[Move]:
        """A product that is good, the first that may be, the next page, another search, the best."""
        know = self.belief
        here = [know.offers[asin] for asin in know.shown]
        seen = [offer for offer in here if offer.options is not None]
        for offer in [one for one in seen if self.good(one)] or self.fresh():
            yield opening(offer)
        if know.more and know.number < PAGES and left >= TURN and not any(map(know.fits, seen)):
            yield Move("click[Next >]", "turn")
        if self.others() and left >= AGAIN:
            yield Move("click[Back to Search]", "again")
        for offer in sorted(here, key=self.met, reverse=True):
            yield opening(offer)

    def fresh(self) -> list[Offer]:
        """Products on the page of results that may do and were not opened yet, the best title first."""
        know = self.belief
        offers = (know.offers[asin] for asin in know.shown)
        fit = [offer for offer in offers if offer.options is None and know.fits(offer)]
        return sorted(fit, key=lambda offer: len(know.untold(offer)))

    # ------------------------------------------------------------------ a product's page

    def judge(self, left: int) -> Iterator[Move]:
        """Read on, leave it, or choose the options and buy it."""
        know, here = self.belief, self.belief.offer
        if know.fits(here) and not know.missing(here) and know.untold(here) and left >= READ:
            for page in self.unread(here):
                yield Move(f"click[{page}]", "read", here.asin)
        if not self.good(here):
            better = self.fresh() or any(
                self.met(know.offers[asin]) > self.met(here) for asin in know.shown
            )
            if better and left >= LEAVE:
                yield Move("click[< Prev]", "leave", here.asin)
            if self.others() and left >= AGAIN:
                yield Move("click[Back to Search]", "again", here.asin)
        for wanted in know.wish.options:
            found = here.button(wanted)
            if found and know.chosen.get(found[0]) != found[1]:
                yield Move(f"click[{found[1]}]", "choose", here.asin, wanted)
        yield Move("click[Buy Now]", "buy", here.asin)

    def unread(self, offer: Offer) -> list[str]:
        return [page for page in PAGES_READ if page not in offer.notes]

    def good(self, offer: Offer) -> bool:
        """Does nothing speak against it?"""
        known = offer.options is None or not (self.belief.untold(offer) and not self.unread(offer))
        return self.belief.fits(offer) and not self.belief.missing(offer) and known

    def met(self, offer: Offer) -> float:
        """How much of what is wanted it has, as far as one can tell."""
        know = self.belief
        return 2 * know.fits(offer) - len(know.missing(offer)) - 0.9 * len(know.untold(offer))


def opening(offer: Offer) -> Move:
    return Move(f"click[{offer.asin}]", "open", offer.asin)
