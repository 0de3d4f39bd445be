"""The tools that an agent sees: each says what it does, and tells texts of the web as data."""

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Annotated, Any, Literal, ParamSpec

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from filon.core import FilonError
from filon.mcp.limits import LimitError
from filon.mcp.untrusted import as_data, harmless
from filon.mcp.workspace import ROWS, Seen, Workspace
from filon.page.values import clean

P = ParamSpec("P")
Tool = Callable[..., Awaitable[CallToolResult]]

Bounds = Annotated[
    str,
    Field(
        description="What the run may spend: 100req,20MB,5min, any mix; a bare number is requests. "
        "It is lowered to what the user allows."
    ),
]
Name = Annotated[str, Field(description="The name of a run, as list_runs tells it.")]
Id = Annotated[
    str, Field(description="The id of a file, or its first letters; ID#2 of its second table.")
]
Types = Annotated[
    str, Field(description="What counts as a find: data (default), csv,excel,pdf, tables, geo.")
]
Addresses = Annotated[list[str], Field(description="Addresses, written in full with https://.")]
#: The longest that a call waits for a run: clients give up after a minute.
_WAIT_S = 50

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_STARTS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)
_STEERS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


def result(*ours: str, theirs: Any = None) -> CallToolResult:
    """Return an answer: sentences of our own, and what is of the web, marked as such."""
    content = [TextContent(type="text", text="\n".join(ours))]
    if theirs is not None:
        content.append(TextContent(type="text", text=as_data(theirs)))
    return CallToolResult(content=list(content))


def _fallible(
    tool: Callable[P, Awaitable[CallToolResult]], *, reads: bool = True
) -> Callable[P, Awaitable[CallToolResult]]:
    """Return a tool whose errors are told in a sentence.

    reads: it looks at what others wrote, and its sentences may quote that: they are data then.
    """

    @wraps(tool)
    async def wrapped(*arguments: P.args, **more: P.kwargs) -> CallToolResult:
        try:
            _check_texts(more)
            return await tool(*arguments, **more)
        except LimitError as error:
            raise ToolError(str(error)) from error
        except FilonError as error:
            sentence = str(error)
            said = as_data({"error": sentence}) if reads else harmless(sentence)
            raise ToolError(said) from error

    return wrapped


def _check_texts(said: Mapping[str, Any]) -> None:
    """Refuse half a surrogate pair in what an agent says: no file and no database takes it."""
    for name, value in said.items():
        texts = value if isinstance(value, list) else [value]
        if any(isinstance(text, str) and clean(text) != text for text in texts):
            raise LimitError(f"{name} holds half a surrogate pair, which is no character.")


def add_tools(server: MCPServer[Any], workspace: Workspace) -> None:
    """Give a server all tools that the limits allow."""
    verbs = _verbs(workspace)
    for name in workspace.limits.verbs:
        verb = _fallible(verbs[name], reads=name == "enrich")
        server.add_tool(verb, annotations=_STARTS, structured_output=False)
    for tool in _steering(workspace):
        server.add_tool(_fallible(tool, reads=False), annotations=_STEERS, structured_output=False)
    for tool in (*_looking(workspace), *_reading(workspace)):
        server.add_tool(_fallible(tool), annotations=_READS, structured_output=False)


def _begun(made: dict[str, Any]) -> CallToolResult:
    return result(
        f"The run {made['run']} is begun, with a budget of {made['budget']}. "
        "show_run tells how it stands."
    )


