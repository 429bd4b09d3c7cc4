import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from sfumato.core.domain import Domain
from sfumato.hierarchy import HierarchyTable, Mask
from tests.oracles.hierarchy import counts_of_paths, leaf_counts, published

DATASETS = {"adult": 9, "creditcard_int": 24, "cup": 8, "fars_subset": 8, "ihis_synth": 9, "mach2019_int": 16}

pytestmark = pytest.mark.golden


def files_of(shared: Path, dataset: str) -> list[Path]:
    return sorted((shared / "data" / "table" / dataset / "hierarchies").glob("*.csv.gz"))


def file_of(shared: Path, dataset: str, column: str) -> Path:
    return shared / "data" / "table" / dataset / "hierarchies" / f"{dataset}_hierarchy_{column}.csv.gz"


def rows_of(path: Path) -> list[tuple[str, ...]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file, delimiter=";")]


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_hierarchy_of_the_data_sets_is_read_as_it_stands(shared: Path, dataset: str) -> None:
    files = files_of(shared, dataset)
    assert len(files) == DATASETS[dataset]
    for path in files:
        assert HierarchyTable.read(path).rows() == rows_of(path)


@pytest.mark.parametrize("dataset", ["adult", "fars_subset"])
def test_ladders_agree_with_a_walk_through_the_file(shared: Path, dataset: str) -> None:
    for path in files_of(shared, dataset):
        rows = rows_of(path)
        domain = Domain.of("x", [row[0] for row in rows][::2])
        ladder = HierarchyTable.read(path).ladder(domain)
        shown = published(ladder, domain)
        assert shown == {row[0]: row for row in rows if row[0] in domain.values}
        assert leaf_counts(ladder) == counts_of_paths(rows, shown)


def test_education_of_adult_climbs_to_higher_education(shared: Path) -> None:
    domain = Domain.of("education", ["Bachelors", "11th"])
    table = HierarchyTable.read(file_of(shared, "adult", "education"))
    assert published(table.ladder(domain), domain) == {
        "Bachelors": ("Bachelors", "Undergraduate", "Higher education", "*"),
        "11th": ("11th", "High School", "Secondary education", "*"),
    }


def test_age_of_adult_counts_the_hundred_values_of_its_file(shared: Path) -> None:
    table = HierarchyTable.read(file_of(shared, "adult", "age"))
    assert table.ladder(Domain.of("age", [17, 90])).size == 100


def test_masks_over_ten_digits_are_the_zip_hierarchy_of_cup(shared: Path) -> None:
    table = HierarchyTable.read(file_of(shared, "cup", "ZIP"))
    domain = Domain.of("zip", table.leaves[::97])
    mine, theirs = Mask(alphabet=10).ladder(domain), table.ladder(domain)
    assert np.array_equal(mine.rungs, theirs.rungs)
    assert (mine.labels, mine.size) == (theirs.labels, theirs.size)
    assert leaf_counts(mine) == leaf_counts(theirs)
