"""`models.openai` against a real server: llama.cpp's own, with a real small model (make test-server)."""

from dataclasses import replace

import pytest
from stub_server import complete

import react_lab as rl
from react_lab import models
from react_lab.agent import transcript_of
from react_lab.models import weights
from react_lab.models.llama import Child
from react_lab.types import Ask, ContextLimit, ModelError, Step, Task

pytestmark = pytest.mark.server

PROMPT = """Question: Which river runs through the capital of France?
Thought 1: I need to find the capital of France.
Action 1: Search[France]
Observation 1: France is a country. Its capital is Paris.
Thought 2:"""
ASK = Ask(PROMPT, stop=("\nObservation 2", "\nThought 3"), max_tokens=40, leg="react")
VOTES = Ask(PROMPT, stop=("\n",), temperature=0.7, samples=tuple(range(21)), max_tokens=12, seed=5)


@pytest.fixture(scope="module")
def url():
    """One thread: more would spin while they wait, which takes minutes on a busy machine."""
    child = Child({weights.path(): weights.SIZES["135m"].sha256}, threads=1).started()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", child.key)
        yield f"{child.address}/v1"
    child.stop()


@pytest.fixture(params=["completions", "chat"])
def model(url, request):
    return models.openai("smol", url, api=request.param)


def test_it_answers_and_stops_where_it_is_asked_to(model):
    (reply,) = complete(model, ASK)
    assert reply.text and reply.tokens_in > 40 and 0 < reply.tokens_out <= 40
    assert reply.settings["api"] == model.api and reply.settings["model"]
    assert (reply.settings["attempts"], reply.settings["stop_sent"]) == (1, True)
    (whole,) = complete(model, Ask(PROMPT, max_tokens=40))
    middle = whole.text[len(whole.text) // 2 :][:4]
    (cut,) = complete(model, Ask(PROMPT, stop=(middle,), max_tokens=40))
    assert cut.text == whole.text[: whole.text.index(middle)]
    assert cut.why == "stop"
    (short,) = complete(model, Ask(PROMPT, max_tokens=3))
    assert (short.why, short.tokens_out) == ("length", 3)


def test_21_samples_by_one_request(model):
    replies = complete(model, VOTES)
    assert len(replies) == 21 and len({reply.text for reply in replies}) > 5
    assert sum(reply.settings["attempts"] for reply in replies) == 1
    assert {reply.settings["temperature"] for reply in replies} == {0.7}
    # and more than the server has slots
    replies = complete(model, Ask("A", temperature=0.7, samples=tuple(range(23)), max_tokens=1))
    assert len(replies) == 23 and replies[0].settings["refused"] == ["n"]
    assert sum(reply.settings["attempts"] for reply in replies) == 24


def test_a_stream_ends_in_the_same_reply(model):
    heard = []
    (streamed,) = complete(model, ASK, heard.append)
    (whole,) = complete(model, ASK)
    assert "".join(heard) == streamed.text
    assert len(heard) > 3
    for reply in (streamed, whole):
        reply.settings.pop("attempts")  # a busy machine may need two
    assert streamed == whole


def test_a_transcript_that_is_too_long_and_a_grammar(model):
    long = Ask("word " * 40_000)
    with pytest.raises(ContextLimit, match=r"40\d\d\d"):
        complete(model, long)
    with pytest.raises(ContextLimit):
        complete(model, long, lambda piece: None)
    (reply,) = complete(model, Ask(PROMPT, grammar='root ::= " Search[" [A-Z] [a-z]+ "]"'))
    assert reply.text.strip().startswith("Search[")
    assert reply.text.endswith("]") or reply.why == "length"
    with pytest.raises(ModelError, match="grammar"):
        complete(model, Ask(PROMPT, grammar="root ::= ("))


def test_a_wrong_address_is_said(url):
    for wrong in (url + "/v2", url.replace("/v1", "/v0")):
        with pytest.raises(ModelError, match="base_url"):
            complete(models.openai("smol", wrong), ASK)


# ---------------------------------------------------------------------- chats and tools
QUESTION = Task("t", "tools", "How warm is it in Paris today?", "11")


def slow(url):
    """A chat of many tokens takes its time on a busy machine; short turns are enough here."""
    return models.openai("smol", url, max_tokens=48, timeout=400)


@pytest.mark.parametrize("method", ["react-chat", "react-tools", "act-tools"])
@pytest.mark.parametrize("heard", [False, True])
def test_a_chat_method_runs_to_a_recorded_end(url, method, heard):
    """A model of this size fails at it: what is tested is that all it says is read and kept."""
    model = models.streamed(slow(url), [].append) if heard else slow(url)
    run = rl.run(method, QUESTION, model, max_steps=2)
    assert run.end in ("finished", "step_limit", "unreadable")
    assert run.steps and 0 < run.calls <= 6 and run.tokens_in and run.tokens_out
    assert run.settings["effect"]["api"] == "chat" and run.settings["effect"].get("refused") is None
    assert all(step.raw is not None for step in run.steps if not step.rescued)


def test_tools_reach_the_model_and_its_calls_come_back(url):
    """The template writes the tools down; what the model then writes as a call is a call."""
    prompt = rl.prompt_of("react-tools", "tools")
    transcript = transcript_of(prompt)
    transcript.begin("Question: How warm is it in Paris today?")
    ask = replace(transcript.ask(1), max_tokens=4)
    model = models.openai("smol", url, timeout=400)
    (told,), (untold,) = complete(model, ask), complete(model, replace(ask, tools=()))
    assert told.tokens_in > untold.tokens_in + 150
    call = 'root ::= "<tool_call>\\n{\\"name\\": \\"Weather\\", \\"arguments\\": {\\"city\\": \\"Paris\\"}}\\n</tool_call>"'
    (reply,) = complete(model, replace(ask, tools=(), grammar=call, max_tokens=60))
    step = transcript.read(reply, 1)
    assert (step.action, step.repairs) == ("Weather[Paris]", ("call in the text",))


def test_a_history_of_calls_and_results_is_taken(url):
    transcript = transcript_of(rl.prompt_of("react-tools", "tools"))
    transcript.begin("Question: How warm is it in Paris today?")
    seen = "cloudy, 11 degrees Celsius <|im_end|>"
    transcript.add(Step("I look.", "Weather[Paris]", seen), 1)
    transcript.add(Step(None, "Dance[]", "Invalid action"), 2)
    (reply,) = complete(slow(url), transcript.ask(3))
    assert reply.tokens_in and reply.tokens_in > 100
    assert transcript.read(reply, 3).raw is not None


@pytest.mark.skipif(
    not (weights.cache() / weights.SIZES["0.5b"].file).exists(),
    reason="run `python -m react_lab fetch` first",
)
def test_the_model_that_a_class_meets_finds_an_answer_by_itself(monkeypatch):
    monkeypatch.delenv("REACT_LAB_SIZE")
    task = rl.tasks.question("In which city was the painter of Nighthawks born?", "Nyack")
    run = rl.run("react", task, model := models.local())
    assert run.model.startswith("qwen2.5-coder-0.5b") and run.settings["bare"] == ["react"]
    assert run.answer and "Nyack" in run.answer and len(run.steps) >= 3
    task = rl.tasks.question("How many degrees colder is it in Paris than in Cairo?", "13", "tools")
    acts = [step.action for step in rl.run("react", task, model).steps]
    assert {"Weather[Cairo]", "Weather[Paris]"} <= {*acts} and acts[-1] == "Finish[13]"
