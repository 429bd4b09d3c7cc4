"""English is a folder with detectors, each with a name of its own."""

from __future__ import annotations

import subprocess
import sys

from sfumato.text.language import language_of
from sfumato.text.languages.en import patterns


def test_every_detector_has_a_name_of_its_own() -> None:
    names = [detector.name for detector in language_of("en").detectors()]
    assert len(names) == len(set(names))
    assert {detector.name for detector in patterns()} < set(names)


def test_patterns_pull_in_nothing_heavy() -> None:
    code = (
        "import sys; from sfumato.text.languages.en import patterns; patterns()\n"
        "print([name for name in ('numpy', 'phonenumbers', 'faker') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True, timeout=120) == "[]\n"
