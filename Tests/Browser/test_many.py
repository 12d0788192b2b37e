"""Many rows at once: they are selected, and moved, tagged and removed as one change that one undo takes back."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, LAST, bar, enter, expect_kept, expect_stored, expect_titles, heading, move_to, row, sheet
from test_accessibility import check


@pytest.fixture
def box(server, kitchen):
    """A list to move rows to."""
    return server.make_list("Box")[0]


@pytest.fixture
def desk(windows, kitchen, box):
    page = windows(viewport=DESKTOP).open()
    enter(page, "Kitchen")
    return page


@pytest.fixture
def phone(page):
    """The kitchen's screen, in which rows are being selected."""
    select(page)
    return page


def select(page, *titles):
    page.locator(".screen:not([inert]) [data-action=select]").click()
    for title in titles:
        row(page, title).get_by_role("checkbox").click()


def count(page):
    return page.locator(".select-count")


def toast(page):
    return page.locator(".toast")


def choose_list(page, title):
    """Goes up in the sheet for moving, and into a list."""
    sheet(page).get_by_role("button", name="Inventory", exact=True).click()
    sheet(page).get_by_role("button", name=title, exact=True).click()
    expect(move_to(page)).to_have_text(f"Move to {title}")
    move_to(page).click()


def test_the_bar_tells_how_many_are_selected_and_their_sum(page, server, kitchen):
    for thing, fields in zip(kitchen[1], [{"valueInDollars": 5, "quantity": 3}, {"valueInDollars": 2.5}, {}]):
        server.ask("PATCH", f"/v1/items/{thing}", fields)
    expect(row(page, "Mixer")).to_contain_text("2.50")
    select(page, "Kettle", "Mixer")
    expect(count(page)).to_have_text("2 selected · $17.50")
    expect(row(page, "Kettle").get_by_role("checkbox")).to_be_checked()
    expect(page.locator(".rows").get_by_role("checkbox")).to_have_count(3)
    check(page, "selected rows")
    row(page, "Mixer").get_by_role("checkbox").click()
    expect(count(page)).to_have_text("1 selected · $15")
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"quantity": 1})
    expect(count(page)).to_have_text("1 selected · $5")


def test_rows_are_removed_as_one_change_and_one_undo_brings_them_back(page, server, kitchen):
    select(page, "Kettle", "Toaster")
    bar(page, "removeSelected").click()
    expect(toast(page)).to_contain_text("2 items are in the trash.")
    expect_titles(page, ["Mixer", LAST])
    expect_kept(page, server, kitchen[0], ["Mixer"])
    expect(page.locator(".select-bar")).to_be_hidden()
    toast(page).get_by_role("button", name="Undo").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    expect_kept(page, server, kitchen[0], ["Kettle", "Mixer", "Toaster"])


def test_removing_asks_once_if_a_row_holds_rows(page, server, kitchen):
    server.make_list("Drawer", ["Fork"], parent=kitchen[0])
    expect(row(page, "Drawer")).to_contain_text("1")
    select(page, "Kettle", "Drawer")
    bar(page, "removeSelected").click()
    expect(sheet(page).locator("h2")).to_have_text("Remove 2 items and lists?")
    sheet(page).locator("[data-answer=yes]").click()
    expect_titles(page, ["Mixer", "Toaster", LAST])
    expect_kept(page, server, kitchen[0], ["Mixer", "Toaster"])


def test_rows_are_moved_to_another_list_as_one_change(phone, server, kitchen, box):
    for title in ("Toaster", "Kettle"):
        row(phone, title).get_by_role("checkbox").click()
    bar(phone, "moveSelected").click()
    expect(sheet(phone)).to_contain_text("Move 2 items to …")
    choose_list(phone, "Box")
    expect(toast(phone)).to_contain_text("2 items are now in “Box”.")
    expect_titles(phone, ["Mixer", LAST])
    expect_kept(phone, server, box, ["Toaster", "Kettle"])
    expect(phone.locator(".select-bar")).to_be_hidden()
    phone.keyboard.press("Control+z")
    expect_titles(phone, ["Kettle", "Mixer", "Toaster", LAST])
    expect_kept(phone, server, box, [])


