"""What is wrong with a portal's answer before it is read."""

from collections.abc import Callable

from filon.core import Response
from filon.core.portal import Dataset, Listing
from filon.portals.tolerant import Tree, whole_objects

_REFUSED = frozenset({401, 403, 407, 451})
_ASKED_WRONGLY = frozenset({400, 405, 406, 413, 414, 422})


def trouble(response: Response) -> Listing | None:
    """Return a page that says what is wrong; None where the answer may be read."""
    if response.error or not response.status:
        return Listing(problem="down", detail=response.detail or f"no answer ({response.error})")
    if not response.ok:
        return Listing(
            problem=_by_status(response), detail=f"The portal answers {response.status}."
        )
    if too_long(response):
        return Listing(problem="down", detail="The answer is too long and was not taken whole.")
    return None


def too_long(response: Response) -> bool:
    """Say whether only the beginning of an answer is at hand."""
    return bool(response.cut or response.spool)


def beginning(response: Response, name: str, read: Callable[[Tree], Dataset]) -> Listing:
    """Return the datasets that came whole of an answer that is too long, told as such.

    name: of the list that they stand in.
    """
    found = tuple(map(read, whole_objects(response.body, name)))
    why = "The catalogue is too long: these are its first datasets."
    return Listing(datasets=found, problem="down", detail=why)


def strange(what: str) -> Listing:
    """Return a page for an answer that is not what the software documents.

    what: what was expected, to continue "This is not".
    """
    return Listing(problem="schema", detail=f"This is not {what}.")


def _by_status(response: Response) -> str:
    status = response.status
    if status == 429 or (status in (403, 503) and response.header("retry-after")):
        return "quota"
    if status in _REFUSED:
        return "key"
    if status in _ASKED_WRONGLY:
        return "query"
    return "down" if status >= 500 else "schema"
