"""rl.evaluate(trace=True): each episode as OpenTelemetry spans, and no key in them."""

import json
import os
import subprocess
import sys
import textwrap

import pytest
from experiment import WORLD, Player, tasks
from opentelemetry import trace
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from stub_server import Answer, Stub, refusal

import react_lab as rl
from react_lab.types import Reply

KEY = "sk-canary-0123456789"
SENT = InMemorySpanExporter()
OURS = TracerProvider()
OURS.add_span_processor(SimpleSpanProcessor(SENT))


@pytest.fixture
def spans(tmp_path):
    """Evaluates and gives back the spans, as they began."""
    if trace.get_tracer_provider() is not OURS:
        trace.set_tracer_provider(OURS)

    def run(methods="react", model=None, n=1, world=WORLD, **more):
        SENT.clear()
        path, options = tmp_path / "runs.jsonl", {"world": world, "progress": False} | more
        runs = rl.evaluate(methods, tasks(n), model or Player(), path, trace=True, **options)
        return list(runs), sorted(SENT.get_finished_spans(), key=lambda span: span.start_time)

    return run


def test_an_episode_has_a_span_and_in_it_one_for_each_call_and_act(spans):
    [run], [episode, *inner] = spans()
    assert episode.name == "invoke_agent react" and episode.parent is None
    assert [span.name for span in inner] == ["text_completion player", "execute_tool Search"] * 4 + [
        "text_completion player", "execute_tool Finish"]  # fmt: skip
    assert {span.parent.span_id for span in inner} == {episode.context.span_id}
    facts = episode.attributes
    assert facts["gen_ai.conversation.id"] == run.id and facts["react_lab.end"] == "finished"
    assert facts["gen_ai.usage.input_tokens"] == run.tokens_in
    assert (facts["input.value"], facts["output.value"]) == (tasks(1)[0].text, run.answer)
    call, tool = inner[0].attributes, inner[1].attributes
    assert call["gen_ai.operation.name"] == "text_completion"
    assert call["gen_ai.response.finish_reasons"] == ("stop",)
    [message] = json.loads(call["gen_ai.output.messages"])
    assert message["parts"][0]["content"] == " on\nAction 1: Search[Danube]"
    assert tool["gen_ai.tool.name"] == "Search"
    assert tool["gen_ai.tool.call.arguments"] == tool["input.value"] == "Danube"
    assert tool["gen_ai.tool.call.result"] == run.steps[0].observation


def test_it_changes_nothing_of_a_run(spans, tmp_path):
    both, path = ["react", "cot-sc"], tmp_path / "plain.jsonl"
    plain = rl.evaluate(both, tasks(2), Player(), path, world=WORLD, progress=False)
    traced, _ = spans(both, n=2)
    assert [(run.id, run.steps, run.settings) for run in traced] == [
        (run.id, run.steps, run.settings) for run in plain
    ]


def test_episodes_side_by_side_keep_their_calls_apart(spans):
    _, found = spans(n=8, workers=8)
    episodes = {span.context.span_id for span in found if not span.parent}
    under = [span.parent.span_id for span in found if span.parent]
    assert len(episodes) == 8 and all(under.count(id) == 10 for id in episodes)


def test_a_chat_with_tools_is_written_as_the_conventions_say(spans):
    call = {"id": "c1", "function": {"name": "Finish", "arguments": '{"answer": "Ulm"}'}}
    model = rl.models.scripted([Reply("So.", reasoning="Hm.", tool_calls=(call,))])
    _, [_, asked, _] = spans("react-tools", model)
    assert asked.attributes["gen_ai.operation.name"] == "chat"
    assert json.loads(asked.attributes["gen_ai.input.messages"])[0]["role"] == "system"
    [message] = json.loads(asked.attributes["gen_ai.output.messages"])
    assert [part["type"] for part in message["parts"]] == ["reasoning", "text", "tool_call"]
    assert message["parts"][2]["arguments"] == '{"answer": "Ulm"}'


