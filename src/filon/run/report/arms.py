"""The groups of links that the strategy chose from, and what each brought."""

from typing import NamedTuple

from filon.run import html
from filon.run.summary import Arm, Summary
from filon.run.text import begun, count, counted


class Nouns(NamedTuple):
    """What a group is of, what makes one, and what it leads to."""

    head: str
    many: str
    makes: str
    found: str
    left: str
    mean: str


LINKS = Nouns(
    "Group of links",
    "Groups of links",
    "Links that stand at like places of like pages form a group",
    "finds",
    "Links left",
    "Mean reward",
)
KINDS = Nouns(
    "Kind of URI",
    "Kinds of URI",
    "URIs of one host that look alike are of a kind",
    "documents",
    "URIs left",
    "Share with RDF",
)
_SHOWN = 30
_LONGEST_NAME = 110


def body(summary: Summary, nouns: Nouns = LINKS) -> str:
    """Return the groups that brought most."""
    if not summary.arms:
        return ""
    shown = summary.arms[:_SHOWN]
    most = max((arm.finds for arm in shown), default=0)
    found = begun(nouns.found)
    more = ["-Times chosen", f"-{nouns.mean}", f"-{nouns.left}"]
    head = [nouns.head, f"#{found}", "#Requests", *more]
    pulled = any(arm.pulls for arm in summary.arms)
    columns = len(head) if pulled else 3
    rows = [_row(arm, most)[:columns] for arm in shown]
    table = html.table(head[:columns], rows, f"{nouns.many} and what they brought", "arms")
    return f"{_lead(summary, nouns)}{table}{_rest(summary.arms[_SHOWN:], nouns)}"


def _lead(summary: Summary, nouns: Nouns) -> str:
    paid = [arm for arm in summary.arms if arm.finds]
    words = f"{nouns.makes}: {count(len(summary.arms))}"
    words += f" of them, {count(len(paid))} of which led to {nouns.found}."
    if paid and summary.finds:
        share = 100 * sum(arm.finds for arm in paid[:3]) / summary.finds
        words += (
            f" The best three brought {share:.0f} % of all {nouns.found}." if len(paid) > 3 else ""
        )
    return f'<p class="lead">{words}</p>'


def _row(arm: Arm, most: int) -> list[str]:
    meter = f'<span class="meter" style="width:{100 * arm.finds / max(most, 1):.1f}%"></span>'
    example = f"<small>such as {_example(arm.example)}</small>" if arm.example else ""
    return [
        f"{_path(arm.name)}{example}",
        count(arm.finds) + (meter if arm.finds else ""),
        count(arm.requests),
        count(arm.pulls),
        f"{arm.mean:.2f}",
        count(arm.left),
    ]


def _example(example: str) -> str:
    """Show a link of the group, or the place where its links stand."""
    if "://" in example:
        return html.link(example, longest=80)
    return f'<span class="path">{html.breakable(html.text(example, 160))}</span>'


def _path(name: str) -> str:
    """Show the end of a tag path strong and the way to it dim."""
    start, slash, end = name.rpartition("/")
    before, _, last = start.rpartition("/")
    if not slash or not before:
        return f'<span class="path">{html.text(name, _LONGEST_NAME)}</span>'
    way = html.breakable(html.text(before + "/", _LONGEST_NAME - 50))
    tail = html.breakable(html.text(f"{last}/{end}", _LONGEST_NAME))
    return f'<span class="path"><span class="dim">{way}</span>{tail}</span>'


def _rest(arms: tuple[Arm, ...], nouns: Nouns) -> str:
    if not arms:
        return ""
    finds = sum(arm.finds for arm in arms)
    requests = sum(arm.requests for arm in arms)
    return (
        f'<p class="note">And {counted(len(arms), "further group")} with '
        f"{counted(finds, nouns.found.removesuffix('s'))} and {counted(requests, 'request')}.</p>"
    )
