"""Runs in the API that are to begin, to wait, to go on or to end: by the queue of the pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from filon.core import Budget
from filon.core.background import in_thread
from filon.dispatch.dispatcher import Standing, shown
from filon.dispatch.estimate import Estimate
from filon.dispatch.plan import launch, planned, verb_named
from filon.serve.access import Refusal
from filon.serve.api.operation import Call, Operations
from filon.serve.api.runs import Run
from filon.serve.dispatch import DISPATCHER
from filon.serve.words import t
from filon.verbs.option import name_of, ways

operations = Operations("runs")

VerbName = Annotated[
    Literal["harvest", "discover", "follow", "enrich", "acquire"], "What is to be done."
]
Given = Annotated[
    dict[str, str | int | float | bool | list[str]],
    "The settings of the verb by name, as the options of its command: "
    'url, budget, delay; as {"url": "https://example.org/", "budget": "500req"}.',
]
More = Annotated[str, "The bound of the whole run, as 1000req; without it the one it has."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What would be done: the command, what is wrong by setting, and what it may cost."""

    command: list[str]
    errors: dict[str, str]
    estimate: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stands:
    """How a run stands after what was asked: at work, on its way to an end, in line, or idle."""

    run: str
    standing: Standing


@operations.post("/plans")
async def plan_run(call: Call, verb: VerbName, settings: Given) -> Plan:
    """Tell what a run would do and cost; nothing is sent, and nothing begins."""
    found = await in_thread(planned, call.home.folder, verb, _typed(verb, settings))
    return Plan(
        command=["filon", *found.words],
        errors={name.removesuffix("_"): said for name, said in found.errors.items()},
        estimate=found.estimate,
    )


@operations.post("/runs")
async def start_run(call: Call, verb: VerbName, settings: Given) -> Stands:
    """Begin a run as soon as there is room for it, in a process of its own."""
    name = await in_thread(launch, call.app[DISPATCHER], verb, _typed(verb, settings))
    return await _stands(call, name)


@operations.post("/runs/{run}/pause")
async def pause_run(call: Call, run: Run) -> Stands:
    """Let a run save itself and wait; its place is kept."""
    await _known(call, run)
    await in_thread(call.app[DISPATCHER].pause, run)
    return await _stands(call, run)


@operations.post("/runs/{run}/stop")
async def stop_run(call: Call, run: Run) -> Stands:
    """Let a run save itself and end; it can go on all the same."""
    await _known(call, run)
    await in_thread(call.app[DISPATCHER].stop, run)
    return await _stands(call, run)


@operations.post("/runs/{run}/resume")
async def resume_run(call: Call, run: Run, budget: More = "") -> Stands:
    """Go on with a run as soon as there is room, under a larger budget where one is given."""
    await _known(call, run)
    words: list[str] = []
    if budget:
        Budget.parse(budget)  # its own sentence says what is wrong
        words = ["resume", shown(call.home.run(run)), "--budget", budget]
    await in_thread(call.app[DISPATCHER].go_on, run, words)
    return await _stands(call, run)


@operations.post("/runs/{run}/refresh")
async def refresh_run(
    call: Call, run: Run, budget: Annotated[str, "Of the round, as 300req."] = ""
) -> Stands:
    """Look again at what a run has brought, as soon as there is room for it."""
    folder = call.home.run(run)
    if await in_thread(call.app[DISPATCHER].standing, run) != "idle":
        raise Refusal(409, t("run.busy"))
    bound: list[str] = []
    if budget:
        Budget.parse(budget)
        bound = ["--budget", budget]
    await in_thread(call.app[DISPATCHER].go_on, run, ["refresh", shown(folder), *bound])
    return await _stands(call, run)


async def _stands(call: Call, run: str) -> Stands:
    return Stands(run=run, standing=await in_thread(call.app[DISPATCHER].standing, run))


async def _known(call: Call, run: str) -> None:
    """Raise 404 where a name is neither a run's nor one of the queue's."""
    if not await in_thread(call.app[DISPATCHER].queue.work, run):
        call.home.run(run)


def _typed(verb: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings by the names that a form has for them; 400 where there is no such setting."""
    known = {entry.name: name_of(entry, 0) for entry, _, _ in ways(verb_named(verb).settings)}
    for name in settings:
        if name.replace("-", "_") not in known:
            raise Refusal(400, t("api.unknown", name=name))
    return {known[name.replace("-", "_")]: value for name, value in settings.items()}
