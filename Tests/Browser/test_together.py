"""More than one window, languages, tokens, and connections that break."""

import pytest
from playwright.sync_api import expect

from conftest import bar, drag, enter, expect_titles, heading, row, sheet, titles

LAST = "No more items!"


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


def test_a_screen_whose_list_is_removed_elsewhere_gives_way_to_the_one_below(windows, server):
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    page = windows().open()
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
    page.locator(".screen:not([inert]) .scroller").evaluate("scroller => (scroller.scrollTop = 1500)")
    expect(row(page, "Spoon 26")).to_be_in_viewport()
    # The place is kept on the server a moment after the scrolling has come to rest.
    with page.expect_response(lambda answer: answer.url.endswith("/top")):
        pass
    bar(page, "edit").click()
    expect(bar(page, "done")).to_be_visible()
    page.reload()
    expect(heading(page)).to_have_text("Drawer")
    expect(bar(page, "done")).to_be_visible()
    expect(row(page, "Spoon 26")).to_be_in_viewport()
    bar(page, "done").click()
    bar(page, "back").click()
    expect(heading(page)).to_have_text("Kitchen")


def test_another_device_goes_on_where_one_was(windows, server):
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    one = windows().open()
    enter(one, "Kitchen")
    other = windows().open()
    expect(heading(other)).to_have_text("Inventory")
    other.locator("[data-action=menu]").click()
    sheet(other).get_by_role("button", name="Places on other devices").click()
    sheet(other).locator(".choices button").first.click()
    expect(heading(other)).to_have_text("Kitchen")


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


def test_a_token_is_asked_for_and_kept_out_of_addresses(windows, server):
    server.token = server.make_token()
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.expect_complaints("401")
    page = window.page
    page.goto(window.address)
    expect(sheet(page).get_by_role("heading")).to_have_text("This server asks for a token.")
    sheet(page).get_by_label("Token").fill("rh_wrong")
    sheet(page).get_by_role("button", name="Sign in").click()
    expect(sheet(page).get_by_role("alert")).to_have_text("That token is unknown here, or has been revoked.")
    expect(sheet(page).get_by_label("Token")).to_have_value("")
    sheet(page).get_by_label("Token").fill(server.token)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, ["Kitchen", LAST])
    # Events take the token too.
    server.make_list("Study")
    expect_titles(page, ["Kitchen", "Study", LAST])
    page.reload()
    expect_titles(page, ["Kitchen", "Study", LAST])
    assert not any("rh_" in address for _, address in window.requests)


@pytest.mark.usefixtures("chromium_only")
def test_a_reader_is_offered_nothing_that_it_may_not_do(windows, server):
    server.token = server.make_token("owner")
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.context.add_init_script(
        f"localStorage.setItem('rowhouse.token', '{server.make_token('reader')}')")
    page = window.open()
    enter(page, "Kitchen")
    expect(page.locator(".bar-trailing button")).to_have_count(0)
    enter(page, "Kettle")
    expect(page.locator(".bar-trailing button")).to_have_count(0)
    expect(page.get_by_text("Add photo")).to_have_count(0)


def test_offline_is_said_and_caught_up_with(windows, server):
    kitchen, _ = server.make_list("Kitchen", ["Kettle", "Mixer"])
    window = windows()
    window.expect_complaints("ERR_|Failed to load")
    page = window.open()
    enter(page, "Kitchen")
    expect_titles(page, ["Kettle", "Mixer", LAST])
    bar(page, "edit").click()
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    drag(page, "Mixer", -1)()
    # What could not be done is not shown as if it had been.
    expect_titles(page, ["Kettle", "Mixer", LAST])
    server.make_thing(kitchen, "Toaster")
    server.ask("POST", f"/v1/lists/{kitchen}/move-row", {"from": 0, "to": 1})
    window.requests.clear()
    window.context.set_offline(False)
    expect(page.locator(".notice")).to_be_hidden()
    expect_titles(page, ["Mixer", "Kettle", "Toaster", LAST])
    # By what has changed, not by reading everything again.
    assert not any("/rows" in address or "/screen" in address for _, address in window.requests)


def test_a_server_that_was_away_is_found_again(windows, server):
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.expect_complaints("ERR_|Failed to load")
    page = window.open()
    enter(page, "Kitchen")
    server.stop()
    expect(page.locator(".notice")).to_contain_text("Offline")
    server.start()
    server.make_thing(kitchen, "Toaster")
    expect(page.locator(".notice")).to_be_hidden(timeout=20_000)
    expect_titles(page, ["Kettle", "Toaster", LAST])
    assert titles(page)[-1] == LAST


def test_two_windows_of_one_browser_keep_to_their_places_without_locks(windows, server):
    """As on pages that come without TLS."""
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.context.add_init_script("delete Navigator.prototype.locks")
    one = window.open()
    enter(one, "Kitchen")
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
