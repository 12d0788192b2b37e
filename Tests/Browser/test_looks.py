"""The looks of lists and rows: tiles, glyphs, colours, sums and the currency."""

import re
import time

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, back, bar, enter, heading, menu, row, save, settle, sheet


def tile(page, title):
    return row(page, title).locator(".tile")


def edit_list(page, title):
    row(page, title).click(button="right")
    sheet(page).get_by_role("button", name="Edit", exact=True).click()


def test_a_list_gets_a_glyph_and_a_colour_in_its_form(start, server, kitchen):
    expect(tile(start, "Kitchen").locator("svg")).to_have_count(1)
    edit_list(start, "Kitchen")
    # One stop of the Tab key, and arrow keys within.
    sheet(start).get_by_role("radio", name="🍳").check()
    expect(sheet(start).get_by_label("Symbol", exact=True)).to_have_value("🍳")
    start.keyboard.press("ArrowRight")
    expect(sheet(start).get_by_label("Symbol", exact=True)).to_have_value("🛁")
    sheet(start).get_by_role("radiogroup", name="Colour", exact=True).get_by_role("radio", name="Teal").check()
    save(start)
    expect(tile(start, "Kitchen")).to_have_text("🛁")
    expect(tile(start, "Kitchen")).to_have_attribute("data-colour", "teal")
    stored = server.ask("GET", f"/v1/lists/{kitchen[0]}")
    assert (stored["glyph"], stored["colour"]) == ("🛁", "teal")
    row(start, "Kitchen").locator("[data-control=main]").click()
    expect(heading(start)).to_have_text("🛁Kitchen")
    # Any other character, and none.
    back(start, "Inventory")
    edit_list(start, "Kitchen")
    expect(sheet(start).get_by_role("radio", name="Teal")).to_be_checked()
    sheet(start).get_by_label("Symbol", exact=True).fill("家")
    sheet(start).get_by_role("radio", name="No colour").check()
    save(start)
    expect(tile(start, "Kitchen")).to_have_text("家")
    expect(tile(start, "Kitchen")).to_have_attribute("data-colour", "")
    edit_list(start, "Kitchen")
    sheet(start).get_by_label("Symbol", exact=True).fill("")
    save(start)
    expect(tile(start, "Kitchen").locator("svg")).to_have_count(1)


def test_more_than_one_character_is_refused_where_it_is_typed(start):
    edit_list(start, "Kitchen")
    sheet(start).get_by_label("Symbol", exact=True).fill("ab")
    sheet(start).get_by_role("button", name="Save").click()
    expect(sheet(start).locator(".field-fault:visible")).to_have_text("Enter one character, such as an emoji.")
    expect(sheet(start).get_by_label("Symbol", exact=True)).to_be_focused()
    sheet(start).get_by_label("Symbol", exact=True).fill("👨‍👩‍👧‍👦")
    save(start)
    expect(tile(start, "Kitchen")).to_have_text("👨‍👩‍👧‍👦")


def test_what_others_change_shows_in_rows_and_titles(windows, server, kitchen):
    window = windows(viewport={"width": 1280, "height": 800})
    page = window.open()
    enter(page, "Kitchen")
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"glyph": "🔧", "colour": "red"})
    expect(heading(page).locator(".tile")).to_have_text("🔧")
    expect(page.locator(f'.tree-row[data-list="{kitchen[0]}"] .tile')).to_have_text("🔧")
    back(page, "Inventory")
    expect(tile(page, "Kitchen")).to_have_attribute("data-colour", "red")
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"glyph": None})
    expect(tile(page, "Kitchen").locator("svg")).to_have_count(1)


def test_all_rows_of_items_begin_at_one_place(page, server, kitchen):
    expect(page.locator(".row .tile.is-item")).to_have_count(3)
    starts = page.evaluate("[...document.querySelectorAll('.row-texts')].map((each) => each.getBoundingClientRect().left)")
    assert len(set(starts)) == 1


def test_sums_include_what_is_below(start, server, kitchen):
    sum_of = lambda title: row(start, title).locator(".row-detail")
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"valueInDollars": 1000})
    box = server.ask("POST", "/v1/lists", {"parentId": kitchen[0], "title": "Box"})
    server.ask("POST", f"/v1/lists/{box['id']}/items", {"name": "Spoon", "valueInDollars": 1.5, "quantity": 2})
    expect(sum_of("Kitchen")).to_have_text("4 items · $1,003")
    enter(start, "Kitchen")
    expect(start.locator(".list-sum")).to_have_text("4 items · $1,003")
    expect(sum_of("Box")).to_have_text("1 item · $3")
    # A change below, which does not change this list, is counted too.
    server.ask("POST", f"/v1/lists/{box['id']}/items", {"name": "Fork"})
    expect(start.locator(".list-sum")).to_have_text("5 items · $1,003")
    expect(sum_of("Box")).to_have_text("2 items · $3")
    back(start, "Inventory")
    expect(sum_of("Kitchen")).to_have_text("5 items · $1,003")


