"""How steps are decoded: greedily as ever, at a temperature, drawn again, or by a grammar."""

from dataclasses import replace

import pytest
from test_agent import BARE, GOOD, TASK, WORLD

import react_lab as rl
from react_lab.decoding import AGAIN, CONSTRAINED, DECODINGS, Decoding
from react_lab.lessons import lesson_06
from react_lab.types import Reply, Seen, Step, Task

LOOP = [GOOD[0], GOOD[0].replace("1:", "2:")]  # the first act, and the same once more


class Drawing:
    """Greedy replies from a list; draws, and acts by a grammar, from lists of their own."""

    name, tuned, grammars = "drawing", frozenset((*BARE, "household/react", "household/act")), True

    def __init__(self, greedy, draws=(), acts=()):
        self.greedy, self.draws, self.acts = [*greedy], [*draws], [*acts]
        self.asked = []

    def identity(self, leg):
        return "drawing"

    def complete(self, ask, on_text=None):
        self.asked.append(ask)
        lines = self.acts if ask.grammar else self.draws if ask.temperature else self.greedy
        return {sample: Reply(lines.pop(0)) for sample in ask.samples}


def play(model, decoding, method="react", **options):
    return rl.run(method, TASK, model, world=WORLD, decoding=decoding, **options)


def acts_of(run):
    return [step.action for step in run.steps]


def test_greedy_decoding_is_as_if_there_were_no_other():
    plain = rl.run("react", TASK, Drawing(GOOD), world=WORLD)
    named = play(Drawing(GOOD), "greedy")
    assert replace(plain, seconds=0) == replace(named, seconds=0)
    assert "decoding" not in plain.settings
    ids = {play(Drawing(GOOD), name, max_steps=0).id for name in DECODINGS}
    assert len(ids) == len(DECODINGS)  # another way of decoding is another run


def test_a_temperature_is_that_of_every_step():
    model = Drawing([], GOOD)
    run = play(model, "sampled", seed=4)
    assert run.answer == "Black Sea"
    assert {(ask.temperature, ask.seed, ask.samples) for ask in model.asked} == {(0.7, 4, (0,))}
    told = {"temperature": 0.7, "stuck": "", "acts": "", "n": 5, "heat": 0.7}
    assert run.settings["decoding"] == told


def test_another_time_round_draws_otherwise(tmp_path):
    model = Drawing([], GOOD * 2)
    rl.evaluate("react", TASK, model, tmp_path / "r", world=WORLD, decoding="sampled", repeats=2)
    assert {ask.samples for ask in model.asked} == {(0,), (100,)}


def test_a_stuck_step_is_drawn_until_it_is_new():
    draws = [LOOP[1], GOOD[1]]
    model = Drawing([*LOOP, GOOD[2]], draws)
    run = play(model, "resample")
    assert acts_of(run) == ["Search[Ulm]", "Search[Danube]", "Finish[Black Sea]"]
    assert (run.calls, run.flags) == (5, ())
    drawn = [ask for ask in model.asked if ask.temperature]
    assert [(ask.temperature, ask.samples) for ask in drawn] == [(0.7, (0,)), (0.7, (1,))]
    assert [AGAIN in step.repairs for step in run.steps] == [False, True, False]


def test_where_no_draw_is_new_the_step_stays():
    run = play(Drawing(LOOP, [LOOP[1]] * 5), "resample", max_steps=2)
    assert acts_of(run) == ["Search[Ulm]", "Search[Ulm]"] and run.calls == 7
    assert AGAIN not in run.steps[1].repairs and "repeated" in run.flags


def test_of_n_draws_the_act_that_most_give():
    other = " Once more.\nAction 2: Search[Donau]"
    draws = [LOOP[1], GOOD[1], other, GOOD[1], " no act at all"]
    model = Drawing([*LOOP, GOOD[2]], draws)
    run = play(model, "best-of-n")
    assert acts_of(run) == ["Search[Ulm]", "Search[Danube]", "Finish[Black Sea]"]
    assert [ask.samples for ask in model.asked if ask.temperature] == [(0, 1, 2, 3, 4)]
    assert run.calls == 8


def test_a_persons_thought_stays_and_the_options_of_a_run_are_carried_on():
    run = play(Drawing(LOOP, [GOOD[1]] * 2), Decoding(stuck="new", n=2), max_steps=2)
    mine = rl.rethink(run, at=2, thought="Once more!")
    model = Drawing([" Search[Ulm]", GOOD[2]])
    after = rl.resume(mine, model, world=WORLD, max_steps=3)
    assert after.steps[1].thought == "Once more!" and after.steps[1].action == "Search[Ulm]"
    assert after.settings["decoding"]["n"] == 2
    assert not any(ask.temperature for ask in model.asked)


def test_steps_that_are_there_are_not_drawn_again():
    run = play(Drawing([*LOOP, GOOD[2]]), "greedy")
    cut = replace(run, steps=run.steps[:2], end="unfinished", answer=None)
    after = rl.resume(cut, Drawing([GOOD[2]]), world=WORLD, decoding="resample")
    assert acts_of(after) == ["Search[Ulm]", "Search[Ulm]", "Finish[Black Sea]"]
    assert after.calls == 1


