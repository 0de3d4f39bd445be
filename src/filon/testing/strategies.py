"""What every strategy promises, whatever it is for: the same steps, nothing twice, no surprise."""

import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle, islice, pairwise

from filon.core import Budget, Response, Step, Strategy, Web
from filon.page.url import key
from filon.run.checkpoint import Checkpoint, dump, load
from filon.testing.answers import ANSWERS
from filon.testing.case import Case, answer, named, run

#: After how many answers a state is taken, and how many steps are in flight then.
_CUTS = (0, 1, 2, 13, 40, 90)
_WIDTHS = (1, 5)
#: From which answer on all are wrong.
_WRONG_FROM = (0, 1, 12)
#: In a mix every third answer is wrong, and each kind of wrong answer is given twice.
_THIRD, _TURNS = 3, 2
#: Steps that are tried with wrong answers where a strategy need not end by itself.
_SOME = 40
#: Of so many steps one has its answer late.
_LATE = 8
#: Steps that are compared between processes, and after a state was restored.
_COMPARED = 300
#: What is found at least where some answers fail in passing, and how many steps that may take.
_NEARLY, _LONGEST = 0.9, 2000


def ensure(holds: bool, complaint: str) -> None:
    """Raise an AssertionError unless something holds."""
    if not holds:
        raise AssertionError(complaint)


def asks_nothing_twice_and_stays_in_its_scope(case: Case) -> None:
    """Each request is made once, however many are in flight, and all are allowed."""
    for parallel in (1, 8):
        steps = run(case, parallel=parallel).steps
        ensure(bool(steps), "no step was proposed")
        counts = Counter((s.request.method, key(s.request.url), s.request.body) for s in steps)
        most, times = counts.most_common(1)[0]
        ensure(case.repeats or times == 1, f"{most} was asked for {times} times")
        outside = [step.request.url for step in steps if not case.allows(step.request.url)]
        ensure(not outside, f"out of scope: {outside[:3]}")


def keeps_its_budget(case: Case) -> None:
    """Requests and finds stay below their bounds, with many requests in flight."""
    for budget in ("1", "7", "37", "5finds", "3kB"):
        bound = Budget.parse(budget)
        memory = run(case, budget, parallel=8)
        ensure(len(memory.steps) >= 1, f"nothing was asked under a budget of {budget}")
        ensure(len(memory.steps) <= (bound.requests or len(memory.steps)), f"{budget}: overspent")
        most = bound.finds + case.at_once - 1 if bound.finds else len(memory.finds)
        ensure(len(memory.finds) <= most, f"{budget}: overspent")


def says_why(case: Case) -> None:
    """Each step has a reason in words; nothing is found twice."""
    memory = run(case)
    for step in memory.steps:
        ensure(bool(step.reason.kind and step.reason.text), f"no reason for {step.request.url}")
        ensure("{" not in step.reason.text, f"not for people: {step.reason.text}")
    found = Counter((find.kind, find.url, find.name) for find in memory.finds)
    ensure(not found or max(found.values()) == 1, f"found twice: {found.most_common(1)}")


def goes_on_from_its_state(case: Case) -> None:
    """After state and restore, through the bytes of a checkpoint, the next steps are the same.

    A twin is restored from its own state again and again: what one restore lost, the steps up to
    the end show.
    """
    for width in _WIDTHS:
        web, strategy = _begun(case)
        twin, flying = strategy, list[Step]()
        for cut, until in pairwise((*_CUTS, _CUTS[-1] + _COMPARED)):
            twin = _restored(case, web, twin)
            place = f"restored last after {cut} answers with {width} in flight"
            _compare(web, strategy, twin, place, flying, width, until - cut)


