"""After midnight, on the site's time: what a new day needs. It may run any number of times, at any time."""

from typing import Any

from functions import fronts, reconcile, seasons
from infra.log import log
from infra.site import Site, current


def handler(event: dict[str, Any], context: object) -> dict[str, str]:
    """The schedule's call; answers which day it made ready."""
    day = nightly(current())
    log("nightly", day=day)
    return {"day": day}


def nightly(site: Site) -> str:
    """Make the Daily Fronts of today and tomorrow that are not there, have the books gone through (P17) and the months
    that are over closed (P26); today's local date."""
    fronts.make_ready(site)
    reconcile.begin(site)
    seasons.begin(site)
    return fronts.today(site, site.sources.now())
