from pathlib import Path

from fake_run import FakeRun
from filon.verbs.discover.found import Site, numbered, write_sites
from filon.verbs.discover.found.listing import as_csv
from filon.verbs.discover.found.verdicts import marked, write_verdicts
from filon.verbs.discover.review import judged
from filon.verbs.discover.summary import discovered


def test_a_site_tells_why_in_words() -> None:
    why = {
        "a search of datacite for “bees” brought it": Site(
            operator="keyword", searcher="datacite", query="bees"
        ),
        "re3data lists it under “bees”": Site(operator="seeds", searcher="re3data", query="bees"),
        "a search of exa for sites like http://a.org/ brought it": Site(
            operator="related", searcher="exa", parent="http://a.org/"
        ),
        "http://hub.org/ links to it": Site(operator="backward", parent="http://hub.org/"),
        "it links to http://a.org/, as a search of local tells": Site(
            operator="backward", searcher="local", parent="http://a.org/"
        ),
        "http://b.org/ links to it": Site(operator="forward", parent="http://b.org/", query="x"),
        "it was given": Site(),
    }
    for said, site in why.items():
        assert site.why == said


def test_a_site_tells_what_was_verified() -> None:
    site = Site(
        files=12,
        datasets=1,
        formats=("csv", "xlsx"),
        software="ckan",
        licence="CC-BY",
        modified="2026-01-02",
        markup=("DCAT",),
        known=True,
        mirrors=("http://b.org/",),
    )
    assert site.verified == (
        "12 files (csv, xlsx), 1 dataset, ckan, licence CC-BY, changed 2026-01-02, DCAT, "
        "in the registry, 1 mirror"
    )
    assert Site().verified == ""


def test_what_a_later_version_tells_is_passed_over() -> None:
    site = Site.of({"url": "http://a.org/", "formats": ["csv"], "colour": "red", "parent": "bees"})
    assert (site.url, site.formats, site.parent) == ("http://a.org/", ("csv",), "")


def test_no_cell_of_the_table_is_a_formula() -> None:
    table = as_csv(numbered([Site(title="=1+1", url="http://a.org/", known=True)]))
    assert "'=1+1" in table
    assert table.count("\r\n") == 2


def test_a_verdict_holds_for_the_address_and_of_plain_sites_for_the_name() -> None:
    verdicts = {
        "http://a.org/": {"said": "accepted", "site": "a.org"},
        "http://b.org/": {"said": "skipped", "site": "b.org"},
    }
    sites = [
        Site(url="http://a.org/", site="a.org"),
        Site(url="http://a.org/other", site="a.org"),
        Site(url="http://a.org/third", site="a.org", kind="repository"),
        Site(url="http://b.org/", site="b.org"),
    ]
    told = [site.verdict for site in marked(sites, verdicts)]
    assert told == ["accepted", "accepted", "", ""]
    assert [site.wanted for site in marked(sites, verdicts)] == [True, True, True, False]


def test_the_list_for_harvest_has_nothing_that_xargs_takes_for_a_quotation_mark(
    tmp_path: Path,
) -> None:
    with FakeRun(tmp_path / "run", verb="discover"):
        pass
    write_sites(tmp_path / "run", [Site(url="http://a.org/it's", kind="repository")])
    assert (tmp_path / "run/harvest.txt").read_text() == "http://a.org/it%27s\n"
    assert "http://a.org/it's" in (tmp_path / "run/sites.csv").read_text()


def test_a_question_that_is_not_for_a_service_is_no_failure_of_it(tmp_path: Path) -> None:
    now_and_then = {"searcher": "local", "calls": 9, "failed: query": 2}
    always = {"searcher": "exa", "calls": 2, "failed: query": 2}
    down = {"searcher": "brave", "calls": 9, "failed: query": 1, "failed: down": 1}
    with FakeRun(tmp_path / "run", verb="discover") as run:
        run.end("exhausted", {"searchers": [now_and_then, always, down]})
    said = [note.split()[0] for note in discovered(tmp_path / "run").notes]
    assert said == ["exa", "brave"]


def test_what_stands_apart_is_in_the_second_list_alone(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", verb="discover"):
        pass
    sites = [
        Site(url="http://a.org/", site="a.org", kind="repository"),
        Site(url="http://b.org/", site="b.org", kind="repository", apart="off the topic"),
        Site(url="http://c.org/", site="c.org", kind="repository", apart="too few files"),
    ]
    write_sites(tmp_path / "run", numbered(sites))
    told = discovered(tmp_path / "run")
    assert [site.site for site in told.sites] == ["a.org"]
    assert [(site.site, site.apart) for site in told.others] == [
        ("b.org", "off the topic"),
        ("c.org", "too few files"),
    ]
    assert "beside it: 1 off the topic, 1 too few files (others.csv)" in str(told)
    assert (tmp_path / "run/harvest.txt").read_text() == "http://a.org/\n"
    for name in ("sites.csv", "catalog.ttl"):
        assert "b.org" not in (tmp_path / "run" / name).read_text("utf-8")
    others = (tmp_path / "run/others.csv").read_text("utf-8").splitlines()
    assert [line.rpartition(",")[2] for line in others] == [
        "apart",
        "off the topic",
        "too few files",
    ]
    write_sites(tmp_path / "run", numbered(sites[:1]))
    assert len((tmp_path / "run/others.csv").read_text("utf-8").splitlines()) == 1


def test_what_the_user_accepts_is_on_the_list(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", verb="discover"):
        pass
    write_verdicts(tmp_path / "run", {"http://b.org/": {"said": "accepted", "site": "b.org"}})
    sites = [
        Site(url="http://a.org/", site="a.org", kind="repository", score=0.9),
        Site(url="http://b.org/", site="b.org", kind="repository", apart="off the topic"),
        Site(url="http://c.org/", site="c.org", kind="repository", apart="off the topic"),
    ]
    ordered = judged(tmp_path / "run", numbered(sites))
    assert [(site.site, site.apart) for site in ordered] == [
        ("b.org", ""),
        ("a.org", ""),
        ("c.org", "off the topic"),
    ]
