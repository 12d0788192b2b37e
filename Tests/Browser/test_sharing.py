"""Sharing: invitations as links, people and devices, and the protection of an open server."""

import datetime
import json
import re
import time
import urllib.error

import pytest
from playwright.sync_api import expect

from answers import Lost
from conftest import LAST, bar, enter, expect_titles, heading, menu, row, save, sheet, wait_until

pytestmark = pytest.mark.usefixtures("chromium_only")


@pytest.fixture
def owner(windows, server):
    """A window of an owner at the first list of a server with two lists."""
    server.token = server.make_token("owner")
    server.make_list("Kitchen", ["Kettle"])
    server.make_list("Study", ["Lamp"])
    window = windows()
    window.keep_token(server.token)
    return window.open()


def invite(page, name="Kim", role="View and edit"):
    """The link of an invitation that is made in the sheet for sharing."""
    sheet(page).get_by_label("For whom?").fill(name)
    sheet(page).get_by_label("Access", exact=True).select_option(label=role)
    sheet(page).get_by_role("button", name="Create link").click()
    return sheet(page).get_by_label("Link").input_value()


def expect_device_name(page, name):
    menu(page, "Settings")
    expect(sheet(page).get_by_label("Name of this device")).to_have_value(name)
    sheet(page).locator("[data-action=cancel]").click()
    expect(page.locator("dialog")).to_have_count(0)


def accept(page, link, device="Phone"):
    page.goto(link)
    sheet(page).get_by_label("Name of this device").fill(device)
    sheet(page).get_by_role("button", name="Accept").click()


def test_a_phone_is_signed_in_by_a_link_once(windows, server, owner):
    enter(owner, "Kitchen")
    menu(owner, "Share this list")
    expect(sheet(owner)).to_contain_text("The address of this page works only on this computer.")
    link = invite(owner)
    expect(sheet(owner).get_by_role("img", name="QR code of the link")).to_be_visible()
    expect(sheet(owner)).to_contain_text("The address of this page works only on this computer.")
    assert sheet(owner).get_by_role("img").evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    phone = windows()
    phone.page.goto(link)
    expect(sheet(phone.page)).to_contain_text("You get access to “Kitchen”: View and edit.")
    # The address has the code no more, but the window still knows it.
    phone.page.reload()
    expect(sheet(phone.page)).to_contain_text("You get access to “Kitchen”: View and edit.")
    accept(phone.page, link)
    expect(sheet(owner)).to_contain_text("A device has signed in with this link.")
    expect(sheet(owner).get_by_role("img", name="QR code of the link")).to_have_count(0)
    # The list is all that there is.
    expect(heading(phone.page)).to_have_text("Kitchen")
    expect_titles(phone.page, ["Kettle", LAST])
    assert "invite" not in phone.page.url
    assert not any("rh_" in address.split("#")[0] for _, address in phone.requests)
    server.make_thing(server.ask("GET", "/v1/resolve?path=/Kitchen")["id"], "Cup")
    expect_titles(phone.page, ["Kettle", "Cup", LAST])
    phone.page.reload()
    expect_titles(phone.page, ["Kettle", "Cup", LAST])
    expect_device_name(phone.page, "Phone")
    # There is no other list for a row.
    bar(phone.page, "edit").click()
    row(phone.page, "Kettle").locator("[data-control=relocate]").click()
    expect(sheet(phone.page)).to_contain_text("There is no other list to move this to. Add a list first.")
    expect(sheet(phone.page).locator("[data-action=move]")).to_be_hidden()
    sheet(phone.page).locator("[data-action=cancel]").click()
    # No second device.
    other = windows()
    other.expect_complaints("404|401")
    other.page.goto(link)
    expect(sheet(other.page).get_by_role("alert")).to_contain_text("The invitation is unknown, has been used or has expired.")
    expect(sheet(other.page).get_by_label("Name of this device")).to_have_count(0)
    sheet(other.page).locator("[data-action=close]").click()
    expect(sheet(other.page)).to_contain_text("Sign in to Rowhouse")


