"""How these pages are built: ``python -m sphinx -W -b html docs docs/_build/html``."""

from pathlib import Path

_about: dict[str, str] = {}
exec((Path(__file__).parent.parent / "src" / "sfumato" / "__about__.py").read_text(encoding="utf-8"), _about)

project = "Sfumato"
author = "The authors of Sfumato"
copyright = author
release = version = _about["__version__"]

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
language = "en_GB"

myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]

html_theme = "furo"
html_title = f"Sfumato {release}"
html_show_copyright = False
html_show_sourcelink = False
