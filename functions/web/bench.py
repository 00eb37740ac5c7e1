"""The test bench: 60 games against the house AIs at a click, for anybody; nothing of it is kept (P3, F30)."""

from collections.abc import Mapping
from typing import Any, Final

from engine.decisions import Decision
from engine.errors import Malformed, Refusal
from engine.games import registry
from engine.games.feinthold.doctrine.evaluate import Trace, notes
from engine.games.feinthold.doctrine.language import Doctrine
from engine.games.feinthold.doctrine.trials import RuleSum, Trial, bench, rule_sums, trial
from engine.games.feinthold.doctrine.wire import write
from engine.games.feinthold.layouts import LAYOUTS, SIDES
from engine.games.feinthold.report import report
from engine.games.feinthold.state import State, opening
from engine.games.registry import DOCTRINED
from engine.platform.doctrines import HOUSE, SLOTS
from engine.platform.rates import BENCH_FROM_CLIENT
from functions.acting import act
from functions.limits import client, spending
from functions.web import doctrine_form
from functions.web.doctrines import editor, valid
from functions.web.packed import pack, unpack
from functions.web.visit import Response, Visit

SEED: Final = b"bench"
RESULTS: Final = ("won", "drawn", "lost")


def show(visit: Visit) -> Response[Any]:
    """The editor, with the doctrine of the address (`?d=`) or one to begin with; `?slot=` is where it may be saved."""
    packed = visit.query.get("d", "")
    doctrine = (
        doctrine_form.typed(unpack(packed)) if packed else {**doctrine_form.blank(), "name": visit.t("bench.draft")}
    )
    return editor(visit, doctrine, _slot(visit, visit.query.get("slot", "")))


def run(visit: Visit) -> Response[Any]:
    """Try the form's doctrine, or press one of the editor's buttons; a refused one comes back as it was typed."""
    typed, do = doctrine_form.typed(visit.form.json.get("doctrine")), visit.form.get("do", "bench")
    slot = _slot(visit, visit.form.get("slot"))
    if do.partition(".")[0] in doctrine_form.EDITING:
        return editor(visit, doctrine_form.pressed(typed, do), slot)
    try:
        packed = pack(write(valid(typed)))
    except Malformed as error:
        return editor(visit, typed, slot, error.problems)
    return visit.redirect(f"/bench/results?d={packed}" + (f"&slot={slot}" if slot else ""))


def results(visit: Visit) -> Response[Any]:
    """The 60 games of the address's doctrine: by AI, side and layout, and what each rule did."""
    doctrine, packed = _doctrine(visit)
    counted = spending(visit.site, visit.site.sources.now(), (BENCH_FROM_CLIENT, client(visit.client)))
    act(visit.site, lambda: Decision(counted, None))
    trials = bench(doctrine, SEED)
    rows = [_row(one) for one in trials]
    written = write(doctrine)
    data = {
        "doctrine": written,
        "packed": packed,
        "slot": _slot(visit, visit.query.get("slot", "")),
        "games": len(trials),
        "totals": _totals(rows),
        "by": {ai: {side: _totals(_of(rows, ai, side)) for side in SIDES} for ai in HOUSE},
        "all": {ai: _totals(_of(rows, ai)) for ai in HOUSE},
        "table": [{"layout": n, "cells": [row for row in rows if row["layout"] == n]} for n in LAYOUTS],
        "turns": sum(row["turns"] for row in rows),
        "rules": [_sum(one) for one in rule_sums(doctrine, trials)],
    }
    return visit.page("pages/doctrines/bench.html", data)


def game(visit: Visit) -> Response[Any]:
    """One of the 60 games, step by step, as replays are: `?ai=&side=&layout=`, `?step=` and `?eyes=`."""
    doctrine, packed = _doctrine(visit)
    ai, side, layout = (visit.query.get(name, "") for name in ("ai", "side", "layout"))
    if ai not in HOUSE or side not in SIDES or layout not in map(str, LAYOUTS):
        raise Refusal("not_found")
    played = trial(doctrine, SEED, ai, SIDES.index(side), int(layout))
    slot = _slot(visit, visit.query.get("slot", ""))
    at = f"?d={packed}&slot={slot}&ai={ai}&side={side}&layout={layout}&"
    return visit.page("pages/doctrines/trial.html", _replay(visit, played, doctrine, packed, slot) | {"at": at})


