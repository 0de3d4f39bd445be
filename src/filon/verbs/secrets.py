"""Keys of search services: from the environment or the keyring, and from nowhere else."""

import os
from collections.abc import Mapping
from typing import Protocol

from filon.core import UserError, Web
from filon.services.shape import Key
from filon.web.keyed import Keyed
from filon.web.tokens import Grant

#: The service under which entries stand in the keyring; the user is the name of the variable.
KEYRING = "filon"


class Locked(Protocol):
    """A service that may want a key: a source of `filon enrich`, or a searcher of discovery."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def key(self) -> Key:
        """How it knows its users."""

    @property
    def origin(self) -> str:
        """Where its key goes, and nowhere else."""


def secrets_of(source: Locked, environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the secrets that a source asks for, by name; an error where a required one lacks."""
    key = source.key
    if key.how == "none":
        return {}
    names = [key.client, key.secret] if key.how == "oauth2" else [key.secret]
    env = os.environ if environment is None else environment
    found = {name: env.get(name, "").strip() or _from_keyring(name) for name in names}
    for name, value in found.items():
        if not value and key.required:
            about = f" ({key.about})" if key.about else ""
            raise UserError(
                f"{source.name} needs a key{about}: set the environment variable {name}, or keep "
                f"it in the keyring with keyring set {KEYRING} {name}."
            )
        if not value.isprintable():
            raise UserError(f"The key {name} has characters that cannot be sent.")
    return {name: value for name, value in found.items() if value}


def keyed(web: Web, *services: Locked, environment: Mapping[str, str] | None = None) -> Web:
    """Return a web that sends each service its secrets along; the same web where none has any."""
    locked = [service for service in services if service.key.how != "none"]
    if not locked:
        return web
    secrets: dict[str, str] = {}
    homes: dict[str, list[str]] = {}
    grants = []
    for service in locked:
        key, found = service.key, secrets_of(service, environment)
        secrets |= found
        for name in found:
            homes.setdefault(name, []).append(service.origin)
        if key.how == "oauth2":
            grant = Grant(name=key.client, url=key.token_url, secret=key.secret, scope=key.scope)
            grants.append(grant)
    return Keyed(web, secrets, homes, grants)


def _from_keyring(name: str) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:  # an optional extra
        return ""
    try:
        return keyring.get_password(KEYRING, name) or ""
    except (KeyringError, RuntimeError):  # no keyring on this machine, or it stays locked
        return ""
