"""RDFa 1.1 in HTML: the sequence of RDFa Core section 7.5, with the rules of HTML+RDFa.

An element sets subject, object and names for what stands within it. Elements are walked with a
stack, since real pages nest deeper than Python calls.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from filon.verbs.follow.rdf.limits import Allowance
from filon.verbs.follow.rdf.names import RDF, RDFA, XSD, Names

#: A node is "_:label" or an IRI; a literal has a datatype or a language.
Triple = tuple[str, str, "str | Literal"]
#: Without one of these a page says nothing in RDFa. Nearly every page has a `rel`: it counts with a
#: prefix or a name that all know, or one that could be (`&#58;`); others need a vocabulary.
SIGNS = re.compile(
    rb"\b(?:property|typeof|vocab)\s*="
    rb"|\bre[lv]\s*=\s*(?:\"[^\">]*?|'[^'>]*?|[^\s\"'>]*?)(?:[:&]|license|describedby|role)",
    re.IGNORECASE,
)
#: Triples of a page with patterns: each may be copied to every place.
MOST_COPIED = 1_000_000
_TIMES = (
    (
        re.compile(r"-?P(?!$)(\d+Y)?(\d+M)?(\d+D)?(T(?!$)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?"),
        "duration",
    ),
    (re.compile(r"-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?"), "dateTime"),
    (re.compile(r"-?\d{4,}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?"), "date"),
    (re.compile(r"\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?"), "time"),
    (re.compile(r"-?\d{4,}-\d\d"), "gYearMonth"),
    (re.compile(r"-?\d{4,}"), "gYear"),
)


@dataclass(frozen=True, slots=True)
class Literal:
    """A value: with a datatype's IRI, or a language, or neither."""

    value: str
    datatype: str = ""
    language: str = ""


@dataclass(slots=True)
class Place:
    """What an element hands down to those within it."""

    subject: str
    object: str
    names: Names
    language: str = ""
    #: Predicates that wait for an object: (predicate, "rel" | "rev" | "list").
    incomplete: list[tuple[str, str]] = field(default_factory=list)
    #: The members of lists so far, by predicate.
    lists: dict[str, list["str | Literal"]] = field(default_factory=dict)


def rdfa(parser: LexborHTMLParser, url: str, allowance: Allowance, most: int) -> list[Triple]:
    """Return the triples that a page says in RDFa, no more than are wanted."""
    root = parser.root
    return [] if root is None else _Reader(parser, url, allowance, most).read(root)


