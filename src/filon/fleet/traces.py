"""What a worker does as traces of OpenTelemetry, where somebody asks for them.

A site that a worker holds is a span, from its lease until it is given back, has ended or is lost. A
commit is a span, too, with links to the sites that it tells of. Where spans go stands in the
variables that OpenTelemetry knows: `OTEL_TRACES_EXPORTER` turns it on.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filon.core import UserError
from filon.core.extras import extra
from filon.fleet.model import WELL, Commit, Lease

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

#: Says who gets the traces.
EXPORTER = "OTEL_TRACES_EXPORTER"
#: What spans are said to be of, where `OTEL_SERVICE_NAME` says nothing else.
SERVICE = "filon-fleet"
_NEED = "Traces need OpenTelemetry"


class Traces:
    """Hears what a worker does, and keeps nothing of it."""

    def leased(self, worker: str, lease: Lease) -> None:
        """Hear that a site is a worker's."""

    def ended(self, commit: Commit) -> None:
        """Hear that a site has ended, or was given back."""

    def lost(self, site: str) -> None:
        """Hear that a site is another's by now."""

    @contextmanager
    def committing(self, worker: str, commits: Sequence[Commit]) -> Iterator[None]:
        """Be told around a commit."""
        yield

    def close(self) -> None:
        """Send what is left."""


class Spans(Traces):
    """Makes spans of it. provider: where they go."""

    def __init__(self, provider: "TracerProvider") -> None:
        self._api = extra("traces", _NEED, "opentelemetry.trace")
        self._provider, self._tracer = provider, provider.get_tracer("filon.fleet")
        self._sites: dict[str, Span] = {}

    def leased(self, worker: str, lease: Lease) -> None:
        """Begin the span of a site."""
        name = lease.site.name
        told = _named(site=name, worker=worker, epoch=lease.epoch)
        self._sites[name] = self._tracer.start_span("site", attributes=told)

    def ended(self, commit: Commit) -> None:
        """End the span of a site, with what it has cost so far and why it ended."""
        if span := self._sites.pop(commit.site, None):
            figures = ("requests", "bytes", "finds", "stored_bytes", "cpu_s", "state")
            span.set_attributes(_named(**{name: getattr(commit, name) for name in figures}))
            if commit.state and commit.state not in WELL:
                span.set_status(self._api.StatusCode.ERROR, commit.note)
            span.end()

    def lost(self, site: str) -> None:
        """End the span of a site as a failure."""
        if span := self._sites.pop(site, None):
            span.set_status(self._api.StatusCode.ERROR, "The lease was lost.")
            span.end()

    @contextmanager
    def committing(self, worker: str, commits: Sequence[Commit]) -> Iterator[None]:
        """Make a span of a commit; where it fails, that is told."""
        known = [self._sites[one.site] for one in commits if one.site in self._sites]
        rows = sum(len(commit.rows) for commit in commits)
        told = _named(worker=worker, sites=len(commits), rows=rows)
        links = [self._api.Link(span.get_span_context()) for span in known]
        with self._tracer.start_as_current_span("commit", attributes=told, links=links):
            yield

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


def _named(**told: str | float) -> dict[str, str | float]:
    return {f"filon.{name}": value for name, value in told.items()}


def traces_here() -> Traces:
    """Return what this process is asked to do with traces: nothing, if nobody asks.

    >>> type(traces_here()).__name__
    'Traces'
    """
    name = os.environ.get(EXPORTER, "none")
    if name in ("", "none"):
        return Traces()
    if name not in _EXPORTERS:
        raise UserError(f"{EXPORTER} is {name!r}: otlp, console and none are known.")
    sdk = extra("traces", _NEED, "opentelemetry.sdk.trace", "opentelemetry.sdk.trace.export")
    resources = extra("traces", _NEED, "opentelemetry.sdk.resources")
    module, kind = _EXPORTERS[name]
    exporter = getattr(extra("traces", _NEED, module), kind)()
    is_named = "OTEL_SERVICE_NAME" in os.environ
    resource = resources.Resource.create({} if is_named else {"service.name": SERVICE})
    provider = sdk.TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(sdk.export.BatchSpanProcessor(exporter))
    return Spans(provider)


#: By what `OTEL_TRACES_EXPORTER` says: a module, and its class.
_EXPORTERS = {
    "otlp": ("opentelemetry.exporter.otlp.proto.http.trace_exporter", "OTLPSpanExporter"),
    "console": ("opentelemetry.sdk.trace.export", "ConsoleSpanExporter"),
}
