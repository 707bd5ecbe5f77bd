"""One model for a class: the fair queue; and, marked `server`, the real one over real HTTP."""

import json
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest
from stub_server import Answer, Stub, completion
from waiting import until

import react_lab as rl
from react_lab.chat.tool_calls import schemas
from react_lab.decoding import grammar_of
from react_lab.models import class_server, llama
from react_lab.models.class_server import Gone, Turns
from react_lab.types import Ask, Message, ModelError

KEY = "canary-key-0123456789"
BORN = "Question: Where was the author of Jane Eyre born?\nThought 1:"
SAY = Ask(BORN, leg="react", max_tokens=8)
LONG = Ask(SAY.prompt, leg="cot", max_tokens=256, grammar=grammar_of(["a b " * 200], []))


# the queue
def stay(before):
    return True


@contextmanager
def waiting(turns, clients, do):
    """All these wait before the first is called; at the end they have all been."""
    with ThreadPoolExecutor(len(clients)) as pool:
        with turns.turn("teacher", stay):
            done = []
            for k, client in enumerate(clients):
                done.append(pool.submit(do, client))
                until(lambda k=k: len(turns.waiting) == k + 1)
            yield
        for one in done:
            one.result()
    until(lambda: not turns.taken and not turns.waiting)  # the answer comes a moment before


def test_who_asks_for_much_waits_as_long_as_who_asks_for_little(monkeypatch):
    monkeypatch.setattr(class_server, "LOOK", 0.01)
    turns, order, told = Turns(), [], {}

    def ask(client):
        with turns.turn(client, lambda before: told.update({before: client}) or True):
            assert turns.taken
            order.append(client)

    with waiting(turns, ["ann"] * 5 + ["bob"] * 2 + ["eve"], ask):
        told.clear()
        until(lambda: len(told) == 8)  # each has been told its place
        places = dict(told)  # once the first has its turn they are told smaller ones
    assert order == ["ann", "bob", "eve", "ann", "bob", "ann", "ann", "ann"]
    assert order == [places[before] for before in range(1, 9)]


def test_who_goes_away_leaves_the_queue_and_nobody_waits_for_it():
    turns, gone = Turns(), threading.Event()

    def ask(client):
        with pytest.raises(Gone), turns.turn(client, lambda before: not gone.is_set()):
            pass

    with waiting(turns, ["ann", "bob"], ask):
        gone.set()
        until(lambda: not turns.waiting)


# the client, without a model
def test_a_request_says_leg_and_hashes_and_the_key_is_kept_out_of_everything():
    with Stub([completion(" easy")]) as stub:
        model = rl.models.local(at=stub.url, key=KEY)
        assert model.complete(SAY)[0].text == " easy"
    (asked,) = stub.asked
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body["leg"] == "react" and asked.body["identity"] == model.identity("react")
    kept = [repr(model), repr(vars(model)), str(pickle.dumps(model)), json.dumps(asked.body)]
    assert not any("canary" in text for text in kept)
    assert model.identity("react") == llama.Local().identity("react")  # one model, one name


def test_a_copy_in_a_worker_reads_the_key_of_its_own_surroundings(monkeypatch):
    with Stub([completion(" a"), completion(" b")]) as stub:
        model = rl.models.local(None, None, at=stub.url, key=KEY)
        copy = pickle.loads(pickle.dumps(model))
        with pytest.raises(ModelError, match="set the environment variable REACT_LAB_KEY"):
            copy.complete(SAY)
        monkeypatch.setenv("REACT_LAB_KEY", "of-the-worker")
        assert copy.tuned == frozenset() and copy.complete(SAY)[0].text == " a"
        assert model.complete(SAY)[0].text == " b"  # what was given goes before what is set
    sent = [asked.headers["authorization"] for asked in stub.asked]
    assert sent == ["Bearer of-the-worker", f"Bearer {KEY}"]
    assert stub.asked[0].body["client"] == stub.asked[1].body["client"] == model.client


def test_a_hub_names_the_server_once_for_every_lesson(monkeypatch, tmp_path):
    monkeypatch.setenv("REACT_LAB_AT", "http://hub:8765")
    assert rl.models.local().at == "http://hub:8765/v1"
    assert rl.models.recorded("lesson").model.at == "http://hub:8765/v1"
    (tmp_path / "react.gguf").touch()
    assert not hasattr(rl.models.local(adapter=tmp_path / "react.gguf"), "at")


def test_what_cannot_be_on_a_server_is_said(tmp_path):
    (tmp_path / "react.gguf").touch()
    for sentence, given in {
        "must hold no user name": {"at": "http://ann:secret@hub"},
        "is no address such as": {"at": "hub:8765"},
        "leave out at=": {"at": "http://hub:8765", "adapter": tmp_path / "react.gguf"},
    }.items():
        with pytest.raises(ValueError, match=sentence):
            rl.models.local(**given)


