"""A Web that knows the secrets: they are put in when a request leaves, and taken out of answers.

Everybody else sees `{secret:NAME}` and `{token:NAME}`: strategy, ledger, archive. A secret goes
to the origin it is for and to no other; one that is not known is left out with its parameter or
header. Tokens of OAuth2 client credentials are fetched through the same web.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, quote_plus

from filon.core import Request, Response, Web
from filon.page.url import origin
from filon.web.tokens import Grant, Tokens

_PLACE = re.compile(r"\{(secret|token):([^{}]+)\}")
#: A parameter of a URL whose value is a place; the "&" on one side goes with it.
_PARAMETER = re.compile(r"(?<=[?&])[^=&#?]+=[^&#]*\{(?:secret|token):[^{}]+\}[^&#]*(?:&|(?=#|$))")
#: What is shorter would be found in any text by chance: it is hidden in addresses only.
SHORTEST = 6


class Keyed:
    """Sends secrets along.

    secrets: by name. origins: where they may go, as "https://api.example.org"; a mapping says it
        for each, so that a link to one service cannot carry the key of another there.
    grants: the client credentials that tokens are had for.
    """

    def __init__(
        self,
        web: Web,
        secrets: Mapping[str, str],
        origins: Sequence[str] | Mapping[str, Sequence[str]] = (),
        grants: Sequence[Grant] = (),
        *,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.web = web
        self._secrets = {name: value for name, value in secrets.items() if value}
        homes = origins if isinstance(origins, Mapping) else dict.fromkeys(secrets, origins)
        self._homes = {name: frozenset(map(origin, told)) for name, told in homes.items()}
        self._origins: frozenset[str] = frozenset().union(*self._homes.values())
        self._tokens = Tokens(web, grants, self._secrets, clock=clock)

    async def fetch(self, request: Request) -> Response:
        """Answer a request whose places for secrets are filled on the way."""
        words: dict[str, str] = {}
        service = origin(request.url)
        if service in self._origins:
            words = {
                f"secret:{name}": value
                for name, value in self._secrets.items()
                if service in self._homes.get(name, ())
            }
            for name in self._asked(request):
                token = await self._tokens.get(name)
                if isinstance(token, Response):
                    return self._hide(replace(token, url=request.url), request)
                words[f"token:{name}"] = token
        response = await self.web.fetch(_fill(request, words))
        if response.status == 401 and self._tokens.withdraw(self._asked(request)):
            detail = "The service withdrew its token; the next call brings a new one."
            response = replace(response, status=0, body=b"", error="closed", detail=detail)
        return self._hide(response, request)

    async def close(self) -> None:
        """Close the web within."""
        await self.web.close()

    def _asked(self, request: Request) -> list[str]:
        texts = [request.url, *(value for _, value in request.headers)]
        return [name for text in texts for kind, name in _PLACE.findall(text) if kind == "token"]

    def _hide(self, response: Response, request: Request) -> Response:
        """Put the places back: what the service repeats of a secret is not written down."""
        hidden = self._hidden()
        if not hidden:
            return response
        if response.spool:
            _hide_file(Path(response.spool), hidden)
        return replace(
            response,
            url=request.url,
            headers=tuple((name, _hide_text(value, hidden)) for name, value in response.headers),
            detail=_hide_text(response.detail, hidden),
            body=_hide_bytes(response.body, hidden),
        )

    def _hidden(self) -> dict[str, str]:
        """All that must not be seen, in every way it may be written, and what stands for it."""
        told = {value: f"{{secret:{name}}}" for name, value in self._secrets.items()}
        told |= {value: f"{{token:{name}}}" for name, value in self._tokens.known.items()}
        forms = {
            form: place
            for value, place in told.items()
            for form in (value, quote(value, safe=""), quote_plus(value), quote(value))
        }
        return dict(sorted(forms.items(), key=lambda pair: (-len(pair[0]), pair[0])))


def _fill(request: Request, words: Mapping[str, str]) -> Request:
    url, headers = request.url, request.headers
    if "{" in url:
        url = _PARAMETER.sub(lambda hit: hit[0] if _known(hit[0], words) else "", url)
        url = _PLACE.sub(lambda hit: quote(words.get(hit[0][1:-1], ""), safe=""), url)
        url = re.sub(r"[?&](?=#|$)", "", url)
    if any("{" in value for _, value in headers):
        headers = tuple(
            (name, _PLACE.sub(lambda hit: words[hit[0][1:-1]], value))
            for name, value in headers
            if _known(value, words)
        )
    return replace(request, url=url, headers=headers)


def _known(text: str, words: Mapping[str, str]) -> bool:
    return all(f"{kind}:{name}" in words for kind, name in _PLACE.findall(text))


def _hide_text(text: str, hidden: Mapping[str, str]) -> str:
    for secret, place in hidden.items():
        if secret in text:
            text = text.replace(secret, place)
    return text


def _hide_bytes(body: bytes, hidden: Mapping[str, str]) -> bytes:
    for secret, place in hidden.items():
        if len(secret) >= SHORTEST and secret.encode() in body:
            body = body.replace(secret.encode(), place.encode())
    return body


def _hide_file(path: Path, hidden: Mapping[str, str]) -> None:
    body = path.read_bytes()
    clean = _hide_bytes(body, hidden)
    if clean != body:
        path.write_bytes(clean)
