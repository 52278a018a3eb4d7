"""Writes test/golden/gru.json: numbers that heed's gated recurrent unit must reproduce.

    python tools/golden/gru.py

Needs the Python package `torch` (the recorded values come from 2.13.0). One layer of
`torch.nn.GRU` reads a batch once from a state of zeros and once from another state: its
outputs, and the gradients of a weighted sum of them. Everything is computed in float64
from values that float32 holds exactly. Weights are written [in, out], for y = x W + b,
those of each gate by themselves.
"""

import json
import platform
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn

OUTPUT = Path(__file__).parents[2] / "test" / "golden" / "gru.json"
SEED = 1
BATCH, TIME, WIDTH = 3, 7, 5
# PyTorch has the gates one below the other, in this order.
GATES = ("reset", "update", "candidate")
# What heed calls the parts of a gate, and PyTorch those of all gates.
PARAMETERS = {
    "input.weight": "weight_ih_l0",
    "input.bias": "bias_ih_l0",
    "state.weight": "weight_hh_l0",
    "state.bias": "bias_hh_l0",
}


def drawn(*shape: int, generator: torch.Generator, scale: float = 1) -> Tensor:
    """Random values of four decimals, rounded to float32."""
    noise = scale * torch.randn(shape, generator=generator, dtype=torch.float64)
    return (noise * 1e4).round().div(1e4).float().double()


def recorded(tensor: Tensor) -> dict[str, list[int] | list[float]]:
    values = [float(f"{value:.9g}") for value in tensor.flatten().tolist()]
    return {"shape": list(tensor.shape), "values": values}


def by_gate(
    gru: nn.GRU, read: Callable[[nn.Parameter], Tensor]
) -> dict[str, dict[str, list[int] | list[float]]]:
    """What `read` finds for each parameter, by heed's names."""
    return {
        f"{gate}.{name}": recorded(part.T if part.dim() == 2 else part)
        for name, theirs in PARAMETERS.items()
        for gate, part in zip(GATES, read(gru.get_parameter(theirs)).chunk(3))
    }


def gradient(parameter: nn.Parameter) -> Tensor:
    if parameter.grad is None:
        raise RuntimeError("a parameter has no gradient: the loss does not reach it")
    return parameter.grad


def run(gru: nn.GRU, x: Tensor, before: Tensor, weights: Tensor) -> dict[str, object]:
    """Outputs, and gradients of the sum of outputs times weights."""
    inputs = [x.clone().requires_grad_(), before.clone().requires_grad_()]
    gru.zero_grad()
    output, last = gru(inputs[0], inputs[1][None])
    (output * weights).sum().backward()
    return {
        "output": recorded(output),
        "state": recorded(last[0]),
        "gradients": {
            "x": recorded(inputs[0].grad),
            "before": recorded(inputs[1].grad),
            **by_gate(gru, gradient),
        },
    }


def main() -> None:
    generator = torch.Generator().manual_seed(SEED)
    gru = nn.GRU(WIDTH, WIDTH, batch_first=True).double()
    with torch.no_grad():
        for parameter in gru.parameters():
            parameter.copy_(drawn(*parameter.shape, generator=generator, scale=0.5))
    x = drawn(BATCH, TIME, WIDTH, generator=generator)
    weights = drawn(BATCH, TIME, WIDTH, generator=generator)
    before = drawn(BATCH, WIDTH, generator=generator)
    record = {
        "reference": {
            "script": "tools/golden/gru.py",
            "torch": torch.__version__,
            "python": platform.python_version(),
            "seed": SEED,
        },
        "parameters": by_gate(gru, lambda parameter: parameter.detach()),
        "x": recorded(x),
        "weights": recorded(weights),
        "before": recorded(before),
        "fromZeros": run(gru, x, torch.zeros_like(before), weights),
        "fromState": run(gru, x, before, weights),
    }
    OUTPUT.write_text(json.dumps(record, indent=None, separators=(",", ":")) + "\n")
    print(f"{OUTPUT.name}: {OUTPUT.stat().st_size:,} bytes, torch {torch.__version__}")


if __name__ == "__main__":
    main()