def test_the_sheet_for_sharing_says_what_is_shared(owner):
    menu(owner, "People and devices")
    sheet(owner).get_by_role("button", name="Invite a person or a device").click()
    expect(heading_of(owner)).to_have_text("Share everything in “Inventory”")
    invite(owner)
    expect(heading_of(owner)).to_have_text("Share everything in “Inventory”")
    sheet(owner).locator("[data-action=close]").click()
    enter(owner, "Kitchen")
    menu(owner, "Share this list")
    expect(heading_of(owner)).to_have_text("Share this list")
    expect(sheet(owner)).to_contain_text("Share “Kitchen” and what is in it.")
    invite(owner)
    expect(sheet(owner)).to_contain_text("Share “Kitchen” and what is in it.")


def test_a_wrong_token_does_not_come_between_a_person_and_an_invitation(windows, owner):
    menu(owner, "Share this list")
    link = invite(owner)
    phone = windows()
    phone.expect_complaints("401")
    page = phone.page
    page.goto(phone.address)
    sheet(page).get_by_label("Token").fill("1234")
    sheet(page).get_by_role("button", name="Sign in").click()
    expect(sheet(page).get_by_role("alert")).to_have_text("This device was signed out, or the token is unknown.")
    assert page.evaluate("localStorage.getItem('rowhouse.token')") is None
    accept(page, link)
    expect_titles(page, ["Kitchen", "Study", LAST])


def test_the_link_of_an_invitation_can_be_pasted_where_a_token_is_asked_for(windows, owner):
    menu(owner, "Share this list")
    link = invite(owner)
    phone = windows()
    phone.expect_complaints("401")
    page = phone.page
    page.goto(phone.address)
    expect(sheet(page)).to_contain_text("A token is like a password")
    for told in ("the person who runs the server", "“People and devices” or “Share this list”", "paste it here"):
        expect(sheet(page)).to_contain_text(told)
    sheet(page).get_by_label("Token").fill(link)
    sheet(page).get_by_role("button", name="Sign in").click()
    sheet(page).locator("[data-action=cancel]").click()
    # Nobody is signed in yet.
    sheet(page).get_by_label("Token").fill(link)
    sheet(page).get_by_role("button", name="Sign in").click()
    sheet(page).get_by_label("Name of this device").fill("Phone")
    sheet(page).get_by_role("button", name="Accept").click()
    expect_titles(page, ["Kitchen", "Study", LAST])


def test_people_and_devices_are_renamed_and_revoked(windows, server, owner):
    menu(owner, "People and devices")
    lines = sheet(owner).locator(".entries li")
    expect(lines).to_have_count(1)
    expect(lines.first).to_contain_text("This device")
    sheet(owner).get_by_role("button", name="Invite a person or a device").click()
    link = invite(owner, role="View")
    sheet(owner).locator("[data-action=close]").click()
    phone = windows()
    phone.expect_complaints("401")
    accept(phone.page, link)
    expect_titles(phone.page, ["Kitchen", "Study", LAST])
    menu(owner, "People and devices")
    kim = lines.filter(has_text="Kim (Phone)")
    expect(kim).to_contain_text("View")
    expect(kim).to_contain_text("Last used")
    kim.get_by_role("button", name="Rename").click()
    sheet(owner).get_by_label("Name").fill("Kim’s old phone")
    save(owner)
    renamed = lines.filter(has_text="Kim’s old phone")
    renamed.get_by_role("button", name="Revoke access").click()
    expect(sheet(owner)).to_contain_text("Revoke the access of “Kim’s old phone”?")
    sheet(owner).locator("[data-answer=yes]").click()
    expect(lines).to_have_count(1)
    expect(sheet(phone.page).get_by_role("alert")).to_have_text("This device was signed out, or the token is unknown.")


