"""Which sites belong to an acquisition, and their names."""

from filon.verbs.acquire.scope import Only, Sites


def test_a_host_stands_for_itself_and_all_below_it() -> None:
    only = Only(["gov.et"])
    assert only.fits("https://www.stats.gov.et/")
    assert only.fits("https://gov.et/")
    assert not only.fits("https://notgov.et/")


def test_a_glob_is_about_the_address() -> None:
    only = Only(["//*.example.org/data/*"])
    assert only.fits("https://a.example.org/data/x")
    assert not only.fits("https://a.example.org/news")


def test_without_a_word_every_site_fits() -> None:
    assert Only([]).fits("https://anywhere.test/")


def test_a_site_is_taken_once_and_so_is_what_lies_within_it() -> None:
    sites = Sites()
    assert sites.given("https://www.example.org/")
    assert sites.given("https://www.example.org/") is None
    assert sites.given("https://data.example.org/x") is None


def test_names_are_folders_that_differ_and_never_that_of_the_discovery() -> None:
    sites = Sites()
    urls = ["https://www.A.org/", "https://a.org:8080/", "https://discover/", "https://[::1]/"]
    names = [site.name for url in urls if (site := sites.given(url))]
    assert names[0] == "a.org"
    assert len(set(names)) == len(names)
    assert "discover" not in names
    assert not any(set(name) & set("/\\:") for name in names)


def test_only_repositories_on_the_list_are_taken_from_a_discovery() -> None:
    sites = Sites(["b.org"])
    good = {"kind": "repository", "url": "https://b.org/data", "files": 3}
    assert (found := sites.found(good, 0.5))
    assert found.promise == 0.5
    assert "3 files" in found.why
    assert sites.found({"kind": "site", "url": "https://x.b.org/"}, 1.0) is None
    assert sites.found({**good, "url": "https://c.org/"}, 1.0) is None
    assert sites.found({**good, "url": "https://y.b.org/", "apart": "off the topic"}, 1.0) is None
