"""What goes wrong, comes at once, late, or in the wrong moment: nothing is done twice, lost, or shown as it is not."""

import pytest
from playwright.sync_api import expect

from conftest import bar, drag, enter, expect_titles, heading, row, sheet

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


@pytest.fixture
def editing(page):
    bar(page, "edit").click()
    expect(bar(page, "done")).to_be_visible()
    return page


def landed(page):
    """Waits until a row that was dropped has landed, which is when the server has answered."""
    page.wait_for_function("() => !document.querySelector('.is-landing')")


def slow(page, pattern, by=500):
    """Has answers come later by so many milliseconds."""
    def late(route):
        page.wait_for_timeout(by)
        route.continue_()
    page.route(pattern, late)


def test_save_pressed_twice_saves_once(editing, server, kitchen, window):
    bar(editing, "add").click()
    sheet(editing).get_by_label("Name").fill("Whisk")
    slow(editing, "**/items")
    window.requests.clear()
    # As a nervous finger, and a key besides.
    sheet(editing).locator("[data-action=save]").evaluate("button => { button.click(); button.click(); }")
    sheet(editing).get_by_label("Name").press("Enter")
    expect(sheet(editing)).to_have_attribute("aria-busy", "true")
    expect(editing.locator("dialog")).to_have_count(0)
    assert len([method for method, address in window.requests if method == "POST" and address.endswith("/items")]) == 1
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster", "Whisk"]


def test_a_row_tapped_twice_leads_down_once(windows, server, kitchen):
    page = windows().open()
    slow(page, "**/push", 300)
    row(page, "Kitchen").locator("[data-control=main]").evaluate("button => { button.click(); button.click(); }")
    expect(heading(page)).to_have_text("Kitchen")
    bar(page, "back").evaluate("button => { button.click(); button.click(); }")
    expect(heading(page)).to_have_text("Inventory")
    expect(page.locator(".bar-leading button")).to_have_count(0)


def test_whoever_waits_is_told_so(page):
    slow(page, "**/v1/changes*", 1200)
    page.locator("[data-action=menu]").click()
    sheet(page).get_by_role("button", name="Changes").click()
    expect(page.locator("body.is-waiting")).to_have_count(1)
    expect(sheet(page).locator(".entries li").first).to_be_visible()
    expect(page.locator("body.is-waiting")).to_have_count(0)


def test_what_was_typed_goes_along_to_another_kind(editing, server, kitchen):
    bar(editing, "add").click()
    sheet(editing).get_by_label("Name").fill("Drawer")
    sheet(editing).get_by_label("Notes").fill("for spoons")
    sheet(editing).get_by_role("radio", name="List").check()
    expect(sheet(editing).get_by_label("Title")).to_have_value("Drawer")
    sheet(editing).get_by_role("radio", name="Thing").check()
    expect(sheet(editing).get_by_label("Notes")).to_have_value("for spoons")


def test_what_was_typed_is_not_lost_by_escape_nor_by_the_way_back(editing):
    # Two quick taps open one sheet.
    bar(editing, "add").evaluate("button => { button.click(); button.click(); }")
    sheet(editing).get_by_label("Name").wait_for()
    editing.keyboard.press("Escape")
    expect(editing.locator("dialog")).to_have_count(0)
    bar(editing, "add").click()
    name = sheet(editing).get_by_label("Name")
    name.fill("Whisk")
    editing.keyboard.press("Escape")
    expect(sheet(editing).get_by_role("heading")).to_have_text("Discard what you typed?")
    sheet(editing).locator("[data-answer=no]").click()
    expect(name).to_have_value("Whisk")
    editing.go_back()
    expect(sheet(editing).get_by_role("heading")).to_have_text("Discard what you typed?")
    sheet(editing).locator("[data-answer=yes]").click()
    expect(editing.locator("dialog")).to_have_count(0)
    # It led out of the sheet, and no further.
    expect(heading(editing)).to_have_text("Kitchen")
    editing.go_back()
    expect(heading(editing)).to_have_text("Inventory")


