"""Writes test/golden/transformer-*.json: numbers that heed's model must reproduce.

    python tools/golden/transformer.py

Needs the Python package `torch` (the recorded values come from 2.13.0). For each
configuration: parameters, one padded batch, logits, two intermediate results, the loss,
every gradient, and the losses along ten Adam steps. Everything is computed in float64
from parameters that float32 holds exactly, so that a float32 implementation is compared
with the true value. Linear weights are written [in, out], for y = x W + b.
"""

import json
import platform
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import torch.nn.functional as F
from reference_model import (
    Config,
    Transformer,
    camel_case,
    parameter_count,
    published_config,
    smoothed_loss,
)
from torch import Tensor, nn

OUTPUT = Path(__file__).parents[2] / "test" / "golden"
SMOOTHING = 0.1
BETAS = (0.9, 0.98)
ADAM_EPSILON = 1e-9
LEARNING_RATES = [1e-3 * min(1, step / 4) for step in range(1, 11)]
BEGIN_ID, END_ID = 1, 2
WORD_IDS = (3, 18)  # from, and up to but without; words of every vocabulary here
OTHER_PAD_ID = 18  # unlike the source's, so that mixing the two up shows
# The module whose output is recorded, and the name it is recorded under.
INTERMEDIATES = {
    "encoder": "encoder.output",
    "decoder.layers.1.cross_attention.weights": (
        "decoder.layers.1.crossAttention.weights"
    ),
}
# Enough to give back each parameter exactly: it has four decimals before rounding.
PARAMETER_DIGITS = 6
MAX_BYTES = 300_000

PAPER = Config()
SEPARATE = replace(PAPER, source_vocabulary_size=23, target_vocabulary_size=19)


@dataclass(frozen=True)
class Case:
    """One golden file: a model and the lengths of its batch. A target's length counts
    the begin token of the input, or the end token of the expected output."""

    name: str
    config: Config
    source_lengths: tuple[int, ...] = (7, 5, 2)
    target_lengths: tuple[int, ...] = (6, 3, 4)


CASES = [
    Case("paper", PAPER),
    Case("pre-norm", replace(PAPER, norm="pre")),
    Case(
        "concatenated-separate",
        replace(
            SEPARATE,
            positions="concatenated",
            embeddings="separate",
            target_pad_id=OTHER_PAD_ID,
        ),
    ),
    Case("learned-gelu", replace(PAPER, positions="learned", activation="gelu")),
    Case(
        "rotary-swiglu",
        replace(
            PAPER,
            positions="rotary",
            activation="swiglu",
            heads=3,
            d_key=6,
            d_value=5,
            d_inner=20,
        ),
    ),
    Case("no-attention-bias", replace(PAPER, positions="none", attention_bias=False)),
    Case("target-tied", replace(SEPARATE, embeddings="target")),
    # A source of padding alone: every attention row over it has no visible key.
    Case("empty-source", PAPER, source_lengths=(7, 0, 2)),
]

KNOWN_COUNTS = {
    "base": (63_082_496, 63_045_632),
    "big": (214_245_376, 214_171_648),
}


# --- Parameters and batch ----------------------------------------------------


def draw_parameters(model: nn.Module, generator: torch.Generator) -> None:
    """Random values of four decimals, rounded to float32. Norms and biases are random
    too: values of one and zero would hide a parameter that is not used."""
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
        if parameter.dim() == 2:
            values = noise * parameter.shape[1] ** -0.5
        elif name.endswith("norm.weight"):
            values = 1 + 0.1 * noise
        else:
            values = 0.1 * noise
        with torch.no_grad():
            parameter.copy_((values * 1e4).round().div(1e4).float())


def padded(rows: list[list[int]], pad_id: int) -> Tensor:
    width = max(len(row) for row in rows)
    return torch.tensor([row + [pad_id] * (width - len(row)) for row in rows])


def draw_batch(case: Case, generator: torch.Generator) -> dict[str, Tensor]:
    def words(count: int) -> list[int]:
        return torch.randint(*WORD_IDS, (count,), generator=generator).tolist()

    sources = [words(length) for length in case.source_lengths]
    targets = [words(length - 1) for length in case.target_lengths]
    source_pad, target_pad = case.config.source_pad_id, case.config.target_pad_id
    return {
        "source": padded(sources, source_pad),
        "target_input": padded([[BEGIN_ID, *row] for row in targets], target_pad),
        "expected": padded([[*row, END_ID] for row in targets], target_pad),
    }


# --- What is recorded --------------------------------------------------------


def significant(value: float, digits: int = 9) -> float:
    return float(f"{value:.{digits}g}")


def recorded(tensor: Tensor, digits: int = 9) -> dict[str, list[int] | list[float]]:
    """Shape, and the values row by row, each with so many significant digits."""
    values = [significant(value, digits) for value in tensor.flatten().tolist()]
    return {"shape": list(tensor.shape), "values": values}


def all_recorded(tensors: dict[str, Tensor], digits: int = 9) -> dict[str, object]:
    return {name: recorded(tensor, digits) for name, tensor in tensors.items()}


def by_published_name(
    model: nn.Module, read: Callable[[nn.Parameter], Tensor]
) -> dict[str, Tensor]:
    """What `read` finds for each parameter, with Linear weights turned to [in, out]."""
    linear_weights = {
        id(module.weight) for module in model.modules() if isinstance(module, nn.Linear)
    }
    return {
        camel_case(name): read(parameter).T
        if id(parameter) in linear_weights
        else read(parameter)
        for name, parameter in model.named_parameters()
    }


