"""The remote JSON-LD contexts that a run has fetched, by the names that readers know them by."""

import json
import sqlite3
from typing import Any

from filon.page.url import join
from filon.run.answers import Answers
from filon.verbs.follow.rdf.jsonld import name

_CONTEXTS = "SELECT * FROM steps WHERE kind = 'context' AND answer IS NOT NULL ORDER BY answer"


def contexts(ledger: sqlite3.Connection, answers: Answers) -> dict[str, Any]:
    """Return what each context defines; one that moved is known by its first name too."""
    known: dict[str, Any] = {}
    called: dict[str, list[str]] = {}  # by URL, the names under which it was asked for
    for row in ledger.execute(_CONTEXTS):
        names = [*called.pop(row["url"], []), name(row["url"])]
        if row["location"]:
            called[join(row["url"], row["location"])] = names
        elif 200 <= row["status"] < 300 and not row["cut"]:
            context = _terms(answers.read(row, row["url"]).body)
            known.update((one, context) for one in names if context)
    return known


def _terms(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    told = value.get("@context") if isinstance(value, dict) else None
    merged: dict[str, Any] = {}
    for one in told if isinstance(told, list) else [told]:
        if isinstance(one, dict):
            merged.update(one)
    return merged
