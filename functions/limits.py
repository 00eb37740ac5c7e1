"""Counting what may be asked only so often."""

import hashlib
import hmac
from ipaddress import IPv6Address, ip_address

from engine.decisions import Add
from engine.platform.rates import Limit, counter, spend
from engine.times import Instant
from infra.site import Site


def spending(site: Site, now: Instant, *uses: tuple[Limit, str]) -> tuple[Add, ...]:
    """What counts one use of each limit by somebody; one read each. Raises Refusal("too_often", seconds=, n=)."""
    counters = [(limit, counter(limit, hidden(site, who), now)) for limit, who in uses]
    return spend(*((limit, rate, site.store.count(rate)) for limit, rate in counters), now=now)


def client(address: str) -> str:
    """Whom to count requests from an IP address under: of IPv6, its network of 64 bits."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return str(int(found) >> 64)
    return str(found)


def hidden(site: Site, who: str) -> str:
    """Who is counted, as the counter names them: it tells nothing without the secret."""
    return hmac.digest(site.settings.secret, b"rate/" + who.encode(), hashlib.sha256).hex()[:24]
