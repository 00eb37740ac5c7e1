"""E-mail addresses (P1): how they are written, compared and shown to others."""

import hashlib
import hmac
import re
from typing import Final

from engine.errors import Malformed, Problem

LONGEST: Final = 254  # characters
_LOCAL: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


def address(raw: str) -> str:
    """The address as mails are sent to it: domain in lower case and ASCII; raises Malformed (`address_*`, P1)."""
    text = raw.strip()
    local, at, domain = text.rpartition("@")
    if not text:
        raise Malformed(Problem("address_missing", field="address"))
    if not at or len(text) > LONGEST or len(local) > 64 or not _LOCAL.fullmatch(local):
        raise Malformed(Problem("address_unreadable", field="address"))
    return f"{local}@{_domain(domain)}"


def mailbox_key(secret: bytes, address: str) -> str:
    """The key under which an address is found: the same for any case of its letters; tells nothing without `secret`."""
    return hmac.digest(secret, b"mailbox/" + address.lower().encode(), hashlib.sha256).hex()


def masked(address: str) -> str:
    """An address of which its owner recognises enough, and nobody learns it: `a…e@example.org`."""
    local, _, domain = address.rpartition("@")
    return f"{local[0]}…{local[-1] if len(local) > 2 else ''}@{domain}"


def _domain(raw: str) -> str:
    try:
        domain = raw.encode("idna").decode("ascii").lower()
    except UnicodeError:
        domain = ""
    labels = domain.split(".")
    if (len(labels) < 2 and domain != "localhost") or not all(_LABEL.fullmatch(label) for label in labels):
        raise Malformed(Problem("address_unreadable", field="address"))
    return domain
