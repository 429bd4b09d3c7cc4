"""Distil what the codes of ICD-10-CM are called from the package simple-icd-10-cm.

    python scripts/distil_icd_names.py FOLDER

The folder is that of the package, with ``data`` in it. Each line of the file is a chapter, block or code,
what it is called, and other words for it (the inclusion terms), cut by tabs; the text is packed by LZMA.
"""

from __future__ import annotations

import argparse
import lzma
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from sfumato.text.ontology.wordnet import wordnet

TARGET = Path(__file__).resolve().parents[1] / "src" / "sfumato" / "text" / "ontology" / "data"
_RANGE = re.compile(r"\s*\(([A-Z]\w\w(?:-[A-Z]\w\w)?)\)\s*$")
_AT_THE_END = re.compile(r",? (?:NOS|NEC|unspecified|not otherwise specified)$", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\s*(?:\([^)]*\)|\[[^]]*\])")


def worded(text: str) -> str:
    """Return a name as it stands inside a sentence: without brackets and without a capital of its own."""
    text = " ".join(_AT_THE_END.sub("", _IN_BRACKETS.sub("", text)).split())
    first = text.partition(" ")[0]
    nouns = wordnet()
    senses = nouns.senses_of(first)
    proper = bool(senses) and all(nouns.is_capital(first, sense) for sense in senses)
    if proper or "'" in first or first != first.capitalize():
        return text
    return text[:1].lower() + text[1:]


def codes(node: ET.Element) -> Iterator[list[str]]:
    """Return a code and those under it, with their names."""
    others = [worded(note.text or "") for note in node.findall("inclusionTerm/note")]
    name = worded(node.findtext("desc") or "")
    yield [node.findtext("name") or "", name, *(dict.fromkeys(word for word in others if word != name))]
    for child in node.findall("diag"):
        yield from codes(child)


def names(tabular: Path) -> Iterator[list[str]]:
    """Return chapters, blocks and codes in tabular order."""
    for chapter in ET.parse(tabular).getroot().iter("chapter"):
        described = chapter.findtext("desc") or ""
        span = _RANGE.search(described)
        if span is None:
            raise SystemExit("a chapter does not say which codes it spans")
        yield [span[1], worded(_RANGE.sub("", described))]
        for section in chapter.iter("section"):
            yield [section.attrib["id"], worded(_RANGE.sub("", section.findtext("desc") or ""))]
            for category in section.findall("diag"):
                yield from codes(category)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    tabular = next((parser.parse_args().folder / "data").glob("*.xml"))
    listed = list(names(tabular))
    content = lzma.compress(
        "\n".join("\t".join(line) for line in listed).encode(), preset=9 | lzma.PRESET_EXTREME
    )
    (TARGET / "icd10cm_names.xz").write_bytes(content)
    print(f"{len(listed):,} names, {len(content):,} bytes")


if __name__ == "__main__":
    main()
