"""Golden values of src/metrics from sacreBLEU and numpy, written to test/golden/metrics-*.json.

    pip install 'sacrebleu==2.6.*' jiwer
    python tools/golden/metrics.py [path of the folder "evalsets"]

The scores of the evaluation sets are renewed only if their folder is given; their text is never stored.
"""

import json
import logging
import platform
import random
import sys
from importlib.metadata import version
from pathlib import Path

import jiwer
import numpy as np
from metrics_cases import (
    CORPORA,
    DECISIVE_SHIFTS,
    EVALUATION_SETS,
    LINES,
    OPTIONS,
    TOKENIZERS,
)
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.significance import PairedTest

logging.disable(logging.CRITICAL)
GOLDEN = Path(__file__).resolve().parents[2] / "test" / "golden"
VERSIONS = {name: version(name) for name in ("sacrebleu", "numpy", "regex", "jiwer")} | {
    "python": platform.python_version()
}


def write(name, content):
    path = GOLDEN / f"metrics-{name}.json"
    path.write_text(
        json.dumps({"versions": VERSIONS, **content}, ensure_ascii=True, separators=(",", ":"))
        + "\n"
    )
    print(path.name, path.stat().st_size, "bytes")


# heed's names of options, turned into sacreBLEU's.
def bleu(options):
    names = {
        "tokenizer": "tokenize",
        "lowercase": "lowercase",
        "smoothing": "smooth_method",
        "smoothingValue": "smooth_value",
        "effectiveOrder": "effective_order",
    }
    return BLEU(**{names[key]: value for key, value in options.items()})


def chrf(options):
    names = {
        "charOrder": "char_order",
        "wordOrder": "word_order",
        "beta": "beta",
        "lowercase": "lowercase",
        "whitespace": "whitespace",
        "epsilonSmoothing": "eps_smoothing",
    }
    return CHRF(**{names[key]: value for key, value in options.items()})


def ter(options):
    names = {
        "normalized": "normalized",
        "removePunctuation": "no_punct",
        "asianSupport": "asian_support",
        "caseSensitive": "case_sensitive",
    }
    return TER(**{names[key]: value for key, value in options.items()})


METRICS = {"bleu": bleu, "chrf": chrf, "ter": ter}


def record(metric, score):
    """What a score must be, in heed's names."""
    signature = metric.get_signature().format()
    result = {
        "score": float(score.score),
        "signature": signature,
        "line": score.format(1, False, signature),
    }
    if score.name == "BLEU":
        result |= {
            "counts": score.counts,
            "totals": score.totals,
            "precisions": score.precisions,
            "brevityPenalty": score.bp,
            "hypothesisLength": score.sys_len,
            "referenceLength": score.ref_len,
            "lengthRatio": score.ratio,
        }
    if score.name == "TER":
        result |= {"edits": score.num_edits, "referenceLength": score.ref_length}
    return result


def tokenizer_cases():
    tokens = {
        name: [bleu({"tokenizer": name})._preprocess_segment(line).split() for line in LINES]
        for name in TOKENIZERS
    }
    ter_tokens = [
        [options, [ter(options)._preprocess_segment(line).split() for line in LINES]]
        for options in OPTIONS["ter"]
    ]
    return {
        "lines": LINES,
        "lowercase": [line.lower() for line in LINES],
        "tokens": tokens,
        "terTokens": ter_tokens,
    }


def corpus_cases():
    cases = []
    for name, (hypotheses, references) in CORPORA.items():
        for metric_name, all_options in OPTIONS.items():
            for options in all_options:
                metric = METRICS[metric_name](options)
                score = metric.corpus_score(hypotheses, references)
                expected = record(metric, score)
                if name == "several references":
                    expected["json"] = json.loads(
                        score.format(1, False, expected["signature"], True)
                    )
                cases.append(
                    {
                        "corpus": name,
                        "metric": metric_name,
                        "options": options,
                        "expected": expected,
                    }
                )
    corpora = {
        name: {"hypotheses": hypotheses, "references": references}
        for name, (hypotheses, references) in CORPORA.items()
    }
    return {"corpora": corpora, "cases": cases}


def sentence_cases():
    """Every line of two corpora by itself, with sacreBLEU's command-line defaults for sentences."""
    cases = []
    for name in ("lines against the next line", "several references"):
        hypotheses, references = CORPORA[name]
        for metric_name, options in (
            ("bleu", {"effectiveOrder": True}),
            ("chrf", {"wordOrder": 2}),
            ("ter", {}),
        ):
            metric = METRICS[metric_name](options)
            scores = [
                metric.sentence_score(hypothesis, list(line_references)).score
                for hypothesis, *line_references in zip(hypotheses, *references)
            ]
            cases.append(
                {
                    "corpus": name,
                    "metric": metric_name,
                    "options": options,
                    "scores": scores,
                    "signature": metric.get_signature().format(),
                }
            )
    return {"cases": cases}


def shuffle_words(rng, words, moves):
    words = list(words)
    for _ in range(moves):
        start, end = sorted(rng.sample(range(len(words) + 1), 2))
        phrase = words[start:end]
        del words[start:end]
        target = rng.randint(0, len(words))
        words[target:target] = phrase
        if words and rng.random() < 0.4:
            words[rng.randrange(len(words))] = "x"
    return words


