"""A fair queue: many clients want one model, and each has its turn."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["LOOK", "Gone", "Place", "Turns"]

LOOK = 0.25  # seconds between looks at whether who waits is still there


class Gone(Exception):
    """Who waited has gone away."""


@dataclass(eq=False)
class Place:
    """What one request needs while it is answered, and whether its turn has come."""

    slots: int
    tokens: int
    called: bool = False


class Turns:
    """So many slots and tokens at once. Who asked for much waits as long as who asked for little.

    Clients are called in a circle, one request of each; nobody overtakes the one who is next, so a
    request that needs every slot gets them.
    """

    def __init__(self, slots: int, tokens: int) -> None:
        self.slots, self.tokens = slots, tokens  # that are free
        self.most = Place(slots, tokens)
        self.waiting: dict[str, deque[Place]] = {}  # clients in the order of their turns
        self.changed = threading.Condition()

    @contextmanager
    def turn(
        self, client: str, slots: int, tokens: int, gone: Callable[[], bool]
    ) -> Iterator[None]:
        """Wait for a turn of this client, then hold its slots. gone: has the client gone away?"""
        place = Place(min(slots, self.most.slots), min(tokens, self.most.tokens))
        with self.changed:
            self.waiting.setdefault(client, deque()).append(place)
            self.call()
        try:
            self.wait(place, gone)
            yield
        finally:
            with self.changed:
                self.leave(client, place)
                self.call()

    def wait(self, place: Place, gone: Callable[[], bool]) -> None:
        with self.changed:
            while not place.called:
                if gone():
                    raise Gone
                self.changed.wait(LOOK)

    def call(self) -> None:
        """Call those whose turn it is, as long as there is room for the next."""
        while self.waiting:
            client, places = next(iter(self.waiting.items()))
            place = places[0]
            if place.slots > self.slots or place.tokens > self.tokens:
                return
            del self.waiting[client]
            places.popleft()
            if places:
                self.waiting[client] = places  # its next request waits behind all others
            self.slots -= place.slots
            self.tokens -= place.tokens
            place.called = True
            self.changed.notify_all()

    def leave(self, client: str, place: Place) -> None:
        if place.called:
            self.slots += place.slots
            self.tokens += place.tokens
            return
        places = self.waiting[client]
        places.remove(place)
        if not places:
            del self.waiting[client]
