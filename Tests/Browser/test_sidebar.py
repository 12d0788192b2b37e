"""The sidebar of a wide window: the tree of lists, the search in everything, and the sheets of the app."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, LAST, PHONE, TABLET, bar, enter, expect_kept, expect_titles, heading, menu, row, settle, sheet
from test_addresses import opened


def branch(page, title):
    """The row of a list in the tree."""
    return page.get_by_role("treeitem").filter(has=page.locator(".tree-title", has_text=title))


def lists(page):
    """The titles of the lists that the tree shows, from top to bottom."""
    return page.locator(".tree .tree-title")


def current(page):
    return page.locator(".tree [aria-current]")


@pytest.fixture
def house(server):
    """Two rooms in a house, and a cupboard in one of them."""
    ids = {"House": server.make_list("House")[0]}
    for title, above in [("Kitchen", "House"), ("Cupboard", "Kitchen"), ("Study", "House")]:
        ids[title] = server.make_list(title, ["Lamp"], ids[above])[0]
    ids["Garage"] = server.make_list("Garage", ["Drill"])[0]
    return ids


@pytest.fixture
def desk(windows, house):
    window = windows(viewport=DESKTOP)
    page = window.open()
    expect(lists(page)).to_have_text(["Inventory", "House", "Garage"])
    page.requests = window.requests
    return page


def test_the_tree_opens_to_the_current_list_and_marks_it(desk, windows, house):
    expect(current(desk)).to_contain_text("Inventory")
    branch(desk, "House").locator(".tree-toggle").click()
    expect(lists(desk)).to_have_text(["Inventory", "House", "Kitchen", "Study", "Garage"])
    expect(heading(desk)).to_have_text("Inventory")
    branch(desk, "Study").click()
    expect(heading(desk)).to_have_text("Study")
    expect(current(desk)).to_have_text(["Study1"])
    enter(desk, "Lamp")
    expect(current(desk)).to_have_text(["Study1"])
    desk.go_back()
    desk.go_back()
    expect(current(desk)).to_contain_text("Inventory")
    expect(branch(desk, "Kitchen")).to_contain_text("2")
    # A link opens it as far as needed.
    page = opened(windows(viewport=DESKTOP), f"/l/{house['Cupboard']}")
    expect(lists(page)).to_have_text(["Inventory", "House", "Kitchen", "Cupboard", "Study", "Garage"])
    expect(current(page)).to_have_attribute("aria-current", "page")
    expect(current(page)).to_contain_text("Cupboard")


def test_levels_are_read_when_they_are_opened(desk, house):
    def read(title):
        return [url for _, url in desk.requests if f"/v1/lists/{house[title]}/rows?type=list" in url]
    assert read("House") == [] and read("Kitchen") == []
    branch(desk, "House").locator(".tree-toggle").click()
    expect(branch(desk, "Kitchen")).to_be_visible()
    assert len(read("House")) == 1 and read("Kitchen") == []


def test_the_tree_is_gone_through_by_keys(desk):
    branch(desk, "Inventory").focus()
    steps = [
        ("ArrowDown", "House"), ("ArrowRight", "House"), ("ArrowRight", "Kitchen"), ("ArrowDown", "Study"),
        ("ArrowDown", "Garage"), ("ArrowUp", "Study"), ("ArrowLeft", "House"), ("ArrowLeft", "House"),
        ("ArrowDown", "Garage"), ("Home", "Inventory"), ("End", "Garage")]
    for key, title in steps:
        desk.keyboard.press(key)
        if (key, title) == ("ArrowRight", "House"):
            expect(branch(desk, "House")).to_have_attribute("aria-expanded", "true")
            expect(branch(desk, "Kitchen")).to_have_attribute("aria-level", "3")
            expect(branch(desk, "Study")).to_have_attribute("aria-posinset", "2")
        expect(branch(desk, title)).to_be_focused()
    expect(branch(desk, "House")).to_have_attribute("aria-expanded", "false")
    desk.keyboard.press("Enter")
    expect(heading(desk)).to_have_text("Garage")
    expect(desk.locator(".tree [tabindex='0']")).to_have_count(1)
    # A list without lists in it cannot be opened.
    branch(desk, "Garage").focus()
    desk.keyboard.press("ArrowRight")
    expect(branch(desk, "Garage")).not_to_have_attribute("aria-expanded", "true")


def test_only_a_list_with_lists_in_it_has_an_arrow(desk, server, house):
    def arrow(title):
        return branch(desk, title).locator(".tree-toggle")

    # It has an item, but no list.
    expect(arrow("Garage")).to_be_hidden()
    expect(branch(desk, "Garage")).not_to_have_attribute("aria-expanded", re.compile(""))
    expect(arrow("House")).to_be_visible()
    shelf = server.make_list("Shelf", [], house["Garage"])[0]
    expect(arrow("Garage")).to_be_visible()
    arrow("Garage").click()
    expect(branch(desk, "Shelf")).to_be_visible()
    server.ask("DELETE", f"/v1/rows/{shelf}")
    expect(branch(desk, "Shelf")).to_have_count(0)
    expect(arrow("Garage")).to_be_hidden()


def test_in_arabic_the_tree_opens_to_the_left(windows, house):
    page = windows(viewport=DESKTOP, locale="ar").open()
    branch(page, "House").focus()
    page.keyboard.press("ArrowLeft")
    expect(branch(page, "Kitchen")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(branch(page, "Kitchen")).to_have_count(0)


def test_the_tree_follows_what_others_change(desk, server, house):
    branch(desk, "House").locator(".tree-toggle").click()
    expect(branch(desk, "Kitchen")).to_contain_text("2")
    server.make_thing(house["Kitchen"], "Kettle")
    expect(branch(desk, "Kitchen")).to_contain_text("3")
    server.ask("PATCH", f"/v1/lists/{house['Study']}", {"title": "Office"})
    attic = server.make_list("Attic", [], house["House"])[0]
    expect(lists(desk)).to_have_text(["Inventory", "House", "Kitchen", "Office", "Attic", "Garage"])
    server.ask("POST", f"/v1/rows/{attic}/move", {"listId": "root", "position": "first"})
    expect(lists(desk)).to_have_text(["Inventory", "Attic", "House", "Kitchen", "Office", "Garage"])
    server.ask("DELETE", f"/v1/rows/{house['House']}?recursive=true")
    expect(lists(desk)).to_have_text(["Inventory", "Attic", "Garage"])
    server.ask("PATCH", "/v1/lists/root", {"title": "Everything"})
    expect(lists(desk)).to_have_text(["Everything", "Attic", "Garage"])


def test_a_long_level_shows_its_first_lists_and_then_all(desk, server, house):
    for number in range(205):
        server.make_list(f"Box {number}", [], house["Garage"])
    branch(desk, "Garage").locator(".tree-toggle").click()
    expect(branch(desk, "Box")).to_have_count(200)
    more = desk.locator(".tree-more")
    more.scroll_into_view_if_needed()
    more.click()
    expect(branch(desk, "Box")).to_have_count(205)
    expect(more).to_have_count(0)
    expect(branch(desk, "Box 204")).to_have_attribute("aria-setsize", "205")


def test_everything_is_found_while_the_list_stays(desk, house):
    desk.get_by_role("searchbox", name="Search everywhere").fill("lamp")
    found = desk.locator(".sidebar .hits li a")
    expect(found).to_have_count(3)
    expect(desk.locator(".tree")).to_be_hidden()
    for way in ("Cupboard ‹ Kitchen ‹ House", "Kitchen ‹ House", "Study ‹ House"):
        found.filter(has=desk.locator(".row-detail", has_text=re.compile(f"^{way} ‹ Inventory$"))).click()
        title = way.split(" ‹ ")[0]
        expect(heading(desk)).to_have_text("Lamp")
        expect(desk.get_by_role("main", name=title)).to_be_visible()
    desk.get_by_role("searchbox", name="Search everywhere").press("Escape")
    expect(desk.locator(".tree")).to_be_visible()


def test_the_sheets_of_the_app_are_in_the_sidebar(desk):
    sidebar = desk.get_by_role("navigation", name="Sidebar")
    for name in ("Tags", "Changes", "Trash", "Inventories", "Settings"):
        sidebar.get_by_role("button", name=name).click()
        expect(sheet(desk).get_by_role("heading", level=2)).to_have_text(name)
        desk.keyboard.press("Escape")
        expect(desk.locator("dialog")).to_have_count(0)


def test_only_a_wide_window_has_a_sidebar(windows, house):
    window = windows(viewport=PHONE)
    page = window.open()
    enter(page, "House")
    expect(page.locator(".sidebar")).to_have_count(0)
    page.set_viewport_size(TABLET)
    expect(page.locator(".sidebar")).to_have_count(0)
    assert not [url for _, url in window.requests if "type=list" in url]
    page.set_viewport_size(DESKTOP)
    expect(current(page)).to_contain_text("House")
    page.set_viewport_size(PHONE)
    expect(page.locator(".sidebar")).to_be_hidden()


def carry(page, start, end):
    """Drags with the mouse from the middle of one thing to that of another. What it answers lets go."""
    settle(page)
    (x, y), (to_x, to_y) = [
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (start.bounding_box(), end.bounding_box())]
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8)
    return lambda: page.mouse.up()


@pytest.mark.parametrize("mode", ["browse", "edit"])
def test_a_row_is_dragged_onto_a_list(desk, server, house, mode):
    branch(desk, "House").locator(".tree-toggle").click()
    enter(desk, "Garage")
    if mode == "edit":
        bar(desk, "edit").click()
    control = "grip" if mode == "edit" else "main"
    release = carry(desk, row(desk, "Drill").locator(f"[data-control={control}]"), branch(desk, "Study"))
    expect(desk.locator(".tree-row.is-target")).to_have_text(["Study1"])
    release()
    expect(desk.locator(".toast")).to_contain_text("“Drill” is now in “Study”.")
    expect_titles(desk, [LAST])
    expect(branch(desk, "Study")).to_contain_text("2")
    assert server.rows(house["Study"]) == ["Lamp", "Drill"]
    expect(heading(desk)).to_have_text("Garage")
    desk.locator(".toast").get_by_role("button", name="Undo").click()
    expect_titles(desk, ["Drill", LAST])
    assert server.rows(house["Study"]) == ["Lamp"]


def test_a_row_of_a_sorted_list_is_not_dragged_and_the_page_says_why(windows, house):
    page = opened(windows(viewport=DESKTOP), f"/l/{house['Garage']}?sort=title")
    release = carry(page, row(page, "Drill").locator("[data-control=main]"), branch(page, "House"))
    release()
    expect(page.locator(".toast")).to_contain_text("Items and lists can be dragged in manual order.")
    page.locator(".toast").get_by_role("button", name="Manual order").click()
    expect(page.locator(".order-mark")).to_be_hidden()


def test_selected_rows_are_dragged_onto_a_list_together(desk, server, house):
    server.make_thing(house["Garage"], "Saw")
    server.make_thing(house["Garage"], "Plane")
    branch(desk, "House").locator(".tree-toggle").click()
    enter(desk, "Garage")
    row(desk, "Plane").wait_for()
    desk.locator(".screen:not([inert]) [data-action=select]").click()
    for name in ("Drill", "Plane"):
        row(desk, name).locator("[data-control=main]").click()
    # Within the list they stay where they are.
    asked = []
    desk.on("request", lambda request: asked.append(request.url) if "move-target" in request.url else None)
    carry(desk, row(desk, "Drill").locator("[data-control=main]"), row(desk, "Plane"))()
    expect_titles(desk, ["Drill", "Saw", "Plane", LAST])
    assert asked == []
    release = carry(desk, row(desk, "Drill").locator("[data-control=main]"), branch(desk, "Study"))
    expect(desk.locator(".dragged")).to_have_text("2 items")
    release()
    expect(desk.locator(".toast")).to_contain_text("2 items are now in “Study”.")
    expect_titles(desk, ["Saw", LAST])
    assert server.rows(house["Study"]) == ["Lamp", "Drill", "Plane"]
    desk.locator(".toast").get_by_role("button", name="Undo").click()
    expect_titles(desk, ["Drill", "Saw", "Plane", LAST])


def test_a_row_stays_where_no_list_accepts_it(desk, server, house):
    server.ask("PATCH", f"/v1/lists/{house['Garage']}", {"permissions": {"add": False}})
    branch(desk, "House").locator(".tree-toggle").click()
    branch(desk, "Study").click()
    with desk.expect_response(lambda answer: "mode=move" in answer.url):
        release = carry(desk, row(desk, "Lamp"), branch(desk, "Garage"))
    release()
    expect(desk.locator(".is-lifted, .dragged")).to_have_count(0)
    expect_titles(desk, ["Lamp", LAST])
    # Escape cancels.
    release = carry(desk, row(desk, "Lamp"), branch(desk, "Kitchen"))
    expect(desk.locator(".tree-row.is-target")).to_have_count(1)
    desk.keyboard.press("Escape")
    release()
    expect(desk.locator(".is-lifted, .is-target, .dragged")).to_have_count(0)
    expect(heading(desk)).to_have_text("Study")
    assert server.rows(house["Study"]) == ["Lamp"]


def test_a_mouse_sorts_rows_without_edit_mode_beside_the_sidebar(desk, server, house):
    server.make_thing(house["Garage"], "Saw")
    enter(desk, "Garage")
    carry(desk, row(desk, "Drill"), row(desk, "Saw"))()
    expect_titles(desk, ["Saw", "Drill", LAST])
    expect_kept(desk, server, house["Garage"], ["Saw", "Drill"])
    expect(heading(desk)).to_have_text("Garage")
    row(desk, "Saw").locator("a").click()
    expect(heading(desk)).to_have_text("Saw")


def test_no_list_is_marked_on_a_screen_without_one(desk):
    menu(desk, "About")
    expect(heading(desk)).to_have_text("About Rowhouse")
    expect(current(desk)).to_have_count(0)
    desk.go_back()
    expect(current(desk)).to_contain_text("Inventory")


def test_the_tree_begins_at_the_list_that_a_token_can_see(windows, server, house):
    server.token = server.make_token("owner")
    token = server.ask("POST", "/v1/tokens", {"name": "Kitchen", "role": "editor", "listId": house["Kitchen"]})["token"]
    window = windows(viewport=DESKTOP)
    window.keep_token(token)
    page = window.open()
    expect(lists(page)).to_have_text(["Kitchen", "Cupboard"])
    expect(current(page)).to_contain_text("Kitchen")
