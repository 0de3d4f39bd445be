"""The noun behind `filon harvest`, `filon enrich` and the others: all that a verb is.

A verb has a room of its own, `verbs/NAME/`, whose `__init__` holds a subclass of `Verb`; run.toml
says which verb a folder is of, and nothing else is asked to tell. What a verb does not say itself
is what any run can do: a report, exports and reasons from the ledger. Methods import what they
need when they are called, so that a report loads no strategy and a help text no report.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from filon.core import UserError
from filon.core.plugins import Registry, Strategies, loaded
from filon.verbs.option import Option
from filon.verbs.settings import Settings

if TYPE_CHECKING:
    import sqlite3

    from filon.run.export.format import Export, Kinds
    from filon.run.frame import Frame
    from filon.run.report import Page
    from filon.run.summary import Outcome
    from filon.verbs.job import Plan
    from filon.verbs.review import Review

S = TypeVar("S", bound=Settings)


class Verb(ABC, Generic[S]):
    """What a verb is.

    name: as it is typed and as it stands in run.toml.
    settings: what a person may ask it for.
    nouns: what it spends, and what that brings.
    review_option: how a review after the run is asked for; None where there is none to be had.
    usual_export: the format in which most people hand such a run on.
    usual_requests: what is proposed as a budget: enough to see whether more would pay, in minutes.
    session: the module whose `begin` and `go_on` see a run through, loaded when it is needed.
    instead: as `module:function`, what returns the verb that does what was asked for, and its
        settings, from this verb and its own; "": it is always this one.
    anew: as `module:function`, what tells how the results of two runs differ, where a round is a
        run made anew, with answers that are at hand; "": a round looks again at what is known.
    compared: as `module:function`, what tells how two versions of its finds differ: compared.py.
    grows: as `module:function`, what begins runs for what rounds of its parts have found; "": none.
    writer, written, reporter: parts of its own that are loaded when they are needed, each as
        `module:function`: what writes what a run has brought, from its folder; what tells of folder
        and ledger whether that is there, of all answers; what makes the report of them. "": none.

    Its docstring is the help of its command, and its settings' fields are the options.
    """

    name: ClassVar[str]
    settings: type[S]
    nouns: ClassVar[tuple[str, str]] = ("request", "find")
    review_option: ClassVar[Option | None] = None
    usual_export: ClassVar[str] = "csv"
    usual_requests: ClassVar[int] = 500
    session: ClassVar[str] = "filon.verbs.session"
    instead: ClassVar[str] = ""
    anew: ClassVar[str] = ""
    compared: ClassVar[str] = "filon.verbs.compared:files"
    grows: ClassVar[str] = ""
    writer: ClassVar[str] = ""
    written: ClassVar[str] = ""
    reporter: ClassVar[str] = ""

    @abstractmethod
    def prepare(self, settings: S) -> Plan:
        """Return a run that could begin; a UserError where it could not."""

    def reopen(self, folder: Path, settings: S) -> Any:
        """Return a run that a folder holds, ready to go on under settings that may have changed.

        By default it is made as a new one is: its settings are all that it needs.
        """
        return self.prepare(settings)

    def roams(self, config: Mapping[str, Any]) -> bool:
        """Say whether a run may go beyond the hosts that its settings name, where links lead."""
        return True

    def service(self, settings: S) -> Any:
        """Return the source whose calls a run would pay for; None where none is known."""
        return None

    def strategies(self) -> Registry[Any]:
        """Return the strategies that it can be driven by, by name; each is made from a brief."""
        return Strategies(self.name, {}, {})

    def revise(self, folder: Path, settings: S, stopped: str) -> S:
        """Return the settings to go on with: what a person said since is part of them.

        stopped: why the run ended; "" where it was cut short.
        """
        return settings

    def again(self, settings: S) -> S:
        """Return the settings by which what is new is followed, when a run is looked at again."""
        raise UserError(f"A run of filon {self.name} cannot be refreshed.")

    def renewed(self, folder: Path, settings: S, older_s: float) -> S:
        """Return the settings by which a run is made anew, as `anew` has it.

        older_s: answers of services that are older are asked for again; 0: by the verb's own rule.
        """
        return settings

    def wrap_up(self, folder: Path) -> None:
        """Write what the run has brought besides its report, from the folder alone.

        It may be done again at any time. Most verbs have nothing to write.
        """
        if self.writer:
            loaded(self.writer)(folder)

    def is_wrapped_up(self, folder: Path) -> bool:
        """Say whether what `wrap_up` writes is there, and is that of all answers."""
        if not self.written:
            return True
        from filon.run import readonly

        with readonly.reading(folder) as ledger:
            return bool(loaded(self.written)(folder, ledger))

    def page(self, folder: Path, ledger: sqlite3.Connection) -> Page:
        """Return the report."""
        if self.reporter:
            page: Page = loaded(self.reporter)(folder, ledger)
            return page
        from filon.run.report.standard import standard

        return standard(folder, ledger, lambda: self.outcome(folder).remarks)

    def rows(self) -> Kinds:
        """Return the rows that a run can be handed on as, by their kind (see run/export/format)."""
        from filon.run.export.rows import FINDS

        return FINDS

    def formats(self) -> Mapping[str, Export]:
        """Return formats of its own, by name; those of all verbs are known anyway."""
        return {}

    def exports(self) -> Mapping[str, Export]:
        """Return all formats that a run can be handed on in, by name."""
        from filon.run.export import formats_for

        return formats_for(self.rows(), self.formats())

    def frames(self) -> Mapping[str, Callable[[Path], Frame]]:
        """Return the tables that a run has besides its finds and requests, by name.

        Each is a function of the folder; what `wrap_up` writes is there when it is called.
        """
        return {}

    def subject(self, config: Mapping[str, Any]) -> str:
        """Return what a run is about, in a word: its topic, its URL, its table."""
        return str(config.get("topic") or config.get("url") or "")

    def why(self, folder: Path, wanted: str) -> str:
        """Tell which steps and reasons led to a URL or a find."""
        from filon.run.why import why

        return why(folder, wanted)

    def reasons(self, folder: Path, wanted: str) -> dict[str, Any]:
        """Return the same as plain data."""
        from filon.run.chain import chain

        return {"run": str(folder), "url": wanted, "steps": chain(folder, wanted)}

    def outcome(self, folder: Path) -> Outcome:
        """Return what a run cost and brought, ended or not."""
        from filon.run.summary import Plain, summarise

        return Plain(summarise(folder))

    def review(self, folder: Path, most: int) -> Review:
        """Return a review of a run.

        most: how many questions are asked at most; 0: as long as the answers help.
        """
        from filon.run.readonly import find_run

        find_run(folder)
        raise UserError(f"There is nothing to review in {folder}, a run of filon {self.name}.")

    def is_reviewable(self, folder: Path) -> bool:
        """Say whether there is anything to review."""
        return True
