"""One line of JSON on standard output for each thing worth knowing; never a secret of a game or a member."""

import json
import sys


def log(message: str, **fields: str | int | float | bool | None) -> None:
    """Write a line: the message and its fields, in their order."""
    sys.stdout.write(json.dumps({"message": message, **fields}) + "\n")
    sys.stdout.flush()
