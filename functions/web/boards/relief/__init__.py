"""Relief's board, as templates use it: `draw` the board, `choices` of moves, `listed` moves, `tell` what happened."""

from functions.web.boards.relief.board import blank as blank
from functions.web.boards.relief.board import draw as draw
from functions.web.boards.relief.examples import rules as rules
from functions.web.boards.relief.moves import choices as choices
from functions.web.boards.relief.moves import listed as listed
from functions.web.boards.relief.sentences import against as against
from functions.web.boards.relief.sentences import army as army
from functions.web.boards.relief.sentences import describe as describe
from functions.web.boards.relief.sentences import move as move
from functions.web.boards.relief.sentences import orders as orders
from functions.web.boards.relief.sentences import outcome as outcome
from functions.web.boards.relief.sentences import problem as problem
from functions.web.boards.relief.sentences import situation as situation
from functions.web.boards.relief.sentences import tell as tell
