"""Figures of the story in words and tables of Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from sfumato.core.attack import AttackResult, in_per_cent
from sfumato.recipe.story.telling import EVERYBODY, VOTERS, Edition
from sfumato.table.models import TCloseness

NAMES = {
    VOTERS: ("linkage", "with the voter list"),
    EVERYBODY: ("linkage", "all four columns known"),
    "homogeneity": ("homogeneity", "illness"),
    "background knowledge": ("background knowledge", "illness"),
    "skewness, illness": ("skewness", "illness"),
    "skewness, charges": ("skewness", "charges"),
    "similarity": ("similarity", "charges"),
}
"""the attacks in the order of the story: what each is called, and what it is about"""

_HEADS = (
    "attack",
    "before",
    "after",
    "without the target",
    "blind guess",
    "sure of, before",
    "sure of, after",
)
_WIDTH = 126
_NOT_PROSE = ("#", "- ", "|", "```", "![")


def wrapped(page: str) -> str:
    r"""Break the lines of prose; headings, lists, tables, pictures and fenced blocks stay as they are.

    >>> wrapped("# A\n\nb\nc\n\n- d\n- e")
    '# A\n\nb c\n\n- d\n- e\n'
    """
    blocks = page.strip().split("\n\n")
    return "\n\n".join(block if block.startswith(_NOT_PROSE) else _filled(block) for block in blocks) + "\n"


def bullets(*items: str) -> str:
    """Write a list of sentences."""
    return "\n".join(_filled(item, "- ") for item in items)


def _filled(prose: str, bullet: str = "") -> str:
    return textwrap.fill(
        " ".join(prose.split()),
        _WIDTH,
        initial_indent=bullet,
        subsequent_indent=" " * len(bullet),
        break_long_words=False,
        break_on_hyphens=False,
    )


def compared(before: Edition | None, after: Edition, attacks: Iterable[str]) -> str:
    """Write attacks on the release of the step before, and on the new one."""
    rows = []
    for key in attacks:
        old, new = None if before is None else before[key], after[key]
        rows.append(
            (
                ", ".join(NAMES[key]),
                "–" if old is None else share(old),
                share(new),
                in_per_cent(new.baseline),
                in_per_cent(new.guessing),
                "–" if old is None else f"{old.certain:,}",
                f"{new.certain:,}",
            )
        )
    return table(_HEADS, rows)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table; all columns but the first hold figures.

    >>> print(table(["", "n"], [["a", "1"]]))
    |  | n |
    | --- | ---: |
    | a | 1 |
    """
    lines = [heads, ["---", *("---:" for _ in heads[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def promises(edition: Edition) -> str:
    """Write what is promised, and what was found when the release was checked."""
    lines = []
    for model, verdict in zip(edition.models, edition.verdicts, strict=True):
        distance = f" ({model.distance} distance)" if isinstance(model, TCloseness) else ""
        lines.append(f"- {model.in_words()}{distance}: {verdict.achieved}")
    return "\n".join(lines)


def brief(result: AttackResult) -> str:
    """Write who is learned about, and in brackets how many the adversary is sure of."""
    return f"{share(result)} ({result.certain:,})"


def share(result: AttackResult) -> str:
    """Write about how many the adversary is right."""
    return in_per_cent(result.success)


def people(number: int) -> str:
    """Write a number of people.

    >>> people(0), people(1), people(1200)
    ('nobody', '1 person', '1,200 people')
    """
    return "nobody" if number == 0 else "1 person" if number == 1 else f"{number:,} people"


def outcome(result: AttackResult) -> str:
    """Say whether an attack succeeds with anybody."""
    return "ends" if result.success == 0 else "still works"
