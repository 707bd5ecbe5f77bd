"""The unmodified package `wikipedia` beside ours, on the same real wiki."""

import pytest

from react_lab.envs.live import LiveWikipedia

pytestmark = pytest.mark.mediawiki
CONTACT = "teacher@example.org"


@pytest.fixture(scope="module")
def package(wiki, plain):
    return plain(wiki)


@pytest.fixture(scope="module")
def ours(package):
    return LiveWikipedia(CONTACT, api_url=package.API_URL, interval=0)


@pytest.mark.parametrize("title", [
    "Kale", "Plato", "Albert Einstein", "Albert_Einstein", "Plato#Life", "kale", "São Paulo", "Beyoncé", "清华大学", "AC/DC", "C++",
    "Empty page", "Einstein", "A. Einstein", "In Ulm",  # a redirect, a double one, one to a section
], ids=ascii)  # fmt: skip
def test_the_same_page(package, ours, title):
    page = package.page(title, auto_suggest=False)
    assert page.content == ours.get(title)
    edition = ours.edition(title)
    assert (page.title, page.revision_id) == (edition.title, edition.revision)


@pytest.mark.filterwarnings("ignore:No parser was explicitly specified")  # the package's own
@pytest.mark.parametrize("title", ["Mercury", "mercury", "Hermes", "Chain 0"])
def test_the_same_meanings(package, ours, title):
    with pytest.raises(package.DisambiguationError) as several:
        package.page(title, auto_suggest=False)
    assert ours.get(title) is None
    most = len(several.value.options)
    assert ours.search(title, most) == several.value.options


@pytest.mark.parametrize("words", ["physicist", "Sydney", "zzz"])
def test_the_same_search(package, ours, words):
    assert package.search(words, results=5) == ours.search(words, 5)
