"""An identified file as an adversary against notes reads it: which of its columns say what about people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pyarrow as pa

from sfumato.core.errors import BadInput, nearest
from sfumato.engine import open_engine
from sfumato.engine.sources import Source
from sfumato.text.attacks.clues import BIRTH
from sfumato.text.attacks.contract import Identified, OtherNotes
from sfumato.text.note import Known
from sfumato.text.stream.layout import KnownColumn

_GUESSES: tuple[tuple[str, str], ...] = (
    (r"birth|dob|born|nacimiento", f"DATE/{BIRTH}"),
    (r"date|admi(?:ssion|tted)|discharged?|visit|fecha|ingreso|alta", "DATE"),
    (r"e-?mail|correo", "EMAIL"),
    (r"phone|telephone|tel|mobile|fax|pager|telefono", "PHONE"),
    (r"ssn|social", "SSN"),
    (r"sex|gender|sexo", "SEX"),
    (r"age|edad", "AGE"),
    (
        r"zip|zipcode|postcode|postal|city|town|street|address|county|state|hospital|employer|ciudad",
        "LOCATION",
    ),
    (r"mrn|record|account|licen[cs]e|accession|plan", "ID"),
    (r"name|surname|firstname|lastname|forename|given|family|nombre|apellidos?", "NAME"),
)


def kinds_of_columns(
    names: Sequence[str], told: Mapping[str, str], person: str | None, where: str
) -> list[KnownColumn]:
    """Say what the columns of a file are: as somebody tells, else as their names suggest.

    >>> [(one.column, str(one.kind)) for one in kinds_of_columns(["last_name", "zip", "x"], {}, None, "")]
    [('last_name', 'NAME'), ('zip', 'LOCATION')]
    """
    for name in told:
        if name not in names:
            raise BadInput(f"there is no column '{name}'", where=where, remedy=nearest(name, names))
    found = []
    for name in names:
        spec = told.get(name) or (None if name == person else _guessed(name))
        if spec is not None:
            found.append(KnownColumn.of(name, spec))
    if not found:
        raise BadInput(
            "no column is known to be a name, a date, an age, a place or a number",
            where=where,
            remedy="say what columns are, such as 'who=NAME' or 'born=DATE/birth'",
        )
    return found


def _guessed(name: str) -> str | None:
    words = re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower()
    words = re.sub(r"[\W_]+", " ", words)
    return next((kind for form, kind in _GUESSES if re.search(rf"\b(?:{form})\b", words)), None)


def identified_from(source: Source, told: Mapping[str, str], person: str | None, where: str) -> Identified:
    """Read an identified file; several rows of one person are put together."""
    table = _table(source)
    columns = kinds_of_columns(table.column_names, told, person, where)
    known = [(one, _texts(table, one.column)) for one in columns]
    ids = _texts(table, person) if person is not None and person in table.column_names else None
    rows: dict[object, list[Known]] = {}
    for row in range(table.num_rows):
        who: object = row if ids is None or ids[row] is None else ids[row]
        listed = rows.setdefault(who, [])
        for column, values in known:
            value = values[row]
            if value:
                listed.append(Known(column.kind, value, column.label))
    return Identified(
        tuple(tuple(dict.fromkeys(listed)) for listed in rows.values()),
        None if ids is None else tuple(map(str, rows)),
    )


def other_notes_from(source: Source, text: str, person: str | None, where: str) -> OtherNotes:
    """Read texts from elsewhere: a column of texts and one that says whom they are about."""
    table = _table(source)
    for name, what in ((text, "holds the texts"), (person or "", "says whom they are about")):
        if name not in table.column_names:
            raise BadInput(
                f"no column '{name}' {what}",
                where=where,
                remedy="give the text from elsewhere the names of columns that the release has",
            )
    pairs = [
        (one, who) for one, who in zip(_texts(table, text), _texts(table, person or ""), strict=True) if one
    ]
    return OtherNotes(tuple(one or "" for one, _ in pairs), tuple(who or "" for _, who in pairs))


def _table(source: Source) -> pa.Table:
    engine = open_engine("duckdb")
    try:
        return engine.arrow(engine.read(source))
    finally:
        engine.close()


def _texts(table: pa.Table, name: str) -> list[str | None]:
    return [None if value is None else str(value) for value in table[name].to_pylist()]
