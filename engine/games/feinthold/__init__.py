"""Feinthold: two sides, seven positions, secret simultaneous orders, eight turns at most."""

from engine.games.feinthold.game import SPEC, check, judge, resolve, retire, standing, start
from engine.games.feinthold.policies import think
from engine.games.feinthold.sheet import Sheet
from engine.games.feinthold.sheet_json import parse, write
from engine.games.feinthold.state import State
from engine.games.feinthold.state_json import dump, load
from engine.games.feinthold.view_json import show
from engine.games.feinthold.views import View, view

__all__ = [
    "SPEC",
    "Sheet",
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
