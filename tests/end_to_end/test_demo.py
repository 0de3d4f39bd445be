import io
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from filon.core.loop import Watch
from filon.demo.portal.catalogue import DATASETS, files
from filon.demo.tally import answers, tally
from filon.demo.tour import LEARNT, PLAIN, tour


def test_the_demo_harvests_the_portal_and_learning_pays(tmp_path: Path) -> None:
    seen: dict[str, int] = {}

    @contextmanager
    def shown(title: str) -> Iterator[Watch]:
        seen[title] = 0

        def watch(*_: object) -> None:
            seen[title] += 1

        yield watch

    out = io.StringIO()
    folder = tmp_path / "demo"
    assert tour(shown, Console(file=out, width=200), folder) == 0

    runs = {name: folder / name for name in (LEARNT, PLAIN)}
    offered = {
        f"http://statistics.test{file.moved or file.where}"
        for dataset in DATASETS
        for file in files(dataset)
    }
    for path in runs.values():
        assert offered <= set(answers(path))
        assert (path / "report.html").is_file()
        assert forbidden(path) == 0
    compared = tally(runs)
    assert compared.times(LEARNT, PLAIN) > 2
    assert f"{compared.requests[LEARNT]:,}" in out.getvalue()
    assert all(count > len(offered) for count in seen.values())
    assert len(seen) == 2


def forbidden(path: Path) -> int:
    """Count the answers to what robots.txt forbids."""
    base = sqlite3.connect(path / "ledger.sqlite")
    try:
        (number,) = base.execute(
            "SELECT COUNT(*) FROM steps WHERE (url LIKE '%/admin%' OR url LIKE '%/search%')"
        ).fetchone()
    finally:
        base.close()
    return int(number)
