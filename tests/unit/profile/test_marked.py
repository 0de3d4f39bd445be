"""Records in XML: Excel's own, and maps."""

from pathlib import Path

import pytest

from filon.profile.read import profile
from filon.profile.shape import Profile
from unit.profile.hostile import zipped

KML = b"""<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
<Placemark><name>Bern</name><ExtendedData><SchemaData><SimpleData name="people">134794</SimpleData>
</SchemaData></ExtendedData><Point><coordinates>7.4,46.9</coordinates></Point></Placemark>
<Placemark><name>Chur</name><ExtendedData><Data name="people"><value>38293</value></Data>
</ExtendedData><Point/></Placemark></Document></kml>"""


def told(tmp_path: Path, body: bytes, name: str) -> Profile:
    (tmp_path / "a").write_bytes(body)
    return profile(tmp_path / "a", name)


@pytest.mark.parametrize(("name", "body"), [("a.kml", KML), ("a.kmz", zipped({"doc.kml": KML}))])
def test_places_in_kml(tmp_path: Path, name: str, body: bytes) -> None:
    found = told(tmp_path, body, name)
    (table,) = found.tables
    assert (found.format, table.rows) == (name[2:], 2)
    assert [(c.name, c.kind) for c in table.columns] == [
        ("name", "text"),
        ("people", "integer"),
        ("geometry", "text"),
    ]


def test_features_in_gml(tmp_path: Path) -> None:
    members = "".join(
        f"<gml:featureMember><city><name>{name}</name><people>{people}</people></city>"
        "</gml:featureMember>"
        for name, people in (("Bern", 134794), ("Chur", 38293))
    )
    text = f'<all xmlns:gml="http://www.opengis.net/gml/3.2">{members}</all>'
    found = told(tmp_path, f'<?xml version="1.0"?>{text}'.encode(), "a.gml")
    (table,) = found.tables
    assert (found.format, table.name, table.rows) == ("gml", "city", 2)
    assert [(c.name, c.kind) for c in table.columns] == [("name", "text"), ("people", "integer")]


def test_layers_in_topojson(tmp_path: Path) -> None:
    text = (
        b'{"type": "Topology", "arcs": [], "objects": {"cantons": {"type": "GeometryCollection",'
        b' "geometries": [{"type": "Polygon", "properties": {"name": "Bern"}},'
        b' {"type": "Polygon", "properties": {"name": "Uri"}}]}}}'
    )
    found = told(tmp_path, text, "a.json")
    (table,) = found.tables
    assert (found.format, table.name, table.rows) == ("topojson", "cantons", 2)
    assert [column.name for column in table.columns] == ["name", "geometry"]


def test_a_map_in_geojson_has_a_box(tmp_path: Path) -> None:
    text = (
        b'{"type": "FeatureCollection", "features": ['
        b'{"properties": {"n": 1}, "geometry": {"type": "Point", "coordinates": [7.4, 46.9]}},'
        b'{"properties": {"n": 2}, "geometry": {"type": "LineString",'
        b' "coordinates": [[8.5, 47.3], [9.5, 46.8]]}}]}'
    )
    assert told(tmp_path, text, "a.geojson").tables[0].box == (7.4, 46.8, 9.5, 47.3)


def test_the_xml_of_excel(tmp_path: Path) -> None:
    rows = (
        "<Row><Cell><Data>Region</Data></Cell><Cell><Data>Note</Data></Cell>"
        "<Cell><Data>Value</Data></Cell></Row>"
    ) + "".join(
        f"<Row><Cell><Data>r{n}</Data></Cell>"
        f'<Cell ss:Index="3"><Data ss:Type="Number">{n}</Data></Cell></Row>'
        for n in range(3)
    )
    space = "urn:schemas-microsoft-com:office:spreadsheet"
    text = (
        f'<?xml version="1.0"?><Workbook xmlns="{space}" xmlns:ss="{space}">'
        f'<Worksheet ss:Name="S"><Table>{rows}</Table></Worksheet></Workbook>'
    )
    found = told(tmp_path, text.encode(), "a.xls")
    (table,) = found.tables
    assert (found.format, table.name, table.rows) == ("xml of Excel", "S", 3)
    assert [column.kind for column in table.columns] == ["text", "empty", "integer"]
