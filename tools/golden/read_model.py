"""Reads a heed model folder by docs/format.md alone, and scores pairs with it.

    python tools/golden/read_model.py

Needs the Python package `numpy` (the recorded values come from 2.4.6). It shares no code
with heed: what is missing from docs/format.md is missing here. For each case it writes
test/golden/format-NAME.json: pairs of lines, their ids, and the natural logarithm of the
probability of each target token, computed in float64. test/format.test.ts compares them
with heed's own scores.

Letters: S source length, T target length, D model width, H heads, K and U widths of a
head's keys and values, V vocabulary.
"""

import json
import math
import platform
import struct
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
ROOT = Path(__file__).parents[2]

# --- model.safetensors -------------------------------------------------------


def bfloat16(data: bytes) -> NDArray[np.float32]:
    return (np.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4")


DECODERS = {
    "F32": lambda data: np.frombuffer(data, "<f4"),
    "F16": lambda data: np.frombuffer(data, "<f2"),
    "BF16": bfloat16,
    "I8": lambda data: np.frombuffer(data, "i1"),
}


def read_parameters(path: Path) -> dict[str, Array]:
    """All parameters in float64; int8 matrices multiplied by their scales."""
    content = path.read_bytes()
    (header_length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + header_length])
    data = content[8 + header_length :]
    arrays = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = entry["data_offsets"]
        values = DECODERS[entry["dtype"]](data[start:end])
        arrays[name] = values.reshape(entry["shape"]).astype(np.float64)
    scales = {name for name in arrays if name.endswith(".scale")}
    return {
        name: array * arrays[f"{name}.scale"] if f"{name}.scale" in scales else array
        for name, array in arrays.items()
        if name not in scales
    }


# --- config.json -------------------------------------------------------------

COMMON = {
    "kind": "encoder-decoder",
    "dModel": 512,
    "heads": 8,
    "dInner": 2048,
    "norm": "post",
    "positions": "interleaved",
    "maxPositions": 1024,
    "activation": "relu",
    "attentionBias": True,
    "layerNormEpsilon": 1e-6,
}
DEFAULTS = {
    "encoder-decoder": COMMON
    | {"encoderLayers": 6, "decoderLayers": 6, "embeddings": "tied"}
    | {"decoderMixer": "attention"},
    "decoder-only": COMMON
    | {"layers": 6, "mixer": "attention", "tieEmbeddings": True},
}


def read_architecture(path: Path) -> dict[str, Any]:
    config = json.loads(path.read_text())
    if config["format"] != "heed" or config["version"] not in (1, 2):
        raise ValueError(f"{path}: not a heed model of version 1 or 2")
    stored = config["architecture"]
    architecture = DEFAULTS[stored.get("kind", "encoder-decoder")] | stored
    if architecture.get("decoderMixer", architecture.get("mixer")) != "attention":
        raise ValueError(f"{path}: only attention is described")
    head_width = architecture["dModel"] // architecture["heads"]
    return {"dKey": head_width, "dValue": head_width} | architecture


# --- tokenizer.json ----------------------------------------------------------

START, END = 1, 2


