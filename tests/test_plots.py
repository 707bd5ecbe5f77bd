"""Pictures and their table twins: the right numbers, the paper beside them, nothing cut off."""

import io
import random
import re
import unicodedata
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pandas as pd
import pytest
from matplotlib.text import Text

import react_lab as rl
from react_lab import plots, score, stats
from react_lab.analysis import paper
from react_lab.kinds import KINDS
from react_lab.methods import majority
from react_lab.plots import Rule, by_samples
from react_lab.plots.rates import frame_of, name_of
from react_lab.types import Step, Task, Trajectory

PLAIN = ["standard", "cot", "cot-sc", "act", "react"]
COMBINED = ["react->cot-sc", "cot-sc->react"]
WRONG = {
    "multihop": ["Ulm", "no idea", "1923"],
    "claims": ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"],
}


def scripted(tasks, tuned=(), luck="", name="scripted"):
    """A model that is right, wrong, slow or silent on a task as a seeded draw says."""
    golds = {task.text: task for task in tasks}

    def say(ask):
        opening = ask.prompt.rsplit("\n\n", 1)[-1]
        task = next(task for text, task in golds.items() if text in opening)
        pick = random.Random(f"{task.id} {ask.leg} {ask.samples if ask.temperature else 0} {luck}")
        answer = pick.choice([task.gold, task.gold, *WRONG[task.kind]])
        if ask.leg in ("standard", "cot"):
            return f" {answer}" if ask.leg == "standard" else f" So.\nAnswer: {answer}"
        i = opening.count("Observation") + 1
        last = random.Random(f"{task.id} {ask.leg} {luck}").choice([1, 2, 3, 5, 7, 99])
        act = f"Finish[{answer}]" if i >= last else "Search[Ulm]"
        return f" Hm.\nAction {i}: {act}" if ask.leg == "react" else f" {act}"

    return rl.models.scripted(say, name=name, tuned=tuned)


LEGS = ["standard", "cot", "act", "react"]


def tasks_of(kind, n):
    return rl.tasks.load(kind, "dev", n=n)


def ran(kind="multihop", n=20, methods=PLAIN, tuned=(), luck="", **options):
    tasks = tasks_of(kind, n)
    model = scripted(tasks, tuned, luck)
    return [rl.run(method, task, model=model, **options) for task in tasks for method in methods]


@pytest.fixture(scope="module")
def prompted():
    return ran() + ran("claims", 15)


@pytest.fixture(scope="module")
def tuned():
    return ran(methods=LEGS, tuned=LEGS, luck="t")


def household(n=60):
    pick, types = random.Random(3), ["pick", "clean", "heat", "cool", "look", "puttwo"]
    tasks = [
        Task(f"household-unseen-{i:03}", "household", "put", extra={"type": types[i % 6]})
        for i in range(n)
    ]
    return [
        Trajectory(f"{method}{task.id}", task, method, "scripted", {"max_steps": 50}, end=end, reward=reward)
        for task in tasks for method in ("act", "react")
        for end, reward in [pick.choice([("finished", 1.0), ("step_limit", None)])]
    ]  # fmt: skip


def in_a_house():
    """A run of a game that is there."""
    task = rl.tasks.load("household", "old")[0]
    steps = (Step(None, "go to drawer 1", rl.envs.Household()(task).step("go to drawer 1").text),)
    return Trajectory("h", task, "act", "scripted", steps=steps)


def shop(n=40):
    pick = random.Random(4)
    return [
        Trajectory(f"{m}{i}", Task(f"shop-dev-{i}", "shop", "buy"), m, "scripted", end="finished", reward=pick.choice([1.0, 0.5, None]))
        for i in range(n) for m in ("act", "react")
    ]  # fmt: skip


def labels():
    given = {"react": ["true_positive"] * 40 + ["false positive"] * 10 + ["Reasoning error"] * 30 + ["hallucination"] * 20,
             "cot": ["true positive"] * 50 + ["hallucination"] * 25 + ["label-ambiguity"] * 25}  # fmt: skip
    return pd.DataFrame(
        [(m, label) for m, each in given.items() for label in each], columns=["method", "label"]
    )


