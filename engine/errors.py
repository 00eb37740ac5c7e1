"""Why something is not done. The catalogues hold the sentences; these carry their codes and arguments."""

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

Scalar = str | int | float | bool | None
NOTHING: Mapping[str, Scalar] = MappingProxyType({})


@dataclasses.dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a sheet of orders or a form.

    `code` names the sentence, `at` the place it concerns (a position, a cell; None: the whole sheet), `field` the form
    field it is shown next to ("" for the whole form), `detail` fills the sentence.
    """

    code: str
    at: str | None = None
    field: str = ""
    detail: Mapping[str, Scalar] = dataclasses.field(default_factory=lambda: NOTHING)


class Refusal(Exception):
    """A command that is not carried out and changes nothing."""

    def __init__(self, code: str, problems: tuple[Problem, ...] = (), /, **detail: Scalar) -> None:
        super().__init__(code)
        self.code = code
        self.problems = problems
        self.detail: Mapping[str, Scalar] = detail


class Malformed(Exception):
    """Input that can't be read as what it should be, with every problem found."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(", ".join(p.code for p in problems))
        self.problems = problems
