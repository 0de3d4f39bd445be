import json

from filon.demo.country.bodies import BODIES
from filon.demo.country.datasets import datasets
from filon.demo.country.register import SOURCE
from filon.demo.country.stations import EACH, STATIONS, stations
from filon.demo.sites import answer
from filon.services.describe import describe

AGENCIES = [body for body in BODIES if body.kind == "repository" and body.subject == "water"]


def known(name: str) -> bool:
    words = name.replace(" ", "+")
    return bool(json.loads(answer(f"http://register.test/search?q={words}").body)["total"])


def test_each_agency_measures_at_places_of_its_own() -> None:
    places = [station for body in AGENCIES for station in stations(body)]
    assert len(places) == len(set(places)) == EACH * len(AGENCIES)
    assert len({station.name for station in STATIONS}) == len(STATIONS)


def test_tables_on_water_name_the_stations_of_their_agency() -> None:
    for body in AGENCIES:
        for one in datasets(body):
            assert one.table().columns == ("station", "river", "year", "value")
            assert {row[0] for row in one.table().rows} == {place.name for place in stations(body)}


def test_the_register_knows_most_of_them() -> None:
    places = [station.name for body in AGENCIES for station in stations(body)]
    share = sum(map(known, places)) / len(places)
    assert 0.8 < share < 1


def test_the_description_of_the_register_is_understood() -> None:
    assert describe(SOURCE, "register.toml").name == "register"
