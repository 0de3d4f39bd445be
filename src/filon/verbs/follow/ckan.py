"""CKAN catalogues: recognised by their answers, read for the addresses of what they list."""

import json
import re
from dataclasses import dataclass
from typing import Any

from filon.page.url import origin

ACTIONS = "/api/3/action/"
#: Packages that one page of a search brings: what every CKAN grants.
ROWS = 100
_HOME = re.compile(rb"<meta[^>]+generator[^>]+\bckan\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Packages:
    """What an answer of the action API lists.

    resources: addresses with what the catalogue calls their format.
    count: how many packages the search has in all; None where the answer is not a search.
    packages: how many are listed here.
    """

    resources: tuple[tuple[str, str], ...]
    count: int | None
    packages: int


def home(body: bytes, url: str) -> str:
    """Return the address of the action API that a page or answer belongs to; "" if it is not CKAN.

    >>> home(b'{"help": "http://a.org/api/3/action/help_show?name=x", "success": true}',
    ...      "http://a.org/api/3/action/package_list")
    'http://a.org/api/3/action/'
    """
    if ACTIONS in url and b'"success"' in body[:4096]:
        return url.partition(ACTIONS)[0] + ACTIONS
    if _HOME.search(body[:16_384]):
        return origin(url) + ACTIONS
    return ""


def packages(body: bytes) -> Packages | None:
    """Return the resources that an answer lists; None where it is not an answer of the API."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("success") is not True:
        return None
    result = value.get("result")
    count = result.get("count") if isinstance(result, dict) else None
    listed = _listed(result)
    return Packages(
        tuple(found for one in listed for found in _resources(one)),
        count if isinstance(count, int) else None,
        len(listed),
    )


def _listed(result: Any) -> list[dict[str, Any]]:
    """Return the packages of a search, of a list with resources, or the one that is shown."""
    if isinstance(result, dict):
        inner = result.get("results")
        result = inner if isinstance(inner, list) else [result]
    if not isinstance(result, list):
        return []
    return [
        one for one in result if isinstance(one, dict) and isinstance(one.get("resources"), list)
    ]


def _resources(package: dict[str, Any]) -> list[tuple[str, str]]:
    found = []
    for one in package["resources"]:
        if isinstance(one, dict) and str(one.get("url", "")).startswith(("http://", "https://")):
            words = (one.get("mimetype"), one.get("format"))
            found.append((one["url"], next((str(word) for word in words if word), "")))
    return found
