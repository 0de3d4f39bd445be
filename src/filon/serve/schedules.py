"""Schedules: which runs are looked at again and when, and a feed of what is new."""

import hmac
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

from aiohttp import web

from filon.core import UserError
from filon.core.background import in_thread, running
from filon.serve.home import HOME
from filon.serve.page import page
from filon.serve.timetable import Entry, Timetable
from filon.serve.watcher import Watcher
from filon.verbs.refresh.schedule import Watched
from filon.verbs.refresh.watch import last_s

routes = web.RouteTableDef()
#: What keeps the watch going: `request.app[WATCHER]`.
WATCHER = web.AppKey("watcher", Watcher)


def set_up(app: web.Application) -> None:
    """Keep the watch going as long as the application is."""
    app[WATCHER] = Watcher(Timetable(app[HOME].folder))

    async def watching(app: web.Application) -> AsyncIterator[None]:
        async with running(app[WATCHER].always()):
            yield
        await app[WATCHER].end()

    app.cleanup_ctx.append(watching)


@routes.get("/schedules")
async def schedules(request: web.Request) -> web.Response:
    """Show what is watched, and a form for one more."""
    watcher, home = request.app[WATCHER], request.app[HOME]
    timetable = watcher.timetable
    problem = watcher.said
    try:
        sites = await in_thread(lambda: [_told(site) for site in timetable.sites()])
    except UserError as error:
        sites, problem = [], str(error)
    taken = {site["run"] for site in sites}
    others = [run.run.name for run in await in_thread(home.runs) if run.run.name not in taken]
    return await page(
        request,
        "schedules.html",
        sites=sites,
        others=others,
        problem=problem,
        watching=watcher.running,
        feed=await in_thread(_address, request) if sites else "",
        chosen=request.query.get("run", ""),
        command=["filon", "watch", str(timetable.path)],
    )


@routes.post("/schedules")
async def change(request: web.Request) -> web.Response:
    """Add or change an entry, or drop it."""
    form = {name: str(value).strip() for name, value in (await request.post()).items()}
    run = request.app[HOME].run(form.get("run", "")).name
    timetable = request.app[WATCHER].timetable
    if form.get("do") == "drop":
        await in_thread(timetable.drop, run)
    else:
        words = {name: form.get(name, "") for name in ("budget", "quiet", "zone")}
        entry = Entry(run=run, interval=form.get("interval") or "1d", **words)
        await in_thread(timetable.put, entry)
    await request.app[WATCHER].tick()  # so that the page shows what follows from it
    raise web.HTTPSeeOther("/schedules")


@routes.get("/feed/{secret}.atom")
async def feed(request: web.Request) -> web.StreamResponse:
    """Hand out the feed to whoever knows its address: readers of feeds have no cookies."""
    watcher = request.app[WATCHER]
    given = request.match_info["secret"].encode()
    if not hmac.compare_digest(given, (await in_thread(watcher.secret)).encode()):
        raise web.HTTPNotFound
    path = await in_thread(lambda: watcher.timetable.feed)
    if not path.is_file():
        raise web.HTTPNotFound
    return web.Response(
        body=await in_thread(path.read_bytes), content_type="application/atom+xml", charset="utf-8"
    )


def _address(request: web.Request) -> str:
    """Return where the feed is read; "" where there is none yet."""
    watcher = request.app[WATCHER]
    made = watcher.timetable.feed.is_file()
    return f"{request.url.origin()}/feed/{watcher.secret()}.atom" if made else ""


def _told(site: Watched) -> dict[str, object]:
    """Return an entry as the page shows it."""
    return {
        "run": Path(site.run).name,
        "interval_s": site.interval_s,
        "budget": site.budget,
        "quiet": site.quiet,
        "zone": site.zone,
        "last": f"{datetime.fromtimestamp(last_s(site.run)):%Y-%m-%d %H:%M}",
    }
