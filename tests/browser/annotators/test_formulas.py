"""Formulas wider than their place: none is cut off without a hint."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk

pytestmark = pytest.mark.browser
WIDER, MUCH_WIDER = (rf"$$ \frac{{{' + '.join(['a'] * many)}}}{{2}} $$" for many in (12, 60))
CHAIN = "$$ " + r" \implies ".join(f"a_{number} = {number}" for number in range(9)) + " $$"
CHOICES = "$" + r" \qquad ".join(rf"\textbf{{({letter})}}\ 123456" for letter in "ABCDE") + "$"
SCROLLED = "box => box.scrollWidth > box.clientWidth"


@pytest.mark.desk(instructions="\n\n".join([WIDER, MUCH_WIDER, CHAIN, CHOICES]))
def test_they_break_then_shrink_then_scroll_with_a_faded_edge(desk: Desk, window: Window) -> None:
    page = window(desk, viewport={"width": 390, "height": 844})
    page.goto("/")
    page.get_by_text("Guidelines").click()
    shown = page.locator(".math-display")
    expect(shown).to_have_count(3)
    wider, much_wider, chain = shown.all()
    expect(chain).to_have_attribute("data-breaks", "")
    assert chain.get_attribute("style") in (None, "")
    assert not chain.evaluate(SCROLLED)
    assert chain.bounding_box()["height"] > 1.5 * wider.bounding_box()["height"]
    expect(much_wider).to_have_attribute("data-more", "end")
    assert much_wider.evaluate(SCROLLED)
    much_wider.evaluate("box => box.scrollTo(40, 0)")
    expect(much_wider).to_have_attribute("data-more", "start end")
    expect(wider).to_have_attribute("style", re.compile(r"font-size: 0\.[789]"))  # once its fonts are there
    assert not wider.evaluate(SCROLLED)
    sizes = [each.evaluate("box => parseFloat(box.style.fontSize)") for each in (wider, much_wider)]
    assert 0.75 < sizes[0] < 1
    assert sizes[1] == 0.75
    tops = page.locator(".math-part").evaluate_all("parts => parts.map(part => part.getBoundingClientRect().top)")
    assert len(tops) == 5
    assert tops[0] < tops[-1], "the choices have one line only"
    page.set_viewport_size({"width": 1000, "height": 844})
    expect(wider).to_have_attribute("style", "")
