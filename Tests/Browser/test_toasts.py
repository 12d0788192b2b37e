"""The messages at the bottom of the page: they cover nothing that can be pressed."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, TABLET, enter, menu, row, settle, sheet

SIZES = pytest.mark.parametrize("size", [PHONE, TABLET, DESKTOP], ids=["phone", "tablet", "desktop"])


@pytest.fixture
def shelf(server):
    return server.make_list("Shelf", [f"Book {number}" for number in range(1, 21)])


def remove(page, title):
    row(page, title).click(button="right")
    sheet(page).get_by_role("button", name="Remove").click()
    expect(page.locator(".toast")).to_contain_text("is in the trash")


def bottom(place):
    box = place.bounding_box()
    return box["y"] + box["height"]


@SIZES
def test_the_last_rows_are_above_a_message(windows, shelf, size):
    page = windows(viewport=size).open()
    enter(page, "Shelf")
    scroller = page.locator(".screen:not([inert]) .scroller")
    scroller.evaluate("(node) => { node.scrollTop = node.scrollHeight; }")
    remove(page, "Book 19")
    # Who was at the end is still there, and the last row opens.
    end = page.locator(".row.is-tail")
    page.wait_for_function("""() => document.querySelector('.row.is-tail')?.getBoundingClientRect().bottom
        <= document.querySelector('.toast').getBoundingClientRect().top""")
    row(page, "Book 20").locator("a").click(trial=True)
    # So can who comes to the end later.
    scroller.evaluate("(node) => { node.scrollTop = 0; }")
    scroller.evaluate("(node) => { node.scrollTop = node.scrollHeight; }")
    row(page, "Book 20").locator("a").click(trial=True)
    settle(page)
    assert bottom(end) <= page.locator(".toast").bounding_box()["y"]


@SIZES
def test_the_field_for_new_rows_is_above_a_message(windows, shelf, size):
    page = windows(viewport=size).open()
    enter(page, "Shelf")
    page.keyboard.press("n")
    field = page.locator(".new-row input").first
    expect(field).to_be_focused()
    page.keyboard.type("Atlas")
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_contain_text("“Atlas” was added.")
    page.wait_for_function("""() => document.querySelector('.new-row').getBoundingClientRect().bottom
        <= document.querySelector('.toast').getBoundingClientRect().top""")
    field.click(trial=True)
    page.locator(".new-row").get_by_role("button", name="More details").click(trial=True)


def test_the_last_line_of_a_sheet_is_above_a_message(windows, server):
    things = server.make_list("Attic", [f"Box {number}" for number in range(1, 21)])[1]
    for thing in things:
        server.ask("DELETE", f"/v1/rows/{thing}")
    page = windows().open()
    menu(page, "Trash")
    sheet(page).get_by_role("button", name="Restore").first.click()
    expect(sheet(page).locator(".toast")).to_be_visible()
    sheet(page).locator(".sheet-body").evaluate("(node) => { node.scrollTop = node.scrollHeight; }")
    sheet(page).locator(".sheet-body button").last.click(trial=True)
