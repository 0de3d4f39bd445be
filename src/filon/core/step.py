"""A request with its reason: the raw material of `filon why`.

`STEP` and `REQUEST` write both down as plain data, for strategies that hold some back.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

from filon.core.forms import Form
from filon.core.request import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a step was taken.

    kind: "start", "link", "target", "redirect", "head", "robots", "retry", or what a strategy adds.
    arm: the group that was chosen, as the strategy names it; empty where it has none.
    score, expected: what made it the best choice, and the finds it was expected to bring.
    text: the same for people: a clause that continues "because".
    outlook: what the strategy expects of the rest of the run, for the progress line.
    """

    kind: str
    arm: str = ""
    score: float = 0.0
    expected: float = 0.0
    text: str = ""
    outlook: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A request, the reason for it, and the URL of the answer that led to it."""

    request: Request
    reason: Reason = field(default_factory=lambda: Reason(kind="start"))
    parent: str = ""


def pack(step: Step) -> dict[str, Any]:
    """Return a step as dicts and lists.

    >>> step = Step(request=Request(url="http://example.org/", headers=(("a", "b"),)))
    >>> unpack(pack(step)) == step
    True
    """
    return asdict(step)


def unpack(data: dict[str, Any]) -> Step:
    """Return the step that was packed, whatever has become of its tuples."""
    request = data["request"]
    whole = request | {
        "headers": tuple((name, value) for name, value in request["headers"]),
        "unwanted": tuple(request["unwanted"]),
    }
    return Step(request=Request(**whole), reason=Reason(**data["reason"]), parent=data["parent"])


#: A step in a declared state.
STEP = Form(pack, unpack)
#: A request, as a step that only begins.
REQUEST = Form(lambda request: pack(Step(request=request)), lambda data: unpack(data).request)
