"""The entry of every Lambda function: the handler of the module that `ENTRY` names, with its site installed.

All of it happens once in a process, before its first call. The garbage collector rests meanwhile: what is imported
stays, and looking through it again and again takes a third of the time.
"""

import gc

gc.disable()

import os  # noqa: E402
from importlib import import_module  # noqa: E402

from functions.web.boards import TOOLS  # noqa: E402
from infra.aws.site import build  # noqa: E402
from infra.site import install  # noqa: E402

handler = import_module(os.environ["ENTRY"]).handler
install(build(os.environ, TOOLS))

gc.freeze()
gc.enable()
