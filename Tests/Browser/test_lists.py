"""Drilling down, editing, dragging, removing: what one does with rows."""

import json
import re

import pytest
from playwright.sync_api import expect

from conftest import LAST, bar, drag, enter, expect_kept, expect_stored, expect_titles, heading, landed, menu, row, sheet


def test_the_first_screen_has_its_title_and_edit_and_nothing_leading(start):
    expect(heading(start)).to_have_text("Inventory")
    expect(start.locator(".bar-leading button")).to_have_count(0)
    expect(bar(start, "edit")).to_have_text("Edit")
    expect_titles(start, ["Kitchen", LAST])


def test_a_tap_leads_down_and_back_carries_the_title_before(start):
    enter(start, "Kitchen")
    expect(bar(start, "back")).to_have_text("Inventory")
    expect_titles(start, ["Kettle", "Mixer", "Toaster", LAST])
    enter(start, "Kettle")
    expect(bar(start, "back")).to_have_text("Kitchen")
    bar(start, "back").click()
    expect(heading(start)).to_have_text("Kitchen")
    start.go_back()
    expect(heading(start)).to_have_text("Inventory")


def test_edit_shows_what_may_be_done_and_nothing_for_the_last_row(editing):
    expect(editing.locator("[data-control=remove]")).to_have_count(3)
    expect(editing.locator("[data-control=grip]")).to_have_count(3)
    expect(editing.locator(".is-tail button")).to_have_count(0)
    bar(editing, "done").click()
    expect(editing.locator("[data-control=remove]")).to_have_count(0)


def test_a_row_is_dragged_with_the_mouse(editing, server, kitchen):
    drag(editing, "Toaster", -2)()
    expect_titles(editing, ["Toaster", "Kettle", "Mixer", LAST])
    expect_kept(editing, server, kitchen[0], ["Toaster", "Kettle", "Mixer"])


def test_a_row_dragged_below_the_last_one_lands_above_it(editing, server, kitchen):
    release = drag(editing, "Kettle", 6)
    # The gap is where the server says that the row would land.
    editing.wait_for_function(
        """last => {
          const rows = [...document.querySelectorAll('.rows > li:not(.is-lifted)')];
          rows.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
          return rows.at(-1).textContent === last;
        }""", arg=LAST)
    release()
    expect_titles(editing, ["Mixer", "Toaster", "Kettle", LAST])
    expect_kept(editing, server, kitchen[0], ["Mixer", "Toaster", "Kettle"])


@pytest.mark.usefixtures("chromium_only")
def test_a_row_is_dragged_with_a_finger(windows, server, kitchen):
    page = windows(has_touch=True, is_mobile=True).open()
    enter(page, "Kitchen")
    bar(page, "edit").click()
    grip = row(page, "Kettle").locator("[data-control=grip]").bounding_box()
    x, y = grip["x"] + 10, grip["y"] + grip["height"] / 2
    touch = page.context.new_cdp_session(page)

    def send(kind, at):
        points = [] if kind == "touchEnd" else [{"x": x, "y": at}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", y)
    for step in range(1, 11):
        send("touchMove", y + grip["height"] * 2 * step / 10)
        page.wait_for_timeout(20)
    send("touchEnd", y)
    expect_titles(page, ["Mixer", "Toaster", "Kettle", LAST])


def test_a_row_is_moved_with_keys_and_told_of(editing, server, kitchen):
    said = editing.locator(".spoken")
    row(editing, "Kettle").locator("[data-control=grip]").focus()
    editing.keyboard.press("Space")
    expect(said).to_contain_text("Kettle picked up")
    editing.keyboard.press("ArrowDown")
    expect(said).to_have_text("Kettle: 2 of 3")
    editing.keyboard.press("ArrowDown")
    expect(said).to_have_text("Kettle: 3 of 3")
    # Below the last row it goes no further.
    editing.keyboard.press("ArrowDown")
    expect(said).to_have_text("Kettle: 3 of 3")
    editing.keyboard.press("Space")
    expect(said).to_have_text("Kettle is now 3 of 3.")
    expect_titles(editing, ["Mixer", "Toaster", "Kettle", LAST])
    assert server.rows(kitchen[0]) == ["Mixer", "Toaster", "Kettle"]


def test_escape_puts_a_row_back(editing, server, kitchen):
    row(editing, "Kettle").locator("[data-control=grip]").focus()
    editing.keyboard.press("Enter")
    editing.keyboard.press("ArrowDown")
    editing.keyboard.press("Escape")
    expect(editing.locator(".spoken")).to_have_text("Kettle is back in its place.")
    expect_titles(editing, ["Kettle", "Mixer", "Toaster", LAST])
    drag(editing, "Kettle", 2)
    editing.keyboard.press("Escape")
    editing.mouse.up()
    expect_titles(editing, ["Kettle", "Mixer", "Toaster", LAST])
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster"]


def test_a_move_that_somebody_else_was_faster_with_lands_where_the_server_says(editing, server, kitchen):
    # The page hears nothing of it before its own move is answered.
    editing.route("**/v1/events*", lambda route: route.abort())
    server.ask("POST", f"/v1/lists/{kitchen[0]}/move-row", {"from": 2, "to": 0})
    drag(editing, "Mixer", -1)()
    landed(editing)
    expect_titles(editing, [*server.rows(kitchen[0]), LAST])


def test_remove_asks_once_and_can_be_undone(editing, server, kitchen):
    row(editing, "Mixer").locator("[data-control=remove]").click()
    expect(sheet(editing).get_by_role("heading")).to_have_text("Remove “Mixer”?")
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster"]
    sheet(editing).locator("[data-answer=yes]").click()
    expect(editing.locator("dialog")).to_have_count(0)
    expect_titles(editing, ["Kettle", "Toaster", LAST])
    expect_kept(editing, server, kitchen[0], ["Kettle", "Toaster"])
    editing.locator(".toast button").click()
    expect_titles(editing, ["Kettle", "Mixer", "Toaster", LAST])
    expect_kept(editing, server, kitchen[0], ["Kettle", "Mixer", "Toaster"])


def test_a_list_that_holds_rows_is_removed_after_one_question_too(start, server):
    bar(start, "edit").click()
    row(start, "Kitchen").locator("[data-control=remove]").click()
    expect(sheet(start)).to_contain_text("Everything in it goes to the trash too")
    sheet(start).locator("[data-answer=yes]").click()
    expect_titles(start, [LAST])
    expect(start.locator("dialog")).to_have_count(0)
    # The row is gone at once; it can be undone when the server has answered.
    expect(start.locator(".toast button")).to_have_text("Undo")
    start.keyboard.press("Control+z")
    expect_titles(start, ["Kitchen", LAST])


def test_the_word_for_removing_is_the_lists(windows, server, kitchen):
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"deleteLabel": "Sell"})
    page = windows().open()
    enter(page, "Kitchen")
    bar(page, "edit").click()
    row(page, "Kettle").get_by_role("button", name="Sell Kettle").click()
    expect(sheet(page).locator("[data-answer=yes]")).to_have_text("Sell")


