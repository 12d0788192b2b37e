"""Items and lists: made, looked at, edited, moved and removed."""

import re

import pytest
from playwright.sync_api import expect

from conftest import LAST, back, bar, choose, enter, expect_titles, heading, menu, move_to, row, save, sheet


def test_a_thing_is_added_where_one_says(page, server, kitchen):
    bar(page, "edit").click()
    bar(page, "add").click()
    expect(sheet(page).get_by_role("heading")).to_have_text("Add thing")
    expect(sheet(page).locator("[data-action=cancel]")).to_have_text("Cancel")
    sheet(page).get_by_label("Name").fill("Whisk")
    sheet(page).get_by_label("Value in dollars").fill("19.95")
    sheet(page).get_by_label("Tags").fill("breakfast, steel")
    sheet(page).get_by_label("Place").select_option("first")
    save(page)
    expect_titles(page, ["Whisk", "Kettle", "Mixer", "Toaster", LAST])
    made = server.ask("GET", f"/v1/lists/{kitchen[0]}/rows")["rows"][0]["item"]
    assert (made["valueInDollars"], made["tags"]) == (19.95, ["breakfast", "steel"])


def test_the_value_of_several_is_that_of_each(page, server, kitchen):
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"valueInDollars": 10})
    enter(page, "Kettle")
    expect(page.locator(".facts > div").first).to_have_text("Value in dollars$10")
    bar(page, "edit").click()
    hint = sheet(page).locator(".field", has=page.get_by_label("Value in dollars")).locator(".field-hint")
    expect(hint).to_be_hidden()
    sheet(page).get_by_label("Quantity").fill("6")
    expect(hint).to_have_text("$10 each, $60 together")
    expect(sheet(page).get_by_label("Value in dollars")).to_have_accessible_description("$10 each, $60 together")
    sheet(page).get_by_label("Value in dollars").fill("a lot")
    expect(hint).to_be_hidden()
    sheet(page).get_by_label("Value in dollars").fill("10.10")
    expect(hint).to_have_text("$10.10 each, $60.60 together")
    save(page)
    expect(page.locator(".facts > div").nth(0)).to_have_text("Value each$10.10")
    expect(page.locator(".facts > div").nth(1)).to_have_text("Quantity6")
    expect(page.locator(".facts > div").nth(2)).to_have_text("Total value$60.60")
    back(page, "Kitchen")
    expect(page.locator(".list-sum")).to_have_text("3 items · $60.60")
    # What was typed in one line is told in the form, too.
    page.keyboard.press("n")
    page.keyboard.type("3 cups $2")
    page.get_by_role("button", name="More details").click()
    expect(sheet(page).locator(".field-hint", has_text="together")).to_have_text("$2 each, $6 together")


def test_lists_and_cars_are_added(page, server, kitchen):
    bar(page, "edit").click()
    bar(page, "add").click()
    choose(page, "List")
    expect(sheet(page).get_by_role("heading")).to_have_text("Add list")
    sheet(page).get_by_label("Title").fill("Drawer")
    page.keyboard.press("Enter")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Drawer", LAST])
    bar(page, "add").click()
    choose(page, "Car")
    sheet(page).get_by_label("Make").fill("Mazda")
    sheet(page).get_by_label("Year").fill("1999")
    save(page)
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Drawer", "1999 Mazda", LAST])


def test_what_a_list_does_not_take_is_not_offered(page, server, kitchen):
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"itemKind": "car"})
    bar(page, "edit").click()
    bar(page, "add").click()
    expect(sheet(page).get_by_role("heading")).to_have_text("Add car")
    expect(sheet(page).get_by_role("radio")).to_have_count(2)


