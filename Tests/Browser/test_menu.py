"""The menu of the three dots, except the entries that other files test."""

import json
import re

import pytest
from playwright.sync_api import expect

from conftest import LAST, back, bar, enter, expect_titles, heading, menu, save, sheet
from rowhouse import Rowhouse


def test_one_chooses_among_inventories(page, server):
    menu(page, "Inventories")
    sheet(page).get_by_role("button", name="New inventory").click()
    sheet(page).get_by_label("Title").fill("Summer house")
    save(page)
    expect(heading(page)).to_have_text("Summer house")
    expect_titles(page, [LAST])
    page.get_by_role("button", name="Add an item or list").click()
    page.keyboard.type("Porch")
    page.keyboard.press("Shift+Enter")
    expect_titles(page, ["Porch"])
    page.keyboard.press("Enter")
    expect_titles(page, ["Porch", LAST])
    expect(page.get_by_role("button", name="Add an item or list")).to_be_hidden()
    enter(page, "Porch")
    # Each is come back to where it was left.
    menu(page, "Inventories")
    sheet(page).get_by_role("button", name="Inventory", exact=True).click()
    expect(heading(page)).to_have_text("Kitchen")
    assert server.rows() == ["Kitchen"]
    menu(page, "Inventories")
    sheet(page).get_by_role("button", name="Summer house").click()
    expect(heading(page)).to_have_text("Porch")


def test_the_menu_has_what_belongs_together_in_groups(windows, server, kitchen):
    server.token = server.make_token("admin")
    window = windows()
    window.keep_token(server.token)
    page = window.open()
    enter(page, "Kitchen")

    def entries():
        page.locator(".screen:not([inert]) [data-action=menu]").click()
        expect(sheet(page).get_by_role("button", name="Sign out")).to_have_class("is-grave")
        found = sheet(page).locator(".sheet-body").evaluate(
            "body => [...body.children].map((part) => part.matches('ul') ? [...part.children].map((line) => line.textContent) : part.textContent)")
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        return found

    groups = [
        "List", ["Details", "Share this list", "Print", "Print this list’s label", "Print labels", "Export and import"],
        "Everything", ["Tags", "Changes", "Trash", "People and devices", "Inventories"],
        "This device", ["Open in a new tab", "Tabs", "Places on other devices", "Settings", "Keyboard shortcuts", "About"],
        ["Sign out"]]
    assert entries() == groups
    page.keyboard.press("n")
    page.keyboard.type("Pan")
    page.keyboard.press("Enter")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Pan"])
    page.keyboard.press("Escape")
    # What undoes a mistake comes first.
    assert entries() == [["Undo"], *groups]


def test_the_trash_and_the_log_bring_things_back(page, server, kitchen):
    server.ask("DELETE", f"/v1/rows/{kitchen[1][0]}")
    expect_titles(page, ["Mixer", "Toaster", LAST])
    menu(page, "Trash")
    sheet(page).get_by_role("button", name="Restore").click()
    expect(sheet(page)).to_contain_text("The trash is empty.")
    sheet(page).locator("[data-action=close]").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    menu(page, "Changes")
    expect(sheet(page).locator(".entries li").first).to_contain_text("Restored")
    sheet(page).get_by_role("button", name="Undo").first.click()
    # The lines stay where they are.
    first = sheet(page).locator(".entries li").first
    expect(first).to_contain_text("Restored")
    expect(first).to_contain_text("Undone.")
    expect(first.get_by_role("button")).to_have_count(0)
    sheet(page).locator("[data-action=close]").click()
    expect_titles(page, ["Mixer", "Toaster", LAST])


@pytest.mark.usefixtures("chromium_only")
def test_the_log_says_what_each_change_was_about(page, server, kitchen):
    server.ask("POST", f"/v1/lists/{kitchen[0]}/move-rows", {"ids": [*reversed(kitchen[1])], "position": "first"})
    server.ask("POST", f"/v1/lists/{kitchen[0]}/move-row", {"from": 0, "to": 1})
    # A drag in the web app.
    server.ask("POST", f"/v1/lists/{kitchen[0]}/move-rows", {"ids": [kitchen[1][0]], "position": "first"})
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"name": "Tea kettle"})
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"title": "Galley"})
    menu(page, "Changes")
    lines = sheet(page).locator(".entries .row-texts")
    # Rows are named in the order of their ids, which is random within a millisecond.
    for index, (title, about) in enumerate([
            ("List edited", "Galley"), ("Item edited", "Tea kettle"), ("Moved", "Tea kettle"), ("Moved", "Toaster"),
            ("Several moved", re.compile("^(Mixer · Toaster|Toaster · Mixer)$"))]):
        expect(lines.nth(index).locator(".row-title")).to_have_text(title)
        expect(lines.nth(index).locator(".row-subjects")).to_have_text(about)