@pytest.mark.filterwarnings("ignore:.* runs ended in")
@pytest.mark.parametrize("lines", [None, [" Danube\nAction 1: Search[Danube]"]], ids=["all", "end"])
def test_texts_stay_here_where_the_variable_says_so(spans, monkeypatch, lines):
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "false")
    [run], found = spans(model=lines and rl.models.scripted(lines))
    assert not lines or "Danube" in run.error  # an error's words may quote a prompt
    assert "Danube" not in str([span.to_json() for span in found])


def test_half_a_character_and_a_nasty_act_are_sent(spans):
    model = rl.models.scripted([" \ud800\nAction 1: Search[\ud800]"])
    _, [_, _, act, *_] = spans(model=model, max_steps=1)
    assert act.attributes["gen_ai.tool.call.arguments"].encode() == b"?"


@pytest.mark.filterwarnings("ignore:.* runs ended in")
def test_no_key_is_in_a_span_whatever_fails_and_of_ones_own_error_only_the_kind(
    spans, monkeypatch, tmp_path
):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Stub(lambda asked: refusal(400, f"no: {asked.headers['authorization']}")) as stub:
        [run], found = spans(model=rl.models.openai("m", stub.url, "completions"))
    assert run.end == "error" and [span.status.is_ok for span in found] == [False, False]
    assert found[0].attributes["error.type"] == "error"
    assert "output.value" not in found[0].attributes
    assert all("HTTP 400" in span.status.description for span in found)
    assert KEY not in str([span.to_json() for span in found])

    def fails(ask):
        raise RuntimeError(f"header {KEY}")

    (tmp_path / "runs.jsonl").unlink()
    with pytest.raises(RuntimeError):
        spans(model=rl.models.scripted(fails))
    found = SENT.get_finished_spans()
    assert {span.attributes["error.type"] for span in found} == {"RuntimeError"}
    assert {span.status.description for span in found} == {"RuntimeError"}
    assert KEY not in str([span.to_json() for span in found])


COLLECTED = """
    import sys; from concurrent.futures import ProcessPoolExecutor
    import react_lab as rl; from experiment import WORLD, Player, tasks
    if __name__ == "__main__":
        import multiprocessing
        spawn = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(2, mp_context=spawn) if sys.argv[2:] else None
        rl.evaluate("react", tasks(3), Player(), sys.argv[1], world=WORLD, executor=pool, trace=True)
        if pool:
            pool.shutdown()
"""


@pytest.mark.parametrize("where", [[], ["in other processes"]], ids=["here", "elsewhere"])
def test_a_collector_gets_them_where_the_usual_variables_say(tmp_path, where):
    program = tmp_path / "evaluates.py"
    program.write_text(textwrap.dedent(COLLECTED))
    command = [sys.executable, program, tmp_path / "runs.jsonl", *where]
    told = {"OTEL_EXPORTER_OTLP_HEADERS": "x-team=ours", "OTEL_SERVICE_NAME": "lesson"}
    told |= {"OPENAI_API_KEY": KEY, "PYTHONPATH": os.pathsep.join(sys.path)}
    with Stub([Answer()]) as stub:
        told["OTEL_EXPORTER_OTLP_ENDPOINT"] = stub.url.removesuffix("/v1")
        subprocess.run(command, env={**os.environ, **told}, check=True, timeout=300)
    assert {(one.path, one.headers["x-team"]) for one in stub.asked} == {("/v1/traces", "ours")}
    came = [ExportTraceServiceRequest.FromString(one.data) for one in stub.asked]
    groups = [group for request in came for group in request.resource_spans]
    names = [span.name for group in groups for scope in group.scope_spans for span in scope.spans]
    assert names.count("invoke_agent react") == 3 and names.count("execute_tool Search") == 12
    assert 'string_value: "lesson"' in str(groups[0].resource) and KEY not in str(came)
