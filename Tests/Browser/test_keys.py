"""The keyboard shortcuts: each does what a button does, and none is taken from a field."""

from playwright.sync_api import expect

from conftest import DESKTOP, LAST, bar, enter, expect_titles, heading, row, sheet


def test_rows_are_gone_through_and_edited_by_keys(page, server, kitchen):
    page.keyboard.press("j")
    expect(row(page, "Kettle").get_by_role("link")).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(row(page, "Mixer").get_by_role("link")).to_be_focused()
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("Mixer")
    page.keyboard.press("e")
    sheet(page).get_by_label("Quantity").fill("2")
    # Letters belong to the field.
    sheet(page).get_by_label("Name").press("End")
    page.keyboard.type("nejk/?")
    sheet(page).get_by_label("Name").press("Enter")
    expect(heading(page)).to_have_text("Mixernejk/?")
    page.keyboard.press("Control+z")
    expect(heading(page)).to_have_text("Mixer")
    page.keyboard.press("Control+Shift+Z")
    expect(heading(page)).to_have_text("Mixernejk/?")
    page.keyboard.press("k")
    expect(heading(page)).to_have_text("Kettle")
    page.keyboard.press("j")
    expect(heading(page)).to_have_text("Mixernejk/?")
    page.keyboard.press("Escape")
    expect(heading(page)).to_have_text("Kitchen")
    page.keyboard.press("e")
    expect(bar(page, "done")).to_be_visible()
    page.keyboard.press("e")
    expect(bar(page, "edit")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.type("Whisk")
    page.keyboard.press("Enter")
    expect(row(page, "Whisk")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("/")
    page.keyboard.type("whisk")
    expect(page.locator(".hits .row-title")).to_have_text(["Whisk"])
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("whisk")


def test_escape_leads_back_only_when_nothing_else_is_left(page):
    page.keyboard.press("?")
    expect(sheet(page)).to_contain_text("Keyboard shortcuts")
    expect(sheet(page).locator("kbd")).to_have_count(12)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(heading(page)).to_have_text("Kitchen")
    page.keyboard.press("Escape")
    expect(heading(page)).to_have_text("Inventory")
    page.keyboard.press("Escape")
    expect(heading(page)).to_have_text("Inventory")


def test_the_keys_of_an_arabic_keyboard_do_the_same(windows, server):
    server.make_list("Kitchen", ["Kettle"])
    page = windows(locale="ar", viewport=DESKTOP).open()
    page.evaluate("""() => dispatchEvent(new KeyboardEvent('keydown', { key: 'ظ', code: 'Slash', shiftKey: true }))""")
    expect(sheet(page).get_by_role("heading")).to_have_text("اختصارات لوحة المفاتيح")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.evaluate("""() => dispatchEvent(new KeyboardEvent('keydown', { key: 'ة', code: 'KeyN' }))""")
    expect(page.locator(".new-row input[type=text]")).to_be_focused()


def test_a_reader_is_not_led_to_what_it_may_not_do(windows, server):
    server.token = server.make_token("owner")
    server.make_list("Kitchen", ["Kettle"])
    window = windows()
    window.context.add_init_script(f"localStorage.setItem('rowhouse.token', '{server.make_token('reader')}')")
    page = window.open()
    enter(page, "Kitchen")
    page.keyboard.press("j")
    for key in ("n", "e"):
        page.keyboard.press(key)
    expect(page.locator(".new-round, [data-action=new]")).to_have_count(2)
    expect(page.locator(".new-round:visible, [data-action=new]:visible, .new-row:visible")).to_have_count(0)
    expect(page.locator("dialog")).to_have_count(0)
    expect_titles(page, ["Kettle", LAST])
