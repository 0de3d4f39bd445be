"""A package that adds what is broken, as a stranger may have it installed: of each of six kinds.

One thing that cannot be imported, one that is no thing of its kind, one by a name of Filon's own.
Whoever asks for it is told in one sentence, and everything else works as if it were not there.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopback import Loopback, csv, html, serving
from patience import PATIENCE_S
from project.clean import built, environment, installed

#: By kind: the group, what stands before a name there, and a name of Filon's own.
KINDS = {
    "strategy": ("filon.strategies", "harvest.", "dfs"),
    "export": ("filon.exports", "", "csv"),
    "source": ("filon.sources", "", "ckan"),
    "search service": ("filon.searchers", "", "datacite"),
    "portal software": ("filon.portals", "", "ckan"),
    "verb": ("filon.verbs", "", "replicate"),
}
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "filon-broken"
version = "0.1.0"
"""


@pytest.fixture(scope="module")
def house(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with Filon and the broken package."""
    folder = tmp_path_factory.mktemp("broken")
    package = folder / "project/filon_broken"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("class Nothing:\n    'Has nothing of what it should.'\n")
    lines = [PROJECT]
    for kind, (group, before, ours) in KINDS.items():
        word = kind.partition(" ")[0]
        lines += [
            f'[project.entry-points."{group}"]',
            f'"{before}absent-{word}" = "filon_broken.absent:Thing"',
            f'"{before}wrong-{word}" = "filon_broken:Nothing"',
            f'"{before}{ours}" = "filon_broken:Nothing"',
        ]
    (package.parent / "pyproject.toml").write_text("\n".join(lines))
    plugin = built("wheel", package.parent, folder / "built")
    return installed(folder / "environment", wheel, plugin)


class Filon:
    """The command in that environment: its exit code, and what it prints."""

    def __init__(self, house: Path, folder: Path) -> None:
        self.house, self.folder = house, folder

    def __call__(self, *words: object, says: str = "") -> tuple[int, str, list[str]]:
        ended = subprocess.run(
            [self.house / "filon", *map(str, words)],
            cwd=self.folder,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        said = [line for line in ended.stderr.splitlines() if "filon-broken" in line]
        assert says in ended.stderr
        assert "Traceback" not in ended.stderr, ended.stderr
        return ended.returncode, ended.stdout, said


@pytest.fixture
def filon(house: Path, tmp_path: Path) -> Filon:
    (tmp_path / "books.csv").write_text("title\nTides of the north\n")
    return Filon(house, tmp_path)


@pytest.fixture
def site() -> Iterator[Loopback]:
    with serving({"/": html("/data.csv"), "/data.csv": csv("data")}) as server:
        yield server


def absent(kind: str, name: str) -> list[str]:
    return [
        f"filon: The {kind} {name} of the package filon-broken (filon_broken.absent:Thing) cannot "
        "be loaded: No module named 'filon_broken.absent'."
    ]


def wrong(kind: str, name: str, lacks: str) -> list[str]:
    found = f"{name} of the package filon-broken (filon_broken:Nothing)"
    return [f"filon: The {kind} {found} cannot be used: {lacks}."]


def left_out(kind: str, name: str) -> str:
    return (
        f"The {kind} {name} of the package filon-broken is left out: "
        "the name is one of Filon's own."
    )


def test_of_strategies(filon: Filon) -> None:
    asked = ("harvest", "http://a.test/", "--dry-run", "--strategy")
    assert filon(*asked, "absent-strategy")[::2] == (2, absent("strategy", "absent-strategy"))
    lacks = "it is no strategy, as it has no propose, observe, state, restore, summary"
    assert filon(*asked, "wrong-strategy")[::2] == (2, wrong("strategy", "wrong-strategy", lacks))
    code, out, said = filon(*asked, "dfs")
    assert (code, said) == (0, [left_out("strategy", "dfs")])
    assert 'strategy = "dfs"' in out


def test_of_portals_and_exports(filon: Filon, site: Loopback) -> None:
    code, out, said = filon("harvest", site.url, "--delay", 0, "--json", "--out", "run")
    assert (code, json.loads(out)["finds"]) == (0, 1)
    lacks = "it is no portal software, as it has no name, confirm, confirmed, begin, read"
    assert said == [
        left_out("portal software", "ckan"),
        absent("portal software", "absent-portal")[0].removeprefix("filon: "),
        wrong("portal software", "wrong-portal", lacks)[0].removeprefix("filon: "),
    ]
    told = filon("export", "run", "--to", "absent-export")
    assert told[::2] == (2, absent("export", "absent-export"))
    told = filon("export", "run", "--to", "wrong-export")
    assert told[::2] == (2, wrong("export", "wrong-export", "it is no Export"))
    assert filon("export", "run", "--to", "csv")[::2] == (0, [left_out("export", "csv")])
    assert "data.csv" in (filon.folder / "run.csv").read_text("utf-8")
    assert filon("report", "run")[::2] == (0, [])


def test_of_sources(filon: Filon) -> None:
    asked = ("enrich", "books.csv", "--add", "notes", "--dry-run", "--from")
    assert filon(*asked, "absent-source")[::2] == (2, absent("source", "absent-source"))
    lacks = "it is neither the path of a TOML file nor its text"
    assert filon(*asked, "wrong-source")[::2] == (2, wrong("source", "wrong-source", lacks))
    ours = ("ckan", "--source-set", "url=https://a.test")
    assert filon(*asked, *ours)[::2] == (0, [left_out("source", "ckan")])


def test_of_search_services(filon: Filon) -> None:
    asked = ("discover", "rivers", "--dry-run", "--search")
    told = filon(*asked, "absent-search")
    assert told[::2] == (2, absent("search service", "absent-search"))
    lacks = "cannot be used: TypeError: Nothing() takes no arguments."
    assert filon(*asked, "wrong-search", says=lacks)[::2] == (2, [])
    assert filon(*asked, "datacite")[::2] == (0, [left_out("search service", "datacite")])


def test_of_verbs(filon: Filon) -> None:
    code, out, said = filon("--help")
    assert (code, said) == (0, [])
    assert "Cannot be loaded." in out
    assert filon("absent-verb", "x")[::2] == (2, absent("verb", "absent-verb"))
    told = filon("wrong-verb", "x")
    assert told[::2] == (2, wrong("verb", "wrong-verb", "it is no subclass of Verb"))
    told = filon("replicate", "http://a.test/", "--dry-run")
    assert told[::2] == (0, [left_out("verb", "replicate")])
    assert filon("harvest", "http://a.test/", "--dry-run")[::2] == (0, [])
