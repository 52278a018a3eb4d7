"""Writes test/golden/format/NAME: small model folders, by docs/format.md alone.

    python tools/golden/format_models.py && python tools/golden/read_model.py

Needs the Python package `numpy`. Each folder holds random weights and a tokenizer of
three hundred pieces; together they have every option of the architecture, every number
format and every setting of a tokenizer. Norms and biases are random too: values of one
and zero would hide a parameter that is not used. Run it again when the format changes.
"""

import json
import shutil
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

OUTPUT = Path(__file__).parents[2] / "test" / "golden" / "format"
Shapes = dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Case:
    name: str
    architecture: dict[str, Any]
    dtype: str = "F32"
    lowercase: bool = False
    form: str | None = None
    split: str = "categories"
    version: int = 2


@dataclass(frozen=True)
class Vocabulary:
    characters: str
    merges: list[tuple[str, str]]
    controls: list[str] = field(default_factory=lambda: ["<pad>", "<s>", "</s>"])

    def pieces(self) -> list[str]:
        bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
        merged = [left + right for left, right in self.merges]
        return list(dict.fromkeys([*self.controls, *bytes_, *self.characters, *merged]))


FIRST = Vocabulary(
    "▁abcdeghimnostuzKß,!42",
    [("▁", "t"), ("h", "e"), ("a", "t"), ("▁t", "he"), ("▁", "s"), ("▁s", "at"), ("▁", "d")],
)
SECOND = Vocabulary("▁adeiKstuzß", [("d", "i"), ("▁", "di"), ("t", "z")])

SMALL = {
    "dModel": 8,
    "heads": 2,
    "dKey": 4,
    "dValue": 4,
    "dInner": 12,
    "encoderLayers": 2,
    "decoderLayers": 2,
    "norm": "post",
    "positions": "interleaved",
    "maxPositions": 40,
    "embeddings": "tied",
    "activation": "relu",
    "attentionBias": True,
    "layerNormEpsilon": 1e-6,
    "dropout": 0.1,
    "attentionDropout": 0,
    "activationDropout": 0,
}
LANGUAGE_MODEL = {"kind": "decoder-only", "dModel": 8, "dInner": 12, "layers": 2}
CASES = [
    Case("version-1", SMALL, version=1),
    Case(
        "defaults",
        {"dModel": 8, "dInner": 12, "encoderLayers": 1, "decoderLayers": 1},
    ),
    Case("decoder-only", LANGUAGE_MODEL),
    Case(
        "decoder-only-untied",
        LANGUAGE_MODEL
        | {"tieEmbeddings": False, "norm": "pre", "positions": "learned"}
        | {"heads": 2, "maxPositions": 30, "activation": "gelu"},
    ),
    Case(
        "pre-norm-learned",
        SMALL
        | {"norm": "pre", "positions": "learned", "activation": "gelu"}
        | {"encoderLayers": 1, "layerNormEpsilon": 1e-3},
        dtype="F16",
        form="NFC",
    ),
    Case(
        "separate-concatenated",
        SMALL | {"positions": "concatenated", "embeddings": "separate"},
        dtype="BF16",
        split="spaces",
    ),
    Case(
        "rotary-swiglu",
        SMALL
        | {"positions": "rotary", "activation": "swiglu"}
        | {"heads": 3, "dKey": 6, "dValue": 5},
        lowercase=True,
        form="NFKC",
    ),
    Case(
        "target-without-bias",
        SMALL | {"positions": "none", "embeddings": "target", "attentionBias": False},
    ),
    Case("int8", SMALL | {"norm": "pre", "embeddings": "separate"}, dtype="I8"),
]


def completed(architecture: dict[str, Any]) -> dict[str, Any]:
    """With the defaults of docs/format.md for the keys that are absent."""
    defaults = {
        "kind": "encoder-decoder",
        "heads": 8,
        "norm": "post",
        "positions": "interleaved",
        "embeddings": "tied",
        "activation": "relu",
        "attentionBias": True,
        "encoderLayers": 6,
        "decoderLayers": 6,
    }
    a = defaults | architecture
    if a["kind"] == "decoder-only":
        a |= {"encoderLayers": 0, "decoderLayers": a["layers"]}
    head_width = a["dModel"] // a["heads"]
    return {"dKey": head_width, "dValue": head_width} | a