def test_signing_out_ends_the_access_that_an_invitation_gave(windows, server, owner):
    def names():
        return sorted(token["name"] for token in server.ask("GET", "/v1/tokens")["tokens"])

    before = names()
    phone, tablet = windows(), windows()
    menu(owner, "Share this list")
    accept(phone.page, invite(owner))
    expect_titles(phone.page, ["Kitchen", "Study", LAST])
    assert len(names()) == len(before) + 1
    # A token that was typed may be used elsewhere.
    tablet.expect_complaints("401")
    tablet.page.goto(tablet.address)
    script = server.ask("POST", "/v1/tokens", {"name": "Script", "role": "editor"})["token"]
    sheet(tablet.page).get_by_label("Token").fill(script)
    sheet(tablet.page).get_by_role("button", name="Sign in").click()
    for window in (phone, tablet):
        expect_titles(window.page, ["Kitchen", "Study", LAST])
        menu(window.page, "Sign out")
        sheet(window.page).locator("[data-answer=yes]").click()
        expect(sheet(window.page)).to_contain_text("A token is like a password")
        window.expect_complaints("401")
    deadline = time.monotonic() + 10
    while len(names()) > len(before) + 1 and time.monotonic() < deadline:
        owner.wait_for_timeout(50)
    assert names() == sorted([*before, "Script"])


def test_who_revokes_the_last_token_that_manages_people_is_told_what_that_means(server, owner):
    def expect_told(sentence):
        menu(owner, "People and devices")
        own = sheet(owner).locator(".entries li").filter(has_text="This device")
        own.get_by_role("button", name="Revoke access").click()
        expect(sheet(owner).locator(".ask-detail")).to_have_text(sentence)
        sheet(owner).locator("[data-answer=no]").click()
        sheet(owner).locator("[data-action=close]").click()
        expect(owner.locator("dialog")).to_have_count(0)

    expect_told(re.compile("no other one has access here.*A server without any token"))
    server.make_token("editor")
    expect_told(re.compile("No other device may then invite people or revoke access here."))
    server.make_token("owner")
    expect_told("This device will be signed out.")


def test_a_link_that_nobody_has_used_is_withdrawn(windows, server, owner):
    menu(owner, "People and devices")
    sheet(owner).get_by_role("button", name="Invite a person or a device").click()
    link = invite(owner, role="View")
    sheet(owner).locator("[data-action=close]").click()
    menu(owner, "People and devices")
    kim = sheet(owner).locator(".entries li").filter(has_text="Kim")
    expect(kim).to_contain_text("Works until")
    kim.get_by_role("button", name="Withdraw").click()
    expect(kim).to_have_count(0)
    expect(sheet(owner).get_by_text("Unused links")).to_be_hidden()
    phone = windows()
    phone.expect_complaints("404|401")
    phone.page.goto(link)
    expect(sheet(phone.page).get_by_role("alert")).to_contain_text("The invitation is unknown, has been used or has expired.")


def test_each_device_says_in_words_when_it_was_added_and_used(windows, server, owner):
    server.ask("POST", "/v1/tokens", {"name": "Tablet", "role": "reader"})
    menu(owner, "People and devices")
    lines = sheet(owner).locator(".entries li")
    # The one that is in use comes first.
    expect(lines.nth(0).locator(".own-mark")).to_have_text("This device")
    expect(lines.nth(0)).to_contain_text("Added today · Last used today")
    expect(lines.nth(1)).to_contain_text("Tablet")
    expect(lines.nth(1)).to_contain_text("Added today · Never used")
    expect(lines.nth(1).locator(".own-mark")).to_have_count(0)
    sheet(owner).locator("[data-action=close]").click()
    now = datetime.datetime.now()
    for days, told in ((1, "yesterday"), (6, "6 days ago"), (40, f"{now.day} {now:%b} {now.year}")):
        owner.clock.set_fixed_time(now + datetime.timedelta(days=days))
        menu(owner, "People and devices")
        expect(lines.nth(1)).to_contain_text(f"Added {told}")
        sheet(owner).locator("[data-action=close]").click()


