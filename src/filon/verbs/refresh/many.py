"""A sweep: a round of each of many runs, under one budget: of a whole, or of a folder of runs.

What a look is expected to bring is known before the first request, so the budget is shared out
beforehand: it goes to the looks from which most is expected, wherever they are. A sweep that was
cut short goes on with the same shares.
"""

import asyncio
import heapq
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from filon.core import Budget, FilonError, UserError
from filon.core.loop import Watch
from filon.core.plugins import loaded
from filon.page.url import host
from filon.run import readonly
from filon.run.disk import may, replace_text
from filon.run.history import ROUNDS, History, next_number, rounds, run_of
from filon.run.summary import summarise
from filon.verbs.hosts import Alone, at_will
from filon.verbs.refresh.outlook import Known, Outlook
from filon.verbs.refresh.session import open_round, refresh
from filon.verbs.refresh.summary import outcome
from filon.verbs.registry import verb_of

#: Where a sweep that is under way stands, in the folder that it is of.
SWEEP = "sweep.json"
#: What is kept of a budget for new links, for each request for a look.
FOR_LINKS = 0.25
#: What is kept of it for sites that are new, where sites are looked for.
FOR_SITES = 0.2
#: Runs at a time, each of another host.
AT_ONCE = 8


def targets(path: Path) -> list[Path]:
    """Return the runs that a folder stands for: itself, or those that it holds."""
    if not path.is_dir():
        raise UserError(f"There is no run and no folder {path}.")
    if not is_many(path):
        if verb_of(path).name == "refresh":
            raise UserError(f"{path} is a round: name the run that it is of, {run_of(path)}.")
        return [path]
    if is_run(path):
        own = [one for one in _below(path) if one.parent != path / readonly.PARTS]
        parts = (one.parent for one in (path / readonly.PARTS).glob(f"*/{readonly.CONFIG}"))
        return [*own, *sorted(one for one in parts if is_run(one))]
    found = [one for folder in _below(path) for one in targets(folder)]
    if not found:
        raise UserError(f"{path} holds no run.")
    return found


def targets_of(path: Path) -> list[Path]:
    """Return the same; none where there is none yet."""
    try:
        return targets(path)
    except UserError:
        return []


def is_many(path: Path) -> bool:
    """Say whether a folder holds runs, and is not one itself."""
    return not is_run(path) or bool(verb_of(path).grows)


def is_run(path: Path) -> bool:
    """Say whether a folder is one of a run."""
    return (path / readonly.CONFIG).is_file() and (path / readonly.LEDGER).is_file()


def _below(path: Path) -> Iterator[Path]:
    inner = (one for one in path.iterdir() if one.is_dir() and one.name != ROUNDS)
    # Runs of others may lie beside ours: a run is made for its owner alone.
    for folder in sorted(one for one in inner if may(one, os.R_OK | os.X_OK)):
        if is_run(folder):
            yield folder
        elif not folder.is_symlink():  # which may lead back to here, and so without end
            yield from _below(folder)


@dataclass(frozen=True, slots=True)
class Refreshed:
    """One run of a sweep: its round, or itself where it has just begun, or why there is none."""

    run: Path
    folder: Path | None = None
    problem: str = ""


@dataclass(slots=True)
class Sweep:
    """What is left to do of a sweep.

    at: when it began. budget: of all of it. shares: the requests of each run, by its path; {}: no
        bound. done: the runs whose rounds are over, and what was wrong with each.
    """

    at: float
    budget: str
    shares: dict[str, int]
    done: dict[str, str] = field(default_factory=dict)


async def sweep(
    path: Path,
    changes: Mapping[str, Any],
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    told: Callable[[Refreshed], None] = lambda _: None,
    alone: Alone = at_will,
) -> list[Refreshed]:
    """Begin a round of each run, or go on with those of a sweep that was cut short.

    told: called with each run as its round ends. alone: gives the hosts of sites that are new.
    """
    runs = {run.relative_to(path).as_posix(): run for run in targets(path)}
    now = _taken_up(path) or _begun(runs, changes)
    _keep(path, now)
    ended = [
        Refreshed(runs[name], _folder(runs[name], now), problem)
        for name, problem in now.done.items()
        if name in runs
    ]
    room = asyncio.Semaphore(AT_ONCE)
    left = _left(runs, now)
    shares = SweepBudget.of(now.budget, len(left), [one.folder for one in ended if one.folder])

    async def in_turn(names: Sequence[str]) -> None:
        """See to the runs of one host, one after the other."""
        for name in names:
            async with room:
                if halt and halt.is_set():
                    return
                share = shares.take(now.shares.get(name))
                words = {**changes, "at": now.at, "budget": str(share)}
                one = await _round(runs[name], words, halt, watch)
                shares.give_back(share, one.folder)
                if one.problem or not open_round(runs[name]):
                    now.done[name] = one.problem
                    _keep(path, now)
                    ended.append(one)
                    told(one)

    hosts: dict[str, list[str]] = {}
    for name in left:
        hosts.setdefault(host(str(readonly.config(runs[name]).get("url", ""))), []).append(name)
    await asyncio.gather(*map(in_turn, hosts.values()))
    if all(name in now.done for name in left):
        for one in await _grow(path, now, ended, changes, halt, watch, alone):
            ended.append(one)
            told(one)
        if not (halt and halt.is_set()):
            (path / SWEEP).unlink(missing_ok=True)
    return ended


