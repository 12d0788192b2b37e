"""Answers that come late, slowly, or not at all."""

import time


def slow(page, pattern, by=500):
    """Has answers come later by so many milliseconds."""
    def late(route):
        page.wait_for_timeout(by)
        route.continue_()
    page.route(pattern, late)


class Silence:
    """A time in which the page reaches the server, but hears no events."""

    def __init__(self, window):
        self.page = window.page
        window.expect_complaints("ERR_|Failed to load")

    def __enter__(self):
        self.page.route("**/v1/events*", lambda route: route.abort())
        # Ends the open event stream.
        self.page.evaluate("() => void dispatchEvent(new Event('offline'))")

    def __exit__(self, *_):
        self.page.unroute("**/v1/events*")
        with self.page.expect_response("**/v1/events*"):
            self.page.evaluate("() => void dispatchEvent(new Event('online'))")


class Lost:
    """A time in which the server does the writes of one method, but the page gets no answers to them."""

    def __init__(self, window, method, pattern):
        self.page = window.page
        self.method = method
        self.pattern = pattern
        self.is_over = False
        window.expect_complaints("ERR_|Failed to load")

    def __enter__(self):
        self.page.route(self.pattern, self._lose)

    def __exit__(self, *_):
        # A request may be held just now, so the route stays.
        self.is_over = True

    def _lose(self, route):
        if self.is_over or route.request.method != self.method:
            return route.fallback()
        route.fetch()
        return route.abort()


class Late:
    """Holds the first answer to a request back: what the server said when it was asked, or, of a write, says then."""

    def __init__(self, page, pattern, is_write=False):
        self.page = page
        self.is_write = is_write
        self.held = None
        page.route(pattern, self._hold, times=1)

    def _hold(self, route):
        self.held = (route, None if self.is_write else route.fetch())

    def wait(self):
        """Until it has been asked for."""
        deadline = time.monotonic() + 10
        while self.held is None and time.monotonic() < deadline:
            self.page.wait_for_timeout(20)

    def come(self):
        """Lets it go, until the page has had the time to show it."""
        route, answer = self.held
        with self.page.expect_event("requestfinished", lambda request: request.url == route.request.url):
            if answer:
                route.fulfill(response=answer)
            else:
                route.continue_()
        self.page.evaluate("() => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 100))")
