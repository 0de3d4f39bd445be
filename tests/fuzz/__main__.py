"""A long look: whole runs of a verb until so many answers were odd. A crash ends it.

PYTHONPATH=tests python -m fuzz harvest 10000 [SEED]
"""

import os
import random
import sys
import tempfile
import time
from pathlib import Path

from fuzz.keys import KEYS
from fuzz.odd import Twist, chance_twist
from fuzz.runs import TALLIES, Tally, run

#: Requests of a session: most of what a run costs does not depend on them.
REQUESTS = 30
#: One service that fails a few times in a row ends an enrichment: half of its answers are sound.
HONEST = {"enrich": 0.5}


def main(verb: str, answers: int, seed: int = 0) -> None:
    """Make runs, and tell what they were."""
    os.environ |= KEYS
    chance, began_s = random.Random(seed), time.process_time()
    tally = TALLIES.setdefault(verb, Tally())
    while tally.answers < answers:
        which = chance.randrange(10_000)
        honest = HONEST.get(verb, 0.2)
        twisted = [_some(chance, 0.7 if n < 4 else honest) for n in range(2 * REQUESTS)]
        with tempfile.TemporaryDirectory() as folder:
            os.environ["FILON_CACHE"] = f"{folder}/cache.sqlite"
            try:
                run(verb, Path(folder), which, twisted, requests=REQUESTS, export=which % 10 == 0)
            except BaseException:
                print(f"{verb}, which={which}, twisted={twisted}")
                raise
        if tally.runs % 20 == 0:
            print(f"{verb}: {tally}", flush=True)
    print(f"{verb}: {tally}, no crash, {time.process_time() - began_s:,.0f} s of CPU", flush=True)


def _some(chance: random.Random, honest: float) -> list[Twist]:
    """Return what happens to an answer; honest: how often nothing does."""
    if chance.random() < honest:
        return []
    return [chance_twist(chance) for _ in range(chance.randint(1, 2))]


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
