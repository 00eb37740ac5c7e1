"""Trébuchets: two to twelve siege engines hidden on one field, the rules T1–T17 (docs/rules/trebuchet.md)."""

from engine.games.trebuchet.game import SPEC, resolve, retire, start
from engine.games.trebuchet.legality import check, judge
from engine.games.trebuchet.orders import Orders, parse, write
from engine.games.trebuchet.state import State, dump, load, standing
from engine.games.trebuchet.think import think
from engine.games.trebuchet.views import View, show, view

__all__ = [
    "SPEC",
    "Orders",
    "State",
    "View",
    "check",
    "dump",
    "judge",
    "load",
    "parse",
    "resolve",
    "retire",
    "show",
    "standing",
    "start",
    "think",
    "view",
    "write",
]