def test_an_item_shows_its_fields_and_is_edited(page, server, kitchen):
    kettle = kitchen[1][0]
    enter(page, "Kettle")
    expect(bar(page, "previous")).to_be_disabled()
    bar(page, "edit").click()
    expect(sheet(page).get_by_role("heading")).to_have_text("Edit Kettle")
    sheet(page).get_by_label("Serial number").fill("KT-20")
    sheet(page).get_by_label("Notes").fill("Whistles")
    sheet(page).get_by_role("button", name="Add field").click()
    sheet(page).get_by_label("Field", exact=True).fill("Colour")
    sheet(page).get_by_label("Text").fill("Red")
    save(page)
    expect(page.locator(".facts")).to_contain_text("KT-20")
    expect(page.locator(".facts")).to_contain_text("Red")
    item = server.ask("GET", f"/v1/items/{kettle}")
    assert (item["serialNumber"], item["notes"], item["fields"]) == ("KT-20", "Whistles", {"Colour": "Red"})
    bar(page, "edit").click()
    sheet(page).get_by_role("button", name="Remove field Colour").click()
    save(page)
    expect(page.locator(".facts")).not_to_contain_text("Red")
    assert server.ask("GET", f"/v1/items/{kettle}")["fields"] == {}


def test_a_tag_that_differs_by_case_is_the_one_in_use(page, server, kitchen):
    server.ask("PATCH", f"/v1/items/{kitchen[1][2]}", {"tags": ["Electronics", "Élan"]})
    enter(page, "Kettle")
    bar(page, "edit").click()
    tags = sheet(page).get_by_label("Tags")
    offered = sheet(page).locator(".tag-editor .tag")
    tags.press_sequentially("blue, elec")
    expect(offered).to_have_text(["Electronics"])
    tags.press_sequentially("tronics")
    expect(offered).to_have_text(["Use “Electronics”, which exists"])
    # It is used, whether it is chosen or not.
    tags.press_sequentially(", él")
    offered.click()
    expect(sheet(page).locator(".tag-chip")).to_have_text(["blue×", "Electronics×", "Élan×"])
    tags.fill("BLUE")
    save(page)
    expect(page.locator(".facts .tag")).to_have_text(["blue", "Electronics", "Élan"])
    assert server.ask("GET", f"/v1/items/{kitchen[1][0]}")["tags"] == ["blue", "Electronics", "Élan"]
    # So it is in the line of a new row.
    back(page, "Kitchen")
    page.keyboard.press("n")
    page.keyboard.type("Lamp #electronics")
    expect(page.locator(".new-part")).to_have_text("#Electronics")
    page.keyboard.press("Enter")
    expect(row(page, "Lamp")).to_be_visible()
    made = server.ask("GET", f"/v1/lists/{kitchen[0]}/rows")["rows"][3]["item"]
    assert made["tags"] == ["Electronics"]


def test_tags_stay_whole_whatever_is_in_them(page, server, kitchen):
    kettle = f"/v1/items/{kitchen[1][0]}"
    server.ask("PATCH", kettle, {"tags": ["Smith, John", "office", "old"]})
    enter(page, "Kettle")
    bar(page, "edit").click()
    expect(sheet(page).locator(".tag-chip bdi")).to_have_text(["Smith, John", "office", "old"])
    sheet(page).get_by_role("button", name="Remove tag old").click()
    # The focus stays where the tag was.
    expect(sheet(page).get_by_label("Tags")).to_be_focused()
    page.keyboard.type("steel, blue")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    assert server.ask("GET", kettle)["tags"] == ["Smith, John", "office", "steel", "blue"]


def test_a_lists_details_are_edited(page, server, kitchen):
    menu(page, "Details")
    expect(sheet(page).get_by_role("heading", level=2)).to_have_text("Edit Kitchen")
    sheet(page).get_by_label("Title").fill("A kitchen with rather a long title")
    # Each setting has a line that explains it.
    for field in sheet(page).locator(".field:not(:has([name='/title']))").all():
        expect(field.locator(".field-hint")).to_have_text(re.compile(r"\w+ .*\.$"))
    last = sheet(page).get_by_role("switch", name="Last line", exact=True)
    expect(last).to_have_accessible_description("A line below everything else shows where the list ends.")
    last.uncheck()
    sheet(page).get_by_label("Moving", exact=True).uncheck()
    save(page)
    expect(heading(page)).to_have_text("A kitchen with rather a long title")
    expect(page.locator(".large-title")).to_be_visible()
    expect_titles(page, ["Kettle", "Mixer", "Toaster"])
    bar(page, "edit").click()
    expect(page.locator("[data-control=remove]")).to_have_count(3)
    expect(page.locator("[data-control=grip]")).to_have_count(0)


