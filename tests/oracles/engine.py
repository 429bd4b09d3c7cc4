"""What engines do, said slowly: tables are lists of rows, a row is a dict, missing is None."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Key = tuple[Any, ...]


def key(row: Row, names: Sequence[str]) -> Key:
    return tuple(row[name] for name in names)


def count(rows: Sequence[Row], quasi: Sequence[str], person: str | None = None) -> dict[Key, tuple[int, int]]:
    """Rows and known persons of every combination."""
    found = {}
    for combination in {key(row, quasi) for row in rows}:
        members = [row for row in rows if key(row, quasi) == combination]
        people = {row[person] for row in members if row[person] is not None} if person else members
        found[combination] = (len(members), len(people))
    return found


def spans(rows: Sequence[Row], quasi: Sequence[str], person: str) -> dict[Any, set[Key]]:
    """The combinations of every known person who has more than one."""
    people = {row[person] for row in rows if row[person] is not None}
    cells = {who: {key(row, quasi) for row in rows if row[person] == who} for who in people}
    return {who: combinations for who, combinations in cells.items() if len(combinations) > 1}


def recode_per_attribute(
    rows: Sequence[Row],
    quasi: Sequence[str],
    maps: Mapping[str, Mapping[Any, str | None]],
    suppressed: set[Key],
    columns: Sequence[str],
    sensitive: Sequence[str] = (),
    *,
    star: bool = False,
) -> Counter[Key]:
    """Every row with its values replaced, by column; suppressed ones left out or blanked."""
    out: Counter[Key] = Counter()
    for row in rows:
        new = {name: maps[name][value] if name in maps else value for name, value in row.items()}
        _lay_out(out, new, key(new, quasi) in suppressed, quasi, columns, sensitive, star)
    return out


def recode_boxes(
    rows: Sequence[Row],
    box_of: Sequence[Any],
    labels: Mapping[Any, Key],
    quasi: Sequence[str],
    columns: Sequence[str],
    sensitive: Sequence[str] = (),
    *,
    star: bool = False,
) -> Counter[Key]:
    """Every row with the labels of its box; ``box_of`` gives the box of each row, None = suppressed."""
    out: Counter[Key] = Counter()
    for row, box in zip(rows, box_of, strict=True):
        shown = labels[box] if box is not None else (None,) * len(quasi)
        new = {**row, **dict(zip(quasi, shown, strict=True))}
        _lay_out(out, new, box is None, quasi, columns, sensitive, star)
    return out


def _lay_out(
    out: Counter[Key],
    row: dict[str, Any],
    hit: bool,
    quasi: Sequence[str],
    columns: Sequence[str],
    sensitive: Sequence[str],
    star: bool,
) -> None:
    if hit and not star:
        return
    if hit:
        row = {**row, **dict.fromkeys(quasi, "*"), **dict.fromkeys(sensitive)}
    out[key(row, columns)] += 1
