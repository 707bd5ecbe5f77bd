"""One writer per file, whoever opens it and by whatever name; regular files only, and only ours."""

import contextlib
import errno
import importlib.util
import io
import itertools
import multiprocessing
import os
import signal
import socket
import stat
import sys
import threading
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from experiment import WORLD, Player, tasks
from test_store import make
from waiting import PATIENCE, until

import react_lab as rl
from react_lab.evaluation import evaluate
from react_lab.support import files
from react_lab.types import Ask

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="no forks, pipes and modes there")
ASK = Ask("Question: Which sea, number 1?\nThought 1:", leg="react")


# two evaluations of one file
class Waiting(Player):
    """Its first four calls, one per worker, wait until another evaluation begins."""

    def complete(self, ask, on_text=None):
        if not self.log.with_name("second begins").exists():
            if ALL_WORKERS.wait(PATIENCE) == 0:
                self.log.with_name("first asks").touch()
            until(self.log.with_name("second begins").exists)
        return super().complete(ask)


ALL_WORKERS = threading.Barrier(4)


def write(folder, name, first):
    """One of two evaluations: the first one holds the file while the second one begins."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that it waits
        if not first:
            (folder / "second begins").touch()
        model = (Waiting if first else Player)(folder / "calls", 0.001)
        options = {"world": WORLD, "workers": 4, "progress": False}
        return len(evaluate("react", tasks(20), model, folder / name, **options))


def in_thread(*given):
    pool = ThreadPoolExecutor(1)
    found = pool.submit(write, *given)
    pool.shutdown(wait=False)
    return found.result


def in_fork(*given):
    child = os.fork()
    if not child:
        signal.alarm(PATIENCE)
        code = 1
        with contextlib.suppress(BaseException):
            code = int(write(*given) != 20)
        os._exit(code)
    return lambda: 20 if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 else None


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        yield pool


WAYS = ["thread", "fork", "process", "symlink", "hard link"]


def begin(way, folder, first, pool):
    """Start a writer; the result of the call is how many runs it got."""
    if not first:  # no thread of the first one does anything while we fork
        until((folder / "first asks").exists)
    name = "runs.jsonl"
    if way == "symlink":
        name = f"link{first}.jsonl"
        (folder / name).symlink_to(folder / "runs.jsonl")
    if way == "hard link":
        name = f"hard{first}.jsonl"
        (folder / name).hardlink_to(folder / "runs.jsonl")
    if way == "process":
        return pool.submit(write, folder, name, first).result
    return (in_fork if way == "fork" else in_thread)(folder, name, first)


PAIRS = [("thread", way) for way in WAYS] + [(way, "thread") for way in WAYS[1:]]


@POSIX
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.parametrize("first, second", PAIRS)
def test_two_writers_of_one_file_run_and_pay_once(tmp_path, processes, first, second):
    (tmp_path / "runs.jsonl").touch()
    results = [begin(first, tmp_path, True, processes)]
    results.append(begin(second, tmp_path, False, processes))
    assert [result() for result in results] == [20, 20]
    calls = (tmp_path / "calls").read_text(encoding="utf-8").split("\n")[:-1]
    assert len(calls) == len(set(calls)) == 100
    assert len((tmp_path / "runs.jsonl").read_bytes().splitlines()) == 20


@POSIX
@pytest.mark.parametrize("stop", [KeyboardInterrupt, ZeroDivisionError])
def test_the_same_call_again_after_an_interrupt_or_a_bug(tmp_path, stop):
    """Its calls under way go on behind our back; who waits for them may be interrupted, too."""
    first, go = iter([True]), threading.Event()

    def interrupt():
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    class Mine(Player):
        def complete(self, ask, on_text=None):
            found = super().complete(ask)
            if next(first, False):
                if stop is ZeroDivisionError:
                    raise ZeroDivisionError("a bug of mine")
                threading.Timer(0.5, interrupt).start()  # once all threads have begun
            assert go.wait(60)
            return found

    def again():
        model, path = Mine(tmp_path / "calls"), tmp_path / "runs.jsonl"
        return evaluate("react", tasks(6), model, path, world=WORLD, workers=3, progress=False)

    def when_it_waits(do):
        with pytest.warns(UserWarning, match="waiting for its end") as told:
            after = threading.Timer(0.5, do)  # the lock is waited for by then
            threading.Thread(target=lambda: (until(lambda: len(told)), after.start())).start()
            return again()

    with pytest.raises(stop, match="Stopped by hand|a bug of mine"):
        again()
    held = set(files.HELD)
    with pytest.raises(KeyboardInterrupt, match="Stopped by hand"):
        when_it_waits(interrupt)
    assert held == files.HELD  # nothing is held by one who was stopped
    assert len(when_it_waits(go.set)) == 6
    calls = (tmp_path / "calls").read_text(encoding="utf-8").split("\n")[:-1]
    assert len(set(calls)) == 30 and len(calls) == 30 + (stop is ZeroDivisionError)
    assert len((tmp_path / "runs.jsonl").read_bytes().splitlines()) == 6


def test_a_stop_in_the_instant_in_which_a_worker_starts_waits_for_its_call(tmp_path, monkeypatch):
    """Then its pool does not know of the thread, whose call is paid for."""
    go, asked, start = threading.Event(), threading.Event(), threading.Thread.start

    def stopped(thread):
        start(thread)
        if thread.name.startswith("react_lab_"):
            monkeypatch.undo()
            assert asked.wait(60)
            raise KeyboardInterrupt

    class Slow(Player):
        def complete(self, ask, on_text=None):
            asked.set()
            assert go.wait(60)
            return super().complete(ask)

    def again():
        model, path = Slow(tmp_path / "calls"), tmp_path / "runs.jsonl"
        return evaluate("react", tasks(3), model, path, world=WORLD, workers=1, progress=False)

    monkeypatch.setattr(threading.Thread, "start", stopped)
    with pytest.raises(KeyboardInterrupt, match="Stopped by hand"):
        again()
    with pytest.warns(UserWarning, match="waiting for its end") as told:
        threading.Thread(target=lambda: (until(lambda: len(told)), go.set())).start()
        assert len(again()) == 3
    calls = (tmp_path / "calls").read_text(encoding="utf-8").split("\n")[:-1]
    assert len(set(calls)) == len(calls) == 15


# the lock
@POSIX
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_lock_ends_with_its_process_though_a_child_of_it_lives_on(tmp_path):
    """As a kernel that is killed while the workers of its pool still wait for work."""
    path, (lives, says), (ended, end) = tmp_path / "x.jsonl", os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        with files.lock(path):
            if not os.fork():
                os.close(end)
                os.write(says, b"x")
                os.read(ended, 1)  # until the test closes its side, or is gone
                os._exit(0)
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    os.read(lives, 1)

    def stop():
        raise AssertionError("the lock outlives its process")

    try:
        with files.lock(path, stop):
            pass
    finally:
        for number in (lives, says, ended, end):
            os.close(number)


@POSIX
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_does_not_end_the_lock_of_its_parent(tmp_path):
    path = tmp_path / "x.jsonl"
    with contextlib.ExitStack() as stack:
        stack.enter_context(files.lock(path))
        child = os.fork()
        if not child:
            stack.close()
            os._exit(0)
        os.waitpid(child, 0)
        waited = []
        with pytest.raises(ZeroDivisionError), files.lock(path, lambda: waited.append(1 / 0)):
            pass


@POSIX
@pytest.mark.parametrize("change", ["replaced", "deleted"])
def test_who_waited_for_a_file_that_is_gone_gets_the_one_that_is_there(tmp_path, change):
    path = tmp_path / "x.jsonl"
    first = contextlib.ExitStack()
    first.enter_context(files.lock(path))

    def meanwhile():
        if change == "replaced":
            (tmp_path / "other").touch()
            (tmp_path / "other").replace(path)
        else:
            path.unlink()
        first.close()

    def wait():
        raise ZeroDivisionError

    with files.lock(path, meanwhile), pytest.raises(ZeroDivisionError), files.lock(path, wait):
        pass


@POSIX
@pytest.mark.parametrize("code", ["ENOSYS", "ENOLCK", "EOPNOTSUPP", "ENOTSUP", "EINVAL", "EIO"])
def test_a_disk_without_locks_is_told_and_the_work_goes_on(tmp_path, monkeypatch, code):
    def missing(file, how):
        raise OSError(getattr(errno, code), "no locks here")

    monkeypatch.setattr(files.fcntl, "flock", missing)
    with pytest.warns(UserWarning, match="knows no locks .*: let only one program at a time"):
        rl.store.append(tmp_path / "x.jsonl", make())
    assert len(rl.store.open(tmp_path / "x.jsonl")) == 1


def test_on_windows_only_what_another_holds_is_waited_for(tmp_path, monkeypatch):
    """As far as another system can tell: the code for Windows, its lock played."""
    said = [errno.EACCES, errno.EDEADLK, errno.EIO]

    def locking(file, how, size):
        raise OSError(said.pop(0), "as played")

    played = SimpleNamespace(locking=locking, LK_NBLCK=2, LK_UNLCK=0)
    monkeypatch.setitem(sys.modules, "msvcrt", played)
    monkeypatch.setattr(sys, "platform", "win32")
    spec = importlib.util.spec_from_file_location("react_lab.files_there", files.__file__)
    there = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, there)
    spec.loader.exec_module(there)
    monkeypatch.setattr(there.os, "lseek", lambda *_: 0)
    waits = []
    told = pytest.warns(UserWarning, match="knows no locks")
    with told, there.lock(tmp_path / "x", lambda: waits.append(1)):
        assert waits == [1] and not said
        said.append(errno.EIO)  # what lets go fails too


@POSIX
def test_side_files_are_as_open_as_the_runs(tmp_path):
    """Who may go on with the runs of another may read what that one paid for."""
    path = tmp_path / "runs.jsonl"
    path.touch()
    path.chmod(0o666)
    with pytest.warns(UserWarning, match="is spent"):
        options = {"world": WORLD, "budget": {"calls": 3}, "progress": False}
        evaluate("react", tasks(2), Player(), path, **options)
    assert stat.S_IMODE((tmp_path / "runs.jsonl.calls").stat().st_mode) == 0o666


@POSIX
@pytest.mark.parametrize("mode, what", [(0o444, "file"), (0o555, "folder")])
def test_where_you_may_not_write_is_one_sentence_before_any_call(tmp_path, mode, what):
    if not os.geteuid():
        pytest.skip("root may write everywhere")
    path, model = tmp_path / "runs.jsonl", Player()
    if what == "file":
        path.touch()
    (path if what == "file" else tmp_path).chmod(mode)
    with pytest.raises(PermissionError, match="you may not write there: ask its owner"):
        evaluate("react", tasks(2), model, path, world=WORLD, progress=False)
    with pytest.raises(PermissionError, match="you may not write there: ask its owner"):
        rl.models.cached(rl.models.scripted(["x"]), path).complete(ASK)
    tmp_path.chmod(0o755)
    assert not model.asked


def test_a_file_that_another_program_holds_open_is_one_sentence(tmp_path, monkeypatch):
    """On Windows a spreadsheet keeps others from replacing the file that it shows."""
    (tmp_path / "a.csv").write_text("old")

    def replace(self, target):
        raise PermissionError(13, "Access is denied", str(self), 5, str(target))

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(PermissionError, match=r"close it where it is open.*/a\.csv'$"):
        rl.to_csv(rl.frame([make()]), tmp_path / "a.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["a.csv"]


# what is no file, and what is not ours
ONE = {"methods": "react", "tasks": tasks(1), "world": WORLD, "progress": False}
WRITERS = {
    "append": lambda path, model: rl.store.append(path, make()),
    "evaluate": lambda path, model: evaluate(model=model, path=path, **ONE),
    "label": lambda path, model: rl.label.Session([make()], path, by="me").defer(),
    "record": lambda path, model: rl.models.cached(model, path).complete(ASK),
}  # fmt: skip
READERS = {
    "open": lambda path, model: rl.store.open(path),
    "labels": lambda path, model: rl.label.Session([], path.with_name("me"), by="me", gold=path),
    "tasks": lambda path, model: rl.tasks.read(path),
    "pages": lambda path, model: rl.envs.pages.read_pages(path),
    "transcript": lambda path, model: rl.store.read_transcript(path),
    "replay": lambda path, model: rl.models.cached(None, path, "replay").complete(ASK),
}  # fmt: skip


@pytest.fixture
def in_time():
    """A call that never ends is a red test, not a test that never ends."""
    if sys.platform != "win32":

        def stop(*_):
            raise AssertionError("it waits for ever")

        before = signal.signal(signal.SIGALRM, stop)
        signal.alarm(PATIENCE)
        yield
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@POSIX
@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "socket", "link to a pipe"])
@pytest.mark.parametrize("do", [*WRITERS, *READERS])
def test_what_is_no_file_is_refused_in_one_sentence(tmp_path, kind, do):
    path, model = tmp_path / "x.jsonl", Player()
    if (do, kind) == ("pages", "folder"):
        pytest.skip("pages may lie in a folder")
    if kind == "pipe":
        os.mkfifo(path)
    if kind == "link to a pipe":
        os.mkfifo(tmp_path / "pipe")
        path.symlink_to(tmp_path / "pipe")
    if kind == "device":
        path.symlink_to(os.devnull)
    if kind == "folder":
        path.mkdir()
    if kind == "socket":
        if len(str(path)) > 100:
            pytest.skip("a socket's name must be short")
        with socket.socket(socket.AF_UNIX) as unix:
            unix.bind(str(path))
    what = "a folder" if kind == "folder" else "no file"
    with pytest.raises(OSError, match=f"is {what}: give the path of a file"):
        {**WRITERS, **READERS}[do](path, model)
    assert not model.asked


FOREIGN = {
    "notebook": b'{\n "cells": [],\n "nbformat": 4\n}',
    "notebook in a line": b'{"cells": [], "nbformat": 4}',
    "JSON": b'[\n{"id": "x", "task": 1},\n{"id": "y"}\n]\n',
    "JSON lines": b'{"id": "x", "question": "Who?"}\n{"id": "y", "question": "Why?"}\n',
    "a task without a newline": b'{"id": 5, "claim": "So it is."}',
    "text": b"Dear diary,\ntoday",
    "binary": b"\x80\x04\x95\x0c\x00\x00\x00cposix system\x00",
    "picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
}


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("do", WRITERS)
def test_a_file_that_is_not_ours_is_left_as_it_is(tmp_path, do, kind):
    path, model = tmp_path / "x.jsonl", Player()
    path.write_bytes(FOREIGN[kind])
    with warnings.catch_warnings(), pytest.raises((ValueError, rl.types.Halt)) as caught:
        warnings.simplefilter("ignore")
        WRITERS[do](path, model)
    assert "x.jsonl" in str(caught.value) and "\n" not in str(caught.value)
    assert path.read_bytes() == FOREIGN[kind] and not model.asked
    assert [file.name for file in tmp_path.iterdir()] == ["x.jsonl"]


@pytest.mark.filterwarnings("ignore:.*cannot be read")
def test_a_file_of_another_kind_of_ours_is_left_as_it_is(tmp_path):
    ours = {}
    for name, do in WRITERS.items():
        ours[name] = tmp_path / f"{name}.jsonl"
        do(ours[name], Player())
    for (name, path), (other, do) in itertools.product(ours.items(), WRITERS.items()):
        if name != other and {name, other} != {"append", "evaluate"}:
            kept = path.read_bytes()
            with pytest.raises(ValueError):
                do(path, Player())
            assert path.read_bytes() == kept


@pytest.mark.parametrize("do", ["append", "evaluate", "label"])
def test_what_a_crash_left_of_the_very_first_line_is_put_aside(tmp_path, do):
    path = tmp_path / "x.jsonl"
    WRITERS[do](path, Player())
    line = path.read_bytes().partition(b"\n")[0]
    for size in (1, 5, 9, len(line) // 2, len(line) - 1, len(line)):
        path.write_bytes(line[:size])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            WRITERS[do](path, Player())
        assert (tmp_path / "x.jsonl.torn").read_bytes().split(b"\n")[-2] == line[:size]


EXPORTS = {  # what writes a file anew, each over one that is there
    "a.csv": lambda at: rl.to_csv(rl.frame(make(1)), at),
    "a.html": lambda at: rl.widgets.player(make(1)).save(at),
    "a.eval": lambda at: rl.store.to_inspect(at, [make(i) for i in range(99)]),
    "README.md": lambda at: rl.store.to_dataset(at.parent, [make(i) for i in range(99)]),
    "labels.csv": lambda at: rl.label.export([rl.label.Mark("me", "r", "d", note="x" * 999)], at),
    "a.png": lambda at: rl.plots.grid(rl.frame(make(1)).assign(correct=True)).save(at),
    "a.jsonl": lambda at: rl.finetune.write_openai([rl.finetune.training_line(make(1), "react")], at, "react"),
}  # fmt: skip


@POSIX
@pytest.mark.parametrize("name", EXPORTS)
def test_on_a_full_disk_the_file_that_was_there_stays_as_it_was(tmp_path, name, monkeypatch):
    import resource

    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # of what is imported meanwhile
    path, most = tmp_path / name, resource.getrlimit(resource.RLIMIT_FSIZE)
    path.write_text(old := "---\nconfigs: the old one")
    path.chmod(0o640)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (99, most[1]))  # no file can be longer
        with pytest.raises(OSError):
            EXPORTS[name](path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [(name, old)]
    EXPORTS[name](path)
    assert path.stat().st_size > 99 and stat.S_IMODE(path.stat().st_mode) == 0o640


SLIPS = [(name, "append") for name in EXPORTS] + [("a.csv", do) for do in [*WRITERS][1:]]


@pytest.mark.parametrize("name, do", SLIPS)
def test_no_export_takes_the_place_of_runs_or_labels(tmp_path, name, do):
    """A slip of the name, and paid runs were gone, or somebody's own README."""
    path = tmp_path / ("runs.jsonl" if name == "README.md" else name)
    WRITERS[do](path, Player())
    kept = path.read_bytes()
    with pytest.raises(FileExistsError, match="it is left as it is; give another path"):
        EXPORTS[name](tmp_path / name)
    assert path.read_bytes() == kept and [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("first", [b"", b"# mine", b'{"id": "torn', b"[1]", b"{}", b"\xff"])
def test_nor_of_those_whose_first_line_is_damaged(tmp_path, first):
    path = tmp_path / "a.jsonl"
    rl.store.append(path, make(0))
    path.write_bytes(kept := first + b"\n" + path.read_bytes())
    with pytest.raises(FileExistsError, match="it is left as it is; give another path"):
        rl.store.to_openai(path, make(1))
    with pytest.raises(ValueError, match="a log of Inspect ends with .eval"):
        rl.store.to_inspect(path, make(1))
    assert path.read_bytes() == kept


def test_a_dataset_goes_where_no_other_readme_is(tmp_path):
    (tmp_path / "README.md").write_text("My thesis")
    with pytest.raises(FileExistsError, match="is none of ours: give a folder of its own"):
        rl.store.to_dataset(tmp_path, make(1))
    for runs in (make(1), [make(1), make(2)]):  # its own it may write anew
        folder = rl.store.to_dataset(tmp_path / "set", runs)
    assert len((folder / "runs.jsonl").read_text().splitlines()) == 2
    with pytest.raises(OSError, match="is a folder: give the path of a file"):
        rl.to_csv(rl.frame(make(1)), tmp_path)


def test_an_export_holds_what_a_file_of_runs_can(tmp_path):
    """An id too long for a zip was a struct.error; half a character left a folder half written."""
    run = make(1)
    long = replace(run, task=replace(run.task, id="x" * 70_000))
    with pytest.raises(ValueError, match="its id has more than 500 characters"):
        rl.store.to_inspect(tmp_path / "a.eval", long)
    folder = rl.store.to_dataset(tmp_path / "set", replace(run, method="m\ud800"))
    assert "Methods: m?." in (folder / "README.md").read_text(encoding="utf-8")
    assert [*tmp_path.iterdir()] == [folder] and "ud800" not in (folder / "runs.jsonl").read_text()


def test_a_page_goes_below_the_home_folder(tmp_path, monkeypatch):
    """`~` was a folder of that name."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert rl.widgets.player(make(1)).save("~/a.html").parent == tmp_path


@POSIX
def test_an_export_goes_through_a_link_and_to_a_pipe(tmp_path):
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    rl.to_csv(rl.frame(make(1)), tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink() and (tmp_path / "real.csv").stat().st_size
    rl.to_csv(rl.frame(make(1)), os.devnull)
    assert not Path(os.devnull).is_file()


@POSIX
def test_a_planted_link_is_not_followed(tmp_path):
    """In a shared folder somebody has put a link where we keep what belongs to a file."""
    path, theirs = tmp_path / "runs.jsonl", tmp_path / "theirs"
    rl.store.append(path, make(1))
    theirs.write_text("theirs")
    (tmp_path / "runs.jsonl.torn").symlink_to(theirs)
    with path.open("ab") as file:
        file.write(b'{"id": "torn')
    with pytest.raises(OSError, match="runs.jsonl.torn is a link"):
        rl.store.append(path, make(2))
    assert theirs.read_text() == "theirs" and path.read_bytes().endswith(b"torn")


def test_a_warning_that_raises_loses_no_run(tmp_path):
    """Python -W error: first on the disk, then the word about the torn line."""
    path = tmp_path / "x.jsonl"
    rl.store.append(path, make(1))
    with path.open("ab") as file:
        file.write(b'{"id": "torn')
    with pytest.raises(UserWarning, match="torn"):
        rl.store.append(path, make(2))
    assert [run.task.id for run in rl.store.open(path)] == ["t1", "t2"]


# where the bar is drawn
class Full(io.StringIO):
    """A terminal that takes so many writes."""

    left, encoding = 0, "utf-8"

    def isatty(self):
        return True

    def write(self, text):
        self.left -= 1
        if self.left < 0:
            raise OSError(28, "full")
        return len(text)


@pytest.mark.parametrize("left", [0, 1, 2, 5, 9, None, "closed"])
def test_a_bar_that_cannot_be_drawn_stops_nothing(tmp_path, monkeypatch, left):
    stream = left if left is None else Full()
    if left == "closed":
        stream.close()
    elif stream:
        stream.left = left
    monkeypatch.setattr(sys, "stderr", stream)
    model = Player()
    runs = evaluate("react", tasks(5), model, tmp_path / "x.jsonl", world=WORLD)
    assert len(runs) == 5 and len(model.asked) == 25
