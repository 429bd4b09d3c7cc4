"""How a recipe spells hierarchies, read and written.

======================================================  ==========================================
``infer``, ``flat``, ``dates``, ``mask``                with what they assume by themselves
``icd9cm``, ``icd10cm``                                 diagnosis codes, written with their dots
``age.csv`` or ``{csv: age.csv, delimiter: ";"}``       a file, beside the recipe
``{rows: [[HIV, infectious, "*"], …]}``                 the same, in place
``{intervals: {widths: [5, 10, 20], top: 90}}``         the fields of ``Intervals``
``{intervals: {cuts: [18, 45, 65]}}``                   the field of ``Cuts``
``{mask: {keep: 3, char: X}}``                          the fields of ``Mask``
``{dates: {levels: [month, year]}}``                    the field of ``Dates``
``balanced`` or ``{balanced: {fan_out: 5}}``            the field of ``Balanced``
``{tree: {any: {infectious: [HIV, flu]}}}``             the nodes of ``Tree``
``{parents: {HIV: infectious, infectious: any}}``       the parent of each label
======================================================  ==========================================

``others: root`` beside any of them publishes values outside the hierarchy as ``*``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sfumato.core.errors import BadInput, nearest
from sfumato.hierarchy.apart import Apart
from sfumato.hierarchy.balanced import Balanced
from sfumato.hierarchy.cuts import Cuts
from sfumato.hierarchy.dates import Dates
from sfumato.hierarchy.flat import Flat
from sfumato.hierarchy.icd import SYSTEMS, Icd
from sfumato.hierarchy.infer import Infer, Inferred
from sfumato.hierarchy.intervals import Intervals
from sfumato.hierarchy.ladder import Hierarchy
from sfumato.hierarchy.masking import Mask
from sfumato.hierarchy.others import RootForOthers
from sfumato.hierarchy.table import HierarchyTable
from sfumato.hierarchy.tree import Tree

Spec = Mapping[str, Any] | str
_WHERE = "hierarchy"
_WORDS: dict[str, Callable[[], Hierarchy]] = {
    "infer": Infer,
    "flat": Flat,
    "dates": Dates,
    "mask": Mask,
    "balanced": Balanced,
    **{system: partial(Icd, system) for system in SYSTEMS},
}
_OPTIONS = ("intervals", "mask", "dates", "infer", "flat", "balanced")
_KINDS = ("csv", "rows", "tree", "parents", *_OPTIONS, *SYSTEMS)
_FILES = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
_T = TypeVar("_T")


def from_spec(spec: Spec, base_folder: Path) -> Hierarchy:
    """Read a hierarchy as a recipe spells it; files are looked for from ``base_folder``.

    >>> from_spec({"intervals": {"widths": [5, 10]}, "others": "root"}, Path("."))
    ... # doctest: +ELLIPSIS
    RootForOthers(hierarchy=Intervals(widths=(5, 10), ...))
    """
    if isinstance(spec, str):
        return _from_word(spec, base_folder)
    if not isinstance(spec, Mapping):
        raise BadInput("a hierarchy is a word or a mapping", where=_WHERE, remedy=nearest("", _KINDS))
    kinds = [key for key in spec if key in _KINDS]
    beside = {"others", "delimiter"} if "csv" in kinds else {"others"}
    for key in spec:
        if key not in _KINDS and key not in beside:
            raise BadInput(
                f"there is no key '{key}'", where=_WHERE, remedy=nearest(str(key), {*_KINDS, *beside})
            )
    if len(kinds) != 1:
        raise BadInput(
            f"a hierarchy needs exactly one kind and has {len(kinds)}",
            where=_WHERE,
            remedy=f"use one of {', '.join(_KINDS)}",
        )
    hierarchy = _from_kind(kinds[0], spec[kinds[0]], spec, base_folder)
    if spec.get("others", "error") not in ("error", "root"):
        raise BadInput("others must be root or error", where=_WHERE)
    return RootForOthers(hierarchy) if spec.get("others") == "root" else hierarchy


def _from_word(word: str, base_folder: Path) -> Hierarchy:
    if word in _WORDS:
        return _WORDS[word]()
    if word.lower().endswith(_FILES):
        return HierarchyTable.read(base_folder / word)
    if word in _KINDS:
        raise BadInput(f"{word} needs options", where=_WHERE, remedy=f"write {{{word}: {{…}}}}")
    raise BadInput(f"there is no hierarchy '{word}'", where=_WHERE, remedy=nearest(word, {*_WORDS, *_KINDS}))


def _from_kind(kind: str, inside: Any, spec: Mapping[str, Any], base_folder: Path) -> Hierarchy:
    if kind == "csv":
        if not isinstance(inside, str | Path):
            raise BadInput("csv must be the path of a file", where=_WHERE)
        return HierarchyTable.read(base_folder / inside, _delimiter(spec.get("delimiter")))
    if kind == "rows":
        if not _is_list(inside) or not all(_is_list(row) for row in inside):
            raise BadInput("rows must be a list of paths, each a list of labels", where=_WHERE)
        return HierarchyTable.of(inside)
    if kind == "tree":
        return Tree(inside)
    options = {} if inside in (None, True) else inside
    if not isinstance(options, Mapping):
        raise BadInput(f"{kind} must be a mapping of options", where=_WHERE)
    if kind == "parents":
        return Tree.from_parents(options)
    if kind in SYSTEMS:
        if options:
            raise BadInput(f"{kind} has no options", where=_WHERE)
        return Icd(kind)
    if kind == "intervals" and "cuts" in options:
        return _make(Cuts, kind, options)
    makers: dict[str, Callable[..., Hierarchy]] = {
        "intervals": Intervals,
        "mask": Mask,
        "dates": Dates,
        "infer": Infer,
        "flat": Flat,
        "balanced": Balanced,
    }
    return _make(makers[kind], kind, options)


def _make(maker: Callable[..., _T], kind: str, options: Mapping[str, Any]) -> _T:
    known = fields(maker)  # type: ignore[arg-type]  # every maker is a dataclass
    names = [field.name for field in known]
    for key in options:
        if key not in names:
            raise BadInput(
                f"there is no option '{key}'", where=f"{_WHERE}, {kind}", remedy=nearest(str(key), names)
            )
    for field in known:
        if field.default is MISSING and field.name not in options:
            raise BadInput(f"the option '{field.name}' is missing", where=f"{_WHERE}, {kind}")
    return maker(**options)


def _delimiter(given: Any) -> str | None:
    if given is None or (isinstance(given, str) and len(given) == 1):
        return given
    raise BadInput("delimiter must be one character", where=_WHERE)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def to_spec(hierarchy: Hierarchy, base_folder: Path | None = None) -> dict[str, Any] | str:
    """Write a hierarchy as a recipe spells it: plain words, lists and mappings, for YAML or JSON.

    >>> to_spec(Intervals((5, 10), top=90))
    {'intervals': {'widths': [5, 10], 'top': 90}}
    """
    if isinstance(hierarchy, RootForOthers):
        inner = to_spec(hierarchy.hierarchy, base_folder)
        return {**({inner: None} if isinstance(inner, str) else inner), "others": "root"}
    if isinstance(hierarchy, Apart | Inferred):
        return to_spec(hierarchy.hierarchy, base_folder)
    if isinstance(hierarchy, HierarchyTable):
        return _table_spec(hierarchy, base_folder)
    if isinstance(hierarchy, Tree):
        return {"tree": _plain(hierarchy.nodes)}
    if isinstance(hierarchy, Icd):
        return hierarchy.system
    if isinstance(hierarchy, Infer | Flat):
        return type(hierarchy).__name__.lower()
    if isinstance(hierarchy, Intervals | Cuts | Mask | Dates | Balanced):
        kind = "intervals" if isinstance(hierarchy, Cuts) else type(hierarchy).__name__.lower()
        options = {
            field.name: _plain(getattr(hierarchy, field.name))
            for field in fields(hierarchy)
            if getattr(hierarchy, field.name) != field.default
        }
        return {kind: options}
    raise BadInput("this hierarchy cannot be written in a recipe", where=type(hierarchy).__name__)


def _table_spec(table: HierarchyTable, base_folder: Path | None) -> dict[str, Any]:
    if table.source is None:
        return {"rows": [list(row) for row in table.rows()]}
    path = table.source
    if base_folder is not None and path.is_relative_to(base_folder):
        path = path.relative_to(base_folder)
    return {"csv": path.as_posix(), "delimiter": table.delimiter}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inside) for key, inside in value.items()}
    if _is_list(value):
        return [_plain(inside) for inside in value]
    return value
