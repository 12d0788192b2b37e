"""A window stays with the inventory that it shows, whatever the other windows of its browser do."""

import pytest
from playwright.sync_api import expect

from conftest import LAST, back, bar, enter, expect_place_kept, expect_titles, heading, menu, row, save, sheet, sign_out
from test_photos import png
from test_tokens import sign_in


@pytest.fixture
def garage(server):
    """Another inventory, which has had more changes than the first."""
    garage = server.ask("POST", "/v1/inventories", {"title": "Garage"})["id"]
    shelf = server.ask("POST", "/v1/lists", {"title": "Shelf"}, inventory=garage)["id"]
    drill = server.ask("POST", f"/v1/lists/{shelf}/items", {"name": "Drill"}, inventory=garage)["id"]
    for number in range(12):
        server.ask("PATCH", f"/v1/items/{drill}", {"notes": f"Note {number}"}, inventory=garage)
    return garage


def second(window):
    """A second window of the browser, which goes to the garage."""
    expect_place_kept(window.page)
    other = window.context.new_page()
    other.goto(window.address)
    expect(heading(other)).to_have_text("Kitchen")
    menu(other, "Inventories")
    sheet(other).get_by_role("button", name="Garage").click()
    expect_titles(other, ["Shelf", LAST])
    return other


def everything(server, inventory):
    """All that an inventory has, and the number of its last change."""
    rows = server.ask("GET", "/v1/lists?subtree=true&limit=100", inventory=inventory)
    changes = server.ask("GET", "/v1/changes?limit=1", inventory=inventory)
    return rows, changes


@pytest.mark.usefixtures("chromium_only")
def test_all_requests_of_a_window_go_to_the_inventory_that_it_shows(
        page, window, server, kitchen, garage, tmp_path):
    home = server.ask("GET", "/v1/me")["inventoryId"]
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Name").fill("Tea kettle")
    save(page)
    expect(heading(page)).to_have_text("Tea kettle")
    back(page, "Kitchen")
    second(window)
    page.bring_to_front()
    before = everything(server, garage)
    asked = []
    page.on("request", lambda sent: asked.append((sent.url, sent.headers.get("rowhouse-inventory")))
            if "/v1/" in sent.url else None)
    # Undo, a photo, the screens, an export and an import.
    page.keyboard.press("Control+z")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    enter(page, "Kettle")
    page.get_by_label("Add photo").set_input_files(png(tmp_path / "one.png", (200, 60, 60)))
    expect(page.locator(".photo img")).to_have_count(1)
    back(page, "Kitchen")
    menu(page, "Export and import")
    with page.expect_download() as saved:
        sheet(page).get_by_role("button", name="Export everything").click()
    exported = saved.value.path().read_text()
    assert "Kitchen" in exported and "Shelf" not in exported
    file = tmp_path / "new.ndjson"
    file.write_text(
        '{"format":"rowhouse","version":1}\n'
        '{"type":"list","id":"0198c0de-0000-7000-8000-000000000006","title":"Attic"}\n'
        '{"end":true,"lists":1,"items":0,"photos":0}\n')
    sheet(page).locator("input[type=file]").set_input_files(file)
    sheet(page).locator("[data-answer=yes]").click()
    expect(page.locator(".toast")).to_contain_text("is imported")
    assert server.rows() == ["Kitchen", "Attic"]
    assert everything(server, garage) == before
    # Events, too.
    server.make_thing(kitchen[0], "Whisk")
    expect(row(page, "Whisk")).to_be_visible()
    assert {inventory for _, inventory in asked} == {home}


@pytest.mark.usefixtures("garage")
def test_a_window_that_is_loaded_anew_shows_the_same_inventory(page, window):
    other = second(window)
    page.reload()
    expect(heading(page)).to_have_text("Kitchen")
    other.reload()
    expect_titles(other, ["Shelf", LAST])
    # A new one begins with the one that was chosen last.
    new = window.context.new_page()
    new.goto(window.address)
    expect_titles(new, ["Shelf", LAST])
    expect(heading(page)).to_have_text("Kitchen")


STORES = "async () => (await indexedDB.databases()).map(({ name }) => name)"


def signed_in(windows, server, garage):
    """A page that has shown two inventories, with a token. The second is on the screen."""
    server.token = server.make_token("admin")
    window = windows()
    window.expect_complaints(r"401|net::ERR_|Failed to fetch")
    page = window.page
    page.goto(window.address)
    sign_in(page, server)
    page.wait_for_function("async () => (await indexedDB.databases()).length === 1")
    menu(page, "Inventories")
    sheet(page).get_by_role("button", name="Garage").click()
    expect_titles(page, ["Shelf", LAST])
    page.wait_for_function("async () => (await indexedDB.databases()).length === 2")
    return page


def test_signing_out_erases_what_was_kept_of_all_inventories(windows, server, kitchen, garage):
    page = signed_in(windows, server, garage)
    sign_out(page)
    expect(sheet(page)).to_contain_text("Sign in to Rowhouse")
    assert page.evaluate(STORES) == []


def test_signing_out_does_not_wait_for_a_window_that_holds_a_store(windows, server, kitchen, garage):
    page = signed_in(windows, server, garage)
    other = page.context.new_page()
    other.goto(f"{server.address}/problems")
    # A page that does not close its database, such as a suspended one.
    other.evaluate("""async () => {
      const [{ name }] = await indexedDB.databases();
      await new Promise((done) => (indexedDB.open(name).onsuccess = ({ target }) => done(window.held = target.result)));
    }""")
    sign_out(page)
    expect(sheet(page)).to_contain_text("Sign in to Rowhouse")


def test_signing_out_asks_about_changes_of_another_inventory_that_wait(windows, server, kitchen, garage):
    page = signed_in(windows, server, garage)
    other = next(name for name in page.evaluate(STORES) if garage not in name)
    page.evaluate("""(name) => new Promise((done) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => {
        const transaction = request.result.transaction('records', 'readwrite');
        transaction.objectStore('records').put({ state: 'waiting' }, 'waiting/000000000000001-0198c0de');
        transaction.oncomplete = () => done(request.result.close());
      };
    })""", other)
    menu(page, "Sign out")
    expect(sheet(page)).to_contain_text("Some changes are not saved yet. They are lost when you sign out. To sign in again, you need")
    sheet(page).locator("[data-answer=no]").click()
    expect_titles(page, ["Shelf", LAST])
    assert len(page.evaluate(STORES)) == 2
