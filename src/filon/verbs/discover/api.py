"""Discover sites and dataset repositories: `filon.discover` and `filon.adiscover`."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from filon.core import Budget, Find, Response, Step, Strategy, UserError
from filon.core.abilities import Ranks, TellsServices, able
from filon.core.loop import Watch
from filon.run import readonly
from filon.run.folder import Run
from filon.run.report import write_report
from filon.run.text import counted
from filon.verbs.blocking import blocking
from filon.verbs.discover.examples import examples
from filon.verbs.discover.found import Site, numbered, read_sites, write_sites
from filon.verbs.discover.parts import SEARCH, Expedition, Ways
from filon.verbs.discover.review import judged
from filon.verbs.discover.services import choose, opened
from filon.verbs.discover.settings import DiscoverSettings
from filon.verbs.discover.summary import discovered, failures, trouble
from filon.verbs.look import open_run
from filon.verbs.outage import Blackout
from filon.verbs.place import discard, place
from filon.verbs.session import all_of, see_through, take_up

_PAGES_READ = """
SELECT COUNT(*) FROM steps WHERE status BETWEEN 200 AND 299 AND kind NOT IN ('search', 'robots')
"""


async def adiscover(
    topic: str = "",
    *,
    seeds: str | Path | Iterable[str | Path] = (),
    searchers: str | Sequence[str] = (),
    local: str | Path | Sequence[str | Path] = (),
    registry: str | Path = "",
    budget: str | int | Budget | None = None,
    strategy: str = "",
    languages: Sequence[str] = (),
    seed: int = 0,
    out: str | Path | None = None,
    delay_s: float = 1.0,
    parallel: int = 1,
    fresh: bool = False,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **more: Any,
) -> Run:
    """Find the sites and dataset repositories of a domain, ranked, with why.

    topic: words that describe the domain, "ethiopia food security".
    seeds: addresses of sites that are examples of it, or files with one a line.
    searchers: the services to ask, "datacite" or "searxng:url=http://localhost:8888"; by default
        all that need no key, and those whose key is in the environment or the keyring.
    local: your own runs, WARC files and folders of pages, to be searched too.
    registry: a file of known catalogues.
    budget: what may be spent, like "2000req,1h,50finds"; a number is requests.
    fresh: ask services again for what the cache holds from earlier runs.
    parallel: requests in flight in all; a host gets one at a time.
    more: any other field of `filon.verbs.discover.settings.DiscoverSettings`.

    Returns the run; its list is beside it:

        run = filon.discover("ethiopia food security", budget=500)
        print(run.path / "sites.csv")
    """
    expedition = prepare(
        {
            "topic": topic,
            "seeds": examples(seeds),
            "budget": "" if budget is None else str(budget),
            "strategy": strategy,
            "languages": tuple(languages),
            "seed": seed,
            "delay_s": delay_s,
            "parallel": parallel,
            **more,
        },
        search=[searchers] if isinstance(searchers, str) else list(searchers),
        local=[local] if isinstance(local, str | Path) else list(local),
        registry=registry,
        fresh=fresh,
    )
    folder = place(out, expedition.quest.url, name_of(expedition.quest))
    return await start(expedition, folder, halt, watch)


discover = blocking(adiscover)


def prepare(
    wishes: Mapping[str, Any],
    *,
    search: Sequence[str] = (),
    local: Sequence[str | Path] = (),
    registry: str | Path = "",
    fresh: bool = False,
) -> Expedition:
    """Return a discovery that could begin: the examples are read, the services known."""
    quest = DiscoverSettings(**wishes)
    services = choose([one for one in search if one.strip()], local, registry)
    quest = quest.changed(
        search=services.specs,
        unasked=services.unasked,
        since_s=time.time() if fresh else quest.since_s,
    )
    expedition = Expedition(quest, services)
    expedition.strategy()  # it refuses what it does not understand
    return expedition


def name_of(quest: DiscoverSettings) -> str:
    """Return what a run is called where the user names no folder."""
    return "-".join(quest.topic.lower().split())[:40].strip("-")


async def start(
    expedition: Expedition,
    folder: Path,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> Run:
    """Begin a run and see it through; where every service turned it away, leave nothing behind."""
    chosen = expedition.strategy()
    web = expedition.web(folder / "spool")
    run = Run.create(folder, expedition.quest.config())
    try:
        stopped = await _sit(run, expedition, chosen, web, halt, watch)
        if stopped == "exhausted" and (complaint := _complaint(folder)):
            raise UserError(complaint)
    except UserError:
        discard(folder)
        raise
    return open_run(folder)


async def go_on(
    folder: Path,
    quest: DiscoverSettings,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> Run:
    """Take a run up where it was left and see it through."""
    expedition = Expedition(quest, opened(quest.search, quest.unasked))
    chosen = expedition.strategy()
    web = expedition.web(folder / "spool")
    run = await take_up(folder, quest, web)
    await _sit(run, expedition, chosen, web, halt, watch)
    return open_run(folder)


async def _sit(
    run: Run,
    expedition: Expedition,
    chosen: Strategy,
    web: Ways,
    halt: asyncio.Event | None,
    watch: Watch | None,
) -> str:
    """See a sitting through, and write what it has found."""

    def wrap_up(path: Path) -> None:
        # After a failure the strategy at hand may not be sound: what it last told is.
        write_found(path, numbered(ranked(chosen)) if _has_ended(path) else None)

    watches = all_of(Blackout().watch, _telling(run, chosen, watch))
    strategy = expedition.dressed(chosen)
    return await see_through(
        run,
        expedition.quest,
        strategy,
        web,
        halt=halt,
        watch=watches,
        wrap_up=wrap_up,
        free=web.is_free,
    )


def ranked(chosen: Strategy) -> list[Site]:
    """Return all that a strategy has found, best first."""
    if ranking := able(chosen, Ranks):
        return [Site.of(one.told()) for one in ranking.ranked()]
    return [Site.of(told) for told in chosen.summary().get("found", [])]


def write_found(run_path: Path, sites: Sequence[Site] | None = None) -> None:
    """Write the list of a run in all its forms, and its report.

    sites: as the strategy orders them; None: as the run folder tells them.
    """
    if sites is None:
        with readonly.reading(run_path) as ledger:
            sites = read_sites(run_path, ledger)
    write_sites(run_path, judged(run_path, sites))
    write_report(run_path)


def _has_ended(run_path: Path) -> bool:
    with readonly.reading(run_path) as ledger:
        return bool(readonly.meta(ledger).get("stopped"))


def _complaint(folder: Path) -> str:
    """Say so where nothing was read at all because every service failed."""
    told = discovered(folder)
    asked = [one for one in told.searchers if one.get("calls")]
    answered = [one for one in asked if sum(failures(one).values()) < one["calls"]]
    with readonly.reading(folder) as ledger:
        read = ledger.execute(_PAGES_READ).fetchone()[0]
    if answered or read or not asked:
        return ""
    return f"Nobody could be asked: {'; '.join(map(trouble, asked))}."


def _telling(run: Run, chosen: Strategy, watch: Watch | None) -> Watch | None:
    """Return a watch that is told how many sites there are, and which services are out."""
    if watch is None:
        return None
    kinds = Counter(find.kind for find in run)
    asking = able(chosen, TellsServices)

    def tell(step: Step, response: Response, finds: Sequence[Find]) -> None:
        kinds.update(find.kind for find in finds)
        told = asking.services() if asking and step.reason.kind == SEARCH else ()
        if told:
            outs[:] = [f"{one['searcher']} out ({one['out']})" for one in told if one["out"]]
        parts = [counted(kinds[kind], kind) for kind in ("repository", "site") if kinds[kind]]
        # What the strategy said of the step is older than the answer.
        told_before = [step.reason.outlook] if step.reason.outlook else []
        outlook = " · ".join([*(parts or told_before), *outs])
        reason = replace(step.reason, outlook=outlook)
        watch(replace(step, reason=reason), response, finds)

    outs: list[str] = []
    return tell
