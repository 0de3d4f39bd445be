"""A plan of another manner: few hosts with most names, many forms of names, many kinds of one.

On this web a publisher is not a host. Resolvers keep the names of many projects side by side, by
folder or by the beginning of the name (`IAO_0000030`), each alive or dead as a whole; file hosts
have names that promise RDF, which many no longer have; and most mentions lead to pages, a good part
of them the only one in their folder.
"""

import random
from collections.abc import Iterable

from experiments.follow.plan import NOISE, PAGE, WITH_RDF, Place, Plan

#: How a group of names publishes that is alive, and what a dead one says.
DEAD = {"missing": 45, "html": 30, "soft-missing": 15, "api": 5, "text": 5}
PAGES = {"html": 60, "missing": 14, "text": 7, "api": 7, "feed": 4, "image": 8}
#: Of groups of names and of file repositories, those that are alive; pages by thing.
ALIVE, ALIVE_FILES, PAGES_BY_THING = 0.45, 0.6, 2.2
#: Of the pages: dead names of resolvers, dead names among living ones, pages alone in a folder.
LIKE_NAMES, MIXED, ALONE = 0.25, 0.05, 0.25
_LETTERS = "ABCDEFGHIKLMNOPRSTUV"
_WORDS = ("about", "blog", "news", "people", "project", "wiki", "data", "help", "topic", "docs")
_FILES = ("ttl", "owl", "rdf", "nt", "jsonld")


def draw(things: Iterable[str], seed: int, hosts: int) -> Plan:
    """Share things out among resolvers, file hosts and about so many hosts of their own."""
    dice, plan = random.Random(seed), Plan()
    left = sorted(things)
    dice.shuffle(left)
    count = len(left)
    resolvers = [f"id{number}.example" for number in range(dice.randint(3, 6))]
    largest = int(count * dice.uniform(0.08, 0.22))
    _group(plan, dice, [left.pop() for _ in range(largest)], resolvers[0], "coded", alive=True)
    while len(left) > 0.6 * count:
        size = min(len(left), int(4 * dice.paretovariate(0.9)), count // 20)
        members = [left.pop() for _ in range(size)]
        style = dice.choice(("coded", "coded", "folder", "folder", "deep"))
        _group(plan, dice, members, dice.choice(resolvers), style, dice.random() < ALIVE + 0.2)
    files = [f"files{number}.example" for number in range(3)]
    while len(left) > 0.52 * count:
        members = [left.pop() for _ in range(min(len(left), int(2 * dice.paretovariate(1.0))))]
        alive = dice.random() < ALIVE_FILES
        _group(plan, dice, members, dice.choice(files), "files", alive)
    number = 0
    while left:
        size = min(len(left), int(1.3 * dice.paretovariate(1.2)), count // 40)
        members, host = [left.pop() for _ in range(size)], f"host{number}.example"
        number += 1
        while members:
            part = [members.pop() for _ in range(min(len(members), dice.randint(1, 40)))]
            style = dice.choice(("folder", "folder", "deep", "query", "flat", "html"))
            _group(plan, dice, part, host, style, dice.random() < ALIVE + 0.15)
    _pages(plan, dice, int(count * PAGES_BY_THING), resolvers, max(number, hosts // 2))
    return plan


def _group(
    plan: Plan, dice: random.Random, things: list[str], host: str, style: str, alive: bool
) -> None:
    """Publish things alike; dead ones are mentioned all the same."""
    profile = _pick(dice, WITH_RDF if alive else DEAD)
    word, code = dice.choice(_WORDS), "".join(dice.sample(_LETTERS, dice.randint(2, 5)))
    if style == "files" and alive:
        profile = "turtle"
    if dice.random() < 0.2:
        plan.picky.add(host)
    number = dice.randrange(1000, 30_000)
    for thing in things:
        number += dice.randint(1, 9)
        name = thing.rstrip("/#").replace("#", "/").rpartition("/")[2]
        name = "".join(letter for letter in name if letter.isalnum() or letter in "-_") or "x"
        path = {
            "coded": f"/obo/{code}_{number:07d}",
            "folder": f"/{code.lower()}/{name}",
            "deep": f"/{code.lower()}/{dice.randint(1, 3)}.{dice.randint(0, 9)}/{word}/{name}",
            "files": f"/{code.lower()}/{word}/master/{name}.{dice.choice(_FILES)}",
            "query": f"/{word}?id={name}",
            "flat": f"/{name}",
            "html": f"/{word}/{name}.html",
        }[style]
        odd = dice.randrange(NOISE) == 0
        how = _pick(dice, WITH_RDF | DEAD) if odd else profile
        url = f"http://{host}{path}"
        if url not in plan.places:
            place = Place(url, how, thing)
            plan.places[url] = place
            plan.of_thing[thing] = place


def _pages(plan: Plan, dice: random.Random, count: int, resolvers: list[str], hosts: int) -> None:
    """Add pages that descriptions mention: names of resolvers, pages alone, pages of sites."""
    names = [f"host{number}.example" for number in range(hosts)]
    names += [f"pages{number}.example" for number in range(hosts // 3)]
    weights = [dice.paretovariate(0.9) for _ in names]
    marked_up = {name for name in names if dice.random() < 0.08}
    dead = [
        ("".join(dice.sample(_LETTERS, dice.randint(2, 5))), dice.choice(resolvers))
        for _ in range(60)
    ]
    dead_weights = [dice.paretovariate(0.8) for _ in dead]
    named = [place.url for place in plan.places.values() if "?" not in place.url]
    for number in range(count):
        lot, profile = dice.random(), _pick(dice, PAGES)
        host = dice.choices(names, weights)[0]
        word, thing = dice.choice(_WORDS), ""
        if lot < LIKE_NAMES:
            code, host = dice.choices(dead, dead_weights)[0]
            path, profile = f"/obo/{code}_{number:07d}", "missing" if number % 5 else "html"
        elif lot < LIKE_NAMES + MIXED:
            beside = dice.choice(named)
            path, host = f"{beside.rpartition('/')[0]}/{_word(dice).title()}", ""
            profile = "missing" if number % 3 else "html"
        elif lot < LIKE_NAMES + MIXED + ALONE:
            path = f"/{word}/{_word(dice)}/{_word(dice)}{dice.choice(('', '/', '.html', '.php'))}"
        else:
            path = f"/{word}/{number}{dice.choice(('', '/', '.html', '.pdf'))}"
            if profile == "html" and host in marked_up:
                profile, thing = "html+jsonld", f"{PAGE}{number}"
        path = f"/{word}/{number}.png" if profile == "image" else path
        place = Place(f"http://{host}{path}" if host else path, profile, thing)
        plan.places[place.url] = place
        plan.pages.append(place.url)
        if thing:
            plan.of_thing[thing] = place


def _word(dice: random.Random) -> str:
    return "".join(dice.choice("abcdeghiklmnoprstu") for _ in range(dice.randint(3, 8)))


def _pick(dice: random.Random, shares: dict[str, int]) -> str:
    return dice.choices(list(shares), list(shares.values()))[0]
