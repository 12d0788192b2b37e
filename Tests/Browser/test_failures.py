"""Requests that fail or are slow: the person sees one message, and loses no input."""

import re
import time

import pytest
from playwright.sync_api import expect

from answers import Silence, slow
from conftest import LAST, back, bar, drag, enter, expect_kept, expect_titles, heading, menu, row, save, sheet, titles


def test_a_slow_answer_shows_that_the_page_waits(page):
    slow(page, "**/v1/changes*", 1200)
    menu(page, "Changes")
    expect(page.locator("body.is-waiting")).to_have_count(1)
    expect(sheet(page).locator(".entries li").first).to_be_visible()
    expect(page.locator("body.is-waiting")).to_have_count(0)


def test_pages_of_the_log_without_changes_are_passed_over(page, server):
    asked = []

    def answer(route):
        found = re.search(r"before=(\d+)", route.request.url)
        before = int(found[1]) if found else None
        asked.append(before)
        if before is None or before > 8000:
            route.fulfill(json={"count": None, "changes": [], "nextBefore": (before or 10000) - 1000})
        else:
            route.continue_()

    page.route("**/v1/changes*", answer)
    menu(page, "Changes")
    expect(sheet(page).locator(".entries li").first).to_be_visible()
    assert asked == [None, 9000, 8000]


def test_one_request_that_fails_is_not_taken_for_being_offline(page, window):
    window.expect_complaints("ERR_|Failed to load")
    page.route("**/v1/changes*", lambda route: route.abort(), times=1)
    menu(page, "Changes")
    expect(page.locator(".toast")).to_contain_text("can’t be reached")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".notice")).to_be_hidden()
    back(page, "Inventory")


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


def test_what_the_server_could_not_answer_when_it_was_heard_of_is_asked_for_again(page, window, server, kitchen):
    window.expect_complaints("503")
    # The list's title reloads it, which fails at first.
    page.route(f"**/v1/lists/{kitchen[0]}/screen?*", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", json={"title": "Too much to do", "status": 503}), times=1)
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"sentinel": {"text": "The end"}})
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "The end"])
    server.make_thing(kitchen[0], "Whisk")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", "The end"])


@pytest.mark.parametrize("path", ["items/*", "rows/*"])
def test_what_an_item_became_is_shown_though_the_server_had_no_time_at_first(page, window, server, kitchen, path):
    window.expect_complaints("503")
    enter(page, "Kettle")
    page.route(f"**/v1/{path}", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", json={"title": "Too much to do", "status": 503}), times=1)
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"name": "Tea kettle", "serialNumber": "K-7"})
    expect(heading(page)).to_have_text("Tea kettle")
    expect(page.locator(".facts")).to_contain_text("K-7")
    expect(page.locator(".toast")).to_have_count(0)


def test_a_server_that_has_no_time_when_it_is_found_again_is_asked_until_it_has(page, window, server, kitchen):
    window.expect_complaints("503|ERR_|Failed to load")
    page.route("**/v1/rows/*", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", json={"title": "Too much to do", "status": 503}), times=1)
    with Silence(window):
        server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"title": "Galley"})
    expect(heading(page)).to_have_text("Galley")
    expect(page.locator(".toast")).to_have_count(0)


@pytest.mark.usefixtures("chromium_only")
def test_a_move_that_failed_is_told_of_as_such_alone(page, window, kitchen):
    def refuse(route):
        sent = [command["sequence"] for command in route.request.post_data_json["commands"]]
        problem = {"title": "Too much to do", "status": 409, "code": "conflict"}
        route.fulfill(json={"revision": 1, "lastSequence": sent[-1], "problem": None, "outcomes": [
            {"sequence": sequence, "outcome": "refused", "problem": problem} for sequence in sent]})

    bar(page, "edit").click()
    page.route("**/v1/sync", refuse)
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


def test_a_message_says_what_to_do_about_a_problem(page, window, server):
    window.expect_complaints("507")
    page.route("**/v1/lists/*/screen?mode=add*", lambda route: route.fulfill(
        status=507, content_type="application/problem+json",
        json={"title": "No room", "detail": "Delete some photos, then try again.", "status": 507}))
    bar(page, "edit").click()
    bar(page, "add").click()
    expect(page.locator(".toast")).to_contain_text("No room")
    expect(page.locator(".toast")).to_contain_text("Delete some photos, then try again.")
    expect(page.locator(".spoken")).to_have_text("No room Delete some photos, then try again.")


