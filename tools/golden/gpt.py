"""Writes test/golden/gpt-*.json: numbers that heed's decoder-only model must reproduce.

    python tools/golden/gpt.py

Needs the Python package `torch` (the recorded values come from 2.13.0). For each
configuration: parameters, one batch, logits, one intermediate result, the loss and
every gradient, in float64 from parameters that float32 holds exactly; see
transformer.py.

- `pre-norm-learned`: GPT-2 as nanoGPT writes it, but for one thing: the embeddings are
  multiplied by the root of the model width, as in the paper.
- `separate-output`: the same with an output matrix of its own, and without biases in
  attention.
- `paper`: the paper's decoder without cross-attention.
"""

import math
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from reference_model import (
    Config,
    Layer,
    Stack,
    camel_case,
    causal,
    not_padding,
    published_config,
    smoothed_loss,
)
from torch import Tensor, nn
from transformer import (
    OUTPUT,
    PARAMETER_DIGITS,
    all_recorded,
    by_published_name,
    draw_parameters,
    gradient,
    padded,
    recorded,
    significant,
    versions,
    watch,
    write,
)

BEGIN_ID, END_ID = 1, 2
VOCABULARY_SIZE = 20
INTERMEDIATE = "decoder.layers.1.self_attention.weights"
# Of the encoder-decoder's configuration alone.
OTHER_KEYS = {
    "embeddings",
    "encoderLayers",
    "decoderLayers",
    "sourceVocabularySize",
    "targetVocabularySize",
    "sourcePadId",
    "targetPadId",
    "dropout",
}

PAPER = Config(target_vocabulary_size=VOCABULARY_SIZE, heads=2, d_key=8, d_value=8)
GPT = replace(
    PAPER,
    norm="pre",
    positions="learned",
    activation="gelu",
    layer_norm_epsilon=1e-5,
    d_inner=64,
)


@dataclass(frozen=True)
class Case:
    """One golden file: a model, the lengths of its sequences with the begin token, and
    the label smoothing."""

    name: str
    config: Config
    lengths: tuple[int, ...]
    smoothing: float


CASES = [
    Case("pre-norm-learned", GPT, lengths=(7, 7, 7), smoothing=0.0),
    Case("paper", PAPER, lengths=(7, 4, 2), smoothing=0.1),
    Case(
        "separate-output",
        replace(GPT, embeddings="separate", attention_bias=False),
        lengths=(7, 5),
        smoothing=0.0,
    ),
]


class DecoderOnlyLayer(Layer):
    """Self-attention, then feed-forward."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        return self.feed(self.attend_self(x, visible))


class LanguageModel(nn.Module):
    """ids [B, T] → logits of the next token [B, T, V]."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.scale = math.sqrt(config.d_model)
        self.pad_id = config.target_pad_id
        self.embedding = nn.Embedding(config.target_vocabulary_size, config.d_model)
        self.decoder = Stack(
            config, [DecoderOnlyLayer(config) for _ in range(config.decoder_layers)]
        )
        self.tied = config.embeddings == "tied"
        if not self.tied:
            self.output = nn.Embedding(config.target_vocabulary_size, config.d_model)

    def forward(self, ids: Tensor) -> Tensor:
        visible = causal(ids.shape[1]) & not_padding(ids, self.pad_id)  # [B, 1, T, T]
        states = self.decoder(self.embedding(ids) * self.scale, visible)
        table = self.embedding.weight if self.tied else self.output.weight
        return F.linear(states, table)


def draw_batch(case: Case, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """(input ids, the ids that follow): the begin token, words and the end token."""
    words = [
        torch.randint(END_ID + 1, VOCABULARY_SIZE, (length - 1,), generator=generator)
        for length in case.lengths
    ]
    pad_id = case.config.target_pad_id
    inputs = padded([[BEGIN_ID, *row.tolist()] for row in words], pad_id)
    expected = padded([[*row.tolist(), END_ID] for row in words], pad_id)
    return inputs, expected


def loss_of(logits: Tensor, expected: Tensor, case: Case) -> Tensor:
    """Mean per token; checked against PyTorch's own."""
    pad_id = case.config.target_pad_id
    loss = smoothed_loss(logits, expected, case.smoothing, pad_id)
    torch_loss = F.cross_entropy(
        logits.flatten(0, 1),
        expected.flatten(),
        ignore_index=pad_id,
        label_smoothing=case.smoothing,
    )
    torch.testing.assert_close(loss, torch_loss)
    return loss


def decoder_only_config(config: Config) -> dict[str, str | int | float | bool]:
    """The configuration under the names that heed uses."""
    shared = {
        key: value
        for key, value in published_config(config).items()
        if key not in OTHER_KEYS
    }
    return {
        "kind": "decoder-only",
        **shared,
        "tieEmbeddings": config.embeddings == "tied",
        "layers": config.decoder_layers,
        "vocabularySize": config.target_vocabulary_size,
        "padId": config.target_pad_id,
    }


def golden(case: Case, seed: int) -> dict[str, object]:
    generator = torch.Generator().manual_seed(seed)
    model = LanguageModel(case.config).double()
    draw_parameters(model, generator)
    inputs, expected = draw_batch(case, generator)
    parameters = by_published_name(model, lambda parameter: parameter.detach())
    recorded_parameters = all_recorded(parameters, PARAMETER_DIGITS)
    seen = watch(model, [INTERMEDIATE])
    logits = model(inputs)
    loss = loss_of(logits, expected, case)
    loss.backward()
    intermediates = {camel_case(name): values for name, values in seen.items()}
    return {
        "reference": {**versions(seed), "script": "tools/golden/gpt.py"},
        "config": decoder_only_config(case.config),
        "inputs": {"target": inputs.tolist(), "expected": expected.tolist()},
        "labelSmoothing": case.smoothing,
        "loss": significant(loss.item()),
        "logits": recorded(logits),
        "intermediates": all_recorded(intermediates),
        "parameters": recorded_parameters,
        "gradients": all_recorded(by_published_name(model, gradient)),
    }


def check_parameter_count() -> None:
    """With GPT-2's sizes. A wrong count means that this model is not GPT-2's."""
    config = replace(
        GPT,
        target_vocabulary_size=50_257,
        d_model=768,
        heads=12,
        d_key=64,
        d_value=64,
        d_inner=3072,
        decoder_layers=12,
        max_positions=1024,
    )
    with torch.device("meta"):
        model = LanguageModel(config)
        count = sum(parameter.numel() for parameter in model.parameters())
    print(f"GPT-2: {count:,} parameters")
    if count != 124_439_808:
        raise RuntimeError("GPT-2 has 124,439,808 parameters")


def main() -> None:
    print(f"torch {torch.__version__}")
    check_parameter_count()
    for seed, case in enumerate(CASES, start=1):
        path = OUTPUT / f"gpt-{case.name}.json"
        print(f"{path.name}: {write(path, golden(case, seed)):,} bytes")


if __name__ == "__main__":
    main()
