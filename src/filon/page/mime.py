"""What an answer really is: the server's word, checked against the first bytes."""

from filon.page import formats
from filon.page.url import extension


def sniff(body: bytes, claimed: str, url: str = "", disposition: str = "") -> str:
    """Return the media type that an answer really has."""
    media = claimed.partition(";")[0].strip().lower()
    if not media:
        media = formats.mime_of(extension(url)) or "application/octet-stream"
    if "html" not in media and body[:1024].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return "text/html"
    return media


def file_name(url: str, disposition: str = "") -> str:
    """Return what a person would call the file."""
    return url.rpartition("/")[2].partition("?")[0]
