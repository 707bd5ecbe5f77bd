"""The shop as a web site: what a browser sends over real HTTP, and the runs that come of it."""

import html.parser
import http.client
import random
import re
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import urlencode, urlsplit

import pytest
import shop_small
from shop_small import GOAL, HOSTILE, LAMP, product, task, written
from waiting import until

import react_lab as rl
from react_lab import score, store
from react_lab.__main__ import main
from react_lab.envs.shop import Shop
from react_lab.shop_site import METHOD, Players, Site, open_site, server

TASKS = [task(id=f"shop-test-{i}") for i in (1, 2, 3)]
S, I, B = "search[brass desk lamp]", "click[B000000001]", "click[Buy Now]"  # noqa: E741
PERFECT = (S, I, "click[navy blue]", "click[small]", B)
FORM = "application/x-www-form-urlencoded"


class Page(html.parser.HTMLParser):
    """What a browser makes of a page: its elements, and what can be pressed, by form."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.forms, self.buttons, self.text = [], [], {}, {}, text
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append((tag, given))
        if tag == "form":
            self.action = given["action"]
            self.forms[self.action] = {}
        if tag == "input" and given.get("type") == "hidden":
            self.forms[self.action][given["name"]] = given["value"]
        if tag == "button" and given.get("name") == "click":
            self.buttons[given["value"]] = given

    def handle_data(self, data):
        self.words.append(data)

    def __contains__(self, words):
        return words in " ".join(self.words)


class Browser:
    """It keeps a cookie, follows redirects, and sends the forms of the page it shows."""

    def __init__(self, site):
        self.address, self.cookie, self.page = urlsplit(site.url).netloc, "", None

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection(self.address, timeout=60)
        headers = {"Cookie": self.cookie} | headers if self.cookie else headers
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        text = reply.read().decode()
        connection.close()
        if cookie := reply.getheader("Set-Cookie"):
            self.cookie = cookie.partition(";")[0]
        return reply, text

    def get(self, path="/"):
        reply, text = self.ask("GET", path)
        while reply.status == 303:
            reply, text = self.ask("GET", reply.getheader("Location"))
        assert reply.status == 200
        self.page = Page(text)
        return self.page

    def send(self, action, form=None, **fields):
        """A form of the page, or one that was kept from an earlier page."""
        reply, text = self.raw(action, form, **fields)
        assert reply.status == 303, (reply.status, text)
        return self.get(reply.getheader("Location"))

    def raw(self, action, form=None, **fields):
        body = urlencode({**(form or self.page.forms[action]), **fields})
        return self.ask("POST", action, body, **{"Content-Type": FORM})

    def start(self, name=""):
        self.get()
        return self.send("/start", name=name)

    def do(self, *acts):
        for act in acts:
            kind, _, words = act[:-1].partition("[")
            self.send("/act", **{kind: words})
        return self.page


@pytest.fixture(scope="module")
def products(tmp_path_factory):
    return written(tmp_path_factory.mktemp("shop") / "products.jsonl")


@pytest.fixture
def opened(products, tmp_path):
    """open(tasks) -> a browser at a site, whose runs go to runs.jsonl."""
    closing = []

    def open_(tasks=TASKS, path=products, **options):
        world = Shop(path)
        context = open_site(Players(tasks, tmp_path / "runs.jsonl", world, **options))
        site = context.__enter__()
        closing.append(context)
        site.players = site.routes.players
        return site

    open_.close = lambda: [closing.pop().__exit__(None, None, None) for _ in [*closing]]
    yield open_
    open_.close()


def kept(tmp_path):
    path = tmp_path / "runs.jsonl"
    return list(store.open(path)) if path.exists() and path.stat().st_size else []


# ---------------------------------------------------------------------- shopping


def test_a_goal_is_shopped_for_by_pages_and_scored_as_an_agents_run(opened, products, tmp_path):
    site = opened()
    browser = Browser(site)
    page = browser.start("Ada")
    assert TASKS[0].text in page and "Goal 1 of 3 · step 1 of 15 · Ada" in page
    page = browser.do(S)
    assert "Page 1 (Total results: " in page and LAMP.title in page and TASKS[0].text in page
    page = browser.do(I, "click[navy blue]")
    assert page.buttons["navy blue"]["aria-pressed"] == "true"
    assert page.buttons["wine red"]["aria-pressed"] == "false"
    assert LAMP.bullets[0] in browser.do("click[Features]") and "step 5 of 15" in browser.page
    page = browser.do("click[< Prev]", "click[small]", B)
    assert "Your score: 1 of 1" in page and "dimmable" in page and "1 × 4 / 4 = 1" in page
    (run,) = kept(tmp_path)
    assert (run.method, run.model, run.end, run.reward) == (METHOD, "no model", "finished", 1.0)
    env = Shop(products)(run.task)
    env.reset(run.task)
    assert [step.observation for step in run.steps] == [env.step(s.action).text for s in run.steps]
    assert run.settings["player"] == "Ada" and run.settings["max_steps"] == 15
    assert "click[navy blue]" in str(rl.show(run)) and rl.label.suggest(run) is not None


def test_all_that_can_be_clicked_is_what_the_world_admits(opened, products):
    site = opened()
    browser = Browser(site)
    browser.start()
    (player,) = site.players.here.values()
    for act in (S, "click[Next >]", "click[< Prev]", I, "click[Description]", "click[< Prev]"):
        page = browser.do(act)
        admits = [act.removeprefix("click[")[:-1] for act in player.episode.env.admissible()]
        assert sorted(page.buttons) == sorted(admits)
    assert not [1 for tag, _ in browser.page.tags if tag in ("script", "img", "iframe")]


def test_goal_after_goal_to_the_table_beside_the_agents(opened, tmp_path):
    agents = [
        replace(rl.types.Trajectory(f"a{i}", one, "react", "m"), end="finished", reward=0.5)
        for i, one in enumerate(TASKS)
    ]
    site = opened(others=agents)
    browser = Browser(site)
    browser.start("Ada")
    assert "ReAct (m)" in browser.do(*PERFECT)
    browser.send("/next")
    browser.do(S, I, B)
    browser.send("/next")
    browser.send("/give-up")
    page = browser.send("/stop")
    runs = kept(tmp_path)
    assert [run.end for run in runs] == ["finished", "finished", "cancelled"]
    assert [run.reward for run in runs] == [1.0, 0.5, None] and "All goals are done" in page
    words = " ".join(page.words)
    assert "You 3 50.0 33.3 %" in words and "ReAct (m) 3 50.0 0.0 %" in words
    assert main(["table", str(tmp_path / "runs.jsonl")]) == 0


def test_the_last_step_of_an_agent_is_a_persons_last(opened, tmp_path):
    browser = Browser(opened())
    browser.start()
    page = browser.do(S, *["click[Next >]", "click[< Prev]"] * 7)
    assert "The last step is used up" in page and "Your score: 0 of 1" in page
    (run,) = kept(tmp_path)
    assert (run.end, len(run.steps), run.reward) == ("step_limit", 15, None)


def test_an_act_that_leads_nowhere_is_a_step_as_an_agents_is(opened, tmp_path):
    browser = Browser(opened())
    browser.start()
    assert "step 2 of 15" in browser.do("click[Buy Now]")
    assert (
        "step 2 of 15" in browser.send("/act", search="  ")
        and "Type what to look for" in browser.page
    )
    assert "step 2 of 15" in browser.send("/act") and not kept(tmp_path)
    browser.do(*PERFECT)
    (run,) = kept(tmp_path)
    assert (run.steps[0].observation, run.steps[0].outcome) == ("Invalid action!", "failed")


# ---------------------------------------------------------------------- reload, back, twice


def test_a_second_click_on_buy_now_buys_nothing(opened, tmp_path):
    browser = Browser(opened())
    browser.start()
    browser.do(*PERFECT[:-1])
    form = dict(browser.page.forms["/act"])
    with ThreadPoolExecutor(8) as threads:
        clicks = [threads.submit(browser.raw, "/act", form, click="Buy Now") for _ in range(8)]
    assert {click.result()[0].status for click in clicks} == {303}
    assert "Your score: 1 of 1" in browser.send("/act", form, click="Buy Now")
    assert len(kept(tmp_path)) == 1
    following = dict(browser.page.forms["/next"])
    assert "Goal 2" in browser.send("/next", following)
    assert "Goal 2" in browser.send("/next", following)  # so does Next goal not pass over one
    assert "Goal 2" in browser.send("/act", form, click="Buy Now") and len(kept(tmp_path)) == 1


def test_an_old_page_and_a_reload_do_nothing(opened):
    browser = Browser(opened())
    browser.start()
    old = dict(browser.page.forms["/act"])
    browser.do(S)
    page = browser.send("/act", old, search="floor lamp")
    assert (
        "was on an earlier page" in page and "step 2 of 15" in page and "B000000001" in page.buttons
    )
    for _ in range(3):
        assert "step 2 of 15" in browser.get("/shop") and "step 2 of 15" in browser.get("/")
    for turn in ("", "x", "-1", "99999999999999999999", "1.0"):
        assert "step 2 of 15" in browser.send("/act", old, turn=turn, click="B000000001")


def test_a_form_that_this_page_does_not_have_changes_nothing(opened, tmp_path):
    """With the right token and turn: a goal that is open is not left, one that has ended stays."""
    site = opened()
    browser = Browser(site)
    browser.start()
    mine = dict(browser.do(S).forms["/act"])
    for action in ("/next", "/stop"):
        assert "Goal 1 of 3 · step 2 of 15" in browser.send(action, mine) and not kept(tmp_path)
    page = browser.do(I, B)
    mine, score_of = dict(page.forms["/next"]), kept(tmp_path)
    for action, fields in (("/act", {"click": "Back to Search"}), ("/give-up", {})):
        page = browser.send(action, mine, **fields)
        mine = dict(page.forms["/next"])
        assert "Your score: 0.50 of 1" in page and kept(tmp_path) == score_of
    (player,) = site.players.here.values()
    assert (player.episode.run.end, len(player.episode.run.steps)) == ("finished", 3)


def test_long_words_are_cut_as_their_fields_cut_them(opened, tmp_path):
    browser = Browser(opened())
    browser.start("A" * 3000)
    browser.send("/act", search="brass desk lamp " * 200)
    browser.do(I, B)
    (run,) = kept(tmp_path)
    assert run.settings["player"] == "A" * 40 and len(run.steps[0].action) <= len("search[]") + 300


# ---------------------------------------------------------------------- kept, and gone on with


def test_what_was_begun_is_kept_when_the_server_stops_and_goes_on(opened, tmp_path):
    browser = Browser(opened())
    browser.start("Ada")
    browser.do(*PERFECT[:3])
    opened.close()
    (cut,) = kept(tmp_path)
    assert (cut.end, len(cut.steps), score.correct(cut)) == ("unfinished", 3, None)
    browser = Browser(opened())
    page = browser.start("Ada")
    assert (
        "Goal 1 of 3 · step 4 of 15" in page and page.buttons["navy blue"]["aria-pressed"] == "true"
    )
    browser.do(*PERFECT[3:])
    _, run = kept(tmp_path)
    assert run.reward == 1.0 and run.parent == cut.id and run.id != cut.id
    assert [s.action for s in run.steps] == list(PERFECT) and run.seconds >= cut.seconds


def test_a_name_goes_on_and_then_plays_again(opened, tmp_path):
    for goal in (1, 2, 3, 1):
        browser = Browser(opened())
        assert f"Goal {goal} of 3" in browser.start(" Ada\n")
        browser.do(S, I, B)
        opened.close()
    runs = kept(tmp_path)
    assert [run.settings["repeat"] for run in runs] == [0, 0, 0, 1]
    assert len({run.id for run in runs}) == 4
    assert "Goal 1 of 3" in Browser(opened()).start("Bob")


def test_who_leaves_is_kept_and_the_browser_forgets(opened, tmp_path):
    browser = Browser(opened())
    browser.start("Ada")
    form = dict(browser.page.forms["/act"])
    browser.do(S, I, B)
    browser.send("/stop")
    assert "Shop against the agent" in browser.send("/leave") and browser.cookie.endswith("=")
    reply, _ = browser.raw("/act", form, click="Buy Now")
    assert reply.status == 303 and reply.getheader("Location") == "/?gone"
    assert "You" in Page(browser.ask("GET", "/?gone")[1]) and len(kept(tmp_path)) == 1


def test_a_click_that_waited_while_its_player_left_does_nothing(opened, tmp_path, monkeypatch):
    site = opened()
    browser = Browser(site)
    browser.start()
    browser.do(*PERFECT[:-1])
    (player,) = site.players.here.values()
    site.players.leave(player)
    cut = kept(tmp_path)
    monkeypatch.setattr(site.players, "find", lambda cookie: player)  # found before it left
    reply, _ = browser.raw("/act", click="Buy Now")
    assert reply.getheader("Location") == "/?gone" and kept(tmp_path) == cut


def test_two_of_one_name_share_its_goals(opened, tmp_path):
    site = opened()
    one, two = Browser(site), Browser(site)
    assert "Goal 1 of 3" in one.start("Ada") and "Goal 2 of 3" in two.start("Ada")
    for browser in (one, two):
        browser.do(S, I, B)
    assert "Goal 3 of 3" in one.send("/next") and "You 2" in " ".join(two.send("/stop").words)
    assert len({run.id for run in kept(tmp_path)}) == 2


def test_only_so_many_play_and_who_makes_room_is_kept(opened, tmp_path):
    site = opened(most=3)
    browsers = [Browser(site) for _ in range(5)]
    for browser in browsers:
        browser.start()
        browser.do(S)
    assert len(site.players.here) == 3 and len(kept(tmp_path)) == 2 and len(site.players.open) == 3
    assert "Nobody plays" in browsers[0].get("/shop")


def test_a_disk_that_refuses_is_said_and_the_purchase_is_kept_later(opened, tmp_path):
    browser = Browser(opened())
    browser.start()
    browser.do(*PERFECT[:-1])
    (tmp_path / "runs.jsonl").mkdir()
    reply, text = browser.raw("/act", click="Buy Now")
    assert reply.status == 503 and "is a folder" in text and "Traceback" not in text
    assert browser.ask("GET", "/shop")[0].status == 503
    (tmp_path / "runs.jsonl").rmdir()
    assert "Your score: 1 of 1" in browser.get("/shop") and len(kept(tmp_path)) == 1


# ---------------------------------------------------------------------- a class at once


def stroll(env, seed):
    """Acts of one who clicks what there is to click, and what they earn."""
    pick, acts, seen = random.Random(seed), [], None
    env.reset(TASKS[0])
    while len(acts) < 15 and not (seen and seen.done):
        known = [act for act in PERFECT[1:] if act in env.admissible()]
        acts.append(pick.choice(known or env.admissible() or [S]))
        seen = env.step(acts[-1])
    return acts, seen.reward


def test_fifty_at_once_earn_what_the_world_says(opened, products, tmp_path):
    site = opened(TASKS[:1])
    strolls = {f"player {seed}": stroll(Shop(products)(TASKS[0]), seed) for seed in range(50)}

    def play(name):
        browser = Browser(site)
        form = browser.start(name).forms["/act"]
        for turn, act in enumerate(strolls[name][0]):
            kind, _, words = act[:-1].partition("[")
            assert browser.raw("/act", form, turn=turn, **{kind: words})[0].status == 303

    with ThreadPoolExecutor(50) as threads:
        list(threads.map(play, strolls))
    runs = kept(tmp_path)
    found = {r.settings["player"]: ([s.action for s in r.steps], r.reward) for r in runs}
    assert len(runs) == 50 and found == strolls
    assert len({run.reward for run in runs}) > 2  # some have half of what was wanted, some all


# ---------------------------------------------------------------------- hostile


def test_what_a_product_says_is_text(opened, tmp_path):
    bad = "<script>alert(1)</script>\"'&<b>lamp</b></title>"
    script = product(
        asin="B000000009", title=bad, bullets=(bad,), description=bad, options={bad: (bad,)}
    )
    one = replace(
        task(f"a lamp {bad} \u202e\x1b[31m", **(GOAL | {"asin": "B000000009"})), id=f"shop-1{bad}"
    )
    path = written(tmp_path / "bad.jsonl", (script, *HOSTILE))
    browser = Browser(opened([one], path))
    pages = [
        browser.start(bad[:40]),
        browser.do("search[script alert lamp]"),
        browser.do("click[B000000009]"),
    ]
    label = next(name for name in browser.page.buttons if "alert" in name)
    pages += [browser.do(act) for act in (f"click[{label}]", "click[Features]", "click[< Prev]", B)]
    pages += [browser.send("/stop")]
    for page in pages:
        assert not [tag for tag, _ in page.tags if tag in ("script", "b")]
        assert "<script" not in page.text and len([t for t, _ in page.tags if t == "title"]) == 1
        assert "\u202e" not in page.text and "\x1b" not in page.text
    assert (
        "<script>alert(1)</script>" in pages[1]
        and pages[3].buttons[label]["aria-pressed"] == "true"
    )


def raw(site, text, size=1 << 20):
    """What comes back for these bytes: a status, and all of it."""
    with socket.create_connection(site.server_address, timeout=60) as connection:
        try:
            connection.sendall(text if isinstance(text, bytes) else text.encode("latin-1"))
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        got = b""
        while len(got) < size and (piece := connection.recv(65_536)):
            got += piece
    found = re.match(rb"HTTP/1.0 (\d+) ", got)
    return int(found[1]) if found else 0, got.decode("latin-1")


def request(line, *headers, body=""):
    return "\r\n".join([line, *headers, "", body])


HOST = "Host: 127.0.0.1"
SENT = f"Content-Type: {FORM}"
BAD = {
    "a path out": (request("GET /../../etc/passwd HTTP/1.1", HOST), 404),
    "an encoded path out": (request("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1", HOST), 404),
    "a path behind the style": (request("GET /style.css/../players.py HTTP/1.1", HOST), 404),
    "another site's address": (request("GET http://evil.example/ HTTP/1.1", HOST), 404),
    "two slashes": (request("GET //evil.example/shop HTTP/1.1", HOST), 404),
    "a NUL": (request("GET /\x00 HTTP/1.1", HOST), 404),
    "a long address": (request("GET /" + "a" * 5_000 + " HTTP/1.1", HOST), 414),
    "one without an end": ("GET /" + "a" * 100_000, 431),
    "long headers": (request("GET / HTTP/1.1", HOST, "X: " + "a" * 20_000), 431),
    "many headers": (request("GET / HTTP/1.1", HOST, *["X: 1"] * 200), 431),
    "many long headers": (request("GET / HTTP/1.1", HOST, *["X: " + "a" * 60_000] * 50), 431),
    "no host": (request("GET / HTTP/1.1"), 421),
    "two hosts": (request("GET / HTTP/1.1", HOST, "Host: evil.example"), 421),
    "a foreign host": (request("GET / HTTP/1.1", "Host: evil.example"), 421),
    "a host that begins well": (request("GET / HTTP/1.1", "Host: 127.0.0.1.evil.example:80"), 421),
    "a host with a user": (request("GET / HTTP/1.1", "Host: localhost@evil.example"), 421),
    "an odd port": (request("GET / HTTP/1.1", "Host: localhost:80:80"), 421),
    "a foreign origin": (request("POST /start HTTP/1.1", HOST, "Origin: http://evil.example", SENT, "Content-Length: 0"), 403),
    "no origin": (request("POST /start HTTP/1.1", HOST, "Origin: null", SENT, "Content-Length: 0"), 403),
    "another port's origin": (request("POST /start HTTP/1.1", HOST, "Origin: http://127.0.0.1:8888", SENT, "Content-Length: 0"), 403),
    "a foreign site": (request("POST /start HTTP/1.1", HOST, "Sec-Fetch-Site: cross-site", SENT, "Content-Length: 0"), 403),
    "no token": (request("POST /start HTTP/1.1", HOST, SENT, "Content-Length: 6", body="name=a"), 403),
    "a false token": (request("POST /start HTTP/1.1", HOST, SENT, "Content-Length: 12", body="token=%C3%A9"), 403),
    "no length": (request("POST /act HTTP/1.1", HOST, SENT), 411),
    "two lengths": (request("POST /act HTTP/1.1", HOST, SENT, "Content-Length: 1", "Content-Length: 2", body="aa"), 411),
    "chunks": (request("POST /act HTTP/1.1", HOST, SENT, "Content-Length: 5", "Transfer-Encoding: chunked", body="0\r\n\r\n"), 411),
    "a negative length": (request("POST /act HTTP/1.1", HOST, SENT, "Content-Length: -1"), 400),
    "a length in words": (request("POST /act HTTP/1.1", HOST, SENT, "Content-Length: ten"), 400),
    "a length in other digits": (request("POST /act HTTP/1.1", HOST, SENT, "Content-Length: \xb2"), 400),
    "an endless length": (request("POST /act HTTP/1.1", HOST, SENT, "Content-Length: " + "9" * 5_000), 413),
    "a huge body": (request("POST /act HTTP/1.1", HOST, SENT, "Content-Length: 5000000", body="a" * 5_000_000), 413),
    "half a body": (request("POST /act HTTP/1.1", HOST, SENT, "Content-Length: 50", body="a=1"), 400),
    "another kind": (request("POST /act HTTP/1.1", HOST, "Content-Type: text/plain", "Content-Length: 3", body="a=1"), 415),
    "a file": (request("POST /act HTTP/1.1", HOST, "Content-Type: multipart/form-data; boundary=x", "Content-Length: 3", body="a=1"), 415),
    "too many fields": (request("POST /act HTTP/1.1", HOST, SENT, "Content-Length: 99", body="a=1&" * 24 + "a=1"), 400),
    "no text": (request("POST /act HTTP/1.1", HOST, SENT, "Content-Length: 3", body="\xff=1"), 400),
    "no UTF-8": (request("POST /act HTTP/1.1", HOST, SENT, "Content-Length: 5", body="a=%ff"), 400),
    "an unknown form": (request("POST /admin HTTP/1.1", HOST, SENT, "Content-Length: 0"), 404),
    "a form for a page": (request("POST / HTTP/1.1", HOST, SENT, "Content-Length: 0"), 405),
    "a page of a form": (request("GET /act HTTP/1.1", HOST), 405),
    "PUT": (request("PUT / HTTP/1.1", HOST, "Content-Length: 0"), 405),
    "CONNECT": (request("CONNECT evil.example:443 HTTP/1.1", HOST), 405),
    "an odd method": (request("<script> / HTTP/1.1", HOST), 405),
    "no HTTP": ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello there and more\r\n\r\n", 400),
    "HTTP/9": (request("GET / HTTP/9.9", HOST), 400),
    "an odd version": (request("GET / HTTP/1.<script>", HOST), 400),
}  # fmt: skip


@pytest.fixture(scope="module")
def site(products, tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "runs.jsonl"
    with open_site(Players(TASKS, path, Shop(products))) as site:
        yield site
        assert not path.exists()  # none of these tests has played


@pytest.mark.parametrize("name", BAD)
def test_a_bad_request_is_refused(site, name, capfd):
    text, status = BAD[name]
    found, answer = raw(site, text)
    assert found == status, answer[:300]
    assert "Traceback" not in answer and "<script" not in answer and "root:" not in answer
    assert "Content-Security-Policy: default-src 'none'" in answer
    assert raw(site, request("GET / HTTP/1.1", HOST))[0] == 200
    assert capfd.readouterr().err == ""


ELSEWHERE = (
    {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://127.0.0.1:8888"},
    {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
)  # fmt: skip


@pytest.mark.parametrize("headers", ELSEWHERE, ids=str)
def test_a_form_from_elsewhere_is_refused_though_it_has_our_token(site, headers):
    browser = Browser(site)
    body = urlencode(browser.get().forms["/start"])
    reply, text = browser.ask("POST", "/start", body, **{"Content-Type": FORM, **headers})
    assert (
        reply.status == 403 and "comes from another site" in text and not site.routes.players.here
    )


def test_a_client_that_went_away_is_no_error_and_a_fault_of_ours_is_one(site, capfd):
    for error, told in ((ConnectionResetError(), ""), (KeyError("x"), "KeyError: 'x'")):
        try:
            raise error
        except (OSError, KeyError):
            site.handle_error(None, ("127.0.0.1", 1))
        err = capfd.readouterr().err
        assert told in err and bool(err) == bool(told)


def test_any_bytes_get_an_answer_or_none_and_no_trace(site, capfd):
    pick = random.Random(5)
    good = request(
        "POST /act HTTP/1.1", HOST, SENT, "Cookie: a=b", "Content-Length: 7", body="a=1&b=2"
    )
    for _ in range(150):
        text = bytearray(good.encode("latin-1"))
        for _ in range(pick.randint(1, 12)):
            at = pick.randrange(len(text))
            text[at : at + pick.choice((0, 1, 5))] = pick.randbytes(pick.choice((0, 1, 3)))
        status, _ = raw(site, bytes(text))
        assert status == 0 or status in (303, 400, 403, 404, 405, 411, 413, 414, 415, 421, 431)
    assert capfd.readouterr().err == "" and raw(site, good)[0] == 303


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:5000", "LOCALHOST", "[::1]:80", "[::1]"])
def test_every_name_of_this_machine_is_answered(site, host):
    assert raw(site, request("GET / HTTP/1.1", f"Host: {host}"))[0] == 200
    post = request(
        "POST /act HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", SENT, "Content-Length: 0"
    )
    assert raw(site, post)[0] == 303


def test_no_other_machine_can_ask(site):
    assert site.server_address[0] == "127.0.0.1" and site.url.startswith("http://127.0.0.1:")


def test_every_answer_says_what_a_browser_may_do_with_it(site):
    for line in ("GET /", "GET /shop", "GET /style.css", "GET /none", "HEAD /"):
        _, answer = raw(site, request(f"{line} HTTP/1.1", HOST))
        head, _, body = answer.partition("\r\n\r\n")
        assert set(server.SAFE) <= {row.partition(":")[0] for row in head.split("\r\n")[1:]}
        assert "Python" not in head and bool(body) == (line not in ("HEAD /", "GET /shop"))
    assert "script" not in server.SAFE["Content-Security-Policy"]


def test_a_browser_is_known_by_a_secret_that_no_page_and_no_other_site_has(opened):
    site = opened()
    browser = Browser(site)
    browser.get()
    reply, _ = browser.raw("/start", name="Ada")
    cookie = reply.getheader("Set-Cookie")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    secret = browser.cookie.partition("=")[2]
    assert len(secret) >= 40 and secret not in browser.get("/shop").text
    other = Browser(site)
    assert "Shop against the agent" in other.get("/shop")
    mine = dict(browser.page.forms["/act"])
    other.start("Eve")
    reply, text = other.raw("/act", mine, search="lamp")
    assert reply.status == 403 and "not from a page of yours" in text


def test_slow_clients_are_hung_up_on_and_hold_nobody_up(products, tmp_path):
    players = Players(TASKS, tmp_path / "runs.jsonl", Shop(products))
    with Site(players, seconds=0.3) as site:
        thread = threading.Thread(target=site.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        slow = [socket.create_connection(site.server_address, timeout=60) for _ in range(20)]
        for i, one in enumerate(slow):
            one.sendall(b"POST /act HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le"[: 5 + 3 * i])
        assert raw(site, request("GET / HTTP/1.1", HOST))[0] == 200
        for one in slow:
            assert b"Traceback" not in one.recv(65_536)
            one.close()
        until(lambda: not site.since)
        site.shutdown()
        thread.join()


def test_more_connections_than_places_are_turned_away(products, tmp_path, monkeypatch):
    monkeypatch.setattr(server, "AT_ONCE", 2)
    with open_site(Players(TASKS, tmp_path / "runs.jsonl", Shop(products))) as site:
        held = [socket.create_connection(site.server_address, timeout=60) for _ in range(2)]
        until(lambda: len(site.since) == 2)
        with socket.create_connection(site.server_address, timeout=60) as third:
            assert third.recv(10) == b""
        for one in held:
            one.close()
        until(lambda: not site.since)
        assert raw(site, request("GET / HTTP/1.1", HOST))[0] == 200


# ---------------------------------------------------------------------- from a terminal


@pytest.mark.parametrize("name", ["shop", "webshop"])
def test_the_command_serves_until_ctrl_c_and_keeps_what_was_begun(tmp_path, name):
    path, folder = tmp_path / "runs.jsonl", shop_small.released(tmp_path)
    own = {"shop": [], "webshop": ["--webshop", str(folder)]}[name]
    command = [sys.executable, "-u", "-m", "react_lab", "shop", "--no-browser", "--n", "2", *own]
    command += ["--path", str(path)]
    flags = (
        {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if sys.platform == "win32" else {}
    )
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **flags
    ) as running:
        url = re.search(r"http://127\.0\.0\.1:\d+/", running.stdout.readline())[0]
        site = type("Site", (), {"url": url})
        browser = Browser(site)
        assert "Goal 1 of 2" in browser.start("Ada")
        browser.do("search[lamp]")
        running.send_signal(signal.CTRL_BREAK_EVENT if sys.platform == "win32" else signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 0 and "The shop is closed" in out and err == ""
    (run,) = store.open(path)
    expected = rl.tasks.load(name, "test", 2, path=folder if own else None)[0]
    assert run.end == "unfinished" and run.task == expected


@pytest.mark.parametrize("words, said", [
    (["--split", "none"], "no split 'none'"), (["--n", "1000"], "1000 tasks were asked for"),
    (["--runs", "none.jsonl"], "no runs at"), (["--port", "99999"], "port"),
    (["--webshop", "nowhere"], "nowhere"),
])  # fmt: skip
def test_what_cannot_be_served_is_one_sentence(words, said, tmp_path, capsys):
    assert main(["shop", "--no-browser", "--path", str(tmp_path / "runs.jsonl"), *words]) == 1
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1


def test_a_port_in_use_is_one_sentence(site, tmp_path, capsys):
    port = str(site.server_address[1])
    assert main(["shop", "--no-browser", "--path", str(tmp_path / "r.jsonl"), "--port", port]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_goal_of_another_catalogue_is_said_before_anybody_plays(products, tmp_path):
    goals = rl.tasks.load("shop", "test", 1)
    with pytest.raises(rl.types.EnvError, match="not in this catalogue"):
        Players(goals, tmp_path / "runs.jsonl", Shop(products))
