"""Golden values for src/text: what the Python package `tokenizers` makes of a tokenizer that heed learned.

    npm run build && python tools/golden/tokenizer.py > test/golden/tokenizer.json      (pip install tokenizers==0.23.3)

heed learns from test/golden/tokenizer-corpus.txt, once for each setting below. Recorded for each:
- tokenizer: heed's tokenizer.json. Python must load it and save it again without a change.
- learned: the merges that Python's own BpeTrainer learns from the same corpus, cut the same way.
- encodings: Python's ids of texts that all implementations read alike, and its decoding of those ids.
- differences: texts that Python is known to read otherwise.
"""

import json
import subprocess
import sys
from pathlib import Path

import tokenizers
from tokenizers import models, trainers

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "test/golden/tokenizer-corpus.txt"
BUILD = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist")

SETTINGS = {
    "categories": {"merges": 500, "minimumCharacterFrequency": 1, "controlTokens": [">>de<<"]},
    "spaces": {"merges": 300, "minimumCharacterFrequency": 1, "split": "spaces"},
    "folded": {"vocabularySize": 900, "minimumCharacterFrequency": 3, "normalization": "nfkc", "lowercase": True},
}

LEARN = """
const { readFileSync } = await import('node:fs');
const { learnTokenizer, splitLines } = await import(process.argv[1]);
const lines = splitLines(readFileSync(process.argv[2], 'utf8'));
console.log(JSON.stringify(learnTokenizer(lines, JSON.parse(process.argv[3]))));
"""

TEXTS = [
    " ", "  ", "\t", "\n", "-", "?", "h", "42", "1,234.56 EUR", "HELLO WORLD", "hello  world", " leading", "trailing ",
    "The old bridge was restored in 2012.", "Die größte Brücke steht am Fluß.", "我们在老灯塔等火车。", "GPT和BLEU是什么？",
    "Yeşilgöz", "e\u0301 é", "ﬁ ① …", "a\u00a0b\u202fc", "soft\u00adhyphen", "הגשר 42 הישן", "الجسر ٤٢", "สะพาน", "गाँवों",
    "Hello %1$s, good to see you!", "{name}", "a < b > c & d", "&lt;p&gt;", "https://example.org/a?b=1", "x_y", "ha ha ha ",
    "nul\0byte", "one\r\ntwo", "😀👍🏽 ❤️ 👩‍👩‍👧", "１２", "½ ² Ⅷ", "don't “quote” — dash", "\u200b\u200d", "ĳ Ǆ ß İ",
    "", "\ufeffBOM", "<0xE2>",
]

# Python finds control tokens in the text, takes ▁ for a space, and lower-cases letter by letter.
DIFFERENT = {
    "categories": ["</s>", "a</s>b", "<pad> x", ">>de<< hallo", "▁", "a▁b"],
    "spaces": ["</s>", "a</s>b", "<pad> x", "▁", "a▁b"],
    "folded": ["</s>", "a</s>b", "<pad> x", "▁", "a▁b", "ΟΔΟΣ"],
}


def learn(setting):
    module = (BUILD / "text/index.js").as_uri()
    command = ["node", "--input-type=module", "-e", LEARN, module, str(CORPUS), json.dumps(setting)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def encoding(tokenizer, text):
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    return {"text": text, "ids": ids, "decoded": tokenizer.decode(ids)}


def train(reference, merges, minimum_frequency):
    """The merges of Python's trainer, with the reference's normaliser and word split."""
    own = tokenizers.Tokenizer(models.BPE(byte_fallback=True))
    own.normalizer, own.pre_tokenizer = reference.normalizer, reference.pre_tokenizer
    trainer = trainers.BpeTrainer(vocab_size=2**20, min_frequency=minimum_frequency, show_progress=False)
    lines = CORPUS.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    own.train_from_iterator(lines, trainer)
    return json.loads(own.to_str())["model"]["merges"][:merges]


def main():
    golden = {"reference": f"tokenizers {tokenizers.__version__}", "settings": {}}
    for name, setting in SETTINGS.items():
        file = learn(setting)
        reference = tokenizers.Tokenizer.from_str(file)
        assert json.loads(reference.to_str()) == json.loads(file), f"{name}: Python changed the file"
        entry = {"options": setting, "tokenizer": json.loads(file)}
        if setting["minimumCharacterFrequency"] == 1:  # Python's trainer joins what stood beside a rare character
            entry["learned"] = train(reference, setting["merges"], 2)
        entry["encodings"] = [encoding(reference, text) for text in TEXTS]
        entry["differences"] = [encoding(reference, text) for text in DIFFERENT[name]]
        golden["settings"][name] = entry
    json.dump(golden, sys.stdout, ensure_ascii=False, separators=(",", ":"))
    print()


main()
