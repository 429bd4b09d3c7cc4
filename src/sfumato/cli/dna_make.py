"""What makes files of DNA: ``sfumato dna align``, ``statistics`` and ``simulate``. None is a release."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console

from sfumato.cli.dna_read import Reading
from sfumato.cli.options import say
from sfumato.cli.places import check_new_file
from sfumato.cli.progress import TerminalProgress
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import Progress
from sfumato.dna.align import ALIGNERS, Banded, usual_aligner
from sfumato.dna.aligned import Aligned
from sfumato.dna.contract import Study
from sfumato.dna.reading import open_genotypes, read_fasta, samples_of
from sfumato.dna.reading.genotypes import rows_of_source
from sfumato.dna.simulate import independent, phenotype, simulated, simulated_sequences
from sfumato.dna.source import InMemory
from sfumato.dna.writing import write_plink, write_statistics, write_vcf
from sfumato.dna.writing.order import write_bytes
from sfumato.engine.contract import Order
from sfumato.hierarchy.iupac import letters
from sfumato.report.words import count

BUILT_IN = "built-in"
"""how recipes, too, call the aligner that comes with Sfumato"""
_WIDTH = 70
_FASTA = (".fasta", ".fa", ".fasta.gz", ".fa.gz")
_VCF = (".vcf", ".vcf.gz")
_TABLES = (".csv", ".csv.gz", ".parquet")


def align_sequences(
    sequences: Path, out: Path, aligner: str | None, replace: bool, console: Console, errors: Console
) -> None:
    """Align a FASTA file and write the rows in their order, with gaps and numbers for headers."""
    aligner = Banded().name if aligner == BUILT_IN else aligner
    if aligner is not None and aligner not in ALIGNERS:
        raise BadInput(
            f"there is no aligner '{aligner}'",
            where="--aligner",
            remedy=nearest(aligner, (BUILT_IN, *ALIGNERS)),
        )
    check_new_file(out, _FASTA, replace, "an alignment of raw sequences")
    with TerminalProgress(errors) as progress:
        progress.step("reading")
        read = read_fasta(sequences, aligned=False).data
        if isinstance(read, Aligned):
            raise AssertionError("sequences were read as they are")
        tool = usual_aligner() if aligner is None else ALIGNERS[aligner]()
        rows = tool.align(read, progress=progress)
    _write_alignment(rows, out)
    lengths = [len(sequence) for sequence in read.sequences]
    say(
        console,
        f"{len(rows):,} sequences of {min(lengths):,} to {max(lengths):,} bases were aligned by {tool.name}: "
        f"{rows.width:,} positions\nAlignment: {out} (raw sequences: keep it in the house)",
    )


def _write_alignment(rows: Aligned, out: Path) -> None:
    lines: list[bytes] = []
    for number, row in enumerate(rows.cells, 1):
        text = letters()[row].tobytes()
        lines.append(b">%d" % number)
        lines += [text[start : start + _WIDTH] for start in range(0, len(text), _WIDTH)]
    write_bytes(out, b"".join(line + b"\n" for line in lines))


def count_statistics(
    genotypes: Path,
    out: Path,
    columns: Sequence[str],
    test: str,
    reading: Reading,
    replace: bool,
    console: Console,
    errors: Console,
) -> None:
    """Count exact figures of sites and write them."""
    from sfumato.dna.methods.association import Association
    from sfumato.dna.methods.frequencies import Frequencies

    check_new_file(out, _TABLES, replace, "exact statistics of people")
    if (reading.phenotype is None) != (reading.people is None):
        raise BadInput(
            "who is a case stands in a table about the samples",
            where="--people" if reading.people is None else "--phenotype",
            remedy="give both --people and --phenotype",
        )
    with TerminalProgress(errors) as progress:
        progress.step("reading")
        source = open_genotypes(genotypes)
        cases = reading.cases(samples_of(source))
        if cases is None:
            named = tuple(columns) or ("frequency",)
            published = Frequencies(columns=named).publish(Study(source), (), progress=progress)
        else:
            named = tuple(columns) or ("frequency", "case_frequency", "control_frequency", "chi2", "p")
            published = Association(test=test, columns=named).publish(
                Study(source, cases), (), progress=progress
            )
        sites = write_statistics(published.statistics, out)
    say(
        console,
        f"{count(len(named), 'figure')} of each of {count(sites, 'site')}, counted over "
        f"{count(source.people, 'person', 'people')}\nStatistics: {out} (exact, nothing is promised: keep "
        "them in the house)",
    )


@dataclass(frozen=True)
class Simulation:
    """The population to make up."""

    people: int
    sites: int
    chromosomes: int
    length: float
    least_frequency: float
    independent: bool
    seed: int

    def genotypes(self, progress: Progress) -> InMemory:
        """Draw genotypes, linked unless asked otherwise."""
        if self.independent:
            return independent(
                people=self.people,
                sites=self.sites,
                seed=self.seed,
                least_frequency=self.least_frequency,
                progress=progress,
            )
        return simulated(
            people=self.people,
            sites=self.sites,
            length=self.length,
            chromosomes=self.chromosomes,
            seed=self.seed,
            least_frequency=self.least_frequency,
            progress=progress,
        )


def simulate_people(
    asked: Simulation,
    out: Path,
    parts: Sequence[str],
    cases: Path | None,
    replace: bool,
    console: Console,
    errors: Console,
) -> None:
    """Make people up and write them, in parts where that is asked."""
    files = _files(out, parts, asked.people)
    for path, _, _ in files:
        check_new_file(path, (*_VCF, ".bed", *_FASTA), replace, "made-up people")
    states = [] if cases is None else [path for path, _, _ in _files(cases, parts, asked.people)]
    for path in states:
        check_new_file(path, (".csv",), replace, "who is ill", "--cases")
    sequences = out.name.lower().endswith(_FASTA)
    if sequences and (asked.independent or cases is not None):
        raise BadInput(
            "this is about genotypes, and the file is one of sequences",
            where="--independent" if asked.independent else "--cases",
            remedy="leave it out, or write .vcf",
        )
    with TerminalProgress(errors) as progress:
        if sequences:
            rows = simulated_sequences(asked.people, asked.sites, asked.seed, progress=progress)
            for path, first, last in files:
                _write_alignment(rows.rows(np.arange(first, last)), path)
        else:
            drawn = asked.genotypes(progress)
            progress.step("writing")
            for path, first, last in files:
                _write_genotypes(InMemory(drawn.dosages[:, first:last], drawn.sites), path)
    if states:
        _write_cases(states, drawn, files, asked.seed)
    what = ("sequence", "sequences") if sequences else ("person", "people")
    for path, first, last in files:
        say(console, f"{path}: {count(last - first, *what)} with {count(asked.sites, 'site')}, about nobody")
    for path in states:
        say(console, f"{path}: who of them is ill (columns sample and phenotype)")
    if asked.independent:
        say(console, "sites are not linked: attacks look stronger on them than they are on people")


def _files(out: Path, parts: Sequence[str], people: int) -> list[tuple[Path, int, int]]:
    """Say which people go to which file: (file, first, one after the last)."""
    if not parts:
        return [(out, 0, people)]
    files, first = [], 0
    stem, dot, end = out.name.partition(".")
    for text in parts:
        name, sign, number = text.partition("=")
        if not sign or not name.isidentifier() or not number.isdecimal() or int(number) < 1:
            raise BadInput(f"--part cannot be '{text}'", remedy="write a name, '=', and how many: pool=200")
        files.append((out.with_name(f"{stem}-{name}{dot}{end}"), first, first + int(number)))
        first += int(number)
    if first > people:
        raise BadInput(
            f"the parts have {first:,} people and {people:,} are made up",
            where="--part",
            remedy="make up more people, or smaller parts",
        )
    if len({path for path, _, _ in files}) < len(files):
        raise BadInput("two parts have the same name", where="--part", remedy="give every part its own")
    return files


def _write_genotypes(people: InMemory, path: Path) -> None:
    rows = rows_of_source(people, (), {}).alignment()
    write: Callable[..., int] = write_plink if path.suffix.lower() == ".bed" else write_vcf
    write(rows, people.sites, path, order=Order.KEPT)


def _write_cases(
    paths: Sequence[Path], drawn: InMemory, files: Sequence[tuple[Path, int, int]], seed: int
) -> None:
    """Write who is ill, by the names that the files give to their samples."""
    ill = phenotype(drawn, causal=min(3, len(drawn.sites)), seed=seed).cases
    for path, (file, first, last) in zip(paths, files, strict=True):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["sample", "phenotype"])
        samples = samples_of(open_genotypes(file))
        for name, state in zip(samples, ill[first:last].tolist(), strict=True):
            writer.writerow([name, "case" if state else "control"])
        path.write_text(text.getvalue(), encoding="utf-8")
