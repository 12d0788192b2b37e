"""The keyboard shortcuts: each does what a button does, and none is taken from a field."""

import re

from playwright.sync_api import expect

from conftest import DESKTOP, LAST, bar, enter, expect_kept, expect_titles, heading, menu, move_to, row, save, sheet


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
    # The row where one was has the focus. Without one, the list is edited.
    page.keyboard.press("e")
    expect(sheet(page).get_by_label("Name")).to_have_value("Mixernejk/?")
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("e")
    expect(bar(page, "done")).to_be_visible()
    page.keyboard.press("e")
    expect(bar(page, "edit")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.type("Whisk")
    page.keyboard.press("Enter")
    expect(row(page, "Whisk")).to_be_visible()
    page.keyboard.type("Whiskers")
    page.keyboard.press("Enter")
    expect(row(page, "Whiskers")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("/")
    page.keyboard.type("whisk")
    expect(page.locator(".hits .row-title")).to_have_text(["Whisk", "Whiskers"])
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("whisk")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".hits a").nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator(".hits a").nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator(".hits a").nth(0)).to_be_focused()


def test_the_focus_stays_at_the_row_that_was_edited_or_added(page, server, kitchen):
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("e")
    sheet(page).get_by_label("Quantity").fill("4")
    sheet(page).get_by_label("Quantity").press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    expect(row(page, "Mixer")).to_contain_text("4 ×")
    expect(row(page, "Mixer").get_by_role("link")).to_be_focused()
    page.keyboard.press("n")
    page.keyboard.type("Whisk")
    page.keyboard.press("Enter")
    expect(row(page, "Whisk")).to_be_visible()
    page.keyboard.press("Escape")
    expect(row(page, "Whisk").get_by_role("link")).to_be_focused()
    page.keyboard.press("k")
    expect(row(page, "Toaster").get_by_role("link")).to_be_focused()


def test_results_of_a_search_are_changed_by_keys_and_by_their_menu(page, server, kitchen):
    study, (mug,) = server.make_list("Study", ["Mixing bowl"])
    page.keyboard.press("/")
    page.keyboard.type("mix")
    hits = page.locator(".hits a")
    expect(hits).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("e")
    expect(sheet(page).get_by_label("Name")).to_have_value("Mixer")
    page.keyboard.press("Escape")
    expect(hits).to_be_focused()
    page.keyboard.press("m")
    sheet(page).get_by_role("searchbox", name="Find a list").fill("study")
    page.keyboard.press("Enter")
    expect(sheet(page).get_by_role("button", name="Move to Study")).to_be_enabled()
    page.keyboard.press("Escape")
    page.locator(".hits").get_by_role("button", name="Search everywhere").click()
    expect(hits).to_have_count(2)
    hits.filter(has_text="Mixing bowl").click(button="right")
    sheet(page).get_by_role("button", name="Move to another list").click()
    expect(sheet(page).get_by_role("button", name="Study (here now)")).to_be_visible()
    page.keyboard.press("Escape")
    hits.filter(has_text="Mixing bowl").click(button="right")
    sheet(page).get_by_role("button", name="Remove").click()
    expect(page.locator(".toast")).to_contain_text("“Mixing bowl” is in the trash.")
    expect(hits).to_have_count(1)
    assert server.rows(study) == []


def test_beside_an_item_a_row_is_added_by_a_key(windows, server, kitchen):
    page = windows(viewport=DESKTOP).open()
    enter(page, "Kitchen")
    enter(page, "Kettle")
    heading(page).focus()
    page.keyboard.press("n")
    page.keyboard.type("Whisk")
    page.keyboard.press("Enter")
    expect(page.locator(".beside .rows .row-title", has_text="Whisk")).to_be_visible()
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster", "Whisk"]


