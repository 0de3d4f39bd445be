"""`filon feeds URL`: the news feeds that a page names."""

import re
from dataclasses import dataclass
from pathlib import Path

from filon.core import Find, Reason, Request, Response, Step, Strategy, Summary, Web
from filon.core.forms import TUPLE, each
from filon.core.state import Stateful, stored, version
from filon.guards.stack import guarded
from filon.page.url import join, origin
from filon.verbs.job import Job, agent, live_options
from filon.verbs.option import option, start_url
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb
from filon.web.live import Live
from filon.web.polite import Polite

_FEED = re.compile(
    rb"""<link[^<>]+type=["']?application/(?:rss|atom)[^<>]+href=["']?([^"'\s<>]+)"""
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedsSettings(Settings):
    """What may be asked for: each field that is an option is a flag of `filon feeds`."""

    url: str = option(..., "The page to look at.", metavar="URL", argument=True)
    verb: str = "feeds"
    strategy: str = "named"

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        object.__setattr__(self, "url", start_url(self.url))


class Named(Stateful):
    """Asks for the page, then for the feeds that it names on its own site."""

    STATE = (version(1), stored("queue", each(TUPLE)), "seen")

    def __init__(self, url: str) -> None:
        self.queue = [(url, "")]
        self.seen = [url]

    def propose(self) -> Step | None:
        """Return the next step."""
        if not self.queue:
            return None
        url, parent = self.queue.pop(0)
        text = f"{parent} names it" if parent else "it is the page that was asked for"
        reason = Reason(kind="link" if parent else "start", text=text)
        return Step(request=Request(url=url), reason=reason, parent=parent)

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Take the feeds off a page; a feed is a find."""
        if not response.ok or not response.body:
            return []
        if step.parent:
            return [Find(kind="file", url=response.url, mime=response.mime, parent=step.parent)]
        for href in _FEED.findall(response.body):
            url = join(response.url, href.decode("utf-8", "replace"))
            if url and origin(url) == origin(response.url) and url not in self.seen:
                self.seen.append(url)
                self.queue.append((url, response.url))
        return []

    def summary(self) -> Summary:
        """Say what is left."""
        return {"arms": [], "left": len(self.queue)}


class FeedsJob(Job):
    """The parts of one run."""

    def choose(self) -> Strategy:
        """Return the strategy."""
        return Named(self.settings.url)

    def guard(self, chosen: Strategy) -> Strategy:
        """Return it keeping to robots.txt, with retries."""
        told = self.settings
        robots = agent(told) if told.robots else ""
        return guarded(chosen, robots=robots, retries=told.retries, retry_s=told.delay)

    def web(self, spool_dir: Path) -> Web:
        """Return the live web, with the spacing that was asked for."""
        told = self.settings
        return Polite(Live(live_options(told, told.url, spool_dir)), delay_s=told.delay)


class Feeds(Verb[FeedsSettings]):
    """Get the news feeds that a page names.

    Example: filon feeds https://www.example.org/
    """

    name = "feeds"
    nouns = ("request", "feed")
    settings = FeedsSettings

    def prepare(self, settings: FeedsSettings) -> Job:
        """Return a run that could begin."""
        return FeedsJob(settings)
