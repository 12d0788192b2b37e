"""Signing in again to an inventory with another token: nothing that was typed with the former one is lost or stuck."""

import base64
import json
import time

import pytest
from playwright.sync_api import expect

from conftest import LAST, bar, enter, expect_kept, expect_stored, expect_titles, sheet, sign_out, wait_until
from test_accessibility import check
from test_queue import mark, remove
from test_signing_out import STORES, expect_asked, expect_nothing, make_token, owner, shared, sign_in

FORMER = "Changes of an earlier sign-in"

pytestmark = pytest.mark.usefixtures("chromium_only")


@pytest.fixture
def tablet(windows, server, owner, shared):
    """A browser that is signed in as an editor, at the kitchen, which it keeps. Returns its window and its token."""
    for name in ("Mixer", "Toaster"):
        server.make_thing(shared, name)
    token = make_token(server)
    window = windows()
    window.expect_complaints("401|404|409|ERR_|Failed to load")
    window.page.goto(window.address)
    sign_in(window.page, token["token"])
    enter(window.page, "Kitchen")
    expect_stored(window.page, shared)
    return window, token


def go_offline(window):
    window.context.set_offline(True)
    expect(window.page.locator(".notice")).to_contain_text("Offline")


def revoke(server, window, token):
    """Revokes the token while the browser has no connection, and waits until it asks for another one."""
    server.ask("DELETE", f"/v1/tokens/{token['id']}")
    window.context.set_offline(False)
    expect_asked(window.page)


def sign_in_again(page, token, titles):
    sheet(page).get_by_label("Token").fill(token)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, [*titles, LAST])


def remove_offline(window, title):
    page = window.page
    bar(page, "edit").click()
    expect(bar(page, "done")).to_be_visible()
    go_offline(window)
    remove(page, title)


def send(page):
    mark(page).click()
    sheet(page).get_by_role("button", name="Send", exact=True).click()


def expect_one_store(page):
    wait_until(page, f"async () => (await ({STORES})()).length === 1")


def test_changes_that_wait_are_offered_to_who_signs_in_next(tablet, server, owner, shared):
    window, token = tablet
    page = window.page
    remove_offline(window, "Mixer")
    expect_titles(page, ["Kettle", "Toaster", LAST])
    revoke(server, window, token)
    sign_in_again(page, owner, ["Kettle", "Mixer", "Toaster"])
    expect(mark(page)).to_have_text(f"{FORMER}: 1")
    mark(page).click()
    # Whose they are is not known, so what they contain is not shown.
    expect(sheet(page)).not_to_contain_text("Mixer")
    check(page, "changes of an earlier sign-in")
    sheet(page).get_by_role("button", name="Send", exact=True).click()
    expect(sheet(page)).to_contain_text("Everything is saved.")
    expect_kept(page, server, shared, ["Kettle", "Toaster"])
    sheet(page).locator("[data-action=close]").click()
    expect_titles(page, ["Kettle", "Toaster", LAST])
    expect(mark(page)).to_be_hidden()
    expect_one_store(page)


def test_what_became_of_a_change_is_shown_to_who_signs_in_next(tablet, server, owner, shared):
    window, token = tablet
    page = window.page
    remove_offline(window, "Mixer")
    server.ask("PATCH", f"/v1/lists/{shared}", {"permissions": {"delete": False}})
    window.context.set_offline(False)
    expect(mark(page)).to_have_text("1 change to review")
    revoke(server, window, token)
    sign_in_again(page, owner, ["Kettle", "Mixer", "Toaster"])
    mark(page).click()
    expect(sheet(page)).to_contain_text("with another token, and sent.")
    expect(sheet(page).get_by_role("button", name="Send", exact=True)).to_have_count(0)
    sheet(page).get_by_role("button", name="Show").click()
    expect(sheet(page).locator("li", has_text="Mixer").locator(".field-fault")).not_to_be_empty()
    expect_one_store(page)


