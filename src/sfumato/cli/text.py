"""``sfumato text``: search and scrub texts, train, evaluate and correct what searches them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import Replace, consoles

text = typer.Typer(help="Find what points at people in texts, and replace it.", no_args_is_help=True)

Input = Annotated[str, typer.Argument(help="A text file, or - for standard input.")]
Language = Annotated[str, typer.Option(help="The language of the texts: en or es.")]
Model = Annotated[
    str, typer.Option(help="shipped, none (patterns and lexicons alone), or the file of a model.")
]
Threshold = Annotated[float, typer.Option(help="From this certainty on something counts as found.")]
KeyFrom = Annotated[
    str | None, typer.Option(help="The environment variable with the key, for surrogates and moved dates.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Scope = Annotated[str, typer.Option(help="What counts: hipaa (no ages up to 89), or all that was annotated.")]


@text.command()
def find(
    file: Input = "-",
    language: Language = "en",
    model: Model = "shipped",
    threshold: Threshold = 0.5,
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Also print what was found: it is what points at people.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show where something stands in a text that points at people, and what it is."""
    from sfumato.cli.text_work import show_found

    show_found(file, language, model, threshold, show_values, as_json)


@text.command()
def scrub(
    file: Input = "-",
    replace: Annotated[
        str, typer.Option(help="tags, masks, removal, generalisation, pseudonyms or surrogates.")
    ] = "tags",
    policy: Annotated[str, typer.Option(help="safe-harbor, shifted-dates or everything.")] = "safe-harbor",
    language: Language = "en",
    model: Model = "shipped",
    threshold: Threshold = 0.5,
    key_from: KeyFrom = None,
    key_file: Annotated[Path | None, typer.Option(help="Or the file with the key.")] = None,
    recipient: Annotated[str, typer.Option(help="Who receives the text.")] = "",
    purpose: Annotated[str, typer.Option(help="What it is for.")] = "",
    person: Annotated[
        str, typer.Option(help="Whose text it is: texts of one person have the same surrogates.")
    ] = "",
    lines: Annotated[
        bool, typer.Option("--lines", help="Every line is a note of its own, written as soon as it is done.")
    ] = False,
) -> None:
    """Write a text again with what was found in it replaced; no release, nothing is promised."""
    from sfumato.cli.text_work import scrub_stream

    scrub_stream(
        file,
        replace,
        policy,
        (language, model, threshold),
        key_from or key_file,
        (recipient, purpose, person),
        lines,
    )


@text.command()
def train(
    annotated: Annotated[
        list[Path], typer.Argument(help="Annotated notes: JSON lines, or folders of BRAT files.")
    ],
    out: Annotated[Path, typer.Option(help="The model to write.")],
    language: Language = "en",
    generated: Annotated[
        int, typer.Option(min=0, help="Also learn from so many made-up notes, which hold nobody.")
    ] = 0,
    about: Annotated[
        str, typer.Option(help="What the notes are, in a few words that the model carries.")
    ] = "annotated notes",
    invented: Annotated[
        bool, typer.Option("--invented", help="The notes are made up: the model is about nobody.")
    ] = False,
    replace: Replace = False,
) -> None:
    """Learn from annotated notes. A model of real notes is to be kept as these notes are."""
    from sfumato.cli.text_train import train_model

    train_model(annotated, out, language, generated, about, not invented, replace, *consoles())


@text.command()
def evaluate(
    annotated: Annotated[
        Path, typer.Argument(help="Annotated notes: JSON lines, or a folder of BRAT files.")
    ],
    language: Language = "en",
    model: Model = "shipped",
    threshold: Threshold = 0.5,
    scope: Scope = "hipaa",
    html: Annotated[
        Path | None, typer.Option(help="Write a page with the notes highlighted; keep it in the house.")
    ] = None,
    over: Annotated[
        Path | None, typer.Option(help="Notes without annotations: how much of them would be taken.")
    ] = None,
    as_json: AsJson = False,
    replace: Replace = False,
) -> None:
    """How much is found in annotated notes, how much too much, and which kinds are missed."""
    from sfumato.cli.text_train import evaluate_model

    evaluate_model(annotated, (language, model, threshold), scope, html, over, as_json, replace, *consoles())


@text.command()
def convert(
    source: Annotated[Path, typer.Argument(help="Annotated notes: JSON lines, or a folder of BRAT files.")],
    target: Annotated[Path, typer.Argument(help="A .jsonl file, or a folder for BRAT files.")],
    replace: Replace = False,
) -> None:
    """Turn annotations from BRAT into JSON lines, or the other way."""
    from sfumato.cli.text_train import convert_annotations

    convert_annotations(source, target, replace, consoles()[0])


@text.command()
def tag(
    notes: Annotated[
        Path, typer.Argument(help="A folder of .txt files, a CSV file, JSON lines, or a single text file.")
    ],
    out: Annotated[Path, typer.Option(help="A .jsonl file, or a folder for BRAT files.")],
    column: Annotated[
        str | None, typer.Option(help="The column that holds the notes, where there are several.")
    ] = None,
    language: Language = "en",
    model: Model = "shipped",
    threshold: Threshold = 0.5,
    replace: Replace = False,
) -> None:
    """Annotate notes by machine, for people to correct and to train on again."""
    from sfumato.cli.text_train import tag_notes

    tag_notes(notes, out, column, (language, model, threshold), replace, *consoles())


@text.command()
def generate(
    number: Annotated[int, typer.Argument(min=1, help="How many notes.")],
    out: Annotated[
        Path | None, typer.Option(help="A .jsonl file, or a folder for BRAT files (default: print).")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed, other notes.")] = 1,
    language: Language = "en",
    replace: Replace = False,
) -> None:
    """Make up annotated notes about nobody, to try things on."""
    from sfumato.cli.text_train import generate_notes

    generate_notes(number, out, seed, language, replace, consoles()[0])


@text.command()
def risk(
    notes: Annotated[
        Path, typer.Argument(help="A CSV file, JSON lines, or a folder of .txt files, released or not.")
    ],
    column: Annotated[
        str | None, typer.Option(help="The column that holds the notes, where there are several.")
    ] = None,
    person: Annotated[str | None, typer.Option(help="The column that says whose they are.")] = None,
    language: Language = "en",
    model: Model = "shipped",
    threshold: Threshold = 0.5,
    as_json: AsJson = False,
) -> None:
    """Count what points at people in notes, and the people whom ages, dates and the sex still single out."""
    from sfumato.cli.text_risk import show_text_risk

    show_text_risk(notes, column, person, (language, model, threshold), as_json, *consoles())
