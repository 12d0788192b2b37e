"""What somebody types into sheets is neither lost nor saved twice."""

import json

import pytest
from playwright.sync_api import expect

from answers import slow
from conftest import LAST, back, bar, body_of, choose, enter, expect_titles, heading, menu, save, sheet
from test_photos import png


def test_save_pressed_twice_saves_once(editing, server, kitchen, window):
    bar(editing, "add").click()
    sheet(editing).get_by_label("Name").fill("Whisk")
    slow(editing, "**/items")
    window.requests.clear()
    # As a nervous finger, and a key besides.
    sheet(editing).locator("[data-action=save]").evaluate("button => { button.click(); button.click(); }")
    sheet(editing).get_by_label("Name").press("Enter")
    expect(sheet(editing)).to_have_attribute("aria-busy", "true")
    expect(editing.locator("dialog")).to_have_count(0)
    assert len([method for method, address in window.requests if method == "POST" and address.endswith("/items")]) == 1
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster", "Whisk"]


def test_what_was_typed_goes_along_to_another_kind(editing, server, kitchen):
    bar(editing, "add").click()
    sheet(editing).get_by_label("Name").fill("Drawer")
    sheet(editing).get_by_label("Notes").fill("for spoons")
    sheet(editing).get_by_role("radio", name="List").check()
    expect(sheet(editing).get_by_label("Title")).to_have_value("Drawer")
    sheet(editing).get_by_role("radio", name="Thing").check()
    expect(sheet(editing).get_by_label("Notes")).to_have_value("for spoons")


def test_what_was_cleared_stays_cleared_in_another_kind(editing):
    bar(editing, "add").click()
    choose(editing, "Thing")
    for label in ("Name", "Notes", "Quantity", "Tags"):
        sheet(editing).get_by_label(label).fill("5")
    choose(editing, "Car")
    sheet(editing).get_by_role("button", name="Remove tag 5").click()
    for label in ("Name", "Notes", "Quantity"):
        expect(sheet(editing).get_by_label(label)).to_have_value("5")
        sheet(editing).get_by_label(label).fill("")
    for kind in ("Thing", "List", "Car"):
        choose(editing, kind)
        expect(sheet(editing).get_by_label("Title" if kind == "List" else "Name")).to_have_value("")
        if kind != "List":
            expect(sheet(editing).get_by_label("Notes")).to_have_value("")
            expect(sheet(editing).get_by_label("Quantity")).to_have_value("")
            expect(sheet(editing).locator(".tag-chip")).to_have_count(0)


def test_all_that_was_typed_for_a_thing_is_saved_with_the_car_that_it_becomes(editing, server, kitchen):
    bar(editing, "add").click()
    sheet(editing).get_by_label("Name").fill("Van")
    sheet(editing).get_by_label("Notes").fill("in the yard")
    sheet(editing).get_by_role("button", name="Add field").click()
    sheet(editing).get_by_label("Field", exact=True).fill("Plate")
    sheet(editing).get_by_label("Text", exact=True).fill("B-XY 1")
    # Also where a list came in between.
    sheet(editing).get_by_role("radio", name="List").check()
    sheet(editing).get_by_role("radio", name="Car").check()
    expect(sheet(editing).get_by_label("Field", exact=True)).to_have_value("Plate")
    sheet(editing).get_by_label("Make").fill("Mazda")
    save(editing)
    expect(editing.locator("dialog")).to_have_count(0)
    made = server.ask("GET", f"/v1/lists/{kitchen[0]}/rows?sentinel=false")["rows"][-1]["id"]
    item = server.ask("GET", f"/v1/items/{made}")
    assert (item["name"], item["notes"], item["fields"]) == ("Van", "in the yard", {"Plate": "B-XY 1"})


def test_what_was_typed_is_not_lost_by_escape_nor_by_the_way_back(editing):
    # Two quick taps open one sheet.
    bar(editing, "add").evaluate("button => { button.click(); button.click(); }")
    sheet(editing).get_by_label("Name").wait_for()
    editing.keyboard.press("Escape")
    expect(editing.locator("dialog")).to_have_count(0)
    bar(editing, "add").click()
    name = sheet(editing).get_by_label("Name")
    name.fill("Whisk")
    editing.keyboard.press("Escape")
    expect(sheet(editing).get_by_role("heading")).to_have_text("Discard your changes?")
    sheet(editing).locator("[data-answer=no]").click()
    expect(name).to_have_value("Whisk")
    editing.go_back()
    expect(sheet(editing).get_by_role("heading")).to_have_text("Discard your changes?")
    sheet(editing).locator("[data-answer=yes]").click()
    expect(editing.locator("dialog")).to_have_count(0)
    # It led out of the sheet, and no further.
    expect(heading(editing)).to_have_text("Kitchen")
    editing.go_back()
    expect(heading(editing)).to_have_text("Inventory")


