"""What the app shows where there is nothing: what a place is for, and what can be done there."""

import pytest
from playwright.sync_api import expect

from conftest import LAST, enter, expect_titles, heading, menu, sheet
from test_accessibility import SCHEMES, check


def state(page):
    return page.locator(".screen:not([inert]) .empty-state")


def test_an_empty_inventory_says_what_it_is_for(windows, server):
    page = windows().open()
    expect(state(page)).to_contain_text("This inventory is empty.")
    expect(state(page)).to_contain_text("rooms")
    state(page).get_by_role("button", name="Import a file").click()
    expect(sheet(page).get_by_role("heading").first).to_have_text("Export and import")
    sheet(page).locator("[data-action=close]").click()
    expect(page.locator("dialog")).to_have_count(0)
    state(page).get_by_role("button", name="Add an item or list").click()
    expect(state(page)).to_have_count(0)
    page.keyboard.type("Kitchen")
    page.keyboard.press("Shift+Enter")
    expect_titles(page, ["Kitchen"])
    page.keyboard.press("Enter")
    expect_titles(page, ["Kitchen", LAST])
    expect(state(page)).to_have_count(0)


def test_an_empty_inventory_offers_a_demo(windows, server):
    window = windows()
    # The screen of a list asks whether the list is still there.
    window.expect_complaints("410")
    page = window.open()
    state(page).get_by_role("button", name="Load the demo").click()
    expect_titles(page, ["Home", LAST])
    enter(page, "Home")
    expect_titles(page, ["Living room", "Kitchen", "Study", LAST])
    expect(state(page)).to_have_count(0)
    rooms = server.ask("GET", "/v1/resolve?path=/Home")
    assert server.ask("GET", f"/v1/lists/{rooms['id']}?subtree=true")["subtree"]["itemCount"] == 12
    # It is one change.
    page.keyboard.press("Control+z")
    expect(state(page)).to_be_visible()


def test_an_empty_list_offers_to_add_until_it_has_a_row(windows, server):
    shed, _ = server.make_list("Shed")
    page = windows().open()
    enter(page, "Shed")
    expect(state(page)).to_contain_text("This list is empty.")
    button = state(page).get_by_role("button", name="Add an item or list")
    button.focus()
    # A change of the bar draws nothing that has the focus again.
    server.ask("PATCH", f"/v1/lists/{shed}", {"title": "Old shed"})
    expect(heading(page)).to_have_text("Old shed")
    expect(button).to_be_focused()
    made = server.make_thing(shed, "Rake")
    expect(state(page)).to_have_count(0)
    server.ask("DELETE", f"/v1/rows/{made}")
    expect(state(page)).to_be_visible()


def test_readers_are_not_offered_to_add(windows, server):
    server.token = server.make_token()
    server.make_list("Shed")
    reader = server.ask("POST", "/v1/tokens", {"name": "Tablet", "role": "reader"})["token"]
    window = windows()
    window.expect_complaints("401")
    page = window.page
    page.goto(server.address)
    sheet(page).locator("input").first.fill(reader)
    sheet(page).locator("[data-action=signIn]").click()
    enter(page, "Shed")
    expect(state(page)).to_contain_text("This list is empty.")
    expect(state(page).get_by_role("button")).to_have_count(0)
    expect(page.locator(".screen:not([inert]) .list-sum")).to_have_text("View only")


def test_a_guests_list_is_not_an_empty_inventory(windows, server):
    server.token = server.make_token()
    shed, _ = server.make_list("Shed")
    guest = server.ask("POST", "/v1/tokens", {"name": "Tablet", "role": "editor", "listId": shed})["token"]
    window = windows()
    window.keep_token(guest)
    page = window.open()
    expect(state(page)).to_contain_text("This list is empty.")
    expect(state(page).get_by_role("button", name="Load the demo")).to_have_count(0)
    expect(state(page).get_by_role("button", name="Add an item or list")).to_be_visible()


def test_a_search_without_hits_leads_on(page, server):
    server.make_list("Shed", ["Rake"])
    search = page.get_by_role("searchbox", name="Search")
    search.fill("rake")
    expect(state(page)).to_contain_text("No results")
    state(page).get_by_role("button", name="Search everywhere").click()
    expect(page.locator(".hits .row-title")).to_have_text(["Rake"])
    search.fill("dragon")
    state(page).get_by_role("button", name="Clear the search").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    expect(search).to_be_focused()
    expect(search).to_have_value("")


def test_an_empty_trash_says_what_comes_there(page):
    menu(page, "Trash")
    expect(sheet(page)).to_contain_text("The trash is empty.")
    expect(sheet(page)).to_contain_text("restore")


@pytest.mark.parametrize("locale", ["en-GB", "ar-EG"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_empty_has_anything_that_axe_finds_fault_with(windows, server, scheme, locale):
    page = windows(color_scheme=scheme, locale=locale).open()
    check(page, "an empty inventory")
    page.locator(".search-field input").fill("dragon")
    page.locator(".hits .empty-state").wait_for()
    check(page, "nothing found")
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    sheet(page).locator(".choices").first.wait_for()
    sheet(page).locator(".choices").nth(1).locator("button").nth(-3).click()
    sheet(page).locator(".empty-state").wait_for()
    check(page, "the empty trash")
    sheet(page).locator("[data-action=close]").click()
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    sheet(page).get_by_role("button", name="Settings").or_(sheet(page).get_by_role("button", name="الإعدادات")).click()
    sheet(page).locator(".accents").wait_for()
    check(page, "the accents")
