"""Made-up pairs of shop catalogues, as hard as real ones: long noisy names, prices that disagree.

Real pairs of catalogues have names that agree in part, model codes within them that each shop
writes in its own way or leaves out, descriptions on one side only, prices that differ by a third,
and families of products that differ by a code, a size or a colour. No name is of the real world.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from experiments.enrich.golden import Golden
from filon.core import Record

_BRANDS = [
    "Avanta",
    "Belmar",
    "Corvid",
    "Delphin",
    "Elstree",
    "Fennic",
    "Gantra",
    "Hovik",
    "Isarco",
    "Jadwin",
    "Kestra",
    "Lumaro",
    "Mirant",
    "Norwell",
    "Orbis",
    "Pelham",
    "Quanta",
    "Rivane",
    "Solvix",
    "Tarkin",
    "Umbria",
    "Vanto",
    "Wexley",
    "Yarrow",
    "Zephra",
]
#: What a thing is, in the words of different shops.
_THINGS = (
    ("speaker system", "loudspeakers", "bookshelf speakers"),
    ("turntable", "record player", "belt drive turntable"),
    ("headphones", "stereo headset", "over ear headphones"),
    ("digital camera", "compact camera", "camera kit"),
    ("camcorder", "video camera", "hd camcorder"),
    ("dishwasher", "built in dishwasher", "tall tub dishwasher"),
    ("microwave oven", "microwave", "over the range microwave"),
    ("refrigerator", "side by side fridge", "fridge freezer"),
    ("washing machine", "washer", "front load washer"),
    ("network switch", "ethernet switch", "desktop switch"),
    ("wireless router", "router", "broadband router"),
    ("flat panel wall mount", "tv mount", "wall bracket"),
    ("lcd television", "hdtv", "flat panel tv"),
    ("car stereo", "cd receiver", "in dash receiver"),
    ("cordless phone", "telephone", "expandable phone system"),
    ("ink cartridge", "ink tank", "inkjet cartridge"),
    ("memory card", "flash card", "flash memory"),
    ("laser printer", "printer", "monochrome printer"),
    ("navigation system", "gps receiver", "portable navigator"),
    ("vacuum cleaner", "upright vacuum", "bagless vacuum"),
)
_PROGRAMS = (
    ("photo editor", "photo editing software", "image editor"),
    ("accounting", "accounting software", "bookkeeping suite"),
    ("antivirus", "virus protection", "internet security"),
    ("encyclopedia", "reference library", "encyclopedia deluxe"),
    ("language course", "learn to speak", "language tutor"),
    ("video studio", "video editing software", "movie maker"),
    ("music production", "audio software", "recording studio"),
    ("typing tutor", "typing course", "keyboard instructor"),
    ("tax planner", "tax software", "tax preparation"),
    ("flight game", "flight simulator", "air combat game"),
    ("office suite", "productivity suite", "office software"),
    ("backup tool", "backup and recovery", "disk imaging"),
)
#: Names of lines of products: many, each of a few products.
_LINES = tuple(
    f"{first}{middle}{last}"
    for first in ["Al", "Bra", "Cir", "Do", "Em", "Fie", "Ga", "He", "Iri", "Ju"]
    for middle in ["lo", "ma", "ne", "ri", "so"]
    for last in ["tan", "vo", "x", "nd", "da"]
)
_COLOURS = ("black", "white", "silver", "red", "blue", "stainless steel")
_NOISE = [
    "new",
    "factory sealed",
    "with remote",
    "retail",
    "bulk",
    "energy efficient",
    "2 year warranty",
    "open box",
    "series",
    "professional",
    "home",
    "for windows",
    "free shipping",
    "original",
    "compatible",
    "best seller",
]
_EDITIONS = ("standard", "deluxe", "upgrade", "academic", "professional", "home")
_SELLING = [
    "easy to use and fast",
    "designed for the whole family",
    "everything you need in one box",
    "with high quality sound and crisp pictures",
    "saves energy every day",
    "includes cables and manual",
    "perfect for small rooms",
    "the latest technology at a fair price",
    "quick start guide included",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Product:
    brand: str
    line: str
    thing: Sequence[str]
    number: int
    code: str
    variant: str
    price: float


def electronics(seed: int, rows: int = 1000, hidden: int = 1000, shared: float = 0.95) -> Golden:
    """Two shops of appliances: a code in most names, descriptions and few prices on one side."""
    dice = random.Random(f"electronics {seed}")
    shops = _FIRST, _SECOND
    return _shops("Electronics", dice, _device, (rows, hidden), shops, shared)


def software(seed: int, rows: int = 1300, hidden: int = 3000, shared: float = 0.9) -> Golden:
    """Two shops of programs: no codes, but versions and editions; the other shop has far more."""
    dice = random.Random(f"software {seed}")
    shops = _THIRD, _FOURTH
    return _shops("Software", dice, _program, (rows, hidden), shops, shared)


def _device(dice: random.Random) -> Sequence[_Product]:
    """Return a family: the same thing with other codes, sizes and colours."""
    brand, line = dice.choice(_BRANDS), dice.choice([*_LINES, "", ""])
    thing, letters = dice.choice(_THINGS), "".join(dice.choices("ABCDEFGHKLMNPRSTVWX", k=3))
    base, price = dice.randrange(100, 9900), dice.uniform(20, 900)
    return [
        _Product(
            brand=brand,
            line=line,
            thing=thing,
            number=dice.choice((2, 4, 5, 8, 10, 12, 16, 24, 32)),
            code=f"{letters}{base + 10 * n}{dice.choice(('', 'B', 'W', 'S', 'BK'))}",
            variant=dice.choice(_COLOURS),
            price=price * (1 + n / 4),
        )
        for n in range(dice.choice((1, 1, 1, 2, 3)))
    ]


def _program(dice: random.Random) -> Sequence[_Product]:
    brand, line = dice.choice(_BRANDS), dice.choice(_LINES)
    thing, price, version = dice.choice(_PROGRAMS), dice.uniform(10, 400), dice.randrange(1, 12)
    editions = dice.sample(_EDITIONS, dice.choice((1, 1, 2)))
    return [
        _Product(
            brand=brand,
            line=f"{line} {dice.choice(_LINES)}" if dice.random() < 0.5 else line,
            thing=thing,
            number=version + n,
            code="",
            variant=edition,
            price=price * (1 + n),
        )
        for n, edition in enumerate(editions)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shop:
    """The habits of a shop: how often it names what of a product."""

    code: float
    brand: float
    variant: float
    number: float
    noise: int
    price: float
    described: float
    dashed: float


_FIRST = _Shop(
    code=0.95, brand=1.0, variant=0.4, number=0.6, noise=0, price=0.4, described=1.0, dashed=0.05
)
_SECOND = _Shop(
    code=0.8, brand=0.95, variant=0.5, number=0.5, noise=2, price=0.6, described=0.4, dashed=0.3
)
_THIRD = _Shop(
    code=0.0, brand=0.6, variant=0.8, number=0.9, noise=1, price=0.95, described=0.9, dashed=0.0
)
_FOURTH = _Shop(
    code=0.0, brand=0.7, variant=0.6, number=0.8, noise=3, price=0.95, described=0.7, dashed=0.0
)


Family = Callable[[random.Random], Sequence[_Product]]


def _shops(
    name: str,
    dice: random.Random,
    family: Family,
    sizes: tuple[int, int],
    shops: tuple[_Shop, _Shop],
    shared: float,
) -> Golden:
    rows, hidden = sizes
    both = int(shared * rows)
    products: list[_Product] = []
    while len(products) < rows + hidden - both:
        products.extend(family(dice))
    ours = [_cells(product, shops[0], dice) for product in products[:rows]]
    sold = [*range(both), *range(rows, rows + hidden - both)]
    theirs = {f"p{at}": _cells(products[at], shops[1], dice) for at in sold}
    shelved = list(theirs)
    dice.shuffle(shelved)
    order = list(range(rows))
    dice.shuffle(order)
    gold = [frozenset({f"p{at}"} if at < both else ()) for at in order]
    return Golden(
        name=name,
        columns={column: [ours[at][column] for at in order] for column in ours[0]},
        records=[Record(id=each, fields=theirs[each]) for each in shelved],
        gold=gold,
        known=[True] * rows,
    )


def _cells(product: _Product, shop: _Shop, dice: random.Random) -> dict[str, str]:
    def told(often: float, text: str) -> str:
        return text if dice.random() < often else ""

    thing = product.thing[0] if dice.random() < 0.5 else dice.choice(product.thing)
    code = told(shop.dashed, _dashed(product.code, dice)) or product.code
    size = dice.choice(("{} inch", "{}", "v{}", "{}.0")).format(product.number)
    parts = [
        told(shop.brand, product.brand),
        told(0.9, product.line),
        thing,
        told(shop.number, size),
        told(shop.variant, product.variant),
        *dice.sample(_NOISE, dice.randrange(shop.noise + 1)),
    ]
    if dice.random() < 0.5:  # some name the code first
        parts.insert(1, told(shop.code, code))
    else:
        parts.append(told(shop.code, f"- {code}" if code else ""))
    price = product.price * dice.choice((1.0, dice.uniform(0.6, 1.3)))
    selling = ", ".join(dice.sample(_SELLING, 3))
    return {
        "name": " ".join(part for part in parts if part),
        "description": told(shop.described, f"{product.brand} {thing} {selling}"),
        "price": told(shop.price, f"{price:.2f}"),
    }


def _dashed(code: str, dice: random.Random) -> str:
    """Return a code as another shop types it: PSLX350 becomes PS-LX350 or PSLX-350."""
    if len(code) < 5:
        return code
    at = dice.choice((2, 3))
    return f"{code[:at]}-{code[at:]}"
