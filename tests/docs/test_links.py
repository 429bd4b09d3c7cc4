"""Links, pictures and words of the texts."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import PAGES, ROOT, Page, page

ABSOLUTE = re.compile(
    r"(?<![\w.:/*])/(?:home|root|work|tmp|usr|opt|var|mnt|srv|Users|private)/|[A-Z]:\\|file://"
)
LARGEST_PICTURE = 150_000


@pytest.mark.parametrize("text", PAGES, ids=lambda text: text.name)
def test_links_lead_somewhere(text: Page) -> None:
    for link in text.links:
        if re.match(r"https?://|mailto:", link):
            continue
        target, _, anchor = link.partition("#")
        path = (text.path.parent / target).resolve() if target else text.path
        assert path.exists(), f"{text.name} links to {link}"
        assert path.is_relative_to(ROOT), f"{text.name} links out of the repository: {link}"
        if anchor:
            assert anchor in Page(path).anchors, f"{text.name} links to {link}"


@pytest.mark.parametrize("text", PAGES, ids=lambda text: text.name)
def test_no_page_names_a_place_on_somebodys_machine(text: Page) -> None:
    assert not ABSOLUTE.search(text.text), ABSOLUTE.search(text.text)


@pytest.mark.parametrize("text", PAGES, ids=lambda text: text.name)
def test_no_page_promises_what_no_program_can(text: Page) -> None:
    assert not re.search(
        r"\bcomplian(t|ce)\b|\bfully anonymous\b|\bguaranteed? privacy\b", text.text, re.IGNORECASE
    )


def test_every_page_is_in_the_table_of_contents() -> None:
    index = page("docs/index.md")
    listed = {
        line.strip()
        for block in index.blocks
        if block.language == "{toctree}"
        for line in block.text.splitlines()
    }
    for text in PAGES:
        if text.path.parent.name == "docs" and text is not index:
            assert text.path.stem in listed, f"{text.name} is missing in the toctree of docs/index.md"


def test_every_picture_is_used_and_small() -> None:
    used = {
        (text.path.parent / link).resolve() for text in PAGES for link in text.links if "pictures/" in link
    }
    pictures = set((ROOT / "docs" / "pictures").iterdir())
    assert pictures == used
    assert all(picture.stat().st_size <= LARGEST_PICTURE for picture in pictures)
