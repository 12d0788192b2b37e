"""New rows, typed at the end of a list."""

import pytest
from playwright.sync_api import expect

from answers import Lost
from conftest import DESKTOP, LAST, back, bar, enter, expect_kept, expect_titles, heading, row, save, sheet

ROUND = ".new-round"


def field(page):
    return page.get_by_role("textbox", name="New item or list")


def add(page, text):
    field(page).fill(text)
    page.keyboard.press("Enter")


def parts(page):
    return page.locator(".new-part")


def just_added(page):
    return page.locator(".new-line a")


@pytest.mark.usefixtures("chromium_only")
def test_rows_are_typed_one_after_the_other(page, server, kitchen):
    page.locator(ROUND).click()
    expect(field(page)).to_be_focused()
    expect(page.locator(ROUND)).to_be_hidden()
    for name in ("Whisk", "Sieve", "Ladle"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", "Sieve", "Ladle"])
    expect_kept(page, server, kitchen[0], ["Kettle", "Mixer", "Toaster", "Whisk", "Sieve", "Ladle"])
    expect(field(page)).to_be_focused()
    expect(page.locator(".new-tail")).to_have_text(LAST)
    expect(page.locator(".toast")).to_contain_text("“Ladle” was added.")
    expect(page.locator(".spoken")).to_have_text("“Ladle” was added.")
    # In an empty field, the keys undo the last row.
    page.keyboard.press("Control+z")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", "Sieve"])
    page.keyboard.press("Enter")
    expect(field(page)).to_be_hidden()
    expect(page.locator(ROUND)).to_be_focused()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", "Sieve", LAST])


def test_what_is_typed_of_an_item_is_understood_and_can_be_left(page, server, kitchen):
    page.keyboard.press("n")
    page.keyboard.type("3 forks $12 #kitchen")
    expect(parts(page)).to_have_text(["3 ×", "$12", "#kitchen"])
    page.keyboard.press("Enter")
    expect(row(page, "forks")).to_contain_text("3 × $12")
    page.keyboard.type("12 monkeys #1 #film")
    expect(parts(page)).to_have_text(["12 ×", "#film"])
    page.get_by_role("button", name="Quantity: 12. Keep “12” in the name").click()
    expect(parts(page)).to_have_text(["#film"])
    expect(field(page)).to_be_focused()
    page.keyboard.press("Enter")
    expect(row(page, "12 monkeys #1")).to_be_visible()
    page.keyboard.press("Escape")
    expect(field(page)).to_be_hidden()
    found = [server.ask("GET", f"/v1/items/{one['id']}")
             for one in server.ask("GET", f"/v1/lists/{kitchen[0]}/rows?sentinel=false")["rows"][3:]]
    assert [(one["name"], one["quantity"], one["valueInDollars"], one["tags"]) for one in found] == [
        ("forks", 3, 12, ["kitchen"]), ("12 monkeys #1", 1, None, ["film"])]


READ = {
    "3 forks $12 #kitchen": {"name": "forks", "quantity": 3, "valueInDollars": 12, "tags": ["kitchen"]},
    "٣ شوك $١٢٫٥ #مطبخ": {"name": "شوك", "quantity": 3, "valueInDollars": 12.5, "tags": ["مطبخ"]},
    "forks $12,50": {"name": "forks", "valueInDollars": 12.5},
    "forks 1,299$": {"name": "forks", "valueInDollars": 1299},
    "US$ 5 forks $6": {"name": "forks $6", "valueInDollars": 5},
    "forks $1.234.5": {"name": "forks $1.234.5"},
    "1500 screws": {"name": "screws", "quantity": 1500},
    "3x forks": {"name": "forks", "quantity": 3},
    "3 × forks": {"name": "forks", "quantity": 3},
    "forks x 3 #kitchen": {"name": "forks", "quantity": 3, "tags": ["kitchen"]},
    "forks $2 ×3": {"name": "forks", "quantity": 3, "valueInDollars": 2},
    "forks 3x": {"name": "forks", "quantity": 3},
    "3 forks x 4": {"name": "forks x 4", "quantity": 3},
    "bmw x3": {"name": "bmw x3"},
    "iPhone 12": {"name": "iPhone 12"},
    "3M tape": {"name": "3M tape"},
    "2020 diary": {"name": "2020 diary"},
    "2020 x diary": {"name": "diary", "quantity": 2020},
    "12 mm drill": {"name": "12 mm drill"},
    "007 poster": {"name": "007 poster"},
    "0 forks": {"name": "0 forks"},
    "10 000 screws": {"name": "10 000 screws"},
    "12345 screws": {"name": "12345 screws"},
    "1,200 bricks $3": {"name": "bricks", "quantity": 1200, "valueInDollars": 3},
    "12,5 mm drill": {"name": "12,5 mm drill"},
    "1,234٬567 nails": {"name": "1,234٬567 nails"},
    "1,200 mm shelf": {"name": "1,200 mm shelf"},
    "4 x 4 board": {"name": "4 x 4 board"},
    "#2 pencil": {"name": "#2 pencil"},
    # No exchange rate is known.
    "Toaster €12.50": {"name": "Toaster €12.50"},
    "2 rugs 1,200 £": {"name": "rugs 1,200 £", "quantity": 2},
    "Rug €80 $90": {"name": "Rug €80", "valueInDollars": 90},
    "Rug 90 usd": {"name": "Rug", "valueInDollars": 90},
    "bowl #red, #blue #red": {"name": "bowl", "tags": ["red", "blue"]},
    "3 $12 #kitchen": {"name": "3 $12 #kitchen"},
}


def test_only_what_is_meant_as_a_quantity_a_value_or_a_tag_is_understood(start):
    found = start.evaluate("""async (lines) => {
      const { itemMembers, understood } = await import('/modules/typed-row.js');
      return lines.map((line) => itemMembers(understood(line)));
    }""", list(READ))
    assert dict(zip(READ, found)) == READ


@pytest.mark.parametrize("currency, line, item", [
    ("EUR", "Toaster €12.50", {"name": "Toaster", "valueInDollars": 12.5}),
    ("EUR", "Toaster 12,50 €", {"name": "Toaster", "valueInDollars": 12.5}),
    ("EUR", "Toaster 12.50 EUR", {"name": "Toaster", "valueInDollars": 12.5}),
    ("EUR", "Toaster $12.50", {"name": "Toaster $12.50"}),
    ("GBP", "2 rugs 1,200 £", {"name": "rugs", "quantity": 2, "valueInDollars": 1200}),
    ("SEK", "Lamp 250 kr", {"name": "Lamp", "valueInDollars": 250}),
    ("CHF", "Lamp CHF 20", {"name": "Lamp", "valueInDollars": 20}),
    ("CAD", "Lamp $20", {"name": "Lamp", "valueInDollars": 20}),
    ("CAD", "Lamp US$20", {"name": "Lamp US$20"}),
    ("HNL", "Bucket 5 L", {"name": "Bucket 5 L"}),
])
def test_a_value_has_the_sign_of_the_inventorys_currency(start, currency, line, item):
    assert start.evaluate("""async ([currency, line]) => {
      const { takeCurrency } = await import('/modules/texts.js');
      const { itemMembers, understood } = await import('/modules/typed-row.js');
      takeCurrency(currency);
      return itemMembers(understood(line));
    }""", [currency, line]) == item


def test_an_amount_in_another_currency_says_which_one_is_meant(page):
    told = page.locator(".new-parts")
    page.keyboard.press("n")
    for line in ("Vase €40", "Vase 40 EUR", "2 vases 1,200 £", "Vase €80 $90"):
        field(page).fill(line)
        expect(told).to_contain_text("Enter the value in this inventory’s currency: US Dollar.")
    expect(parts(page)).to_have_text(["$90"])
    for line in ("Vase $40", "Vase US$ 5 $6", "TOP 10", "Vase €", "EUR adapter", ""):
        field(page).fill(line)
        expect(told).not_to_contain_text("currency")
    field(page).fill("Vase €40")
    expect(told).to_contain_text("currency")
    page.locator(".new-row").get_by_role("radio", name="List").check()
    expect(told).not_to_contain_text("currency")


def test_how_many_there_are_is_shown_without_a_value_too(page, server, kitchen):
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"quantity": 3, "valueInDollars": 12})
    page.keyboard.press("n")
    add(page, "40 books")
    expect(row(page, "books").locator(".row-value")).to_have_text("40 ×")
    expect(row(page, "Kettle").locator(".row-value")).to_have_text("3 × $12")
    expect(row(page, "Mixer").locator(".row-value")).to_have_count(0)


