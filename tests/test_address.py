"""What is sent to this machine stays on it: a real proxy writes down all that reaches it."""

import pytest
from stub_server import Stub, completion, refusal
from wiki_server import WikiServer

from react_lab import models
from react_lab.envs import LiveWikipedia
from react_lab.support.http import is_local
from react_lab.types import Ask, EnvError, ModelError

HERE = [
    "0.0.0.0", "127.0.0.1", "127.255.3.4", "localhost", "localhost.", "LOCALHOST",
    "model.localhost", "a.b.localhost.", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[0:0:0:0:0:0:0:1]",
]  # fmt: skip
ELSEWHERE = [
    "localhost.evil.com", "127.0.0.1.nip.io", "0.0.0.0.example", "notlocalhost", "localhost-1.org",
    "128.0.0.1", "1.127.0.0", "[2001:db8::1]", "[::ffff:8.8.8.8]", "2130706432999", "api.openai.com",
]  # fmt: skip
PROXIES = ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
ASK = Ask("Question: what nobody else may read?\nThought 1:", leg="react")


@pytest.fixture
def proxy(monkeypatch):
    """A proxy that the environment names for everything."""
    with Stub([refusal(502, "Bad Gateway")]) as server:
        for name in PROXIES:
            monkeypatch.setenv(name, server.url.removesuffix("/v1"))
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")
        yield server


@pytest.mark.parametrize("host", HERE)
def test_this_machine_is_asked_directly(proxy, host):
    """Odd forms do not connect on some machines: then it fails, and the proxy hears nothing."""
    assert is_local(f"http://{host}:1/v1") and is_local(f"http://{host}/v1")
    with Stub([completion("direct")]) as stub:
        url = stub.url.replace("127.0.0.1", host)
        try:
            assert models.openai("m", url, attempts=1).complete(ASK)[0].text == "direct"
        except ModelError:
            assert not stub.asked and host.lower() not in ("127.0.0.1", "localhost")
    assert not proxy.asked


@pytest.mark.parametrize("host", ELSEWHERE)
def test_what_only_looks_like_this_machine_is_asked_by_the_proxy(proxy, host):
    assert not is_local(f"http://{host}:1/v1") and not is_local(f"http://{host}/v1")
    with pytest.raises(ModelError):
        models.openai("m", f"http://{host}:1/v1", attempts=1).complete(ASK)
    assert len(proxy.asked) == 1 and host.strip("[]") in proxy.asked[0].path


def test_a_wiki_on_this_machine_is_asked_directly(proxy):
    with WikiServer() as wiki:
        assert LiveWikipedia("me@example.org", api_url=wiki.url, attempts=1).get("Kale")
    assert not proxy.asked
    pages = LiveWikipedia("me@example.org", api_url="http://wiki.example/w/api.php", attempts=1)
    with pytest.raises(EnvError, match=r"wiki\.example"):
        pages.get("Kale")
    assert proxy.asked[0].path.startswith("http://wiki.example/")
