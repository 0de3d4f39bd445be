"""A keyring in memory, in place of the system's."""

from collections.abc import Iterator
from contextlib import contextmanager

import keyring
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError


class Drawer(KeyringBackend):
    """Keeps passwords by service and user. locked: it refuses to be asked."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise KeyringLocked
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError


@contextmanager
def opened() -> Iterator[Drawer]:
    """Let the system's keyring be a drawer."""
    before = keyring.get_keyring()
    drawer = Drawer()
    keyring.set_keyring(drawer)
    try:
        yield drawer
    finally:
        keyring.set_keyring(before)
