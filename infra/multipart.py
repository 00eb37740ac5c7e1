"""Forms with a file in them (multipart/form-data), read by the standard library's parser of messages."""

from email import policy
from email.message import Message
from email.parser import BytesParser
from typing import Final

MOST_PARTS: Final = 60


def fields(data: bytes, content_type: str, most: int = MOST_PARTS) -> tuple[tuple[str, str], ...]:
    """Names and texts of a form's parts, files included, in order; ValueError if it can't be read.

    A file's text is UTF-8, with or without a byte order mark.
    """
    head = b"Content-Type: " + content_type.encode("ascii", "replace") + b"\r\n\r\n"
    message = BytesParser(policy=policy.HTTP).parsebytes(head + data)
    if not message.is_multipart():
        raise ValueError("not a form")
    parts = list(message.iter_parts())
    if len(parts) > most:
        raise ValueError("too many parts")
    return tuple((_name(part), _text(part)) for part in parts)


def _name(part: Message) -> str:
    name = part.get_param("name", header="content-disposition")
    if not isinstance(name, str):
        raise ValueError("a part without a name")
    return name


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        raise ValueError("a part of parts")
    return payload.decode("utf-8-sig")
