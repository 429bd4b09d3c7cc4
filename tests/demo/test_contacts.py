"""The contacts of the demo: a network that can be made and released without any extra."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import sfumato as sf
from sfumato.demo import generate, write_contacts
from sfumato.demo._contacts import contacts
from sfumato.graph import open_network, read_network


def test_the_recipe_of_the_contacts_makes_a_release_of_five_for_every_number_of_contacts(
    tmp_path: Path,
) -> None:
    done = sf.run(write_contacts(generate(tmp_path / "town", patients=150)))
    before = open_network(tmp_path / "town" / "contacts.csv").network
    after = read_network(done.release / "data.csv", nodes=done.release / "nodes.csv")
    assert before.nodes == after.nodes
    assert after.edges >= before.edges
    assert min(Counter(after.degrees().tolist()).values()) >= 5
    assert min(Counter(before.degrees().tolist()).values()) < 5


def test_patients_meet_those_who_come_after_them_to_the_same_ward(tmp_path: Path) -> None:
    patients = tmp_path / "patients.csv"
    rows = ["a,2024-01-01,2,I21", "b,2024-01-02,1,I50", "c,2024-01-03,9,J18", "d,2024-01-04,1,I10"]
    header = "patient_id,admission_date,length_of_stay,diagnosis_code"
    patients.write_text("\n".join([header, *rows]) + "\n")
    assert contacts(patients) == [("a", "b"), ("a", "d"), ("b", "d")]


def test_the_same_seed_gives_the_same_contacts(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        recipe = write_contacts(generate(tmp_path / name, patients=60))
        texts.append((recipe.read_bytes(), (recipe.parent / "contacts.csv").read_bytes()))
    assert texts[0] == texts[1]


def test_neither_igraph_nor_networkx_is_needed(tmp_path: Path) -> None:
    recipe = write_contacts(generate(tmp_path, patients=60))
    code = (
        "import sys\nfor name in ('igraph', 'networkx', 'scipy'):\n    sys.modules[name] = None\n"
        f"import sfumato\nprint(sfumato.run({str(recipe)!r}).evidence.verdicts[0].holds)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True, timeout=120) == "True\n"
