"""The programs of the gallery, each run as a reader would: from the top of the repository."""

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[3]
# Kafka's needs a broker: tests/kafka.
PROGRAMS = sorted(path for path in (TOP / "bindings/python/examples").glob("*.py") if "kafka" not in path.name)


def test_the_gallery_is_there() -> None:
    assert len(PROGRAMS) >= 10


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_runs_and_checks_its_result(program: Path) -> None:
    text = program.read_text()
    assert text.startswith("# %% [markdown]\n# # ") and "\nassert " in text or "\n    assert " in text
    run = subprocess.run([sys.executable, str(program)], cwd=TOP, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert run.stdout and not run.stderr
