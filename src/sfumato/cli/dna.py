"""``sfumato dna``: risk of sequences and genotypes, attacks on what is released, and what both need."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import Replace, consoles, listed

dna = typer.Typer(
    help="Sequences, genotypes and statistics of sites: risk, attacks, alignment, made-up people.",
    no_args_is_help=True,
)

Column = Annotated[
    str | None, typer.Option(help="Of a table: the column that holds sequences; guessed by its name.")
]
Positions = Annotated[
    str | None, typer.Option(help="Of a table: the columns that each hold one position, with commas.")
]
Person = Annotated[str | None, typer.Option(help="The column that names the person.")]
Cells = Annotated[str | None, typer.Option(help="Of VCF: bases or genotypes; guessed by the first record.")]
Align = Annotated[
    bool,
    typer.Option("--align", help="Align sequences of different lengths: a guess of what belongs together."),
]
PeopleFile = Annotated[
    Path | None, typer.Option(help="Of VCF and PLINK: a table that says whose samples are and who is ill.")
]
Sample = Annotated[str, typer.Option(help="Its column of sample names.")]
Phenotype = Annotated[str | None, typer.Option(help="The column that says who is a case.")]
Case = Annotated[str | None, typer.Option(help="How a case is written there; guessed.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seed = Annotated[int, typer.Option(help="Another seed, other people.")]


@dna.command()
def risk(
    data: Annotated[Path, typer.Argument(help="FASTA, VCF, BCF, PLINK .bed, or a table.")],
    k: Annotated[int, typer.Option(min=2, help="Fewer people who are alike are few.")] = 5,
    sets: Annotated[int, typer.Option(min=1, help="Look for telling sets of up to so many SNPs.")] = 5,
    column: Column = None,
    positions: Positions = None,
    person: Person = None,
    cells: Cells = None,
    align: Align = False,
    people: PeopleFile = None,
    sample: Sample = "sample",
    phenotype: Phenotype = None,
    case: Case = None,
    seed: Annotated[int, typer.Option(help="Draws the people of whom SNPs are counted, if many.")] = 0,
    as_json: AsJson = False,
) -> None:
    """How exposed are people by their DNA: who is unique, and how few SNPs single somebody out?

    Example: sfumato dna risk genomes.vcf.gz --k 10
    """
    from sfumato.cli.dna_read import Reading
    from sfumato.cli.dna_risk import show_dna_risk

    reading = Reading(column, tuple(listed(positions)), person, cells, align, people, sample, phenotype, case)
    show_dna_risk(data, reading, k, sets, seed, as_json, *consoles())


@dna.command()
def attack(
    target: Annotated[Path, typer.Argument(help="A release of DNA, a file of statistics, or one of rows.")],
    attacks: Annotated[
        list[str] | None,
        typer.Option("--attack", help="An attack, spelt as in a recipe; may be given several times."),
    ] = None,
    members: Annotated[
        Path | None, typer.Option(help="Genotypes of people in the data (for kinship: of their relatives).")
    ] = None,
    outside: Annotated[
        Path | None,
        typer.Option(help="Genotypes of others of the same population: thresholds are set on them."),
    ] = None,
    reference: Annotated[
        Path | None, typer.Option(help="Frequencies of the population, or genotypes of people to count.")
    ] = None,
    person_genotypes: Annotated[
        Path | None, typer.Option(help="Genotypes of people of whom it is not known whether they are in it.")
    ] = None,
    original: Annotated[
        Path | None, typer.Option(help="The rows before they were protected: everybody is looked for.")
    ] = None,
    with_: Annotated[
        Path | None, typer.Option("--with", help="Or what is known of some people, at some positions.")
    ] = None,
    people: Annotated[
        Path | None, typer.Option(help="A table about the members that says who is a case.")
    ] = None,
    sample: Sample = "sample",
    phenotype: Phenotype = None,
    case: Case = None,
    counted_over: Annotated[
        int | None, typer.Option(min=1, help="How many people statistics were counted over, if not told.")
    ] = None,
    column: Column = None,
    positions: Positions = None,
    person: Person = None,
    cells: Cells = None,
    victims: Annotated[
        Path | None, typer.Option(help="Write which rows were hit to this file; never into a release.")
    ] = None,
    at_most: Annotated[
        float | None, typer.Option(help="Leave with 1 if an attack succeeds for a larger share of people.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What would somebody learn who holds DNA of people? Homer, likelihood ratio, Beacon, linkage, kinship.

    Example: sfumato dna attack release/ --members pool.vcf --outside others.vcf --reference panel.vcf
    """
    from sfumato.cli.dna_attack import Held, run_dna_attack
    from sfumato.cli.dna_read import Reading
    from sfumato.cli.progress import TerminalProgress

    console, errors = consoles()
    held = Held(
        members,
        outside,
        reference,
        person_genotypes,
        original,
        with_,
        Reading(column, tuple(listed(positions)), person, cells, False, people, sample, phenotype, case),
        counted_over,
    )
    with TerminalProgress(errors) as progress:
        kept = run_dna_attack(
            target,
            held,
            attacks or [],
            victims=victims,
            at_most=at_most,
            as_json=as_json,
            console=console,
            progress=progress,
        )
    if not kept:
        raise typer.Exit(1)


