"""Tables in web pages and in text documents."""

from pathlib import Path

from filon.profile.read import profile
from unit.profile.hostile import zipped

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
ODF = "urn:oasis:names:tc:opendocument:xmlns"
ROWS = [["Region", "Value"], ["North", "1"], ["South", "2"]]


def test_the_tables_of_a_page_are_told(tmp_path: Path) -> None:
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in ROWS)
    page = f"""<!doctype html><meta charset=utf-8><table role=presentation><tr><td>menu<td>x
      <tr><td>y<td>z</table><table><caption> Values  by region</caption>{rows}</table>
      <table><tr><td><table>{rows}</table></table><table><tr><td>one cell</table>"""
    (tmp_path / "a").write_text(page)
    told = profile(tmp_path / "a", "a.xls")
    assert (told.format, told.counted) == ("html", 2)
    assert told.tables[0].name == "Values by region"
    assert [column.kind for column in told.tables[0].columns] == ["text", "integer"]


def test_a_cell_over_several_rows_and_columns(tmp_path: Path) -> None:
    page = """<html><table><tr><th rowspan=2>Region<th colspan=2>Men<tr><th>2019<th>2020
      <tr><td>North<td>1<td>2<tr><td>South<td>3<td>4</table>"""
    (tmp_path / "a").write_text(page)
    (table,) = profile(tmp_path / "a", "a.html").tables
    assert [column.name for column in table.columns] == ["Region", "Men 2019", "Men 2020"]


def test_tables_of_text_documents_are_told(tmp_path: Path) -> None:
    cells = ["".join(f"<w:tc><w:p>{c}</w:p></w:tc>" for c in row) for row in ROWS]
    table = "".join(f"<w:tr>{row}</w:tr>" for row in cells)
    text = f'<w:document xmlns:w="{WORD}"><w:p>Dear all</w:p><w:tbl>{table}</w:tbl></w:document>'
    (tmp_path / "a").write_bytes(zipped({"word/document.xml": text.encode()}))
    told = profile(tmp_path / "a", "a.docx")
    assert (told.format, told.tables[0].rows) == ("docx", 2)

    cells = ["".join(f"<t:table-cell><p>{c}</p></t:table-cell>" for c in row) for row in ROWS]
    table = "".join(f"<t:table-row>{row}</t:table-row>" for row in cells)
    text = f'<o xmlns:t="{ODF}:table:1.0"><t:table t:name="T">{table}</t:table></o>'
    kind = b"application/vnd.oasis.opendocument.text"
    (tmp_path / "b").write_bytes(zipped({"mimetype": kind, "content.xml": text.encode()}))
    told = profile(tmp_path / "b", "b.odt")
    assert (told.format, told.tables[0].name, told.tables[0].rows) == ("odt", "T", 2)


def test_a_document_without_a_table_says_so(tmp_path: Path) -> None:
    text = f'<w:document xmlns:w="{WORD}"><w:p>Dear all</w:p></w:document>'
    (tmp_path / "a").write_bytes(zipped({"word/document.xml": text.encode()}))
    told = profile(tmp_path / "a", "a.docx")
    assert (told.problem, told.detail) == ("no table", "A text document.")
