"""``sfumato demo``: the whole way on a synthetic hospital, and where to look afterwards."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from rich.console import Console

from sfumato.cli.attack_shown import show_report
from sfumato.cli.progress import TerminalProgress
from sfumato.cli.risk import show_risk
from sfumato.cli.verify import show_verification
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.jit import is_compiled
from sfumato.demo import Hospital, generate, write_contacts, write_genotypes, write_letters
from sfumato.recipe.api import run
from sfumato.recipe.attack import attack
from sfumato.recipe.init import write_recipe
from sfumato.recipe.verify import verify
from sfumato.release.folders import refuse_existing
from sfumato.release.names import REPORT
from sfumato.report.terminal import summary


def run_demo(out: Path, patients: int, seed: int, replace: bool, console: Console, errors: Console) -> None:
    """Generate, guess, measure, protect, verify, attack; then the notes, the genotypes and the contacts."""
    refuse_existing(out, replace=replace)
    if (out / "patients.csv").exists() and not replace:
        raise BadInput(
            "there is already a demo",
            where=str(out),
            remedy="choose another place with --out, or give --replace",
        )
    _heading(console, 1, "A synthetic hospital", f"sfumato demo --patients {patients}")
    hospital = generate(out, patients=patients, seed=seed)
    console.print(
        f"{patients:,} patients who never lived: {hospital.patients}", highlight=False, soft_wrap=True
    )

    _heading(console, 2, "Which columns are what?", f"sfumato init {hospital.patients}")
    recipe, proposal = write_recipe(hospital.patients, replace=True)
    console.print(proposal.table())

    _heading(console, 3, "How exposed are they?", f"sfumato risk {hospital.patients}")
    show_risk(hospital.patients, list(proposal.schema.quasi), proposal.schema.person, False, console)

    _heading(console, 4, "Protect", f"sfumato protect {recipe}")
    if not is_compiled():
        errors.print("compiling (once, about a quarter of a minute)", highlight=False)
    with TerminalProgress(errors) as progress:
        released = run(recipe, replace=replace, progress=progress)
    console.print(summary(released.evidence))

    _heading(console, 5, "Verify, from the released bytes alone", f"sfumato verify {released.release}")
    found = verify(released.release)
    show_verification(found, console)
    if found.refuted:
        raise PromiseNotMet("the release did not verify", remedy="please report this as a bug")

    _heading(
        console,
        6,
        "Attack it with the voter list of the town: names removed, then the release",
        f"sfumato attack {released.release} --with {hospital.voters}",
    )
    known = ["birth_date", "sex", "zip"]
    show_report(
        attack(hospital.patients, "linkage", with_=hospital.voters, quasi=known, person="name"), console
    )
    show_report(attack(released.release, "linkage", with_=hospital.voters), console)

    recipe = write_letters(hospital)
    _heading(console, 7, "Some of the notes, without the people in them", f"sfumato protect {recipe}")
    with TerminalProgress(errors) as progress:
        notes = run(recipe, replace=replace, progress=progress)
    console.print(summary(notes.evidence))
    _show_a_note(hospital.folder / "letters.csv", "before", console)
    _show_a_note(notes.release / "data.csv", "after, of another patient", console)

    recipe = write_genotypes(hospital)
    _heading(
        console,
        8,
        "Genotypes that five patients share, and frequencies with noise",
        f"sfumato protect {recipe}",
    )
    with TerminalProgress(errors) as progress:
        rows = run(recipe, replace=replace, progress=progress)
    console.print(summary(rows.evidence))
    _show_frequencies(hospital, console)

    recipe = write_contacts(hospital)
    _heading(
        console, 9, "Who met whom: five patients for every number of contacts", f"sfumato protect {recipe}"
    )
    with TerminalProgress(errors) as progress:
        network = run(recipe, replace=replace, progress=progress)
    console.print(summary(network.evidence))

    _heading(console, 10, "Where to look", "")
    for what, path in (
        ("to share", released.release),
        ("to keep", released.steward),
        ("the report", released.steward / REPORT),
        ("of notes", notes.steward / REPORT),
        ("of DNA", rows.steward / REPORT),
        ("of contacts", network.steward / REPORT),
    ):
        console.print(f"{what:<12}{path}", highlight=False, soft_wrap=True, markup=False)


def _show_a_note(path: Path, when: str, console: Console) -> None:
    """Print the first note of a file. These notes are about nobody; real ones are not printed anywhere."""
    with path.open(encoding="utf-8", newline="") as file:
        note = next(csv.DictReader(file))["note"]
    console.print(f"{when}: {note}", highlight=False, markup=False)


def _show_frequencies(hospital: Hospital, console: Console) -> None:
    """Count the SNPs of everybody with noise. That the hospital has looked at these is public."""
    from sfumato.dna.reading import read_positions
    from sfumato.dna.reading.genotypes import dosages_of_sets, sites_of
    from sfumato.dna.source import InMemory
    from sfumato.recipe.dna.statistics_api import protect_statistics

    read = read_positions(hospital.snps, person="patient_id")
    rows = read.alignment()
    named = zip(rows.positions, read.alleles, strict=True)
    sites = sites_of([("0", at, name, *alleles) for at, (name, alleles) in enumerate(named, 1)])
    dosages = np.ascontiguousarray(dosages_of_sets(rows.cells).T)
    found = protect_statistics(InMemory(dosages, sites), epsilon=1)
    shown = ", ".join(
        f"{name} {alternate} {frequency:.2f}"
        for name, alternate, frequency in zip(
            sites.name, sites.alternate, found.statistics.columns["frequency"], strict=True
        )
    )
    console.print(f"frequencies with noise, ε = 1: {shown}", highlight=False, markup=False)


def _heading(console: Console, number: int, title: str, command: str) -> None:
    shown = f"  [dim]$ {command}[/dim]" if command else ""
    console.print(f"\n[bold]{number}. {title}[/bold]{shown}", highlight=False, soft_wrap=True)