class Tokenizer:
    """Byte-pair encoding with byte fallback."""

    def __init__(self, path: Path) -> None:
        content = json.loads(path.read_text())
        self.ids: dict[str, int] = content["model"]["vocab"]
        merges = content["model"]["merges"]
        self.ranks = {tuple(pair): rank for rank, pair in enumerate(merges)}
        self.normalizers = content["normalizer"]["normalizers"]
        pattern = content["pre_tokenizer"]["pattern"]["Regex"]
        self.by_category = "\\p{L}" in pattern

    def encode(self, text: str) -> list[int]:
        """Without control tokens."""
        if text == "":
            return []
        spaced = " " + self.normalize(text)
        words = words_by_category(spaced) if self.by_category else words_by_space(spaced)
        return [id for word in words for id in self.encode_word(word)]

    def normalize(self, text: str) -> str:
        for normalizer in self.normalizers:
            if normalizer["type"] in ("NFC", "NFKC"):
                text = unicodedata.normalize(normalizer["type"], text)
            elif normalizer["type"] == "Lowercase":
                text = text.lower()
        return text

    def encode_word(self, word: str) -> list[int]:
        pieces = [piece for character in word for piece in self.pieces_of(character)]
        while True:
            pairs = list(zip(pieces, pieces[1:]))
            known = [pair for pair in pairs if pair in self.ranks]
            if not known:
                return [self.ids[piece] for piece in pieces]
            at = pairs.index(min(known, key=self.ranks.__getitem__))
            pieces[at : at + 2] = [pieces[at] + pieces[at + 1]]

    def pieces_of(self, character: str) -> list[str]:
        """The character's own piece, or one for each byte of its UTF-8 form."""
        if character == " ":
            return ["▁"]
        if character in self.ids and character != "▁":
            return [character]
        return [f"<0x{byte:02X}>" for byte in character.encode()]


def words_by_space(text: str) -> list[str]:
    """` ?[^ ]+| `: a word takes one space before it, further spaces are words."""
    words = []
    start = 0
    while start < len(text):
        end = start + 1
        if text[start] != " " or text[end : end + 1] not in ("", " "):
            while end < len(text) and text[end] != " ":
                end += 1
        words.append(text[start:end])
        start = end
    return words


def words_by_category(text: str) -> list[str]:
    """The same, and a word is one of: a letter and what letters and marks follow; a digit
    and its marks; a run of anything else."""
    categories = [unicodedata.category(character)[0] for character in text]
    words = []
    start = 0
    while start < len(text):
        first = start + 1 if text[start] == " " else start
        end = first + 1
        if text[first : first + 1] in ("", " "):
            end = first
        elif categories[first] == "L":
            while end < len(text) and categories[end] in "LM":
                end += 1
        elif categories[first] == "N":
            while end < len(text) and categories[end] == "M":
                end += 1
        else:
            while end < len(text) and text[end] != " " and categories[end] not in "LN":
                end += 1
        words.append(text[start:end])
        start = end
    return words


# --- The model ---------------------------------------------------------------


def softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def relu(x: Array) -> Array:
    return np.maximum(x, 0)


def gelu(x: Array) -> Array:
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def silu(x: Array) -> Array:
    return x / (1 + np.exp(-x))


