"""Receipts: what binds a player to the orders sent without telling them (P11)."""

import hmac
import json

from engine.decisions import Json
from engine.games.protocol import Seat


def canonical(orders: Json) -> str:
    """The one text of a sheet: keys sorted, no spaces, ASCII."""
    return json.dumps(orders, sort_keys=True, separators=(",", ":"))


def commit_to(seed: str, turn: int, seat: Seat, number: int, orders: Json) -> str:
    """HMAC-SHA-256(key, canonical sheet) in hexadecimal, with key = HMAC-SHA-256(seed, "receipt/turn/seat/submission").

    `seed` is the game's, in hexadecimal; it is shown when the game is over, and then anybody can check.
    """
    key = hmac.digest(bytes.fromhex(seed), f"receipt/{turn}/{seat}/{number}".encode("ascii"), "sha256")
    return hmac.new(key, canonical(orders).encode("ascii"), "sha256").hexdigest()
