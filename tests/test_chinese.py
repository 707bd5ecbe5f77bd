"""Chinese: pages, questions and a run in it, read by the layout that reads English."""

import pickle
import re
from pathlib import Path

import check
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from test_layouts import check_total

import react_lab as rl
from react_lab.envs.pages import bundled, read_pages
from react_lab.envs.wiki import ChineseWiki, Wiki, sentences
from react_lab.finetune import demonstration
from react_lab.kinds import KINDS
from react_lab.label.judging import prompt
from react_lab.label.session import fixed, guided_kinds
from react_lab.languages import CHINESE, ENGLISH, speech, words_of
from react_lab.layouts import Numbered, Plain
from react_lab.prompts import exemplar_text, read_exemplars, render
from react_lab.types import Step, Task

KIND = KINDS["multihop-zh"]
CUED, ACTING = Numbered(language="zh"), Numbered(thinks=False, language="zh")
LAYOUTS = [CUED, ACTING, *(Plain(thinks, language="zh") for thinks in (True, False))]
TASKS = rl.tasks.load("multihop", lang="zh")


@pytest.fixture
def env():
    env = ChineseWiki()(TASKS[0])
    assert env.reset(TASKS[0]) == f"问题：{TASKS[0].text}"
    return env


# pages and questions
def test_there_are_pages_and_questions_and_nothing_is_wrong_with_them():
    book = bundled("zh")
    assert len(book.rows) >= 80 and len(TASKS) == 40
    assert [*check.faults_of_pages(book, run=18), *check.faults_of_chinese(book)] == []
    assert all(len(sentences(row["text"], language=CHINESE)) >= 4 for row in book.rows.values())


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_every_question_is_answered_by_its_acts(task):
    """The acts as a model would write them, through the prompt, the reader and the world."""
    steps = demonstration(task).steps
    shown = (CUED.show(Step(step.thought, step.action), i) for i, step in enumerate(steps, 1))
    replies = [text.removeprefix(CUED.cue(i)) for i, text in enumerate(shown, 1)]
    run = rl.run("react", task, rl.models.scripted(replies))
    assert (run.end, run.answer, rl.score.correct(run)) == ("finished", task.gold, True)
    assert not [step for step in run.steps if step.repairs or step.outcome]
    shown = "".join(step.observation or "" for step in run.steps)
    assert all(sentence in shown for sentence in task.extra["sentences"])
    pages = {step.action for step in run.steps if step.action.startswith("搜索")}
    assert len(pages) >= 2


def test_the_exemplars_are_what_the_world_answers():
    text = exemplar_text(KIND.exemplars)
    _, exemplars = read_exemplars(text, KIND.layout, [KIND.start])
    assert len(exemplars) == 4 and all(exemplar.rationale for exemplar in exemplars)
    for exemplar in exemplars:
        bare = text.replace(f"\nRationale: {exemplar.rationale}", "")
        assert render(exemplar, KIND.layout).rstrip() in bare
        env = ChineseWiki()(Task("", "multihop-zh", ""))
        for step in exemplar.steps:
            assert env.step(step.action).text == (step.observation or "")
            assert bundled("zh").row(step.action[3:-1]).get("split", "train") == "train"


