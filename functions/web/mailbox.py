"""The mails of the one-machine site, to be read in the browser or by a script; elsewhere there is no such page.

Nor is there one where mails also leave and the site is at an address of its own: their links and codes are their
readers', and whoever could read them here could sign in as anybody.
"""

from typing import Any, Final

from engine.errors import Refusal
from functions.web.visit import HTML, Response, Visit
from infra.mail_folder import BothMailer, FolderMailer, folder_of

MOST: Final = 200
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'"


def show(visit: Visit) -> Response[Any]:
    """The last mails, the newest first."""
    return visit.page("pages/mailbox.html", {"mails": _folder(visit).newest(MOST)})


def letter(visit: Visit, id: str) -> Response[Any]:
    """One mail's HTML as its reader sees it: with its own styles, and no scripts."""
    mail = _folder(visit).find(id)
    if mail is None:
        raise Refusal("not_found")
    return Response(200, HTML, mail.html, headers={"Content-Security-Policy": _POLICY})


def _folder(visit: Visit) -> FolderMailer:
    mailer = visit.site.mailer
    folder = folder_of(mailer)
    if folder is None or (isinstance(mailer, BothMailer) and not visit.site.settings.at_home):
        raise Refusal("not_found")
    return folder
