"""What is heard late, early or twice: the page shows what the server has."""

import re

from playwright.sync_api import expect

from answers import Late, Silence, slow
from conftest import LAST, back, bar, drag, enter, expect_kept, expect_titles, heading, row, save, settle, sheet


def test_an_event_that_begins_before_ones_own_change_is_not_taken_in_twice(page, window, server, kitchen):
    bar(page, "edit").click()
    with Silence(window):
        drag(page, "Kettle", 2)()
        expect_titles(page, ["Mixer", "Toaster", "Kettle", LAST])
        expect_kept(page, server, kitchen[0], ["Mixer", "Toaster", "Kettle"])
        server.ask("POST", f"/v1/lists/{kitchen[0]}/move-row", {"from": 0, "to": 2})
        assert server.rows(kitchen[0]) == ["Toaster", "Kettle", "Mixer"]
    expect_titles(page, ["Toaster", "Kettle", "Mixer", LAST])


def test_a_change_that_comes_while_a_list_is_read_is_not_missed(windows, server, kitchen):
    page = windows().open()

    def late(route):
        answer = route.fetch()
        # It is heard of before the answer, which knows nothing of it, has come.
        server.make_thing(kitchen[0], "Whisk")
        page.wait_for_timeout(400)
        route.fulfill(response=answer)

    page.route("**/v1/lists/*/screen*", late, times=1)
    with page.expect_response("**/v1/lists/*/screen*"):
        enter(page, "Kitchen")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", LAST])


def test_neighbours_that_come_while_an_items_screen_is_read_are_counted(page, server, kitchen):
    def late(route):
        answer = route.fetch()
        server.make_thing(kitchen[0], "Whisk", position="first")
        # It is heard of before the answer, which knows nothing of it, has come.
        page.wait_for_timeout(500)
        route.fulfill(response=answer)
        answered.append(route)

    answered = []
    page.route(f"**/v1/items/{kitchen[1][0]}/neighbours", late, times=1)
    enter(page, "Kettle")
    while not answered:
        page.wait_for_timeout(20)
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


def test_a_sheet_is_left_once_its_answer_has_come_if_that_was_asked_for_meanwhile(page, window, kitchen):
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Serial number").fill("K-1")
    window.expect_complaints("503")
    late = Late(page, f"**/v1/items/{kitchen[1][0]}", is_write=True)
    save(page)
    late.wait()
    sheet(page).locator("[data-action=cancel]").click()
    late.held[0].fulfill(status=503, json={"title": "Busy", "status": 503, "code": "busy"})
    expect(sheet(page)).to_contain_text("Discard your changes?")


def test_the_way_that_was_tapped_last_is_gone_to(page, window, server):
    # Lists that are not kept yet.
    page.route(re.compile(r"/v1/lists/[^/]+$"), lambda route: route.abort())
    window.expect_complaints("ERR_|Failed to load")
    attic, _ = server.make_list("Attic")
    server.make_list("Cellar")
    bar(page, "edit").click()
    row(page, "Kettle").locator("[data-control=relocate]").click()
    sheet(page).locator(".way button").last.click()
    late = Late(page, f"**/v1/lists/{attic}/screen?*")
    sheet(page).get_by_role("button", name="Attic").click()
    sheet(page).get_by_role("button", name="Cellar").click()
    expect(sheet(page).locator(".way [aria-current]")).to_have_text("Cellar")
    late.wait()
    late.come()
    expect(sheet(page).locator(".way [aria-current]")).to_have_text("Cellar")


def test_what_is_done_to_a_screen_is_not_done_to_the_one_that_came_meanwhile(page, window, server, kitchen):
    # A list that is not kept yet.
    page.route(re.compile(r"/v1/lists/[^/]+$"), lambda route: route.abort())
    window.expect_complaints("ERR_|Failed to load")
    drawer, _ = server.make_list("Drawer", ["Spoon"], parent=kitchen[0])
    row(page, "Drawer").wait_for()
    late = Late(page, f"**/v1/lists/{drawer}/screen?*")
    row(page, "Drawer").locator("[data-control=main]").click()
    late.wait()
    slow(page, f"**/v1/lists/{kitchen[0]}/screen?mode=edit", 1000)
    bar(page, "edit").click()
    late.come()
    expect(heading(page)).to_have_text("Drawer")
    expect(page.locator(".screen")).to_have_count(1)
    page.wait_for_timeout(1500)
    expect(bar(page, "edit")).to_be_visible()
    page.reload()
    expect(heading(page)).to_have_text("Drawer")
    expect(bar(page, "edit")).to_be_visible()


def test_another_order_follows_changes_that_are_too_large_to_be_told(page, window, server, kitchen):
    page.locator(".screen:not([inert]) [data-action=order]").click()
    sheet(page).get_by_role("button", name="Title", exact=True).click()
    sheet(page).locator("[data-action=close]").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    with Silence(window):
        for start in range(0, 2100, 700):
            table = "name\n" + "".join(f"Anvil {number}\n" for number in range(start, start + 700))
            server.ask("POST", f"/v1/lists/{kitchen[0]}/rows.csv", data=table.encode(), kind="text/csv")
    expect(row(page, "Anvil 0")).to_be_visible()


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


def test_a_row_lands_between_the_same_rows_though_the_page_does_not_know_of_others(page, window, server, kitchen):
    bar(page, "edit").click()
    expect(bar(page, "done")).to_be_visible()
    with Silence(window):
        for name in ("Whisk", "Spoon"):
            server.make_thing(kitchen[0], name, position="first")
        expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
        drag(page, "Kettle", 1)()
        expect_titles(page, ["Mixer", "Kettle", "Toaster", LAST])
        expect_kept(page, server, kitchen[0], ["Spoon", "Whisk", "Mixer", "Kettle", "Toaster"])
        server.make_thing(kitchen[0], "Ladle", position="first")
        drag(page, "Toaster", -1)()
        expect_kept(page, server, kitchen[0], ["Ladle", "Spoon", "Whisk", "Mixer", "Toaster", "Kettle"])
    expect_titles(page, ["Ladle", "Spoon", "Whisk", "Mixer", "Toaster", "Kettle", LAST])


def test_a_list_that_is_removed_while_a_row_is_in_the_air_gives_way(window, editing, server, kitchen):
    window.expect_gone()
    release = drag(editing, "Mixer", 0.5)
    server.ask("DELETE", f"/v1/lists/{kitchen[0]}?recursive=true")
    expect(heading(editing)).to_have_text("Inventory")
    release()
    expect_titles(editing, [LAST])
    editing.keyboard.press("Control+z")


def test_an_items_neighbours_are_right_when_others_change_the_list(page, server, kitchen):
    enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("1 of 3")
    expect(bar(page, "previous")).to_be_disabled()
    server.make_thing(kitchen[0], "Whisk", position="first")
    expect(page.locator(".position")).to_have_text("2 of 4")
    bar(page, "previous").click()
    expect(heading(page)).to_have_text("Whisk")


def test_hidden_windows_leave_connections_to_visible_ones(window, server, kitchen):
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
    # A window that is shown again catches up.
    hidden[0].evaluate("() => { window.isHidden = false; document.dispatchEvent(new Event('visibilitychange')); }")
    expect_titles(hidden[0], ["Kitchen", "Study", LAST])
    expect(hidden[0].locator(".notice")).to_be_hidden()
