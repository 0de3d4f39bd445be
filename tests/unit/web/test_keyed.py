"""Secrets go where they are for, and stand in nothing that comes back."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from filon.core import Request, Response
from filon.web.keyed import Keyed
from filon.web.tokens import Grant

HERE = "https://api.test"
SECRET = "s3cr3t/+ t0ken"
Answer = Callable[[Request], Response]


class Inner:
    """A web that answers by a function and remembers what it was asked."""

    def __init__(self, answer: Answer) -> None:
        self.asked: list[Request] = []
        self._answer = answer

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request)
        await asyncio.sleep(0)
        return self._answer(request)

    async def close(self) -> None:
        pass


def ok(request: Request) -> Response:
    return Response(url=request.url, status=200, body=b"{}", at_s=1.0)


def fetch(web: Keyed, *requests: Request) -> list[Response]:
    async def run() -> list[Response]:
        return list(await asyncio.gather(*map(web.fetch, requests)))

    return asyncio.run(run())


def test_a_secret_is_put_into_address_and_header() -> None:
    inner = Inner(ok)
    web = Keyed(inner, {"K": SECRET}, [HERE])
    request = Request(
        url=f"{HERE}/?q=a&k={{secret:K}}#x=1", headers=(("Authorization", "Bearer {secret:K}"),)
    )
    (answer,) = fetch(web, request)
    assert inner.asked[0].url == f"{HERE}/?q=a&k=s3cr3t%2F%2B%20t0ken#x=1"
    assert inner.asked[0].headers == (("Authorization", f"Bearer {SECRET}"),)
    assert answer.url == request.url


def test_of_several_secrets_each_goes_to_its_own_service_only() -> None:
    inner, there = Inner(ok), "https://other.test"
    web = Keyed(inner, {"K": SECRET, "L": "0ther-key"}, {"K": [HERE], "L": [there]})
    urls = [f"{at}/?q={{secret:K}}&r={{secret:L}}" for at in (HERE, there)]
    fetch(web, *(Request(url=url) for url in urls))
    assert [asked.url for asked in inner.asked] == [
        f"{HERE}/?q=s3cr3t%2F%2B%20t0ken",
        f"{there}/?r=0ther-key",
    ]


@pytest.mark.parametrize(
    "url",
    ["http://api.test/", "https://api.test:8443/", "https://evil.test/", "https://api.test.evil/"],
)
def test_a_secret_goes_to_its_origin_and_to_no_other(url: str) -> None:
    inner = Inner(ok)
    headers = (("X-Key", "{secret:K}"), ("Accept", "x"))
    fetch(
        Keyed(inner, {"K": SECRET}, [HERE]), Request(url=f"{url}?k={{secret:K}}", headers=headers)
    )
    assert (inner.asked[0].url, inner.asked[0].headers) == (url, (("Accept", "x"),))


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("/?k={secret:N}", "/"),
        ("/?k={secret:N}&q=a", "/?q=a"),
        ("/?q=a&k={secret:N}", "/?q=a"),
        ("/?q=a&k={secret:N}#f=1", "/?q=a#f=1"),
        ("/?q=a&k={secret:N}&z=b", "/?q=a&z=b"),
    ],
)
def test_a_secret_that_is_not_known_is_left_out(url: str, sent: str) -> None:
    inner = Inner(ok)
    request = Request(url=HERE + url, headers=(("Authorization", "Bearer {secret:N}"),))
    fetch(Keyed(inner, {"K": SECRET, "N": ""}, [HERE]), request)
    assert (inner.asked[0].url, inner.asked[0].headers) == (HERE + sent, ())


def test_what_the_service_repeats_of_a_secret_is_hidden(tmp_path: Path) -> None:
    spool = tmp_path / "whole"
    spool.write_bytes(b"next=?k=" + SECRET.encode())

    def echo(request: Request) -> Response:
        said = f'{{"next": "{request.url}", "key": "{SECRET}"}}'.encode()
        return Response(
            url=request.url,
            status=200,
            body=said,
            headers=(("Link", f"<{request.url}>; rel=next"), ("X", SECRET)),
            detail=f"failed at {request.url}",
            spool=str(spool),
        )

    (answer,) = fetch(
        Keyed(Inner(echo), {"K": SECRET}, [HERE]), Request(url=f"{HERE}/?k={{secret:K}}")
    )
    assert "s3cr3t" not in repr(answer)
    assert json.loads(answer.body)["next"] == f"{HERE}/?k={{secret:K}}"
    assert spool.read_bytes() == b"next=?k={secret:K}"


def test_a_short_secret_does_not_spoil_the_body() -> None:
    def echo(request: Request) -> Response:
        return Response(url=request.url, status=200, body=b"a tea", headers=(("X", "tea"),))

    (answer,) = fetch(
        Keyed(Inner(echo), {"K": "tea"}, [HERE]), Request(url=f"{HERE}/?k={{secret:K}}")
    )
    assert (answer.body, answer.header("x")) == (b"a tea", "{secret:K}")


class Authority:
    """A service with client credentials: counts the tokens it gives, and forgets them at will."""

    def __init__(self, lasts_s: int = 3600) -> None:
        self.given = 0
        self.good: set[str] = set()
        self.lasts_s = lasts_s

    def __call__(self, request: Request) -> Response:
        if request.url == "https://login.test/token":
            form = parse_qs(request.body.decode())
            assert form["grant_type"] == ["client_credentials"]
            if form["client_secret"] != [SECRET]:
                return Response(url=request.url, status=400, body=b'{"error": "invalid_client"}')
            self.given += 1
            token = f"token-number-{self.given}"
            self.good.add(token)
            said = {"access_token": token, "token_type": "bearer", "expires_in": self.lasts_s}
            return Response(url=request.url, status=200, body=json.dumps(said).encode(), at_s=1.0)
        token = dict(request.headers)["Authorization"].removeprefix("Bearer ")
        status = 200 if token in self.good else 401
        return Response(url=request.url, status=status, body=f'"{token}"'.encode(), at_s=1.0)


def oauth(inner: Inner, clock: Callable[[], float], secret: str = SECRET) -> Keyed:
    grant = Grant(name="ID", url="https://login.test/token", secret="SEC", scope="read")
    return Keyed(inner, {"ID": "me", "SEC": secret}, [HERE], [grant], clock=clock)


CALL = Request(url=f"{HERE}/?q=a", headers=(("Authorization", "Bearer {token:ID}"),))


def test_a_token_is_fetched_once_and_hidden() -> None:
    authority, now = Authority(), [0.0]
    inner = Inner(authority)
    web = oauth(inner, lambda: now[0])
    answers = fetch(web, CALL, CALL, CALL)
    assert [answer.status for answer in answers] == [200, 200, 200]
    assert authority.given == 1
    assert "token-number" not in repr(answers)
    assert answers[0].body == b'"{token:ID}"'


def test_a_token_is_renewed_before_it_ends() -> None:
    authority, now = Authority(lasts_s=100), [0.0]
    web = oauth(Inner(authority), lambda: now[0])
    for moment, given in ((0.0, 1), (69.0, 1), (71.0, 2)):
        now[0] = moment
        assert fetch(web, CALL)[0].status == 200
        assert authority.given == given


def test_a_token_that_was_withdrawn_is_a_passing_failure() -> None:
    authority = Authority()
    web = oauth(Inner(authority), lambda: 0.0)
    fetch(web, CALL)
    authority.good.clear()
    assert fetch(web, CALL)[0].error == "closed"
    assert fetch(web, CALL)[0].status == 200
    assert authority.given == 2


def test_refused_client_credentials_are_a_wrong_key() -> None:
    inner = Inner(Authority())
    (answer,) = fetch(oauth(inner, lambda: 0.0, "wrong-secret"), CALL)
    assert (answer.url, answer.status, answer.error) == (CALL.url, 401, "")
    assert "refused to give a token" in answer.detail
    assert len(inner.asked) == 1


@pytest.mark.parametrize("broken", [b"", b"[]", b'{"access_token": ""}', b'{"expires_in": 3}'])
def test_an_odd_token_answer_is_a_wrong_key(broken: bytes) -> None:
    inner = Inner(lambda request: Response(url=request.url, status=200, body=broken))
    assert fetch(oauth(inner, lambda: 0.0), CALL)[0].status == 401


def test_a_token_service_that_is_down_is_not_a_wrong_key() -> None:
    down = Inner(lambda request: Response(url=request.url, error="connect", detail="refused"))
    (answer,) = fetch(oauth(down, lambda: 0.0), CALL)
    assert (answer.url, answer.error, answer.status) == (CALL.url, "connect", 0)
    busy = Inner(lambda request: Response(url=request.url, status=503))
    assert fetch(oauth(busy, lambda: 0.0), CALL)[0].status == 503
