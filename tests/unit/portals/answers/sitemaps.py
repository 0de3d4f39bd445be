"""Sites with no list but their sitemaps."""

import re

from unit.portals.answers.replies import MISSING, XML
from unit.portals.catalogue import ROOT, ROWS
from unit.services.server import Call, Reply

# Sitemaps (sitemaps.org): an index of two.


def sitemap(call: Call) -> Reply:
    ns = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    if call.path == "/sitemap.xml":
        lists = "".join(f"<sitemap><loc>{ROOT}/sitemap-{n}.xml</loc></sitemap>" for n in (1, 2))
        return 200, XML, f"<sitemapindex {ns}>{lists}</sitemapindex>".encode()
    match = re.fullmatch(r"/sitemap-([12])\.xml", call.path)
    if not match:
        return MISSING
    rows = ROWS[:100] if match[1] == "1" else ROWS[100:]
    urls = "".join(f"<url><loc>{row.csv}</loc></url>" for row in rows)
    urls += f"<url><loc>{ROOT}/about/team</loc></url>"
    return 200, XML, f"<urlset {ns}>{urls}</urlset>".encode()
