"""Checks the website: two clicks lead from the first page to any page, and a wrong address has a page that
leads to the first page."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route

from tests.docs.test_docs import FENCED, LINK
from tests.report.browser import Browser, open_browser

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "docs" / "index.md"
CLICKS = 2
MISSING = ROOT / "docs" / "site" / "404.html"


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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.mark.parametrize("site", ["https://anna.github.io/harness/", "http://localhost:8000/"])
@pytest.mark.parametrize("wrong", ["gone.html", "docs/gone.html", "docs/guides/a/b/gone"])
def test_a_wrong_address_at_any_depth_leads_to_the_first_page(
    browser: Browser, site: str, wrong: str
) -> None:
    first = f"{site}docs/index.html"

    def serve(route: Route) -> None:
        if route.request.url == first:
            route.fulfill(body="the first page")
        else:
            route.fulfill(status=404, content_type="text/html", body=MISSING.read_text())

    def led(page: Page) -> tuple[str, str]:
        page.route(f"{site}**", serve)
        page.goto(site + wrong)
        page.wait_for_function("document.querySelector('a').href.endsWith('docs/index.html')")
        page.click("a")
        page.wait_for_url(first)
        return page.url, page.inner_text("body")

    assert browser.use(led) == (first, "the first page")


def test_a_page_for_wrong_addresses_that_is_opened_from_disk_leads_to_the_first_page(
    browser: Browser,
) -> None:
    browser.open(MISSING)
    first = MISSING.parent / "docs" / "index.html"
    assert browser.run("document.querySelector('a').href") == first.as_uri()
