"""Lists on paper, for example for an insurer."""

import re
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, enter, expect_stored, menu, row
from test_photos import png

pytestmark = pytest.mark.usefixtures("chromium_only")


@pytest.fixture
def flat(server, tmp_path):
    """A flat with two lists and something in a bag: the ids of the flat, and of the list that is the deepest."""
    flat, _ = server.make_list("Flat")
    camera = server.make_thing(flat, "Camera", serialNumber="C-77", valueInDollars=899.5, quantity=1)
    with open(png(tmp_path / "camera.png", (200, 60, 60)), "rb") as file:
        server.ask("POST", f"/v1/items/{camera}/photos", data=file.read(), kind="image/png")
    kitchen, _ = server.make_list("Kitchen", parent=flat)
    server.make_thing(kitchen, "Fork", valueInDollars=2.25, quantity=12)
    bag = server.make_thing(kitchen, "Bag")
    inside = server.ask("POST", f"/v1/items/{bag}/contents")["id"]
    server.make_thing(inside, "Purse", valueInDollars=30)
    return flat, inside


@pytest.fixture
def printed(windows, flat):
    """The screen of the flat, stored, whose prints are counted."""
    page = windows().open()
    enter(page, "Flat")
    expect_stored(page, flat[1])
    page.evaluate("""() => {
      window.prints = 0;
      window.print = () => {
        window.prints += 1;
        dispatchEvent(new Event('beforeprint'));
      };
    }""")
    return page


def expect_printed(page, count=1):
    page.wait_for_function("(count) => window.prints === count", arg=count)


def lines(page):
    """The cells of the lines of the paper."""
    return page.locator(".paper tbody tr").evaluate_all(
        "lines => lines.map((line) => [...line.children].slice(1).map((cell) => cell.textContent))")


def test_a_list_is_printed_with_the_lists_below_it_and_totals(printed):
    page = printed
    menu(page, "Print")
    expect_printed(page)
    assert lines(page) == [
        ["Camera", "C-77", "1", "$899.50", "$899.50"], ["Fork", "", "12", "$2.25", "$27"], ["Bag", "", "1", "", ""],
        ["Purse", "", "1", "$30", "$30"]]
    paper = page.locator(".paper")
    expect(paper.locator("h1")).to_have_text("Flat")
    expect(paper.locator("h2")).to_have_text(["Kitchen Flat", "Bag Kitchen ‹ Flat"])
    expect(paper.locator("h1 + p")).to_have_text(re.compile(r"Printed on .*20\d\d"))
    expect(paper.locator("dl > div")).to_have_text(["Items4", "Total value$956.50"])
    expect(paper.locator(".paper-photo img")).to_have_count(1)
    # On the screen there is no paper.
    expect(paper).to_be_hidden()


def test_the_paper_is_black_on_white_and_without_bars(windows, flat, tmp_path):
    page = windows(color_scheme="dark", viewport=DESKTOP).open()
    enter(page, "Flat")
    expect_stored(page, flat[1])
    page.evaluate("() => { window.print = () => { window.prints = 1; }; }")
    page.keyboard.press("Control+p")
    expect_printed(page)
    page.emulate_media(media="print", color_scheme="dark")
    paper = page.locator(".paper")
    expect(paper).to_be_visible()
    expect(paper).to_have_css("color", "rgb(0, 0, 0)")
    expect(paper).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    assert page.evaluate("() => getComputedStyle(document.documentElement).colorScheme") == "light"
    for name in [".sidebar", ".stage", ".navigation-bar", ".list-tools"]:
        expect(page.locator(name).first).to_be_hidden()
    if not shutil.which("pdftotext"):
        pytest.skip("there is no pdftotext")
    path = tmp_path / "flat.pdf"
    page.pdf(path=path, format="A4")
    text = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout
    assert re.search(r"Fork\s+12\s+\$2\.25\s+\$27", text)
    assert re.search(r"Total value\s+\$956\.50", text)
    assert "Search" not in text and "Settings" not in text


def test_a_long_list_takes_pages_with_the_names_of_the_columns(windows, server):
    attic, _ = server.make_list("Attic")
    for number in range(60):
        server.make_thing(attic, f"Box {number}")
    page = windows().open()
    enter(page, "Attic")
    expect_stored(page, attic)
    # The browser's own command.
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) in range(2, 8)
    assert [name for name, *_ in lines(page)] == [f"Box {number}" for number in range(60)]


def store_nothing(window):
    """Lets the inventory seem too large to be stored."""
    def as_a_large_inventory(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "rowCount": 20_000})

    window.context.route("**/v1/lists/root", as_a_large_inventory)


def test_a_list_that_is_not_stored_is_read_to_be_printed(windows, server):
    attic, _ = server.make_list("Attic", ["Trunk"])
    server.make_list("Corner", parent=attic)
    window = windows()
    store_nothing(window)
    page = window.open()
    page.evaluate("() => { window.print = () => { window.prints = 1; }; }")
    enter(page, "Attic")
    menu(page, "Print")
    expect_printed(page)
    assert [name for name, *_ in lines(page)] == ["Trunk"]
    assert any("limit=1000&offset=0&sentinel=false" in address for _, address in window.requests)


def test_all_rows_that_are_read_are_printed_though_a_page_ends_at_a_number_of_bytes(windows, server):
    server.make_heavy_list("Attic")
    window = windows()
    store_nothing(window)
    page = window.open()
    page.evaluate("() => { window.print = () => { window.prints = 1; }; }")
    enter(page, "Attic")
    menu(page, "Print")
    expect_printed(page)
    assert [name for name, *_ in lines(page)] == [f"Box {number}" for number in range(60)]


def test_an_item_is_printed_without_bars(windows, flat):
    page = windows().open()
    enter(page, "Flat")
    row(page, "Camera").locator("[data-control=main]").click()
    page.locator(".facts").first.wait_for()
    page.emulate_media(media="print")
    expect(page.locator(".facts").first).to_be_visible()
    expect(page.locator(".detail-pane h1, .screen h1").last).to_be_visible()
    for name in [".bar-leading", ".bar-trailing", ".toolbar", ".photo-adder"]:
        expect(page.locator(name).first).to_be_hidden()
