"""The preview of a record in the window that OpenRefine gives it."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

from browser import looks
from end_to_end.test_reconcile import offered
from patience import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser

STATES = (
    "iso,country,capital,population,official languages\n"
    "MLI,Mali,Bamako,22395489,Bambara; Fula; Tamasheq\n"
    "MLT,Malta,Valletta,519562,Maltese; English\n"
)


def test_a_wide_preview_fits_the_window_that_the_manifest_names(
    chromium: "Browser", tmp_path: Path
) -> None:
    (tmp_path / "states.csv").write_text(STATES)
    with offered(tmp_path, "states.csv", "--id", "iso") as (url, _, _):
        with urlopen(url, timeout=PATIENCE_S) as answer:
            preview = json.load(answer)["preview"]
        size = {"width": preview["width"], "height": preview["height"]}
        context = chromium.new_context(viewport=size, device_scale_factor=2)
        page = context.new_page()
        page.goto(preview["url"].replace("{{id}}", "MLT"))
        assert page.get_by_text("Valletta").is_visible()
        looks.check(page)
        if os.environ.get("FILON_PICTURES"):
            page.screenshot(path=looks.PICTURES / "openrefine.png")
        context.close()