def test_changes_of_an_earlier_sign_in_are_discarded_after_a_question(tablet, server, owner, shared):
    window, token = tablet
    page = window.page
    remove_offline(window, "Mixer")
    revoke(server, window, token)
    sign_in_again(page, owner, ["Kettle", "Mixer", "Toaster"])
    mark(page).click()
    sheet(page).get_by_role("button", name="Discard").click()
    expect(sheet(page)).to_contain_text("Discard what is left of an earlier sign-in?")
    sheet(page).locator("[data-answer=no]").click()
    expect(sheet(page)).to_contain_text(f"{FORMER}: 1")
    sheet(page).get_by_role("button", name="Discard").click()
    sheet(page).locator("[data-answer=yes]").click()
    expect(sheet(page)).to_contain_text("Everything is saved.")
    sheet(page).locator("[data-action=close]").click()
    expect(mark(page)).to_be_hidden()
    expect_one_store(page)
    assert server.rows(shared) == ["Kettle", "Mixer", "Toaster"]


def test_a_change_that_the_new_token_may_not_make_is_shown_as_refused(tablet, server, owner, shared):
    window, token = tablet
    page = window.page
    remove_offline(window, "Mixer")
    revoke(server, window, token)
    server.ask("PATCH", f"/v1/lists/{shared}", {"permissions": {"delete": False}})
    # Who may change nothing can only discard them.
    sign_in_again(page, server.make_token("reader"), ["Kettle", "Mixer", "Toaster"])
    mark(page).click()
    expect(sheet(page).get_by_role("button", name="Discard")).to_be_visible()
    expect(sheet(page).get_by_role("button", name="Send", exact=True)).to_have_count(0)
    expect(sheet(page)).to_contain_text("Yours may only read.")
    page.evaluate("localStorage.removeItem('rowhouse.token')")
    page.reload()
    sign_in_again(page, owner, ["Kettle", "Mixer", "Toaster"])
    send(page)
    refused = sheet(page).locator("li", has_text="Mixer")
    expect(refused.locator(".field-fault")).not_to_be_empty()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    sheet(page).locator("[data-action=close]").click()
    expect(mark(page)).to_have_text("1 change to review")
    assert server.rows(shared) == ["Kettle", "Mixer", "Toaster"]


def test_a_change_whose_answer_was_lost_is_not_made_twice(tablet, server, owner, shared):
    window, token = tablet
    page = window.page
    go_offline(window)
    page.keyboard.press("n")
    page.keyboard.type("Whisk")
    page.keyboard.press("Enter")
    expect(mark(page)).to_contain_text("1")
    page.keyboard.press("Escape")
    bar(page, "edit").click()
    remove(page, "Mixer")
    expect(mark(page)).to_contain_text("2")

    def lose(route):
        route.fetch()
        route.abort()

    page.route("**/v1/sync", lose)
    window.context.set_offline(False)
    expect_kept(page, server, shared, ["Kettle", "Toaster", "Whisk"])
    made = len(server.ask("GET", "/v1/changes")["changes"])
    revoke(server, window, token)
    page.unroute("**/v1/sync")
    sign_in_again(page, owner, ["Kettle", "Toaster", "Whisk"])
    expect(mark(page)).to_have_text(f"{FORMER}: 2")
    with page.expect_response("**/v1/sync") as answer:
        send(page)
    assert [each["outcome"] for each in answer.value.json()["outcomes"]] == ["done", "done"]
    expect(sheet(page)).to_contain_text("Everything is saved.")
    assert server.rows(shared) == ["Kettle", "Toaster", "Whisk"]
    assert len(server.ask("GET", "/v1/changes")["changes"]) == made


