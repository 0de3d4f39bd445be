"""One thing to ask for, and why: the raw material of `filon why`."""

from dataclasses import dataclass

from filon.verbs.discover.strategies.task import Task

#: What each operator asks of a search service.
SEARCH_OF = {
    "keyword": "keyword",
    "related": "related",
    "backward": "backlinks",
    "seeds": "seeds",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand(Task):
    """One thing to ask for.

    kind: a Task's, or "call": of a portal's API, or of a sitemap.
    software, role: of a call: which portal, and "confirm", "list" or "sitemap".
    origins: the arms and sources that led to a page.
    score: what it is expected to bring for each request.
    """

    software: str = ""
    role: str = ""
    origins: tuple[tuple[str, str], ...] = ()
    score: float = 0.0


def arm_of(errand: Errand) -> str:
    """Return the arm that an errand is booked on."""
    return errand.origins[0][0] if errand.origins else arm_named(errand.operator, errand.searcher)


def arm_named(operator: str, searcher: str) -> str:
    """Return the name of an arm: an operator, and who serves it."""
    return f"{operator} · {searcher}" if searcher else operator


def why(errand: Errand) -> str:
    """Say why an errand is run: a clause that continues "because"."""
    if errand.kind == "seed":
        return "it is one of the examples"
    if errand.kind == "search":
        return _searched(errand)
    if errand.kind == "call":
        return _called(errand)
    if errand.kind == "look":
        return (
            f"it is the likeliest way to data files from {errand.entry}, {errand.depth} links away"
        )
    return _met(errand)


def _searched(errand: Errand) -> str:
    asked = {
        "keyword": f"pages about “{errand.query}” are wanted",
        "related": f"sites like {errand.query} are wanted",
        "seeds": f"registries may know repositories of “{errand.query}”",
    }.get(errand.operator, f"pages that link to {errand.query} may link to others of the kind")
    return f"{asked}, and {errand.searcher} paid best for its cost or was tried least"


def _called(errand: Errand) -> str:
    if errand.role == "sitemap":
        return f"{errand.entry} looks like a repository, and its sitemap may name its datasets"
    return f"{errand.entry} looks like {errand.software}: its API, if it is there, lists its data"


def _met(errand: Errand) -> str:
    also = len(errand.origins) - 1
    more = f"; {also} other{'s' * (also > 1)} led there too" if also > 0 else ""
    if errand.kind == "hub":
        return f"it is said to link to {errand.parent}, so it may link to others of the kind{more}"
    told = {
        "keyword": f"a search for “{errand.query}” brought it",
        "related": f"it is said to be related to {errand.parent}",
        "seeds": f"{errand.searcher} has it for “{errand.query}”",
    }.get(errand.operator, f"{errand.parent} links to it")
    return f"{told}{more}, and nothing that waits promises more for a request"


def kind_of(errand: Errand) -> str:
    """Return what kind of reason an errand has."""
    if errand.hops:
        return "redirect"
    return {"seed": "start", "search": "search", "call": "portal"}.get(errand.kind, "link")
