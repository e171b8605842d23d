"""The programs that a wheel carries; a Debian package carries none and takes those of the PATH."""
from __future__ import annotations

import os
import pathlib
import sys
from typing import NoReturn, Union

BIN = pathlib.Path(__file__).parent / "programs" / "bin"


def carried_program(name: str) -> Union[str, None]:
    """Its path, or None where the package carries none."""
    path = BIN / name
    return str(path) if os.access(path, os.X_OK) else None


def start(name: str) -> NoReturn:
    path = carried_program(name)
    if not path:
        sys.exit(f"{name}: not found in {BIN}: install the wheel again")
    os.execv(path, [name, *sys.argv[1:]])


def start_npu_advise() -> NoReturn:
    start("npu-advise")


def start_npu_exec() -> NoReturn:
    start("npu-exec")
