"""What metrics.py scores: awkward lines, small corpora, and the options of each metric by heed's names."""

TOKENIZERS = ["13a", "intl", "zh", "char", "none"]

LINES = [
    "",
    " ",
    "\t",
    "-",
    "?",
    "h",
    "42",
    "1,234.56 EUR",
    "HELLO WORLD",
    "Ye\u015filg\u00f6z",
    "e\u0301 \u00e9",
    "\ufb01",
    "a\u00a0b\u202fc",
    "soft\u00adhyphen",
    "\ufeffBOM at the start",
    "\u05e9\u05dc\u05d5\u05dd 42 \u0645\u0631\u062d\u0628\u0627 \u0663\u066b\u0665",
    "\u6211\u7231\u5317\u4eac\u5929\u5b89\u95e8\u3002",
    "Hello %1$s, good to see you!",
    "{name}",
    "a < b > c & d",
    "&lt;p&gt; &amp;lt; &quot;x&quot; &apos;",
    "https://example.org/a_b?c=d&e=f#g",
    "code `x_y`",
    "NUL\x00here",
    "CR at the end\r",
    "two\r\nlines",
    "hyphen-\nated",
    "broken\n-line",
    "a\nb\n",
    "<skipped> text <skipped>",
    "It's the dog's 's s'",
    "\u00ab's \u00bb's",
    "3.14, 2,5; 1.000.000 and .5 or 5.",
    "In 1999.",
    "1-2 a-b 3-c d-4 -5 10--20",
    "v1.2.3-rc.4",
    "U.S.A. e.g. i.e., etc...",
    "(hi) [there] {you} ~tilde~ ^caret^",
    "a/b:c;d!e?f@g#h$i%j^k&l*m",
    "\"quoted\" 'single' \u201ccurly\u201d \u2018single\u2019 \u00abguillemets\u00bb",
    "\u2014 dash \u2013 en\u2011nb \u2026 \u20ac5 \u00a33 5\u00b0 \u00b1 \u00d7 \u00f7 \u2192",
    "\u00bd \u00b2 \u2460 \u2167 \u0663.\u0664",
    "\U0001f600 smile \U0001f469\u200d\U0001f469\u200d\U0001f466.",
    "\U0001f600.\U0001f600,\U0001f600-1",
    "\U00020000\U00020001\u3001\u3402\u4db5\u4db6\u9fbb\u9fbc\uf900",
    "\u2000a\u2001b\u2a6dc\u2a6ed\u2f81e\u2fa1f",
    "\u4e2d\u6587 mixed \u6587\u672c, 3.5\uff05\uff01\uff08\u62ec\u53f7\uff09",
    "\u3042\u3044\u3046\u3048\u304a",
    "\u30ab\u30bf\u30ab\u30ca\u30fb\u30c6\u30b9\u30c8 \u3053\u3093\u306b\u3061\u306f\u3001\u4e16\u754c\u3002",
    "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09\uff61\uff65\u3008\u3011\u3014\u301f",
    "\u31c0\u2e80\u3300\ufe30\u3200\u3f22\u31f0",
    "sep\x1carated\x1dby\x1econ\x1ftrols",
    "next\x85line\u2028sep\u2029para\x0bvt\x0cff",
    "zero\u200bwidth\u180evowel",
    " lead and trail \u3000",
    "\u0391\u03a3 \u039f\u0394\u039f\u03a3. \u03a3 \u03a3\u0391\u03a3\u0301 \u0130stanbul I\u0307 STRASSE \u1e9e",
    "tab\tand  two   blanks",
    "ha " * 20,
]

