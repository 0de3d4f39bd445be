"""What stands around a link: the largest part of the page that holds no link to elsewhere.

A row of a table, an item of a list, a card. What it says and how it is marked is said of the link:
"Reported online", a class `status complete`, the picture of a PDF. Everything is bounded.
"""

from collections.abc import Iterable
from itertools import islice

from selectolax.lexbor import LexborNode

#: How many nodes are looked at around one link, and the words and marks that are kept of them.
MOST_NODES, MOST_WORDS, MOST_MARKS = 60, 40, 20
MAX_WORD = 40

_SILENT = frozenset({"script", "style"})
_SAYING = ("alt", "title", "aria-label")


class Surroundings:
    """The parts of one page, by the one place that all links in them lead to.

    linked: the links of the page, in any order, with where they lead.

    >>> from selectolax.lexbor import LexborHTMLParser
    >>> page = LexborHTMLParser("<ul><li class=x><a href=1>a</a> now<li><a href=2>b</a></ul>")
    >>> linked = [(node, node.attributes["href"]) for node in page.css("a")]
    >>> Surroundings(linked).of(*linked[0])
    'a now .x'
    """

    def __init__(self, linked: Iterable[tuple[LexborNode, str]]) -> None:
        self._leads: dict[int, str] = {}  # of elements: where their links lead; "": to several
        for node, target in linked:
            self._mark(node, target)

    def _mark(self, node: LexborNode, target: str) -> None:
        """Note of each element above a link where it leads; of most that was noted before."""
        leads, parent = self._leads, node.parent
        while parent is not None:
            number = parent.mem_id
            known = leads.setdefault(number, target)
            if not known:
                break
            if known != target:
                leads[number] = ""
            parent = parent.parent

    def of(self, node: LexborNode, target: str) -> str:
        """Return the words around a link and in it, and the classes as .name, each once."""
        parent = node.parent
        while parent is not None and self._leads.get(parent.mem_id) == target:
            node, parent = parent, parent.parent
        words: list[str] = []
        marks: list[str] = []
        scripts = False  # whether there are any: only then it matters whose text it is
        for inner in islice(node.traverse(include_text=True), MOST_NODES + 1):
            if inner.is_text_node:
                if not scripts or inner.parent is None or inner.parent.tag not in _SILENT:
                    words += (inner.text_content or "").split()[:MOST_WORDS]
            elif inner.tag in _SILENT:
                scripts = True
            elif attributes := inner.attributes:
                if named := attributes.get("class"):
                    marks += named.split()
                    if len(attributes) == 1:
                        continue
                for label in _SAYING:
                    if said := attributes.get(label):
                        words += said.split()[:MOST_WORDS]
        kept = [word[:MAX_WORD] for word in list(dict.fromkeys(words))[:MOST_WORDS]]
        kept += list(dict.fromkeys(["." + name[:MAX_WORD] for name in marks]))[:MOST_MARKS]
        return " ".join(kept)
