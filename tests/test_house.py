"""Rules of the house that a linter cannot hold."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import sfumato
from sfumato.core.jit import imported_kernels, kernel_sources
from sfumato.table.utility import UTILITIES

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def test_importing_sfumato_pulls_in_nothing_heavy() -> None:
    heavy = ["numba", "numpy", "pyarrow", "duckdb", "pydantic", "rich", "typer", "pyspark", "narwhals"]
    code = f"import sys, sfumato; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True, timeout=120) == "[]\n"


def test_help_pulls_in_no_engine_and_no_kernel() -> None:
    code = (
        "import sys; sys.argv = ['sfumato', '--help']\n"
        "from sfumato.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('LOADED', [m for m in ('numba', 'numpy', 'duckdb', 'pyarrow') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True, timeout=120).endswith(
        "LOADED []\n"
    )


def test_every_exported_name_can_be_imported_and_is_documented() -> None:
    assert sfumato.__all__ == sorted(sfumato.__all__)
    for name in sfumato.__all__:
        thing = getattr(sfumato, name)
        assert name == "__version__" or inspect.getdoc(thing), name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'KAnonimity'"):
        sfumato.KAnonimity  # noqa: B018


def test_no_file_holds_two_ideas() -> None:
    assert SOURCES
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in SOURCES}
    assert not {name: length for name, length in lengths.items() if length > 500}


def test_the_published_schemas_are_those_of_the_code() -> None:
    from sfumato.recipe.schemas import SCHEMAS, schema_named

    for name in SCHEMAS:
        assert json.loads((ROOT / "schemas" / f"{name}.json").read_text()) == schema_named(name), (
            f"run: sfumato schema {name} > schemas/{name}.json"
        )
    assert {path.stem for path in (ROOT / "schemas").glob("*.json")} == set(SCHEMAS)


def kernels() -> list[tuple[str, object]]:
    found = []
    for source in kernel_sources():
        name = ".".join(source.relative_to(ROOT / "src").with_suffix("").parts)
        module = importlib.import_module(name)
        found += [
            (f"{name}.{key}", value) for key, value in vars(module).items() if hasattr(value, "py_func")
        ]
    return found


def test_kernels_call_only_kernels_that_their_cache_depends_on() -> None:
    """Numba's cache does not notice a change in another file; ``core.jit`` follows imports."""
    for source in kernel_sources():
        name = ".".join(source.relative_to(ROOT / "src").with_suffix("").parts)
        seen = {".".join(p.relative_to(ROOT / "src").with_suffix("").parts) for p in imported_kernels(source)}
        for key, value in vars(importlib.import_module(name)).items():
            if hasattr(value, "py_func"):
                assert value.py_func.__module__ in seen, f"{name}.{key} comes from a file that is not seen"


def called_from_python() -> set[str]:
    """Name the kernels that other files than those of kernels import."""
    found = set()
    for source in (ROOT / "src").rglob("*.py"):
        if not source.name.startswith("_kernels"):
            for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module and "._kernels" in node.module:
                    found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def signatures_from_python(compiled: object) -> int:
    """Count signatures but for those with a literal in them, such as −1: only kernels ask for these."""
    signatures = compiled.signatures  # type: ignore[attr-defined]
    return sum(not any("Literal" in str(one) for one in signature) for signature in signatures)


def test_every_kernel_has_one_signature() -> None:
    """A second one would mean a second compilation, and a type that somebody did not expect.

    Those that only other kernels call are compiled into these, as often as they must be.
    """
    people = pa.table({name: [(7 * i + j) % 11 for i in range(60)] for j, name in enumerate("abc")})
    lattices = [
        sfumato.OptimalLattice(suppress=s, time_limit=t) for s in (0.0, 0.2, 1.0) for t in (None, 5.0)
    ]
    boxes = [
        sfumato.Mondrian(strict=strict, output=output, choose=choose)
        for strict in (True, False)
        for output in ("tight", "region", "hierarchy")
        for choose in ("widest", "least loss")
    ]
    for method in [*lattices, *boxes]:
        for person in (None, "a"):
            quasi = ["b", "c"] if person else ["a", "b", "c"]
            sfumato.protect(people, quasi=quasi, person=person, models=sfumato.KAnonymity(2), method=method)
    for utility in UTILITIES:
        sfumato.protect(people, quasi=["a", "b", "c"], models=sfumato.KAnonymity(2), utility=utility)
    entries = called_from_python()
    many = {name: signatures_from_python(compiled) for name, compiled in kernels() if name in entries}
    assert max(many.values()) == 1, {name: number for name, number in many.items() if number > 1}


def test_no_module_fails_to_import() -> None:
    skip = "sfumato.engine.spark"
    for module in pkgutil.walk_packages(sfumato.__path__, "sfumato."):
        if module.name != skip:
            importlib.import_module(module.name)


def test_no_file_names_this_machine() -> None:
    listed = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True, timeout=120).split()
    forbidden = ["/wo" + "rk/", "/ro" + "ot/", "pypi" + ".org", "pythonhosted" + ".org"]
    for name in listed:
        path = ROOT / name
        if path.is_file() and path.suffix in (".py", ".md", ".toml", ".txt", ".yaml", ".yml", ".json", ""):
            text = path.read_text(errors="replace")
            assert not [word for word in forbidden if word in text], name
