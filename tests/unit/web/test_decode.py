import gzip
import random
import zlib
from collections.abc import Callable
from functools import cache

import brotli
import pytest
from backports import zstd

from filon.web.decode import BombError, BrokenError, Decoder, decoder

TEXT = bytes(random.Random(1).choices(b"abc,\n", k=300_000))
CODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "GZIP": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda text: brotli.compress(text, quality=3),
    "zstd": zstd.compress,
    "gzip, br": lambda text: brotli.compress(gzip.compress(text), quality=3),
    "identity": bytes,
    "": bytes,
    "klingon": bytes,
}


@cache
def coded(codings: str) -> bytes:
    """TEXT in these codings."""
    return CODERS[codings](TEXT)


def decode(codings: str, body: bytes, step: int) -> bytes:
    decoding = Decoder(codings)
    pieces = [b"".join(decoding.feed(body[i : i + step])) for i in range(0, len(body), step)]
    decoding.finish()
    return b"".join(pieces)


@pytest.mark.parametrize("step", [7, 5000, 10**6])
@pytest.mark.parametrize("codings", CODERS)
def test_a_body_is_decoded_however_it_is_cut_up(codings: str, step: int) -> None:
    assert decode(codings, coded(codings), step) == TEXT


def test_deflate_without_its_wrapper_is_understood() -> None:
    bare = zlib.compressobj(wbits=-15)
    assert decode("deflate", bare.compress(TEXT) + bare.flush(), 1000) == TEXT


@pytest.mark.parametrize("step", [1, 1000])
def test_several_members_are_one_body(step: int) -> None:
    assert decode("gzip", gzip.compress(b"one") + gzip.compress(b"two"), step) == b"onetwo"
    assert decode("zstd", zstd.compress(b"one") + zstd.compress(b"two"), step) == b"onetwo"


@pytest.mark.parametrize("step", [1, 1000])
@pytest.mark.parametrize("rest", [b"\0" * 100, b"\n", b"garbage"])
def test_what_follows_the_last_gzip_member_is_ignored(rest: bytes, step: int) -> None:
    assert decode("gzip", gzip.compress(b"one") + rest, step) == b"one"


@pytest.mark.parametrize("codings", ["gzip", "deflate", "br", "zstd", "gzip, br"])
def test_a_body_that_ends_early_is_broken(codings: str) -> None:
    with pytest.raises(BrokenError, match="ends early"):
        decode(codings, coded(codings)[:-20], 1000)


@pytest.mark.parametrize("codings", ["gzip", "br", "zstd", "deflate"])
def test_a_body_that_is_not_what_it_says_is_broken(codings: str) -> None:
    with pytest.raises(BrokenError):
        decode(codings, b"<html>This is no compressed body at all.</html>", 1000)


@pytest.mark.parametrize("codings", ["gzip", "deflate", "br", "zstd"])
def test_an_empty_body_is_empty_in_any_coding(codings: str) -> None:
    assert decode(codings, b"", 1000) == b""


def test_more_than_two_layers_are_a_bomb() -> None:
    with pytest.raises(BombError, match="3 times over"):
        Decoder("gzip, br, gzip")


def test_a_body_that_compresses_well_is_no_bomb() -> None:
    table = b"0,0,0,0,0,0,0,0\n" * 50_000
    assert decode("gzip", gzip.compress(table), 1000) == table


def test_a_bomb_is_seen_before_more_than_the_bound_is_made() -> None:
    pieces: list[bytes] = []
    bomb = Decoder("gzip", bound_bytes=1_000_000).feed(gzip.compress(bytes(50_000_000)))
    with pytest.raises(BombError):
        pieces.extend(bomb)
    assert sum(map(len, pieces)) <= 1_000_000


def test_a_gzip_file_that_is_called_gzip_twice_stays_the_file() -> None:
    assert decoder("gzip", "application/gzip", 10**6) is None
    assert decoder("gzip", "text/csv", 10**6) is not None
    assert decoder("identity", "text/csv", 10**6) is None