def test_tags_are_added_to_those_that_items_have(phone, server, kitchen):
    things = [f"/v1/items/{thing}" for thing in kitchen[1]]
    server.ask("PATCH", things[0], {"tags": ["old"]})
    for title in ("Kettle", "Mixer"):
        row(phone, title).get_by_role("checkbox").click()
    bar(phone, "tagSelected").click()
    expect(sheet(phone).locator(".tag-chip")).to_have_text(["old1 of 2×"])
    check(phone, "the sheet for tags")
    sheet(phone).get_by_role("textbox").fill("tea, old")
    sheet(phone).locator("[data-action=save]").click()
    expect(toast(phone)).to_contain_text("Changed the tags of 2 items")
    assert [server.ask("GET", thing)["tags"] for thing in things] == [["old", "tea"], ["old", "tea"], []]
    toast(phone).get_by_role("button", name="Undo").click()
    expect(toast(phone)).to_contain_text("Undone.")
    assert [server.ask("GET", thing)["tags"] for thing in things] == [["old"], [], []]


def test_a_tag_is_removed_from_all_items(phone, server, kitchen):
    things = [f"/v1/items/{thing}" for thing in kitchen[1]]
    server.ask("PATCH", things[0], {"tags": ["tea", "old"]})
    server.ask("PATCH", things[2], {"tags": ["old"]})
    expect(row(phone, "Toaster")).to_contain_text("old")
    for title in ("Kettle", "Mixer", "Toaster"):
        row(phone, title).get_by_role("checkbox").click()
    bar(phone, "tagSelected").click()
    expect(sheet(phone).locator(".tag-chip")).to_have_text(["tea1 of 3×", "old2 of 3×"])
    sheet(phone).get_by_role("button", name="Remove tag old").click()
    sheet(phone).locator("[data-action=save]").click()
    expect(toast(phone)).to_contain_text("Changed the tags of 2 items")
    assert [server.ask("GET", thing)["tags"] for thing in things] == [["tea"], [], []]
    phone.keyboard.press("Control+z")
    expect(toast(phone)).to_contain_text("Undone.")
    assert [server.ask("GET", thing)["tags"] for thing in things] == [["tea", "old"], [], ["old"]]


def test_a_tag_that_some_items_have_is_given_to_all(phone, server, kitchen):
    things = [f"/v1/items/{thing}" for thing in kitchen[1]]
    server.ask("PATCH", things[0], {"tags": ["tea", "old"]})
    server.ask("PATCH", things[1], {"tags": ["red"]})
    expect(row(phone, "Mixer")).to_contain_text("red")
    for title in ("Kettle", "Mixer"):
        row(phone, title).get_by_role("checkbox").click()
    bar(phone, "tagSelected").click()
    sheet(phone).get_by_role("button", name="Give all the tag tea").click()
    expect(sheet(phone).locator(".tag-chip")).to_have_text(["tea×", "old1 of 2×", "red1 of 2×"])
    check(phone, "tags that some items have")
    sheet(phone).get_by_role("textbox").fill("old, ne")
    sheet(phone).locator("[data-action=save]").click()
    expect(toast(phone)).to_contain_text("Changed the tags of 2 items")
    assert [server.ask("GET", thing)["tags"] for thing in things] == [["tea", "old", "ne"], ["red", "tea", "old", "ne"], []]


def test_tags_that_others_add_meanwhile_stay(phone, server, window, kitchen):
    things = [f"/v1/items/{thing}" for thing in kitchen[1]]
    window.expect_complaints("412")
    others = iter(["late", "later"])

    def meet(route):
        name = next(others, None)
        if name:
            server.ask("PATCH", things[0], {"tags": [name]})
        route.continue_()

    for title in ("Kettle", "Mixer"):
        row(phone, title).get_by_role("checkbox").click()
    bar(phone, "tagSelected").click()
    sheet(phone).get_by_role("textbox").fill("tea")
    phone.route("**/batch", meet)
    # Others change the item once more during the second attempt.
    sheet(phone).locator("[data-action=save]").click()
    expect(phone.locator(".toast.is-trouble")).to_be_visible()
    assert [server.ask("GET", thing)["tags"] for thing in things] == [["later"], [], []]
    sheet(phone).locator("[data-action=save]").click()
    expect(toast(phone)).to_contain_text("Changed the tags of 2 items")
    assert [server.ask("GET", thing)["tags"] for thing in things] == [["later", "tea"], ["tea"], []]
    # Once, the second attempt is enough.
    others = iter(["latest"])
    bar(phone, "tagSelected").click()
    sheet(phone).get_by_role("textbox").fill("cup")
    sheet(phone).locator("[data-action=save]").click()
    expect(sheet(phone)).to_have_count(0)
    assert [server.ask("GET", thing)["tags"] for thing in things] == [["latest", "cup"], ["tea", "cup"], []]


