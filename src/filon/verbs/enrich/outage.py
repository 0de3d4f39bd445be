"""Watches what a service says besides records: each call is paid for, so trouble ends a session.

A strategy lets a single bad answer pass; quotas are kept by `filon.guards.quota`. That the first
call shows a wrong key, or that the answers have changed, is for the user to know at once.
"""

from collections.abc import Sequence

from filon.core import Answer, Find, MachineError, Provider, Response, Step, UserError

#: So many answers in a row with the same trouble are no accident.
PATIENCE = {"key": 1, "schema": 3, "query": 20, "down": 12}
#: Errors that do not pass: where nothing was ever reached, they are told at once.
_LASTING = frozenset({"dns", "connect", "tls", "private"})
_KEPT = "the run is kept, filon resume goes on with it"
_TROUBLE = {
    "key": "{name} does not accept the key: {detail}",
    "schema": "{name} does not answer as its description says: {detail}",
    "query": "{name} takes none of the last queries: {detail}",
    "down": "{name} does not answer: {detail}",
}


class Service:
    """Follows the answers of a provider; raises where going on is a waste."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._good = 0
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
        told = _TROUBLE[answer.problem].format(
            name=self._provider.name, detail=detail.strip().rstrip(".")
        )
        if answer.problem == "key" and self._good:
            return  # the key was good before: the strategy keeps the call for another session
        if self._good or (answer.problem == "down" and response.error not in _LASTING):
            raise MachineError(f"{told}; {_KEPT}.")
        raise UserError(f"{told}.")
