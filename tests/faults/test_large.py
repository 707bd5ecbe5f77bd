"""Every reader, every nasty text, and the sizes that once took minutes: larger than there is time for daily."""

import json
import time
from functools import partial

import pytest
import test_growth as small

from react_lab import label, store, types
from react_lab.envs import pages, wiki
from react_lab.models import answers, faults

pytestmark = [pytest.mark.faults, pytest.mark.filterwarnings("ignore")]
NOTHING = 0.02  # seconds: less than that is no time, however it grew
SOON = 5  # seconds of CPU; what grows as a square takes 40 and more


def seconds(do, given):
    """Of this thread: the least of some tries, for whatever else is going on costs more."""
    found = []
    for _ in range(3):
        began = time.thread_time()
        do(given)
        found.append(time.thread_time() - began)
    return min(found)


def slow(do, make, n):
    """Is it out of proportion, three times?"""
    return all(small.growth(do, make, n, seconds, NOTHING) for _ in range(3))


@pytest.mark.parametrize("name", small.TEXT)
def test_what_reads_a_text_grows_in_proportion(name):
    do = small.quiet(small.TEXT[name])
    assert not [of for of in small.PIECES if slow(do, partial(small.text, of), 8_000)]


@pytest.mark.parametrize("name", small.RECORDS)
def test_what_reads_records_grows_in_proportion(name):
    do, make, n = small.RECORDS[name]
    assert not slow(do, make, 4 * n)


def labels_and_undos():
    """A file of 380 kB: labels of one run, and their undoing."""
    do, make, _ = small.RECORDS["labels undone"]
    path = make(2_000)
    assert path.stat().st_size > 200_000
    return do(path)


def page_of_quotes():
    book = pages.Encyclopedia([{"title": "Q", "text": "(\"'" * 333_333}])
    return wiki.WikiEnv(book).step("Search[Q]")


def searched(text):
    return wiki.WikiEnv(pages.bundled()).step(f"Search[{text}]")


LARGE = {
    "160 kB of < in an error message": lambda: faults.message_in("<" * 160_000),
    "20,000 streamed pieces of thoughts": lambda: answers.gathered([(small.BODY % json.dumps({"content": "<think>"})).encode()] * 20_000, len),
    "labels and undos in a label file": labels_and_undos,
    "a search of 500,000 words": lambda: searched("ab " * 500_000),
    "a search of 400,000 combining marks": lambda: searched("\u0301\u0316" * 200_000),
    "a page of a million quotation marks": page_of_quotes,
    "a page of a million guillemets": lambda: wiki.sentences("«" * 1_000_000),
    "a disambiguation of 100,000 nested items": lambda: small.live_wiki("a", "<li>" * 100_000).search("T"),
    "a transcript of 20,000 thoughts without acts": lambda: store.read_transcript(small.file_of("1 Claim: a\n" + "Thought 1: a\n" * 20_000 + small.SCORES, ".txt")),
    "a file of labels by 20,000 people": lambda: repr(label.merge(small.file_of(small.lines(small.LABEL.replace("me", "p#"), 20_000)))),
}  # fmt: skip


@pytest.mark.parametrize("found", LARGE)
def test_what_once_took_minutes_takes_seconds(found):
    began = time.thread_time()
    small.quiet(lambda large: large())(LARGE[found])
    assert time.thread_time() - began < SOON


def test_a_search_that_is_too_long_says_so():
    seen = searched("ab " * 500_000)
    assert seen.why == "longer than 2000 characters" and len(seen.text) < 500
    assert isinstance(seen, types.Seen)