def test_rows_are_walked_through_with_keys(start):
    enter(start, "Kitchen")
    row(start, "Kettle").locator("[data-control=main]").focus()
    start.keyboard.press("ArrowDown")
    expect(row(start, "Mixer").locator("[data-control=main]")).to_be_focused()
    start.keyboard.press("End")
    expect(row(start, "Toaster").locator("[data-control=main]")).to_be_focused()
    start.keyboard.press("Enter")
    expect(heading(start)).to_have_text("Toaster")
    bar(start, "back").click()
    expect(row(start, "Toaster").locator("[data-control=main]")).to_be_focused()


def test_rows_stay_as_they_are_when_the_browser_has_stored_them(start, kitchen):
    row(start, "Kitchen").locator("[data-control=main]").evaluate("link => (link.isFirst = true)")
    expect_stored(start, kitchen[0])
    # A press on it would have no effect if it were drawn again.
    start.wait_for_timeout(500)
    assert row(start, "Kitchen").locator("[data-control=main]").evaluate("link => link.isFirst === true")


@pytest.mark.usefixtures("chromium_only")
def test_bars_and_rights_are_shown_as_the_server_has_them(windows, server, kitchen):
    """No rule of them is the page's: whatever the server made up would be shown."""
    window = windows()

    def changed(route):
        answer = route.fetch()
        answered = answer.json()
        content = answered.get("list", answered)
        if "navigationBar" in content:
            content["navigationBar"]["title"] = "Whatever"
            content["navigationBar"]["leading"] = {
                "action": "add", "title": "More of it", "image": "plus", "enabled": False}
        if "sentinel" in content:
            content["sentinel"]["text"] = "The end"
        if "rows" in content:
            content["rows"][-1]["title"] = "The end"
            content["rows"][0].update(canMove=False, canDelete=False)
        route.fulfill(response=answer, body=json.dumps(answered))

    window.page.route(re.compile("/v1/(lists/|start)"), changed)
    server.make_list("Study")
    page = window.open()
    expect(heading(page)).to_have_text("Whatever")
    expect(page.get_by_role("button", name="More of it")).to_be_disabled()
    expect_titles(page, ["Kitchen", "Study", "The end"])
    bar(page, "edit").click()
    expect(row(page, "Study").locator("[data-control=grip]")).to_have_count(1)
    expect(row(page, "Kitchen").locator("[data-control=grip], [data-control=remove]")).to_have_count(0)


def test_undo_goes_back_step_by_step(editing):
    drag(editing, "Toaster", -2)()
    expect_titles(editing, ["Toaster", "Kettle", "Mixer", LAST])
    landed(editing)
    drag(editing, "Mixer", -1)()
    expect_titles(editing, ["Toaster", "Mixer", "Kettle", LAST])
    landed(editing)
    editing.keyboard.press("Control+z")
    expect_titles(editing, ["Toaster", "Kettle", "Mixer", LAST])
    menu(editing, "Undo")
    expect_titles(editing, ["Kettle", "Mixer", "Toaster", LAST])
    editing.locator(".toast button", has_text="Redo").click()
    expect_titles(editing, ["Toaster", "Kettle", "Mixer", LAST])
