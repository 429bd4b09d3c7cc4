"""``sfumato init``: look at a file, guess roles and hierarchies, write a recipe with the reasons in it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput
from sfumato.core.schema import Field, Role, Schema
from sfumato.engine import open_engine
from sfumato.engine.sources import CsvFile, Source, source_of
from sfumato.masking.policy import policy_named
from sfumato.recipe.guess import ColumnSummary, Guess, guess_roles
from sfumato.recipe.kinds import kind_of
from sfumato.recipe.vocabulary import HierarchySpec

if TYPE_CHECKING:
    from rich.table import Table

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

    @property
    def schema(self) -> Schema:
        """The guessed roles."""
        return Schema(tuple(Field(name, guess.role) for name, guess in self.guesses.items()))

    def table(self) -> Table:
        """Lay the guesses out for the terminal."""
        from rich.markup import escape
        from rich.table import Table

        title = f"{self.path.name}: {self.rows:,} rows, {len(self.columns)} columns"
        table = Table("column", "role", "why", title=title, title_justify="left", box=None)
        for name, guess in self.guesses.items():
            table.add_row(escape(name), str(guess.role), escape(guess.reason))
        return table


def propose(path: Path, *, delimiter: str | None = None, encoding: str = "utf-8") -> Proposal:
    """Look at a file and guess."""
    source = read_as(path, delimiter, encoding)
    engine = open_engine("duckdb")
    try:
        table = engine.read(source)
        found = engine.summarise(table)
        if not found[0].rows:
            raise BadInput(
                "the file has a header and no rows", where=str(path), remedy="give a file with rows"
            )
        columns = tuple(
            ColumnSummary(
                c.name,
                c.type,
                c.rows,
                c.distinct,
                c.missing,
                tuple(as_text(value) for value in engine.sample(table, c.name)),
            )
            for c in found
        )
    finally:
        engine.close()
    found_delimiter = source.header()[0] if isinstance(source, CsvFile) else None
    guesses = guess_roles(columns, _hierarchies_beside(path))
    return Proposal(path, found_delimiter, encoding, found[0].rows, columns, guesses)


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
) -> tuple[Path, Proposal]:
    """Write a commented recipe for a file; return where it is and what was guessed.

    With a ``policy`` the recipe follows it, and says of every column what it seems to hold.
    """
    if policy is not None:
        policy_named(policy, data.parent)
    target = out if out is not None else data.parent / "recipe.yaml"
    proposal = propose(data, delimiter=delimiter, encoding=encoding)
    if target.exists() and not replace:
        raise BadInput(
            "there is already a recipe",
            where=str(target),
            remedy="choose another with --out, or give --replace",
        )
    text = recipe_text(proposal, target.parent, k, policy)
    try:
        target.write_text(text, encoding="utf-8")
    except OSError:
        raise BadInput(
            "the recipe cannot be written there", where=str(target), remedy="choose another --out"
        ) from None
    return target, proposal


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
        f"    path: {_quoted(Path(path).as_posix())}",
    ]
    if proposal.delimiter not in (None, ","):
        lines.append(f"    delimiter: {_quoted(str(proposal.delimiter))}")
    if proposal.encoding != "utf-8":
        lines.append(f"    encoding: {_quoted(proposal.encoding)}")
    lines += ["    schema:"]
    person = proposal.schema.person
    if person:
        lines.append(f"      primaryKey: {_quoted(person)}")
    lines.append("      fields:")
    for column in proposal.columns:
        guess = proposal.guesses[column.name]
        lines.append(f"        # {_comment(guess.reason)}")
        lines.append(f"        - name: {_quoted(column.name)}")
        lines.append(f"          role: {guess.role}")
        if policy is not None:
            lines.append(_kind_line(column.name))
        if guess.role is Role.QUASI_IDENTIFIER and guess.hierarchy is not None:
            of_years = policy is not None and isinstance(guess.hierarchy, dict) and "dates" in guess.hierarchy
            lines.append(f"          hierarchy: {_flow(YEARS if of_years else guess.hierarchy, folder)}")
        if guess.role in (Role.INSENSITIVE, Role.WEIGHT) and column.nearly_unique:
            lines.append(
                "          # nearly every row has its own value: say 'confirmed: true' to release it"
            )
    if policy is not None:
        lines += ["# What to do with identifiers; see 'kind' above.", f"policy: {_quoted(policy)}"]
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


def _kind_line(column: str) -> str:
    """Say what a column seems to hold; where nothing is known, the policy will ask."""
    kind = kind_of(column)
    if kind is None:
        return "          # kind:  # the policy needs to know what it holds; 'other' if it names nobody"
    return f"          kind: {kind}"


def _attribute_models(sensitive: tuple[str, ...]) -> list[str]:
    """Show what would cover sensitive columns; how different is different enough is the steward's to say."""
    if not sensitive:
        return []
    column = _quoted(sensitive[0])
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


def _quoted(text: str) -> str:
    """Write a text as YAML; JSON strings are YAML too, and need no guessing about what must be quoted."""
    plain = text.replace("_", "a").replace("-", "a").replace(".", "a").replace("/", "a")
    words = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")
    if plain.isascii() and plain.isalnum() and text[0].isalpha() and text.lower() not in words:
        return text
    return json.dumps(text, ensure_ascii=False)


def _flow(spec: Any, folder: Path) -> str:
    """Write a hierarchy on one line."""
    if isinstance(spec, str):
        return spec
    if set(spec) == {"csv"}:
        spec = {"csv": Path(os.path.relpath(spec["csv"], folder)).as_posix()}
    return json.dumps(spec, ensure_ascii=False)


def _comment(text: str) -> str:
    return " ".join(text.split())