def shift_cases():
    """Word salad: few words, many words, lengths far apart, more candidates than the search tries."""
    rng = random.Random(20170612)
    cases = []
    for vocabulary in (2, 3, 6, 30):
        for length in (4, 9, 20, 45):
            for moves in (1, 3):
                reference = [f"w{rng.randrange(vocabulary)}" for _ in range(length)]
                cases.append((shuffle_words(rng, reference, moves), reference))
                cases.append(
                    (
                        [f"w{rng.randrange(vocabulary)}" for _ in range(rng.choice((3, length)))],
                        reference,
                    )
                )
    for hypothesis_length, reference_length in (
        (1, 60),
        (2, 150),
        (60, 1),
        (3, 200),
        (80, 80),
        (110, 100),
    ):
        cases.append(
            (
                [f"w{rng.randrange(5)}" for _ in range(hypothesis_length)],
                [f"w{rng.randrange(5)}" for _ in range(reference_length)],
            )
        )
    cases += [(hypothesis.split(), reference.split()) for hypothesis, reference in DECISIVE_SHIFTS]
    distinct = [f"w{index}" for index in range(75)]
    for distance in (49, 50, 51):  # the furthest shift, to and fro
        moved = distinct[2 : 2 + distance] + distinct[:2] + distinct[2 + distance :]
        cases += [(moved, distinct), (distinct, moved)]
    for offset in (20, 22, 24, 25, 26, 28):  # the edge of the beam
        cases.append((["x"] * offset + distinct[: 75 - offset], distinct))
        cases.append((distinct, ["x"] * offset + distinct[: 75 - offset]))
    hypotheses, references = ([" ".join(words) for words in side] for side in zip(*cases))
    edits = [translation_edit_rate(hypothesis, reference)[0] for hypothesis, reference in cases]
    error_rates = {
        "word": jiwer.wer(references, hypotheses),
        "character": jiwer.cer(references, hypotheses),
    }
    return {"cases": list(zip(hypotheses, references, edits)), "errorRates": error_rates}


def significance_cases():
    rng = random.Random(1706)
    words = [*"abcdefghijklmno", "."]
    references = [" ".join(rng.choice(words) for _ in range(rng.randint(6, 18))) for _ in range(80)]

    def system(error_rate):
        return [
            " ".join(
                rng.choice(words) if rng.random() < error_rate else word for word in line.split()
            )
            for line in references
        ]

    systems = {"baseline": system(0.30), "system": system(0.26), "references": [references]}
    streams = [references]
    tests = []
    for metric_name, options in (("bleu", {}), ("chrf", {}), ("ter", {})):
        for kind, trials in (("bs", 300), ("ar", 500)):
            metric = METRICS[metric_name](options)
            test = PairedTest(
                [("baseline", systems["baseline"]), ("system", systems["system"])],
                {metric_name.upper(): metric},
                streams,
                test_type=kind,
                n_samples=trials,
            )
            signatures, results = test()
            ((name, signature),) = signatures.items()
            baseline, compared = results[name]
            tests.append(
                {
                    "metric": metric_name,
                    "kind": kind,
                    "trials": trials,
                    "pValue": compared.p_value,
                    "signature": signature.format(),
                    "scores": [baseline.score, compared.score],
                    "intervals": [[float(r.mean), float(r.ci)] for r in (baseline, compared)]
                    if kind == "bs"
                    else None,
                }
            )
    confidence = []
    for metric_name, create in METRICS.items():
        metric = create({})
        score = metric.corpus_score(systems["system"], streams, n_bootstrap=400)
        expected = record(metric, score)
        expected["json"] = json.loads(score.format(1, False, expected["signature"], True))
        confidence.append({"metric": metric_name, "trials": 400, **expected})
    return {"systems": systems, "tests": tests, "confidence": confidence}


def random_cases():
    def draws(seed, draw):
        return np.array(draw(np.random.default_rng(seed))).ravel().astype(int).tolist()

    return {
        "streams": [
            {
                "seed": seed,
                "below3003": draws(seed, lambda rng: rng.choice(3003, size=(4, 5))),
                "below2147495993": draws(seed, lambda rng: rng.choice(2147495993, size=20)),
                "booleans": draws(seed, lambda rng: rng.integers(2, size=(2, 40), dtype=bool)),
            }
            for seed in (0, 1, 12345, 2**32 - 1, 2**32, 2**53 - 1)
        ]
    }


def perturb(line, number):
    """A pseudo hypothesis: every seventh word dropped, two neighbours swapped; characters where there are no blanks."""
    separator = " " if " " in line else ""
    words = line.split(" ") if separator else list(line)
    kept = [word for index, word in enumerate(words) if (index + number) % 7 != 0]
    swap = number % 5
    if len(kept) > swap + 1:
        kept[swap], kept[swap + 1] = kept[swap + 1], kept[swap]
    return separator.join(kept)


def evaluation_set_cases(folder):
    cases = []
    for name, metrics in EVALUATION_SETS.items():
        references = (folder / name).read_bytes().decode().removesuffix("\n").split("\n")
        hypotheses = [perturb(line, number) for number, line in enumerate(references)]
        for metric_name, options in metrics:
            metric = METRICS[metric_name](options)
            score = metric.corpus_score(hypotheses, [references])
            cases.append(
                {
                    "set": name,
                    "lines": len(references),
                    "metric": metric_name,
                    "options": options,
                    "score": score.score,
                    "line": score.format(1, False, metric.get_signature().format()),
                }
            )
    return {"cases": cases}


def main():
    write("tokenizers", tokenizer_cases())
    write("corpora", corpus_cases())
    write("sentences", sentence_cases())
    write("shifts", shift_cases())
    write("significance", significance_cases())
    write("random", random_cases())
    if len(sys.argv) > 1:
        write("evaluation-sets", evaluation_set_cases(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
