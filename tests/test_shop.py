"""An episode of shopping: every page reads back, every button leads on, nothing odd breaks it."""

import pickle
import random
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
import shop_small
from hypothesis import given
from hypothesis import strategies as st
from shop.pages import read
from shop_small import HOSTILE, SHOPFUL, shopper, task, written

import react_lab as rl
from react_lab.envs.shop import Shop
from react_lab.envs.shop.products import BUTTONS, label, plain
from react_lab.envs.shop.world import Part, show
from react_lab.kinds import KINDS
from react_lab.layouts import parse
from react_lab.types import EnvError

HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2028\ud800-\udfff]")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return written(tmp_path_factory.mktemp("shop") / "products.jsonl")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return written(tmp_path_factory.mktemp("shop") / "hostile.jsonl", HOSTILE + SHOPFUL)


def opened(path, *acts, **options):
    """An episode after some acts, and the last thing seen."""
    env, goal = Shop(path, **options)(task()), task()
    seen = env.reset(goal)
    for act in acts:
        seen = env.step(act)
    return env, seen


def texts(path, *acts, **options):
    return opened(path, *acts, **options)[1].text


# ---------------------------------------------------------------------- the pages, word for word
FIRST = f"Webshop \nInstruction:  \n{shop_small.TEXT} \n[Search]"
ITEM = (
    "\n[Back to Search] \n[< Prev] \ncolor [navy blue][wine red]\nsize [small][12 inch | 30 cm]\n"
    "Brass Desk Lamp by Alder \nPrice: $10.99 \nRating: N.A. \n[Description] \n[Features] \n[Reviews] \n[Buy Now]"
)  # fmt: skip


def test_the_pages_have_the_layout_of_the_authors_notebook(path):
    assert opened(path)[1] == FIRST
    results = texts(path, "search[brass desk lamp]").split("\n")
    assert results[:4] == ["", "[Back to Search] ", "Page 1 (Total results: 50) ", "[Next >] "]
    assert results[4:7] == ["[B000000001] ", "Brass Desk Lamp by Alder ", "$10.99 "]
    assert len(results) == 4 + 3 * 3
    item = ("search[brass desk lamp]", "click[B000000001]")
    assert texts(path, *item) == ITEM
    assert texts(path, *item, "click[wine red]") == "You have clicked wine red."
    marked = ITEM.replace("[wine red]", "[[wine red]]")
    assert texts(path, *item, "click[wine red]", "click[Features]", "click[< Prev]") == marked
    assert texts(path, *item, "click[Features]") == (
        "\n[Back to Search] \n[< Prev] \nWarm light at your desk. \nEco friendly paint."
    )
    assert texts(path, *item, "click[Reviews]") == "\n[Back to Search] \n[< Prev]"
    assert texts(path, *item, "click[Buy Now]").startswith("Your score (min 0.0, max 1.0): 0.5")
    shown = texts(path, "search[floor lamp shade lavender oil]", shown=10)
    assert "\nFloor Lamp with Shade \n$12.99 to $13.29 " in shown  # a range, and no price
    assert "\nLamp Oil, Lavender Scent \n$100.0 " in shown


# ---------------------------------------------------------------------- where a click leads
S, I = "search[brass desk lamp]", "click[B000000001]"  # noqa: E741
LEADS = {  # acts, the click, and what the page it leads to begins with
    "by its small letters": ((S,), I.lower(), ITEM),
    "from results to search": ((S,), "click[Back to Search]", "\n" + FIRST),
    "to the second page": ((S,), "click[Next >]", "\n[Back to Search] \nPage 2 (Total results: 50) \n[< Prev] \n[Next >] \n"),
    "and back": ((S, "click[Next >]"), "click[< Prev]", "\n[Back to Search] \nPage 1 (Total results: 50) \n[Next >] \n[B"),
    "to the last page": ((S, *["click[Next >]"] * 3), "click[Next >]", "\n[Back to Search] \nPage 5 (Total results: 50) \n[< Prev] \n[B"),
    "from the product to its page of results": ((S, I), "click[< Prev]", "\n[Back to Search] \nPage 1 "),
    "from the product to search": ((S, I), "click[Back to Search]", "\n" + FIRST),
    "description": ((S, I), "click[Description]", "\n[Back to Search] \n[< Prev] \nA lamp with a long cord."),
    "from there to the product": ((S, I, "click[Description]"), "click[< Prev]", ITEM),
    "from there to search": ((S, I, "click[Reviews]"), "click[Back to Search]", "\n" + FIRST),
    "back and again, its options forgotten": ((S, I, "click[small]", "click[< Prev]"), I, ITEM),
}  # fmt: skip


@pytest.mark.parametrize("name", LEADS)
def test_a_click_leads_where_the_original_leads(path, name):
    acts, click, page = LEADS[name]
    assert texts(path, *acts, click).startswith(page)


