"""A refresh that is killed goes on: no version is lost, none is told twice.

A few moments in every `make test`; for the long look:
FILON_MOMENTS=20 python -m pytest tests/crash/test_kill_refresh.py
"""

import os
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from command import filon, finish, start
from end_to_end.test_refresh import POLITE, TOLD, change, site, told
from filon.run import readonly
from filon.run.history import History
from loopback import Loopback, serving

KILLS = int(os.environ.get("FILON_MOMENTS", "2"))
#: What a round of this site sends when nothing happens, about.
REQUESTS = 34


@dataclass(frozen=True)
class Harvested:
    """A run whose site has changed since, and the server."""

    run: Path
    server: Loopback


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harvested]:
    folder, pages = tmp_path_factory.mktemp("harvested"), site()
    with serving(pages, wait_s=0.005) as server:
        assert filon(folder, "harvest", server.url, *POLITE, "--out", "run").code == 0
        change(pages)
        yield Harvested(folder / "run", server)


@pytest.mark.parametrize("moment", range(KILLS))
def test_nothing_is_lost_and_nothing_is_told_twice(
    harvested: Harvested, moment: int, tmp_path: Path
) -> None:
    chance, server = Random(f"refresh {moment}"), harvested.server
    shutil.copytree(harvested.run, tmp_path / "run")
    how = ("refresh", "run", "--pages", 1, "--delay", 0, "--parallel", chance.choice([1, 4]))
    for _ in range(chance.choice([1, 2])):
        server.log.clear()
        process = start(tmp_path, *how)
        server.wait_for(chance.randrange(1, 1 + REQUESTS // 2))
        process.send_signal(signal.SIGKILL)
        finish(process)
    ended = filon(tmp_path, *how, "--json")
    assert ended.code == 0, ended.err
    rounds = sorted((tmp_path / "run/rounds").iterdir())
    assert [path.name for path in rounds] == ["0001"]
    assert told(tmp_path, server) == TOLD
    with readonly.reading(rounds[0]) as ledger:
        urls = Counter(row[0] for row in ledger.execute("SELECT url FROM steps"))
        assert max(urls.values()) == 1
        kept = [row[0] for row in ledger.execute("SELECT sha256 FROM finds")]
    assert len(kept) == len({*kept}) == 3
    assert all(readonly.stored(rounds[0], sha256).is_file() for sha256 in kept)
    with History(tmp_path / "run") as history:
        versions = history.versions(f"{server.url}a/3.csv")
    assert [version["what"] for version in versions] == ["new", "changed"]