def test_a_list_is_as_near_as_an_item(page, server, kitchen):
    page.keyboard.press("n")
    page.keyboard.type("3 drawers")
    page.keyboard.press("Shift+Enter")
    expect(row(page, "3 drawers")).to_be_visible()
    page.locator(".new-row").get_by_role("radio", name="List").check()
    field(page).fill("2 shelves #red")
    expect(parts(page)).to_have_count(0)
    field(page).press("Enter")
    expect(row(page, "2 shelves #red")).to_be_visible()
    assert [one["type"] for one in server.ask("GET", f"/v1/lists/{kitchen[0]}/rows")["rows"][3:5]] == ["list", "list"]
    # The choice stays for the next row.
    expect(page.locator(".new-row").get_by_role("radio", name="List")).to_be_checked()


def test_whoever_chooses_a_list_goes_on_typing(page):
    page.keyboard.press("n")
    page.locator(".new-row .segments label", has_text="List").click()
    expect(field(page)).to_be_focused()
    expect(field(page)).to_have_attribute("placeholder", "Name of the list")
    page.keyboard.type("Drawer")
    page.keyboard.press("Enter")
    expect(row(page, "Drawer")).to_be_visible()


def paste(page, typed):
    field(page).evaluate("""(input, typed) => {
      const data = new DataTransfer();
      data.setData('text/plain', typed);
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }""", typed)


