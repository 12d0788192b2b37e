"""Tokens: asked for, kept out of addresses, revoked, and what a reader is offered."""

import re
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import LAST, back, bar, enter, expect_titles, heading, menu, row, save, sheet, sign_out


def test_a_token_is_asked_for_and_kept_out_of_addresses(windows, server):
    server.token = server.make_token()
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.expect_complaints("401")
    page = window.page
    page.goto(window.address)
    expect(sheet(page)).to_contain_text("Sign in to Rowhouse: paste your access token, or the link of an invitation.")
    sheet(page).get_by_label("Token").fill("rh_wrong")
    sheet(page).get_by_role("button", name="Sign in").click()
    expect(sheet(page).get_by_role("alert")).to_have_text("This device was signed out, or the token is unknown.")
    expect(sheet(page).get_by_label("Token")).to_have_value("")
    sheet(page).get_by_label("Token").fill(server.token)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, ["Kitchen", LAST])
    # Events take the token too.
    server.make_list("Study")
    expect_titles(page, ["Kitchen", "Study", LAST])
    page.reload()
    expect_titles(page, ["Kitchen", "Study", LAST])
    assert not any("rh_" in address for _, address in window.requests)


def test_escape_does_not_get_past_the_question_for_a_token(windows, server, kitchen):
    server.token = server.make_token()
    window = windows()
    window.expect_complaints("401")
    page = window.page
    page.goto(window.address)
    sheet(page).get_by_label("Token").wait_for()
    for _ in range(4):
        page.keyboard.press("Escape")
    sheet(page).get_by_label("Token").fill(server.token)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, ["Kitchen", LAST])


