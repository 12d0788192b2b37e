"""Tokens: asked for, kept out of addresses, revoked, and what a reader is offered."""

import pytest
from playwright.sync_api import expect

from conftest import LAST, back, enter, expect_titles, menu, sheet


def test_a_token_is_asked_for_and_kept_out_of_addresses(windows, server):
    server.token = server.make_token()
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.expect_complaints("401")
    page = window.page
    page.goto(window.address)
    expect(sheet(page)).to_contain_text("This server asks for a token.")
    sheet(page).get_by_label("Token").fill("rh_wrong")
    sheet(page).get_by_role("button", name="Sign in").click()
    expect(sheet(page).get_by_role("alert")).to_have_text("That token is unknown here, or has been revoked.")
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


@pytest.mark.usefixtures("chromium_only")
def test_a_reader_is_offered_nothing_that_it_may_not_do(windows, server):
    server.token = server.make_token("owner")
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.context.add_init_script(
        f"localStorage.setItem('rowhouse.token', '{server.make_token('reader')}')")
    page = window.open()
    enter(page, "Kitchen")
    expect(page.locator(".bar-trailing button")).to_have_count(0)
    enter(page, "Kettle")
    expect(page.locator(".bar-trailing button")).to_have_count(0)
    expect(page.get_by_text("Add photo")).to_have_count(0)
    back(page, "Kitchen")
    menu(page, "Changes")
    expect(sheet(page).locator(".entries li").first).to_contain_text("Kettle")
    expect(sheet(page).get_by_role("button", name="Undo")).to_have_count(0)
