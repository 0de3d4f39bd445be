"""What gives portal software away: in an address, a header, a cookie or the text of a page.

A signal of weight 3 names the software, or is a path that no other has; 2 is typical, 1 a hint.
Paths are matched against the addresses of the page and of its own links, never of other sites':
who links to a portal is none.
"""

import re
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

Rule = tuple[re.Pattern[str], int]


def _rules(*rules: tuple[str, int]) -> tuple[Rule, ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), weight) for pattern, weight in rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """The signals of one software.

    path: the part before a match is the portal's root.
    cookie: names. header: "name: value".
    """

    host: tuple[Rule, ...] = ()
    path: tuple[Rule, ...] = ()
    header: tuple[Rule, ...] = ()
    cookie: tuple[Rule, ...] = ()
    body: tuple[Rule, ...] = field(default=())


@runtime_checkable
class Recognisable(Protocol):
    """A portal that an installed package adds, and what gives it away."""

    @property
    def signals(self) -> Signals:
        """Its signals; patterns are searched for as they are compiled."""


#: "Powered by", then a name, with a few tags in between.
_BY = r"powered\s+by:?\s*(?:<[^<>]{0,200}>\s*){0,4}(?:the\s+)?"
_GENERATOR = r"<meta[^<>]{0,80}generator[^<>]{0,80}"

