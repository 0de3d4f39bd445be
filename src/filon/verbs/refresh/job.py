"""A round with its parts: those of the run that is refreshed, round a strategy of its own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from filon.core import Find, Response, Step, Strategy, UserError, Web
from filon.core.abilities import Guard, Rereads, able
from filon.run import readonly
from filon.run.archive import Answers
from filon.run.disk import Lock
from filon.run.folder import RunFolder
from filon.run.history import PAGE, History, rounds
from filon.verbs.job import Job
from filon.verbs.refresh import RefreshSettings, inherited
from filon.verbs.refresh.outlook import Known
from filon.verbs.refresh.revisit import Revisit
from filon.verbs.refresh.silence import Silence
from filon.verbs.registry import verb_of


class RefreshJob(Job):
    """What is to be looked at again.

    run: the folder of the run that is refreshed.
    """

    settings: RefreshSettings

    def __init__(self, settings: RefreshSettings, run: Path) -> None:
        super().__init__(settings)
        self.run = readonly.find_run(run)
        self.beginning = Silence()

    @cached_property
    def site(self) -> Any:
        """A job of the run's own verb, as it goes on with what is new."""
        verb = verb_of(self.run)
        settings = verb.settings.of(readonly.config(self.run))
        job: Any = verb.prepare(verb.again(settings.changed(**inherited(self.settings))))
        job.look_back([self.run, *self._before])
        return job

    @property
    def _before(self) -> list[Path]:
        """The rounds before this one."""
        return [path for path in rounds(self.run) if int(path.name) < self.settings.number]

    def choose(self) -> Strategy:
        """Return the strategy, with all that was learnt of the site before."""
        settings, number = self.settings, self.settings.number
        inner = self.site.chosen
        if not able(inner, Rereads):
            raise UserError(f"{self.run} cannot be refreshed: its strategy reads nothing twice.")
        with History(self.run) as history:
            things = history.things(number)
            looks, dates = list(history.looks(number)), history.dates()
        pages = sum(thing.kind == PAGE and not thing.is_gone for thing in things)
        known = Known(
            things=things,
            looks=looks,
            dates=dates,
            now_s=settings.at,
            pages=max(1, int(settings.pages * pages)),
            seed=settings.seed + number,
        )
        return Revisit(inner, known)

    def guard(self, chosen: Strategy) -> Strategy:
        """Return it within the guards of the run's own verb."""
        return Taught(self.site.guard(chosen), lambda: self._teach(self.site.chosen))

    def web(self, spool_dir: Path) -> Web:
        """Return the web of the run's own verb."""
        self.site.network = self.network
        web: Web = self.site.web(spool_dir)
        return web

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the run that the round is of."""
        lock = Lock(self.run)
        try:
            yield
        finally:
            lock.release()

    def _teach(self, inner: Strategy) -> None:
        """Let a strategy know what the last round knew, or else the run itself."""
        before, reader = self._before, able(inner, Rereads)
        if before:
            job = verb_of(before[-1]).reopen(before[-1], _settings(before[-1]))
            learnt = job.strategy_as_left(before[-1])
            inner.restore(learnt.inner.state())
        else:
            self._recall(inner)
        if reader:
            reader.set_aside()

    def _recall(self, inner: Strategy) -> None:
        verb = verb_of(self.run)
        settings = verb.settings.of(readonly.config(self.run))
        if settings.strategy == self.site.settings.strategy:
            job = verb.reopen(self.run, settings)
            with RunFolder.open(self.run, read_only=True) as run:
                run.replay(job.strategy)
            inner.restore(job.chosen.state())
        elif reader := able(inner, Rereads):
            self._show(reader)

    def _show(self, reader: Rereads) -> None:
        """Show a strategy all pages of a run that another one chose."""
        from filon.core import Request, Step

        answers = Answers(self.run)
        with readonly.reading(self.run) as ledger:
            query = "SELECT * FROM steps WHERE status = 200 AND mime LIKE '%html%' ORDER BY answer"
            for row in ledger.execute(query):
                response = answers.read(row, row["url"])
                reader.reread(Step(request=Request(url=row["url"])), response)

    def strategy_as_left(self, folder: Path) -> Any:
        """Return the strategy of a round that has ended, with all that it had learnt."""
        site = self.site
        chosen = Revisit(site.chosen, Known(things=(), looks=(), now_s=0.0, pages=0))
        with RunFolder.open(folder, read_only=True) as run:
            run.replay(site.guard(chosen))
        return chosen

    @property
    def what(self) -> str:
        """What is done, in words."""
        return f"refresh {self.run}, which has {self.settings.url}"


class Taught(Guard):
    """A strategy that is taught before it is first asked, unless it goes on from a state.

    A state has all of it, and is put into one that knows nothing. It is outside of all guards:
    these may tell the strategy within of links before they ask it.
    """

    def __init__(self, inner: Strategy, teach: Callable[[], None]) -> None:
        super().__init__(inner)
        self._teach: Callable[[], None] | None = teach

    def _begin(self) -> None:
        teach, self._teach = self._teach, None
        if teach:
            teach()

    def propose(self) -> Step | None:
        """Return the next step."""
        self._begin()
        return self.inner.propose()

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand the answer on."""
        self._begin()
        return self.inner.observe(step, response)

    def state(self) -> Any:
        """Return the state, with all that was taught."""
        self._begin()
        return self.inner.state()

    def restore(self, state: Any) -> None:
        """Go on from a state."""
        self._teach = None
        self.inner.restore(state)


def _settings(folder: Path) -> RefreshSettings:
    return RefreshSettings.of(readonly.config(folder))
