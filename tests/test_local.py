"""The bundled model, live: a real server in a child process, real weights, real adapters."""

import os
import pickle
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from waiting import running, until

import react_lab as rl
from react_lab.models import llama, serve, weights
from react_lab.models.answers import tokens_in
from react_lab.prompts import exemplar_text
from react_lab.support.text import tokens
from react_lab.types import Ask, ContextLimit, ModelError

pytestmark = pytest.mark.skipif(
    not (weights.cache() / weights.SIZES["135m"].file).exists(),
    reason="run `python -m react_lab fetch` first",
)
BORN = "Question: Where was the author of Jane Eyre born?\nThought 1:"
SAY = Ask(BORN, leg="react", max_tokens=8)


@pytest.fixture(scope="module")
def model():
    return rl.models.local()


@pytest.mark.long
def test_episodes_of_the_tuned_model(model):
    """It finishes some of them and finds pages: on another processor letters may differ."""
    runs = [rl.run("react", task, model) for task in rl.tasks.load("multihop", "dev", n=4)]
    assert any(run.end == "finished" for run in runs)
    seen = [[step.observation or "" for step in run.steps] for run in runs]
    assert sum(any(len(text) > 200 for text in texts) for texts in seen) >= 3
    assert all(run.settings["bare"] == ["react"] and run.tokens_out for run in runs)


def test_the_plain_model_is_another_and_shares_the_server(model):
    plain = rl.models.local(adapter=None)
    assert plain.tuned == frozenset() and model.tuned == {*rl.kinds.LEGS}
    assert plain.complete(SAY)[0].text != model.complete(SAY)[0].text
    assert plain._child().pid == model._child().pid


def test_21_samples_are_asked_at_once_and_each_is_counted(model):
    ask = Ask("Question: Who?\nThought:", ("\n",), 0.7, tuple(range(21)), 8, leg="cot")
    replies = model.complete(ask).values()
    assert len(replies) == 21 and len({reply.text for reply in replies}) > 5
    assert all(0 < reply.tokens_out <= 9 for reply in replies)


@pytest.mark.long
def test_no_adapter_goes_on_from_what_another_has_read(model):
    """llama.cpp's store of prompts goes by the text alone: what CoT read was given to Standard."""
    claims = [f"Claim: {task.text}\nAnswer:" for task in rl.tasks.load("claims", "dev", n=3)]
    asks = [Ask(claim, ("\n",), max_tokens=8, leg="standard") for claim in claims]
    first = [model.complete(ask)[0].text for ask in asks]
    for ask in asks:
        model.complete(replace(ask, leg="cot", max_tokens=1))
    for i in range(serve.SLOTS):  # CoT's prompts lose their slots, and every slot is Standard's
        model.complete(Ask(f"{chr(65 + i)}{i} " * 12, leg="standard", max_tokens=1))
    assert [model.complete(ask)[0].text for ask in asks] == first


@pytest.mark.parametrize("kind", ["household/pick_and_place_simple", "household/look_at_obj_in_light", "multihop"])  # fmt: skip
def test_the_count_of_tokens_errs_to_the_long_side(model, kind):
    """It may be a little short of a line, and of no text as long as a prompt."""
    asked = {"content": exemplar_text(kind)}
    found = model._post("../tokenize", asked, lambda answer: tokens_in(answer.read()))
    assert found <= tokens(asked["content"]) <= 1.2 * found


def test_a_long_transcript_is_a_context_limit(model):
    with pytest.raises(ContextLimit, match="longer than SmolLM2"):
        model.complete(Ask("word " * 9000, leg="react"))


