"""Writes that the server does, though its answer is lost: each is done once, and can be undone."""

import base64

import pytest
from playwright.sync_api import expect

from answers import Late, Lost
from conftest import LAST, bar, choose, drag, enter, expect_kept, expect_titles, heading, landed, row, save, sheet

pytestmark = pytest.mark.usefixtures("chromium_only")

PIXEL = base64.b64decode("R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=")


def lose_addition(page, window, **typed):
    """Adds a row whose answer is lost, and leaves its sheet open."""
    with Lost(window, "POST", "**/v1/lists**"):
        for label, text in typed.items():
            sheet(page).get_by_label(label, exact=True).fill(text)
        save(page)
        expect(sheet(page).get_by_role("alert")).to_contain_text("Your input stays here")


def told(page, text):
    expect(page.locator(".toast")).to_contain_text(text, timeout=15_000)


@pytest.fixture
def whisk(editing, window, server, kitchen):
    """A thing that was added, though the sheet does not know it. Somebody else has changed its notes since."""
    bar(editing, "add").click()
    lose_addition(editing, window, Name="Whisk", Notes="Steel")
    made = server.ask("GET", f"/v1/lists/{kitchen[0]}/rows?sentinel=false")["rows"][-1]["id"]
    server.ask("PATCH", f"/v1/items/{made}", {"notes": "Lent to Ann", "fields": {"Colour": "Red"}, "quantity": 4})
    return f"/v1/items/{made}"


def test_nothing_is_sent_when_nothing_was_typed_since(editing, window, server, kitchen, whisk):
    told(editing, "The change was made.")
    window.requests.clear()
    save(editing)
    expect(editing.locator("dialog")).to_have_count(0)
    assert [method for method, address in window.requests if "/v1/items" in address and method != "GET"] == []
    item = server.ask("GET", whisk)
    assert (item["name"], item["notes"], item["fields"], item["quantity"]) == ("Whisk", "Lent to Ann", {"Colour": "Red"}, 4)


def test_what_was_typed_since_is_saved_and_nothing_else(editing, server, whisk):
    sheet(editing).get_by_label("Serial number").fill("W-1")
    sheet(editing).get_by_role("button", name="Add field").click()
    sheet(editing).get_by_label("Field", exact=True).last.fill("Room")
    sheet(editing).get_by_label("Text", exact=True).last.fill("A")
    save(editing)
    # Others have changed it, so the person looks again.
    expect(sheet(editing).get_by_role("alert")).to_contain_text("Someone else has changed this")
    save(editing)
    expect(editing.locator("dialog")).to_have_count(0)
    item = server.ask("GET", whisk)
    assert (item["notes"], item["serialNumber"], item["quantity"], item["fields"]) == (
        "Lent to Ann", "W-1", 4, {"Colour": "Red", "Room": "A"})


def test_what_both_changed_is_a_conflict(editing, server, whisk):
    sheet(editing).get_by_label("Notes").fill("Copper")
    save(editing)
    notes = sheet(editing).get_by_role("group", name="Notes", exact=True)
    expect(notes).to_contain_text("Lent to Ann")
    assert server.ask("GET", whisk)["notes"] == "Lent to Ann"
    notes.get_by_label("Yours").check()
    save(editing)
    expect(editing.locator("dialog")).to_have_count(0)
    item = server.ask("GET", whisk)
    assert (item["notes"], item["quantity"], item["fields"]) == ("Copper", 4, {"Colour": "Red"})


def test_a_list_keeps_the_title_that_somebody_else_gave_it(editing, window, server, kitchen):
    bar(editing, "add").click()
    choose(editing, "List")
    lose_addition(editing, window, Title="Shelf")
    made = server.ask("GET", f"/v1/lists/{kitchen[0]}/rows?sentinel=false")["rows"][-1]["id"]
    server.ask("PATCH", f"/v1/lists/{made}", {"title": "Top shelf"})
    save(editing)
    expect(editing.locator("dialog")).to_have_count(0)
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster", "Top shelf"]


def test_an_addition_is_the_change_that_is_undone(editing, window, server, kitchen):
    drag(editing, "Toaster", -2)()
    landed(editing)
    bar(editing, "add").click()
    lose_addition(editing, window, Name="Whisk")
    save(editing)
    expect(editing.locator("dialog")).to_have_count(0)
    expect_titles(editing, ["Toaster", "Kettle", "Mixer", "Whisk", LAST])
    heading(editing).focus()
    editing.keyboard.press("Control+z")
    expect_titles(editing, ["Toaster", "Kettle", "Mixer", LAST])


def test_an_edit_is_saved_once_and_undone(page, window, server, kitchen):
    kettle = f"/v1/items/{kitchen[1][0]}"
    enter(page, "Kettle")
    bar(page, "edit").click()
    sheet(page).get_by_label("Notes").fill("Mine")
    with Lost(window, "PATCH", "**/v1/items/*"):
        save(page)
        expect(sheet(page).get_by_role("alert")).to_contain_text("Your input stays here")
    server.ask("PATCH", kettle, {"notes": "Theirs"})
    sheet(page).get_by_label("Serial number").fill("K-1")
    save(page)
    expect(sheet(page).get_by_role("group", name="Notes", exact=True)).to_have_count(0)
    expect(sheet(page).get_by_label("Notes")).to_have_value("Theirs")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    item = server.ask("GET", kettle)
    assert (item["notes"], item["serialNumber"]) == ("Theirs", "K-1")


