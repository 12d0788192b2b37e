"""What all tests in a browser share: a browser, servers, and pages that may not complain."""

import contextlib
import mimetypes
import os
import re
import shutil
import time
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from rowhouse import Rowhouse

PHONE = {"width": 390, "height": 844}
TABLET = {"width": 820, "height": 1180}
DESKTOP = {"width": 1280, "height": 800}

# The row behind all others.
LAST = "No more items!"

# The lines of text in an element, by the places of its texts.
LINES = """(node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  const middles = [...range.getClientRects()].map((box) => box.top + box.height / 2).sort((a, b) => a - b);
  return middles.filter((middle, number) => !number || middle - middles[number - 1] > 8).length;
}"""

expect.set_options(timeout=10_000)


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def firefox(playwright):
    """The one that is installed, by WebDriver BiDi."""
    found = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    if not found:
        pytest.skip("there is no Firefox")
    try:
        browser = playwright.firefox.launch(channel="moz-firefox", executable_path=found)
    except Error as error:
        # As one that may not read a profile which is not its own, or is too new.
        pytest.skip(f"{found} can't be driven: {error.message.splitlines()[0]}")
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def browser(request):
    """The one that is driven: Chromium, or what ROWHOUSE_BROWSER names."""
    return request.getfixturevalue(os.environ.get("ROWHOUSE_BROWSER", "chromium"))


@pytest.fixture
def chromium_only(browser):
    """For what Playwright can't do by WebDriver BiDi."""
    if browser.browser_type.name != "chromium":
        pytest.skip("only Chromium can be driven so")


@pytest.fixture
def server():
    server = Rowhouse()
    yield server
    server.close()


def from_disk(route):
    """Answers with a page's file as it is just now, and with the header fields that the server gives it."""
    name = re.split(r"[?#]", route.request.url.split("/", 3)[3])[0]
    # Each screen has an address, and all of them the same page.
    name = "index.html" if re.match(r"(l|i)/|about$", name) else name
    path = os.path.join(os.environ["ROWHOUSE_PAGES"], name)
    with open(os.path.join(path, "index.html") if os.path.isdir(path) else path, "rb") as file:
        body = file.read()
    built_in = route.fetch()
    # A file that is new is not in the program yet.
    if built_in.status == 404:
        route.fulfill(body=body, content_type=mimetypes.guess_type(name)[0])
    else:
        route.fulfill(response=built_in, body=body)


def texts_from_disk(route):
    """Answers with the page's texts as they are in the source just now, because new ones are not in the program yet."""
    answer = route.fetch()
    if answer.status != 200:
        return route.fulfill(response=answer)
    body = answer.json()
    catalogue = body["texts"] if "/v1/start" in route.request.url else body
    name = {"en": "English", "ar": "Arabic"}[catalogue["language"]]
    source = os.path.join(os.environ["ROWHOUSE_PAGES"], f"../../API/Languages/InterfaceText+{name}.swift")
    with open(source, encoding="utf-8") as file:
        catalogue["texts"] |= re.findall(r'case \.(\w+):\s+"(.*)"', file.read())
    return route.fulfill(response=answer, json=body)