@dna.command()
def align(
    sequences: Annotated[Path, typer.Argument(help="A FASTA file.")],
    out: Annotated[Path, typer.Option(help="The FASTA file to write, with gaps as -.")],
    aligner: Annotated[
        str | None, typer.Option(help="built-in or mafft (default: mafft where it is installed).")
    ] = None,
    replace: Replace = False,
) -> None:
    """Bring sequences to the same length, in their order; headers become numbers. No release.

    Example: sfumato dna align sequences.fasta --out aligned.fasta
    """
    from sfumato.cli.dna_make import align_sequences

    align_sequences(sequences, out, aligner, replace, *consoles())


@dna.command()
def statistics(
    genotypes: Annotated[Path, typer.Argument(help="VCF, BCF, or a PLINK .bed with its .bim and .fam.")],
    out: Annotated[Path, typer.Option(help="The file to write: .csv, .csv.gz or .parquet.")],
    columns: Annotated[
        str | None,
        typer.Option(help="Figures of each site, with commas (default: frequency; with cases also a test)."),
    ] = None,
    test: Annotated[
        str, typer.Option(help="Of cases and controls: allelic, genotypic or trend.")
    ] = "allelic",
    people: PeopleFile = None,
    sample: Sample = "sample",
    phenotype: Phenotype = None,
    case: Case = None,
    replace: Replace = False,
) -> None:
    """Count exact figures of sites, to look at and to attack. Nothing is promised: keep them in the house.

    Example: sfumato dna statistics study.vcf.gz --out exact.csv
    """
    from sfumato.cli.dna_make import count_statistics
    from sfumato.cli.dna_read import Reading

    reading = Reading(people=people, sample=sample, phenotype=phenotype, case=case)
    count_statistics(genotypes, out, listed(columns), test, reading, replace, *consoles())


@dna.command()
def simulate(
    people: Annotated[int, typer.Option(min=1, help="How many people to make up.")],
    sites: Annotated[int, typer.Option(min=1, help="How many sites, or bases of a sequence that vary.")],
    out: Annotated[
        Path, typer.Option(help="The file to write: .vcf, .vcf.gz, .bed, or .fasta for sequences.")
    ],
    part: Annotated[
        list[str] | None,
        typer.Option(help="A name and how many of them: pool=200 goes to a file of its own; several times."),
    ] = None,
    cases: Annotated[
        Path | None,
        typer.Option(
            help="Also make half of them ill, and write who is to this CSV file (one for each part)."
        ),
    ] = None,
    chromosomes: Annotated[int, typer.Option(min=1, help="How many chromosomes.")] = 1,
    length: Annotated[float, typer.Option(min=1, help="Bases of each.")] = 5e6,
    least_frequency: Annotated[float, typer.Option(help="Sites with a rarer allele are left out.")] = 0.05,
    independent: Annotated[
        bool, typer.Option("--independent", help="Sites that are not linked: marked, and needs no msprime.")
    ] = False,
    seed: Seed = 1,
    replace: Replace = False,
) -> None:
    """Make up people with linked genotypes, or sequences such as mtDNA, to try things on.

    Example: sfumato dna simulate --people 400 --sites 1000 --out s.vcf --part pool=200 --part others=200
    """
    from sfumato.cli.dna_make import Simulation, simulate_people

    asked = Simulation(people, sites, chromosomes, length, least_frequency, independent, seed)
    simulate_people(asked, out, part or [], cases, replace, *consoles())
