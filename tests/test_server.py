"""`models.openai` against a real server: llama.cpp's, with a real small model.

Run with REACT_LAB_GGUF=some.gguf python -m pytest tests/test_server.py; skipped otherwise.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_lab import models
from react_lab.types import Ask, ContextLimit, ModelError

GGUF = os.environ.get("REACT_LAB_GGUF", "")
pytestmark = pytest.mark.skipif(not GGUF, reason="REACT_LAB_GGUF names no .gguf file")

# A child process, because the server is C++: its crash would be ours. It ends with its stdin.
SERVER = """
import sys, xllamacpp as x
p = x.CommonParams()
p.model.path = sys.argv[1]
p.n_ctx, p.n_parallel, p.kv_unified, p.port = 2048, 21, True, 0
p.cpuparams.n_threads = 2
server = x.Server(p)
print("ADDRESS", server.listening_address, flush=True)
sys.stdin.read()
"""
QUESTION = "Question: What is the capital of France?\nAnswer:"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    pytest.importorskip("xllamacpp")
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(Path(GGUF).expanduser())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    ) as child:
        assert child.stdout and child.stdin
        said = next(line for line in child.stdout if line.startswith("ADDRESS"))
        yield said.split()[1] + "/v1"
        child.stdin.close()
        child.wait(timeout=30)


@pytest.fixture(params=["completions", "chat"])
def model(url: str, request: pytest.FixtureRequest) -> models.Compatible:
    return models.openai("smol", url, api=request.param)


def test_it(url):
    import openai
    c = openai.OpenAI(base_url=url, api_key="x", max_retries=0)
    for kw in (dict(prompt=QUESTION, n=22, max_tokens=3), dict(prompt="word " * 3000, max_tokens=3),dict(prompt="word " * 1500, max_tokens=3000)):
        try:
            print(c.completions.create(model="smol", **kw))
        except openai.APIError as e:
            print(type(e), e.body)
    try:
        print(c.chat.completions.create(model="smol", messages=[{"role":"user","content":"word "*3000}],max_tokens=3))
    except openai.APIError as e:
        print(type(e), e.body)
    print(c.completions.create(model="smol", prompt=QUESTION, n=2, max_tokens=8,temperature=.7,seed=3).to_json())
    print(c.chat.completions.create(model="smol", messages=[{"role":"user","content":"hi"}], n=2, max_tokens=8,temperature=.7,seed=3).to_json())
    assert 0
