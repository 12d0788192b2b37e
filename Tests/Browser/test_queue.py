"""Changes that are made without a connection: they are shown at once, wait, and are sent later."""

import base64

import pytest
from playwright.sync_api import expect

from conftest import LAST, back, bar, drag, enter, expect_kept, expect_stored, expect_titles, heading, row, save, sheet
from test_accessibility import check


@pytest.fixture
def offline(editing, window, kitchen):
    """The kitchen's screen in edit mode, which is kept, without a connection."""
    window.expect_complaints("ERR_|Failed to load")
    expect_stored(editing, kitchen[0])
    window.context.set_offline(True)
    expect(editing.locator(".notice")).to_contain_text("Offline")
    return editing


def mark(page):
    return page.locator(".queue-mark button")


def remove(page, title):
    row(page, title).locator("[data-control=remove]").click()
    sheet(page).locator("[data-answer=yes]").click()


def test_changes_wait_for_the_connection_and_one_is_taken_back(offline, window, server, kitchen):
    drag(offline, "Kettle", 2)()
    expect_titles(offline, ["Mixer", "Toaster", "Kettle", LAST])
    remove(offline, "Mixer")
    expect_titles(offline, ["Toaster", "Kettle", LAST])
    expect(mark(offline)).to_contain_text("2")
    check(offline, "the mark")
    mark(offline).click()
    expect(sheet(offline).locator(".entries li")).to_have_count(2)
    check(offline, "what waits")
    expect(sheet(offline)).to_contain_text("Kettle")
    sheet(offline).locator("li", has_text="Mixer").get_by_role("button").click()
    expect(sheet(offline).locator(".entries li")).to_have_count(1)
    sheet(offline).locator("[data-action=close]").click()
    expect_titles(offline, ["Mixer", "Toaster", "Kettle", LAST])
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster"]
    window.context.set_offline(False)
    expect(mark(offline)).to_be_hidden()
    expect_kept(offline, server, kitchen[0], ["Mixer", "Toaster", "Kettle"])
    expect_titles(offline, ["Mixer", "Toaster", "Kettle", LAST])


def test_a_change_that_waits_is_undone_by_keys_as_one_that_was_sent(offline, window, server, kitchen):
    drag(offline, "Kettle", 2)()
    expect_titles(offline, ["Mixer", "Toaster", "Kettle", LAST])
    heading(offline).focus()
    offline.keyboard.press("Control+z")
    expect_titles(offline, ["Kettle", "Mixer", "Toaster", LAST])
    expect(mark(offline)).to_be_hidden()
    drag(offline, "Kettle", 1)()
    expect_titles(offline, ["Mixer", "Kettle", "Toaster", LAST])
    window.context.set_offline(False)
    expect_kept(offline, server, kitchen[0], ["Mixer", "Kettle", "Toaster"])
    expect(mark(offline)).to_be_hidden()
    heading(offline).focus()
    offline.keyboard.press("Control+z")
    expect_kept(offline, server, kitchen[0], ["Kettle", "Mixer", "Toaster"])
    expect_titles(offline, ["Kettle", "Mixer", "Toaster", LAST])


def test_a_change_that_was_taken_back_leaves_the_older_ones_to_undo(offline):
    drag(offline, "Kettle", 2)()
    expect_titles(offline, ["Mixer", "Toaster", "Kettle", LAST])
    remove(offline, "Mixer")
    expect_titles(offline, ["Toaster", "Kettle", LAST])
    mark(offline).click()
    sheet(offline).locator("li", has_text="Mixer").get_by_role("button").click()
    sheet(offline).locator("[data-action=close]").click()
    expect_titles(offline, ["Mixer", "Toaster", "Kettle", LAST])
    heading(offline).focus()
    offline.keyboard.press("Control+z")
    expect(offline.locator(".toast")).to_contain_text("be undone")
    offline.keyboard.press("Control+z")
    expect_titles(offline, ["Kettle", "Mixer", "Toaster", LAST])


def test_a_row_typed_into_a_list_of_cars_is_a_car(window, server):
    garage, _ = server.make_list("Garage")
    server.ask("PATCH", f"/v1/lists/{garage}", {"itemKind": "car"})
    window.expect_complaints("ERR_|Failed to load")
    page = window.open()
    enter(page, "Garage")
    expect_stored(page, garage)
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    page.keyboard.press("n")
    page.keyboard.type("Saab")
    page.keyboard.press("Enter")
    expect(mark(page)).to_contain_text("1")
    window.context.set_offline(False)
    expect_kept(page, server, garage, ["Saab"])
    expect(mark(page)).to_be_hidden()


