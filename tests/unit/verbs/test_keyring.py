"""Keys are kept in the keyring and nowhere else; one that cannot be used is said in a sentence."""

from collections.abc import Iterator

import keyring as system
import pytest
from keyring.backends.fail import Keyring as NoKeyring

from filon.core import UserError
from filon.verbs import keyring
from keyrings import Drawer, opened


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    with opened() as drawer:
        yield drawer


def test_a_key_is_kept_read_and_forgotten(drawer: Drawer) -> None:
    keyring.keep("OWN_KEY", " s3cret ")
    assert drawer.kept == {("filon", "OWN_KEY"): "s3cret"}
    assert keyring.read("OWN_KEY") == "s3cret"
    keyring.forget("OWN_KEY")
    keyring.forget("OWN_KEY")
    assert keyring.read("OWN_KEY") == ""


@pytest.mark.parametrize("secret", ["", "  ", "two\nlines", "\x00"])
def test_what_cannot_be_sent_is_not_kept(drawer: Drawer, secret: str) -> None:
    with pytest.raises(UserError, match="can be sent"):
        keyring.keep("OWN_KEY", secret)
    assert drawer.kept == {}


def test_a_machine_without_a_keyring_says_so_in_a_sentence(drawer: Drawer) -> None:
    system.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]
    assert keyring.read("OWN_KEY") == ""
    keyring.forget("OWN_KEY")
    with pytest.raises(UserError, match="environment variable OWN_KEY") as told:
        keyring.keep("OWN_KEY", "s3cret")
    assert "s3cret" not in str(told.value)
    assert "\n" not in str(told.value)
