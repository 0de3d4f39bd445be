"""What a person decided stays, whatever happens to the file."""

from pathlib import Path

from filon.catalog.choices import FILE, Choices, write


def read(folder: Path) -> Choices:
    found = Choices()
    found.read(folder)
    return found


def test_decisions_are_read_in_their_order(tmp_path: Path) -> None:
    assert read(tmp_path) == Choices()
    write(tmp_path, "forget", {"aa": ""})
    write(tmp_path, "same", {"bb": "cc", "dd": "cc"})
    write(tmp_path, "apart", {"dd": ""})
    assert read(tmp_path) == Choices(forgotten={"aa"}, same={"bb": "cc"})


def test_a_line_that_a_kill_cut_off_does_no_harm(tmp_path: Path) -> None:
    write(tmp_path, "forget", {"aa": ""})
    path = tmp_path / FILE
    path.write_text(path.read_text() + '{"choice": "forg')
    write(tmp_path, "forget", {"bb": ""})
    assert read(tmp_path).forgotten == {"aa", "bb"}


def test_lines_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('[]\n7\n{"choice": "paint", "id": "aa"}\n\xff\n', "latin-1")
    assert read(tmp_path) == Choices()
