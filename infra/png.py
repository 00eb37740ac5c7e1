"""Pictures in a few colours as PNG files, by the standard library alone."""

import re
import struct
import zlib
from collections.abc import Sequence
from typing import Final

Colour = tuple[int, int, int]

_RUNS: Final = re.compile("#+")


class Canvas:
    """A picture of indexed colours, filled with the first of its palette (at most 256)."""

    def __init__(self, width: int, height: int, palette: Sequence[Colour]) -> None:
        self.width = width
        self.height = height
        self._palette = palette
        self._pixels = bytearray(width * height)

    def fill(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        """Paint a rectangle, as far as it lies in the picture."""
        left, right = max(0, x), min(self.width, x + width)
        if left >= right:
            return
        line, pixels = bytes([colour]) * (right - left), self._pixels
        for start in range(max(0, y) * self.width, min(self.height, y + height) * self.width, self.width):
            pixels[start + left : start + right] = line

    def stamp(self, x: int, y: int, rows: Sequence[str], colour: int, dot: int = 1) -> None:
        """Paint the dots marked "#" of a small pattern whose upper left corner is there; each so many pixels wide."""
        for down, row in enumerate(rows):
            for run in _RUNS.finditer(row):
                self.fill(x + dot * run.start(), y + dot * down, dot * len(run[0]), dot, colour)

    def copy(self) -> "Canvas":
        """Another of the same size, palette and pixels."""
        other = Canvas(self.width, self.height, self._palette)
        other._pixels[:] = self._pixels
        return other

    def png(self) -> bytes:
        """The picture as a file; the same picture gives the same bytes."""
        lines = (self._pixels[row * self.width : (row + 1) * self.width] for row in range(self.height))
        raw = b"".join(b"\0" + line for line in lines)
        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 3, 0, 0, 0)
        colours = b"".join(bytes(colour) for colour in self._palette)
        parts = ((b"IHDR", head), (b"PLTE", colours), (b"IDAT", zlib.compress(raw, 7)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
