"""What a request does: it shows where a player is, or does one act and leads there.

A form is obeyed if it comes from a page of ours (its token) and if that page is still the one that
is open (its turn). So a reload, an old page or a second click on Buy Now does nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from ..characters import inline
from ..types import Halt
from . import views
from .players import Player, Players

__all__ = ["Answer", "Request", "Routes"]

HTML, CSS = "text/html; charset=utf-8", "text/css; charset=utf-8"
HOURS = 24  # for which a browser is known


@dataclass(frozen=True)
class Request:
    """What has passed the server's checks."""

    method: str
    path: str
    note: str = ""
    cookie: str = ""
    form: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What is sent back."""

    status: int
    body: str = ""
    kind: str = HTML
    headers: Mapping[str, str] = field(default_factory=dict)


def trouble(status: int, words: str) -> Answer:
    return Answer(status, views.trouble(words))


def lead(to: str, note: str = "", **headers: str) -> Answer:
    """After a form: another page, so that a reload repeats nothing."""
    return Answer(303, headers={"Location": f"{to}?{note}" if note else to, **headers})


class Routes:
    """The site of some players; `cookie` is the name under which a browser is known."""

    def __init__(self, players: Players, cookie: str) -> None:
        self.players, self.cookie = players, cookie
        self.token = secrets.token_urlsafe(32)  # of the form that begins
        self.style = files(__package__).joinpath("style.css").read_text(encoding="utf-8")
        self.pages: dict[str, Callable[[Request], Answer]] = {
            "/": self.start, "/shop": self.shop,
            "/style.css": lambda _: Answer(200, self.style, CSS),
        }  # fmt: skip
        self.acts: dict[str, Callable[[Player, Request], str]] = {
            "/act": self.act, "/give-up": self.give_up, "/next": self.go_on, "/stop": self.stop,
        }  # fmt: skip

    def answer(self, request: Request) -> Answer:
        """Answer any request; what a disk or the catalogue refuses is said on a page."""
        try:
            if request.method == "POST":
                return self.post(request)
            page = self.pages.get(request.path)
            known = self.post_only(request.path)
            return page(request) if page else known
        except (OSError, Halt) as error:
            why = getattr(error, "strerror", None) or str(error)
            words = "Nothing is lost: look at /shop again when it is mended."
            return trouble(503, f"This could not be kept or shown ({why}). {words}")

    def post_only(self, path: str) -> Answer:
        if path in self.acts or path in ("/start", "/leave"):
            allow = {"Allow": "POST"}
            return Answer(405, views.trouble("This address takes forms only."), headers=allow)
        return trouble(404, "There is no such page.")

    # ------------------------------------------------------------------ pages

    def start(self, request: Request) -> Answer:
        if self.players.find(request.cookie):
            return lead("/shop")
        return Answer(200, views.start(self.players, self.token, request.note))

    def shop(self, request: Request) -> Answer:
        player = self.players.find(request.cookie)
        if player is None:
            return lead("/", "gone" if request.cookie else "")
        with player.lock:
            self.players.settle(player)
            view = views.episode if player.episode else views.closing
            return Answer(200, view(self.players, player, request.note))

    # ------------------------------------------------------------------ forms

    def post(self, request: Request) -> Answer:
        if request.path == "/start":
            return self.join(request)
        if request.path not in self.acts and request.path != "/leave":
            if request.path in self.pages:
                allow = {"Allow": "GET, HEAD"}
                return Answer(405, views.trouble("This address takes no forms."), headers=allow)
            return trouble(404, "There is no such page.")
        player = self.players.find(request.cookie)
        if player is None:
            return lead("/", "gone")
        if not same(request.form.get("token", ""), player.token):
            return trouble(403, "This form is not from a page of yours.")
        if request.path == "/leave":
            return self.leave(player)
        return self.obey(player, request)

    def obey(self, player: Player, request: Request) -> Answer:
        with player.lock:
            if player.gone:
                return lead("/", "gone")
            if request.form.get("turn") != str(player.turn):
                running = player.episode and not player.episode.ended
                return lead("/shop", "old" if running else "")
            return lead("/shop", self.acts[request.path](player, request))

    def join(self, request: Request) -> Answer:
        if not same(request.form.get("token", ""), self.token):
            return trouble(403, "This form is not from a page of this site: open its first page.")
        if self.players.find(request.cookie):
            return lead("/shop")  # a second click on Start
        name = inline(request.form.get("name", "")[: views.LONGEST_NAME])
        player = self.players.join(name)
        return lead("/shop", **{"Set-Cookie": self.cookie_of(player.cookie, HOURS * 3600)})

    def cookie_of(self, value: str, seconds: int) -> str:
        return f"{self.cookie}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}"

    def leave(self, player: Player) -> Answer:
        self.players.leave(player)
        return lead("/", **{"Set-Cookie": self.cookie_of("", 0)})

    # ------------------------------------------------------------------ acts; each returns a note

    def act(self, player: Player, request: Request) -> str:
        words = inline(request.form.get("search", "")[: views.LONGEST_QUERY])
        clicked = request.form.get("click")
        if clicked is None and not words:
            return "words"
        player.turn += 1
        self.players.act(player, f"search[{words}]" if clicked is None else f"click[{clicked}]")
        return ""

    def give_up(self, player: Player, request: Request) -> str:
        player.turn += 1
        self.players.give_up(player)
        return ""

    def go_on(self, player: Player, request: Request) -> str:
        """To the next goal: not away from one that is still open."""
        if player.episode is None or player.episode.ended:
            player.turn += 1
            self.players.go_on(player)
        return ""

    def stop(self, player: Player, request: Request) -> str:
        if player.episode and player.episode.ended:
            player.turn += 1
            self.players.put_away(player)
        return ""


def same(given: str, wanted: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
