"""An enrichment with its parts: the table, the service, and what joins the two."""

import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

from filon.core import (
    Answer,
    Find,
    MachineError,
    Provider,
    Record,
    Request,
    Response,
    Step,
    Strategy,
    UserError,
)
from filon.core.abilities import TellsFates, able
from filon.core.loop import Watch
from filon.core.suggest import nearest
from filon.guards.stack import guarded
from filon.run.disk import writing
from filon.run.folder import RunFolder
from filon.run.text import counted
from filon.services.describe import text_of
from filon.services.source import Source
from filon.verbs.enrich import BY_SOURCE_S, EnrichSettings
from filon.verbs.enrich.earlier import before, earlier
from filon.verbs.enrich.match import Alignment, Prefilter, align
from filon.verbs.enrich.strategies import DEFAULT, Brief, Sample, build
from filon.verbs.enrich.strategies.coverage import Recheck
from filon.verbs.enrich.strategies.recall import Recall
from filon.verbs.enrich.table import Distinct, Table, open_copy, open_table
from filon.verbs.job import Job, keyed, live_options
from filon.verbs.settings import POLITE_DELAY_S
from filon.web.cached import Cache, Cached, cache_path
from filon.web.live import Live
from filon.web.polite import Polite

#: The copies that a run folder holds, so that `filon resume` needs nothing else.
INPUT, SOURCE, SAMPLE = "input", "source.toml", "sample"
#: Columns of a sample that hold what a record is called, not what it says.
_IDS = ("id", "filon_id")
#: Of tables with more rows only the named columns are held in memory.
MOST_ROWS = 100_000
#: So many records say which fields there are.
ENOUGH = 20
#: So many answers in a row with the same trouble are no accident.
PATIENCE = {"key": 1, "schema": 3, "query": 20, "down": 12}
#: Errors that do not pass: where nothing was ever reached, they are told at once.
_LASTING = frozenset({"dns", "connect", "tls", "private", "fenced"})
_KEPT = "the run is kept, filon resume goes on with it"
_TROUBLE = {
    "key": "{name} does not accept the key: {detail}",
    "schema": "{name} does not answer as its description says: {detail}",
    "query": "{name} takes none of the last queries: {detail}",
    "down": "{name} does not answer: {detail}",
}


