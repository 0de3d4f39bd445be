"""Entities of XML documents: a few short ones are custom, those that explode are an attack."""

import re

#: The longest text that an entity may stand for, and all that its uses may add up to.
MAX_CHARS, MAX_ADDED = 10_000, 50_000_000
_ENTITY = re.compile(rb"<!ENTITY\s+([^\s%\"']+)\s+(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_USE = re.compile(rb"&([^;#&\s]+);")


def explode(body: bytes) -> bool:
    """Say whether the entities of a document stand for far more text than it has itself.

    >>> explode(b'<!DOCTYPE r [<!ENTITY owl "http://www.w3.org/2002/07/owl#">]><r a="&owl;x"/>')
    False
    """
    if b"<!ENTITY" not in body and b"<!entity" not in body:
        return False
    defined = {name: double or single for name, double, single in _ENTITY.findall(body)}
    lengths: dict[bytes, int] = {}
    for _ in range(len(defined) + 1):
        before = dict(lengths)
        for name, text in defined.items():
            uses = _USE.findall(text)
            lengths[name] = len(text) + sum(lengths.get(use, 0) for use in uses)
            if lengths[name] > MAX_CHARS:
                return True
        if lengths == before:
            break
    return sum(lengths.get(use, 0) for use in _USE.findall(body)) > MAX_ADDED