def every(prompted, tuned):
    """All the pictures there are, by name."""
    several = [replace(run, model=f"m{i}") for i in (1, 2) for run in prompted + household()]
    return {
        "table1": lambda: plots.table1(prompted), "table2": lambda: plots.table2(labels()),
        "table3": lambda: plots.table3(household()), "table4": lambda: plots.table4(shop()),
        "table5": lambda: plots.table5(several), "figure2": lambda: plots.figure2(prompted),
        "figure3": lambda: plots.figure3(prompted + tuned), "steps": lambda: plots.steps(prompted),
        "cost": lambda: plots.cost(prompted), "grid": lambda: plots.grid(prompted),
        "differences": lambda: plots.differences(prompted),
    }  # fmt: skip


NAMES = [*every([], [])]


@pytest.fixture(scope="module")
def pictures(prompted, tuned):
    return {name: make() for name, make in every(prompted, tuned).items()}


# -- CoT-SC and the combinations from stored runs ------------------------------------------------
@pytest.mark.parametrize("n", [5, 6, 21])
def test_with_all_samples_the_curve_is_the_run_itself(n):
    runs = ran(n=15, methods=["react", "cot-sc", *COMBINED], luck="c") if n == 21 else [
        rl.run(m, task, model=scripted(tasks_of("multihop", 15), luck=str(n)), n=n)
        for task in tasks_of("multihop", 15) for m in ["react", "cot-sc", *COMBINED]
    ]  # fmt: skip
    curve = by_samples(runs)
    last = curve[curve["samples"] == n].set_index("method")
    for method in ("cot-sc", *COMBINED):
        real = [run for run in runs if run.method == method]
        assert last.loc[method, "rate"] == pytest.approx(sum(map(score.correct, real)) / len(real))
        assert last.loc[method, "calls"] == pytest.approx(sum(run.calls for run in real) / 15)
    tied = sum("tie" in run.flags for run in runs if run.method == "cot-sc")
    assert last["tied"].iloc[0] == pytest.approx(tied / 15)


def brute(runs, k, rule):
    """Every draw of k samples, by `majority` itself: what the mean over draws tends to."""
    right = Counter()
    tasks = {run.task.id: {} for run in runs}
    for run in runs:
        tasks[run.task.id][run.method] = run
    for each in tasks.values():
        acted, voted = each["react"], each["cot-sc"]
        draws = list(combinations(range(len(voted.votes)), k))
        for drawn in draws:
            cast = [voted.votes[i] for i in drawn]
            winner, count, _ = majority(cast)
            vote = winner is not None and score.reward(voted.task, cast[winner]) == 1
            sure = winner is not None and rule.sure(count, k)
            silent = acted.end == "step_limit"
            share = 1 / len(draws) / len(tasks)
            right["cot-sc"] += vote * share
            right["react->cot-sc"] += (vote if silent else bool(score.correct(acted))) * share
            right["cot-sc->react"] += (vote if sure else bool(score.correct(acted))) * share
    return right


@pytest.mark.parametrize("rule", [Rule(), Rule(0.5, "react"), Rule(0.8), Rule(0.0)])
@pytest.mark.parametrize("k", [1, 2, 4])
def test_a_point_is_the_mean_over_draws(k, rule):
    tasks = tasks_of("multihop", 8)
    runs = [
        rl.run(m, task, model=scripted(tasks), n=6) for task in tasks for m in ("react", "cot-sc")
    ]
    curve = by_samples(runs, [k], rule, draws=3000).set_index("method")
    for method, rate in brute(runs, k, rule).items():
        assert curve.loc[method, "rate"] == pytest.approx(rate, abs=0.015), method


def test_votes_are_counted_as_their_language_compares_answers():
    task = replace(tasks_of("multihop", 1)[0], kind="multihop-zh", gold="长城")
    acted, voted = (replace(run, task=task) for run in ran(n=1, methods=["react", "cot-sc"]))
    curve = by_samples([acted, replace(voted, votes=("长城", "《长城》", "故宫"))], [3])
    assert set(curve["sure"]) == {1} and set(curve["tied"]) == {0}


