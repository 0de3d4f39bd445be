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


def found_on(site: Enlarged) -> set[str]:
    """Return the paths of what a crawl that reads robots.txt finds."""
    strategy = RobotsGuard(vein(site, stop="never"), "x")
    finds = []
    while step := strategy.propose():
        finds += strategy.observe(step, site.answer(step.request))
    return {find.url.removeprefix(HOST) for find in finds}


def test_nested_and_zipped_sitemaps_are_sources_and_no_finds() -> None:
    urls = found_on(Enlarged(zipped))
    assert {f"/files/island{i}.csv" for i in range(3)} <= urls
    assert not any("xml" in url for url in urls)


def test_reads_no_sitemap_when_told_so() -> None:
    site = Enlarged(hidden)
    strategy = RobotsGuard(vein(site, stop="never", options={"sitemaps": "off"}), "x")
    assert not any("xml" in step.request.url for step, _ in crawl(strategy, site))


def texts() -> dict[str, tuple[int, str, bytes]]:
    """Sitemaps in plain text, under names that do not say so: of robots.txt, and of an index."""
    index = f"<sitemapindex><sitemap><loc>{HOST}/m/files.txt</loc></sitemap></sitemapindex>"
    robots = f"Sitemap: {HOST}/urls\nSitemap: {HOST}/m/all.xml\nSitemap: {HOST}/old.txt\n"
    answers = {
        "/robots.txt": (200, "text/plain", robots.encode()),
        "/urls": (200, "text/plain", f"{HOST}/island/0\n{HOST}/files/commas,1.csv\n".encode()),
        "/old.txt": (301, f"{HOST}/new.txt", b""),
        "/new.txt": (200, "text/plain", f"\ufeff{HOST}/island/1\n".encode("utf-16-le")),
        "/m/all.xml": (200, "application/xml", index.encode("utf-16")),
        "/m/files.txt": (200, "text/plain", f"{HOST}/a,1.csv\n{HOST}/a,2.csv\n".encode()),
    }
    answers |= {f"/a,{i}.csv": (200, "text/csv", CSV + b"%d,0" % i) for i in (1, 2)}
    for i in range(2):
        answers[f"/island/{i}"] = page([f"/files/island{i}.csv"], "div.files", ["/"], "p.crumbs")
        answers[f"/files/island{i}.csv"] = 200, "text/csv", CSV
    return answers


def test_sitemaps_in_plain_text_are_sources_and_no_finds() -> None:
    urls = found_on(Enlarged(texts))
    assert {"/files/island0.csv", "/files/island1.csv", "/a,1.csv", "/a,2.csv"} <= urls
    assert not urls & {"/urls", "/old.txt", "/new.txt", "/m/all.xml", "/m/files.txt"}


def test_a_text_that_no_sitemap_names_is_none() -> None:
    listed = f"{HOST}/island\n".encode()
    site = Enlarged(lambda: {**hidden(), "/robots.txt": (404, "", b"")})
    site._answers["/topic/0"] = page(["/notes/urls.txt"], "p", [], "p")
    site._answers["/notes/urls.txt"] = 200, "text/plain", listed
    asked = [step.request.url for step, _ in crawl(vein(site, stop="never"), site)]
    assert f"{HOST}/notes/urls.txt" in asked
    assert f"{HOST}/island" not in asked


def test_what_is_named_as_a_sitemap_is_known_as_one_after_a_resume() -> None:
    site = Enlarged(texts)
    first, again = vein(site, stop="never"), vein(site, stop="never")
    first.hear_sitemaps([f"{HOST}/urls"], 0.0)  # type: ignore[attr-defined]
    again.restore(first.state())
    asked = [step.request.url for step, _ in crawl(again, site)]
    assert f"{HOST}/files/island0.csv" in asked
    old = first.state()
    del old["named"]
    vein(site).restore(old)
