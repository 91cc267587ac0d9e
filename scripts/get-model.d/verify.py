"""verify.py DIR: greedy decoding in numpy, straight from the directory's files. Shows that names, shapes, RoPE layout and ids fit together."""

import json
import pathlib
import struct
import sys

import numpy as np
from tokenizers import Tokenizer

PROMPT = "The capital of France is"
NEW_TOKENS = 8


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


def next_token(ids, tensors, config):
    epsilon = config["rms_norm_eps"]
    embedding = tensors["model.embed_tokens.weight"]  # tied: the output matrix too
    x = embedding[ids]
    for index in range(config["num_hidden_layers"]):
        layer = f"model.layers.{index}"
        x = x + attention(rms_norm(x, tensors[f"{layer}.input_layernorm.weight"], epsilon), tensors, layer, config)
        x = x + feed_forward(rms_norm(x, tensors[f"{layer}.post_attention_layernorm.weight"], epsilon), tensors, layer)
    return int(np.argmax(embedding @ rms_norm(x[-1], tensors["model.norm.weight"], epsilon)))


def main():
    directory = pathlib.Path(sys.argv[1])
    config = json.loads((directory / "config.json").read_text())
    tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
    tensors = load_tensors(directory / "model.safetensors")
    ids = tokenizer.encode(PROMPT).ids
    prompt_tokens = len(ids)
    for _ in range(NEW_TOKENS):
        ids.append(next_token(ids, tensors, config))
    text = tokenizer.decode(ids[prompt_tokens:])
    print(f"{PROMPT}|{text}")
    if "Paris" not in text:
        sys.exit(f"get-model: {directory}: the model does not say Paris")


if __name__ == "__main__":
    main()