def test_exactly_half_is_the_papers_or_its_authors_and_a_fault_is_not_handed_over():
    """Two samples that differ: half agree. The paper keeps CoT-SC, its author asks ReAct."""
    task = tasks_of("multihop", 1)[0]
    acted = rl.run("react", task, model=rl.models.scripted([f" x\nAction 1: Finish[{task.gold}]"]))
    voted = rl.run(
        "cot-sc", task, model=rl.models.scripted([" x\nAnswer: Ulm", " x\nAnswer: Bonn"]), n=2
    )
    rates = [
        by_samples([acted, voted], [2], rule).set_index("method").loc["cot-sc->react", "rate"]
        for rule in (Rule(), Rule(at_exactly="react"))
    ]
    assert rates == [0, 1]
    voted = rl.run("cot-sc", task, model=rl.models.scripted([" x\nAnswer: Ulm"] * 3), n=3)
    broken = replace(voted, votes=(), answer=None, end="error")
    other = [replace(run, task=replace(task, id="multihop-dev-999")) for run in (acted, voted)]
    rate = by_samples([acted, broken, *other], [3]).set_index("method")["rate"]
    assert list(rate) == [0, 1, 0]  # cot-sc, react->cot-sc, cot-sc->react
    silent = replace(voted, votes=(None,) * 3, answer=None, end="unreadable")
    rate = by_samples([acted, silent, *other], [3]).set_index("method")["rate"]
    assert list(rate) == [0, 1, 0.5]  # no vote at all: CoT-SC gave up, and ReAct is asked


@pytest.mark.parametrize("limit", [0, 1, 2, 4])
def test_a_lower_step_limit_is_what_a_run_with_it_gives(limit):
    tasks = tasks_of("multihop", 15)
    model = scripted(tasks)
    long = [rl.run(m, task, model=model, n=5) for task in tasks for m in ("react", "cot-sc")]
    short = [rl.run(m, task, model=model, n=5, max_steps=limit) for task in tasks for m in COMBINED]
    curve = by_samples(long, [5], Rule(max_steps=limit)).set_index("method")
    for method in COMBINED:
        real = [run for run in short if run.method == method]
        assert curve.loc[method, "rate"] == pytest.approx(sum(map(score.correct, real)) / 15)
        assert curve.loc[method, "calls"] == pytest.approx(sum(run.calls for run in real) / 15)
    with pytest.raises(ValueError, match="ReAct was run with 7 steps: nobody knows"):
        by_samples(long, [5], Rule(max_steps=8))


@pytest.mark.parametrize("ask, words", [
    ({"samples": [0, 5]}, "ask for 1 to 21 of them"), ({"samples": [22]}, "ask for 1 to 21"),
])  # fmt: skip
def test_samples_that_are_not_there(prompted, ask, words):
    with pytest.raises(ValueError, match=words):
        plots.samples_curve(prompted, **ask)
    with pytest.raises(ValueError, match="a react run and a cot-sc run of the same tasks"):
        plots.samples_curve([run for run in prompted if run.method != "react"])


# -- the numbers ---------------------------------------------------------------------------------
def test_table_1_has_every_row_of_the_papers_and_ours_beside(prompted):
    table = plots.table1(prompted).table
    assert list(table["row"][:8]) == list(paper.table(1).index)
    assert list(table["paper %"]) == [*paper.table(1)["multihop"], *paper.table(1)["claims"]]
    react = table[table["row"] == "ReAct"].iloc[0]
    runs = [run for run in prompted if run.method == "react" and run.task.kind == "multihop"]
    right = sum(map(bool, map(score.correct, runs)))
    low, high = stats.wilson(right, len(runs))
    assert (react["n"], react["right"]) == (len(runs), right)
    assert [react[c] for c in ("%", "from", "to")] == [
        round(100 * x, 1) for x in (right / len(runs), low, high)
    ]
    done = [run for run in runs if run.end == "finished"]
    assert react["finished %"] == round(100 * len(done) / len(runs), 1)
    assert react["% of finished"] == round(100 * right / len(done), 1)


def test_prompted_and_fine_tuned_are_never_one_table(prompted, tuned):
    alone = plots.table1(prompted)
    both = plots.table1(prompted + tuned)
    assert both.table.equals(alone.table) and "prompted" in both.caption
    shown = plots.table1(tuned)  # the bundled default: what there is, and what it is not
    assert shown.table["n"].notna().any() and "fine-tuned, asked without" in shown.caption
    assert "the paper's Table 1 is of prompting" in shown.caption
    assert "CAREFUL" not in both.caption
    for draw in (plots.cost, plots.grid, plots.steps, plots.differences):
        with pytest.raises(ValueError, match="some of these runs are prompted and some fine-tuned"):
            draw(prompted + tuned)
    parts = plots.figure3(prompted + tuned).tables
    assert list(parts) == ["fine-tuned", "prompted", "claims"]
    assert list(parts["fine-tuned"]["row"]) == ["Standard", "CoT", "Act", "ReAct"]


