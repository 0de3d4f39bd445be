import pytest

from filon.page.text import MAX_META, page_text


def test_what_a_page_says_of_itself_stands_apart_from_what_it_shows() -> None:
    told = page_text(
        b"<html><head><title> Bees\n and hives</title><meta name=DESCRIPTION content='All of it'>"
        b"<meta name='keywords' content='a, b'><meta name=keywords content='later'></head>"
        b"<body><p>Seen<script>var hidden</script></p><style>p {}</style><b>too</b></body>"
    )
    assert told.title == "Bees and hives"
    assert told.meta == "Bees and hives All of it a, b"
    assert told.text == "Seen too"


@pytest.mark.parametrize(
    ("codec", "kind"),
    [
        ("utf-8", "text/html"),
        ("iso8859-2", "text/html; charset=iso-8859-2"),
        ("utf-16", "text/html"),
        ("koi8-r", "text/html; charset=koi8-r"),
    ],
)
def test_any_charset_is_read(codec: str, kind: str) -> None:
    word = "улей" if codec == "koi8-r" else "żółć"
    assert page_text(f"<title>{word}</title><p>{word}".encode(codec), kind).meta == word


def test_plain_text_is_not_taken_for_markup() -> None:
    assert page_text(b"a <b> c", "text/plain; charset=ascii").text == "a <b> c"


def test_half_characters_and_nothing_at_all_are_survived() -> None:
    page_text(b"<p>\xff\xfe&#xd800;\x00").text.encode()
    assert page_text(b"").meta == ""


def test_a_dictionary_hidden_in_the_keywords_is_cut() -> None:
    body = b"<meta name=keywords content='" + b"word " * 10_000 + b"'>"
    assert len(page_text(body).keywords) <= MAX_META
