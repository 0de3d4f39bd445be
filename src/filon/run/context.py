"""What a find is, told by the page that led to it and by the answer that brought it.

The page is read again from the archive when a file was found: so it costs nothing until then, it
is the same for every strategy, and after a resume.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from filon.core import Find, MachineError, Response
from filon.page.context import PageContext
from filon.page.mime import sniff
from filon.page.readable import original_name
from filon.page.url import join, mask_url
from filon.page.values import moment_s, one_line
from filon.run.archive import Answers
from filon.run.ledger import Ledger
from filon.run.schema import CONTEXT

#: Pages whose links are remembered, and links of all of them: files of one page come together,
#: more or less.
MOST_PAGES, MOST_LINKS = 8, 50_000
#: Redirects and tries before a file.
MOST_HOPS = 30
#: Of what others say of a find: its texts have bounds of their own.
LONGEST = 400


class Contexts:
    """Completes finds of files, each from its page."""

    def __init__(self, run: Path, ledger: Ledger) -> None:
        self._ledger = ledger
        self._answers = Answers(run)
        self._pages: OrderedDict[int, PageContext | None] = OrderedDict()

    def complete(self, number: int, response: Response, finds: Iterable[Find]) -> list[Find]:
        """Return the finds of a step's answer with all that is known of them."""
        return [
            self._complete(number, response, find) if find.kind == "file" else find
            for find in finds
        ]

    def _complete(self, number: int, response: Response, find: Find) -> Find:
        context = self._from_page(number, response, find)
        context |= {
            name: one_line(own, LONGEST) for name in CONTEXT if (own := getattr(find, name))
        }
        if modified := _modified(response):  # of the file; a portal's word is of its entry
            context["modified"] = modified
        name = original_name(find.name, find.mime) if find.name else ""
        return replace(find, name=name, **context)

    def _from_page(self, number: int, response: Response, find: Find) -> dict[str, str]:
        """Return what the page says that a file was found on."""
        urls = dict.fromkeys([find.url, response.url])
        for row in islice(self._ledger.led_to(number), MOST_HOPS):
            if page := self._page(row["step"]):
                at = page.link(*urls, *map(mask_url, urls))
                return {
                    "link_text": at.text,
                    "around": at.around,
                    "page_title": page.title,
                    "headings": at.headings,
                    "licence": at.licence,
                }
            if not row["location"] and row["status"] == 200 and row["method"] == "GET":
                return {}  # a sitemap, a portal's list: no page
            urls |= dict.fromkeys([row["url"], join(row["url"], row["location"] or "")])
        return {}

    def _page(self, step: int) -> PageContext | None:
        """Return a page that was fetched; None where a step's answer was none."""
        if step in self._pages:
            self._pages.move_to_end(step)
            return self._pages[step]
        page = self._pages[step] = self._read(step)
        links = sum(map(len, filter(None, self._pages.values())))
        while len(self._pages) > MOST_PAGES or (links > MOST_LINKS and len(self._pages) > 1):
            links -= len(self._pages.popitem(last=False)[1] or ())
        return page

    def _read(self, step: int) -> PageContext | None:
        row = self._ledger.row(step)
        if row["warc"] is None or not 200 <= (row["status"] or 0) < 300 or row["sha256"]:
            return None
        try:
            answer = self._answers.read(row, row["url"])
        except (MachineError, OSError):
            return None  # a file whose page cannot be read again is a find all the same
        if "html" not in sniff(answer.body, answer.mime, answer.url):
            return None
        return PageContext(answer.body, answer.url, answer.header("content-type"))


def _modified(response: Response) -> str:
    time_s = moment_s(response.header("last-modified"))
    if time_s is None:
        return ""
    return datetime.fromtimestamp(time_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
