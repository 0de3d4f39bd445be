"""A Web that knows the secrets: they are put in when a request leaves, and taken out of answers.

Everybody else sees `{secret:NAME}` and `{token:NAME}`: strategy, ledger, archive. A secret goes
to the origin it is for and to no other; one that is not known is left out with its parameter or
header. Tokens of OAuth2 client credentials are fetched through the same web.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import quote

from filon.core import Request, Response, Web
from filon.page.url import origin
from filon.web.masking import Mask
from filon.web.tokens import Grant, Tokens

_PLACE = re.compile(r"\{(secret|token):([^{}]+)\}")
#: A parameter of a URL whose value is a place; the "&" on one side goes with it.
_PARAMETER = re.compile(r"(?<=[?&])[^=&#?]+=[^&#]*\{(?:secret|token):[^{}]+\}[^&#]*(?:&|(?=#|$))")


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
        self._homes = {name: frozenset(map(origin, urls)) for name, urls in homes.items()}
        self._origins: frozenset[str] = frozenset().union(*self._homes.values())
        self._tokens = Tokens(web, grants, self._secrets, clock=clock)
        self._hidden: dict[str, str] = {}
        self._mask = Mask({})

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
        hidden = {value: f"{{secret:{name}}}" for name, value in self._secrets.items()}
        hidden |= {value: f"{{token:{name}}}" for name, value in self._tokens.known.items()}
        if hidden != self._hidden:
            self._hidden, self._mask = hidden, Mask(hidden)
        return replace(self._mask.response(response), url=request.url) if hidden else response


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
