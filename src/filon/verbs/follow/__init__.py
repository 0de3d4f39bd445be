"""`filon follow`: the RDF of the Linked Data web around seed URIs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.verbs.follow.settings import FollowSettings
from filon.verbs.verb import Verb

if TYPE_CHECKING:
    import sqlite3

    from filon.core.plugins import Registry
    from filon.run.export.format import Export, Kinds
    from filon.run.frame import Frame
    from filon.run.report import Page
    from filon.run.summary import Outcome
    from filon.verbs.job import Job


class Follow(Verb[FollowSettings]):
    """Collect the RDF of the Linked Data web around seed URIs, with the fewest requests.

    Which URIs lead to RDF is learnt on the way: those like the ones that did are asked for first.
    The run folder holds graph.nq (N-Quads, a graph a document, with its provenance), an archive of
    all answers, a ledger of every step and a report.

    Example: filon follow http://dbpedia.org/resource/Quartz --budget 5000req --parallel 8
    """

    name = "follow"
    nouns = ("request", "RDF document")

    @property
    def settings(self) -> type[FollowSettings]:
        """The settings that it takes."""
        return FollowSettings

    def prepare(self, settings: FollowSettings) -> Job:
        """Return a run that could begin."""
        from filon.verbs.follow.job import FollowJob

        return FollowJob(settings)

    def reopen(self, folder: Path, settings: FollowSettings) -> Job:
        """Return a run that a folder holds."""
        return self.prepare(settings)

    def strategies(self) -> Registry[Any]:
        """Return the strategies that it knows."""
        from filon.verbs.follow.strategies import KNOWN

        return KNOWN

    def wrap_up(self, folder: Path) -> None:
        """Write what was fetched as N-Quads, from the archive."""
        from filon.verbs.follow.graph import write_graph

        write_graph(folder)

    def is_wrapped_up(self, folder: Path) -> bool:
        """Say whether the graph is that of all answers."""
        from filon.run import readonly
        from filon.verbs.follow.graph import is_written

        with readonly.reading(folder) as ledger:
            return is_written(folder, ledger)

    def page(self, folder: Path, ledger: sqlite3.Connection) -> Page:
        """Return the report: hosts, vocabularies, classes, what paid."""
        from filon.verbs.follow.report import page

        return page(folder, ledger)

    def rows(self) -> Kinds:
        """Return its documents as finds, and its triples."""
        from filon.verbs.follow.export import quads

        return {**super().rows(), "quads": quads}

    def formats(self) -> Mapping[str, Export]:
        """Return the formats of its triples."""
        from filon.verbs.follow.export import NQUADS, OXIGRAPH

        return {"nquads": NQUADS, "oxigraph": OXIGRAPH}

    def frames(self) -> Mapping[str, Callable[[Path], Frame]]:
        """Return its triples."""
        from filon.verbs.follow.graph.frame import graph_frame

        return {"graph": graph_frame}

    def outcome(self, folder: Path) -> Outcome:
        """Return what a run cost and brought."""
        from filon.verbs.follow.summary import followed

        return followed(folder)
