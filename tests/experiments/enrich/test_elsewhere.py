"""Pairs of tables out of packages, and strategies on them."""

import zipfile
from pathlib import Path

import pytest

from experiments.enrich import elsewhere, pairs


def test_a_pair_is_made_of_a_package_and_strategies_run_on_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"thing{row} mark{row % 20}" for row in range(200)]
    with zipfile.ZipFile(tmp_path / "autofj-1-py3-none-any.whl", "w") as wheel:
        for side in ("left", "right"):
            lines = [f"{row},{name}" for row, name in enumerate(names)]
            wheel.writestr(f"autofj/benchmark/Lake/{side}.csv", "\n".join(["id,title", *lines]))
        gold = [f"{row},x,{row},x" for row in range(190)]
        text = "\n".join(["id_l,title_l,id_r,title_r", *gold])
        wheel.writestr("autofj/benchmark/Lake/gt.csv", text)
    pairs.main(tmp_path, tmp_path / "pairs")
    assert "names-Lake: 200 rows, 200 hidden, 190 with a match" in capsys.readouterr().out
    wanted = [str(tmp_path / "pairs"), "--seeds", "1", "--strategies", "prospect,naive"]
    assert elsewhere.main(wanted) == 0
    told = capsys.readouterr().out
    assert "| names | OR | 50 | " in told
    assert "prospect - naive: +" in told
    loaded = elsewhere.load(tmp_path / "pairs" / "names-Lake")
    assert sum(loaded.golden.known) == 200  # ten are known to have no match
    assert sum(map(bool, loaded.golden.gold)) == 190
