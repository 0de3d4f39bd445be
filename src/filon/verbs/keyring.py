"""Secrets in the keyring of the user's system, where services' keys are read from."""

from filon.core import UserError

try:
    import keyring
    from keyring.backends.fail import Keyring as NoKeyring
    from keyring.errors import KeyringError
except ImportError:  # an optional extra
    keyring = None  # type: ignore[assignment]

#: The service under which entries stand in the keyring; the user is the name of the variable.
KEYRING = "filon"


def is_there() -> bool:
    """Say whether this machine has a keyring that could be asked."""
    return bool(keyring) and not isinstance(keyring.get_keyring(), NoKeyring)


def read(name: str) -> str:
    """Return a secret; "" where there is none, or no keyring that can be asked."""
    if not keyring:
        return ""
    try:
        return keyring.get_password(KEYRING, name) or ""
    except (KeyringError, RuntimeError):  # no keyring on this machine, or it stays locked
        return ""


def keep(name: str, secret: str) -> None:
    """Put a secret into the keyring, in place of an older one; a UserError where it cannot be."""
    if not secret.strip().isprintable() or not secret.strip():
        raise UserError("A key is a text that can be sent: this one is empty or has odd letters.")
    if not keyring:
        raise UserError("Keys are kept by the package keyring: install filon[keyring].")
    try:
        keyring.set_password(KEYRING, name, secret.strip())
    except (KeyringError, RuntimeError) as error:
        reason = str(error).partition("\n")[0].rstrip(". ") or "it stays locked"
        raise UserError(
            f"The keyring of this machine cannot be used ({reason}): set the environment variable"
            f" {name} instead."
        ) from None


def forget(name: str) -> None:
    """Take a secret out of the keyring; nothing happens where there is none."""
    if not keyring:
        return
    try:
        keyring.delete_password(KEYRING, name)
    except (KeyringError, RuntimeError):  # it is not there, and that is what is wanted
        return
