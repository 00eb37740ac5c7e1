"""A rating's course as lines of an SVG picture, from the first game to the last."""

from collections.abc import Sequence
from typing import Any, Final

WIDTH: Final = 640
HEIGHT: Final = 220
LEFT: Final = 64  # for the figures
RIGHT: Final = 12
TOP: Final = 14
BOTTOM: Final = 14
STEPS: Final = (250, 500, 1_000, 2_000, 5_000, 10_000)  # tenths between lines
MOST_LINES: Final = 5


def chart(ratings: Sequence[int]) -> dict[str, Any] | None:
    """Where the lines, figures and points of these ratings (tenths, the oldest first) stand; None for less than two."""
    if len(ratings) < 2:
        return None
    step = next((s for s in STEPS if (max(ratings) - min(ratings)) / s < MOST_LINES - 1), STEPS[-1])
    low = min(ratings) // step * step
    high = max(-(-max(ratings) // step) * step, low + step)

    def x(n: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * n / (len(ratings) - 1), 1)

    def y(tenths: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - tenths) / (high - low), 1)

    points = [(x(n), y(tenths)) for n, tenths in enumerate(ratings)]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "lines": [{"y": y(tenths), "rating": tenths / 10} for tenths in range(low, high + 1, step)],
        "points": " ".join(f"{a},{b}" for a, b in points),
        "last": {"x": points[-1][0], "y": points[-1][1]},
        "from": ratings[0] / 10,
        "to": ratings[-1] / 10,
        "lowest": min(ratings) / 10,
        "highest": max(ratings) / 10,
        "games": len(ratings) - 1,
    }
