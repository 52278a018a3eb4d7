"""Checks ONNX files with the reference implementation of the standard.

    python tools/golden/onnx_check.py FILE.onnx…

Needs the Python package `onnx`. A file must pass the full checker and strict shape
inference with propagation of data. Prints one line a file; exits 1 if any fails.
"""

import sys

import onnx


def problem(path: str) -> str | None:
    """Why the file is not a valid model, or None if it is one."""
    try:
        onnx.checker.check_model(path, full_check=True)
        onnx.shape_inference.infer_shapes(
            onnx.load(path), check_type=True, strict_mode=True, data_prop=True
        )
    except (
        OSError,
        onnx.checker.ValidationError,
        onnx.shape_inference.InferenceError,
    ) as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    return None


def main(paths: list[str]) -> int:
    if not paths:
        print("usage: onnx_check.py FILE.onnx…", file=sys.stderr)
        return 2
    print(f"onnx {onnx.__version__}")
    problems = {path: problem(path) for path in paths}
    for path, found in problems.items():
        print(f"{path}: {found or 'OK'}")
    return 1 if any(problems.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
