"""The keys of the tests of replacements serve here, too."""

from tests.text.replace.conftest import key, other_key

__all__ = ["key", "other_key"]
