"""``sfumato init`` for DNA: see what a file holds, and write a recipe that runs."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.core.findings import many
from sfumato.core.schema import Field, Role, Schema
from sfumato.dna.aligned import Unaligned
from sfumato.dna.reading import Content, content_of, open_plink, read_fasta
from sfumato.dna.reading.vcf import open_vcf
from sfumato.recipe.guess import ColumnSummary, Guess
from sfumato.recipe.spelling import comment, quoted

if TYPE_CHECKING:
    from rich.table import Table as Shown

_SUFFIXES = (".fasta", ".fa", ".fna", ".vcf", ".bcf", ".bed")
_GENOTYPE = re.compile(r"[ACGTDI][/|]?[ACGTDI]|[01.][/|][01.]|--|00|NN", re.IGNORECASE)
_BASES = re.compile(r"[ACGTRYSWKMBDHVN-]+", re.IGNORECASE)
_SHORTEST = 10
"""letters from which on a text of bases is a sequence"""
_LEAST_POSITIONS = 2


@dataclass(frozen=True)
class DnaProposal:
    """What was found in a file of DNA, and the roles of its columns if it is a table."""

    path: Path
    content: Content
    holds: str
    """in words: 15 sequences of 16,487 to 16,571 bases"""
    rows: int
    delimiter: str | None = None
    encoding: str = "utf-8"
    align: bool = False
    guesses: dict[str, Guess] = field(default_factory=dict)

    @property
    def schema(self) -> Schema:
        """The guessed roles; files that hold nothing but DNA have no columns."""
        return Schema(tuple(Field(name, guess.role) for name, guess in self.guesses.items()))

    def table(self) -> Shown:
        """Lay the guesses out for the terminal."""
        from rich.markup import escape
        from rich.table import Table as Shown

        title = f"{self.path.name}: DNA, {self.holds}"
        if not self.guesses:
            table = Shown("what", "becomes", title=title, title_justify="left", box=None)
            table.add_row("rows", "less precise, until people look alike")
            table.add_row("names, headers, remarks", "left out")
            return table
        table = Shown("column", "role", "why", title=title, title_justify="left", box=None)
        for name, guess in self.guesses.items():
            table.add_row(escape(name), str(guess.role), escape(guess.reason))
        return table


def is_dna_file(path: Path) -> bool:
    """Say whether a file is called as files of sequences or genotypes are."""
    name = path.name.lower().removesuffix(".gz")
    return name.endswith(_SUFFIXES) and not path.is_dir()


def propose_dna_file(path: Path) -> DnaProposal:
    """Look into a file of sequences or genotypes."""
    content = content_of(path)
    if content is Content.FASTA:
        data = read_fasta(path).data
        if isinstance(data, Unaligned):
            lengths = [len(sequence) for sequence in data.sequences]
            holds = f"{many(len(data), 'sequence')} of {min(lengths):,} to {max(lengths):,} bases"
            return DnaProposal(path, content, holds, len(data), align=True)
        return DnaProposal(path, content, f"{many(len(data), 'sequence')} of {data.width:,} bases", len(data))
    if content is Content.PLINK:
        source = open_plink(path)
        holds = f"{source.people:,} people at {len(source.sites):,} sites"
        return DnaProposal(path, content, holds, source.people)
    if content is Content.TABLE:
        raise BadInput(
            "this is a table", where=str(path), remedy="give its column of sequences a name in a recipe"
        )
    people = len(open_vcf(path).samples)
    return DnaProposal(path, content, many(people, "sample"), people)


def propose_dna_table(
    path: Path,
    columns: tuple[ColumnSummary, ...],
    guesses: dict[str, Guess],
    delimiter: str | None,
    encoding: str,
    *,
    asked: bool,
) -> DnaProposal | None:
    """See whether a table holds sequences or genotypes and, beside them, nothing but whose they are.

    With ``asked`` other columns may be there; they are left out unless they are sensitive.
    """
    genotypes = [one.name for one in columns if _all(one, _GENOTYPE)]
    sequences = [one.name for one in columns if _is_sequence(one)]
    found = genotypes if len(genotypes) >= _LEAST_POSITIONS else sequences[:1]
    if not found:
        if asked:
            raise BadInput(
                "no column was recognised that holds sequences or genotypes",
                where=str(path),
                remedy="write the recipe by hand, with the role sequence for the columns that do",
            )
        return None
    whose = (Role.PERSON, Role.IDENTIFIER)
    if not asked and any(guesses[one.name].role not in whose for one in columns if one.name not in found):
        return None
    what = "a genotype at one position" if found is genotypes else "a sequence of bases"
    settled = {}
    for one in columns:
        guess = guesses[one.name]
        if one.name in found:
            settled[one.name] = Guess(Role.SEQUENCE, f"each value is {what}", 0.9)
        elif guess.role in (Role.PERSON, Role.SENSITIVE):
            settled[one.name] = guess
        else:
            reason = guess.reason if guess.role in whose else f"{guess.reason}; left out beside DNA"
            settled[one.name] = Guess(Role.IDENTIFIER, reason, guess.certainty)
    rows = columns[0].rows
    held = f"{len(found):,} positions" if found is genotypes else "one sequence each"
    return DnaProposal(
        path, Content.TABLE, f"{rows:,} rows, {held}", rows, delimiter, encoding, guesses=settled
    )


def _all(column: ColumnSummary, pattern: re.Pattern[str]) -> bool:
    return bool(column.sample) and all(pattern.fullmatch(value.strip()) for value in column.sample)


def _is_sequence(column: ColumnSummary) -> bool:
    return _all(column, _BASES) and all(len(value.strip()) >= _SHORTEST for value in column.sample)


def dna_recipe_text(proposal: DnaProposal, folder: Path, k: int) -> str:
    """Spell a proposal as a recipe with comments; the path is seen from the recipe's folder."""
    path = Path(os.path.relpath(proposal.path, folder)).as_posix()
    lines = [
        "# A recipe for sfumato, about DNA. Read every line before you use it.",
        "sfumato: 1",
        'title: "DNA of people"  # stands above the report, for everybody to read',
        "resources:",
        "  - name: data",
        "    kind: dna",
        f"    path: {quoted(path)}  # {comment(proposal.holds)}",
    ]
    if proposal.delimiter not in (None, ","):
        lines.append(f"    delimiter: {quoted(str(proposal.delimiter))}")
    if proposal.encoding != "utf-8":
        lines.append(f"    encoding: {quoted(proposal.encoding)}")
    lines += _options(proposal)
    if proposal.guesses:
        lines += [
            "    # Roles: sequence (made less precise), person, identifier (both never released), sensitive,",
            "    # insensitive (both released beside the rows as they are: no promise speaks of them).",
            "    schema:",
            "      fields:",
        ]
        for name, guess in proposal.guesses.items():
            lines += [f"        # {comment(guess.reason)}", f"        - name: {quoted(name)}"]
            lines.append(f"          role: {guess.role}")
    lines += [
        f"# What to promise: everybody's row is published the same as those of {k - 1} others or more.",
        "# Relatives, and who is in the release at all, are not hidden by it.",
        "models:",
        f"  - sequence-k-anonymity: {{k: {k}}}",
        "# How: each row is grouped with those closest to it, and a group publishes what fits all of it.",
        "# haplotype-blocks weighs linked SNPs once; snp-suppression opens whole SNPs; binning uses a tree.",
        "method: dnala",
    ]
    if proposal.content in (Content.VCF, Content.BCF, Content.PLINK):
        lines += [
            "# Or publish figures of sites in place of people's rows, under a bound on an attacker's power:",
            "#   models: [membership-bound: {auc: 0.6}]    method: safe-snps    (see docs/dna.md)",
        ]
    lines += [
        "output:",
        "  folder: .          # holds release/ (to share) and steward/ (to keep) afterwards",
        "  order: shuffled    # 'kept' keeps the order of the source, which links rows to people",
    ]
    return "\n".join(lines) + "\n"


def _options(proposal: DnaProposal) -> list[str]:
    """Say how the file is read, and what may be said besides."""
    if proposal.guesses:
        return []
    about_people = [
        "people: people.csv   # a table about the samples, by their name in the column 'sample'",
        "person: person       # its column that says whose a sample is, if somebody has several",
    ]
    if proposal.align:
        return [
            "    dna:",
            "      align: true        # the lengths differ; mafft is used where it is installed",
            *(f"      # {line}" for line in about_people),
        ]
    return ["    # dna:", *(f"    #   {line}" for line in about_people)]