def open_streams(server):
    """How many clients follow events just now."""
    request = urllib.request.Request(server.address + "/metrics", headers={"Authorization": f"Bearer {server.token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return int(re.search(r"^rowhouse_event_streams (\d+)", answer.read().decode(), re.MULTILINE).group(1))


def wait_for_streams(server, count):
    deadline = time.monotonic() + 30
    while (found := open_streams(server)) != count:
        assert time.monotonic() < deadline, f"{found} streams are not {count}"
        time.sleep(0.05)


def kept_by(page):
    """The names of the page's entries in the browser's storage, without those that a sign-out may leave."""
    public = ("rowhouse.sign-out", "rowhouse.protection", "rowhouse.texts")
    kept = page.evaluate("Object.keys(localStorage).concat(Object.keys(sessionStorage))")
    return [name for name in kept if name.startswith("rowhouse.") and name not in public]


def sign_in(page, server, is_lasting=False):
    sheet(page).get_by_label("Token").fill(server.token)
    sheet(page).get_by_label("Keep it on this device").set_checked(is_lasting)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, ["Kitchen", LAST])


def test_a_token_that_is_not_kept_leaves_nothing_to_the_holder_of_a_kept_one(windows, server):
    server.token = server.make_token("owner")
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    study, _ = server.make_list("Study", ["Diary"])
    kims = server.ask("POST", "/v1/tokens", {"name": "Kim", "role": "editor", "listId": kitchen})["token"]
    window = windows()
    window.expect_complaints("401")
    one, other = window.page, window.context.new_page()
    for page, token, is_lasting, heading_text in ((one, server.token, False, "Inventory"), (other, kims, True, "Kitchen")):
        page.goto(window.address)
        sheet(page).get_by_label("Token").fill(token)
        sheet(page).get_by_label("Keep it on this device").set_checked(is_lasting)
        sheet(page).get_by_role("button", name="Sign in").click()
        expect(heading(page)).to_have_text(heading_text)
    one.bring_to_front()
    one.goto(f"{window.address}/l/{study}?q=lawyer")
    expect(heading(one)).to_have_text("Study")
    one.wait_for_function("() => Object.values(sessionStorage).some((value) => value.includes('lawyer'))")
    one.reload()
    expect(heading(one)).to_have_text("Study")
    one.close()
    kept = other.evaluate("JSON.stringify(localStorage)")
    assert not [word for word in ("Study", study, "lawyer") if word in kept]
    fresh = window.context.new_page()
    fresh.goto(window.address)
    expect(heading(fresh)).to_have_text("Kitchen")
    assert fresh.url.endswith(kitchen)


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize("elsewhere", ["about:blank", "{}/docs", "{}/problems"])
def test_a_window_that_was_elsewhere_at_a_sign_out_comes_back_signed_out(windows, server, elsewhere):
    server.token = server.make_token("admin")
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.expect_complaints("401")
    one, other = window.page, window.context.new_page()
    for page in (one, other):
        page.goto(window.address)
        sign_in(page, server)
    other.goto(elsewhere.format(server.address))
    one.bring_to_front()
    sign_out(one)
    expect(sheet(one)).to_contain_text("Sign in to Rowhouse: paste your access token, or the link of an invitation.")
    other.bring_to_front()
    other.go_back()
    expect(sheet(other)).to_contain_text("Sign in to Rowhouse: paste your access token, or the link of an invitation.")
    assert "Kitchen" not in other.content()
    assert kept_by(other) == []
    # From then on it is as any other window.
    for page in (one, other):
        page.bring_to_front()
        sign_in(page, server)
        page.reload()
        expect_titles(page, ["Kitchen", LAST])


@pytest.mark.usefixtures("chromium_only")
def test_signing_out_forgets_the_token_that_was_typed_into_the_reference(windows, server):
    server.token = server.make_token("admin")
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.expect_complaints("401")
    one, other = window.page, window.context.new_page()
    for page in (one, other):
        page.goto(f"{window.address}/docs")
        page.get_by_role("textbox", name="Token", exact=True).fill(server.token)
        page.locator("#rows summary").first.click()
        page.locator("#rows").get_by_role("button", name="Try it").click()
        expect(page.locator("#rows .result")).to_contain_text("Kitchen")
        page.reload()
        expect(page.get_by_role("textbox", name="Token", exact=True)).to_have_value(server.token)
    other.locator("#rows summary").first.click()
    other.locator("#rows").get_by_role("button", name="Try it").click()
    expect(other.locator("#rows .result")).to_contain_text("Kitchen")
    one.goto(window.address)
    sign_in(one, server)
    sign_out(one)
    expect(sheet(one)).to_contain_text("Sign in to Rowhouse: paste your access token, or the link of an invitation.")
    expect(other.get_by_role("textbox", name="Token", exact=True)).to_have_value("")
    expect(other.locator("body")).not_to_contain_text("Kettle")
    one.goto(f"{window.address}/docs")
    for page in (one, other):
        page.locator(".operation").first.wait_for()
        expect(page.get_by_role("textbox", name="Token", exact=True)).to_have_value("")
        assert kept_by(page) == []


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize("is_lasting", [True, False], ids=["lasting", "this window's"])
def test_signing_out_leaves_nothing_to_read_in_any_window(windows, server, is_lasting):
    server.token = server.make_token("admin")
    kitchen, _ = server.make_list("Kitchen", ["Kettle", "Mixer"])
    window = windows()
    window.expect_complaints("401")
    one, other = window.page, window.context.new_page()
    for page in (one, other):
        page.goto(window.address)
        # The second window may have been told by the first.
        page.locator(".stage:not([aria-busy]) h1, dialog[open]").first.wait_for()
        if page.locator("dialog[open]").count():
            sheet(page).get_by_label("Token").fill(server.token)
            sheet(page).get_by_label("Keep it on this device").set_checked(is_lasting)
            sheet(page).get_by_role("button", name="Sign in").click()
    enter(one, "Kitchen")
    bar(one, "edit").click()
    row(one, "Mixer").locator("[data-control=remove]").click()
    sheet(one).locator("[data-answer=yes]").click()
    expect(one.locator(".toast")).to_contain_text("Mixer")
    bar(one, "done").click()
    # Only a window that is seen follows events.
    other.bring_to_front()
    expect_titles(other, ["Kitchen", LAST])
    assert open_streams(server) > 0
    one.bring_to_front()
    sign_out(one)
    for page in (one, other):
        expect(sheet(page)).to_contain_text("Sign in to Rowhouse: paste your access token, or the link of an invitation.")
        expect(sheet(page).get_by_role("alert")).to_have_count(0)
        shown = page.evaluate("document.documentElement.outerHTML + document.title + JSON.stringify(history.state)")
        assert not any(word in shown for word in ("Kitchen", "Kettle", "Mixer", kitchen))
        assert kept_by(page) == []
    wait_for_streams(server, 0)
    # The browser's way back shows nothing either.
    one.evaluate("() => void setTimeout(() => history.back())")
    one.wait_for_timeout(300)
    assert "Kettle" not in one.content()


@pytest.mark.parametrize("path", ["/labels?list={}", "/docs"])
@pytest.mark.parametrize("is_protected", [True, False], ids=["protected", "open"])
def test_signing_out_clears_pages_that_are_not_of_the_app(windows, server, path, is_protected):
    if is_protected:
        server.token = server.make_token("admin")
    kitchen, _ = server.make_list("Kitchen", ["Kettle", "Mixer"])
    window = windows()
    window.expect_complaints("401")
    one = window.page
    one.goto(window.address)
    if is_protected:
        sign_in(one, server, is_lasting=True)
    else:
        expect_titles(one, ["Kitchen", LAST])
    other = window.context.new_page()
    other.goto(window.address + path.format(kitchen))
    if path == "/docs":
        # As if it had shown an answer.
        other.evaluate("() => { document.getElementById('main').append('Kettle'); }")
    expect(other.locator("body")).to_contain_text("Kettle")
    if not is_protected:
        server.token = server.make_token("admin")
        # The place of the open server is not the token's.
        window.expect_complaints("404")
        one.reload()
        sign_in(one, server)
    one.bring_to_front()
    sign_out(one)
    expect(other.locator("body")).not_to_contain_text("Kettle")
    # It is empty until it is loaded again.
    other.wait_for_function("() => document.body?.childElementCount")
    assert kept_by(other) == []


def test_signing_out_says_first_what_signing_in_again_needs(windows, server):
    server.token = server.make_token("editor")
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.expect_complaints("401")
    page = window.page
    page.goto(window.address)
    sign_in(page, server, is_lasting=True)
    menu(page, "Sign out")
    expect(sheet(page).locator("h2")).to_have_text("Sign out on this device?")
    expect(sheet(page).locator(".ask-detail")).to_have_text("To sign in again, you need its access token or a new link.")
    sheet(page).locator("[data-answer=no]").click()
    expect_titles(page, ["Kitchen", LAST])
    page.reload()
    expect_titles(page, ["Kitchen", LAST])
    sign_out(page)
    expect(sheet(page)).to_contain_text("Sign in to Rowhouse")


def test_nothing_is_read_while_a_page_that_was_signed_out_is_on_its_way(windows, server):
    server.token = server.make_token("admin")
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.expect_complaints("401|ERR_|Failed to load")
    page = window.page
    # What stood on the page when the next one took its place.
    page.add_init_script("addEventListener('pagehide', () => localStorage.setItem('test.left', document.body.textContent))")
    page.goto(window.address)
    sheet(page).get_by_label("Token").fill(server.token)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, ["Kitchen", LAST])
    held = []
    page.route(f"{window.address}/", lambda route: held.append(route))
    page.locator("[data-action=menu]").click()
    out = sheet(page).get_by_role("button", name="Sign out")
    out.click()
    # A click would wait for the page that is held back.
    sheet(page).locator("[data-answer=yes]").evaluate("button => void setTimeout(() => button.click())")
    deadline = time.monotonic() + 10
    while not held and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    wait_for_streams(server, 0)
    held[0].continue_()
    expect(sheet(page)).to_contain_text("Sign in to Rowhouse: paste your access token, or the link of an invitation.")
    assert page.evaluate("localStorage.getItem('test.left')") == ""


