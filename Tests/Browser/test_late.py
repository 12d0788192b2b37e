"""What is answered late, heard of twice or not at all: the page shows what the server has, and does what was meant."""

import time

import pytest
from playwright.sync_api import expect

from conftest import bar, drag, enter, expect_titles, heading, row, settle, sheet

LAST = "No more items!"


@pytest.fixture
def kitchen(server):
    return server.make_list("Kitchen", ["Kettle", "Mixer", "Toaster"])


@pytest.fixture
def window(windows, kitchen):
    return windows()


@pytest.fixture
def page(window):
    page = window.open()
    enter(page, "Kitchen")
    return page


class Silence:
    """A time in which the page reaches the server, but hears no events."""

    def __init__(self, window):
        self.page = window.page
        window.expect_complaints("ERR_|Failed to load")

    def __enter__(self):
        self.page.route("**/v1/events*", lambda route: route.abort())
        # What there is of a stream is broken off.
        self.page.evaluate("() => void dispatchEvent(new Event('offline'))")

    def __exit__(self, *_):
        self.page.unroute("**/v1/events*")
        with self.page.expect_response("**/v1/events*"):
            self.page.evaluate("() => void dispatchEvent(new Event('online'))")


class Late:
    """Holds the first answer to a request back: what the server said when it was asked, or, of a write, says then."""

    def __init__(self, page, pattern, is_write=False):
        self.page = page
        self.is_write = is_write
        self.held = None
        page.route(pattern, self._hold, times=1)

    def _hold(self, route):
        self.held = (route, None if self.is_write else route.fetch())

    def wait(self):
        """Until it has been asked for."""
        deadline = time.monotonic() + 10
        while self.held is None and time.monotonic() < deadline:
            self.page.wait_for_timeout(20)

    def come(self):
        """Lets it go, until the page has had the time to show it."""
        route, answer = self.held
        with self.page.expect_event("requestfinished", lambda request: request.url == route.request.url):
            if answer:
                route.fulfill(response=answer)
            else:
                route.continue_()
        self.page.evaluate("() => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 100))")


def test_an_event_that_begins_before_ones_own_change_is_not_taken_in_twice(page, window, server, kitchen):
    bar(page, "edit").click()
    with Silence(window):
        drag(page, "Kettle", 2)()
        expect_titles(page, ["Mixer", "Toaster", "Kettle", LAST])
        page.wait_for_function("() => !document.querySelector('.is-landing')")
        server.ask("POST", f"/v1/lists/{kitchen[0]}/move-row", {"from": 0, "to": 2})
        assert server.rows(kitchen[0]) == ["Toaster", "Kettle", "Mixer"]
    expect_titles(page, ["Toaster", "Kettle", "Mixer", LAST])


def test_neighbours_that_come_while_an_items_screen_is_read_are_counted(page, server, kitchen):
    def late(route):
        answer = route.fetch()
        server.make_thing(kitchen[0], "Whisk", position="first")
        # It is heard of before the answer, which knows nothing of it, has come.
        page.wait_for_timeout(500)
        route.fulfill(response=answer)

    page.route(f"**/v1/items/{kitchen[1][0]}/neighbours", late, times=1)
    enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("2 of 4")


def test_an_older_answer_is_not_shown_after_a_newer_one(page, server, kitchen):
    kettle = kitchen[1][0]
    enter(page, "Kettle")
    late = Late(page, f"**/v1/items/{kettle}")
    server.ask("PATCH", f"/v1/items/{kettle}", {"serialNumber": "K-1"})
    late.wait()
    server.ask("PATCH", f"/v1/items/{kettle}", {"serialNumber": "K-2"})
    expect(page.locator(".facts")).to_contain_text("K-2")
    late.come()
    expect(page.locator(".facts")).to_contain_text("K-2")


def test_the_way_that_was_tapped_last_is_gone_to(page, server):
    attic, _ = server.make_list("Attic")
    server.make_list("Cellar")
    bar(page, "edit").click()
    row(page, "Kettle").locator("[data-control=relocate]").click()
    sheet(page).locator(".way button").first.click()
    late = Late(page, f"**/v1/lists/{attic}/screen?*")
    sheet(page).get_by_role("button", name="Attic").click()
    sheet(page).get_by_role("button", name="Cellar").click()
    expect(sheet(page).get_by_role("heading")).to_have_text("Cellar")
    late.wait()
    late.come()
    expect(sheet(page).get_by_role("heading")).to_have_text("Cellar")


