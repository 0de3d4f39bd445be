"""What ends standard output under --json has the keys that scripts know."""

import pytest

from golden.commands import objects
from golden.expected import first_difference, held


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return objects(tmp_path_factory.mktemp("json"))


def test_all_commands_are_held(ended: dict[str, object]) -> None:
    assert ended.keys() == held("json").keys()


@pytest.mark.parametrize("name", held("json"))
def test_a_command_ends_with_the_same_object(name: str, ended: dict[str, object]) -> None:
    assert not first_difference(held("json")[name], ended[name])
