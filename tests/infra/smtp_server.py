"""A mail server that says what a test wants, at the step a test wants."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Script:
    """What the server answers at a step (`MAIL`, `RCPT`, `DATA`, `END`) instead of yes.

    "hang up" closes the connection, "wait" says nothing.
    """

    at: str = ""
    answer: str = ""
    extensions: tuple[str, ...] = ()
    received: list[str] = field(default_factory=list)
    port: int = 0


@contextmanager
def serving(script: Script) -> Iterator[Script]:
    """The server on a free port of this machine."""

    class Handler(socketserver.StreamRequestHandler):
        timeout = 3

        def handle(self) -> None:
            _talk(self, script)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        script.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}).start()
        try:
            yield script
        finally:
            server.shutdown()


def _talk(handler: socketserver.StreamRequestHandler, script: Script) -> None:
    def say(step: str, usual: str) -> bool:
        if step == script.at and script.answer in ("hang up", "wait"):
            if script.answer == "wait":
                handler.rfile.readline()
            return False
        line = script.answer if step == script.at else usual
        handler.wfile.write(line.encode() + b"\r\n")
        return True

    going = say("HELLO", "220 here")
    while going and (line := handler.rfile.readline().decode()):
        verb = line[:4].upper().strip()
        if verb == "EHLO":
            names = ("here", *script.extensions)
            lines = [f"250{'-' if i < len(names) - 1 else ' '}{name}" for i, name in enumerate(names)]
            going = say(verb, "\r\n".join(lines))
        elif verb == "DATA":
            going = say(verb, "354 go on")
            if going and script.at != "DATA":
                script.received.append(_message(handler))
                going = say("END", "250 taken")
        else:
            going = say(verb, "250 yes")


def _message(handler: socketserver.StreamRequestHandler) -> str:
    lines = []
    while (line := handler.rfile.readline().decode()) not in (".\r\n", ""):
        lines.append(line[1:] if line.startswith(".") else line)
    return "".join(lines)
