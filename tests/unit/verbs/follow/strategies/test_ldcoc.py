import pytest

from filon.core import UserError
from filon.verbs.follow.strategies import OPTIONS, Brief, build
from toyweb import SEED


def refusal(name: str, **options: str) -> str:
    with pytest.raises(UserError) as refused:
        build(name, Brief(seeds=(SEED,), options=options))
    return str(refused.value)


def test_an_option_that_a_strategy_has_not_is_refused() -> None:
    assert refusal("lode", tau="0.5").startswith("The strategy lode has no option 'tau': it has")
    assert refusal("bfs", tau="0.5") == "The strategy bfs has no option 'tau': it has none."


def test_a_switch_is_on_or_off() -> None:
    assert refusal("lode", model="maybe") == "The option model is on or off, not 'maybe'."


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("tau", "high"), ("tau", "1.5"), ("tau", "nan"), ("epsilon", "0"), ("epsilon", "7")),
        *(("bits", "99"), ("bits", "2.5"), ("alpha", "0"), ("l1", "-1"), ("features", "qq")),
        ("features", ""),
    ],
)
def test_a_value_that_cannot_be_is_refused_in_one_sentence(option: str, value: str) -> None:
    assert refusal("ldcoc", **{option: value}).startswith(f"The option {option} is ")


def test_every_default_is_taken_as_it_is_written_down() -> None:
    for name in ("lode", "ldcoc"):
        told = {option: str(value) for option, value in OPTIONS[name].items()}
        assert build(name, Brief(seeds=(SEED,), options=told)).propose() is not None
