from filon.run.masking import mask_headers, mask_text, mask_url


def test_a_password_in_a_url_is_hidden_and_the_rest_stays() -> None:
    assert mask_url("https://u:p@h.org:8/a?b=c@d") == "https://***@h.org:8/a?b=c@d"


def test_an_at_sign_in_a_path_is_no_password() -> None:
    for url in ("http://h.org/@me", "http://h.org/?q=a@b", "http://h.org/x//y@z"):
        assert mask_url(url) == url


def test_the_proxy_of_an_error_message_loses_its_password() -> None:
    text = "Cannot connect to http://user:pass@10.0.0.1:3128 for http://h.org/"
    assert mask_text(text) == "Cannot connect to http://***@10.0.0.1:3128 for http://h.org/"


def test_headers_that_let_somebody_in_are_hidden_whatever_their_case() -> None:
    secret = [
        ("AUTHORIZATION", "Bearer key"),
        ("cookie", "sid=key"),
        ("Set-Cookie", "sid=key"),
        ("set-cookie", "key"),
        ("Proxy-Authorization", "Basic key"),
        ("Location", "http://me:key@h.org/"),
    ]
    masked = mask_headers(secret)
    assert [name for name, _ in masked] == [name for name, _ in secret]
    assert "key" not in str(masked)
    assert masked[2] == ("Set-Cookie", "sid=***")
