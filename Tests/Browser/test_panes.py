"""Wide windows: the list and the details of an item beside each other."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, TABLET, bar, enter, expect_titles, heading, row, sheet
from test_addresses import expect_address, opened

LISTED = ".list-pane .rows > li:not([inert])"


def chosen(page):
    """The rows that are marked as current."""
    return page.locator(".list-pane .rows [aria-current=true] .row-title")


def enter_beside(page, title):
    """Clicks a row of the list beside the current screen."""
    page.locator(LISTED).filter(has_text=title).locator("[data-control=main]").click()
    expect(heading(page)).to_have_text(title)


@pytest.fixture(params=[TABLET, DESKTOP], ids=["tablet", "desktop"])
def wide(request, windows, kitchen):
    page = windows(viewport=request.param).open()
    enter(page, "Kitchen")
    return page


def test_the_list_of_an_item_stays_beside_it(wide, server, kitchen):
    wide.evaluate("window.list = document.querySelector('.list-screen')")
    enter(wide, "Mixer")
    expect_address(wide, f"/i/{kitchen[1][1]}")
    expect(wide.get_by_role("main", name="Kitchen").locator(".row-title")).to_have_text(["Kettle", "Mixer", "Toaster"])
    expect(wide.get_by_role("complementary", name="Details").get_by_role("heading", level=1)).to_have_text("Mixer")
    expect(chosen(wide)).to_have_text(["Mixer"])
    list_box, item_box = (wide.locator(one).bounding_box() for one in (".list-screen", ".item-screen"))
    assert list_box["x"] + list_box["width"] <= item_box["x"]
    enter_beside(wide, "Kettle")
    expect(chosen(wide)).to_have_text(["Kettle"])
    bar(wide, "next").click()
    expect(chosen(wide)).to_have_text(["Mixer"])
    # It was the same list all the time.
    assert wide.evaluate("window.list === document.querySelector('.list-screen')")
    server.ask("POST", f"/v1/lists/{kitchen[0]}/items", {"name": "Whisk"})
    expect(wide.locator(".list-pane .row-title")).to_have_text(["Kettle", "Mixer", "Toaster", "Whisk"])


def test_a_list_has_the_whole_width_while_no_item_is_open(wide):
    def widths():
        stage, listed = (wide.locator(one).bounding_box() for one in (".stage", ".list-screen"))
        return stage["width"], listed["width"]

    whole, listed = widths()
    assert listed == whole
    expect(wide.locator(".detail-pane")).to_be_hidden()
    enter(wide, "Mixer")
    assert widths()[1] < whole / 2 + 1
    expect(chosen(wide)).to_be_in_viewport()
    bar(wide, "back").click()
    expect(heading(wide)).to_have_text("Kitchen")
    assert widths() == (whole, whole)


def test_a_long_list_stays_where_it_is_when_an_item_opens_beside_it(windows, server):
    garage, things = server.make_list("Garage", [f"Box {number}" for number in range(60)])
    page = windows(viewport=DESKTOP).open()
    enter(page, "Garage")
    row(page, "Box 0").wait_for()
    for _ in range(3):
        page.mouse.move(700, 500)
        page.mouse.wheel(0, 400)
        page.wait_for_timeout(100)
    clicked = page.locator(LISTED).filter(has_text="Box 20").first
    top = clicked.bounding_box()["y"]
    # A click on the element itself scrolls it to the middle in Firefox, because Playwright does so there.
    page.mouse.click(700, top + 20)
    expect(heading(page)).to_have_text("Box 20")
    assert abs(clicked.bounding_box()["y"] - top) < 3
    page.go_back()
    expect(heading(page)).to_have_text("Garage")
    assert abs(clicked.bounding_box()["y"] - top) < 3


def test_back_and_forward_go_through_the_items_beside_a_list(wide, kitchen):
    enter(wide, "Mixer")
    enter_beside(wide, "Toaster")
    wide.go_back()
    expect(heading(wide)).to_have_text("Mixer")
    expect(chosen(wide)).to_have_text(["Mixer"])
    wide.go_back()
    expect(heading(wide)).to_have_text("Kitchen")
    expect_address(wide, f"/l/{kitchen[0]}")
    expect(chosen(wide)).to_have_count(0)
    expect(wide.locator(".item-screen")).to_have_count(0)
    wide.go_forward()
    expect(heading(wide)).to_have_text("Mixer")
    expect(chosen(wide)).to_have_text(["Mixer"])


def test_a_list_that_was_sorted_beside_an_item_stays_sorted_when_the_item_is_left(wide, server, kitchen):
    server.ask("POST", f"/v1/lists/{kitchen[0]}/reorder", {"sort": "-title"})
    enter(wide, "Mixer")
    titles = wide.locator(".list-screen .row-title")
    expect(titles).to_have_text(["Toaster", "Mixer", "Kettle"])
    wide.locator(".list-pane [data-action=order]").click()
    sheet(wide).get_by_role("button", name="Title", exact=True).click()
    sheet(wide).locator("[data-action=close]").click()
    expect(titles).to_have_text(["Kettle", "Mixer", "Toaster"])
    bar(wide, "back").click()
    expect(wide.locator(".item-screen")).to_have_count(0)
    expect_address(wide, f"/l/{kitchen[0]}?sort=title")
    expect(titles).to_have_text(["Kettle", "Mixer", "Toaster"])
    wide.go_back()
    expect(heading(wide)).to_have_text("Inventory")


def test_a_link_to_an_item_shows_its_list_and_its_row(windows, server):
    garage, things = server.make_list("Garage", [f"Box {number}" for number in range(150)])
    page = opened(windows(viewport=DESKTOP), f"/i/{things[140]}")
    expect(heading(page)).to_have_text("Box 140")
    expect(page.get_by_role("main", name="Garage")).to_be_visible()
    expect(chosen(page)).to_have_text(["Box 140"])
    expect(chosen(page)).to_be_in_viewport()


def test_the_focus_stays_in_the_list_for_who_goes_through_it_by_keys(wide):
    row(wide, "Kettle").locator("a").focus()
    wide.keyboard.press("Enter")
    expect(heading(wide)).to_have_text("Kettle")
    wide.keyboard.press("ArrowDown")
    wide.keyboard.press("Enter")
    expect(heading(wide)).to_have_text("Mixer")
    expect(wide.locator(".spoken")).to_have_text("Mixer")
    wide.keyboard.press("j")
    expect(wide.locator(LISTED).filter(has_text="Toaster").locator("a")).to_be_focused()
    wide.keyboard.press("/")
    expect(wide.get_by_role("main").get_by_role("searchbox")).to_be_focused()
    heading(wide).focus()
    wide.keyboard.press("Escape")
    expect(heading(wide)).to_have_text("Kitchen")
    expect(row(wide, "Mixer").locator("a")).to_be_focused()


def test_an_item_that_is_moved_or_deleted_takes_the_panes_along(wide, server, kitchen):
    garage, _ = server.make_list("Garage", ["Drill"])
    enter(wide, "Mixer")
    server.ask("POST", f"/v1/rows/{kitchen[1][1]}/move", {"listId": garage, "position": "last"})
    expect(wide.get_by_role("main", name="Garage").locator(".row-title")).to_have_text(["Drill", "Mixer"])
    expect(chosen(wide)).to_have_text(["Mixer"])


def test_a_window_shows_as_many_panes_as_it_has_room_for(windows, kitchen):
    page = windows(viewport=PHONE).open()
    enter(page, "Kitchen")
    enter(page, "Kettle")
    expect(page.locator(".list-screen")).to_have_count(0)
    expect(page.get_by_role("main", name="Kettle")).to_have_count(1)
    page.set_viewport_size(TABLET)
    expect(page.get_by_role("main", name="Kitchen")).to_be_visible()
    expect(chosen(page)).to_have_text(["Kettle"])
    page.set_viewport_size(PHONE)
    expect(page.locator(".list-screen")).to_have_count(0)
    expect(heading(page)).to_have_text("Kettle")
    page.go_back()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "No more items!"])


def test_the_menu_leaves_out_what_the_sidebar_has(windows, kitchen):
    for size, count in ((DESKTOP, 0), (PHONE, 1)):
        page = windows(viewport=size).open()
        page.locator(".screen:not([inert]) [data-action=menu]").click()
        expect(sheet(page).get_by_role("button", name="Details")).to_be_visible()
        expect(sheet(page).get_by_role("button", name="Trash")).to_have_count(count)
