"""Runs the installed program: a model in, a typed result out."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import Any, Mapping, Sequence, Union

from npu_advise.carried import carried_program
from npu_advise.document import Mismatch, read
from npu_advise.types import Result

Path = Union[str, "os.PathLike[str]"]
Option = Union[str, int, float, "os.PathLike[str]", None, Sequence[Path], Mapping[str, Any]]


class AdviseError(Exception):
    """The program could not be run, or refused what it was given: its message, and its exit status where there is one."""

    def __init__(self, text: str, status: Union[int, None] = None) -> None:
        super().__init__(text)
        self.status = status


@dataclass(frozen=True)
class ModelResult:
    """One model of several: 0 passed, 1 a gate failed, 2 unreadable, 3 inconclusive."""

    model: str
    status: int
    error: Union[str, None]
    result: Union[Result, None]


def find_program() -> str:
    """$NPU_ADVISE, else the program that the package carries, else npu-advise of the PATH."""
    found = os.environ.get("NPU_ADVISE") or carried_program("npu-advise") or shutil.which("npu-advise")
    if not found:
        raise AdviseError("npu-advise is not installed: install its package, or set NPU_ADVISE to the program")
    return found


def words_of(name: str, value: Option) -> list[str]:
    """One option as words of the command line: latency_limit="10ms", verify=True, dim={"N": 1}, trace=["a", "b"]."""
    option = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, Mapping):
        return [word for key, one in value.items() for word in (option, f"{key}={one}")]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [word for one in value for word in (option, os.fspath(one))]
    return [option, os.fspath(value) if isinstance(value, (str, os.PathLike)) else str(value)]


def run(models: Sequence[Path], options: Mapping[str, Option]) -> tuple[Any, int]:
    """The program's JSON and exit status.  A gate that failed, or is undecided, is a result; what cannot be read is an error."""
    program = find_program()
    words = [word for name, value in options.items() for word in words_of(name, value)]
    command = [program, *words, "--quiet", "--format", "json", "--", *[os.fspath(model) for model in models]]
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError as error:
        raise AdviseError(f"{program}: {error.strerror}") from error
    try:
        return json.loads(done.stdout), done.returncode
    except ValueError:
        lines = done.stderr.strip().splitlines() or [f"npu-advise ended with status {done.returncode}"]
        raise AdviseError(lines[0].removeprefix("npu-advise: "), done.returncode) from None


def typed(value: Any) -> Result:
    try:
        return read(Result, value)
    except Mismatch as error:
        raise AdviseError(f"program and package are of different versions: {error}") from error


def advise(model: Path, *, trace: Union[Path, Sequence[Path], None] = None, **options: Option) -> Result:
    """Advice for one model.

    `options` are those of the command line, with _ for -: advise("m.onnx", trace="t.json", objective="throughput",
    verify=True, dim={"N": 1}, budget={"latency_ns": "8ms"}).  Whether a gate holds is `result.gate.status`.
    AdviseError, with the program's message, for what cannot be read.
    """
    found, _ = run([model], {"trace": trace, **options})
    if "models" in found:
        raise AdviseError(f"{os.fspath(model)} stands for several models: advise_many takes it")
    return typed(found)


def advise_many(models: Sequence[Path], **options: Option) -> list[ModelResult]:
    """Advice for files, folders and patterns; a model that cannot be read is a row with its error."""
    found, status = run(models, options)
    if "models" not in found:
        return [ModelResult(found["model"]["file"], status, None, typed(found))]
    return [ModelResult(row["model"], row["status"], row["error"], typed(row["result"]) if row["result"] else None) for row in found["models"]]


def load(path: Path) -> Result:
    """A result that `npu-advise --json FILE` wrote."""
    try:
        with open(path, encoding="utf-8") as file:
            return typed(json.load(file))
    except (OSError, ValueError) as error:
        raise AdviseError(f"{os.fspath(path)}: {error}") from error