def test_escape_again_and_again_loses_nothing_that_was_typed(page):
    bar(page, "edit").click()
    bar(page, "add").click()
    sheet(page).get_by_label("Name").fill("Whisk")
    question = page.get_by_role("heading", name="Discard your changes?")
    for _ in range(3):
        page.keyboard.press("Escape")
        expect(question).to_be_visible()
        page.keyboard.press("Escape")
        expect(question).to_have_count(0)
    expect(sheet(page).get_by_label("Name")).to_have_value("Whisk")


def test_an_edit_that_meets_another_ones_is_looked_at_again(page, window, server, kitchen):
    window.expect_complaints("412")
    kettle = kitchen[1][0]
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Notes").fill("Mine")
    server.ask("PATCH", f"/v1/items/{kettle}", {"serialNumber": "THEIRS"})
    save(page)
    expect(sheet(page).get_by_role("alert")).to_contain_text("Someone else has changed this")
    expect(sheet(page).get_by_label("Serial number")).to_have_value("THEIRS")
    expect(sheet(page).get_by_label("Notes")).to_have_value("Mine")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    item = server.ask("GET", f"/v1/items/{kettle}")
    assert (item["serialNumber"], item["notes"]) == ("THEIRS", "Mine")


def test_fields_that_somebody_else_added_outlive_ones_own(page, window, server, kitchen):
    kettle = kitchen[1][0]
    server.ask("PATCH", f"/v1/items/{kettle}", {"fields": {"Colour": "Red", "Watts": 2000, "constructor": "me"}})
    window.expect_complaints("412")
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Text Colour").fill("Blue")
    sheet(page).get_by_role("button", name="Remove field constructor").click()
    server.ask("PATCH", f"/v1/items/{kettle}", {"fields": {"Litres": "1.7", "Watts": 1800}})
    save(page)
    expect(sheet(page).get_by_role("alert")).to_contain_text("Someone else has changed this")
    expect(sheet(page).get_by_label("Text Litres")).to_have_value("1.7")
    expect(sheet(page).get_by_label("Text Watts")).to_have_value("1800")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    assert server.ask("GET", f"/v1/items/{kettle}")["fields"] == {"Colour": "Blue", "Watts": 1800, "Litres": "1.7"}


def test_what_is_wrong_with_a_field_is_said_beside_it(editing, window):
    window.expect_complaints("422")
    page = editing
    bar(page, "add").click()
    sheet(page).get_by_label("Name").fill("Whisk")
    sheet(page).get_by_label("Value in dollars").fill("a lot")
    with page.expect_response(lambda answer: answer.status == 422):
        save(page)
    field = sheet(page).get_by_label("Value in dollars")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    field.fill("20")
    save(page)
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", LAST])


def test_a_number_that_is_none_does_not_clear_the_field(page, window, server, kitchen):
    kettle = kitchen[1][0]
    server.ask("PATCH", f"/v1/items/{kettle}", {"valueInDollars": 30})
    window.expect_complaints("422")
    enter(page, "Kettle")
    bar(page, "edit").click()
    value = sheet(page).get_by_label("Value in dollars")
    expect(value).not_to_have_attribute("aria-invalid", "true")
    value.fill("1e999")
    save(page)
    expect(sheet(page).locator(".field-fault:not([hidden])")).not_to_be_empty()
    expect(value).to_have_attribute("aria-invalid", "true")
    assert server.ask("GET", f"/v1/items/{kettle}")["valueInDollars"] == 30


def test_only_plain_decimals_are_numbers(page, window, server, kitchen):
    window.expect_complaints("422")
    kettle = f"/v1/items/{kitchen[1][0]}"
    enter(page, "Kettle")
    bar(page, "edit").click()
    value = sheet(page).get_by_label("Value in dollars")
    for typed in ("0x1F", "0b101", "1e2", "12.340000000000000001"):
        value.fill(typed)
        with page.expect_response(lambda answer: answer.status == 422):
            save(page)
        expect(value).to_have_attribute("aria-invalid", "true")
        expect(sheet(page)).not_to_have_attribute("aria-busy", "true")
    value.fill("12.50")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    assert server.ask("GET", kettle)["valueInDollars"] == 12.5


def test_lines_of_notes_end_as_they_did(page, server, kitchen):
    kettle = f"/v1/items/{kitchen[1][0]}"
    server.ask("PATCH", kettle, {"notes": "one\r\ntwo", "fields": {"address": "Main St\r\nTown"}})
    enter(page, "Kettle")

    def typed(**texts):
        bar(page, "edit").click()
        for label, text in texts.items():
            sheet(page).get_by_label(label).fill(text)
        with page.expect_request(lambda request: request.method == "PATCH") as sent:
            save(page)
        expect(page.locator("dialog")).to_have_count(0)
        return json.loads(body_of(sent.value))

    assert typed(Name="Tea kettle") == {"name": "Tea kettle"}
    assert typed(Notes="one\ntwo\nthree") == {"notes": "one\r\ntwo\r\nthree"}
    assert typed(**{"Text address": "Main St\nCity"}) == {"fields": {"address": "Main St\r\nCity"}}


