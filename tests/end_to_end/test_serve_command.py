"""`filon serve` as a person starts it: another process, its first address, its end."""

import http.client
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email.message import Message
from pathlib import Path

import pytest
import trustme

from command import FILON, environment, filon

PASSWORD = "correct horse battery"


@contextmanager
def served(
    folder: Path, *arguments: str, **more: str
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a server; give the address that it prints and its process."""
    process = subprocess.Popen(
        [*FILON, "serve", *arguments, "--no-open"],
        cwd=folder,
        env={**environment(), **more},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        yield process.stdout.readline().partition("  ")[0], process
    finally:
        process.kill()
        process.communicate()


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Message
    body: bytes


def ask(address: str, tls: ssl.SSLContext | None = None, **headers: str) -> Answer:
    host, _, path = address.partition("://")[2].partition("/")
    connection = (
        http.client.HTTPSConnection(host, timeout=60, context=tls)
        if tls
        else http.client.HTTPConnection(host, timeout=60)
    )
    with closing(connection):
        connection.request("GET", f"/{path}", headers=headers)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())


def test_the_address_that_is_printed_lets_in_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    with served(tmp_path, "--port", "0") as (address, process):
        first = ask(address)
        assert first.status == 303
        assert first.headers["Location"] == "/"
        cookie = first.headers["Set-Cookie"].partition(";")[0]
        page = address.partition("?")[0]
        assert ask(page).status == 401
        assert b"Filon" in ask(page, Cookie=cookie).body
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only there is all of 127.0.0.0/8 loopback")
def test_it_listens_on_this_machine_only_unless_told_otherwise(tmp_path: Path) -> None:
    """Another address of the machine finds nobody; with --host 0.0.0.0 it would."""

    def reached(address: str) -> bool:
        port = int(address.partition("?")[0].rstrip("/").rpartition(":")[2])
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.2", port)) == 0

    with served(tmp_path, "--port", "0") as (address, _):
        assert not reached(address)
    everywhere = ("--port", "0", "--host", "0.0.0.0", "--password")
    with served(tmp_path, *everywhere, FILON_PASSWORD=PASSWORD) as (address, _):
        assert reached(address)


def test_a_port_that_is_taken_is_told_in_one_sentence(tmp_path: Path) -> None:
    with served(tmp_path, "--port", "0") as (address, _):
        port = address.partition("?")[0].rstrip("/").rpartition(":")[2]
        ended = filon(tmp_path, "serve", "--port", port, "--no-open")
    assert ended.code == 4
    assert ended.sentence.startswith(f"127.0.0.1 port {port} cannot be had: it is in use")


def test_others_are_let_in_with_a_password_only(tmp_path: Path) -> None:
    ended = filon(tmp_path, "serve", "--host", "0.0.0.0", "--no-open")
    assert ended.code == 2
    assert "--password" in ended.sentence


@pytest.mark.skipif(sys.platform == "win32", reason="reads standard error line by line")
def test_a_team_is_told_what_travels_unencrypted(tmp_path: Path) -> None:
    arguments = ("--host", "0.0.0.0", "--port", "0", "--password")
    with served(tmp_path, *arguments, FILON_PASSWORD=PASSWORD) as (address, process):
        assert "token" not in address
        assert process.stderr
        assert "Without --tls-cert" in process.stderr.readline()
        assert ask(address).status == 401


def test_tls_is_spoken_with_a_certificate(tmp_path: Path) -> None:
    authority = trustme.CA()
    made = authority.issue_cert("127.0.0.1")
    made.private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "both.pem"))
    context = ssl.create_default_context()
    authority.configure_trust(context)
    arguments = ("--port", "0", "--tls-cert", "both.pem", "--tls-key", "both.pem")
    with served(tmp_path, *arguments) as (address, _):
        assert address.startswith("https://127.0.0.1:")
        answer = ask(address, context)
        assert answer.status == 303
        assert answer.headers["Set-Cookie"].startswith("__Host-filon-")
        assert "Secure" in answer.headers["Set-Cookie"]
        assert "Strict-Transport-Security" in answer.headers
