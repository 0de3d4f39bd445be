"""What the portal says to machines: robots.txt, sitemap, feeds, style, and the closed rooms."""

from collections.abc import Iterator
from html import escape

from filon.demo.answer import Answer, page, text
from filon.demo.html import slug
from filon.demo.portal import news, staff
from filon.demo.portal.catalogue import DATASETS
from filon.demo.portal.places import HOST, path
from filon.demo.portal.publications import REPORTS
from filon.demo.subjects import TOPICS
from filon.demo.terms import TERMS
from filon.demo.words import LANGUAGES, OFFICE, say

ROBOTS = f"""User-agent: *
Disallow: /admin
Disallow: /search

Sitemap: http://{HOST}/sitemap.xml
"""
_LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="48" height="48">'
    '<path d="M3 21V12h4v9zm7 0V6h4v15zm7 0V9h4v12z" fill="#165"/></svg>'
)
_STYLE = """body { font: 1rem/1.5 sans-serif; margin: 0; color: #222 }
.container { max-width: 64rem; margin: 0 auto; padding: 1rem }
.columns { display: flex; gap: 2rem }
.menu, .languages, .footer-links, .partners { display: flex; gap: 1rem; padding: 0 }
.menu, .languages, .footer-links, .partners { list-style: none }
.site-header, .site-footer { background: #eef5f2 }
a { color: #165 }
"""


def answer(where: str) -> Answer | None:
    """Answer to a machine, or not at all."""
    if where == "/robots.txt":
        return text("text/plain; charset=utf-8", ROBOTS)
    if where == "/sitemap.xml":
        return text("application/xml", _sitemap())
    if where == "/static/logo.svg":
        return text("image/svg+xml", _LOGO)
    if where == "/static/site.css":
        return text("text/css", _STYLE)
    if where in {f"/{lang}/rss.xml" for lang in LANGUAGES}:
        return text("application/rss+xml; charset=utf-8", _feed(where[1:3]))
    if where == "/search" or where.startswith("/admin"):
        return page("<!doctype html><title>Closed</title><p>Not for robots. <a href=/>Home</a>")
    return None


def listed() -> Iterator[str]:
    """Yield the paths in the sitemap: pages with content, no filters, no traps."""
    for lang in LANGUAGES:
        for section in ("home", "datasets", "topics", "publications", "news", "glossary", "about"):
            yield path(lang, section)
        yield from (path(lang, "topics", topic.key) for topic in TOPICS)
        yield from (path(lang, "datasets", dataset.slug(lang)) for dataset in DATASETS)
        yield from (report.path(lang) for report in REPORTS)
        yield from (item.path(lang) for item in news.ITEMS)
        yield from (path(lang, "glossary", slug(say(lang, name))) for name, _ in TERMS)
        for topic in TOPICS:
            people = staff.people(topic)
            yield from (path(lang, "staff", topic.key, slug(name)) for name in people)


def _sitemap() -> str:
    urls = "".join(f"<url><loc>http://{HOST}{escape(where)}</loc></url>\n" for where in listed())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    )


def _feed(lang: str) -> str:
    items = "".join(
        f"<item><title>{escape(item.title(lang))}</title>"
        f"<link>http://{HOST}{item.path(lang)}</link></item>\n"
        for item in news.ITEMS[:10]
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>'
        f"<title>{say(lang, OFFICE)}</title><link>http://{HOST}{path(lang, 'home')}</link>"
        f"<description>{say(lang, OFFICE)}</description>\n{items}</channel></rss>\n"
    )
