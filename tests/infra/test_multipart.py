"""Forms with files."""

import pytest

from infra.multipart import fields

TYPE = "multipart/form-data; boundary=xyz"


def body(*parts: tuple[str, bytes]) -> bytes:
    whole = b"".join(
        b"--xyz\r\nContent-Disposition: form-data; " + head.encode() + b"\r\n\r\n" + text + b"\r\n"
        for head, text in parts
    )
    return whole + b"--xyz--\r\n"


def test_fields_and_files_are_read_in_order() -> None:
    data = body(('name="csrf"', b"abc"), ('name="file"; filename="d.json"', '{"name": "Éclair"}'.encode()))
    assert fields(data, TYPE) == (("csrf", "abc"), ("file", '{"name": "Éclair"}'))


def test_a_byte_order_mark_is_no_text() -> None:
    assert fields(body(('name="file"; filename="d.json"', b"\xef\xbb\xbf{}")), TYPE) == (("file", "{}"),)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nothing",
        body(("nameless=1", b"x")),
        body(('name="f"; filename="x"', b"\xff\xfe\x00")),
        body(*[('name="a"', b"")] * 61),
    ],
    ids=["empty", "plain", "nameless", "not UTF-8", "too many"],
)
def test_what_is_no_form_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        fields(data, TYPE)
