"""What every guard stands on: a strategy round another, which it is until it does otherwise."""

from filon.core import Find, Response, State, Step, Strategy, Summary
from filon.core.abilities import Ability, able


class Guard:
    """Does what the strategy within does. A guard overrides what it has a say in.

    Each step that the inner strategy proposes gets exactly one answer, whatever the guard sends
    for it, and its abilities (filon.core.abilities) are seen from outside.
    """

    def __init__(self, inner: Strategy) -> None:
        self.inner = inner

    def propose(self) -> Step | None:
        """Return the inner strategy's next step."""
        return self.inner.propose()

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand the answer on."""
        return self.inner.observe(step, response)

    def state(self) -> State:
        """Return the inner strategy's state."""
        return self.inner.state()

    def restore(self, state: State) -> None:
        """Go on from there."""
        self.inner.restore(state)

    def summary(self) -> Summary:
        """Return the inner strategy's summary."""
        return self.inner.summary()

    def able(self, ability: type[Ability]) -> Ability | None:
        """Return who within has an ability; None where nobody has."""
        return able(self.inner, ability)
