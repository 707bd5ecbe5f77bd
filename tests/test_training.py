"""Training for real, in torch, on the bundled weights (make test-finetune: needs the extra)."""

import json
import os
import signal
import subprocess
import sys

import pytest

import react_lab as rl
from react_lab import finetune
from react_lab.finetune import draw_gold, trainer
from react_lab.models import weights
from react_lab.types import Ask

pytestmark = pytest.mark.training
RECIPE = trainer.Recipe(rate=1e-3, epochs=2)


@pytest.fixture(scope="module")
def lines():
    return finetune.training_lines(draw_gold(3), "cot")


@pytest.fixture(scope="module")
def trained(lines, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    return trainer.train(lines, folder, weights.path(), RECIPE)


@pytest.fixture(scope="module")
def tokenizer():
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(weights.cache(), gguf_file=weights.SIZES["135m"].file)


def test_turns_in_tokens_are_the_whole_text_in_tokens(tokenizer):
    """Cut into turns or whole, a line has the same tokens: the server sees what training saw."""
    for leg in ("react", "act", "cot", "standard"):
        for line in finetune.training_lines(draw_gold(60), leg):
            text = "".join(turn.shown + turn.written + turn.mark for turn in line)
            example = trainer.encode(line, tokenizer)
            assert list(example.tokens[:-1]) == tokenizer(text).input_ids
            learned = tokenizer.decode([example.tokens[k] for k in example.learned])
            assert learned == "".join(t.written + t.mark for t in line if t.learned) + "<|im_end|>"


def facts(folder):
    return json.loads((folder / "training.json").read_text(encoding="utf-8"))


def test_the_loss_falls_and_a_folder_of_another_training_is_not_overwritten(trained, lines):
    told = facts(trained)
    assert told["steps"] == 6 and sum(told["losses"][3:]) < sum(told["losses"][:3])
    assert told["device"] in ("cpu", "cuda") and told["lines"] == 3
    with pytest.raises(ValueError, match="holds another training"):
        trainer.train(lines[:2], trained, weights.path(), RECIPE)


SCRIPT = """
import sys
from dataclasses import replace
from pathlib import Path
from react_lab import finetune
from react_lab.finetune import draw_gold, trainer
from react_lab.models import weights
trainer.EVERY = 0.0  # a checkpoint a step
lines = finetune.training_lines(draw_gold(3), "cot")
recipe = trainer.Recipe(rate=1e-3, epochs=2)
say = lambda p: print(p.step, flush=True)
trainer.train(lines, Path(sys.argv[1]), weights.path(), recipe, on_step=say)
"""


def test_a_killed_training_goes_on_and_ends_like_an_undisturbed_one(trained, tmp_path):
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert [child.stdout.readline() for _ in range(3)] == ["1\n", "2\n", "3\n"]
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    steps = [int(word) for word in done.stdout.split() if word.isdigit()]
    assert steps in ([3, 4, 5, 6], [4, 5, 6])  # nothing again but the step in flight
    assert facts(tmp_path)["losses"] == pytest.approx(facts(trained)["losses"], abs=0.02)


def test_the_gguf_says_what_torch_says(trained, tokenizer, tmp_path, monkeypatch):
    """Greedy continuations of 20 prompts by an adapter, in llama.cpp and in torch."""
    import torch
    from peft import set_peft_model_state_dict
    from safetensors.torch import load_file

    adapter = trainer.write_gguf(trained, tmp_path / "cot-small.gguf", weights.path())
    assert adapter.stat().st_size < 5e6
    monkeypatch.setattr(trainer, "halves", lambda device: False)  # 16 bits would round the weights
    tuned, _ = trainer.load(weights.path(), RECIPE, "cpu")
    set_peft_model_state_dict(tuned, load_file(trained / "adapter_model.safetensors"))
    tuned = tuned.float().eval()
    model = rl.models.local(adapter=adapter, threads=1)  # two wait for each other on a busy machine
    same = 0
    for line in finetune.training_lines(draw_gold(25), "cot")[:20]:
        ids = tokenizer(line[0].shown, return_tensors="pt")
        with torch.no_grad():
            out = tuned.generate(**ids, max_new_tokens=8, do_sample=False)
        theirs = tokenizer.decode(out[0, ids["input_ids"].shape[1] :], skip_special_tokens=True)
        ours = model.complete(Ask(line[0].shown, leg="cot", max_tokens=8))[0].text
        same += ours.strip() == theirs.strip()
    print(f"{same} of 20 greedy continuations agree")
    assert same >= 14


def test_an_adapter_in_one_call_and_nothing_to_learn_is_said(tmp_path):
    seen = []
    path = trainer.train_adapter(draw_gold(4), "standard", tmp_path, on_step=seen.append)
    assert path.name == "standard-4.gguf" and seen[-1].step == seen[-1].steps == 4
    assert rl.models.local(adapter=path).tuned == {"standard"}
    with pytest.raises(ValueError, match="none of these runs is correct"):
        trainer.train_adapter([], "react", tmp_path)
