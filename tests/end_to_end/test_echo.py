"""A site that repeats what it was sent: the user's headers stand in nothing that a run leaves."""

import base64
import gzip
import json
from pathlib import Path
from urllib.parse import quote

import pytest

from command import filon
from loopback import Page, csv, html, serving

PASSWORD = "hunter2/s3cr3t"
BASIC = base64.b64encode(f"me:{PASSWORD}".encode()).decode()
FORMS = {
    "as it is": PASSWORD,
    "JSON": json.dumps(PASSWORD).replace("/", "\\/"),
    "JSON, all of it": "".join(f"\\u{ord(letter):04x}" for letter in PASSWORD),
    "an address": quote(PASSWORD, safe=""),
    "base64": BASIC,
    "base64, alone": base64.b64encode(PASSWORD.encode()).decode(),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_header_that_is_repeated_stands_in_no_file(name: str, tmp_path: Path) -> None:
    form = FORMS[name]
    told = form.replace('"', "")
    pages = {
        "/": html("/a", "/data.csv", f"/{quote(told)}", title=told),
        "/a": Page(body=f"<title>{told}</title><a href='/b.csv'>{told}</a>".encode()),
        "/data.csv": Page(
            body=csv().body + f"key,{told}\n".encode(), headers={"Content-Type": "text/csv"}
        ),
        "/b.csv": Page(
            body=csv("b").body,
            headers={"Content-Type": "text/csv", "X-Echo": told, "Set-Cookie": f"a={told}"},
        ),
    }
    with serving(pages) as site:
        ended = filon(
            tmp_path, "harvest", site.url, "--delay", 0, "--out", "run", "--json",
            "--header", f"Authorization: Basic {BASIC}",
        )  # fmt: skip
        assert ended.code == 0, ended.err
        assert filon(tmp_path, "export", "run", "--to", "csv", "--out", "run/out.csv").code == 0
    assert ended.json["finds"] == 2
    held = [ended.out.encode(), ended.err.encode()]
    for path in (tmp_path / "run").rglob("*"):
        if path.is_file():
            body = path.read_bytes()
            held += [body, gzip.decompress(body) if path.suffix == ".gz" else b""]
    assert not [body[:80] for body in held if told.encode() in body]
    assert any(b"***" in body for body in held)
