"""MiniStack, an AWS on this machine: its own virtual environment, one process per test session."""

import fcntl
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
VENV: Final = ROOT / ".venv-cloud"
PYTHON: Final = VENV / "bin" / "python"
REGION: Final = "us-east-1"
PACKAGES: Final = (  # apart from the project's, as MiniStack pins botocore
    "ministack==1.5.33",
    "aws-sam-translator==1.115.0",
    "boto3==1.43.106",
)
ENVIRONMENT: Final = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_EC2_METADATA_DISABLED": "true",
}


@dataclass(frozen=True, slots=True)
class Ministack:
    """A running MiniStack."""

    endpoint: str
    log: Path

    def reset(self) -> None:
        """Forget everything that was created."""
        self.call("POST", "/_ministack/reset")

    def call(self, method: str, path: str) -> bytes:
        """The answer of one of its own pages, such as `/_ministack/ses/messages`."""
        request = urllib.request.Request(self.endpoint + path, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            body: bytes = answer.read()
        return body


@contextmanager
def running(folder: Path) -> Iterator[Ministack]:
    """MiniStack on a free port, its files in this folder; its environment is made first if there is none."""
    install()
    port = _free_port()
    settings = {
        "PATH": os.environ["PATH"],
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "LOG_LEVEL": "WARNING",
        "TMPDIR": str(folder),
        **ENVIRONMENT,
    }
    found = Ministack(f"http://127.0.0.1:{port}", folder / "ministack.log")
    with found.log.open("wb") as log:
        process = subprocess.Popen(
            [PYTHON, "-m", "ministack"], cwd=folder, env=settings, stdout=log, stderr=log, stdin=subprocess.DEVNULL
        )
        try:
            _wait(found, process)
            yield found
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def install() -> None:
    """Make the virtual environment, once for all test processes."""
    with _locked(ROOT):
        if not (VENV / "bin" / "ministack").exists():
            subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
            subprocess.run([PYTHON, "-m", "pip", "install", "-q", *PACKAGES], check=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _wait(stack: Ministack, process: "subprocess.Popen[bytes]", seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            stack.call("GET", "/_ministack/ready")
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"MiniStack did not start:\n{stack.log.read_text()[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
