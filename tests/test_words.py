"""The files of words: the same keys, each in use, nothing said beside them, text only."""

import ast
import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from test_display import PAYLOADS

import react_lab as rl
from react_lab.languages import say, speak, speech, spoken, word
from react_lab.types import Task, Trajectory
from react_lab.widgets import widget_model as scripts

HOUSE = Path(rl.__file__).parent
LANGUAGES = sorted(path.stem for path in speech.FOLDER.glob("*.toml"))
SCRIPTS = sorted((HOUSE / "widgets").glob("*.js"))
ROOMS = (".", "display", "widgets", "teach", "label", "lessons")
SPEAKS = [path for room in ROOMS for path in (HOUSE / room).glob("*.py")]
WIDGETS = ("player", "explorer", "labeller", "console")


@pytest.fixture(autouse=True)
def english():
    """Whatever a test speaks, the next one hears English."""
    yield
    os.environ.pop(speech.CHOSEN, None)


def own(lang):
    """What stands in the file of a language itself."""
    text = (speech.FOLDER / f"{lang}.toml").read_text(encoding="utf-8")
    return dict(speech.flat(tomllib.loads(text)))


def forms(words):
    return words if isinstance(words, list) else [words]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_keys_and_places(lang):
    english, theirs = own("en"), own(lang)
    assert theirs.keys() == english.keys()
    for key, words in theirs.items():
        wanted = {place for one in forms(english[key]) for place in speech.PLACE.findall(one)}
        for one in forms(words):
            assert set(speech.PLACE.findall(one)) == wanted, key
            assert not re.search(r"[{}<>&]", speech.PLACE.sub("", one)), key


def test_chinese_says_nothing_in_english():
    same = {"show.of", "explorer.columns.number", "parts.numbered"}
    english, chinese = own("en"), own("zh")
    alike = {key for key in english if chinese[key] == english[key]} - same
    bare = {key: speech.PLACE.sub("", str(english[key])) for key in alike}
    assert not [key for key, words in bare.items() if re.search(r"[a-z]{2}", words)]


# ---------------------------------------------------------------------- each is said somewhere
def asked_for():
    """The keys that the code names: whole, or as `table.` where the rest is found as it runs."""
    for path in SCRIPTS:
        text, name = path.read_text(encoding="utf-8"), path.stem.removesuffix("_drawn")
        for found in re.findall(r"""["`]([\w.]+)(?=["`]|\.\$\{|\$\{)""", text):
            yield from (found.removesuffix("."), f"{name}.{found}".removesuffix("."))
    for path in SPEAKS:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value.removesuffix(".")


def test_no_word_is_unused_and_every_key_that_is_asked_for_is_there():
    named = set(asked_for())
    unused = [key for key in own("en") if key not in named and key.rpartition(".")[0] not in named]
    assert not unused
    # `say("...")` in Python, `t("...")` in a script.
    there = own("en").keys()
    for path in SPEAKS:
        text = path.read_text(encoding="utf-8")
        keys = re.findall(r'\bsay\(\s*"([\w.]+)"', text)
        assert set(keys) <= there, path.name
    for path in SCRIPTS:
        name = path.stem.removesuffix("_drawn")
        for key in re.findall(r'\bt\("([\w.]+)"', path.read_text(encoding="utf-8")):
            assert key in there or f"{name}.{key}" in there, (path.name, key)


