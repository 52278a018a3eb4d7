"""The encoder-decoder Transformer of the paper in plain PyTorch, with heed's options.

An independent second writing of the model: `transformer.py` records golden values from
it, `bench/peers/pytorch.py` times it. Letters: B batch, S source length, T target
length, D model width, H heads, K key width of a head, V vocabulary.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class Config:
    """What the model is. The defaults are the paper's, but for the tiny sizes."""

    source_vocabulary_size: int = 23
    target_vocabulary_size: int = 23
    source_pad_id: int = 0
    target_pad_id: int = 0
    d_model: int = 16
    heads: int = 4
    d_key: int = 4
    d_value: int = 4
    d_inner: int = 32
    encoder_layers: int = 2
    decoder_layers: int = 2
    norm: Literal["post", "pre"] = "post"
    positions: Literal["interleaved", "concatenated", "learned", "rotary", "none"] = (
        "interleaved"
    )
    max_positions: int = 12  # rows of the learned position tables; otherwise unused
    embeddings: Literal["tied", "target", "separate"] = "tied"
    activation: Literal["relu", "gelu", "swiglu"] = "relu"
    attention_bias: bool = True
    layer_norm_epsilon: float = 1e-6
    dropout: float = 0.0


def camel_case(name: str) -> str:
    """`decoder.layers.1.self_attention` → `decoder.layers.1.selfAttention`."""
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def published_config(config: Config) -> dict[str, str | int | float | bool]:
    """The configuration under the names that heed uses."""
    return {camel_case(name): value for name, value in asdict(config).items()}


# --- Positions (section 3.5) -------------------------------------------------


def interleaved_positions(length: int, d_model: int) -> Tensor:
    """[length, D] with PE(p, 2i) = sin(p / 10000^(2i/D)), PE(p, 2i+1) = cos(same)."""
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    angles = position_angles(length, 10000 ** (-even / d_model))
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


def concatenated_positions(length: int, d_model: int) -> Tensor:
    """[length, D] as in tensor2tensor: all sines, then all cosines, of the angles
    p · 10000^(-i / (D/2 - 1))."""
    half = d_model // 2
    index = torch.arange(half, dtype=torch.float64)
    angles = position_angles(length, 10000 ** (-index / (half - 1)))
    return torch.cat((angles.sin(), angles.cos()), dim=-1)


def position_angles(length: int, frequencies: Tensor) -> Tensor:
    """[length, frequencies]: position times frequency."""
    return torch.arange(length, dtype=torch.float64)[:, None] * frequencies


def rotate(x: Tensor) -> Tensor:
    """Rotary positions for x [B, H, length, K]: the pair (x_i, x_{i+K/2}) at position p
    is turned by the angle p · 10000^(-2i/K)."""
    length, d_key = x.shape[-2:]
    even = torch.arange(0, d_key, 2, dtype=torch.float64)
    angles = position_angles(length, 10000 ** (-even / d_key))
    cos, sin = angles.cos().to(x), angles.sin().to(x)  # [length, K/2]
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


# --- Attention (section 3.2) -------------------------------------------------


class AttentionWeights(nn.Module):
    """softmax(QKᵀ/√K) over the visible keys: [B, H, queries, keys]. A row without
    visible keys gives zeros. A module, so that a forward hook can read the weights."""

    def forward(self, query: Tensor, key: Tensor, visible: Tensor) -> Tensor:
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        lowest = torch.finfo(scores.dtype).min
        weights = F.softmax(scores.masked_fill(~visible, lowest), dim=-1)
        return weights * visible


