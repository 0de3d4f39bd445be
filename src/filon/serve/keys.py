"""Keys of services: they go to the keyring of the system, and never to a page or a file."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from aiohttp import web

from filon.core import UserError
from filon.core.background import in_thread
from filon.serve.page import page
from filon.serve.words import t
from filon.services.describe import locked
from filon.verbs import keyring

routes = web.RouteTableDef()


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A key that services may want.

    place: where it is: "environment", "keyring", or "" for nowhere. What it is, nobody is told.
    """

    name: str
    services: Sequence[str]
    about: str
    required: bool
    place: str


def secrets() -> list[Secret]:
    """Return the keys that the shipped services know, those that are needed first."""
    wanted: dict[str, list[str]] = {}
    about: dict[str, tuple[str, bool]] = {}
    for name, service in locked().items():
        key = service.key
        for secret in filter(None, (key.client, key.secret)):
            wanted.setdefault(secret, []).append(service.search.service or name)
            about[secret] = key.about, key.required
    found = [
        Secret(
            name=name,
            services=sorted(set(services)),
            about=about[name][0],
            required=about[name][1],
            place=_place(name),
        )
        for name, services in wanted.items()
    ]
    return sorted(found, key=lambda secret: (not secret.required, secret.name))


def _place(name: str) -> str:
    if os.environ.get(name, "").strip():
        return "environment"
    return "keyring" if keyring.read(name) else ""


@routes.get("/keys")
async def keys(request: web.Request) -> web.Response:
    """Show which keys are known, and where; none is shown itself."""
    return await page(
        request,
        "keys.html",
        secrets=await in_thread(secrets),
        can_keep=await in_thread(keyring.is_there),
        command=["keyring", "set", keyring.KEYRING, "NAME"],
    )


@routes.post("/keys")
async def change(request: web.Request) -> web.Response:
    """Keep a key, or forget it."""
    form = await request.post()
    name = str(form.get("name", ""))
    if name not in {secret.name for secret in await in_thread(secrets)}:
        raise web.HTTPNotFound
    if form.get("do") == "forget":
        await in_thread(keyring.forget, name)
    elif not await in_thread(keyring.is_there):
        raise UserError(t("keys.no_keyring"))
    else:
        await in_thread(keyring.keep, name, str(form.get("secret", "")))
    raise web.HTTPSeeOther("/keys")
