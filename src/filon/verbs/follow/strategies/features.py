"""The features of LDCOC (section 4.2), hashed with MurmurHash3 (section 4.3).

Sets by letter: t the target's parts and its content type, r the referrer's parts, p the parts of
each direct property, x what is known of siblings, crossed.
"""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import mmh3
from rapidfuzz.distance import Levenshtein

from filon.verbs.follow.strategies.brief import Lead

SETS = "trpx"
#: From this similarity on two URIs count as alike (Definition 15; the paper names no value).
ALIKE = 0.8


def features(
    lead: Lead,
    content_type: str,
    sets: str,
    size: int,
    *,
    type_of: Callable[[str], str] = lambda uri: "",
    is_relevant: Callable[[str], str] = lambda uri: "",
) -> list[int]:
    """Return the numbers of a lead's features, each once.

    type_of, is_relevant: what is known of a sibling: its content type; "yes", "no" or "".
    """
    texts: list[str] = []
    if "t" in sets:
        texts.extend(_parts("t", lead.uri))
        texts.append(f"t_type={content_type}")
    if "r" in sets:
        texts.extend(_parts("r", lead.referrer))
    if "p" in sets:
        for uri in lead.properties:
            texts.extend(_parts("p", uri))
    if "x" in sets:
        for uri in lead.siblings:
            alike = Levenshtein.normalized_similarity(uri, lead.uri) > ALIKE
            known = f"{type_of(uri)}&{alike}&{is_relevant(uri)}"
            texts.extend(f"{part}&{known}" for part in _parts("x", uri))
    return sorted({mmh3.hash(text, signed=False) % size for text in texts})


def _parts(letter: str, uri: str) -> Iterator[str]:
    """Definition 11: scheme, authority, host, userinfo, path, query, fragment."""
    try:
        split = urlsplit(uri)
        parts = {
            "scheme": split.scheme,
            "authority": split.netloc,
            "host": split.hostname or "",
            "userinfo": split.username or "",
            "path": split.path,
            "query": split.query,
            "fragment": split.fragment,
        }
    except ValueError:
        return
    for name, value in parts.items():
        if value:
            yield f"{letter}_{name}={value}"
