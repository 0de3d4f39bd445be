"""What is typed most loads least: no room that it does not use."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fake_run import FakeRun
from filon.verbs.registry import VERBS

HEAVY = {"numpy", "scipy", "aiohttp", "lxml", "selectolax", "pyoxigraph", "matplotlib"}
#: Rooms that only a run needs.
OURS = {"filon.web.live", "filon.learn", "filon.demo", "filon.compare", "filon.core.loop"}


def loaded(program: str, *arguments: str) -> set[str]:
    """Return the modules that a program has loaded when it ends."""
    tell = "import json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    ended = subprocess.run(
        [sys.executable, "-c", f"{program}\n{tell}", *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return set(json.loads(ended.stderr.splitlines()[-1]))


def commanded(*arguments: str) -> set[str]:
    return loaded(
        "import sys; from filon.cli import run; assert run(sys.argv[1:]) == 0", *arguments
    )


def test_an_import_of_filon_loads_no_room() -> None:
    modules = loaded("import filon")
    assert not modules & (HEAVY | OURS)
    assert {name for name in modules if name.startswith("filon")} == {"filon"}


@pytest.mark.parametrize("typed", [("--version",), ("--help",), ()])
def test_filon_alone_loads_no_verb(typed: tuple[str, ...]) -> None:
    modules = commanded(*typed)
    assert not modules & (HEAVY | OURS | {"sqlite3", "filon.run.readonly"})
    assert not [name for name in modules if name.startswith("filon.verbs.harvest")]


@pytest.mark.parametrize("verb", [*VERBS, "resume"])
def test_the_help_of_a_verb_loads_its_settings_only(verb: str) -> None:
    modules = commanded(verb, "--help")
    assert not modules & (HEAVY | OURS)


@pytest.mark.parametrize(
    "typed",
    [("report", "RUN"), ("why", "RUN", "http://example.org/"), ("export", "RUN", "--to", "csv")],
)
def test_looking_at_a_run_loads_no_web(typed: tuple[str, ...], tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as run:
        run.step("http://example.org/")
    modules = commanded(*(str(tmp_path / "run") if word == "RUN" else word for word in typed))
    assert not modules & (HEAVY | OURS)


def test_every_public_name_is_there_when_asked_for() -> None:
    import filon

    assert {*filon.__all__} <= {*dir(filon)}
    assert all(getattr(filon, name) is not None for name in filon.__all__)
    with pytest.raises(AttributeError, match="harvset"):
        _ = filon.harvset  # type: ignore[attr-defined]
