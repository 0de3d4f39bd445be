"""A search box as a service: JSON, all words must match, ten records at a time."""

import json
from collections.abc import Mapping, Sequence

from filon.demo.answer import Answer, Query, text
from filon.page.words import keywords

PAGE = 10
DEEPEST = 100


class SearchBox:
    """Finds records by their words.

    records: the first are shown first. key: under which an answer has them.
    """

    def __init__(self, records: Sequence[Mapping[str, str]], key: str) -> None:
        self._records, self._key = records, key
        self._index: dict[str, set[int]] = {}
        for number, record in enumerate(records):
            for word in keywords(" ".join(record.values())):
                self._index.setdefault(word, set()).add(number)

    def answer(self, path: str, query: Query) -> Answer:
        """Answer a search."""
        if path != "/search":
            return text("application/json", json.dumps({"error": "There is only /search."}), 404)
        page = query.get("page", "1")
        if not page.isdecimal() or not 1 <= int(page) <= DEEPEST:
            return text("application/json", json.dumps({"error": "No such page."}), 400)
        found = self._matches(query.get("q", ""))
        first = (int(page) - 1) * PAGE
        shown = [self._records[number] for number in found[first : first + PAGE]]
        reply = {"total": len(found), "page": int(page), self._key: shown}
        return text("application/json; charset=utf-8", json.dumps(reply, ensure_ascii=False))

    def _matches(self, query: str) -> list[int]:
        held = [self._index.get(word, set()) for word in keywords(query)]
        return sorted(set.intersection(*held)) if held else []


def described(
    host: str, about: str, results: str, id: str, always: str, fields: Mapping[str, str]
) -> str:
    """Return what `filon enrich` is told of a search box, as TOML.

    results, id: where records and their numbers stand in an answer. always: the field that every
    record has. fields: where each stands in a record.
    """
    listed = "\n".join(f'{name} = "$.{where}"' for name, where in fields.items())
    return f"""\
name = "{host.partition(".")[0]}"
about = "{about}"
terms = "Runs on your own machine: ask as you like."

[request]
url = "http://{host}/search"
keywords = "q"

[paging]
how = "page"
parameter = "page"
size = {PAGE}

[answer]
results = "$.{results}"
id = "$.{id}"
total = "$.total"
always = ["{always}"]

[answer.fields]
{listed}

[query]
joins = "and"

[limits]
rate = "500/s"
"""