@pytest.mark.parametrize("agent, name", [
    ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
     "Safari on iPhone"),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
     "Safari on Mac"),
    ("Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0", "Firefox on Android"),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
     "Edge on Windows"),
    ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
     "Chromium on Android"),
    ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36", "Chromium on Linux"),
])
def test_a_device_is_offered_the_name_of_its_browser_and_its_kind(windows, server, agent, name):
    server.token = server.make_token("owner")
    page = windows(user_agent=agent).page
    page.goto(server.ask("POST", "/v1/invitations", {"role": "editor", "name": "Kim"})["link"])
    expect(sheet(page).get_by_label("Name of this device")).to_have_value(name)
    sheet(page).get_by_role("button", name="Accept").click()
    expect(heading(page)).to_have_text("Inventory")
    assert f"Kim ({name})" in [token["name"] for token in server.ask("GET", "/v1/tokens")["tokens"]]
    # A place of this device has the same name. It is saved in the background.
    wait_until(page, f"""async () => {{
      const headers = {{ Authorization: `Bearer ${{localStorage.getItem('rowhouse.token')}}` }};
      const {{ navigators }} = await (await fetch('/v1/navigators', {{ headers }})).json();
      return navigators.map((place) => place.name).join() === {json.dumps(name)};
    }}""")


def test_who_is_signed_in_changes_to_the_invitation_only_if_they_accept(windows, server, owner):
    study = server.ask("GET", "/v1/resolve?path=/Study")["id"]
    make = lambda: server.ask("POST", "/v1/invitations", {"role": "reader", "listId": study})["code"]
    owner.goto(f"{server.address}/#invite={make()}")
    expect(sheet(owner)).to_contain_text("This browser is signed in already.")
    sheet(owner).locator("[data-action=cancel]").click()
    expect_titles(owner, ["Kitchen", "Study", LAST])
    # In a page that is open, too.
    owner.evaluate("code => { location.hash = `invite=${code}` }", make())
    expect(sheet(owner)).to_contain_text("This browser is signed in already.")
    sheet(owner).get_by_role("button", name="Accept").click()
    expect(heading(owner)).to_have_text("Study")
    expect_titles(owner, ["Lamp", LAST])
    assert "invite" not in owner.url
    # The code works once, so the token must be there when the page is loaded again.
    owner.reload()
    expect(heading(owner)).to_have_text("Study")


def test_only_owners_may_share(windows, server, owner):
    editor = server.make_token("editor")
    window = windows()
    window.keep_token(editor)
    page = window.open()
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    expect(sheet(page).get_by_role("button", name="Settings")).to_be_visible()
    for name in ("Share this list", "People and devices"):
        expect(sheet(page).get_by_role("button", name=name)).to_have_count(0)


def test_an_open_server_is_protected_and_the_token_is_shown_once(windows, server, kitchen):
    window = windows(offers=True)
    # The place belonged to nobody.
    window.expect_complaints("401|404")
    page = window.open()
    expect(page.locator(".toast")).to_contain_text("Everyone who reaches this server can change everything.")
    page.locator(".toast").get_by_role("button", name="Protect this server").click()
    sheet(page).get_by_label("Name of this device").fill("Desk")
    sheet(page).get_by_role("button", name="Protect", exact=True).click()
    token = sheet(page).get_by_label("Token").input_value()
    assert token.startswith("rh_") and len(token) == 100
    with pytest.raises(urllib.error.HTTPError, match="401"):
        server.ask("GET", "/v1/lists")
    # It stays until it was seen, whatever the event stream says.
    for _ in range(3):
        page.keyboard.press("Escape")
    page.wait_for_timeout(500)
    expect(sheet(page).get_by_label("Token")).to_have_value(token)
    expect(page.locator(".row-detail.is-sum")).to_have_text("3 items")
    sheet(page).locator("[data-action=close]").click()
    with page.expect_event("load"):
        sheet(page).locator("[data-answer=yes]").click()
    expect_titles(page, ["Kitchen", LAST])
    expect(page.locator(".toast")).to_have_count(0)
    server.token = token
    assert [(one["name"], one["role"]) for one in server.ask("GET", "/v1/tokens")["tokens"]] == [("Desk", "admin")]
    expect_device_name(page, "Desk")
    menu(page, "People and devices")
    expect(sheet(page).locator(".entries li")).to_contain_text("This deviceDesk")
    sheet(page).locator("[data-action=close]").click()
    menu(page, "Share this list")
    expect(sheet(page).get_by_label("For whom?")).to_be_visible()


