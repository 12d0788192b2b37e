"""Signing out: nothing that was read stays in the browser, whoever has read it and however they were signed in."""

import pytest
from playwright.sync_api import expect

from conftest import LAST, back, enter, expect_stored, expect_titles, heading, menu, sheet, sign_out, wait_until
from test_renditions import has_all, noise, until

# All that the pages of the server have stored in the browser, but the texts of the interface.
STORED = """async () => {
  const answer = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  const stored = [{ ...localStorage, 'rowhouse.texts': null }, { ...sessionStorage }, await caches.keys()];
  for (const { name } of await indexedDB.databases()) {
    const database = await answer(indexedDB.open(name));
    stored.push(name, await answer(database.transaction('records').objectStore('records').getAll()));
    database.close();
  }
  return JSON.stringify(stored);
}"""

STORES = "async () => (await indexedDB.databases()).map(({ name }) => name)"

# How the page's requests use the browser's cache.
CACHING = """
  const own = fetch;
  globalThis.caching = [];
  globalThis.fetch = (address, options = {}) => {
    if (String(address).includes('/v1/')) caching.push(options.cache);
    return own(address, options);
  };
"""


def sign_in(page, token, is_lasting=True, titles=("Kitchen", LAST)):
    sheet(page).get_by_label("Token").fill(token)
    sheet(page).get_by_label("Keep it on this device").set_checked(is_lasting)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, list(titles))


def expect_asked(page):
    expect(sheet(page)).to_contain_text("Sign in to Rowhouse", timeout=30_000)


def expect_nothing(page):
    """Waits until nothing is stored any more."""
    wait_until(page, f"async () => !(await ({STORES})()).length")
    stored = page.evaluate(STORED)
    assert not any(word in stored for word in ("Kitchen", "Kettle", "rowhouse-photos", "rowhouse.stores"))


def let_wait(page):
    """Stores a change that waits for a connection, in the only store."""
    page.evaluate("""async () => {
      const [{ name }] = await indexedDB.databases();
      await new Promise((done) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => {
          const transaction = request.result.transaction('records', 'readwrite');
          transaction.objectStore('records').put({ state: 'waiting' }, 'waiting/000000000000001-0198c0de');
          transaction.oncomplete = () => done(request.result.close());
        };
      });
    }""")


def protect(page):
    menu(page, "People and devices")
    sheet(page).get_by_role("button", name="Protect this server").click()
    sheet(page).get_by_role("button", name="Protect", exact=True).click()
    expect(sheet(page).get_by_label("Token")).to_be_visible()
    sheet(page).locator("[data-action=close]").click()
    with page.expect_event("load"):
        sheet(page).locator("[data-answer=yes]").click()


@pytest.fixture
def owner(server):
    server.token = server.make_token("owner")
    return server.token


@pytest.fixture
def shared(server, owner):
    return server.make_list("Kitchen", ["Kettle"])[0]


def make_token(server, **members):
    return server.ask("POST", "/v1/tokens", {"name": "Tablet", "role": "editor", **members})


def test_signing_out_erases_what_was_kept_while_the_server_was_open(windows, server, kitchen):
    window = windows()
    # The place belonged to nobody.
    window.expect_complaints("401|404")
    page = window.open()
    expect_stored(page, kitchen[0])
    protect(page)
    expect_titles(page, ["Kitchen", LAST])
    expect_stored(page, kitchen[0])
    assert len(page.evaluate(STORES)) == 1
    sign_out(page)
    expect_asked(page)
    expect_nothing(page)


def test_the_browsers_cache_gets_nothing_of_an_open_server(windows, server, kitchen, tmp_path):
    window = windows()
    window.expect_complaints("401|404")
    page = window.page
    page.add_init_script(CACHING)
    window.open()
    enter(page, "Kitchen")
    enter(page, "Kettle")
    (tmp_path / "large.png").write_bytes(noise(1))
    page.get_by_label("Add photo").set_input_files(str(tmp_path / "large.png"))
    expect(page.locator(".photo img")).to_have_count(1)
    photo = server.ask("GET", f"/v1/items/{kitchen[1][0]}")["photos"][0]
    until(page, lambda: has_all(server, kitchen[1][0], photo))
    page.reload()
    expect(page.locator(".photo img")).to_have_js_property("naturalHeight", 208)
    expect_stored(page, kitchen[0])
    assert set(page.evaluate("caching")) == {"no-store"}
    # What takes its place is erased.
    wait_until(page, "async () => (await (await caches.open('rowhouse-photos')).keys()).length > 0")
    back(page, "Kitchen")
    protect(page)
    expect(heading(page)).to_have_text("Kitchen", timeout=30_000)
    sign_out(page)
    expect_asked(page)
    expect_nothing(page)