def _replay(visit: Visit, played: Trial, doctrine: Doctrine, packed: str, slot: int) -> dict[str, Any]:
    side, rival = SIDES[played.side], SIDES[1 - played.side]
    asked = visit.query.get("eyes", side)
    eyes = asked if asked in (*SIDES, "all") else side
    step = min(_number(visit.query.get("step", "")), len(played.turns))
    rules = registry.game(DOCTRINED)
    state: State = played.turns[step - 1].after if step else opening(played.layout)
    names = {side: doctrine.name, rival: visit.t(f"doctrine.ai.{played.ai}")}
    return {
        "duel": {"game": DOCTRINED, "id": ""},
        "seats": [{"seat": s, "member": {"id": "", "name": names[s]}, "you": s == side} for s in SIDES],
        "you": side,
        "eyes": eyes,
        "step": step,
        "steps": len(played.turns),
        "view": rules.show(rules.view(state, eyes)),
        "facts": _facts(played, step, eyes),
        "orders": _orders(played, step, eyes),
        "played_by": dict.fromkeys(SIDES, "ai"),
        "ruled": {"doctrine": write(doctrine), "notes": _notes(played.traces, step)} if step else None,
        "packed": packed,
        "slot": slot,
        "trial": _row(played),
        "now": visit.received,
    }


def _facts(played: Trial, step: int, eyes: str) -> list[dict[str, Any]]:
    if not step:
        return []
    facts = report(played.turns[step - 1], (False, False))
    known = [f for f in facts if eyes == "all" or f.known_to is None or eyes in f.known_to]
    return [{"code": f.code, "detail": f.detail, "seat": f.known_to[0] if f.known_to else None} for f in known]


def _orders(played: Trial, step: int, eyes: str) -> dict[str, Any]:
    if not step:
        return dict.fromkeys(SIDES)
    write_orders = registry.game(DOCTRINED).write
    sheets = dict(zip(SIDES, played.turns[step - 1].sheets, strict=True))
    return {side: write_orders(sheets[side]) if eyes in (side, "all") else None for side in SIDES}


def _notes(traces: tuple[tuple[Trace, ...], ...], step: int) -> list[Mapping[str, Any]]:
    return list(notes(traces[step - 1]))


def _row(one: Trial) -> dict[str, Any]:
    winner = one.end.winner
    result = "drawn" if winner is None else "won" if winner == one.side else "lost"
    return {
        "ai": one.ai,
        "side": SIDES[one.side],
        "layout": one.layout,
        "result": result,
        "end": one.end.by,
        "turns": len(one.turns),
    }


def _of(rows: list[dict[str, Any]], ai: str, side: str = "") -> list[dict[str, Any]]:
    return [row for row in rows if row["ai"] == ai and side in ("", row["side"])]


def _totals(rows: list[dict[str, Any]]) -> dict[str, int]:
    return {result: sum(row["result"] == result for row in rows) for result in RESULTS}


def _sum(one: RuleSum) -> dict[str, int]:
    return {"true": one.true, "acted": one.acted, "trimmed": one.trimmed, "skipped": one.skipped}


def _doctrine(visit: Visit) -> tuple[Doctrine, str]:
    packed = visit.query.get("d", "")
    try:
        doctrine: Doctrine = valid(unpack(packed))
    except Malformed as error:
        raise Refusal("not_found") from error
    return doctrine, pack(write(doctrine))


def _slot(visit: Visit, text: str) -> int:
    """The place that the reader may save in, 0 if there is none."""
    return int(text) if visit.member is not None and text in map(str, SLOTS) else 0


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
