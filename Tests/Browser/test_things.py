"""Things, cars and lists themselves: making, editing, photos, finding, moving, taking along."""

import json
import re
import struct
import zlib

import pytest
from playwright.sync_api import expect

from conftest import bar, enter, expect_titles, heading, row, sheet

LAST = "No more items!"


def png(path, colour):
    """A small picture of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    line = b"\0" + bytes(colour) * 40
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(line * 30)) + chunk(b"IEND", b""))
    return str(path)


@pytest.fixture
def kitchen(server):
    return server.make_list("Kitchen", ["Kettle", "Mixer"])


@pytest.fixture
def page(windows, kitchen):
    page = windows().open()
    enter(page, "Kitchen")
    return page


def menu(page, name):
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    sheet(page).get_by_role("button", name=name, exact=True).click()


def order(page, *names, kind=None, above=None):
    page.locator(".screen:not([inert]) [data-action=order]").click()
    for name in names:
        sheet(page).get_by_role("button", name=name, exact=True).click()
    if kind:
        sheet(page).get_by_role("radio", name=kind).check()
    if above:
        sheet(page).get_by_label("Worth more than").fill(above)
    sheet(page).locator("[data-action=close]").click()


def save(page):
    sheet(page).locator("[data-action=save]").click()


def choose(page, kind):
    sheet(page).get_by_role("radio", name=kind).check()


def test_a_thing_is_added_where_one_says(page, server, kitchen):
    bar(page, "edit").click()
    bar(page, "add").click()
    expect(sheet(page).get_by_role("heading")).to_have_text("Add thing")
    expect(sheet(page).locator("[data-action=cancel]")).to_have_text("Cancel")
    sheet(page).get_by_label("Name").fill("Toaster")
    sheet(page).get_by_label("Value in dollars").fill("19.95")
    sheet(page).get_by_label("Tags").fill("breakfast, steel")
    sheet(page).get_by_label("Place").select_option("first")
    save(page)
    expect_titles(page, ["Toaster", "Kettle", "Mixer", LAST])
    made = server.ask("GET", f"/v1/lists/{kitchen[0]}/rows")["rows"][0]["item"]
    assert (made["valueInDollars"], made["tags"]) == (19.95, ["breakfast", "steel"])


def test_what_is_wrong_with_a_field_is_said_beside_it(windows, kitchen):
    window = windows()
    window.expect_complaints("422")
    page = window.open()
    enter(page, "Kitchen")
    bar(page, "edit").click()
    bar(page, "add").click()
    sheet(page).get_by_label("Name").fill("Toaster")
    sheet(page).get_by_label("Value in dollars").fill("a lot")
    with page.expect_response(lambda answer: answer.status == 422):
        save(page)
    field = sheet(page).get_by_label("Value in dollars")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    field.fill("20")
    save(page)
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])


def test_lists_and_cars_are_added(page, server, kitchen):
    bar(page, "edit").click()
    bar(page, "add").click()
    choose(page, "List")
    expect(sheet(page).get_by_role("heading")).to_have_text("Add list")
    sheet(page).get_by_label("Title").fill("Drawer")
    page.keyboard.press("Enter")
    expect_titles(page, ["Kettle", "Mixer", "Drawer", LAST])
    bar(page, "add").click()
    choose(page, "Car")
    sheet(page).get_by_label("Make").fill("Mazda")
    sheet(page).get_by_label("Year").fill("1999")
    save(page)
    expect_titles(page, ["Kettle", "Mixer", "Drawer", "1999 Mazda", LAST])


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


def test_an_edit_that_meets_another_ones_is_looked_at_again(windows, server, kitchen):
    window = windows()
    window.expect_complaints("412")
    page = window.open()
    kettle = kitchen[1][0]
    enter(page, "Kitchen")
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Notes").fill("Mine")
    server.ask("PATCH", f"/v1/items/{kettle}", {"serialNumber": "THEIRS"})
    save(page)
    expect(sheet(page).get_by_role("alert")).to_contain_text("in the meantime")
    expect(sheet(page).get_by_label("Serial number")).to_have_value("THEIRS")
    expect(sheet(page).get_by_label("Notes")).to_have_value("Mine")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    item = server.ask("GET", f"/v1/items/{kettle}")
    assert (item["serialNumber"], item["notes"]) == ("THEIRS", "Mine")


def test_an_item_is_moved_and_removed_from_its_own_screen(page, server, kitchen):
    shed, _ = server.make_list("Shed")
    enter(page, "Kettle")
    page.get_by_role("button", name="Move to another list").click()
    sheet(page).get_by_role("button", name="Inventory").click()
    sheet(page).get_by_role("button", name="Shed").click()
    expect(sheet(page).get_by_role("heading")).to_have_text("Shed")
    sheet(page).locator("[data-action=move]").click()
    expect(page.locator(".toast")).to_contain_text("“Kettle” is now in “Shed”.")
    assert server.rows(shed) == ["Kettle"]
    page.get_by_role("button", name="Remove").click()
    sheet(page).locator("[data-answer=yes]").click()
    # There is nothing to look at any more, but a way back to it.
    expect(heading(page)).not_to_have_text("Kettle")
    assert server.rows(shed) == []
    page.locator(".toast button").click()
    expect(page.locator(".toast")).to_contain_text("Undone.")
    assert server.rows(shed) == ["Kettle"]


def test_previous_and_next_lead_through_a_list(page):
    enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("1 of 2")
    bar(page, "next").click()
    expect(heading(page)).to_have_text("Mixer")
    expect(bar(page, "next")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    expect(heading(page)).to_have_text("Kettle")
    bar(page, "back").click()
    expect(heading(page)).to_have_text("Kitchen")


def test_photos_are_added_looked_at_and_removed(page, server, kitchen, tmp_path):
    enter(page, "Kettle")
    page.get_by_label("Add photo").set_input_files(
        [png(tmp_path / "one.png", (200, 60, 60)), png(tmp_path / "two.png", (60, 60, 200))])
    expect(page.locator(".photo img")).to_have_count(2)
    page.get_by_role("button", name="Photo 2 of 2").click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 2 of 2")
    shown = page.locator(".photo-page img").nth(1)
    expect(shown).to_have_js_property("naturalWidth", 40)
    navigation = page.locator(".screen:not([inert]) > header")
    expect(navigation).to_be_visible()
    shown.click()
    expect(navigation).to_be_hidden()
    shown.click()
    expect(navigation).to_be_visible()
    page.get_by_role("button", name="Remove photo").click()
    sheet(page).locator("[data-answer=yes]").click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 1 of 1")
    page.locator(".toast button").click()
    expect(page.locator(".photo-page")).to_have_count(2)
    bar(page, "back").click()
    bar(page, "back").click()
    expect(row(page, "Kettle")).to_contain_text("has a photo")
    # In the row it is small, whatever it was.
    expect(row(page, "Kettle").locator("img")).to_have_js_property("naturalWidth", 40)


def test_photos_are_put_into_another_order(page, server, kitchen, tmp_path):
    enter(page, "Kettle")
    page.get_by_label("Add photo").set_input_files(
        [png(tmp_path / f"{name}.png", (name, 60, 60)) for name in (1, 2, 3)])
    expect(page.locator(".photo img")).to_have_count(3)
    before = server.ask("GET", f"/v1/items/{kitchen[1][0]}")["photos"]
    page.get_by_role("button", name="Photo 3 of 3").click()
    later = page.get_by_role("button", name="towards the end")
    earlier = page.get_by_role("button", name="towards the start")
    expect(later).to_be_disabled()
    earlier.click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 2 of 3")
    expect(earlier).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 1 of 3")
    expect(earlier).to_be_disabled()
    assert server.ask("GET", f"/v1/items/{kitchen[1][0]}")["photos"] == [before[2], before[0], before[1]]


def test_a_photo_that_the_browser_can_not_read_is_said_to_be_one(page, server, kitchen):
    heic = bytes.fromhex("000000186674797068656963000000006d69663168656963") + bytes(64)
    server.ask("POST", f"/v1/items/{kitchen[1][0]}/photos", data=heic, kind="image/heic")
    enter(page, "Kettle")
    expect(page.locator(".photo .icon")).to_have_count(1)
    page.get_by_role("button", name="Photo 1 of 1").click()
    expect(page.locator(".photo-page")).to_contain_text("can’t be shown here")


def test_an_item_holds_contents(page):
    enter(page, "Kettle")
    page.get_by_role("button", name="Make room for contents").click()
    expect(bar(page, "back")).to_have_text("Kettle")
    expect_titles(page, [LAST])
    bar(page, "back").click()
    page.get_by_role("button", name="Contents").click()
    expect(bar(page, "back")).to_have_text("Kettle")


def test_search_finds_and_leads_there(page, server):
    shed, _ = server.make_list("Shed")
    server.make_thing(shed, "Drill", notes="for the kettle's bracket")
    bar(page, "back").click()
    expect(heading(page)).to_have_text("Inventory")
    expect(page.locator(".screen")).to_have_count(1)
    page.get_by_role("searchbox", name="Search").fill("kettle")
    hits = page.locator(".hits button")
    expect(hits).to_have_count(2)
    expect(hits.filter(has_text="Drill")).to_contain_text("Inventory › Shed")
    hits.filter(has_text="Drill").click()
    expect(heading(page)).to_have_text("Drill")
    expect(bar(page, "back")).to_have_text("Shed")


def test_a_thing_is_moved_to_another_list(page, server, kitchen):
    shed, _ = server.make_list("Shed")
    server.ask("PATCH", f"/v1/lists/{server.make_list('Closed')[0]}", {"permissions": {"add": False}})
    bar(page, "edit").click()
    row(page, "Kettle").locator("[data-control=relocate]").click()
    expect(sheet(page).locator(".bar-prompt")).to_have_text("Move Kettle to another list.")
    sheet(page).get_by_role("button", name="Inventory").click()
    sheet(page).get_by_role("button", name="Closed").click()
    expect(sheet(page).locator("[data-action=move]")).to_be_disabled()
    sheet(page).get_by_role("button", name="Inventory").click()
    sheet(page).get_by_role("button", name="Shed").click()
    expect(sheet(page).get_by_role("heading")).to_have_text("Shed")
    sheet(page).locator("[data-action=move]").click()
    expect_titles(page, ["Mixer", LAST])
    assert server.rows(shed) == ["Kettle"]
    page.locator(".toast button").click()
    expect_titles(page, ["Kettle", "Mixer", LAST])


def test_a_lists_details_are_edited(page, server, kitchen):
    menu(page, "Details")
    expect(sheet(page).get_by_role("heading", level=2)).to_have_text("Edit Kitchen")
    sheet(page).get_by_label("Title").fill("A kitchen with rather a long title")
    sheet(page).get_by_label("Show the last row").uncheck()
    sheet(page).get_by_label("Moving", exact=True).uncheck()
    save(page)
    expect(heading(page)).to_have_text("A kitchen with rather a long title")
    expect(page.locator(".long-title")).to_be_visible()
    expect_titles(page, ["Kettle", "Mixer"])
    bar(page, "edit").click()
    expect(page.locator("[data-control=remove]")).to_have_count(2)
    expect(page.locator("[data-control=grip]")).to_have_count(0)


def test_another_order_is_looked_at_and_kept(page, server, kitchen):
    server.ask("POST", f"/v1/lists/{kitchen[0]}/reorder", {"sort": "-title"})
    expect_titles(page, ["Mixer", "Kettle", LAST])
    order(page, "Title")
    expect_titles(page, ["Kettle", "Mixer", LAST])
    assert server.rows(kitchen[0]) == ["Mixer", "Kettle"]
    page.get_by_role("button", name="Own order").click()
    expect_titles(page, ["Mixer", "Kettle", LAST])
    order(page, "Title")
    page.get_by_role("button", name="Keep this order").click()
    # The rows looked so before; it is done when nothing is said of another order any more.
    expect(page.locator(".order-mark")).to_be_hidden()
    expect_titles(page, ["Kettle", "Mixer", LAST])
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer"]
    page.locator(".toast button").click()
    expect_titles(page, ["Mixer", "Kettle", LAST])


def test_rows_are_looked_at_in_sections_and_some_of_them_only(windows, server):
    shop, _ = server.make_list("Shop")
    for name, value in [("Lamp", 80), ("Nail", 0.05), ("Vase", 120), ("Box 10", None), ("Box 2", None)]:
        server.make_thing(shop, name, valueInDollars=value)
    server.make_list("Drawer", parent=shop)
    window = windows()
    window.expect_complaints("422")
    page = window.open()
    enter(page, "Shop")
    order(page, "Title", kind="Items", above="50")
    expect_titles(page, ["…", "Lamp", "Vase", "…", "Box 2", "Box 10", "Nail", LAST])
    expect(page.locator(".row-section")).to_have_text(["More than $502", "The rest3"])
    expect(page.get_by_role("button", name="Keep this order")).to_have_count(0)
    # What changes meanwhile is read anew.
    server.make_thing(shop, "Clock", valueInDollars=60)
    expect_titles(page, ["…", "Clock", "Lamp", "Vase", "…", "Box 2", "Box 10", "Nail", LAST])
    # The keys go past the heads.
    row(page, "Vase").locator("[data-control=main]").focus()
    page.keyboard.press("ArrowDown")
    expect(row(page, "Box 2").locator("[data-control=main]")).to_be_focused()
    page.keyboard.press("Home")
    expect(row(page, "Clock").locator("[data-control=main]")).to_be_focused()
    # One comes back to it as it was left.
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("Clock")
    bar(page, "back").click()
    expect_titles(page, ["…", "Clock", "Lamp", "Vase", "…", "Box 2", "Box 10", "Nail", LAST])
    page.locator("[data-action=order]").click()
    field = sheet(page).get_by_label("Worth more than")
    field.fill("a lot")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("100")
    sheet(page).get_by_role("radio", name="Descending").check()
    sheet(page).locator("[data-action=close]").click()
    expect_titles(page, ["…", "Vase", "…", "Nail", "Lamp", "Clock", "Box 10", "Box 2", LAST])


def test_tags_lead_to_what_has_them(page, server, kitchen):
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"tags": ["tea", "steel"]})
    server.ask("PATCH", f"/v1/items/{kitchen[1][1]}", {"tags": ["steel"]})
    menu(page, "Tags")
    expect(sheet(page).locator(".choices button")).to_have_text(["steel2", "tea1"])
    sheet(page).get_by_role("button", name="steel").click()
    expect(sheet(page).get_by_role("heading")).to_have_text("Tag “steel”")
    expect(sheet(page).locator(".hits li")).to_have_count(2)
    sheet(page).get_by_role("button", name="Kettle").click()
    expect(heading(page)).to_have_text("Kettle")
    page.locator(".tag", has_text="tea").click()
    expect(sheet(page).locator(".hits .row-title")).to_have_text(["Kettle"])
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    expect(heading(page)).to_have_text("Kettle")


def test_one_chooses_among_inventories(page, server):
    menu(page, "Inventories")
    sheet(page).get_by_role("button", name="New inventory").click()
    sheet(page).get_by_label("Title").fill("Summer house")
    save(page)
    expect(heading(page)).to_have_text("Summer house")
    expect_titles(page, [LAST])
    page.get_by_role("button", name="Add something").click()
    choose(page, "List")
    sheet(page).get_by_label("Title").fill("Porch")
    save(page)
    expect_titles(page, ["Porch", LAST])
    expect(page.get_by_role("button", name="Add something")).to_be_hidden()
    enter(page, "Porch")
    # Each is come back to where it was left.
    menu(page, "Inventories")
    sheet(page).get_by_role("button", name="Inventory", exact=True).click()
    expect(heading(page)).to_have_text("Kitchen")
    assert server.rows() == ["Kitchen"]
    menu(page, "Inventories")
    sheet(page).get_by_role("button", name="Summer house").click()
    expect(heading(page)).to_have_text("Porch")


def test_the_trash_and_the_log_bring_things_back(page, server, kitchen):
    server.ask("DELETE", f"/v1/rows/{kitchen[1][0]}")
    expect_titles(page, ["Mixer", LAST])
    menu(page, "Trash")
    sheet(page).get_by_role("button", name="Put back").click()
    expect(sheet(page)).to_contain_text("The trash is empty.")
    sheet(page).locator("[data-action=close]").click()
    expect_titles(page, ["Kettle", "Mixer", LAST])
    menu(page, "Changes")
    expect(sheet(page).locator(".entries li").first).to_contain_text("Row put back")
    sheet(page).get_by_role("button", name="Undo").first.click()
    expect(sheet(page).locator(".entries li").first).to_contain_text("Change undone")
    sheet(page).locator("[data-action=close]").click()
    expect_titles(page, ["Mixer", LAST])


def test_tabs_keep_their_places(page):
    expect(page.locator(".tab-bar")).to_be_hidden()
    menu(page, "Open in a new tab")
    expect(page.locator(".tab-bar button")).to_have_count(2)
    expect(page.locator(".bar-leading button")).to_have_count(0)
    enter(page, "Mixer")
    page.locator(".tab-bar button").first.click()
    expect(heading(page)).to_have_text("Kitchen")
    expect(bar(page, "back")).to_have_text("Inventory")
    page.locator(".tab-bar button").last.click()
    expect(heading(page)).to_have_text("Mixer")
    # The selected tab, tapped again, goes back to its first screen.
    page.locator(".tab-bar button").last.click()
    expect(heading(page)).to_have_text("Kitchen")
    menu(page, "Tabs")
    sheet(page).get_by_role("button", name="Close tab Inventory").click()
    expect(page.locator(".tab-bar")).to_be_hidden()
    expect(heading(page)).to_have_text("Kitchen")


def test_far_down_the_ways_back_up_are_at_hand(windows, server):
    parent = "root"
    for level in range(2, 6):
        parent, _ = server.make_list(f"Level {level}", parent=parent)
    page = windows().open()
    for level in range(2, 6):
        enter(page, f"Level {level}")
    page.locator(".way").get_by_role("button", name="Level 2").click()
    expect(heading(page)).to_have_text("Level 2")
    expect(bar(page, "back")).to_have_text("Inventory")


@pytest.mark.usefixtures("chromium_only")
def test_everything_is_taken_along_and_brought_back(page, server, kitchen, tmp_path):
    menu(page, "Export and import")
    with page.expect_download() as download:
        sheet(page).get_by_role("button", name="Export everything").click()
    lines = [json.loads(line) for line in open(download.value.path(), encoding="utf-8")]
    assert sum(line.get("name") == "Kettle" for line in lines) == 1
    with page.expect_download() as table:
        sheet(page).get_by_role("button", name="Export this list as a table").click()
    text = open(table.value.path(), encoding="utf-8-sig").read()
    path = tmp_path / "rows.csv"
    path.write_text(text.replace("Kettle", "Tea kettle"), encoding="utf-8")
    sheet(page).get_by_label("Import a file").set_input_files(str(path))
    expect(sheet(page)).to_contain_text("Changed: 1")
    sheet(page).locator("[data-answer=yes]").click()
    expect_titles(page, ["Tea kettle", "Mixer", LAST])
    expect(page.locator("dialog")).to_have_count(0)


def test_a_table_with_mistakes_says_which_lines(windows, server, kitchen, tmp_path):
    window = windows()
    window.expect_complaints("422")
    page = window.open()
    enter(page, "Kitchen")
    path = tmp_path / "rows.csv"
    path.write_text("name,valueInDollars\nToaster,much\n", encoding="utf-8")
    menu(page, "Export and import")
    sheet(page).get_by_label("Import a file").set_input_files(str(path))
    expect(sheet(page).locator(".entries")).to_contain_text("Line 2")
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer"]


def test_the_bars_colours_are_the_inventorys(windows, server, kitchen):
    server.ask("PUT", "/v1/appearance", {"navigationBar": "#123456", "title": "#FFFFFF", "button": "#FFD166",
                                         "toolbar": "#123456", "tabBar": "#123456"})
    page = windows().open()
    expect(page.locator(".navigation-bar")).to_have_css("background-color", "rgb(18, 52, 86)")
    expect(heading(page)).to_have_css("color", "rgb(255, 255, 255)")
    expect(bar(page, "edit")).to_have_css("color", "rgb(255, 209, 102)")


def test_about_tells_what_the_server_is(page):
    menu(page, "About")
    expect(heading(page)).to_have_text("About Rowhouse")
    expect(page.locator(".facts")).to_contain_text("MIT")
    bar(page, "back").click()
    expect(heading(page)).to_have_text("Kitchen")
