"""Words, their forms, and names in their parts."""

import pytest

from filon.catalog.words import fold, forms, words


@pytest.mark.parametrize(
    ("one", "other"),
    [("Bevölkerung", "BEVOLKERUNG"), ("École", "ecole"), ("niño", "NIÑO"), ("Straße", "strasse")],
)
def test_case_and_accents_do_not_matter(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("word", "form"),
    [
        *(("households", "household"), ("unemployed", "unemployment"), ("cities", "city")),
        *(("régions", "région"), ("ménages", "ménage"), ("nationales", "national")),
        *(("poblaciones", "población"), ("hogares", "hogar"), ("mujeres", "mujer")),
        *(("Arbeitslose", "Arbeitslosen"), ("Häuser", "Haus"), ("Tabellen", "Tabelle")),
    ],
)
def test_forms_of_a_word_are_known_in_several_languages(word: str, form: str) -> None:
    assert forms(fold(word), [fold(form)]) == [fold(form)]
    assert forms(fold(form), [fold(word)]) == [fold(word)]


@pytest.mark.parametrize(
    ("word", "other"), [("water", "waste"), ("rate", "ratio"), ("men", "mean")]
)
def test_other_words_are_no_forms(word: str, other: str) -> None:
    assert forms(word, [other]) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("unemploymentRate", ["unemploymentrate", "unemployment", "rate"]),
        ("pop_total_2020", ["pop", "total", "2020"]),
        ("GDPGrowth", ["gdpgrowth", "gdp", "growth"]),
        ("8-1-1.csv", ["8.1.1", "csv"]),
        ("人口統計", ["人口", "口統", "統計"]),
        ("", []),
    ],
)
def test_names_are_taken_apart(text: str, found: list[str]) -> None:
    assert list(words(text)) == found
