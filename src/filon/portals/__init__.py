"""Portal software, and formats that portals publish: a file each, all a `Portal`."""

from functools import cached_property
from typing import Any

from filon.core.plugins import Registry, require
from filon.core.portal import Dataset, File, Listing, Portal, TellsChanges
from filon.portals.since import OVERLAP
from filon.portals.walk import Walk, gathered

__all__ = [
    "ADAPTERS",
    "OVERLAP",
    "Dataset",
    "File",
    "Listing",
    "Portal",
    "TellsChanges",
    "Walk",
    "gathered",
]


class _Adapters(Registry[Portal]):
    """Portals by name, each made once, when it is first asked for."""

    @cached_property
    def _made(self) -> dict[str, Portal]:
        return {}

    def __getitem__(self, name: str) -> Portal:
        if name not in self._made:
            self._made[name] = _made(super().__getitem__(name))
        return self._made[name]


def _made(found: Any) -> Portal:
    portal: Portal = found() if isinstance(found, type) else found
    require(portal, "portal software", "name", "confirm", "confirmed", "begin", "read")
    return portal


#: By name, those that know most about a dataset first: what any portal may have comes last.
#: Installed packages may add to them: a class, or what is made of one.
ADAPTERS = _Adapters(
    "portal software",
    "filon.portals",
    {
        "ckan": "filon.portals.ckan:Ckan",
        "socrata": "filon.portals.socrata:Socrata",
        "opendatasoft": "filon.portals.opendatasoft:OpenDataSoft",
        "arcgishub": "filon.portals.arcgis_hub:ArcgisHub",
        "dataverse": "filon.portals.dataverse:Dataverse",
        "dkan": "filon.portals.dkan:Dkan",
        "geonetwork": "filon.portals.geonetwork:GeoNetwork",
        "inveniordm": "filon.portals.inveniordm:InvenioRdm",
        "datasette": "filon.portals.datasette:Datasette",
        "dcat-us": "filon.portals.dcat_us:DcatUs",
        "dcat-ap": "filon.portals.dcat_ap:DcatAp",
        "oai-pmh": "filon.portals.oai:OaiPmh",
        "csw": "filon.portals.csw:Csw",
        "schema.org": "filon.portals.markup:Markup",
        "sitemap": "filon.portals.sitemaps:Sitemaps",
    },
    fit=_made,
)