# --- Parameters --------------------------------------------------------------


def shapes_of(a: dict[str, Any], source_size: int, target_size: int) -> Shapes:
    """Every parameter of a completed architecture, by name."""
    d = a["dModel"]
    is_decoder_only = a["kind"] == "decoder-only"
    shapes: Shapes = {}
    if a["embeddings"] == "tied":
        shapes["embedding.weight"] = (source_size, d)
    else:
        shapes["sourceEmbedding.weight"] = (source_size, d)
        shapes["targetEmbedding.weight"] = (target_size, d)
    if a["embeddings"] == "separate" or a.get("tieEmbeddings") is False:
        shapes["output.weight"] = (target_size, d)
    cross_attention = [] if is_decoder_only else ["crossAttention"]
    stacks = [
        ("encoder", a["encoderLayers"], ["selfAttention"]),
        ("decoder", a["decoderLayers"], ["selfAttention", *cross_attention]),
    ]
    for stack, layers, attentions in stacks[1:] if is_decoder_only else stacks:
        if a["positions"] == "learned":
            shapes[f"{stack}.positions.weight"] = (a["maxPositions"], d)
        for i in range(layers):
            for attention in attentions:
                shapes |= attention_shapes(f"{stack}.layers.{i}.{attention}", a)
            shapes |= feed_forward_shapes(f"{stack}.layers.{i}.feedForward", a)
        if a["norm"] == "pre":
            shapes |= norm_shapes(f"{stack}.norm", d)
    return shapes


def attention_shapes(name: str, a: dict[str, Any]) -> Shapes:
    d, keys, values = a["dModel"], a["heads"] * a["dKey"], a["heads"] * a["dValue"]
    bias = a["attentionBias"]
    return (
        linear_shapes(f"{name}.query", d, keys, bias)
        | linear_shapes(f"{name}.key", d, keys, bias)
        | linear_shapes(f"{name}.value", d, values, bias)
        | linear_shapes(f"{name}.output", values, d, bias)
        | norm_shapes(f"{name}Norm", d)
    )


def feed_forward_shapes(name: str, a: dict[str, Any]) -> Shapes:
    d, inner = a["dModel"], a["dInner"]
    shapes = linear_shapes(f"{name}.inner", d, inner) | linear_shapes(
        f"{name}.output", inner, d
    )
    if a["activation"] == "swiglu":
        shapes |= linear_shapes(f"{name}.gate", d, inner)
    return shapes | norm_shapes(f"{name}Norm", d)


def linear_shapes(name: str, inputs: int, outputs: int, bias: bool = True) -> Shapes:
    weight: Shapes = {f"{name}.weight": (inputs, outputs)}
    return weight | ({f"{name}.bias": (outputs,)} if bias else {})


def norm_shapes(name: str, width: int) -> Shapes:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}


def draw(shapes: Shapes, generator: np.random.Generator) -> dict[str, NDArray[np.float32]]:
    arrays = {}
    for name, shape in shapes.items():
        noise = generator.standard_normal(shape)
        if name.endswith("Norm.weight") or name.endswith(".norm.weight"):
            values = 1 + 0.3 * noise
        elif len(shape) == 1:
            values = 0.3 * noise
        else:
            values = 2 * noise * 8**-0.5
        arrays[name] = values.astype(np.float32)
    return arrays


# --- Files -------------------------------------------------------------------