# a run
def test_a_run_typed_in_chinese_from_start_to_end():
    task = rl.tasks.question("设计卢浮宫金字塔的人出生在哪里？", "广州", lang="zh")
    model = rl.models.scripted([
        "先找卢浮宫。\n行动１：搜索［卢浮宫的金字塔］\n观察１：我自己编的",
        " 相近的有卢浮宫。\n行动 2: 搜索[卢浮宫]",
        "查“设计”二字。\n\n**行动3：** 查找【设计】。",
        "思考 4：是贝聿铭。\nAction 4：搜索［贝聿铭]",
        "他出生在广州。",
        "完成［《广州》。］",
    ])  # fmt: skip
    run = rl.run("react", task, model)
    assert [step.action for step in run.steps] == [
        "搜索[卢浮宫的金字塔]", "搜索[卢浮宫]", "查找[设计]", "搜索[贝聿铭]", "完成[《广州》。]",
    ]  # fmt: skip
    assert (run.end, rl.score.correct(run), run.steps[4].rescued) == ("finished", True, True)
    assert run.steps[0].observation.startswith("找不到“卢浮宫的金字塔”。相近的词条：['卢浮宫'")
    assert "forged observation" in run.steps[0].repairs
    found = "（第 1 条，共 1 条）院子里的玻璃金字塔由贝聿铭设计，1989年落成。"
    assert run.steps[2].observation == found
    first, second, last = model.asked[0], model.asked[1], model.asked[-1]
    assert KIND.adapter("react") == "multihop-zh/react"  # not the English one
    assert first.prompt.endswith(f"问题：{task.text}\n思考 1：") and first.stop == ("\n观察 1：",)
    assert "思考 1：先找卢浮宫。\n行动 1：搜索［卢浮宫的金字塔］\n观察 1：找不到" in second.prompt
    assert last.prompt.endswith("思考 5：他出生在广州。\n行动 5：")
    words = first.prompt.replace("Rationale", "")
    assert not any(heading in words for heading in ("Thought", "Action", "Observation", "Question"))


def test_votes_are_counted_as_the_language_compares_answers():
    votes = ["《红楼梦》", "西游记", "红楼梦。", "西 游 记！", "「红楼梦」"]
    replies = [f"想一想。\n答案：{vote}" for vote in votes]
    run = rl.run("cot-sc", TASKS[0], rl.models.scripted(replies), n=5)
    assert run.votes == tuple(votes)
    assert (run.answer, run.flags) == ("《红楼梦》", ())


def test_what_the_readme_shows_does_what_it_says():
    readme = (Path(__file__).parents[1] / "README.zh.md").read_text(encoding="utf-8")
    first, second, *_ = re.findall(r"```python\n(.*?)```", readme, re.S)
    names = {}
    exec(first.partition("model =")[0] + second, names)
    assert rl.score.correct(names["run"]) and not names["run"].steps[0].repairs


# reading
@pytest.mark.parametrize("text, thought, action, repairs", [
    ("想\n行动 1：搜索［长城］", "想", "搜索[长城]", ()), ("想\n行动1:搜索[长城]", "想", "搜索[长城]", ()),
    ("想\n行动　１　：　搜索［长城]", "想", "搜索[长城]", ()), ("想\nAction 1：搜索【长城】", "想", "搜索[长城]", ()),
    ("想\n行动 1：搜索 ［长城［明］］", "想", "搜索[长城[明]]", ()), ("想\n行动 1：搜索［【长城】］", "想", "搜索[【长城】]", ()),
    ("想\n行动：搜索［长城］", "想", "搜索[长城]", ("number missing",)),
    ("想\n行动 ７：搜索［长城］", "想", "搜索[长城]", ("wrong number",)),
    ("思考 1：想【注】\n行动 1：搜索［长城］", "想【注】", "搜索[长城]", ("repeated cue",)),
    ("想\n行动 1：“搜索［长城］”", "想", "搜索[长城]", ("quotes",)),
    ("想\n行动 1：搜索［长城］看看", "想", "搜索[长城]", ("text after the act",)),
    ("想\n行动 1：搜索［长城］\n观察 1：假的\n行动 2：完成［假］", "想", "搜索[长城]", ("forged observation",)),
    ("想\n行动 1：搜索［长城］\n\n问题：又一题", "想", "搜索[长城]", ("forged observation",)),
    ("想\n行动 1：搜索［长城］\n思考 2：再想\n行动 2：完成［假］", "想", "搜索[长城]", ("several steps",)),
    ("完成［是］", None, "完成[是]", ("act without its marker",)), ("答案：这一行［不］变", "答案：这一行［不］变", None, ()),
    ("只有思考，没有行动［注］", "只有思考，没有行动［注］", None, ()), ("想\n行动 1：搜索［长城", "想", "搜索[长城", ()),
    ("", None, None, ()),
])  # fmt: skip
def test_full_width_and_half_width_are_read_alike(text, thought, action, repairs):
    step = CUED.read(text, 1)
    assert (step.thought, step.action, step.repairs) == (thought, action, repairs)
    assert step.raw == text


