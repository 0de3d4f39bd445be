"""What one run of many may spend."""

import asyncio

from filon.core import Account, Budget, Request, Response
from filon.verbs.acquire.share import Share

REQUEST = Request(url="http://a.test/")


class _Whole:
    def __init__(self, budget: str) -> None:
        self.account = Account(Budget.parse(budget), 4)
        self.heard: list[str] = []

    def elapsed_s(self) -> float:
        return 7.0

    def left(self, name: str, request: Request) -> None:
        self.heard.append(f"left {name}")

    def came(self, name: str, response: Response) -> None:
        self.heard.append(f"came {name}")

    def returned(self, name: str) -> None:
        self.heard.append(f"returned {name}")


def test_a_run_waits_until_it_is_given_a_turn_and_a_request_takes_it() -> None:
    whole = _Whole("5req")
    share = Share("a", whole, lambda: "")
    assert share.refusal(0) == "wait"
    share.give()
    assert share.refusal(0) == ""
    grant = share.grant(REQUEST, 0)
    assert share.refusal(0) == "wait"
    share.settle(grant, Response(url=REQUEST.url, status=200), 1, 0)
    assert whole.heard == ["left a", "came a"]
    assert (whole.account.spent.requests, whole.account.spent.finds) == (1, 1)
    assert share.spent.seconds == 7.0


def test_all_runs_spend_from_one_account() -> None:
    whole = _Whole("1req")
    first, second = Share("a", whole, lambda: ""), Share("b", whole, lambda: "")
    first.give()
    second.give()
    grant = first.grant(REQUEST, 0)
    assert second.refusal(0) == "wait"
    first.settle(grant, Response(url=REQUEST.url, status=200), 0, 0)
    assert second.refusal(0) == "budget"


def test_a_run_may_have_a_bound_of_its_own() -> None:
    share = Share("a", _Whole("9req"), lambda: "", sent=2, most=2)
    share.give()
    assert share.is_capped
    assert share.refusal(0) == "budget"


def test_an_answer_that_was_at_hand_does_not_count_for_its_bound() -> None:
    share = Share("a", _Whole("9req"), lambda: "", most=1)
    share.give()
    grant = share.grant(REQUEST, 0)
    share.settle(grant, Response(url=REQUEST.url, status=200, sent="cached"), 0, 0)
    assert not share.is_capped


def test_what_a_discovery_finds_is_not_what_the_whole_is_after() -> None:
    whole = _Whole("9req,1finds")
    share = Share("discover", whole, lambda: "", counts=False)
    share.give()
    share.settle(share.grant(REQUEST, 0), Response(url=REQUEST.url, status=200), 3, 0)
    assert whole.account.spent.finds == 0


def test_a_turn_that_cannot_be_used_now_is_handed_back() -> None:
    whole = _Whole("9req,1finds")
    first, second = Share("a", whole, lambda: ""), Share("b", whole, lambda: "")
    first.give()
    second.give()
    first.grant(REQUEST, 0)
    assert second.refusal(0) == "wait"  # the answer of the first may be the last find
    assert whole.heard[-1] == "returned b"
    assert not second.open


def test_when_all_is_over_a_run_at_its_gate_is_told() -> None:
    over: list[str] = []
    share = Share("a", _Whole("9req"), lambda: "".join(over))

    async def wait() -> str:
        waiting = asyncio.ensure_future(share.turn())
        await asyncio.sleep(0)
        over.append("budget")
        share.give()
        await waiting
        return share.refusal(0)

    assert asyncio.run(wait()) == "budget"
