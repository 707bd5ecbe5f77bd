"""Chinese, in simplified characters: all that the code has to know of it.

Full-width and half-width marks are the same to the reader: `行动１：搜索［长城］` and
`行动 1: 搜索[长城]`. A step keeps its act with half-width brackets, as in every language.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterator

from ..types import Action, split_act
from .language import Language

HEADINGS = {"思考": "Thought", "行动": "Action", "观察": "Observation", "问题": "Question"}
ANSWERS = {"答案": "Answer", "最终答案": "Answer"}
ACTS = (
    Action("搜索［词条］", "找到这个标题的词条，给出前五句；如果没有，就给出最多五个相近的标题"),
    Action("查找［词语］", "给出最近找到的词条里下一个含有这个词语的句子"),
    Action("完成［答案］", "给出答案，任务结束"),
)
TURNS = {
    "react": "轮流写：思考，行动，然后是观察。"
    "思考说明已经知道什么、下一步做什么。行动是下列之一：{acts}。",
    "act": "轮流写：行动，然后是观察。行动是下列之一：{acts}。",
}
WIDE = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x3000: " "}  # full width
SQUARE = str.maketrans("［］", "[]")
LENSES = str.maketrans("［］【】", "[][]")
BEGINS = r"^[ \t\u3000>*#]{0,8}"
TURN = re.compile(
    rf"{BEGINS}({'|'.join(HEADINGS)}|thought|action|observation|question)"
    r"[ \t\u3000]{0,2}(\d{0,4})[ \t\u3000]{0,2}([*]{0,2})[：:]",
    re.M | re.I,
)
ANSWER = re.compile(
    rf"{BEGINS}({'|'.join(ANSWERS)}|answer)[ \t\u3000]{{0,2}}([*]{{0,2}})[：:]", re.M | re.I
)
ACT = re.compile(
    r"^((?:action ?\d{0,4}:[*]{0,2}[ \t\u3000`\"'“]{0,8}[^\W\d_]{1,20})"
    r"|[ \t\u3000`*\"'“]{0,8}(?:搜索|查找|完成))[ \t\u3000]?([\[［【].*)",
    re.M | re.I,
)

ENDS = "。！？；!?\n"
QUOTED = "|".join(f"{a}[^{a}{b}]{{0,200}}{b}" for a, b in ("“”", "（）", "《》", "「」", "『』"))
PIECE = re.compile(rf"{QUOTED}|[{ENDS}]+|[^“（《「『{ENDS}]+|.", re.S)


def turns(text: str) -> str:
    """Headings as in English, acts with half-width brackets; all other text as it was written.

    >>> turns("想一想【注】\\n行动１：搜索［长城］")
    '想一想【注】\\nAction 1:搜索[长城]'
    """
    return ACT.sub(lambda line: line[1] + half(line[2]), TURN.sub(heading, text))


def heading(mark: re.Match[str]) -> str:
    name = HEADINGS.get(mark[1], mark[1])
    number = mark[2].translate(WIDE)
    return f"{name} {number}:{mark[3]}" if number else f"{name}:{mark[3]}"


def answers(text: str) -> str:
    """Headings as in English, that of the answer too."""
    return ANSWER.sub(lambda mark: f"Answer:{mark[2]}", turns(text))


def half(brackets: str) -> str:
    """Half-width brackets; those of the kind 【】 only where the act begins with one."""
    return brackets.translate(LENSES if brackets[0] == "【" else SQUARE)


def act(text: str) -> str:
    """An act, however it was typed, with half-width brackets."""
    at = re.search(r"[ \t\u3000]?[\[［【]", text[:40])
    return text[: at.start()].strip() + half(text[at.end() - 1 :]) if at else text


def show_act(act: str) -> str:
    """An act with full-width brackets, as it stands in a transcript."""
    parts = split_act(act)
    return f"{parts[0]}［{parts[1]}］" if parts else act


def fold(text: str) -> str:
    """Full-width letters and digits like half-width ones, no case."""
    return text.translate(WIDE).lower()


def sentences(text: str) -> Iterator[str]:
    """Sentences end with 。！？ or ；, not inside quotation marks unless these end with them.

    >>> list(sentences("他问：“谁？”没人答；他走了。1519年，他回来了（又走了。）吗？"))
    ['他问：“谁？”', '没人答；', '他走了。', '1519年，他回来了（又走了。）吗？']
    """
    start = 0
    for piece in PIECE.finditer(text):
        last = piece[0].rstrip("”」』")
        if piece[0][0] in ENDS or (last != piece[0] and last[-1:] in ENDS):
            yield text[start : piece.end()]
            start = piece.end()
    if start < len(text):
        yield text[start:]


def normalise(answer: str) -> str:
    """An answer as it is compared: no full-width forms, no spaces, no marks, no case.

    >>> normalise("《红楼梦》 。"), normalise("１９５３ 年")
    ('红楼梦', '1953年')
    """
    kept = (c for c in fold(answer) if not (c.isspace() or c in string.punctuation))
    return "".join(c for c in kept if not unicodedata.category(c).startswith("P"))


def words(text: str) -> list[str]:
    """Characters; a number or a word in Latin letters is one."""
    return re.findall(r"[a-z0-9]+|[^a-z0-9]", text)


CHINESE = Language(
    code="zh", thought="思考", action="行动", observation="观察", answer="答案",
    openers=("问题",), colon="：", space="", listed="（{k}）{usage}：{effect}", between="；",
    turns_told=TURNS, acts=ACTS,
    missing="找不到“{entity}”。相近的词条：{similar}。",
    result="（第 {at} 条，共 {found} 条）{sentence}",
    nothing="没有更多结果。",
    invalid="无效的行动：{act}。请用下列之一：{acts}。",
    comma="、", closed=("是", "否"),
    turns=turns, answers=answers, act=act, show_act=show_act, fold=fold, sentences=sentences,
    normalise=normalise, words=words,
)  # fmt: skip
