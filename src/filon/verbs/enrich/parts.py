"""An enrichment with its parts: the table, the service, and what joins the two.

Everything that can be wrong with the user's wishes is found here, before anything is sent.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from filon.core import Record, Strategy, UserError
from filon.core.abilities import TellsFates, able
from filon.core.suggest import nearest
from filon.guards.metered import Metered
from filon.guards.retry import RetryGuard
from filon.services.source import Source
from filon.verbs.enrich.distinct import Distinct
from filon.verbs.enrich.match import Alignment, Quick, align
from filon.verbs.enrich.match.candidates import Table as Indexed
from filon.verbs.enrich.settings import EnrichSettings
from filon.verbs.enrich.strategies import DEFAULT, TRUTH_ONLY, Brief, Sample, build
from filon.verbs.enrich.strategies.lastlook import LastLook
from filon.verbs.enrich.strategies.named import Heard, Named
from filon.verbs.enrich.table import Table, open_table

#: Columns of a sample that hold what a record is called, not what it says.
_IDS = ("id", "filon_id")


class Job:
    """What is to be done, ready to begin.

    table: the user's, or its copy in the run folder.
    """

    def __init__(self, wants: EnrichSettings, table: Table, source: Source) -> None:
        self.wants = wants
        self.table = table
        self.source = source
        self.add = {name: field or name for name, field in wants.pairs("add").items()}
        self._chosen: Strategy | None = None
        #: The matched columns, indexed, once there is a strategy.
        self.indexed: Indexed | None = None
        self._check_columns()
        self._check_fields()

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields that the source is known to have; none where only its answers tell."""
        told = self.source.description.answer.fields
        return tuple(told) if isinstance(told, Mapping) else ()

    @cached_property
    def distinct(self) -> Distinct:
        """The different rows of the columns that are matched or queried."""
        rows = Distinct(self.table.read(dict.fromkeys([*self.matched, *self.queried])))
        if not len(rows):
            names = ", ".join(self.matched)
            raise UserError(f"The columns {names} of {self.wants.table} are empty in every row.")
        return rows

    @cached_property
    def matched(self) -> tuple[str, ...]:
        """The columns by which a row is recognised."""
        told = tuple(self.wants.pairs("match"))
        if told:
            return told
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
        return tuple(self.wants.pairs("columns")) or self.matched

    def alignment(self, records: Sequence[Record] = ()) -> Alignment:
        """Return which column is which field; surer once there are records."""
        told = self.wants.pairs("match")
        said = {name: told.get(name, "") for name in self.matched}
        columns = {name: self.distinct.columns[name] for name in self.matched}
        fields = self.fields
        if not fields and not records:  # only the answers tell: until then, as the columns' names
            fields = tuple(told.get(name) or name for name in self.matched)
        return align(columns, records, said, fields)

    def strategy(self) -> Strategy:
        """Return the strategy: its queries named, patient, and within what the service allows."""
        wants = self.wants
        heard = Heard(self.source)
        quick = Quick(
            {name: self.distinct.columns[name] for name in self.matched}, self.alignment()
        )
        self.indexed = quick.table
        brief = Brief(
            columns={name: self.distinct.columns[name] for name in self.queried},
            provider=heard,
            matcher=quick,
            seed=wants.seed,
            calls=wants.bound().requests,
            sample=self._sample(),
            options=wants.options,
        )
        self._chosen = build(wants.strategy, brief)
        asking: Strategy = self._chosen
        if wants.strategy == DEFAULT:  # the others do as their papers say
            asking = LastLook(asking, heard, quick, brief.documents)
        patient = RetryGuard(Named(asking, heard), 1 + wants.retries, base_s=wants.delay_s)
        # Outermost: a refusal for the quota is the service's affair, not one call's.
        return Metered(patient, self.source.meter)

    def given_up(self) -> set[int]:
        """Return the different rows that the strategy holds for absent, after it was driven."""
        teller = able(self._chosen, TellsFates) if self._chosen else None
        fates = teller.fates() if teller else {}  # not every strategy has an opinion
        return {row for row, fate in fates.items() if fate == "absent"}

    def _sample(self) -> Sample | None:
        if not self.wants.sample:
            return None
        if not self.wants.sample_ratio:
            raise UserError("Which part of all records is the sample? Say it with --sample-ratio.")
        table = open_table(Path(self.wants.sample))
        columns = table.read(table.names)
        if self.fields and not set(columns) & set(self.fields):
            raise UserError(
                f"The sample {self.wants.sample} has no column that is a field of "
                f"{self.source.name}: it has {_listed(table.names)}, the source has "
                f"{_listed(self.fields)}."
            )
        ids = next((columns.pop(name) for name in _IDS if name in columns), None)
        rows = zip(*columns.values(), strict=True)
        records = [
            Record(id=ids[n] if ids else str(n), fields=dict(zip(columns, row, strict=True)))
            for n, row in enumerate(rows)
        ]
        return Sample(records=records, ratio=self.wants.sample_ratio)

    def _check_columns(self) -> None:
        if self.wants.strategy in TRUTH_ONLY:
            raise UserError(
                f"The strategy {self.wants.strategy} must know the hidden table: "
                "it is for experiments, with filon compare."
            )
        for option in ("match", "columns"):
            for name in self.wants.pairs(option):
                if name not in self.table.names:
                    near = nearest(name, self.table.names)
                    hint = f"did you mean {near[0]!r}? It has" if near else "it has"
                    raise UserError(
                        f"The table {self.wants.table} has no column {name!r}: "
                        f"{hint} {_listed(self.table.names)}."
                    )
        both = [name for name in self.wants.pairs("match") if name in self.add]
        if both:
            raise UserError(f"The column {both[0]!r} cannot be matched and filled at once.")

    def _check_fields(self) -> None:
        said = [(field, "--add") for field in self.add.values()]
        said += [(field, "--match") for field in self.wants.pairs("match").values() if field]
        for field, option in said:
            if self.fields and field not in self.fields:
                near = nearest(field, self.fields)
                hint = f"did you mean {near[0]}? It has" if near else "it has"
                raise UserError(
                    f"{self.source.name} has no field {field!r} for {option}: "
                    f"{hint} {_listed(self.fields)}."
                )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
