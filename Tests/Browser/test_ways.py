"""The ways down and back: by taps, by the browser, by the path, in tabs."""

import pytest
from playwright.sync_api import expect

from answers import slow
from conftest import LAST, back, bar, enter, expect_titles, heading, menu, row, save, settle, sheet


def test_a_row_tapped_twice_leads_down_once(windows, server, kitchen):
    page = windows().open()
    slow(page, "**/v1/lists/*/screen*", 300)
    row(page, "Kitchen").locator("[data-control=main]").evaluate("button => { button.click(); button.click(); }")
    expect(heading(page)).to_have_text("Kitchen")
    bar(page, "back").evaluate("button => { button.click(); button.click(); }")
    expect(heading(page)).to_have_text("Inventory")
    expect(page.locator(".bar-leading button")).to_have_count(0)


def test_twenty_levels_down_and_back(windows, server):
    parent = "root"
    for level in range(2, 21):
        parent, _ = server.make_list(f"Level {level}", parent=parent)
    page = windows().open()
    for level in range(2, 21):
        enter(page, f"Level {level}")
    expect_titles(page, [LAST])
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    page.reload()
    expect(heading(page)).to_have_text("Level 20")
    for level in range(19, 1, -1):
        page.go_back()
        expect(heading(page)).to_have_text(f"Level {level}")
        expect(page.locator(".screen")).to_have_count(1)
    page.go_back()
    expect(heading(page)).to_have_text("Inventory")
    expect_titles(page, ["Level 2", LAST])


def test_what_is_told_stands_above_the_bars_at_the_foot(page, server):
    def stands_above(foot):
        settle(page)
        told = page.locator(".toast").bounding_box()
        assert told["y"] + told["height"] <= page.locator(foot).bounding_box()["y"]

    server.make_list("Attic")
    menu(page, "Open in a new tab")
    expect(page.locator(".tab-bar button")).to_have_count(2)
    bar(page, "edit").click()
    row(page, "Kettle").locator("[data-control=remove]").click()
    sheet(page).locator("[data-answer=yes]").click()
    expect(page.locator(".toast")).to_contain_text("is in the trash")
    stands_above(".tab-bar")
    bar(page, "done").click()
    enter(page, "Mixer")
    page.get_by_role("button", name="Move to another list").click()
    sheet(page).get_by_role("button", name="Inventory").click()
    sheet(page).get_by_role("button", name="Attic").click()
    sheet(page).get_by_role("button", name="Move to Attic").click()
    expect(page.locator(".toast")).to_contain_text("is now in “Attic”")
    stands_above(".toolbar")


def test_far_down_the_ways_back_up_are_at_hand(windows, server):
    parent = "root"
    for level in range(2, 6):
        parent, _ = server.make_list(f"Level {level}", parent=parent)
    page = windows().open()
    for level in range(2, 6):
        enter(page, f"Level {level}")
    page.locator(".way").get_by_role("link", name="Level 2").click()
    expect(heading(page)).to_have_text("Level 2")
    expect(bar(page, "back")).to_have_text("Inventory")


@pytest.mark.usefixtures("chromium_only")
def test_back_leaves_the_page_where_nothing_is_left_to_go_back_from(window, server):
    window.page.goto(f"{server.address}/problems")
    page = window.open()
    page.locator("[data-action=menu]").click()
    sheet(page).locator("[data-action=close]").click()
    expect(page.locator("dialog")).to_have_count(0)
    enter(page, "Kitchen")
    back(page, "Inventory")
    page.evaluate("() => void setTimeout(() => history.back())")
    expect(page).to_have_url(f"{server.address}/problems")


def test_back_goes_on_leading_back_after_a_sheet_that_another_one_followed(page):
    menu(page, "Trash")
    expect(sheet(page)).to_contain_text("The trash is empty.")
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    page.go_back()
    expect(heading(page)).to_have_text("Inventory")


def test_forward_does_not_open_a_sheet_again(page):
    menu(page, "Trash")
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    page.go_forward()
    expect(page.locator("dialog")).to_have_count(0)
    page.go_back()
    expect(heading(page)).to_have_text("Inventory")
    page.go_forward()
    expect(heading(page)).to_have_text("Kitchen")


def test_a_page_that_is_loaded_again_below_a_sheet_goes_back_as_before(page):
    menu(page, "Trash")
    page.reload()
    expect(heading(page)).to_have_text("Kitchen")
    page.go_back()
    expect(heading(page)).to_have_text("Inventory")