def test_a_server_that_is_not_there_and_a_key_with_a_space_are_said_and_no_key_is_shown():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        model = rl.models.local(at=f"http://127.0.0.1:{closed.getsockname()[1]}", key=KEY)
        model.attempts = 1
        with pytest.raises(ModelError, match=r"does not answer \(.*ask whoever runs") as raised:
            model.complete(SAY)
        assert "canary" not in str(raised.value)
        model = rl.models.local(at=model.at, key="canary key")
        with pytest.raises(ModelError, match="the key that was given has a space") as raised:
            model.complete(SAY)
    assert "canary" not in str(raised.value)


def test_keys_are_typed_by_people_and_no_two_are_alike():
    keys = {class_server.new_key() for _ in range(100)}
    assert len(keys) == 100 and all(re.fullmatch("([a-z2-9]{4}-){2}[a-z2-9]{4}", k) for k in keys)


# the server, without a model
class Stand:
    """A model whose own server is a stub."""

    name = "stand-in"

    def __init__(self, url):
        self.address, self.key = url.removesuffix("/v1"), "k"

    def _child(self):
        return self

    def stop(self):
        self.stopped = True

    def identity(self, leg):
        return llama.Local().identity(leg)

    def _extra(self, leg):
        return {}


@contextmanager
def classroom(answers=()):
    opened = class_server.open_classroom
    with Stub(answers or [completion("x")]) as stub, opened(Stand(stub.url), KEY) as room:
        yield room, stub


OURS = grammar_of(['say "(((" {5,2} é'], ["Search[entity]", "put X in/on Y"])
ODD = [
    *(("/v1/completions", {"prompt": "x", "grammar": odd}) for odd in ('root ::= "a"', OURS[:-1], OURS.replace("(", "((", 1))),
    ("/v1/chat/completions", {"messages": [], "tools": [{"allOf": [{"$ref": "#/allOf/0"}]}]}),
    ("/v1/chat/completions", {"messages": [], "tools": [{"a": {"pattern": "(" * 5000}}]}),
    *(("/v1/chat/completions", {"messages": odd}) for odd in (5, "x", [5], {}, [{}] * 1001)),
    *(("/v1/completions", {"prompt": "x", "n": odd}) for odd in ("x", [], 1.5, 0)),
    *(("/v1/completions", {"prompt": "x", "max_tokens": odd}) for odd in (-1, 5000)),
    *(("/tokenize", odd) for odd in ({}, {"content": 5, "add_special": False}, {"content": "x"})),
    ("/v1/completions", []),
]  # fmt: skip


def test_odd_requests_are_refused_and_reach_no_model(capfd):
    with classroom() as (room, stub):
        key = {"Authorization": f"Bearer {KEY}"}
        for path, body in ODD:
            assert status_of(room.url + path, json.dumps(body).encode(), **key) == 400, body
        ask = f"{room.url}/v1/completions"
        assert status_of(ask) == status_of(ask, Authorization="Bearer ") == 401
        assert status_of(ask, b"[" * 100_000, **key) == 400
        assert status_of(ask, b"a" * 1_000_001, **key) == 413 == status_of(ask, b"a" * 9_000_000, **key)  # fmt: skip
        for path in ("/slots", "/lora-adapters", "/v1/models", "/v1/../props"):
            assert status_of(room.url + path, **key) == 404
        with pytest.raises(urllib.error.HTTPError) as browser:
            urllib.request.urlopen(room.url)
        told = json.loads(browser.value.read())["error"]["message"]
        assert browser.value.code == 501 and told == "Unsupported method ('GET')"
        assert not stub.asked
    assert "Traceback" not in capfd.readouterr().err


def test_a_model_that_dies_over_another_s_request_is_asked_again():
    with classroom([Answer(reset=True), completion("here")]) as (room, stub):
        assert llama.Shared(room.url, key=KEY).complete(SAY)[0].text == "here"
        assert len(stub.asked) == 2


def test_a_turn_without_end_is_ended_in_a_sentence_and_the_model_is_started_again(monkeypatch):
    monkeypatch.setattr(class_server, "TURN", 0.5)
    with classroom([Answer(delay=3), completion("here")]) as (room, stub):
        patient = llama.Shared(room.url, key=KEY)
        with pytest.raises(ModelError, match="the model had no answer in 0.5 seconds"):
            patient.complete(SAY)
        assert room.model.stopped and len(stub.asked) == 1  # it is not asked for once more
        assert patient.complete(SAY)[0].text == "here"


def test_who_waits_is_told_his_place_in_words_and_then_no_more(capsys):
    said = []

    def hears(words):
        said.append(capsys.readouterr().err)
        return words in "".join(said)

    with classroom([completion(" easy")]) as (room, _):

        def ask(client):
            model = llama.Shared(room.url, key=KEY, client=client)
            assert model.complete(SAY)[0].text == " easy"

        with waiting(room.turns, ["ann", "bob"], ask):
            until(lambda: hears("model is busy: you are next."))
            until(lambda: hears("model is busy: 2 are before you."))
    hears("")
    assert "".join(said).endswith(f"\r{'':60}\r") and "".join(said).count("before you") == 1


