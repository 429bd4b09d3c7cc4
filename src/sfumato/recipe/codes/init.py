"""``sfumato init`` for sets of codes: read the file as it seems to lie, and write a recipe that runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.codes.contract import Problem
from sfumato.codes.icd import Recognised, System, recognise
from sfumato.codes.methods.best_of import BestOf
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.reading import ReadCodes, read_codes
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree, Unknown
from sfumato.core.errors import BadInput, SfumatoError
from sfumato.core.named import spell
from sfumato.core.schema import Field, Schema
from sfumato.engine.contract import Table
from sfumato.hierarchy import from_spec
from sfumato.recipe.codes.guess import CodesGuess, says_icd
from sfumato.recipe.codes.keeps_more import advice
from sfumato.recipe.codes.layout import layout_of
from sfumato.recipe.spelling import comment, flow, quoted

if TYPE_CHECKING:
    from rich.table import Table as Shown

_LEAST_SHARE = 0.8
"""codes are of a classification when it knows at least this share of them"""
_SHARE_BY_NAME = 0.7
"""it may be less where the name of the column says so"""
_LEAST_CODES = 1.2
"""codes of a person, in the mean, from which rows are worth to be seen as sets"""
_LAYOUTS = {
    "long": "one code on each row",
    "cells": "several codes in a cell",
    "lists": "a list of codes on each row",
    "baskets": "a set of codes on each line",
    "search-log": "queries and addresses; their words are the codes",
}
_HALF = 0.5
"""a loss from which on a recipe says what would keep more"""
_LEFT_OUT = "left out: of sets nothing but the codes is released"


@dataclass(frozen=True)
class CodesProposal:
    """What was guessed about a file of codes, and how many were read with it."""

    path: Path
    delimiter: str | None
    encoding: str
    columns: tuple[str, ...]
    guess: CodesGuess
    read: ReadCodes = field(repr=False)
    system: str | None
    unknown: int
    """codes that the classification does not know"""
    hierarchy: str | dict[str, Any]
    mended: CodeSets = field(repr=False)
    """the codes as the classification writes them"""

    @property
    def people(self) -> int:
        """How many sets were read."""
        return len(self.read.sets)

    @property
    def schema(self) -> Schema:
        """The guessed roles."""
        return Schema(tuple(Field(name, self.guess.role_of(name)) for name in self.columns))

    def reason(self, column: str) -> str:
        """Say why a column has its role."""
        return self.guess.reasons.get(column, _LEFT_OUT)

    def table(self) -> Shown:
        """Lay the guesses out for the terminal."""
        from rich.markup import escape
        from rich.table import Table as Shown

        counts = self.read.counts
        title = (
            f"{self.path.name}: sets of codes, {_people(self.people)}, {counts.distinct:,} different codes, "
            f"{self.mean():.1f} in the mean"
        )
        table = Shown("column", "role", "why", title=title, title_justify="left", box=None)
        for name in self.columns:
            table.add_row(escape(name), str(self.guess.role_of(name)), escape(self.reason(name)))
        return table

    def mean(self) -> float:
        """Return how many codes a person has in the mean."""
        return self.read.sets.occurrences / max(self.people, 1)


def proposed_codes(
    path: Path,
    table: Table,
    guess: CodesGuess,
    delimiter: str | None,
    encoding: str,
    beside: dict[str, str],
    *,
    asked: bool,
) -> CodesProposal | None:
    """Read the file as guessed; None where people have hardly more than one code, unless sets are asked for.

    ``beside`` are files with hierarchies, by column.
    """
    schema = Schema(tuple(Field(name, guess.role_of(name)) for name in table.names))
    layout = layout_of(table, schema, guess.layout, guess.separator)
    read = read_codes(table, layout)
    few = guess.layout == "long" and read.sets.occurrences < _LEAST_CODES * len(read.sets)
    if few and not asked:
        return None
    if not read.sets.occurrences:
        raise BadInput(
            f"{_people(len(read.sets))} and no code were read",
            where=str(path),
            remedy="check the file, and the column with the codes",
        )
    column = guess.codes[0]
    system, recognised = (None, None) if guess.layout == "search-log" else system_of(read.sets.domain, column)
    hierarchy: str | dict[str, Any] = system or "balanced"
    unknown = len(recognised.unknown) if recognised else 0
    if column in beside:
        hierarchy, unknown = {"csv": beside[column]}, 0
    mended = read if system is None else read_codes(table, layout, system=system)
    return CodesProposal(
        path, delimiter, encoding, table.names, guess, read, system, unknown, hierarchy, mended.sets
    )


def system_of(domain: Sequence[str], column: str) -> tuple[str | None, Recognised | None]:
    """Find the classification that knows most of the codes; plain numbers are goods unless a name speaks.

    >>> system_of(("401.9", "E812.0", "V30.00"), "x")[0], system_of(("401", "389"), "item")[0]
    ('icd9cm', None)
    """
    by_name = says_icd(column)
    if not domain or not (by_name or any("." in code or code[:1].isalpha() for code in domain)):
        return None, None
    found = [(recognise(domain, system), system) for system in (System.ICD10CM, System.ICD9CM)]
    best, system = min(found, key=lambda one: len(one[0].unknown))
    known = 1 - len(best.unknown) / len(domain)
    if known < (_SHARE_BY_NAME if by_name else _LEAST_SHARE):
        return None, None
    return str(system), best


def codes_recipe_text(proposal: CodesProposal, folder: Path, k: int) -> str:
    """Spell a proposal as a recipe with comments; paths are seen from the recipe's folder."""
    guess = proposal.guess
    path = Path(os.path.relpath(proposal.path, folder)).as_posix()
    lines = [
        "# A recipe for sfumato. What stands here is guessed: read every line before you use it.",
        f"# These are sets of codes: {_people(proposal.people)}, {proposal.mean():.1f} codes in the mean.",
        "# Roles: person (whose codes they are), visit (which were written down together), codes,",
        "# identifier. Nothing but the codes is released.",
        "sfumato: 1",
        'title: "The codes of people"  # stands above the report, for everybody to read',
        "resources:",
        "  - name: data",
        f"    path: {quoted(path)}",
        "    kind: codes",
        f"    layout: {guess.layout}  # {_LAYOUTS[guess.layout]}",
    ]
    if proposal.delimiter not in (None, ","):
        lines.append(f"    delimiter: {quoted(str(proposal.delimiter))}")
    if proposal.encoding != "utf-8":
        lines.append(f"    encoding: {quoted(proposal.encoding)}")
    lines += ["    schema:", "      fields:"]
    for name in proposal.columns:
        lines.append(f"        # {comment(proposal.reason(name))}")
        lines.append(f"        - name: {quoted(name)}")
        lines.append(f"          role: {guess.role_of(name)}")
        if name == guess.codes[0]:
            lines += _of_codes(proposal, folder)
    lines += [
        f"# What to promise: whoever knows any 2 codes of a person finds at least {k} records that fit.",
        "models:",
        f"  - k-m-anonymity: {{k: {k}, m: 2}}",
        *_how(proposal, folder, k),
        "output:",
        "  folder: .          # holds release/ (to share) and steward/ (to keep) afterwards",
        "  order: shuffled    # 'kept' keeps the order of the source, which links records to people",
    ]
    return "\n".join(lines) + "\n"


