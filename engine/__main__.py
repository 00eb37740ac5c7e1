"""The referee: one JSON request a line in, one JSON answer a line out, until the input ends."""

import json
import sys
import traceback
from collections.abc import Mapping
from typing import Any, BinaryIO, Final, TextIO

from engine.errors import Malformed, Problem, Refusal, Scalar
from engine.games.registry import operations

_SENTENCES: Final[Mapping[str, str]] = {
    "bad_json": "The line is not JSON in UTF-8.",
    "bad_request": "The request is not written as it should be.",
    "unknown_game": "There is no such game.",
    "unknown_op": "The game has no such operation.",
    "bad_state": "The state is not one of this game.",
    "bad_view": "The view is not one of this game.",
    "bad_side": "There is no such side.",
    "bad_layout": "There is no such layout.",
    "bad_doctrine": "The doctrine is not one that can be played.",
    "bad_seed": "The seed must be a text.",
    "game_over": "The game is over.",
    "illegal_orders": "The orders are illegal.",
    "internal_error": "The referee failed on this request.",
}


def serve(requests: BinaryIO, answers: TextIO) -> None:
    """Answer every line of `requests`, each flushed at once; a bad request gets an error line."""
    for line in requests:
        answers.write(f"{answer(line)}\n")
        answers.flush()


def answer(line: bytes) -> str:
    """The answer to one line, as one line of JSON."""
    try:
        return json.dumps(_carried_out(_request(line)), allow_nan=False)
    except Malformed as bad:
        return _refused(bad.problems[0].code, _about(bad.problems[0]))
    except Refusal as refusal:
        return _refused(refusal.code, refusal.detail)
    except Exception:  # noqa: BLE001 - a fault in one game's rules must not take the others' answers away
        traceback.print_exc(file=sys.stderr)
        return _refused("internal_error", {})


def _request(line: bytes) -> Mapping[str, Any]:
    try:
        request = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Malformed(Problem("bad_json")) from None
    if not isinstance(request, dict):
        raise Malformed(Problem("bad_request"))
    return request


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _carried_out(request: Mapping[str, Any]) -> Mapping[str, Any]:
    for key in ("game", "op"):
        if not isinstance(request.get(key), str):
            raise Malformed(Problem("bad_request", field=key))
    operation = operations(request["game"]).get(request["op"])
    if operation is None:
        raise Refusal("unknown_op", op=request["op"])
    return operation(request)


def _about(problem: Problem) -> Mapping[str, Scalar]:
    where = {"at": problem.at, "field": problem.field or None}
    return {**{key: value for key, value in where.items() if value is not None}, **problem.detail}


def _refused(code: str, detail: Mapping[str, Scalar]) -> str:
    sentence = _SENTENCES.get(code, f"{code.replace('_', ' ').capitalize()}.")
    figures = ", ".join(f"{key}: {str(value)[:80]}" for key, value in detail.items())
    message = f"{sentence[:-1]} ({figures})." if figures else sentence
    return json.dumps({"error": {"code": code, "message": message}})


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout)
