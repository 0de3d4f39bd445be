"""The sitemaps of a site, as `vein` reads them."""

import gzip

from filon.guards.robots import RobotsGuard
from filon.testing.site import CSV, HOST, page
from unit.verbs.harvest.strategies.vein.crawls import Enlarged, crawl, vein


def hidden() -> dict[str, tuple[int, str, bytes]]:
    """A page that only a sitemap lists, and that sitemap only robots.txt."""
    listed = f"<urlset><url><loc>{HOST}/island</loc></url></urlset>".encode()
    robots = f"User-agent: *\nDisallow:\nSitemap: {HOST}/maps/all.xml\n".encode()
    return {
        "/robots.txt": (200, "text/plain", robots),
        "/maps/all.xml": (200, "application/xml", listed),
        "/island": page(["/files/island.csv"], "div.files", ["/"], "p.crumbs"),
        "/files/island.csv": (200, "text/csv", CSV),
    }


def test_follows_the_sitemaps_that_robots_txt_names() -> None:
    site = Enlarged(hidden)
    urls = {step.request.url for step, _ in crawl(RobotsGuard(vein(site, stop="never"), "x"), site)}
    assert f"{HOST}/files/island.csv" in urls


def zipped() -> dict[str, tuple[int, str, bytes]]:
    """An index of sitemaps, all gzipped, under names that do not say so."""
    maps = [f"<sitemap><loc>{HOST}/m/{i}.xml.gz</loc></sitemap>" for i in range(3)]
    index = gzip.compress(f"<sitemapindex>{''.join(maps)}</sitemapindex>".encode())
    robots = f"Sitemap: {HOST}/m/all.xml.gz\n".encode()
    answers = {
        "/robots.txt": (200, "text/plain", robots),
        "/m/all.xml.gz": (200, "application/gzip", index),
    }
    for i in range(3):
        listed = f"<urlset><url><loc>{HOST}/island/{i}</loc></url></urlset>".encode()
        answers[f"/m/{i}.xml.gz"] = 200, "application/octet-stream", gzip.compress(listed)
        answers[f"/island/{i}"] = page([f"/files/island{i}.csv"], "div.files", ["/"], "p.crumbs")
        answers[f"/files/island{i}.csv"] = 200, "text/csv", CSV
    return answers


def test_nested_and_zipped_sitemaps_are_sources_and_no_finds() -> None:
    site = Enlarged(zipped)
    strategy = RobotsGuard(vein(site, stop="never"), "x")
    finds = []
    while step := strategy.propose():
        finds += strategy.observe(step, site.answer(step.request))
    urls = {find.url for find in finds}
    assert {f"{HOST}/files/island{i}.csv" for i in range(3)} <= urls
    assert not any("xml" in url for url in urls)


def test_reads_no_sitemap_when_told_so() -> None:
    site = Enlarged(hidden)
    strategy = RobotsGuard(vein(site, stop="never", options={"sitemaps": "off"}), "x")
    assert not any("xml" in step.request.url for step, _ in crawl(strategy, site))
