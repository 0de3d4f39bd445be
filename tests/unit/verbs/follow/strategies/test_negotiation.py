"""Which Accept header is sent, after which answers."""

from filon.verbs.follow.strategies.negotiation import VARIANTS, Negotiation, prefixes


def test_the_usual_header_comes_first() -> None:
    assert Negotiation().choose("http://a.example/x/y") == "rdf"


def test_where_it_brought_nothing_the_next_uri_of_that_prefix_gets_another() -> None:
    known = Negotiation()
    known.learn("http://a.example/x/1", "rdf", hit=False)
    assert known.choose("http://a.example/x/2") == "turtle"
    assert known.choose("http://a.example/y/2") == "rdf"
    assert known.choose("http://b.example/x/2") == "rdf"


def test_what_paid_is_kept() -> None:
    known = Negotiation()
    for name in VARIANTS:
        known.learn("http://a.example/x/1", name, hit=name == "rdfxml")
    assert known.choose("http://a.example/x/2") == "rdfxml"
    known.learn("http://a.example/x/3", "rdfxml", hit=True)
    known.learn("http://a.example/x/4", "rdfxml", hit=False)
    assert known.choose("http://a.example/x/5") == "rdfxml"


def test_a_host_that_always_wants_another_is_believed_for_new_prefixes() -> None:
    known = Negotiation()
    for number in range(12):
        known.learn(f"http://a.example/{number}/x", "rdf", hit=False)
        known.learn(f"http://a.example/{number}/y", "turtle", hit=True)
    assert known.choose("http://a.example/new/x") == "turtle"


def test_where_no_header_brings_anything_the_usual_one_is_kept() -> None:
    known = Negotiation()
    sent = []
    for number in range(20):
        sent.append(known.choose(f"http://a.example/x/{number}"))
        known.learn(f"http://a.example/x/{number}", sent[-1], hit=False)
    assert set(sent[:8]) == set(VARIANTS) - {"html"}
    assert set(sent[8:]) == {"rdf"}


def test_html_is_named_only_where_the_server_has_nothing_else() -> None:
    known = Negotiation()
    for name in list(VARIANTS)[:4]:
        known.learn("http://a.example/x/1", name, hit=False, refused=name == "jsonld")
    assert known.choose("http://a.example/x/2") == "html"
    assert known.choose("http://b.example/x/2") == "rdf"


def test_it_goes_on_from_its_state() -> None:
    known, other = Negotiation(), Negotiation()
    known.learn("http://a.example/x/1", "rdf", hit=False)
    other.restore(known.state())
    assert other.choose("http://a.example/x/2") == known.choose("http://a.example/x/2") == "turtle"
    assert other.summary() == {name: [0, int(name == "rdf")] for name in VARIANTS}


def test_what_is_no_url_has_no_prefixes() -> None:
    assert prefixes("http://[bad") == []
    assert Negotiation().choose("http://[bad") == "rdf"
