"""The APIs of generated repositories: each answers as its documentation says.

What an API lists is what the repository has; switched off it is not there, broken it answers
errors where the lists are and says that it is there all the same.
"""

import json
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

from experiments.discover import open_apis
from experiments.discover.calls import Call, Said
from experiments.discover.open_apis import arcgishub, ckan, data_json, dkan, opendatasoft, socrata
from experiments.discover.repository import Repository
from experiments.discover.science_apis import datasette, dataverse, geonetwork, inveniordm
from experiments.discover.xml_apis import csw, oai
from filon.core import Request, Response

DISCOVERY_HOST = "api.us.socrata.com"
_HTML = (("Content-Type", "text/html; charset=utf-8"),)


def answer(own: Repository, request: Request, root: str) -> Response | None:
    """Return what the API of a repository says; None: the request is not for it.

    root: the address under which it was asked; a mirror has another.
    """
    parts = urlsplit(request.url)
    call = dict(parse_qsl(parts.query, keep_blank_values=True))
    if parts.path == "/data.json" and own.data_json:
        return _response(request, data_json(own, root))
    ask = _APIS.get(own.software)
    if ask is None or not parts.path.startswith(_PREFIXES[own.software]):
        return None
    if own.api == "off":
        return None
    said = ask(own, parts.path, call | {"body": request.body.decode()}, root)
    if said is None:
        return None
    if own.api == "broken" and parts.path not in _CONFIRMS:
        wrong = b"<html><h1>Internal Server Error</h1></html>"
        return Response(url=request.url, status=500, headers=_HTML, body=wrong)
    return _response(request, said)


def discovery(found: Repository | None, request: Request) -> Response:
    """Return what Socrata's discovery API says of the portal that was asked for."""
    call = dict(parse_qsl(urlsplit(request.url).query))
    return _response(request, open_apis.discovery(found, call))


def _response(request: Request, said: Said) -> Response:
    is_xml = isinstance(said, str)
    mime = "text/xml; charset=utf-8" if is_xml else "application/json; charset=utf-8"
    body = said.encode() if is_xml else json.dumps(said, ensure_ascii=False).encode()
    return Response(url=request.url, status=200, headers=(("Content-Type", mime),), body=body)


_APIS: dict[str, Callable[[Repository, str, Call, str], Said]] = {
    "ckan": ckan,
    "dkan": dkan,
    "socrata": socrata,
    "opendatasoft": opendatasoft,
    "arcgishub": arcgishub,
    "dataverse": dataverse,
    "inveniordm": inveniordm,
    "datasette": datasette,
    "geonetwork": geonetwork,
    "geonode": csw,
    "dspace": oai,
}
_PREFIXES: dict[str, tuple[str, ...]] = {
    "ckan": ("/api/3/",),
    "dkan": ("/api/1/", "/data.json"),
    "socrata": ("/api/views.json", "/data.json"),
    "opendatasoft": ("/api/explore/v2.1/catalog/datasets",),
    "arcgishub": ("/api/search/", "/api/feed/"),
    "dataverse": ("/api/info/", "/api/search"),
    "inveniordm": ("/api/records",),
    "datasette": ("/-/databases.json", "/data.json"),
    "geonetwork": ("/geonetwork/srv/api/site", "/geonetwork/srv/api/search/"),
    "geonode": ("/catalogue/csw",),
    "dspace": ("/oai/request", "/server/oai/request"),
}
#: Paths that say that the API is there.
_CONFIRMS = frozenset(
    {
        "/api/3/action/status_show",
        "/api/1/metastore/schemas",
        "/api/views.json",
        "/api/search/v1",
        "/api/info/version",
        "/-/databases.json",
        "/geonetwork/srv/api/site",
    }
)
