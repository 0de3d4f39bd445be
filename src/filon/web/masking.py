"""Texts that must not be seen, found in answers however they are written there.

Servers repeat what they were sent: in a page, as JSON, in an address, encoded in base64. A `Mask`
knows all these forms of its secrets and puts something in their place.
"""

import base64
import binascii
import mmap
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from filon.core import Response

MASK = "***"
#: What is shorter would be found in any text by chance: it is hidden in headers only.
SHORTEST = 6
#: The same for headers whose names promise no secret, and for pieces of base64.
LESS_SHORT = 8
_ENTITIES = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos", "/": "sol", "+": "plus"}
#: Headers that a person may well give, and whose values stand in any page.
_HARMLESS = re.compile(
    r"accept.*|user-agent|referer|origin|host|range|if-.*|cache-control|pragma|connection|dnt"
    r"|content-.*|upgrade-insecure-requests|sec-.*|te|expect|from|via|prefer|x-requested-with",
    re.IGNORECASE,
)
_RUN = re.compile(r"[A-Za-z0-9]+")
_TELLING = re.compile(r"auth|key|token|secret|session|cookie|passw|credential|signature", re.I)


class Mask:
    """Hides secrets.

    secrets: each with what stands in its place.

    >>> mask = Mask({"pass/word1": "***"})
    >>> mask.text("?k=pass%2fword1"), mask.text('{"k": "pass\\\\/word1"}')
    ('?k=***', '{"k": "***"}')
    >>> mask.text(base64.b64encode(b"me:pass/word1").decode())
    'bWU6***Q=='
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        long = {secret: place for secret, place in secrets.items() if len(secret) >= SHORTEST}
        self._short = {secret: place for secret, place in secrets.items() if secret not in long}
        self._places = [place.encode() for place in long.values()]
        # The longest first: one may be the beginning of another.
        order = sorted(range(len(long)), key=lambda number: -len([*long][number]))
        pieces = {number: _pieces([*long][number]) for number in order}
        joined = b"|".join(b"(?P<s%d>%s)" % (n, _written(each)) for n, each in pieces.items())
        self._pattern = re.compile(joined) if long else None
        runs = [_longest_run(piece) for each in pieces.values() for piece in each]
        encoded = [probe for secret in long for probe in _encoded(_longest_run(secret)[:2])]
        self._probes = [*runs, *encoded] if min(map(len, runs), default=0) > 2 else [b""]

    def __bool__(self) -> bool:
        return self._pattern is not None or bool(self._short)

    def body(self, body: bytes) -> bytes:
        """Return a body without the secrets."""
        if self._pattern is None or not self._may_be_in(body):
            return body
        return self._pattern.sub(self._place, body)

    def text(self, text: str) -> str:
        """Return the text of a header or a sentence without them, short ones too."""
        for secret, place in self._short.items():
            text = text.replace(secret, place)
        if self._pattern is None:
            return text
        return self.body(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def file(self, path: Path) -> None:
        """Take them out of a file, which may be longer than the memory."""
        if self._pattern is None or not path.stat().st_size:
            return
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as whole:
            if not self._may_be_in(whole):
                return
            found = [(*hit.span(), self._place(hit)) for hit in self._pattern.finditer(whole)]
            if not found:
                return
            part = path.with_name(f"{path.name}.clean")
            with part.open("wb") as clean:
                at = 0
                for begin, end, place in found:
                    clean.write(whole[at:begin] + place)
                    at = end
                clean.write(whole[at:])
        os.replace(part, path)

    def response(self, response: Response) -> Response:
        """Return an answer without them."""
        if not self:
            return response
        if response.spool:
            self.file(Path(response.spool))
        return replace(
            response,
            headers=tuple((name, self.text(value)) for name, value in response.headers),
            detail=self.text(response.detail),
            body=self.body(response.body),
        )

    def _may_be_in(self, body: "bytes | mmap.mmap") -> bool:
        """Say, quickly, whether it is worth a closer look."""
        return any(body.find(probe) >= 0 for probe in self._probes)

    def _place(self, hit: "re.Match[bytes]") -> bytes:
        return self._places[int((hit.lastgroup or "s0")[1:])]


def secrets_of(headers: Iterable[tuple[str, str]], proxy: str = "") -> Iterator[str]:
    """Yield what must not be seen of the headers that a user gave, and of the proxy's address.

    >>> given = [("Authorization", "Basic bWU6aHVudGVyMg=="), ("Accept", "text/html")]
    >>> sorted(secrets_of(given))
    ['Basic bWU6aHVudGVyMg==', 'bWU6aHVudGVyMg==', 'hunter2', 'me:hunter2']
    """
    for name, value in headers:
        if _HARMLESS.fullmatch(name):
            continue
        telling = bool(_TELLING.search(name))
        parts = {value, value.rpartition(" ")[2]}
        parts |= set(_cookies(value)) if "cookie" in name.lower() else set()
        parts |= {known for part in parts for known in _decoded(part)}
        for part in parts:
            if len(part) >= (SHORTEST if telling else LESS_SHORT):
                yield part
    user = proxy.partition("://")[2].partition("/")[0].rpartition("@")[0]
    password = user.partition(":")[2]
    if len(password) >= SHORTEST:
        yield password


def _cookies(value: str) -> Iterator[str]:
    for pair in value.split(";"):
        yield pair.partition("=")[2].strip()


def _decoded(text: str) -> Iterator[str]:
    """Yield the user with the password, and the password alone, of Basic authorisation."""
    try:
        decoded = base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
        return
    if ":" in decoded and decoded.isprintable():
        yield decoded
        yield decoded.partition(":")[2]


def _longest_run(text: str) -> bytes:
    return max(_RUN.findall(text), key=len, default="").encode()


def _encoded(letters: bytes) -> set[bytes]:
    """Return letters and digits as they stand in what encodes everything: mostly they stay."""
    forms = (b"%%%02x", b"%%25%02x", b"%%%02X", rb"\u00%02x", rb"\u00%02X", rb"\x%02x", b"&#%d;",
             b"&#x%x;", b"&#x%X;")  # fmt: skip
    return {b"".join(form % letter for letter in letters) for form in forms}


def _pieces(secret: str) -> list[str]:
    """Return a text, and what is left of it in base64."""
    return [secret, *(piece for piece in _base64(secret.encode()) if len(piece) >= LESS_SHORT)]


def _written(pieces: list[str]) -> bytes:
    """Return a pattern for all ways in which one of some texts may be written."""
    return b"|".join(b"".join(map(_ways, piece)) for piece in pieces)


def _ways(character: str) -> bytes:
    """Return a pattern for all ways to write a character: in JSON, addresses and pages."""
    raw, code = character.encode(), ord(character)
    utf16 = character.encode("utf-16-be")
    units = [utf16[at : at + 2].hex() for at in range(0, len(utf16), 2)]
    ways = [
        re.escape(raw),
        b"".join(b"%%(?:25)?(?i:%02x)" % byte for byte in raw),
        b"".join(rb"\\+u(?i:%s)" % unit.encode() for unit in units),
        b"&#(?:0*%d|[xX]0*(?i:%x));" % (code, code),
    ]
    if character in _ENTITIES:
        ways.append(b"&%s;" % _ENTITIES[character].encode())
    if character in "\"'/\\":
        ways.append(rb"\\+" + re.escape(raw))
    if character == " ":
        ways.append(rb"\+")
    if code < 256:
        ways.append(rb"\\x(?i:%02x)" % code)
    return b"(?:" + b"|".join(ways) + b")"


def _base64(secret: bytes) -> Iterator[str]:
    """Yield what of base64 is the same wherever in a longer text a secret stands."""
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + secret).decode()
        core = whole[(0, 2, 3)[before] : (before + len(secret)) * 8 // 6]
        yield core
        if core != (other := core.translate(str.maketrans("+/", "-_"))):
            yield other
