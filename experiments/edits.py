"""How pages and files of a recorded site are made to say something else."""

import re
from hashlib import blake2b

_ANCHOR = re.compile(rb"<a\b[^>]*>.*?</a\s*>", re.IGNORECASE | re.DOTALL)
_END = re.compile(rb"</body|</html|\Z", re.IGNORECASE)


def edited(body: bytes, path: str, mime: str, changes: int) -> bytes:
    """Return a file with a row more, or with other bytes at its end, after so many changes."""
    if not changes:
        return body
    mark = blake2b(f"{path} {changes}".encode(), digest_size=4).hexdigest()
    if "csv" in mime:
        last = body.rstrip().rpartition(b"\n")[2]
        row = re.sub(rb"\d", mark[:1].encode(), last) if re.search(rb"\d", last) else last
        return body.rstrip() + b"\n" + row + b"\n" * (1 + changes % 7)
    return body + f"\n{mark}".encode() if "json" not in mime else body + b" " * changes


def linked(body: bytes, url: str, number: int) -> bytes:
    """Return a page with one more link, beside another."""
    anchors = [match.end() for match in _ANCHOR.finditer(body)]
    at = anchors[len(anchors) * 2 // 3] if anchors else len(body)
    link = f' <a href="{url}">Figures {number + 1}</a>'.encode()
    return body[:at] + link + body[at:]


def at_end(body: bytes, piece: bytes) -> bytes:
    """Return a page with a piece at the end of what is shown."""
    match = _END.search(body)
    at = match.start() if match else len(body)
    return body[:at] + piece + body[at:]