@pytest.mark.usefixtures("chromium_only")
def test_each_of_several_pasted_lines_is_a_row(page, server, kitchen):
    page.keyboard.press("n")
    page.keyboard.type("Red ")
    paste(page, "kettle $45 #new\n\n  2 pans\r\nLid")
    for title in ["Red kettle", "pans", "Lid"]:
        expect(row(page, title)).to_be_visible()
    expect(field(page)).to_have_value("")
    items = [server.ask("GET", f"/v1/items/{one['id']}") for one in server.ask("GET", f"/v1/lists/{kitchen[0]}/rows")["rows"][-4:-1]]
    assert [(one["name"], one["quantity"], one["valueInDollars"]) for one in items] == [
        ("Red kettle", 1, 45), ("pans", 2, None), ("Lid", 1, None)]
    # They are undone and redone together, and what was changed before them is undone next.
    expect(page.locator(".toast")).to_contain_text("3 items were added.")
    page.locator(".toast button").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster"])
    expect(page.locator(".toast")).to_contain_text("Undone.")
    page.locator(".toast").get_by_role("button", name="Redo").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Red kettle", "pans", "Lid"])
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster"])


@pytest.mark.usefixtures("chromium_only")
def test_pasted_lists_with_signs_and_tables_become_rows(page, server, kitchen):
    page.keyboard.press("n")
    paste(page, "- Cutting board\n• Colander\n1. Soap\n- [ ] Milk\nBlender\t2\t$89\n4\tBowls\nLaptop\t1\t999\nMonitor\t2021\nOven\t3\tred\t12.50")
    expect(row(page, "Oven red")).to_be_visible()
    items = [server.ask("GET", f"/v1/items/{one['id']}") for one in server.ask("GET", f"/v1/lists/{kitchen[0]}/rows")["rows"][-10:-1]]
    assert [(one["name"], one["quantity"], one["valueInDollars"]) for one in items] == [
        ("Cutting board", 1, None), ("Colander", 1, None), ("Soap", 1, None), ("Milk", 1, None), ("Blender", 2, 89), ("Bowls", 4, None),
        ("Laptop", 1, 999), ("Monitor 2021", 1, None), ("Oven red", 3, 12.5)]
    page.get_by_role("radio", name="List").check(force=True)
    paste(page, "Pantry\t5\nCellar")
    expect(page.locator(".toast")).to_contain_text("2 lists were added.")
    expect(row(page, "Pantry 5")).to_be_visible()