def arms(rates):
    """Runs on 60 tasks of which each arm has so many right, the same ones first."""
    tasks = [Task(f"multihop-dev-{i:03}", "multihop", "q", "yes") for i in range(60)]
    return [
        Trajectory(f"{m}{s}{i}", task, m, "m", {"bare": [m] if s else []}, end="finished", answer="yes" if i < right else "no")
        for (m, s), right in rates.items() for i, task in enumerate(tasks)
    ]  # fmt: skip


@pytest.mark.parametrize("prompted_rates, tuned_rates, verdicts", [
    ((20, 20, 20, 5), (10, 10, 30, 50), ["supported"] * 4),
    ((5, 20, 20, 20), (50, 10, 30, 20), ["contradicted", "contradicted", "contradicted", "not decided"]),
    ((20, 20, 20, 20), (20, 20, 20, 20), ["not decided"] * 4),
    (None, (10, 10, 30, 50), ["not run", "supported", "supported", "not run"]),
])  # fmt: skip
def test_figure_3_judges_the_papers_claims(prompted_rates, tuned_rates, verdicts):
    rates = {(leg, True): n for leg, n in zip(LEGS, tuned_rates, strict=True)}
    if prompted_rates:
        rates |= {(leg, False): n for leg, n in zip(LEGS, prompted_rates, strict=True)}
    picture = plots.figure3(arms(rates))
    assert list(picture.tables["claims"]["verdict"]) == verdicts
    assert all(word in picture.caption for word in verdicts)


def test_figure_3_of_several_models_judges_each_and_the_next_size():
    def of(model, rates):
        return [replace(run, model=model) for run in arms(rates)]

    low, high = ({(leg, False): n for leg in LEGS} for n in (5, 20))
    tuned = {(leg, True): n for leg, n in zip(LEGS, (10, 10, 30, 50), strict=True)}
    picture = plots.figure3(of("small", low | tuned) + of("large", high))
    claims = picture.tables["claims"].set_index(["claim", "model"])["verdict"]
    assert claims["Fine-tuned, it does best with ReAct"].to_dict() == {
        "small": "supported", "large": "not run",
    }  # fmt: skip
    assert claims["Fine-tuned ReAct is above every way of prompting"].to_dict() == {
        "small and large": "supported",
    }  # fmt: skip
    rows = picture.tables["prompted"].set_index(["model", "row"])["right"]
    assert rows["small", "ReAct"] == 5 and rows["large", "ReAct"] == 20 and len(rows) == 8
    assert set(picture.tables["fine-tuned"]["model"]) == {"small"}
    assert "small and large: supported" in picture.caption


def test_table_4_has_the_score_the_success_rate_and_people_beside_the_papers_experts():
    runs = shop()
    table = plots.table4(runs).table.set_index(["of", "row"])
    rewards = [run.reward or 0 for run in runs if run.method == "react"]
    assert table.loc[("Score", "ReAct"), "%"] == round(100 * sum(rewards) / 40, 1)
    assert table.loc[("Success rate", "ReAct"), "right"] == rewards.count(1.0)
    assert table.loc[("Score", "Human expert"), "paper %"] == 82.1
    people = [
        replace(run, method="human", model=score.NO_MODEL, reward=1.0 if i % 4 else None)
        for i, run in enumerate(shop()) if run.method == "act"
    ]  # fmt: skip
    for runs in (people, [*shop(), *people]):
        table = plots.table4(runs).table.set_index(["of", "row"])
        rewards = [run.reward or 0 for run in people]
        expert = table.loc[("Score", "Human expert")]
        assert (expert["%"], expert["paper %"]) == (round(100 * sum(rewards) / 40, 1), 82.1)
        assert table.loc[("Success rate", "Human expert"), "right"] == sum(rewards)
    assert "no model, played by a rule or by hand" in repr(plots.table4(people))


def test_a_run_that_a_person_edited_counts_in_no_rate(prompted):
    before = plots.table1(prompted)
    runs = [run for run in prompted if run.method == "act" and run.steps][:2]
    ours = [replace(rl.rethink(run, at=1, action="Search[x]"), end="finished") for run in runs]
    after = plots.table1([*prompted, *ours])
    pd.testing.assert_frame_equal(after.table, before.table)
    assert "Left out: 2 runs that a person edited." in after.caption
    assert "Left out" not in before.caption
    with pytest.raises(ValueError, match="all of these runs were edited by a person"):
        plots.table1(ours)
    frame = score.frame(prompted).drop(columns=["parent", "edits"])  # of your own
    pd.testing.assert_frame_equal(plots.table1(frame).table, before.table)