async def _grow(
    path: Path,
    now: Sweep,
    ended: Sequence[Refreshed],
    changes: Mapping[str, Any],
    halt: asyncio.Event | None,
    watch: Watch | None,
    alone: Alone,
) -> list[Refreshed]:
    """Let a whole begin runs for what its rounds have found, with what is left of the budget."""
    grows = verb_of(path).grows if is_run(path) else ""
    if not grows or (halt and halt.is_set()):
        return []
    most = Budget.parse(now.budget).requests if now.budget else None
    spent = sum(readonly.number(one.folder, "steps") for one in ended if one.folder)
    left = None if most is None else max(0, most - spent)
    begun = await loaded(grows)(path, changes, left, halt, watch, alone)
    return [Refreshed(run, run if is_run(run) else None, problem) for run, problem in begun]


def counts(one: Refreshed) -> dict[str, int]:
    """Return what a round has found, by kind."""
    from filon.verbs.refresh.changes import changes_of  # stands on this

    if one.folder is None:
        return {}
    if one.folder == one.run:  # it has just begun
        return {"new": readonly.number(one.run, "finds")}
    if not verb_of(one.run).anew:
        return outcome(one.folder).all_counts()
    number = int(one.folder.name)
    return dict(
        Counter(change["what"] for change in changes_of(one.run) if change["round"] == number)
    )


async def _round(
    run: Path, words: dict[str, Any], halt: asyncio.Event | None, watch: Watch | None
) -> Refreshed:
    try:
        return Refreshed(run, await refresh(run, words, halt, watch))
    except FilonError as error:
        return Refreshed(run, problem=str(error))


def _taken_up(path: Path) -> Sweep | None:
    try:
        return Sweep(**json.loads((path / SWEEP).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _keep(path: Path, now: Sweep) -> None:
    replace_text(path / SWEEP, json.dumps(asdict(now)))


def _begun(runs: Mapping[str, Path], changes: Mapping[str, Any]) -> Sweep:
    at = time.time()
    budget = str(changes.get("budget") or "")
    most = Budget.parse(budget).requests if budget else None
    if most and any(verb_of(run).name == "discover" for run in runs.values()):
        most = max(1, round(most * (1 - FOR_SITES)))
    return Sweep(at, budget, shares(runs, most, at) if most else {})


def shares(runs: Mapping[str, Path], requests: int, now_s: float) -> dict[str, int]:
    """Return how many requests each run may send, so that most change is expected to be found."""
    looks = max(1, int(requests / (1 + FOR_LINKS)))
    worth = ((value, name) for name, run in runs.items() for value in _worth(run, now_s))
    chosen = heapq.nlargest(looks, worth)
    counts = dict.fromkeys(runs, 0)
    for _, name in chosen:
        counts[name] += 1
    whole = sum(counts.values()) or 1
    return {name: requests * number // whole for name, number in counts.items()}


def _worth(run: Path, now_s: float) -> list[float]:
    """Return what looks at the things of a run are expected to bring.

    Of a run that is made anew that is not known: it counts as half of what it cost.
    """
    if verb_of(run).anew:
        return [1.0] * (readonly.number(run, "steps") // 2)
    number = next_number(run)
    try:
        with History(run) as history:
            known = Known(
                things=history.things(number),
                looks=list(history.looks(number)),
                dates=history.dates(),
                now_s=now_s,
                pages=0,
            )
    except FilonError:  # it is told when its turn comes
        return []
    found: list[float] = Outlook(known).values().tolist()
    return found


def _left(runs: Mapping[str, Path], now: Sweep) -> list[str]:
    """Return what is left to do; what came since a sweep with shares began is for the next."""
    least = 0 if now.shares else 1
    return [name for name in runs if name not in now.done and now.shares.get(name, least)]


@dataclass(slots=True)
class SweepBudget:
    """What is left of a budget for all: bytes are shared as runs begin, time is the same for all.

    waiting: the runs that have not begun.
    """

    budget: Budget
    bytes: int | None
    waiting: int
    began_s: float

    @classmethod
    def of(cls, budget: str, waiting: int, spent: Iterable[Path]) -> "SweepBudget":
        """Return what is left after some rounds."""
        whole = Budget.parse(budget) if budget else Budget()
        shares = cls(whole, whole.bytes, waiting, time.monotonic())
        for folder in spent:
            shares.give_back(Budget(), folder)
        return shares

    def take(self, requests: int | None) -> Budget:
        """Return what the next run may spend. requests: as they were shared out before."""
        share: dict[str, Any] = {"requests": requests or self.budget.requests}
        if self.bytes is not None:
            share["bytes"] = max(1, self.bytes // max(1, self.waiting))
            self.bytes -= share["bytes"]
        if self.budget.seconds is not None:
            lasted_s = time.monotonic() - self.began_s
            share["seconds"] = max(1.0, self.budget.seconds - lasted_s)
        self.waiting -= 1
        return replace(self.budget, **share)

    def give_back(self, share: Budget, folder: Path | None) -> None:
        """Take what a round has not spent of its share."""
        if self.bytes is not None:
            spent = summarise(folder).bytes if folder else 0
            self.bytes += (share.bytes or 0) - spent


def _folder(run: Path, now: Sweep) -> Path | None:
    for folder in reversed(rounds(run)):
        if float(readonly.config(folder).get("at", 0)) == now.at:
            return folder
    return None
