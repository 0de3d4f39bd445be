"""The encoding and the dialect of tables as text."""

import pytest

from filon.page.delimited import Dialect, dialect, encoding, rows_of


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b"a,b\n", "ascii"),
        ("Zürich\n".encode(), "utf-8"),
        ("\ufeffZürich\n".encode(), "utf-8-sig"),
        ("Zürich\n".encode("utf-16"), "utf-16"),
        ("Region;Value\n".encode("utf-16-le"), "utf-16-le"),
        ("Zürich".encode("cp1252"), "cp1252"),
        ("Население России по регионам и городам, тысяч человек".encode("cp1251") * 4, "cp1251"),
        ("Zürich".encode()[:-4], "utf-8"),
        ("Łódź;1\nŚląskie;2\nMałopolskie;3\n".encode("cp1250"), "cp1250"),
        (
            "город;население\nМосква;12506468\nКазань;1243500\nТверь;420065\n".encode("cp1251"),
            "cp1251",
        ),
        ("São Tomé;1\nCôte d'Ivoire;2\n£ 3;4\n".encode("cp1252"), "cp1252"),
    ],
)
def test_the_encoding_is_told(body: bytes, name: str) -> None:
    assert encoding(body) == name


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n3,4\n", ","),
        ("a;b\n1,5;2,5\n3,5;4,5\n", ";"),
        ("a\tb\n1\t2\n3\t4\n", "\t"),
        ("a|b\n1|2\n3|4\n", "|"),
        ('name,note\nx,"one, two"\ny,"three; four"\n', ","),
        ("1 2.5 a\n2 3.5 b\n3 4.5 c\n", " "),
        ('id,text,n\n1,"never closed,5\n2,b,6\n3,c,7\n', ","),
        ("date,time\n2020-01-01,10:00\n2020-01-02,11:30\n", ","),
    ],
)
def test_the_delimiter_is_told(text: str, delimiter: str) -> None:
    found = dialect(text)
    assert found is not None
    assert found.delimiter == delimiter


def test_columns_of_fixed_width_are_cut_where_all_lines_are_blank() -> None:
    text = "Region      Value\nNorth          12\nSouth           3\nFar East       14\n"
    found = dialect(text)
    assert found is not None
    assert found.fixed
    assert list(rows_of(text, found))[3] == ["Far East", "14"]


@pytest.mark.parametrize(
    "text",
    [
        "Dear all,\n\nwe call for papers, please send yours, soon.\nThe deadline is May 1, 2020.\n",
        "import os\n\nprint(1, 2)\nfor x in y: pass\n",
        "",
    ],
)
def test_prose_and_programs_are_no_tables(text: str) -> None:
    assert dialect(text) is None


def test_a_list_that_is_named_a_table_is_one_column() -> None:
    assert dialect("Indicator\n1-1-1\n1-2-1\n", "x.csv") == Dialect("", "")
    assert dialect("Indicator\n1-1-1\n1-2-1\n", "x.txt") is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Şehir;Nüfus\nIğdır;1\nMuğla;2\n", "cp1254"),
        ("Okres;Obyvatelé\nPříbram;1\nLitoměřice;2\n", "cp1250"),
        ("Občina;Število\nŠkofja Loka;1\nČrnomelj;2\n", "cp1250"),
        ("Land;Hovedstad\nGenève;København\nÅrhus;Malmö\n", "cp1252"),
        ("Land;Höfuðborg\nÍsland;Reykjavík\nÞýskaland;Berlín\n", "cp1252"),
        ("Région;Année\nÎle-de-France;été\nRhône;évolué\n", "cp1252"),
        ("Город;Население\nТомск;1\nКурск;2\n", "cp1251"),
        ("都市;人口\n東京;1396\n大阪;275\n横浜;377\n", "cp932"),
    ],
)
def test_a_short_text_is_known_by_letters_of_its_language(text: str, name: str) -> None:
    assert encoding(text.encode(name)) == name
