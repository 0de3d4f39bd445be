"""What a person should know about a run that its figures do not say."""

from pathlib import Path

from filon.run import readonly
from filon.run.plain import count, counted


def notes(run_path: Path) -> list[str]:
    """Return sentences about a run: nothing found, or the start URL being a file itself."""
    config = readonly.config(run_path)
    with readonly.reading(run_path) as ledger:
        finds = [row["url"] for row in ledger.execute("SELECT url FROM finds LIMIT 2")]
        requests = ledger.execute("SELECT COALESCE(SUM(sends), 0) FROM steps").fetchone()[0]
        seen = readonly.learnt(ledger).get("mimes") or {}
    if finds == [config.get("url")]:
        return ["The URL is a file itself: it is the only find."]
    if finds:
        return []
    others = ", ".join(f"{count(number)} × {mime}" for mime, number in seen.items())
    return [
        f"No file of the types {config.get('types')} was found with {counted(requests, 'request')}"
        + (f"; what was seen instead: {others}." if others else ".")
    ]
