"""What data is called in other languages, and which language a page is likely in.

Four in ten catalogues are not in English, and a search engine finds them by their own words.
"""

from collections import Counter
from collections.abc import Iterable

#: By language: what a dataset is called, open data, statistics.
WORDS: dict[str, tuple[str, str, str]] = {
    "en": ("dataset", "open data", "statistics"),
    "fr": ("jeux de données", "données ouvertes", "statistiques"),
    "es": ("conjunto de datos", "datos abiertos", "estadísticas"),
    "pt": ("conjunto de dados", "dados abertos", "estatísticas"),
    "de": ("Datensatz", "offene Daten", "Statistik"),
    "it": ("dataset", "dati aperti", "statistiche"),
    "nl": ("dataset", "open data", "statistieken"),
    "pl": ("zbiór danych", "otwarte dane", "statystyka"),
    "cs": ("datová sada", "otevřená data", "statistika"),
    "sv": ("datamängd", "öppna data", "statistik"),
    "fi": ("tietoaineisto", "avoin data", "tilastot"),
    "el": ("σύνολο δεδομένων", "ανοικτά δεδομένα", "στατιστικά"),
    "tr": ("veri seti", "açık veri", "istatistik"),
    "ru": ("набор данных", "открытые данные", "статистика"),
    "uk": ("набір даних", "відкриті дані", "статистика"),
    "id": ("dataset", "data terbuka", "statistik"),
    "ar": ("مجموعة بيانات", "البيانات المفتوحة", "إحصاءات"),
    "zh": ("数据集", "开放数据", "统计数据"),
    "ja": ("データセット", "オープンデータ", "統計"),
    "ko": ("데이터셋", "공공데이터", "통계"),
}
#: Endings of names that suggest a language.
_TOPS = {
    **{name: name for name in ("fr", "es", "pt", "de", "it", "nl", "pl", "fi", "tr", "ru", "id")},
    "at": "de",
    "ch": "de",
    "be": "fr",
    "br": "pt",
    "ao": "pt",
    "mz": "pt",
    "cz": "cs",
    "se": "sv",
    "gr": "el",
    "ua": "uk",
    "cn": "zh",
    "tw": "zh",
    "jp": "ja",
    "kr": "ko",
    **dict.fromkeys(("mx", "ar", "co", "cl", "pe", "ec", "uy", "cr", "gt", "bo", "py"), "es"),
    **dict.fromkeys(("sn", "ci", "ml", "bf", "tn", "ma", "dz"), "fr"),
    **dict.fromkeys(("sa", "ae", "eg", "jo", "qa", "kw", "om"), "ar"),
}
#: Little words that hardly any other language has.
_LITTLE: dict[str, frozenset[str]] = {
    "fr": frozenset(["les", "des", "une", "dans", "pour", "est", "sur", "avec", "aux"]),
    "es": frozenset(["los", "las", "una", "para", "del", "con", "por", "más"]),
    "pt": frozenset(["uma", "dos", "das", "não", "para", "com", "são"]),
    "de": frozenset(["und", "der", "die", "das", "für", "mit", "ist", "von"]),
    "it": frozenset(["gli", "della", "delle", "per", "con", "che", "una", "dei"]),
    "nl": frozenset(["het", "een", "van", "voor", "met", "zijn"]),
    "pl": frozenset(["oraz", "się", "jest", "dla", "nie", "na"]),
    "sv": frozenset(["och", "för", "med", "som", "att", "är"]),
    "tr": frozenset(["ve", "bir", "için", "ile"]),
    "id": frozenset(["dan", "yang", "untuk", "dengan"]),
}
#: Fewer little words than this are quotations.
_ENOUGH = 5


def language_of(url_top: str, words: Iterable[str]) -> str:
    """Return the language that a page is likely in; "en" where nothing speaks for another.

    >>> language_of("org", "les prix des maisons dans une ville pour les gens".split())
    'fr'
    >>> language_of("br", ["hello"]), language_of("com", ["hello"])
    ('pt', 'en')
    """
    counts = Counter(words)
    met = {name: sum(counts[word] for word in little) for name, little in _LITTLE.items()}
    best = max(met, key=lambda name: met[name])
    if met[best] >= _ENOUGH:
        return best
    return _TOPS.get(url_top, "en")


def language_holds(word: str, language: str) -> bool:
    """Say whether a word may be of a language that is not written in plain Latin letters only."""
    return language != "en" and (not word.isascii() or language in ("fr", "es", "pt", "de", "it"))
