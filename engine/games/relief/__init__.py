"""Relief: two sides of six on a board of heights, one move a turn, nothing hidden."""

from engine.games.relief.codec import dumped as dump
from engine.games.relief.codec import loaded as load
from engine.games.relief.game import SPEC, resolve, retire, standing, start, think
from engine.games.relief.orders import Order, parse, write
from engine.games.relief.state import State
from engine.games.relief.views import View, check, judge, show, view

__all__ = [
    "SPEC",
    "Order",
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
