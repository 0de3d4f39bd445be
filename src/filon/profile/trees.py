"""Trees as tables: records in JSON, in JSON a line, in GeoJSON, and in XML."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lxml import etree

from filon.page.values import read_json
from filon.profile.cells import shown
from filon.profile.source import MOST_COLUMNS, MOST_TABLES, Opened, Sheet, UnreadableError

#: How deep lists of records are looked for.
_DEPTH = 6
_LONGEST = 200


def open_json(body: bytes) -> Opened:
    """Open JSON: each list of records in it is a table, and so is an object of equal lists."""
    try:
        value = read_json(body)
    except ValueError as error:
        raise UnreadableError("damaged", f"It is no whole JSON: {error}.", "json") from error
    if isinstance(value, dict) and "nbformat" in value:
        return Opened(format="notebook")
    if isinstance(value, dict) and value.get("type") == "FeatureCollection":
        features = [one for one in value.get("features") or () if isinstance(one, dict)]
        return Opened(format="geojson", sheets=[_records("", list(map(_feature, features)))])
    return Opened(format="json", sheets=list(_tables(value))[:MOST_TABLES])


def open_lines(body: bytes) -> Opened:
    """Open JSON a line."""
    records, bad = [], 0
    for line in body.splitlines():
        if not line.strip():
            continue
        try:
            records.append(read_json(line))
        except ValueError:
            bad += 1
    if not records:
        raise UnreadableError("damaged", "No line of it is JSON.", "ndjson")
    opened = Opened(format="ndjson", sheets=[_records("", records)])
    if bad:
        opened.notes.append(f"{bad:,} lines are no JSON.")
    return opened


def open_xml(body: bytes) -> Opened:
    """Open XML: the elements that come most often, side by side, are the records."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableError("damaged", f"It is no whole XML: {error}.", "xml") from error
    best: list[Any] = []
    for parent in root.iter(etree.Element):
        kinds = Counter(child.tag for child in parent if isinstance(child.tag, str))
        if kinds and (most := kinds.most_common(1)[0])[1] > max(1, len(best)):
            best = [child for child in parent if child.tag == most[0]]
    records = [_element(one) for one in best]
    name = etree.QName(best[0]).localname if best else ""
    return Opened(format="xml", sheets=[_records(name, records)] if best else [])


def _tables(value: Any) -> Iterator[Sheet]:
    found = list(_lists(value, "", 0))
    found.sort(key=lambda pair: -len(pair[1]))
    if found:
        yield from (_records(name, rows) for name, rows in found)
    elif isinstance(value, dict) and value:
        lists = {key: one for key, one in value.items() if isinstance(one, list)}
        if len(lists) > 1 and len({len(one) for one in lists.values()}) == 1:
            names, columns = tuple(lists), [[_cell(v) for v in one] for one in lists.values()]
            yield Sheet(rows=[list(row) for row in zip(*columns, strict=True)], names=names)
        elif all(isinstance(one, dict) for one in value.values()) and len(value) > 1:
            yield _records("", [{"key": key} | one for key, one in value.items()])


def _lists(value: Any, name: str, depth: int) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of objects or of lists, with the path to each."""
    if isinstance(value, list):
        objects = bool(value) and all(isinstance(one, dict) for one in value)
        if objects or (len(value) > 1 and all(isinstance(one, list) and one for one in value)):
            yield name, value
    elif isinstance(value, dict) and depth < _DEPTH:
        for key, one in value.items():
            yield from _lists(one, f"{name}.{key}" if name else str(key), depth + 1)


def _records(name: str, values: Sequence[Any]) -> Sheet:
    if values and isinstance(values[0], list):
        return Sheet(name=name, rows=[[_cell(cell) for cell in row] for row in values])
    flat = [_flat(value) if isinstance(value, Mapping) else {"value": value} for value in values]
    names: dict[str, None] = {}
    for one in flat:
        names.update(dict.fromkeys(one))
    columns = tuple(names)[:MOST_COLUMNS]
    rows = ([_cell(one.get(key)) for key in columns] for one in flat)
    return Sheet(name=name, rows=rows, names=columns, total=len(flat))


def _flat(value: Mapping[str, Any], name: str = "") -> dict[str, Any]:
    """Return a record in which objects within are columns of their own, one level down."""
    flat: dict[str, Any] = {}
    for key, one in value.items():
        if isinstance(one, dict) and not name:
            flat |= _flat(one, f"{key}.")
        else:
            flat[f"{name}{key}"] = one
    return flat


def _feature(feature: Mapping[str, Any]) -> dict[str, Any]:
    shape = feature.get("geometry")
    kind = shape.get("type", "") if isinstance(shape, dict) else ""
    properties = feature.get("properties")
    return {**(properties if isinstance(properties, dict) else {}), "geometry": kind}


def _element(element: Any) -> dict[str, Any]:
    record = {str(key): value for key, value in element.attrib.items()}
    for child in element:
        if isinstance(child.tag, str):
            text = " ".join("".join(child.itertext()).split())
            record.setdefault(etree.QName(child).localname, text)
    if len(element) == 0 and (text := (element.text or "").strip()):
        record["value"] = text
    return record


def _cell(value: Any) -> str:
    if isinstance(value, (list, dict)):
        text = json.dumps(value, ensure_ascii=False)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return shown(value)
