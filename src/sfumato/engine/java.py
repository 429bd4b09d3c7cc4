"""Finding the Java that Spark runs on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from sfumato.core.errors import MissingPart

OLDEST = 17
"""the oldest Java that Spark 4 runs on"""


def find_java() -> Path:
    """Return the Java that Spark will use; refuse when there is none or it is too old."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=f"{home}/bin" if home else None)
    remedy = f"install Java {OLDEST} (for example the package openjdk-{OLDEST}-jre-headless) or set JAVA_HOME"
    if found is None:
        raise MissingPart("the Spark engine needs Java and none was found", remedy=remedy)
    said = subprocess.run([found, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(?:1\.)?(\d+)', said)
    if version is None or int(version[1]) < OLDEST:
        raise MissingPart(f"the Spark engine needs Java {OLDEST} or newer", remedy=remedy)
    return Path(found)
