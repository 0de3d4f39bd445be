"""`scout` on the web of real repositories, asked in one general word or in another language.

    python -m experiments.discover.words ../shared/data/discover/web --words chosen
    python -m experiments.discover.words ../shared/data/discover/web --words reported --first 300

By `chosen` words what `scout` does was chosen; `reported` ones are other words of the user, of the
same topics and of three that nothing else is measured on. Judged by the web's own score; requests
beyond this web do not count.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from experiments.discover.disturbed import Disturbance, disturbed
from experiments.discover.real import RealWeb, play

Words = dict[str, tuple[tuple[str, str], ...]]
CHOSEN: Words = {
    "one": (
        ("sports", "football"),
        ("sports", "sport"),
        ("economics", "economy"),
        ("economics", "prices"),
        ("linguistics", "languages"),
        ("linguistics", "grammar"),
        ("vocab", "ontology"),
        ("education", "schools"),
        ("geography", "places"),
    ),
    "languages": (
        ("sports", "football tennis sport résultats"),
        ("economics", "économie prix statistiques"),
        ("linguistics", "langues typologie linguistique"),
        ("sports", "fútbol tenis deporte resultados"),
        ("economics", "economía precios estadísticas"),
        ("linguistics", "lenguas tipología lingüística"),
    ),
    "several": (
        ("sports", "sports match results"),
        ("economics", "economy prices indicators"),
        ("linguistics", "languages typology grammar"),
        ("vocab", "ontology vocabulary terms"),
        ("education", "schools education statistics"),
        ("geography", "places countries geography"),
    ),
}
REPORTED: Words = {
    "one": (
        ("sports", "sports"),
        ("economics", "economics"),
        ("linguistics", "linguistics"),
        ("sports", "athletics"),
        ("sports", "soccer"),
        ("economics", "trade"),
        ("linguistics", "typology"),
        ("vocab", "vocabularies"),
        ("education", "education"),
        ("geography", "geography"),
    ),
    "languages": (
        ("sports", "Fußball Tennis Sport Ergebnisse"),
        ("economics", "Wirtschaft Preise Statistik"),
        ("linguistics", "Sprachen Typologie Linguistik"),
        ("sports", "voetbal tennis sport uitslagen"),
        ("economics", "economie prijzen statistiek"),
        ("linguistics", "talen typologie taalkunde"),
        ("sports", "calcio tennis sport risultati"),
        ("economics", "economia prezzi statistiche"),
        ("linguistics", "lingue tipologia linguistica"),
    ),
    "several": (
        ("sports", "football tennis sports results"),
        ("economics", "economic prices statistics"),
        ("linguistics", "language typology"),
        ("sports", "soccer athletics competition scores"),
        ("economics", "inflation wages finance figures"),
        ("linguistics", "phonology grammar of the world's languages"),
        ("vocab", "controlled vocabularies and ontologies"),
        ("education", "education schools students"),
        ("geography", "geographic places maps"),
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each topic asked for, and one for each kind of words."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--words", choices=("chosen", "reported"), default="reported")
    parser.add_argument("--kinds", default="one,languages,several")
    parser.add_argument("--first", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--requests", type=int, default=200)
    asked = parser.parse_args(arguments)
    web = RealWeb(asked.folder)
    known = {"chosen": CHOSEN, "reported": REPORTED}[asked.words]
    for kind in asked.kinds.split(","):
        told: list[dict[str, Any]] = []
        for topic, words in known[kind]:
            ones = list(_starts(web, topic, words, asked))
            print(_row(f"{topic}: {words}", ones, asked.seeds), flush=True)
            told += ones
        print(_row(f"all of {kind}", told, asked.seeds), flush=True)
    return 0


def _starts(
    web: RealWeb, topic: str, words: str, asked: argparse.Namespace
) -> Iterable[dict[str, Any]]:
    web.queries[topic] = words
    for seed in range(asked.first, asked.first + asked.seeds):
        disturbed(web, Disturbance(), seed)
        yield play(web, "scout", topic, seed, asked.requests, exa=False, outside=False)


def _row(name: str, scores: Sequence[dict[str, Any]], seeds: int) -> str:
    there, found, right = (
        sum(one[key] for one in scores) / seeds for key in ("truth3", "verified3", "found3")
    )
    listed = sum(one["listed"] - one["neutral"] for one in scores) / seeds
    told = f"verified {found:.1f} of {there:.0f}; listed {listed:.1f}"
    return f"{name:60} {told}, right {right / max(1.0, listed):.2f}"


if __name__ == "__main__":
    sys.exit(main())