def test_steps_stand_beside_the_papers_share_and_table_2_has_shares_of_a_group(prompted):
    picture = plots.steps(prompted)
    limits = picture.table.set_index(["tasks", "method"])
    react = [run for run in prompted if run.method == "react" and run.task.kind == "claims"]
    right = [run for run in react if score.correct(run)]
    assert limits.loc[("claims", "ReAct"), "right"] == len(right)
    assert limits.loc[("claims", "ReAct"), "at the limit"] == sum(len(r.steps) == 5 for r in right)
    assert limits.loc[("multi-hop questions", "ReAct"), "paper %"] == 0.84
    assert limits.loc[("claims", "ReAct"), "paper %"] == 1.33 and "0.84%" in picture.caption
    counted = picture.tables["steps"]
    assert counted[["right", "wrong", "no answer", "fault"]].sum().sum() == 2 * (20 + 15)
    table = plots.table2(labels()).table.set_index(["of", "row"])
    assert table.loc[("ReAct", "success: true positive"), "%"] == 80
    assert table.loc[("ReAct", "failure: reasoning error"), "%"] == 60
    assert table.loc[("CoT", "failure: label ambiguity"), "paper %"] == 28
    with pytest.raises(ValueError, match="no mode 'bored'; there are 1 to 6: true positive"):
        plots.table2(labels().assign(label="bored"))


def test_the_grid_tells_each_question_and_whether_a_method_was_asked(prompted):
    table = plots.grid(prompted).table.set_index("task")
    for run in prompted[:100]:
        told = table.loc[run.task.id, name_of(run.method)]
        want = "right" if score.correct(run) else "wrong" if run.end == "finished" else "no answer"
        assert told == want
    some = [run for run in prompted if run.method != "act" or run.task.id != prompted[0].task.id]
    assert len(some) < len(prompted)
    assert "not asked" in plots.grid(some).caption
    assert "not asked" not in plots.grid(prompted).caption
    keys = [draw.figure.legends[0].get_texts() for draw in map(plots.grid, (some, prompted))]
    assert ["not asked" in [text.get_text() for text in texts] for texts in keys] == [True, False]
    # Questions from a class's own table may each have a name of its own.
    tasks = [Task(f"t{i}", "multihop", "?", "a") for i in range(60)]
    picture = plots.grid([Trajectory(task.id, task, "cot", "m") for task in tasks])
    assert "t0, t1, t10 and 57 more" in picture.caption and picture.png


def test_cost_is_the_mean_unknown_is_not_0_and_the_highest_point_of_every_panel_is_shown(prompted):
    picture = plots.cost(prompted)
    table, calls = picture.table.set_index("method"), "model calls per question"
    assert table.loc["CoT-SC", calls] == 21 and table.loc["Standard", calls] == 1
    names = [calls, "model calls per claim"]
    assert [ax.get_xlabel() for ax in picture.figure.axes] == names
    assert f"Cost: {' and '.join(names)}, the mean" in picture.caption
    tokens = [replace(run, tokens_in=100, tokens_out=10) for run in prompted]
    tokens[0] = replace(tokens[0], tokens_in=None)  # a standard run
    table = plots.cost(tokens, by="tokens").table.set_index("method")
    assert table.loc["CoT", "tokens per question"] == 110
    assert table["tokens per question"].isna().to_dict()["Standard"]
    with pytest.raises(ValueError, match="counted in calls, tokens or seconds"):
        plots.cost(prompted, by="dollars")
    # The panels share a scale: a later one may be higher than the first.
    questions, claims = rl.frame(ran("multihop", 12)), rl.frame(ran("claims", 12))
    df = pd.concat([questions.assign(correct=False), claims.assign(correct=True)])
    axes = plots.cost(df).figure.axes
    assert all(ax.get_ylim()[1] >= 100 for ax in axes)


