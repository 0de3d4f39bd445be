"""Send what a run has followed to a SPARQL endpoint, in updates.

Blank nodes become IRIs of the run, so that an update that is sent twice adds nothing: after a
failure it is simply sent again.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from filon.core import MachineError, Request, Response, UserError
from filon.run.handle import Run
from filon.verbs.blocking import run as run_blocking
from filon.verbs.follow import seed_uri
from filon.verbs.follow.graph import Statement, statements
from filon.verbs.settings import Settings
from filon.verbs.unreachable import phrase, unreachable
from filon.web.live import Live, Options, user_agent

#: What one update holds: endpoints refuse bodies beyond some megabytes, and parse them whole.
MOST_TRIPLES, MOST_CHARS = 5_000, 1_000_000
_TYPE = ("Content-Type", "application/sparql-update")


def publish(
    run: Run | str | Path,
    url: str,
    *,
    header: tuple[str, ...] = (),
    connect_to: tuple[str, ...] = (),
    sent: Callable[[int], None] | None = None,
) -> int:
    """Insert the triples of a run and their provenance into a store; return how many.

    url: where the store takes SPARQL updates.
    header: "Name: value", as a password needs; they are sent there only, and never stored.
    sent: called with the number of triples after each update.
    """
    folder = (run.path if isinstance(run, Run) else Path(run)).resolve()
    return run_blocking(apublish(folder, seed_uri(url), header, connect_to, sent))


async def apublish(
    folder: Path,
    url: str,
    header: tuple[str, ...] = (),
    connect_to: tuple[str, ...] = (),
    sent: Callable[[int], None] | None = None,
) -> int:
    """Do the same within an event loop."""
    secrets = Settings(header=header).secret_headers()
    options = Options(
        user_agent=user_agent(),
        connect_to=connect_to,
        allow_hosts=(url,),
        origin=url,
        headers=secrets,
    )
    web, total = Live(options), 0
    try:
        for update, triples in updates(statements(folder, skolem=True)):
            body = update.encode()
            request = Request(url=url, method="POST", headers=(_TYPE,), body=body)
            _check(await web.fetch(request), total)
            total += triples
            if sent:
                sent(total)
    finally:
        await web.close()
    return total


def updates(rows: Iterator[Statement]) -> Iterator[tuple[str, int]]:
    """Yield updates that insert statements, and how many each inserts."""
    graphs: dict[str, list[str]] = {}
    triples = chars = 0
    for each in rows:
        graphs.setdefault(each.graph, []).append(each.triple)
        triples += 1
        chars += len(each.triple)
        if triples >= MOST_TRIPLES or chars >= MOST_CHARS:
            yield _update(graphs), triples
            graphs, triples, chars = {}, 0, 0
    if triples:
        yield _update(graphs), triples


def _update(graphs: dict[str, list[str]]) -> str:
    parts = []
    for graph, lines in graphs.items():
        parts += [f"GRAPH {graph} {{", *(f"{line} ." for line in lines), "}"]
    return "\n".join(["INSERT DATA {", *parts, "}"])


def _check(response: Response, total: int) -> None:
    """Refuse to go on where an update was refused; nothing is lost, it can be sent again."""
    if response.ok:
        return
    so_far = f" ({total:,} triples were taken before; send it again to go on)" if total else ""
    if response.error:
        raise MachineError(f"{unreachable(response).rstrip('.')}{so_far}.")
    said_back = " ".join(response.body[:300].decode("utf-8", "replace").split())
    detail = f": {said_back}" if said_back else ""
    raise UserError(
        f"{response.url} does not take the update, it answers {response.status}"
        f"{phrase(response.status)}{so_far}{detail}".rstrip(".")
        + "."
    )