class Window:
    """A browser of its own, with one page open, and what it complained of."""

    def __init__(self, browser, address, offers=False, **options):
        options.setdefault("viewport", PHONE)
        options.setdefault("locale", "en-GB")
        # Requests that a worker answers cannot be routed.
        options.setdefault("service_workers", "block")
        self.context = browser.new_context(**options)
        if "ROWHOUSE_PAGES" in os.environ:
            self.context.route(re.compile(
                r"://[^/]+/((modules|docs|client|labels)/[\w-]+\.(js|css)|docs|labels|style\.css|theme\.js|icon\.svg|[li]/[^?]+|about)?(\?|$)"),
                from_disk)
            self.context.route(re.compile(r"/v1/(texts|start)(\?|$)"), texts_from_disk)
        # The offer to protect the server would stand in front of other messages.
        if not offers:
            path = urlsplit(address).path.rstrip("/")
            name = f"rowhouse {path} protection" if path else "rowhouse.protection"
            self.context.add_init_script(f"origin === 'null' || localStorage.setItem('{name}', 'offered')")
        self.page = self.context.new_page()
        for name in ("goto", "reload"):
            setattr(self.page, name, self._after_steps(getattr(self.page, name)))
        self.address = address
        self.complaints = []
        self.expected = []
        self.requests = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append((request.method, request.url)))

    def _after_steps(self, leave):
        """Leaves the page once a closed sheet has left its history. A browser gives up a navigation for a step in the history."""
        def leave_after_steps(*given, **options):
            with contextlib.suppress(Error):
                self.page.wait_for_function("() => !history.state?.isSheet || document.querySelector('dialog[open]')")
            return leave(*given, **options)
        return leave_after_steps

    def _console(self, message):
        # The store learns from refused reads that a list has changed or is gone.
        address = message.location.get("url", "")
        is_read = re.search(r"/v1/(lists|items)/[^/?]+(/rows\?.*limit=1000.*)?$", address)
        if is_read and re.search(r"404|409|410", message.text):
            return
        if message.type in ("error", "warning") and "blocked by Playwright" not in message.text:
            self.complaints.append(f"{message.text} {address}")

    def open(self):
        self.page.goto(self.address)
        self.page.locator(".stage:not([aria-busy]) .screen h1").wait_for()
        return self.page

    def keep_token(self, token):
        """Begins as a browser in which somebody has signed in before."""
        self.context.add_init_script(
            f"origin === 'null' || (localStorage.getItem('rowhouse.token') ?? localStorage.setItem('rowhouse.token', '{token}'))")

    def expect_complaints(self, pattern):
        """What a test provokes, such as the browser's own word about a refused request."""
        self.expected.append(pattern)

    def expect_gone(self):
        """The page asks whether the list or item on the screen still exists, and the browser reports the answer 410."""
        self.expect_complaints("410")

    def close(self):
        # An answer that a test holds back comes while the page is still there. Its request may be gone by then.
        with contextlib.suppress(Error):
            self.page.unroute_all(behavior="wait")
        # Pages that are closed may still wait for files.
        self.context.unroute_all(behavior="ignoreErrors")
        self.context.close()
        left = [text for text in self.complaints if not any(re.search(one, text) for one in self.expected)]
        assert left == [], "the console has complaints"


@pytest.fixture
def windows(browser, server):
    """Makes windows that look at the server; none may leave a complaint in its console."""
    made = []

    def open_window(address=None, **options):
        window = Window(browser, address or server.address, **options)
        made.append(window)
        return window

    yield open_window
    for window in made:
        window.close()


@pytest.fixture
def kitchen(server):
    """A list of three things: its id and theirs."""
    return server.make_list("Kitchen", ["Kettle", "Mixer", "Toaster"])


@pytest.fixture
def window(windows, kitchen):
    return windows()


@pytest.fixture
def start(window):
    """The first screen."""
    return window.open()


@pytest.fixture
def page(start):
    """The kitchen's screen."""
    enter(start, "Kitchen")
    return start


@pytest.fixture
def editing(page):
    """The kitchen's screen in edit mode."""
    bar(page, "edit").click()
    expect(bar(page, "done")).to_be_visible()
    return page


def body_of(request):
    """The body of a request that the page has sent. WebDriver BiDi does not tell it."""
    if request.post_data is None and request.frame.page.context.browser.browser_type.name != "chromium":
        pytest.skip("the driver has no bodies of requests")
    return request.post_data


def titles(page):
    """The rows on the screen from top to bottom, the sentinel too."""
    rows = page.locator(".screen:not([inert]) .rows > li:not([inert])")
    return rows.evaluate_all(
        """rows => rows.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
            .map((row) => row.querySelector('.row-title, .row-tail')?.textContent ?? '…')""")


def expect_titles(page, wanted):
    """Waits until the rows are these."""
    try:
        page.wait_for_function(
            """wanted => {
              const rows = [...document.querySelectorAll('.screen:not([inert]) .rows > li:not([inert])')];
              rows.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
              const found = rows.map((row) => row.querySelector('.row-title, .row-tail')?.textContent ?? '…');
              return JSON.stringify(found) === JSON.stringify(wanted);
            }""", arg=wanted, timeout=10_000)
    except Exception as error:
        raise AssertionError(f"{titles(page)} are not {wanted}") from error


