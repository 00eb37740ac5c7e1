"""The letter with a sign-in link and its code (P1)."""

from engine.decisions import Job
from engine.platform.addresses import mailbox_key
from engine.platform.members import Member
from engine.platform.sign_in import SignIn, code
from functions.letters.written import Written, put_together
from functions.mail_links import sign_in_url
from infra.records import MAILBOX, MEMBER, SIGN_IN
from infra.site import Site


def write(site: Site, job: Job) -> Written:
    """The letter, unless the link was used or ran out meanwhile: to a member in their own language and zone, and to
    their address as they gave it first, as an address in other case might be somebody else's.

    It goes to a paused address too: only its owner asks for it, and without it they could not come back.
    """
    row = site.store.get(SIGN_IN, str(job.about["sign_in"]))
    if row is None or row.value.by or site.sources.now() >= row.value.expires:
        return Written(None)
    asked = row.value
    member = _member(site, asked)
    digits = code(site.settings.secret, asked.id)
    data = {
        "url": sign_in_url(site.settings, asked.id),
        "code": f"{digits[:4]} {digits[4:]}",
        "expires": asked.expires,
        "deadline": None,
        "stage": "",
        "facts": (),
    }
    if member:
        return Written(put_together(site, job, member.address, member.lang, member.zone, data, None))
    return Written(put_together(site, job, asked.address, asked.lang, site.settings.zone, data, None))


def _member(site: Site, asked: SignIn) -> Member | None:
    mailbox = site.store.get(MAILBOX, mailbox_key(site.settings.secret, asked.address))
    row = site.store.get(MEMBER, mailbox.value.member) if mailbox else None
    return row.value if row else None