CORPORA = {
    "lines against themselves": (LINES, [LINES]),
    "lines against the next line": (LINES, [LINES[1:] + LINES[:1]]),
    "several references": (
        [
            "the cat sat on the mat .",
            "It is a guide to action.",
            "",
            "Hello there, General Kenobi!",
            "short",
        ],
        [
            [
                "The cat sat on a mat.",
                "It is a guide to action that ensures it.",
                "empty",
                "hello there general",
                "a longer line",
            ],
            [
                "A cat was on the mat.",
                "It is the guiding principle.",
                "",
                "Hello there, General Kenobi!",
                "short one",
            ],
            [
                "On the mat sat the cat.",
                "It is the practical guide.",
                "nothing",
                "Hi, general.",
                "short",
            ],
        ],
    ),
    "references missing here and there": (
        ["the cat sat on the mat", "b c d e f", "x y z w"],
        [
            ["the cat sat on a mat", None, "x y w z"],
            [None, "a b c d e f", "x y z w"],
            ["cat the mat on sat", None, ""],
        ],
    ),
    "shorter than four tokens": (["a", "a b", "a b c", "d"], [["a", "a b", "a b d", "e"]]),
    "one short line": (["one two three"], [["one two three"]]),
    "empty hypotheses": (["", ""], [["a b c", "d"]]),
    "empty references": (["a b c d", "e"], [["", ""]]),
    "all empty": ([""], [[""]]),
    "disjoint": (["a b c d e", "f g h i"], [["k l m n o", "p q r s t"]]),
    "no bigram matches": (["the the the the the the the"], [["the cat is on the mat"]]),
    "one in sixteen": (["a " * 16], [["a b c d e f g h i j k l m n o p"]]),
    "case": (
        ["HELLO World, \u0130stanbul \u039f\u0394\u039f\u03a3"],
        [["hello world, i\u0307stanbul \u03bf\u03b4\u03bf\u03c2"]],
    ),
}

OPTIONS = {
    "bleu": [{"tokenizer": name} for name in TOKENIZERS]
    + [
        {"lowercase": True},
        {"effectiveOrder": True},
        {"smoothing": "none"},
        {"smoothing": "floor"},
        {"smoothing": "add-k"},
        {"smoothing": "floor", "smoothingValue": 0.5, "effectiveOrder": True},
        {"smoothing": "floor", "smoothingValue": 0},
        {"smoothing": "add-k", "smoothingValue": 0.25, "tokenizer": "intl"},
        {"smoothing": "none", "effectiveOrder": True},
    ],
    "chrf": [
        {},
        {"wordOrder": 2},
        {"wordOrder": 1, "charOrder": 3},
        {"beta": 1},
        {"beta": 3, "wordOrder": 2, "lowercase": True},
        {"whitespace": True},
        {"epsilonSmoothing": True},
        {"epsilonSmoothing": True, "wordOrder": 2, "whitespace": True},
    ],
    "ter": [
        {},
        {"normalized": True},
        {"removePunctuation": True},
        {"caseSensitive": True},
        {"normalized": True, "asianSupport": True},
        {
            "normalized": True,
            "removePunctuation": True,
            "asianSupport": True,
            "caseSensitive": True,
        },
    ],
}


EVALUATION_SETS = {
    "newstest2014-en-de.de": [
        ("bleu", {}),
        ("bleu", {"tokenizer": "intl", "lowercase": True}),
        ("chrf", {}),
        ("chrf", {"wordOrder": 2}),
        ("ter", {}),
    ],
    "newstest2014-en-fr.fr": [
        ("bleu", {}),
        ("bleu", {"tokenizer": "intl"}),
        ("ter", {"normalized": True}),
    ],
    "newstest2013-en-de.en": [("bleu", {"tokenizer": "none"}), ("chrf", {"lowercase": True})],
    "iwslt15-tst2013-en-vi.vi": [
        ("bleu", {"tokenizer": "none"}),
        ("bleu", {}),
        ("ter", {"caseSensitive": True}),
    ],
    "tico19-en-zh.zh": [
        ("bleu", {"tokenizer": "zh"}),
        ("bleu", {"tokenizer": "char"}),
        ("chrf", {}),
    ],
    "flores200-devtest.zh": [
        ("bleu", {"tokenizer": "zh"}),
        ("ter", {"normalized": True, "asianSupport": True}),
    ],
    "flores200-devtest.ja": [
        ("bleu", {"tokenizer": "char"}),
        ("bleu", {"tokenizer": "intl"}),
        ("chrf", {"wordOrder": 2}),
    ],
}

# The first depends on the last tie between equally good shifts, the second on counting each target of a phrase once.
DECISIVE_SHIFTS = [
    ("w1 w1 w0 w1 w0 w0 w1 w2 w0 w2", "w2 w0 w1 w1 w1 w1 w0 w2 w0"),
    (
        "w1 w1 w1 w1 w0 w1 w1 w1 w1 w0 w1 w1 w0 w1 w1 w1 w1 w0 w0 w0 w1 w1 w1 w1 w1 w0 w1 w1 w1 w0 w0",
        "w0 w1 w1 w0 w1 w1 w1 w1 w1 w1 w1 w0 w1 w0 w0 w0 w0 w1 w0 w1 w1 w1 w0 w1 w0 w0 w1 w1 w0 w1 w0 w1 w1 w0",
    ),
]
