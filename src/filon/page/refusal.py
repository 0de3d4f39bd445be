"""Answers that say that there is no such file, though their status says that all is well.

Told by form, not by language: a short object of JSON that has nothing but what errors have, a
report of exceptions in XML, a sentence where a table was asked for. A page is told by its type.
"""

import re

from filon.page import formats
from filon.page.look import text_of
from filon.page.values import read_json

#: What is longer is no such answer; a table that small is read in no time.
MAX_REFUSAL = 4096

_TABLES = formats.media_of("csv") | formats.media_of("tsv")
_SAYS = frozenset({"error", "errors", "message", "messages", "msg", "detail", "exception", "fault"})
_BESIDE = """
    code status status_code statuscode errorcode error_code errormessage error_message
    error_description description details title reason success ok type path url uri instance method
    timestamp time date request_id requestid traceid trace trace_id stack data result help
"""
_KNOWN = _SAYS | frozenset(_BESIDE.split())
_EXCEPTION = re.compile(
    r"(?:\s|<\?xml[^>]*\?>|<!--.*?-->|<!DOCTYPE[^>]*>)*"
    r"<(?:[\w.-]+:)?(?:error|errors|errorresponse|(?:service)?exceptionreport)[\s/>]",
    re.IGNORECASE | re.DOTALL,
)
# A sentence has no delimiter of a table, and more than one word.
_SENTENCE = re.compile(r"[^\s,;|\t]+(?: [^\s,;|\t]+)+")


def is_refusal(body: bytes, mime: str) -> bool:
    """Say whether a whole answer of a type that counts as a file tells of an error instead.

    >>> is_refusal(b'{"error": "not found"}', "application/json")
    True
    >>> is_refusal(b"No such file.", "text/csv"), is_refusal(b"year,gdp", "text/csv")
    (True, False)
    """
    if len(body) > MAX_REFUSAL:
        return False
    text = (text_of(body) or "").strip()
    if mime in _TABLES:
        return _SENTENCE.fullmatch(text) is not None or _is_error(text)
    if "json" in mime:
        return _is_error(text)
    return "xml" in mime and _EXCEPTION.match(text) is not None


def _is_error(text: str) -> bool:
    """Tell whether a text is an object of JSON that has nothing but what errors have."""
    try:
        data = read_json(text, strict=False) if text[:1] == "{" else None
    except ValueError:
        return False
    if not isinstance(data, dict):
        return False
    names = {name.lower() for name, value in data.items() if value not in (None, [], {})}
    return bool(names & _SAYS) and names <= _KNOWN