def encoded(arrays: dict[str, NDArray[np.float32]], dtype: str) -> dict[str, tuple]:
    """name → (dtype, shape, bytes)"""
    result: dict[str, tuple] = {}
    for name, array in arrays.items():
        if dtype == "F16":
            result[name] = ("F16", array.shape, array.astype("<f2").tobytes())
        elif dtype == "BF16":
            halves = (array.view("<u4") >> 16).astype("<u2")
            result[name] = ("BF16", array.shape, halves.tobytes())
        elif dtype == "I8" and array.ndim == 2:
            # A scale for each row of an embedding, for each column of any other matrix.
            is_embedding = name in ("sourceEmbedding.weight", "targetEmbedding.weight")
            axis = 1 if is_embedding or name == "output.weight" else 0
            scale = np.abs(array).max(axis=axis, keepdims=True) / np.float32(63)
            codes = np.rint(array / scale).astype("i1")
            result[name] = ("I8", array.shape, codes.tobytes())
            result[f"{name}.scale"] = ("F32", scale.shape, scale.astype("<f4").tobytes())
        else:
            result[name] = ("F32", array.shape, array.astype("<f4").tobytes())
    return result


def write_safetensors(path: Path, arrays: dict[str, tuple]) -> None:
    header, data = {}, b""
    for name, (dtype, shape, content) in arrays.items():
        end = len(data) + len(content)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), end]}
        data += content
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


PATTERNS = {
    "categories": "▁?\\p{L}[\\p{L}\\p{M}]*|▁?\\p{N}\\p{M}*|▁?[^▁\\p{L}\\p{N}]+|▁",
    "spaces": "▁?[^▁]+|▁",
}


def tokenizer_file(vocabulary: Vocabulary, case: Case) -> dict[str, Any]:
    flags = {"single_word": False, "lstrip": False, "rstrip": False}
    normalizers = [{"type": case.form}] if case.form else []
    normalizers += [{"type": "Lowercase"}] if case.lowercase else []
    space_mark = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    pattern = {"Regex": PATTERNS[case.split]}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": id, "content": token, **flags, "normalized": False, "special": True}
            for id, token in enumerate(vocabulary.controls)
        ],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                *normalizers,
                {"type": "Prepend", "prepend": "▁"},
                space_mark,
            ],
        },
        "pre_tokenizer": {
            "type": "Split",
            "pattern": pattern,
            "behavior": "Isolated",
            "invert": False,
        },
        "post_processor": None,
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            ],
        },
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": True,
            "ignore_merges": False,
            "vocab": {piece: id for id, piece in enumerate(vocabulary.pieces())},
            "merges": vocabulary.merges,
        },
    }


def write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False) + "\n")


def write_folder(case: Case, seed: int) -> None:
    folder = OUTPUT / case.name
    folder.mkdir(parents=True)
    architecture = completed(case.architecture)
    joint = architecture["embeddings"] == "tied"
    source, target = FIRST, FIRST if joint else SECOND
    source_size, target_size = len(source.pieces()), len(target.pieces())
    if architecture["kind"] == "decoder-only":
        sizes = {"vocabularySize": target_size}
    else:
        sizes = {
            "sourceVocabularySize": source_size,
            "targetVocabularySize": target_size,
        }
    if case.version == 1:
        sizes |= {"sourcePadId": 0, "targetPadId": 0}
    config = {
        "format": "heed",
        "version": case.version,
        "architecture": case.architecture | sizes,
        "training": {},
    }
    write_json(folder / "config.json", config)
    shapes = shapes_of(architecture, source_size, target_size)
    arrays = draw(shapes, np.random.default_rng(seed))
    write_safetensors(folder / "model.safetensors", encoded(arrays, case.dtype))
    if joint:
        write_json(folder / "tokenizer.json", tokenizer_file(source, case))
    else:
        write_json(folder / "tokenizer.source.json", tokenizer_file(source, case))
        write_json(folder / "tokenizer.target.json", tokenizer_file(target, case))


def main() -> None:
    shutil.rmtree(OUTPUT, ignore_errors=True)
    for seed, case in enumerate(CASES, start=1):
        write_folder(case, seed)
        size = sum(path.stat().st_size for path in (OUTPUT / case.name).iterdir())
        print(f"{case.name}: {size:,} bytes")


if __name__ == "__main__":
    main()
