from pathlib import Path

import numpy as np
import pytest

from filon.core import UserError
from filon.verbs.harvest import NONE, HarvestSettings, prior_hash
from filon.verbs.harvest.prior import load, save
from filon.verbs.harvest.strategies.vein.site_prior import SIZE


def written(path: Path, seed: int = 0) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    weights = np.random.RandomState(seed).rand(2, SIZE).astype(np.float32)
    weights[:, 100:] = 0.0
    save(weights, path)
    return weights


def test_a_prior_is_read_as_it_was_written(tmp_path: Path) -> None:
    weights = written(tmp_path / "p.npz")
    assert load(str(tmp_path / "p.npz")) == pytest.approx(weights, abs=1e-3)


def test_one_comes_with_filon_and_is_small() -> None:
    known = load("")
    assert known.any()
    assert np.isfinite(known).all()


@pytest.mark.parametrize("content", [b"", b"PK", b"no prior", b"PK\x03\x04" + bytes(99)])
def test_what_is_no_prior_is_said_to_be_none(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    path.write_bytes(content)
    with pytest.raises(UserError, match="is no prior"):
        load(str(path))
    with pytest.raises(UserError, match="cannot be read"):
        load(str(tmp_path / "gone.npz"))


def test_settings_know_which_prior_a_run_began_with(tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    written(path)
    settings = HarvestSettings(url="a.org", prior=str(path))
    assert settings.prior_hash == prior_hash(str(path)) != HarvestSettings(url="a.org").prior_hash
    assert not HarvestSettings(url="a.org", prior=NONE).prior_hash
    assert not HarvestSettings(url="a.org", strategy="bfs").prior_hash
    written(path, seed=1)
    again = HarvestSettings(url="a.org", prior=str(path), prior_hash=settings.prior_hash)
    assert again.prior_hash == settings.prior_hash  # a run that goes on does not look at the file
