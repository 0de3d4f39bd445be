"""What is stored of the golden runs, and how two of it are compared."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

EXPECTED = Path(__file__).parent / "expected.json"
#: The steps on the small web as they are: it is our own.
DEMO_STEPS = Path(__file__).parent / "demo-steps.json.gz"


def expected() -> dict[str, Any]:
    """Return all that is held, by kind and name."""
    told: dict[str, Any] = {"steps": {}, "json": {}, "looked": {}, "resumed": {}}
    if EXPECTED.exists():
        told |= json.loads(EXPECTED.read_text("utf-8"))
    return told


@cache
def held(kind: str) -> dict[str, Any]:
    """Return what is held of a kind, by name."""
    kept: dict[str, Any] = expected()[kind]
    return kept


@cache
def demo_steps() -> dict[str, list[str]]:
    """Return the steps on the small web by the name of the run."""
    kept: dict[str, list[str]] = json.loads(gzip.decompress(DEMO_STEPS.read_bytes()))
    return kept


def first_difference(before: Any, now: Any, path: str = "") -> str:
    """Return where two values differ first, and how; "" where they do not."""
    if type(before) is not type(now):
        return f"{path or 'all'}: {before!r} before, {now!r} now"
    if isinstance(before, dict):
        for key in sorted({*before, *now}):
            if key not in now or key not in before:
                return f"{path}/{key} is {'gone' if key in before else 'new'}"
            if found := first_difference(before[key], now[key], f"{path}/{key}"):
                return found
        return ""
    if isinstance(before, list) and len(before) == len(now):
        pairs = enumerate(zip(before, now, strict=True))
        return next(filter(None, (first_difference(*p, f"{path}/{n}") for n, p in pairs)), "")
    return "" if before == now else f"{path or 'all'}: {before!r} before, {now!r} now"
