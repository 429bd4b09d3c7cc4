"""The sub-commands. Each imports what it needs when it runs, so that help answers at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.audit import audit
from sfumato.cli.dna import dna
from sfumato.cli.graph import graph
from sfumato.cli.options import (
    Codes,
    CodesLayout,
    CodeSystem,
    Delimiter,
    Encoding,
    Replace,
    Separator,
    Visit,
    consoles,
    listed,
)
from sfumato.cli.policies import policies
from sfumato.cli.query import query
from sfumato.cli.reveal import reveal
from sfumato.cli.serve import serve
from sfumato.cli.text import text
from sfumato.cli.utility import utility

app = typer.Typer(
    name="sfumato",
    help="Make data about people safe to share: measure the risk, protect, check, and hand over a release.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _version(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    if version:
        from sfumato import __version__

        typer.echo(f"sfumato {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        raise typer.Exit(2)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the demo.")] = Path("demo"),
    patients: Annotated[int, typer.Option(min=50, help="How many patients to make up.")] = 5000,
    seed: Annotated[int, typer.Option(help="Another seed, another hospital.")] = 7,
    replace: Replace = False,
) -> None:
    """A synthetic hospital, end to end: init, risk, protect, verify, attack."""
    from sfumato.cli.demo import run_demo

    run_demo(out, patients, seed, replace, *consoles())


@app.command()
def init(
    data: Annotated[
        Path,
        typer.Argument(
            help="CSV or Parquet; for codes also JSON lines or .dat, for DNA FASTA, VCF or .bed, for "
            "networks text, GML or GraphML."
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="The recipe to write (default: recipe.yaml beside it).")
    ] = None,
    k: Annotated[int, typer.Option(min=2, help="The k of the promise to ask for.")] = 5,
    kind: Annotated[
        str | None,
        typer.Option(help="table, codes for sets of codes, text for notes, dna or graph; guessed."),
    ] = None,
    policy: Annotated[
        str | None, typer.Option(help="A policy for identifiers, such as safe-harbor; kinds are guessed.")
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    replace: Replace = False,
) -> None:
    """Guess roles, kinds and hierarchies of a file and write a commented recipe."""
    from sfumato.recipe.init import write_recipe

    console, _ = consoles()
    path, proposal = write_recipe(
        data, out, k=k, replace=replace, delimiter=delimiter, encoding=encoding, policy=policy, kind=kind
    )
    console.print(proposal.table())
    console.print(
        f"Recipe: {path}\nRead it, correct it, then: sfumato protect {path}", soft_wrap=True, markup=False
    )


@app.command()
def risk(
    data: Annotated[Path, typer.Argument(help="A CSV or Parquet file; for codes also JSON lines or .dat.")],
    quasi: Annotated[
        str | None,
        typer.Option(help="Columns that an adversary may know, with commas; guessed if not given."),
    ] = None,
    codes: Codes = None,
    person: Annotated[str | None, typer.Option(help="The column that names the person.")] = None,
    visit: Visit = None,
    separator: Separator = None,
    system: CodeSystem = None,
    layout: CodesLayout = None,
    sensitive: Annotated[
        str | None,
        typer.Option(help="Columns whose values, or codes that, must not be learned, with commas."),
    ] = None,
    identifier: Annotated[
        str | None, typer.Option(help="Columns that would not be released, with commas.")
    ] = None,
    population: Annotated[
        Path | None, typer.Option(help="A file of people to compare with: voters, or everybody.")
    ] = None,
    population_person: Annotated[
        str | None, typer.Option(help="The column of that file that names its people (default: --person).")
    ] = None,
    sampling_fraction: Annotated[
        float | None, typer.Option(help="The share of the population that is in the file, for estimates.")
    ] = None,
    population_size: Annotated[
        int | None, typer.Option(min=1, help="Or how many people the population has.")
    ] = None,
    weight: Annotated[
        str | None, typer.Option(help="Or the column that says how many people a row stands for.")
    ] = None,
    household: Annotated[str | None, typer.Option(help="The column that says who lives together.")] = None,
    up_to: Annotated[
        int | None,
        typer.Option(min=0, help="Look at combinations of so many columns or codes (default: 3, or less)."),
    ] = None,
    k: Annotated[
        int | None, typer.Option(min=2, help="Of codes: fewer people who fit are few (default: 5).")
    ] = None,
    suda: Annotated[bool, typer.Option("--suda", help="Also look for special uniques.")] = False,
    threshold: Annotated[
        float | None, typer.Option(help="A risk above it counts as high (default: 0.2; of codes 0.5).")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a page with all of it to this file.")] = None,
    replace: Replace = False,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """How exposed are the people in this file?"""
    from sfumato.cli.codes_risk import CodesColumns
    from sfumato.cli.progress import TerminalProgress
    from sfumato.cli.risk import show_risk

    console, errors = consoles()
    with TerminalProgress(errors) as progress:
        show_risk(
            data,
            listed(quasi) or None,
            person,
            as_json,
            console,
            delimiter=delimiter,
            encoding=encoding,
            population=population,
            report=report,
            replace=replace,
            progress=progress,
            columns=CodesColumns(tuple(listed(codes)), person, visit, separator, system, layout),
            k=k,
            sensitive=listed(sensitive),
            identifier=listed(identifier),
            population_person=population_person,
            sampling_fraction=sampling_fraction,
            population_size=population_size,
            weight=weight,
            household=household,
            up_to=up_to,
            suda=suda,
            threshold=threshold,
        )


@app.command()
def protect(
    recipe: Annotated[Path, typer.Argument(help="The recipe file.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for release/ and steward/ (default: where the recipe says).")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan and write nothing.")] = False,
    replace: Replace = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Of notes: processes at a time (default: cores).")
    ] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Of notes: throw away what an interrupted run left.")
    ] = False,
) -> None:
    """Carry a recipe out: release/ to share, steward/ to keep."""
    console, errors = consoles()
    from sfumato.cli.progress import TerminalProgress
    from sfumato.recipe.formulas_ahead import warned_ahead
    from sfumato.recipe.load import load
    from sfumato.recipe.prepared import planned, prepared, released, with_options

    loaded = load(recipe)
    job = with_options(prepared(loaded, recipe.parent), jobs, restart)
    target = out if out is not None else recipe.parent / loaded.output.folder
    if dry_run:
        with TerminalProgress(errors) as progress:
            plan = planned(job, target, replace=replace, progress=progress)
        console.print(str(plan), soft_wrap=True, highlight=False, markup=False)
        for warning in warned_ahead(loaded, recipe.parent):
            console.print(f"  {'warning':<18}{warning}", soft_wrap=True, highlight=False, markup=False)
        return
    from sfumato.release.names import REPORT
    from sfumato.report.terminal import summary

    with TerminalProgress(errors) as progress:
        made = released(job, target, replace=replace, progress=progress)
    console.print(summary(made.evidence))
    console.print(f"To share: {made.release}", soft_wrap=True, highlight=False, markup=False)
    console.print(f"To keep:  {made.steward}", soft_wrap=True, highlight=False, markup=False)
    console.print(f"Report:   {made.steward / REPORT}", soft_wrap=True, highlight=False, markup=False)


@app.command()
def compare(
    recipe: Annotated[Path, typer.Argument(help="The recipe file.")],
    method: Annotated[
        list[str] | None,
        typer.Option(help="A method to try, spelt as in a recipe; may be given several times."),
    ] = None,
    vary: Annotated[
        list[str] | None, typer.Option(help="Values of a parameter of the models, such as k=2,5,10.")
    ] = None,
    risk: Annotated[
        list[str] | None, typer.Option(help="highest, average, at-risk, unique, attribute; a map each.")
    ] = None,
    utility: Annotated[
        str | None, typer.Option(help="The measure of loss on the map (default: gcp).")
    ] = None,
    risk_at_most: Annotated[
        float | None, typer.Option(help="Ask for the least loss under this risk.")
    ] = None,
    loss_at_most: Annotated[
        float | None, typer.Option(help="Ask for the lowest risk under this loss.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write (default: compare beside the recipe).")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes at a time (default: cores).")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Compute everything anew.")] = False,
    replace: Replace = False,
) -> None:
    """R-U map: try methods and parameters, and see what each risks and loses."""
    from sfumato.cli.compare import run_compare

    met = run_compare(
        recipe,
        out,
        method or [],
        vary or [],
        risk or [],
        utility,
        risk_at_most,
        loss_at_most,
        workers,
        not no_cache,
        replace,
        *consoles(),
    )
    if not met:
        raise typer.Exit(1)


app.command()(policies)
app.command()(utility)


@app.command()
def verify(
    release: Annotated[Path, typer.Argument(help="The folder of a release.")],
    original: Annotated[
        Path | None, typer.Option(help="The original file: more can be checked with it.")
    ] = None,
) -> None:
    """Re-check every claim of a release from its bytes."""
    console, errors = consoles()
    from sfumato.cli.progress import TerminalProgress
    from sfumato.cli.verify import show_verification
    from sfumato.recipe.verify import verify as verify_release

    with TerminalProgress(errors) as progress:
        found = verify_release(release, original=original, progress=progress)
    show_verification(found, console)
    if found.refuted:
        raise typer.Exit(1)


@app.command()
def attack(
    target: Annotated[Path, typer.Argument(help="The folder of a release, or a CSV or Parquet file.")],
    with_: Annotated[
        Path | None, typer.Option("--with", help="A file of people whom the adversary knows by name.")
    ] = None,
    mapped: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            help="A column of the release and its column in that file: zip=postcode. Against notes, a column "
            "of that file and what it is: born=DATE/birth.",
        ),
    ] = None,
    original: Annotated[
        Path | None, typer.Option(help="The original: tells who was right, and whom to look for.")
    ] = None,
    person: Annotated[str | None, typer.Option(help="The column that names the person.")] = None,
    attacks: Annotated[
        list[str] | None,
        typer.Option("--attack", help="An attack, spelt as in a recipe; may be given several times."),
    ] = None,
    others: Annotated[
        list[Path] | None, typer.Option("--other", help="Another release about some of the same people.")
    ] = None,
    population: Annotated[Path | None, typer.Option(help="A file of everybody there is.")] = None,
    population_person: Annotated[
        str | None, typer.Option(help="The column of that file that names its people (default: --person).")
    ] = None,
    recipe: Annotated[
        Path | None, typer.Option(help="The recipe of the release: lends its hierarchies.")
    ] = None,
    quasi: Annotated[
        str | None, typer.Option(help="Columns that an adversary may know, with commas.")
    ] = None,
    sensitive: Annotated[str | None, typer.Option(help="Columns to learn about, with commas.")] = None,
    victims: Annotated[
        Path | None, typer.Option(help="Write which rows were hit to this file; never into a release.")
    ] = None,
    at_most: Annotated[
        float | None, typer.Option(help="Leave with 1 if an attack succeeds for a larger share of people.")
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What would an adversary learn? Run attacks against a release."""
    console, errors = consoles()
    from sfumato.cli.attack import AttackCall, run_attack_command
    from sfumato.cli.progress import TerminalProgress

    with TerminalProgress(errors) as progress:
        call = AttackCall(
            target,
            with_=with_,
            map=mapped or [],
            original=original,
            person=person,
            attacks=attacks or [],
            other=others or [],
            population=population,
            population_person=population_person,
            recipe=recipe,
            quasi=quasi,
            sensitive=sensitive,
            victims=victims,
            at_most=at_most,
            as_json=as_json,
            delimiter=delimiter,
            encoding=encoding,
            console=console,
            progress=progress,
        )
        held = run_attack_command(call)
    if not held:
        raise typer.Exit(1)