class _Reader:
    """Walks a page."""

    def __init__(self, parser: LexborHTMLParser, url: str, allowance: Allowance, most: int) -> None:
        base = parser.css_first("base[href]")
        names = Names(url.partition("#")[0])
        if base is not None:
            names = Names(names.iri(base.attributes.get("href") or "").partition("#")[0] or url)
        self._base = names.base
        self._names = names
        self._allowance, self._most = allowance, most
        self._triples: list[Triple] = []
        self._blanks = 0

    def read(self, root: LexborNode) -> list[Triple]:
        """Return the triples of a page."""
        # Work is an element with its place, or the lists that end with an element.
        work: list[Any] = [(root, Place(self._base, self._base, self._names))]
        while work and len(self._triples) < self._most:
            node, place = work.pop()
            if node is None:
                self._end_lists(*place)
                continue
            inner, ends = self._element(node, place, is_root=node.mem_id == root.mem_id)
            if ends:
                work.append((None, ends))
            children = [child for child in node.iter() if child.is_element_node]
            work.extend((child, inner) for child in reversed(children))
        return _copied(self._triples)[: self._most]

    def _element(
        self, node: LexborNode, place: Place, *, is_root: bool
    ) -> tuple[Place, tuple[str, dict[str, list[str | Literal]]] | None]:
        """Say what an element says; return the place within it, and the lists that end with it."""
        given = {key: value or "" for key, value in node.attributes.items()}
        if not given and not is_root:
            return place, None
        if "property" in given:
            _mute(given)
        names, language = self._settings(given, place)
        subject, typed, object_, skip = self._subjects(node, given, place, names, is_root)
        for kind in self._terms(given, "typeof", names):
            if typed:
                self._say(typed, f"{RDF}type", kind)
        is_new = is_root or (bool(subject) and subject != place.object)
        lists: dict[str, list[str | Literal]] = {} if is_new else place.lists
        incomplete: list[tuple[str, str]] = []
        if "rel" in given or "rev" in given:
            object_ = self._relate(given, names, subject, object_, lists, incomplete)
        if "property" in given:
            self._properties(node, given, names, language, subject, typed, lists)
        if subject and not skip:
            self._complete(place, subject)
        if skip:
            inner = Place(
                place.subject, place.object, names, language, place.incomplete, place.lists
            )
            return inner, None
        below = object_ or subject or place.subject
        inner = Place(subject or place.subject, below, names, language, incomplete, lists)
        return inner, (subject, lists) if is_new else None

    def _settings(self, given: dict[str, str], place: Place) -> tuple[Names, str]:
        """Steps 2 to 4: vocabulary, prefixes, language."""
        names, language = place.names, place.language
        if "vocab" in given:
            vocabulary = names.iri(given["vocab"]) if given["vocab"].strip() else ""
            names = Names(names.base, names.prefixes, vocabulary)
            if vocabulary:
                self._say(self._base, f"{RDFA}usesVocabulary", vocabulary)
        namespaces = {key[6:]: value for key, value in given.items() if key.startswith("xmlns:")}
        if namespaces or "prefix" in given:
            names = names.declaring(given.get("prefix", ""), namespaces)
        for key in ("lang", "xml:lang"):
            if key in given:
                return names, given[key].strip()
        return names, language

    def _subjects(
        self, node: LexborNode, given: dict[str, str], place: Place, names: Names, is_root: bool
    ) -> tuple[str, str, str, bool]:
        """Steps 5 and 6: return new subject, typed resource, object, and whether to skip."""
        about = names.resource(given["about"]) if "about" in given else ""
        target = _target(given, names)
        has_type = "typeof" in given
        # The document's own elements are about the document.
        home = self._base if is_root else place.object if node.tag in ("head", "body") else ""
        if "rel" in given or "rev" in given:
            subject = about or home or place.object
            object_ = target or (self._blank() if has_type and "about" not in given else "")
            typed = (about if "about" in given else object_) if has_type else ""
            return subject, typed, object_, False
        if "property" in given and "content" not in given and "datatype" not in given:
            subject = about or home or place.object
            if not has_type:
                return subject, "", "", False
            typed = about or home or target or self._blank()
            return subject, typed, typed, False
        subject = about or target or home or (self._blank() if has_type else "")
        skip = not subject and "property" not in given
        subject = subject or place.object
        return subject, subject if has_type else "", "", skip

    def _relate(
        self,
        given: dict[str, str],
        names: Names,
        subject: str,
        object_: str,
        lists: dict[str, list[str | Literal]],
        incomplete: list[tuple[str, str]],
    ) -> str:
        """Steps 9 and 10: relations to an object, or to one that is still to come."""
        ahead = self._terms(given, "rel", names)
        back = self._terms(given, "rev", names)
        if not object_:
            kind = "list" if "inlist" in given else "rel"
            incomplete.extend((predicate, kind) for predicate in ahead)
            incomplete.extend((predicate, "rev") for predicate in back)
            for predicate in ahead if kind == "list" else ():
                lists.setdefault(predicate, [])
            return self._blank() if ahead or back else ""
        for predicate in ahead:
            if "inlist" in given:
                lists.setdefault(predicate, []).append(object_)
            else:
                self._say(subject, predicate, object_)
        for predicate in back:
            self._say(object_, predicate, subject)
        return object_

    def _properties(
        self,
        node: LexborNode,
        given: dict[str, str],
        names: Names,
        language: str,
        subject: str,
        typed: str,
        lists: dict[str, list[str | Literal]],
    ) -> None:
        """Step 11: the properties of the subject."""
        value = self._value(node, given, names, language, typed)
        if value is None:
            return
        for predicate in self._terms(given, "property", names):
            if "inlist" in given:
                lists.setdefault(predicate, []).append(value)
            else:
                self._say(subject, predicate, value)

    def _value(
        self, node: LexborNode, given: dict[str, str], names: Names, language: str, typed: str
    ) -> str | Literal | None:
        named = given.get("datatype", "").strip()
        datatype = names.term(named) if named else ""
        if datatype in (f"{RDF}XMLLiteral", f"{RDF}HTML"):
            markup = self._allowance.text(lambda: node.inner_html or "")
            return None if markup is None else Literal(markup, datatype)
        has_datatype, is_time = "datatype" in given, "datetime" in given or node.tag == "time"
        if not has_datatype and "content" not in given and not is_time:
            if "rel" not in given and "rev" not in given and (target := _target(given, names)):
                return target
            if typed and "about" not in given:
                return typed
        text = given.get("content", given.get("datetime") if has_datatype or is_time else None)
        if text is None:
            text = self._allowance.text(lambda: str(node.text(deep=True)))
        if text is None:
            return None
        if is_time and not has_datatype and "content" not in given:
            return _time(text, language)
        return Literal(text, datatype, "" if datatype else language)

    def _complete(self, place: Place, subject: str) -> None:
        """Step 12: this element is the object that relations above have waited for."""
        for predicate, kind in place.incomplete:
            if kind == "list":
                place.lists.setdefault(predicate, []).append(subject)
            elif kind == "rel":
                self._say(place.subject, predicate, subject)
            else:
                self._say(subject, predicate, place.subject)

    def _end_lists(self, subject: str, lists: dict[str, list[str | Literal]]) -> None:
        """Step 14: members become a list, from its end."""
        for predicate, members in lists.items():
            rest = f"{RDF}nil"
            for member in reversed(members):
                link = self._blank()
                self._say(link, f"{RDF}first", member)
                self._say(link, f"{RDF}rest", rest)
                rest = link
            self._say(subject, predicate, rest)

    def _terms(self, given: dict[str, str], key: str, names: Names) -> list[str]:
        terms = [names.term(word) for word in given.get(key, "").split()]
        return [term for term in terms if term and (key == "typeof" or term[:2] != "_:")]

    def _blank(self) -> str:
        self._blanks += 1
        return f"_:filon{self._blanks}"

    def _say(self, subject: str, predicate: str, value: str | Literal) -> None:
        self._triples.append((subject, predicate, value))


