"""Records in XML: the elements that come most often, Excel's own XML, and maps as KML and GML."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from lxml import etree

from filon.profile.source import (
    MOST_CELLS,
    MOST_COLUMNS,
    Opened,
    Sheet,
    UnreadableError,
    of_records,
)

_EXCEL = "{urn:schemas-microsoft-com:office:spreadsheet}"
_GML = "http://www.opengis.net/gml"


def open_xml(body: bytes) -> Opened:
    """Open XML: the elements that come most often, side by side, are the records."""
    # Entities stay what they are: nothing grows, and nothing is fetched.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableError("damaged", f"It is no whole XML: {error}.", "xml") from error
    if root.tag == f"{_EXCEL}Workbook":
        return Opened(format="xml of Excel", sheets=list(_worksheets(root)))
    if _local(root) == "kml":
        places = [_placemark(one) for one in root.iter() if _local(one) == "Placemark"]
        return Opened(format="kml", sheets=[_sheet("", places)] if places else [])
    format = "gml" if any(str(uri).startswith(_GML) for uri in root.nsmap.values()) else "xml"
    best = _most(root)
    while best and all(_only_child(one) is not None for one in best):
        best = [_only_child(one) for one in best]  # members of a collection, an element each
    if not best:
        return Opened(format=format)
    return Opened(format=format, sheets=[_sheet(_local(best[0]), [_record(one) for one in best])])


def _most(root: Any) -> list[Any]:
    """Return the largest number of siblings of one kind."""
    best: list[Any] = []
    for parent in root.iter(etree.Element):
        kinds = Counter(child.tag for child in parent if isinstance(child.tag, str))
        if kinds and (most := kinds.most_common(1)[0])[1] > max(1, len(best)):
            best = [child for child in parent if child.tag == most[0]]
    return best


def _only_child(element: Any) -> Any:
    """Return the element within that has the fields, where there is but one and it has any."""
    children = [child for child in element if isinstance(child.tag, str)]
    one = children[0] if len(children) == 1 and not element.attrib else None
    return one if one is not None and len(one) else None


def _sheet(name: str, records: list[dict[str, str]]) -> Sheet:
    return of_records(name, records, lambda text: text or "")


def _record(element: Any) -> dict[str, str]:
    record = {etree.QName(key).localname: str(value) for key, value in element.attrib.items()}
    for child in element:
        if isinstance(child.tag, str):
            record.setdefault(_local(child), " ".join("".join(child.itertext()).split()))
    if len(element) == 0 and (text := (element.text or "").strip()):
        record["value"] = text
    return record


def _placemark(element: Any) -> dict[str, str]:
    """Return the fields of a place in KML, and which shape it has."""
    record: dict[str, str] = {}
    for one in element.iter():
        name = _local(one)
        text = " ".join((one.text or "").split()) if isinstance(one.tag, str) else ""
        if name == "SimpleData":
            record[one.get("name", "")] = text
        elif name == "Data":
            value = next((child for child in one if _local(child) == "value"), None)
            record[one.get("name", "")] = (value.text or "").strip() if value is not None else ""
        elif name in ("name", "description", "address", "begin", "end", "when"):
            record.setdefault(name, text)
        elif name in ("Point", "LineString", "Polygon", "MultiGeometry"):
            record.setdefault("geometry", name)
    return record


def _worksheets(root: Any) -> Iterator[Sheet]:
    for sheet in root.iter(f"{_EXCEL}Worksheet"):
        rows: list[list[str]] = []
        left = MOST_CELLS
        for row in sheet.iter(f"{_EXCEL}Row"):
            cells: list[str] = []
            for cell in row.iter(f"{_EXCEL}Cell"):
                place = cell.get(f"{_EXCEL}Index", "")
                if place.isdecimal() and len(cells) < int(place) - 1 < MOST_COLUMNS:
                    cells += [""] * (int(place) - 1 - len(cells))
                data = cell.find(f"{_EXCEL}Data")
                cells.append("" if data is None else " ".join("".join(data.itertext()).split()))
            rows.append(cells)
            left -= len(cells)
            if left < 0:
                break
        if any(any(row) for row in rows):
            yield Sheet(name=sheet.get(f"{_EXCEL}Name", ""), rows=rows)


def _local(element: Any) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""