class Model:
    """Either kind of model, for one sentence without padding."""

    def __init__(self, folder: Path) -> None:
        self.config = read_architecture(folder / "config.json")
        self.parameters = read_parameters(folder / "model.safetensors")
        joint = folder / "tokenizer.json"
        source = joint if joint.exists() else folder / "tokenizer.source.json"
        target = joint if joint.exists() else folder / "tokenizer.target.json"
        self.source_tokenizer = Tokenizer(source)
        self.target_tokenizer = Tokenizer(target)
        self.is_decoder_only = self.config["kind"] == "decoder-only"
        self.target_embedding = self.source_embedding = "embedding"
        if self.config.get("embeddings", "tied") != "tied":
            self.source_embedding = "sourceEmbedding"
            self.target_embedding = "targetEmbedding"
        separate = self.config.get("embeddings") == "separate"
        untied = self.config.get("tieEmbeddings") is False
        self.output = "output" if separate or untied else self.target_embedding

    def score(self, source: list[int], target: list[int]) -> Array:
        """log p of each target token and of END. source without END."""
        memory = None if self.is_decoder_only else self.encode([*source, END])
        logits = self.decode([START, *target], memory)  # [T + 1, V]
        log_sums = np.log(np.exp(logits).sum(axis=-1))
        expected = [*target, END]
        return logits[np.arange(len(expected)), expected] - log_sums

    def encode(self, ids: list[int]) -> Array:
        """→ [S, D]"""
        x = self.embed(ids, self.source_embedding, "encoder")
        visible = np.ones((len(ids), len(ids)))
        for layer in range(self.config["encoderLayers"]):
            x = self.self_attention(f"encoder.layers.{layer}", x, visible)
            x = self.feed_forward(f"encoder.layers.{layer}", x)
        return self.final_norm("encoder", x)

    def decode(self, ids: list[int], memory: Array | None) -> Array:
        """→ logits [T, V]; memory [S, D] of the source, if the model has an encoder"""
        x = self.embed(ids, self.target_embedding, "decoder")
        causal = np.tril(np.ones((len(ids), len(ids))))
        layers = "layers" if self.is_decoder_only else "decoderLayers"
        for layer in range(self.config[layers]):
            x = self.self_attention(f"decoder.layers.{layer}", x, causal)
            if memory is not None:
                x = self.cross_attention(f"decoder.layers.{layer}", x, memory)
            x = self.feed_forward(f"decoder.layers.{layer}", x)
        x = self.final_norm("decoder", x)
        return x @ self.parameters[f"{self.output}.weight"].T

    # Embeddings and positions

    def embed(self, ids: list[int], embedding: str, stack: str) -> Array:
        d_model = self.config["dModel"]
        rows = self.parameters[f"{embedding}.weight"][ids]
        return rows * math.sqrt(d_model) + self.positions(len(ids), stack)

    def positions(self, length: int, stack: str) -> Array:
        """[length, D], zero where nothing is added."""
        d_model, kind = self.config["dModel"], self.config["positions"]
        half = d_model // 2
        places = np.arange(length)[:, None]
        i = np.arange(half)
        if kind == "interleaved":
            angles = places * 10000.0 ** (-2 * i / d_model)
            pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
            return pairs.reshape(length, d_model)
        if kind == "concatenated":
            angles = places * 10000.0 ** (-i / max(half - 1, 1))
            return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
        if kind == "learned":
            return self.parameters[f"{stack}.positions.weight"][:length]
        return np.zeros((length, d_model))

    def rotate(self, x: Array) -> Array:
        """Rotary positions of queries or keys: [H, length, K]."""
        length, width = x.shape[1:]
        half = width // 2
        frequencies = 10000.0 ** (-2 * np.arange(half) / width)
        angles = np.arange(length)[:, None] * frequencies
        cos, sin = np.cos(angles), np.sin(angles)
        first, second = x[..., :half], x[..., half:]
        turned = [first * cos - second * sin, second * cos + first * sin]
        return np.concatenate(turned, axis=-1)

    # Sub-layers

    def self_attention(self, layer: str, x: Array, visible: Array) -> Array:
        name = f"{layer}.selfAttention"
        y = self.before(name, x)
        rotary = self.config["positions"] == "rotary"
        return self.after(name, x, self.attend(name, y, y, visible, rotary=rotary))

    def cross_attention(self, layer: str, x: Array, memory: Array) -> Array:
        name = f"{layer}.crossAttention"
        visible = np.ones((len(x), len(memory)))
        y = self.before(name, x)
        attended = self.attend(name, y, memory, visible, rotary=False)
        return self.after(name, x, attended)

    def feed_forward(self, layer: str, x: Array) -> Array:
        name = f"{layer}.feedForward"
        y = self.before(name, x)
        inner = self.linear(f"{name}.inner", y)
        if self.config["activation"] == "relu":
            active = relu(inner)
        elif self.config["activation"] == "gelu":
            active = gelu(inner)
        else:
            active = silu(self.linear(f"{name}.gate", y)) * inner
        return self.after(name, x, self.linear(f"{name}.output", active))

    def attend(
        self, name: str, x: Array, memory: Array, visible: Array, *, rotary: bool
    ) -> Array:
        """x [T, D] attends to memory [S, D] where visible [T, S] is 1 → [T, D]"""
        d_key, d_value = self.config["dKey"], self.config["dValue"]
        query = self.heads(self.linear(f"{name}.query", x), d_key)
        key = self.heads(self.linear(f"{name}.key", memory), d_key)
        value = self.heads(self.linear(f"{name}.value", memory), d_value)
        if rotary:
            query, key = self.rotate(query), self.rotate(key)
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(d_key)
        weights = softmax(scores + (visible - 1) * 1e9)
        joined = (weights @ value).transpose(1, 0, 2).reshape(len(x), -1)
        return self.linear(f"{name}.output", joined)

    def heads(self, x: Array, width: int) -> Array:
        """[length, H·width] → [H, length, width]"""
        split = x.reshape(len(x), self.config["heads"], width)
        return split.transpose(1, 0, 2)

    # Norms and linear maps

    def before(self, sublayer: str, x: Array) -> Array:
        pre = self.config["norm"] == "pre"
        return self.layer_norm(f"{sublayer}Norm", x) if pre else x

    def after(self, sublayer: str, x: Array, result: Array) -> Array:
        post = self.config["norm"] == "post"
        return self.layer_norm(f"{sublayer}Norm", x + result) if post else x + result

    def final_norm(self, stack: str, x: Array) -> Array:
        pre = self.config["norm"] == "pre"
        return self.layer_norm(f"{stack}.norm", x) if pre else x

    def layer_norm(self, name: str, x: Array) -> Array:
        mean = x.mean(axis=-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
        normalized = (x - mean) / np.sqrt(variance + self.config["layerNormEpsilon"])
        weight, bias = self.parameters[f"{name}.weight"], self.parameters[f"{name}.bias"]
        return normalized * weight + bias

    def linear(self, name: str, x: Array) -> Array:
        product = x @ self.parameters[f"{name}.weight"]
        return product + self.parameters.get(f"{name}.bias", 0)


# --- Golden files ------------------------------------------------------------

PAIRS = [
    ("the cat sat on the mat", "die Katze saß"),
    ("naïve, 42  dogs!", "größe ▁ 4"),
    ("", ""),
]
TAGGED_PAIRS = [
    ("zh", "The train is late again.", "火车又晚点了。"),
    ("zh", "I have 3 dogs.", "我有3条狗。"),
    ("en", "我很高兴见到你。", "I'm glad to see you."),
    ("en", "火车又晚点了。", "Purple elephants sing quietly."),
]


def scored(
    model: Model, source: str, target: str, to: str | None = None
) -> dict[str, Any]:
    """A pair as test/format.test.ts reads it."""
    tag = [] if to is None else [model.source_tokenizer.ids[f">>{to}<<"]]
    source_ids = tag + model.source_tokenizer.encode(source)
    target_ids = model.target_tokenizer.encode(target)
    scores = model.score(source_ids, target_ids)
    return {
        "source": source,
        "target": target,
        **({} if to is None else {"to": to}),
        "sourceIds": source_ids,
        "targetIds": target_ids,
        "logProbabilities": [float(f"{score:.9g}") for score in scores],
    }


def write_golden(name: str, folder: str, pairs: list[dict[str, Any]]) -> None:
    reader = {
        "script": "tools/golden/read_model.py",
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    rows = [json.dumps(pair, ensure_ascii=False) for pair in pairs]
    lines = [
        "{",
        f'  "reader": {json.dumps(reader)},',
        f'  "folder": {json.dumps(folder)},',
        '  "pairs": [',
        ",\n".join(f"    {row}" for row in rows),
        "  ]",
        "}",
    ]
    path = ROOT / "test" / "golden" / f"format-{name}.json"
    path.write_text("\n".join(lines) + "\n")
    print(f"{path.name}: {len(pairs)} pairs")


def main() -> None:
    bundled = Model(ROOT / "models" / "en-zh")
    tagged = [scored(bundled, source, target, to) for to, source, target in TAGGED_PAIRS]
    write_golden("en-zh", "models/en-zh", tagged)
    for folder in sorted((ROOT / "test" / "golden" / "format").iterdir()):
        model = Model(folder)
        pairs = [scored(model, source, target) for source, target in PAIRS]
        write_golden(folder.name, f"test/golden/format/{folder.name}", pairs)


if __name__ == "__main__":
    main()
