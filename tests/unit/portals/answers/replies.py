"""What every pretended portal says alike."""

import json
from typing import Any

from unit.portals.catalogue import ROWS, Row
from unit.services.server import Reply

JSON = {"Content-Type": "application/json; charset=utf-8"}
XML = {"Content-Type": "text/xml; charset=utf-8"}
MISSING: Reply = (404, {"Content-Type": "text/html"}, b"<html><h1>Not found</h1></html>")


def told(said: Any, status: int = 200) -> Reply:
    return status, JSON, json.dumps(said).encode()


def part(first: int, size: int) -> list[Row]:
    return ROWS[first : first + size]
