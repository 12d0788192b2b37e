"""What was typed into a form outlives a token that is refused: the form is open again after signing in."""

import pytest
from playwright.sync_api import expect

from conftest import LAST, bar, enter, expect_kept, expect_titles, heading, menu, save, sheet, sign_out
from test_adding import add, field
from test_another_token import tablet
from test_signing_out import expect_asked, owner, shared

pytestmark = pytest.mark.usefixtures("chromium_only")

TITLES = ["Kettle", "Mixer", "Toaster"]

# What the window keeps of forms.
DRAFTS = "JSON.stringify(Object.entries(sessionStorage).filter(([name]) => name.startsWith('rowhouse.draft')))"


def edit_kettle(page):
    enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("1 of 3")
    bar(page, "edit").click()
    sheet(page).get_by_label("Notes").fill("Half an hour of typing")


def revoke(server, token):
    server.ask("DELETE", f"/v1/tokens/{token['id']}")


def sign_in_at(page, token):
    sheet(page).get_by_label("Token").fill(token)
    sheet(page).get_by_role("button", name="Sign in").click()


def test_an_item_that_is_edited_is_edited_on_with_the_next_token(tablet, server, owner, shared):
    window, token = tablet
    page = window.page
    edit_kettle(page)
    sheet(page).get_by_label("Value").fill("12,5 or so")
    sheet(page).get_by_role("button", name="Add field").click()
    sheet(page).get_by_label("Field", exact=True).fill("Colour")
    sheet(page).locator(".own-field").get_by_label("Text").fill("Red")
    kettle = page.url.split("/")[-1]
    revoke(server, token)
    # Others change it meanwhile.
    server.ask("PATCH", f"/v1/items/{kettle}", {"serialNumber": "K-7"})
    expect_asked(page)
    sign_in_at(page, owner)
    expect(sheet(page).get_by_label("Notes")).to_have_value("Half an hour of typing")
    expect(sheet(page).get_by_label("Value")).to_have_value("12,5 or so")
    sheet(page).get_by_label("Value").fill("12.50")
    assert page.evaluate(DRAFTS) == "[]"
    save(page)
    # The form now has the present values, too.
    expect(sheet(page)).to_contain_text("changed")
    expect(sheet(page).get_by_label("Serial number")).to_have_value("K-7")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    expect(heading(page)).to_have_text("Kettle")
    item = server.ask("GET", f"/v1/items/{kettle}")
    assert (item["notes"], item["valueInDollars"], item["serialNumber"], item["fields"]) == (
        "Half an hour of typing", 12.5, "K-7", {"Colour": "Red"})


def test_a_lists_settings_are_edited_on_with_the_next_token(tablet, server, owner, shared):
    window, token = tablet
    page = window.page
    menu(page, "Details")
    sheet(page).get_by_label("Title").fill("Galley")
    sheet(page).get_by_role("radio", name="Teal").check(force=True)
    sheet(page).get_by_label("Removing", exact=True).set_checked(False)
    revoke(server, token)
    expect_asked(page)
    sign_in_at(page, owner)
    expect(sheet(page).get_by_label("Title")).to_have_value("Galley")
    save(page)
    expect(heading(page)).to_have_text("Galley")
    expect(page.locator("dialog")).to_have_count(0)
    changed = server.ask("GET", f"/v1/lists/{shared}")
    assert (changed["title"], changed["colour"], changed["permissions"]["delete"]) == ("Galley", "teal", False)


def test_a_new_item_is_added_with_the_next_token(tablet, server, owner, shared):
    window, token = tablet
    page = window.page
    bar(page, "edit").click()
    bar(page, "add").click()
    sheet(page).get_by_role("radio", name="Car").check()
    sheet(page).get_by_label("Make").fill("Saab")
    sheet(page).get_by_label("Place").select_option("first")
    sheet(page).get_by_role("button", name="Add field").click()
    sheet(page).get_by_label("Field", exact=True).fill("Colour")
    sheet(page).locator(".own-field").get_by_label("Text").fill("Red")
    revoke(server, token)
    expect_asked(page)
    sign_in_at(page, owner)
    expect(sheet(page).get_by_role("radio", name="Car")).to_be_checked()
    expect(sheet(page).get_by_label("Make")).to_have_value("Saab")
    save(page)
    expect_kept(page, server, shared, ["Saab", *TITLES])
    car = server.ask("GET", f"/v1/lists/{shared}/rows")["rows"][0]["id"]
    assert server.ask("GET", f"/v1/items/{car}")["fields"] == {"Colour": "Red"}