def gradient(parameter: nn.Parameter) -> Tensor:
    if parameter.grad is None:
        raise RuntimeError("a parameter has no gradient: the loss does not reach it")
    return parameter.grad


def loss_of(model: Transformer, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """(loss, logits); the loss is checked against PyTorch's own."""
    logits, expected = model(batch["source"], batch["target_input"]), batch["expected"]
    loss = smoothed_loss(logits, expected, SMOOTHING, model.target_pad_id)
    torch_loss = F.cross_entropy(
        logits.flatten(0, 1),
        expected.flatten(),
        ignore_index=model.target_pad_id,
        label_smoothing=SMOOTHING,
    )
    torch.testing.assert_close(loss, torch_loss)
    return loss, logits


def watch(model: nn.Module, names: list[str]) -> dict[str, Tensor]:
    """A record that each later forward pass fills with the outputs of these modules."""
    outputs: dict[str, Tensor] = {}

    def keep_as(name: str) -> Callable[[nn.Module, object, Tensor], None]:
        return lambda module, inputs, output: outputs.update({name: output.detach()})

    for name in names:
        model.get_submodule(name).register_forward_hook(keep_as(name))
    return outputs


def adam_losses(model: Transformer, batch: dict[str, Tensor]) -> list[float]:
    """The loss before any step, then after each. Changes the model."""
    optimizer = torch.optim.Adam(model.parameters(), betas=BETAS, eps=ADAM_EPSILON)
    losses = []
    for learning_rate in LEARNING_RATES:
        optimizer.param_groups[0]["lr"] = learning_rate
        optimizer.zero_grad()
        loss, _ = loss_of(model, batch)
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    return [*losses, loss_of(model, batch)[0].item()]


def adam_record(model: Transformer, batch: dict[str, Tensor]) -> dict[str, object]:
    """Changes the model."""
    return {
        "beta1": BETAS[0],
        "beta2": BETAS[1],
        "epsilon": ADAM_EPSILON,
        "learningRates": LEARNING_RATES,
        "losses": [significant(loss) for loss in adam_losses(model, batch)],
    }


def versions(seed: int) -> dict[str, object]:
    return {
        "script": "tools/golden/transformer.py",
        "torch": torch.__version__,
        "python": platform.python_version(),
        "seed": seed,
    }


def golden(case: Case, seed: int) -> dict[str, object]:
    generator = torch.Generator().manual_seed(seed)
    model = Transformer(case.config).double()
    draw_parameters(model, generator)
    batch = draw_batch(case, generator)
    parameters = by_published_name(model, lambda parameter: parameter.detach())
    recorded_parameters = all_recorded(parameters, PARAMETER_DIGITS)
    seen = watch(model, list(INTERMEDIATES))
    loss, logits = loss_of(model, batch)
    loss.backward()
    intermediates = {INTERMEDIATES[name]: seen[name] for name in INTERMEDIATES}
    gradients = by_published_name(model, gradient)
    return {
        "reference": versions(seed),
        "config": published_config(case.config),
        "inputs": {camel_case(name): ids.tolist() for name, ids in batch.items()},
        "labelSmoothing": SMOOTHING,
        "loss": significant(loss.item()),
        "logits": recorded(logits),
        "intermediates": all_recorded(intermediates),
        "parameters": recorded_parameters,
        "gradients": all_recorded(gradients),
        "adam": adam_record(model, batch),
    }


# --- Writing -----------------------------------------------------------------


def lines(name: str, value: object, depth: int = 1) -> list[str]:
    """JSON with one tensor a line, so that a difference names the tensor."""
    indent = "  " * depth
    if not isinstance(value, dict) or "shape" in value:
        return [
            f"{indent}{json.dumps(name)}: {json.dumps(value, separators=(',', ':'))},"
        ]
    inner = [
        line for key, item in value.items() for line in lines(key, item, depth + 1)
    ]
    inner[-1] = inner[-1].removesuffix(",")
    return [f"{indent}{json.dumps(name)}: {{", *inner, f"{indent}}},"]


def write(path: Path, record: dict[str, object]) -> int:
    """Returns the size in bytes."""
    body = [line for key, item in record.items() for line in lines(key, item)]
    body[-1] = body[-1].removesuffix(",")
    text = "\n".join(["{", *body, "}", ""])
    if len(text) > MAX_BYTES:
        raise RuntimeError(f"{path.name} has {len(text)} bytes, more than {MAX_BYTES}")
    path.write_text(text)
    return len(text)


def check_parameter_counts() -> None:
    """With one matrix of 37,000 rows: the paper's models with and without attention
    biases. A wrong count means that this model is not the paper's."""
    base = Config(
        source_vocabulary_size=37_000,
        target_vocabulary_size=37_000,
        d_model=512,
        heads=8,
        d_key=64,
        d_value=64,
        d_inner=2048,
        encoder_layers=6,
        decoder_layers=6,
    )
    big = replace(base, d_model=1024, heads=16, d_inner=4096)
    for name, config in {"base": base, "big": big}.items():
        counts = (
            parameter_count(config),
            parameter_count(replace(config, attention_bias=False)),
        )
        print(f"{name}: {counts[0]:,} parameters, {counts[1]:,} without attention bias")
        if counts != KNOWN_COUNTS[name]:
            raise RuntimeError(f"{name} should have {KNOWN_COUNTS[name]} parameters")


def main() -> None:
    print(f"torch {torch.__version__}, python {platform.python_version()}")
    check_parameter_counts()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for seed, case in enumerate(CASES, start=1):
        path = OUTPUT / f"transformer-{case.name}.json"
        print(f"{path.name}: {write(path, golden(case, seed)):,} bytes")


if __name__ == "__main__":
    main()
