"""Why a task of a discovery is taken, in words: the raw material of `filon why`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filon.verbs.discover.strategies.tasks import Task

#: What a search is for, and how a page was met, by the operator.
SEARCHED = {
    "keyword": "pages about “{query}” are wanted",
    "related": "sites like {query} are wanted",
    "backward": "pages that link to {query} may link to others of the kind",
    "outlinks": "{query} links to a known page, and may link to others of the kind",
    "seeds": "known sites about “{query}” are wanted",
}
MET = {
    "keyword": "a search for “{query}” brought it",
    "related": "it is said to be related to {parent}",
    "seeds": "{searcher} lists it under “{query}”",
}


def why(task: "Task") -> str:
    """Say why a task is taken: a clause that continues "because"."""
    match task.kind:
        case "seed":
            return "it is one of the examples"
        case "look":
            return f"it is {task.depth} links away from {task.entry}, which may lead to data files"
        case "collect":
            return f"it is a page of {task.entry}, which leads to data files"
        case "search":
            return f"{SEARCHED[task.operator].format(**task.way)}, and {task.searcher} can be asked"
        case "hub":
            return f"it is said to link to {task.parent}, so it may link to others of the kind"
    if task.operator in MET:
        return MET[task.operator].format(**task.way)
    promises = ", and of all links that wait this promises most" if task.link_words else ""
    return f"{task.parent} links to it{promises}"