class EnrichJob(Job):
    """What is to be done, ready to begin.

    table: the user's, or its copy in the run folder.
    """

    settings: EnrichSettings

    def __init__(self, settings: EnrichSettings, table: Table, source: Source) -> None:
        super().__init__(settings)
        self._begin(settings, table, source)

    def _begin(self, settings: EnrichSettings, table: Table, source: Source) -> None:
        self.settings = settings
        self.table = table
        self.source = source
        self.add = {name: field or name for name, field in settings.pairs("add").items()}
        self._web: Cached | None = None
        self._check_columns()
        self._check_fields()

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields that the source is known to have; none where only its answers tell."""
        fields = self.source.description.answer.fields
        return tuple(fields) if isinstance(fields, Mapping) else ()

    @cached_property
    def distinct(self) -> Distinct:
        """The different rows of the columns that are matched or queried."""
        rows = Distinct(self.table.read(dict.fromkeys([*self.matched, *self.queried])))
        if not len(rows):
            names = ", ".join(self.matched)
            raise UserError(f"The columns {names} of {self.settings.table} are empty in every row.")
        return rows

    @cached_property
    def matched(self) -> tuple[str, ...]:
        """The columns by which a row is recognised."""
        if named := tuple(self.settings.pairs("match")):
            return named
        names = [name for name in self.table.names if name not in self.add]
        found = align(self.table.read(names), [], {}, self.fields)
        columns = tuple(pairing.column for pairing in found.pairings)
        if not columns:
            raise UserError(
                "Which columns tell what a row is? Name them with --match; "
                f"the table has {_listed(self.table.names)}."
            )
        return columns

    @cached_property
    def queried(self) -> tuple[str, ...]:
        """The columns whose words may be asked for."""
        return tuple(self.settings.pairs("columns")) or self.matched

    @cached_property
    def others(self) -> dict[str, list[str]]:
        """The other columns, for each different row as its first row has it."""
        if self.settings.pairs("columns") or len(self.distinct) > MOST_ROWS:
            return {}  # nothing else may be asked for, or held in memory
        known = {*self.matched, *self.queried, *self.add}
        names = [name for name in self.table.names if name not in known]
        firsts = [rows[0] for rows in self.distinct.rows()]
        columns = self.table.read(names) if names else {}
        return {name: [cells[row] for row in firsts] for name, cells in columns.items()}

    def alignment(self, records: Sequence[Record] = ()) -> Alignment:
        """Return which column is which field; surer once there are records."""
        pairs = self.settings.pairs("match")
        named = {name: pairs.get(name, "") for name in self.matched}
        columns = {name: self.distinct.columns[name] for name in self.matched}
        fields = self.fields
        if not fields and not records:  # only the answers tell: until then, as the columns' names
            fields = tuple(pairs.get(name) or name for name in self.matched)
        return align(columns, records, named, fields)

    def choose(self) -> Strategy:
        """Return the strategy that was asked for, after what was answered before."""
        name = self.settings.strategy
        if not self.settings.before:
            return build(name, self._brief)
        return Recall(self._brief, partial(build, name), earlier(self))

    @cached_property
    def prefilter(self) -> Prefilter:
        """What tells while the run goes on which rows a record is about."""
        columns = {name: self.distinct.columns[name] for name in self.matched}
        return Prefilter(columns, self.alignment())

    @cached_property
    def _brief(self) -> Brief:
        settings = self.settings
        return Brief(
            columns={name: self.distinct.columns[name] for name in self.queried},
            provider=self.source,
            matcher=self.prefilter,
            seed=settings.seed,
            calls=settings.bound().requests,
            sample=self._sample(),
            options=settings.set,
            others=self.others if settings.strategy == DEFAULT else {},
        )

    def guard(self, chosen: Strategy) -> Strategy:
        """Return it with retries, and within what the service allows."""
        settings = self.settings
        if settings.strategy == DEFAULT:  # the others do as their papers say
            chosen = Recheck(chosen, self.source, self.prefilter, self._brief.documents)
        return guarded(
            chosen,
            retries=settings.retries,
            retry_s=settings.delay,
            homes=[self.source.origin],
            quota=self.source.meter,
        )

    def web(self, spool_dir: Path) -> Cached:
        """Return the web: cache, then secrets, then spacing, then the network."""
        settings, source = self.settings, self.source
        options = live_options(settings, source.origin, spool_dir)
        polite = Polite(Live(options), delay_s=settings.delay, per_host=settings.parallel)
        self._web = Cached(
            keyed(polite, source),
            Cache(Path(settings.cache) if settings.cache else cache_path()),
            good=lambda response: not source.parse(response).problem,
            since_s=settings.since_s,
        )
        return self._web

    def is_free(self, request: Request) -> bool:
        """Say whether a request is answered without a call."""
        return self._web is not None and self._web.holds(request)

    async def open(self, folder: Path) -> None:
        """Read about a source that must be read about before it can be asked."""
        opening = self.source.opening()
        if opening is None:
            return
        web = self.web(folder / "spool")
        try:
            source = self.source.opened(await web.fetch(opening))
        finally:
            await web.close()
        settings = replace(self.settings, source_set=source.parameters, url=source.origin)
        for made in ("fields", "distinct", "matched", "queried", "others"):
            self.__dict__.pop(made, None)
        self._begin(settings, self.table, source)

    def keep(self, folder: Path) -> None:
        """Copy what the run needs, and let it go on from there.

        A day is long, and the user's file may change or go meanwhile.
        """
        settings = self.settings
        with writing(folder):
            self.table.save(folder / settings.input)
            (folder / SOURCE).write_text(text_of(settings.source), "utf-8")
            if settings.sample:
                shutil.copyfile(settings.sample, folder / _sample_name(settings))
        self.table = _copy_of(folder, settings)

    def first_answers(self) -> Watch | None:
        """Return a watch for fields to add that no record has, where only the answers tell them."""
        return None if self.fields else Wanted(self.source, self.add.values()).watch

    def watch(self, run: RunFolder, shown: Watch | None) -> Sequence[Watch | None]:
        """Return the watches: for a service of no use, and for the progress line."""
        return [Service(self.source, run.spent.requests).watch, _naming(self), shown]

    def wrap_up(self, folder: Path) -> bool:
        """Fill the table, with what the strategy at hand has given up."""
        from filon.verbs.enrich.fill import fill

        fill(folder, self)
        return True

    @property
    def what(self) -> str:
        """What is enriched, in words."""
        rows = counted(self.table.size, "row")
        return f"enrich {self.settings.table} ({rows}) from {self.source.name}"

    @property
    def name(self) -> str:
        """What its folder is called where the user names none."""
        return f"{Path(self.settings.table.rpartition('/')[2]).stem}-{self.source.name}"

    @property
    def greeting(self) -> Sequence[str]:
        """What is odd about the table."""
        return self.table.notes

    @property
    def terms(self) -> Sequence[str]:
        """The terms of the service."""
        terms = self.source.description.terms
        return [f"Terms: {terms}"] if terms else []

    def first_urls(self) -> list[str]:
        """Return the first call, where it can be told before the source was read about."""
        return [] if self.source.opening() else super().first_urls()

    def given_up(self) -> set[int]:
        """Return the different rows that the strategy holds for absent, after it was driven."""
        teller = able(self.chosen, TellsFates)
        fates = teller.fates() if teller else {}  # not every strategy has an opinion
        return {row for row, fate in fates.items() if fate == "absent"}

    def _sample(self) -> Sample | None:
        if not self.settings.sample:
            return None
        if not self.settings.sample_ratio:
            raise UserError("Which part of all records is the sample? Say it with --sample-ratio.")
        table = open_table(Path(self.settings.sample))
        columns = table.read(table.names)
        if self.fields and not set(columns) & set(self.fields):
            raise UserError(
                f"The sample {self.settings.sample} has no column that is a field of "
                f"{self.source.name}: it has {_listed(table.names)}, the source has "
                f"{_listed(self.fields)}."
            )
        ids = next((columns.pop(name) for name in _IDS if name in columns), None)
        rows = zip(*columns.values(), strict=True)
        records = [
            Record(id=ids[n] if ids else str(n), fields=dict(zip(columns, row, strict=True)))
            for n, row in enumerate(rows)
        ]
        return Sample(records=records, ratio=self.settings.sample_ratio)

    def _check_columns(self) -> None:
        for option in ("match", "columns"):
            for name in self.settings.pairs(option):
                if name not in self.table.names:
                    near = nearest(name, self.table.names)
                    hint = f"did you mean {near[0]!r}? It has" if near else "it has"
                    raise UserError(
                        f"The table {self.settings.table} has no column {name!r}: "
                        f"{hint} {_listed(self.table.names)}."
                    )
        both = [name for name in self.settings.pairs("match") if name in self.add]
        if both:
            raise UserError(f"The column {both[0]!r} cannot be matched and filled at once.")

    def _check_fields(self) -> None:
        wanted = [(field, "--add") for field in self.add.values()]
        wanted += [(field, "--match") for field in self.settings.pairs("match").values() if field]
        for field, option in wanted:
            if self.fields and field not in self.fields:
                raise UserError(_no_field(self.source, field, option, self.fields))


def _no_field(source: Source, field: str, option: str, known: Sequence[str]) -> str:
    near = nearest(field, known)
    hint = f"did you mean {near[0]}? It has" if near else "it has"
    return f"{source.name} has no field {field!r} for {option}: {hint} {_listed(known)}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:12]) + (" …" if len(names) > 12 else "")


def prepare(settings: EnrichSettings) -> EnrichJob:
    """Return an enrichment that could begin."""
    table = open_table(
        settings.table, name=settings.part, header=settings.header_row, encoding=settings.encoding
    )
    source = Source.load(settings.source, settings.source_set)
    rate_s = source.meter.delay_s or POLITE_DELAY_S
    settings = replace(
        settings,
        url=source.origin,
        rate_s=rate_s,
        delay=rate_s if settings.delay == BY_SOURCE_S else settings.delay,
        since_s=time.time() if settings.fresh else settings.since_s,
        input=f"{INPUT}{table.ending}",
        part=settings.part or getattr(table, "name", ""),
        fresh=False,
    )
    return EnrichJob(settings, table, source)


def reopen(folder: Path, settings: EnrichSettings) -> EnrichJob:
    """Return the enrichment that a run folder holds."""
    copy, source = folder / settings.input, folder / SOURCE
    if not (copy.is_file() and source.is_file()):
        raise UserError(f"{folder} was cut short before it began: start it anew.")
    table = _copy_of(folder, settings)
    if settings.sample:
        settings = replace(settings, sample=str(folder / _sample_name(settings)))
    if settings.before:  # the folder may have moved
        settings = replace(settings, before=str(before(folder)))
    return EnrichJob(settings, table, Source.load(source, settings.source_set))


def _copy_of(folder: Path, settings: EnrichSettings) -> Table:
    """Open the copy of the user's table that a run folder holds."""
    copy = folder / settings.input
    return open_copy(
        copy, name=settings.part, header=settings.header_row, encoding=settings.encoding
    )


