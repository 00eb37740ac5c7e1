"""`python -m functions.demo`: what the site does, seen from outside, with every turn's story and every mail."""

import os
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from engine.games.registry import operations
from functions.demo.client import Client, Refused, wait_for
from functions.demo_members import DEMO
from functions.web.boards import board
from infra import build
from infra.i18n import translator

SPEED: Final = 14_400  # a day of turn time passes in 6 s
POLICIES: Final = {"Ada": "pivot", "Basile": "ram"}
SLEEPS: Final = ("Basile", 3)  # sends nothing this turn
WIDTH: Final = 100


def main() -> int:
    """Play the duel to its end; the exit code is 0 if it got there."""
    build.catalogues()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, _site(Path(folder)) as address:
        ada, basile = (_sign_in(Client(address, name, mail, lang)) for _, name, mail, lang, _ in DEMO[:2])
        _say(f"{ada.name} proposes a duel to {basile.name}: Feinthold, one day a turn.")
        duel = ada.post("/duels", {"game": "feinthold", "pace": "days1", "opponent": basile.name})["duel"]["id"]
        wait_for(lambda: _letters(basile))
        basile.get(f"/games/{duel}")
        basile.post(f"/games/{duel}/accept", {})
        _say(f"{basile.name} accepts: the first turn is open.")
        players = (ada, basile)
        while _playing(ada, duel):
            _turn(players, duel)
        for player in players:
            wait_for(lambda player=player: _letters(player))  # type: ignore[misc]
        _say(f"The duel is over after {time.monotonic() - started:.0f} seconds of this machine's time.")
        _say(f"The replay shows it all: {_replayed(ada, duel)}.")
    return 0


def _turn(players: tuple[Client, ...], duel: str) -> None:
    """Both members come by the link in their mail, read what happened, and order; one sleeps through a turn."""
    turn = players[0].get(f"/games/{duel}")["duel"]["turn"]
    _say(f"Turn {turn}")
    for player in players:
        if (player.name, turn) == SLEEPS:
            _say(f"{player.name} does not answer this time.")
            continue
        _order(player)
    wait_for(lambda: _over(players[0], duel, turn))
    for player in players:
        _story(player, duel)


def _order(player: Client) -> None:
    """Open the turn by the link of its mail, in a browser that knows nobody, and send what a house AI would.

    The AI sees what the player sees.
    """
    browser = Client(player.address, player.name, player.mailbox, player.lang)
    link = wait_for(lambda: _open_link(player, browser))
    page = browser.post(link, {})
    request = {"view": page["view"], "doctrine": POLICIES[player.name], "seed": page["duel"]["id"]}
    orders = operations("feinthold")["doctrine"](request)["orders"]
    path = f"/games/{page['duel']['id']}/orders"
    taken = browser.post(path, {"turn": page["duel"]["turn"], "after": page["after"], "orders": orders})
    told = board("feinthold").orders(translator("en"), page["you"], taken["sheet"]["orders"])
    _tell(f"{player.name} orders:", told)


def _story(player: Client, duel: str) -> None:
    page = player.get(f"/games/{duel}")
    facts = page["report"]["facts"] if page["report"] else []
    t = translator("en")
    _tell(f"What {player.name} learns:", [board("feinthold").tell(t, page["you"], fact) for fact in facts])


def _sign_in(player: Client) -> Client:
    player.get("/sign-in")
    player.post("/sign-in", {"address": player.mailbox})
    link = wait_for(lambda: next((m for m in _letters(player) if m["links"]), None))["links"][0]
    player.get(link)
    player.post(link, {})
    _say(f"{player.name} has signed in by the link of that mail.")
    return player


def _letters(player: Client) -> list[Any]:
    """Print the member's new mails."""
    mails = player.new_mails()
    for mail in mails:
        text = "\n".join(
            line if "://" in line else textwrap.fill(line, WIDTH - 4) for line in mail["text"].splitlines()
        )
        print(f"\n  ✉ to {player.name}: {mail['subject']}")
        print(textwrap.indent(text, "  │ ", lambda line: True))
    return mails


def _open_link(player: Client, browser: Client) -> str | None:
    """The link of the player's latest mail, once it leads to a turn that is open."""
    for mail in _letters(player):
        player.links.extend(link for link in mail["links"] if "/turn/" in link)
    try:
        browser.get(player.links[-1])
    except (IndexError, Refused):
        return None
    return player.links[-1]


def _playing(player: Client, duel: str) -> bool:
    return bool(player.get(f"/games/{duel}")["duel"]["stage"] == "playing")


def _over(player: Client, duel: str, turn: int) -> bool:
    facts = player.get(f"/games/{duel}")["duel"]
    return bool(facts["stage"] == "ended" or facts["turn"] > turn)


def _replayed(player: Client, duel: str) -> str:
    steps = player.get(f"/games/{duel}/replay")["steps"]
    return f"{steps} turns, {len(player.get(f'/games/{duel}/download')['turns'])} records to download"


@contextmanager
def _site(data: Path) -> Iterator[str]:
    """The site as `make play` starts it, on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    settings = {"PORT": str(port), "DATA": str(data), "SPEED": str(SPEED), "BASE_URL": address}
    with (data / "log").open("wb") as log:
        site = subprocess.Popen(
            [sys.executable, "-m", "functions.serve"], env={**os.environ, **settings}, stdout=log, stderr=log
        )
    try:
        wait_for(lambda: _answers(address))
        yield address
    finally:
        site.terminate()
        site.wait()


def _answers(address: str) -> bool:
    try:
        Client(address, "", "", "en").get("/")
    except (OSError, Refused):
        return False
    return True


def _say(text: str) -> None:
    print(f"\n── {text}", flush=True)


def _tell(title: str, lines: Any) -> None:
    print(f"\n  {title}")
    for line in lines:
        print(textwrap.fill(line, WIDTH, initial_indent="    · ", subsequent_indent="      "))


if __name__ == "__main__":
    sys.exit(main())
