"""Makes the computer's orders for a turn that waits for them; they take seconds and are thought of once."""

from engine.decisions import Decision, Job
from engine.games import registry
from engine.platform.duels.orders import answer
from engine.platform.duels.start import think
from functions.acting import act, ground
from infra.records import DUEL
from infra.site import Site


def run(site: Site, job: Job) -> None:
    """Think, and send the orders if the turn still waits for them."""
    duel_id, turn = str(job.about["duel"]), int(job.about["turn"])
    row = site.store.get(DUEL, duel_id)
    duel = row.value if row else None
    player = next((p for p in duel.players if duel.waits_for(p) and p.policy is not None), None) if duel else None
    if duel is None or player is None or player.policy is None or duel.turn != turn:
        return
    orders = registry.game(duel.game).write(think(duel, player, player.policy, turn).orders)

    def decide() -> Decision[bool]:
        row = site.store.get(DUEL, duel_id)
        return answer(row.value, row.version, turn, orders, ground(site)) if row else Decision((), answer=False)

    act(site, decide)
