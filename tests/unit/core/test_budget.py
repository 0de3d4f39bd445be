from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.core import Account, Budget, Request, Response, UserError
from filon.core.response import Sent

REQUEST = Request(url="http://example.org/")


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("300", Budget(requests=300)),
        ("2000req,1GiB,2h,50finds", Budget(requests=2000, bytes=2**30, seconds=7200, finds=50)),
        (" 5 MB , 1.5h ", Budget(bytes=5_000_000, seconds=5400)),
        ("90s", Budget(seconds=90)),
        ("10min", Budget(seconds=600)),
        ("1d", Budget(seconds=86400)),
        ("1.5kB", Budget(bytes=1500)),
        ("7FINDS", Budget(finds=7)),
    ],
)
def test_reads_any_mix_of_bounds(text: str, budget: Budget) -> None:
    assert Budget.parse(text) == budget


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lots",
        "10 parsecs",
        "-5",
        "0",
        "0req",
        "5,6",
        "1e3",
        ",",
        "0s",
        f"{10**400}",
        f"{10**400}h",
    ],
)
def test_refuses_nonsense_in_one_sentence(text: str) -> None:
    with pytest.raises(UserError) as caught:
        Budget.parse(text)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["30d", "300req", "1GiB", "1537MiB", "5GB", "2h", "90min", "10req,5B,3s,2finds", "0.5s"],
)
def test_is_written_as_it_is_typed(text: str) -> None:
    assert str(Budget.parse(text)) == text


@given(
    st.builds(
        Budget,
        requests=st.none() | st.integers(1, 10**9),
        bytes=st.none() | st.integers(1, 2**50),
        seconds=st.none() | st.integers(1, 10**8).map(float),
        finds=st.integers(1, 10**9),
    )
)
def test_what_is_written_is_read_as_the_same(budget: Budget) -> None:
    assert Budget.parse(str(budget)) == budget


def answer(size: int) -> Response:
    return Response(url=REQUEST.url, status=200, wire_bytes=size)


def test_a_request_is_spent_when_it_is_granted() -> None:
    account = Account(Budget(requests=2), parallel=8)
    grants = [account.grant(REQUEST, 0) for _ in range(2)]
    assert account.refusal(0) == "wait"
    account.settle(grants[0], answer(10), 0, 0)
    assert account.refusal(0) == "wait"
    account.settle(grants[1], answer(10), 0, 0)
    assert account.refusal(0) == "budget"


def test_a_request_whose_answer_was_at_hand_is_given_back() -> None:
    account = Account(Budget(requests=1), parallel=8)
    grant = account.grant(REQUEST, 0)
    assert account.refusal(0) == "wait"
    account.settle(grant, replace(answer(10), sent="cached"), 0, 0)
    assert account.refusal(0) == ""


def test_bytes_in_flight_are_reserved_and_given_back() -> None:
    account = Account(Budget(bytes=1000), parallel=4)
    grants = [account.grant(REQUEST, 0) for _ in range(4)]
    assert sum(grant.request.max_bytes for grant in grants) <= 1000
    assert account.refusal(0) == "wait"
    account.settle(grants[0], answer(10), 0, 0)
    assert account.refusal(0) == ""
    for grant in grants[1:]:
        account.settle(grant, answer(grant.request.max_bytes), 0, 0)
    while not account.refusal(0):
        grant = account.grant(REQUEST, 0)
        account.settle(grant, answer(grant.request.max_bytes), 0, 0)
    assert account.refusal(0) == "budget"
    assert account.spent.bytes <= 1000


def test_a_find_is_reserved_for_each_request_in_flight() -> None:
    account = Account(Budget(finds=2), parallel=8)
    grants = [account.grant(REQUEST, 0), account.grant(REQUEST, 0)]
    assert account.refusal(0) == "wait"
    account.settle(grants[0], answer(1), 1, 0)
    assert account.refusal(0) == "wait"
    account.settle(grants[1], answer(1), 1, 0)
    assert account.refusal(0) == "goal"


def test_time_bounds_what_is_left_for_a_request() -> None:
    account = Account(Budget(seconds=10))
    assert account.grant(REQUEST, 4).request.max_s == 6
    assert account.refusal(10) == "budget"


def cut() -> Response:
    return Response(url=REQUEST.url, status=200, cut="budget", size_bytes=10**6)


def test_after_an_answer_that_did_not_fit_the_next_has_all_that_is_left() -> None:
    account = Account(Budget(bytes=1000), parallel=4)
    first, second = account.grant(REQUEST, 0), account.grant(REQUEST, 0)
    account.settle(first, cut(), 0, 0)
    assert account.refusal(0) == "wait"
    account.settle(second, answer(100), 0, 0)
    assert account.refusal(0) == ""
    assert account.grant(REQUEST, 0).request.max_bytes == 900
    assert account.refusal(0) == "wait"


def test_bytes_into_which_nothing_fits_are_spent() -> None:
    account = Account(Budget(bytes=1000), parallel=1)
    asked = 0
    while not account.refusal(0):
        asked += 1
        account.settle(account.grant(REQUEST, 0), cut(), 0, 0)
        assert asked < 20
    assert account.refusal(0) == "budget"
    assert asked > 5


def test_a_request_cut_at_its_own_bound_says_nothing_about_its_share() -> None:
    account = Account(Budget(bytes=1000), parallel=4)
    grant = account.grant(Request(url=REQUEST.url, max_bytes=10, begins=True), 0)
    account.settle(grant, cut(), 0, 0)
    assert not account.alone


@pytest.mark.parametrize("sent", ["cached", "withheld"])
def test_a_request_that_did_not_leave_is_given_back_to_the_budget(sent: Sent) -> None:
    account = Account(Budget.parse("1"))
    grant = account.grant(Request(url="http://a.org/"), 0.0)
    account.settle(grant, Response(url="http://a.org/", status=200, sent=sent), 0, 0.0)
    assert account.spent.requests == 0
    assert account.refusal(0.0) == ""


def test_what_comes_besides_bodies_is_spent_and_leaves_no_room_for_less() -> None:
    account = Account(Budget(bytes=1_000))
    account.settle(
        account.grant(REQUEST, 0.0),
        Response(url=REQUEST.url, wire_bytes=100, extra_bytes=300),
        0,
        0.0,
    )
    assert account.spent.bytes == 400
    assert account.refusal(0.0) == ""
    grant = account.grant(REQUEST, 0.0)
    assert (grant.request.max_bytes, grant.request.line_bytes) == (600, 600)
    account.settle(grant, Response(url=REQUEST.url, extra_bytes=300), 0, 0.0)
    assert account.refusal(0.0) == "budget", "300 bytes are left, as many as a head takes"


def test_slots_share_so_that_each_has_room_for_a_head() -> None:
    account = Account(Budget(bytes=1_000), parallel=8)
    account.settle(account.grant(REQUEST, 0.0), Response(url=REQUEST.url, extra_bytes=200), 0, 0.0)
    shares = []
    while not account.refusal(0.0):
        shares.append(account.grant(REQUEST, 0.0).share_bytes)
    assert sum(shares) <= 800
    assert all(share > 200 for share in shares)