def test_english_runs_know_no_chinese():
    text = " 想\n行动 1：搜索［长城］\nAction 1: Search［长城］"
    step = Numbered().read(text, 1)
    assert (step.thought, step.action) == ("想\n行动 1：搜索［长城］", "Search［长城］")
    assert Numbered(language="zh") != Numbered()
    assert repr(Numbered(language="zh")) == repr(Numbered())
    assert ENGLISH.turns(text) == text == ENGLISH.answers(text) == ENGLISH.act(text)


SCRAPS = [
    "思考 1：", "行动１：", "行动 1: ", "观察 1：", "思考２：", "行动:", "答案：", "最终答案:", "问题：",
    "搜索［", "查找[", "完成【", "［", "］", "【", "】", "[", "]", "：", "**", "　", "。", "；", "“", "”", "《", "》",
    "Action 1：", "Thought 1:", "Observation 1：", "\n", "\r\n", "\u2028", "```", "长城", "１９５３", "\ud800",
]  # fmt: skip
pieces = st.one_of(
    st.sampled_from(SCRAPS),
    st.text(st.characters(min_codepoint=0x3000, max_codepoint=0x9FFF), max_size=8),
    st.text(max_size=8),
)  # fmt: skip
outputs = st.lists(pieces, max_size=14).map("".join)


@given(outputs)
@example("行动 1：搜索［" * 2000)
@example("搜索［" * 2000 + "］" * 2000)
def test_any_chinese_output_gives_a_step(text):
    check_total(text, LAYOUTS)


@given(outputs)
def test_nothing_after_a_line_of_the_world_is_ever_read(text):
    step = CUED.read(f"想\n观察 1：{text}\n行动 1：完成［假］", 1)
    assert (step.thought, step.action) == ("想", None)


# the world
@pytest.mark.parametrize("text, parts", [
    ("甲。乙！丙？丁；戊", ["甲。", "乙！", "丙？", "丁；", "戊"]), ("他来了。1519年，他走了。", ["他来了。", "1519年，他走了。"]),
    ("他说：“来！快来。”我去了（真的；是吗？）。", ["他说：“来！快来。”", "我去了（真的；是吗？）。"]), ("“没有关上。走了", ["“没有关上。", "走了"]),
    ("真的？！\n一段", ["真的？！", "一段"]),
])  # fmt: skip
def test_sentences(text, parts):
    assert list(sentences(text, language=CHINESE)) == parts


def test_search_finds_what_stands_inside_also_in_pages_of_ones_own_and_of_both_scripts():
    for query, title in (  # a part of a title, a word in a text, a question
        ("铁塔", "埃菲尔铁塔"), ("辩机", "大唐西域记"), ("谁修建了都江堰", "都江堰"), ("Q正传", "阿Q正传"), ("《长城》 蒙恬", "蒙恬"),
    ):  # fmt: skip
        assert title in bundled("zh").search(query)
    book = read_pages([("铁塔", "广场上有一座塔。"), ("Tower", "A tower 高塔 in Paris.")])
    assert book.search("高塔") == ["Tower"] and book.search("paris") == ["Tower"]
    assert book.search("座塔") == ["铁塔"] and book.search("不在") == []
    env = Wiki(book, lang="zh")(Task("", "multihop-zh", ""))
    assert env.step("搜索［《铁塔》］").text == "广场上有一座塔。"


def test_lookup_and_what_is_said_of_a_bad_act(env):
    assert env.step("查找［塔］").text == "没有更多结果。"
    assert env.step("搜索［诸葛亮］").text.startswith("诸葛亮字孔明")
    assert env.step("查找［２３４］").text == "（第 1 条，共 1 条）公元234年，他病死在五丈原。"
    assert env.step("查找［234］").text == "没有更多结果。"
    bad = "无效的行动：{}。请用下列之一：搜索［词条］、查找［词语］、完成［答案］。"
    for act in ("寻找［塔］", "搜索［词条］", "Search[塔]", "搜索［］"):
        assert env.step(act).text == bad.format(act) and env.step(act).why
    assert env.step("完成【 长城 】").answer == "长城"


