"""A list of a million rows: only what is seen is fetched, wherever one is."""

import pytest
from playwright.sync_api import expect

from conftest import Window, bar, drag
from rowhouse import Rowhouse

ROWS = 1_000_000


@pytest.fixture(scope="module")
def long_list():
    server = Rowhouse(seed=["--rows", str(ROWS)])
    yield server
    server.close()


@pytest.fixture
def window(browser, long_list):
    window = Window(browser, long_list.address)
    yield window
    window.close()


@pytest.fixture
def page(window):
    page = window.open()
    page.locator(".row-main").first.click()
    expect(bar(page, "back")).to_be_visible()
    return page


def scroll(page, share):
    """As a scroll bar's thumb would, to a share of the whole."""
    page.locator(".screen:not([inert]) .scroller").evaluate(
        "(scroller, share) => (scroller.scrollTop = share * (scroller.scrollHeight - scroller.clientHeight))", share)


def places(page):
    """The places of the rows that are in sight, and the top of each."""
    return page.locator(".screen:not([inert]) .rows > li").evaluate_all(
        """rows => rows.map((row) => [Number(row.ariaPosInSet), row.getBoundingClientRect().top,
            row.querySelector('.row-unknown') !== null])
          .filter(([, top]) => top > 120 && top < innerHeight - 10).sort((a, b) => a[0] - b[0])""")


def settle(page):
    page.wait_for_function("() => !document.querySelector('.screen:not([inert]) .row-unknown')")
    page.wait_for_timeout(300)


def fetched(window):
    return [address for _, address in window.requests if "/rows" in address or "/screen" in address]


def test_the_middle_and_the_end_are_come_to_with_few_requests(window, page):
    window.requests.clear()
    scroll(page, 0.5)
    settle(page)
    middle = places(page)
    assert abs(middle[0][0] - ROWS / 2) < ROWS / 100
    scroll(page, 1)
    settle(page)
    expect(page.locator(".is-tail")).to_be_in_viewport()
    assert places(page)[-1][0] == ROWS + 1
    assert 0 < len(fetched(window)) <= 6
    assert page.locator(".rows > li").count() < 60
    scroll(page, 0)
    settle(page)
    assert places(page)[0][0] == 1


def test_a_far_jump_stands_though_what_was_scrolled_before_rests_just_then(page):
    scroller = page.locator(".screen:not([inert]) .scroller")
    # The browser reports a jump only with the next frame, and a timer may fire before it.
    scroller.evaluate("""() => {
        const plain = window.setTimeout;
        window.setTimeout = (call, ...more) => {
          if (String(call).includes('#rest()')) window.rest = call;
          return plain(call, ...more);
        };
    }""")
    scroll(page, 1)
    settle(page)
    scroller.evaluate("(scroller) => { scroller.scrollTop = 0; window.rest(); }")
    page.wait_for_timeout(300)
    settle(page)
    assert places(page)[0][0] == 1


def test_rows_that_the_server_has_no_time_for_come_a_little_later(window, page):
    window.expect_complaints("503")
    page.route("**/rows?*", lambda route: route.fulfill(status=503, json={"title": "Too much to do", "status": 503}), times=1)
    scroll(page, 0.7)
    page.wait_for_function("() => document.querySelector('.screen:not([inert]) .row-unknown')")
    settle(page)
    assert abs(places(page)[0][0] - 0.7 * ROWS) < ROWS / 20


def test_the_wheel_moves_by_what_it_says_anywhere(page):
    for share in (0.3, 0.999999):
        scroll(page, share)
        settle(page)
        before = dict((place, top) for place, top, _ in places(page))
        page.mouse.move(190, 400)
        page.mouse.wheel(0, -300)
        page.wait_for_timeout(500)
        settle(page)
        after = dict((place, top) for place, top, _ in places(page))
        common = set(before) & set(after)
        assert common
        for place in common:
            assert abs(after[place] - before[place] - 300) < 2


def test_a_row_in_the_middle_is_dragged(page, long_list):
    bar(page, "edit").click()
    scroll(page, 0.5)
    settle(page)
    place = places(page)[2][0]
    title = page.locator(f".rows > li[aria-posinset='{place}'] .row-title").text_content()
    drag(page, title, 3)()
    expect(page.locator(f".rows > li[aria-posinset='{place + 3}'] .row-title")).to_have_text(title)
    bar(page, "done").click()


@pytest.mark.usefixtures("chromium_only")
def test_a_row_near_the_end_is_dragged_to_the_last_place_and_no_further(page, long_list):
    bar(page, "edit").click()
    scroll(page, 1)
    settle(page)
    title = page.locator(f".rows > li[aria-posinset='{ROWS - 2}'] .row-title").text_content()
    release = drag(page, title, 5)
    with page.expect_response(lambda answer: answer.url.endswith("/move-row")):
        release()
    expect(page.locator(f".rows > li[aria-posinset='{ROWS}'] .row-title")).to_have_text(title)
    expect(page.locator(".is-tail")).to_have_attribute("aria-posinset", str(ROWS + 1))
    long_id = long_list.ask("GET", "/v1/lists?limit=1")["lists"][0]["id"]
    end = long_list.ask("GET", f"/v1/lists/{long_id}/rows?offset={ROWS - 1}")["rows"]
    assert [row["title"] for row in end] == [title, "No more items!"]
    bar(page, "done").click()


def test_keys_lead_to_the_end_and_back(page):
    page.locator(".row-main").first.focus()
    page.keyboard.press("End")
    expect(page.locator(f".rows > li[aria-posinset='{ROWS}'] .row-main")).to_be_focused()
    page.keyboard.press("Home")
    expect(page.locator(".rows > li[aria-posinset='1'] .row-main")).to_be_focused()


def test_scrolling_reads_the_layout_once_a_frame_and_makes_no_formats(page):
    settle(page)
    # A place that is read after the rows have changed makes the browser lay them out once more.
    made = page.evaluate("""async () => {
      let [reads, formats] = [0, 0];
      const { get } = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'offsetTop');
      Object.defineProperty(HTMLElement.prototype, 'offsetTop', { get() { reads += 1; return get.call(this); } });
      for (const name of ['NumberFormat', 'DateTimeFormat']) {
        Intl[name] = new Proxy(Intl[name], { construct: (...made) => (formats += 1, Reflect.construct(...made)) });
      }
      const scroller = document.querySelector('.screen:not([inert]) .scroller');
      for (let step = 0; step < 60; step += 1) {
        scroller.scrollTop += 45;
        await new Promise((done) => requestAnimationFrame(done));
      }
      return { reads, formats };
    }""")
    assert 20 < made["reads"] < 70
    assert made["formats"] == 0
