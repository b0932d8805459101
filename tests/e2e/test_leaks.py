"""A hundred screens in and out leave nothing behind."""

from playwright.async_api import CDPSession, expect

from tests.e2e.conftest import Visitors
from tests.live.server import Server

COUNT_TIMERS = """
window.timers = new Set();
for (const [start, stop] of [["setInterval", "clearInterval"],
                             ["setTimeout", "clearTimeout"]]) {
  const begin = window[start].bind(window), end = window[stop].bind(window);
  window[start] = (act, ms, ...rest) => {
    const id = begin((...args) => {
      if (start === "setTimeout") window.timers.delete(id);
      act(...args);
    }, ms, ...rest);
    window.timers.add(id);
    return id;
  };
  window[stop] = (id) => { window.timers.delete(id); end(id); };
}
"""

IN_AND_OUT = """async ([paths, times]) => {
  const settled = () =>
    new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const go = async (path, isThere) => {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
    while (!document.querySelector(isThere)) await settled();
  };
  for (let i = 0; i < times; i++) {
    for (const [path, isThere] of paths) await go(path, isThere);
    const doors = ".home .doors [data-key=rules], .kt-menu";
    for (const door of document.querySelectorAll(doors)) {
      door.click();
      while (!document.querySelector("dialog[open]")) await settled();
      document.querySelector("dialog").close();
      await settled();
    }
  }
  while (document.querySelector("dialog")) await settled();
}"""


MOST = {"Documents": 0, "JSEventListeners": 5, "Nodes": 50, "timers": 2}
"""What may have come, after sixty screens: less than a single one holds."""


async def held(devtools: CDPSession) -> dict[str, float]:
    """What the page still holds when everything that can go has gone."""
    for _ in range(3):
        await devtools.send("HeapProfiler.collectGarbage")
    told = await devtools.send("Performance.getMetrics")
    kinds = ("JSEventListeners", "Nodes", "Documents")
    return {m["name"]: m["value"] for m in told["metrics"] if m["name"] in kinds}


async def test_a_hundred_screens_in_and_out_leave_nothing_behind(
    visitors: Visitors, server: Server
) -> None:
    code = server.make_room("krieg_40")
    paths = [
        [f"/r/{code}", ".screen > footer .big"],
        [f"/r/{code}?watch", ".seats"],
        ["/", ".home .doors button"],
    ]
    page = await visitors.visit(before=COUNT_TIMERS)
    await expect(page.locator("krig-table")).to_be_visible()
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("Performance.enable")
    await page.evaluate(IN_AND_OUT, [paths, 3])
    before, timers = await held(devtools), await page.evaluate("timers.size")
    await page.evaluate(IN_AND_OUT, [paths, 20])
    for _ in range(20):  # the last screen's socket may still be closing
        after = await held(devtools)
        grown = {kind: after[kind] - before[kind] for kind in after}
        grown["timers"] = await page.evaluate("timers.size") - timers
        if all(grown[kind] <= most for kind, most in MOST.items()):
            return
        await page.wait_for_timeout(500)
    raise AssertionError(f"what stays: {grown}")
