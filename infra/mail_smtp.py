"""Mails by SMTP."""

import smtplib
import ssl
from collections.abc import Callable
from typing import Final
from urllib.parse import unquote, urlsplit

from engine.times import Instant
from infra.mail import Letter, MailRefused, MailUnknown
from infra.mail_message import message

TIMEOUT: Final = 15.0  # s, for each answer of the server
_PORTS: Final = {"smtp": 25, "smtps": 465}


class SmtpMailer:
    """Sends each letter over a connection of its own.

    `smtps://user:password@host:465` speaks TLS from the start; `smtp://host:587` asks for it where the server offers
    it, and insists on it before it gives a password.
    """

    def __init__(self, url: str, sender: str, name: str, now: Callable[[], Instant], timeout: float = TIMEOUT) -> None:
        """ValueError if the address is not one of these."""
        parts = urlsplit(url)
        if parts.scheme not in _PORTS or not parts.hostname:
            raise ValueError("SMTP_URL must be smtp://… or smtps://…")
        self._tls = parts.scheme == "smtps"
        self._host = parts.hostname
        self._port = parts.port or _PORTS[parts.scheme]
        self._user = unquote(parts.username or "")
        self._password = unquote(parts.password or "")
        self._sender = sender
        self._name = name
        self._now = now
        self._timeout = timeout

    def send(self, letter: Letter) -> None:
        """Hand the letter over; MailRefused before the server has all of it or if it says no, MailUnknown after."""
        try:
            data = message(letter, self._sender, self._name, self._now()).as_bytes()
            server = self._connect()
        except (OSError, smtplib.SMTPException, ValueError) as error:
            raise MailRefused(type(error).__name__) from error
        try:
            self._begin(server, letter.to)
            _finish(server, data)
        finally:
            server.close()

    def _connect(self) -> smtplib.SMTP:
        trust = ssl.create_default_context()
        if self._tls:
            return smtplib.SMTP_SSL(self._host, self._port, timeout=self._timeout, context=trust)
        server = smtplib.SMTP(self._host, self._port, timeout=self._timeout)
        server.ehlo_or_helo_if_needed()
        if server.has_extn("starttls"):
            server.starttls(context=trust)
        elif self._user:
            server.close()
            raise smtplib.SMTPNotSupportedError("no STARTTLS, and a password to give")
        return server

    def _begin(self, server: smtplib.SMTP, to: str) -> None:
        try:
            if self._user:
                server.login(self._user, self._password)
            server.ehlo_or_helo_if_needed()
            for code, answer in (server.mail(self._sender), server.rcpt(to), server.docmd("DATA")):
                if code not in (250, 251, 354):
                    raise MailRefused(f"{code} {answer.decode('utf-8', 'replace')[:200]}")
        except (OSError, smtplib.SMTPException) as error:
            raise MailRefused(type(error).__name__) from error


def _finish(server: smtplib.SMTP, data: bytes) -> None:
    body = data if data.endswith(b"\r\n") else data + b"\r\n"
    try:
        server.send(body.replace(b"\r\n.", b"\r\n..") + b".\r\n")
        code, answer = server.getreply()
    except (OSError, smtplib.SMTPException) as error:
        raise MailUnknown(type(error).__name__) from error
    if code != 250:
        raise MailRefused(f"{code} {answer.decode('utf-8', 'replace')[:200]}")
