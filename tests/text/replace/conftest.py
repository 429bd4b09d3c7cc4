"""What tests of replacements share."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.masking.contract import Secrets
from tests.text.replace import examples


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Secrets:
    """The key of the house."""
    return examples.secrets(tmp_path_factory.mktemp("key"))


@pytest.fixture(scope="session")
def other_key(tmp_path_factory: pytest.TempPathFactory) -> Secrets:
    """The key of another house."""
    folder: Path = tmp_path_factory.mktemp("other")
    return examples.secrets(folder, "another key of thirty-two characters")
