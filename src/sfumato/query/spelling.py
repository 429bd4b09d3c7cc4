"""``database.yaml``: read it, publish its JSON Schema, and draft one for a file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from sfumato.core.errors import BadInput, nearest
from sfumato.core.files import Unreadable, check_file, read_text
from sfumato.core.plain_yaml import parse_yaml
from sfumato.query.answer import AnswerLimits
from sfumato.query.declared import DatabasePart, budgets_of, metadata_of
from sfumato.query.ledger.contract import Budget
from sfumato.query.metadata import Metadata

MAX_BYTES = 10_000_000
"""of the file; lists of values can be long"""


@dataclass(frozen=True)
class DatabaseFile:
    """What an owner declares: the metadata, and who may spend what."""

    metadata: Metadata
    budgets: tuple[Budget, ...]
    """of the data set and of groups"""
    analyst_budget: Budget | None = None
    """what every new analyst is given; the name is filled in then"""
    window: str = ""
    limits: AnswerLimits = field(default_factory=AnswerLimits)
    """the most that one answer may hold"""


def read_database(path: str | Path) -> DatabaseFile:
    """Read and check a file."""
    place = Path(path)
    try:
        text = read_text(place, most=MAX_BYTES)
    except Unreadable as problem:
        if not problem.missing:
            raise
        raise BadInput(
            "there is no such file", where=str(place), remedy="make one with 'sfumato query draft DATA.csv'"
        ) from None
    return parse_database(text, place.name)


def parse_database(text: str, where: str = "database.yaml") -> DatabaseFile:
    """Check the text of a file."""
    data = parse_yaml(text, where).data
    if not isinstance(data, dict):
        raise BadInput(
            "the file has no keys", where=where, remedy="make one with 'sfumato query draft DATA.csv'"
        )
    try:
        part = DatabasePart.model_validate(data)
    except ValidationError as problems:
        raise _explained(problems, where) from None
    try:
        metadata = metadata_of(part)
        budgets, usual = budgets_of(part, metadata)
    except BadInput as problem:
        raise BadInput(problem.what, where=f"{where}, {problem.where}", remedy=problem.remedy) from None
    limits = AnswerLimits(part.max_cells, part.max_answer_bytes)
    return DatabaseFile(metadata, budgets, usual, part.window, limits)


def database_schema() -> dict[str, Any]:
    """Return the JSON Schema of the file."""
    schema = DatabasePart.model_json_schema()
    schema["title"] = "Sfumato database"
    return schema


def _explained(problems: ValidationError, where: str) -> BadInput:
    """Turn the first complaint into one sentence; a key that is not known comes first, it explains others."""
    errors = problems.errors()
    first = next((error for error in errors if error["type"] == "extra_forbidden"), errors[0])
    place = [str(step) for step in first["loc"]]
    kind = first["type"]
    if kind == "extra_forbidden":
        spot = ".".join(place[:-1])
        return BadInput(
            f"'{place[-1]}' is not a key" + (f" of {spot}" if spot else ""),
            where=where,
            remedy=nearest(place[-1], _keys_at(place[:-1])),
        )
    if kind == "missing":
        return BadInput(f"the key '{'.'.join(place)}' is missing", where=where, remedy="add it")
    # Where several kinds of numbers are possible the complaint ends with one of them, which is no key.
    spot = ".".join(step for step in place if "[" not in step and step not in ("int", "float", "str", "date"))
    if kind == "dict_type" and place[-1] == "columns":
        return BadInput(
            f"'{spot}' declares no column, so that nothing could be asked",
            where=where,
            remedy="take the '#' away from the columns that analysts need, or declare some",
        )
    if kind == "enum":
        known = str(first.get("ctx", {}).get("expected", ""))
        names = [name.strip(" '") for name in known.replace(" or ", ",").split(",")]
        return BadInput(
            f"'{spot}' has a value that it cannot have",
            where=where,
            remedy=nearest(str(first["input"]), names),
        )
    if "values" in place and kind == "string_type":
        return BadInput(
            f"'{spot}' holds something that is no text",
            where=where,
            remedy="write values in quotes: ['1', 'no']",
        )
    if kind == "string_type":
        return BadInput(f"'{spot}' must be a text", where=where, remedy="write it in quotes")
    message = str(first["msg"]).removeprefix("Value error, ")
    return BadInput(f"'{spot}': {message[:1].lower()}{message[1:]}", where=where, remedy="check the value")


def _keys_at(place: list[str]) -> list[str]:
    model: type[BaseModel] = DatabasePart
    for step in place:
        field = model.model_fields.get(step)
        if field is None:
            continue
        found = [kind for kind in _kinds(field.annotation) if issubclass(kind, BaseModel)]
        model = found[0] if found else model
    return list(model.model_fields)


def _kinds(annotation: Any) -> list[type]:
    """List the classes that an annotation is made of."""
    if get_origin(annotation) is None:
        return [annotation] if isinstance(annotation, type) else []
    return [kind for part in get_args(annotation) for kind in _kinds(part)]


_TYPES = {
    "BOOLEAN": ("type: boolean", ""),
    "DATE": ("type: date", "lower: 1900-01-01, upper: 2030-12-31"),
    "INTEGER": ("type: integer", "lower: 0, upper: 100"),
    "NUMBER": ("type: number, grid: 0.01", "lower: 0, upper: 100"),
    "TEXT": ("type: category", ""),
}
"""for each kind of column what is declared, and what bounds look like"""
_HEAD = """\
# What may be asked about these data, and how much. Everything in this file is public.
# Nothing may be asked until you say so: take the '#' away from the columns that analysts need, and leave
# names, numbers and addresses of people where they are. Fill in bounds and values from what you know about
# the subject, never from the data: a bound that was looked up tells of the person who has the largest value.
sfumato: 1
data_set: {name}
neighbours: add-remove       # or substitution: the number of people is then public
groups_per_person: 1         # most groups of one GROUP BY that one person counts in
budget: {{composition: basic, epsilon: 1, delta: 0}}
analyst_budget: {{epsilon: 0.5}}
tables:
  {name}:
    source: {source}
    # person: id               # the column that names the person; without it every row is another person
    rows_per_person: 1
    max_rows: 1000000          # larger files are refused
    columns:
