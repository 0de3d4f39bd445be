"""Answers reconciliation queries (API 0.2, with data extension) from records at hand.

A reconciliation client such as OpenRefine sends names, and gets candidates with scores; then it
sends the ids it has chosen, and gets values for them. All methods take and return what stands in
the protocol's JSON.
"""

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rapidfuzz import fuzz, process

from filon.core import Record
from filon.page.words import keywords, words

TYPE = {"id": "record", "name": "Record"}
#: Candidates by shared words that are compared in full, and how many are returned by default.
COMPARED, RETURNED, MOST = 50, 5, 100
#: A candidate is a sure match from this score on, if the next one is that much worse.
SURE, LEAD = 90.0, 5.0
#: What the name weighs against each property that the query gives.
NAME_WEIGHT = 2.0

Json = dict[str, Any]


class Reconciler:
    """A reconciliation service over records.

    name_field: the field that holds what a record is called.
    space: a URI for the ids.
    """

    def __init__(
        self, records: Iterable[Record], *, title: str, name_field: str, space: str
    ) -> None:
        self._records = {record.id: record for record in records}
        self._title = title
        self._name_field = name_field
        self._space = space
        self._names = {id_: self.name(id_) for id_ in self._records}
        self._plain = {id_: " ".join(words(name)) for id_, name in self._names.items()}
        self._index: dict[str, list[str]] = {}
        for id_, name in self._names.items():
            for word in keywords(name):
                self._index.setdefault(word, []).append(id_)
        fields = Counter(field for record in self._records.values() for field in record.fields)
        self._fields = [field for field, _ in fields.most_common()]

    def name(self, id_: str) -> str:
        """Return what a record is called; its id where it has no name."""
        return self._records[id_].fields.get(self._name_field, "") or id_

    def manifest(self, base: str) -> Json:
        """Describe the service; base: the URL under which it is reached."""
        suggest = {"service_url": base, "service_path": "/suggest/"}
        return {
            "versions": ["0.2"],
            "name": self._title,
            "identifierSpace": self._space,
            "schemaSpace": f"{self._space}#fields",
            "defaultTypes": [TYPE],
            "view": {"url": f"{base}/view?id={{{{id}}}}"},
            "preview": {"url": f"{base}/preview?id={{{{id}}}}", "width": 430, "height": 300},
            "suggest": {
                kind: suggest | {"service_path": f"/suggest/{kind}"}
                for kind in ("entity", "property", "type")
            },
            "extend": {
                "propose_properties": {"service_url": base, "service_path": "/properties"},
                "property_settings": [],
            },
        }

    def reconcile(self, queries: Mapping[str, Any]) -> Json:
        """Answer a batch of queries: candidates for each, the best first."""
        return {key: {"result": self._candidates(query)} for key, query in queries.items()}

    def _candidates(self, query: Any) -> list[Json]:
        query = query if isinstance(query, dict) else {"query": str(query)}
        text = str(query.get("query") or "")
        given = _properties(query.get("properties"))
        limit = query.get("limit")
        count = min(MOST, int(limit)) if isinstance(limit, int | float) and limit > 0 else RETURNED
        found = [self._score(id_, text, given) for id_ in self._nearest(text, given)]
        found.sort(key=lambda one: (-one["score"], one["id"]))
        if found and found[0]["score"] >= SURE:
            next_best = found[1]["score"] if len(found) > 1 else 0.0
            found[0]["match"] = found[0]["score"] - next_best >= LEAD
        return found[:count]

    def _nearest(self, text: str, given: Sequence[tuple[str, str]]) -> list[str]:
        """Return ids of records that share words with a name; rare words count for more."""
        if text in self._records:
            return [text]
        weights: dict[str, float] = {}
        for word in keywords(text or " ".join(value for _, value in given)):
            holders = self._index.get(word, [])
            for id_ in holders:
                rarity = math.log(1 + len(self._records) / len(holders))
                weights[id_] = weights.get(id_, 0.0) + rarity
        if weights:
            best = heapq.nsmallest(COMPARED, weights, key=lambda id_: (-weights[id_], id_))
            return list(best)
        # No word in common: misspelt, or in a script without spaces.
        near = process.extract(" ".join(words(text)), self._plain, limit=RETURNED, score_cutoff=60)
        return [id_ for _, _, id_ in near]

    def _score(self, id_: str, text: str, given: Sequence[tuple[str, str]]) -> Json:
        features, total, weight = [], 0.0, 0.0
        if text:
            alike = 100.0 if text == id_ else _alike(text, self._names[id_])
            features.append({"id": "name", "value": round(alike, 1)})
            total, weight = NAME_WEIGHT * alike, NAME_WEIGHT
        for field, value in given:
            held = self._records[id_].fields.get(field, "")
            if not held:
                continue  # what is unknown speaks neither for nor against
            alike = _alike(value, held)
            features.append({"id": field, "value": round(alike, 1)})
            total, weight = total + alike, weight + 1.0
        return {
            "id": id_,
            "name": self._names[id_],
            "type": [TYPE],
            "score": round(total / weight, 2) if weight else 0.0,
            "match": False,
            "features": features,
        }

    def extend(self, wanted: Mapping[str, Any]) -> Json:
        """Answer a data extension query: values of fields for ids."""
        fields = [str(one["id"]) for one in wanted.get("properties") or [] if "id" in one]
        rows = {}
        for id_ in map(str, wanted.get("ids") or []):
            record = self._records.get(id_)
            held = record.fields if record else {}
            rows[id_] = {
                field: [{"str": value} for value in held.get(field, "").split("; ") if value]
                for field in fields
            }
        return {"meta": [{"id": field, "name": field} for field in fields], "rows": rows}

    def properties(self) -> Json:
        """Propose the fields that there are."""
        proposed = [{"id": field, "name": field} for field in self._fields]
        return {"type": TYPE["id"], "properties": proposed}

    def suggest(self, kind: str, prefix: str, cursor: int = 0) -> Json:
        """Complete what a person types: an "entity", a "property" or a "type"."""
        prefix = " ".join(words(prefix))
        if kind == "entity":
            found = (id_ for id_, name in self._plain.items() if prefix in name)
            offers = [{"id": id_, "name": self._names[id_]} for id_ in found]
            offers.sort(
                key=lambda one: (not one["name"].casefold().startswith(prefix), one["name"])
            )
        else:
            known = [TYPE] if kind == "type" else [{"id": f, "name": f} for f in self._fields]
            offers = [one for one in known if prefix in " ".join(words(one["name"]))]
        return {"result": offers[cursor : cursor + MOST]}

    def record(self, id_: str) -> Record | None:
        """Return a record, to show it to a person."""
        return self._records.get(id_)


def _properties(given: Any) -> list[tuple[str, str]]:
    pairs = []
    for one in given if isinstance(given, list) else []:
        if not isinstance(one, dict) or "pid" not in one:
            continue
        values = one.get("v")
        for value in values if isinstance(values, list) else [values]:
            text = value.get("name") or value.get("id") if isinstance(value, dict) else value
            if text not in (None, ""):
                pairs.append((str(one["pid"]), str(text)))
    return pairs


def _alike(left: str, right: str) -> float:
    """Return how alike two texts are, 0 to 100, whatever the order of their words."""
    first, second = " ".join(words(left)), " ".join(words(right))
    return fuzz.token_sort_ratio(first, second)
