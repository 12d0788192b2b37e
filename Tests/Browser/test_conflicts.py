"""What two people change at the same time: both see what the other has written, and neither loses it."""

import json

from playwright.sync_api import expect

from conftest import bar, body_of, enter, heading, menu, save, sheet


def edit_kettle(page, server, kitchen, **fields):
    """The form of an item, opened before somebody else changes it."""
    kettle = kitchen[1][0]
    server.ask("PATCH", f"/v1/items/{kettle}", fields)
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Name").wait_for()
    return f"/v1/items/{kettle}"


def conflict(page, label):
    return sheet(page).get_by_role("group", name=label, exact=True)


def test_theirs_and_yours_are_shown_to_choose_from(page, window, server, kitchen):
    window.expect_complaints("412")
    kettle = edit_kettle(page, server, kitchen, notes="Whistles", serialNumber="K-1")
    sheet(page).get_by_label("Notes").fill("Lent to Ann")
    sheet(page).get_by_label("Serial number").fill("K-2")
    sheet(page).get_by_label("Quantity").fill("3")
    server.ask("PATCH", kettle, {"notes": "Broken", "serialNumber": "K-3", "tags": ["old"]})
    save(page)
    expect(sheet(page).get_by_role("alert")).to_contain_text("Choose a value for each")
    expect(conflict(page, "Notes").get_by_label("Theirs")).to_be_visible()
    expect(conflict(page, "Notes")).to_contain_text("Broken")
    expect(conflict(page, "Notes")).to_contain_text("Lent to Ann")
    # What only one of them has changed needs no choice.
    expect(conflict(page, "Quantity")).to_have_count(0)
    expect(sheet(page).get_by_label("Quantity")).to_have_value("3")
    expect(sheet(page).locator(".tag-chip bdi")).to_have_text(["old"])
    # Without a choice nothing is saved.
    save(page)
    expect(conflict(page, "Notes")).to_contain_text("Choose theirs or yours.")
    item = server.ask("GET", kettle)
    assert (item["notes"], item["serialNumber"], item["quantity"]) == ("Broken", "K-3", 1)
    conflict(page, "Notes").get_by_label("Theirs").check()
    expect(sheet(page).get_by_role("textbox", name="Notes")).to_have_value("Broken")
    conflict(page, "Serial number").get_by_label("Yours").check()
    expect(sheet(page).get_by_role("textbox", name="Serial number")).to_have_value("K-2")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    item = server.ask("GET", kettle)
    assert (item["notes"], item["serialNumber"], item["quantity"], item["tags"]) == ("Broken", "K-2", 3, ["old"])


def test_what_is_typed_into_a_conflict_is_ones_own(page, window, server, kitchen):
    window.expect_complaints("412")
    kettle = edit_kettle(page, server, kitchen, notes="Whistles")
    sheet(page).get_by_label("Notes").fill("Lent to Ann")
    server.ask("PATCH", kettle, {"notes": "Broken"})
    save(page)
    conflict(page, "Notes").get_by_label("Theirs").check()
    sheet(page).get_by_role("textbox", name="Notes").fill("Broken, and lent to Ann")
    expect(conflict(page, "Notes").get_by_label("Yours")).to_be_checked()
    # And once more somebody was faster.
    server.ask("PATCH", kettle, {"notes": "Mended"})
    save(page)
    expect(conflict(page, "Notes")).to_contain_text("Mended")
    expect(conflict(page, "Notes")).to_contain_text("Broken, and lent to Ann")
    conflict(page, "Notes").get_by_label("Yours").check()
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    assert server.ask("GET", kettle)["notes"] == "Broken, and lent to Ann"


def test_a_text_of_ones_own_is_chosen_as_it_was_typed_last(page, window, server, kitchen):
    window.expect_complaints("412")
    kettle = edit_kettle(page, server, kitchen, notes="Whistles", tags=["old"], fields={"Colour": "Red", "Room": "A"})
    notes = sheet(page).get_by_role("textbox", name="Notes")
    colour = sheet(page).get_by_role("textbox", name="Text Colour")
    notes.fill("Lent to Ann")
    colour.fill("Blue")
    sheet(page).get_by_label("Tags").fill("blue")
    sheet(page).get_by_role("textbox", name="Text Room").fill("C")
    server.ask("PATCH", kettle, {"notes": "Broken", "tags": ["green"], "fields": {"Colour": "Green", "Room": "B"}})
    save(page)
    expect(conflict(page, "Notes")).to_contain_text("Broken")
    # Typing is a choice.
    notes.fill("Broken, lent to Ann")
    colour.fill("Turquoise")
    sheet(page).get_by_role("button", name="Remove field Room").click()
    for label in ("Notes", "Colour", "Room"):
        expect(conflict(page, label).get_by_label("Yours")).to_be_checked()
    expect(conflict(page, "Room").locator(".conflict-choice").last).to_contain_text("Nothing")
    # And it is that text which is chosen again, not an earlier one.
    for label in ("Notes", "Colour", "Room"):
        conflict(page, label).get_by_label("Theirs").check()
    expect(notes).to_have_value("Broken")
    expect(colour).to_have_value("Green")
    # Tags need no choice.
    expect(sheet(page).locator(".tag-chip bdi")).to_have_text(["green", "blue"])
    expect(sheet(page).get_by_role("textbox", name="Text Room")).to_have_value("B")
    for label in ("Notes", "Colour", "Room"):
        conflict(page, label).get_by_label("Yours").check()
    expect(colour).to_have_value("Turquoise")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    item = server.ask("GET", kettle)
    assert (item["notes"], item["tags"], item["fields"]) == ("Broken, lent to Ann", ["green", "blue"], {"Colour": "Turquoise"})


