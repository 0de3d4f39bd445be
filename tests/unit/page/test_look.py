import random

import pytest

from filon.page.look import begins_page, is_page, text_of

PAGE = b"<!DOCTYPE html><html><head>"


@pytest.mark.parametrize("before", [b"", b"<!-- x -->\n", b"<?xml version='1.0'?> <!-- -->"])
def test_a_page_is_told_by_its_first_bytes(before: bytes) -> None:
    assert begins_page(before + PAGE + b" " * 512 + "é".encode() * 9000)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"a,b\n1,2",
        b"<p>a piece",
        b" " + PAGE,
        PAGE + b"\x00",
        PAGE + b"x" * 9000 + b"\x01",
        b"<!-- " + b"x" * 506 + b"<header>",
    ],
)
def test_what_the_first_bytes_leave_open_is_not_called_a_page(body: bytes) -> None:
    assert not begins_page(body)


def test_what_is_told_by_the_first_bytes_is_what_the_whole_tells() -> None:
    chance, found = random.Random(3), 0
    parts = [b"<!--", b"-->", b"<head", b"er>", b"<html>", b" ", b"\xc3", b"\x00", b"x" * 120]
    for _ in range(20_000):
        body = b"".join(chance.choices(parts, k=chance.randrange(9)))
        text = text_of(body)
        if begins_page(body):
            found += 1
            assert text is not None
            assert is_page(text), body
    assert found > 100


def test_a_name_that_the_cut_makes_a_page_of_is_none() -> None:
    for spare in range(20):
        body = b"<!--" + b"x" * (500 - spare) + b"-->" + b"<header>"
        assert not begins_page(body)
