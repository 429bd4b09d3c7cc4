"""Thirty odd files in which people are named: lists, objects, foreign column names, three formats.

Each file says which strings in it point at somebody. They are shared by many rows on purpose: what is
frequent survives k-anonymity, so that only looking at the values can stop it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 40
NAMES = ("Ada Lovelace", "Jürgen Kowalski", "Giulia Rossi", "Mehmet Yilmaz")
GIVEN = ("Giulia", "Jürgen", "Mehmet", "Sofia")
MAILS = ("ada@post.example", "jk@post.example", "giulia@post.example", "my@post.example")
PHONES = ("617-555-0199", "(617) 555-0142", "+49 30 901820", "617.555.0177")
DOMESTIC = ("030 9018200", "040 4280100", "089 2330000", "0221 221000")
SSNS = ("934-41-5864", "925-45-1207", "911-22-3344", "900-11-2233")
STREETS = ("12 Rose Lane", "7 Harbour Street", "99 Mill Road", "3 Queen Avenue")
URLS = (
    "https://people.example/ada",
    "https://people.example/jk",
    "www.people.example/gr",
    "https://x.example/m",
)
IPS = ("192.0.2.12", "192.0.2.77", "2001:db8::12", "198.51.100.3")
IBANS = (
    "DE89370400440532013000",
    "GB82WEST12345698765432",
    "FR1420041010050500013M02606",
    "ES9121000418450200051332",
)
PLATES = ("7ABC123", "4XYZ987", "9KLM456", "2QRS321")
VINS = ("1FTSW21P34ED12345", "2HGFA16507H301234", "3VWFE21C04M001234", "5YJSA1E26HF000337")
DEVICES = ("SN-48392-A", "SN-11873-B", "SN-90021-C", "SN-77610-D")
MACS = ("00:1b:44:11:3a:b7", "00:1b:44:11:3a:c8", "00:1b:44:11:3a:d9", "00:1b:44:11:3a:ea")
PLANS = ("1EG4-TE5-MK73", "2FH5-UF6-NM84", "3GJ6-VG7-PN95", "4HK7-WH8-QP16")
LICENCES = ("D1234567", "D7654321", "D5551234", "D9081726")
PHOTOS = ("ada_face.jpg", "jk_face.jpg", "giulia.png", "mehmet.jpeg")
RECORDS = ("MRN 4839201", "MRN 7720034", "MRN 9910452", "MRN 1200987")
CONTACTS = ("Tel. 030 9018200", "mail ada@post.example", "call 617-555-0199", "fax 617-555-0142")

Rows = list[dict[str, Any]]


def _rows(**columns: Callable[[int], Any]) -> Rows:
    """Rows with an age and a sex, which can be published, and more columns."""
    base: dict[str, Callable[[int], Any]] = {"age": lambda i: 30 + i % 4, "sex": lambda i: "FM"[i % 2]}
    return [{name: make(i) for name, make in (base | columns).items()} for i in range(ROWS)]


def _of(values: tuple[str, ...]) -> Callable[[int], Any]:
    return lambda i: values[i % 4]


def _list(values: tuple[str, ...]) -> Callable[[int], Any]:
    return lambda i: [values[i % 4]]


def _csv(rows: Rows, path: Path) -> None:
    lines = [",".join(rows[0])]
    for row in rows:
        texts = [value if isinstance(value, str) else json.dumps(value) for value in row.values()]
        lines.append(",".join('"' + text.replace('"', '""') + '"' for text in texts))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _jsonl(rows: Rows, path: Path) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def _parquet(rows: Rows, path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(rows), path)


_WRITERS = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}

FILES: dict[str, tuple[str, Rows, tuple[str, ...]]] = {
    "mails in lists": ("jsonl", _rows(patient_id=lambda i: i, email=_list(MAILS)), MAILS),
    "mails in lists under a foreign name": ("jsonl", _rows(sposta=_list(MAILS)), MAILS),
    "phones in lists": ("jsonl", _rows(patient_id=lambda i: i, kontakty=_list(PHONES)), PHONES),
    "mixed contacts in lists": (
        "jsonl",
        _rows(x=lambda i: [MAILS[i % 4], PHONES[(i + 1) % 4]]),
        (*MAILS, *PHONES),
    ),
    "a few mails among codes": (
        "jsonl",
        _rows(patient_id=lambda i: i, codes=lambda i: ["I10", "E11.9", *([MAILS[0]] if i == 7 else [])]),
        MAILS[:1],
    ),
    "names in lists": ("jsonl", _rows(patient_id=lambda i: i, betroffene=_list(NAMES)), NAMES),
    "an object with a name": (
        "jsonl",
        _rows(patient_id=lambda i: i, name=lambda i: {"family": NAMES[i % 4], "given": [GIVEN[i % 4]]}),
        (*NAMES, *GIVEN),
    ),
    "a list of objects": (
        "jsonl",
        _rows(telecom=lambda i: [{"system": "phone", "value": PHONES[i % 4]}]),
        PHONES,
    ),
    "a list of lists": ("jsonl", _rows(x=lambda i: [[MAILS[i % 4]], [PHONES[i % 4]]]), (*MAILS, *PHONES)),
    "numbers of persons in an object": (
        "jsonl",
        _rows(identifier=lambda i: {"system": "urn:ssn", "value": SSNS[i % 4]}),
        SSNS,
    ),
    "lists in parquet": ("parquet", _rows(patient_id=lambda i: i, mail=_list(MAILS)), MAILS),
    "lists of phones in parquet": ("parquet", _rows(p=_list(PHONES)), PHONES),
    "a structure in parquet": ("parquet", _rows(who=lambda i: {"n": NAMES[i % 4]}), NAMES),
    "a list of structures in parquet": ("parquet", _rows(who=lambda i: [{"n": MAILS[i % 4]}]), MAILS),
    "web addresses in parquet": ("parquet", _rows(seite=_of(URLS)), URLS),
    "machines in parquet": ("parquet", _rows(rechner=_of(IPS)), IPS),
    "JSON in a cell": ("csv", _rows(kontakt=lambda i: {"mail": MAILS[i % 4]}), MAILS),
    "a JSON list in a cell": ("csv", _rows(posta=_list(MAILS)), MAILS),
    "given names under a foreign name": ("csv", _rows(křestní=_of(GIVEN)), GIVEN),
    "names under a Chinese name": ("csv", _rows(姓名=_of(NAMES)), NAMES),
    "names under a Polish name": ("csv", _rows(nazwisko=_of(NAMES)), NAMES),
    "contacts in words": ("csv", _rows(jak=_of(CONTACTS)), ("030 9018200", MAILS[0], PHONES[0], PHONES[1])),
    "domestic phones": ("csv", _rows(linka=_of(DOMESTIC)), DOMESTIC),
    "national numbers": ("csv", _rows(numero=_of(SSNS)), SSNS),
    "bank accounts": ("csv", _rows(rachunek=_of(IBANS)), IBANS),
    "plates and vehicles": ("csv", _rows(auto=_of(PLATES), rám=_of(VINS)), (*PLATES, *VINS)),
    "devices": ("csv", _rows(pumpa=_of(DEVICES), karta=_of(MACS)), (*DEVICES, *MACS)),
    "plans and licences": ("csv", _rows(p1=_of(PLANS), p2=_of(LICENCES)), (*PLANS, *LICENCES)),
    "photos and records": ("csv", _rows(bild=_of(PHOTOS), akte=_of(RECORDS)), (*PHOTOS, *RECORDS)),
    "streets": ("csv", _rows(patient_id=lambda i: i, wo=_of(STREETS)), STREETS),
}
"""what is odd about each: its format, its rows, and what must not come out"""


def write(name: str, folder: Path) -> tuple[Path, tuple[str, ...]]:
    """Write one of the files; return where it lies and what in it points at people."""
    form, rows, pointing = FILES[name]
    path = folder / f"data.{form}"
    _WRITERS[form](rows, path)
    return path, pointing
