"""The frame of a report: a heading, and sections that have something to say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from filon.run import html

#: The name that links lead to, the title, and the body; one without a body is left out.
Section = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A report before it is put together.

    heading: returns the top of the page, given the names and titles of the sections below it.
    """

    title: str
    heading: Callable[[Sequence[tuple[str, str]]], str]
    sections: Sequence[Section]

    def html(self) -> str:
        """Return the whole page."""
        shown = [section for section in self.sections if section[2]]
        top = self.heading([(name, title) for name, title, _ in shown])
        body = "".join(html.section(*section) for section in shown)
        return html.page(self.title, f"{top}{body}{html.FOOT}")