def test_an_item_that_was_never_opened_is_edited_without_a_connection(offline, window, server, kitchen):
    kettle = f"/v1/items/{kitchen[1][0]}"
    row(offline, "Kettle").locator("[data-control=main]").click()
    sheet(offline).get_by_label("Name").fill("Tea kettle")
    expect(sheet(offline)).to_contain_text("Notes and more fields can be changed when you’re online.")
    expect(sheet(offline).get_by_label("Notes")).to_have_count(0)
    server.ask("PATCH", kettle, {"notes": "Whistles", "fields": {"Colour": "Red"}})
    sheet(offline).locator("[data-action=save]").click()
    expect_titles(offline, ["Tea kettle", "Mixer", "Toaster", LAST])
    window.context.set_offline(False)
    expect_kept(offline, server, kitchen[0], ["Tea kettle", "Mixer", "Toaster"])
    item = server.ask("GET", kettle)
    assert (item["notes"], item["fields"]) == ("Whistles", {"Colour": "Red"})


def test_a_change_that_is_refused_says_why_until_it_is_dismissed(offline, window, server, kitchen):
    remove(offline, "Mixer")
    expect_titles(offline, ["Kettle", "Toaster", LAST])
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"permissions": {"delete": False}})
    window.context.set_offline(False)
    expect_titles(offline, ["Kettle", "Mixer", "Toaster", LAST])
    expect(mark(offline)).to_be_visible()
    mark(offline).click()
    refused = sheet(offline).locator("li", has_text="Mixer")
    check(offline, "what was refused")
    expect(refused.locator(".field-fault")).not_to_be_empty()
    refused.get_by_role("button").click()
    expect(sheet(offline).locator(".entries li")).to_have_count(0)
    sheet(offline).locator("[data-action=close]").click()
    expect(mark(offline)).to_be_hidden()
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster"]


def test_a_change_that_is_refused_survives_another_language(offline, window, server, kitchen):
    remove(offline, "Mixer")
    expect_titles(offline, ["Kettle", "Toaster", LAST])
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"permissions": {"delete": False}})
    window.context.set_offline(False)
    expect_titles(offline, ["Kettle", "Mixer", "Toaster", LAST])
    expect(mark(offline)).to_be_visible()
    offline.evaluate("localStorage.setItem('rowhouse.language', 'ar')")
    offline.reload()
    expect(offline.locator("html")).to_have_attribute("dir", "rtl")
    expect(mark(offline)).to_be_visible()


def test_waiting_changes_survive_a_reload(offline, window, server, kitchen):
    remove(offline, "Mixer")
    expect(mark(offline)).to_contain_text("1")
    # The page itself is there, but the server cannot be reached for changes.
    offline.route("**/v1/sync", lambda route: route.abort())
    window.context.set_offline(False)
    offline.reload()
    expect_titles(offline, ["Kettle", "Toaster", LAST])
    offline.unroute("**/v1/sync")
    expect_kept(offline, server, kitchen[0], ["Kettle", "Toaster"])


def test_an_edit_that_others_met_shows_both_values_and_loses_neither(page, window, server, kitchen):
    window.expect_complaints("ERR_|Failed to load")
    kettle = f"/v1/items/{kitchen[1][0]}"
    with page.expect_response(lambda answer: answer.url.endswith("/neighbours")):
        enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("1 of 3")
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    bar(page, "edit").click()
    sheet(page).get_by_label("Name").fill("Tea kettle")
    sheet(page).get_by_label("Notes").fill("Mine")
    sheet(page).locator("[data-action=save]").click()
    expect(heading(page)).to_have_text("Tea kettle")
    expect(page.locator(".notes")).to_contain_text("Mine")
    server.ask("PATCH", kettle, {"notes": "Theirs", "serialNumber": "K-7"})
    window.context.set_offline(False)
    expect(page.locator(".facts")).to_contain_text("K-7")
    mark(page).click()
    conflict = sheet(page).get_by_role("group", name="Notes")
    expect(conflict).to_contain_text("Theirs: Theirs")
    expect(conflict).to_contain_text("Yours: Mine")
    item = server.ask("GET", kettle)
    assert (item["name"], item["notes"]) == ("Tea kettle", "Mine")
    sheet(page).get_by_role("button", name="Use theirs").click()
    expect(sheet(page).locator(".entries li")).to_have_count(0)
    item = server.ask("GET", kettle)
    assert (item["name"], item["notes"]) == ("Tea kettle", "Theirs")


