"""The formats that the catalog is handed on in."""

from filon.catalog.handon.croissant import write_croissant
from filon.catalog.handon.datasette import write_datasette
from filon.catalog.handon.dcat import write_dcat
from filon.catalog.handon.duckdb import write_duckdb
from filon.catalog.handon.frictionless import write_frictionless
from filon.catalog.handon.lake import write_lake
from filon.catalog.handon.rocrate import write_rocrate
from filon.catalog.handon.rows import exporting
from filon.catalog.handon.schema_org import write_schema_org

FRICTIONLESS = exporting(write_frictionless, "-frictionless")
CROISSANT = exporting(write_croissant, "-croissant")
DCAT = exporting(write_dcat, ".jsonld")
SCHEMA_ORG = exporting(write_schema_org, ".schema.jsonld")
ROCRATE = exporting(write_rocrate, "-crate")
LAKE = exporting(write_lake, "-lake")
DUCKDB = exporting(write_duckdb, ".duckdb")
DATASETTE = exporting(write_datasette, "-datasette")
