"""The focus, for people who use the keyboard."""

from playwright.sync_api import expect

from conftest import LAST, bar, enter, expect_titles, heading, menu, row, sheet


def test_undo_by_keys_leaves_the_focus_on_the_page(page):
    bar(page, "edit").click()
    row(page, "Mixer").locator("[data-control=remove]").click()
    sheet(page).locator("[data-answer=yes]").click()
    page.locator(".toast button").focus()
    page.keyboard.press("Enter")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    expect(heading(page)).to_be_focused()


def test_lines_of_the_trash_and_the_log_are_gone_through_by_keys(page, server, kitchen):
    for thing in kitchen[1]:
        server.ask("DELETE", f"/v1/rows/{thing}")
    expect_titles(page, [LAST])
    menu(page, "Trash")
    back = sheet(page).get_by_role("button", name="Restore")
    expect(back).to_have_count(3)
    back.nth(1).focus()
    page.keyboard.press("Enter")
    expect(back).to_have_count(2)
    expect(back.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(back).to_have_count(1)
    expect(back).to_be_focused()
    page.keyboard.press("Enter")
    expect(sheet(page)).to_contain_text("The trash is empty.")
    expect(sheet(page).get_by_role("heading")).to_be_focused()


def test_a_tab_keeps_the_focus_when_others_change_things(page, server, kitchen):
    menu(page, "Open in a new tab")
    expect(page.locator(".tab-bar button").last).to_have_attribute("aria-current", "page")
    expect(heading(page)).to_be_focused()
    tab = page.locator(".tab-bar button").first
    tab.focus()
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"sentinel": {"text": "The end"}})
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "The end"])
    expect(tab).to_be_focused()


def test_the_focus_stays_when_others_change_an_item(page, server, kitchen):
    enter(page, "Kettle")
    for button in [bar(page, "edit"), page.get_by_role("button", name="Move to another list")]:
        button.focus()
        value = page.locator(".facts").text_content()
        server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"quantity": len(value)})
        expect(page.locator(".facts")).not_to_have_text(value)
        expect(button).to_be_focused()
