"""What tests of the pages share."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from filon.dispatch import child


class _Ended:
    """A process that has ended, and well."""

    pid = 0

    def poll(self) -> int | None:
        return 0


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were begun: each ends at once, and well."""
    commands: list[list[str]] = []

    def begin(words: Sequence[str], log: Path) -> _Ended:
        commands.append(list(words))
        return _Ended()

    monkeypatch.setattr(child, "begin", begin)
    return commands
