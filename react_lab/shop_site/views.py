"""The site's pages as HTML: no script, and every word from outside stays a word.

A page of the shop is drawn from the page that its engine has: a part that an agent can click is a
button, and there is nothing else to click.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from ..characters import visible
from ..envs.shop import Reward
from ..envs.shop.pages import Page, Part
from ..types import Trajectory
from .players import Player, Players
from .results import Row, against, goal_number, table_of

__all__ = ["NOTES", "closing", "episode", "outline", "start", "trouble"]

LONGEST_NAME, LONGEST_QUERY = 40, 300
NOTES = {
    "old": "That button was on an earlier page, so nothing was done. You are here now.",
    "words": "Type what to look for. Nothing was done.",
    "gone": "Nobody plays in this browser any more. What was done is kept: the same name goes on.",
}
ENDED = {
    "step_limit": "The last step is used up, and nothing was bought.",
    "cancelled": "You gave this goal up.",
    "env_error": "The shop could not go on.",
}


def esc(text: object) -> str:
    return escape(visible(str(text)), quote=True)


def tag(name: str, inside: str, /, **given: object) -> str:
    """An element; `inside` is HTML already, the attributes are not."""
    attributes = "".join(
        f" {key.strip('_').replace('_', '-')}" + ("" if value is True else f'="{esc(value)}"')
        for key, value in given.items()
        if value not in (None, False)
    )
    return f"<{name}{attributes}>{inside}</{name}>"


def outline(title: str, head: str, body: str, note: str = "") -> str:
    """A whole document."""
    said = tag("p", esc(NOTES[note]), class_="note", role="status") if note in NOTES else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{esc(title)}</title><link rel="stylesheet" href="/style.css"></head>'
        f"<body><header>{head}</header><main>{said}{body}</main></body></html>"
    )


def form(action: str, inside: str, token: str, turn: int = 0, **given: object) -> str:
    hidden = (
        f'<input type="hidden" name="{name}" value="{esc(value)}">'
        for name, value in (("token", token), ("turn", turn))
    )
    return tag("form", "".join(hidden) + inside, method="post", action=action, **given)


def button(words: str, /, **given: object) -> str:
    return tag("button", esc(words), type="submit", **given)


# ---------------------------------------------------------------------- before and after


def start(players: Players, token: str, note: str = "") -> str:
    """Who plays? And what there is to do."""
    n, steps = len(players.tasks), players.asked["max_steps"]
    goals = f"{n} shopping goal" + "s" * (n != 1)
    rules = (
        f"You get {goals}, one after the other. Find the product, click the options that were "
        "asked for, and buy: one purchase per goal.",
        f"There are {steps} steps per goal, as for an agent. A search is a step, and so is every "
        "click in the shop.",
        "You see what an agent sees: the first products of every page of results.",
        "The score is the agent's too: 1 for all that was asked for, less for a part of it.",
    )
    name = (
        tag("label", "Your name (may stay empty)", for_="name")
        + f'<input id="name" name="name" maxlength="{LONGEST_NAME}" autocomplete="off" autofocus>'
        + tag("p", "Under the same name you go on where you left.", class_="small")
    )
    rows = "".join(tag("li", esc(rule)) for rule in rules)
    body = (
        tag("h1", "Shop against the agent")
        + tag("ul", rows)
        + form("/start", name + button("Start", class_="main"), token)
    )
    return outline("Shop against the agent", tag("p", "The shop", class_="where"), body, note)


def closing(players: Players, player: Player, note: str = "") -> str:
    """The score of all goals, beside that of others."""
    rows = table_of(players, player)
    left = players.more(player)
    more = form("/next", button("Next goal", class_="main"), player.token, player.turn)
    leave = form("/leave", button("Leave, and let another play"), player.token, player.turn)
    words = "" if left else "All goals are done. "
    mine = sorted(players.book.runs_of(player.name), key=lambda run: goal_number(players, run))
    goals = [(f"{goal_number(players, run)}. {run.task.text}", worth(run)) for run in mine]
    body = (
        tag("h1", "Your score")
        + (scores(rows) if mine else tag("p", "No goal has been ended yet."))
        + tag("p", esc(f"{words}Score: the mean reward. Success: a reward of 1."), class_="small")
        + (tag("h2", "Goal by goal") + listing(("Goal", "Reward"), goals) if goals else "")
        + tag("div", more * left + leave, class_="row")
    )
    return outline("Your score", where(players, player), body, note)


ENDED_SHORT = {"step_limit": "no steps left", "cancelled": "given up", "env_error": "broken off"}


def worth(run: Trajectory) -> str:
    return ENDED_SHORT.get(run.end) or number(run.reward)


def number(reward: float | None) -> str:
    return f"{reward or 0:.2f}".removesuffix(".00")


def scores(rows: Sequence[Row]) -> str:
    cells = [(row.name, str(row.n), f"{row.score:.1f}", f"{row.success:.1f} %") for row in rows]
    return listing(("Who", "Goals", "Score", "Success"), cells)


def listing(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(tag("th", esc(name), scope="col") for name in names)
    lines = (
        tag("tr", tag("th", esc(first), scope="row") + "".join(tag("td", esc(c)) for c in rest))
        for first, *rest in rows
    )
    return tag("table", tag("thead", tag("tr", head)) + tag("tbody", "".join(lines)))


def trouble(words: str) -> str:
    """A page that says what was wrong."""
    back = '<p><a href="/">Back to the shop</a></p>'
    head = tag("p", "The shop", class_="where")
    return outline("The shop", head, tag("h1", "This did not work") + tag("p", esc(words)) + back)


# ---------------------------------------------------------------------- an episode


def where(players: Players, player: Player) -> str:
    """Whose turn it is, and how far he has come."""
    said = [player.name]
    if episode := player.episode:
        said.insert(0, f"Goal {goal_number(players, episode.run)} of {len(players.tasks)}")
        if not episode.ended:
            said.insert(1, f"step {len(episode.run.steps) + 1} of {episode.limit}")
    return tag("p", esc(" · ".join(said)), class_="where")


def episode(players: Players, player: Player, note: str = "") -> str:
    """The open episode: a page of the shop, or what came of it."""
    assert player.episode is not None
    run, ended = player.episode.run, player.episode.ended
    goal = tag("h2", "Instruction", class_="small") + tag("p", esc(run.task.text))
    head = where(players, player) + tag("section", goal, class_="goal", aria_label="Instruction")
    if ended:
        return outline("Your purchase", head, outcome(players, player), note)
    page = player.episode.env.page()
    body = form("/act", shown(page), player.token, player.turn, class_=page.name)
    give_up = button("Give up this goal", class_="quiet")
    body += form("/give-up", give_up, player.token, player.turn)
    return outline(TITLES[page.name], head, body, note)


TITLES = {
    "search": "Search the shop", "results": "Results", "item": "A product", "sub": "Details",
    "done": "Your purchase",
}  # fmt: skip


def shown(page: Page) -> str:
    """A page of the shop: one form, in which every button is an act."""
    if page.name == "search":
        return search_box()
    buttons = [part for part in page.body if part.kind == "button"]
    rest = [part for part in page.body if part.kind != "button"]
    last = [part for part in buttons if part.text not in MOVES]
    moves = "".join(click(part) for part in buttons if part.text in MOVES)
    draw = {"results": results, "item": item}.get(page.name, texts)
    body = tag("nav", moves, aria_label="In the shop") + draw(rest)
    if last:
        body += tag("div", "".join(map(click, last)), class_="row")
    return body


MOVES = ("Back to Search", "< Prev", "Next >")


def search_box() -> str:
    return (
        tag("h1", "Search the shop")
        + tag("label", "What are you looking for?", for_="search")
        + '<div class="row"><input id="search" name="search" type="search" required autofocus '
        f'autocomplete="off" maxlength="{LONGEST_QUERY}">'
        + button("Search", class_="main")
        + "</div>"
    )


def click(part: Part) -> str:
    style = "main" if part.text == "Buy Now" else None
    return button(part.text, name="click", value=part.text, class_=style)


def results(parts: Sequence[Part]) -> str:
    """Each product with the texts that follow it; before the first one, how many there are."""
    first = next((i for i, part in enumerate(parts) if part.kind == "product"), len(parts))
    said = tag("h1", esc(" ".join(part.text for part in parts[:first])))
    cards = []
    for i, part in enumerate(parts):
        if part.kind == "product":
            title, price = (text.text for text in parts[i + 1 : i + 3])
            cards.append(tag("li", product(part, title, price)))
    none = tag("p", "Nothing was found.")
    return said + (tag("ul", "".join(cards), class_="cards") if cards else none)


def product(part: Part, title: str, price: str) -> str:
    facts = [part.text, *["seen already"] * part.chosen]
    inside = (
        tag("strong", esc(title))
        + tag("span", esc(price), class_="price")
        + tag("span", esc(" · ".join(facts)), class_="small")
    )
    return tag("button", inside, type="submit", name="click", value=part.text, class_="card")


def item(parts: Sequence[Part]) -> str:
    """Title and price first, then the options, each below its name."""
    said = [part.text for part in parts if part.kind == "text"]
    body = tag("h1", esc(said[0])) + "".join(tag("p", esc(line)) for line in said[1:])
    name = "Option"
    for kind, group in groupby((p for p in parts if p.kind != "text"), key=lambda part: part.kind):
        if kind == "name":
            name = list(group)[-1].text
        else:
            choices = "".join(map(option, group))
            body += tag("fieldset", tag("legend", esc(name)) + choices, class_="options")
    return body


def option(part: Part) -> str:
    words = f"✓ {part.text}" if part.chosen else part.text
    pressed = "true" if part.chosen else "false"
    return button(words, name="click", value=part.text, aria_pressed=pressed)


def texts(parts: Sequence[Part]) -> str:
    lines = "".join(tag("p", esc(part.text)) for part in parts)
    return tag("div", lines or tag("p", "There is nothing here."), class_="text")


# ---------------------------------------------------------------------- what came of it


def outcome(players: Players, player: Player) -> str:
    """The score, its parts, and what agents earned."""
    assert player.episode is not None
    run, earned = player.episode.run, player.episode.env.visit.earned
    body = tag("h1", f"Your score: {number(run.reward)} of 1")
    body += tag("p", esc(ENDED[run.end])) if run.end in ENDED else ""
    body += explained(earned) if earned else ""
    if others := against(players, run.task.id):
        body += tag("h2", "Agents on this goal") + listing(("Agent", "Reward"), others)
    stop = button("Stop here" if players.more(player) else "Your score of all goals")
    buttons = form("/stop", stop, player.token, player.turn)
    if players.more(player):
        following = button("Next goal", class_="main", autofocus=True)
        buttons = form("/next", following, player.token, player.turn) + buttons
    return body + tag("div", buttons, class_="row")


def explained(earned: Reward) -> str:
    """What was asked for, and whether the purchase has it."""
    rows = [("✓ yes" if part.found else "✗ no", part.wanted, part.where) for part in earned.parts]
    rows.append((f"{earned.type:g}", "the kind of product (type)", earned.type_because))
    cells = [(wanted, has, because) for has, wanted, because in rows]
    total = tag("p", esc(f"type × found / asked for: {earned.total.replace(' x ', ' × ')}"))
    return listing(("Asked for", "Bought", "Because"), cells) + total
