"""Undo and redo of what was changed in this window: each takes back what it says, and nothing else."""

import json

import pytest
from playwright.sync_api import expect

from conftest import LAST, LINES, bar, drag, enter, expect_titles, landed, menu, save, sheet


@pytest.fixture
def notes(page, server, kitchen):
    """Edits the kettle's notes; what it answers waits until the server has some."""
    kettle = f"/v1/items/{kitchen[1][0]}"
    enter(page, "Kettle")

    def wait(text):
        shown = page.locator(".notes p")
        expect(shown).to_have_text(text) if text else expect(shown).to_have_count(0)
        assert server.ask("GET", kettle)["notes"] == text

    for text in ("1", "2", "3"):
        bar(page, "edit").click()
        sheet(page).get_by_label("Notes").fill(text)
        save(page)
        expect(page.locator("dialog")).to_have_count(0)
    wait("3")
    return wait


def undo(page):
    page.keyboard.press("Control+z")


def redo(page):
    return page.locator(".toast button", has_text="Redo")


def test_redo_goes_forward_step_by_step(page, notes):
    for text in ("2", "1", None):
        undo(page)
        notes(text)
    toast = page.locator(".toast")
    for text in ("1", "2", "3"):
        redo(page).click()
        notes(text)
        expect(toast).to_contain_text("Redone.")
    # Nothing is left to be redone.
    expect(toast.locator("button")).to_have_text("Undo")
    undo(page)
    notes("2")
    expect(toast).to_contain_text("Undone.")
    expect(toast.locator("button")).to_have_text("Redo")
    # The button is beside the short sentence, not below it.
    assert toast.evaluate(LINES) == 1


def test_redo_has_keys_and_a_line_in_the_menu(page, notes):
    for text in ("2", "1", None):
        undo(page)
        notes(text)
    page.keyboard.press("Control+Shift+z")
    notes("1")
    page.keyboard.press("Control+y")
    notes("2")
    bar(page, "back").click()
    menu(page, "Redo")
    expect(page.locator(".toast")).to_contain_text("Redone.")
    enter(page, "Kettle")
    notes("3")


def test_keys_pressed_quickly_take_each_change_back_once(page, notes):
    for _ in range(3):
        page.keyboard.press("Control+z")
    notes(None)
    for _ in range(2):
        page.keyboard.press("Control+y")
    notes("2")


def test_a_new_change_leaves_nothing_to_redo(page, notes):
    undo(page)
    notes("2")
    bar(page, "edit").click()
    sheet(page).get_by_label("Notes").fill("other")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    notes("other")
    page.keyboard.press("Control+y")
    undo(page)
    notes("2")


def test_keys_in_a_sheet_undo_nothing_that_is_saved(page, server, kitchen, notes):
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"tags": ["red", "blue"]})
    bar(page, "edit").click()
    with_focus = sheet(page).get_by_role("button", name="Remove tag blue")
    sheet(page).get_by_role("button", name="Remove tag red").click()
    expect(with_focus).to_be_focused()
    undo(page)
    page.keyboard.press("Control+y")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".toast")).to_have_count(0)
    notes("3")


def upload(page, path):
    menu(page, "Export and import")
    sheet(page).get_by_label("Import a file").set_input_files(str(path))
    sheet(page).locator("[data-answer=yes]").click()
    expect(page.locator("dialog")).to_have_count(0)


def test_an_import_is_undone_as_any_other_change(editing, server, kitchen, tmp_path):
    page = editing
    drag(page, "Toaster", -2)()
    landed(page)
    path = tmp_path / "rows.csv"
    path.write_text("name,serialNumber\nChair,C-9\n", encoding="utf-8")
    upload(page, path)
    expect_titles(page, ["Toaster", "Kettle", "Mixer", "Chair", LAST])
    expect(page.locator(".toast")).to_contain_text("rows.csv")
    expect(page.locator(".toast button")).to_have_text("Undo")
    undo(page)
    expect_titles(page, ["Toaster", "Kettle", "Mixer", LAST])
    undo(page)
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])


@pytest.mark.usefixtures("chromium_only")
def test_what_can_not_be_undone_is_said_before_an_older_change_is(editing, server, kitchen, tmp_path):
    page = editing
    drag(page, "Toaster", -2)()
    landed(page)
    with page.expect_response("**/v1/export") as answer:
        menu(page, "Export and import")
        with page.expect_download() as download:
            sheet(page).get_by_role("button", name="Export everything").click()
    assert answer.value.ok
    # What is in a thing is not taken out of it by an undo.
    lines = [json.loads(line) for line in open(download.value.path(), encoding="utf-8")]
    lines.insert(-1, {"type": "list", "id": "01a205fe-e4a7-7048-9b6a-000000000001", "itemId": kitchen[1][0],
                      "title": "Kettle"})
    lines[-1]["lists"] += 1
    sheet(page).locator("[data-action=close]").click()
    path = tmp_path / "inventory.ndjson"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    upload(page, path)
    expect(page.locator(".toast")).to_contain_text("inventory.ndjson")
    expect(page.locator(".toast button")).to_have_count(0)
    undo(page)
    expect(page.locator(".toast")).to_contain_text("can’t be undone")
    expect_titles(page, ["Toaster", "Kettle", "Mixer", LAST])
    assert server.rows(kitchen[0]) == ["Toaster", "Kettle", "Mixer"]
    # Having been told, one may go on.
    undo(page)
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