# the real one
@pytest.fixture(scope="module")
def room():
    with class_server.open_classroom(llama.Local(threads=1), KEY) as room:
        yield room
        room.model._child().stop()


@pytest.fixture
def shared(room):
    return rl.models.local(at=room.url, key=KEY)


def free(room):
    return not room.turns.taken and not room.turns.waiting


@pytest.mark.server
def test_a_reply_is_the_models_own(room, shared):
    for leg in ("react", "act", "household/react", ""):
        ask = Ask(SAY.prompt, leg=leg, max_tokens=8)
        assert shared.complete(ask)[0] == room.model.complete(ask)[0]
    plain = rl.models.local(adapter=None, at=room.url, key=KEY)
    assert plain.complete(SAY)[0].text != shared.complete(SAY)[0].text


@pytest.mark.server
def test_samples_streams_chats_and_runs(room, shared):
    votes = Ask("Question: Who?\nThought:", ("\n",), 0.7, tuple(range(21)), 12, leg="cot")
    replies = shared.complete(votes).values()
    assert len(replies) == 21 and all(0 < reply.tokens_out <= 13 for reply in replies)
    heard = []
    assert shared.complete(SAY, heard.append)[0].text == "".join(heard) and len(heard) > 3
    assert shared.complete(Ask((("user", "Hello"),), max_tokens=4))[0].tokens_out
    run = rl.run("standard", rl.tasks.load("multihop", "dev", n=1)[0], shared)
    assert run.end == "finished" and "canary" not in repr(run)
    until(lambda: free(room))


@pytest.mark.server
def test_tools_reach_the_model(room, shared):
    """Left out, a run by calls would look like one of this model, and be none."""
    bare = Ask((Message("user", "Which day is it?"),), max_tokens=4, leg="tools/react-tools")
    ask = replace(bare, tools=schemas(rl.envs.Tools().actions))
    own, ours, without = (m.complete(a)[0] for m, a in ((room.model, ask), (shared, ask), (shared, bare)))  # fmt: skip
    # (not the words: two are near a tie)
    assert ours.tokens_in == own.tokens_in > without.tokens_in + 50
    until(lambda: free(room))


@pytest.mark.server
def test_another_version_a_wrong_key_a_long_text(room, shared, monkeypatch):
    with pytest.raises(rl.types.ContextLimit):
        shared.complete(Ask("word " * 9000, leg="react"))
    with pytest.raises(ModelError, match="does not accept the key: take the one"):
        rl.models.local(at=room.url, key="canary-wrong").complete(SAY)
    cot = llama.bundled_adapters()["cot"]
    monkeypatch.setattr(llama, "bundled_adapters", lambda size: {"react": cot})  # an older checkout
    with pytest.raises(ModelError, match="has another version of the model than this react_lab"):
        rl.models.local(at=room.url, key=KEY).complete(SAY)
    until(lambda: free(room))


def status_of(url, body=b"{}", **headers):
    request = urllib.request.Request(url, body, headers)
    try:
        return urllib.request.urlopen(request, timeout=60).status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.server
def test_a_client_that_goes_away_frees_its_slot(room, shared):
    """In the middle of a stream, and while it waits for an answer without one."""

    def broken_off(text):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        shared.complete(LONG, broken_off)
    until(lambda: free(room))
    body = json.dumps({"prompt": "a", "max_tokens": 256, "grammar": LONG.grammar}).encode()
    head = f"POST /v1/completions HTTP/1.1\r\nAuthorization: Bearer {KEY}\r\nContent-Length: "
    with socket.create_connection(room.server_address[:2]) as client:
        client.sendall(f"{head}{len(body)}\r\n\r\n".encode() + body)
        until(lambda: not free(room))
    until(lambda: free(room))
    assert shared.complete(SAY)[0].text


@pytest.mark.server
def test_who_waits_longer_than_its_patience_is_told_to_stay(room, monkeypatch):
    monkeypatch.setattr(class_server, "NEWS", 0.0)
    hurried = rl.models.local(at=room.url, key=KEY, timeout=3.0)
    hurried.attempts = 1
    with ThreadPoolExecutor(1) as pool:
        with room.turns.turn("teacher", stay):
            waiting = pool.submit(hurried.complete, SAY)
            time.sleep(4)
        assert waiting.result()[0].text


@pytest.mark.server
def test_a_model_that_died_is_started_again(room, shared):
    first = shared.complete(SAY)[0].text
    os.kill(room.model._child().pid, signal.SIGKILL)
    assert shared.complete(SAY)[0].text == first


@pytest.mark.server
def test_the_command_serves_this_machine_alone_and_says_its_key_once():
    command = [sys.executable, "-m", "react_lab", "serve", "--port", "0", "--threads", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        lines = [server.stdout.readline() for _ in range(3)]
        at = re.search(r"http://127\.0\.0\.1:\d+", lines[0])[0]
        model = rl.models.local(at=at, key=lines[1].split()[-1])
        assert model.complete(SAY)[0].text
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0 and not server.stdout.read()
    with pytest.raises(ModelError, match="does not answer"):
        model.attempts = 1
        model.complete(SAY)
