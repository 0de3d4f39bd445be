"""CSW and OAI-PMH against the real pycsw, in a Python of its own: it pins old libraries.

PYCSW_PYTHON names a Python where `pip install pycsw "sqlalchemy<2"` was done.
"""

import asyncio
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from filon.portals import ADAPTERS, Dataset, Walk
from filon.web import Live, Options
from patience import PATIENCE_S, wait_until

PYTHON = os.environ.get("PYCSW_PYTHON", "")
pytestmark = pytest.mark.skipif(not PYTHON, reason="PYCSW_PYTHON names no Python with pycsw")
COUNT = 253

CONFIG = """
[server]
home={folder}
url=http://127.0.0.1:{port}/csw
maxrecords=100
encoding=UTF-8
language=en-US
mimetype=application/xml; charset=UTF-8
profiles=apiso
[manager]
transactions=false
[metadata:main]
identification_title=Rivers
identification_abstract=Rivers and lakes
provider_name=Office of Water
provider_url=http://a.test/
contact_email=a@a.test
{others}
[repository]
database=sqlite:///{folder}/records.db
table=records
"""
#: It answers with an error where one of these is missing.
_OTHERS = """
    identification_keywords identification_keywords_type identification_fees
    identification_accessconstraints contact_name contact_position contact_address contact_city
    contact_stateorprovince contact_postalcode contact_country contact_phone contact_fax
    contact_url contact_hours contact_instructions contact_role
"""
OTHERS = _OTHERS.split()
RECORD = """<csw:Record xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dct="http://purl.org/dc/terms/">
<dc:identifier>set-{n:04}</dc:identifier><dc:title>Rivers {n}</dc:title>
<dc:type>{kind}</dc:type><dc:subject>water</dc:subject>
<dct:references scheme="WWW:DOWNLOAD-1.0-http--download">http://a.test/{n}.csv</dct:references>
<dct:references scheme="OGC:WMS">http://a.test/wms?service=WMS</dct:references>
<dct:modified>2025-01-01</dct:modified><dct:abstract>All of them</dct:abstract></csw:Record>"""
SERVE = """
from wsgiref.simple_server import make_server
from pycsw.wsgi import application
make_server("127.0.0.1", {port}, application).serve_forever()
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A pycsw with 253 records, one of them a service."""
    folder = tmp_path_factory.mktemp("pycsw")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    config = folder / "default.cfg"
    others = "\n".join(f"{name}=None" for name in OTHERS)
    config.write_text(CONFIG.format(folder=folder, port=port, others=others))
    (folder / "xml").mkdir()
    for n in range(1, COUNT + 1):
        kind = "service" if n == COUNT else "dataset"
        (folder / "xml" / f"{n}.xml").write_text(RECORD.format(n=n, kind=kind))
    admin = [PYTHON, str(Path(PYTHON).with_name("pycsw-admin.py")), "-f", str(config), "-c"]
    subprocess.run([*admin, "setup_db"], check=True, timeout=PATIENCE_S, capture_output=True)
    load = [*admin, "load_records", "-p", str(folder / "xml")]
    subprocess.run(load, check=True, timeout=PATIENCE_S, capture_output=True)
    environment = os.environ | {"PYCSW_CONFIG": str(config), "PYCSW_ROOT": str(folder)}
    with subprocess.Popen(
        [PYTHON, "-c", SERVE.format(port=port)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            wait(port)
            yield f"http://127.0.0.1:{port}/csw"
        finally:
            server.terminate()


def wait(port: int) -> None:
    def listens() -> bool:
        with socket.socket() as visitor:
            return visitor.connect_ex(("127.0.0.1", port)) == 0

    wait_until(listens)


def walk(name: str, root: str) -> tuple[list[Dataset], int]:
    adapter = ADAPTERS[name]

    async def run() -> tuple[list[Dataset], int]:
        live = Live(Options(allow_hosts=("127.0.0.1",)))

        try:
            base = adapter.confirmed(await live.fetch(adapter.confirm(root)))
            assert base, adapter
            way = Walk(adapter, base)
            found: list[Dataset] = []
            while request := way.next():
                page = way.take(await live.fetch(request))
                assert page.problem == "", page.detail
                found += page.datasets
            return found, way.calls
        finally:
            await live.close()

    return asyncio.run(run())


def test_all_datasets_and_files_are_listed_and_services_are_not(root: str) -> None:
    found, calls = walk("csw", root)
    assert {dataset.id for dataset in found} == {f"set-{n:04}" for n in range(1, COUNT)}
    files = {file.url for dataset in found for file in dataset.files}
    assert files == {f"http://a.test/{n}.csv" for n in range(1, COUNT)}
    assert calls == 3


def test_the_same_records_come_by_oai_pmh(root: str) -> None:
    found, calls = walk("oai-pmh", f"{root}?mode=oaipmh")
    assert len({dataset.id for dataset in found}) == COUNT - 1
    assert calls == 7, "six of fifty; one more, as it refuses a token that stands alone"
