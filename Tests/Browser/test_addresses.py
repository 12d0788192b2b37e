"""Addresses of screens: links, reloads, Back and Forward work as in other pages, also below a path prefix."""

import re

import pytest
from playwright.sync_api import expect

from conftest import LAST, back, bar, enter, expect_titles, heading, menu, row, sheet
from rowhouse import Rowhouse
from test_photos import png


def opened(window, path):
    """Opens an address of the server, as from a link."""
    window.page.goto(window.address + path)
    window.page.locator(".stage:not([aria-busy]) .screen h1").wait_for()
    return window.page


def address(page):
    """The path and the query that the address bar shows."""
    return page.evaluate("location.pathname + location.search")


def expect_address(page, wanted):
    page.wait_for_function("(wanted) => location.pathname + location.search === wanted", arg=wanted)


def test_a_reload_at_an_open_sheet_shows_the_screen_although_the_browser_drops_the_step_back(page):
    menu(page, "Details")
    expect(sheet(page)).to_be_visible()
    page.add_init_script("history.go = () => {}")
    page.reload()
    expect(heading(page)).to_have_text("Kitchen")
    expect(page.locator("dialog")).to_have_count(0)


def test_every_screen_has_an_address_and_an_entry_in_the_history(start, server, kitchen, tmp_path):
    root = server.ask("GET", "/v1/lists/root")["id"]
    kettle = kitchen[1][0]
    for name in (1, 2):
        with open(png(tmp_path / f"{name}.png", (name, 60, 60)), "rb") as file:
            server.ask("POST", f"/v1/items/{kettle}/photos", data=file.read(), kind="image/png")
    entries = start.evaluate("history.length")
    expect_address(start, f"/l/{root}")
    expect(start).to_have_title("Inventory – Rowhouse")
    enter(start, "Kitchen")
    expect_address(start, f"/l/{kitchen[0]}")
    expect(start).to_have_title("Kitchen – Rowhouse")
    enter(start, "Kettle")
    expect_address(start, f"/i/{kettle}")
    start.get_by_role("link", name="Photo 2 of 2").click()
    expect_address(start, f"/i/{kettle}/photos/2")
    expect(start.locator(".photo-screen .position")).to_have_text("Photo 2 of 2")
    start.keyboard.press("ArrowLeft")
    expect_address(start, f"/i/{kettle}/photos/1")
    assert start.evaluate("history.length") == entries + 3
    start.reload()
    expect(start.locator(".photo-screen .position")).to_have_text("Photo 1 of 2")
    for title, path in [("Kettle", f"/i/{kettle}"), ("Kitchen", f"/l/{kitchen[0]}"), ("Inventory", f"/l/{root}")]:
        start.go_back()
        expect_address(start, path)
        expect(heading(start)).to_have_text(title)
        expect(start).to_have_title(f"{title} – Rowhouse")
    start.go_forward()
    start.go_forward()
    expect(heading(start)).to_have_text("Kettle")
    # A neighbour takes the place of the item.
    bar(start, "next").click()
    expect_address(start, f"/i/{kitchen[1][1]}")
    start.go_back()
    expect(heading(start)).to_have_text("Kitchen")
    expect(start.locator(".screen")).to_have_count(1)
    menu(start, "About")
    expect_address(start, "/about")


def test_an_address_leads_to_its_screen(windows, server, kitchen):
    kettle = kitchen[1][0]
    page = opened(windows(), f"/i/{kettle}")
    expect(heading(page)).to_have_text("Kettle")
    # There is no screen to go back to, so the button leads up.
    back(page, "Kitchen")
    expect_address(page, f"/l/{kitchen[0]}")
    page.go_back()
    expect(heading(page)).to_have_text("Kettle")
    page = opened(windows(), f"/l/{kitchen[0].upper()}/")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    server.make_thing(kitchen[0], "Whisk")
    expect(row(page, "Whisk")).to_be_visible()
    page = opened(windows(), "/l/root")
    expect_titles(page, ["Kitchen", LAST])
    expect_address(page, f"/l/{server.ask('GET', '/v1/lists/root')['id']}")


def test_rows_are_links(page, window, kitchen):
    link = row(page, "Mixer").get_by_role("link")
    assert link.get_attribute("href") == f"/i/{kitchen[1][1]}"
    with window.context.expect_page() as made:
        link.click(button="middle")
    other = made.value
    expect(heading(other)).to_have_text("Mixer")
    expect(heading(page)).to_have_text("Kitchen")
    back(other, "Kitchen")
    # In edit mode a row is edited.
    bar(page, "edit").click()
    expect(row(page, "Mixer").get_by_role("link")).to_have_count(0)


def test_the_view_and_the_search_are_part_of_the_address(windows, server, kitchen):
    for thing, value in zip(kitchen[1], (20, 90, 50)):
        server.ask("PATCH", f"/v1/items/{thing}", {"valueInDollars": value})
    page = opened(windows(), f"/l/{kitchen[0]}?sort=-value&surprise=1&type=nothing")
    expect_titles(page, ["Mixer", "Toaster", "Kettle", LAST])
    expect_address(page, f"/l/{kitchen[0]}?sort=-value")
    page.locator("[data-action=order]").click()
    sheet(page).get_by_role("button", name="Serial number", exact=True).click()
    sheet(page).get_by_role("radio", name="Items").check()
    expect_address(page, f"/l/{kitchen[0]}?sort=-serial&type=item")
    sheet(page).locator("[data-action=close]").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect_address(page, f"/l/{kitchen[0]}?sort=-serial&type=item")
    page.get_by_role("button", name="Manual order").click()
    expect_address(page, f"/l/{kitchen[0]}")
    page.get_by_role("searchbox", name="Search").fill("ketTLE")
    expect_address(page, f"/l/{kitchen[0]}?q=ketTLE")
    page.locator(".hits a").click()
    expect(heading(page)).to_have_text("Kettle")
    page.go_back()
    # The screen that leaves may still be there.
    expect(page.locator(".screen:not([inert])").get_by_role("searchbox", name="Search")).to_have_value("ketTLE")
    expect(page.locator(".hits .row-title")).to_have_text(["Kettle"])
    page.reload()
    expect(page.locator(".hits .row-title")).to_have_text(["Kettle"])
    page.get_by_role("button", name="Search everywhere").click()
    expect_address(page, f"/l/{kitchen[0]}?q=ketTLE&in=all")
    page.get_by_role("searchbox", name="Search").fill("")
    expect_address(page, f"/l/{kitchen[0]}")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])