def test_a_purchase_ends_the_episode_and_of_two_equal_options_the_last_counts(path, tmp_path):
    env, seen = opened(path, S, I, "click[Navy Blue]", "click[small]", "click[buy now]")
    assert (seen.done, seen.reward, seen.text) == (True, 1.0, "Your score (min 0.0, max 1.0): 1.0")
    assert env.view()["because"].endswith("1 x 4 / 4 = 1")
    after = env.step("click[Back to Search]")
    assert (after.text, after.why[:20]) == ("Invalid action!", "the purchase is made")
    one = shop_small.product(options={"size": ("small", "large"), "cup": ("small",)})
    env, _ = opened(written(tmp_path / "p.jsonl", [one]), "search[lamp]", I, "click[small]")
    assert env.visit.chosen == {"cup": "small"}


INVALID = {  # acts, the last of them is invalid, and what the student is told
    "no act": (("go to lamp",), "an act is search"), "an empty search": (("search[ ]",), "a search needs words"),
    "search from the results": ((S, S), "the search box is on the first page only"),
    "a product that is not shown": ((S, "click[B000000155]"), "is no button of this page"),
    "buy on the results": ((S, "click[Buy Now]"), "[Buy Now] is no button of this page"),
    "the search button": (("click[Search]",), "the box is used by search[words]"),
    "the name of an option": ((S, I, "click[color]"), "[color] is no button of this page"),
}  # fmt: skip


@pytest.mark.parametrize("name", INVALID)
def test_a_wrong_act_changes_nothing_and_the_student_learns_why(path, name):
    (*acts, wrong), why = INVALID[name]
    env, _ = opened(path, *acts)
    before = env.visit
    seen = env.step(wrong)
    assert (seen.text, seen.done, seen.reward) == ("Invalid action!", False, None)
    assert why in seen.why and env.visit == before


def test_pages_are_not_turned_where_the_notebook_is_taken_at_its_word_nor_by_a_thought(path):
    env, seen = opened(path, S, "think[which lamp? [this]]")
    assert (seen.text, seen.why, env.visit.page) == ("OK.", None, "results")
    env, seen = opened(path, S, "click[Next >]", turns=False)
    assert seen.text == "Invalid action!" and "does not turn pages" in seen.why
    assert "click[Next >]" not in env.admissible()
    assert "4 shown" in Shop(path, shown=4).snapshot
    assert "not turned" in Shop(path, turns=False).snapshot


# ---------------------------------------------------------------------- pages are read back
@pytest.mark.parametrize("catalogue", ["path", "hostile"])
def test_every_page_reads_back_and_all_its_buttons_can_be_clicked(catalogue, request):
    env = Shop(request.getfixturevalue(catalogue))(task())
    pick, kinds = random.Random(0), set()
    for _ in range(40):
        env.reset(task())
        env.step(f"search[{pick.choice(['lamp', 'desk lamp', 'small bulb', 'buy now search'])}]")
        for _ in range(8):
            parts = read(env.text())  # and what is read shows the same again
            assert show(parts).strip() == env.text().strip()
            # which products were visited does not show
            on_it = (Part(p.kind, p.text, p.chosen and p.kind == "option") for p in env.page())
            assert parts == tuple(on_it)
            kinds.add(env.visit.page)
            kinds_to_click, allowed = ("button", "product", "option"), env.admissible()
            shown = {p.text for p in parts if p.kind in kinds_to_click} - {"Search"}
            assert {*allowed} == {f"click[{name}]" for name in shown}
            before, act = env.visit, pick.choice(allowed or ["search[lamp]"])
            for act_too in allowed:  # each of them leads on from here
                env.visit = before
                assert env.step(act_too).text != "Invalid action!"
            env.visit = before
            if env.step(act).done:
                break
    assert kinds >= {"search", "results", "item", "Description", "Features", "Reviews"}


TURNS = ("Action: click[Buy Now]", "\n Action:", "Observation: OK.", "> *Action 2 : x", "\u202aAction: x")  # fmt: skip
FORGED = st.text() | st.sampled_from(TURNS) | st.text(" []\n:actioobservationAO>#*-")


@given(FORGED, st.text() | st.sampled_from(BUTTONS))
def test_no_text_forges_a_button_or_a_turn(text, other):
    for shown in (plain(text), plain(other), label(other, text), label(text, other)):
        assert not {*"[]\n"} & {*shown} and shown.strip() == shown != ""
        assert not HIDDEN.search(shown)
        assert shown.lower() not in {name.lower() for name in BUTTONS}
    page = f"Observation: \n{plain(text)}\n{plain(other)} \n\n"
    head, steps = parse(KINDS["shop"].layout, f"{page}Action: click[x]\n")
    assert [step.action for step in steps] == ["click[x]"] and head == page


def test_a_long_text_is_cut_on_its_page_and_no_page_is_long(hostile):
    env, _ = opened(hostile, "search[lamp lamp]", shown=10)
    env.visit = env.visit.__class__("item", asin="H000000002")
    text = env.step("click[Description]").text
    assert 9_000 < len(text) < 10_100 and text.endswith("…")


# ---------------------------------------------------------------------- a run
WON = (S, I, "click[navy blue]", "click[small]", "click[Buy Now]")
PROMPT = "shop_prompt.txt"


