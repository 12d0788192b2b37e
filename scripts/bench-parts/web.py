"""Measures the web app in Chromium: `web.py ADDRESS LIST`. Prints the figures as one JSON object.

LIST is the id of a list with many rows at the first level. Slow 4G is what Lighthouse means by it: 1.6 Mbit/s and a round
trip of 150 ms. The processor is slowed down to a quarter.
"""

import json
import os
import shutil
import statistics
import sys

from playwright.sync_api import sync_playwright

SLOW_4G = {"latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
SLOWDOWN = 4
TAPS = 11
SCROLLED_SECONDS = 5

# Notes when the first row is on the page, and when the page may be used.
NOTE_ROWS = """
  window.noted = {};
  new MutationObserver(() => {
    if (!document.querySelector('.rows .row-title')) return;
    noted.rows ??= performance.now();
    if (!document.querySelector('.stage').hasAttribute('aria-busy')) noted.usable ??= performance.now();
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-busy'] });
"""

TAP = """async (title) => {
  const begin = performance.now();
  [...document.querySelectorAll('.screen:not([inert]) .rows .row-title')].find((row) => row.textContent === title)
    .closest('[data-control=main]').click();
  while (document.querySelector('.screen:not([inert]) h1')?.textContent !== title) await new Promise(requestAnimationFrame);
  return performance.now() - begin;
}"""

SCROLL = """async (seconds) => {
  const scroller = document.querySelector('.screen:not([inert]) .scroller');
  const frames = [];
  let before = await new Promise(requestAnimationFrame);
  for (const end = before + 1000 * seconds; before < end;) {
    scroller.scrollTop += 400;
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  return frames;
}"""


class Traffic:
    """The requests of a page that reach the network, and their bytes with header fields."""

    def __init__(self, session):
        self.open, self.sizes = set(), {}
        session.on("Network.requestWillBeSent", lambda event: self.open.add(event["requestId"]))
        session.on("Network.requestServedFromCache", lambda event: self.open.discard(event["requestId"]))
        session.on("Network.responseReceived", self._received)
        session.on("Network.loadingFinished", self._finished)

    def _received(self, event):
        if event["response"].get("fromDiskCache"):
            self.open.discard(event["requestId"])

    def _finished(self, event):
        if event["requestId"] in self.open:
            self.sizes[event["requestId"]] = event["encodedDataLength"]

    def figures(self):
        return {"requests": len(self.sizes), "bytes": sum(self.sizes.values())}


def throttled(page, network=SLOW_4G):
    """A session that slows the page down, and its traffic."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    traffic = Traffic(session)
    session.send("Network.emulateNetworkConditions", {"offline": False, **network})
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    return traffic


def load(context, address):
    """Loads the app, and returns what it took until rows are shown, and what came later."""
    page = context.new_page()
    page.add_init_script(NOTE_ROWS)
    traffic = throttled(page)
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => window.noted?.usable", timeout=60_000)
    figures = traffic.figures()
    figures |= page.evaluate("() => noted")
    figures["paint"] = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    page.wait_for_timeout(6000)
    figures["later"] = traffic.figures()
    page.close()
    return figures


def taps(context, address, title):
    """Milliseconds from a tap on a known list until its screen is shown, while each answer takes 1.5 s longer."""
    page = context.new_page()
    page.goto(address)
    page.locator(".rows .row-title").first.wait_for()
    page.wait_for_timeout(2000)
    page.evaluate(TAP, title)
    page.go_back()
    throttled(page, {"latency": 1500, "downloadThroughput": -1, "uploadThroughput": -1})
    times = []
    for _ in range(TAPS):
        page.locator(".screen:not([inert]) .rows .row-title", has_text=title).first.wait_for()
        page.wait_for_timeout(600)
        times.append(page.evaluate(TAP, title))
        page.go_back()
    page.close()
    return statistics.median(times)


def scroll(context, address, list_id):
    """The share of frames over 50 ms while a long list is scrolled."""
    page = context.new_page()
    page.goto(f"{address}/l/{list_id}")
    page.locator(".rows .row-title").first.wait_for()
    page.wait_for_timeout(2000)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    frames = page.evaluate(SCROLL, SCROLLED_SECONDS)
    page.close()
    return sum(frame > 50 for frame in frames) / len(frames)


def main():
    address, list_id, title = sys.argv[1:]
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 390, "height": 844})
        figures = {"cold": load(context, address), "warm": load(context, address)}
        figures["tap"] = taps(context, address, title)
        figures["slow frames"] = scroll(context, address, list_id)
        browser.close()
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