@pytest.mark.usefixtures("chromium_only")
def test_an_undo_while_pasted_rows_are_added_takes_all_of_them_back(page, server, kitchen):
    page.evaluate("""() => {
      const ask = window.fetch;
      window.fetch = (address, options) => new Promise((done) => setTimeout(() => done(ask(address, options)), /items$/.test(address) ? 300 : 0));
    }""")
    page.keyboard.press("n")
    paste(page, "\n".join(f"Part {number}" for number in range(8)))
    expect(page.locator(".toast")).to_contain_text("2 items were added.")
    page.locator(".toast button").click()
    expect(page.locator(".new-line")).to_have_count(0)
    expect_kept(page, server, kitchen[0], ["Kettle", "Mixer", "Toaster"])
    expect_titles(page, ["Kettle", "Mixer", "Toaster"])
    # Nothing comes later.
    page.wait_for_timeout(600)
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster"]


def test_more_details_take_over_what_was_typed(page, server, kitchen):
    page.keyboard.press("n")
    page.keyboard.type("3 forks $12.50 #kitchen")
    page.get_by_role("button", name="More details").click()
    expect(sheet(page).get_by_label("Name", exact=True)).to_have_value("forks")
    expect(sheet(page).get_by_label("Quantity")).to_have_value("3")
    expect(sheet(page).get_by_label("Value in dollars")).to_have_value("12.50")
    sheet(page).get_by_label("Serial number").fill("F-1")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    expect(row(page, "forks")).to_contain_text("F-1")
    expect(field(page)).to_have_value("")
    # The next row can be typed.
    expect(field(page)).to_be_focused()
    made = server.ask("GET", f"/v1/lists/{kitchen[0]}/rows")["rows"][3]["id"]
    assert server.ask("GET", f"/v1/items/{made}")["tags"] == ["kitchen"]


def test_a_row_that_a_search_or_a_view_would_not_show_is_shown_until_the_view_changes(page, window):
    window.expect_gone()
    page.get_by_role("searchbox", name="Search").fill("kettle")
    expect(page.locator(".hits .row-title")).to_have_text(["Kettle"])
    page.locator(ROUND).click()
    add(page, "Whisk")
    expect(just_added(page)).to_have_text(["Whisk"])
    expect(page.locator(".toast")).to_contain_text("“Whisk” was added.")
    page.locator(".toast button").click()
    expect(just_added(page)).to_have_count(0)
    add(page, "Sieve")
    expect(just_added(page)).to_have_text(["Sieve"])
    page.get_by_role("searchbox", name="Search").fill("")
    expect(just_added(page)).to_have_count(0)
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Sieve"])
    page.locator(".screen:not([inert]) [data-action=order]").click()
    sheet(page).get_by_role("button", name="Title").click()
    sheet(page).locator("[data-action=close]").click()
    expect_titles(page, ["Kettle", "Mixer", "Sieve", "Toaster"])
    add(page, "Ladle")
    expect(just_added(page)).to_have_text(["Ladle"])
    expect_titles(page, ["Kettle", "Ladle", "Mixer", "Sieve", "Toaster"])
    just_added(page).click()
    expect(heading(page)).to_have_text("Ladle")


def test_it_is_in_the_bar_of_wide_windows(windows, server):
    page = windows(viewport=DESKTOP).open()
    expect(page.locator(ROUND)).to_be_hidden()
    # An empty list asks for its first row.
    page.get_by_role("button", name="Add an item or list").click()
    expect(page.get_by_role("button", name="Add an item or list")).to_be_hidden()
    field(page).press("Escape")
    bar(page, "new").click()
    add(page, "Lamp")
    expect_titles(page, ["Lamp"])
    assert server.rows() == ["Lamp"]
    field(page).press("Escape")
    expect(row(page, "Lamp").get_by_role("link")).to_be_focused()
    # Edit mode has a button of the server's bar.
    bar(page, "edit").click()
    expect(bar(page, "add")).to_be_visible()
    expect(bar(page, "new")).to_be_hidden()


