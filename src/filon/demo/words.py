"""The words of the small web, in two languages: a `Both` is the same thing said twice."""

from typing import NamedTuple


class Both(NamedTuple):
    """A text in English and in French."""

    en: str
    fr: str


LANGUAGES = ("en", "fr")


def say(lang: str, text: Both) -> str:
    """Return the text in that language.

    >>> say("fr", both("health", "santé"))
    'santé'
    """
    return text.fr if lang == "fr" else text.en


def both(en: str, fr: str) -> Both:
    """Pair an English and a French text."""
    return Both(en, fr)


#: An invented country, so that nobody takes its figures for real ones.
COUNTRY = both("Orvania", "Orvanie")
OFFICE = both("Statistics Orvania", "Statistique Orvanie")
REGIONS = (
    both("Northern Coast", "Côte du Nord"),
    both("Upper Lakes", "Hauts-Lacs"),
    both("Capital District", "District de la capitale"),
    both("Western Hills", "Collines de l'Ouest"),
    both("Middle Valley", "Vallée du Milieu"),
    both("Eastern Plain", "Plaine de l'Est"),
    both("Southern Islands", "Îles du Sud"),
    both("Salt Marshes", "Marais salants"),
)
MONTHS = (
    both("January", "janvier"), both("February", "février"), both("March", "mars"),
    both("April", "avril"), both("May", "mai"), both("June", "juin"),
    both("July", "juillet"), both("August", "août"), both("September", "septembre"),
    both("October", "octobre"), both("November", "novembre"), both("December", "décembre"),
)  # fmt: skip

FIRST_NAMES = (
    "Agnès", "Bruno", "Clara", "Daniel", "Elena", "Farid", "Greta", "Hugo", "Inès", "Jonas",
    "Karima", "Lucas", "Maïa", "Noé", "Olga", "Pierre", "Rosa", "Samir", "Thea", "Victor",
)  # fmt: skip
LAST_NAMES = (
    "Abelard", "Brune", "Castel", "Dorval", "Esker", "Falk", "Grenier", "Hollin", "Ister",
    "Jonquet", "Kessel", "Lormont", "Marais", "Novak", "Ostrava", "Pellier", "Rivers", "Sorel",
    "Tessier", "Vauban",
)  # fmt: skip
JOBS = (
    both("Statistician", "Statisticienne ou statisticien"),
    both("Survey manager", "Responsable d'enquête"),
    both("Data editor", "Rédaction des données"),
    both("Methodologist", "Méthodologue"),
)

TRENDS = (
    both("slight rise", "légère hausse"),
    both("sharp fall", "forte baisse"),
    both("stable", "stabilité"),
    both("record level", "niveau record"),
    both("slow recovery", "lente reprise"),
    both("marked differences between regions", "écarts marqués entre régions"),
)
#: Sentences of articles; {subject}, {region} and {year} are filled in.
SENTENCES = (
    both(
        "The figures for {year} confirm what the first estimates had shown.",
        "Les chiffres de {year} confirment ce que montraient les premières estimations.",
    ),
    both(
        "In the region {region} the change is larger than elsewhere.",
        "Dans la région {region}, l'évolution est plus forte qu'ailleurs.",
    ),
    both(
        "The survey was answered by more than nine households in ten.",
        "Plus de neuf ménages sur dix ont répondu à l'enquête.",
    ),
    both(
        "Comparisons with the years before {year} need care, since the definitions changed.",
        "Les comparaisons avec les années d'avant {year} demandent de la prudence : les"
        " définitions ont changé.",
    ),
    both(
        "A revision is planned for the spring; it should leave the main results as they are.",
        "Une révision est prévue au printemps ; elle ne devrait pas modifier les résultats"
        " principaux.",
    ),
    both(
        "The series on {subject} now goes back twenty years.",
        "La série sur le thème « {subject} » remonte désormais à vingt ans.",
    ),
    both(
        "Seasonal effects explain about half of the movement.",
        "Les effets saisonniers expliquent environ la moitié du mouvement.",
    ),
    both(
        "The next results will be published in twelve months.",
        "Les prochains résultats paraîtront dans douze mois.",
    ),
    both(
        "Rural municipalities follow the same path with a delay of one to two years.",
        "Les communes rurales suivent le même chemin avec un à deux ans de retard.",
    ),
    both(
        "Since {year}, administrative registers replace part of the questionnaire.",
        "Depuis {year}, des registres administratifs remplacent une partie du questionnaire.",
    ),
)
