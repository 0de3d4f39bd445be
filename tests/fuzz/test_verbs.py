"""Any answer to any verb: no run crashes, none is lost, and all can be looked at."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from fuzz.keys import KEYS
from fuzz.odd import Twist, twists
from fuzz.runs import TALLIES, TWISTED, VERBS, run
from fuzzing import examples

#: The first answers are as they should be, so that a run comes to something, and one in four later.
nothing: st.SearchStrategy[list[Twist]] = st.just([])
honest = st.lists(nothing, max_size=6)
odd = st.lists(twists(), min_size=1, max_size=2)
answers = st.builds(
    lambda first, rest: [*first, *rest],
    honest,
    st.lists(st.one_of(odd, odd, odd, nothing), min_size=TWISTED, max_size=TWISTED),
)


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "cache.sqlite"))
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)


@pytest.mark.parametrize("verb", VERBS)
def test_no_answer_ends_a_run(verb: str) -> None:
    @given(st.integers(0, 1_000), answers)
    @settings(examples(6), phases=[Phase.generate])  # a run is too long to be shrunk by trying
    def fuzz(which: int, twisted: list[list[Twist]]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            run(verb, Path(folder), which, twisted)

    fuzz()
    print(f"{verb}: {TALLIES[verb]}")
    assert TALLIES[verb].answers
