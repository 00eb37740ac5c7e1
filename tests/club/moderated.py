"""The club with moderators who stop, void, freeze and judge, and members who leave for good."""

from dataclasses import dataclass, field

from engine.decisions import Decision, Put
from engine.platform.duels.records import Duel
from engine.platform.members import Member, MemberId
from engine.platform.moderation.records import MODERATOR, Act, ActId
from engine.platform.rights import Known, delete
from engine.times import DAY, later
from functions import moderating, winding_up
from functions.acting import act
from infra.records import ACT, MEMBER
from tests.club.club import Club

MODERATORS = (MemberId("mona"), MemberId("nils"))


@dataclass
class ModeratedClub(Club):
    """`acts` are all that were taken."""

    acts: list[ActId] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        for member in MODERATORS:
            joined = later(self.now, -90 * DAY)
            there = Member(member, member.title(), f"{member}@example.org", "en", "UTC", joined, roles=(MODERATOR,))
            self.calm.commit(Decision((Put(there, 0),), None))

    def member(self, id: MemberId) -> Member:
        """A member as kept."""
        row = self.calm.get(MEMBER, id)
        assert row is not None
        return row.value

    def gone(self, id: MemberId) -> bool:
        """Whether the member has left."""
        return self.member(id).deleted

    def propose(self, member: MemberId, invited: MemberId | None, stake: int, pace: str) -> None:
        """Who has left proposes nothing, and is not found by name."""
        if not self.gone(member) and not (invited and self.gone(invited)):
            super().propose(member, invited, stake, pace)

    def accept(self, duel: Duel, member: MemberId) -> None:
        """Nor accepts anything."""
        if not self.gone(member):
            super().accept(duel, member)

    def take(self, what: str, about: str, other: str = "") -> None:
        """A moderator acts, the request being sent twice, and what follows is done."""
        self.requests += 1
        request, by = f"act {self.requests}", self.member(MODERATORS[0])

        def take() -> None:
            taken = moderating.take(self.site.site, by, what, about, other, "Seen.", request)
            self.acts.append(taken.id)

        self.attempt(take)
        self.attempt(take)
        self.run_due()

    def known_acts(self) -> list[Act]:
        """The acts that were taken."""
        rows = (self.calm.get(ACT, id) for id in dict.fromkeys(self.acts))
        return [row.value for row in rows if row]

    def judge(self, taken: Act, undo: bool) -> None:
        """Somebody concerned answers, and the other moderator judges."""
        site = self.site.site
        for member in taken.concerns:
            if not self.gone(member):
                self.attempt(lambda member=member: moderating.answer(site, taken.id, member, "No."))  # type: ignore[misc]
        by = self.member(MODERATORS[1])
        self.attempt(lambda: moderating.judge(site, taken.id, by, "undone" if undo else "upheld", "Looked at."))
        self.run_due()

    def leave(self, id: MemberId) -> None:
        """A member deletes the account, the request being sent twice."""
        site = self.site.site

        def decide() -> Decision[MemberId]:
            row = site.store.get(MEMBER, id)
            assert row is not None
            job = winding_up.first("leave", id, {}, self.now)
            return delete(row, Known(None, None, (), {}), job, self.now, fresh=True)

        for _ in range(2):
            self.attempt(lambda: act(site, decide))
        self.run_due()
