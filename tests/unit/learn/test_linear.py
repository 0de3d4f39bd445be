import numpy as np
import pytest

from filon.learn import CLASSIFIERS, bigrams
from filon.learn.bigrams import SIZE


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_learns_to_tell_files_from_pages_by_their_urls(name: str) -> None:
    model = CLASSIFIERS[name](SIZE)
    pages = [f"http://example.org/topic/{i}/about.html" for i in range(60)]
    files = [f"http://example.org/files/{i}/table.csv" for i in range(60)]
    lessons = [
        pair
        for p, f in zip(pages[:50], files[:50], strict=True)
        for pair in ((p, False), (f, True))
    ]
    for start in range(0, len(lessons), 10):
        model.learn([(bigrams(url), target) for url, target in lessons[start : start + 10]])
    assert all(model.score(bigrams(url)) > 0 for url in files[50:])
    assert all(model.score(bigrams(url)) <= 0 for url in pages[50:])


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_one_class_alone_is_predicted_for_all(name: str) -> None:
    model = CLASSIFIERS[name](SIZE)
    model.learn([(bigrams(f"http://example.org/page/{i}"), False) for i in range(10)])
    assert model.score(bigrams("http://example.org/page/77")) <= 0


def test_bigrams_count_each_pair_and_ignore_case() -> None:
    assert bigrams("AbAb").tolist() == bigrams("abab").tolist()
    assert len(bigrams("abab")) == 3


@pytest.mark.parametrize("text", ["", "a", "é", "\0\0"])
def test_texts_without_a_printable_pair_have_no_features(text: str) -> None:
    assert bigrams(text).size == 0


def test_pairs_across_other_characters_are_not_made() -> None:
    assert bigrams("aéb").size == 0
    assert bigrams("ab é cd").tolist() == np.concatenate([bigrams("ab "), bigrams(" cd")]).tolist()


def test_blocks_do_not_overlap() -> None:
    assert set(bigrams("~~", 0).tolist()).isdisjoint(bigrams("  ", 1).tolist())
    assert bigrams("~~", 1).max() < 2 * SIZE
