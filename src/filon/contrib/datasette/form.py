"""The form of the enrichment: what to fill, from where, for how many calls; and what that means.

What a run may cost is told before it begins: a form that is sent for the first time, or with
something changed, comes back with the plan, and begins when that is agreed to.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from wtforms import (
    BooleanField,
    Form,
    HiddenField,
    IntegerField,
    SelectField,
    StringField,
    ValidationError,
)
from wtforms.validators import DataRequired, NumberRange

from filon.contrib.datasette.choices import Choices, Offered
from filon.core import FilonError, UserError
from filon.core.suggest import did_you_mean
from filon.run.text import counted, duration
from filon.services.source import Source
from filon.verbs.enrich import pairs
from filon.verbs.job import secrets_of
from filon.verbs.settings import POLITE_DELAY_S

#: Calls that are proposed.
PROPOSED = 100
#: Fields of a source that are named.
_NAMED = 12
#: What SQLite calls the number of a row, which a column of that name would hide.
_ROW_NUMBERS = ("rowid", "oid", "_rowid_")


def plan(chosen: Choices, name: str, add: str, match: str, calls: int) -> str:
    """Return in words what a run would do and may cost; a UserError where it could not begin."""
    offered = chosen.sources[name]
    source = Source.load(offered.source, offered.set)
    secrets_of(source)  # or an error that says which key lacks
    pace_s = source.meter.delay_s or POLITE_DELAY_S if chosen.delay is None else chosen.delay
    limits, terms = source.description.limits, source.description.terms
    cost = f", {limits.price * calls:g} {limits.currency}" if limits.price else ""
    quota = f" The service allows {limits.quota}." if limits.quota else ""
    said = f" Terms: {terms}" if terms else ""
    filled, takes = ", ".join(pairs(add)), duration(calls * max(pace_s, 0.3))
    by = ", ".join(pairs(match)) or "the columns that the source seems to have, too"
    return (
        f"{source.name} is asked at most {counted(calls, 'time')}{cost}, about {takes} at its "
        f"pace, to fill {filled}; rows are recognised by {by}. Answers that are at hand cost "
        f"nothing.{quota}{said}"
    )


def fields_of(offered: Offered) -> list[str]:
    """Return the fields that a source is known to have; none where only its answers tell."""
    fields = Source.load(offered.source, offered.set).description.answer.fields
    return list(fields) if isinstance(fields, dict) else []


def form_of(chosen: Choices | None, columns: Sequence[str], problem: str = "") -> Any:
    """Return the class of the form for a table. problem: why nothing can be enriched."""
    names = list(chosen.sources) if chosen else []
    most = chosen.budget if chosen else 1
    about = ", ".join(columns[:_NAMED]) + (" …" if len(columns) > _NAMED else "")

    class FilonForm(Form):
        """What is to be done."""

        source = SelectField("Source", choices=names)
        add = StringField(
            "Columns to fill",
            description="year,doi; year=published where the source's field has another name. "
            "A column that the table has is filled where it is empty.",
            validators=[DataRequired("Which columns are to be filled?")],
        )
        match = StringField(
            "Columns that tell what a row is",
            description=f"title,authors=creator; by default those that the source seems to have. "
            f"The table has {about}.",
        )
        budget = IntegerField(
            "Most calls",
            default=min(PROPOSED, most),
            description=f"At most {counted(most, 'call')} here.",
            validators=[NumberRange(1, most, f"From 1 to {most:,} calls.")],
        )
        agreed = BooleanField("Yes, do that")
        plan = HiddenField("")

        def validate_source(self, field: Any) -> None:
            """Say what is wrong with all."""
            if problem:
                raise ValidationError(problem)

        def validate_add(self, field: Any) -> None:
            """Say which field the source does not have."""
            if not pairs(field.data or ""):
                raise ValidationError("Which columns are to be filled?")
            _check_names(field.data)
            if chosen and self.source.data in names:
                _check_fields(chosen.sources[self.source.data], field.data)

        def validate_match(self, field: Any) -> None:
            """Say which column the table does not have."""
            for name in pairs(field.data or ""):
                if name not in columns:
                    raise ValidationError(
                        f"The table has no column {name!r}: {did_you_mean(name, columns)}"
                    )
                if name in pairs(self.add.data or ""):
                    raise ValidationError(f"{name} cannot be matched and filled at once.")

        def validate(self, *_: Any, **__: Any) -> bool:
            """Look at what was typed, and ask whether the plan is agreed to."""
            if not super().validate() or chosen is None:
                return False
            try:
                told = plan(
                    chosen, self.source.data, self.add.data, self.match.data, self.budget.data
                )
            except FilonError as error:
                self.source.errors = [str(error)]
                return False
            digest = hashlib.sha256(told.encode()).hexdigest()
            if self.agreed.data and self.plan.data == digest:
                return True
            self.plan.data, self.agreed.data = digest, False
            self.agreed.description = told
            self.agreed.errors = ["This is the plan: tick it to begin."]
            return False

    return FilonForm


def _check_names(add: str) -> None:
    for column, field in pairs(add).items():
        if column.lower() in _ROW_NUMBERS:
            raise ValidationError(
                f"{column} is SQLite's own name for the number of a row: give the column "
                f"another, as in number={field or column}."
            )


def _check_fields(offered: Offered, add: str) -> None:
    try:
        known = fields_of(offered)
    except UserError as error:
        raise ValidationError(str(error)) from error
    for column, field in pairs(add).items():
        if known and (field or column) not in known:
            raise ValidationError(
                f"{offered.source} has no field {field or column!r}: it has {', '.join(known)}."
            )
