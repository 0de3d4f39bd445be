"""Makes docs/report.png: the beginning of the report of the demo's harvest, as a browser shows it.

python -m tools.picture

It wants a Chromium, and says so where there is none.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import filon
from filon.demo.portal import START
from filon.demo.server import serving
from filon.demo.tour import BUDGET

PICTURE = Path(__file__).resolve().parents[1] / "docs/report.png"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
WIDTH, HEIGHT = 1100, 1400


def harvest(folder: Path) -> Path:
    """Harvest the demo's portal as the demo does; return where the report is."""
    with serving() as server:
        where = server.connect_to
        run = filon.harvest(START, out=folder, budget=BUDGET, delay=0, connect_to=where)
        with run:
            return run.path / "report.html"


def take(browser: str, page: Path, picture: Path) -> None:
    """Write what a browser shows of a page, its beginning."""
    with tempfile.TemporaryDirectory() as profile:
        command = [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={profile}",
            f"--window-size={WIDTH},{HEIGHT}",
            f"--screenshot={picture}",
            page.absolute().as_uri(),
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=120)  # noqa: S603  (ours)


def main() -> int:
    """Make the picture."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(f"There is no browser: one of {', '.join(BROWSERS)}.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        take(browser, harvest(Path(folder) / "run"), PICTURE)
    print(PICTURE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
