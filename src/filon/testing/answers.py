"""Every kind of answer that a strategy, a source or a portal may get and must survive."""

from typing import Any

from filon.core.response import ERRORS

_HTML = (("Content-Type", "text/html"),)
_JSON = (("Content-Type", "application/json"),)
_CSV = (("Content-Type", "text/csv"),)

#: By name: the fields of a Response besides its URL and time.
ANSWERS: dict[str, dict[str, Any]] = {
    **{f"no answer: {error}": {"error": error} for error in sorted(ERRORS) if error},
    "bomb": {"status": 200, "error": "bomb", "headers": _HTML},
    "closed": {"status": 200, "error": "closed", "headers": _HTML, "body": b"<a href=/x>"},
    "cut": {"status": 200, "cut": "type", "headers": (("Content-Type", "video/mp4"),)},
    "cut by size": {"status": 200, "cut": "size", "headers": _CSV},
    "empty": {"status": 200, "headers": _HTML},
    "no type": {"status": 200, "body": b"a,b\n1,2\n"},
    "nonsense type": {"status": 200, "headers": (("Content-Type", "///;;"),), "body": b"\0\1"},
    "long type": {"status": 200, "headers": (("Content-Type", "a" * 5000),), "body": b"{" * 1000},
    "not utf-8": {"status": 200, "headers": _HTML, "body": b"<a href='/\xff\xfe'>\x80</a>"},
    "all bad links": {"status": 200, "headers": _HTML, "body": b"<a href='http://['>x</a>" * 50},
    "a captcha": {"status": 200, "headers": _HTML, "body": b"<html>Are you human?"},
    "empty JSON": {"status": 200, "headers": _JSON},
    "half of a JSON": {"status": 200, "headers": _JSON, "body": b'{"rows": [1, 2'},
    "broken JSON": {"status": 200, "headers": _JSON, "body": b"\x80\xff{]"},
    "another JSON": {"status": 200, "headers": _JSON, "body": b'{"nothing": []}'},
    "a list": {"status": 200, "headers": _JSON, "body": b"[1, 2]"},
    "null": {"status": 200, "headers": _JSON, "body": b"null"},
    "broken RDF": {
        "status": 200,
        "headers": (("Content-Type", "text/turtle"),),
        "body": b"\xff\xfe\x00garbage",
    },
    "204": {"status": 204},
    "206": {"status": 206, "headers": _CSV, "body": b"a,b"},
    "304": {"status": 304},
    "redirect nowhere": {"status": 301},
    "redirect to the root": {"status": 302, "headers": (("Location", "/"),)},
    "redirect to a file": {"status": 302, "headers": (("Location", "file:///etc/passwd"),)},
    "redirect to a person": {"status": 302, "headers": (("Location", "mailto:x@y"),)},
    "redirect to nonsense": {"status": 302, "headers": (("Location", "http://[bad"),)},
    "400": {"status": 400},
    "401": {"status": 401},
    "404": {"status": 404, "headers": _HTML, "body": b"x"},
    "429": {"status": 429, "headers": (("Retry-After", "soon"),)},
    "500": {"status": 500, "headers": _HTML, "body": b"<a href=/y>oops</a>"},
    "503": {"status": 503, "headers": (("Retry-After", "1"),)},
    "999": {"status": 999},
}
