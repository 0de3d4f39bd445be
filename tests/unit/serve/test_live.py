from filon.serve.live import event


def test_text_of_the_web_cannot_end_an_event() -> None:
    sent = event("finds", "a\r\nevent: state\rdata: b\n\nid: 9\u2028c", "7").decode()
    assert sent.startswith("id: 7\nevent: finds\n")
    assert sent.endswith("\n\n")
    body = sent[: -len("\n\n")].split("\n")[2:]
    assert all(line.startswith("data: ") for line in body)
    assert "\r" not in sent