def test_escape_leads_back_only_when_nothing_else_is_left(page):
    page.keyboard.press("?")
    expect(sheet(page)).to_contain_text("Keyboard shortcuts")
    expect(sheet(page).locator("kbd")).to_have_count(27)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(heading(page)).to_have_text("Kitchen")
    page.keyboard.press("Escape")
    expect(heading(page)).to_have_text("Inventory")
    page.keyboard.press("Escape")
    expect(heading(page)).to_have_text("Inventory")


def test_keys_do_not_wait_for_the_texts_of_what_is_loaded_in_the_background(windows, server):
    server.make_list("Kitchen", ["Kettle"])
    page = windows(viewport=DESKTOP).page
    held = []
    page.route("**/v1/texts", lambda route: held.append(route))
    with page.expect_request("**/v1/texts"):
        page.goto(server.address)
    try:
        expect(row(page, "Kitchen")).to_be_visible()
        page.keyboard.press("/")
        expect(page.locator(".list-screen .search-field input")).to_be_focused()
    finally:
        for route in held:
            route.continue_()


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
    window.keep_token(server.make_token("reader"))
    page = window.open()
    enter(page, "Kitchen")
    page.keyboard.press("j")
    for key in ("n", "e", "m", "Delete", "Alt+ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator(".new-round, [data-action=new]")).to_have_count(1)
    expect(page.locator(".new-round:visible, [data-action=new]:visible, .new-row:visible")).to_have_count(0)
    expect(page.locator("dialog")).to_have_count(0)
    expect_titles(page, ["Kettle", LAST])


def test_the_focused_row_is_moved_up_and_down(page, server, kitchen):
    page.keyboard.press("j")
    for _ in range(2):
        page.keyboard.press("Alt+ArrowDown")
    expect(page.locator(".spoken")).to_have_text("Kettle: 3 of 3")
    expect_titles(page, ["Mixer", "Toaster", "Kettle", LAST])
    # At the end it stays.
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowUp")
    expect_titles(page, ["Mixer", "Kettle", "Toaster", LAST])
    expect_kept(page, server, kitchen[0], ["Mixer", "Kettle", "Toaster"])
    expect(row(page, "Kettle").get_by_role("link")).to_be_focused()
    page.keyboard.press("Control+z")
    expect_titles(page, ["Mixer", "Toaster", "Kettle", LAST])


def test_the_focused_row_is_removed_and_brought_back(page, server, kitchen):
    page.keyboard.press("Delete")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    page.keyboard.press("j")
    page.keyboard.press("Delete")
    expect_titles(page, ["Mixer", "Toaster", LAST])
    expect(row(page, "Mixer").get_by_role("link")).to_be_focused()
    page.keyboard.press("Backspace")
    expect_titles(page, ["Toaster", LAST])
    expect_kept(page, server, kitchen[0], ["Toaster"])
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])


def test_a_list_that_holds_rows_is_removed_after_a_question(start, server, kitchen):
    start.keyboard.press("j")
    start.keyboard.press("Delete")
    expect(sheet(start)).to_contain_text("Everything in it goes to the trash too")
    start.keyboard.press("Escape")
    expect_titles(start, ["Kitchen", LAST])


def test_the_focused_row_is_looked_at_and_moved_to_another_list(page, server, kitchen):
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"notes": "Whistles", "tags": ["tea"]})
    server.make_list("Study")
    page.keyboard.press("j")
    page.keyboard.press("Space")
    expect(sheet(page)).to_contain_text("Whistles")
    expect(sheet(page)).to_contain_text("tea")
    page.keyboard.press("Space")
    expect(page.locator("dialog")).to_have_count(0)
    expect(row(page, "Kettle").get_by_role("link")).to_be_focused()
    page.keyboard.press("m")
    sheet(page).get_by_role("button", name="Inventory").click()
    sheet(page).get_by_role("button", name="Study").click()
    sheet(page).get_by_role("button", name="Move to Study").click()
    expect_titles(page, ["Mixer", "Toaster", LAST])
    enter(page, "Mixer")
    page.keyboard.press("m")
    expect(move_to(page)).to_be_visible()


