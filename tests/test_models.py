"""The models, by what they do: against a real HTTP server on loopback, never against mocks."""

import base64
import io
import itertools
import json
import os
import pickle
import random
import subprocess
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from stub_server import Answer, Stub, chat, complete, completion, only_responses, refusal, response
from waiting import until

from react_lab import models
from react_lab.models.faults import wait_asked
from react_lab.models.openai_compatible import system_line

from react_lab.types import Ask, ContextLimit, Halt, Message, ModelError, Refused, Reply, ToolCall  # isort: skip  # fmt: skip

ROOT = Path(__file__).parents[1]
ASK = Ask("Question: 1 + 1?\nThought 1:", stop=("\nObservation",), leg="react")
VOTES = replace(ASK, samples=tuple(range(21)), temperature=0.7, seed=100)
CANARY = "sk-canary+7/Q\"x'=%41-0123456789"
CHAT_ONLY = "This is a chat model and not supported in the v1/completions endpoint."


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(name, raising=False)


def patient(url, **more):
    """A model that notes how long it would have waited, and does not."""
    model, waits = models.openai("m", url, **{"api": "completions", **more}), []
    model.sleep = waits.append
    return model, waits


@pytest.mark.parametrize("wrong, said", [
    ({"timeout": "60"}, "timeout takes a number, not '60'"), ({"timeout": "sk-" + "k" * 40}, r"not this \(str\)"), ({"attempts": "2"}, "attempts takes a whole number"),
    ({"max_tokens": 0}, "max_tokens=0: at least 1"), ({"deadline": -1}, "deadline=-1: at least 0"),
    ({"max_wait": "x"}, "max_wait takes a number"), ({"timeout": None}, "timeout takes a number"),
    *(({"extra": extra}, "extra= takes a dict of what JSON can hold")
      for extra in ({"x": object()}, [1], lambda leg: [leg])),
])  # fmt: skip
def test_a_wrong_setting_is_a_sentence_before_any_request(wrong, said):
    with pytest.raises((TypeError, ValueError), match=said):
        models.openai("m", "http://127.0.0.1:9/v1", **wrong).identity("react")


def said(model, ask=ASK):
    (reply,) = complete(model, ask)
    return str(reply.text)


# ---- what is sent -------------------------------------------------------------------------------
def test_completions_sends_the_prompt_as_it_is_and_chat_wraps_it_and_says_so():
    with Stub([completion(" easy", system_fingerprint="fp")]) as stub:
        (reply,) = complete(models.openai("m", stub.url), replace(ASK, seed=7))
    (asked,) = stub.asked
    assert (asked.path, asked.headers["authorization"]) == ("/v1/completions", "Bearer none")
    assert asked.body == {
        "model": "m", "prompt": ASK.prompt, "max_tokens": 256, "temperature": 0.0,
        "stop": ["\nObservation"],
    }  # at temperature 0 no seed  # fmt: skip
    assert reply == Reply(" easy", "stop", 10, 6, fingerprint="fp", settings={
        "api": "completions", "model": "stub-1", "temperature": 0.0, "seed": None,
        "stop_sent": True, "attempts": 1,
    })  # fmt: skip
    with Stub([chat("easy")]) as stub:
        (reply,) = complete(models.openai("m", stub.url, api="chat"), ASK)
    told = "Continue the transcript; write only the next Thought and Action, then stop."
    messages = [(m["role"], m["content"]) for m in stub.asked[0].body["messages"]]
    assert stub.asked[0].chat and messages == [("system", told), ("user", ASK.prompt)]
    assert system_line("react") == told and "the Thought and the Answer" in system_line("cot")
    assert (reply.settings["api"], reply.settings["system"]) == ("chat", system_line("react"))


@pytest.mark.parametrize("api", ["auto", "completions", "chat"])
def test_messages_go_by_chat_as_they_are(api):
    ask = replace(ASK, prompt=(("user", "1 + 1?"), ("assistant", "2"), ("user", "+ 1?")))
    with Stub(lambda asked: chat("3") if asked.chat else completion("no")) as stub:
        model = models.openai("m", stub.url, api=api)
        (reply,) = complete(model, ask)
        assert [m["content"] for m in stub.asked[0].body["messages"]] == ["1 + 1?", "2", "+ 1?"]
        assert reply.settings["api"] == "chat" and "system" not in reply.settings
        said(model)
    assert stub.asked[1].chat == (api == "chat")  # messages teach nothing about texts


def test_what_else_goes_into_the_body_and_half_characters_as_question_marks():
    def extra(leg):
        return {"lora": [{"id": 0, "scale": float(leg == "react")}]}

    with Stub([completion("x")]) as stub:
        model = models.openai("m", stub.url, extra=extra, max_tokens=4000)
        said(model, replace(ASK, grammar='root ::= "x"', temperature=0.7, seed=5, samples=(3,)))
        said(models.openai("m", stub.url, extra={"top_k": 5}), replace(ASK, prompt="\ud800!"))
    body = stub.asked[0].body
    assert body["lora"] == [{"id": 0, "scale": 1.0}]
    assert (body["grammar"], body["max_tokens"], body["seed"]) == ('root ::= "x"', 4000, 8)
    assert (stub.asked[1].body["top_k"], stub.asked[1].body["prompt"]) == (5, "?!")
    half = "\ud800"
    tool = {"type": "function", "function": {"name": "Look", "description": half}}
    with Stub([chat("x")]) as stub:
        model = models.openai(f"m{half}", stub.url, api="chat", extra={"x": half})
        complete(model, replace(ASK, tools=(tool,)))
    sent = stub.asked[0].body
    assert sent["model"] == "m?" and sent["x"] == "?"
    assert sent["tools"][0]["function"]["description"] == "?"


def test_identity_names_server_model_and_api_from_the_start_and_it_pickles_as_its_settings():
    with Stub(chat_only) as stub:
        model = models.openai("m", stub.url + "/")
        before = model.identity("react")
        said(model)
        assert before == model.identity("react") == f"{stub.url} m auto"
    more = ({}, {"api": "chat"}, {"max_tokens": 9}, {"extra": {"a": 1}}, {"timeout": 3})
    others = {models.openai("m", stub.url, **options).identity("react") for options in more}
    assert len(others) == 4  # how long we wait is not who answers
    with Stub(chat_only) as stub:
        model = models.openai("m", stub.url, max_tokens=9, timeout=3, extra={"top_k": 1})
        said(model)
        again = pickle.loads(pickle.dumps(model))
        assert (again.identity("x"), again.timeout) == (model.identity("x"), 3)
        assert repr(again) == f"openai('m', '{stub.url}', api='auto')"
        assert said(again) == "by chat"
        assert len(stub.asked) == 3  # what was learned goes along