def test_previous_and_next_lead_through_a_list(page):
    enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("1 of 3")
    bar(page, "next").click()
    expect(heading(page)).to_have_text("Mixer")
    page.keyboard.press("ArrowRight")
    expect(heading(page)).to_have_text("Toaster")
    expect(bar(page, "next")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    expect(heading(page)).to_have_text("Mixer")
    back(page, "Kitchen")


def test_an_item_holds_contents(page):
    enter(page, "Kettle")
    page.get_by_role("button", name="Add contents").click()
    expect(bar(page, "back")).to_have_text("Kettle")
    expect_titles(page, [LAST])
    bar(page, "back").click()
    page.get_by_role("link", name="Contents").click()
    expect(bar(page, "back")).to_have_text("Kettle")


def test_an_undo_after_adding_contents_undoes_the_change_before(page, server, kitchen):
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Quantity").fill("4")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    page.get_by_role("button", name="Add contents").click()
    expect_titles(page, [LAST])
    page.keyboard.press("Control+z")
    expect(page.locator(".toast")).to_contain_text("Undone.")
    assert server.ask("GET", f"/v1/items/{kitchen[1][0]}")["quantity"] == 1


def test_a_thing_is_moved_to_another_list(page, server, kitchen):
    shed, _ = server.make_list("Shed")
    server.ask("PATCH", f"/v1/lists/{server.make_list('Closed')[0]}", {"permissions": {"add": False}})
    bar(page, "edit").click()
    row(page, "Kettle").locator("[data-control=relocate]").click()
    # It says what will happen, and where the row is now.
    expect(sheet(page).get_by_role("heading")).to_have_text("Move “Kettle” to …")
    expect(sheet(page).locator(".way [aria-current]")).to_have_text("Kitchen (here now)")
    expect(move_to(page)).to_have_text("Already here")
    expect(move_to(page)).to_be_disabled()
    sheet(page).get_by_role("button", name="Inventory", exact=True).click()
    expect(move_to(page)).to_have_text("Move to Inventory")
    expect(sheet(page).locator(".choices button")).to_have_text(["Kitchen (here now)", "Shed", "Closed"])
    sheet(page).get_by_role("button", name="Closed").click()
    expect(move_to(page)).to_have_text("Closed doesn’t take this")
    expect(move_to(page)).to_be_disabled()
    sheet(page).get_by_role("button", name="Inventory").click()
    sheet(page).get_by_role("button", name="Shed").click()
    sheet(page).get_by_role("button", name="Move to Shed").click()
    expect_titles(page, ["Mixer", "Toaster", LAST])
    assert server.rows(shed) == ["Kettle"]
    page.locator(".toast button").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])


def test_a_thing_is_moved_past_any_number_of_others(page, server, kitchen):
    for start in (0, 600):
        table = "name\n" + "".join(f"Anvil {start + number}\n" for number in range(600))
        server.ask("POST", f"/v1/lists/{kitchen[0]}/rows.csv", data=table.encode(), kind="text/csv")
    server.ask("POST", f"/v1/items/{server.make_thing(kitchen[0], 'Basket')}/contents")
    for number in range(101):
        server.make_list(f"Drawer {number}", parent=kitchen[0])
    bar(page, "edit").click()
    row(page, "Kettle").locator("[data-control=relocate]").click()
    doors = sheet(page).locator(".choices button")
    expect(doors).to_have_count(100)
    expect(doors.first).to_have_text("Basket")
    sheet(page).get_by_role("button", name="More").click()
    expect(doors).to_have_count(102)
    expect(sheet(page).get_by_role("button", name="More")).to_have_count(0)
    sheet(page).get_by_role("button", name="Drawer 100").click()
    expect(sheet(page)).to_contain_text("There are no lists here.")
    move_to(page).click()
    expect(page.locator(".toast")).to_contain_text("“Kettle” is now in “Drawer 100”.")


