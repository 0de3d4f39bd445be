"""Watch: the runs of the home and their queue, and one run as it goes on."""

import contextlib
import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import fields
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from aiohttp import web

from filon.core import Budget, FilonError, UserError
from filon.core.background import in_thread
from filon.dispatch import child
from filon.dispatch.dispatcher import OWN_FOLDER, Dispatcher, shown
from filon.dispatch.plan import BEGINS
from filon.dispatch.run_list import SORTS, Filter, Line, RunList, Shown, stamp_of
from filon.run import readonly
from filon.run.history import rounds
from filon.run.html import SCRIPT, with_script_at
from filon.run.text import begun
from filon.serve.access import Refusal
from filon.serve.dispatch import DISPATCHER, RUN_LIST, looked_after
from filon.serve.glance import Glance, glance
from filon.serve.home import HOME
from filon.serve.live import live
from filon.serve.page import page, rendered, static
from filon.serve.words import catalogue, t
from filon.verbs import look, settle
from filon.verbs.registry import VERBS, verb_of

routes = web.RouteTableDef()
#: A report is our own page, made of what the web has said: no script stands in it, and the one that
#: sorts its tables is a file of this server's.
_REPORT_POLICY = (
    "sandbox allow-same-origin allow-scripts allow-downloads allow-popups; default-src 'none'; "
    "script-src 'self'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_KEPT_POLICY = "sandbox; default-src 'none'"
REPORT = "report.html"
_PIECE = 1 << 18
#: Letters by which runs are looked for.
_LONGEST = 200
#: Lines that are shown of what a run's process has said.
_LOGGED = 15
#: What most people want of a run, by its verb.
_BEST = {"enrich": "enriched.*", "discover": "sites.csv", "follow": "graph.nq"}
#: Ends of names of files that SQLite has beside a database.
_OWN = ("-wal", "-shm")


def set_up(app: web.Application) -> None:
    """Look after the runs of the home as long as the application lives."""
    app[DISPATCHER] = Dispatcher(app[HOME].folder, app[HOME].at_once)
    app[RUN_LIST] = RunList(app[DISPATCHER])
    app.cleanup_ctx.append(looked_after)


def warm() -> None:
    """Load what the pages of runs need, beforehand: the first one would take a second for it."""
    for name in BEGINS:
        verb = VERBS.find(name)()
        verb.exports()
        with contextlib.suppress(FilonError):  # there is no such run, which it sees when loaded
            verb.outcome(Path())


# All runs.


@routes.get("/runs")
async def runs(request: web.Request) -> web.Response:
    """Show the runs, a page of them."""
    seen = await _shown(request)
    command = ["filon", "list", shown(request.app[HOME].folder)]
    return await page(request, "runs.html", shown=seen, sorts=SORTS, command=command)


@routes.get("/live/runs")
async def runs_live(request: web.Request) -> web.StreamResponse:
    """Send the list anew whenever it has changed."""

    async def pieces() -> Mapping[str, str]:
        seen = await _shown(request)
        return {"list": await rendered(request, "runs_list.html", shown=seen, sorts=SORTS)}

    async def mark() -> str:
        return _digest(await _shown(request))

    return await live(request, mark, pieces)


async def _shown(request: web.Request) -> Shown:
    number = request.query.get("page", "1")
    wanted = int(number) if number.isdecimal() and len(number) < 7 else 1
    words = " ".join(request.query.get("q", "").split())[:_LONGEST]
    some = Filter(words=words, verb=request.query.get("verb", "")[:_LONGEST])
    return await in_thread(request.app[RUN_LIST].shown, request.query.get("sort", ""), wanted, some)


# One run.


@routes.get("/runs/{run}")
async def run(request: web.Request) -> web.Response:
    """Show how a run stands, and what can be done with it."""
    values = await in_thread(_run, request.app[RUN_LIST], request.app[DISPATCHER], _name(request))
    values["links"] = _links(request, values)
    return await page(request, "run.html", **values)


@routes.get("/runs/{run}/live")
async def run_live(request: web.Request) -> web.StreamResponse:
    """Send the parts of a run's page that have changed."""
    run_list, dispatcher, name = request.app[RUN_LIST], request.app[DISPATCHER], _name(request)

    async def mark() -> str:
        line = await in_thread(run_list.line, name)
        return _digest((line, stamp_of(dispatcher.folder / name)))

    async def pieces() -> Mapping[str, str]:
        values = await in_thread(_run, run_list, dispatcher, name)
        values["links"] = _links(request, values)
        parts = ("standing", "state", "controls", "curve", "steps", "finds")
        return {one: await rendered(request, f"run_{one}.html", **values) for one in parts}

    return await live(request, mark, pieces)


def _run(run_list: RunList, dispatcher: Dispatcher, name: str) -> dict[str, Any]:
    """Return all that is shown of a run."""
    folder, work = dispatcher.folder / name, dispatcher.queue.work(name)
    is_there = (folder / readonly.CONFIG).is_file()
    if not is_there and not work:
        raise web.HTTPNotFound
    line = run_list.line(name)
    begin = ["filon", *work.begin] if work and work.begin else []
    values: dict[str, Any] = {
        "line": line,
        "ending": _ending(line),
        "seen": None,
        "is_ours": dispatcher.is_ours(name),
        "waits_for": dispatcher.waits_for(name) if line.standing == "waiting" else "",
        "remarks": (),
        "exports": (),
        "doubled": "",
        "outputs": (),
        "best": (),
        "has_files": False,
        "can_review": False,
        "has_rounds": False,
        "command": begin if not is_there else ["filon", "report", shown(folder)],
        "begin": begin,
        "log": child.last_lines(dispatcher.log(name), _LOGGED) if line.standing == "idle" else (),
    }
    if is_there and not line.entry.problem:
        values |= _seen(folder, line)
    return values


def _ending(line: Line) -> str:
    """Return why a run has ended; a strategy may have reasons of its own."""
    key = f"ending.{line.entry.stopped}"
    return t(key) if key in catalogue() else line.entry.ending


def _seen(folder: Path, line: Line) -> dict[str, Any]:
    seen = glance(folder)
    verb = verb_of(folder)
    idle = line.standing == "idle"
    return {
        "seen": seen,
        "found_word": _found_word(seen),
        "remarks": _remarks(folder, stamp_of(folder)) if idle and line.entry.stopped else (),
        "exports": tuple(verb.exports()) if seen.answers else (),
        "doubled": _doubled(seen),
        "outputs": (outputs := _outputs(folder)),
        "best": [name for name, _ in outputs if fnmatch(name, _BEST.get(verb.name, ""))],
        "has_files": "files" in verb.rows(),
        "can_review": idle and _can_review(folder, stamp_of(folder)),
        "has_rounds": bool(rounds(folder)),
    }


def _found_word(seen: Glance) -> str:
    """Return what a run's finds are called; a verb of a package has a noun of its own."""
    key = f"run.found.{seen.brings.lower().replace(' ', '_')}"
    return t(key) if key in catalogue() else begun(seen.found_word)


@lru_cache(256)
def _remarks(folder: Path, stamp: object) -> tuple[str, ...]:
    """Return what a person should know of a run; it is worked out once for each of its states."""
    return tuple(verb_of(folder).outcome(folder).remarks)


@lru_cache(256)
def _can_review(folder: Path, stamp: object) -> bool:
    verb = verb_of(folder)
    return bool(verb.review_option) and verb.is_reviewable(folder)


def _outputs(folder: Path) -> list[tuple[str, int]]:
    """Return the files that lie in a run folder itself, with their sizes; not those of SQLite's."""
    files = (path for path in folder.iterdir() if path.is_file() and path.suffix)
    shown = (path for path in files if not path.name.startswith(".") and path.name[-4:] not in _OWN)
    return sorted((path.name, path.stat().st_size) for path in shown)


def _doubled(seen: Glance) -> str:
    return str(seen.budget.doubled()) if seen.budget != Budget() else ""


def _links(request: web.Request, values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return where a run is looked at further: keys of [run.link], and addresses that there are."""
    name = quote(values["line"].name, safe="")
    known = {resource.canonical for resource in request.app.router.resources()}
    wanted = [
        ("files", "/catalog", f"/catalog?run={name}", values["has_files"]),
        ("decide", "/decide/{run}", f"/decide/{name}", values["can_review"]),
        ("changes", "/runs/{run}/changes", f"/runs/{name}/changes", values["has_rounds"]),
        ("schedule", "/schedules", f"/schedules?run={name}", values["seen"] is not None),
    ]
    return [(key, address) for key, route, address, fits in wanted if route in known and fits]


def _name(request: web.Request) -> str:
    return request.match_info["run"]


def _place(request: web.Request) -> str:
    return f"/runs/{quote(_name(request), safe='')}"


def _digest(value: object) -> str:
    return hashlib.blake2b(repr(value).encode(), digest_size=12).hexdigest()


# What a person asks for.


@routes.post("/runs/{run}/{act:pause|stop|go|dismiss}")
async def act(request: web.Request) -> web.Response:
    """Pause a run, stop it, go on with it, or forget a command that made none."""
    name, dispatcher = _name(request), request.app[DISPATCHER]
    await _check_known(request)
    await in_thread(_act, dispatcher, name, request.match_info["act"])
    is_left = await in_thread(dispatcher.queue.work, name) or (dispatcher.folder / name).is_dir()
    raise web.HTTPSeeOther(_place(request) if is_left else "/runs")


def _act(dispatcher: Dispatcher, name: str, wanted: str) -> None:
    acts = {
        "pause": dispatcher.pause,
        "stop": dispatcher.stop,
        "go": dispatcher.go_on,
        "dismiss": dispatcher.forget,
    }
    acts[wanted](name)


@routes.post("/runs/{run}/budget")
async def budget(request: web.Request) -> web.Response:
    """Go on with a larger budget: the bound of the whole run."""
    bound = await _bound(request, needed=True)
    folder = request.app[HOME].run(_name(request))
    await in_thread(_check_more, folder, Budget.parse(bound))
    words = ["resume", shown(folder), "--budget", bound]
    await in_thread(request.app[DISPATCHER].go_on, _name(request), words)
    raise web.HTTPSeeOther(_place(request))


@routes.post("/runs/{run}/refresh")
async def refresh(request: web.Request) -> web.Response:
    """Look again at what a run has brought."""
    bound = await _bound(request, needed=False)
    folder = request.app[HOME].run(_name(request))
    if request.app[DISPATCHER].standing(_name(request)) != "idle":
        raise Refusal(409, t("run.busy"))
    words = ["refresh", shown(folder), *(["--budget", bound] if bound else [])]
    await in_thread(request.app[DISPATCHER].go_on, _name(request), words)
    raise web.HTTPSeeOther(_place(request))


async def _bound(request: web.Request, *, needed: bool) -> str:
    bound = str((await request.post()).get("budget", "")).strip()
    if not bound and needed:
        raise UserError(t("run.no_budget"))
    if bound:
        Budget.parse(bound)  # its own sentence says what is wrong
    return bound


def _check_more(folder: Path, bound: Budget) -> None:
    """Refuse a bound that the run has come to already: it would go on and end at once."""
    seen = glance(folder)
    for entry in fields(Budget):
        most, spent = getattr(bound, entry.name), getattr(seen, entry.name)
        if most is not None and not seen.round and spent >= most:
            raise UserError(t("run.little", spent=str(Budget(**{entry.name: spent}))))


async def _check_known(request: web.Request) -> None:
    if not await in_thread(request.app[DISPATCHER].queue.work, _name(request)):
        request.app[HOME].run(_name(request))


# What a run leaves.


@routes.get("/runs/{run}/kept/{path:.+}")
async def kept(request: web.Request) -> web.StreamResponse:
    """Hand out a file of a run folder: the report as a page without scripts, all else to save."""
    folder = request.app[HOME].run(_name(request))
    path = request.match_info["path"]
    if path == REPORT:
        text = await in_thread(_report, folder)
        headers = {"Content-Security-Policy": _REPORT_POLICY}
        return web.Response(text=text, content_type="text/html", headers=headers)
    file = await in_thread(_within, folder, path)
    if file is None:
        raise web.HTTPNotFound
    return web.FileResponse(file, headers=_saved(Path(path).name))


def _within(folder: Path, path: str) -> Path | None:
    """Return a file of a folder; None where there is none, or it lies elsewhere."""
    try:
        file = (folder / path).resolve()
    except (OSError, ValueError):  # no path at all
        return None
    return file if file.is_relative_to(folder.resolve()) and file.is_file() else None


def _report(folder: Path) -> str:
    """Return the report, made anew where the run has done something since."""
    report, ledger = folder / REPORT, folder / readonly.LEDGER
    is_new = report.is_file() and report.stat().st_mtime_ns >= ledger.stat().st_mtime_ns
    if not is_new or readonly.running(folder):
        settle.report(folder)
    return with_script_at(report.read_text("utf-8", "replace"), static(SCRIPT))


@routes.get("/runs/{run}/export/{format}")
async def export(request: web.Request) -> web.StreamResponse:
    """Write a run in another format and hand it out."""
    return await exported(request, _name(request), request.match_info["format"])


async def exported(request: web.Request, run: str, wanted: str) -> web.StreamResponse:
    """Answer with a run in another format; a folder as a zip file."""
    folder = request.app[HOME].run(run)
    own = request.app[HOME].folder / OWN_FOLDER
    own.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=own, prefix="export-") as place:
        file = await in_thread(_exported, folder, wanted, Path(place))
        return await _sent(request, file)


async def _sent(request: web.Request, file: Path) -> web.StreamResponse:
    """Send a file that is deleted afterwards, a piece at a time."""
    response = web.StreamResponse(headers=_saved(file.name))
    response.content_length = (await in_thread(file.stat)).st_size
    await response.prepare(request)
    with file.open("rb") as stream, contextlib.suppress(ConnectionResetError):
        while piece := await in_thread(stream.read, _PIECE):
            await response.write(piece)
    return response


def _exported(folder: Path, wanted: str, place: Path) -> Path:
    known = verb_of(folder).exports()
    if wanted not in known:
        raise UserError(t("run.no_format", format=wanted, known=", ".join(known)))
    ending = known[wanted].ending
    kind = "" if ending[1:].startswith(wanted) else f"-{wanted}"
    out = look.export(folder, wanted, place / f"{folder.name}{kind}{ending}")
    if not out.is_dir():
        return out
    return Path(shutil.make_archive(str(out), "zip", out))


def _saved(name: str) -> dict[str, str]:
    """Return the headers of what a browser is to save and not to show."""
    safe = "".join(char if char.isalnum() or char in "-_." else "_" for char in name)
    return {
        "Content-Type": "application/octet-stream",
        "Content-Disposition": f'attachment; filename="{safe}"',
        "Content-Security-Policy": _KEPT_POLICY,
    }