SIGNALS: dict[str, Signals] = {
    "ckan": Signals(
        host=_rules((r"(^|\.)ckan\d?\.", 2), (r"gdcatalog", 2)),
        path=_rules((r"/api/3(/action/|$)", 3), (r"/webassets/(base|vendor|ckanext)", 2)),
        cookie=_rules((r"^ckan", 3)),
        body=_rules(
            (_GENERATOR + r"\bckan\b", 3),
            (_BY + r"[^<>]{0,20}\bckan\b", 3),
            (r"\bckan-footer-logo\b|/ckanext[-_/]|\bckan(\.min)?\.js", 3),
            (r">\s*CKAN API\s*<", 2),
        ),
    ),
    "dkan": Signals(
        host=_rules((r"(^|\.)dkan\.", 3)),
        path=_rules((r"/api/1/(metastore|search)(/|$|\?)", 3), (r"/profiles/dkan/", 3)),
        body=_rules((_BY + r"[^<>]{0,20}\bDKAN\b", 3), (_GENERATOR + r"\bDKAN\b", 3)),
    ),
    "socrata": Signals(
        host=_rules((r"(^|\.)socrata\.com$", 3)),
        path=_rules((r"/api/views(/|\.json|$|\?)", 3), (r"/browse\?.*limitTo=datasets", 2)),
        header=_rules((r"^x-socrata-", 3)),
        cookie=_rules((r"^_?socrata", 3)),
        body=_rules((_BY + r"[^<>]{0,20}\bsocrata\b", 3), (r"\bsocrataConfig\b|\bsocrata-", 2)),
    ),
    "opendatasoft": Signals(
        host=_rules((r"(^|\.)(opendatasoft|huwise)\.com$", 3)),
        path=_rules(
            (r"/api/explore/v2", 3),
            (r"/api/(explore/)?v2/catalog", 3),
            (r"/explore/dataset/", 2),
            (r"/explore/\?", 1),
            (r"/api$", 1),
        ),
        header=_rules((r"^x-ods-|^server: *ods", 2)),
        body=_rules(
            (r"static\.opendatasoft\.com|\bng-app=[\"']ods\.", 3),
            (_BY + r"[^<>]{0,20}\bopendatasoft\b", 3),
            (r"\bods-(front-)?(header|catalog|theme|widgets)", 2),
        ),
    ),
    "arcgishub": Signals(
        host=_rules((r"(^|[.-])(hub|opendata)\.arcgis\.com$", 3), (r"\.hub\.arcgis\.com$", 1)),
        path=_rules((r"/api/search/v1(/|$)", 3), (r"/api/feed/(dcat|rss)", 3)),
        body=_rules((r"hubcdn\.arcgis\.com", 3), (r"\bopendata-ui\b|arcgis-hub", 2)),
    ),
    "arcgisserver": Signals(
        path=_rules((r"/rest/(services|info)\b", 3), (r"/arcgis(/|$)", 1)),
        body=_rules((r"ArcGIS REST Services Directory", 3)),
    ),
    "dataverse": Signals(
        host=_rules((r"(^|[.-])dataverse\d?[.-]", 3)),
        path=_rules(
            (r"/dataset\.xhtml\?persistentId=", 3),
            (r"/api/search(\?|$)", 2),
            (r"/dataverse/[^/]+$", 2),
            (r"/dvn(/|$)", 2),
            (r"/oai\?verb", 1),
        ),
        body=_rules((_BY + r"[^<>]{0,20}\bDataverse\b", 3), (r"\bdataverseHeader\b|dataverse_", 2)),
    ),
    "geonetwork": Signals(
        host=_rules((r"(^|[.-])geonetwork\d?[.-]", 2)),
        path=_rules(
            (r"/srv/([a-z]{3}|api)(/|$)", 3),
            (r"(?<=/geonetwork)(/|$)", 3),
            (r"/portal\.opensearch", 1),
        ),
        body=_rules((r"\bng-app=[\"']gn_", 3), (_GENERATOR + r"geonetwork", 3)),
    ),
    "geonode": Signals(
        host=_rules((r"(^|[.-])geonode\d?[.-]", 3)),
        path=_rules(
            (r"/api/documents/", 3),
            (r"/catalogue/csw", 3),
            (r"/api/v2/(datasets|resources|layers)", 3),
            (r"/static/geonode/", 3),
        ),
        body=_rules((_BY + r"[^<>]{0,20}\bGeoNode\b", 3)),
    ),
    "geoserver": Signals(
        host=_rules((r"(^|[.-])geoserver\d?[.-]", 1)), path=_rules((r"/geoserver(/|$)", 3))
    ),
    "inveniordm": Signals(
        path=_rules((r"/api/records(/|$|\?)", 2), (r"/oai2d", 2)),
        body=_rules(
            (r"\bInvenioRDM\b|invenio-app-rdm|data-invenio-", 3), (_BY + r"[^<>]{0,20}\bInvenio", 3)
        ),
    ),
    "datasette": Signals(
        host=_rules((r"(^|\.)datasettes?\.", 2)),
        path=_rules((r"/-/(databases|static/app\.css|static/table\.js)", 3)),
        body=_rules((_BY + r"[^<>]{0,20}\bDatasette\b", 3)),
    ),
    "dspace": Signals(
        host=_rules((r"(^|[.-])dspace\d?[.-]", 3)),
        path=_rules(
            (r"/(xmlui|jspui)(/|$)", 3),
            (r"/server/(api|oai)", 3),
            (r"/oai/request", 2),
            (r"/(htmlmap|feed/rss_2\.0/site|open-search/description\.xml)", 2),
        ),
        body=_rules((_GENERATOR + r"DSpace", 3), (r"<ds-app\b", 3)),
    ),
    "figshare": Signals(
        host=_rules((r"(^|[.-])figshare\.", 3)),
        path=_rules((r"/sitemap/siteindex\.xml", 3), (r"/api/graphql\?thirdPartyCookies", 3)),
        body=_rules((_BY + r"[^<>]{0,20}\bfigshare\b", 3), (r"\bfigshare\b.{0,40}footer", 2)),
    ),
    "ipt": Signals(
        host=_rules((r"(^|[.-])ipt\d?[.-]", 3), (r"-ipt\.", 2)),
        path=_rules((r"/rss\.do", 3), (r"/inventory/dataset", 3), (r"/ipt[\d.-]*(/|$)", 2)),
        body=_rules((r"Integrated Publishing Toolkit", 3)),
    ),
    "thredds": Signals(
        host=_rules((r"(^|[.-])(thredds|tds)\d?[.-]", 1)),
        path=_rules((r"/thredds(/|$)", 3)),
        body=_rules((r"THREDDS Data Server", 3)),
    ),
    "erddap": Signals(path=_rules((r"/erddap(/|$)", 3))),
    "nada": Signals(
        host=_rules((r"(^|[.-])e?nada\d?[.-]", 2), (r"^(www\.)?(microdata|anda)\d?\.", 2)),
        path=_rules((r"/index\.php/(api/)?(catalog|home)", 3), (r"/nada(/|$)", 2)),
    ),
    "pxweb": Signals(
        host=_rules((r"(^|[.-])pxweb\d?[.-]", 3)),
        path=_rules((r"/px-?web(/|$)", 3), (r"/api/v1/[a-z]{2}/?$", 2)),
        body=_rules((_GENERATOR + r"PX-?Web", 3)),
    ),
    "udata": Signals(
        path=_rules((r"/api/1(/datasets|/?$)", 3)), body=_rules((_GENERATOR + r"udata", 3))
    ),
    "jkan": Signals(
        host=_rules((r"(^|\.)jkan\.", 3)),
        path=_rules((r"/[^/]*jkan[^/]*(/|$)", 2)),
        body=_rules((_BY + r"[^<>]{0,20}\bJKAN\b", 3)),
    ),
    "magda": Signals(path=_rules((r"/api/v0/(search|registry)", 3))),
    "dcat-us": Signals(
        path=_rules((r"/data\.json$", 1)),
        body=_rules((r"project-open-data\.cio\.gov/v1\.1", 3)),
    ),
    "dcat-ap": Signals(
        path=_rules((r"/catalog\.(ttl|jsonld|rdf|xml)(\?|$)", 3), (r"/dcat(\?|$)", 1))
    ),
    "oai-pmh": Signals(path=_rules((r"\?verb=Identify", 1), (r"/oai(2d|/request|-pmh)?(\?|$)", 1))),
    "csw": Signals(path=_rules((r"/csw\?.*service=csw", 1))),
}