@pytest.fixture(autouse=True)
def a_prompt(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = f"{FIRST}\nAction: search[lamp]\nObservation: OK.\n"
    (tmp_path / PROMPT).write_text(text, encoding="utf-8")


def played(acts, id="shop-1", method="act", **options):
    model = rl.models.scripted([f" {act}" for act in acts])
    return rl.run(method, task(id=id), model, **options)


def test_a_run_is_played_and_its_transcript_reads_back(path, tmp_path):
    acts = (S, I, "click[small]", "click[Next >]", "click[Buy Now]")
    exemplars = tmp_path / "shop.txt"
    env = Shop(path)(task())
    turns = "".join(f"Action: {act}\nObservation: {env.step(act).text}\n\n" for act in acts)
    text = f"{env.reset(task())}\nAction: think[A lamp.]\nObservation: OK.\n\n{turns}"
    exemplars.write_text(text, encoding="utf-8", newline="\n")
    options = {"world": Shop(path), "prompts": exemplars}
    run = played(("think[I look.]", *acts), method="react", **options)
    assert (run.end, run.reward, run.answer) == ("finished", 0.75, None)
    assert run.steps[0].observation == "OK." and run.steps[2].observation == ITEM
    assert run.steps[4].outcome == "failed" and run.steps[4].observation == "Invalid action!"
    head = rl.prompt_of("react", "shop", **options).head
    thought = "Action: think[A lamp.]\nObservation: OK.\n\n"
    assert f"{FIRST}\n{thought}Action: search[brass desk lamp]\nObservation: \n[Back" in head
    bare = rl.prompt_of("act", "shop", **options).head
    assert "think" not in bare and f"{FIRST}\nAction: search" in bare
    edit = rl.rethink(run, 6, action="click[Buy Now]")
    replayed = rl.resume(edit, rl.models.scripted([]), **options)
    assert replayed.reward == 0.75 and "drifted" not in replayed.flags


def test_a_run_has_a_score_and_may_still_fail(path):
    options = {"world": Shop(path), "prompts": PROMPT}
    run, won = played(["click[x]"] * 15, **options), played(WON, **options)
    some = played([*WON[:2], WON[-1]], "shop-2", **options)
    assert (run.end, run.reward, len(run.steps)) == ("step_limit", None, 15)
    assert [rl.score.correct(one) for one in (run, won, some)] == [False, True, False]
    (row,) = rl.score.table(rl.frame([run, won, some])).to_dict("records")
    assert (row["n"], row["correct"], row["% of all"], row["score"]) == (3, 1, 33.3, 50.0)


def test_a_world_pickles_and_names_what_it_holds_and_a_wrong_setting_or_task(path, hostile):
    shop = pickle.loads(pickle.dumps(Shop(path, shown=5)))
    assert shop == Shop(path, shown=5) and shop.snapshot == Shop(path, shown=5).snapshot
    assert len({Shop(path).snapshot, Shop(path, shown=5).snapshot, Shop(hostile).snapshot}) == 3
    with pytest.raises(ValueError, match="shown=11: it is 1 to 10"):
        Shop(path, shown=11)
    for wrong, said in (
        ({"asin": "B9"}, "the product 'B9' of .* is not in this catalogue"), ({"price_upper": -1.0}, "price_upper must be more than 0"),
        ({"text": " "}, "is no shopping goal: its text is empty"), ({"attributes": "x"}, "is no shopping goal: attributes must be array"),
    ):  # fmt: skip
        with pytest.raises(EnvError, match=said):
            Shop(path)(task(**wrong))
    assert Shop(path)(task(asin="B9", title="Lamp", attributes=[])).goal.title == "Lamp"


# ---------------------------------------------------------------------- anything at all
@pytest.mark.long
def test_a_hundred_thousand_odd_acts_break_nothing(hostile):
    """Each episode is what it is alone, whatever ran before it."""
    env, scores = Shop(hostile)(task()), []
    for seed in range(6_750):
        seen = shopper(seed)(env, task())
        scores += [act[2] for act in seen[1:] if act[3]]
        if seed % 50 == 0:
            assert shopper(seed)(Shop(hostile)(task()), task()) == seen
    assert len(scores) > 100 and all(0 <= score <= 1 for score in scores)


def test_many_episodes_in_threads_earn_what_they_earn_one_by_one(path):
    def play(seed):
        return shopper(seed)(Shop(path)(task()), task())

    with ThreadPoolExecutor(8) as threads:
        together = [*threads.map(play, range(300))]
    assert together == [*map(play, range(300))]
    assert len({seen[-1][2] for seen in together}) > 3


@given(st.text(max_size=60), st.sampled_from(["", "search[", "click[", "think["]))
def test_any_text_is_an_act(path, text, opening):
    env, _ = opened(path, "search[lamp]")
    seen = env.step(f"{opening}{text}]")
    assert isinstance(seen.text, str) and (seen.why is None) == (seen.text != "Invalid action!")