@app.command()
def chain(
    spec: Annotated[Path, typer.Argument(help="The YAML file of a chain.")],
    victims: Annotated[
        Path | None, typer.Option(help="Write which rows were hit to this file; never into a release.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Join files one after the other: how far does somebody get?"""
    console, errors = consoles()
    from sfumato.cli.chain import run_chain_command
    from sfumato.cli.progress import TerminalProgress

    with TerminalProgress(errors) as progress:
        run_chain_command(spec, victims, as_json, console, progress)


@app.command()
def story(
    out: Annotated[Path, typer.Option(help="The page to write; its picture goes beside it.")] = Path(
        "story.md"
    ),
    patients: Annotated[int, typer.Option(min=500, help="How many patients to make up.")] = 50_000,
    seed: Annotated[int, typer.Option(help="Another seed, another hospital.")] = 7,
    replace: Replace = False,
) -> None:
    """The attacks story: what adversaries learn from release after release of one hospital."""
    from sfumato.cli.story import run_story

    run_story(out, patients, seed, replace, *consoles())


@app.command("case-study")
def case_study(
    data: Annotated[Path, typer.Argument(help="A CSV or Parquet file with one diagnosis on each row.")],
    person: Annotated[str, typer.Option(help="The column that names the person.")],
    code: Annotated[str, typer.Option(help="The column with the code.")],
    visit: Annotated[str | None, typer.Option(help="The column that names the visit.")] = None,
    system: Annotated[str, typer.Option(help="The classification: icd9cm, icd10cm or none.")] = "none",
    diseases: Annotated[
        Path | None,
        typer.Option(help="YAML with diseases and their codes (default for icd9cm: genome-wide studies)."),
    ] = None,
    k: Annotated[int, typer.Option(min=2, help="How many people must share what is known.")] = 5,
    out: Annotated[Path, typer.Option(help="The page to write; its pictures go beside it.")] = Path(
        "case-study.md"
    ),
    replace: Replace = False,
) -> None:
    """How exposed are these diagnosis codes, and what does each remedy leave for research?"""
    from sfumato.cli.case_study import run_case_study
    from sfumato.recipe.case_study import Source, read_diseases

    listed = None if diseases is None else read_diseases(diseases)
    source = Source(data, person, code, visit, system, listed)
    run_case_study(source, k, out, replace, *consoles())


app.command()(reveal)
app.command()(serve)
app.add_typer(query, name="query")
app.add_typer(audit, name="audit")
app.add_typer(text, name="text")
app.add_typer(dna, name="dna")
app.add_typer(graph, name="graph")


@app.command()
def schema(
    name: Annotated[
        str,
        typer.Argument(
            help="recipe, database; evidence, steward-evidence and release-schema of tables; of other kinds "
            "such as codes-evidence, steward-text-evidence, release-rows-schema; an unknown name lists all"
        ),
    ] = "recipe",
) -> None:
    """Print a JSON Schema: of recipes, or of what a release holds."""
    from sfumato.recipe.schemas import schema_named

    typer.echo(json.dumps(schema_named(name), indent=2, ensure_ascii=False))