def test_the_list_scrolls_only_as_far_as_the_field_needs(windows, server):
    server.make_list("Hall", [f"Hook {number}" for number in range(6)])
    server.make_list("Cellar", [f"Box {number}" for number in range(40)])
    page = windows(viewport=DESKTOP).open()
    for title, is_scrolled in [("Hall", False), ("Cellar", True)]:
        enter(page, title)
        bar(page, "new").click()
        page.keyboard.type("3 forks $12 #kitchen")
        expect(parts(page)).to_have_count(3)
        expect(field(page)).to_be_in_viewport(ratio=1)
        expect(page.locator(".screen:not([inert]) .new-tail")).to_be_in_viewport(ratio=1)
        assert (page.locator(".screen:not([inert]) .scroller").evaluate("(each) => each.scrollTop") > 0) == is_scrolled
        field(page).press("Escape")
        back(page, "Inventory")


def test_it_is_only_where_rows_may_be_added_and_of_the_allowed_kind(page, server, kitchen):
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"itemKind": "car"})
    page.keyboard.press("n")
    add(page, "Volvo 240")
    expect(row(page, "Volvo 240")).to_be_visible()
    made = server.ask("GET", f"/v1/lists/{kitchen[0]}/rows")["rows"][3]["id"]
    assert server.ask("GET", f"/v1/items/{made}")["kind"] == "car"
    field(page).press("Escape")
    server.ask("PATCH", f"/v1/lists/{kitchen[0]}", {"permissions": {"add": False}})
    expect(page.locator(ROUND)).to_be_hidden()
    page.keyboard.press("n")
    expect(field(page)).to_be_hidden()


def test_what_the_server_refuses_can_be_corrected(page, window, server, kitchen):
    window.expect_complaints("422")
    page.keyboard.press("n")
    add(page, "x" * 5000)
    line = page.locator(".new-line")
    expect(line.get_by_role("alert")).not_to_be_empty()
    add(page, "Whisk")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk"])
    # It waits while the list is left.
    page.keyboard.press("Escape")
    enter(page, "Kettle")
    back(page, "Kitchen")
    line.get_by_role("button", name="More details").click()
    sheet(page).get_by_label("Name", exact=True).fill("Sieve")
    save(page)
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", "Sieve", LAST])
    expect(line).to_have_count(0)


@pytest.mark.usefixtures("chromium_only")
def test_a_row_whose_answer_is_lost_is_added_once(page, window, server, kitchen):
    page.keyboard.press("n")
    with Lost(window, "POST", "**/v1/lists/*/items"):
        add(page, "Whisk")
        expect(page.locator(".new-line").get_by_role("alert")).to_be_visible()
        page.locator(".new-line").get_by_role("button", name="Try again").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk"])
    expect(page.locator(".new-line")).to_have_count(0)
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster", "Whisk"]


@pytest.mark.parametrize("has_arrived", [False, True])
def test_a_row_that_is_on_its_way_during_a_reload_is_added_once(page, window, server, kitchen, has_arrived, request):
    if has_arrived:
        request.getfixturevalue("chromium_only")
    window.expect_complaints("ERR_|Failed to load")
    page.on("dialog", lambda dialog: dialog.accept())
    page.keyboard.press("n")
    held = []

    def hold(route):
        if has_arrived:
            route.fetch()
        held.append(route)

    page.route("**/v1/lists/*/items", hold, times=1)
    add(page, "Whisk")
    while not held:
        page.wait_for_timeout(20)
    page.reload()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", LAST])
    expect(page.locator(".new-line")).to_have_count(0)
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster", "Whisk"]


def test_a_half_typed_row_waits_while_its_list_is_left(page):
    page.keyboard.press("n")
    page.keyboard.type("Whi")
    enter(page, "Kettle")
    bar(page, "back").click()
    expect(heading(page)).to_have_text("Kitchen")
    page.locator(ROUND).click()
    expect(field(page)).to_have_value("Whi")
    field(page).press("Escape")
    page.locator(ROUND).click()
    expect(field(page)).to_have_value("")


def test_a_row_added_in_the_sheet_is_pointed_to_and_can_be_undone(page):
    bar(page, "edit").click()
    bar(page, "add").click()
    sheet(page).get_by_label("Name", exact=True).fill("Whisk")
    save(page)
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Whisk", LAST])
    page.locator(".toast button", has_text="Undo").click()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
