"""Every pretended portal: its adapter, its answers, and what there is to find."""

from collections.abc import Callable
from dataclasses import dataclass

from unit.portals.answers.dcat import dcat_ap, dcat_us, dkan, markup
from unit.portals.answers.geo import csw, geonetwork
from unit.portals.answers.open_data import (
    arcgis_files,
    arcgis_hub,
    arcgis_search,
    ckan,
    opendatasoft,
    opendatasoft_files,
    socrata,
)
from unit.portals.answers.repositories import dataverse, inveniordm, inveniordm_files, oai
from unit.portals.answers.sitemaps import sitemap
from unit.portals.catalogue import ROOT, Row
from unit.services.server import Call, Reply


@dataclass(frozen=True)
class Pretended:
    """A pretended portal: its adapter, where it stands, and what there is to find.

    calls: to list it all, without the one that confirms it.
    json: whether the first list is JSON, and not XML, RDF or a page.
    """

    adapter: str
    reply: Callable[[Call], Reply]
    calls: int
    root: str = ROOT
    files: Callable[[Row], set[str]] = lambda row: {row.csv, row.zip}

    @property
    def json(self) -> bool:
        others = ("csw", "dcat-ap", "oai-pmh", "schema.org", "sitemap")
        return self.adapter not in others and self.reply not in (csw, arcgis_search)


def rows_csv(row: Row) -> set[str]:
    return {f"{ROOT}/api/views/{row.uid}/rows.csv?accessType=DOWNLOAD"}


PORTALS = {
    "ckan": Pretended("ckan", ckan, 1, f"{ROOT}/data"),
    "ckan, at most 100 rows": Pretended("ckan", lambda c: ckan(c, 100), 3, f"{ROOT}/data"),
    "socrata": Pretended("socrata", socrata, 1, files=rows_csv),
    "opendatasoft": Pretended("opendatasoft", opendatasoft, 3, files=opendatasoft_files),
    "arcgis hub": Pretended("arcgishub", arcgis_hub, 1),
    "arcgis hub, no feed": Pretended("arcgishub", arcgis_search, 4, files=arcgis_files),
    "dataverse": Pretended("dataverse", dataverse, 2),
    "dkan": Pretended("dkan", dkan, 1),
    "geonetwork 4": Pretended("geonetwork", geonetwork, 1, f"{ROOT}/geonetwork"),
    "geonetwork 3": Pretended("geonetwork", csw, 3, f"{ROOT}/geonetwork"),
    "csw": Pretended("csw", csw, 3),
    "inveniordm": Pretended("inveniordm", inveniordm, 3, files=inveniordm_files),
    "data.json": Pretended("dcat-us", dcat_us, 1),
    "dcat-ap": Pretended("dcat-ap", dcat_ap, 3),
    "oai-pmh": Pretended("oai-pmh", oai, 3, files=lambda row: {row.csv}),
    "schema.org": Pretended("schema.org", markup, 1),
    "sitemaps": Pretended("sitemap", sitemap, 3, files=lambda row: {row.csv}),
}
