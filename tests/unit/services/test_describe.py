"""A malformed source is told in one sentence that names the place."""

from pathlib import Path

import pytest

from filon.core import UserError
from filon.services.describe import find, shipped
from filon.services.source import Source

WHOLE = """
name = "toy"
about = "A toy."
[parameters]
host = { about = "the host", default = "toy.test" }
[request]
url = "https://{host}/search"
keywords = "q"
[key]
how = "query"
name = "k"
secret = "TOY_KEY"
[paging]
how = "page"
parameter = "p"
size = 10
[answer]
results = "$.hits"
id = "$.id"
total = "$.n"
fields = { title = "$.t" }
[limits]
rate = "30/min"
"""


def load(tmp_path: Path, text: str, **parameters: str) -> Source:
    path = tmp_path / "toy.toml"
    path.write_text(text, "utf-8")
    return Source.load(path, parameters)


def test_a_whole_file_is_a_source(tmp_path: Path) -> None:
    source = load(tmp_path, WHOLE)
    assert (source.name, source.page_size, source.joins) == ("toy", 10, "")
    assert source.request("a&b c", "3").url == (
        "https://toy.test/search?q=a%26b+c&p=3&k={secret:TOY_KEY}"
    )
    assert source.meter.delay_s == 2.0


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('name = "toy"', "name = ", "is not TOML"),
        ('name = "toy"', "", "lacks name"),
        ('url = "https://{host}/search"', "", "lacks request.url"),
        ('url = "https://{host}/search"', 'url = "ftp://a/"', "must begin with http://"),
        ('url = "https://{host}/search"', 'url = "https://{hots}/"', "entry for {hots}"),
        ('url = "https://{host}/search"', 'url = "https://me:pw@a.org/"', "holds a password"),
        ("[paging]", "[pagging]", "pagging, which is not known: did you mean paging?"),
        ('parameter = "p"', 'paramter = "p"', "paging.paramter, which is not known: did you mean"),
        ('parameter = "p"', "", "needs paging.parameter"),
        ("size = 10", 'size = "ten"', "paging.size must be a whole number, not 'ten'"),
        ("size = 10", "size = true", "paging.size must be a whole number, not True"),
        ("size = 10", "size = 0", "at least 1"),
        ("size = 10", "", "lacks paging.size"),
        ('how = "page"', 'how = "pages"', "one of none, page, offset, cursor, link"),
        ('how = "page"', 'how = "cursor"', "needs paging.next"),
        ('how = "query"', 'how = "magic"', "one of none, query, header, bearer, oauth2"),
        ('how = "query"', 'how = "oauth2"', "OAuth2 needs key.client and key.token_url"),
        ('secret = "TOY_KEY"', "", "key.secret must name"),
        ('name = "k"', "", "key.name must say"),
        ('keywords = "q"', "", "where the keywords go"),
        ('keywords = "q"', 'keywords = "q"\njson = { a = 1 }', "method POST"),
        ('results = "$.hits"', "", "lacks answer.results"),
        (
            'results = "$.hits"',
            'results = "$.hits["',
            "answer.results ('$.hits[') is not a JSONPath",
        ),
        ('results = "$.hits"', "results = 3", "a path or a list of paths, not 3"),
        ('{ title = "$.t" }', '"all"', 'a table of paths or "*", not'),
        ('{ title = "$.t" }', '{ title = "t" }', "answer.fields.title ('t') is not a JSONPath"),
        ('id = "$.id"', 'id = "$.id"\nalways = ["name"]', "'name', which is not in answer.fields"),
        ('id = "$.id"', 'id = "$.id"\nformat = "yaml"', "one of json, xml, html"),
        ('rate = "30/min"', 'rate = "fast"', "limits.rate must be like 30/min"),
        ('rate = "30/min"', 'rate = "30/min"\ncost = 0', "limits.cost must be more than 0"),
        ("[limits]", "[[limits]]", "limits must be a table"),
        (
            "[limits]",
            'problems = { means = "key" }\n[limits]',
            "answer.problems, which is not known",
        ),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in WHOLE
    with pytest.raises(UserError) as told:
        load(tmp_path, WHOLE.replace(old, new))
    assert says in str(told.value)
    assert str(told.value).count("\n") == 0


def test_parameters_are_checked(tmp_path: Path) -> None:
    assert load(tmp_path, WHOLE, host="b.test").origin == "https://b.test"
    with pytest.raises(UserError, match="no parameter 'hots': did you mean host"):
        load(tmp_path, WHOLE, hots="b.test")
    with pytest.raises(UserError, match="must be told host: the host"):
        load(tmp_path, WHOLE.replace(', default = "toy.test"', ""))
    with pytest.raises(UserError, match="page_size must be a whole number from 1 to 10"):
        load(tmp_path, WHOLE, page_size="11")
    assert load(tmp_path, WHOLE, page_size="5").page_size == 5


def test_a_source_that_does_not_exist_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="did you mean openalex"):
        Source.load("openalx")
    with pytest.raises(UserError, match=r"none\.toml cannot be read"):
        Source.load(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'name = "caf\xe9"')
    with pytest.raises(UserError, match="is not UTF-8"):
        Source.load(tmp_path / "latin.toml")


def test_the_address_of_an_instance_must_be_one() -> None:
    with pytest.raises(UserError, match="must be told url: the address of the portal"):
        Source.load("ckan")
    with pytest.raises(UserError, match="is no address to ask"):
        Source.load("ckan", {"url": "demo.ckan.org"})
    for port in ("99999", "eighty", "0"):
        with pytest.raises(UserError, match="is no address to ask"):
            Source.load("ckan", {"url": f"https://demo.ckan.org:{port}"})


def test_queries_beyond_the_services_bounds_are_not_taken() -> None:
    source = Source.load("github")
    assert source.takes("x" * 256)
    assert not source.takes("x" * 257)
    assert not source.takes("  ")
    assert not source.takes("two\nqueries")
    assert not Source.load("openalex").takes("the of")
    assert Source.load("openalex").takes("the art")


@pytest.mark.parametrize("name", shipped())
def test_every_field_name_can_be_a_column(name: str) -> None:
    told = find(name).answer.fields
    assert told == "*" or all(field.isidentifier() for field in told)
