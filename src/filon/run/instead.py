"""What was answered in place of a file: whether that says anything of the file.

A file is told as gone only where the site says so, or shows another page in its place while it is
there otherwise. A login, a test for humans, and a notice that is shown for whatever is asked for
("we are back soon") say nothing: the file is looked at again in the next round.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from filon.core import Response
from filon.page.barrier import barrier
from filon.run.history import AWAY, CHANGED, FAILED, FILE, GONE, LIST, MOVED, NEW, SAME, VANISHED
from filon.run.seen import NOT_THERE, Seen, page_gist

#: A site that shows one page for so many addresses, and nothing else, is closed.
CLOSED = 2
MOST_HOPS = 10


@dataclass(slots=True)
class Answered:
    """What other addresses of a round have answered, for those that lead to them.

    ways: where each was sent on to. statuses: what each answered. shown: the gist of the page that
    each shows in place of a file, "" where that page keeps readers out.
    """

    ways: dict[str, str] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)

    def end(self, url: str) -> str:
        """Return where an address leads in the end; "": nowhere."""
        for _ in range(MOST_HOPS):
            if url not in self.ways:
                return url
            url = self.ways[url]
        return ""


def shown(response: Response) -> str:
    """Return what a page says in place of a file; "": it keeps readers out, or is empty."""
    if not response.body or barrier(response) in ("login", "captcha"):
        return ""
    if "html" in response.mime:
        return page_gist(response)
    return hashlib.sha256(response.body).hexdigest()


def judge(looks: Sequence[Seen], answered: Answered, home: str) -> None:
    """Say of what was sent on, or shows a page, whether it moved, is gone, or that is not known.

    looks: the last one at each thing, in this round. home: the address at which the run began.
    """
    there = {seen.url: seen for seen in looks}
    for seen in looks:
        if seen.url in answered.ways and seen.outcome not in AWAY:
            _sent_on(seen, there, answered)
    closed = _notices(looks, answered, home)
    for seen in looks:
        page = seen.version.gist if seen.kind != FILE else _page(seen.url, answered)
        if page and page in closed and seen.outcome in (VANISHED, CHANGED):
            seen.give_up()


def _sent_on(seen: Seen, there: Mapping[str, Seen], answered: Answered) -> None:
    goal = answered.end(seen.url)
    file = there.get(goal)
    if file and file.kind == FILE and file.outcome not in (*AWAY, FAILED):
        has_moved = file.outcome == NEW or file.version.sha256 == seen.version.sha256
        seen.tell(MOVED if has_moved else VANISHED, to=goal)
        if file.outcome == NEW and file.version.sha256 == seen.version.sha256:
            file.tell(SAME, before=seen.url)
    elif answered.statuses.get(goal) in NOT_THERE or answered.shown.get(goal):
        seen.tell(VANISHED, to=goal)


def _page(url: str, answered: Answered) -> str:
    return answered.shown.get(answered.end(url), "")


def _notices(looks: Sequence[Seen], answered: Answered, home: str) -> Collection[str]:
    """Return what is shown for whatever is asked for: at home, too, or where nothing else is."""
    pages = [seen for seen in looks if seen.kind not in (FILE, LIST)]
    # Who is sent home is sent away: only what was never shown there before is a notice.
    changed = (one.version.gist for one in pages if one.url == home and one.outcome == CHANGED)
    at_home = _page(home, answered) if home in answered.ways else next(changed, "")
    files = [seen for seen in looks if seen.kind == FILE]
    instead = Counter(filter(None, (_page(one.url, answered) for one in files)))
    others = Counter(seen.version.gist for seen in pages if seen.outcome not in (*AWAY, FAILED))
    is_there = any(one.outcome not in (VANISHED, GONE, FAILED) for one in files)
    everywhere = instead + others
    if len(everywhere) == 1 and not is_there and sum(everywhere.values()) >= CLOSED:
        return set(instead)
    return {at_home} & set(instead)
