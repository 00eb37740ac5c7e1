"""Feinthold's board, as templates use it: `draw` the map, `fill` the order form, `tell` the report."""

from functions.web.boards.feinthold.doctrines import rule as rule
from functions.web.boards.feinthold.examples import rules as rules
from functions.web.boards.feinthold.examples import scene as scene
from functions.web.boards.feinthold.form import COSTS as COSTS
from functions.web.boards.feinthold.form import fill as fill
from functions.web.boards.feinthold.map import blank as blank
from functions.web.boards.feinthold.map import draw as draw
from functions.web.boards.feinthold.map import plan as plan
from functions.web.boards.feinthold.places import in_order as in_order
from functions.web.boards.feinthold.places import role as role
from functions.web.boards.feinthold.sentences import orders as orders
from functions.web.boards.feinthold.sentences import outcome as outcome
from functions.web.boards.feinthold.sentences import problem as problem
from functions.web.boards.feinthold.sentences import strength as strength
from functions.web.boards.feinthold.sentences import tell as tell
from functions.web.boards.feinthold.words import army as army
from functions.web.boards.feinthold.words import describe as describe
from functions.web.boards.feinthold.words import flag as flag
from functions.web.boards.feinthold.words import memory as memory
from functions.web.boards.feinthold.words import short as short
from functions.web.boards.feinthold.words import sight as sight
