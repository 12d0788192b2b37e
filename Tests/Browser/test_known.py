"""What the page knows is shown at once, before any answer and without a connection."""

import re

from playwright.sync_api import expect

from answers import Silence
from conftest import LAST, back, bar, enter, expect_kept, expect_titles, heading, menu, move_to, row, save, sheet


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


def test_forms_open_before_any_answer_and_take_over_what_is_new(page, window, server, kitchen):
    kettle = f"/v1/items/{kitchen[1][0]}"
    server.ask("PATCH", kettle, {"notes": "Lent to Ann"})
    enter(page, "Kettle")
    expect(page.locator(".notes")).to_contain_text("Lent to Ann")
    with Silence(window):
        server.ask("PATCH", kettle, {"quantity": 3})
        with Unanswered(page):
            bar(page, "edit").click()
            expect(sheet(page).get_by_label("Notes")).to_have_value("Lent to Ann")
            expect(sheet(page).get_by_label("Name")).to_be_focused()
        # Nothing was typed yet.
        expect(sheet(page).get_by_label("Quantity")).to_have_value("3")
        sheet(page).get_by_label("Notes").fill("Back again")
        save(page)
        expect(page.locator("dialog")).to_have_count(0)
        # The screen shows what was saved without asking for it.
        expect(page.locator(".notes")).to_contain_text("Back again")
    assert [server.ask("GET", kettle)[name] for name in ("quantity", "notes")] == [3, "Back again"]
    back(page, "Kitchen")
    with Unanswered(page):
        menu(page, "Details")
        expect(sheet(page).get_by_label("Title")).to_have_value("Kitchen")
        sheet(page).get_by_label("Title").fill("Galley")
    save(page)
    expect(heading(page)).to_have_text("Galley")


def test_what_was_typed_before_the_answer_is_saved_beside_what_is_new(page, window, server, kitchen):
    kettle = f"/v1/items/{kitchen[1][0]}"
    enter(page, "Kettle")
    expect(page.locator(".facts")).to_contain_text("Added")
    with Silence(window):
        server.ask("PATCH", kettle, {"quantity": 3})
        with Unanswered(page):
            bar(page, "edit").click()
            sheet(page).get_by_label("Notes").fill("Steel")
        save(page)
        expect(sheet(page).get_by_label("Quantity")).to_have_value("3")
        expect(sheet(page).get_by_label("Notes")).to_have_value("Steel")
        save(page)
        expect(page.locator("dialog")).to_have_count(0)
    assert [server.ask("GET", kettle)[name] for name in ("quantity", "notes")] == [3, "Steel"]


def test_lists_to_move_to_and_photos_are_shown_before_any_answer(page, server, kitchen):
    server.make_list("Study", ["Globe"])
    gif = bytes.fromhex("47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b")
    server.ask("POST", f"/v1/items/{kitchen[1][0]}/photos", data=gif, kind="image/gif")
    enter(page, "Kettle")
    # The item was read.
    expect(page.locator(".facts")).to_contain_text("Added")
    expect(page.locator(".photo img")).to_have_count(1)
    with Unanswered(page):
        bar(page, "photos").click()
        expect(page.locator(".photo-page")).to_have_count(1)
        expect(heading(page)).to_have_text("Kettle")
    back(page, "Kettle")
    back(page, "Kitchen")
    page.locator(".rows a", has_text="Mixer").focus()
    with Unanswered(page):
        page.keyboard.press("m")
        sheet(page).get_by_role("button", name="Inventory").click()
        sheet(page).get_by_role("button", name="Study").click()
        expect(sheet(page).get_by_role("button", name="Move to Study")).to_be_enabled()
    sheet(page).get_by_role("button", name="Move to Study").click()
    expect_titles(page, ["Kettle", "Toaster", LAST])


def test_a_list_to_move_to_is_found_by_its_name(page, server, kitchen):
    server.make_list("Study")
    back(page, "Inventory")
    row(page, "Study").wait_for()
    enter(page, "Kitchen")
    page.locator(".rows a", has_text="Mixer").focus()
    page.keyboard.press("m")
    search = sheet(page).get_by_role("searchbox", name="Find a list")
    search.fill("nothing")
    expect(sheet(page).get_by_role("status")).to_have_text("No results")
    expect(move_to(page)).to_be_hidden()
    search.fill(" ")
    expect(search).to_be_focused()
    expect(sheet(page).get_by_role("button", name="Inventory")).to_be_visible()
    expect(move_to(page)).to_be_visible()
    with Unanswered(page):
        search.fill("stdy")
        expect(sheet(page).locator(".choices")).to_contain_text("Inventory")
        search.press("Enter")
        expect(sheet(page).get_by_role("button", name="Move to Study")).to_be_enabled()
    sheet(page).get_by_role("button", name="Move to Study").click()
    expect_titles(page, ["Kettle", "Toaster", LAST])