# ---- what a server refuses is learned -----------------------------------------------------------
def chat_only(asked):
    return chat("by chat") if asked.chat else refusal(404, CHAT_ONLY, param="model")


@pytest.mark.parametrize("no", [
    refusal(404, CHAT_ONLY, param="model", code=None), Answer({"detail": "Not Found"}, 404),
    Answer("", 405), refusal(400, "please use /v1/chat/completions for this model"),
])  # fmt: skip
def test_auto_turns_to_chat_once_and_remembers(no):
    with Stub(lambda asked: chat("by chat") if asked.chat else no) as stub:
        model = models.openai("m", stub.url)
        (first,), (second,) = complete(model, ASK), complete(model, ASK)
    assert [asked.chat for asked in stub.asked] == [False, True, True]
    assert (first.settings["attempts"], second.settings["attempts"]) == (2, 1)
    assert first.settings["api"] == second.settings["api"] == "chat"


PARTS = {
    "stop": "Unsupported parameter: 'stop' is not supported with this model.",
    "temperature": "'temperature' does not support 0.7 with this model. Only the default (1) is.",
    "seed": "Unrecognized request argument supplied: seed",
    "n": "Field 'n': Value must be between 1 <= value <= 1, but got 2",
}


@pytest.mark.parametrize("named", ["param", "message"])
@pytest.mark.parametrize("part", PARTS)
def test_a_refused_part_is_left_out_from_then_on(part, named):
    told = {"param": part} if named == "param" else {"param": None}

    def make(asked):
        if part in asked.body:
            return refusal(400, PARTS[part] if named == "message" else "no", **told)
        return completion(*["x"] * asked.body.get("n", 1))

    ask = replace(VOTES, samples=(0, 1))
    with Stub(make) as stub:
        model = models.openai("m", stub.url)
        first, second = complete(model, ask), complete(model, ask)
    assert [part in asked.body for asked in stub.asked].count(True) == 1  # never tried again
    assert part in stub.asked[0].body
    settings = second[0].settings
    assert settings["refused"] == [part]
    assert settings["stop_sent"] == (part != "stop")
    assert settings["temperature"] == (None if part == "temperature" else 0.7)
    assert settings["seed"] == (None if part == "seed" else 100)
    assert sum(reply.settings["attempts"] for reply in first + second) == len(stub.asked)


def test_a_refusal_is_remembered_only_when_it_helped():
    def make(asked):
        if asked.body["max_tokens" if "max_tokens" in asked.body else "max_completion_tokens"] > 99:
            return refusal(400, "max_tokens is too large: at most 99", param="max_tokens")
        return completion("x")

    with Stub(make) as stub:
        model = models.openai("m", stub.url)
        with pytest.raises(ModelError, match="too large"):
            said(model)
        assert len(stub.asked) == 2
        said(model, replace(ASK, max_tokens=9))
    assert stub.asked[-1].body["max_tokens"] == 9


@pytest.mark.parametrize("no, words", [
    *((refusal(400, "Invalid value; stop it", param=param), r"HTTP 400 \(Invalid value; stop it\)")
      for param in ("messages[0].role", "top_k", "max_completion_tokens", "seed")),
    (refusal(404, "The model `m` does not exist", code="model_not_found"), "has no model m or no"),
])  # fmt: skip
def test_what_neither_chat_nor_a_part_left_out_would_mend_fails_at_once(no, words):
    with Stub([no]) as stub:
        with pytest.raises(ModelError, match=words):
            said(models.openai("m", stub.url))
        assert len(stub.asked) == 1


# ---- samples ------------------------------------------------------------------------------------
def many(asked):
    """A server that takes n; every text tells how it was asked for."""
    n, seed = asked.body.get("n", 1), asked.body.get("seed")
    return completion(*(f"{seed}+{i}" for i in range(n)), usage=(100, 10 * n + 3))


@pytest.mark.parametrize(("most", "ns"), [(21, [21]), (8, [21, 13, 5]), (1, [21] + [None] * 20)])
def test_samples_by_as_many_requests_as_it_takes(most, ns):
    """From a server that gives so many a request; where it gives one, `n` is asked for once."""

    def make(asked):
        n, seed = min(asked.body.get("n", 1), most), asked.body["seed"]
        return completion(*(str(seed + i) for i in range(n)), usage=(100, 10 * n + 3))

    with Stub(make) as stub:
        model = models.openai("m", stub.url)
        replies = complete(model, VOTES)
        assert [asked.body.get("n") for asked in stub.asked] == ns
        complete(model, replace(VOTES, samples=(7, 4)))
    assert most > 1 or [asked.body.get("n", 1) for asked in stub.asked[21:]] == [1, 1]
    assert [reply.text for reply in replies] == [str(100 + i) for i in range(21)]
    assert sum(reply.tokens_in for reply in replies) == 100 * len(ns)
    assert sum(reply.tokens_out for reply in replies) == 210 + 3 * len(ns)
    assert sum(reply.settings["attempts"] for reply in replies) == len(ns)


def test_choices_are_put_in_order():
    texts = [(1, "b"), (0, "a"), (2, "c")]
    choices = [{"index": i, "text": t, "finish_reason": "stop"} for i, t in texts]
    with Stub([Answer({"choices": choices})]) as stub:
        replies = complete(models.openai("m", stub.url), replace(VOTES, samples=(0, 1, 2)))
        assert [reply.text for reply in replies] == ["a", "b", "c"]
        assert said(models.openai("m", stub.url)) == "a"  # more than asked for


# ---- F6: what passes is waited out ---------------------------------------------------------------
PASSING = {
    "429": refusal(429, "slow"), "429 seconds": refusal(429, "slow", {"Retry-After": "2"}),
    **{str(status): Answer("oops", status) for status in (500, 503, 504, 408, 409)},
    "502": Answer("<html>bad gateway</html>", 502, kind="text/html"),
    "reset": Answer(reset=True), "cut": Answer(b'{"choices": [', cut=True),
    "read timeout": Answer(b"{}", delay=30),
    "inside a 200": Answer({"error": {"code": 502, "message": "upstream"}}),
}  # fmt: skip