def test_the_world_says_its_language():
    assert ChineseWiki().snapshot == f"{bundled('zh').snapshot}, sentences, zh"
    assert pickle.loads(pickle.dumps(ChineseWiki())) == ChineseWiki() == Wiki(lang="zh")
    assert "都江堰" not in bundled().rows and "都江堰" in bundled("zh").rows
    with pytest.raises(ValueError, match="no language 'tlh'; there are: en, zh"):
        rl.tasks.load("multihop", lang="tlh")
    with pytest.raises(ValueError, match="no task set 'claims-zh'"):
        rl.tasks.load("claims", lang="zh")


# grading
@pytest.mark.parametrize("answer, gold, same, overlap", [
    ("《红楼梦》。", "红楼梦", True, 1.0), ("１９５３ 年", "1953年", True, 1.0), ("斯文·赫定", "斯文赫定", True, 1.0),
    ("ＮＢＡ", "nba", True, 1.0), ("四川眉山", "眉山", False, 2 / 3), ("是的", "是", False, 0.0), ("长城", "故宫", False, 0.0),
])  # fmt: skip
def test_answers_are_compared_without_marks_spaces_and_widths(answer, gold, same, overlap):
    assert rl.score.exact_match(answer, gold, lang="zh") is same
    assert rl.score.f1(answer, gold, lang="zh") == pytest.approx(overlap)
    run = rl.run("standard", TASKS[22], rl.models.scripted(["五十四 年。"]))
    assert (rl.score.correct(run), rl.score.accepted(run)) == (False, True)  # another wording


# the guideline
def marks_of(text):
    """Its headings, examples, points and emphasis: what a translation keeps."""
    marks = r"^#+ |^\d\. |^\* |^\*\*(?:Boundary|边界|Example|例|Near miss|容易混淆)"
    english = {"边界": "Boundary", "例": "Example", "容易混淆": "Near miss"}
    found = (mark.strip("*# ") or mark for mark in re.findall(marks, text, re.M))
    return [english.get(mark, mark) for mark in found]


@pytest.mark.parametrize("kind", ["multihop", "multihop-zh", "claims", "household", "shop"])
def test_the_guideline_is_the_same_in_both_languages(kind):
    english, chinese = (rl.label.guideline(kind, lang) for lang in ("en", "zh"))
    assert chinese.version == english.version
    assert list(chinese.modes) == list(english.modes) == list(rl.label.MODES)
    assert list(chinese.words) == list(english.words)
    assert marks_of(chinese.text) == marks_of(english.text)
    names = words_of("zh")
    for mode, told in chinese.modes.items():
        heading = "：".join(filter(None, [names[f"modes.{mode}"], chinese.words.get(mode)]))
        assert f"\n## {heading}\n" in chinese.text
        assert marks_of(told) == marks_of(english.modes[mode])
        ends = [names[f"modes.{m}"] for m in rl.label.MODES if m in english.modes[mode].lower()]
        assert all(name in told for name in ends), mode  # what it is told apart from


def test_what_is_spoken_decides_the_guideline_and_a_label_does_not_tell(tmp_path, monkeypatch):
    monkeypatch.setenv(speech.CHOSEN, "en")
    run = rl.run("cot", TASKS[0], rl.models.scripted(["想一想。\n答案：不知道"]))
    english, seen = rl.label.guideline(), {}
    for lang in ("zh", "en", "zh", "en"):
        rl.speak(lang)
        session = rl.label.Session([run], tmp_path / f"{lang}.jsonl", by="me")
        sent, guide = fixed(session), rl.label.guideline()
        assert [means for _, means in sent["guides"][""]] == list(guide.modes.values())
        assert guided_kinds(session.taxonomy) == ["household", "shop"]
        assert "编造" in guide.modes["hallucination"] if lang == "zh" else guide == english
        words = sent["guides"]["shop"][0][0]
        assert words == {"zh": "买到了想要的", "en": "bought what was meant"}[lang]
        session.label("hallucination")
        (mark,) = session.labelled
        seen[lang] = (mark.label, mark.guideline, sent["modes"], sent["version"])
        assert english.text.strip() in prompt(run, session.taxonomy)  # a judge reads English
    assert seen["zh"] == seen["en"]
    assert rl.label.guideline("shop", "xx") == rl.label.guideline("shop", "en")  # it has none
