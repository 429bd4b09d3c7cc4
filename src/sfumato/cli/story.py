"""``sfumato story``: the attacks story, told on a hospital that is made up for it."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from sfumato.cli.progress import TerminalProgress
from sfumato.core.errors import BadInput
from sfumato.core.jit import is_compiled
from sfumato.recipe.story.page import place_of_picture, write_story
from sfumato.recipe.story.telling import Story, tell
from sfumato.recipe.story.words import NAMES, share


def run_story(out: Path, patients: int, seed: int, replace: bool, console: Console, errors: Console) -> None:
    """Tell the story, write it, and show who learns what."""
    for path in (out, place_of_picture(out)):
        if path.is_dir():
            raise BadInput("this is a folder", where=str(path), remedy="name a file, such as story.md")
        if path.exists() and not replace:
            raise BadInput(
                "there is already such a file",
                where=str(path),
                remedy="choose another place with --out, or give --replace",
            )
    if not is_compiled():
        errors.print("compiling (once, about a quarter of a minute)", highlight=False)
    with TerminalProgress(errors) as progress:
        story = tell(patients, seed, progress=progress)
    page, picture = write_story(story, out)
    show_story(story, console)
    console.print(f"The story:   {page}", highlight=False, soft_wrap=True, markup=False)
    console.print(f"Its picture: {picture}", highlight=False, soft_wrap=True, markup=False)


def show_story(story: Story, console: Console) -> None:
    """Print about how many people each attack is right, release by release, in 80 columns."""
    table = Table(
        title="The share of people about whom the adversary is right",
        title_justify="left",
        title_style="bold",
        box=None,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    table.add_column("attack", no_wrap=True)
    for edition in story.editions:
        heading = edition.name.replace(", ", "\n").replace("-", "-\n").replace(" ", "\n")
        table.add_column(heading, justify="right", no_wrap=True)
    for key in NAMES:
        table.add_row(key, *(share(edition[key]) for edition in story.editions))
    console.print(table)