def test_what_is_done_to_a_screen_is_not_done_to_the_one_that_came_meanwhile(page, window, server, kitchen):
    server.make_list("Drawer", ["Spoon"], parent=kitchen[0])
    row(page, "Drawer").wait_for()
    late = Late(page, "**/push", is_write=True)
    row(page, "Drawer").locator("[data-control=main]").click()
    bar(page, "edit").click()
    late.wait()
    late.come()
    expect(heading(page)).to_have_text("Drawer")
    expect(page.locator(".screen")).to_have_count(1)
    # One call comes after the other: what was asked for before has been done when this one is.
    bar(page, "back").click()
    expect(heading(page)).to_have_text("Kitchen")
    enter(page, "Drawer")
    assert not any(method == "PATCH" for method, _ in window.requests)
    expect(bar(page, "edit")).to_be_visible()


def test_one_request_that_fails_is_not_taken_for_being_offline(page, window):
    window.expect_complaints("ERR_|Failed to load")
    page.route("**/v1/changes*", lambda route: route.abort(), times=1)
    page.locator("[data-action=menu]").click()
    sheet(page).get_by_role("button", name="Changes").click()
    expect(page.locator(".toast")).to_contain_text("Offline")
    sheet(page).locator("[data-action=close]").click()
    expect(page.locator(".notice")).to_be_hidden()
    bar(page, "back").click()
    expect(heading(page)).to_have_text("Inventory")


def test_what_could_not_be_fetched_when_it_was_heard_of_is_fetched_later(page, window, server, kitchen):
    window.expect_complaints("ERR_|Failed to load")
    enter(page, "Kettle")
    failed = []

    def fail(route):
        failed.append(route.request.url)
        route.abort()

    # The list's own title has it read anew.
    page.route(f"**/v1/lists/{kitchen[0]}/screen?*", fail, times=1)
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"deleteLabel": "Sell", "sentinel": {"text": "The end"}})
    deadline = time.monotonic() + 10
    while not failed and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    expect(page.locator(".notice")).to_be_hidden()
    bar(page, "back").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "The end"])


def test_another_order_follows_changes_that_are_too_large_to_be_told(page, server, kitchen):
    page.locator(".screen:not([inert]) [data-action=order]").click()
    sheet(page).get_by_role("button", name="Title", exact=True).click()
    sheet(page).locator("[data-action=close]").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    table = "name\n" + "".join(f"Anvil {number}\n" for number in range(2100))
    server.ask("POST", f"/v1/lists/{kitchen[0]}/rows.csv", data=table.encode(), kind="text/csv")
    expect(row(page, "Anvil 0")).to_be_visible()


def test_a_move_that_failed_is_told_of_as_such_alone(page, window, kitchen):
    window.expect_complaints("503")
    bar(page, "edit").click()
    page.route("**/move-row", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", json={"title": "Too much to do", "status": 503}))
    page.evaluate("""() => {
      window.told = [];
      new MutationObserver(() => window.told.push(document.querySelector('.spoken').textContent))
        .observe(document.querySelector('.spoken'), { childList: true });
    }""")
    row(page, "Kettle").locator("[data-control=grip]").focus()
    for key in ("Space", "ArrowDown", "Space"):
        page.keyboard.press(key)
    page.wait_for_function("() => window.told.includes('Too much to do')")
    page.evaluate("() => new Promise((done) => setTimeout(done, 200))")
    assert "is now" not in page.evaluate("() => window.told.join()")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])


def test_rows_keep_their_order_when_one_comes_above_one_in_the_air(page, server, kitchen):
    bar(page, "edit").click()
    release = drag(page, "Toaster", -1)
    server.make_thing(kitchen[0], "Whisk", position="first")
    expect(row(page, "Whisk")).to_be_visible()
    settle(page)
    assert page.locator(".screen:not([inert]) .rows > li:not(.is-lifted)").evaluate_all(
        """rows => rows.sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
            .map((row) => row.querySelector('.row-title, .row-tail').textContent)""") == ["Whisk", "Kettle", "Mixer", LAST]
    page.keyboard.press("Escape")
    release()
    expect_titles(page, ["Whisk", "Kettle", "Mixer", "Toaster", LAST])


