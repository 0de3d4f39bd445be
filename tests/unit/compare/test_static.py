"""The recorded sites answer as the data folder's own server does, path for path."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from urllib.parse import quote

import pytest

from filon.compare.static import StaticSite
from filon.core import UserError
from replicas import write_replica

NAMES = ("armdata", "canadasdg", "cantabria", "ipho", "onssdg", "skimage", "smtcomp")


@pytest.fixture(scope="module")
def model(shared: Path) -> Iterator[ModuleType]:
    """The data folder's own account of what a site answers."""
    file = shared / "data/harvest/replica.py"
    spec = importlib.util.spec_from_file_location("shared_replica", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["shared_replica"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["shared_replica"]


def variants(path: str) -> Iterator[str]:
    """Ways, right and wrong, to ask for a page."""
    plain = "/" + quote(path)
    yield plain
    yield plain.removesuffix(".html")
    yield plain.rpartition("/")[0]
    yield plain.rpartition("/")[0] + "/"
    yield plain + "/"
    yield plain + "?page=2&x=/y"
    yield plain.replace("/", "//")
    yield "/./" + path
    yield "/nowhere/.." + plain
    yield plain + "x"


@pytest.mark.parametrize("name", NAMES)
def test_answers_equal_those_of_the_data_folders_own_server(
    name: str, shared: Path, model: ModuleType
) -> None:
    file = shared / f"data/harvest/replicas/{name}.sqlite"
    ours, theirs = StaticSite(file), model.Site(file, {})
    host = f"{name}.test"
    asked = ["/", "//", "", "/robots.txt", "/favicon.ico", "/%20", "/index.html", "/.."]
    for path in sorted(theirs.pages)[:: max(1, len(theirs.pages) // 120)]:
        asked.extend(variants(path))
    seen = set()
    for path in asked:
        head = ours.look(f"http://{host}{path}")
        reply = theirs.reply("GET", path.partition("?")[0] or "/", host)
        assert (head.status, head.mime) == (reply.status, reply.mime), path
        assert head.location == reply.headers.get("Location", ""), path
        assert ours.load(head).data == reply.body, path
        seen.add(head.status)
    assert len(asked) > 1000
    assert {200, 301, 404} <= seen
    ours.close()
    theirs.db.close()


def test_a_host_that_is_not_recorded_is_refused(shared: Path) -> None:
    site = StaticSite(shared / "data/harvest/replicas/ipho.sqlite")
    assert site.look("http://elsewhere.test/").status == 400
    assert b"Unknown host" in site.load(site.look("http://elsewhere.test/")).data
    assert site.look("http://IPHO.test:8080/").status == 200
    assert site.look("https://ipho.test/").status == 0
    site.close()


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 100])
def test_a_file_that_is_no_replica_is_the_users_mistake(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "site.sqlite"
    file.write_bytes(content)
    with pytest.raises(UserError, match="is not a replica of a site"):
        StaticSite(file)


def test_links_to_where_the_site_was_published_lead_to_the_recorded_one(tmp_path: Path) -> None:
    links = (
        b"http://orig.example/a HTTPS://Orig.Example/b //orig.example/c 'https://orig.example'",
        b"http://orig.examples/d https://not-orig.example/e /f xhttp://orig.example/g",
        b"//orig.example//orig.example/h http://orig.example",
    )
    file = write_replica(tmp_path, pages={"index.html": ("text/html", b"\n".join(links))})
    site = StaticSite(file)
    moved = (
        b"http://portal.test/a http://portal.test/b http://portal.test/c 'http://portal.test'",
        b"http://orig.examples/d https://not-orig.example/e /f xhttp://portal.test/g",
        b"http://portal.testhttp://portal.test/h http://portal.test",
    )
    assert site.load(site.look("http://portal.test/")).data == b"\n".join(moved)
    site.close()