@pytest.mark.parametrize("kind", PASSING)
def test_a_passing_fault_is_waited_out_and_attempts_are_bounded(kind):
    fault, seeded = PASSING[kind], random.getstate()
    with Stub([fault, fault, completion("at last"), fault]) as stub:
        model, waits = patient(stub.url, timeout=0.5 if "timeout" in kind else 60, attempts=3)
        (reply,) = complete(model, ASK)
        assert reply.text == "at last" and reply.settings["attempts"] == len(stub.asked) == 3
        first = waits.copy()
        with pytest.raises(ModelError) as caught:
            said(model)
        assert len(stub.asked) == 6 and len(waits) == 4
    assert first == [2.0, 2.0] if "seconds" in kind else 0.25 <= first[0] <= 0.5 <= first[1] <= 1.0
    assert "3 requests" in one_sentence(caught.value)
    assert random.getstate() == seeded  # waiting does not disturb a seeded experiment


NOON, LATER = "21 Oct 2015 12:00:00", "21 Oct 2015 12:00:07"
DATES = {"Date": f"Wed, {NOON} GMT"}, {"Date": f"Wed, {LATER} GMT"}  # the server's, not ours


@pytest.mark.parametrize(("asks", "more", "expected"), [
    ("2", {}, 2.0), ("0.25", {}, 0.25), ("9", {"Retry-After-Ms": "1500"}, 1.5), ("9", {"Retry-After-Ms": "soon"}, 9.0),
    (f"Wed, {LATER} GMT", DATES[0], 7.0), (f"Wed, {NOON} GMT", DATES[1], None), (f"Wed, {NOON} GMT", {}, None),
    *((odd, {}, None) for odd in ("soon", "-5", "nan", "inf", "1_0", "٣", "")),
    ("Wed, 99 Oct 2015 99:28:00 GMT", {}, None), (f"Wed, 21 Oct {'9' * 30} 07:28:00 GMT", {}, None),
])  # fmt: skip
def test_what_a_server_asks_us_to_wait(asks, more, expected):
    headers = {"Retry-After": asks, **more}
    assert wait_asked({name.lower(): value for name, value in headers.items()}) == expected
    assert wait_asked({}) is None


def test_total_waiting_is_bounded():
    with Stub([refusal(429, "later", {"Retry-After": "25"})]) as stub:
        model, waits = patient(stub.url, attempts=99, max_wait=60)
        with pytest.raises(ModelError, match="asks for a pause of 25 s"):
            said(model)
        assert waits == [25.0, 25.0]  # a third would make 75
        assert len(stub.asked) == 3
    with Stub([Answer("", 503)]) as stub:
        model, waits = patient(stub.url, attempts=99, max_wait=20)
        with pytest.raises(ModelError):
            said(model)
    assert sum(waits) == pytest.approx(20)


# ---- F8: what does not pass fails at once, in one sentence ---------------------------------------
LASTING = {
    "quota": (refusal(429, "", type="insufficient_quota", code="x"), ModelError, "no credit left"),
    "quota by code": (refusal(429, "pay", code="insufficient_quota"), ModelError, "no credit left"),
    "402": (refusal(402, "Insufficient Balance"), ModelError, "no credit left"),
    "400": (refusal(400, "bad idea"), ModelError, "bad idea"),
    "401": (refusal(401, "who?"), ModelError, "OPENAI_API_KEY"),
    "403": (refusal(403, "not here"), ModelError, "not here"),
    "404": (refusal(404, "nothing here"), ModelError, "/v1"),
    "422": (Answer({"detail": [{"msg": "n is odd"}]}, 422), ModelError, "n is odd"),
    "filter": (refusal(400, "policy", code="content_filter"), Refused, "declined"),
    "context": (refusal(400, "maximum is 4097 tokens", code="context_length_exceeded"), ContextLimit, "4097"),
    "llama.cpp": (refusal(400, "request (3001 tokens)", type="exceed_context_size_error", code=400), ContextLimit, "3001"),
    "vllm": (refusal(400, "'max_tokens' is too large: maximum context length is 9", code=400), ContextLimit, "length"),
}  # fmt: skip


@pytest.mark.parametrize("kind", LASTING)
def test_a_lasting_fault_takes_one_request(kind):
    answer, halt, words = LASTING[kind]
    with Stub([answer]) as stub:
        model, waits = patient(stub.url)
        with pytest.raises(halt) as caught:
            said(model)
        assert len(stub.asked) == 1 and not waits
    assert words in one_sentence(caught.value)


