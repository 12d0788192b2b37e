"""Swipes, long presses and right clicks on rows."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, LAST, bar, enter, expect_kept, expect_titles, heading, move_to, row, settle, sheet
from test_accessibility import check

pytestmark = pytest.mark.usefixtures("chromium_only")


class Finger:
    """A finger on the page, as Chromium's own protocol moves it."""

    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def send(self, kind, *points):
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    def drag(self, x, y, dx, dy, steps=8, hold=0):
        self.send("touchStart", {"x": x, "y": y})
        if hold:
            self.page.wait_for_timeout(hold)
        for step in range(1, steps + 1):
            self.send("touchMove", {"x": x + dx * step / steps, "y": y + dy * step / steps})
            self.page.wait_for_timeout(20)
        self.send("touchEnd")

    def drag_row(self, title, dx, dy=0, **options):
        settle(self.page)
        box = row(self.page, title).bounding_box()
        self.drag(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, dx, dy, **options)


@pytest.fixture
def touched(windows, kitchen):
    """Opens the kitchen's screen on a phone."""
    def open_kitchen(**options):
        page = windows(has_touch=True, **options).open()
        enter(page, "Kitchen")
        return page
    return open_kitchen


def test_a_swipe_to_the_start_removes_and_one_to_the_end_moves(touched, server, kitchen):
    page = touched()
    finger = Finger(page)
    finger.drag_row("Kettle", -80)
    # Not far enough, and no tap.
    expect(heading(page)).to_have_text("Kitchen")
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster"]
    finger.drag_row("Kettle", -180)
    expect_titles(page, ["Mixer", "Toaster", LAST])
    expect_kept(page, server, kitchen[0], ["Mixer", "Toaster"])
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    finger.drag_row("Mixer", 180)
    expect(move_to(page)).to_be_visible()


def test_swipes_are_mirrored_from_right_to_left(touched, server, kitchen):
    page = touched(locale="ar-EG")
    Finger(page).drag_row("Kettle", 180)
    expect_kept(page, server, kitchen[0], ["Mixer", "Toaster"])


def test_a_long_press_selects_no_text_of_the_list_and_what_an_item_says_can_be_selected(touched, server, kitchen):
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"notes": "Descale it", "serialNumber": "K-1"})
    page = touched()
    selectable = """(home) => [home, ...home.querySelectorAll('*')].filter((node) => getComputedStyle(node).userSelect !== 'none'
      && [...node.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE)).map((node) => node.textContent)"""
    rows = page.locator(".screen:not([inert]) .rows")
    assert rows.evaluate("home => [...home.querySelectorAll('*')].some((node) => node.textContent === 'Kettle')")
    assert rows.evaluate(selectable) == []
    bar(page, "edit").click()
    expect(row(page, "Kettle").locator("[data-control=grip]")).to_be_visible()
    assert rows.evaluate(selectable) == []
    bar(page, "done").click()
    # What Safari understands. Chromium reads both, so only the file tells.
    style = page.evaluate("async () => (await fetch('/style.css')).text()")
    assert style.count("-webkit-user-select: none") == len(re.findall(r"(?<!-)user-select: none", style)) > 0
    Finger(page).drag_row("Kettle", 0, hold=700)
    expect(sheet(page).get_by_role("button", name="Open")).to_be_visible()
    assert page.evaluate("getSelection().toString()") == ""
    page.keyboard.press("Escape")
    enter(page, "Kettle")
    assert {"Descale it", "K-1"} <= set(page.locator(".screen:not([inert])").evaluate(selectable))


def test_a_swipe_from_the_edge_or_upwards_is_not_one_of_a_row(touched, server, kitchen):
    page = touched()
    finger = Finger(page)
    box = row(page, "Kettle").bounding_box()
    finger.drag_row("Kettle", -100, 150)
    expect(heading(page)).to_have_text("Kitchen")
    # The browser may go back.
    finger.drag(20, box["y"] + 20, 250, 0)
    page.wait_for_timeout(300)
    expect(page.locator("dialog")).to_have_count(0)
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster"]