def test_what_goes_wrong_is_told_above_a_sheet_too(page, window):
    # The undo is repeated when the connection is back.
    window.expect_complaints("ERR_|Failed to load")
    menu(page, "Changes")
    undo = sheet(page).get_by_role("button", name="Undo").first
    undo.wait_for()
    window.context.set_offline(True)
    undo.click()
    expect(sheet(page).locator(".toast")).to_contain_text("may or may not")
    window.context.set_offline(False)
    expect(page.locator(".notice")).to_be_hidden()
    redo = sheet(page).locator(".toast button")
    expect(redo).to_have_text("Redo")
    # It outlives the sheet.
    sheet(page).locator("[data-action=close]").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect_titles(page, ["Kettle", "Mixer", LAST])
    page.locator(".toast button").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])


@pytest.mark.usefixtures("chromium_only")
def test_what_was_typed_after_a_save_whose_answer_was_lost_is_saved(editing, window, server, kitchen):
    window.expect_complaints("ERR_|Failed to load")
    lost = []

    def lose(route):
        lost.append(route.fetch())
        route.abort()

    bar(editing, "add").click()
    sheet(editing).get_by_label("Name").fill("Whisk")
    editing.route("**/items", lose)
    save(editing)
    expect(sheet(editing).get_by_role("alert")).to_contain_text("Your input stays here")
    editing.unroute("**/items")
    sheet(editing).get_by_label("Name").fill("Whisk, large")
    sheet(editing).get_by_label("Notes").fill("Steel")
    save(editing)
    expect_titles(editing, ["Kettle", "Mixer", "Toaster", "Whisk, large", LAST])
    assert len(lost) == 3
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster", "Whisk, large"]


@pytest.mark.usefixtures("chromium_only")
def test_what_was_cleared_after_a_save_whose_answer_was_lost_is_cleared(editing, window, server, kitchen):
    window.expect_complaints("ERR_|Failed to load")

    def lose(route):
        route.fetch()
        route.abort()

    bar(editing, "add").click()
    for label in ("Name", "Notes", "Serial number", "Value in dollars", "Tags"):
        sheet(editing).get_by_label(label, exact=True).fill("7")
    for name in ("Colour", "Room"):
        sheet(editing).get_by_role("button", name="Add field").click()
        sheet(editing).get_by_label("Field", exact=True).last.fill(name)
        sheet(editing).get_by_label("Text", exact=True).last.fill("x")
    editing.route("**/items", lose)
    save(editing)
    expect(sheet(editing).get_by_role("alert")).to_contain_text("Your input stays here")
    editing.unroute("**/items")
    for label in ("Notes", "Serial number", "Value in dollars", "Tags"):
        sheet(editing).get_by_label(label, exact=True).fill("")
    sheet(editing).get_by_role("button", name="Remove field").first.click()
    save(editing)
    expect(editing.locator("dialog")).to_have_count(0)
    made = server.ask("GET", f"/v1/lists/{kitchen[0]}/rows?sentinel=false")["rows"][-1]["id"]
    item = server.ask("GET", f"/v1/items/{made}")
    assert (item["name"], item["notes"], item["serialNumber"], item["valueInDollars"], item["tags"], item["fields"]) == (
        "7", None, None, None, [], {"Room": "x"})


def test_what_is_added_to_a_list_that_was_removed_is_refused_and_kept(editing, server, kitchen, window):
    window.expect_complaints("410")
    bar(editing, "add").click()
    sheet(editing).get_by_label("Name").fill("Whisk")
    server.ask("DELETE", f"/v1/lists/{kitchen[0]}?recursive=true")
    expect(editing.locator(".screen:not([inert]) h1")).to_have_text("Inventory")
    save(editing)
    expect(sheet(editing).get_by_role("alert")).not_to_be_empty()
    expect(sheet(editing).get_by_label("Name")).to_have_value("Whisk")


def test_offline_is_said_and_caught_up_with(windows, server):
    kitchen, _ = server.make_list("Kitchen", ["Kettle", "Mixer"])
    window = windows()
    window.expect_complaints("ERR_|Failed to load")
    page = window.open()
    enter(page, "Kitchen")
    expect_titles(page, ["Kettle", "Mixer", LAST])
    bar(page, "edit").click()
    expect(bar(page, "done")).to_be_visible()
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    drag(page, "Mixer", -1)()
    expect_titles(page, ["Mixer", "Kettle", LAST])
    server.make_thing(kitchen, "Toaster")
    server.make_thing(kitchen, "Whisk", position="first")
    window.requests.clear()
    window.context.set_offline(False)
    expect(page.locator(".notice")).to_be_hidden()
    expect_titles(page, ["Whisk", "Mixer", "Kettle", "Toaster", LAST])
    expect_kept(page, server, kitchen, ["Whisk", "Mixer", "Kettle", "Toaster"])
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
