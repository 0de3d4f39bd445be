"""What became of the seeds: whether there is any Linked Data where the user pointed."""

from collections.abc import Sequence

from filon.core import Find, Response, Step, UserError
from filon.page.url import host, join, parse
from filon.verbs.unreachable import phrase, unreachable

#: Seeds that are named where none of several led anywhere.
_NAMED = 3
#: Errors that do not pass: of the only seed they are told at the first answer.
_LASTING = frozenset({"dns", "connect", "tls", "private", "fenced"})


class FirstSeed:
    """Follows the seeds over robots.txt and redirects to what is there."""

    def __init__(self, seeds: Sequence[str]) -> None:
        self._seeds = tuple(parse(seed) for seed in seeds)
        self._came: dict[str, Response] = {}
        self._robots: dict[str, Response] = {}
        self._finds = 0
        self._reached = False

    def watch(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        """Take note of an answer; an error where the only seed cannot be reached at all."""
        only = len({host(seed) for seed in self._seeds}) == 1
        if only and response.error in _LASTING and not self._reached:
            raise UserError(unreachable(response))
        self._reached = self._reached or response.status > 0
        self._finds += len(finds)
        if step.request.url.endswith("/robots.txt"):
            self._robots[host(step.request.url)] = response
        elif not self._finds:
            self._came[step.request.url] = response

    def complaint(self) -> str:
        """Say why no seed led to RDF; empty where one did."""
        if self._finds:
            return ""
        if len(self._seeds) == 1:
            return f"{self._why(self._seeds[0])}."
        some = "; ".join(self._why(seed) for seed in self._seeds[:_NAMED])
        more = " …" if len(self._seeds) > _NAMED else ""
        return f"None of the {len(self._seeds)} seeds leads to RDF: {some}{more}."

    def _why(self, seed: str) -> str:
        url, response = seed, self._came.get(seed)
        for _ in range(10):
            if response is None or not response.redirects:
                break
            url = join(response.url, response.header("location"))
            response = self._came.get(url)
        if response is None:
            return self._unasked(seed, url)
        if response.redirects:
            return f"{seed} redirects in circles"
        if response.error == "robots":
            return f"robots.txt forbids {url}; --no-robots asks for it anyway"
        if response.error:
            return unreachable(response).rstrip(".")
        if response.status >= 400:
            return f"{url} answers {response.status}{phrase(response.status)}"
        kind = response.mime or "no type"
        if response.cut:
            return f"{url} is no document with RDF, but {kind}"
        return f"{url} holds no RDF ({kind}, {response.size_bytes:,} bytes)"

    def _unasked(self, seed: str, url: str) -> str:
        robots = self._robots.get(host(url))
        if robots is not None and robots.error:
            return unreachable(robots).rstrip(".")
        if robots is not None and robots.ok:
            return f"{robots.url} forbids {url}; --no-robots asks for it anyway"
        if robots is not None and robots.status >= 500:
            return f"{robots.url} answers {robots.status}, which forbids everything"
        return f"{seed} redirects to {url}, which was not asked for"
