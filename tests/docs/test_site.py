"""Checks the website: two clicks lead from the first page to any page, without the list at the side."""

import ast
import re
from pathlib import Path

from tests.docs.test_docs import FENCED, LINK

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "docs" / "index.md"
CLICKS = 2


def pages_of_the_site() -> set[Path]:
    conf = (ROOT / "docs" / "site" / "conf.py").read_text()
    patterns = ast.literal_eval(re.findall(r"^include_patterns = (\[.*?\])", conf, re.M | re.S)[0])
    return {path for pattern in patterns for path in ROOT.glob(pattern)}


def linked(page: Path) -> set[Path]:
    """The pages to which this page has a link in its text."""
    targets = LINK.findall(FENCED.sub("", page.read_text()))
    paths = (re.sub(r"#.*", "", target) for target in targets)
    return {(page.parent / path).resolve() for path in paths if path.endswith(".md") and ":" not in path}


def test_every_page_is_two_clicks_away() -> None:
    pages = pages_of_the_site()
    reached = {INDEX}
    for _ in range(CLICKS):
        reached |= {target for page in reached & pages for target in linked(page)}
    reached.add(ROOT / "README.md")
    far = sorted(str(page.relative_to(ROOT)) for page in pages - reached)
    assert not far, f"link these pages from docs/index.md, or from a page to which it links: {far}"
