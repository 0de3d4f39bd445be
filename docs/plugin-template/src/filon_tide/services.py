"""`filon enrich --from shelf`, `filon discover --search lighthouse`: descriptions in TOML files."""

from pathlib import Path

SHELF = Path(__file__).with_name("shelf.toml")
LIGHTHOUSE = Path(__file__).with_name("lighthouse.toml")