@pytest.mark.parametrize("method", ["act", "react"])
def test_an_act_that_is_none_is_written_by_a_grammar(method):
    bad = " Read[Ulm]" if method == "act" else " I read.\nAction 1: Read[Ulm]"
    good = [text.split("Action")[-1][3:] for text in GOOD] if method == "act" else GOOD
    model = Drawing([bad, *good[1:]], acts=[" Search[Ulm]"])
    run = play(model, "formed", method)
    assert run.answer == "Black Sea" and acts_of(run)[0] == "Search[Ulm]" and run.calls == 4
    (ask,) = [ask for ask in model.asked if ask.grammar]
    assert ask.prompt.endswith("I read.\nAction 1:" if method == "react" else "flow?\nAction 1:")
    assert '"Search[" words "]" | "Lookup[" words "]"' in ask.grammar
    assert CONSTRAINED in run.steps[0].repairs
    assert run.steps[0].thought == ("I read." if method == "react" else None)


def test_what_a_game_lists_is_admissible():
    game = rl.tasks.load("household", "old", n=1)[0]
    model = Drawing([" fly away", " think: A plan.", " inventory"], acts=[" look"])
    run = rl.run("react", game, model, decoding="admissible", max_steps=3)
    assert [step.action for step in run.steps] == ["look", None, "inventory"]
    (ask,) = [ask for ask in model.asked if ask.grammar]
    assert '"look"' in ask.grammar and "words" not in ask.grammar.splitlines()[0]


class Shop:
    """A shop that lists its buttons, but not what may be searched for."""

    actions, snapshot = rl.envs.shop.Shop().actions, "till"

    def __call__(self, task):
        return self

    def reset(self, task):
        return "Webshop"

    def step(self, action):
        return Seen("done", done=action == 'click["Buy"]')

    def admissible(self):
        return ['click["Buy"]', "click[odd\nname]"]


def test_what_no_world_can_list_keeps_its_form():
    model = Drawing([" search[lamp]", " click[Sell]"], acts=[' click["Buy"]'])
    model.tuned = frozenset({"shop/act"})
    task = Task("s", "shop", "Buy it.")
    run = rl.run("act", task, model, world=Shop(), decoding="admissible")
    assert acts_of(run) == ["search[lamp]", 'click["Buy"]']
    (ask,) = [ask for ask in model.asked if ask.grammar]
    form = r'''root ::= " "? ("click[\"Buy\"]" | "search[" words "]") "\n"'''
    assert ask.grammar.startswith(form)


def test_a_slot_of_a_form_holds_no_other_wording_and_no_megabyte():
    game, long = rl.tasks.load("household", "old", n=1)[0], " put it" + " in/on x" * 100_000
    said = [" put egg 1 in/to shelf 1", " put egg 1 in/on shelf 1", long]
    model = Drawing(said, acts=[" look"] * 2)
    run = rl.run("act", game, model, decoding="formed", max_steps=3)
    assert acts_of(run) == ["look", "put egg 1 in/on shelf 1", "look"]
    assert '"put " thing " in/on " thing' in model.asked[1].grammar


@pytest.mark.parametrize(("method", "decoding", "words"), [
    ("react", "beam", "there are: greedy, sampled"), ("react", {"stuck": "new", "shots": 3}, "no decoding"),
    ("react", {"n": 10**9}, "n 1 to 100"), ("react", {"n": True}, "n 1 to 100"), ("react", 7, "no decoding 7"),
    ("react", {"temperature": "hot"}, "a temperature is 0 to 2"),
    ("react", {"stuck": "often"}, "stuck='often': it is one of '', 'best', 'new'"),
    ("react-chat", "formed", "acts that are written as text"),
    ("react-tools", "resample", "a call of a tool is not drawn again"),
    ("cot-sc->react", "admissible", "needs a model that writes by a grammar"),
])  # fmt: skip
def test_what_cannot_be_decoded_so_is_said_before_any_call(method, decoding, words):
    model = rl.models.scripted(GOOD, tuned=BARE)
    with pytest.raises(ValueError, match=words):
        play(model, decoding, method)
    assert not model.asked


def test_a_cache_keeps_draws_apart_and_replays_them(tmp_path):
    path = tmp_path / "kept.jsonl"
    model = Drawing([*LOOP, GOOD[2]], [LOOP[1], GOOD[1]])
    run = play(rl.models.cached(model, path), "resample")
    replayed = play(rl.models.cached(None, path, mode="replay"), "resample")
    assert replayed.steps == run.steps and replayed.id == run.id
    acts = Drawing([" x\nAction 1: Read[Ulm]", *GOOD[1:]], acts=[" Search[Ulm]"])
    formed = play(rl.models.cached(acts, path), "formed")
    assert play(rl.models.cached(None, path, mode="replay"), "formed").steps == formed.steps


def test_a_frame_keeps_ways_of_decoding_apart():
    runs = [play(Drawing([*LOOP, GOOD[2]], [GOOD[1]]), name) for name in ("greedy", "resample")]
    runs.append(play(Drawing([], GOOD), Decoding(temperature=1.0)))
    settings = [*rl.frame(runs)["setting"]]
    assert settings == ["fine-tuned", "fine-tuned, resample", "fine-tuned, decoding of your own"]


def test_a_loop_brings_once_more_what_was_brought():
    steps = [Step(action="look", observation=seen) for seen in ("a shelf", "a bed", "a shelf")]
    run = play(Drawing(GOOD), "greedy", max_steps=0)
    assert not lesson_06.loops(replace(run, steps=tuple(steps[:2])))
    assert lesson_06.loops(replace(run, steps=tuple(steps)))
