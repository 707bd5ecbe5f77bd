"""The live tab in Firefox, without a network: the model is loaded, and one question asked to its end."""

import json
import os
import shutil

import pytest

import react_lab as rl

pytestmark = pytest.mark.live
QUESTION = "Which ship was launched first, HMS Agamemnon or HMS Victory?"
CARD = "document.querySelector('#runs .run')"


@pytest.fixture
def firefox(tmp_path):
    named = os.environ.get("REACT_LAB_FIREFOX")
    program = named or shutil.which("firefox-esr") or shutil.which("firefox")
    if not program:
        pytest.skip("needs Firefox: apt-get install firefox-esr")
    from firefox import Firefox

    profile = tmp_path / "profile"
    profile.mkdir()
    firefox = Firefox(program, profile)
    yield firefox
    firefox.close()


def test_a_question_is_asked_to_its_end(server, firefox):
    firefox.open(f"{server}/live/index.html?threads=1")
    firefox.wait("document.querySelector('#load')?.disabled === false")
    firefox.evaluate("document.querySelector('#load').click()")
    ready = firefox.wait(
        "document.body.dataset.ready || document.querySelector('#sizes.wrong')?.textContent"
    )
    assert ready.isdecimal(), (ready, firefox.errors)
    firefox.evaluate(f"document.querySelector('#text').value = {json.dumps(QUESTION)}")
    firefox.evaluate("document.querySelector('#go').click()")
    firefox.wait(f"{CARD}?.querySelector('.end:not([hidden])')?.textContent")
    said = firefox.evaluate(f"[...{CARD}.querySelectorAll('.act')].map((one) => one.textContent)")
    recorded = rl.store.open(rl.data.folder("runs", "first_questions", "react.jsonl"))
    (theirs,) = [run for run in recorded if run.task.text == QUESTION]
    assert said[-1].startswith("Finish[") and said == [step.action for step in theirs.steps]
    assert [url for url in firefox.asked if not url.startswith((server, "blob:", "data:"))] == []
    assert firefox.errors == []
