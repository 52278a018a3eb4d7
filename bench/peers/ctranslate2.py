"""Translates with CTranslate2 on the CPU what bench/decode.mjs asks for, and times it.

    python -m bench.peers.ctranslate2 --model DIR --threads 1 < jobs.jsonl

(as a module from the repository's root: as a script it would stand in its own import's way).
A job is one line of JSON, answered by one line: batches of token ids, each translated as it
stands, and how to search; start and end ids are of the whole run. Output lengths are limited
per batch, the only limit that CTranslate2 has. Scores are sums of log-probabilities (no
length penalty), END included.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import ctranslate2

from .ctranslate2_model import transformer_spec

CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


@dataclass(frozen=True)
class Batch:
    sources: list[list[int]]
    """END included."""
    maxLength: int
    """Most positions of an output, END included."""


@dataclass(frozen=True)
class Job:
    batches: list[Batch]
    beam: int
    hypotheses: int

    @classmethod
    def parse(cls, line: str) -> "Job":
        fields = json.loads(line)
        return cls(**{**fields, "batches": [Batch(**b) for b in fields["batches"]]})


def load(arguments: argparse.Namespace) -> ctranslate2.Translator:
    spec = transformer_spec(
        arguments.model,
        start_id=arguments.start_id,
        end_id=arguments.end_id,
        positions=arguments.positions,
    )
    with tempfile.TemporaryDirectory() as folder:
        spec.save(folder)
        return ctranslate2.Translator(
            folder,
            device="cpu",
            compute_type=arguments.compute_type,
            inter_threads=arguments.workers,
            intra_threads=arguments.threads,
        )


def translate(
    translator: ctranslate2.Translator, job: Job, now: Callable[[], float]
) -> dict[str, object]:
    batches = [
        [[str(token) for token in source] for source in batch.sources]
        for batch in job.batches
    ]
    start = now()
    started = [
        translator.translate_batch(
            tokens,
            beam_size=job.beam,
            num_hypotheses=job.hypotheses,
            length_penalty=0,
            max_input_length=0,
            max_decoding_length=batch.maxLength,
            min_decoding_length=0,
            return_scores=True,
            asynchronous=True,
        )
        for batch, tokens in zip(job.batches, batches, strict=True)
    ]
    results = [one.result() for batch in started for one in batch]
    seconds = now() - start
    outputs = [
        [[int(token) for token in tokens] for tokens in result.hypotheses]
        for result in results
    ]
    output_tokens = sum(len(hypotheses[0]) for hypotheses in outputs)
    return {
        "seconds": seconds,
        "sentencesPerSecond": len(outputs) / seconds,
        "outputTokensPerSecond": output_tokens / seconds,
        "outputs": outputs,
        "scores": [result.scores for result in results],
    }


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1, help="of an operator")
    parser.add_argument("--workers", type=int, default=1, help="batches at once")
    parser.add_argument("--compute-type", default="float32", choices=["float32", "int8"])
    parser.add_argument("--clock", default="wall", choices=CLOCKS)
    parser.add_argument("--start-id", type=int, default=1)
    parser.add_argument("--end-id", type=int, default=2)
    parser.add_argument("--positions", type=int, default=512, help="longest sequence")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    translator = load(arguments)
    ready = {"system": "ctranslate2", "version": ctranslate2.__version__}
    print(json.dumps(ready), flush=True)
    for line in sys.stdin:
        answer = translate(translator, Job.parse(line), CLOCKS[arguments.clock])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
