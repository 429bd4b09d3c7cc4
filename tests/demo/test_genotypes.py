"""The genotypes of the demo: a recipe that can be carried out without any extra."""

from __future__ import annotations

from pathlib import Path

import sfumato as sf
from sfumato.demo import generate, write_genotypes


def test_the_recipe_of_the_genotypes_makes_a_release_of_groups_of_five(tmp_path: Path) -> None:
    hospital = generate(tmp_path, patients=120)
    done = sf.run(write_genotypes(hospital))
    released = done.data.read_text(encoding="utf-8").splitlines()
    assert released[0] == hospital.snps.read_text(encoding="utf-8").splitlines()[0].removeprefix(
        "patient_id,"
    )
    assert len(released) == 121
    assert min(released.count(row) for row in released[1:]) >= 5
    assert not sf.verify(done.release).refuted


def test_the_readme_of_the_hospital_speaks_of_the_recipe(tmp_path: Path) -> None:
    hospital = generate(tmp_path, patients=60)
    assert write_genotypes(hospital).name == "dna.yaml"
    assert "`dna.yaml`" in hospital.readme.read_text(encoding="utf-8")


def test_the_same_hospital_has_the_same_recipe(tmp_path: Path) -> None:
    texts = [write_genotypes(generate(tmp_path / name, patients=60)).read_bytes() for name in ("one", "two")]
    assert texts[0] == texts[1]