def wait_until(page, condition, timeout=10):
    """Waits until an asynchronous function of the page returns true. `wait_for_function` takes its promise for true."""
    deadline = time.monotonic() + timeout
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, f"{condition} never returned true"
        page.wait_for_timeout(50)


def expect_stored(page, list_id):
    """Waits until the browser has stored a list, which it does a while after the page was loaded."""
    wait_until(page, f"""async () => {{
      const stored = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
      for (const {{ name }} of await indexedDB.databases()) {{
        const database = await stored(indexedDB.open(name));
        const records = database.objectStoreNames.contains('records') && database.transaction('records').objectStore('records');
        const isThere = records && await stored(records.getKey('list/{list_id}'));
        database.close();
        if (isThere) return true;
      }}
      return false;
    }}""", timeout=20)


def expect_kept(page, server, parent, wanted):
    """Waits until the server has these rows in a list, too: the page shows a change before it is answered."""
    deadline = time.monotonic() + 10
    while (found := server.rows(parent)) != wanted:
        assert time.monotonic() < deadline, f"{found} are not {wanted}"
        page.wait_for_timeout(20)


def expect_place_kept(page):
    """Waits until the server has the list on the screen as a place: the page saves it in the background."""
    deadline = time.monotonic() + 10
    while not page.evaluate("""async () => {
      const read = async (path) => (await fetch(`/v1/navigators${path}`)).json();
      const list = location.pathname.split('/').at(-1);
      const places = await Promise.all((await read('')).navigators.map(({ id }) => read(`/${id}`)));
      return places.some(({ tabs }) => tabs.some(({ stack }) => stack.at(-1).listId === list));
    }"""):
        assert time.monotonic() < deadline, "the place is not kept"
        page.wait_for_timeout(50)


def row(page, title):
    """The row of a title."""
    return page.locator(".screen:not([inert]) .rows > li:not([inert])").filter(
        has=page.locator(".row-title", has_text=re.compile(f"^{re.escape(title)}$")))


def enter(page, title):
    """Taps a row, and waits for its screen."""
    row(page, title).locator("[data-control=main]").click()
    expect(heading(page)).to_have_text(title)
    # The screen before has slid away.
    expect(page.locator(".screen")).to_have_count(1)


def back(page, title):
    """Goes back to the screen of a title."""
    bar(page, "back").click()
    expect(heading(page)).to_have_text(title)
    expect(page.locator(".screen")).to_have_count(1)


def heading(page):
    return page.locator(".screen:not([inert]) h1")


def bar(page, action):
    """A button of the screen's bars."""
    return page.locator(f".screen:not([inert]) > header [data-action={action}], "
                        f".screen:not([inert]) > footer [data-action={action}]")


def settle(page):
    """Waits until nothing moves or fades any more. What follows the scrolling has no end."""
    page.evaluate("() => Promise.all(document.getAnimations().filter((one) => one.timeline === document.timeline).map((one) => one.finished.catch(() => {})))")


def sheet(page):
    """The sheet that is open on top."""
    return page.locator("dialog[open]").last


def drag(page, title, by_rows):
    """Drags a row by its grip with the mouse; what it answers lets go."""
    settle(page)
    grip = row(page, title).locator("[data-control=grip]").bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    height = row(page, title).bounding_box()["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x, y + by_rows * height * step / 8)
        page.wait_for_timeout(20)
    return lambda: page.mouse.up()


def landed(page):
    """Waits until a row that was dropped has landed, which is when the server has answered."""
    page.wait_for_function("() => !document.querySelector('.is-landing')")


def menu(page, name):
    """Chooses in the sidebar, or behind the three dots."""
    beside = page.locator(".sidebar [data-entry]:visible").get_by_text(name, exact=True)
    if beside.count():
        beside.click()
        return
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    sheet(page).get_by_role("button", name=name, exact=True).click()


def sign_out(page):
    menu(page, "Sign out")
    sheet(page).locator("[data-answer=yes]").click()


def move_to(page):
    """The button that moves, in the sheet that asks where to."""
    return sheet(page).locator("[data-action=move]")


def save(page):
    sheet(page).locator("[data-action=save]").click()


def choose(page, kind):
    """Chooses what is to be added."""
    sheet(page).get_by_role("radio", name=kind).check()
