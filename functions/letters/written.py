"""A letter put together from its templates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.decisions import Change, Job
from engine.platform.members import Lang
from infra.mail import Letter, Picture
from infra.site import Site


@dataclass(frozen=True, slots=True)
class Written:
    """A letter to send (None: not wanted, or its moment has passed), and what else is due because of its event."""

    letter: Letter | None
    follow: tuple[Change, ...] = ()


def put_together(
    site: Site,
    job: Job,
    to: str,
    lang: Lang,
    zone: str,
    data: Mapping[str, Any],
    unsubscribe: str | None,
    pictures: tuple[Picture, ...] = (),
) -> Letter:
    """The letter of a job's notice: subject, text and HTML from `templates/mail/<notice>/`."""
    folder = f"mail/{job.about['notice']}"
    whole = {"mail": {**data, "site": site.settings.base_url, "unsubscribe": unsubscribe}}
    subject, text, html = (
        site.pages.render(f"{folder}/{part}", lang, zone, whole) for part in ("subject.txt", "body.txt", "body.html")
    )
    return Letter(to, " ".join(subject.split()), text.strip() + "\n", html, unsubscribe, job.id, pictures)
