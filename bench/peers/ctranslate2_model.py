"""A heed model folder as a CTranslate2 model: config.json and model.safetensors are all it
takes. The vocabulary is the ids themselves, "0", "1", …, so that no tokenizer is involved."""

import json
import math
from pathlib import Path

import numpy as np
from ctranslate2.specs import (
    LayerSpec,
    TransformerDecoderSpec,
    TransformerEncoderSpec,
    TransformerSpec,
)
from safetensors.numpy import load_file

Weights = dict[str, np.ndarray]

# What the converter knows; any other value of these is refused.
SUPPORTED = {
    "norm": {"post"},
    "positions": {"interleaved", "concatenated"},
    "activation": {"relu"},
    "embeddings": {"tied", "target", "separate"},
}


def transformer_spec(
    folder: Path, *, start_id: int, end_id: int, positions: int
) -> TransformerSpec:
    """`positions`: rows of the position table, the longest source or output."""
    config = json.loads((folder / "config.json").read_text())["architecture"]
    weights = load_file(folder / "model.safetensors")
    for key, values in SUPPORTED.items():
        if config[key] not in values:
            raise ValueError(f"{key} {config[key]} has no conversion to CTranslate2.")
    if not config["dKey"] == config["dValue"] == config["dModel"] // config["heads"]:
        raise ValueError("dKey and dValue must be dModel / heads.")

    encoder = TransformerEncoderSpec(
        config["encoderLayers"], config["heads"], pre_norm=False
    )
    decoder = TransformerDecoderSpec(
        config["decoderLayers"], config["heads"], pre_norm=False
    )
    table = sinusoids(config["positions"], positions, config["dModel"])
    encoder.position_encodings.encodings = table
    decoder.position_encodings.encodings = table
    source, target, output = embedding_names(config["embeddings"])
    encoder.embeddings[0].weight = weights[source]
    decoder.embeddings.weight = weights[target]
    decoder.projection.weight = weights[output]
    for i, layer in enumerate(encoder.layer):
        name = f"encoder.layers.{i}"
        set_self_attention(layer.self_attention, weights, f"{name}.selfAttention")
        set_feed_forward(layer.ffn, weights, f"{name}.feedForward")
    for i, layer in enumerate(decoder.layer):
        name = f"decoder.layers.{i}"
        set_self_attention(layer.self_attention, weights, f"{name}.selfAttention")
        set_cross_attention(layer.attention, weights, f"{name}.crossAttention")
        set_feed_forward(layer.ffn, weights, f"{name}.feedForward")

    spec = TransformerSpec(encoder, decoder)
    spec.register_source_vocabulary(ids(config["sourceVocabularySize"]))
    spec.register_target_vocabulary(ids(config["targetVocabularySize"]))
    spec.config.layer_norm_epsilon = config["layerNormEpsilon"]
    spec.config.bos_token = spec.config.decoder_start_token = str(start_id)
    spec.config.eos_token = str(end_id)
    # It must be in the vocabulary; nothing in our input is unknown.
    spec.config.unk_token = str(config["targetPadId"])
    spec.validate()
    spec.optimize()
    return spec


def ids(size: int) -> list[str]:
    return [str(i) for i in range(size)]


def embedding_names(embeddings: str) -> tuple[str, str, str]:
    """Parameters of the source embedding, the target embedding and the last linear map."""
    if embeddings == "tied":
        return ("embedding.weight",) * 3
    output = "output" if embeddings == "separate" else "targetEmbedding"
    return "sourceEmbedding.weight", "targetEmbedding.weight", f"{output}.weight"


def sinusoids(kind: str, rows: int, width: int) -> np.ndarray:
    """[rows, width]. CTranslate2's own are concatenated, like those of the paper's code."""
    half = np.arange(width // 2)
    interleaved = kind == "interleaved"
    exponents = 2 * half / width if interleaved else half / max(width // 2 - 1, 1)
    angles = np.arange(rows)[:, None] * np.exp(-math.log(10000) * exponents)
    parts = np.sin(angles), np.cos(angles)
    table = np.stack(parts, -1) if interleaved else np.concatenate(parts, -1)
    return table.reshape(rows, width).astype(np.float32)


def set_self_attention(spec: LayerSpec, weights: Weights, name: str) -> None:
    set_linear(
        spec.linear[0], weights, f"{name}.query", f"{name}.key", f"{name}.value"
    )
    set_linear(spec.linear[1], weights, f"{name}.output")
    set_norm(spec.layer_norm, weights, f"{name}Norm")


def set_cross_attention(spec: LayerSpec, weights: Weights, name: str) -> None:
    set_linear(spec.linear[0], weights, f"{name}.query")
    set_linear(spec.linear[1], weights, f"{name}.key", f"{name}.value")
    set_linear(spec.linear[2], weights, f"{name}.output")
    set_norm(spec.layer_norm, weights, f"{name}Norm")


def set_feed_forward(spec: LayerSpec, weights: Weights, name: str) -> None:
    set_linear(spec.linear_0, weights, f"{name}.inner")
    set_linear(spec.linear_1, weights, f"{name}.output")
    set_norm(spec.layer_norm, weights, f"{name}Norm")


def set_linear(spec: LayerSpec, weights: Weights, *names: str) -> None:
    """One linear map, or several of one input side by side. Ours are [in, out]."""
    matrices = [weights[f"{name}.weight"].T for name in names]
    spec.weight = np.ascontiguousarray(np.concatenate(matrices))
    biases = [
        weights[f"{name}.bias"] for name in names if f"{name}.bias" in weights
    ]
    if biases:
        spec.bias = np.concatenate(biases)


def set_norm(spec: LayerSpec, weights: Weights, name: str) -> None:
    spec.gamma = weights[f"{name}.weight"]
    spec.beta = weights[f"{name}.bias"]
