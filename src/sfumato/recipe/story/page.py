"""The attacks story as a page for data stewards, in Markdown, and its picture.

Every figure comes from the story that is told; the same story gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path

from sfumato.core.system import could_not
from sfumato.recipe.story import steps
from sfumato.recipe.story.lessons import lessons
from sfumato.recipe.story.telling import Story
from sfumato.recipe.story.words import NAMES, brief, table, wrapped
from sfumato.report.attack_grid import Cell, Row, attack_grid


def write_story(story: Story, out: Path) -> tuple[Path, Path]:
    """Write the page, and its picture into a folder ``pictures`` beside it; return where both are."""
    picture = place_of_picture(out)
    try:
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_bytes(picture_of(story).encode())
        out.write_bytes(page_of(story, f"pictures/{picture.name}").encode())
    except OSError as problem:
        raise could_not(
            problem,
            "the story cannot be written",
            where=str(out),
            remedy="choose a folder that can be written to",
        ) from None
    return out, picture


def place_of_picture(out: Path) -> Path:
    """Return where the picture of a page is written."""
    return out.parent / "pictures" / f"{out.stem}.svg"


def page_of(story: Story, picture: str) -> str:
    """Write the page; ``picture`` is where its picture lies."""
    sections = (
        _beginning(story, picture),
        steps.names_removed(story),
        steps.k_anonymity(story),
        steps.l_diversity(story),
        steps.t_closeness(story),
        steps.meaning(story),
        _all_of_it(story),
        lessons(story),
    )
    return wrapped("\n".join(sections))


def picture_of(story: Story) -> str:
    """Draw all attacks against all releases."""
    rows = []
    for key, (name, about) in NAMES.items():
        found = [edition[key] for edition in story.editions]
        rows.append(Row(name, about, [Cell(one.success, one.baseline, brief(one)) for one in found]))
    return attack_grid(
        "What adversaries learn, release by release",
        "A row for each attack, a column for each release from names removed to range diversity. "
        "The numbers are in the table under 'All of it'.",
        [edition.name for edition in story.editions],
        rows,
    )


def _beginning(story: Story, picture: str) -> str:
    town = story.town
    return f"""
# The story of the attacks

Every promise about a release was invented because an attack got past the one before. This page runs these
attacks one after the other on the synthetic hospital of `sfumato demo`: {story.patients:,} patients who
never lived (seed {story.seed}). Every release is really made and every attack really run. The page is
written, with every number on it, by

```console not-run
$ sfumato story --patients {story.patients} --seed {story.seed}
```

![What adversaries learn from each release: the shares stand in the table under "All of it"]({picture})

**What is shared.** Year of birth, sex, ZIP code and length of stay, which others may know; and two
sensitive columns: the kind of illness ({town.illnesses} chapters of ICD-10) and the charges in thousands of
dollars ({town.amounts} different amounts). No record is left out; values are made less precise, by the
method `mondrian`.

**Who attacks.** Somebody with the voter list of the town: {town.voters.num_rows:,} names with birth date,
sex and ZIP code, of whom {town.voters_who_were_patients:,} were patients. And, as the strongest case,
somebody who knows all four columns of everybody.

**How to read the tables.** *Before* and *after* are the shares of people about whom the adversary is right,
with the release of the step before and with the new one. *Without the target* is the same attack when the
person's own record is taken out first (for linkage: a record picked at random); only what lies above it is
due to taking part. A *blind guess* sees no classes, only the whole table. *Sure of* counts the people about
whom the adversary is right and has no doubt left.
"""


def _all_of_it(story: Story) -> str:
    rows = [(", ".join(NAMES[key]), *(brief(edition[key]) for edition in story.editions)) for key in NAMES]
    rows.append(("classes", *(f"{edition.classes:,}" for edition in story.editions)))
    rows.append(("loss", *(f"{edition.loss:.3f}" for edition in story.editions)))
    return f"""
## All of it

The share of people about whom the adversary is right and, in brackets, how many the adversary is sure of.

{table(("", *(edition.name for edition in story.editions)), rows)}
"""
