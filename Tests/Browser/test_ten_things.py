"""The common tasks of README.md and GUIDE.md, done in the page instead of with curl."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, LAST, PHONE, TABLET, back, bar, drag, enter, expect_titles, heading, menu, row, sheet, titles


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def add(page, kind, position="Last", **fields):
    bar(page, "add").click()
    sheet(page).get_by_role("radio", name=kind, exact=True).check()
    for label, value in fields.items():
        sheet(page).get_by_label(label.replace("_", " ")).fill(value)
    sheet(page).get_by_label("Place").select_option(label=position)
    sheet(page).get_by_role("button", name="Save").click()
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("size, scheme", [(PHONE, "light"), (TABLET, "dark"), (DESKTOP, "light")],
                         ids=["phone", "tablet", "desktop"])
def test_all_of_it_is_done_with_the_page_alone(windows, size, scheme):
    window = windows(viewport=size, color_scheme=scheme)
    page = window.open()

    # A room, and a shelf in it.
    expect_titles(page, [LAST])
    press(page, "Add an item or list")
    page.get_by_role("radio", name="List", exact=True).check()
    page.get_by_role("textbox", name="New item or list").fill("Workshop")
    press(page, "Add")
    expect_titles(page, ["Workshop"])
    press(page, "Close")
    expect_titles(page, ["Workshop", LAST])
    enter(page, "Workshop")
    press(page, "Edit")
    add(page, "List", Title="Shelf")

    # Things, at the end and at the top.
    add(page, "Thing", Name="Hammer", Serial_number="H-16", Value_in_dollars="24.50")
    add(page, "Thing", "First", Name="Saw")
    expect_titles(page, ["Saw", "Shelf", "Hammer", LAST])

    # Somebody else looks on.
    second = windows(viewport=PHONE)
    second.expect_gone()
    other = second.open()
    enter(other, "Workshop")
    expect_titles(other, ["Saw", "Shelf", "Hammer", LAST])

    # The last row is dragged to the top.
    drag(page, "Hammer", -2)()
    for each in (page, other):
        expect_titles(each, ["Hammer", "Saw", "Shelf", LAST])

    # One thing goes into the shelf.
    press(page, "Move Saw to another list")
    sheet(page).get_by_role("button", name="Shelf").click()
    sheet(page).get_by_role("button", name="Move to Shelf").click()
    for each in (page, other):
        expect_titles(each, ["Hammer", "Shelf", LAST])

    # Another is edited.
    press(page, "Done")
    enter(page, "Hammer")
    bar(page, "edit").click()
    sheet(page).get_by_label("Name").fill("Claw hammer")
    sheet(page).get_by_label("Quantity").fill("2")
    sheet(page).get_by_label("Notes").fill("Lent to the neighbours")
    sheet(page).get_by_role("button", name="Save").click()
    expect(heading(page)).to_have_text("Claw hammer")
    back(page, "Workshop")
    expect_titles(other, ["Claw hammer", "Shelf", LAST])
    expect(row(other, "Claw hammer")).to_contain_text("2 × $24.50")

    # The list is sorted once and for all, and looked at sorted, or in part.
    press(page, "Order")
    press(page, "Title")
    sheet(page).get_by_role("radio", name="Descending").check()
    press(page, "Close")
    press(page, "Keep this order")
    for each in (page, other):
        expect_titles(each, ["Shelf", "Claw hammer", LAST])
    press(page, "Order")
    sheet(page).get_by_role("radio", name="Lists").check()
    press(page, "Close")
    expect_titles(page, ["Shelf", LAST])
    press(page, "Manual order")
    expect_titles(page, ["Shelf", "Claw hammer", LAST])

    # Everything is searched.
    back(page, "Inventory")
    page.get_by_role("searchbox", name="Search", exact=True).fill("neighbours claw")
    expect(page.locator(".hits .row-title")).to_have_text(["Claw hammer"])
    expect(page.locator(".hits .row-detail")).to_have_text(["Workshop ‹ Inventory"])
    page.locator(".hits li a").click()
    expect(heading(page)).to_have_text("Claw hammer")
    back(page, "Workshop")

    # The place is found again.
    page.reload()
    expect(heading(page)).to_have_text("Workshop")
    enter(page, "Shelf")

    # A row is removed, and comes back; so does a list with all that is in it.
    press(page, "Edit")
    press(page, "Remove Saw")
    press(page, "Remove")
    expect_titles(page, [LAST])
    press(page, "Undo")
    expect_titles(page, ["Saw", LAST])
    press(page, "Done")
    back(page, "Workshop")
    back(page, "Inventory")
    press(page, "Edit")
    press(page, "Remove Workshop")
    press(page, "Remove")
    expect_titles(page, [LAST])
    expect(heading(other)).to_have_text("Inventory")
    menu(page, "Trash")
    sheet(page).get_by_role("button", name="Restore").click()
    expect(sheet(page)).to_contain_text("The trash is empty.")
    press(page, "Close")
    for each in (page, other):
        expect_titles(each, ["Workshop", LAST])
    enter(other, "Workshop")
    assert titles(other) == ["Shelf", "Claw hammer", LAST]