class MultiHeadAttention(nn.Module):
    """Section 3.2.2, with key and value widths independent of D / H."""

    def __init__(self, config: Config, rotary: bool = False) -> None:
        super().__init__()
        d_model, bias = config.d_model, config.attention_bias
        self.heads = config.heads
        self.rotary = rotary
        # PyTorch's fused kernel: the same values, faster, but the weights stay hidden.
        self.fused = False
        self.query = nn.Linear(d_model, config.heads * config.d_key, bias)
        self.key = nn.Linear(d_model, config.heads * config.d_key, bias)
        self.value = nn.Linear(d_model, config.heads * config.d_value, bias)
        self.output = nn.Linear(config.heads * config.d_value, d_model, bias)
        self.weights = AttentionWeights()

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> Tensor:
        """x [B, T, D] attends to memory [B, S, D] where visible [B, 1, 1 or T, S]."""
        query = self.split_heads(self.query(x))  # [B, H, T, K]
        key = self.split_heads(self.key(memory))  # [B, H, S, K]
        value = self.split_heads(self.value(memory))  # [B, H, S, value width]
        if self.rotary:
            query, key = rotate(query), rotate(key)
        if self.fused:
            result = F.scaled_dot_product_attention(query, key, value, visible)
        else:
            result = self.weights(query, key, visible) @ value
        return self.output(result.transpose(1, 2).flatten(2))

    def split_heads(self, x: Tensor) -> Tensor:
        """[B, length, H·width] → [B, H, length, width]."""
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


def not_padding(ids: Tensor, pad_id: int) -> Tensor:
    """[B, 1, 1, length]: every key that is not padding."""
    return (ids != pad_id)[:, None, None, :]


def causal(length: int) -> Tensor:
    """[length, length]: keys at or before the query."""
    return torch.ones(length, length, dtype=torch.bool).tril()


# --- Layers and stacks (sections 3.1 and 3.3) --------------------------------


