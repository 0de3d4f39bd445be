"""What holds for all runs from end to end."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or fills the cache of who runs it."""
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "cache/answers.sqlite"))