def test_what_is_typed_at_the_end_of_a_list_waits_for_the_next_token(tablet, server, owner, shared):
    window, token = tablet
    page = window.page
    page.keyboard.press("n")
    add(page, "x" * 5000)
    line = page.locator(".new-line")
    expect(line.get_by_role("alert")).not_to_be_empty()
    field(page).fill("Half a wor")
    revoke(server, token)
    expect_asked(page)
    sign_in_at(page, owner)
    expect(line.get_by_role("alert")).not_to_be_empty()
    line.get_by_role("button", name="More details").click()
    sheet(page).get_by_label("Name", exact=True).fill("Sieve")
    save(page)
    expect_kept(page, server, shared, [*TITLES, "Sieve"])
    expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("n")
    expect(field(page)).to_have_value("Half a wor")
    assert page.evaluate(DRAFTS) == "[]"


def test_a_row_that_is_typed_does_not_take_the_place_of_a_form(tablet, server, owner, shared):
    window, token = tablet
    page = window.page
    page.keyboard.press("n")
    field(page).fill("Whi")
    edit_kettle(page)
    revoke(server, token)
    expect_asked(page)
    sign_in_at(page, owner)
    expect(sheet(page).get_by_label("Notes")).to_have_value("Half an hour of typing")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    bar(page, "back").click()
    expect(heading(page)).to_have_text("Kitchen")
    page.keyboard.press("n")
    expect(field(page)).to_have_value("Whi")


def test_a_form_that_was_dropped_is_not_opened_again(tablet, server, owner):
    window, token = tablet
    page = window.page
    edit_kettle(page)
    revoke(server, token)
    expect_asked(page)
    sign_in_at(page, owner)
    expect(sheet(page).get_by_label("Notes")).to_have_value("Half an hour of typing")
    sheet(page).locator("[data-action=cancel]").click()
    sheet(page).locator("[data-answer=yes]").click()
    expect(page.locator("dialog")).to_have_count(0)
    page.reload()
    expect(heading(page)).to_have_text("Kettle")
    expect(page.locator("dialog")).to_have_count(0)


def test_nothing_typed_is_shown_in_another_inventory_or_after_a_sign_out(tablet, server, owner):
    window, token = tablet
    page = window.page
    edit_kettle(page)
    revoke(server, token)
    expect_asked(page)
    assert "Half an hour" in page.evaluate(DRAFTS)
    server.token = server.make_token("admin")
    boat = server.ask("POST", "/v1/inventories", {"title": "Boat"})["id"]
    guest = server.ask("POST", "/v1/tokens", {"name": "Guest", "role": "editor"}, inventory=boat)["token"]
    sign_in_at(page, guest)
    expect_titles(page, [LAST])
    expect(page.locator("dialog")).to_have_count(0)
    assert "Half an hour" not in page.content()
    sign_out(page)
    expect_asked(page)
    assert page.evaluate(DRAFTS) == "[]"
    sign_in_at(page, owner)
    expect_titles(page, ["Kitchen", LAST])
    expect(page.locator("dialog")).to_have_count(0)


def test_who_may_only_read_sees_what_was_typed(tablet, server, owner):
    window, token = tablet
    page = window.page
    edit_kettle(page)
    revoke(server, token)
    expect_asked(page)
    sign_in_at(page, server.make_token("reader"))
    expect(sheet(page).get_by_label("Notes")).to_have_value("Half an hour of typing")
    expect(sheet(page).get_by_label("Notes")).not_to_be_editable()
