"""What a screen reader hears of a page."""

from playwright.async_api import Page

HEAR = """
window.heard = [];
new MutationObserver((changes) => {
  for (const { target } of changes) {
    const element = target.nodeType === 1 ? target : target.parentElement;
    const spoken = element?.closest("[role=status], [role=alert]");
    if (!spoken?.textContent.trim() || !spoken.checkVisibility()) continue;
    window.heard.push([spoken.getAttribute("role"), spoken.textContent.trim()]);
  }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""To be run before the page is: keeps what is said in it, and how."""


async def heard(page: Page) -> list[list[str]]:
    told: list[list[str]] = await page.evaluate("window.heard")
    return told
