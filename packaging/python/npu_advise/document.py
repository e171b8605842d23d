"""A result as an object of Python: from the JSON that the program writes, and as a table."""
from __future__ import annotations

import dataclasses
import functools
import keyword
import types
import typing
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

D = TypeVar("D")
Table = Literal["changes", "plans", "by_hand", "observations", "steps", "operators", "suppressed"]


class Mismatch(Exception):
    """What was read does not follow the types: written by another version of npu-advise."""


class Document:
    """What every result can do; its fields are those of docs/schema/result.json."""

    @property
    def recommendations(self) -> Any:
        raise AttributeError("results of version 2 have no recommendations: see changes, plans and by_hand")

    def to_pandas(self, table: Table = "changes") -> pandas.DataFrame:
        """One row per element of the list `table`; a field of a field is the column "alone.predicted.mid".

        Needs pandas.  A list stays a list in its column; null values are missing.  Columns are those of the types, also
        where there is no row.
        """
        import pandas

        kind: Any = type(self)
        rows = [flat(row) for row in getattr(self, table)]
        return pandas.DataFrame(rows, columns=columns(typing.get_args(hints(kind)[table])[0]))

    def to_dict(self) -> dict[str, Any]:
        """As json.load would read it, without what the program left out."""
        found = plain(self)
        assert isinstance(found, dict)
        return found


@functools.lru_cache(maxsize=None)
def hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def key_of(field: str) -> str:
    """The JSON key of a field: `pass_` and `from_` are words of Python."""
    return field[:-1] if field.endswith("_") and keyword.iskeyword(field[:-1]) else field


def plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        given = [(field, getattr(value, field.name)) for field in dataclasses.fields(value)]
        return {key_of(field.name): plain(part) for field, part in given if part is not None or field.default is dataclasses.MISSING}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return {key: plain(one) for key, one in value.items()} if isinstance(value, dict) else value


def class_in(kind: Any) -> Any:
    """The dataclass that a type is, or may be; None."""
    return next((one for one in (kind, *typing.get_args(kind)) if dataclasses.is_dataclass(one)), None)


def columns(kind: Any) -> list[str]:
    found: list[str] = []
    for name, of in hints(kind).items():
        part = class_in(of) if typing.get_origin(of) is not list else None
        found += [f"{key_of(name)}.{inner}" for inner in columns(part)] if part else [key_of(name)]
    return found


def flat(value: Any, prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        part, name = getattr(value, field.name), prefix + key_of(field.name)
        if dataclasses.is_dataclass(part):
            found.update(flat(part, name + "."))
        elif part is not None:
            found[name] = plain(part)
    return found


def read(kind: Type[D], value: Any) -> D:
    """`value`, as json.load gives it, as an object of `kind`.  Mismatch where it is none, with the place."""
    found = decode(kind, value, kind.__name__)
    assert isinstance(found, kind)
    return found


def decode(kind: Any, value: Any, place: str) -> Any:
    if kind is Any:
        return value
    if dataclasses.is_dataclass(kind):
        return decode_class(kind, value, place)
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal and value in parts:
        return value
    if origin in (typing.Union, types.UnionType):
        return decode_one_of(parts, value, place)
    if origin is list and isinstance(value, list):
        return [decode(parts[0], one, f"{place}[{i}]") for i, one in enumerate(value)]
    if origin is dict and isinstance(value, dict):
        return {key: decode(parts[1], one, f"{place}.{key}") for key, one in value.items()}
    if kind is float and type(value) is int:
        return float(value)
    if isinstance(kind, type) and type(value) is kind or kind is type(None) and value is None:
        return value
    raise Mismatch(f"{place}: {str(value)[:40]!r} is not what this version of the package reads ({kind})")


def decode_one_of(parts: tuple[Any, ...], value: Any, place: str) -> Any:
    others = [part for part in parts if part is not type(None)]
    if value is None and len(others) < len(parts):
        return None
    if len(others) == 1:
        return decode(others[0], value, place)
    for part in others:
        try:
            return decode(part, value, place)
        except Mismatch:
            pass
    raise Mismatch(f"{place}: {str(value)[:40]!r} is none of {parts}")


def decode_class(kind: Any, value: Any, place: str) -> Any:
    """Keys that only a later version writes are left out."""
    if not isinstance(value, dict):
        raise Mismatch(f"{place}: {str(value)[:40]!r} is not an object")
    known = hints(kind)
    given = {}
    for field in dataclasses.fields(kind):
        key = key_of(field.name)
        if key in value:
            given[field.name] = decode(known[field.name], value[key], f"{place}.{key}")
        elif field.default is dataclasses.MISSING:
            raise Mismatch(f"{place}: {key} is missing")
    return kind(**given)
