"""The formats that the catalog is handed on in."""

from filon.catalog.handon.croissant import write_croissant
from filon.catalog.handon.dcat import write_dcat
from filon.catalog.handon.frictionless import write_frictionless
from filon.catalog.handon.rows import exporting

FRICTIONLESS = exporting(write_frictionless, "-frictionless")
CROISSANT = exporting(write_croissant, "-croissant")
DCAT = exporting(write_dcat, ".jsonld")