def test_an_item_is_moved_and_removed_from_its_own_screen(page, window, server, kitchen):
    window.expect_gone()
    shed, _ = server.make_list("Shed")
    enter(page, "Kettle")
    page.get_by_role("button", name="Move to another list").click()
    sheet(page).get_by_role("button", name="Inventory").click()
    sheet(page).get_by_role("button", name="Shed").click()
    sheet(page).get_by_role("button", name="Move to Shed").click()
    expect(page.locator(".toast")).to_contain_text("“Kettle” is now in “Shed”.")
    assert server.rows(shed) == ["Kettle"]
    page.get_by_role("button", name="Remove").click()
    sheet(page).locator("[data-answer=yes]").click()
    # There is nothing to look at any more, but a way back to it.
    expect(heading(page)).not_to_have_text("Kettle")
    expect(page.locator(".toast")).to_contain_text("is in the trash")
    assert server.rows(shed) == []
    page.locator(".toast button").click()
    expect(page.locator(".toast")).to_contain_text("Undone.")
    assert server.rows(shed) == ["Kettle"]


TITLES = [
    "<img src=x onerror=alert(1)>", "</script><b>&amp;", "🫖👩‍👩‍👧 عربى", "‮reversed", "x" * 500, "%00 {name} {count}"]


def test_titles_are_shown_as_they_are(windows, server):
    shelf, _ = server.make_list(TITLES[0], TITLES)
    window = windows()
    window.page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page = window.open()
    enter(page, TITLES[0])
    expect_titles(page, [*TITLES, LAST])
    assert page.evaluate("document.querySelectorAll('.rows img, .rows b').length") == 0
    enter(page, "x" * 500)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    expect(bar(page, "back")).to_have_text("Back")
    back(page, TITLES[0])
    bar(page, "edit").click()
    row(page, TITLES[0]).locator("[data-control=remove]").click()
    expect(sheet(page).get_by_role("heading")).to_have_text(f"Remove “{TITLES[0]}”?")
    sheet(page).locator("[data-answer=yes]").click()
    expect(page.locator(".toast")).to_contain_text(f"“{TITLES[0]}” is in the trash.")
    expect_titles(page, [*TITLES[1:], LAST])


def test_an_error_leaves_a_field_that_is_corrected(page, window, kitchen):
    window.expect_complaints("422")
    enter(page, "Kettle")
    bar(page, "edit").click()
    value = sheet(page).get_by_label("Value in dollars")
    value.fill("much")
    save(page)
    expect(sheet(page).locator(".field-fault").filter(has_text="Enter a number, such as 12.50.")).to_be_visible()
    expect(sheet(page).locator(".form-fault")).to_be_visible()
    value.fill("12.50")
    expect(sheet(page).locator(".field-fault:visible, .form-fault:visible")).to_have_count(0)
    expect(value).to_have_attribute("aria-invalid", "false")


def test_a_row_shows_tags_and_notes_have_links(page, server, kitchen):
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {
        "serialNumber": "K-1", "tags": ["tea", "hot"], "notes": "Manual: https://example.org/k?a=1. <b>Bold</b>"})
    expect(row(page, "Kettle").locator(".row-detail")).to_have_text("K-1 · #tea · #hot")
    enter(page, "Kettle")
    expect(page.locator(".notes p")).to_have_text("Manual: https://example.org/k?a=1. <b>Bold</b>")
    link = page.locator(".notes a")
    expect(link).to_have_attribute("href", "https://example.org/k?a=1")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
