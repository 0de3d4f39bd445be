"""What became of the start page: whether there is a site at all where the user pointed.

It watches the first answers. A host that cannot be reached ends the run at once; a start page
that leads nowhere is told from the answers when the run has ended.
"""

from collections.abc import Sequence

from filon.core import Find, Response, Step, UserError
from filon.page.site import Site
from filon.page.url import join
from filon.verbs.unreachable import phrase, unreachable

#: Errors that do not pass: they are told at the first answer, without waiting for retries.
_LASTING = frozenset({"dns", "connect", "tls", "private"})


class FirstPage:
    """Follows the start URL over robots.txt, retries and redirects to what is there."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._expected = url
        self._robots: Response | None = None
        self._robots_urls: set[str] = set()  # a retry of a robots.txt is not called "robots"
        self._page: Response | None = None
        self._beyond = 0
        self._finds = 0

    def watch(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        """Take note of an answer; an error where the host cannot be reached at all."""
        if response.error in _LASTING and not (self._robots or self._page):
            raise UserError(unreachable(response))
        self._finds += len(finds)
        if step.reason.kind == "robots":
            self._robots_urls.add(step.request.url)
        if step.request.url in self._robots_urls:
            self._robots = response
        elif step.request.url == self._expected:
            self._page = response
            if response.redirects:
                self._expected = join(response.url, response.header("location"))
        else:
            self._beyond += 1

    def complaint(self) -> str:
        """Say why nothing could be had from the start URL; empty where something was."""
        page = self._page
        if self._beyond or self._finds:
            return ""
        if page is None:
            return self._forbidden()
        if page.redirects:
            return self._redirected(page)
        if page.error:
            return unreachable(page)
        if page.status >= 400:
            return f"The start page {page.url} answers {page.status}{phrase(page.status)}."
        if page.mime and "html" not in page.mime:
            return (
                f"{page.url} is a file of the type {page.mime}, which is not asked for: "
                f"add it with --types {page.mime}."
            )
        return ""

    def _forbidden(self) -> str:
        robots = self._robots
        if robots is None:
            return ""
        if robots.error:
            return unreachable(robots)
        if robots.ok:
            why = f"{robots.url} forbids {self.url} to Filon"
        else:
            status = f"{robots.status}{phrase(robots.status)}"
            why = f"{robots.url} answers {status}, which forbids everything"
        return f"{why}; if you have the site's leave, --no-robots harvests it anyway."

    def _redirected(self, page: Response) -> str:
        there = self._expected
        if there and there not in Site(self.url):
            return f"{page.url} redirects to another site: try filon harvest {there}"
        return f"{page.url} redirects to {there or page.header('location')!r} and no further."