BIG = 12345678901234567890


@pytest.fixture
def overwriting(page, window, server, kitchen):
    """Overwrites custom fields of others, and the name if there is one, and opens what the sheet says about it."""
    kettle = f"/v1/items/{kitchen[1][0]}"
    put = lambda fields, **others: server.ask("PUT", kettle, {"name": "Kettle", "fields": fields, **others})
    put({"n": 1, "k": "old", "o": {"p": 1}, "gone": "x"})
    window.expect_complaints("ERR_|Failed to load|409")
    enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("1 of 3")
    expect_stored(page, kitchen[0])
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")

    def overwrite(theirs, name=None):
        bar(page, "edit").click()
        for field in ("n", "k", "o", "gone"):
            sheet(page).get_by_label(f"Text {field}", exact=True).fill("mine")
        if name:
            sheet(page).get_by_label("Name").fill(name)
        sheet(page).locator("[data-action=save]").click()
        expect(sheet(page)).to_have_count(0)
        put(theirs, serialNumber="K-7")
        window.context.set_offline(False)
        mark(page).click()
        expect(sheet(page).get_by_role("button", name="Use theirs")).to_be_visible()
        assert server.ask("GET", kettle)["fields"] == {name: "mine" for name in ("n", "k", "o", "gone")}
        return kettle

    return overwrite


def use_theirs(page):
    sheet(page).get_by_role("button", name="Use theirs").click()


def test_values_of_others_come_back_exactly(page, server, overwriting):
    theirs = {"n": BIG, "k": None, "o": {"p": None, "q": [BIG, {"r": 1}]}}
    kettle = overwriting(theirs)
    conflict = sheet(page).get_by_role("group", name="More fields")
    expect(conflict).to_contain_text(f"n: {BIG}, k: –")
    expect(conflict).to_contain_text(f'o: {{"p":null,"q":[{BIG},{{"r":1}}]}}')
    use_theirs(page)
    expect(sheet(page).locator(".entries li")).to_have_count(0)
    assert server.ask("GET", kettle)["fields"] == theirs
    sheet(page).locator("[data-action=close]").click()
    expect(page.locator(".facts")).to_contain_text(str(BIG))


def test_ones_own_other_changes_stay_when_values_of_others_come_back(page, server, overwriting):
    theirs = {"n": BIG, "k": None, "o": {"p": None, "q": 1}}
    kettle = overwriting(theirs, name="Tea kettle")
    use_theirs(page)
    expect(sheet(page).locator(".entries li")).to_have_count(0)
    item = server.ask("GET", kettle)
    assert (item["name"], item["serialNumber"], item["fields"]) == ("Tea kettle", "K-7", theirs)


def test_values_of_others_come_back_after_later_changes_if_they_can_be_set(page, server, overwriting):
    kettle = overwriting({"n": BIG, "k": [None], "o": "flat", "gone": 1.5})
    server.ask("PATCH", kettle, {"fields": {"later": "stays"}})
    use_theirs(page)
    expect(sheet(page).locator(".entries li")).to_have_count(0)
    assert server.ask("GET", kettle)["fields"] == {"n": BIG, "k": [None], "o": "flat", "gone": 1.5, "later": "stays"}


def test_values_of_others_that_cannot_come_back_stay_in_the_sheet(page, server, overwriting):
    kettle = overwriting({"n": BIG, "k": None, "o": {"p": None}})
    server.ask("PATCH", kettle, {"fields": {"later": "stays"}})
    use_theirs(page)
    expect(page.locator(".toast.is-trouble")).to_contain_text("Later changes prevent the undo")
    expect(sheet(page).get_by_role("button", name="Use theirs")).to_be_disabled()
    expect(sheet(page)).to_contain_text(str(BIG))
    assert server.ask("GET", kettle)["fields"]["n"] == "mine"