@pytest.mark.parametrize("path", ["/l/0198c0de-0000-7000-8000-00000000dead", "/i/0198c0de-0000-7000-8000-00000000dead"])
def test_an_address_of_nothing_says_so_and_leads_on(windows, server, kitchen, path):
    window = windows()
    window.expect_complaints("404")
    page = opened(window, path)
    expect(heading(page)).to_have_text("Not found")
    expect_address(page, path)
    page.get_by_role("link", name="Inventory").click()
    expect_titles(page, ["Kitchen", LAST])


def test_an_address_of_something_in_the_trash_says_so(windows, server, kitchen):
    window = windows()
    window.expect_complaints("410")
    server.ask("DELETE", f"/v1/items/{kitchen[1][0]}")
    page = opened(window, f"/i/{kitchen[1][0]}")
    expect(page.locator(".problem-screen")).to_contain_text("trash")


def test_an_unknown_address_is_a_page(windows):
    window = windows()
    window.expect_complaints("404")
    window.page.goto(f"{window.address}/nowhere?surprise=1")
    expect(window.page.get_by_role("heading")).to_have_text("Not found")
    window.page.get_by_role("link").click()
    expect(heading(window.page)).to_have_text("Inventory")


def test_the_place_of_another_visit_is_found_at_the_first_page(window, server, kitchen):
    page = window.open()
    with page.expect_response(lambda answer: answer.url.endswith("/open")):
        enter(page, "Kitchen")
    with page.expect_response(lambda answer: answer.url.endswith("/top")):
        page.locator("[data-action=order]").click()
        sheet(page).get_by_role("button", name="Title", exact=True).click()
    page.goto(window.address)
    expect(heading(page)).to_have_text("Kitchen")
    expect_address(page, f"/l/{kitchen[0]}?sort=title")


def test_moving_does_not_wait_for_the_place(window, server, kitchen):
    page = window.open()
    held = []
    page.route(re.compile("/v1/navigators"), lambda route: held.append(route))
    enter(page, "Kitchen")
    enter(page, "Kettle")
    page.go_back()
    expect(heading(page)).to_have_text("Kitchen")
    page.wait_for_timeout(1000)
    assert held
    back(page, "Inventory")
    for route in held:
        route.continue_()


def test_back_works_without_a_connection(window, server, kitchen):
    window.expect_complaints("ERR_|Failed to load")
    page = window.open()
    enter(page, "Kitchen")
    window.context.set_offline(True)
    page.go_back()
    expect(heading(page)).to_have_text("Inventory")
    page.go_forward()
    expect(heading(page)).to_have_text("Kitchen")
    # What is not known yet cannot be shown, and the page stays where it is.
    menu(page, "About")
    expect(page.locator(".toast")).to_contain_text("can’t be reached")
    expect_address(page, f"/l/{kitchen[0]}")
    window.context.set_offline(False)


def test_a_screen_that_forward_could_not_show_is_shown_with_the_connection(window, server, kitchen):
    window.expect_complaints("ERR_|Failed to load")
    page = window.open()
    enter(page, "Kitchen")
    menu(page, "About")
    expect(heading(page)).not_to_have_text("Kitchen")
    page.go_back()
    expect(heading(page)).to_have_text("Kitchen")
    window.context.set_offline(True)
    page.go_forward()
    expect(page.locator(".toast")).to_contain_text("can’t be reached")
    window.context.set_offline(False)
    expect(heading(page)).not_to_have_text("Kitchen")
    expect_address(page, "/about")


def test_signing_in_leads_to_the_address_that_was_opened(windows, server):
    server.token = server.make_token()
    kitchen, (kettle,) = server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.expect_complaints("401")
    window.page.goto(f"{window.address}/i/{kettle}")
    sheet(window.page).get_by_label("Token").fill(server.token)
    sheet(window.page).get_by_role("button", name="Sign in").click()
    expect(heading(window.page)).to_have_text("Kettle")


@pytest.fixture
def prefixed():
    server = Rowhouse("--base-path", "/rowhouse")
    yield server
    server.close()


def test_addresses_work_below_a_path_prefix(prefixed, windows):
    kitchen, (kettle, _) = prefixed.make_list("Kitchen", ["Kettle", "Mixer"])
    window = windows(prefixed.address + "/rowhouse")
    page = opened(window, f"/i/{kettle}")
    expect(heading(page)).to_have_text("Kettle")
    back(page, "Kitchen")
    expect_address(page, f"/rowhouse/l/{kitchen}")
    assert row(page, "Mixer").get_by_role("link").get_attribute("href").startswith("/rowhouse/i/")
    enter(page, "Mixer")
    page.reload()
    expect(heading(page)).to_have_text("Mixer")
    page.go_back()
    expect(heading(page)).to_have_text("Kitchen")
    page.goto(f"{window.address}/")
    expect(heading(page)).to_have_text("Kitchen")
