"""The bundled encyclopedia as a real wiki: the world sees the same pages there."""

import pytest

import react_lab as rl
from react_lab.envs.live import LiveWikipedia
from react_lab.envs.pages import bundled
from react_lab.envs.wiki import WikiEnv
from react_lab.finetune import demonstration

pytestmark = pytest.mark.mediawiki


@pytest.fixture(scope="module")
def pages(encyclopedia):
    """Over SQLite a search of many words may take half a minute."""
    settings = {"interval": 0, "timeout": (3, 120), "deadline": 120}
    return LiveWikipedia("teacher@example.org", api_url=encyclopedia.api, **settings)


def test_gold_acts_see_the_same_pages(pages):
    """100 gold trajectories, act by act: all pages, all results of a lookup, all meanings.

    Only similar titles may differ, where no page was found: MediaWiki's search over SQLite wants
    every word of a query ("Belgium history" has nothing), counts aliases as pages of their own and
    orders by title; ours takes any word, knows pages only, and orders by how well they fit.
    """
    differ, equal = {}, 0
    for task in [
        *rl.tasks.load("multihop", "train", n=50),
        *rl.tasks.load("claims", "train", n=50),
    ]:
        ours, theirs = WikiEnv(bundled()), WikiEnv(pages)
        for act in filter(None, (step.action for step in demonstration(task).steps)):
            seen = ours.step(act), theirs.step(act)
            assert seen[0].outcome == seen[1].outcome
            same = seen[0].text == seen[1].text
            equal, differ = equal + same, differ | ({} if same else {act: seen})
    assert equal > 300
    for act, seen in differ.items():
        entity = act.removeprefix("Search[").removesuffix("]")
        meanings = str(list(bundled().row(entity).get("options", ())))[1:-1]
        start = f"Could not find {entity}. Similar: [{meanings}"
        assert all(each.text.startswith(start) for each in seen)
