"""Answers reconciliation queries (API 0.2 and 1.0 draft, with data extension) from records.

A reconciliation client such as OpenRefine sends names, and gets candidates with scores; then it
sends the ids it has chosen, and gets values for them. The two versions of the API ask and answer
the same in different JSON: `question` reads both, and methods say in which they answer.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from filon.core import Record
from filon.core.version import __version__
from filon.page.words import words
from filon.run.text import plain
from filon.verbs.enrich.match.lookup import QUANTIFIERS, Fact, Lookup, Near

OLD, NEW = "0.2", "1.0-draft"
TYPE = {"id": "record", "name": "Record"}
#: Candidates that are returned by default, and at most; values of a fact that are looked at.
RETURNED, MOST, MOST_VALUES = 5, 100, 20
#: Stands for the name in a question, whatever the field is called in the records.
NAME = ""
#: Of a description: fields, and characters of each.
_TOLD, _SHORT = 3, 60
#: Points that what a client sends by id is worth.
_BY_ID = 100.0
WIDTH, HEIGHT = 430, 300
KINDS = ("entity", "property", "type")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a client asks for. facts: the name has NAME for its field."""

    facts: tuple[Fact, ...]
    limit: int = RETURNED

    @property
    def name(self) -> str:
        """The name that it asks for, or what else it says, where it says no name."""
        return self.id or " ".join(v for f in self.facts for v in f.values[:1])

    @property
    def id(self) -> str:
        """The name itself, which may be the id of a record; "" where it says none."""
        names = [fact.values[0] for fact in self.facts if fact.field == NAME and fact.values]
        return names[0] if names else ""


def question(query: Any) -> Question:
    """Read a query of either version; a ValueError where it is none.

    >>> question({"query": "Mali", "properties": [{"pid": "iso", "v": "ML"}]}).name
    'Mali'
    """
    query = query if isinstance(query, dict) else {"query": str(query)}
    if "conditions" in query:
        facts = [_condition(each) for each in _objects(query["conditions"])]
    else:
        name = str(query.get("query") or "")
        facts = [Fact(field=NAME, values=(name,))] if name.strip() else []
        given = query.get("properties")
        given = _objects([each for each in given if isinstance(each, dict)] if given else [])
        facts += [Fact(field=str(g["pid"]), values=_texts(g.get("v"))) for g in given if "pid" in g]
    limit = query.get("limit")
    count = min(MOST, limit) if isinstance(limit, int | float) and limit > 0 else RETURNED
    return Question(facts=tuple(facts), limit=max(1, int(count)))


def _condition(given: Json) -> Fact:
    """Read a condition of 1.0; older drafts say `pid` and `v`."""
    kind, how = given.get("matchType"), given.get("matchQuantifier", "any")
    values = given.get("propertyValue", given.get("v"))
    if kind not in ("name", "property") or values is None or how not in QUANTIFIERS:
        raise ValueError("a condition has a matchType, a propertyValue and a known matchQuantifier")
    field = NAME if kind == "name" else given.get("propertyId", given.get("pid"))
    if not isinstance(field, str):
        raise ValueError("a condition of a property has its propertyId")
    required = given.get("required") is True
    return Fact(field=field, values=_texts(values), how=how, required=required)


def _objects(given: Any) -> list[Json]:
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise ValueError("a list of objects was expected")
    return given


def _texts(values: Any) -> tuple[str, ...]:
    """Return values as text; one that was reconciled before comes as an object."""
    held = values if isinstance(values, list) else [values]
    texts = [one.get("name") or one.get("id") if isinstance(one, dict) else one for one in held]
    return tuple(str(text) for text in texts if text not in (None, ""))[:MOST_VALUES]


