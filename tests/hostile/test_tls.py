"""TLS is verified: expired, for another host, of an unknown root."""

import asyncio
import datetime
import ssl
from pathlib import Path

import pytest
import trustme

from filon.core import Request, Response, UserError
from filon.web import Live, Options
from hostile.server import Server

AUTHORITY = trustme.CA()
STRANGER = trustme.CA()
LONG_AGO = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)


def fetch(certificate: trustme.LeafCert, ca_file: str, *, insecure: bool = False) -> Response:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificate.configure_cert(context)

    async def run() -> Response:
        async with Server(tls=context) as server:
            web = Live(Options(connect_to=(server.rule,), ca_file=ca_file, insecure=insecure))
            try:
                return await web.fetch(Request(url=server.url("/")))
            finally:
                await web.close()

    return asyncio.run(run())


@pytest.fixture
def ca_file(tmp_path: Path) -> str:
    path = tmp_path / "ca.pem"
    AUTHORITY.cert_pem.write_to_path(str(path))
    return str(path)


def test_a_good_certificate_is_accepted_under_the_hosts_own_name(ca_file: str) -> None:
    answer = fetch(AUTHORITY.issue_cert("hostile.test"), ca_file)
    assert (answer.status, answer.error) == (200, "")


def test_an_expired_certificate_is_refused(ca_file: str) -> None:
    expired = AUTHORITY.issue_cert("hostile.test", not_after=LONG_AGO)
    answer = fetch(expired, ca_file)
    assert (answer.status, answer.error) == (0, "tls")
    assert "expired" in answer.detail


def test_a_certificate_for_another_host_is_refused(ca_file: str) -> None:
    answer = fetch(AUTHORITY.issue_cert("other.test"), ca_file)
    assert (answer.status, answer.error) == (0, "tls")
    assert "hostname mismatch" in answer.detail.lower()


def test_a_certificate_for_the_target_of_a_rule_is_not_enough(ca_file: str) -> None:
    assert fetch(AUTHORITY.issue_cert("127.0.0.1"), ca_file).error == "tls"


def test_an_unknown_root_is_refused(ca_file: str) -> None:
    answer = fetch(STRANGER.issue_cert("hostile.test"), ca_file)
    assert (answer.status, answer.error) == (0, "tls")
    assert fetch(STRANGER.issue_cert("hostile.test"), "").error == "tls"


def test_no_certificate_is_checked_where_the_user_insists() -> None:
    answer = fetch(STRANGER.issue_cert("other.test"), "", insecure=True)
    assert (answer.status, answer.error) == (200, "")


def test_a_host_that_speaks_no_tls_is_a_tls_failure() -> None:
    def say_plainly(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def run() -> Response:
        async with await asyncio.start_server(say_plainly, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            web = Live(Options(connect_to=(f"::127.0.0.1:{port}",)))
            try:
                return await web.fetch(Request(url="https://hostile.test/"))
            finally:
                await web.close()

    assert asyncio.run(run()).error == "tls"


def test_a_host_that_never_shakes_hands_is_a_timeout() -> None:
    async def run() -> Response:
        async with Server() as server:  # it waits for the end of a head that never comes
            web = Live(Options(connect_to=(server.rule,), connect_s=0.2))
            try:
                return await web.fetch(Request(url="https://hostile.test/"))
            finally:
                await web.close()

    assert asyncio.run(run()).error == "timeout"


def test_root_certificates_that_cannot_be_read_are_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        Live(Options(ca_file=str(tmp_path / "missing.pem")))
    (tmp_path / "empty.pem").write_text("nothing")
    with pytest.raises(UserError, match="cannot be read"):
        Live(Options(ca_file=str(tmp_path / "empty.pem")))
