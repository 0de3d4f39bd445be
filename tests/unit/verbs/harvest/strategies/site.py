"""A site written down as a table of answers, and a sequential walk over it."""

from collections.abc import Mapping

from filon.core import Response, Step, Strategy
from filon.page.types import Types
from filon.verbs.harvest.strategies.brief import Brief

HOME = "http://a.test/"
#: A page is a list of links, a redirect a text that starts with "->", any other text a CSV
#: file; a number is a status.
Site = Mapping[str, list[str] | str | int]


def brief(**more: object) -> Brief:
    return Brief(start=HOME, types=Types.parse("data"), **more)  # type: ignore[arg-type]


def answer(site: Site, step: Step) -> Response:
    url, what = step.request.url, site.get(step.request.url.removeprefix(HOME), 404)
    if isinstance(what, int):
        return Response(url=url, status=what)
    if isinstance(what, str) and what.startswith("->"):
        return Response(url=url, status=302, headers=(("Location", what[2:]),))
    mime = "text/html" if isinstance(what, list) else "text/csv"
    body = "".join(map(_link, what)) if isinstance(what, list) else what
    sent = b"" if step.request.method == "HEAD" else body.encode()
    type_ = (("Content-Type", mime),)
    return Response(url=url, status=200, headers=type_, body=sent, size_bytes=len(body))


def _link(href: str) -> str:
    """Return a link at a tag path of its own for each kind of name: data1 and data2 share one."""
    return f'<div class="{href.rstrip("0123456789")}"><a href="/{href}">{href}</a></div>'


def walk(strategy: Strategy, site: Site, most: int = 500) -> list[Step]:
    """Ask and answer, one at a time, to the end; return the steps."""
    steps: list[Step] = []
    while step := strategy.propose():
        steps.append(step)
        assert len(steps) <= most
        strategy.observe(step, answer(site, step))
    return steps


def told(steps: list[Step]) -> list[str]:
    return [f"{step.request.method} /{step.request.url.removeprefix(HOME)}" for step in steps]
