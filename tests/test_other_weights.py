"""Weights of other kinds than ours: an adapter is trained in torch and answers in llama.cpp.

Tiny models with random numbers, made here (make test-finetune: needs the extra).
"""

import json
import math
import urllib.request

import pytest

import react_lab as rl
from react_lab.finetune import draw_gold, trainer
from react_lab.finetune.lines import training_lines
from react_lab.types import Ask

pytestmark = pytest.mark.training
RECIPE = trainer.Recipe(rate=1e-2, epochs=5)
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
MERGES = ["Ġ t", "Ġt h", "Ġth e", "o n", "i n"]


def letters():
    """The signs that stand for the 256 bytes in a byte-level vocabulary."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(b if b in plain else next(others)) for b in range(256)]


TOKENS = [*letters(), *(merge.replace(" ", "") for merge in MERGES), *SPECIAL]


def made(name):
    """A tiny model of a kind."""
    import transformers

    end = len(TOKENS) - 3
    size = {"vocab_size": len(TOKENS), "initializer_range": 0.3, "eos_token_id": end, "bos_token_id": end}  # fmt: skip
    if name == "GPT2":
        config = transformers.GPT2Config(**size, n_embd=64, n_layer=2, n_head=4, n_positions=1024)
        return transformers.GPT2LMHeadModel(config)
    config = getattr(transformers, f"{name}Config")(
        **size, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=2048, tie_word_embeddings=False,
    )  # fmt: skip
    return getattr(transformers, f"{name}ForCausalLM")(config)


def close(writer, path):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def write(model, path):
    """A model of transformers as a GGUF file, by the names of the gguf package."""
    import gguf

    config, name = model.config, model.config.model_type
    kind = next(kind for kind, known in gguf.MODEL_ARCH_NAMES.items() if known == name)
    names = gguf.get_tensor_name_map(kind, config.num_hidden_layers)
    heads, writer = config.num_attention_heads, gguf.GGUFWriter(path, name)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(getattr(config, "intermediate_size", 4 * config.hidden_size))
    writer.add_head_count(heads)
    writer.add_head_count_kv(keys := getattr(config, "num_key_value_heads", heads))
    if name == "gpt2":
        writer.add_layer_norm_eps(config.layer_norm_epsilon)
    else:
        writer.add_layer_norm_rms_eps(config.rms_norm_eps)
        writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
        writer.add_rope_dimension_count(config.hidden_size // heads)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2" if name == "gpt2" else "qwen2")
    writer.add_token_list(TOKENS)
    writer.add_token_types([1] * (len(TOKENS) - 3) + [3] * 3)
    writer.add_token_merges(MERGES)
    writer.add_eos_token_id(config.eos_token_id)
    writer.add_bos_token_id(config.bos_token_id)
    writer.add_add_bos_token(False)
    for key, tensor in model.state_dict().items():
        rows = tensor.float().numpy()
        place = names.get_name(key, try_suffixes=(".weight", ".bias"))
        matrix = place.split(".")[-2]
        if name == "gpt2" and rows.ndim == 2 and key.split(".")[-2].startswith("c_"):
            rows = rows.T.copy()
        if name == "llama" and matrix in ("attn_q", "attn_k"):
            rows = trainer.permuted(rows, heads if matrix == "attn_q" else keys).copy()
        if not (place == "output.weight" and name == "gpt2"):  # it is the table of the tokens
            writer.add_tensor(place, rows)
    return close(writer, path)


@pytest.fixture(scope="module", params=["Qwen2", "GPT2", "Llama"])
def trained(request, tmp_path_factory):
    """Weights, lines, and the adapter that was trained on them."""
    import torch

    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp(request.param)
    weights, runs = write(made(request.param), folder / "tiny.gguf"), draw_gold(2)
    new = trainer.train_adapter(runs, "standard", folder / "training", RECIPE, weights=weights)
    return weights, training_lines(runs, "standard"), new


def said_by_torch(weights, prompt, trained=None):
    """The logarithms of the chances of every next token; trained: the folder of an adapter."""
    import torch
    from peft import set_peft_model_state_dict
    from safetensors.torch import load_file

    with pytest.MonkeyPatch.context() as patch:  # numbers of 16 bits would round what is compared
        patch.setattr(trainer, "halves", lambda device: False)
        model, tokenizer = trainer.load(weights, RECIPE, "cpu")
    if trained:
        set_peft_model_state_dict(model, load_file(trained / "adapter_model.safetensors"))
    ids = tokenizer(prompt, return_tensors="pt").input_ids
    with torch.no_grad():
        return torch.log_softmax(model.float().eval()(ids).logits[0, -1], -1).tolist()


def said_by_llama(model, prompt, leg):
    child = model._child()
    # the grammar keeps it from ending at once, when it would say no chances; these it does not touch
    body = {"prompt": prompt, "n_probs": len(TOKENS), "n_predict": 1, "grammar": "root ::= [a-z]+"}
    found = asked(child, "/completion", {**body, **model._extra(leg)})
    (first,) = found["completion_probabilities"]
    said = {row["id"]: row["logprob"] for row in first["top_logprobs"]}
    return [said[token] for token in range(len(TOKENS))]


def asked(child, path, body):
    head = {"Authorization": f"Bearer {child.key}", "Content-Type": "application/json"}
    request = urllib.request.Request(child.address + path, json.dumps(body).encode(), head)
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)


def apart(one, other):
    """How far two tables of chances are from each other, on average."""
    return sum(abs(math.exp(a) - math.exp(b)) for a, b in zip(one, other, strict=True)) / 2


def test_torch_and_llama_say_the_same_with_the_adapter_and_without(trained):
    weights, lines, adapted = trained
    model = rl.models.local(weights, adapter=adapted, threads=1)
    assert model.tuned == {"standard"}
    prompt = lines[0][0].shown
    plain, tuned = said_by_torch(weights, prompt), said_by_torch(weights, prompt, adapted.parent)
    assert apart(plain, tuned) > 0.1  # or the rest would show nothing
    ours = [said_by_llama(model, prompt, leg) for leg in ("", "standard")]
    assert apart(plain, ours[0]) < 0.01 and apart(tuned, ours[1]) < 0.02
    assert model.complete(Ask(prompt, leg="standard", max_tokens=4))[0].tokens_out
    assert adapted.stem.startswith("standard-2") and "tiny" in model.identity("standard")


def test_the_server_sees_the_tokens_that_training_saw(trained):
    weights, lines, _ = trained
    tokenizer = trainer.load(weights, RECIPE, "cpu")[1]
    child = rl.models.local(weights, threads=1)._child()
    for line in lines:
        text = "".join(turn.shown + turn.written + turn.mark for turn in line)
        found = asked(child, "/tokenize", {"content": text, "add_special": True})
        assert list(trainer.encode(line, tokenizer).tokens[:-1]) == found["tokens"]


def test_weights_of_a_kind_whose_rows_are_mixed_are_refused(tmp_path):
    import gguf

    path = tmp_path / "bloom.gguf"
    close(gguf.GGUFWriter(path, "bloom"), path)
    with pytest.raises(ValueError, match="of the kind bloom cannot be made here"):
        trainer.architecture_of(path)
