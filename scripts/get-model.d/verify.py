"""verify.py DIR: a forward pass in numpy, straight from the directory's files.

Greedy decoding must say what a capital is. A short prompt hides much (it says Paris with the rows of q and k in the wrong order, too), so
English text is read as well: it must be no surprise, and a greater one with those rows in the order of GGUF.
"""

import json
import pathlib
import struct
import sys

import numpy as np
from tokenizers import Tokenizer

PROMPT = "The capital of France is"
NEW_TOKENS = 8
ENGLISH = (
    "The water cycle describes how water moves on, above and below the surface of the Earth. The sun warms the oceans, and some of the water "
    "turns into vapour. The vapour rises, cools, and forms clouds. When the drops in a cloud grow heavy enough, they fall as rain or snow. "
    "Some of that water runs into rivers and flows back to the sea, and some of it sinks into the ground, where plants can take it up."
)


def load_tensors(path):
    data = path.read_bytes()
    (header_bytes,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + header_bytes])
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = (8 + header_bytes + offset for offset in entry["data_offsets"])
            bits = np.frombuffer(data[begin:end], "<u2").astype("<u4") << 16
            tensors[name] = bits.view("<f4").reshape(entry["shape"])
    return tensors


def rms_norm(x, weight, epsilon):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * weight


def rotate(x, theta):  # [tokens, heads, head_dim]
    half = x.shape[-1] // 2
    angles = np.arange(len(x))[:, None, None] * theta ** (-np.arange(half) / half)
    first, second = x[..., :half], x[..., half:]
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], -1).astype(np.float32)


def attention(x, tensors, layer, config):
    heads, kv_heads, head_dim = (config[key] for key in ("num_attention_heads", "num_key_value_heads", "head_dim"))
    project = lambda name, count: (x @ tensors[f"{layer}.self_attn.{name}.weight"].T).reshape(len(x), count, head_dim)
    q = rotate(project("q_proj", heads), config["rope_theta"])
    k = rotate(project("k_proj", kv_heads), config["rope_theta"]).repeat(heads // kv_heads, 1)
    v = project("v_proj", kv_heads).repeat(heads // kv_heads, 1)
    scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(head_dim)
    scores += np.triu(np.full(scores.shape[1:], -np.inf), 1)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    mixed = np.einsum("hqk,khd->qhd", weights, v).reshape(len(x), -1)
    return mixed.astype(np.float32) @ tensors[f"{layer}.self_attn.o_proj.weight"].T


def feed_forward(x, tensors, layer):
    gate = x @ tensors[f"{layer}.mlp.gate_proj.weight"].T
    up = x @ tensors[f"{layer}.mlp.up_proj.weight"].T
    return (gate / (1 + np.exp(-gate)) * up) @ tensors[f"{layer}.mlp.down_proj.weight"].T


def logits(ids, tensors, config):  # [tokens, vocab_size]
    epsilon = config["rms_norm_eps"]
    embedding = tensors["model.embed_tokens.weight"]  # tied: the output matrix too
    x = embedding[ids]
    for index in range(config["num_hidden_layers"]):
        layer = f"model.layers.{index}"
        x = x + attention(rms_norm(x, tensors[f"{layer}.input_layernorm.weight"], epsilon), tensors, layer, config)
        x = x + feed_forward(rms_norm(x, tensors[f"{layer}.post_attention_layernorm.weight"], epsilon), tensors, layer)
    return rms_norm(x, tensors["model.norm.weight"], epsilon) @ embedding.T


def surprise(ids, tensors, config):
    """Nats a token."""
    scores = logits(ids, tensors, config)[:-1].astype(np.float64)
    scores -= scores.max(-1, keepdims=True)
    return float(np.mean(np.log(np.exp(scores).sum(-1)) - scores[np.arange(len(ids) - 1), ids[1:]]))


def pairs_from_halves(tensors, config):
    """The rows of q and k as GGUF has them."""

    def reorder(weight, heads):
        return weight.reshape(heads, 2, config["head_dim"] // 2, -1).swapaxes(1, 2).reshape(weight.shape)

    heads = {"q_proj": config["num_attention_heads"], "k_proj": config["num_key_value_heads"]}
    kinds = {name: name.split(".")[-2] for name in tensors}
    return {name: reorder(weight, heads[kinds[name]]) if kinds[name] in heads else weight for name, weight in tensors.items()}


def greedy(ids, tensors, config):
    new = []
    for _ in range(NEW_TOKENS):
        new.append(int(np.argmax(logits(ids + new, tensors, config)[-1])))
    return new


def main():
    directory = pathlib.Path(sys.argv[1])
    config = json.loads((directory / "config.json").read_text())
    tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
    tensors = load_tensors(directory / "model.safetensors")
    text = tokenizer.decode(greedy(tokenizer.encode(PROMPT).ids, tensors, config))
    english = tokenizer.encode(ENGLISH).ids
    straight = surprise(english, tensors, config)
    reordered = surprise(english, pairs_from_halves(tensors, config), config)
    print(f"{PROMPT}|{text!r}")
    print(f"English text: {straight:.3f} nats a token; {reordered:.3f} with the rows of q and k as in GGUF")
    if "Paris" not in text:
        sys.exit(f"get-model: {directory}: the model does not say Paris")
    if not (straight < 3.0 and straight + 0.5 < reordered):
        sys.exit(f"get-model: {directory}: the model does not read English as it should")


if __name__ == "__main__":
    main()
