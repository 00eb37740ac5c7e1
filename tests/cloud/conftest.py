"""The deployed site, once for all tests of a process."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infra.package import package
from tests.support.cloud import Cloud, deploy
from tests.support.ministack import ENVIRONMENT, running


@pytest.fixture(scope="session")
def artefact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that Lambda gets."""
    return package(tmp_path_factory.mktemp("package") / "lambda")


@pytest.fixture(scope="session")
def cloud(artefact: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    """The site on a MiniStack of its own; the names of its addresses lead there."""
    folder = tmp_path_factory.mktemp("cloud")
    with pytest.MonkeyPatch.context() as patch, running(folder) as stack:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        patch.setattr(socket, "getaddrinfo", _local(socket.getaddrinfo))
        yield deploy(stack, artefact)


def _local(resolve: Any) -> Any:
    """Name resolution that finds `….localhost` here: not every machine's does."""

    def found(host: Any, *args: Any, **kwargs: Any) -> Any:
        here = isinstance(host, str) and host.endswith(".localhost")
        return resolve("127.0.0.1" if here else host, *args, **kwargs)

    return found
