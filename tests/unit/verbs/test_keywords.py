from pathlib import Path
from typing import Any

import pytest

from filon.verbs.discover import DiscoverSettings
from filon.verbs.harvest import HarvestSettings
from filon.verbs.keywords import takes_old_words


@takes_old_words(DiscoverSettings)
def told(**words: Any) -> dict[str, Any]:
    return words


def test_an_old_keyword_is_passed_on_by_todays_word_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match="delay_s is now delay"):
        assert told(delay_s=2.0, topic="bees") == {"delay": 2.0, "topic": "bees"}
    with pytest.warns(DeprecationWarning, match="searchers is now search"):
        assert told(searchers="datacite") == {"search": "datacite"}
    with pytest.warns(DeprecationWarning, match="verify_tls is now insecure"):
        assert told(verify_tls=False) == {"insecure": True}


def test_todays_words_need_no_warning() -> None:
    assert told(delay=2.0, search=()) == {"delay": 2.0, "search": ()}


def test_a_keyword_takes_what_its_flag_takes(tmp_path: Path) -> None:
    (tmp_path / "headers.txt").write_text("Cookie: a=b\n")
    given = {
        "max_size": "2MB",
        "header": f"@{tmp_path / 'headers.txt'}",
        "budget": 300,
        "set": None,
    }
    values = HarvestSettings.values(given)
    assert values == {"max_size": 2_000_000, "header": ("Cookie: a=b",), "budget": "300"}


def test_a_keyword_that_is_none_is_refused() -> None:
    with pytest.raises(TypeError, match="'retriez'"):
        HarvestSettings.values({"retriez": 5})