def one_sentence(error):
    text = str(error)
    assert "\n" not in text and len(text) < 600
    assert error.__cause__ is error.__context__ is None  # nothing in which a key could hide
    return text


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://nowhere.invalid/v1"])
def test_a_dead_server_is_named(url, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    model, waits = patient(url, attempts=2)
    with pytest.raises(ModelError, match="start the server") as caught:
        said(model)
    assert f"no answer from {url} after 2 requests" in one_sentence(caught.value)
    assert len(waits) == 1


# ---- F7: answers that are none -------------------------------------------------------------------
BROKEN = {
    **{name: (Answer(body), "broken JSON") for name, body in (
        ("truncated", b'{"choices": [{"te'), ("not utf-8", b'{"choices": "\xff'),
        ("deep", b'{"a":' + b"[" * 100_000))},
    "empty": (Answer(b""), "an empty body"), "null": (Answer(b"null"), "JSON of another shape"),
    "html": (Answer("<!DOCTYPE html><html>Hi</html>", kind="text/html"), "a web page"),
    "no choices": (Answer({"id": "x"}), "no choices"),
    "empty choices": (Answer({"choices": []}), "no choices"),
    "no text": (Answer({"choices": [{"message": {"content": None}}]}), "a choice that has no text"),
    "error": (Answer({"error": {"message": "boom"}}), "an error: boom"),
}  # fmt: skip


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_answer_has_its_own_reason(kind):
    answer, words = BROKEN[kind]
    with Stub([answer]) as stub:
        with pytest.raises(ModelError) as caught:
            said(models.openai("m", stub.url))
        assert len(stub.asked) == 1
    assert f"answered with {words}" in one_sentence(caught.value)


def one_choice(**choice):
    return Answer({"choices": [{"index": 0, **choice}]})


@pytest.mark.parametrize(("answer", "expected"), [
        (one_choice(text="a", finish_reason="length"), Reply("a", "length")),
        (one_choice(text="", finish_reason="content_filter"), Reply("", "filtered")),
        (one_choice(text="a", finish_reason=None), Reply("a")),
        (one_choice(message={"content": None}, finish_reason="stop"), Reply("")),
        (one_choice(message={"content": None}, finish_reason="length"), Reply("", "length")),
        (one_choice(message={"content": None, "refusal": "No"}), Reply("No", "refused")),
        (one_choice(message={"content": [{"text": "a"}, {"text": "b"}]}), Reply("ab")),
        (Answer(completion("a").body, kind="text/plain"), Reply("a", tokens_in=10, tokens_out=6)),
        (completion("a", usage=None), Reply("a")),
        (completion("a", usage=None, system_fingerprint="f"), Reply("a", fingerprint="f")),
        (completion("a", usage={"prompt_tokens": 3}), Reply("a", tokens_in=3)),
        (completion("a", usage={"prompt_tokens": "?"}), Reply("a")),
])  # fmt: skip
def test_odd_answers_are_read_for_what_they_are(answer, expected):
    with Stub([answer]) as stub:
        (reply,) = complete(models.openai("m", stub.url), ASK)
    assert replace(reply, settings={}) == expected


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(("content", "fields", "text", "reasoning"), [
    ("<think>carry the one</think>\n\n2", {}, "2", "carry the one"),
    ("a<think>b</think> c<think>d</think>e", {}, "ace", "b\nd"),
    ("carry the one</think>\n2", {}, "2", "carry the one"),  # the tag was in the prompt
    ("<think>never ends", {}, "", "never ends"), ("1 < 2 and <thin", {}, "1 < 2 and <thin", None),
    *(("2", {name: "carry"}, "2", "carry") for name in ("reasoning_content", "reasoning")),
])  # fmt: skip
def test_private_thoughts_are_kept_apart(content, fields, text, reasoning, streamed):
    heard = []
    with Stub(streaming(content, **fields)) as stub:
        model = models.openai("m", stub.url, api="chat")
        (reply,) = complete(model, ASK, heard.append if streamed else None)
    assert (reply.text, reply.reasoning) == (text, reasoning)
    if streamed and not content.startswith("carry"):
        assert "".join(heard) == text


# ---- the Responses API ---------------------------------------------------------------------------
TOOL = {"type": "function", "function": {"name": "Search", "parameters": {"type": "object"}}}
SAID = "I look.\nAction 1: Search[Ulm]"


@pytest.mark.parametrize("streamed", [False, True])
def test_responses_are_asked_by_hand_or_where_chat_says_so(streamed):
    heard = []
    with Stub(only_responses(response(SAID + "\nObservation 1: Ulm is", "Hm.\n\nUlm."))) as stub:
        told = ["responses", "auto", "chat"]
        by_hand, auto, chats = (models.openai("m", stub.url, api=api) for api in told)
        (reply,) = complete(by_hand, ASK, heard.append if streamed else None)
        # by itself: completions, chat, with and without a temperature
        assert complete(auto, ASK) == (replace(reply, settings={**reply.settings, "attempts": 4}),)
        with pytest.raises(ModelError, match="v1/responses"):
            complete(chats, ASK)
        paths = [asked.path.removeprefix("/v1/") for asked in stub.asked]
        asked = stub.asked[1].body
    assert (reply.text, reply.why, reply.reasoning) == (SAID, "stop", "Hm.\n\nUlm.")
    assert (reply.tokens_in, reply.tokens_out, reply.settings["api"]) == (10, 6, "responses")
    assert reply.settings["stop_sent"] is False and reply.settings["refused"] == ["temperature"]
    assert paths[:3] == ["responses", "responses", "completions"]
    assert "responses" not in paths[-1] and "chat/completions" in paths
    assert (asked["max_output_tokens"], asked["store"]) == (ASK.max_tokens, False)
    assert [item["role"] for item in asked["input"]] == ["system", "user"]
    assert not streamed or "".join(heard) == SAID  # nothing is heard that is cut off


def test_responses_call_tools_and_are_cut():
    bodies = [response("", "Ulm.", [("Search", {"entity": "Ulm"})])]
    bodies += [response(text, cut=True) for text in ("", SAID)]
    ulm, found = ToolCall("c0", "Search", "{}"), "Ulm is a city."
    prompt = (Message("user", "Where?"), Message("assistant", "", (ulm,)), Message("tool", found, answers="c0"))  # fmt: skip
    heard = []
    with Stub(only_responses(*bodies)) as stub:
        model = models.openai("m", stub.url, api="responses")
        ask = Ask(prompt, tools=(TOOL,))
        (calls,), (nothing,) = complete(model, ask), complete(model, ask)
        (cut,) = complete(model, ask, heard.append)
        sent = stub.asked[-1].body
    assert calls.tool_calls[0]["function"] == {"name": "Search", "arguments": '{"entity": "Ulm"}'}
    assert (nothing.text, nothing.why, cut.text, cut.why) == ("", "length", SAID, "length")
    assert heard == [SAID] and sent["tools"] == [{"type": "function", **TOOL["function"]}]
    kinds = [(item.get("type"), item.get("call_id")) for item in sent["input"]]
    assert kinds == [(None, None), ("function_call", "c0"), ("function_call_output", "c0")]


@pytest.mark.parametrize(("body", "said"), [
    ({"output": [{"type": 3}]}, "another shape"), ({"output": []}, "no output"), ("{", "broken JSON"),
    ({"choices": []}, "no output"), ({"output": None, "error": {"code": "server_error", "message": "Oh."}}, "Oh."),
])  # fmt: skip
def test_odd_responses_are_a_sentence(body, said):
    with Stub([Answer(body)]) as stub:
        model = models.openai("m", stub.url, api="responses", attempts=1)
        with pytest.raises(ModelError, match=said):
            complete(model, replace(ASK, stop=()))


# ---- streams -------------------------------------------------------------------------------------
def streaming(text, **fields):
    """A server that says `text`: letter by letter when asked for a stream."""

    def make(asked):
        if not asked.body.get("stream"):
            return chat(text, **fields) if asked.chat else completion(text)
        told = [{"content" if asked.chat else "text": letter} for letter in text]
        told = [{"role": "assistant", "content": None, **fields}] * bool(fields) + told
        pieces = [{"delta": piece} if asked.chat else piece for piece in told]
        pieces += [{"delta": {}, "text": "", "finish_reason": "stop"}]
        events = [{"model": "stub-1", "choices": [{"index": 0, **p}]} for p in pieces]
        if asked.body.get("stream_options") == {"include_usage": True}:
            usage = {"prompt_tokens": 10, "completion_tokens": 6}
            events.append({"model": "stub-1", "choices": [], "usage": usage})
        return Answer(events=events)

    return make


@pytest.mark.parametrize("api", ["completions", "chat"])
def test_a_stream_ends_in_the_same_reply(api):
    text = "I need to search Ångström ⚛.\nAction 1: Search[Ångström]"
    heard = []
    with Stub(streaming(text)) as stub:
        model = models.openai("m", stub.url, api=api)
        assert complete(model, ASK, heard.append) == complete(model, ASK)
        assert [asked.body.get("stream") for asked in stub.asked] == [True, None]
        complete(model, VOTES, heard.append)  # 21 at once cannot be watched
        assert "stream" not in stub.asked[2].body
    assert heard == list(text)


@pytest.mark.parametrize("parts", [["stream_options"], ["stream_options", "stream"]])
def test_stream_options_or_streaming_may_be_refused(parts):
    def make(asked):
        for part in parts:
            if part in asked.body:
                return refusal(400, f"{part} is not supported", param=part)
        return streaming("abc")(asked)

    heard = []
    with Stub(make) as stub:
        model = models.openai("m", stub.url)
        (reply,), (again,) = (complete(model, ASK, heard.append) for _ in range(2))
        assert len(stub.asked) == len(parts) + 2
    assert reply.text == again.text == "abc" and "".join(heard) == "abcabc"
    assert reply.tokens_in == (10 if "stream" in parts else None)  # a stream may not tell


PIECE = {"choices": [{"index": 0, "text": "a"}]}


@pytest.mark.parametrize("unfinished", [False, True])
@pytest.mark.parametrize(("more", "words"), [
    ([], "the stream broke off"), (["{broken"], "broken JSON"), (['"odd"'], "JSON of another shape"),
    ([{"error": {"message": "boom"}}], "boom"), ([{"error": {"message": "it is full", "type": "exceed_context_size_error"}}], "is full"),
])  # fmt: skip
def test_a_broken_stream_is_not_told_twice(more, words, unfinished):
    heard = []
    with Stub([Answer(events=[PIECE, *more], unfinished=unfinished)]) as stub:
        model, waits = patient(stub.url)
        with pytest.raises(Halt) as caught:
            complete(model, ASK, heard.append)
        assert len(stub.asked) == 1
    assert heard == ["a"] and not waits
    assert words in one_sentence(caught.value) or unfinished
    assert isinstance(caught.value, ContextLimit) == (words == "is full") or unfinished


STREAMED = Answer(events=[PIECE, {"choices": [{"index": 0, "text": "", "finish_reason": "stop"}]}])
BUSY = refusal(503, "busy")


@pytest.mark.parametrize("first", [
    [Answer(events=[{"choices": [], "model": "x"}], unfinished=True), BUSY],
    [replace(BUSY, cut=True)] * 2, [replace(BUSY, drip=30)] * 2,
])  # fmt: skip
def test_a_stream_that_breaks_before_its_first_word_is_asked_for_again(first):
    heard = []
    with Stub([*first, STREAMED]) as stub:
        model, _ = patient(stub.url, timeout=1)
        (reply,) = complete(model, ASK, heard.append)
    assert (heard, reply.text, len(stub.asked)) == (["a"], "a", 3)
    assert reply.settings["attempts"] >= 3


def test_stop_in_the_middle_of_a_stream():
    def stop(piece):
        raise KeyboardInterrupt

    endless = Answer(events=itertools.repeat(PIECE), drip=0.01)
    with Stub(lambda asked: endless if "stream" in asked.body else completion("abc")) as stub:
        model = models.openai("m", stub.url)
        with pytest.raises(KeyboardInterrupt) as caught:
            complete(model, ASK, stop)
        assert stub.hung_up.wait(5)  # while the traceback is still looked at
        assert caught.tb
        assert said(model) == "abc"


# ---- F16: keys -----------------------------------------------------------------------------------
def forms(key):
    encoded = base64.b64encode(key.encode()).decode()
    return {key, quote(key), quote(key, safe=""), encoded, repr(key), repr(key)[1:-1], key[:12]}


def leaks(*texts):
    whole = "".join(t if isinstance(t, str) else t.decode("latin-1") for t in texts)
    return sorted(form for form in forms(CANARY) if form in whole)


def package_frames(error):
    """What the package's own frames of a traceback hold."""
    whole = traceback.TracebackException.from_exception(error, capture_locals=True)
    ours = [frame for frame in whole.stack if frame.filename != __file__]
    return [f"{frame.name} {frame.line} {frame.locals}" for frame in ours]


ECHO = " ".join(["echo", *sorted(forms(CANARY))]) + " " + "x" * 250 + CANARY
ECHOES = {
    **{str(code): refusal(code, ECHO, param=None) for code in (400, 401, 403, 404, 422, 429, 500)},
    **{c: refusal(400, ECHO, code=c) for c in ("context_length_exceeded", "content_filter")},
    "quota": refusal(429, ECHO, code="insufficient_quota"),
    "200": Answer({"error": ECHO}), "text": Answer(ECHO, 400, kind="text/plain"),
    "stream": Answer(events=[{"error": {"message": ECHO}}]),
}  # fmt: skip


@pytest.mark.parametrize("kind", ECHOES)
def test_no_error_tells_the_key(kind, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    with Stub([ECHOES[kind]]) as stub:
        model, _ = patient(stub.url, attempts=1)
        with pytest.raises(Halt) as caught:
            complete(model, ASK, print if kind == "stream" else None)
        assert stub.asked[0].headers["authorization"] == f"Bearer {CANARY}"
    error, frames = caught.value, package_frames(caught.value)
    assert len(frames) >= 2
    assert not leaks(str(error), repr(error), pickle.dumps(error), *frames)
    assert not leaks("".join(traceback.format_exception(error)))
    assert not leaks(repr(model), pickle.dumps(model), model.identity("react"))


@pytest.mark.parametrize("api", ["completions", "chat"])
def test_a_good_reply_that_echoes_the_key_is_kept_without_it(api, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    answer = (completion if api == "completions" else chat)(ECHO, system_fingerprint=CANARY)
    answer.body["model"] = CANARY
    with Stub([answer]) as stub:
        model = models.cached(models.openai("m", stub.url, api=api), tmp_path / "cache.jsonl")
        (reply,) = complete(model, ASK)
    assert "echo" in reply.text and "***" in reply.text
    whole = sorted(forms(CANARY) - {CANARY[:12]})
    written = (tmp_path / "cache.jsonl").read_text(encoding="utf-8") + repr(reply)
    assert not [form for form in whole if form in written]
    assert not leaks(pickle.dumps(model), repr(model), model.identity("react"))


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_who_hears_a_stream_hears_no_key(size, monkeypatch):
    """However it is cut into pieces; what only begins like the key is heard whole."""
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    heard, text = [], f"{CANARY[:20]}! {ECHO} {CANARY[:9]}"
    cut = [{"text": text[i : i + size]} for i in range(0, len(text), size)]
    cut.append({"text": "", "finish_reason": "stop"})
    answer = Answer(events=[{"choices": [{"index": 0, **piece}]} for piece in cut])
    with Stub([answer]) as stub:
        (reply,) = complete(models.openai("m", stub.url, api="completions"), ASK, heard.append)
    told = "".join(heard)
    assert told == reply.text and told.startswith(f"{CANARY[:20]}! echo ")
    assert not [form for form in forms(CANARY) - {CANARY[:12]} if form in told]


PLAIN_KEY = "sk-canary-0123456789"
ESCAPED_KEY = "".join(f"\\u{ord(letter):04x}" for letter in PLAIN_KEY)


@pytest.mark.parametrize("given", [f'{{"entity": "{ESCAPED_KEY}"}}', {PLAIN_KEY: "x"}])
def test_a_key_that_a_call_writes_in_escapes_or_as_a_name_is_not_kept(given, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", PLAIN_KEY)
    called = {"id": "c", "type": "function", "function": {"name": "Search", "arguments": given}}
    answer = chat("I look.")
    answer.body["choices"][0]["message"]["tool_calls"] = [called]
    with Stub([answer]) as stub:
        (reply,) = complete(models.openai("m", stub.url, api="chat"), ASK)
    assert "\\u" not in repr(reply) and "sk-canary" not in repr(reply) and "***" in repr(reply)


def refused(said, key, **given):
    """What is said of a key that stands in some other place: not the key itself."""
    with pytest.raises(ValueError, match=said) as caught:
        models.openai(**{"name": "m"} | given)
    assert key not in str(caught.value)


def test_a_key_in_the_place_of_an_address_or_a_name_is_neither_shown_nor_stored(monkeypatch):
    key = "sk-proj-" + "Ab3" * 16
    before = ("", "//", "/", "ab:", "localhost", "http://[", "http://h/v1/", "https://")
    for url in (CANARY, "c2stY2Fu/YXJ5+==", *(at + key for at in before)):
        refused("base_url", url, base_url=url)
    # what looks like a key is no name, though no variable holds it
    keys = ("sk-proj-Ab3Ab3Ab3Ab3Ab3Ab3", "hf_" + "a" * 34, "AIzaSyA-1234567890_abcdef")
    for place, key in itertools.product(("name", "key_env"), keys):
        refused("is no part of the model's name", key, **{place: key})
    for name in ("ft:multi-task-sk-tuned-longer-name", "xai-grok-4-fast-reasoning"):
        assert models.openai(name).name == name
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    for given in ({"name": CANARY}, {"base_url": f"http://{CANARY}/v1"}, {"key_env": CANARY}):
        refused("takes the name of an environment variable", "canary", **given)


def test_a_key_is_read_when_it_is_needed(monkeypatch):
    with Stub([completion("x")]) as stub:
        model = models.openai("m", stub.url, key_env="MY_KEY")
        said(model)
        monkeypatch.setenv("MY_KEY", " sk-1\n")
        said(model)
        said(pickle.loads(pickle.dumps(model)))
        monkeypatch.setenv("MY_KEY", "sk-2")
        said(model)
        monkeypatch.delenv("MY_KEY")
        said(model)
    told = [asked.headers["authorization"].removeprefix("Bearer ") for asked in stub.asked]
    assert told == ["none", "sk-1", "sk-1", "sk-2", "sk-2"]


@pytest.mark.parametrize("bad", ["sk-canary two", "sk-canary\nX: y", "sk-cänary"])
def test_a_key_that_cannot_be_sent(bad, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", bad)
    with pytest.raises(ModelError, match="OPENAI_API_KEY") as caught:
        said(models.openai("m", "http://localhost:9/v1"))
    frames = package_frames(caught.value)
    assert frames and "sk-c" not in str(caught.value) + str(frames)


@pytest.mark.parametrize("at", ["{}@api.example.org/v1", "user:{}@x.org/v1", "x.org/v1?key={}", "x.org/v1#{}"])  # fmt: skip
def test_a_key_in_the_address_is_refused(at, monkeypatch):
    url = "https://" + at.format(quote(CANARY, safe=""))
    with pytest.raises(ValueError, match="OPENAI_API_KEY") as caught:
        models.openai("m", url)
    assert not leaks(str(caught.value))
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(ValueError, match="OPENAI_API_KEY"):
        models.openai("m")


@pytest.mark.parametrize("url", ["localhost:8/v1", "ftp://x/v1", "http:///v1", "/v1", "http://bücher.example/v1", "http://x:8\n/v1", "http://x:٨/v1"])  # fmt: skip
def test_an_address_that_is_none(url):
    with pytest.raises(ValueError, match="is no address"):
        models.openai("m", url)
    with pytest.raises(ValueError, match="api is one of auto, chat"):
        models.openai("m", api="assistants")


@pytest.mark.parametrize("stdin", [None, io.StringIO("sk-seen-by-all\n")])
def test_without_a_key_and_without_a_person(stdin, monkeypatch):
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(ModelError, match="set the environment variable MY_KEY") as caught:
        said(models.openai("m", "https://api.example.org/v1", key_env="MY_KEY"))
    one_sentence(caught.value)


def test_a_key_as_an_argument_is_a_sentence_without_it():
    with pytest.raises(TypeError, match="environment variable MY_KEY") as caught:
        models.openai("m", key_env="MY_KEY", api_key=CANARY)
    one_sentence(caught.value)
    frames = package_frames(caught.value)
    assert len(frames) == 1 and not leaks(*frames, str(caught.value))


ASKED = """
from react_lab import models
from react_lab.types import Ask
model = models.openai("m", {url!r}, attempts=1)
print("SAID", *(model.complete(Ask("Q"))[0].text for _ in range(2)))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
def test_a_person_is_asked_once_and_the_key_is_not_shown():
    pexpect = pytest.importorskip("pexpect")
    with Stub([completion("fine")]) as stub:
        url = "http://server.example/v1"  # behind a proxy, which answers in its place
        env = {**os.environ, "http_proxy": stub.url.removesuffix("/v1"), "no_proxy": ""}
        around = {"cwd": str(ROOT), "env": env, "encoding": "utf-8", "timeout": 60}
        child = pexpect.spawn(sys.executable, ["-c", ASKED.format(url=url)], **around)
        child.logfile_read = shown = io.StringIO()
        child.expect("Key for http://server.example")
        child.expect("not be shown.*: ")
        child.waitnoecho()  # until the terminal hides what is typed
        child.sendline("sk-typed")
        child.expect("SAID fine fine")
        child.close()
    assert "sk-typed" not in shown.getvalue()
    assert {asked.headers["authorization"] for asked in stub.asked} == {"Bearer sk-typed"}


def test_a_notebook_that_runs_without_a_person():
    manager = pytest.importorskip("jupyter_client.manager")
    kernels, client = manager.start_new_kernel(kernel_name="python3", cwd=str(ROOT))
    try:
        code, quiet = ASKED.format(url="https://api.example.org/v1"), {"output_hook": str}
        told = client.execute_interactive(code, allow_stdin=False, timeout=60, **quiet)["content"]
    finally:
        client.stop_channels()
        kernels.shutdown_kernel(now=True)
    assert told["ename"] == "ModelError" and "OPENAI_API_KEY" in told["evalue"]


def test_a_script_is_said_in_order_and_the_same_script_is_the_same_model():
    model = models.scripted(["a", Reply("b", "length"), "c\nObservation 1: made up"])
    assert complete(model, replace(ASK, samples=(0, 1))) == (Reply("a"), Reply("b", "length"))
    heard = []
    (last,) = complete(model, ASK, heard.append)
    assert heard == [last.text] == ["c\nObservation 1: made up"]  # uncut, whatever Ask.stop says
    assert (last.tokens_in, last.tokens_out, last.settings) == (None, None, {})
    assert model.asked == [replace(ASK, samples=(0, 1)), ASK]
    with pytest.raises(ModelError, match=r"at its end \(3 in all\)") as caught:
        complete(model, replace(ASK, prompt="x" * 500 + "the end"))
    assert "x" * 193 + "the end" in one_sentence(caught.value)
    assert "x" * 194 not in str(caught.value)

    def other(ask):
        return "y"

    same = models.scripted(["a", "b"]).identity("react")
    assert same == models.scripted(("a", "b"), name="another").identity("cot")
    assert same == pickle.loads(pickle.dumps(models.scripted(["a", "b"]))).identity("react")
    assert complete(models.scripted("a"), ASK)[0].text == "a"
    functions = [models.scripted(f).identity("") for f in (lambda ask: "x", other, str, len)]
    assert len({same, *functions}) == 5
    assert models.scripted(other).identity("") == functions[1]


# ---- cached --------------------------------------------------------------------------------------
@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "replies.jsonl"


def dice(ask):
    return Reply(
        f"sample {ask.samples[0]} ⚄", "length", 5, 1, {"temperature": 0.7}, "fp", "hm", ({"a": 1},)
    )


def lines(path):
    """The replies of a recording."""
    text = path.read_text(encoding="utf-8")
    return [row for line in text.split("\n") if line and "key" in (row := json.loads(line))]


def test_21_samples_are_21_entries_replay_in_order_and_only_what_is_missing_is_asked_for(path):
    model = models.scripted(dice)
    fresh = complete(models.cached(model, path), VOTES)
    assert len({row["key"] for row in lines(path)}) == len(lines(path)) == 21
    backwards = replace(VOTES, samples=VOTES.samples[::-1])
    for mode in ("auto", "replay"):
        again = models.cached(model, path, mode)
        assert [r.text for r in complete(again, VOTES)] == [r.text for r in fresh]
        assert [r.text for r in complete(again, backwards)] == [r.text for r in fresh[::-1]]
    assert len(model.asked) == 1
    (last,) = complete(again, replace(VOTES, samples=(20,)))
    assert last == replace(fresh[20], settings={"temperature": 0.7, "replayed": True})
    assert "replayed" not in fresh[20].settings
    with Stub(many) as stub:
        model = models.cached(models.openai("m", stub.url), path)
        complete(model, replace(VOTES, samples=(3, 1)))
        replies = complete(model, replace(VOTES, samples=(0, 1, 2, 3)))
        complete(model, VOTES), complete(model, VOTES)
    assert [asked.body["n"] for asked in stub.asked] == [2, 2, 17]
    assert [r.settings.get("replayed", False) for r in replies] == [False, True, False, True]


@pytest.mark.parametrize("other", [
    {"prompt": "another"}, {"stop": ()}, {"temperature": 0.1}, {"max_tokens": 1}, {"leg": "act"},
    {"grammar": "x"}, {"seed": 1}, {"samples": (1,)}, {"prompt": (("user", ASK.prompt),)}, {"tools": ({"type": "function"},)},
])  # fmt: skip
def test_every_part_of_an_ask_counts(other, path):
    model = models.scripted(dice)
    cached = models.cached(model, path)
    complete(cached, ASK)
    complete(cached, replace(ASK, **other))
    assert len(model.asked) == 2
    complete(models.cached(models.scripted(lambda ask: "another"), path), ASK)
    assert len({row["key"] for row in lines(path)}) == 3


def test_record_always_asks_the_newest_reply_counts_and_text_is_heard_fresh_and_replayed(path):
    turns = iter("abc")
    model = models.scripted(lambda ask: next(turns), name="turns")
    record = models.cached(model, path, "record")
    assert [said(record), said(record)] == ["a", "b"]
    assert said(models.cached(model, path)) == "b"
    assert said(models.cached(model, path, "replay")) == "b"
    assert len(lines(path)) == 2
    heard = []
    with Stub(streaming("abc")) as stub:
        model = models.cached(models.openai("m", stub.url), path)
        complete(model, ASK, heard.append), complete(model, ASK, heard.append)
        assert len(stub.asked) == 1
    assert heard == ["a", "b", "c", "abc"]


def test_replay_tells_which_prompt_is_missing_and_a_failed_call_is_not_kept(path):
    model = models.cached(models.scripted([]), path, "replay")
    with pytest.raises(ModelError) as caught:
        complete(model, replace(VOTES, samples=(7,)))
    text = one_sentence(caught.value)
    assert all(told in text for told in ("sample 7", "'react'", repr(ASK.prompt)))
    assert not path.exists()
    with Stub([refusal(401, "no"), completion("yes")]) as stub:
        model = models.cached(models.openai("m", stub.url), path)
        with pytest.raises(ModelError):
            said(model)
        assert not path.exists()
        assert said(model) == "yes"


def test_a_replay_needs_no_model(path):
    model = models.scripted(dice, name="dice", tuned=["react"])
    fresh = models.cached(model, path)
    complete(fresh, VOTES)
    complete(fresh, replace(ASK, leg="cot"))
    replay = models.cached(None, path, "replay")
    assert (replay.name, replay.tuned) == ("dice", frozenset({"react"}))
    assert replay.identity("react") == model.identity("react")
    assert [r.text for r in complete(replay, VOTES)] == [f"sample {i} ⚄" for i in range(21)]
    with pytest.raises(ModelError, match="no replies for 'act'"):
        complete(replay, replace(ASK, leg="act"))
    complete(models.cached(models.scripted(["x"], name="other"), path), ASK)
    with pytest.raises(ModelError, match="replies of 2 models"):
        complete(models.cached(None, path, "replay"), ASK)
    with pytest.raises(ValueError, match="needs a model"):
        models.cached(None, path)
    with pytest.raises(ValueError, match="mode="):
        models.cached(model, path, "reply")


KILLED = """
import sys
sys.path.insert(0, "tests")
from stub_server import complete
from react_lab import models
from react_lab.types import Ask
model = models.cached(models.openai("m", sys.argv[1], api="completions"), sys.argv[2])
for i in range(12):
    complete(model, Ask(f"question {i}", temperature=0.7, samples=tuple(range(5)), leg="cot"))
"""


def test_a_recording_killed_between_replies_pays_for_none_twice(path):
    """60 replies, from a server that gives one a request; kill -9 after every 5 or so."""

    def answer(request):
        said = f"{request.body['prompt']}, {request.body['seed']}"
        return replace(completion(said), delay=0.01)

    with Stub(answer) as stub:
        command = [sys.executable, "-c", KILLED, stub.url, str(path)]
        for _ in range(3):
            before = len(stub.asked)
            with subprocess.Popen(command, cwd=ROOT) as child:
                while len(stub.asked) < before + 5:
                    time.sleep(0.001)
                child.kill()
            assert child.returncode, "it ended before it was killed"
        assert len(lines(path)) < 60
        subprocess.run(command, cwd=ROOT, check=True)
        asked = [(request.body["prompt"], request.body["seed"]) for request in stub.asked]
    assert len(asked) - len(set(asked)) <= 3  # what was under way, and no more
    rows = lines(path)
    assert len(rows) == len({row["key"] for row in rows}) == 60
    wanted = {f"question {i}, {sample}" for i in range(12) for sample in range(5)}
    assert {row["reply"]["text"] for row in rows} == wanted


@pytest.mark.filterwarnings("ignore:.*cannot be read. passed over")
@pytest.mark.parametrize("keep", [1, 40, 200, -1])
def test_a_torn_line_is_asked_for_again_and_nothing_is_glued_to_it(keep, path):
    model = models.scripted(dice)
    complete(models.cached(model, path), replace(VOTES, samples=(0, 1)))
    about, first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(about + first + second[:keep])  # -1: whole, but for the end of the line
    three = replace(VOTES, samples=(0, 1, 2))
    assert len(complete(models.cached(model, path), three)) == 3
    assert model.asked[-1].samples == ((2,) if keep == -1 else (1, 2))
    assert len(complete(models.cached(None, path, "replay"), three)) == 3


@pytest.mark.parametrize("hostile", [
    b"[" * 100_000, b"null", b"[1]", b"\xff\xfe", pickle.dumps(["a"]).replace(b"\n", b""),
    b'{"key": 1, "leg": "", "reply": {"text": ""}}', b'{"key": "k", "leg": ""}',
    b'{"key": "k", "leg": "", "reply": {"text": 5}}',
])  # fmt: skip
@pytest.mark.usefixtures("no_collection")
def test_a_foreign_line_is_passed_over(hostile, path):
    model = models.scripted(dice)
    complete(models.cached(model, path), ASK)
    path.write_bytes(hostile + b"\n" + path.read_bytes())
    with pytest.warns(UserWarning, match="a line cannot be read"):
        complete(models.cached(model, path), ASK)
        complete(models.cached(model, path), VOTES)
        complete(models.cached(model, path), VOTES)
    assert len(model.asked) == 2


def test_identical_asks_at_once_make_one_call(path):
    def slow(ask):
        time.sleep(0.05)
        return f"{ask.samples}"

    model = models.scripted(slow)
    cached = models.cached(model, path)
    together = threading.Barrier(8)

    def ask(i):
        together.wait()
        some = tuple(range(i % 4, i % 4 + 4))  # overlapping, not only identical
        return [r.text for r in complete(cached, replace(VOTES, samples=some))]

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(ask, range(8)))
    assert told == [[f"({s},)" for s in range(i % 4, i % 4 + 4)] for i in range(8)]
    asked = [sample for ask in model.asked for sample in ask.samples]
    assert sorted(asked) == list(range(7))
    assert len(lines(path)) == 7


def test_a_reply_that_has_just_come_is_not_asked_for_again(path):
    model = models.scripted(lambda ask: "x")
    cached = models.cached(model, path)
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads meet at every line
    try:
        with ThreadPoolExecutor(16) as pool:
            for i in range(100):
                ask = replace(ASK, prompt=f"{i}")
                list(pool.map(lambda _, ask=ask: said(cached, ask), range(16)))
    finally:
        sys.setswitchinterval(often)
    assert len(model.asked) == 100


def test_when_the_one_that_asks_fails_another_asks(path):
    def make(ask):
        time.sleep(0.05)
        if len(model.asked) == 1:
            raise ModelError("lost")
        return "b"

    model = models.scripted(make)
    cached = models.cached(model, path)
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(said, cached), pool.submit(said, cached)]
        errors = [future.exception(timeout=60) for future in both]
    assert sorted(map(str, errors)) == ["None", "lost"]


WRITE = """
import sys
from react_lab import models
from react_lab.types import Ask
letter, path = sys.argv[1:]
model = models.cached(models.scripted(lambda ask: letter * 3000, name=letter), path, "record")
for i in range(60):
    model.complete(Ask(f"{letter} {i}"))
"""


def test_two_processes_share_a_file(path, monkeypatch):
    with subprocess.Popen([sys.executable, "-c", WRITE, "a", path], cwd=ROOT) as child:
        monkeypatch.setattr(sys, "argv", ["", "b", path])
        until(path.exists)
        exec(WRITE, {})
        assert child.wait(120) == 0
    texts = [row["reply"]["text"] for row in lines(path)]
    assert sorted(texts) == ["a" * 3000] * 60 + ["b" * 3000] * 60


def test_a_cached_model_pickles_and_passes_names_through(path):
    model = models.cached(models.scripted(["a", "b"], tuned=["cot"]), path)
    assert said(model) == "a"
    again = pickle.loads(pickle.dumps(model))
    assert said(again) == "a"
    assert again.identity("react") == model.identity("react")
    assert (again.name, again.tuned, again.mode) == ("scripted", frozenset({"cot"}), "auto")
    assert repr(again) == f"cached(scripted('scripted'), {str(path)!r}, mode='auto')"


@pytest.mark.parametrize(
    ("said_first", "kept"),
    [("\u2028 \x85 \0 \r\n <script> \\ud83d",) * 2, ("half \ud83d", "half ?")],
)
def test_odd_text_is_the_same_at_once_and_when_replayed(said_first, kept, path):
    model = models.scripted([said_first])
    assert said(models.cached(model, path)) == said(models.cached(model, path, "replay")) == kept