def test_a_request_without_the_key_is_refused(model):
    model.complete(SAY)
    url = f"{model._child().address}/v1/completions"
    body = urllib.request.Request(url, b'{"prompt": "x"}', {"Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(body, timeout=10)


def test_a_dead_server_is_started_once_more(model):
    first = model.complete(SAY)
    pid = model._child().pid
    os.kill(pid, signal.SIGTERM)
    model._child()._process.wait(10)
    assert model.complete(SAY)[0].text == first[0].text
    assert model._child().pid != pid


def test_a_server_that_dies_again_is_reported(tmp_path):
    """Weights that are none: the child dies at its start, and one sentence says so."""
    (tmp_path / "broken.gguf").write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ModelError, match="could not start with"):
        rl.models.local(tmp_path / "broken.gguf").complete(SAY)


def test_it_travels_as_settings_that_name_no_folder_and_no_key(model):
    again = pickle.loads(pickle.dumps(model))
    assert again.identity("react") == model.identity("react") and again.tuned == model.tuned
    assert b"api_key" not in pickle.dumps(model)
    reply = model.complete(SAY)[0]
    assert "/" not in str(reply.settings["model"]) and "/" not in model.identity("react")


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks into /proc")
def test_the_server_is_gone_when_its_kernel_was_killed_though_a_worker_lives_on():
    """A forked worker has inherited all that the kernel had open."""
    kernel = subprocess.Popen([sys.executable, "-c", KERNEL], stdout=subprocess.PIPE, text=True)
    server, worker = (int(kernel.stdout.readline()) for _ in range(2))
    kernel.kill()
    kernel.wait()
    kernel.stdout.close()
    try:
        until(lambda: not running(server))
        assert running(worker)
    finally:
        os.kill(worker, signal.SIGKILL)


KERNEL = """
import multiprocessing, time
import react_lab as rl
print(rl.models.local(adapter=None)._child().pid, flush=True)
worker = multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,))
worker.start()
print(worker.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def server():
    """A server of its own, to be ended."""
    server = llama.Child({weights.path(): weights.SIZES["135m"].sha256}, threads=1)
    yield server
    server.stop()


SECRETS = (
    "OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "MY_KEY", "DATABASE_URL", "HTTP_PROXY",
    "LLAMA_API_KEY", "PYTHON_API_KEY", "openai_api_key", "PGPASSWORD", "JPY_API_TOKEN",
)  # fmt: skip


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc")
def test_the_server_has_no_secret_in_its_environment(server, monkeypatch):
    for name in SECRETS:
        monkeypatch.setenv(name, "http://canary-0123456789")
    pid = server.started().pid
    around = Path(f"/proc/{pid}/environ").read_bytes()
    assert b"canary" not in around and b"PATH=" in around and b"GOMP_SPINCOUNT=" in around
    assert b"canary" not in Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_stop_in_the_notebook_stops_no_server(server):
    """Jupyter and a terminal send the signal to all processes of the kernel."""
    os.kill(server.started().pid, signal.SIGINT)
    for _ in range(20):
        request = urllib.request.Request(f"{server.address}/health")
        assert urllib.request.urlopen(request, timeout=60).status == 200
    assert server.alive


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_server_that_was_halted_can_be_ended(server):
    os.kill(server.started().pid, signal.SIGSTOP)
    server.stop()
    assert not server.alive


@pytest.mark.long
def test_weights_that_change_under_a_running_server_answer_no_more(tmp_path, monkeypatch):
    copy = tmp_path / weights.SIZES["135m"].file
    shutil.copyfile(weights.path(), copy)
    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path))
    model = rl.models.local(adapter=None)
    assert model.complete(SAY)
    before = weights.state(copy)
    while weights.state(copy) == before:  # until the file system's clock ticks
        with copy.open("r+b") as stream:
            stream.seek(90_000_000)
            stream.write(bytes(400))
    with pytest.raises(ModelError, match="have changed since they were fetched"):
        model.complete(SAY)
    llama.CHILDREN.pop((copy, None)).stop()


@pytest.mark.long
def test_an_adapter_that_changes_has_another_name_and_another_server(tmp_path):
    copy = tmp_path / "react-copy.gguf"
    shutil.copyfile(llama.bundled_adapters()["react"], copy)
    old = rl.models.local(adapter=copy)
    named, text = old.identity("react"), old.complete(SAY)[0].text
    pid = old._child().pid
    copy.touch()  # the same bytes
    assert old.complete(SAY)[0].text == text and old._child().pid == pid
    shutil.copyfile(llama.bundled_adapters()["standard"], copy)
    for use in (lambda: old.complete(SAY), lambda: old.identity("react")):
        with pytest.raises(ModelError, match="make the model again"):
            use()
    new = rl.models.local(adapter=copy)
    assert new.identity("react") != named and new.complete(SAY)[0].text != text
    assert new._child().pid != pid
    copy.unlink()
    with pytest.raises(ModelError, match="is it gone"):
        new.complete(SAY)
    assert rl.models.local(adapter=None).complete(SAY)


def test_adapters_are_named_by_leg(tmp_path):
    mine = tmp_path / "react-100.gguf"
    mine.touch()
    assert rl.models.local(adapter=mine).adapters == {"react": mine.resolve()}
    assert rl.models.local(adapter={"cot": mine}).tuned == {"cot"}
    assert rl.models.local(mine).tuned == frozenset()  # another model's weights
    with pytest.raises(ValueError, match="which leg is"):
        rl.models.local(adapter=tmp_path / "mine.gguf")
    with pytest.raises(ModelError, match="there is no adapter file"):
        rl.models.local(adapter=tmp_path / "react.gguf")
    (ring := tmp_path / "act.gguf").symlink_to(ring)
    with pytest.raises(ModelError, match="there is no adapter file"):
        rl.models.local(adapter=ring)
    for no_file in (tmp_path / "none.gguf", tmp_path, ring):
        with pytest.raises(ModelError, match="there is no weights file"):
            rl.models.local(no_file)
    with pytest.raises(ValueError, match="threads=-5: at least 1"):
        rl.models.local(threads=-5)


def test_a_new_adapter_joins_the_loaded_ones(tmp_path, model):
    ours = llama.bundled_adapters()["react"]
    copy = tmp_path / "react-copy.gguf"
    copy.write_bytes(ours.read_bytes())
    before = model.complete(SAY)
    assert rl.models.local(adapter=copy).complete(SAY)[0].text == before[0].text
    assert {ours, copy} <= set(model._child().adapters)


def test_a_recorded_lesson_replays_and_then_asks(tmp_path, monkeypatch):
    monkeypatch.setattr("react_lab.data.folder", lambda *parts: tmp_path.joinpath(*parts))
    adapters = llama.bundled_adapters() or None
    record = rl.models.recorded("lesson", "record", adapter=adapters)
    first = record.complete(SAY)
    size = (tmp_path / "recordings/lesson.jsonl").stat().st_size
    replay = rl.models.recorded("lesson", adapter=adapters).complete(SAY)
    assert replay[0].text == first[0].text and replay[0].settings["replayed"]
    other = Ask("Question: Who?\nThought 1:", leg="react", max_tokens=4)
    assert rl.models.recorded("lesson", adapter=adapters).complete(other)[0].text
    assert (tmp_path / "recordings/lesson.jsonl").stat().st_size == size  # the lesson is as it was
    with pytest.raises(ModelError, match="must be recorded first"):
        rl.models.recorded("lesson", "replay", adapter=adapters).complete(other)
