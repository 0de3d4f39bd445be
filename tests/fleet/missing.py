"""What is said where a part that tests of the fleet stand on is not there."""

import os
from typing import NoReturn

import pytest


def missing(why: str) -> NoReturn:
    """Fail where CI decides what is merged; elsewhere skip, and say why."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{why}, and CI does not do without")
    pytest.skip(f"{why}: make services sets it up")