def takes_an_answer_that_comes_late(case: Case) -> None:
    """A step for which the run's time did not suffice is answered by a later session: all goes on.

    Others are asked for meanwhile, and the answer comes after a state was stored and restored.
    """
    web, strategy = _begun(case)
    late: list[Step] = []
    asked: set[tuple[str, str, bytes]] = set()
    for number in range(_SOME):
        step = strategy.propose()
        if step is None:
            break
        request = step.request
        asked_as = request.method, key(request.url), request.body
        ensure(case.repeats or asked_as not in asked, f"{request.url} was asked for twice")
        asked.add(asked_as)
        if number % _LATE == 1:
            late.append(step)
        else:
            strategy.observe(step, answer(web, request))
    twin = _restored(case, web, strategy)
    place = f"with {len(late)} answers that come late"
    _compare(web, strategy, twin, place, late, 1, _COMPARED)


def _restored(case: Case, web: Web, strategy: Strategy) -> Strategy:
    """Return another strategy with the state of this one."""
    twin = case.make(web, 5)
    twin.restore(load(dump(Checkpoint(state=strategy.state()))).state)
    return twin


def _compare(
    web: Web,
    one: Strategy,
    twin: Strategy,
    place: str,
    flying: list[Step],
    width: int,
    answers: int,
) -> None:
    """Hold two strategies to the same steps and finds, each answered once for both."""
    for _ in range(answers):
        while len(flying) < width:
            step, other = one.propose(), twin.propose()
            ensure(step == other, f"{place}: {step} became {other}")
            if step is None:
                break
            flying.append(step)
        if not flying:
            break
        step = flying.pop(0)
        response = answer(web, step.request)
        finds, others = one.observe(step, response), twin.observe(replace(step), response)
        ensure(finds == others, f"{place}: {finds} became {others}")
    ensure(one.summary() == twin.summary(), f"{place}: the summary is another")


def is_the_same_in_another_process(case: Case) -> None:
    """The steps and the state are the same byte for byte where strings have other hashes."""
    function, text = case.again
    ensure(bool(function), "the case does not say how it is made again")
    ensure(digests(function, [text])[text] == digest(case), "another process took other steps")