def test_a_deletion_is_done_once_and_is_the_change_that_is_undone(editing, window, server, kitchen):
    drag(editing, "Kettle", 2)()
    landed(editing)
    with Lost(window, "POST", "**/v1/sync"):
        row(editing, "Mixer").locator("[data-control=remove]").click()
        sheet(editing).locator("[data-answer=yes]").click()
        expect_titles(editing, ["Toaster", "Kettle", LAST])
        expect_kept(editing, server, kitchen[0], ["Toaster", "Kettle"])
    told(editing, "is in the trash")
    # Until the answer comes, it is unknown what to undo.
    expect(editing.locator(".queue-mark")).to_be_hidden()
    heading(editing).focus()
    editing.keyboard.press("Control+z")
    expect_titles(editing, ["Mixer", "Toaster", "Kettle", LAST])


def test_a_key_pressed_while_it_is_unsure_only_finds_out(editing, window, server, kitchen):
    drag(editing, "Kettle", 2)()
    landed(editing)
    with Lost(window, "POST", "**/v1/rows/*/move"):
        shelf, _ = server.make_list("Shelf", parent=kitchen[0])
        row(editing, "Mixer").locator("[data-control=relocate]").click()
        sheet(editing).get_by_role("button", name="Shelf").click()
        sheet(editing).get_by_role("button", name="Move to Shelf").click()
        told(editing, "may or may not")
        sheet(editing).locator("[data-action=cancel]").click()
        heading(editing).focus()
        editing.keyboard.press("Control+z")
        # The answer to that is lost too.
        editing.wait_for_timeout(1200)
        assert server.rows(kitchen[0]) == ["Toaster", "Kettle", "Shelf"]
    told(editing, "The change was made.")
    editing.locator(".toast button").click()
    expect_kept(editing, server, kitchen[0], ["Mixer", "Toaster", "Kettle", "Shelf"])
    assert server.rows(shelf) == []


def test_an_undo_is_done_once(page, window, server, kitchen):
    kettle = f"/v1/items/{kitchen[1][0]}"
    enter(page, "Kettle")
    for text in ("1", "2"):
        bar(page, "edit").click()
        sheet(page).get_by_label("Notes").fill(text)
        save(page)
        expect(page.locator("dialog")).to_have_count(0)
    with Lost(window, "POST", "**/undo"):
        page.keyboard.press("Control+z")
        told(page, "may or may not")
        assert server.ask("GET", kettle)["notes"] == "1"
        page.keyboard.press("Control+z")
        page.wait_for_timeout(1200)
    told(page, "Undone.")
    assert server.ask("GET", kettle)["notes"] == "1"
    page.locator(".toast button").click()
    told(page, "Redone.")
    assert server.ask("GET", kettle)["notes"] == "2"


def test_a_photo_that_is_added_again_is_there_once(page, window, server, kitchen, tmp_path):
    kettle = f"/v1/items/{kitchen[1][0]}"
    path = tmp_path / "kettle.gif"
    path.write_bytes(PIXEL)
    enter(page, "Kettle")
    with Lost(window, "POST", "**/photos?*"):
        for _ in range(2):
            page.locator("input[type=file]").set_input_files(str(path))
            told(page, "may or may not")
            page.locator(".toast").evaluate("toast => toast.remove()")
    told(page, "The change was made.")
    expect(page.locator(".photo-strip .photo")).to_have_count(1)
    assert len(server.ask("GET", kettle)["photos"]) == 1
    heading(page).focus()
    page.keyboard.press("Control+z")
    expect(page.locator(".photo-strip .photo")).to_have_count(0)


@pytest.mark.parametrize("is_new", [False, True])
def test_nothing_can_be_typed_while_it_is_saved(editing, server, kitchen, is_new):
    if is_new:
        bar(editing, "add").click()
    else:
        row(editing, "Kettle").locator("[data-control=main]").click()
    name = sheet(editing).get_by_label("Name")
    name.fill("Whisk")
    late = Late(editing, "**/v1/lists/*/items" if is_new else f"**/v1/items/{kitchen[1][0]}", is_write=True)
    name.press("Enter")
    late.wait()
    editing.keyboard.type(" and more")
    expect(name).to_have_value("Whisk")
    late.come()
    expect(editing.locator("dialog")).to_have_count(0)
    assert "Whisk" in server.rows(kitchen[0])


def test_one_can_type_on_where_saving_failed(editing, window, kitchen):
    window.expect_complaints("422")
    row(editing, "Kettle").locator("[data-control=main]").click()
    value = sheet(editing).get_by_label("Value in dollars")
    value.fill("much")
    value.press("Enter")
    expect(sheet(editing).get_by_role("alert")).to_be_visible()
    expect(value).to_be_focused()
    value.fill("3")
    save(editing)
    expect(editing.locator("dialog")).to_have_count(0)