def _sample_name(settings: EnrichSettings) -> str:
    return f"{SAMPLE}{Path(settings.sample).suffix}"


def _naming(job: EnrichJob) -> Watch | None:
    """Return what tells at the first records that columns cannot be matched with their fields.

    Where the description names the fields, that is known before.
    """
    looked = False

    def look(step: Step, response: Response, finds: Sequence[Find]) -> None:
        nonlocal looked
        if not looked and (records := job.source.parse(response).records):
            looked = True
            job.alignment(records)

    return None if job.fields else look


class Wanted:
    """Watches the first records for the fields to add: a misspelt one is told at once.

    A field that is like none of theirs may be one that few records have: then a few more are seen.
    """

    def __init__(self, source: Source, fields: Iterable[str]) -> None:
        self._source, self._missing = source, dict.fromkeys(fields)
        self._wanted = frozenset(self._missing)
        self._known: dict[str, None] = {}
        self._records = 0

    def watch(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        """Look at the records of an answer; a UserError where a field is not to be had."""
        if not self._missing or self._records >= ENOUGH:
            return
        records = self._source.parse(response).records
        self._records += len(records)
        for record in records:
            self._known |= dict.fromkeys(record.fields)
        for field in [field for field in self._missing if field in self._known]:
            del self._missing[field]
        for field in self._missing if records else ():
            # What another name was given for is not what this one means.
            is_misspelt = set(nearest(field, self._known)) - self._wanted
            if is_misspelt or self._records >= ENOUGH:
                sentence = _no_field(self._source, field, "--add", list(self._known))
                raise UserError(f"{sentence} Start again with another: what was answered is free.")


class Service:
    """Watches what a provider says besides records: calls are paid for, so trouble ends a session.

    A strategy lets a single bad answer pass; quotas are kept by `filon.guards.quota`. That the
    first call shows a wrong key, or that the answers have changed, is for the user to know at once.

    earlier: the calls of earlier sessions. A service that they asked and that is gone is down.
    """

    def __init__(self, provider: Provider, earlier: int = 0) -> None:
        self._provider = provider
        self._good = earlier
        self._problem = ""
        self._times = 0

    def watch(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        """Take note of an answer; a UserError where the first ones are useless already."""
        answer = self._provider.parse(response)
        if not answer.problem:
            self._good += 1
            self._problem, self._times = "", 0
            return
        self._times = self._times + 1 if answer.problem == self._problem else 1
        self._problem = answer.problem
        hopeless = response.error in _LASTING and not self._good
        if hopeless or self._times >= PATIENCE.get(answer.problem, self._times + 1):
            self._end(answer, response)

    def _end(self, answer: Answer, response: Response) -> None:
        detail = answer.detail or response.detail or response.error or f"status {response.status}"
        message = _TROUBLE[answer.problem].format(
            name=self._provider.name, detail=detail.strip().rstrip(".")
        )
        if answer.problem == "key" and self._good:
            return  # the key was good before: the strategy keeps the call for another session
        if self._good or (answer.problem == "down" and response.error not in _LASTING):
            raise MachineError(f"{message}; {_KEPT}.")
        raise UserError(f"{message}.")
