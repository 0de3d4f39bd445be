import pytest

from filon import __version__
from filon.core import UserError
from filon.web import Options, user_agent


def test_the_user_agent_is_honest_and_holds_the_contact() -> None:
    assert Options().user_agent == user_agent() == f"filon/{__version__}"
    assert user_agent("mailto:me@example.org") == f"filon/{__version__} (+mailto:me@example.org)"
    assert user_agent("http://x.org)\r\nHost: y") == f"filon/{__version__} (+http://x.org) Host: y)"


@pytest.mark.parametrize("proxy", ["socks5://a:1", "localhost:3128", "ftp://a/"])
def test_a_proxy_that_is_not_understood_is_the_users_mistake(proxy: str) -> None:
    with pytest.raises(UserError, match="proxy"):
        Options(proxy=proxy)


def test_a_wrong_rule_is_seen_at_once() -> None:
    with pytest.raises(UserError, match="--connect-to"):
        Options(connect_to=("nonsense",))


def test_headers_need_an_origin() -> None:
    with pytest.raises(ValueError, match="origin"):
        Options(headers=(("A", "b"),))