def _how(proposal: CodesProposal, folder: Path, k: int) -> list[str]:
    """Try the usual methods on the data and propose the one that loses least."""
    lines = [
        "# How: codes are generalised along the hierarchy, as little as the promise allows. disassociation",
        "# generalises none, and shows codes apart (promise disassociated-k-m-anonymity then); partition",
        "# makes whole records look alike, whatever somebody knows of them, and loses more.",
    ]
    # The recipe will be run on codes as the classification writes them, so these are what is tried.
    sets = proposal.mended
    try:
        hierarchy = from_spec(proposal.hierarchy, Path())
        tree = CodeTree.of(hierarchy, sets.domain, unknown=Unknown.PREFIX)
        problem = Problem(sets, (KmAnonymity(k, 2),), tree)
        tried = BestOf().choose(problem)
    except SfumatoError:
        return [*lines, "# No method was tried on the data: the best of several is taken.", "method: best-of"]
    losses = [f"{one.method.name} {one.loss:.2f}" for one in tried if one.loss is not None]
    lines.append(f"# Tried, with what they lose (NCP, 0 nothing to 1 everything): {', '.join(losses)}.")
    best = tried[0]
    if best.loss is not None and best.loss >= _HALF:
        lines.append(f"# That is half of the codes or more; {advice(problem, best.method, best.loss)}.")
    spelt = spell(best.method)
    return [*lines, f"method: {flow(spelt if any(spelt.values()) else best.method.name, folder)}"]


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"


def _of_codes(proposal: CodesProposal, folder: Path) -> list[str]:
    """Say how codes are written and along what they are generalised."""
    lines, distinct = [], proposal.read.counts.distinct
    if proposal.guess.separator is not None:
        lines.append(f"          separator: {quoted(proposal.guess.separator)}")
    if proposal.system is not None:
        known = f"{distinct - proposal.unknown:,} of {distinct:,} codes are known to it"
        lines.append(f"          system: {proposal.system}  # {known}; mends lost dots and zeros")
    written = flow(proposal.hierarchy, folder)
    if proposal.hierarchy == "balanced":
        lines += [
            "          # For want of a better one: it joins codes that are neighbours as text, whatever they",
            "          # mean. Give one that analysts know: a CSV file, a tree, icd9cm or icd10cm.",
        ]
    lines.append(f"          hierarchy: {written}")
    if proposal.unknown:
        lines.append(
            "          unknown: prefix  # codes that it does not know lie under what they begin with, or *"
        )
    lines.append("          # sensitive: ['…']  # codes that must not be learned about a person, if any")
    return lines
