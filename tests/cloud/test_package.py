"""What is sent to Lambda: all that is needed, compiled, and little else."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from infra.package import SERVICES, size

pytestmark = pytest.mark.cloud

IMPORT_ALL: Final = """
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import engine, functions, infra
for package in (engine, functions, infra):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name not in ("functions.entry", "engine.__main__"):
            importlib.import_module(module.name)
from botocore.session import get_session
for service in sys.argv[2:]:
    get_session().create_client(service, "eu-west-3")
"""
UNCHECKED: Final = 1  # PEP 552: the sources are not looked at


def test_every_module_finds_what_it_imports(artefact: Path) -> None:
    run = [sys.executable, "-I", "-S", "-c", IMPORT_ALL, str(artefact), *SERVICES]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_everything_is_compiled_for_good(artefact: Path) -> None:
    """A task root is read-only: what is not compiled would be compiled at each start."""
    for source in artefact.rglob("*.py"):
        compiled = Path(importlib.util.cache_from_source(source)).read_bytes()
        assert compiled[:4] == importlib.util.MAGIC_NUMBER
        assert int.from_bytes(compiled[4:8], "little") == UNCHECKED, source


def test_nothing_is_there_but_what_lambda_runs(artefact: Path) -> None:
    names = {path.relative_to(artefact).as_posix() for path in artefact.rglob("*.py")}
    for prefix in (
        "tests/",
        "bench/",
        "infra/local/",
        "infra/sqlite/",
        "functions/demo",
        "pytest/",
        "babel/",
        "boto3/",
    ):
        assert not [name for name in names if name.startswith(prefix)]
    services = {path.name for path in (artefact / "botocore" / "data").iterdir() if path.is_dir()}
    assert services == set(SERVICES)
    assert size(artefact) < 30_000_000