def test_sheets_open_before_their_answer_and_are_closed_without_it(page, window, server, kitchen):
    for name, content in [("Tags", ".empty-title"), ("Changes", ".entries li"), ("Trash", ".empty-title"), ("Places on other devices", ".empty-title")]:
        with Unanswered(page):
            menu(page, name)
            expect(sheet(page).get_by_role("heading", name=name)).to_be_visible()
            expect(sheet(page).get_by_role("status")).to_have_text("Loading…")
        expect(sheet(page).locator(content).first).to_be_visible()
        expect(sheet(page).get_by_role("status")).to_have_count(0)
        sheet(page).locator("[data-action=close]").click()
        expect(page.locator("dialog")).to_have_count(0)
    # What comes late opens nothing.
    with page.expect_response("**/v1/tags*"):
        with Unanswered(page):
            menu(page, "Tags")
            sheet(page).locator("[data-action=close]").click()
    page.wait_for_timeout(100)
    expect(page.locator("dialog")).to_have_count(0)
    window.expect_complaints("ERR_|Failed to load")
    page.route("**/v1/tags**", lambda route: route.abort())
    menu(page, "Tags")
    expect(page.locator(".toast")).to_contain_text("can’t be reached")
    expect(page.locator("dialog")).to_have_count(0)


def test_details_of_a_list_whose_rows_may_not_be_edited_can_be_changed(page, server, kitchen):
    for isOn in (False, True):
        menu(page, "Details")
        sheet(page).get_by_label("Editing").set_checked(isOn)
        save(page)
        expect(page.locator("dialog")).to_have_count(0)
        assert server.ask("GET", f"/v1/lists/{kitchen[0]}")["permissions"]["edit"] is isOn


def test_a_form_is_not_locked_by_what_was_true_before(page, window, server, kitchen):
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"permissions": {"edit": False}})
    enter(page, "Kettle")
    expect(page.locator(".facts")).to_contain_text("Added")
    back(page, "Kitchen")
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"permissions": {"edit": True}})
    expect(bar(page, "edit")).to_be_visible()
    page.locator(".rows a", has_text="Kettle").focus()
    page.keyboard.press("e")
    sheet(page).get_by_label("Notes").fill("Steel")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    assert server.ask("GET", f"/v1/items/{kitchen[1][0]}")["notes"] == "Steel"


def test_without_a_connection_nothing_is_moved_into_itself(page, window, server, kitchen):
    box = server.make_thing(kitchen[0], "Box")
    inside = server.ask("POST", f"/v1/items/{box}/contents")["id"]
    server.make_thing(inside, "Lid")
    drawer, _ = server.make_list("Drawer", ["Spoon"], parent=kitchen[0])
    enter(page, "Box")
    page.get_by_text("Contents", exact=True).first.wait_for()
    back(page, "Kitchen")
    expect(row(page, "Drawer")).to_contain_text("1 item")
    window.expect_complaints("ERR_|Failed to load")
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    page.locator(".screen:not([inert]) [data-action=select]").click()
    for name in ("Box", "Drawer"):
        row(page, name).locator("[data-control=main]").click()
    for target in ("Box", "Drawer"):
        page.get_by_role("button", name="Move", exact=True).click()
        sheet(page).get_by_role("button", name=target).click()
        expect(sheet(page).locator("[data-action=move]")).to_be_disabled()
        page.keyboard.press("Escape")
    window.context.set_offline(False)


def test_without_a_connection_rows_are_moved_and_everything_kept_is_searched(page, window, server, kitchen):
    study, _ = server.make_list("Study", ["Globe"])
    back(page, "Inventory")
    # Lists that are kept have sums.
    expect(row(page, "Study")).to_contain_text("1 item")
    enter(page, "Kitchen")
    window.expect_complaints("ERR_|Failed to load")
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    page.locator(".rows a", has_text="Mixer").focus()
    page.keyboard.press("m")
    sheet(page).get_by_role("button", name="Inventory").click()
    sheet(page).get_by_role("button", name="Study").click()
    sheet(page).get_by_role("button", name="Move to Study").click()
    expect_titles(page, ["Kettle", "Toaster", LAST])
    back(page, "Inventory")
    page.get_by_role("searchbox").first.fill("globe")
    expect(page.locator(".hits a")).to_contain_text("Globe")
    window.context.set_offline(False)
    expect(page.locator(".notice")).to_be_hidden()
    expect_kept(page, server, study, ["Globe", "Mixer"])


def test_an_item_shows_what_its_row_says_until_it_is_read(page, server, kitchen):
    kettle = kitchen[1][0]
    server.ask("PATCH", f"/v1/items/{kettle}", {"serialNumber": "K-7", "notes": "Lent to Ann"})
    expect(row(page, "Kettle")).to_contain_text("K-7")
    with Unanswered(page):
        enter(page, "Kettle")
        expect(page.locator(".facts")).to_contain_text("K-7")
        expect(bar(page, "edit")).to_be_visible()
        expect(page.locator(".notes")).to_have_count(0)
        expect(page.locator(".item-rest")).to_have_text("Loading…")
    expect(page.locator(".notes")).to_contain_text("Lent to Ann")
    expect(page.locator(".item-rest")).to_have_count(0)
    expect(page.locator(".position")).to_have_text("1 of 3")
    back(page, "Kitchen")
    with Unanswered(page):
        enter(page, "Kettle")
        expect(page.locator(".notes")).to_contain_text("Lent to Ann")


def test_an_item_that_was_never_read_says_so_without_a_connection(page, window, server, kitchen):
    window.expect_complaints("ERR_|Failed to load")
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"notes": "Lent to Ann"})
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    enter(page, "Kettle")
    expect(page.locator(".item-rest")).to_contain_text("not on this device")
    window.context.set_offline(False)
    expect(page.locator(".notes")).to_contain_text("Lent to Ann")
    expect(page.locator(".item-rest")).to_have_count(0)


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