def test_repeats_do_not_shrink_the_interval_faults_are_shouted_and_a_frame_does_as_well(prompted):
    once = plots.table1(prompted).table
    twice = plots.table1(prompted + prompted).table
    assert twice[["n", "%", "from", "to"]].equals(once[["n", "%", "from", "to"]])
    lost = [replace(run, end="env_error", answer=None) for run in prompted[::10]]
    caption = plots.table1(lost + [run for i, run in enumerate(prompted) if i % 10]).caption
    assert caption.startswith("CAREFUL: in 10% of these runs the world could not")
    assert "CAREFUL" not in plots.table1(prompted).caption
    assert plots.table1(frame_of(prompted)).table.equals(plots.table1(prompted).table)
    with pytest.raises(ValueError, match="lacks votes: give the plot the runs themselves"):
        plots.samples_curve(frame_of(prompted).drop(columns="votes"))
    several = [replace(run, model=name) for name in ("one", "two") for run in prompted]
    table = plots.table5(several).table
    assert list(table["row"]) == ["PaLM-540B", "GPT-3 (text-davinci-002)", "one", "two"]


@pytest.mark.parametrize("name", sorted({*plots.__all__} - {"Picture", "Rule", "table", "table2"}))
def test_one_run_is_taken_as_a_list_of_one(prompted, tuned, name):
    """One that is too little for a picture gets the sentence that the list of it gets."""
    game = replace(household()[0], task=rl.tasks.load("household", "old", n=1)[0])
    one = {"failures": game, "table3": household()[0], "table4": shop()[0], "figure3": tuned[0]}
    one |= {"house": in_a_house(), "subgoals": in_a_house()}
    run = one.get(name, next(run for run in prompted if run.method == "react"))

    def outcome(data):
        try:
            return getattr(plots, name)(data)
        except ValueError as error:
            return str(error)

    found, same = outcome(run), outcome([run])
    assert str(found) == str(same) and type(found) is type(same)
    wants_two = {"by_samples", "differences", "figure2", "samples_curve"}
    assert isinstance(found, str) == (name in wants_two)


@pytest.mark.parametrize("runs, words", [
    ([], "there are no runs to draw"),
    ([Trajectory("i", Task("own-1", "multihop", "q"), "react", "m")], "no gold answer"),
    ([Trajectory("i", Task("x-1", "tools", "q", "1"), "react", "m")], "is about multi-hop questions and claims"),
])  # fmt: skip
def test_nothing_to_draw_is_said(prompted, runs, words):
    with pytest.raises(ValueError, match=words):
        plots.table1(runs)
    with pytest.raises(ValueError, match="of 2 models .* choose one, as in df"):
        plots.table1([*prompted, replace(prompted[0], model="other")])
    with pytest.raises(ValueError, match="wants fine-tuned runs on multi-hop questions"):
        plots.figure3(prompted)


# -- the pictures --------------------------------------------------------------------------------
def test_a_picture_is_a_small_opaque_png_and_leaves_the_users_style_alone(pictures, prompted):
    from PIL import Image

    for name in ("figure2", "grid", "table5"):
        png = Image.open(io.BytesIO(pictures[name].png)).convert("RGBA")
        assert png.width > 700 and png.getpixel((2, 2)) == (255, 255, 255, 255)
        assert png.getextrema()[3] == (255, 255) and png.convert("L").getextrema()[0] < 80
        assert len(pictures[name].png) < 100_000
    from matplotlib import pyplot

    before = dict(pyplot.rcParams)
    plots.cost(prompted).png  # noqa: B018
    assert dict(pyplot.rcParams) == before and pyplot.get_fignums() == []


def test_a_picture_has_its_twin_in_words(pictures):
    for picture in pictures.values():
        assert all(len(table) and len(table.columns) >= 3 for table in picture.tables.values())
        assert picture.caption in repr(picture)
        assert picture.table is next(iter(picture.tables.values()))


@pytest.mark.parametrize("name", NAMES)
def test_the_caption_names_model_setting_data_and_n(pictures, name):
    caption = pictures[name].caption
    if name == "table2":
        assert "100 trajectories of ReAct" in caption and "by hand" in caption
        return
    assert "prompted with exemplars" in caption and ("scripted" in caption or "m1" in caption)
    assert any(f"{kind.noun} (" in caption for kind in KINDS.values()) and "n = " in caption
    assert "95%" in caption


