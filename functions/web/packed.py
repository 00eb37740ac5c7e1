"""A doctrine within an address, so that its bench and the bench's games can be looked at again without being kept."""

import base64
import binascii
import json
import zlib
from typing import Any, Final

from engine.decisions import Json
from engine.errors import Refusal

LONGEST: Final = 6_000  # characters
MOST_BYTES: Final = 20_000


def pack(doctrine: Json) -> str:
    """The doctrine as text for an address."""
    text = json.dumps(dict(doctrine), separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def read(text: str) -> Any:
    """The value of a JSON text; ValueError or RecursionError if it is none that a page can show again."""
    value = json.loads(text)
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # half a character, or no number: ValueError
    return value


def unpack(text: str) -> Any:
    """The JSON that `pack` wrote. Refused: `not_found`, if it is not one."""
    if len(text) > LONGEST:
        raise Refusal("not_found")
    try:
        unzip = zlib.decompressobj()
        data = unzip.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), MOST_BYTES)
        return read(data.decode()) if unzip.eof else {}
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        raise Refusal("not_found") from error
