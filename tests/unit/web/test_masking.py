"""A secret is found however it is written, and nothing else is touched."""

import base64
import html
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.core import Response
from filon.web.masking import MASK, Mask, secrets_of
from fuzzing import examples

SECRET = 's3cr3t/+ t"ök&en'
WAYS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON in UTF-8": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "JSON of PHP": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
    "JSON in JSON": lambda text: json.dumps(json.dumps(text)[1:-1])[1:-1].replace("\\\\u", "\\u"),
    "JSON, all of it": lambda text: "".join(
        f"\\u{int.from_bytes(unit):04x}"
        for unit in (lambda raw: [raw[n : n + 2] for n in range(0, len(raw), 2)])(
            text.encode("utf-16-be")
        )
    ),
    "an address": lambda text: quote(text, safe=""),
    "a path": quote,
    "a form": quote_plus,
    "an address in an address": lambda text: quote(quote(text, safe=""), safe=""),
    "an address, all of it": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "an address in small letters": lambda text: quote(text, safe="").lower()
    if text.islower()
    else quote(text, safe=""),
    "a page": html.escape,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 after a name": lambda text: base64.b64encode(f"me:{text}".encode()).decode(),
    "base64 within": lambda text: base64.b64encode(f"user:{text}, and more".encode()).decode(),
    "base64 of addresses": lambda text: base64.urlsafe_b64encode(f"x{text}".encode()).decode(),
    "base64 in an address": lambda text: quote(base64.b64encode(text.encode()).decode(), safe=""),
}  # fmt: skip
WAYS["base64 in JSON of PHP"] = lambda text: WAYS["base64"](text).replace("/", "\\/")
every_way = pytest.mark.parametrize("way", WAYS)


@every_way
def test_a_secret_is_hidden_however_it_is_written(way: str) -> None:
    written = WAYS[way](SECRET)
    mask = Mask({SECRET: MASK})
    hidden = mask.body(f"<p>before {written} after</p>".encode()).decode()
    assert MASK in hidden
    assert written not in hidden
    assert hidden.startswith("<p>before ")
    assert hidden.endswith(" after</p>")
    assert MASK in mask.text(f"https://a.org/?k={written}")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=8, max_size=40))
@examples(15)
def test_any_secret_is_hidden_however_it_is_written(secret: str) -> None:
    mask = Mask({secret: MASK})
    for way, write in WAYS.items():
        assert MASK in mask.text(f"<{write(secret)}>"), way


@given(st.binary(max_size=200))
@examples(100)
def test_what_holds_no_secret_stays(body: bytes) -> None:
    mask = Mask({SECRET: MASK, "an0ther-one": MASK})
    assert mask.body(body) == body


def test_the_longer_of_two_is_hidden_whole() -> None:
    mask = Mask({"token-1": "{a}", "token-1-and-more": "{b}"})
    assert mask.text("token-1-and-more, token-1") == "{b}, {a}"


def test_a_short_one_is_hidden_in_headers_only() -> None:
    mask = Mask({"abc": MASK})
    response = Response(url="http://a.org/", headers=(("X", "k=abc"),), body=b"abc")
    hidden = mask.response(response)
    assert (hidden.headers, hidden.body) == ((("X", "k=***"),), b"abc")


@every_way
def test_a_long_file_is_cleaned_in_place(way: str, tmp_path: Path) -> None:
    file = tmp_path / "body-1.part"
    written = WAYS[way](SECRET).encode()
    file.write_bytes(b"a,b\n" * 50_000 + written + b"\n" + b"c,d\n" * 50_000 + written)
    Mask({SECRET: MASK}).file(file)
    clean = file.read_bytes()
    assert written not in clean
    assert clean.count(MASK.encode()) == 2
    assert clean.startswith(b"a,b\n" * 50_000)
    assert [path.name for path in tmp_path.iterdir()] == ["body-1.part"]


def test_an_empty_file_and_one_without_secrets_stay(tmp_path: Path) -> None:
    for body in (b"", b"nothing here"):
        (tmp_path / "x").write_bytes(body)
        Mask({SECRET: MASK}).file(tmp_path / "x")
        assert (tmp_path / "x").read_bytes() == body


@pytest.mark.parametrize(
    ("header", "secrets"),
    [
        (("Authorization", "Bearer abcdef"), {"Bearer abcdef", "abcdef"}),
        (("X-Api-Key", "abcdef"), {"abcdef"}),
        (("Cookie", "sid=abc123; theme=dark; long=qwertyui"),
         {"sid=abc123; theme=dark; long=qwertyui", "long=qwertyui", "abc123", "qwertyui"}),
        (("X-Team", "statistics"), {"statistics"}),
        (("X-Team", "public"), set()),
        (("Accept-Language", "en-GB,en;q=0.9"), set()),
        (("User-Agent", "my own crawler"), set()),
        (("Referer", "https://example.org/"), set()),
    ],
)  # fmt: skip
def test_what_is_secret_of_a_header(header: tuple[str, str], secrets: set[str]) -> None:
    assert set(secrets_of([header])) == secrets


def test_the_password_of_a_proxy_is_secret() -> None:
    assert [*secrets_of([], "http://me:hunter22@proxy.org:3128/")] == ["hunter22"]
    assert [*secrets_of([], "http://proxy.org:3128/")] == []