def _verbs(workspace: Workspace) -> dict[str, Tool]:
    async def harvest(
        urls: Addresses,
        budget: Bounds = "",
        types: Types = "",
        include: Annotated[
            list[str] | None, Field(description="Only what fits, as /data/*; may be several.")
        ] = None,
        exclude: Annotated[list[str] | None, Field(description="Not what fits.")] = None,
        depth: Annotated[int, Field(ge=0, description="Links away from a start; 0: any.")] = 0,
        linked_hosts: Annotated[
            bool, Field(description="Take files from other allowed hosts that pages link to, too.")
        ] = False,
        stop: Literal["auto", "never"] = "auto",
    ) -> CallToolResult:
        """Get the data files of one website with the fewest requests.

        The addresses are of one site; the first is where it starts. It goes on in the background.
        """
        said: dict[str, Any] = {"types": types, "include": include or [], "exclude": exclude or []}
        said |= {"depth": depth, "stop": "" if stop == "auto" else stop}
        said |= {"files_from": "linked-hosts" if linked_hosts else ""}
        return _begun(await workspace.start("harvest", budget, urls=urls, **said))

    async def discover(
        topic: Annotated[str, Field(description="What the sites are to be about, in words.")] = "",
        seeds: Annotated[
            list[str] | None, Field(description="Addresses of sites that are examples.")
        ] = None,
        budget: Bounds = "",
        language: Annotated[str, Field(description="More languages to ask in, as fr,es.")] = "",
    ) -> CallToolResult:
        """Find the sites and dataset repositories of a domain, ranked, with why.

        Only the services and hosts that the user allows are asked. It goes on in the background.
        """
        said = {"topic": topic, "seeds": seeds or [], "language": language}
        return _begun(await workspace.start("discover", budget, **said))

    async def follow(
        seeds: Addresses,
        budget: Bounds = "",
        within: Literal["any", "domain", "host"] = "any",
        depth: Annotated[int, Field(ge=0, description="Documents away from a seed; 0: any.")] = 0,
    ) -> CallToolResult:
        """Collect the RDF of the Linked Data web around seed URIs, with the fewest requests."""
        said = {"within": "" if within == "any" else within, "depth": depth}
        return _begun(await workspace.start("follow", budget, seeds=seeds, **said))

    async def enrich(
        table: Annotated[str, Field(description="A table in a folder that the user allows.")],
        source: Annotated[str, Field(description="A service that the user allows.")],
        add: Annotated[str, Field(description="The columns to fill: year,doi.")],
        match: Annotated[str, Field(description="The columns that tell what a row is.")] = "",
        budget: Bounds = "",
        one_to_one: Annotated[
            bool, Field(description="No record is about two different rows.")
        ] = False,
        part: Annotated[str, Field(description="The sheet, or the table of a database.")] = "",
    ) -> CallToolResult:
        """Fill columns of a table from a service with a keyword search, with the fewest calls."""
        said = {"add": add, "match": match, "one_to_one": one_to_one, "part": part}
        return _begun(await workspace.start("enrich", budget, table=table, source=source, **said))

    async def acquire(
        topic: Annotated[str, Field(description="What the files are to be about, in words.")],
        budget: Bounds = "",
        types: Types = "",
        only: Annotated[
            list[str] | None, Field(description="Only sites that fit, as example.org.")
        ] = None,
        per_site: Annotated[int, Field(ge=0, description="Most requests of a site; 0: any.")] = 0,
    ) -> CallToolResult:
        """Get the data files of a topic from many sites, under one budget, into one catalog."""
        said = {"types": types, "only": only or [], "per_site": per_site}
        return _begun(await workspace.start("acquire", budget, topic=topic, **said))

    return {one.__name__: one for one in (harvest, discover, follow, enrich, acquire)}


def _steering(workspace: Workspace) -> list[Tool]:
    async def pause_run(run: Name) -> CallToolResult:
        """Let a run save itself and wait; resume_run goes on with it."""
        await workspace.pause(run)
        return result(f"{run} is being paused. What is left of its budget stays put aside for it.")

    async def stop_run(run: Name) -> CallToolResult:
        """Let a run save itself and end; what it has not spent is free for others."""
        await workspace.stop(run)
        return result(f"{run} is being stopped.")

    async def resume_run(run: Name, budget: Bounds = "") -> CallToolResult:
        """Go on with a run that was paused or stopped, or that has spent its budget.

        budget: for what is to come; the run as a whole stays within what the user allows.
        """
        made = await workspace.go_on(run, budget)
        return result(f"{run} goes on; as a whole it may spend {made['budget']}.")

    return [pause_run, stop_run, resume_run]


