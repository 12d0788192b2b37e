"""What the page knows is shown at once, before any answer and without a connection."""

import re

from playwright.sync_api import expect

from answers import Silence
from conftest import LAST, back, bar, enter, expect_titles, heading, row


class Unanswered:
    """A time in which the server answers nothing."""

    def __init__(self, page):
        self.page = page
        self.held = []
        self.is_over = False

    def _hold(self, route):
        if self.is_over:
            route.fallback()
        else:
            self.held.append(route)

    def __enter__(self):
        self.page.route("**/v1/**", self._hold)
        return self

    def __exit__(self, *_):
        self.is_over = True
        for route in self.held:
            route.continue_()


def test_known_lists_open_and_are_edited_before_any_answer(page, server):
    server.make_thing("root", "Anvil")
    back(page, "Inventory")
    row(page, "Anvil").wait_for()
    with Unanswered(page) as time:
        enter(page, "Kitchen")
        expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
        bar(page, "edit").click()
        expect(bar(page, "done")).to_be_visible()
        expect(row(page, "Kettle").locator("[data-control=grip]")).to_be_visible()
        expect(bar(page, "add")).to_be_visible()
        assert any("mode=edit" in route.request.url for route in time.held)
        bar(page, "done").click()
        back(page, "Inventory")
        expect(row(page, "Anvil")).to_be_visible()


def test_an_item_shows_what_its_row_says_until_it_is_read(page, server, kitchen):
    kettle = kitchen[1][0]
    server.ask("PATCH", f"/v1/items/{kettle}", {"serialNumber": "K-7", "notes": "Lent to Ann"})
    expect(row(page, "Kettle")).to_contain_text("K-7")
    with Unanswered(page):
        enter(page, "Kettle")
        expect(page.locator(".facts")).to_contain_text("K-7")
        expect(bar(page, "edit")).to_be_visible()
        expect(page.locator(".notes")).to_have_count(0)
    expect(page.locator(".notes")).to_contain_text("Lent to Ann")
    expect(page.locator(".position")).to_have_text("1 of 3")
    back(page, "Kitchen")
    with Unanswered(page):
        enter(page, "Kettle")
        expect(page.locator(".notes")).to_contain_text("Lent to Ann")


def test_an_item_that_is_gone_gives_way_once_that_is_known(page, window, server, kitchen):
    window.expect_gone()
    with Silence(window):
        server.ask("DELETE", f"/v1/rows/{kitchen[1][0]}")
        row(page, "Kettle").locator("[data-control=main]").click()
        expect(heading(page)).to_have_text("Kitchen")
        expect(page.locator(".item-screen")).to_have_count(0)
    expect_titles(page, ["Mixer", "Toaster", LAST])


def test_a_search_shows_known_rows_before_the_answer(page):
    with Unanswered(page):
        page.get_by_role("searchbox").fill("MIX")
        expect(page.locator(".hits a")).to_have_text(re.compile("Mixer"))
    expect(page.locator(".hits mark")).to_have_text("Mixer")


def test_without_a_connection_a_search_finds_known_rows(page, window):
    window.expect_complaints("ERR_|Failed to load")
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    page.get_by_role("searchbox").fill("toast")
    expect(page.locator(".hits a")).to_have_count(1)
    # What was found before does not stay for what is not found.
    page.get_by_role("searchbox").fill("zebra")
    expect(page.locator(".hits a")).to_have_count(0)
    expect(page.locator(".hits")).to_contain_text("No results")
    page.get_by_role("searchbox").fill("toast")
    page.locator(".hits a").click()
    expect(heading(page)).to_have_text("Toaster")
    window.context.set_offline(False)
    expect(page.locator(".notice")).to_be_hidden()


def test_a_page_begins_at_its_last_place_without_waiting_for_the_server_to_say_it(page, window, kitchen):
    page.route("**/v1/navigators/**", lambda route: None)
    page.goto(window.address)
    expect(heading(page)).to_have_text("Kitchen")
    page.unroute_all(behavior="ignoreErrors")


def test_a_page_does_not_begin_at_a_list_that_is_gone(page, window, server, kitchen):
    window.expect_gone()
    page.goto("about:blank")
    server.ask("DELETE", f"/v1/rows/{kitchen[0]}?recursive=true")
    page.goto(window.address)
    expect(heading(page)).to_have_text("Inventory")