def palette(page):
    page.keyboard.press("Control+k")
    return page.get_by_role("combobox", name="Go to")


def chosen(page):
    """The option that Enter chooses, as a screen reader hears of it."""
    return page.locator(f"#{page.get_by_role('combobox', name='Go to').get_attribute('aria-activedescendant')} .row-title")


def test_what_is_typed_before_the_palette_is_there_is_typed_into_it(page):
    page.evaluate("""() => {
      const press = (key, ctrlKey) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
      press('k', true);
      for (const key of 'toe') press(key, false);
    }""")
    expect(page.get_by_role("combobox", name="Go to")).to_have_value("toe")
    expect(chosen(page)).to_have_text("Toaster")
    page.keyboard.press("Escape")
    expect(palette(page)).to_have_value("")


def test_the_search_field_is_left_by_keys(page):
    page.keyboard.press("/")
    field = page.get_by_role("searchbox", name="Search")
    page.keyboard.type("ket")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Go to")).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).not_to_be_focused()
    expect(heading(page)).to_have_text("Kitchen")


def test_the_palette_finds_lists_items_and_commands(page, server):
    study, _ = server.make_list("Study", ["Globe of the moon"])
    field = palette(page)
    expect(field).to_be_focused()
    # What the page knows is found by some of its letters.
    page.keyboard.type("tstr")
    expect(chosen(page)).to_have_text("Toaster")
    field.fill("k")
    options = page.get_by_role("option")
    expect(options.first).to_contain_text("Kettle")
    # The list on the screen is not offered.
    page.keyboard.press("ArrowDown")
    expect(chosen(page)).to_have_text("Keyboard shortcuts")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("Kettle")
    # What the page has not seen is found by the server.
    palette(page)
    page.keyboard.type("globe")
    expect(options.filter(has_text="Globe of the moon")).to_contain_text("Study ‹ Inventory")
    expect(chosen(page)).to_have_text("Globe of the moon")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("Globe of the moon")
    palette(page)
    page.keyboard.type("settings")
    page.keyboard.press("Enter")
    expect(sheet(page).get_by_role("heading").first).to_have_text("Settings")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    palette(page)
    page.keyboard.type("qqqq")
    expect(sheet(page).get_by_role("status")).to_have_text("No results")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(heading(page)).to_have_text("Globe of the moon")


def test_keys_of_one_letter_can_be_turned_off(page):
    menu(page, "Settings")
    sheet(page).get_by_role("switch", name="Single-key shortcuts").uncheck()
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    for key in ("n", "e", "j", "m", "/", "?"):
        page.keyboard.press(key)
    expect(page.locator("dialog, .new-row:visible")).to_have_count(0)
    expect(bar(page, "edit")).to_be_visible()
    expect(page.get_by_role("searchbox")).not_to_be_focused()
    menu(page, "Keyboard shortcuts")
    expect(sheet(page)).to_contain_text("Single-key shortcuts are off.")
    page.keyboard.press("Escape")
    palette(page)
    expect(page.get_by_role("option").first).to_be_visible()


def test_the_browser_does_nothing_at_keys_that_the_page_handles(page):
    page.evaluate("() => addEventListener('keydown', (event) => { window.isHandled = event.defaultPrevented; })")
    page.keyboard.press("Control+a")
    expect(page.locator(".select-count")).to_have_text("3 selected")
    assert page.evaluate("() => window.isHandled && getSelection().isCollapsed")
    page.keyboard.press("Escape")
    page.evaluate("() => { window.print = () => {}; }")
    page.keyboard.press("Control+p")
    assert page.evaluate("() => window.isHandled")


def test_the_theme_is_a_command(page):
    palette(page)
    page.keyboard.type("dark")
    expect(chosen(page)).to_have_text(re.compile("^Theme: Dark"))
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("style", re.compile("color-scheme: dark"))