def test_clicks_with_shift_and_control_select(desk):
    row(desk, "Kettle").get_by_role("link").click(modifiers=["Control"])
    expect(count(desk)).to_have_text("1 selected")
    expect(heading(desk)).to_have_text("Kitchen")
    row(desk, "Toaster").get_by_role("checkbox").click(modifiers=["Shift"])
    expect(count(desk)).to_have_text("3 selected")
    row(desk, "Mixer").get_by_role("checkbox").click(modifiers=["Control"])
    expect(count(desk)).to_have_text("2 selected")
    check(desk, "a selection in a wide window")
    desk.keyboard.press("Escape")
    expect(desk.locator(".select-bar")).to_be_hidden()
    expect(heading(desk)).to_have_text("Kitchen")
    expect(desk.locator(".rows").get_by_role("checkbox")).to_have_count(0)


def test_keys_work_on_the_selection(desk, server, kitchen, box):
    row(desk, "Mixer").get_by_role("link").focus()
    desk.keyboard.press("Control+a")
    expect(count(desk)).to_have_text("3 selected")
    # The focus stays on its row, and Space selects it no longer.
    expect(row(desk, "Mixer").get_by_role("checkbox")).to_be_focused()
    desk.keyboard.press("Space")
    expect(count(desk)).to_have_text("2 selected")
    desk.keyboard.press("m")
    choose_list(desk, "Box")
    expect(desk.locator(".select-bar")).to_be_hidden()
    expect_kept(desk, server, box, ["Kettle", "Toaster"])
    expect_titles(desk, ["Mixer", LAST])
    desk.keyboard.press("Control+a")
    expect(count(desk)).to_have_text("1 selected")
    desk.keyboard.press("Delete")
    expect_titles(desk, [LAST])
    expect_kept(desk, server, kitchen[0], [])


def test_no_more_are_selected_than_one_change_takes(windows, server):
    server.make_list("Long", [f"Thing {number}" for number in range(103)])
    page = windows(viewport=DESKTOP).open()
    enter(page, "Long")
    page.keyboard.press("Control+a")
    expect(count(page)).to_have_text("100 selected")
    expect(toast(page)).to_contain_text("You can select up to 100 items and lists at once.")


def test_a_selection_survives_what_others_change(phone, server, kitchen):
    for title in ("Kettle", "Mixer"):
        row(phone, title).get_by_role("checkbox").click()
    server.ask("POST", f"/v1/rows/{kitchen[1][0]}/move", {"listId": kitchen[0], "position": "last"})
    expect_titles(phone, ["Mixer", "Toaster", "Kettle", LAST])
    expect(count(phone)).to_have_text("2 selected")
    expect(row(phone, "Kettle").get_by_role("checkbox")).to_be_checked()
    expect(row(phone, "Toaster").get_by_role("checkbox")).not_to_be_checked()
    server.ask("DELETE", f"/v1/rows/{kitchen[1][1]}")
    expect(count(phone)).to_have_text("1 selected")


def test_a_list_that_allows_nothing_has_no_buttons_for_it(page, server, kitchen):
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"permissions": {"move": False, "delete": False}})
    expect(bar(page, "edit")).to_be_visible()
    select(page, "Kettle")
    expect(bar(page, "tagSelected")).to_be_visible()
    expect(bar(page, "moveSelected")).to_have_count(0)
    expect(bar(page, "removeSelected")).to_have_count(0)


def test_what_is_done_offline_waits_and_one_undo_takes_it_back(window, page, server, kitchen, box):
    window.expect_complaints("ERR_|Failed to load")
    expect_stored(page, kitchen[0])
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    select(page, "Kettle", "Mixer")
    bar(page, "removeSelected").click()
    expect_titles(page, ["Toaster", LAST])
    expect(toast(page)).to_contain_text("2 items are in the trash.")
    toast(page).get_by_role("button", name="Undo").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    select(page, "Kettle", "Toaster")
    bar(page, "removeSelected").click()
    expect_titles(page, ["Mixer", LAST])
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster"]
    window.context.set_offline(False)
    expect_kept(page, server, kitchen[0], ["Mixer"])
    heading(page).focus()
    page.keyboard.press("Control+z")
    expect_kept(page, server, kitchen[0], ["Kettle", "Mixer", "Toaster"])
