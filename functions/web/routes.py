"""Every address of the site: method, path, and the function that answers, imported when it is first asked for."""

from typing import Final

ROUTES: Final[tuple[tuple[str, str, str], ...]] = (
    ("GET", "/", "functions.web.home:show"),
    ("POST", "/look", "functions.web.look:choose"),
    ("GET", "/static/<version>/<name>", "functions.web.static:show"),
    ("GET", "/favicon.ico", "functions.web.static:icon"),
    ("GET", "/robots.txt", "functions.web.static:robots"),
    ("GET", "/_mail", "functions.web.mailbox:show"),
    ("GET", "/_mail/<id>", "functions.web.mailbox:letter"),
)

# These check by their own signed token what is sent to them, and may come from elsewhere than a page of this site.
WITHOUT_CSRF: Final[frozenset[str]] = frozenset()
