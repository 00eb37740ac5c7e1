"""Every address of the site: method, path, and the function that answers, imported when it is first asked for."""

from typing import Final

ROUTES: Final[tuple[tuple[str, str, str], ...]] = (
    ("GET", "/", "functions.web.home:show"),
    ("POST", "/look", "functions.web.look:choose"),
    ("GET", "/static/<version>/<name>", "functions.web.static:show"),
    ("GET", "/favicon.ico", "functions.web.static:icon"),
    ("GET", "/robots.txt", "functions.web.static:robots"),
    ("GET", "/sign-in", "functions.web.sign_in:show"),
    ("POST", "/sign-in", "functions.web.sign_in:ask"),
    ("GET", "/sign-in/code", "functions.web.sign_in_code:show"),
    ("POST", "/sign-in/code", "functions.web.sign_in_code:use"),
    ("GET", "/sign-in/<token>", "functions.web.sign_in_link:show"),
    ("POST", "/sign-in/<token>", "functions.web.sign_in_link:use"),
    ("GET", "/welcome/<id>", "functions.web.welcome:show"),
    ("POST", "/welcome/<id>", "functions.web.welcome:join"),
    ("POST", "/sign-out", "functions.web.sign_in:sign_out"),
    ("GET", "/preferences", "functions.web.preferences:show"),
    ("POST", "/preferences", "functions.web.preferences:change"),
    ("POST", "/preferences/try-again", "functions.web.preferences:try_again"),
    ("POST", "/preferences/sign-out-everywhere", "functions.web.preferences:sign_out_everywhere"),
    ("GET", "/members/<id>", "functions.web.member:show"),
    ("POST", "/members/<id>/block", "functions.web.member:block"),
    ("POST", "/members/<id>/unblock", "functions.web.member:unblock"),
    ("POST", "/members/<id>/report", "functions.web.member:report"),
    ("GET", "/unsubscribe/<token>", "functions.web.unsubscribe:show"),
    ("POST", "/unsubscribe/<token>", "functions.web.unsubscribe:stop"),
    ("GET", "/turn/<token>", "functions.web.turn_link:show"),
    ("POST", "/turn/<token>", "functions.web.turn_link:enter"),
    ("POST", "/turn/<token>/fresh", "functions.web.turn_link:freshen"),
    ("POST", "/games/<id>/fresh-link", "functions.web.turn_link:freshen_here"),
    ("GET", "/_mail", "functions.web.mailbox:show"),
    ("GET", "/_mail/<id>", "functions.web.mailbox:letter"),
)

# These check by their own signed token what is sent to them, and may come from elsewhere than a page of this site.
WITHOUT_CSRF: Final[frozenset[str]] = frozenset(("functions.web.unsubscribe:stop",))