def test_an_edit_is_compared_with_what_its_form_began_with(page, window, server, kitchen):
    """Others have changed the field before the connection was lost, and the store has their value by then."""
    window.expect_complaints("ERR_|Failed to load")
    kettle = f"/v1/items/{kitchen[1][0]}"
    enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("1 of 3")
    expect_stored(page, kitchen[0])
    bar(page, "edit").click()
    sheet(page).get_by_label("Notes").fill("Mine")
    server.ask("PATCH", kettle, {"notes": "Theirs", "serialNumber": "K-7"})
    expect(page.locator(".facts")).to_contain_text("K-7")
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    sheet(page).locator("[data-action=save]").click()
    expect(sheet(page)).to_have_count(0)
    window.context.set_offline(False)
    mark(page).click()
    conflict = sheet(page).get_by_role("group", name="Notes")
    expect(conflict).to_contain_text("Theirs: Theirs")
    expect(conflict).to_contain_text("Yours: Mine")


def add_photo_offline(page, window, folder):
    """Adds a photo to the kettle without a connection. Returns the file."""
    window.expect_complaints("ERR_|Failed to load")
    path = folder / "kettle.gif"
    path.write_bytes(base64.b64decode("R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs="))
    enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("1 of 3")
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    page.locator("input[type=file]").set_input_files(str(path))
    return path


def test_a_photo_waits_for_the_connection(page, window, server, kitchen, tmp_path):
    add_photo_offline(page, window, tmp_path)
    expect(page.locator(".photo-strip .photo")).to_have_count(1)
    expect(mark(page)).to_contain_text("1")
    with page.expect_response(lambda answer: "/photos" in answer.url and answer.request.method == "POST"):
        window.context.set_offline(False)
    expect(mark(page)).to_be_hidden()
    assert len(server.ask("GET", f"/v1/items/{kitchen[1][0]}")["photos"]) == 1


@pytest.mark.usefixtures("chromium_only")
def test_a_photo_that_was_refused_is_shown_and_can_be_saved(page, window, server, kitchen, tmp_path):
    path = add_photo_offline(page, window, tmp_path)
    expect(mark(page)).to_contain_text("1")
    server.ask("DELETE", f"/v1/items/{kitchen[1][0]}")
    window.context.set_offline(False)
    mark(page).click()
    refused = sheet(page).locator("li", has_text="Kettle")
    expect(refused.locator(".field-fault")).to_contain_text("In the trash")
    expect(refused.get_by_role("presentation")).to_be_visible()
    assert refused.locator("img").evaluate("(image) => image.naturalWidth") == 1
    check(page, "a photo that was refused")
    with page.expect_download() as saved:
        refused.get_by_role("button", name="Save").click()
    assert saved.value.suggested_filename == "kettle.gif"
    assert saved.value.path().read_bytes() == path.read_bytes()
    refused.get_by_role("button", name="Restore and do it again").click()
    expect(sheet(page).locator(".entries li")).to_have_count(0)
    assert len(server.ask("GET", f"/v1/items/{kitchen[1][0]}")["photos"]) == 1


def edit_offline(page, window, kitchen, label, value):
    """Changes a field of the kettle without a connection."""
    expect_stored(page, kitchen[0])
    window.expect_complaints("ERR_|Failed to load")
    enter(page, "Kettle")
    expect(page.locator(".position")).to_have_text("1 of 3")
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    bar(page, "edit").click()
    sheet(page).get_by_label(label).fill(value)
    save(page)
    expect(page.locator("dialog")).to_have_count(0)


def test_tags_of_both_are_kept(page, window, server, kitchen):
    kettle = f"/v1/items/{kitchen[1][0]}"
    edit_offline(page, window, kitchen, "Tags", "mine")
    server.ask("PATCH", kettle, {"tags": ["theirs"]})
    window.context.set_offline(False)
    expect(page.locator(".facts .tag")).to_have_text(["theirs", "mine"])
    assert server.ask("GET", kettle)["tags"] == ["theirs", "mine"]


def test_an_edit_of_what_others_have_deleted_is_done_after_a_restore(page, window, server, kitchen):
    edit_offline(page, window, kitchen, "Name", "Electric kettle")
    server.ask("DELETE", f"/v1/items/{kitchen[1][0]}")
    window.context.set_offline(False)
    mark(page).click()
    refused = sheet(page).locator("li", has_text="In the trash")
    expect(refused).to_contain_text("Electric kettle")
    check(page, "an edit of what is in the trash")
    refused.get_by_role("button", name="Restore and do it again").click()
    expect(sheet(page).locator(".entries li")).to_have_count(0)
    expect(mark(page)).to_be_hidden()
    assert server.rows(kitchen[0]) == ["Electric kettle", "Mixer", "Toaster"]


