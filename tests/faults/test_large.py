"""Every reader and every nasty text, larger than there is time for daily."""

import time
from functools import partial

import pytest
import test_growth as small

from react_lab import label
from react_lab.envs import pages, wiki

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


def test_a_file_of_labels_by_20_000_people_takes_seconds():
    file = small.file_of(small.lines(small.LABEL.replace("me", "p#"), 20_000))
    began = time.thread_time()
    small.quiet(label.merge)(file)
    assert time.thread_time() - began < SOON


def test_a_search_that_is_too_long_says_so():
    seen = wiki.WikiEnv(pages.bundled()).step(f"Search[{'ab ' * 500_000}]")
    assert seen.why == "longer than 2000 characters" and len(seen.text) < 500
