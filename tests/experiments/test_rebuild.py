"""Sites rebuilt from git repositories: small ones, made here."""

import sqlite3
import subprocess
from pathlib import Path

import pytest

from experiments.rebuild import main
from filon.compare.replica import Replica
from patience import PATIENCE_S

SITE = """
[small]
start = "/start/"
hosts = ["small.example"]
requests = 6
pages = 2
files = {files}
[[small.repositories]]
name = "owner/pages"
commit = "{pages}"
folder = "public"
[[small.repositories]]
name = "owner/data"
commit = "{data}"
at = "data"
"""
PAGES = {
    "public/start/index.html": (
        '<a href="/about">about</a> <a href="http://small.example/data/t.CSV">t</a>'
        '<a href="../data/sub">folder</a> <a href="/gone.html">gone</a>'
    ),
    "public/about.html": '<img src="/logo.png"><a href="/start/">home</a>',
    "public/unlinked.html": "nobody comes here",
    "outside.html": "not of the site",
}
DATA = {"t.CSV": "a,b\n1,2\n", "sub/other.txt": "not linked"}


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    command = ["git", *who, *arguments]
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True, timeout=PATIENCE_S
    ).stdout.strip()


def repository(folder: Path, files: dict[str, str]) -> str:
    """Make a repository with one commit of these files and one later that ruins them."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "link.html").symlink_to("outside.html")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "As it was")
    commit = git(folder, "rev-parse", "HEAD")
    for name in files:
        (folder / name).write_text("another day")
    git(folder, "commit", "--quiet", "--all", "--message", "Another day")
    return commit


@pytest.fixture
def sites(tmp_path: Path) -> Path:
    pages = repository(tmp_path / "forge/owner/pages", PAGES)
    data = repository(tmp_path / "forge/owner/data", DATA)
    (tmp_path / "sites.toml").write_text(SITE.format(pages=pages, data=data, files=1))
    return tmp_path


def rebuilt(folder: Path, *more: str) -> int:
    place = ("--sites", str(folder / "sites.toml"), "--forge", str(folder / "forge"))
    return main([*place, str(folder / "out"), *more])


def test_a_site_is_what_its_repositories_held_at_their_commits(
    sites: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rebuilt(sites) == 0
    assert capsys.readouterr().out.split(maxsplit=1)[1] == "5 requests, 2 pages, 1 files" + (
        " (recorded: 6 requests)\n"
    )
    replica = Replica.open(sites / "out/small.sqlite")
    assert replica.start == "http://small.test/start/"
    kinds = {url.removeprefix("http://small.test"): k for url, k in replica.census.kinds.items()}
    assert kinds == {
        "/start/": "html",
        "/about": "html",
        "/data/t.CSV": "target",
        "/data/sub": "error",
        "/gone.html": "error",
    }


def test_what_no_link_leads_to_is_left_out(sites: Path) -> None:
    rebuilt(sites, "small")
    with sqlite3.connect(sites / "out/small.sqlite") as db:
        paths = {path for (path,) in db.execute("SELECT path FROM page")}
        assert paths == {"start/index.html", "about.html", "data/t.CSV"}
        assert db.execute("SELECT count(*) FROM body").fetchone() == (3,)
    db.close()
    assert [path.name for path in (sites / "out").iterdir()] == ["small.sqlite"]


def test_a_site_or_repository_that_is_not_there_is_one_sentence(
    sites: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rebuilt(sites, "smal") == 2
    assert "did you mean small?" in capsys.readouterr().err
    text = (sites / "sites.toml").read_text().replace("owner/data", "owner/nowhere")
    (sites / "sites.toml").write_text(text)
    assert rebuilt(sites) == 4
    assert "owner/nowhere" in capsys.readouterr().err
    assert list((sites / "out").iterdir()) == []


def test_the_twelve_sites_are_the_recorded_ones(shared: Path) -> None:
    import json
    import tomllib

    from experiments.rebuild import SITES, media_type

    ours = tomllib.loads(SITES.read_text())
    counts = json.loads((shared / "data/harvest/sites.json").read_text())
    assert set(ours) == set(counts)
    for name, site in ours.items():
        recorded = counts[name]
        wanted = (recorded["requests_without_media"], recorded["html"], recorded["targets"])
        assert (site["requests"], site["pages"], site["files"]) == wanted
        file = shared / f"data/harvest/replicas/{name}.sqlite"
        with sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True) as db:
            meta = dict(db.execute("SELECT k, v FROM meta"))
            types = dict(db.execute("SELECT path, mime FROM page"))
        db.close()
        spec = json.loads(meta["spec"])
        assert (site["start"], site["hosts"]) == (meta["root"], spec["hosts"])
        for one, other in zip(site["repositories"], spec["mounts"], strict=True):
            here = (one["name"], one["commit"], one.get("folder", ""), one.get("at", ""))
            assert here == (other["repo"], other["commit"], other["sub"], other["prefix"])
        assert {path: media_type(path) for path in types} == types
