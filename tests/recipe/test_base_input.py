"""A promise that compares with the input: said, warned of, and left to the steward to check."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import sfumato as sf

RECIPE = """sfumato: 1
resources:
  - path: data.csv
    schema:
      fields:
        - {name: zip, role: quasi-identifier, hierarchy: {mask: {}}}
        - {name: ill, role: sensitive}
models: [basic-beta-likeness: {beta: 0.5, base: input}]
method: {optimal-lattice: {suppress: 0.3}}
"""


def test_only_the_steward_can_check_what_compares_with_the_input(tmp_path: Path) -> None:
    generator = np.random.default_rng(3)
    zips = generator.integers(0, 6, 120)
    lines = [f"1000{code},{'xyz'[min(2, code // 2 + generator.integers(0, 2))]}" for code in zips]
    (tmp_path / "data.csv").write_text("\n".join(["zip,ill", *lines]) + "\n", encoding="utf-8")
    (tmp_path / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    done = sf.run(tmp_path / "recipe.yaml")
    (verdict,) = done.evidence.verdicts
    assert verdict.holds
    assert verdict.basis == "release and original"
    assert verdict.note == "compared with the input"
    assert any("compares with the input, which is not released" in said for said in done.evidence.warnings)
    found = sf.verify(tmp_path / "release")
    (about,) = [finding for finding in found.findings if "basic-beta-likeness" in finding.claim]
    assert about.status == "not checked"
    assert "only the steward can check it" in about.detail
