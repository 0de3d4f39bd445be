"""A small ministry on loopback: tables of years and places, and a hostile title among them."""

import random

from loopback import Page

SCRIPT = "<script>document.title='caught'</script><img src=x onerror=alert(1)>"
TOWNS = (("Aster", 48.1, 11.5), ("Birke", 52.5, 13.4), ("Calla", 50.9, 6.9), ("Distel", 53.5, 9.9))


def table(year: int, seed: int = 1) -> bytes:
    """Return a year's unemployment by town, with where the towns are."""
    chance = random.Random(seed * year)
    rows = [
        f"{town},{latitude},{longitude},{year},{chance.uniform(2, 9):.1f}"
        for town, latitude, longitude in TOWNS
    ]
    return "\n".join(["town,latitude,longitude,year,rate", *rows, ""]).encode()


def page(title: str, *links: tuple[str, str]) -> Page:
    """Return a page with links and their texts; the title goes in as it is."""
    items = "".join(f'<li><a href="{target}">{text}</a></li>' for target, text in links)
    html = f"<!doctype html><title>{title}</title><h1>{title}</h1><ul>{items}</ul>"
    return Page(body=html.encode())


def csv(body: bytes) -> Page:
    """Return a file."""
    return Page(body=body, headers={"Content-Type": "text/csv"})


#: Of each year there are vacancies by quarter, on a page of its own; news lead nowhere.
VACANCIES, NEWS = range(2012, 2019), range(12)
#: All files of the ministry.
FILES = 5 + 1 + 4 * len(VACANCIES)


def ministry() -> dict[str, Page]:
    """Return the pages by path."""
    years = range(2019, 2024)
    files = [(f"/data/{year}.csv", f"Unemployment rate by town {year}") for year in years]
    lists = [(f"/vacancies/{year}", f"Vacancies of {year}") for year in VACANCIES]
    news = [(f"/news/{number}", f"News {number}") for number in NEWS]
    pages = {
        "/": page(
            "Ministry of Labour", ("/data/", "Statistics"), ("/evil/", "Press"), *lists, *news
        ),
        "/data/": page("Unemployment by town", *files),
        "/evil/": page(f"&lt;script&gt;{SCRIPT}", ("/evil/1.csv", f"wages {SCRIPT}")),
        "/evil/1.csv": csv(f'"{SCRIPT}",wage\n"{SCRIPT}",1\nplain,2\n'.encode()),
    }
    pages |= {target: page(text, ("/", "Home")) for target, text in news}
    for year, (target, text) in zip(VACANCIES, lists, strict=True):
        quarters = [(f"{target}/{n}.csv", f"Vacancies {year}, quarter {n}") for n in range(1, 5)]
        pages[target] = page(text, *quarters)
        pages |= {file: csv(f"{text},{file}\n1,2\n".encode()) for file, _ in quarters}
    return pages | {
        target: csv(table(year)) for (target, _), year in zip(files, years, strict=True)
    }