def test_sharing_a_list_of_an_open_server_begins_with_its_protection(page, window):
    window.expect_complaints("401|404")
    menu(page, "Share this list")
    expect(heading_of(page)).to_have_text("Protect this server")
    expect(sheet(page)).to_contain_text("Sharing goes on afterwards.")
    sheet(page).get_by_label("Name of this device").fill("Desk")
    sheet(page).get_by_role("button", name="Protect", exact=True).click()
    expect(sheet(page).get_by_label("Token")).to_be_visible()
    sheet(page).locator("[data-action=close]").click()
    sheet(page).locator("[data-answer=yes]").click()
    expect(sheet(page).get_by_label("For whom?")).to_be_visible()


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_the_token_of_a_protected_server_is_closed_without_a_question_once_it_was_copied(page, window, has_clipboard):
    window.expect_complaints("401|404")
    if has_clipboard:
        window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:
        page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    menu(page, "People and devices")
    sheet(page).get_by_role("button", name="Protect this server").click()
    sheet(page).get_by_role("button", name="Protect", exact=True).click()
    token = sheet(page).get_by_label("Token").input_value()
    # Nothing was copied yet.
    sheet(page).locator("[data-action=close]").click()
    expect(heading_of(page)).to_have_text("Have you stored the token?")
    expect(sheet(page)).to_contain_text("It is not shown again.")
    sheet(page).locator("[data-answer=no]").click()
    expect(sheet(page).get_by_label("Token")).to_have_value(token)
    sheet(page).get_by_role("button", name="Copy").click()
    expect(sheet(page).get_by_role("button", name="Copied")).to_be_visible()
    with page.expect_event("load"):
        sheet(page).locator("[data-action=close]").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])


def test_an_invitation_whose_answer_is_lost_says_that_it_may_be_used_up(windows, server, owner):
    code = server.ask("POST", "/v1/invitations", {"role": "reader", "name": "Kim"})["code"]
    phone = windows()
    phone.expect_complaints("404")
    with Lost(phone, "POST", "**/v1/invitations/accept"):
        accept(phone.page, f"{server.address}/#invite={code}")
        expect(sheet(phone.page).get_by_role("alert")).to_contain_text("the link may be used up now")
    # It was asked once: a second call would have been refused.
    assert sum(address.endswith("/accept") for _, address in phone.requests) == 1
    assert [one["name"] for one in server.ask("GET", "/v1/tokens")["tokens"]] == ["Phone", "Kim (Phone)"]
    sheet(phone.page).get_by_role("button", name="Accept").click()
    expect(sheet(phone.page).get_by_role("alert")).to_contain_text("has been used or has expired. Ask for a new one.")


def test_a_protection_whose_answer_is_lost_says_what_to_do(page, window):
    window.expect_complaints("401|404")
    menu(page, "People and devices")
    sheet(page).get_by_role("button", name="Protect this server").click()
    with Lost(window, "POST", "**/v1/tokens"):
        sheet(page).get_by_role("button", name="Protect", exact=True).click()
        expect(sheet(page).get_by_role("alert")).to_contain_text("If the server then asks for a token, the person who runs it can create one.")
    expect(sheet(page).get_by_role("button", name="Protect", exact=True)).to_have_count(0)
    with page.expect_event("load"):
        sheet(page).locator("[data-action=close]").click()
    expect(sheet(page)).to_contain_text("Sign in to Rowhouse")


def heading_of(page):
    return sheet(page).locator("h2")