def test_a_photo_waits_for_who_signs_in_next(tablet, server, owner, shared, tmp_path):
    window, token = tablet
    page = window.page
    path = tmp_path / "kettle.gif"
    path.write_bytes(base64.b64decode("R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs="))
    enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("1 of 3")
    go_offline(window)
    page.locator("input[type=file]").set_input_files(str(path))
    expect(mark(page)).to_contain_text("1")
    revoke(server, window, token)
    sheet(page).get_by_label("Token").fill(owner)
    sheet(page).get_by_role("button", name="Sign in").click()
    with page.expect_response(lambda answer: "/photos" in answer.url and answer.request.method == "POST"):
        send(page)
    expect(sheet(page)).to_contain_text("Everything is saved.")
    kettle = server.ask("GET", f"/v1/lists/{shared}/rows")["rows"][0]["id"]
    assert len(server.ask("GET", f"/v1/items/{kettle}")["photos"]) == 1


def test_two_windows_that_send_at_once_send_each_change_once(tablet, server, owner, shared):
    window, token = tablet
    one = window.page
    go_offline(window)
    one.keyboard.press("n")
    one.keyboard.type("Whisk")
    one.keyboard.press("Enter")
    expect(mark(one)).to_contain_text("1")
    revoke(server, window, token)
    sign_in_again(one, owner, ["Kettle", "Mixer", "Toaster"])
    other = window.context.new_page()
    other.goto(one.url)
    commands = []
    for page in (one, other):
        page.on("request", lambda request: request.url.endswith("/v1/sync") and commands.append(request.post_data_json))
        mark(page).click()
        sheet(page).get_by_role("button", name="Send", exact=True).wait_for()
    # Neither press waits for the other.
    start = round(time.time() * 1000) + 1000
    for page in (one, other):
        page.evaluate("""(time) => void setTimeout(() => [...document.querySelectorAll('dialog button')]
            .find((button) => button.textContent === 'Send')?.click(), time - Date.now())""", start)
    for page in (one, other):
        page.bring_to_front()
        expect(sheet(page)).to_contain_text("Everything is saved.")
        sheet(page).locator("[data-action=close]").click()
        expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", LAST])
        expect(mark(page)).to_be_hidden()
    assert [len(each["commands"]) for each in commands] == [1], json.dumps(commands)
    expect_one_store(one)
    sign_out(one)
    expect_asked(one)
    expect_nothing(one)


def test_changes_that_wait_are_sent_without_a_question_once_the_server_is_protected(windows, server, kitchen):
    window = windows()
    window.expect_complaints("401|404|ERR_|Failed to load")
    page = window.open()
    enter(page, "Kitchen")
    expect_stored(page, kitchen[0])
    remove_offline(window, "Mixer")
    expect(mark(page)).to_contain_text("1")
    server.token = server.make_token("owner")
    window.context.set_offline(False)
    expect_asked(page)
    sheet(page).get_by_label("Token").fill(server.token)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, ["Kettle", "Toaster", LAST])
    expect_kept(page, server, kitchen[0], ["Kettle", "Toaster"])
    expect(mark(page)).to_be_hidden()
    expect_one_store(page)


def test_a_form_that_was_opened_offline_shows_what_others_have_changed_to_the_next_token(tablet, server, owner, shared):
    window, token = tablet
    page = window.page
    kettle = f"/v1/items/{server.ask('GET', '/v1/resolve?path=/Kitchen/Kettle')['id']}"
    enter(page, "Kettle")
    expect(page.locator(".facts")).to_be_visible()
    go_offline(window)
    bar(page, "edit").click()
    sheet(page).get_by_label("Notes").fill("mine")
    server.ask("PATCH", kettle, {"notes": "theirs, long and important"})
    revoke(server, window, token)
    sheet(page).get_by_label("Token").fill(make_token(server)["token"])
    sheet(page).get_by_role("button", name="Sign in").click()
    expect(sheet(page).get_by_label("Notes")).to_have_value("mine")
    sheet(page).locator("[data-action=save]").click()
    expect(sheet(page).locator(".conflict")).to_contain_text("theirs, long and important")
    expect(sheet(page).locator(".conflict")).to_contain_text("mine")
    assert server.ask("GET", kettle)["notes"] == "theirs, long and important"
