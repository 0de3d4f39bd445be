import math

import pytest

from filon.compare.oracles import NAMES
from filon.compare.variants import expand
from filon.core import UserError
from filon.verbs.harvest.strategies import OPTIONS


def test_all_means_every_strategy_once() -> None:
    labels = [variant.label for variant in expand(["sb", "all", "bfs"])]
    assert sorted(labels) == sorted(NAMES)


def test_the_ablation_switches_off_one_part_of_vein_at_a_time() -> None:
    whole, *parts = expand(["ablation"])
    assert whole.options == ()
    assert {part.options for part in parts} == {((name, "off"),) for name in OPTIONS["vein"]}


def test_a_run_may_stop_by_itself_and_have_several_requests_in_flight() -> None:
    (variant,) = expand(["vein:stop=auto:parallel=8"])
    assert dict(variant.options) == {"stop": "auto", "parallel": 8.0}


def test_options_stand_behind_the_name() -> None:
    (variant,) = expand(["sb:alpha=0.1:model=nb"], {"n": 3})
    assert variant.label == "sb alpha=0.1 model=nb"
    assert dict(variant.options) == {"alpha": 0.1, "model": "nb", "n": 3.0}


def test_table_4_varies_one_parameter_of_the_oracle_at_a_time() -> None:
    variants = expand(["table4"])
    assert len(variants) == 9
    assert {variant.strategy for variant in variants} == {"sb-oracle"}
    # The default stands in each of the three parts and is run once.
    assert len({variant.run for variant in variants}) == 7


def test_table_5_has_eight_classifiers() -> None:
    variants = expand(["table5"])
    assert [variant.label for variant in variants][::4] == ["URL_ONLY-LR", "URL_CONT-LR"]
    assert len({variant.run for variant in variants}) == 8


def test_a_default_said_aloud_is_the_same_run() -> None:
    spoken, silent = expand([f"sb:alpha={2 * math.sqrt(2)}:theta=0.75", "sb"])
    assert spoken.run == silent.run


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("bsf", "no strategy 'bsf'"),
        ("sb:alpha", "not understood"),
        ("sb:beta=1", "no option 'beta'"),
        ("sb:n=two", "needs a number"),
    ],
)
def test_mistakes_are_told_in_a_sentence(word: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        expand([word])
    with pytest.raises(UserError, match="No strategy"):
        expand([])
