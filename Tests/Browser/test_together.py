"""More than one window, places that are come back to, and languages."""

import urllib.request

from playwright.sync_api import expect

from conftest import (
    LAST, back, bar, drag, enter, expect_place_kept, expect_stored, expect_titles, heading, row, sheet)
from rowhouse import Rowhouse


def test_two_browsers_keep_in_step(windows, server):
    kitchen, _ = server.make_list("Kitchen", ["Kettle", "Mixer"])
    one, other = windows().open(), windows().open()
    for page in (one, other):
        enter(page, "Kitchen")
        expect_titles(page, ["Kettle", "Mixer", LAST])
    bar(one, "edit").click()
    drag(one, "Mixer", -1)()
    expect_titles(other, ["Mixer", "Kettle", LAST])
    server.make_thing(kitchen, "Toaster", position="first")
    for page in (one, other):
        expect_titles(page, ["Toaster", "Mixer", "Kettle", LAST])
    server.ask("PATCH", f"/v1/lists/{kitchen}", {"title": "Galley", "sentinel": {"text": "The end"}})
    for page in (one, other):
        expect(heading(page)).to_have_text("Galley")
        expect_titles(page, ["Toaster", "Mixer", "Kettle", "The end"])


def test_an_import_that_replaces_everything_is_shown_and_stored(windows, server, kitchen):
    window = windows()
    window.expect_gone()
    window.expect_complaints("404|ERR_|Failed to load")
    page = window.open()
    enter(page, "Kitchen")
    expect_stored(page, kitchen[0])
    other = Rowhouse()
    try:
        cellar, _ = other.make_list("Cellar", ["Wine"])
        with urllib.request.urlopen(f"{other.address}/v1/export", timeout=30) as answer:
            house = answer.read()
    finally:
        other.close()
    server.ask("POST", "/v1/import?mode=replace", data=house, kind="application/x-ndjson")
    expect_titles(page, ["Cellar", LAST])
    expect_stored(page, cellar)
    window.context.set_offline(True)
    enter(page, "Cellar")
    expect_titles(page, ["Wine", LAST])
    window.context.set_offline(False)


def test_a_screen_whose_list_is_removed_elsewhere_gives_way_to_the_one_below(windows, server):
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.expect_gone()
    page = window.open()
    enter(page, "Kitchen")
    server.ask("DELETE", f"/v1/lists/{kitchen}?recursive=true")
    expect(heading(page)).to_have_text("Inventory")
    expect_titles(page, [LAST])


def test_an_item_that_is_edited_elsewhere_shows_it(windows, server):
    kitchen, (kettle,) = server.make_list("Kitchen", ["Kettle"])
    page = windows().open()
    enter(page, "Kitchen")
    enter(page, "Kettle")
    server.ask("PATCH", f"/v1/items/{kettle}", {"name": "Tea kettle", "serialNumber": "K-7"})
    expect(heading(page)).to_have_text("Tea kettle")
    expect(page.locator(".facts")).to_contain_text("K-7")


def test_a_reload_comes_into_the_same_place(windows, server):
    kitchen, _ = server.make_list("Kitchen")
    drawer, _ = server.make_list("Drawer", [f"Spoon {number}" for number in range(60)], parent=kitchen)
    page = windows().open()
    enter(page, "Kitchen")
    enter(page, "Drawer")
    # The place is kept on the server a moment after the scrolling has come to rest.
    with page.expect_response(lambda answer: answer.url.endswith("/top")):
        page.locator(".screen:not([inert]) .scroller").evaluate("scroller => (scroller.scrollTop = 1500)")
    expect(row(page, "Spoon 26")).to_be_in_viewport()
    bar(page, "edit").click()
    expect(bar(page, "done")).to_be_visible()
    page.reload()
    expect(heading(page)).to_have_text("Drawer")
    expect(bar(page, "done")).to_be_visible()
    expect(row(page, "Spoon 26")).to_be_in_viewport()
    bar(page, "done").click()
    back(page, "Kitchen")


def test_another_device_goes_on_where_one_was(windows, server):
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    one = windows().open()
    enter(one, "Kitchen")
    expect_place_kept(one)
    other = windows().open()
    expect(heading(other)).to_have_text("Inventory")
    other.locator("[data-action=menu]").click()
    sheet(other).get_by_role("button", name="Places on other devices").click()
    sheet(other).locator(".choices button").first.click()
    expect(heading(other)).to_have_text("Kitchen")


def test_a_new_device_is_offered_the_place_of_another_one(windows, server):
    server.make_list("Kitchen", ["Kettle"])
    one = windows().open()
    enter(one, "Kitchen")
    expect_place_kept(one)
    other = windows().open()
    expect(other.locator(".toast-detail")).to_contain_text("Last used")
    other.locator(".toast button").click()
    expect(heading(other)).to_have_text("Kitchen")
    other.goto(server.address)
    expect(heading(other)).to_have_text("Kitchen")
    expect(other.locator(".toast")).to_have_count(0)


def test_arabic_runs_from_right_to_left(windows, server):
    server.make_list("Kitchen", ["Kettle"])
    page = windows(locale="ar-EG").open()
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == ["ar", "rtl"]
    expect(bar(page, "edit")).to_have_text("تعديل")
    assert bar(page, "edit").bounding_box()["x"] < 100
    expect_titles(page, ["Kitchen", "لا مزيد من العناصر!"])
    enter(page, "Kitchen")
    assert bar(page, "back").bounding_box()["x"] > 200
    bar(page, "edit").click()
    grip = row(page, "Kettle").locator("[data-control=grip]")
    assert grip.bounding_box()["x"] < 100
    expect(grip).to_have_accessible_name("إعادة ترتيب Kettle")


def test_the_language_can_be_chosen(windows, server):
    page = windows().open()
    page.locator("[data-action=menu]").click()
    sheet(page).get_by_role("button", name="Settings").click()
    sheet(page).get_by_role("button", name="العربية").click()
    expect(bar(page, "edit")).to_have_text("تعديل")


def test_two_windows_of_one_browser_keep_to_their_places_without_locks(windows, server):
    """As on pages that come without TLS."""
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.context.add_init_script("delete Navigator.prototype.locks")
    one = window.open()
    enter(one, "Kitchen")
    expect_place_kept(one)
    other = window.context.new_page()
    other.goto(window.address)
    # It begins where the first one is, but goes on by itself.
    expect(heading(other)).to_have_text("Kitchen")
    enter(other, "Kettle")
    bar(one, "edit").click()
    expect(bar(one, "done")).to_be_visible()
    expect(heading(one)).to_have_text("Kitchen")
    for page, title in [(one, "Kitchen"), (other, "Kettle")]:
        page.reload()
        expect(heading(page)).to_have_text(title)
