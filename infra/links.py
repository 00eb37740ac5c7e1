"""Signed tokens for links and cookies: what they say can be read by anyone, and written by this site alone."""

from typing import Any, Final

from itsdangerous import BadData, URLSafeSerializer

from engine.times import Instant

_MOST: Final = 2_000


class LinkInvalid(Exception):
    """Not a token of this site for this purpose."""


class LinkExpired(Exception):
    """A true token whose time has passed. `payload` is what it said."""

    def __init__(self, payload: Any) -> None:
        super().__init__("expired")
        self.payload = payload


def sign(secret: bytes, purpose: str, payload: Any, until: Instant | None = None) -> str:
    """A URL-safe token that says `payload` (plain JSON), good for one purpose, until an instant if one is given."""
    return str(_serializer(secret, purpose).dumps([payload, until]))


def read(secret: bytes, purpose: str, token: str, now: Instant) -> Any:
    """What a token says; raises LinkInvalid, or LinkExpired (which says it too) from `until` on."""
    if len(token) > _MOST:
        raise LinkInvalid
    try:
        payload, until = _serializer(secret, purpose).loads(token)
    except (BadData, ValueError, TypeError) as error:
        raise LinkInvalid from error
    if until is not None and now >= until:
        raise LinkExpired(payload)
    return payload


def _serializer(secret: bytes, purpose: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt=f"link/{purpose}", signer_kwargs={"digest_method": _sha256})


def _sha256(data: bytes = b"") -> Any:
    import hashlib

    return hashlib.sha256(data)
