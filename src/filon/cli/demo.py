"""`filon demo`."""


def demo() -> int:
    """Show the whole thing on a small web that comes with Filon, on loopback only."""
    from filon.demo import main

    return main()