def test_settings_are_not_lost_without_asking(page):
    menu(page, "Settings")
    sheet(page).get_by_label("Name of this device").fill("Tablet")
    question = page.get_by_role("heading", name="Discard your changes?")
    leave = [lambda: page.keyboard.press("Escape"), lambda: sheet(page).locator("[data-action=cancel]").click(),
             lambda: sheet(page).get_by_role("button", name="العربية").click()]
    for way in leave:
        way()
        expect(question).to_be_visible()
        sheet(page).locator("[data-answer=no]").click()
        expect(question).to_have_count(0)
    expect(sheet(page).get_by_label("Name of this device")).to_have_value("Tablet")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    menu(page, "Settings")
    scheme = "() => document.documentElement.style.colorScheme"
    sheet(page).get_by_role("radio", name="Dark").check()
    assert page.evaluate(scheme) == "dark"
    sheet(page).get_by_label("Toolbar").fill("#123456")
    page.keyboard.press("Escape")
    expect(question).to_be_visible()
    sheet(page).locator("[data-answer=yes]").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate(scheme) == ""


@pytest.mark.usefixtures("chromium_only")
def test_everything_is_taken_along_and_brought_back(page, server, kitchen, tmp_path):
    menu(page, "Export and import")
    with page.expect_download() as download:
        sheet(page).get_by_role("button", name="Export everything").click()
    lines = [json.loads(line) for line in open(download.value.path(), encoding="utf-8")]
    assert sum(line.get("name") == "Kettle" for line in lines) == 1
    with page.expect_download() as table:
        sheet(page).get_by_role("button", name="Export this list as a table").click()
    text = open(table.value.path(), encoding="utf-8-sig").read()
    path = tmp_path / "rows.csv"
    path.write_text(text.replace("Kettle", "Tea kettle"), encoding="utf-8")
    sheet(page).get_by_label("Import a file").set_input_files(str(path))
    expect(sheet(page)).to_contain_text("Changed: 1")
    sheet(page).locator("[data-answer=yes]").click()
    expect_titles(page, ["Tea kettle", "Mixer", "Toaster", LAST])
    expect(page.locator("dialog")).to_have_count(0)


def test_a_table_of_a_spreadsheet_is_understood(page, server, kitchen, tmp_path):
    path = tmp_path / "things.csv"
    path.write_text("Item,Price,Qty,Colour\nWhisk,4.50,2,Red\n", encoding="utf-8")
    menu(page, "Export and import")
    sheet(page).get_by_label("Import a file").set_input_files(str(path))
    # The column is kept as a field unless something else is chosen.
    expect(sheet(page)).to_contain_text("Match columns")
    expect(sheet(page).get_by_label("Colour")).to_have_value("")
    sheet(page).get_by_role("button", name="Continue").click()
    expect(sheet(page)).to_contain_text("New: 1 · Changed: 0. Other columns become fields: Colour")
    sheet(page).locator("[data-answer=yes]").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", LAST])
    enter(page, "Whisk")
    for fact in ("$4.50", "Red"):
        expect(page.locator(".facts")).to_contain_text(fact)


def test_columns_with_other_names_are_matched_by_hand(page, window, server, kitchen, tmp_path):
    window.expect_complaints("422")
    path = tmp_path / "dinge.csv"
    path.write_text("Bezeichnung;Anzahl;Preis;Raum;Alt\nSchere;2;3,50;Lade;ja\nLocher;1;8;Lade;nein\n", encoding="utf-8")
    menu(page, "Export and import")
    chosen = sheet(page).get_by_label("Import a file")
    chosen.set_input_files(str(path))
    # Without a name in any column, the first is offered as the name.
    expect(sheet(page).get_by_label("Bezeichnung")).to_have_value("name")
    sheet(page).get_by_label("Anzahl").select_option("Quantity")
    sheet(page).get_by_label("Preis").select_option("Value in dollars")
    sheet(page).get_by_label("Raum").select_option("The list it is in")
    sheet(page).get_by_role("button", name="Cancel").click()
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster"]
    chosen.set_input_files(str(path))
    sheet(page).get_by_label("Anzahl").select_option("Quantity")
    sheet(page).get_by_label("Preis").select_option("Value in dollars")
    sheet(page).get_by_label("Raum").select_option("The list it is in")
    sheet(page).get_by_label("Alt").select_option("Leave out")
    sheet(page).get_by_role("button", name="Continue").click()
    expect(sheet(page)).to_contain_text("New: 3 · Changed: 0")
    expect(sheet(page)).not_to_contain_text("become fields")
    sheet(page).locator("[data-answer=yes]").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Lade", LAST])
    enter(page, "Lade")
    enter(page, "Schere")
    expect(page.locator(".facts")).to_contain_text("$3.50")