@pytest.mark.usefixtures("chromium_only")
def test_a_page_with_something_typed_asks_before_it_is_left(page):
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    bar(page, "edit").click()
    bar(page, "add").click()
    sheet(page).get_by_label("Name").press_sequentially("Whisk")
    page.evaluate("() => location.reload()")
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"]
    expect(sheet(page).get_by_label("Name")).to_have_value("Whisk")
    # Where nothing would be lost, nothing is asked.
    sheet(page).get_by_label("Name").fill("")
    page.reload()
    page.locator(".stage:not([aria-busy]) h1").wait_for()
    expect(page.locator("dialog")).to_have_count(0)
    # Nor where that has been asked already.
    menu(page, "Settings")
    sheet(page).get_by_label("Name of this device").press_sequentially("Tablet")
    sheet(page).get_by_role("button", name="العربية").click()
    with page.expect_navigation():
        sheet(page).locator("[data-answer=yes]").click()
    expect(page.locator("html")).to_have_attribute("lang", "ar")
    assert asked == ["beforeunload"]


@pytest.mark.usefixtures("chromium_only")
def test_a_row_that_is_typed_survives_another_language(page, server, kitchen):
    page.keyboard.press("n")
    page.keyboard.type("Whisk")
    menu(page, "Settings")
    with page.expect_navigation():
        sheet(page).get_by_role("button", name="العربية").click()
    expect(page.locator("html")).to_have_attribute("lang", "ar")
    page.locator(".new-round").click()
    expect(page.locator(".new-field input")).to_have_value("Whisk")


@pytest.mark.usefixtures("chromium_only")
def test_a_page_asks_before_it_is_left_with_a_row_of_another_list_or_a_photo_on_its_way(page, server, kitchen, tmp_path):
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))

    def wait_until_asked(times):
        for _ in range(100):
            if len(asked) == times:
                break
            page.wait_for_timeout(50)
        assert asked == ["beforeunload"] * times

    page.keyboard.press("n")
    page.keyboard.type("Whisk")
    back(page, "Inventory")
    page.evaluate("() => location.reload()")
    wait_until_asked(1)
    enter(page, "Kitchen")
    page.locator(".new-round").click()
    page.locator(".new-field input").fill("")
    page.keyboard.press("Escape")
    enter(page, "Kettle")
    held = []
    page.route("**/photos?id=*", lambda route: held.append(route), times=1)
    page.get_by_label("Add photo").set_input_files(png(tmp_path / "1.png", (1, 2, 3)))
    expect(page.locator(".photo-progress")).to_have_count(1)
    page.evaluate("() => location.reload()")
    wait_until_asked(2)
    for _ in range(100):
        if held:
            break
        page.wait_for_timeout(50)
    held[0].continue_()
    expect(page.locator(".photo-progress")).to_have_count(0)


def test_typing_goes_on_while_others_change_things(page, server, kitchen):
    field = page.get_by_role("searchbox", name="Search")
    field.press_sequentially("Kett")
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"title": "Galley"})
    expect(heading(page)).to_have_text("Galley")
    expect(field).to_be_focused()
    field.press_sequentially("le")
    expect(page.locator(".hits .row-title")).to_have_text(["Kettle"])


@pytest.mark.parametrize("typed, saved", [
    ("1.299", "1.299"), ("2.000", "2.000"), ("0.125", 0.125), ("1,299.50", 1299.5), ("1.299,50", 1299.5), ("1 299,5", 1299.5), ("1'299", 1299), ("$1,299", 1299), ("12,34,567.5", 1234567.5),
    ("٤٥٫٥", 45.5), ("١٬٢٩٩٫٥", 1299.5), ("۱۲", 12), ("45,5", 45.5), ("0,299", 0.299), (".5", 0.5), ("−3", -3), ("", None),
    # The server explains these.
    ("1,2,3", "1,2,3"), ("1.2.3", "1.2.3"), ("a lot", "a lot"), ("5-", "5-"), ("12345678901234567", "12345678901234567")])
def test_a_number_is_read_as_people_write_it(start, typed, saved):
    assert start.evaluate(
        "async (typed) => (await import('/modules/typed-number.js')).typedNumber(typed)", typed) == saved


@pytest.mark.parametrize("typed, saved", [("1,299.50", 1299.5), ("٤٥٫٥", 45.5)])
def test_a_value_is_saved_as_it_was_meant(page, server, kitchen, typed, saved):
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Value in dollars").fill(typed)
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    assert server.ask("GET", f"/v1/items/{kitchen[1][0]}")["valueInDollars"] == saved
