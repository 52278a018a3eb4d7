"""Golden values of the safetensors format, and a look at a file of ours.

    python tools/golden/safetensors_files.py test/golden/safetensors.json
    python tools/golden/safetensors_files.py FILE.safetensors…

Needs the Python packages `safetensors`, `numpy` and `ml_dtypes`. The first form writes
files as Python writes them (base64) beside the arrays they hold; the second prints what
Python reads from files: metadata, and the shape, type and sum of each array.
"""

import base64
import hashlib
import json
import sys

import ml_dtypes
import numpy as np
import safetensors
from safetensors.numpy import save


def described(array: np.ndarray) -> dict:
    """The shape, and the values as 32-bit floats (JSON has no infinities: as texts)."""
    values = array.astype(np.float32).ravel().tolist()
    return {
        "shape": list(array.shape),
        "values": [v if np.isfinite(v) else str(v) for v in values],
    }


def case(arrays: dict[str, np.ndarray], metadata: dict[str, str] | None = None) -> dict:
    file = save(arrays, metadata=metadata)
    return {
        "file": base64.b64encode(file).decode(),
        "metadata": metadata or {},
        "arrays": {name: described(array) for name, array in arrays.items()},
    }


def finite_digest(dtype: type) -> str:
    """SHA-256 over all finite values of a 16-bit type, in the order of their bits, as float32 bytes."""
    values = np.arange(65536, dtype=np.uint16).view(dtype).astype(np.float32)
    finite = values[np.isfinite(values)]
    return hashlib.sha256(finite.astype("<f4").tobytes()).hexdigest()


def golden() -> dict:
    random = np.random.default_rng(1)
    normal = random.standard_normal((3, 4)).astype(np.float32)
    edges = [0.0, -0.0, 1.0, -2.5, 65504.0, 2.0**-24, 2.0**-14, np.inf, -np.inf]
    bfloat16 = ml_dtypes.bfloat16
    return {
        "reference": f"safetensors {safetensors.__version__}, numpy {np.__version__}, "
        f"ml_dtypes {ml_dtypes.__version__}",
        "cases": {
            "float32": case(
                {
                    "encoder.layers.0.selfAttention.query.weight": normal,
                    "encoder.layers.0.selfAttention.query.bias": normal[0].copy(),
                    "scalar": np.array(0.1, np.float32),
                    "empty": np.zeros((0, 4), np.float32),
                    "größe": np.array([np.pi], np.float32),
                },
                {"format": "np", "note": "grüße"},
            ),
            "float16": case({"edges": np.array(edges, np.float16), "normal": normal.astype(np.float16)}),
            "bfloat16": case({"edges": np.array(edges, bfloat16), "normal": normal.astype(bfloat16)}),
            "mixed": case(
                {
                    "half": normal[0, :3].astype(np.float16),
                    "full": normal,
                    "brain": normal[1, :1].astype(bfloat16),
                }
            ),
            "nothing": case({}),
        },
        "finiteFloat16": finite_digest(np.float16),
        "finiteBfloat16": finite_digest(bfloat16),
    }


def show(path: str) -> None:
    with safetensors.safe_open(path, framework="numpy") as file:
        print(f"{path}: safetensors {safetensors.__version__}, metadata {file.metadata()}")
        for name in file.keys():
            array = file.get_tensor(name)
            print(f"  {name} {list(array.shape)} {array.dtype} sum {array.astype(np.float64).sum():.9g}")


def main(paths: list[str]) -> int:
    if len(paths) == 1 and paths[0].endswith(".json"):
        text = json.dumps(golden(), indent=1, ensure_ascii=False)
        with open(paths[0], "w", encoding="utf-8") as file:
            file.write(text + "\n")
        return 0
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    for path in paths:
        show(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