@pytest.mark.usefixtures("chromium_only")
def test_answers_after_a_sign_out_are_not_stored(windows, server):
    window = windows()
    page = window.page
    page.goto(window.address)
    expect_titles(page, [LAST])
    left = page.evaluate(
        """async () => {
          const { session } = await import('/modules/session.js');
          session.signOut();
          session.keepToken('xyzzy', true);
          session.start = { me: { inventoryId: session.inventory }, title: 'xyzzy' };
          session.entry = { path: '/l/xyzzy' };
          session.navigator = session.sharing = session.draft = 'xyzzy';
          session.chooseInventory('xyzzy');
          session.theme = 'dark';
          return JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
        }"""
    )
    assert "xyzzy" not in left
    assert "dark" in left


@pytest.mark.usefixtures("chromium_only")
def test_a_token_that_is_revoked_is_asked_for_anew(windows, server):
    owner = server.token = server.make_token("owner")
    server.make_list("Kitchen", ["Kettle"])
    made = server.ask("POST", "/v1/tokens", {"name": "tablet", "role": "editor"})
    window = windows()
    # The place belonged to the other token.
    window.expect_complaints("401|404")
    window.keep_token(made["token"])
    page = window.open()
    expect_titles(page, ["Kitchen", LAST])
    server.ask("DELETE", f"/v1/tokens/{made['id']}")
    expect(sheet(page).get_by_role("alert")).to_have_text("This device was signed out, or the token is unknown.")
    # A new window may be another person's.
    assert not page.evaluate("Object.keys(localStorage).some((name) => /entry|navigator/.test(name))")
    sheet(page).get_by_label("Token").fill(owner)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, ["Kitchen", LAST])


