"""Times a training step of the same Transformer in PyTorch, float32 on the CPU.

    python bench/peers/pytorch.py --preset tiny --threads 2

A step is forward, label-smoothed loss, backward and Adam, on random ids without padding
(the masks are applied all the same). Post-norm, one shared matrix of 10,000 rows,
dropout 0.1 on the embedding sums and on each sub-layer's result. Prints one JSON line.
"""

import argparse
import json
import resource
import statistics
import sys
import time
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "golden"))

from reference_model import Config, MultiHeadAttention, Transformer

PAD_ID = 0
VOCABULARY_SIZE = 10_000


def preset(d_model: int, d_inner: int, heads: int, layers: int) -> Config:
    return Config(
        source_vocabulary_size=VOCABULARY_SIZE,
        target_vocabulary_size=VOCABULARY_SIZE,
        source_pad_id=PAD_ID,
        target_pad_id=PAD_ID,
        d_model=d_model,
        heads=heads,
        d_key=d_model // heads,
        d_value=d_model // heads,
        d_inner=d_inner,
        encoder_layers=layers,
        decoder_layers=layers,
        dropout=0.1,
    )


PRESETS = {
    "tiny": preset(128, 256, 4, 4),
    "small": preset(256, 512, 8, 3),
    "base": preset(512, 2048, 8, 6),
}


@dataclass(frozen=True)
class Shape:
    """The size of one batch: rows, and tokens in each source and each target."""

    rows: int
    source: int
    target: int

    @property
    def target_tokens(self) -> int:
        return self.rows * self.target


@dataclass(frozen=True)
class Batch:
    source: Tensor
    target_input: Tensor
    expected: Tensor


def draw_batch(shape: Shape) -> Batch:
    def ids(length: int) -> Tensor:
        return torch.randint(PAD_ID + 1, VOCABULARY_SIZE, (shape.rows, length))

    return Batch(ids(shape.source), ids(shape.target), ids(shape.target))


class Training:
    """A model and its optimizer; `step` does one update."""

    def __init__(self, config: Config, fused_attention: bool) -> None:
        self.model = Transformer(config)
        for name, parameter in self.model.named_parameters():
            if "embedding" in name:
                torch.nn.init.normal_(parameter, std=config.d_model**-0.5)
        for module in self.model.modules():
            if isinstance(module, MultiHeadAttention):
                module.fused = fused_attention
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9, fused=True
        )

    def loss(self, batch: Batch) -> Tensor:
        logits = self.model(batch.source, batch.target_input)
        return F.cross_entropy(
            logits.flatten(0, 1),
            batch.expected.flatten(),
            ignore_index=PAD_ID,
            label_smoothing=0.1,
        )

    def step(self, batch: Batch) -> float:
        self.optimizer.zero_grad()
        loss = self.loss(batch)
        loss.backward()
        self.optimizer.step()
        return loss.item()


def step_seconds(training: Training, shape: Shape) -> float:
    batch = draw_batch(shape)
    start = time.perf_counter()
    training.step(batch)
    return time.perf_counter() - start


def matrix_product_flops(config: Config, shape: Shape) -> int:
    """Of forward and backward. Counted without computing; explicit attention, since the
    counter does not know the fused kernel of the CPU."""
    with torch.device("meta"):
        training = Training(config, fused_attention=False)
        batch = draw_batch(shape)
        counter = FlopCounterMode(display=False)
        with counter:
            training.loss(batch).backward()
    return counter.get_total_flops()


def measure(arguments: argparse.Namespace) -> dict[str, object]:
    torch.manual_seed(1)
    torch.set_num_threads(arguments.threads)
    config = PRESETS[arguments.preset]
    training = Training(config, fused_attention=arguments.attention == "fused")
    shapes = read_shapes(arguments)
    for shape in islice(cycle(shapes), arguments.warmup):
        step_seconds(training, shape)
    timed = list(islice(cycle(shapes), arguments.steps))
    seconds = [step_seconds(training, shape) for shape in timed]
    flops = {shape: matrix_product_flops(config, shape) for shape in set(timed)}
    total_flops = sum(flops[shape] for shape in timed)
    rates = [shape.target_tokens / s for shape, s in zip(timed, seconds, strict=True)]
    total_tokens = sum(shape.target_tokens for shape in timed)
    return {
        "system": "pytorch",
        "torch": torch.__version__,
        "cpu": torch.backends.cpu.get_cpu_capability(),
        "preset": arguments.preset,
        "parameters": sum(p.numel() for p in training.model.parameters()),
        "attention": arguments.attention,
        "threads": torch.get_num_threads(),
        "steps": len(timed),
        "targetTokensPerSecond": round(statistics.median(rates), 1),
        "overallTargetTokensPerSecond": round(total_tokens / sum(seconds), 1),
        "stepMs": round(1000 * statistics.median(seconds), 2),
        "gigaflopsPerSecond": round(total_flops / sum(seconds) / 1e9, 1),
        "peakRssMegabytes": round(peak_rss_bytes() / 1e6, 1),
    }


def peak_rss_bytes() -> int:
    """Linux reports kibibytes, macOS bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def read_shapes(arguments: argparse.Namespace) -> list[Shape]:
    if arguments.shapes is None:
        return [Shape(arguments.rows, arguments.source, arguments.target)]
    shapes = json.loads(arguments.shapes.read_text())
    return [Shape(rows, source, target) for rows, source, target in shapes]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--preset", choices=PRESETS, default="tiny")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--steps", type=int, default=20, help="timed steps")
    parser.add_argument("--warmup", type=int, default=5, help="steps before them")
    parser.add_argument("--rows", type=int, default=128, help="sentence pairs a batch")
    parser.add_argument("--source", type=int, default=16, help="tokens a source")
    parser.add_argument("--target", type=int, default=16, help="tokens a target")
    parser.add_argument(
        "--shapes",
        type=Path,
        help="a JSON file [[rows, source, target], …], used in turn",
    )
    parser.add_argument(
        "--attention",
        choices=["fused", "explicit"],
        default="fused",
        help="F.scaled_dot_product_attention, or softmax(QKᵀ/√K)V step by step",
    )
    return parser.parse_args()


if __name__ == "__main__":
    print(json.dumps(measure(parse_arguments())))
