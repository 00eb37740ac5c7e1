"""Trébuchets' board, as templates use it: `draw` the map, `fill` the order form, `account` of a turn, `picture`."""

from functions.web.boards.trebuchet.examples import rules as rules
from functions.web.boards.trebuchet.form import complete as complete
from functions.web.boards.trebuchet.form import fill as fill
from functions.web.boards.trebuchet.map import blank as blank
from functions.web.boards.trebuchet.map import draw as draw
from functions.web.boards.trebuchet.map import number as number
from functions.web.boards.trebuchet.picture import picture as picture
from functions.web.boards.trebuchet.sentences import account as account
from functions.web.boards.trebuchet.sentences import headline as headline
from functions.web.boards.trebuchet.sentences import orders as orders
from functions.web.boards.trebuchet.sentences import outcome as outcome
from functions.web.boards.trebuchet.sentences import problem as problem
from functions.web.boards.trebuchet.sentences import tell as tell
from functions.web.boards.trebuchet.words import marks as marks
from functions.web.boards.trebuchet.words import scores as scores
