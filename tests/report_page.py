"""Reports as a browser reads them, for the tests of what writes them."""

import re
from html.parser import HTMLParser
from pathlib import Path

from filon.run.report import write_report
from filon.run.report.standard import standard

_VOID = {"meta", "br", "wbr"}


class Page(HTMLParser):
    """Reads a page as a browser would: what is an element, what is only text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.pieces: list[str] = []
        self.source = path.read_text("utf-8")
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.attributes if key == name]

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.pieces).split())


def report(path: Path) -> Page:
    return Page(write_report(path, standard))


def scripts(page: Page) -> list[str]:
    return re.findall(r"<script[^>]*>(.*?)</script>", page.source, re.S)
