"""The settings of SMARTCRAWL's experiments (section 7): Figures 4 to 9, and our own bars.

The paper's DBLP is played by the ACL Anthology, its Yelp by two pairs of tables whose matches are
known and whose texts differ as they do in life.
"""

from dataclasses import dataclass, field, replace

from experiments.enrich.datasets import Wish
from filon.core import UserError

#: All but `bound`, which the paper proves and does not measure.
ALL = ("ideal", "smartcrawl-b", "smartcrawl-u", "simple", "full", "full-adaptive", "naive")
ROBUST = ("smartcrawl-b", "naive")
LEAN = ("prospect", "smartcrawl-b", "simple", "full-adaptive")
#: Experiments that are not the paper's.
OURS = ("lean", "lean-large")
#: What an interface is called, how it joins words, whether it reports totals.
INTERFACES = (
    ("AND", "and", True),
    ("AND, no totals", "and", False),
    ("OR", "or", True),
    ("OR, no totals", "or", False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One situation in which strategies are compared; Table 3's defaults.

    label: what is varied, for people.
    k: records a call; ratio: the sample's part of the hidden table; joins: "and" or "or".
    budget: calls in parts of |D|.
    """

    label: str
    wish: Wish = field(default_factory=Wish)
    k: int = 100
    ratio: float = 0.005
    joins: str = "and"
    budget: float = 0.2
    totals: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """Several settings that make up a figure, and the strategies that it compares."""

    name: str
    title: str
    settings: tuple[Setting, ...]
    strategies: tuple[str, ...] = ALL


def _acl(label: str, *, size: int = 10_000, absent: int = 0, errors: float = 0.0) -> Setting:
    return Setting(label=label, wish=Wish(size=size, absent=absent, errors=errors))


def _pair(table: str, label: str) -> Setting:
    return Setting(label=label, wish=Wish(table=table), k=50)


def _ratios() -> tuple[Setting, ...]:
    base = _acl("")
    return tuple(
        replace(base, label=f"sample {ratio:.1%}", ratio=ratio)
        for ratio in (0.001, 0.002, 0.005, 0.01)
    )


def _interfaces() -> tuple[Setting, ...]:
    return tuple(
        replace(_pair(table, f"{table}, {joins.upper()}"), joins=joins, budget=1.0)
        for table in ("dblp-scholar+", "walmart-amazon")
        for joins in ("and", "or")
    )


def _lean(papers: int, *sizes: int) -> tuple[Setting, ...]:
    """The budgets and page sizes that are usual today; papers: the rows of the ACL's table."""
    return tuple(
        Setting(
            label=f"{wish.table}, {name}, k={k}, {budget:.0%}",
            wish=wish,
            k=k,
            budget=budget,
            joins=joins,
            totals=totals,
        )
        for wish in (
            Wish(size=papers),
            Wish(table="dblp-scholar+"),
            Wish(table="walmart-amazon"),
        )
        for name, joins, totals in INTERFACES
        for k in sizes
        for budget in (0.05, 0.1, 0.2)
    )


EXPERIMENTS: dict[str, Experiment] = {
    each.name: each
    for each in (
        Experiment(
            name="bars",
            title="The settings of the reproduction",
            settings=(
                _acl("ACL 10k, k=100"),
                replace(_acl("ACL 10k, k=50"), k=50),
                _acl("ACL 1k, k=100", size=1_000),
                _pair("dblp-scholar+", "DBLP-Scholar with distractors, k=50"),
                _pair("dblp-scholar", "DBLP-Scholar, k=50"),
                _pair("walmart-amazon", "Walmart-Amazon, k=50"),
            ),
        ),
        Experiment(name="fig4", title="Sampling ratio (Figure 4)", settings=_ratios()),
        Experiment(
            name="fig5",
            title="Size of the local table (Figure 5)",
            settings=tuple(_acl(f"{size:,} rows", size=size) for size in (10, 100, 1_000, 10_000)),
        ),
        Experiment(
            name="fig6",
            title="Results a call (Figure 6)",
            settings=tuple(replace(_acl(f"k={k}"), k=k) for k in (1, 10, 50, 100, 500)),
        ),
        Experiment(
            name="fig7",
            title="Rows that are not hidden (Figure 7)",
            settings=tuple(
                _acl(f"{absent / 10_000:.0%} absent", absent=absent)
                for absent in (500, 2_000, 3_000)
            ),
        ),
        Experiment(
            name="fig8",
            title="Errors in the local table (Figure 8)",
            settings=tuple(
                _acl(f"{errors:.0%} errors", errors=errors) for errors in (0.0, 0.05, 0.5)
            ),
            strategies=ROBUST,
        ),
        Experiment(
            name="fig9",
            title="Conjunctive search and not, on real pairs of tables (Figure 9)",
            settings=_interfaces(),
            strategies=("smartcrawl-b", "full", "naive"),
        ),
        Experiment(
            name="lean",
            title="Small budgets and pages (not in the paper)",
            settings=_lean(1_000, 10),
            strategies=LEAN,
        ),
        Experiment(
            name="lean-large",
            title="Small budgets, larger tables and pages (not in the paper)",
            settings=_lean(10_000, 10, 50, 100),
            strategies=LEAN,
        ),
    )
}


def choose(names: str) -> list[Experiment]:
    """Return experiments by their names with commas; "all" are the paper's and the bars.

    >>> [each.name for each in choose("fig6,fig4")]
    ['fig6', 'fig4']
    """
    if names == "all":
        return [each for each in EXPERIMENTS.values() if each.name not in OURS]
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in EXPERIMENTS:
            known = ", ".join([*EXPERIMENTS, "all"])
            raise UserError(f"There is no experiment {name!r}: known are {known}.")
    if not wanted:
        raise UserError("No experiment was named.")
    return [EXPERIMENTS[name] for name in wanted]
