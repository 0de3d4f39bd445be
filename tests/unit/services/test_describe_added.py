"""Sources, search services and portals of an installed package are found by their names."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = """
import re
from pathlib import Path

from filon.core import Request
from filon.core.portal import Dataset, File, Listing
from filon.portals.signals import Signals
from filon.services.search import build

FILE = Path(__file__).with_name("books.toml")
TEXT = FILE.read_text("utf-8").replace('"books"', '"told"')


def twin(parameters):
    return build("datacite", parameters)


class Quarry:
    name = "quarry"
    signals = Signals(body=((re.compile("made with quarry"), 3),))

    def confirm(self, root):
        return Request(url=f"{root}/quarry.json")

    def confirmed(self, response):
        return response.url.removesuffix("/quarry.json") if response.ok else ""

    def begin(self, base):
        return Request(url=f"{base}/quarry.json?all")

    def read(self, response):
        return Listing(datasets=(Dataset(id="1", files=(File(url="http://a.org/1.csv"),)),))
"""
SOURCE = """
name = "books"
about = "Books."
[request]
url = "https://books.example/search"
keywords = "q"
[paging]
size = 10
[answer]
results = "$.hits"
url = "$.link"
fields = { title = "$.title" }
"""
POINTS = """
[filon.sources]
books = stranger:FILE
read = stranger:TEXT

[filon.searchers]
twin = stranger:twin

[filon.portals]
quarry = stranger:Quarry
"""
LOOK = """
import json
from filon.core import Response
from filon.portals import ADAPTERS
from filon.portals.fingerprint import guess, places
from filon.services.search import SEARCHERS, build
from filon.services.describe import shipped
from filon.services.source import Source

page = Response(url="http://a.org/x", status=200, body=b"<p>made with quarry")
print(json.dumps({
    "sources": [Source.load(name).request("bees").url for name in ("books", "read")],
    "searched": build("books").request("keyword", "bees").url,
    "searchers": [name for name in SEARCHERS if name not in ("local", "registry")],
    "twin": build("twin").request("keyword", "bees").url,
    "portals": list(ADAPTERS),
    "places": places(guess(page)),
    "files": [f.url for d in ADAPTERS["quarry"].read(page).datasets for f in d.files],
    "shipped": shipped(),
}))
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A package as an installer leaves it: a module, a file, and its entry points."""
    (tmp_path / "stranger.py").write_text(MODULE)
    (tmp_path / "books.toml").write_text(SOURCE)
    about = tmp_path / "stranger-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(POINTS)
    return tmp_path


def test_an_installed_package_adds_sources_searchers_and_portals(installed: Path) -> None:
    path = os.pathsep.join([str(installed), *filter(None, [os.environ.get("PYTHONPATH")])])
    ended = subprocess.run(
        [sys.executable, "-c", LOOK],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    seen = json.loads(ended.stdout)
    url = "https://books.example/search?q=bees"
    assert seen["sources"] == [url, url]
    assert seen["searched"] == url
    assert "twin" in seen["searchers"]
    assert seen["twin"].startswith("https://api.datacite.org/")
    assert seen["portals"][-1] == "quarry"
    assert seen["places"][0] == ["quarry", "http://a.org"]
    assert seen["files"] == ["http://a.org/1.csv"]
    assert "books" not in seen["shipped"]
