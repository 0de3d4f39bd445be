"""What the pages of a portal show around their content: signals of its software, a menu.

The signals are those of the real front pages (reference: the documentation of each software).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

#: Words of a portal in the languages in which most catalogues that are not in English are.
WORDS = {
    "EN": ("Datasets", "Download", "Open data portal with datasets on", "About", "Contact"),
    "FR": (
        "Jeux de données",
        "Télécharger",
        "Portail de données ouvertes avec des jeux de données sur",
        "À propos",
        "Contact",
    ),
    "ES": (
        "Conjuntos de datos",
        "Descargar",
        "Portal de datos abiertos con conjuntos de datos sobre",
        "Acerca de",
        "Contacto",
    ),
    "DE": (
        "Datensätze",
        "Herunterladen",
        "Open-Data-Portal mit Datensätzen über",
        "Über uns",
        "Kontakt",
    ),
    "PT": (
        "Conjuntos de dados",
        "Baixar",
        "Portal de dados abertos com conjuntos de dados sobre",
        "Sobre",
        "Contato",
    ),
    "IT": (
        "Insiemi di dati",
        "Scarica",
        "Portale di dati aperti con dati su",
        "Informazioni",
        "Contatti",
    ),
}
#: The topics in these languages.
TOPIC_WORDS = {
    "health": {
        "EN": "health hospitals patients disease",
        "FR": "santé hôpitaux patients maladies",
        "ES": "salud hospitales pacientes enfermedades",
        "DE": "Gesundheit Krankenhäuser Patienten Krankheiten",
        "PT": "saúde hospitais pacientes doenças",
        "IT": "salute ospedali pazienti malattie",
    },
    "transport": {
        "EN": "transport roads traffic bus",
        "FR": "transport routes circulation bus",
        "ES": "transporte carreteras tráfico autobús",
        "DE": "Verkehr Straßen Stau Bus",
        "PT": "transporte estradas trânsito ônibus",
        "IT": "trasporti strade traffico autobus",
    },
    "education": {
        "EN": "education schools pupils university",
        "FR": "éducation écoles élèves université",
        "ES": "educación escuelas alumnos universidad",
        "DE": "Bildung Schulen Schüler Universität",
        "PT": "educação escolas alunos universidade",
        "IT": "istruzione scuole alunni università",
    },
}


@dataclass(frozen=True, slots=True)
class Frame:
    """What a software adds to a page: in the head, in the foot, and to the headers."""

    head: str = ""
    foot: str = ""
    body: str = ""  # attributes of the body
    headers: tuple[tuple[str, str], ...] = ()


FRAMES = {
    "ckan": Frame(
        head='<meta name="generator" content="ckan 2.9.5"><link href="/webassets/base/main.css">',
        foot='<p>Powered by <a class="ckan-footer-logo" href="http://ckan.org">CKAN</a></p>',
    ),
    "dkan": Frame(
        head='<meta name="Generator" content="Drupal 10 (https://www.drupal.org)">',
        foot='<p>Powered by <a href="https://getdkan.org">DKAN</a></p>',
    ),
    "socrata": Frame(
        head="<script>window.socrataConfig = {};</script>",
        foot='<p>Powered by <a href="https://www.tylertech.com">Socrata</a></p>',
        headers=(("X-Socrata-RequestId", "1a2b3c"), ("X-Socrata-Region", "aws-us-east-1")),
    ),
    "opendatasoft": Frame(
        head='<script src="https://static.opendatasoft.com/static/js/ods.js"></script>',
        foot='<p>Powered by <a href="https://www.opendatasoft.com">Opendatasoft</a></p>',
        body=' ng-app="ods.frontend"',
    ),
    "arcgishub": Frame(
        head='<script src="https://hubcdn.arcgis.com/opendata-ui/assets/app.js"></script>',
        body=' class="opendata-ui"',
    ),
    "dataverse": Frame(
        foot='<p>Powered by <a href="https://dataverse.org">The Dataverse Project</a> v. 5.14</p>',
        head='<link href="/resources/dataverse_header.css">',
    ),
    "geonetwork": Frame(
        body=' ng-app="gn_search_default"',
        foot='<a href="/geonetwork/srv/eng/catalog.search">Search</a>',
    ),
    "geonode": Frame(
        head='<link href="/static/geonode/css/base.css">',
        foot='<p>Powered by <a href="https://geonode.org">GeoNode</a></p>',
    ),
    "inveniordm": Frame(
        foot='<p>Powered by <a href="https://inveniosoftware.org">InvenioRDM</a></p>',
        body=' data-invenio-config="{}"',
    ),
    "datasette": Frame(
        head='<link rel="stylesheet" href="/-/static/app.css?d59929">',
        foot='<p>Powered by <a href="https://datasette.io/">Datasette</a></p>',
    ),
    "dspace": Frame(head='<meta name="Generator" content="DSpace 7.6">'),
    "jkan": Frame(foot='<p>Powered by <a href="https://jkan.io">JKAN</a></p>'),
}
PLAIN = Frame()


def page(
    title: str,
    text: str,
    links: Sequence[tuple[str, str]] = (),
    frame: Frame = PLAIN,
    language: str = "EN",
    extra: str = "",
) -> str:
    """Return the HTML of a page. extra: markup for the head."""
    anchors = "".join(f'<li><a href="{escape(url)}">{escape(name)}</a></li>' for url, name in links)
    description = escape(text[:160], quote=True)
    return (
        f'<html lang="{language.lower()}"><head><title>{escape(title)}</title>'
        f'<meta name="description" content="{description}">{frame.head}{extra}</head>'
        f"<body{frame.body}><h1>{escape(title)}</h1>"
        f"<p>{escape(text)}</p><ul>{anchors}</ul>{frame.foot}</body></html>"
    )


def told_in(language: str, name: str, text: str, topics: Sequence[str]) -> str:
    """Return what a portal says of itself in its language, as far as we speak it.

    The registry's descriptions are often English where the portal is not.
    """
    if language == "EN" or language not in WORDS or not _english(text):
        return text
    about = " ".join(TOPIC_WORDS[t][language] for t in topics if t in TOPIC_WORDS)
    return f"{name}. {WORDS[language][2]} {about or name}."


def _english(text: str) -> bool:
    found = text.lower().split()
    return sum(word in ("the", "of", "and", "for", "with", "on", "by") for word in found) >= 3
