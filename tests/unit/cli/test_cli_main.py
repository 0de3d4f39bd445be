import gc
import signal
import sys
from collections.abc import Iterator

import pytest

from filon import cli


@pytest.fixture
def _garbage() -> Iterator[None]:
    usual, interrupt = gc.get_threshold(), signal.getsignal(signal.SIGINT)
    gc.unfreeze()  # what the tests themselves have frozen
    yield
    gc.unfreeze()
    gc.set_threshold(*usual)
    signal.signal(signal.SIGINT, interrupt)


@pytest.mark.usefixtures("_garbage")
def test_what_is_left_at_the_end_is_not_looked_through(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["filon", "--version"])
    monkeypatch.delitem(sys.modules, "duckdb", raising=False)  # of another test
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    assert "filon" in capsys.readouterr().out
    assert gc.get_freeze_count() > 1000
    assert gc.get_threshold()[0] == cli.MANY_OBJECTS
