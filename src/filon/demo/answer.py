"""What a page of the small web is: a status, headers and bytes."""

from collections.abc import Mapping
from dataclasses import dataclass

Query = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An HTTP answer without its connection."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    def header(self, name: str) -> str:
        """Return the header of that name (lower-case), or the empty string."""
        return next((value for key, value in self.headers if key.lower() == name), "")


def page(markup: str, status: int = 200) -> Answer:
    """Answer with an HTML page."""
    return text("text/html; charset=utf-8", markup, status)


def text(content_type: str, content: str, status: int = 200) -> Answer:
    """Answer with text of another kind."""
    return Answer(status=status, headers=(("Content-Type", content_type),), body=content.encode())


def redirect(location: str, status: int = 302) -> Answer:
    """Send the visitor elsewhere."""
    return Answer(
        status=status, headers=(("Location", location), ("Content-Type", "text/plain")), body=b""
    )


def download(body: bytes, content_type: str, name: str = "") -> Answer:
    """Answer with a file; a name is said where the URL does not say it."""
    headers = [("Content-Type", content_type)]
    if name:
        headers.append(("Content-Disposition", f'attachment; filename="{name}"'))
    return Answer(headers=tuple(headers), body=body)