def test_fields_that_somebody_else_added_outlive_ones_own(windows, server, kitchen):
    kettle = kitchen[1][0]
    server.ask("PATCH", f"/v1/items/{kettle}", {"fields": {"Colour": "Red", "Watts": 2000, "constructor": "me"}})
    window = windows()
    window.expect_complaints("412")
    page = window.open()
    enter(page, "Kitchen")
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Text Colour").fill("Blue")
    sheet(page).get_by_role("button", name="Remove field constructor").click()
    server.ask("PATCH", f"/v1/items/{kettle}", {"fields": {"Litres": "1.7", "Watts": 1800}})
    sheet(page).locator("[data-action=save]").click()
    expect(sheet(page).get_by_role("alert")).to_contain_text("in the meantime")
    expect(sheet(page).get_by_label("Text Litres")).to_have_value("1.7")
    expect(sheet(page).get_by_label("Text Watts")).to_have_value("1800")
    sheet(page).locator("[data-action=save]").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert server.ask("GET", f"/v1/items/{kettle}")["fields"] == {"Colour": "Blue", "Watts": 1800, "Litres": "1.7"}


def test_a_number_that_is_none_does_not_clear_the_field(windows, server, kitchen):
    kettle = kitchen[1][0]
    server.ask("PATCH", f"/v1/items/{kettle}", {"valueInDollars": 30})
    window = windows()
    window.expect_complaints("422")
    page = window.open()
    enter(page, "Kitchen")
    enter(page, "Kettle")
    bar(page, "edit").click()
    value = sheet(page).get_by_label("Value in dollars")
    expect(value).not_to_have_attribute("aria-invalid", "true")
    value.fill("1e999")
    sheet(page).locator("[data-action=save]").click()
    expect(sheet(page).locator(".field-fault:not([hidden])")).not_to_be_empty()
    expect(value).to_have_attribute("aria-invalid", "true")
    assert server.ask("GET", f"/v1/items/{kettle}")["valueInDollars"] == 30


def test_photos_are_fetched_as_one_comes_to_them(page, window, server, kitchen):
    kettle = kitchen[1][0]
    gif = bytes.fromhex("47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b")
    for _ in range(30):
        server.ask("POST", f"/v1/items/{kettle}/photos", data=gif, kind="image/gif")
    enter(page, "Kettle")
    page.locator(".photo").first.wait_for()
    page.wait_for_function("() => document.querySelectorAll('.photo img').length === 30")
    # Those that were small are known by now; what follows is asked of the server again.
    page.reload()
    page.locator(".photo").first.wait_for()
    window.requests.clear()
    bar(page, "photos").click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 1 of 30")
    shown = page.locator(".photo-page img")
    expect(shown.nth(0)).to_have_js_property("naturalWidth", 1)
    assert page.locator(".photo-page img[src]").count() <= 3
    for index in range(2, 31):
        page.keyboard.press("ArrowRight")
        expect(page.locator(".photo-screen .position")).to_have_text(f"Photo {index} of 30")
    expect(shown.nth(29)).to_be_in_viewport()
    expect(shown.nth(29)).to_have_js_property("naturalWidth", 1)
    expect(page.locator(".photo-page img[src]")).to_have_count(3)


# What leads back, and what stays open


@pytest.mark.usefixtures("chromium_only")
def test_back_leaves_the_page_where_nothing_is_left_to_go_back_from(window, server):
    window.page.goto(f"{server.address}/problems")
    page = window.open()
    page.locator("[data-action=menu]").click()
    sheet(page).locator("[data-action=close]").click()
    expect(page.locator("dialog")).to_have_count(0)
    enter(page, "Kitchen")
    bar(page, "back").click()
    expect(heading(page)).to_have_text("Inventory")
    page.wait_for_function("() => !history.state?.isWayBack")
    page.evaluate("() => void setTimeout(() => history.back())")
    expect(page).to_have_url(f"{server.address}/problems")


