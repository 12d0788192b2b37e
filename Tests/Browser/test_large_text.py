"""Text of twice the size, and large titles that shrink into the bar."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, back, bar, enter, heading, row, settle, sheet
from test_photos import png

TWICE = "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })"

# The visible parts of what has this selector that overlap each other, are cut off, or are outside of it.
FAULTS = """(name) => {
  const faults = [];
  for (const whole of document.querySelectorAll(name)) {
    const box = whole.getBoundingClientRect();
    const parts = [...whole.querySelectorAll('.row-title, .row-detail, .row-value, .row-control, .thumbnail, .row-chevron, button > bdi, .bar-title')]
      .filter((part) => part.checkVisibility({ opacityProperty: true }));
    for (const part of parts) {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      const isOut = left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1;
      const isCut = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 2;
      if (isOut) faults.push(`${part.className} ${part.textContent} is outside`);
      if (isCut && !part.matches('.row-control, .thumbnail, .row-chevron')) faults.push(`${part.className} ${part.textContent} is cut off`);
      for (const other of parts) {
        const second = other.getBoundingClientRect();
        const isApart = second.left >= right - 1 || second.right <= left + 1 || second.top >= bottom - 1 || second.bottom <= top + 1;
        if (other !== part && !isApart) faults.push(`${part.textContent} overlaps ${other.textContent}`);
      }
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is too wide');
  return faults;
}"""


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize(("size", "locale"), [(PHONE, "en-GB"), (PHONE, "ar-EG"), (DESKTOP, "en-GB")])
def test_rows_wrap_where_text_is_twice_as_large(windows, server, tmp_path, size, locale):
    shed, (rake,) = server.make_list("Garden shed", ["Rake"])
    with open(png(tmp_path / "rake.png", (200, 60, 60)), "rb") as file:
        server.ask("POST", f"/v1/items/{rake}/photos", data=file.read(), kind="image/png")
    server.ask("PATCH", f"/v1/items/{rake}", {"valueInDollars": 1234567.5, "quantity": 12, "serialNumber": "RAKE-0012"})
    server.make_thing(shed, "A wheelbarrow for gravel", serialNumber="W-1", valueInDollars=99)
    server.make_thing(shed, "Pots without a serial number at all")
    server.make_list("Drawer of the workbench", ["Nail"], parent=shed)
    window = windows(viewport=size, locale=locale)
    window.context.add_init_script(TWICE)
    page = window.open()
    assert page.evaluate(FAULTS, ".screen .row, .screen > header") == []
    enter(page, "Garden shed")
    page.locator(".thumbnail img").wait_for()
    assert page.evaluate(FAULTS, ".screen .row, .screen > header") == []
    # The rows are as high as their places.
    tops = sorted(page.locator(".screen .row").evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().top)"))
    heights = page.locator(".screen .row").evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().height)")
    assert len(set(heights)) == 1
    assert all(abs(below - above - heights[0]) < 1 for above, below in zip(tops, tops[1:]))
    bar(page, "edit").click()
    expect(bar(page, "done")).to_be_visible()
    assert page.evaluate(FAULTS, ".screen .row, .screen > header") == []
    for control in ["remove", "relocate", "grip"]:
        expect(row(page, "Rake").locator(f"[data-control={control}]")).to_be_visible()
    bar(page, "done").click()
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    sheet(page).locator(".choices").first.wait_for()
    settle(page)
    assert page.evaluate(FAULTS, "dialog > header") == []


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize("locale", ["en-GB", "ar-EG"])
def test_the_bar_of_the_selection_is_within_a_phone(windows, server, locale):
    window = windows(viewport=PHONE, locale=locale)
    window.context.add_init_script(TWICE)
    page = window.open()
    page.locator("[data-action=select]").click()
    page.locator(".select-bar").wait_for()
    boxes = [button.bounding_box() for button in page.locator(".select-bar button").all()]
    assert len(boxes) == 5
    for box in boxes:
        assert 0 <= box["x"] and box["x"] + box["width"] <= PHONE["width"]
        assert box["y"] + box["height"] <= PHONE["height"]


@pytest.mark.usefixtures("chromium_only")
def test_rows_keep_their_place_when_the_text_gets_larger(windows, server):
    attic, _ = server.make_list("Attic", [f"Box {number}" for number in range(40)])
    page = windows().open()
    enter(page, "Attic")
    scroller = page.locator(".screen .scroller")
    scroller.evaluate("node => { node.scrollTop = 1200; }")
    first = """() => [...document.querySelectorAll('.screen .row')].sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
      .find((row) => row.getBoundingClientRect().top >= document.querySelector('.scroller').getBoundingClientRect().top - 2)?.textContent"""
    page.wait_for_function(f"() => ![undefined, 'Box 0'].includes(({first})())")
    before = int(page.evaluate(first).split()[1])
    # A window that is narrow for its text.
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    page.set_viewport_size({"width": 380, "height": 844})
    expect(page.locator(".scroller.is-narrow")).to_have_count(1)
    page.wait_for_function(f"(before) => Math.abs(Number(({first})().split(' ')[1]) - before) <= 1", arg=before)


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "panes"])
def test_the_large_title_gives_way_to_the_one_in_the_bar(windows, server, size):
    attic, boxes = server.make_list("Attic", [f"Box {number}" for number in range(40)])
    page = windows(viewport=size).open()
    enter(page, "Attic")
    title = page.locator(".list-screen .large-title")
    expect(title).to_have_text("Attic")
    expect(title).to_be_in_viewport()
    expect(heading(page)).to_have_css("opacity", "0")
    # It stays the heading of the screen, for screen readers.
    expect(page.get_by_role("heading", name="Attic", level=1)).to_have_count(1)
    settle(page)
    page.evaluate("""() => {
      window.shifts = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shifts += entry.value;
      }).observe({ type: 'layout-shift' });
    }""")
    box = page.locator(".list-screen .scroller").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    bar_height = page.locator(".list-screen > header").bounding_box()["height"]
    for _ in range(8):
        page.mouse.wheel(0, 20)
        page.wait_for_timeout(50)
    expect(heading(page)).to_have_css("opacity", "1")
    expect(title).not_to_be_in_viewport()
    # What scrolls moves by what was scrolled, and the bar stays as it is.
    page.wait_for_function("() => document.querySelector('.list-screen .scroller').scrollTop === 160")
    assert page.locator(".list-screen > header").bounding_box()["height"] == bar_height
    assert page.evaluate("() => window.shifts") < 0.001
    page.mouse.wheel(0, -400)
    expect(heading(page)).to_have_css("opacity", "0")
    expect(title).to_be_in_viewport()


def test_a_screen_that_was_scrolled_shows_its_title_in_the_bar(windows, server):
    server.make_list("Attic", [f"Box {number}" for number in range(40)])
    page = windows().open()
    enter(page, "Attic")
    row(page, "Box 3").scroll_into_view_if_needed()
    page.locator(".screen .scroller").evaluate("node => { node.scrollTop = 900; }")
    expect(heading(page)).to_have_css("opacity", "1")
    row(page, "Box 20").locator("[data-control=main]").click()
    expect(heading(page)).to_have_text("Box 20")
    expect(page.locator(".screen")).to_have_count(1)
    expect(page.locator(".large-title")).to_be_in_viewport()
    back(page, "Attic")
    expect(heading(page)).to_have_css("opacity", "1")
