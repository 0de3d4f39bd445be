"""Portal software, and formats that portals publish: a file each, all alike (`adapter.Adapter`)."""

from filon.providers.portals.adapter import Adapter, Dataset, File, Page, Walk, gathered
from filon.providers.portals.arcgis_hub import ArcgisHub
from filon.providers.portals.ckan import Ckan
from filon.providers.portals.csw import Csw
from filon.providers.portals.datasette import Datasette
from filon.providers.portals.dataverse import Dataverse
from filon.providers.portals.dcat_ap import DcatAp
from filon.providers.portals.dcat_us import DcatUs
from filon.providers.portals.dkan import Dkan
from filon.providers.portals.geonetwork import GeoNetwork
from filon.providers.portals.inveniordm import InvenioRdm
from filon.providers.portals.markup import Markup
from filon.providers.portals.oai import OaiPmh
from filon.providers.portals.opendatasoft import OpenDataSoft
from filon.providers.portals.sitemaps import Sitemaps
from filon.providers.portals.socrata import Socrata

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
