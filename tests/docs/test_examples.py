"""The examples in README and docs: they run, and give what the text says they give."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from sfumato.cli import main
from sfumato.codes.methods import METHODS
from sfumato.core.domain import Domain
from sfumato.core.named import build
from sfumato.hierarchy import ROOT, from_spec
from sfumato.recipe.codes.asked import asked_model
from sfumato.recipe.codes.measured import set_measures
from sfumato.recipe.load import parse
from sfumato.recipe.schemas import schema_named
from tests.docs.pages import PAGES, Block, Page

WITH_EXAMPLES = [page for page in PAGES if page.name != "CHANGELOG.md"]
PROGRESS = re.compile(r"^ *\d+\.\d s  |^compiling \(once")
ANY_LINES = "…"


@pytest.fixture
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in; what an example sets in the environment is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for colours in ("FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(colours, raising=False)
    before = dict(os.environ)
    yield tmp_path
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run_one_after_the_other(
    page: Page, somewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {"__name__": "example"}
    for block in page.blocks:
        if "not-run" in block.marks:
            continue
        place = f"{page.name}, line {block.line}"
        if block.file:
            (somewhere / block.file).parent.mkdir(parents=True, exist_ok=True)
            (somewhere / block.file).write_text(block.text, encoding="utf-8")
        if block.language == "python":
            run_python(block, names, place)
        elif block.language == "console":
            run_console(block, place, monkeypatch, capsys)


def run_python(block: Block, names: dict[str, Any], place: str) -> None:
    """Run a block; where it has prompts, compare what is printed."""
    if ">>>" not in block.text:
        exec(compile(block.text, place, "exec"), names)
        return
    example = doctest.DocTestParser().get_doctest(block.text, names, place, place, block.line - 1)
    example.globs = names
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(example, out=said.append, clear_globs=False)
    assert not runner.failures, "".join(said)


def run_console(
    block: Block, place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run the ``sfumato`` commands of a block; ``echo $?`` behind one says how it must end."""
    steps = re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE)
    assert steps, f"{place}: no command"
    for number, (command, shown) in enumerate(steps):
        if not command.startswith("sfumato"):
            continue
        following = steps[number + 1] if number + 1 < len(steps) else ("", "")
        expected = int(following[1]) if following[0] == "echo $?" else 0
        capsys.readouterr()
        code = call(shlex.split(command), monkeypatch)
        said = capsys.readouterr()
        assert code == expected, f"{place}: {command} ended with {code}\n{said.out}{said.err}"
        if "compared" in block.marks:
            compare(shown, said.out + said.err, f"{place}: {command}")


def call(words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Run the command line in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", words)
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def compare(shown: str, said: str, place: str) -> None:
    """Compare line by line; progress, blank lines and the width of gaps do not count."""
    wanted = [" ".join(line.split()) for line in shown.splitlines() if line.strip()]
    found = [
        " ".join(line.split()) for line in said.splitlines() if line.strip() and not PROGRESS.match(line)
    ]
    pattern = "".join("(?:.*\n)*?" if line == ANY_LINES else re.escape(line) + "\n" for line in wanted)
    assert re.fullmatch(pattern, "".join(f"{line}\n" for line in found)), f"{place} prints\n" + "\n".join(
        found
    )


def marked(mark: str) -> list[Any]:
    """All blocks with a mark, as cases."""
    return [
        pytest.param(block, id=f"{page.name}:{block.line}")
        for page in PAGES
        for block in page.blocks
        if mark in block.marks
    ]


@pytest.mark.parametrize("block", marked("recipe"))
def test_a_recipe_is_valid_for_the_program_and_for_the_published_schema(block: Block) -> None:
    parse(block.text)
    jsonschema.validate(yaml.safe_load(block.text), schema_named("recipe"))


@pytest.mark.parametrize("block", marked("hierarchy"))
def test_a_hierarchy_gives_the_labels_that_its_comments_show(block: Block, somewhere: Path) -> None:
    for page in PAGES:
        for other in page.blocks:
            if other.file and other.file.endswith(".csv"):
                (somewhere / other.file).parent.mkdir(parents=True, exist_ok=True)
                (somewhere / other.file).write_text(other.text, encoding="utf-8")
    paths = [
        line[1:].strip().split(" → ") for line in block.text.splitlines() if " → " in line and line[0] == "#"
    ]
    assert paths, "the block shows no path"
    values = [None if path[0] == "(missing)" else path[0] for path in paths]
    domain = Domain.of("column", values)
    ladder = from_spec(yaml.safe_load(block.text)["hierarchy"], somewhere).ladder(domain)
    for path, value in zip(paths, values, strict=True):
        code = domain.values.index(value)
        labels = [ladder.labels[level][ladder.rungs[level, code]] for level in range(ladder.height + 1)]
        shown = ["(missing)" if label is None else label for label in labels]
        assert shown[0] in (path[0], ROOT), "level 0 is the value, or * for one that is not covered"
        assert shown[1:] == path[1:]


def test_pieces_of_recipes_for_codes_are_understood(tmp_path: Path) -> None:
    pieces = [
        yaml.safe_load(block.text)
        for page in PAGES
        if page.name.startswith("docs/codes")
        for block in page.blocks
        if block.language == "yaml" and not block.marks
    ]
    assert {key for piece in pieces for key in piece} == {"models", "method", "measures"}
    for piece in pieces:
        for model in piece.get("models", ()):
            asked_model(model, "models", tmp_path)
        set_measures(piece.get("measures", ()))
        if "method" in piece:
            build(METHODS, piece["method"], "method", "method")


def test_every_kind_of_example_is_there() -> None:
    """Were the marks misspelt, the tests above would pass by doing nothing."""
    blocks = [block for page in PAGES for block in page.blocks]
    known = {"recipe", "hierarchy", "compared", "not-run"}
    for block in blocks:
        assert all(mark in known or mark.startswith("file=") for mark in block.marks), block
    assert len(marked("recipe")) >= 5
    assert len(marked("hierarchy")) >= 9
    assert len(marked("compared")) >= 3
    assert sum(block.language == "python" for block in blocks) >= 10