class Reconciler:
    """A reconciliation service over records.

    name_field: the field that holds what a record is called.
    space: a URI for the ids.
    """

    def __init__(
        self, records: Iterable[Record], *, title: str, name_field: str, space: str
    ) -> None:
        self._records = {record.id: record for record in records}
        self.title = title
        self._name_field = name_field
        self._space = space

    def __len__(self) -> int:
        return len(self._records)

    def hold(self, records: Iterable[Record]) -> None:
        """Have more records at hand."""
        before = len(self._records)
        self._records |= {record.id: record for record in records}
        if len(self._records) > before:
            for made in ("_lookup", "_spelt", "_fields"):
                self.__dict__.pop(made, None)

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(list(self._records.values()), self._name_field)

    @cached_property
    def _spelt(self) -> dict[str, str]:
        return {id_: " ".join(words(self.name(record))) for id_, record in self._records.items()}

    @cached_property
    def _fields(self) -> list[str]:
        counts = Counter(field for record in self._records.values() for field in record.fields)
        return [field for field, _ in counts.most_common()]

    def name(self, record: Record) -> str:
        """Return what a record is called; its id where it has no name."""
        return record.fields.get(self._name_field, "").strip() or record.id

    def description(self, record: Record) -> str:
        """Return what tells a record from its namesakes: the first of its other fields."""
        others = [text for name, text in record.fields.items() if name != self._name_field and text]
        return " · ".join(plain(" ".join(text.split()), _SHORT) for text in others[:_TOLD])

    def manifest(self, base: str, version: str = OLD) -> Json:
        """Describe the service; base: the URL under which it is reached."""
        manifest: Json = {
            "versions": [version],
            "name": self.title,
            "defaultTypes": [TYPE],
            "documentation": f"{base}/about",
            "serviceVersion": f"Filon {__version__}",
        }
        if version == NEW:
            return manifest | {
                "view": {"url": f"{base}/view?id={{id}}"},
                "preview": {"width": WIDTH, "height": HEIGHT},
                "suggest": dict.fromkeys(KINDS, True),
                "extend": {"proposeProperties": True, "propertySettings": []},
                "standardizedScore": True,
            }
        preview = {"url": f"{base}/preview?id={{{{id}}}}", "width": WIDTH, "height": HEIGHT}
        propose = {"service_url": base, "service_path": "/properties"}
        return manifest | {
            "identifierSpace": self._space,
            "schemaSpace": f"{self._space}#fields",
            "view": {"url": f"{base}/view?id={{{{id}}}}"},
            "preview": preview,
            "suggest": {kind: _suggested(base, kind) for kind in KINDS},
            "extend": {"propose_properties": propose, "property_settings": []},
        }

    def candidates(self, asked: Question, among: Sequence[Record] | None = None) -> list[Json]:
        """Return the candidates for a question, the best first.

        among: records to choose from; all that are at hand, where none are named.
        """
        if asked.id in self._records and (among is None or not among):
            return [self._candidate(Near(record=self._records[asked.id], score=1, alike={}))]
        lookup = self._lookup if among is None else Lookup(among, self._name_field)
        named = self._name_field
        facts = [_renamed(fact, named) if fact.field == NAME else fact for fact in asked.facts]
        found = lookup.near(facts)[: asked.limit]
        return [self._candidate(near) for near in found]

    def _candidate(self, near: Near) -> Json:
        score = round(100 * near.score, 2)
        features = [
            {"id": field, "name": f"how alike {field} is", "value": round(100 * alike, 1)}
            for field, alike in near.alike.items()
        ]
        return {
            "id": near.record.id,
            "name": self.name(near.record),
            "description": self.description(near.record),
            "type": [TYPE],
            "score": score,
            "match": near.sure or score == _BY_ID,
            "features": features,
        }

    def extend(self, wanted: Json, version: str = OLD) -> Json:
        """Answer a data extension query: values of fields for ids."""
        if not isinstance(wanted, dict):
            raise ValueError("an object with ids and properties was expected")
        asked = _objects(wanted.get("properties") or [])
        fields = [str(one["id"]) for one in asked if "id" in one]
        ids = wanted.get("ids") or []
        if not isinstance(ids, list):
            raise ValueError("ids are a list")
        rows = {str(id_): {field: self._values(str(id_), field) for field in fields} for id_ in ids}
        meta = [{"id": field, "name": field} for field in fields]
        if version == OLD:
            return {"meta": meta, "rows": rows}
        listed = [
            {"id": id_, "properties": [{"id": f, "values": found} for f, found in values.items()]}
            for id_, values in rows.items()
        ]
        return {"meta": meta, "rows": listed}

    def _values(self, id_: str, field: str) -> list[Json]:
        record = self._records.get(id_)
        text = record.fields.get(field, "") if record else ""
        return [{"str": value} for value in text.split("; ") if value]

    def properties(self, limit: int = 0) -> Json:
        """Propose the fields that there are. limit: so many at most; 0: all."""
        proposed = [{"id": field, "name": field} for field in self._fields[: limit or None]]
        return {"type": TYPE["id"], "properties": proposed, **({"limit": limit} if limit else {})}

    def suggest(self, kind: str, prefix: str, cursor: int = 0) -> Json:
        """Complete what a person types: an "entity", a "property" or a "type"."""
        offers = self._entities(prefix) if kind == "entity" else self._named(kind, prefix)
        cursor = max(0, cursor)
        found = offers[cursor : cursor + MOST]
        if kind == "entity":
            found = [
                {
                    **one,
                    "description": self.description(self._records[one["id"]]),
                    "notable": [TYPE],
                }
                for one in found
            ]
        return {"result": found}

    def _entities(self, prefix: str) -> list[Json]:
        line = " ".join(words(prefix))
        found = [id_ for id_, name in self._spelt.items() if line in name or id_ == prefix.strip()]
        offers = [{"id": id_, "name": self.name(self._records[id_])} for id_ in found]
        offers.sort(key=lambda one: (not self._spelt[one["id"]].startswith(line), one["name"]))
        return offers

    def _named(self, kind: str, prefix: str) -> list[Json]:
        line = " ".join(words(prefix))
        known = [TYPE] if kind == "type" else [{"id": f, "name": f} for f in self._fields]
        return [one for one in known if line in " ".join(words(one["name"]))]

    def record(self, id_: str) -> Record | None:
        """Return a record, to show it to a person."""
        return self._records.get(id_)

    def fields_told(self) -> str:
        """Return the names of the fields, for people."""
        return ", ".join(self._fields[:20]) + (" …" if len(self._fields) > 20 else "")


def _suggested(base: str, kind: str) -> Json:
    flyout = {"flyout_service_url": base, "flyout_service_path": f"/flyout/{kind}?id=${{id}}"}
    return {"service_url": base, "service_path": f"/suggest/{kind}", **flyout}


def _renamed(fact: Fact, field: str) -> Fact:
    return Fact(field=field, values=fact.values, how=fact.how, required=fact.required)
