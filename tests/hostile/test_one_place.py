"""Everything from outside is opened in one place: a reader that goes its own way fails here."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "sfumato"
OPENERS = {"open", "read_text", "read_bytes", "decompress", "safe_load", "load_all", "memmap", "fromfile"}
OWN = {
    "core/files.py": "the one place",
    "core/jit.py": "source files of the package",
    "core/whole_file.py": "writes",
    "cli/guard.py": "what the system tells of processes",
    "cli/guarded.py": "opens a folder to lock it",
    "cli/stop.py": "the null device",
    "cli/streams.py": "the null device",
    "cli/demo.py": "what the demo has just written",
    "demo/": "writes and reads what it makes up",
    "dna/align/mafft.py": "what MAFFT wrote into a private folder",
    "dna/reading/plink.py": "after open_plain and a comparison of sizes",
    "dna/writing/": "writes",
    "engine/duckdb.py": "writes a private copy",
    "hierarchy/icd.py": "data of the package",
    "masking/policy.py": "data of the package",
    "query/ledger/connect.py": "makes the file of a ledger",
    "query/ledger/kept_head.py": "its own state",
    "recipe/compare_cache.py": "its own cache, readable by its owner alone",
    "recipe/story/town.py": "what the story has just written",
    "recipe/text/attacked.py": "opens a handler",
    "recipe/text/outcome.py": "source files of the package",
    "release/stages.py": "opens a folder to lock it",
    "report/": "style sheets of the package",
    "server/bond.py": "its own state",
    "server/opening.py": "its own state",
    "text/crf/file.py": "bounded in memory and size by itself",
    "text/crf/train.py": "what crfsuite wrote into a private folder",
    "text/ontology/icd.py": "data of the package",
    "text/ontology/wordnet.py": "data of the package",
    "text/stream/": "unfinished work in a private folder, and writing",
    "text/surrogate_lists.py": "data of the package",
    "text/training/": "data of the package",
    "text/word_list.py": "data of the package",
    "codes/methods/set_based.py": "a method that is called so",
    "codes/policies/constraints.py": "writes",
    "dp/mechanisms/sparse_vector.py": "a method that is called so",
    "masking/vault.py": "writes",
    "text/annotation/jsonl.py": "writes",
}
"""where a file may be opened otherwise, and why"""
AGAIN = "again"
"""what a check has just written into a private folder is read by its name"""


def _called(node: ast.Call) -> tuple[str, str]:
    if isinstance(node.func, ast.Attribute):
        owner = node.func.value
        return node.func.attr, owner.id if isinstance(owner, ast.Name) else ""
    # Functions of core/files are called by their bare names; of the built-in ones only ``open`` reads.
    return ("open", "") if isinstance(node.func, ast.Name) and node.func.id == "open" else ("", "")


def _opens(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name, owner = _called(node)
            if (name in OPENERS and owner != AGAIN) or (owner == "yaml" and name in ("load", "compose")):
                found.append(f"{path.relative_to(SOURCE)}:{node.lineno} {owner}.{name}")
    return found


def _is_own(path: Path) -> bool:
    place = path.relative_to(SOURCE).as_posix()
    return any(place == own or (own.endswith("/") and place.startswith(own)) for own in OWN)


def test_files_from_outside_are_opened_in_one_place() -> None:
    found = [one for path in sorted(SOURCE.rglob("*.py")) if not _is_own(path) for one in _opens(path)]
    assert found == [], "open it with sfumato.core.files, or say in OWN why not"


def test_every_exception_is_still_one() -> None:
    opened = Counter[str]()
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE).as_posix()
        for own in OWN:
            if place == own or (own.endswith("/") and place.startswith(own)):
                opened[own] += len(_opens(path))
    assert [own for own in OWN if not opened[own]] == []


def test_yaml_is_read_in_one_place() -> None:
    readers = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in ("SafeLoader", "CSafeLoader", "CLoader", "safe_load")
    }
    assert readers == {"core/plain_yaml.py"}