def test_what_was_typed_offline_stays_and_is_saved_once(editing, window, server, kitchen):
    window.expect_complaints("ERR_|Failed to load")
    bar(editing, "add").click()
    sheet(editing).get_by_label("Name").fill("Whisk")
    window.context.set_offline(True)
    sheet(editing).locator("[data-action=save]").click()
    expect(sheet(editing).get_by_role("alert")).to_contain_text("What you typed stays here")
    expect(sheet(editing).get_by_label("Name")).to_have_value("Whisk")
    window.context.set_offline(False)
    expect(editing.locator(".notice")).to_be_hidden()
    sheet(editing).locator("[data-action=save]").click()
    expect_titles(editing, ["Kettle", "Mixer", "Toaster", "Whisk", LAST])
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster", "Whisk"]


def test_what_was_typed_after_a_save_whose_answer_was_lost_is_saved(editing, window, server, kitchen):
    window.expect_complaints("ERR_|Failed to load")
    lost = []

    def lose(route):
        lost.append(route.fetch())
        route.abort()

    bar(editing, "add").click()
    sheet(editing).get_by_label("Name").fill("Whisk")
    editing.route("**/items", lose)
    sheet(editing).locator("[data-action=save]").click()
    expect(sheet(editing).get_by_role("alert")).to_contain_text("What you typed stays here")
    editing.unroute("**/items")
    sheet(editing).get_by_label("Name").fill("Whisk, large")
    sheet(editing).get_by_label("Notes").fill("Steel")
    sheet(editing).locator("[data-action=save]").click()
    expect_titles(editing, ["Kettle", "Mixer", "Toaster", "Whisk, large", LAST])
    assert len(lost) == 3
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster", "Whisk, large"]


def test_what_goes_wrong_is_told_above_a_sheet_too(page, window):
    window.expect_complaints("ERR_|Failed to load")
    page.locator("[data-action=menu]").click()
    sheet(page).get_by_role("button", name="Changes").click()
    undo = sheet(page).get_by_role("button", name="Undo").first
    undo.wait_for()
    window.context.set_offline(True)
    undo.click()
    expect(sheet(page).locator(".toast")).to_contain_text("That was not done")
    window.context.set_offline(False)
    expect(page.locator(".notice")).to_be_hidden()
    sheet(page).get_by_role("button", name="Undo").first.click()
    redo = sheet(page).locator(".toast button")
    expect(redo).to_have_text("Redo")
    # It outlives the sheet.
    sheet(page).locator("[data-action=close]").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect_titles(page, ["Kettle", "Mixer", LAST])
    page.locator(".toast button").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])


def test_undo_goes_back_step_by_step(editing):
    drag(editing, "Toaster", -2)()
    expect_titles(editing, ["Toaster", "Kettle", "Mixer", LAST])
    landed(editing)
    drag(editing, "Mixer", -1)()
    expect_titles(editing, ["Toaster", "Mixer", "Kettle", LAST])
    landed(editing)
    editing.keyboard.press("Control+z")
    expect_titles(editing, ["Toaster", "Kettle", "Mixer", LAST])
    editing.locator(".screen:not([inert]) [data-action=menu]").click()
    sheet(editing).get_by_role("button", name="Undo").click()
    expect_titles(editing, ["Kettle", "Mixer", "Toaster", LAST])
    editing.locator(".toast button", has_text="Redo").click()
    expect_titles(editing, ["Toaster", "Kettle", "Mixer", LAST])


def test_a_list_that_is_removed_while_a_row_is_in_the_air_gives_way(editing, server, kitchen):
    release = drag(editing, "Mixer", 0.5)
    server.ask("DELETE", f"/v1/lists/{kitchen[0]}?recursive=true")
    expect(heading(editing)).to_have_text("Inventory")
    release()
    expect_titles(editing, [LAST])
    editing.keyboard.press("Control+z")