def words_on(figure):
    """Every text that is drawn, with its box."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    texts = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
    return [(text, text.get_window_extent(canvas.get_renderer())) for text in texts if within(text)]


def within(text):
    """Ticks beyond the ends of an axis exist and are not drawn."""
    if text.axes is None:
        return True
    for axis, place in ((text.axes.xaxis, 0), (text.axes.yaxis, 1)):
        if text in axis.get_ticklabels():
            low, high = sorted(axis.get_view_interval())
            return low <= text.get_position()[place] <= high
    return True


def overlapping(figure, words=None):
    words = words or words_on(figure)
    level = [(text, box) for text, box in words if text.get_rotation() in (0, 90)]
    return [
        (a.get_text(), b.get_text()) for (a, one), (b, other) in combinations(level, 2)
        if min(one.x1, other.x1) - max(one.x0, other.x0) > 1.5  # so wide, and so high
        and min(one.y1, other.y1) - max(one.y0, other.y0) > 1.5
    ]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_no_two_words_of_a_picture_overlap(pictures, name):
    words = words_on(pictures[name].figure)
    assert overlapping(pictures[name].figure, words) == []
    assert min(text.get_fontsize() for text, _ in words) >= 11


STRANGE = [
    "$x$", "a $ b", "\\frac{1", "$\\undefined{x}$", "\x00nul", "lone \ud800", "\u202ertl", "\x1b[2J",
    "x" * 5000, "\n\n", "<script>alert(1)</script>", "a|b_c^d%&#~", "模型 🤖",
]  # fmt: skip


def strange(runs, k):
    """These runs by a model, on tasks and by two further methods of strange names."""
    model, source, *methods = (STRANGE[(k + i) % len(STRANGE)] for i in (0, 1, 3, 7))
    named = [
        replace(run, model=model + run.model, task=replace(run.task, id=source + run.task.id))
        for run in runs
    ]
    more = [run for run in named if run.method in ("act", "cot")][::2]
    return named + [
        replace(run, method=name, id=f"{run.id}{i}", branch=name, flags=(name,), error=name)
        for i, name in enumerate(methods) for run in more[i::2]
    ]  # fmt: skip


@pytest.mark.parametrize("name", [
    name if name == "table1" else pytest.param(name, marks=pytest.mark.long)
    for name in NAMES
])  # fmt: skip
def test_no_strange_name_is_obeyed_in_any_picture(name, prompted, tuned):
    """Not as a formula, a tag, a table cell or a control character; and nothing fails for it."""
    k = NAMES.index(name)
    told = labels()
    for odd in STRANGE:
        told.loc[len(told)] = [odd, "true positive"]
    made = every(strange(prompted, k), strange(tuned, k))
    picture = plots.table2(told) if name == "table2" else made[name]()
    assert picture.png and picture.rendered("pdf")
    drawn = picture.rendered("svg").decode("utf-8")
    assert "<script" not in drawn and "\x1b" not in drawn
    texts = picture.figure.findobj(Text)
    words = [text.get_text() for text in texts]
    for text in (*words, repr(picture), picture.markdown(), picture.latex()):
        assert not [c for c in text if c != "\n" and unicodedata.category(c) in {"Cc", "Cf", "Cs"}]
        assert len(text.split("\n")[0]) < 2000
    for table in picture.tables.values():
        rows = plots.Picture(picture.figure, "", {"": table}).markdown().strip().splitlines()
        assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {len(table.columns) + 1}
        latex = plots.Picture(picture.figure, "", {"": table}).latex()
        assert latex.count(r" \\") == len(table) + 1 and not re.search(r"(?<!\\)[%#]", latex)
    assert not any(text.get_parse_math() for text in texts if "$" in text.get_text())


def test_latex_and_markdown_have_the_same_rows_and_no_address_becomes_a_link_by_itself(prompted):
    picture = plots.table1(prompted)
    latex, markdown = picture.latex(), picture.markdown()
    assert latex.count(r" \\") == len(picture.table) + 1 and r"ReAct $\rightarrow$ CoT-SC" in latex
    assert markdown.count("\n| ") == len(picture.table) + 2
    assert "0.84" in plots.steps(prompted).latex()
    assert "67.5" in latex and "62.0" in markdown and "nan" not in (latex + markdown).lower()
    import mistune

    words = "https://x.example HTTP://x.example www.x.example WWW.x.example a@x.example <b> [y](z)"
    df = pd.DataFrame({"name": [words]})
    text = plots.Picture(None, words, {"t": df}).markdown()
    told = mistune.create_markdown(escape=False, plugins=["url", "table"])(text)
    assert "<a" not in told and told.count(words.replace("<b>", "&lt;b&gt;")) == 2
