import pytest

from filon.cli.app import load
from filon.cli.commands import gather
from filon.core import UserError
from filon.verbs.acquire import AcquireSettings
from filon.verbs.follow import FollowSettings
from filon.verbs.harvest import HarvestSettings
from filon.verbs.option import Typed, arguments, values
from filon.verbs.settings import Settings

CASES: list[tuple[str, type[Settings], Typed]] = [
    ("harvest", HarvestSettings, {"url_": "https://a.test/", "budget_": "300", "robots_": True}),
    ("harvest", HarvestSettings, {"url_": "a.test", "include_": ["/a/*", "-x"], "delay_": 0.5}),
    ("acquire", AcquireSettings, {"topic_": ["--no-robots bees"], "per_site_": 9}),
    ("follow", FollowSettings, {"seeds_": ["http://a.test/"], "set_": ["a=1", "b=c"]}),
]


@pytest.mark.parametrize(("name", "settings", "typed"), CASES)
def test_the_command_line_asks_for_the_same(
    name: str, settings: type[Settings], typed: Typed
) -> None:
    with load(name).make_context(name, arguments(settings, typed)) as context:
        assert gather(settings, dict(context.params)) == values(settings, typed)


def test_what_was_not_asked_for_is_left_out() -> None:
    typed: Typed = {"url_": "a.test", "budget_": None, "include_": [], "robots_": False}
    assert arguments(HarvestSettings, typed) == ["a.test"]


def test_an_empty_text_is_refused() -> None:
    with pytest.raises(UserError, match="--budget is empty"):
        values(HarvestSettings, {"url_": "a.test", "budget_": ""})
    with pytest.raises(UserError, match=r"^URL is empty"):  # there is no flag --url
        values(HarvestSettings, {"url_": ""})