def test_a_list_scrolls_under_a_finger(windows, server):
    server.make_list("Long", [f"Thing {number}" for number in range(60)])
    page = windows(has_touch=True).open()
    enter(page, "Long")
    Finger(page).drag_row("Thing 5", 10, -250)
    page.wait_for_function("() => document.querySelector('.screen .scroller').scrollTop > 100")
    expect(heading(page)).to_have_text("Long")


def test_a_long_press_opens_the_menu_of_a_row(touched, server, kitchen):
    page = touched()
    Finger(page).drag_row("Kettle", 0, 0, steps=0, hold=700)
    expect(sheet(page).locator("h2")).to_have_text("Kettle")
    check(page, "the menu of a row")
    sheet(page).get_by_role("button", name="Move to the bottom").click()
    expect_titles(page, ["Mixer", "Toaster", "Kettle", LAST])
    expect_kept(page, server, kitchen[0], ["Mixer", "Toaster", "Kettle"])


def test_the_menu_opens_while_the_finger_is_down_and_lifting_it_chooses_nothing(windows, server):
    server.make_list("Long", [f"Thing {number}" for number in range(30)])
    page = windows(has_touch=True).open()
    enter(page, "Long")
    finger = Finger(page)
    finger.drag_row("Thing 1", 0, steps=0, hold=700)
    settle(page)
    box = sheet(page).get_by_role("button", name="Open").bounding_box()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    # Where the first entry will be.
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("touchStart", point)
    expect(sheet(page).get_by_role("button", name="Open")).to_be_visible()
    settle(page)
    pressed = sheet(page).locator("h2").text_content()
    assert page.evaluate("({ x, y }) => document.elementFromPoint(x, y).textContent", point) == "Open"
    page.wait_for_timeout(300)
    # A finger is never quite still.
    finger.send("touchMove", {**point, "y": point["y"] + 12})
    finger.send("touchEnd")
    page.wait_for_timeout(300)
    expect(sheet(page).locator("h2")).to_have_text(pressed)
    expect(heading(page)).to_have_text("Long")
    assert page.evaluate("getSelection().toString()") == ""
    page.touchscreen.tap(point["x"], point["y"])
    expect(heading(page)).to_have_text(pressed)


def test_a_long_press_and_a_drag_select_rows(touched):
    page = touched()
    height = row(page, "Kettle").bounding_box()["height"]
    Finger(page).drag_row("Kettle", 0, 1.2 * height, hold=700)
    expect(page.locator(".select-count")).to_have_text("2 selected")
    expect(row(page, "Mixer").get_by_role("checkbox")).to_be_checked()
    expect(page.locator("dialog")).to_have_count(0)


def test_a_right_click_opens_the_menu_of_a_row(windows, server, kitchen):
    window = windows(viewport=DESKTOP)
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = window.open()
    enter(page, "Kitchen")

    def choose(title, name):
        row(page, title).click(button="right")
        expect(sheet(page).locator("h2")).to_have_text(title)
        sheet(page).get_by_role("button", name=name, exact=True).click()

    choose("Toaster", "Move to the top")
    expect_titles(page, ["Toaster", "Kettle", "Mixer", LAST])
    choose("Kettle", "Copy link")
    expect(page.locator(".toast")).to_contain_text("The link was copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{server.address}/i/{kitchen[1][0]}"
    with window.context.expect_page() as opened:
        choose("Kettle", "Print a label")
    assert opened.value.url.endswith(f"/labels?ids={kitchen[1][0]}")
    opened.value.close()
    choose("Kettle", "Select")
    expect(page.locator(".select-count")).to_have_text("1 selected")
    page.keyboard.press("Escape")
    choose("Kettle", "Remove")
    expect_titles(page, ["Toaster", "Mixer", LAST])
    choose("Mixer", "Edit")
    expect(sheet(page).get_by_label("Name")).to_have_value("Mixer")


def test_the_last_row_has_no_menu(page):
    page.locator(".row.is-tail").dispatch_event("contextmenu", {"button": 2})
    expect(page.locator("dialog")).to_have_count(0)
