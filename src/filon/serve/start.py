"""Start: one box, a proposal with its cost and a look at the first page, and a run that begins."""

import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode

from aiohttp import web
from multidict import MultiMapping

from filon.core import UserError
from filon.core.background import in_thread
from filon.dispatch.dispatcher import shown
from filon.dispatch.estimate import usual_budget
from filon.dispatch.plan import PlanError, Planned, launch, planned, verb_named
from filon.serve import tables
from filon.serve.access import uploads
from filon.serve.dispatch import DISPATCHER, RUN_LIST
from filon.serve.form import panels, typed_of
from filon.serve.home import HOME
from filon.serve.page import fragment, page
from filon.serve.preview import look
from filon.serve.recognise import (
    Proposal,
    Recognised,
    after_look,
    is_list,
    recognise,
    recognise_file,
)
from filon.serve.words import t
from filon.verbs.option import values as values_of
from filon.verbs.registry import VERBS
from filon.verbs.settings import Settings

routes = web.RouteTableDef()

#: Fields that stand at the top of the page, and not among the advanced ones.
_TOP = ("budget_",)
_PICKED = ("source_", "add_", "match_")
#: Clicked columns and fields of an enrichment: joined into --add and --match.
_PICKS = {"add_": "pick_add", "match_": "pick_match"}
_ASKS = "ask."
#: Letters that are taken for a topic or an address: they stand in the address of the next page.
_MOST_TYPED = 2000
#: Runs that the first page shows.
_LATEST = 5


@routes.get("/")
async def start(request: web.Request) -> web.Response:
    """Show the box."""
    return await _box(request)


async def _box(request: web.Request, *, what: str = "", problem: str = "") -> web.Response:
    seen = await in_thread(request.app[RUN_LIST].shown)
    values = {"what": what, "problem": problem, "latest": seen.lines[:_LATEST]}
    status = 400 if problem else 200
    return await page(request, "start.html", status=status, command=["filon", "--help"], **values)


@routes.post("/start")
@uploads(tables.MOST_BYTES)
async def recognised(request: web.Request) -> web.Response:
    """Take what was typed or dropped, and lead to what could be done with it."""
    form, folder = await request.post(), request.app[HOME].folder
    what, file = str(form.get("what", "")), form.get("file")
    if isinstance(file, web.FileField) and file.filename:
        place = await in_thread(tables.keep, folder, file.filename, file.file)
        raise _seen_other("/start", file=place)
    if is_list(what):
        lines = "\n".join(line.strip() for line in what.splitlines() if line.strip())
        place = await in_thread(tables.keep, folder, "sites.txt", io.BytesIO(f"{lines}\n".encode()))
        raise _seen_other("/start", file=place)
    if not what.strip():
        return await _box(request, problem=t("start.empty"))
    if len(what.strip()) > _MOST_TYPED:
        return await _box(request, what=what, problem=_too_long(what.strip()))
    raise _seen_other("/start", what=what.strip())


def _too_long(what: str) -> str:
    return t("start.long", n=len(what), most=_MOST_TYPED)


def _seen_other(path: str, **query: str) -> web.HTTPSeeOther:
    return web.HTTPSeeOther(f"{path}?{urlencode(query)}" if query else path)


@routes.get("/start")
async def proposed(request: web.Request) -> web.Response:
    """Show what could be done, with its cost."""
    what, place = request.query.get("what", ""), request.query.get("file", "")
    found = await in_thread(_found, request.app[HOME].folder, what, place)
    if not found.proposals:
        hint = t("start.hint." + found.hint) if found.hint else ""
        return await _box(request, what=what, problem=found.problem or hint or t("start.empty"))
    number = request.query.get("way", "0")
    number = number if number.isdigit() and int(number) < len(found.proposals) else "0"
    chosen = found.proposals[int(number)]
    rows = await in_thread(_rows, request.app[HOME].folder, place, chosen)
    typed = {**chosen.typed, "budget_": usual_budget(chosen.verb, rows)}
    about = {"what": what, "file": place, "way": number}
    return await _plan(request, _Form(verb=chosen.verb, typed=typed, about=about))


def _rows(folder: Path, place: str, chosen: Proposal) -> int | None:
    if chosen.verb != "enrich":
        return None
    try:
        return tables.table(tables.kept(folder, place), tables.Manner.of(chosen.typed)).size
    except UserError:  # it is told beside the settings
        return None


def _found(folder: Path, what: str, place: str) -> Recognised:
    if not place:
        if len(what) > _MOST_TYPED:
            return Recognised(kind="nothing", problem=_too_long(what))
        return recognise(what)
    path = tables.kept(folder, place)
    return recognise_file(path, shown(path))


@routes.post("/start/check")
async def checked(request: web.Request) -> web.Response:
    """Say what would be done with what is typed now; all of the page where no script asks."""
    sent = await request.post()
    form = _Form.of(sent)
    if request.headers.get("HX-Request") != "true":
        return await _plan(request, form)
    values = await _values(request, form)
    values |= {name: str(sent.get(name, "")) for name in ("shown_source", "shown_manner")}
    return await fragment(request, "told.html", **values)


@routes.post("/start/begin")
async def begin(request: web.Request) -> web.Response:
    """Begin a run, or say at which field something is wrong."""
    form = _Form.of(await request.post())
    try:
        run = await in_thread(launch, request.app[DISPATCHER], form.verb, form.asked())
    except PlanError as error:
        return await _plan(request, form, error.errors)
    raise _seen_other(f"/runs/{run}")


