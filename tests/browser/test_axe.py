"""axe-core on every widget: nothing that shuts somebody out, in the light and in the dark."""

import pytest
from conftest import Opened, put_notebook
from nbformat.v4 import new_code_cell
from shut_out import grave
from test_player_in_lab import question

from react_lab.widgets import player

pytestmark = pytest.mark.browser
THEMES = ["Dark", "Light"]  # light last: JupyterLab remembers it
RUNS = """\
from tempfile import mkdtemp

import react_lab as rl
from react_lab.lessons import lesson_03, lesson_05
task = rl.tasks.load('multihop', 'demo')[0]
texts = [' I need Copenhagen.\\nAction 1: Search[Copenhagen]', ' Copenhagen is the capital of Denmark.\\nAction 2: Lookup[hafnium]', ' So it is.\\nAction 3: Finish[hafnium]']
def one():
    return rl.run('react', task, rl.models.scripted(texts))
game = rl.tasks.load('household', 'old')[2]
from house.oracle import play
def played():
    return play(game, rl.envs.Household()(game), 'react', stray=0.2)
"""
LESSON = """\
from react_lab.teach import Exercise, Lesson, Question
hard = Exercise('Shout.', lambda answer: None if answer == 'A' else 'Louder.', 'str.upper', ('It is upper.',))
lesson = Lesson('t', {'1.1': hard}, [Question('2 + 2?', (('3', False, 'too few'), ('4', True, 'just so')))])
"""
# name -> its element, the cell that shows it, the keys pressed and the buttons clicked before the look
OUT = ".jp-OutputArea-output"
WIDGETS = {
    "player": (".rlp-player", "rl.widgets.player(one(), model=rl.models.scripted(texts))", "End k ? ArrowLeft e", ()),
    "player_of_two": (".rlp-player", "rl.widgets.player(rl.resume(rl.rethink(one(), at=2, thought='No.'), rl.models.scripted(texts[2:])), one())", "End t +", ()),
    "player_of_a_game": (".rlp-player", "rl.widgets.player(played())", "End", ()),
    "explorer": (".rl-explorer", "rl.widgets.explorer([one(), played()] * 20)", "", ("Space Tick", "l Label the 1 ticked…")),
    "explorer_open": (".rl-explorer", "rl.widgets.explorer([one(), played()] * 20)", "", ("Enter Open",)),
    "labeller": (".rl-labeller", "rl.Labeller([one()] * 3, mkdtemp() + '/one.jsonl', by='me')", "? t e s 1", ()),
    "labeller_of_games": (".rl-labeller", "rl.Labeller([played()] * 3, 'games.jsonl', by='me')", "? t e /", ()),
    "console": (".rl-console", "rl.widgets.Console(game)", "", ("go to countertop 1", "Larger map")),
    "predict": (OUT, "lesson.predict('p', 'Which?', options=['fewer', 'more'])", "", ("1. fewer",)),
    "exercise": (OUT, "lesson.exercise('1.1')", "", ()),
    "check": (OUT, "lesson.check('1.1', 'b')", "", ()),
    "help": (OUT, "lesson.help('1.1')", "", ("Hint", "Solution")),
    "quiz": (OUT, "lesson.quiz()", "", ("2. 4",)),
    "report": (OUT, "lesson.report('me', mkdtemp() + '/report.json')", "", ()),
    "switches": (OUT, "rl.widgets.prompt_switches()", "", ("thoughts: on",)),
    "explorer_plot": (".jp-OutputArea-output", "table = rl.widgets.explorer([one()]); table.plot(); table", "", ()),
    "shuffle": (OUT, "lesson_03.settling(rl.frame([one(), rl.run('cot', task, rl.models.scripted([' It is.\\nAnswer: hafnium']))]))", "", ()),
    "sliders": (OUT, "lesson_05.combinations([one(), rl.run('cot-sc', task, rl.models.scripted([' It is.\\nAnswer: hafnium'] * 3), n=3)]).sliders()", "", ()),
    "show": (OUT, "rl.show(one())", "", ()),
    "show_several": (OUT, "rl.show([one(), rl.run('act', task, rl.models.scripted([' Finish[no]']))])", "", ()),
}  # fmt: skip
NAMES = list(WIDGETS)


@pytest.fixture(scope="module")
def all_of_them(browser, lab):
    """One notebook with every widget in it, each used a little."""
    shows = (show for _, show, _, _ in WIDGETS.values())
    cells = [*map(new_code_cell, (RUNS + LESSON, *shows))]
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    book = Opened(lab, context.new_page(), put_notebook(lab, "axe.ipynb", cells))
    book.run_all(300)
    for name in NAMES:
        _, _, keys, clicks = WIDGETS[name]
        root = its_element(book, name)
        if keys:
            root.focus()
        for key in keys.split():
            book.page.keyboard.press(key)
        for words in clicks:
            root.get_by_role("button", name=words, exact=True).click()
    yield book
    context.close()


@pytest.fixture(scope="module", params=THEMES)
def theme(request, all_of_them):
    page, name = all_of_them.page, request.param
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    page.locator(".lm-Menu-item[data-type='submenu']", has_text="Theme").first.hover()
    page.locator(".lm-Menu-item", has_text=f"JupyterLab {name}").first.click()
    light = "true" if name == "Light" else "false"
    page.locator(f"body[data-jp-theme-light='{light}']").wait_for(state="attached")
    return name


def its_element(book, name):
    """The widget in sight: JupyterLab keeps no more than that in the page."""
    cell = book.page.locator(".jp-CodeCell").nth(NAMES.index(name) + 1)
    cell.scroll_into_view_if_needed()
    root = cell.locator(WIDGETS[name][0]).last
    root.wait_for()
    return root


@pytest.mark.parametrize("name", NAMES)
def test_a_widget_in_jupyterlab(all_of_them, theme, name):
    """Our element alone: the rest of JupyterLab is not ours."""
    root = its_element(all_of_them, name)
    root.evaluate("node => { node.id = node.id || 'looked-at'; }")
    all_of_them.screenshot(f"axe_{name}_{theme.lower()}")
    found = grave(all_of_them.page, f"#{root.get_attribute('id')}")
    root.evaluate("node => { if (node.id === 'looked-at') node.removeAttribute('id'); }")
    assert found == []


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_players_page(browser, tmp_path, scheme):
    context = browser.new_context(color_scheme=scheme, offline=True)
    page = context.new_page()
    page.goto(player(question(), question()).save(tmp_path / "run.html").as_uri())
    for key in ("End", "k", "?", "t"):
        page.keyboard.press(key)
    found = grave(page)
    page.get_by_text("The runs in words").click()
    found += grave(page)
    context.close()
    assert found == []
