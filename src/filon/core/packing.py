"""Steps as plain data, for the states of strategies that hold some back."""

from dataclasses import asdict
from typing import Any

from filon.core import Reason, Request, Step
from filon.core.forms import Form


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
REQUEST = Form(lambda request: pack(Step(request=request)), lambda told: unpack(told).request)