def _standing(seen: Seen) -> CallToolResult:
    # Runs may be of somebody else: no word of theirs has a line of its own.
    lines = [f"{name}: {harmless(value, 80)}" for name, value in seen.ours.items() if value != ""]
    return result(*lines, theirs={name: one for name, one in seen.theirs.items() if one})


def _looking(workspace: Workspace) -> list[Tool]:
    async def limits() -> CallToolResult:
        """Tell what the user allows: hosts, services, folders, budgets, and what is left today."""
        return result(*workspace.limits.rows(), f"left of 24 hours: {await workspace.left()}")

    async def list_runs() -> CallToolResult:
        """List the runs: how they stand, what they cost and brought, the latest first."""
        found = await workspace.runs()
        return result(f"{len(found)} runs.", theirs=found)

    async def show_run(
        run: Name,
        ctx: Context,
        wait_s: Annotated[
            int, Field(ge=0, le=_WAIT_S, description="Wait so long for its end, in seconds.")
        ] = 0,
    ) -> CallToolResult:
        """Tell how a run stands: figures, what it asked for and found last, and what went wrong."""

        async def tell(seen: Seen) -> None:
            await ctx.report_progress(seen.ours["requests"], message=f"{seen.ours['finds']} finds")

        return _standing(await workspace.watched(run, wait_s, tell))

    async def why(
        run: Name,
        wanted: Annotated[
            str, Field(description="An address, a file that was found, or a row of a table.")
        ],
    ) -> CallToolResult:
        """Tell the chain of steps and reasons that led a run to something."""
        return result(
            "The chain, in words:", theirs={"why": (await workspace.why(run, wanted)).splitlines()}
        )

    return [limits, list_runs, show_run, why]


def _reading(workspace: Workspace) -> list[Tool]:
    async def search_catalog(
        words: Annotated[
            str, Field(description="What the files are to be about; '' for all.")
        ] = "",
        site: str = "",
        format: Annotated[str, Field(description="As csv.")] = "",
        year: str = "",
        place: str = "",
        licence: str = "",
        run: str = "",
        limit: Annotated[int, Field(ge=1, le=ROWS)] = 10,
        skip: Annotated[int, Field(ge=0)] = 0,
    ) -> CallToolResult:
        """Find files that the runs have brought, by titles, headings, columns and values."""
        facets = {"site": site, "format": format, "year": year, "place": place, "licence": licence}
        found = await workspace.search(words, facets, run, limit, skip)
        return result(f"{found.total} files.", theirs=found)

    async def show_file(id: Id) -> CallToolResult:
        """Tell the profile of a file: its tables and columns, what they cover, where it is from."""
        return result("The profile:", theirs=await workspace.profile(id))

    async def sample_file(
        id: Id,
        table: Annotated[int, Field(ge=1, description="Which table of it.")] = 1,
        first: Annotated[int, Field(ge=0, description="The first row, from 0 on.")] = 0,
        rows: Annotated[int, Field(ge=1, le=ROWS)] = 10,
        column: Annotated[int, Field(ge=0, description="The first column, from 0 on.")] = 0,
    ) -> CallToolResult:
        """Tell some rows of a table of a file."""
        return result("Rows:", theirs=await workspace.sample(id, table, first, rows, column))

    async def query(
        sql: Annotated[str, Field(description="One SELECT, in DuckDB's SQL.")],
        rows: Annotated[int, Field(ge=1, le=ROWS)] = 20,
    ) -> CallToolResult:
        """Ask the catalog and the tables of files in SQL: read-only, without files and network.

        The tables are files, sightings, tables and columns; f_ and the first twelve letters of an
        id is the first table of that file, as show_file tells it.
        """
        return result("The answer:", theirs=await workspace.sql(sql, rows))

    return [search_catalog, show_file, sample_file, query]