def test_what_is_added_to_a_list_that_was_removed_is_refused_and_kept(editing, server, kitchen, window):
    window.expect_complaints("410")
    bar(editing, "add").click()
    sheet(editing).get_by_label("Name").fill("Whisk")
    server.ask("DELETE", f"/v1/lists/{kitchen[0]}?recursive=true")
    expect(editing.locator(".screen:not([inert]) h1")).to_have_text("Inventory")
    sheet(editing).locator("[data-action=save]").click()
    expect(sheet(editing).get_by_role("alert")).not_to_be_empty()
    expect(sheet(editing).get_by_label("Name")).to_have_value("Whisk")


def test_a_change_that_comes_while_a_list_is_read_is_not_missed(windows, server, kitchen):
    page = windows().open()

    def late(route):
        answer = route.fetch()
        # It is heard of before the answer, which knows nothing of it, has come.
        server.make_thing(kitchen[0], "Whisk")
        page.wait_for_timeout(400)
        route.fulfill(response=answer)

    page.route("**/v1/lists/*/screen*", late, times=1)
    enter(page, "Kitchen")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", LAST])


def test_an_items_neighbours_are_right_when_others_change_the_list(page, server, kitchen):
    enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("1 of 3")
    expect(bar(page, "previous")).to_be_disabled()
    server.make_thing(kitchen[0], "Whisk", position="first")
    expect(page.locator(".position")).to_have_text("2 of 4")
    bar(page, "previous").click()
    expect(heading(page)).to_have_text("Whisk")


def test_the_focus_stays_when_others_change_an_item(page, server, kitchen):
    enter(page, "Kettle")
    for button in [bar(page, "edit"), page.get_by_role("button", name="Move to another list")]:
        button.focus()
        value = page.locator(".facts").text_content()
        server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"quantity": len(value)})
        expect(page.locator(".facts")).not_to_have_text(value)
        expect(button).to_be_focused()


def test_typing_goes_on_while_others_change_things(page, server, kitchen):
    field = page.get_by_role("searchbox", name="Search")
    field.press_sequentially("Kett")
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"title": "Galley"})
    expect(heading(page)).to_have_text("Galley")
    expect(field).to_be_focused()
    field.press_sequentially("le")
    expect(page.locator(".hits .row-title")).to_have_text(["Kettle"])


TITLES = ["<img src=x onerror=alert(1)>", "</script><b>&amp;", "🫖👩‍👩‍👧 عربى", "‮reversed", "x" * 500, "%00 {name} {count}"]


def test_titles_are_shown_as_they_are(windows, server):
    shelf, _ = server.make_list(TITLES[0], TITLES)
    window = windows()
    window.page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page = window.open()
    enter(page, TITLES[0])
    expect_titles(page, [*TITLES, LAST])
    assert page.evaluate("document.querySelectorAll('.rows img, .rows b').length") == 0
    enter(page, "x" * 500)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    expect(bar(page, "back")).to_have_text("Back")
    bar(page, "back").click()
    bar(page, "edit").click()
    row(page, TITLES[0]).locator("[data-control=remove]").click()
    expect(sheet(page).get_by_role("heading")).to_have_text(f"Remove “{TITLES[0]}”?")
    sheet(page).locator("[data-answer=yes]").click()
    expect(page.locator(".toast")).to_contain_text(f"“{TITLES[0]}” is in the trash.")
    expect_titles(page, [*TITLES[1:], LAST])


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


@pytest.mark.usefixtures("chromium_only")
def test_a_token_that_is_revoked_is_asked_for_anew(windows, server):
    owner = server.token = server.make_token("owner")
    server.make_list("Kitchen", ["Kettle"])
    made = server.ask("POST", "/v1/tokens", {"name": "tablet", "role": "editor"})
    window = windows()
    # The place belonged to the other token.
    window.expect_complaints("401|404")
    window.context.add_init_script(
        f"localStorage.getItem('rowhouse.token') ?? localStorage.setItem('rowhouse.token', '{made['token']}')")
    page = window.open()
    expect_titles(page, ["Kitchen", LAST])
    server.ask("DELETE", f"/v1/tokens/{made['id']}")
    expect(sheet(page).get_by_role("alert")).to_have_text("That token is unknown here, or has been revoked.")
    sheet(page).get_by_label("Token").fill(owner)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, ["Kitchen", LAST])