@routes.post("/start/look")
async def looked(request: web.Request) -> web.Response:
    """Show the first page: asked for now, by a few requests that are counted."""
    form = _Form.of(await request.post())
    seeds = form.typed.get("seeds_") or [""]
    url = str(form.typed.get("url_") or seeds[0])
    settings = _network(form.typed)
    seen = await look(url, settings, linked=form.verb == "follow")
    found = await in_thread(
        _found, request.app[HOME].folder, form.about["what"], form.about["file"]
    )
    better = after_look(found, seen.mime)
    values: dict[str, Any] = {
        "seen": seen,
        "better": better if better is not found else None,
        "about": form.about,
    }
    if request.headers.get("HX-Request") != "true":
        return await _plan(request, form, look=values)
    return await fragment(request, "preview.html", **values)


def _network(typed: Mapping[str, Any]) -> Settings:
    """Return the settings under which the first page is asked for: as polite as the run's own."""
    names = ("contact_", "user_agent_", "connect_to_", "ca_file_", "insecure_", "robots_")
    return Settings(**values_of(Settings, {name: typed.get(name) for name in names}))


# What a page is made of.


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """What a form says: the verb, what was typed, and what it is about."""

    verb: str
    typed: Mapping[str, Any]
    about: Mapping[str, str]

    @classmethod
    def of(cls, sent: MultiMapping[Any]) -> Self:
        """Return one that was sent."""
        name = str(sent.get("verb", ""))
        verb = verb_named(name)
        texts = {key: [v for v in sent.getall(key) if isinstance(v, str)] for key in sent}
        typed = typed_of(verb.settings, texts)
        for pick in _PICKS.values():
            typed[pick] = texts.get(pick, [])
        asks = {key: one[0] for key, one in texts.items() if key.startswith(_ASKS)}
        typed |= {key: one for key, one in asks.items() if one.strip()}
        about = {key: str(sent.get(key, "")) for key in ("what", "file", "way")}
        return cls(verb=name, typed=typed, about=about)

    def within(self, dropped: tables.Dropped | None) -> Self:
        """Return the same without clicked columns that a table has not, read as it is now."""
        if dropped is None:
            return self
        there = {column.name for column in dropped.columns}
        picked = [name for name in self.typed.get("pick_match", ()) if name in there]
        return replace(self, typed={**self.typed, "pick_match": picked})

    def asked(self) -> dict[str, Any]:
        """Return what was typed with what was clicked, as a command line would have it."""
        typed = self.typed
        known = {key: value for key, value in typed.items() if key[-1] == "_" or key[-1].isdigit()}
        if self.verb != "enrich":
            return known
        for field, pick in _PICKS.items():
            if typed.get(pick) and field not in known:
                known[field] = tables.listed(typed[pick])
        asks = [f"{k.removeprefix(_ASKS)}={v}" for k, v in typed.items() if k.startswith(_ASKS)]
        if asks:
            known["source_set_"] = [*known.get("source_set_", []), *asks]
        return known


async def _plan(
    request: web.Request,
    form: _Form,
    errors: Mapping[str, str] | None = None,
    look: Mapping[str, Any] | None = None,
) -> web.Response:
    values = await _values(request, form, errors)
    folder, name, about = request.app[HOME].folder, form.verb, form.about
    found = await in_thread(_found, folder, about["what"], about["file"])
    return await page(
        request,
        "plan.html",
        status=422 if errors else 200,
        found=found,
        chosen=_chosen(found, name, about["way"]),
        command=["filon", *values["plan"].words],
        look=look or {},
        refused=(errors or {}).get("", ""),
        is_web=name in ("harvest", "follow") and not about["file"],
        **values,
    )


def _chosen(found: Recognised, name: str, way: str) -> Proposal:
    if way.isdigit() and int(way) < len(found.proposals):
        return found.proposals[int(way)]
    return Proposal(verb=name, typed={}, why="address", values={"host": ""})


async def _values(
    request: web.Request, form: _Form, errors: Mapping[str, str] | None = None
) -> dict[str, Any]:
    folder, name, more = request.app[HOME].folder, form.verb, dict[str, Any]()
    if name == "enrich":
        more = await in_thread(_enrich, folder, form.typed, form.about)
        form = form.within(more["dropped"])
    typed = form.typed
    plan: Planned = await in_thread(planned, folder, name, form.asked())
    wrong = errors if errors is not None else plan.errors
    verb = VERBS.find(name)()
    hidden = {*_TOP, *_PICKED} if name == "enrich" else {*_TOP}
    if more and more["dropped"] and more["dropped"].has_header_row:
        hidden.add("header_row_")  # it stands beside the rows
    leads = [key for key in ("table_", "sites_", "seeds_1") if key in typed]
    return more | {
        "verb": name,
        "typed": typed,
        "about": form.about,
        "plan": plan,
        "errors": wrong,
        "leads": leads,
        "panels": panels(verb, typed, wrong, {*hidden, *leads}),
    }


def _enrich(folder: Path, typed: Mapping[str, Any], about: Mapping[str, str]) -> dict[str, Any]:
    """Return the columns of the table, the services, and what is chosen of both."""
    sources = tables.sources()
    named = str(typed.get("source_", ""))
    chosen = next((one for one in sources if one.name == named), None) or tables.own_source(named)
    manner, unread = tables.Manner.of(typed), ""
    try:
        dropped = tables.dropped(tables.kept(folder, about["file"]), manner)
    except UserError as error:
        dropped, unread = None, str(error)
    return {
        "sources": sources,
        "chosen_source": chosen,
        "dropped": dropped,
        "unread": unread,
        "manner": repr(manner),
    }