def digests(function: str, texts: Sequence[str]) -> dict[str, str]:
    """Return what cases do in one fresh process: a digest by the text each is made of."""
    seed = "77" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    path = os.pathsep.join(filter(None, sys.path))
    ended = subprocess.run(  # noqa: S603  # this Python, with our own module
        [sys.executable, "-m", "filon.testing", function, *texts],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    ensure(ended.returncode == 0, f"the other process failed: {ended.stderr}")
    return dict(zip(texts, ended.stdout.split(), strict=True))


def digest(case: Case) -> str:
    """Return a digest of the first steps, with three in flight, and of the state after them."""
    web, strategy = _begun(case)
    steps = islice(_trace(web, strategy, 3), _COMPARED)
    trace = "\n".join(map(repr, steps)).encode()
    return hashlib.sha256(trace + dump(Checkpoint(state=strategy.state()))).hexdigest()


def made_again(function: str, text: str) -> Case:
    """Return a case by the function that makes it, and what of."""
    case: Case = named(function)(text)
    return case


def survives_every_answer(case: Case) -> None:
    """No answer raises; what failed brings no find; a strategy that learns nothing more ends.

    Each kind of answer is the only one from some answer on, and one of many among right ones.
    """
    wrong = {**ANSWERS, **case.wrong}
    for first in _WRONG_FROM:
        web, state, at_s = _after(case, first)
        for name, fields in wrong.items():
            with placed(place := f"{name!r} from answer {first} on"):
                strategy = case.make(web, 1)
                strategy.restore(load(state).state)
                _end(case, strategy, fields, at_s, place)
    turns = cycle(wrong.items())
    given, all_given = 0, _TURNS * len(wrong)
    while given < all_given:
        now = _mix(case, turns)
        if not now:
            break  # it ends before a third answer
        given += now


def _after(case: Case, answers: int) -> tuple[Web, bytes, float]:
    """Return the checkpoint of a strategy that had so many right answers, and when it was."""
    web, strategy = _small(case)
    at_s = 0.0
    for _ in range(answers):
        if step := strategy.propose():
            right = answer(web, step.request)
            strategy.observe(step, right)
            at_s = right.at_s
    return web, dump(Checkpoint(state=strategy.state())), at_s


def _end(
    case: Case, strategy: Strategy, fields: Mapping[str, object], at_s: float, place: str
) -> None:
    """Give one wrong answer to everything, a second each, until nothing more is asked for."""
    answered = 0
    while step := strategy.propose():
        answered += 1
        _upset(case, strategy, step, fields, at_s + answered, place)
        if answered >= (case.ends or _SOME):
            ensure(not case.ends, f"{place}: it does not end")
            break
    ensure(isinstance(strategy.summary(), dict), f"{place}: there is no summary")


def _mix(case: Case, turns: Iterator[tuple[str, Mapping[str, object]]]) -> int:
    """Give a wrong answer to every third request, each time the next one; return how many."""
    web, strategy = _small(case)
    given, name = 0, ""
    for number in range(case.ends or _SOME):
        with placed(f"among right answers, the last wrong one was {name!r}"):
            step = strategy.propose()
            if step is None:
                break
            right = answer(web, step.request)
            if number % _THIRD != _THIRD - 1:
                strategy.observe(step, right)
                continue
            name, fields = next(turns)
            given += 1
            _upset(case, strategy, step, fields, right.at_s, f"{name!r} among right answers")
    ensure(isinstance(strategy.summary(), dict), "there is no summary after a mix of answers")
    return given


def _upset(
    case: Case,
    strategy: Strategy,
    step: Step,
    fields: Mapping[str, object],
    at_s: float,
    place: str,
) -> None:
    """Give a strategy one wrong answer."""
    values: dict[str, object] = {"size_bytes": len(bytes(fields.get("body", b"")))}  # type: ignore[call-overload]
    values |= {"url": step.request.url, "at_s": at_s, **fields}
    response = Response(**values)  # type: ignore[arg-type]
    finds = strategy.observe(step, response)
    ensure(not finds or case.brings(response), f"{place}: found {finds}")


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Say of an exception where it happened."""
    try:
        yield
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"{place}: {type(error).__name__}: {error}") from error


def _small(case: Case) -> tuple[Web, Strategy]:
    web = (case.small or case.web)()
    return web, case.make(web, 1)


def loses_nothing_that_failed_in_passing(case: Case) -> None:
    """A strategy that says so asks again, and finds nearly what it finds without failures.

    Not all: the order is another, and with it what a strategy holds for not worth a request.
    """
    if not case.retries:
        return
    undisturbed = len(run(case).finds)
    for status in (429, 500):
        web, strategy = _begun(case)
        found = answered = 0
        while (step := strategy.propose()) and answered < _LONGEST:
            response = answer(web, step.request)
            if answered % 7 == 3:
                response = Response(url=step.request.url, status=status, at_s=response.at_s)
            found += len(strategy.observe(step, response))
            answered += 1
        ensure(answered < _LONGEST, f"{status} now and then: it does not end")
        ensure(
            found >= _NEARLY * undisturbed, f"{status} now and then: {found} of {undisturbed} finds"
        )


def _begun(case: Case) -> tuple[Web, Strategy]:
    web = case.web()
    return web, case.make(web, 1)


def _trace(web: Web, strategy: Strategy, width: int) -> Iterator[object]:
    """Drive with a fixed number of steps in flight, answered in order; yield steps and finds."""
    flying: list[Step] = []
    while True:
        while len(flying) < width and (step := strategy.propose()):
            flying.append(step)
            yield step
        if not flying:
            return
        step = flying.pop(0)
        yield from strategy.observe(step, answer(web, step.request))


#: The contract of a strategy.
STRATEGY: tuple[Callable[[Case], None], ...] = (
    asks_nothing_twice_and_stays_in_its_scope,
    keeps_its_budget,
    says_why,
    goes_on_from_its_state,
    is_the_same_in_another_process,
    survives_every_answer,
    takes_an_answer_that_comes_late,
    loses_nothing_that_failed_in_passing,
)


def check_strategy(case: Case) -> None:
    """Hold a strategy to its contract, all at once."""
    for check in STRATEGY:
        check(case)