@pytest.mark.usefixtures("chromium_only")
def test_quick_presses_of_back_lead_back_as_many_screens(page):
    enter(page, "Kettle")
    page.evaluate("() => void setTimeout(() => history.go(-2))")
    expect(heading(page)).to_have_text("Inventory")
    page.go_forward()
    expect(heading(page)).to_have_text("Kitchen")
    page.go_forward()
    expect(heading(page)).to_have_text("Kettle")


def test_quick_presses_of_back_lose_nothing_that_was_typed(page):
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Name").fill("Tea kettle")
    page.evaluate("() => void setTimeout(() => history.go(-2))")
    expect(sheet(page).get_by_role("heading")).to_have_text("Discard your changes?")
    sheet(page).locator("[data-answer=no]").click()
    expect(sheet(page).get_by_label("Name")).to_have_value("Tea kettle")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    expect(heading(page)).to_have_text("Tea kettle")
    page.go_back()
    expect(heading(page)).to_have_text("Kitchen")


def test_a_changed_hash_is_not_taken_for_back(page):
    page.evaluate("() => (location.hash = 'anywhere')")
    page.wait_for_timeout(300)
    expect(heading(page)).to_have_text("Kitchen")
    page.go_back()
    page.wait_for_timeout(300)
    expect(heading(page)).to_have_text("Kitchen")
    page.go_back()
    expect(heading(page)).to_have_text("Inventory")


def test_tabs_keep_their_places(page):
    expect(page.locator(".tab-bar")).to_be_hidden()
    menu(page, "Open in a new tab")
    expect(page.locator(".tab-bar button")).to_have_count(2)
    enter(page, "Mixer")
    page.locator(".tab-bar button").first.click()
    expect(heading(page)).to_have_text("Kitchen")
    expect(bar(page, "back")).to_have_text("Inventory")
    page.locator(".tab-bar button").last.click()
    expect(heading(page)).to_have_text("Mixer")
    # The selected tab, tapped again, goes to the first list.
    page.locator(".tab-bar button").last.click()
    expect(heading(page)).to_have_text("Inventory")
    expect(page.locator(".tab-bar button")).to_have_text(["Kitchen", "Inventory"])
    menu(page, "Tabs")
    sheet(page).get_by_role("button", name="Close tab Inventory").click()
    expect(page.locator(".tab-bar")).to_be_hidden()
    expect(heading(page)).to_have_text("Kitchen")


def test_back_leads_to_the_tab_that_one_came_from(page, window):
    menu(page, "Open in a new tab")
    expect(page.locator(".tab-bar button").nth(1)).to_have_attribute("aria-current", "page")
    enter(page, "Mixer")
    menu_tabs = page.locator(".tab-bar button")
    back(page, "Kitchen")
    menu(page, "Open in a new tab")
    expect(menu_tabs.nth(2)).to_have_attribute("aria-current", "page")
    page.go_back()
    expect(menu_tabs.nth(1)).to_have_attribute("aria-current", "page")
    page.go_back()
    expect(menu_tabs.nth(0)).to_have_attribute("aria-current", "page")
    expect(heading(page)).to_have_text("Kitchen")
    page.go_back()
    expect(heading(page)).to_have_text("Inventory")


def test_closing_a_tab_leaves_one_that_another_device_has_opened_meanwhile(page, server, kitchen):
    with page.expect_response(lambda answer: answer.url.endswith("/tabs")):
        menu(page, "Open in a new tab")
    place = server.ask("GET", "/v1/navigators")["navigators"][0]["id"]
    tabs = server.ask("GET", f"/v1/navigators/{place}")["tabs"]
    new = {"id": "0198c0de-0000-7000-8000-000000000007", "title": "Fresh", "stack": [{"listId": "root"}]}
    server.ask("PUT", f"/v1/navigators/{place}/tabs", {"tabs": [*({"id": tab["id"]} for tab in tabs), new]})
    page.locator(".tab-bar button").first.click()
    back(page, "Inventory")
    menu(page, "Tabs")
    with page.expect_response(lambda answer: answer.url.endswith("/tabs")):
        sheet(page).get_by_role("button", name="Close tab Kitchen").click()
    page.locator(".tab-bar").get_by_role("button", name="Fresh").wait_for()
    titles = [tab["title"] for tab in server.ask("GET", f"/v1/navigators/{place}")["tabs"]]
    assert "Fresh" in titles and len(titles) == 2
