"""Records what sacreBLEU's own command line prints, as test/golden/evaluate-cli.json: the text that `heed evaluate` must print.

Needs sacrebleu 2.6.0: python tools/golden/evaluate_cli.py
"""

import json
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

FILES = {
    "hypothesis": [
        "The cat sat on the mat.",
        "",
        "He said: &quot;No, never!&quot;",
        "A dog runs 1,234.5 metres across the field 😀",
        "我们明天去北京。",
        "two dogs play in the snow near a fence",
        "she is reading a book ,",
        "The old man, who was tired, slept.",
    ],
    "other": [
        "A cat sat on a mat.",
        "Nothing at all",
        "She said no.",
        "Dog runs far across fields 😀",
        "明天我们去上海。",
        "two cats play near the fence",
        "he reads books",
        "An old man slept.",
    ],
    "reference": [
        "The cat sat on the mat.",
        "Nothing at all.",
        'He said: "No, never!"',
        "The dog runs 1,234.5 metres over the field 😀",
        "我们明天要去北京。",
        "Two dogs are playing in the snow near a fence.",
        "She is reading a book.",
        "The old man slept, because he was tired.",
    ],
    "reference2": [
        "A cat was sitting on the mat.",
        "Nothing.",
        "“No, never”, he said.",
        "A dog is running 1,234.5 metres through the field 😀",
        "我们明天去北京。",
        "Near a fence two dogs play in the snow.",
        "A book is being read by her.",
        "The man was old and tired and slept.",
    ],
}

# [heed's flags, sacreBLEU's flags]; the references stand in front, the hypothesis behind.
ONE = ["reference"]
TWO = ["reference", "reference2"]
CASES = [
    (ONE, "", "-f text"),
    (ONE, "--json", ""),
    (TWO, "--metric bleu,chrf,ter", "-m bleu chrf ter -f text"),
    (TWO, "--metric bleu,chrf,ter --json", "-m bleu chrf ter"),
    (ONE, "--metric chrf++ --width 3", "-m chrf --chrf-word-order 2 -w 3 -f text"),
    (ONE, "--tokenize zh --smoothing floor --smoothing-value 0.2 --lowercase --json", "-tok zh -s floor -sv 0.2 -lc"),
    (ONE, "--tokenize intl --smoothing add-k --width 4", "-tok intl -s add-k -w 4 -f text"),
    (ONE, "--tokenize char --smoothing none --json", "-tok char -s none"),
    (ONE, "--tokenize none", "-tok none -f text"),
    (
        ONE,
        "--metric chrf --chrf-char-order 4 --chrf-word-order 1 --chrf-beta 3 --chrf-whitespace --chrf-epsilon-smoothing --lowercase",
        "-m chrf --chrf-char-order 4 --chrf-word-order 1 --chrf-beta 3 --chrf-whitespace --chrf-eps-smoothing --chrf-lowercase -f text",
    ),
    (
        ONE,
        "--metric ter --ter-normalized --ter-remove-punctuation --ter-asian-support --ter-case-sensitive --json",
        "-m ter --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive",
    ),
    (TWO, "--sentence-level", "-sl"),
    (ONE, "--sentence-level --metric ter", "-sl -m ter"),
    (ONE, "--metric bleu,chrf --confidence --json", "-m bleu chrf --confidence"),
    (ONE, "--confidence --trials 200", "--confidence --confidence-n 200 -f text"),
]
PAIRED = (ONE, "--metric bleu,ter --paired-test approximate-randomization --trials 300 --json", "-m bleu ter --paired-ar --paired-ar-n 300")


def main() -> None:
    if version("sacrebleu") != "2.6.0":
        sys.exit(f"needs sacrebleu 2.6.0, got {version('sacrebleu')}")
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in FILES.items():
            Path(folder, name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")

        def run(references: list[str], flags: str, systems: list[str]) -> str:
            command = [sys.executable, "-m", "sacrebleu", *references, "-i", *systems, *flags.split()]
            return subprocess.run(command, cwd=folder, check=True, capture_output=True, encoding="utf-8").stdout

        golden = {
            "sacrebleu": version("sacrebleu"),
            "files": FILES,
            "cases": [
                {"references": references, "flags": flags.split(), "output": run(references, theirs, ["hypothesis"])}
                for references, flags, theirs in CASES
            ],
            "paired": {
                "references": PAIRED[0],
                "flags": PAIRED[1].split(),
                "output": run(PAIRED[0], PAIRED[2], ["other", "hypothesis"]),
            },
        }
    target = Path(__file__).parents[2] / "test" / "golden" / "evaluate-cli.json"
    target.write_text(json.dumps(golden, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{target.name}: {len(CASES) + 1} outputs of sacrebleu {golden['sacrebleu']}")


main()