def _mute(given: dict[str, str]) -> None:
    """Beside a property, bare words of rel and rev are HTML's own; without others they are gone."""
    for key in ("rel", "rev"):
        if key in given:
            given[key] = " ".join(word for word in given[key].split() if ":" in word)
            if not given[key]:
                del given[key]


def _target(given: dict[str, str], names: Names) -> str:
    if "resource" in given and (found := names.resource(given["resource"])):
        return found
    for key in ("href", "src"):
        if key in given:
            return names.iri(given[key])
    return ""


def _time(text: str, language: str) -> Literal:
    for pattern, name in _TIMES:
        if pattern.fullmatch(text):
            return Literal(text, XSD + name)
    return Literal(text, "", language)


def _copied(triples: list[Triple]) -> list[Triple]:
    """Copy the properties of patterns to those who ask for them; patterns themselves go."""
    patterns = {s for s, p, o in triples if p == f"{RDF}type" and o == f"{RDFA}Pattern"}
    asked: dict[str, list[str]] = {}
    for s, p, o in triples if patterns else ():
        if p == f"{RDFA}copy" and isinstance(o, str) and o in patterns:
            asked.setdefault(s, []).append(o)
    if not asked:
        return triples
    gone = {pattern for some in asked.values() for pattern in some}
    properties: dict[str, list[Triple]] = {pattern: [] for pattern in gone}
    kept: dict[Triple, None] = {}
    for s, p, o in triples:
        is_copy = p == f"{RDFA}copy" and isinstance(o, str) and o in patterns
        if s in gone and not is_copy and not (p == f"{RDF}type" and o == f"{RDFA}Pattern"):
            properties[s].append((s, p, o))
        elif s not in gone and not is_copy:
            kept[s, p, o] = None
    for asker in asked:
        # A pattern may ask for another one, and so on, in circles too.
        pending, seen = list(asked[asker]) if asker not in gone else [], set[str]()
        while pending and len(kept) < MOST_COPIED:
            pattern = pending.pop(0)
            if pattern not in seen:
                seen.add(pattern)
                kept.update(((asker, p, o), None) for _, p, o in properties[pattern])
                pending.extend(asked.get(pattern, ()))
    return list(kept)
