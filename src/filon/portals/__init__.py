"""Portal software, and formats that portals publish: a file each, all alike (`adapter.Adapter`)."""

from filon.portals.adapter import Adapter, Dataset, File, Page, Walk, gathered
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

__all__ = ["ADAPTERS", "Adapter", "Dataset", "File", "Page", "Walk", "gathered"]

#: By name, those that know most about a dataset first: what any portal may have comes last.
ADAPTERS: dict[str, Adapter] = {
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