@pytest.mark.parametrize("locale", ["en-GB", "ar"])
@pytest.mark.parametrize("width", [390, 800, 1280])
def test_what_belongs_together_is_in_line(windows, server, kitchen, width, locale):
    for thing, fields in zip(kitchen[1], [{"valueInDollars": 1250}, {"valueInDollars": 2.5, "quantity": 12}, {"quantity": 3}]):
        server.ask("PATCH", f"/v1/items/{thing}", fields)
    window = windows(viewport={"width": width, "height": 900}, locale=locale)
    window.address += f"/l/{kitchen[0]}"
    page = window.open()
    expect(page.locator(".list-sum")).to_contain_text("$1,280")

    def edges(selector):
        """Where boxes, or the texts in them, begin and end in the direction of reading, and their middles."""
        return page.locator(selector).evaluate_all("""(nodes) => nodes.map((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          const isText = node.matches('.list-sum, dt, dd');
          const { left, right, top, bottom } = (isText ? range : node).getBoundingClientRect();
          return (document.dir === 'rtl' ? [-right, -left, (top + bottom) / 2] : [left, right, (top + bottom) / 2]).map(Math.round);
        })""")

    def begins(*selectors):
        return {box[0] for selector in selectors for box in edges(selector)}

    assert len(begins(".large-title", ".list-sum", ".list-tools", ".rows")) == 1
    assert len({end for _, end, _ in edges(".row-value")}) == 1
    assert len(begins(".row-main > .tile")) == 1
    for part in (".row-title", ".row-value"):
        # On one line, although their letters have two sizes.
        assert all(abs(part_box[2] - row_box[2]) <= 1 for part_box, row_box in zip(edges(part), edges(".row:not(.is-tail)")))
    row(page, "Mixer").locator("a").click()
    page.locator(".facts dd").first.wait_for()
    settle(page)
    assert len(begins(".item-screen .large-title", ".item-screen .facts")) == 1
    assert len({end for _, end, _ in edges(".facts dd")}) == 1
    for (_, _, middle), (_, _, value), (_, _, line) in zip(edges(".facts dt"), edges(".facts dd"), edges(".facts > div")):
        assert abs(middle - line) <= 1 and abs(value - line) <= 1
    if width == 1280:
        assert abs(edges(".list-screen .large-title")[0][2] - edges(".item-screen .large-title")[0][2]) <= 1


@pytest.fixture
def crate(server, kitchen):
    """A box in the kitchen with a list in it, six things in all with the kitchen's own, and two cups of $2."""
    box = server.make_list("Box", ["Spoon"], kitchen[0])[0]
    tray = server.make_list("Tray", [], box)[0]
    server.make_thing(tray, "Cup", valueInDollars=2, quantity=2)
    bag = server.make_thing(kitchen[0], "Bag")
    server.make_thing(server.ask("POST", f"/v1/items/{bag}/contents")["id"], "Purse", valueInDollars=30)
    return box, tray


def test_a_list_holds_the_same_everywhere(windows, server, kitchen, crate):
    """Items with everything below, without the lists themselves, in the same words."""
    page = windows(viewport=DESKTOP).open()
    whole = "7 items · $34"
    expect(row(page, "Kitchen").locator(".row-detail")).to_have_text(whole)
    expect(page.locator(".list-sum")).to_have_text(whole)
    count = page.locator(f'.tree-row[data-list="{kitchen[0]}"] .tree-count')
    expect(count).to_have_text("7")
    expect(count).to_have_attribute("title", whole)
    # What is selected has the same value as the whole.
    row(page, "Kitchen").locator("a").focus()
    page.keyboard.press("Space")
    expect(sheet(page).locator(".facts")).to_contain_text("Items7")
    expect(sheet(page).locator(".facts")).to_contain_text("Total value$34")
    page.keyboard.press("Escape")
    enter(page, "Kitchen")
    expect(page.locator(".list-sum")).to_have_text(whole)
    page.locator("[data-action=select]").click()
    page.keyboard.press("Control+a")
    expect(page.locator(".select-count")).to_have_text("5 selected · $34")
    page.locator("[data-action=removeSelected]").click()
    expect(sheet(page)).to_contain_text("Everything in it goes to the trash too: 3 items · $34.")
    page.keyboard.press("Escape")
    page.locator("[data-action=endSelecting]").click()
    back(page, "Inventory")
    bar(page, "edit").click()
    row(page, "Kitchen").locator("[data-control=remove]").click()
    expect(sheet(page)).to_contain_text(f"Everything in it goes to the trash too: {whole}.")
    sheet(page).locator("[data-answer=no]").click()
    bar(page, "done").click()
    enter(page, "Kitchen")
    page.evaluate("() => { window.print = () => { window.prints = 1; }; }")
    menu(page, "Print")
    page.wait_for_function("() => window.prints === 1")
    expect(page.locator(".paper dl > div")).to_have_text(["Items7", "Total value$34"])