"""


def draft(path: str | Path) -> str:
    """Write a ``database.yaml`` for a file, from the names and types of its columns alone."""
    place = Path(path)
    lines = [
        _HEAD.format(name=_quoted(place.name.split(".")[0] or "data"), source=_quoted(place.name)).rstrip()
    ]
    for name, kind in _columns_of(place):
        declared, bounds = _TYPES[kind]
        declared = f"{declared}, {bounds}" if bounds else declared
        note = "  # mend the bounds" if bounds else ""
        if kind == "TEXT":
            note = "  # values: [...] if they are public; otherwise rare groups are not told"
        lines.append(f"      # {_quoted(name)}: {{{declared}}}{note}")
    return "\n".join(lines) + "\n"


def _columns_of(path: Path) -> list[tuple[str, str]]:
    """List names and kinds of the columns; of text files the kinds are guessed by DuckDB from a sample."""
    import duckdb

    from sfumato.engine.sources import source_of
    from sfumato.engine.sql import literal

    check_file(path)
    source_of(path)
    reader = "read_parquet" if path.suffix in (".parquet", ".pq") else "read_csv"
    if path.suffix in (".jsonl", ".ndjson", ".json"):
        reader = "read_json"
    try:
        described = (
            duckdb.connect().execute(f"DESCRIBE SELECT * FROM {reader}({literal(str(path))})").fetchall()
        )
    except duckdb.Error:
        raise BadInput(
            "the file cannot be read", where=path.name, remedy="give CSV, Parquet or JSON lines"
        ) from None
    return [(str(name), _kind(str(kind))) for name, kind, *_ in described]


def _kind(kind: str) -> str:
    if kind == "BOOLEAN":
        return kind
    if kind.startswith(("DATE", "TIMESTAMP")):
        return "DATE"
    if kind.endswith(("INT", "INTEGER")):
        return "INTEGER"
    return "NUMBER" if kind.startswith(("DOUBLE", "FLOAT", "DECIMAL")) else "TEXT"


def _quoted(text: str) -> str:
    """Write a name as YAML; a JSON string is one."""
    plain = text.replace("_", "").replace(".", "").replace("-", "")
    safe = plain.isascii() and plain.isalnum() and text[0].isalpha()
    words = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")
    return text if safe and text.lower() not in words else json.dumps(text, ensure_ascii=False)
