"""Policies as text: one constraint per line, as stewards write and keep them.

Codes are separated by blanks or commas; ``#`` begins a comment. A code that holds such a character stands in
double quotes, a double quote inside it is doubled. ``296.*`` stands for every code that begins with ``296.``
and for ``296`` itself, and the label of a node of the hierarchy for the codes under it.

A policy that was extracted from data names rare sets of codes that exist: it belongs to the steward, is
written so that only its owner can read it, and is never part of a release.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sfumato.codes.contract import Constraint
from sfumato.codes.tree import CodeTree
from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput
from sfumato.core.files import read_text
from sfumato.core.system import could_not
from sfumato.hierarchy.ladder import Hierarchy

_TOKEN = re.compile(
    r'[ \t,]*(?:(?P<comment>#.*)|"(?P<quoted>(?:[^"]|"")*)"(?=[ \t,#]|$)|(?P<plain>[^ \t,"#]+))'
)
_PLAIN = re.compile(r"[!$-+\--~]+")
"""what needs no quotes: visible ASCII without blanks, commas, double quotes and ``#``"""


def parse_constraints(text: str, where: str = "constraints") -> tuple[Constraint, ...]:
    """Read constraints from text.

    >>> parse_constraints('401.1, 295  # both\\n\\n"viral sinusitis" 296.*')
    (('295', '401.1'), ('296.*', 'viral sinusitis'))
    """
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        codes = _codes_of(line.removesuffix("\r"), f"{where}, line {number}")
        if codes:
            found.append(tuple(sorted(set(codes))))
    return tuple(found)


def _codes_of(line: str, where: str) -> list[str]:
    codes = []
    position, end = 0, len(line.rstrip(" \t,"))
    while position < end:
        match = _TOKEN.match(line, position)
        if match is None:
            raise BadInput(
                "a double quote is not closed or stands inside a code", where=where, remedy="double it"
            )
        if match["comment"] is not None:
            break
        code = match["plain"] if match["quoted"] is None else match["quoted"].replace('""', '"')
        if not code:
            raise BadInput("a code is empty", where=where)
        codes.append(code)
        position = match.end()
    return codes


def read_constraints(path: str | Path) -> tuple[Constraint, ...]:
    """Read a policy from a file in UTF-8."""
    path = Path(path)
    text = read_text(path, "utf-8-sig")
    found = parse_constraints(text, str(path))
    if not found:
        raise BadInput("the policy names no constraint", where=str(path), remedy="write one on each line")
    return found


def format_constraints(constraints: Iterable[Constraint], title: str = "") -> str:
    """Write constraints as text that ``parse_constraints`` reads.

    >>> print(format_constraints([("295", "viral sinusitis")], "what visits show"), end="")
    # what visits show
    295 "viral sinusitis"
    """
    lines = [f"# {line}" for line in title.splitlines()]
    for constraint in constraints:
        if not constraint or any(not code or "\n" in code for code in constraint):
            raise BadInput("a constraint is empty or has a code that is empty or holds a line break")
        lines.append(" ".join(_quoted(code) for code in constraint))
    return "".join(f"{line}\n" for line in lines)


def _quoted(code: str) -> str:
    return code if _PLAIN.fullmatch(code) else '"' + code.replace('"', '""') + '"'


def write_constraints(path: str | Path, constraints: Iterable[Constraint], title: str = "") -> None:
    """Write a policy to a new file that only its owner can read (mode 0600)."""
    path = Path(path)
    text = format_constraints(constraints, title)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as problem:
        raise BadInput("the file exists already", where=str(path), remedy="choose another name") from problem
    except OSError as problem:
        raise could_not(problem, "the file cannot be written", where=str(path)) from problem
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as problem:
        path.unlink(missing_ok=True)
        raise could_not(problem, "the file cannot be written", where=str(path)) from problem


@dataclass(frozen=True)
class Expanded:
    """Constraints over the codes of some data; ``absent`` counts names that nothing there answers to."""

    constraints: tuple[Constraint, ...] = field(repr=False)
    absent: int


def expand(
    constraints: Iterable[Iterable[str]],
    domain: Sequence[str],
    hierarchy: Hierarchy | CodeTree | None = None,
) -> Expanded:
    """Replace prefixes (``296.*``) and labels of nodes by the codes that occur under them.

    A name that is itself a code of the data means that code alone. A name that is neither code, prefix
    nor label stays as it is, a code that never occurs: in the strict wording a privacy constraint protects
    the other codes that it names, in the plain wording it is satisfied; a utility constraint ignores it.
    A prefix or label under which nothing occurs is left out. Both are counted in ``absent``.

    >>> expand([["296.*"], ["295", "999"]], ("295", "296.01", "296.02")).constraints
    (('296.01', '296.02'), ('295', '999'))
    """
    names = Names(domain, hierarchy)
    absent = 0
    found = []
    for constraint in constraints:
        codes: set[str] = set()
        for name in constraint:
            under = names.codes(name)
            absent += not under
            codes.update(under or ([] if name.endswith("*") else [name]))
        if codes:
            found.append(tuple(sorted(codes)))
    return Expanded(tuple(found), absent)


class Names:
    """What names of a policy stand for in some data."""

    def __init__(self, domain: Sequence[str], hierarchy: Hierarchy | CodeTree | None = None) -> None:
        self._domain = tuple(domain)
        self._known = frozenset(domain)
        self._under: dict[str, set[str]] = {}
        if isinstance(hierarchy, CodeTree):
            for node, label in enumerate(hierarchy.labels):
                self._under.setdefault(label, set()).update(domain[c] for c in hierarchy.under(node).tolist())
        elif hierarchy is not None and self._domain:
            ladder = hierarchy.ladder(Domain("codes", self._domain, Scale.CATEGORY))
            for level in range(1, ladder.height + 1):
                for group, shown in enumerate(ladder.labels[level]):
                    if shown is not None:
                        members = np.flatnonzero(ladder.rungs[level] == group).tolist()
                        self._under.setdefault(shown, set()).update(domain[c] for c in members)

    def codes(self, name: str) -> list[str]:
        """Return the codes that a name stands for: itself, those with a prefix, those under a node."""
        if name in self._known:
            return [name]
        if name in self._under:
            return sorted(self._under[name])
        if name.endswith("*"):
            begin = name[:-1]
            whole = begin.removesuffix(".")
            return [code for code in self._domain if code.startswith(begin) or (begin and code == whole)]
        return []

    def disease(self, name: str) -> list[str]:
        """Return the codes of a disease: those of a name, or a category with its subdivisions.

        ``493`` is 493 and 493.xx, ``296.0`` is 296.0 and 296.0x, as in ICD.
        """
        begin = name if "." in name else f"{name}."
        found = {*self.codes(name)} | {c for c in self._domain if c == name or c.startswith(begin)}
        return sorted(found)