def test_what_is_no_export_and_no_table_is_not_sent(page, server, tmp_path):
    path = tmp_path / "holiday.jpg"
    path.write_bytes(b"an image")
    menu(page, "Export and import")
    sheet(page).get_by_label("Import a file").set_input_files(str(path))
    expect(sheet(page).locator(".entries")).to_contain_text("Choose a file that ends in .ndjson, .jsonl or .csv.")


def test_a_table_with_mistakes_says_which_lines(page, window, server, kitchen, tmp_path):
    window.expect_complaints("422")
    path = tmp_path / "rows.csv"
    path.write_text("name,valueInDollars\nWhisk,much\n", encoding="utf-8")
    menu(page, "Export and import")
    sheet(page).get_by_label("Import a file").set_input_files(str(path))
    expect(sheet(page).locator(".entries")).to_contain_text("Line 2 · valueInDollars")
    detail = sheet(page).locator(".entries .row-detail")
    expect(detail).to_be_visible()
    assert detail.evaluate("node => node.scrollWidth <= node.clientWidth && getComputedStyle(node).whiteSpace == 'normal'")
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster"]


def test_the_bars_colours_are_the_inventorys(windows, server, kitchen):
    server.ask("PUT", "/v1/appearance", {"navigationBar": "#123456", "title": "#FFFFFF", "button": "#FFD166",
                                         "toolbar": "#123456", "tabBar": "#123456"})
    page = windows().open()
    expect(page.locator(".navigation-bar")).to_have_css("background-color", "rgb(18, 52, 86)")
    expect(heading(page)).to_have_css("color", "rgb(255, 255, 255)")
    expect(bar(page, "edit")).to_have_css("color", "rgb(255, 209, 102)")


def test_titles_stay_legible_in_colours_that_are_hard_to_read(windows, server, kitchen):
    """A garage's: white titles on bars like the sky, and brown buttons."""
    sky = {"navigationBar": "#66CCFF", "toolbar": "#66CCFF", "tabBar": "#66CCFF"}
    set = server.ask("PUT", "/v1/appearance", {**sky, "button": "#804000", "title": "#FFFFFF"})
    assert [warning["pointer"] for warning in set["warnings"]] == ["/title"]
    page = windows().open()
    expect(page.locator(".navigation-bar")).to_have_css("background-color", "rgb(102, 204, 255)")
    expect(heading(page)).to_have_css("color", "rgb(20, 23, 26)")
    menu(page, "Settings")
    sheet(page).get_by_label("Buttons").fill("#66ccff")
    save(page)
    expect(page.locator(".toast")).to_contain_text("hard to read")
    expect(bar(page, "edit")).to_have_css("color", "rgb(20, 23, 26)")


def test_an_accent_waits_to_be_saved(page, server):
    before = server.ask("GET", "/v1/appearance")
    menu(page, "Settings")
    sheet(page).get_by_role("radio", name="Teal").check()
    expect(sheet(page).get_by_label("Title", exact=True)).not_to_have_value(before["title"].lower())
    sheet(page).locator("[data-action=cancel]").click()
    sheet(page).locator("[data-answer=yes]").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert server.ask("GET", "/v1/appearance") == before


def test_colours_that_somebody_else_has_set_meanwhile_stay(page, server):
    menu(page, "Settings")
    calm = server.ask("GET", "/v1/appearance")
    server.ask("PUT", "/v1/appearance", {**calm, "toolbar": "#EEEEEE"})
    sheet(page).get_by_label("Title", exact=True).fill("#002200")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    now = server.ask("GET", "/v1/appearance")
    assert (now["toolbar"], now["title"]) == ("#EEEEEE", "#002200")


def test_about_tells_what_the_server_is(page):
    menu(page, "About")
    expect(heading(page)).to_have_text("About Rowhouse")
    expect(page.locator(".facts")).to_contain_text("MIT")
    # Back leads to where the person was.
    back(page, "Kitchen")
    page.goto(page.url.split("/l/")[0] + "/about")
    expect(heading(page)).to_have_text("About Rowhouse")


def test_about_has_company_copyright_and_legal_text(windows, tmp_path):
    about = tmp_path / "about.json"
    about.write_text(json.dumps({
        "company": "Smith & Daughters", "copyright": "© 2026 Smith", "legal": "Smith & Daughters\nHigh Street 1"}))
    server = Rowhouse("--about", str(about))
    try:
        window = windows(server.address)
        # The server ends before the window.
        window.expect_complaints("ERR_CONNECTION_REFUSED")
        page = window.open()
        menu(page, "About")
        facts = page.locator(".facts")
        for text in ("Smith & Daughters", "© 2026 Smith", "High Street 1"):
            expect(facts).to_contain_text(text)
    finally:
        server.close()
