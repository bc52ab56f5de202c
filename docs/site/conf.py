"""Configures Sphinx, which makes the documentation site from the pages of the checkout: `make site`."""

import shutil
from pathlib import Path

from sphinx.application import Sphinx

import harness

project = "harness"
author = "the harness developers"
release = version = harness.__version__
extensions = ["myst_parser"]
root_doc = "docs/index"
# The pages stay where they are: beside the games, the bots and the logs that they describe.
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "protocol.md",
    "docs/*.md",
    "docs/guides/*.md",
    "docs/teaching/*.md",
    "bots/README.md",
    "bots/bridges/*/README.md",
    "bots/rogues/README.md",
    "logs/README.md",
    "harness/games/*/*.md",
    "harness/worlds/*.md",
    "harness/worlds/*/*.md",
]
exclude_patterns = [".*", "tests", "benchmarks", "studies"]
html_theme = "furo"
html_title = "harness"
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
# GitHub Pages shows 404.html in place of a page that is missing.
html_extra_path = ["index.html", "404.html"]
# A link to a heading uses the name that GitHub gives to the heading. So the site gives the same names.
myst_heading_anchors = 4


def setup(app: Sphinx) -> None:
    """Copies the pictures to the site. The pages name each picture by its path in the checkout."""
    pictures = Path("docs", "pictures")
    app.connect(
        "build-finished",
        lambda app, error: shutil.copytree(
            Path(app.srcdir) / pictures, Path(app.outdir) / pictures, dirs_exist_ok=True
        ),
    )