def test_no_sum_is_shown_before_it_is_known(windows, server, kitchen, crate):
    """A browser that opens the web app for the first time reads the lists one after the other."""
    window = windows(viewport=DESKTOP)
    held = []
    window.context.route(f"**/v1/lists/{crate[1]}/rows?*", lambda route: held.append(route))
    page = window.open()
    sums = page.locator(".list-sum, .row-detail.is-sum, .tree-count")
    expect(page.locator(".tree-row")).to_have_count(2)
    deadline = time.monotonic() + 20
    while not held and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    enter(page, "Kitchen")
    assert set(sums.all_text_contents()) == {""}
    # The bag's contents are known, but not what is in the list in the box.
    page.locator("[data-action=select]").click()
    page.keyboard.press("Control+a")
    expect(page.locator(".select-count")).to_have_text("5 selected")
    page.locator("[data-action=endSelecting]").click()
    height = row(page, "Box").locator(".row-texts").bounding_box()["height"]
    for route in held:
        route.continue_()
    expect(page.locator(".list-sum")).to_have_text("7 items · $34")
    expect(row(page, "Box").locator(".row-detail")).to_have_text("2 items · $4")
    expect(page.locator(".tree-count")).to_have_text(["7", "7"])
    assert row(page, "Box").locator(".row-texts").bounding_box()["height"] == height


def test_sums_have_the_plurals_of_arabic(windows, server, kitchen):
    page = windows(locale="ar").open()
    expect(page.locator(".row .row-detail").first).to_have_text("3 عناصر")
    server.ask("DELETE", f"/v1/items/{kitchen[1][0]}")
    expect(page.locator(".row .row-detail").first).to_have_text("عنصران")


def test_settings_show_what_another_device_has_changed_since(start, server):
    expect(start.locator(".rows").first).to_be_visible()
    server.ask("PUT", "/v1/appearance", {**server.ask("GET", "/v1/appearance"), "currency": "EUR", "navigationBar": "#AA0000"})
    menu(start, "Settings")
    expect(sheet(start).get_by_label("Currency")).to_have_value("EUR")
    expect(sheet(start).get_by_label("Navigation bar")).to_have_value("#aa0000")
    sheet(start).get_by_label("Currency").select_option("USD")
    save(start)
    expect(start.locator("dialog")).to_have_count(0)
    saved = server.ask("GET", "/v1/appearance")
    assert (saved["currency"], saved["navigationBar"]) == ("USD", "#AA0000")


def test_values_are_written_in_the_currency_of_the_inventory(start, server, kitchen):
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"valueInDollars": 12.5})
    menu(start, "Settings")
    sheet(start).get_by_label("Currency").select_option("EUR")
    with start.expect_navigation():
        sheet(start).get_by_role("button", name="Save").click()
    assert server.ask("GET", "/v1/appearance")["currency"] == "EUR"
    enter(start, "Kitchen")
    expect(start.locator(".list-sum")).to_have_text(re.compile(r"3 items · €12\.50"))
    expect(row(start, "Kettle").locator(".row-value")).to_have_text("€12.50")
    # What can be typed is shown with its sign, and read with it.
    start.keyboard.press("n")
    expect(start.get_by_placeholder("3 forks €12 #kitchen")).to_be_focused()
    start.keyboard.type("Pan €30")
    start.keyboard.press("Enter")
    expect(row(start, "Pan").locator(".row-value")).to_have_text("€30")
    start.keyboard.type("Bowl $30")
    start.keyboard.press("Enter")
    expect(row(start, "Bowl $30")).to_be_visible()
    start.keyboard.press("Escape")
    enter(start, "Pan")
    bar(start, "edit").click()
    value = sheet(start).get_by_label("Value", exact=True)
    for foreign in ("$30", "30 USD", "£ 30"):
        value.fill(foreign)
        save(start)
        expect(sheet(start).get_by_text("Enter the value in this inventory’s currency: Euro.")).to_be_visible()
        expect(value).to_be_focused()
        expect(value).to_have_value(foreign)
    value.fill("1.250,50 €")
    save(start)
    expect(start.locator("dialog")).to_have_count(0)
    expect(start.locator(".facts")).to_contain_text("€1,250.50")
