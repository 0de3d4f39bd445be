"""Discovery strategies against each other, as a first look in the terminal.

python -m filon.bench.discover.compare ../shared/data --strategies dsdd,scout --requests 600
"""

import argparse
import statistics
from pathlib import Path

from filon.bench.discover.trial import Trial, repositories, sites
from filon.bench.discover.web import TOPICS, DiscoverWeb
from filon.strategies.discover import STRATEGIES

#: Strategies that look for sites like examples, and those that look for repositories.
FOR_SITES = frozenset({"disco", "seedfinder", "bipartite", "ache", "scout"})
FOR_REPOSITORIES = frozenset({"dsdd", "scout"})


def modes(name: str) -> list[str]:
    """Return a strategy in all its modes."""
    return [f"{name}:mode={mode}" for mode in getattr(STRATEGIES[name], "modes", ())] or [name]


def table(trials: list[Trial]) -> str:
    """Return means over all runs of a strategy as Markdown."""
    lines = [
        "| run | pages | calls | found | of | Definition 2 | of the topic | per 100 pages "
        "| coverage | s |",
        "|---" * 10 + "|",
    ]
    mean = statistics.fmean
    for name in dict.fromkeys(trial.strategy for trial in trials):
        mine = [trial for trial in trials if trial.strategy == name]
        lines.append(
            f"| {name} | {mean(t.pages for t in mine):.0f} | {mean(t.calls for t in mine):.0f} "
            f"| {mean(len(t.found) for t in mine):.1f} | {mean(t.true['any'] for t in mine):.0f} "
            f"| {mean(t.count('html') for t in mine):.1f} "
            f"| {mean(t.count('topic') for t in mine):.1f} "
            f"| {mean(t.rate for t in mine):.2f} | {mean(t.coverage() for t in mine):.3f} "
            f"| {mean(t.took_s for t in mine):.1f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Print a line a run, and a table of them all."""
    parser = argparse.ArgumentParser(prog="filon.bench.discover.compare", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="0 to 4: for development")
    parser.add_argument("--pages", type=int, default=0)
    parser.add_argument("--requests", type=int, default=0)
    parser.add_argument("--strategies", default="dsdd,disco", help="NAME:option=value, or a name")
    parser.add_argument("--topics", default=",".join(TOPICS))
    wanted = parser.parse_args()
    pages = wanted.pages or (0 if wanted.requests else 1_000)
    names = [
        variant
        for word in wanted.strategies.split(",")
        for variant in ([word] if ":" in word else modes(word))
    ]
    trials: dict[str, list[Trial]] = {"sites": [], "repositories": []}
    for seed in range(wanted.first, wanted.first + wanted.seeds):
        web = DiscoverWeb(wanted.data, seed)
        for name in names:
            kind = name.partition(":")[0]
            if kind in FOR_REPOSITORIES:
                for topic in wanted.topics.split(","):
                    run = repositories(web, name, seed, topic, pages, wanted.requests)
                    trials["repositories"].append(run)
                    print(seed, topic, table([run]).splitlines()[-1], flush=True)
            if kind in FOR_SITES:
                trials["sites"].append(sites(web, name, seed, pages, wanted.requests))
                print(seed, table(trials["sites"][-1:]).splitlines()[-1], flush=True)
    for kind, runs in trials.items():
        if runs:
            print(f"\n{kind}\n\n{table(runs)}")


if __name__ == "__main__":
    main()
