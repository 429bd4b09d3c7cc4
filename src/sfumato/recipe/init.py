"""``sfumato init``: look at a file, guess roles and hierarchies, write a recipe with the reasons in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sfumato.core.errors import BadInput, nearest
from sfumato.core.schema import Field, Role, Schema
from sfumato.core.system import could_not
from sfumato.core.whole_file import write_whole
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Table
from sfumato.engine.lines import BASKET
from sfumato.engine.sources import CsvFile, Source, source_of
from sfumato.masking.policy import policy_named
from sfumato.recipe.guess import ColumnSummary, Guess, guess_roles
from sfumato.recipe.identifier_forms import scalars_of
from sfumato.recipe.init_columns import candidates_in_words, with_dependences
from sfumato.recipe.kept_columns import refuse_identifying_names, refuse_nested
from sfumato.recipe.kinds import kind_for
from sfumato.recipe.spelling import comment, flow, quoted
from sfumato.recipe.vocabulary import HierarchySpec
from sfumato.table.risk.known_columns import USUAL_K

if TYPE_CHECKING:
    from rich.table import Table as Shown

    from sfumato.recipe.codes.init import CodesProposal
    from sfumato.recipe.dna.init import DnaProposal
    from sfumato.recipe.graph.init import GraphProposal
    from sfumato.recipe.text.init import TextProposal

    AnyProposal: TypeAlias = "Proposal | CodesProposal | TextProposal | DnaProposal | GraphProposal"

KINDS = ("table", "codes", "text", "dna", "graph")
MOST_FOR_LEVELS = 5
"""quasi-identifiers up to which a proposal lifts whole columns"""


@dataclass(frozen=True)
class Proposal:
    """What was guessed about the columns of a file."""

    path: Path
    delimiter: str | None
    encoding: str
    rows: int
    columns: tuple[ColumnSummary, ...]
    guesses: dict[str, Guess]
    candidates: Mapping[str, str] = field(default_factory=dict)
    """in words, of columns that are no quasi-identifiers: how many people have few candidates by them"""

    @property
    def schema(self) -> Schema:
        """The guessed roles."""
        return Schema(tuple(Field(name, guess.role) for name, guess in self.guesses.items()))

    def table(self) -> Shown:
        """Lay the guesses out for the terminal."""
        from rich.markup import escape
        from rich.table import Table as Shown

        title = f"{self.path.name}: {self.rows:,} rows, {len(self.columns)} columns"
        table = Shown("column", "role", "why", title=title, title_justify="left", box=None)
        for name, guess in self.guesses.items():
            table.add_row(escape(name), str(guess.role), escape(guess.reason))
        return table


def propose(
    path: Path, *, delimiter: str | None = None, encoding: str = "utf-8", k: int = USUAL_K
) -> Proposal:
    """Look at a file as a table and guess."""
    source = read_as(path, delimiter, encoding)
    engine = open_engine("duckdb")
    try:
        table = engine.read(source)
        found = _table_proposal(path, source, encoding, _summaries(engine, table, path))
        return _looked_at(found, table, k)
    finally:
        engine.close()


def propose_either(
    path: Path,
    *,
    kind: str | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    k: int = USUAL_K,
) -> Proposal | CodesProposal:
    """Look at a file and guess whether it is a table or holds sets of codes, unless ``kind`` says so."""
    if kind not in (None, *KINDS):
        raise BadInput(f"there is no kind '{kind}'", remedy=nearest(str(kind), KINDS))
    source = read_as(path, delimiter, encoding)
    engine = open_engine("duckdb")
    try:
        table = engine.read(source)
        columns = _summaries(engine, table, path)
        proposal = _table_proposal(path, source, encoding, columns)
        codes = None
        if kind != "table":
            codes = _codes_proposal(engine, table, proposal, asked=kind == "codes")
        if codes is not None:
            return codes
        return _looked_at(proposal, table, k)
    finally:
        engine.close()


def _looked_at(proposal: Proposal, table: Table, k: int) -> Proposal:
    """Add what columns that are no quasi-identifiers tell beside these."""
    guesses = with_dependences(proposal.guesses, table)
    return replace_fields(proposal, guesses=guesses, candidates=candidates_in_words(guesses, table, k))


def _notes_proposal(
    path: Path, kind: str | None, delimiter: str | None, encoding: str
) -> TextProposal | None:
    """Look whether a column of a file holds long texts, unless ``kind`` says that it is something else."""
    if kind not in (None, "text"):
        return None
    from sfumato.recipe.text.init import propose_text
    from sfumato.text.stream.reading import NotesFolder

    notes = NotesFolder(path) if path.is_dir() else read_as(path, delimiter, encoding)
    return propose_text(path, notes, asked=kind == "text")


def _dna_file_proposal(path: Path, kind: str | None) -> DnaProposal | None:
    """Look whether a file holds nothing but DNA, unless ``kind`` says that it is something else."""
    from sfumato.recipe.dna.init import is_dna_file, propose_dna_file

    return propose_dna_file(path) if kind in (None, "dna") and is_dna_file(path) else None


def _graph_proposal(path: Path, kind: str | None, delimiter: str | None) -> GraphProposal | None:
    """Look whether a file lists the edges of a network, unless ``kind`` says that it is something else."""
    if kind not in (None, "graph"):
        return None
    from sfumato.recipe.graph.init import propose_graph

    return propose_graph(path, asked=kind == "graph", delimiter=delimiter)


def _with_sequences(proposal: Proposal, *, asked: bool) -> Proposal | DnaProposal:
    """See a table of sequences or genotypes as DNA."""
    from sfumato.recipe.dna.init import propose_dna_table

    found = propose_dna_table(
        proposal.path,
        proposal.columns,
        proposal.guesses,
        proposal.delimiter,
        proposal.encoding,
        asked=asked,
    )
    return found or proposal


def _codes_proposal(engine: Engine, table: Table, proposal: Proposal, *, asked: bool) -> CodesProposal | None:
    from sfumato.recipe.codes.guess import guess_codes
    from sfumato.recipe.codes.init import proposed_codes

    path = proposal.path
    lists = [c.name for c in table.columns if any(isinstance(v, list) for v in engine.sample(table, c.name))]
    guess = guess_codes(proposal.columns, proposal.guesses, lists)
    if guess is None and asked:
        raise BadInput(
            "no column was recognised that holds codes",
            where=str(path),
            remedy="write the recipe by hand, with the role codes for the column that does",
        )
    if guess is None:
        return None
    beside = _hierarchies_beside(path)
    try:
        return proposed_codes(path, table, guess, proposal.delimiter, proposal.encoding, beside, asked=asked)
    except BadInput as problem:
        if asked or guess.layout not in ("long", "cells"):
            raise
        raise BadInput(
            f"the file seems to hold sets of codes, and {problem.what}",
            where=problem.where.replace("the table", str(path)),
            remedy=f"{problem.remedy}; or say that it is a table (init --kind table, risk --quasi)",
        ) from None


def _summaries(engine: Engine, table: Table, path: Path) -> tuple[ColumnSummary, ...]:
    """Describe the columns; of lists their single values are taken, and objects are refused."""
    refuse_identifying_names(table.names)
    found = engine.summarise(table)
    if not found[0].rows:
        what = "the file is empty" if table.names == (BASKET,) else "the file has a header and no rows"
        raise BadInput(what, where=str(path), remedy="give a file with rows")
    samples = {c.name: engine.sample(table, c.name) for c in found}
    for name, values in samples.items():
        refuse_nested(name, values)
    return tuple(
        ColumnSummary(
            c.name,
            c.type,
            c.rows,
            c.distinct,
            c.missing,
            tuple(single for value in samples[c.name] for single in scalars_of(value)),
        )
        for c in found
    )


def _table_proposal(
    path: Path, source: Source, encoding: str, columns: tuple[ColumnSummary, ...]
) -> Proposal:
    found_delimiter = source.header()[0] if isinstance(source, CsvFile) else None
    guesses = guess_roles(columns, _hierarchies_beside(path))
    return Proposal(path, found_delimiter, encoding, columns[0].rows, columns, guesses)


def read_as(path: Path, delimiter: str | None, encoding: str) -> Source:
    """Choose the source for a path; delimiter and encoding matter for CSV files."""
    source = source_of(path)
    return CsvFile(path, delimiter, encoding) if isinstance(source, CsvFile) else source


def _hierarchies_beside(path: Path) -> dict[str, str]:
    """Find hierarchy files named after columns in a folder ``hierarchies`` beside the data."""
    folder = path.parent / "hierarchies"
    files = sorted([*folder.glob("*.csv"), *folder.glob("*.csv.gz")])
    return {file.name.split(".")[0]: str(file) for file in files}


def write_recipe(
    data: Path,
    out: Path | None = None,
    *,
    k: int = 5,
    replace: bool = False,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    policy: str | None = None,
    kind: str | None = None,
) -> tuple[Path, AnyProposal]:
    """Write a commented recipe for a file; return where it is and what was guessed.

    With a ``policy`` the recipe follows it, and says of every column what it seems to hold. Sets of codes,
    notes, DNA and networks are recognised unless ``kind`` says what the file is.
    """
    if policy is not None:
        policy_named(policy, data.parent)
    target = out if out is not None else data.parent / "recipe.yaml"
    proposal: AnyProposal = (
        _dna_file_proposal(data, kind)
        or _graph_proposal(data, kind, delimiter)
        or _notes_proposal(data, kind, delimiter, encoding)
        or propose_either(
            data, kind="table" if kind == "dna" else kind, delimiter=delimiter, encoding=encoding, k=k
        )
    )
    if isinstance(proposal, Proposal) and kind in (None, "dna"):
        proposal = _with_sequences(proposal, asked=kind == "dna")
    if target.exists() and not replace:
        raise BadInput(
            "there is already a recipe",
            where=str(target),
            remedy="choose another with --out, or give --replace",
        )
    text = _text(proposal, target.parent, k, policy)
    try:
        write_whole(target, text)
    except OSError as problem:
        raise could_not(problem, "the recipe cannot be written there", where=str(target)) from None
    return target, proposal


def _text(proposal: AnyProposal, folder: Path, k: int, policy: str | None) -> str:
    if isinstance(proposal, Proposal):
        return recipe_text(proposal, folder, k, policy)
    from sfumato.recipe.codes.init import CodesProposal, codes_recipe_text
    from sfumato.recipe.dna.init import DnaProposal, dna_recipe_text
    from sfumato.recipe.graph.init import GraphProposal, graph_recipe_text

    if policy is not None:
        held = "sets of codes" if isinstance(proposal, CodesProposal) else "notes"
        held = "DNA" if isinstance(proposal, DnaProposal) else held
        held = "a network" if isinstance(proposal, GraphProposal) else held
        raise BadInput(
            f"a policy for identifiers is for tables, and this file seems to hold {held}",
            where=str(proposal.path),
            remedy="leave --policy out, or give --kind table",
        )
    if isinstance(proposal, CodesProposal):
        return codes_recipe_text(proposal, folder, k)
    if isinstance(proposal, DnaProposal):
        return dna_recipe_text(proposal, folder, k)
    if isinstance(proposal, GraphProposal):
        return graph_recipe_text(proposal, folder, k)
    from sfumato.recipe.text.init import text_recipe_text

    return text_recipe_text(proposal, folder)


YEARS: HierarchySpec = {"intervals": {"widths": [5, 10]}}
"""for dates of which a policy leaves the year alone"""


def recipe_text(proposal: Proposal, folder: Path, k: int, policy: str | None = None) -> str:
    """Spell a proposal as a recipe with comments; paths are seen from the recipe's folder."""
    path = os.path.relpath(proposal.path, folder)
    lines = [
        "# A recipe for sfumato. The roles below are guesses: read every line before you use it.",
        "# Roles: person, identifier (both never released), quasi-identifier (an adversary may know it),",
        "# sensitive (must not be learned), insensitive (released as it is), weight.",
        "sfumato: 1",
        'title: "A table about people"  # stands above the report, for everybody to read',
        "resources:",
        "  - name: data",
        f"    path: {quoted(Path(path).as_posix())}",
    ]
    if proposal.delimiter not in (None, ","):
        lines.append(f"    delimiter: {quoted(str(proposal.delimiter))}")
    if proposal.encoding != "utf-8":
        lines.append(f"    encoding: {quoted(proposal.encoding)}")
    lines += ["    schema:"]
    person = proposal.schema.person
    if person:
        lines.append(f"      primaryKey: {quoted(person)}")
    lines.append("      fields:")
    for column in proposal.columns:
        guess = proposal.guesses[column.name]
        lines.append(f"        # {comment(guess.reason)}")
        if column.name in proposal.candidates:
            lines.append(f"        # {proposal.candidates[column.name]}")
        lines.append(f"        - name: {quoted(column.name)}")
        lines.append(f"          role: {guess.role}")
        if policy is not None:
            kind = kind_for(column.name, column.sample, guess.role, guess.reason)
            lines.append(f"          kind: {kind}")
        if guess.role is Role.QUASI_IDENTIFIER and guess.hierarchy is not None:
            of_years = policy is not None and isinstance(guess.hierarchy, dict) and "dates" in guess.hierarchy
            lines.append(f"          hierarchy: {flow(YEARS if of_years else guess.hierarchy, folder)}")
        if guess.role in (Role.INSENSITIVE, Role.WEIGHT) and column.nearly_unique:
            lines.append(
                "          # nearly every row has its own value: say 'confirmed: true' to release it"
            )
    if policy is not None:
        lines += ["# What to do with identifiers; see 'kind' above.", f"policy: {quoted(policy)}"]
    lines += [
        "# What to promise.",
        "models:",
        f"  - k-anonymity: {{k: {k}}}",
        *_attribute_models(proposal.schema.sensitive),
        *_method(len(proposal.schema.quasi)),
        "# What to lose least of: loss, discernibility, non-uniform-entropy, precision, height, …",
        "utility: loss",
        "output:",
        "  folder: .          # holds release/ (to share) and steward/ (to keep) afterwards",
        "  order: shuffled    # 'kept' keeps the order of the source, which links rows to people",
        "  suppressed: drop   # 'star' keeps suppressed records with everything blanked",
    ]
    return "\n".join(lines) + "\n"


def _attribute_models(sensitive: tuple[str, ...]) -> list[str]:
    """Show what would cover sensitive columns; how different is different enough is the steward's to say."""
    if not sensitive:
        return []
    column = quoted(sensitive[0])
    return [
        "  # People who look alike may still share a sensitive value. To promise that they do not:",
        f"  # - distinct-l-diversity: {{l: 2, column: {column}}}",
        f"  # - t-closeness: {{t: 0.3, column: {column}}}",
    ]


def _method(quasi: int) -> list[str]:
    """Propose a method: whole levels are easier to read, boxes keep more when there are many columns."""
    levels, boxes = "optimal-lattice: {suppress: 0.02}", "mondrian: {choose: least loss}"
    if quasi > MOST_FOR_LEVELS:
        why = f"with {quasi} quasi-identifiers boxes keep far more than whole levels"
        return [f"# How: {why}. The other way:", f"#   {levels}", "method:", f"  {boxes}"]
    why = "each column is lifted to one level, provably the best ones"
    return [f"# How: {why}. Finer, but uneven:", f"#   {boxes}", "method:", f"  {levels}"]