def test_back_goes_on_leading_back_after_a_sheet_that_another_one_followed(page):
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    sheet(page).get_by_role("button", name="Trash").click()
    expect(sheet(page)).to_contain_text("The trash is empty.")
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    page.go_back()
    expect(heading(page)).to_have_text("Inventory")


def test_back_pressed_twice_at_once_leads_back_and_does_not_leave(page, server, kitchen):
    enter(page, "Kettle")
    late = Late(page, "**/pop", is_write=True)
    page.go_back()
    page.go_back()
    late.wait()
    late.come()
    expect(heading(page)).to_have_text("Kitchen")
    page.go_back()
    expect(heading(page)).to_have_text("Inventory")


def test_escape_again_and_again_loses_nothing_that_was_typed(page):
    bar(page, "edit").click()
    bar(page, "add").click()
    sheet(page).get_by_label("Name").fill("Whisk")
    question = page.get_by_role("heading", name="Discard what you typed?")
    for _ in range(3):
        page.keyboard.press("Escape")
        expect(question).to_be_visible()
        page.keyboard.press("Escape")
        expect(question).to_have_count(0)
    expect(sheet(page).get_by_label("Name")).to_have_value("Whisk")


def test_escape_does_not_get_past_the_question_for_a_token(windows, server, kitchen):
    server.token = server.make_token()
    window = windows()
    window.expect_complaints("401")
    page = window.page
    page.goto(window.address)
    sheet(page).get_by_label("Token").wait_for()
    for _ in range(4):
        page.keyboard.press("Escape")
    sheet(page).get_by_label("Token").fill(server.token)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, ["Kitchen", LAST])


# Where the focus goes


def test_undo_by_keys_leaves_the_focus_on_the_page(page):
    bar(page, "edit").click()
    row(page, "Mixer").locator("[data-control=remove]").click()
    sheet(page).locator("[data-answer=yes]").click()
    page.locator(".toast button").focus()
    page.keyboard.press("Enter")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    expect(heading(page)).to_be_focused()


def test_lines_of_the_trash_and_the_log_are_gone_through_by_keys(page, server, kitchen):
    for thing in kitchen[1]:
        server.ask("DELETE", f"/v1/rows/{thing}")
    expect_titles(page, [LAST])
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    sheet(page).get_by_role("button", name="Trash").click()
    back = sheet(page).get_by_role("button", name="Put back")
    expect(back).to_have_count(3)
    back.nth(1).focus()
    page.keyboard.press("Enter")
    expect(back).to_have_count(2)
    expect(back.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(back).to_have_count(1)
    expect(back).to_be_focused()
    page.keyboard.press("Enter")
    expect(sheet(page)).to_contain_text("The trash is empty.")
    expect(sheet(page).get_by_role("heading")).to_be_focused()


def test_a_tab_keeps_the_focus_when_others_change_things(page, server, kitchen):
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    sheet(page).get_by_role("button", name="Open in a new tab").click()
    expect(page.locator(".tab-bar button").last).to_have_attribute("aria-current", "page")
    expect(heading(page)).to_be_focused()
    tab = page.locator(".tab-bar button").first
    tab.focus()
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"sentinel": {"text": "The end"}})
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "The end"])
    expect(tab).to_be_focused()


# Many windows of one browser


def test_windows_that_nobody_sees_leave_the_server_to_those_that_are_seen(window, server, kitchen):
    page = window.open()
    hidden = [window.context.new_page() for _ in range(6)]
    for each in hidden:
        each.goto(window.address)
        each.locator(".stage:not([aria-busy]) h1").wait_for()
        each.evaluate("""() => {
          Object.defineProperty(document, 'hidden', { get: () => window.isHidden ?? true });
          document.dispatchEvent(new Event('visibilitychange'));
        }""")
    server.make_list("Study")
    expect_titles(page, ["Kitchen", "Study", LAST])
    # Who looks again sees what has come meanwhile.
    hidden[0].evaluate("() => { window.isHidden = false; document.dispatchEvent(new Event('visibilitychange')); }")
    expect_titles(hidden[0], ["Kitchen", "Study", LAST])
    expect(hidden[0].locator(".notice")).to_be_hidden()