def test_a_row_for_a_list_that_others_have_deleted_is_added_after_a_restore(offline, window, server, kitchen):
    bar(offline, "done").click()
    offline.locator(".new-round").click()
    offline.get_by_role("textbox", name="New item or list").fill("Whisk")
    offline.keyboard.press("Enter")
    expect(row(offline, "Whisk")).to_be_visible()
    offline.keyboard.press("Escape")
    # What was changed of the new row since is done again with it.
    offline.keyboard.press("e")
    sheet(offline).get_by_label("Quantity").fill("3")
    save(offline)
    expect(offline.locator("dialog")).to_have_count(0)
    server.ask("DELETE", f"/v1/lists/{kitchen[0]}?recursive=true")
    window.context.set_offline(False)
    mark(offline).click()
    again = sheet(offline).get_by_role("button", name="Restore and do it again")
    expect(again).to_be_visible()
    # Somebody else is faster.
    server.ask("POST", f"/v1/trash/{kitchen[0]}/restore")
    again.click()
    expect(mark(offline)).to_be_hidden()
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster", "Whisk"]
    whisk = server.ask("GET", "/v1/resolve?path=/Kitchen/Whisk")["id"]
    assert server.ask("GET", f"/v1/items/{whisk}")["quantity"] == 3


def test_lists_and_items_are_added_and_opened_without_a_connection(offline, window, server, kitchen):
    bar(offline, "done").click()
    offline.locator(".new-round").click()
    offline.get_by_role("radio", name="List").check()
    offline.get_by_role("textbox", name="New item or list").fill("Drawer")
    offline.keyboard.press("Enter")
    expect_titles(offline, ["Kettle", "Mixer", "Toaster", "Drawer"])
    offline.keyboard.press("Escape")
    enter(offline, "Drawer")
    # The sheet adds rows, too.
    bar(offline, "edit").click()
    bar(offline, "add").click()
    sheet(offline).get_by_label("Name").fill("Spoon")
    sheet(offline).locator("[data-action=save]").click()
    expect_titles(offline, ["Spoon", LAST])
    expect(offline.locator(".new-line")).to_have_count(0)
    expect(mark(offline)).to_contain_text("2")
    bar(offline, "done").click()
    enter(offline, "Spoon")
    back(offline, "Drawer")
    window.context.set_offline(False)
    expect_kept(offline, server, kitchen[0], ["Kettle", "Mixer", "Toaster", "Drawer"])
    drawer = server.ask("GET", f"/v1/lists?parentId={kitchen[0]}")["lists"][0]["id"]
    expect_kept(offline, server, drawer, ["Spoon"])
    expect(mark(offline)).to_be_hidden()
    enter(offline, "Spoon")
    expect(offline.locator(".position")).to_have_text("1 of 1")
    expect(offline.locator(".toast.is-trouble")).to_have_count(0)


def test_a_page_whose_store_cannot_be_written_works_as_without_one(windows, server, kitchen):
    window = windows()
    window.context.add_init_script("""
      window.fill = () => {
        IDBObjectStore.prototype.put = () => {
          setTimeout(() => (window.isFull = true));
          throw new DOMException('Full.', 'QuotaExceededError');
        };
      };
    """)
    page = window.open()
    enter(page, "Kitchen")
    bar(page, "edit").click()
    expect(bar(page, "done")).to_be_visible()
    page.evaluate("() => window.fill()")
    server.make_thing(kitchen[0], "Whisk")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", LAST])
    # The store notices it a moment later.
    page.wait_for_function("() => window.isFull")
    drag(page, "Kettle", 3)()
    expect_kept(page, server, kitchen[0], ["Mixer", "Toaster", "Whisk", "Kettle"])
    remove(page, "Mixer")
    expect_titles(page, ["Toaster", "Whisk", "Kettle", LAST])
    server.make_thing(kitchen[0], "Ladle")
    expect_titles(page, ["Toaster", "Whisk", "Kettle", "Ladle", LAST])