@pytest.mark.usefixtures("chromium_only")
def test_a_reader_is_offered_nothing_that_it_may_not_do(windows, server):
    server.token = server.make_token("owner")
    _, (kettle,) = server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.keep_token(server.make_token("reader"))
    page = window.open()
    enter(page, "Kitchen")
    expect(page.locator(".bar-trailing button")).to_have_count(0)
    enter(page, "Kettle")
    expect(page.locator(".bar-trailing button")).to_have_count(0)
    expect(page.get_by_text("Add photo")).to_have_count(0)
    back(page, "Kitchen")
    menu(page, "Details")
    expect(sheet(page).get_by_label("Title")).to_have_value("Kitchen")
    expect(sheet(page).locator("input:enabled:not([readonly]), select:enabled")).to_have_count(0)
    sheet(page).get_by_label("Title").press("x")
    expect(sheet(page).get_by_label("Title")).to_have_value("Kitchen")
    expect(sheet(page).locator(".bar-title")).to_have_text("Kitchen")
    expect(sheet(page).get_by_role("button", name="Save")).to_have_count(0)
    sheet(page).locator("[data-action=close]").click()
    menu(page, "Changes")
    expect(sheet(page).locator(".entries li").first).to_contain_text("Kettle")
    expect(sheet(page).get_by_role("button", name="Undo")).to_have_count(0)
    sheet(page).locator("[data-action=close]").click()
    server.ask("DELETE", f"/v1/rows/{kettle}")
    expect_titles(page, [LAST])
    menu(page, "Trash")
    expect(sheet(page).locator(".entries li").first).to_contain_text("Kettle")
    expect(sheet(page).locator(".entries button")).to_have_count(0)


@pytest.mark.usefixtures("chromium_only")
def test_unsaved_text_survives_the_deletion_of_a_tokens_list(windows, server):
    server.token = server.make_token("owner")
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    token = server.ask("POST", "/v1/tokens", {"name": "Kim", "role": "editor", "listId": kitchen})["token"]
    window = windows()
    window.expect_complaints("404|There is no such list")
    window.keep_token(token)
    page = window.open()
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Notes").fill("Half an hour of typing")
    # Without a question, the browser would discard the text.
    page.on("dialog", lambda dialog: dialog.dismiss())
    deletion = server.ask("DELETE", f"/v1/lists/{kitchen}?recursive=true")
    expect(page.locator(".toast")).to_contain_text("The list has been deleted.")
    expect(sheet(page).get_by_label("Notes")).to_have_value("Half an hour of typing")
    server.ask("POST", deletion["undo"])
    # The page is reloaded when the text is saved.
    with page.expect_event("load"):
        save(page)
    expect(heading(page)).to_have_text("Kettle")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.get_by_text("Half an hour of typing")).to_be_visible()
    # A sheet without input is closed by the reload.
    bar(page, "edit").click()
    sheet(page).get_by_label("Notes").wait_for()
    server.ask("DELETE", f"/v1/lists/{kitchen}?recursive=true")
    expect(page.locator("dialog")).to_have_count(0)
