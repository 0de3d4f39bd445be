"""Portal software, and formats that portals publish: a file each, all a `Portal`."""

from filon.core.portal import Dataset, File, Listing, Portal
from filon.portals.arcgis_hub import ArcgisHub
from filon.portals.ckan import Ckan
from filon.portals.csw import Csw
from filon.portals.datasette import Datasette
from filon.portals.dataverse import Dataverse
from filon.portals.dcat_ap import DcatAp
from filon.portals.dcat_us import DcatUs
from filon.portals.dkan import Dkan
from filon.portals.geonetwork import GeoNetwork
from filon.portals.inveniordm import InvenioRdm
from filon.portals.markup import Markup
from filon.portals.oai import OaiPmh
from filon.portals.opendatasoft import OpenDataSoft
from filon.portals.sitemaps import Sitemaps
from filon.portals.socrata import Socrata
from filon.portals.walk import Walk, gathered

__all__ = ["ADAPTERS", "Dataset", "File", "Listing", "Portal", "Walk", "gathered"]

#: By name, those that know most about a dataset first: what any portal may have comes last.
ADAPTERS: dict[str, Portal] = {
    adapter.name: adapter
    for adapter in (
        Ckan(),
        Socrata(),
        OpenDataSoft(),
        ArcgisHub(),
        Dataverse(),
        Dkan(),
        GeoNetwork(),
        InvenioRdm(),
        Datasette(),
        DcatUs(),
        DcatAp(),
        OaiPmh(),
        Csw(),
        Markup(),
        Sitemaps(),
    )
}