def test_a_server_that_was_protected_elsewhere_leaves_nothing_to_read(windows, server, kitchen):
    window = windows()
    window.expect_complaints("401|404")
    page = window.open()
    expect_stored(page, kitchen[0])
    server.make_token("owner")
    expect_asked(page)
    expect_nothing(page)


@pytest.mark.usefixtures("chromium_only")
def test_a_revoked_token_leaves_nothing_to_read(windows, server, shared):
    made = make_token(server)
    window = windows()
    window.expect_complaints("401|404")
    window.keep_token(made["token"])
    page = window.open()
    expect_stored(page, shared)
    page.evaluate("caches.open('rowhouse-photos')")
    server.ask("DELETE", f"/v1/tokens/{made['id']}")
    expect_asked(page)
    expect_nothing(page)


@pytest.mark.usefixtures("chromium_only")
def test_changes_that_wait_outlive_a_revoked_token_until_somebody_signs_out(windows, server, owner, shared):
    made = make_token(server)
    window = windows()
    window.expect_complaints("401|404")
    page = window.page
    page.goto(window.address)
    sign_in(page, made["token"])
    expect_stored(page, shared)
    let_wait(page)
    server.ask("DELETE", f"/v1/tokens/{made['id']}")
    expect(sheet(page).get_by_role("alert")).to_have_text("This device was signed out, or the token is unknown.")
    assert len(page.evaluate(STORES)) == 1
    sign_in(page, owner)
    page.wait_for_function("async () => (await indexedDB.databases()).length === 2")
    menu(page, "Sign out")
    expect(sheet(page)).to_contain_text("Some changes are not saved yet. They are lost when you sign out.")
    sheet(page).locator("[data-answer=yes]").click()
    expect_asked(page)
    expect_nothing(page)


@pytest.mark.usefixtures("chromium_only")
def test_signing_out_erases_what_another_window_has_kept_with_its_own_token(windows, server, shared):
    window = windows()
    window.expect_complaints("401|404")
    one, other = window.page, window.context.new_page()
    for page in (one, other):
        page.goto(window.address)
        sign_in(page, make_token(server)["token"], is_lasting=False)
        expect_stored(page, shared)
    wait_until(other, f"async () => (await ({STORES})()).length === 2")
    one.bring_to_front()
    sign_out(one)
    for page in (one, other):
        expect_asked(page)
        expect_nothing(page)


@pytest.mark.usefixtures("chromium_only")
def test_signing_out_erases_all_in_a_browser_that_does_not_list_its_databases(windows, server, shared):
    window = windows()
    window.expect_complaints("401|404")
    window.context.add_init_script("IDBFactory.prototype.listed = IDBFactory.prototype.databases; delete IDBFactory.prototype.databases")
    one, other = window.page, window.context.new_page()
    for page in (one, other):
        page.goto(window.address)
        sign_in(page, make_token(server)["token"], is_lasting=False)
    wait_until(one, "async () => (await indexedDB.listed()).length === 2")
    one.bring_to_front()
    sign_out(one)
    expect_asked(one)
    wait_until(one, "async () => (await indexedDB.listed()).length === 0")


@pytest.mark.usefixtures("chromium_only")
def test_who_has_the_token_of_a_list_in_the_trash_can_sign_out(windows, server, shared):
    window = windows()
    window.expect_complaints("401|404|410|There is no such list")
    page = window.page
    page.goto(window.address)
    sign_in(page, make_token(server, listId=shared)["token"], titles=["Kettle", LAST])
    expect_stored(page, shared)
    deletion = server.ask("DELETE", f"/v1/lists/{shared}?recursive=true")
    expect(heading(page)).to_have_text("Not found", timeout=30_000)
    expect(page.locator(".problem-screen")).to_contain_text("There is no such list.")
    expect(page.locator(".notice")).to_be_hidden()
    # The list comes back without a word from the person.
    server.ask("POST", deletion["undo"])
    expect(heading(page)).to_have_text("Kitchen", timeout=30_000)
    expect_titles(page, ["Kettle", LAST])
    server.ask("DELETE", f"/v1/lists/{shared}?recursive=true")
    expect(heading(page)).to_have_text("Not found", timeout=30_000)
    page.get_by_role("button", name="Sign out").click()
    sheet(page).locator("[data-answer=no]").click()
    page.get_by_role("button", name="Sign out").click()
    sheet(page).locator("[data-answer=yes]").click()
    expect_asked(page)
    expect_nothing(page)
