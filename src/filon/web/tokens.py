"""Access tokens of OAuth2 client credentials (RFC 6749, section 4.4): fetched, kept, renewed."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from filon.core import Request, Response, Web
from filon.page.values import read_json

#: A token is renewed so long before it ends: the request that carries it takes its time.
EARLY_S = 30.0
#: For a service that does not say how long a token lasts.
DEFAULT_S = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """How a token is had. name: what `{token:NAME}` calls it, and the secret with the client's id.

    secret: the name of the secret that goes with it.
    """

    name: str
    url: str
    secret: str
    scope: str = ""


@dataclass(slots=True)
class _Token:
    text: str
    until_s: float
    served: bool = False


class Tokens:
    """Has a token for each grant. The clock is for tests: seconds, from anywhere."""

    def __init__(
        self,
        web: Web,
        grants: Sequence[Grant],
        secrets: Mapping[str, str],
        *,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._web = web
        self._grants = {grant.name: grant for grant in grants}
        self._secrets = secrets
        self._clock = clock or time.monotonic
        self._held: dict[str, _Token] = {}
        self._old: dict[str, str] = {}
        self._lock = asyncio.Lock()

    @property
    def known(self) -> dict[str, str]:
        """The tokens that answers may repeat, by name."""
        return self._old | {name: token.text for name, token in self._held.items()}

    async def get(self, name: str) -> str | Response:
        """Return a token that is good, or the answer that says why there is none."""
        async with self._lock:  # several requests at once need one token, not one each
            token = self._held.get(name)
            if token is None or token.until_s <= self._clock():
                answer = await self._fetch(self._grants[name])
                if isinstance(answer, Response):
                    return answer
                token = self._held[name] = answer
            else:
                token.served = True
            return token.text

    def withdraw(self, names: Sequence[str]) -> bool:
        """Forget tokens that were refused; say whether they had been good before."""
        served = [name for name in names if name in self._held and self._held[name].served]
        for name in served:
            self._old[name] = self._held.pop(name).text
        return bool(served)

    async def _fetch(self, grant: Grant) -> _Token | Response:
        form = {
            "grant_type": "client_credentials",
            "client_id": self._secrets.get(grant.name, ""),
            "client_secret": self._secrets.get(grant.secret, ""),
            "scope": grant.scope,
        }
        body = urlencode({name: text for name, text in form.items() if text}).encode()
        headers = (
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("Accept", "application/json"),
        )
        answer = await self._web.fetch(
            Request(url=grant.url, method="POST", headers=headers, body=body)
        )
        if answer.error or answer.status >= 500 or answer.status == 429:
            return replace(answer, body=b"", detail=answer.detail or "No token could be had.")
        return self._read(answer) or Response(
            url=answer.url,
            status=401,
            detail="The service refused to give a token for these client credentials.",
            at_s=answer.at_s,
            took_s=answer.took_s,
            wire_bytes=answer.wire_bytes,
            extra_bytes=answer.extra_bytes,
        )

    def _read(self, answer: Response) -> _Token | None:
        try:
            token = read_json(answer.body) if answer.ok else {}
            text, lasts_s = str(token["access_token"]), float(token.get("expires_in") or DEFAULT_S)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
            return None
        return _Token(text, self._clock() + max(0.0, lasts_s - EARLY_S)) if text else None
