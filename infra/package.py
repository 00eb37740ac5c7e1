"""Put together what runs on Lambda: `python -m infra.package [FOLDER]` (`build/lambda`).

The site's own code without what serves it on one machine, its compiled catalogues and templates, and the packages it
needs, cut down to what they are needed for. Everything is compiled for the Python that runs this, and compiled files
are taken without a look at their sources: on a read-only task root they could not be made anew.
"""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from compileall import compile_dir
from importlib import metadata
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any, Final

from infra import build, i18n, pages
from infra.i18n import ROOT

FOLDER: Final = ROOT / "build" / "lambda"
PLATFORM: Final = "manylinux2014_x86_64"  # what Lambda's x86_64 functions run
SERVICES: Final = ("dynamodb", "sqs", "sesv2")
_ENDPOINTS: Final = frozenset(("dynamodb", "sqs", "email"))  # the same ones, by their names in endpoints.json
_ELSEWHERE: Final = (  # serves the site on one machine, or makes what is packed
    "functions/demo*",
    "functions/serve.py",
    "infra/build.py",
    "infra/faults.py",
    "infra/local",
    "infra/mail_smtp.py",
    "infra/package.py",
    "infra/sqlite",
)
_SHORTER: Final = {  # modules that import much to offer it all
    "botocore/docs/__init__.py": "",
    "botocore/docs/docstring.py": """
class ClientMethodDocstring(str):
    def __new__(cls, *args, **kwargs):
        return super().__new__(cls)


PaginatorDocstring = WaiterDocstring = ClientMethodDocstring
""",
    "aws_lambda_powertools/__init__.py": "",
    "aws_lambda_powertools/event_handler/__init__.py": """
from aws_lambda_powertools.event_handler.api_gateway import APIGatewayHttpResolver, Response
""",
}


def package(folder: Path = FOLDER) -> Path:
    """Make the folder anew; returns it. CalledProcessError if a package can't be had."""
    build.catalogues()
    build.templates()
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(_packages(), folder)
    for name in ("engine", "infra", "functions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.md"))
    for pattern in _ELSEWHERE:
        for path in folder.glob(pattern):
            _remove(path)
    for made in (pages.STATIC, pages.COMPILED, i18n.COMPILED):
        shutil.copytree(made, folder / made.relative_to(ROOT), ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("engine", "infra", "functions", "build"):
        _compile(folder / name, folder)
    return folder


def size(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _packages() -> Path:
    """The folder with the packages that the site needs at run time, in the versions that are installed here."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    pinned = sorted(f"{found.name}=={found.version}" for found in metadata.distributions() if found.name)
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    known = hashlib.sha256("\n".join((*needed, *pinned, python, Path(__file__).read_text("utf-8"))).encode())
    kept = ROOT / "build" / f"packages-{known.hexdigest()[:12]}"
    if not kept.exists():
        for old in kept.parent.glob("packages-*"):
            shutil.rmtree(old)
        draft = kept.with_name("draft-packages")
        shutil.rmtree(draft, ignore_errors=True)
        _install(needed, pinned, python, draft)
        _cut(draft)
        _compile(draft, draft)
        draft.rename(kept)
    return kept


def _install(needed: Iterable[str], pinned: Iterable[str], python: str, target: Path) -> None:
    constraints = target.with_name("constraints.txt")
    constraints.parent.mkdir(exist_ok=True)
    constraints.write_text("\n".join(pinned), "utf-8")
    options = ["--quiet", "--no-compile", "--disable-pip-version-check", "--only-binary", ":all:"]
    options += ["--platform", PLATFORM, "--implementation", "cp", "--python-version", python]
    options += ["--target", str(target), "--constraint", str(constraints)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, *needed], check=True)


def _compile(folder: Path, root: Path) -> None:
    compile_dir(folder, quiet=2, stripdir=root, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)


def _cut(packages: Path) -> None:
    """Leave out what costs time or room: the data of other services, descriptions, what only tools read."""
    data = packages / "botocore" / "data"
    for folder in data.iterdir():
        if folder.is_dir() and folder.name not in SERVICES:
            shutil.rmtree(folder)
    for path in data.rglob("*.json.gz"):
        bare = _undocumented(json.loads(gzip.decompress(path.read_bytes())))
        path.with_suffix("").write_text(json.dumps(bare, separators=(",", ":")), "utf-8")
        path.unlink()
    for example in (*data.rglob("examples-1.json"), *data.rglob("paginators-*"), *data.rglob("waiters-*")):
        example.unlink()
    endpoints = data / "endpoints.json"
    endpoints.write_text(_cut_endpoints(endpoints.read_text("utf-8")), "utf-8")
    for name, text in _SHORTER.items():
        (packages / name).write_text(text, "utf-8")
    for useless in ("bin", "**/*.pyi", "**/py.typed", "*.dist-info/RECORD"):
        for path in list(packages.glob(useless)):
            _remove(path)


def _undocumented(value: Any) -> Any:
    """The same data without the texts that describe it."""
    if isinstance(value, list):
        return [_undocumented(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {k: _undocumented(v) for k, v in value.items() if k != "documentation" or not isinstance(v, str)}


def _cut_endpoints(text: str) -> str:
    found = json.loads(text)
    for partition in found["partitions"]:
        partition["services"] = {name: s for name, s in partition["services"].items() if name in _ENDPOINTS}
    return json.dumps(found, separators=(",", ":"))


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def _template_runtime() -> str:
    found = re.search(r"Runtime: python(\S+)", (ROOT / "template.yaml").read_text("utf-8"))
    return found[1] if found else ""


def main() -> int:
    """Package for AWS, if this is the Python that the template names."""
    here, there = f"{sys.version_info.major}.{sys.version_info.minor}", _template_runtime()
    if here != there:
        sys.stderr.write(
            f"The template's functions run Python {there}, not {here}: make clean, make PYTHON=python{there}\n"
        )
        return 1
    folder = package(*map(Path, sys.argv[1:2]))
    sys.stderr.write(f"{folder}: {size(folder) / 1e6:.1f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