def test_ones_own_fields_are_chosen_one_by_one(page, window, server, kitchen):
    window.expect_complaints("412")
    kettle = edit_kettle(page, server, kitchen, fields={"Colour": "Red", "Room": "A", "Size": {"cm": 20}})
    sheet(page).get_by_label("Text Colour").fill("Blue")
    sheet(page).get_by_role("button", name="Remove field Room").click()
    server.ask("PATCH", kettle, {"fields": {"Colour": "Green", "Room": "B", "Size": {"cm": 25}, "Shelf": "3"}})
    save(page)
    expect(conflict(page, "Colour")).to_contain_text("Green")
    expect(conflict(page, "Room")).to_contain_text("Nothing")
    conflict(page, "Colour").get_by_label("Theirs").check()
    conflict(page, "Room").get_by_label("Yours").check()
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        save(page)
    expect(page.locator("dialog")).to_have_count(0)
    # Nothing is sent that was not changed here.
    assert json.loads(body_of(sent.value)) == {"fields": {"Room": None}}
    assert server.ask("GET", kettle)["fields"] == {"Colour": "Green", "Size": {"cm": 25}, "Shelf": "3"}


def test_a_patch_has_only_what_was_changed(page, server, kitchen):
    edit_kettle(page, server, kitchen, quantity=6, fields={"Colour": "Red", "Room": "A"})
    sheet(page).get_by_label("Text Colour").fill("Blue")
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        save(page)
    assert json.loads(body_of(sent.value)) == {"fields": {"Colour": "Blue"}}


def test_a_lists_details_are_saved_though_its_rows_have_changed(page, window, server, kitchen):
    window.expect_complaints("412")
    menu(page, "Details")
    sheet(page).get_by_label("Title").fill("Galley")
    server.make_thing(kitchen[0], "Whisk")
    save(page)
    expect(heading(page)).to_have_text("Galley")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_lists_title_is_chosen_too(page, window, server, kitchen):
    window.expect_complaints("412")
    menu(page, "Details")
    sheet(page).get_by_label("Title").fill("Galley")
    sheet(page).get_by_label("Adding", exact=True).uncheck()
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"title": "Cookhouse", "permissions": {"move": False}})
    save(page)
    conflict(page, "Title").get_by_label("Theirs").check()
    expect(conflict(page, "Adding")).to_have_count(0)
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    expect(heading(page)).to_have_text("Cookhouse")
    permissions = server.ask("GET", f"/v1/lists/{kitchen[0]}")["permissions"]
    assert permissions == {"add": False, "edit": True, "move": False, "delete": True}


def test_an_edit_of_what_others_have_deleted_is_saved_after_a_restore(page, window, server, kitchen):
    window.expect_complaints("410|404")
    kettle = edit_kettle(page, server, kitchen, notes="Whistles")
    sheet(page).get_by_label("Notes").fill("Lent to Ann")
    server.ask("DELETE", kettle)
    save(page)
    expect(sheet(page).get_by_role("alert")).to_contain_text("In the trash")
    sheet(page).get_by_role("button", name="Restore and save").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert server.ask("GET", kettle)["notes"] == "Lent to Ann"


def test_tags_of_both_are_saved_without_a_choice(page, window, server, kitchen):
    window.expect_complaints("412")
    kettle = edit_kettle(page, server, kitchen, tags=["old", "blue"])
    sheet(page).get_by_label("Tags").fill("mine")
    sheet(page).get_by_role("button", name="Remove tag old").click()
    server.ask("PATCH", kettle, {"tags": ["old", "blue", "theirs"]})
    save(page)
    expect(sheet(page).get_by_role("alert")).to_contain_text("changed")
    expect(sheet(page).locator(".tag-chip bdi")).to_have_text(["blue", "theirs", "mine"])
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    assert server.ask("GET", kettle)["tags"] == ["blue", "theirs", "mine"]
