"""Sites made of packages of manuals: a small package, made here."""

import gzip
import shutil
import subprocess
from pathlib import Path

import pytest

from experiments.manuals import files, main
from filon.compare.replica import Replica
from patience import PATIENCE_S

SITE = """
[small]
package = "small-doc"
folder = "usr/share/doc/small-doc"
start = "/"
requests = 99
"""
CONTROL = """Package: small-doc
Version: 1
Architecture: all
Maintainer: A <a@example.org>
Description: a manual
"""


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    top = tmp_path / "small"
    folder = top / "usr/share/doc/small-doc"
    (folder / "html").mkdir(parents=True)
    (folder / "html/index.html").write_text('<a href="table.csv">t</a> <img src="a.png">')
    (folder / "html/a.png").write_bytes(b"\x89PNG")
    (folder / "html/table.csv.gz").write_bytes(gzip.compress(b"a,b\n1,2\n"))
    (folder / "notes & more.txt").write_text("of the package")
    (top / "usr/share/data").mkdir()
    (top / "usr/share/data/other.txt").write_text("elsewhere in the package")
    (folder / "data").symlink_to("/usr/share/data")
    (folder / "outside").symlink_to("/etc")
    (folder / "round").symlink_to(".")
    return top


def test_a_manual_is_served_as_its_publisher_had_it(manual: Path) -> None:
    folder = manual / "usr/share/doc/small-doc"
    (folder / "round").unlink()
    found = dict(files(folder, manual))
    assert found["html/table.csv"] == b"a,b\n1,2\n"
    assert found["data/other.txt"] == b"elsewhere in the package"
    assert "html/a.png" not in found
    assert b'href="html/"' in found["index.html"]
    assert b'href="notes%20%26%20more.txt">notes &amp; more.txt' in found["index.html"]
    assert not any(name.startswith("outside") for name in found)


def test_links_that_go_round_in_circles_end(manual: Path) -> None:
    depths = [name.count("/") for name, _ in files(manual / "usr/share/doc/small-doc", manual)]
    assert max(depths) < 20


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="packages are opened by dpkg-deb")
def test_a_package_becomes_a_replica(
    manual: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (manual / "usr/share/doc/small-doc/round").unlink()
    (manual / "DEBIAN").mkdir()
    (manual / "DEBIAN/control").write_text(CONTROL)
    packages, sites = tmp_path / "packages", tmp_path / "sites.toml"
    packages.mkdir()
    sites.write_text(SITE)
    build = ["dpkg-deb", "--build", str(manual), str(packages / "small-doc_1_all.deb")]
    subprocess.run(build, check=True, capture_output=True, timeout=PATIENCE_S)
    asked = [str(tmp_path / "out"), "--sites", str(sites), "--packages", str(packages)]
    assert main(asked) == 0
    assert "(recorded: 99 requests)" in capsys.readouterr().out
    replica = Replica.open(tmp_path / "out/small.sqlite")
    assert [url.removeprefix("http://small.test/") for url in replica.targets()] == [
        "notes%20%26%20more.txt",
        "data/other.txt",
        "html/table.csv",
    ]


def test_a_site_that_nobody_knows_is_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path), "none"]) == 2
    assert "none" in capsys.readouterr().err