class FeedForward(nn.Module):
    """Section 3.3: output(activation(inner(x))); SwiGLU multiplies a gate in."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.activation = config.activation
        self.inner = nn.Linear(config.d_model, config.d_inner)
        if config.activation == "swiglu":
            self.gate = nn.Linear(config.d_model, config.d_inner)
        self.output = nn.Linear(config.d_inner, config.d_model)

    def forward(self, x: Tensor) -> Tensor:
        inner = self.inner(x)
        if self.activation == "relu":
            return self.output(F.relu(inner))
        if self.activation == "gelu":
            return self.output(F.gelu(inner))
        return self.output(F.silu(self.gate(x)) * inner)


class Layer(nn.Module):
    """What both kinds of layer have, with a residual around each sub-layer."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.pre_norm = config.norm == "pre"
        self.dropout = nn.Dropout(config.dropout)
        self.self_attention = MultiHeadAttention(config, config.positions == "rotary")
        self.self_attention_norm = layer_norm(config)
        self.feed_forward = FeedForward(config)
        self.feed_forward_norm = layer_norm(config)

    def attend_self(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.before(self.self_attention_norm, x)
        result = self.self_attention(normed, normed, visible)
        return self.after(self.self_attention_norm, x, result)

    def feed(self, x: Tensor) -> Tensor:
        result = self.feed_forward(self.before(self.feed_forward_norm, x))
        return self.after(self.feed_forward_norm, x, result)

    def before(self, norm: nn.LayerNorm, x: Tensor) -> Tensor:
        """What a sub-layer reads: x, or LayerNorm(x) with pre-norm."""
        return norm(x) if self.pre_norm else x

    def after(self, norm: nn.LayerNorm, x: Tensor, result: Tensor) -> Tensor:
        """What it gives: LayerNorm(x + result), or x + result with pre-norm."""
        total = x + self.dropout(result)
        return total if self.pre_norm else norm(total)


class EncoderLayer(Layer):
    """Self-attention, then feed-forward."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        x = self.attend_self(x, visible)
        return self.feed(x)


class DecoderLayer(Layer):
    """Self-attention, attention over the encoder's output, then feed-forward."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.cross_attention = MultiHeadAttention(config)
        self.cross_attention_norm = layer_norm(config)

    def forward(
        self, x: Tensor, visible: Tensor, memory: Tensor, memory_visible: Tensor
    ) -> Tensor:
        x = self.attend_self(x, visible)
        x = self.attend_memory(x, memory, memory_visible)
        return self.feed(x)

    def attend_memory(self, x: Tensor, memory: Tensor, visible: Tensor) -> Tensor:
        normed = self.before(self.cross_attention_norm, x)
        result = self.cross_attention(normed, memory, visible)
        return self.after(self.cross_attention_norm, x, result)


class Stack(nn.Module):
    """Positions, the layers, and the final norm that only pre-norm has."""

    def __init__(self, config: Config, layers: Sequence[Layer]) -> None:
        super().__init__()
        self.kind = config.positions
        self.dropout = nn.Dropout(config.dropout)
        if config.positions == "learned":
            self.positions = nn.Embedding(config.max_positions, config.d_model)
        self.layers = nn.ModuleList(layers)
        self.norm = layer_norm(config) if config.norm == "pre" else nn.Identity()

    def forward(self, embedded: Tensor, *context: Tensor) -> Tensor:
        """embedded [B, length, D]; context is what each layer reads beside it."""
        x = self.dropout(self.add_positions(embedded))
        for layer in self.layers:
            x = layer(x, *context)
        return self.norm(x)

    def add_positions(self, x: Tensor) -> Tensor:
        length, d_model = x.shape[1:]
        if self.kind == "interleaved":
            return x + interleaved_positions(length, d_model).to(x)
        if self.kind == "concatenated":
            return x + concatenated_positions(length, d_model).to(x)
        if self.kind == "learned":
            return x + self.positions.weight[:length]
        return x


def layer_norm(config: Config) -> nn.LayerNorm:
    return nn.LayerNorm(config.d_model, eps=config.layer_norm_epsilon)


# --- The whole ---------------------------------------------------------------


class Transformer(nn.Module):
    """(source ids [B, S], target input ids [B, T]) → logits [B, T, V]."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.scale = math.sqrt(config.d_model)
        self.embeddings = config.embeddings
        self.source_pad_id = config.source_pad_id
        self.target_pad_id = config.target_pad_id
        self.make_tables(config)
        self.encoder = Stack(
            config, [EncoderLayer(config) for _ in range(config.encoder_layers)]
        )
        self.decoder = Stack(
            config, [DecoderLayer(config) for _ in range(config.decoder_layers)]
        )

    def make_tables(self, config: Config) -> None:
        source_size = config.source_vocabulary_size
        target_size = config.target_vocabulary_size
        if config.embeddings == "tied":
            if source_size != target_size:
                raise ValueError("tied embeddings need equal vocabulary sizes")
            self.embedding = nn.Embedding(target_size, config.d_model)
            return
        self.source_embedding = nn.Embedding(source_size, config.d_model)
        self.target_embedding = nn.Embedding(target_size, config.d_model)
        if config.embeddings == "separate":
            self.output = nn.Embedding(target_size, config.d_model)

    def tables(self) -> tuple[Tensor, Tensor, Tensor]:
        """[V, D] each: source embedding, target embedding, softmax (section 3.4)."""
        if self.embeddings == "tied":
            shared = self.embedding.weight
            return shared, shared, shared
        source, target = self.source_embedding.weight, self.target_embedding.weight
        softmax = self.output.weight if self.embeddings == "separate" else target
        return source, target, softmax

    def forward(self, source: Tensor, target_input: Tensor) -> Tensor:
        source_table, target_table, softmax_table = self.tables()
        source_keys = not_padding(source, self.source_pad_id)
        target_keys = not_padding(target_input, self.target_pad_id)
        embedded_source = F.embedding(source, source_table) * self.scale
        memory = self.encoder(embedded_source, source_keys)  # [B, S, D]
        embedded_target = F.embedding(target_input, target_table) * self.scale
        visible = causal(target_input.shape[1]) & target_keys  # [B, 1, T, T]
        states = self.decoder(embedded_target, visible, memory, source_keys)
        return F.linear(states, softmax_table)


def smoothed_loss(
    logits: Tensor, expected: Tensor, smoothing: float, pad_id: int
) -> Tensor:
    """Label-smoothed cross-entropy, averaged over the tokens that are not padding:
    (1 - ε) · (-log p(gold)) + ε · mean over V of (-log p)."""
    surprise = -F.log_softmax(logits, dim=-1)  # [B, T, V]
    gold = surprise.gather(-1, expected[..., None]).squeeze(-1)  # [B, T]
    losses = (1 - smoothing) * gold + smoothing * surprise.mean(dim=-1)
    real = expected != pad_id
    return losses[real].sum() / real.sum()


def parameter_count(config: Config) -> int:
    """Counted without allocating the parameters."""
    with torch.device("meta"):
        return sum(parameter.numel() for parameter in Transformer(config).parameters())
