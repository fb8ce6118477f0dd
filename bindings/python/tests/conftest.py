"""What several tests use."""

from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[3] / "samples"


@pytest.fixture(scope="session")
def samples() -> Path:
    """The messages of the README."""
    return SAMPLES