# ---------------------------------------------------------------------- nothing is said beside them
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`')
SENTENCE = re.compile(r"[A-Za-z]{2,}[,.;:]? +[A-Za-z]{2,}|^ *[A-Z][a-z]{2,}\b")
SHOWN = re.compile(
    r"(?:textContent|placeholder|title|alt) = ([^;]*)|aria-(?:label|valuetext)\", ([^;]*)"
    r"|make\(\"\w+\", (?:null|[^,]*), ([^;]*)"
)
KEYS = {"Home", "End", "Esc", "Space", "Enter", "Shift", "Home End", "Ctrl"}


def literals(code):
    """Words between quotes in code; of a template, what stands between its values."""
    for found in STRING.findall(code):
        yield from re.split(r"\$\{[^}]*\}", found[1:-1])


def said_in(text):
    """English where a reader sees or hears it."""
    text = re.sub(r"//[^\n]*", "", text)
    for groups in SHOWN.findall(text):
        for code in groups:
            code = re.sub(r'\b(?:t|word)\((?:`[^`]*`|"[^"]*")', "", code)
            code = re.sub(r'make\("\w+", (?:"[^"]*"|`[^`]*`)', "", code)  # its classes
            yield from (s for s in literals(code) if SENTENCE.search(s) and s.strip() not in KEYS)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_says_nothing_of_its_own_has_no_outside_and_writes_no_markup(path):
    text = path.read_text(encoding="utf-8")
    assert list(said_in(text)) == []
    assert not re.search(r"https?:|//[a-z]|@import|url\(|import ", text)
    makes = r"innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\("
    assert not re.search(makes, text)
    assert len(text.splitlines()) < 400


# ---------------------------------------------------------------------- how they are said
def test_a_language_is_chosen_by_one_name_and_english_is_what_there_always_is(monkeypatch):
    assert say("parts.thought") == "Thought"
    assert say("labeller.steps", n=1) == "1 step"
    assert say("labeller.steps", n=12_345) == "12,345 steps"
    rl.speak("zh")
    assert (spoken(), say("parts.thought")) == ("zh", "思考")
    with pytest.raises(ValueError, match=r"no words in 'xx'; there are: en, zh"):
        rl.speak("xx")
    for strange in ("../en", "xx", ""):
        monkeypatch.setenv(speech.CHOSEN, strange)
        assert spoken() == "en"


def test_what_a_language_lacks_is_said_in_english(tmp_path, monkeypatch):
    (tmp_path / "en.toml").write_text('[a]\nb = "B"\nc = "C"\n', encoding="utf-8")
    (tmp_path / "xx.toml").write_text('[a]\nb = "X"\n', encoding="utf-8")
    monkeypatch.setattr(speech, "FOLDER", tmp_path)
    speech.words_of.cache_clear(), speech.there_are.cache_clear()
    try:
        speak("xx")
        assert (say("a.b"), say("a.c")) == ("X", "C")
    finally:
        speech.words_of.cache_clear(), speech.there_are.cache_clear()


@pytest.mark.parametrize("payload", [*PAYLOADS, "{n}", "{name}{value}", "$&", "\\g<0>"])
def test_a_value_is_put_in_as_it_is_and_never_read_again(payload):
    assert say("parts.pair", name=payload, value="x") == f"{payload}: x"
    assert word("parts", payload) == payload
    run = Trajectory("a", Task("t", "multihop", payload), "react", "m", end=payload)
    assert rl.show(run).text.count("Method: ") <= 1


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", WIDGETS)
def test_a_script_is_one_module_that_holds_its_words_and_no_tag(name, lang):
    speak(lang)
    text = scripts.script(name)
    first = text.partition("\n")[0]
    assert json.dumps(own(lang)[f"{name}.name"]) in first and "<" not in first
    assert text.count("export default") == 1 and "import " not in re.sub(r"//[^\n]*", "", text)
    assert scripts.style(name)


NODE = """
const out = [];
for (const given of JSON.parse(process.argv[2])) out.push(t("parts.pair", { name: given, value: "x" }), word("parts", given), word("parts", "__proto__"));
out.push(t("parts.show_all", { n: 1 }), t("parts.show_all", { n: 12345 }));
console.log(JSON.stringify(out));
"""


@pytest.mark.skipif(not shutil.which("node"), reason="there is no node here")
def test_a_script_says_what_python_says(tmp_path):
    file = tmp_path / "said.mjs"
    shared = (HOUSE / "widgets" / "shared.js").read_text(encoding="utf-8")
    file.write_text(scripts.words("player") + shared + NODE, encoding="utf-8")
    texts = ["{n}", "$&", "<b>", "constructor"]
    command = ["node", str(file), json.dumps(texts)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    wanted = [w for x in texts for w in (f"{x}: x", x, "__proto__")]
    wanted += [say("parts.show_all", n=n) for n in (1, 12345)]
    assert json.loads(done.stdout) == wanted
