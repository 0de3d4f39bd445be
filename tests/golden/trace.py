"""Steps as lines: what is compared, and how the first difference is told.

Of recorded sites only hashes are stored. Each step has a short one of its own beside the one of
the whole, so that the first step that differs can be named; what it was before is not known.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from golden.play import Find, Response, Step

#: Hexadecimal digits of a step's own hash: they find the place, the hash of the whole decides.
DIGITS = 4


@dataclass
class Trace:
    """The steps of one run in the order of their answers, each with what it brought."""

    lines: list[str] = field(default_factory=list)
    finds: int = 0
    stopped: str = ""

    def watch(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        """Write a step down."""
        request, reason = step.request, step.reason
        body = hashlib.sha256(request.body).hexdigest() if request.body else ""
        limits = [request.unwanted, request.max_bytes, request.begins, request.max_s]
        told = [
            *(request.method, request.url, step.parent),
            *(reason.kind, reason.arm, number(reason.score), number(reason.expected)),
            *(reason.text, reason.outlook, request.headers, body, limits, response.status),
            [[find.kind, find.url, find.name, find.mime, find.parent] for find in finds],
        ]
        self.lines.append(json.dumps(told, ensure_ascii=False))
        self.finds += len(finds)

    def stored(self) -> dict[str, object]:
        """Return what is stored of it."""
        return {
            "steps": len(self.lines),
            "finds": self.finds,
            "stopped": self.stopped,
            "sha256": digest(self.lines),
            "each": "".join(map(_short, self.lines)),
        }


def number(value: float) -> str:
    """Return a number as it is compared: processors differ in the last digits of sums."""
    return f"{value:.6g}"


def digest(lines: Sequence[str]) -> str:
    """Return the hash of lines."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def difference(
    trace: Trace, expected: dict[str, object], before: Callable[[int], str] = lambda at: ""
) -> str:
    """Return the first difference in words; "" where there is none.

    before: returns the line that was there, where that is stored.
    """
    found = trace.stored()
    if found == expected:
        return ""
    marks = str(expected["each"])
    known = [marks[at : at + DIGITS] for at in range(0, len(marks), DIGITS)]
    mine = [*map(_short, trace.lines)]
    same = next(
        (at for at, pair in enumerate(zip(known, mine, strict=False)) if len({*pair}) > 1), None
    )
    at = min(len(known), len(mine)) if same is None else same
    counts = ", ".join(
        f"{name} {found[name]!r}, not {expected[name]!r}"
        for name in ("steps", "finds", "stopped")
        if found[name] != expected[name]
    )
    now = trace.lines[at] if at < len(mine) else "(no step)"
    was = before(at) or ("(its hash alone is stored)" if at < len(known) else "(no step)")
    return f"{counts or 'as many steps'}; the first difference is step {at + 1}:\n{was}\n{now}"


def _short(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()[:DIGITS]
