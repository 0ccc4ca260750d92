# SPDX-License-Identifier: GPL-3.0-or-later
"""The UVs of a mesh in the window: its charts over its texture, and others after an unwrap."""

from harness import answer, data, sinew
from driver import Window

SIZE = (1100, 1010)


def shown_uvs(folder, project):
    """The square of the UVs, and the words of the panel."""
    with Window(folder, project, size=SIZE, drawn=True) as window:
        window.click("side/View")
        window.wait("tab 2")
        for section in "METHOD", "HEAT MAP", "SHOW", "CAMERA":
            window.click("side/" + section)
        state = window.report()
        picture = window.picture()
        x, y, width, height = map(round, state["words"]["side/UVs"])
        return picture.part(x, y, x + width, y + height), state["words"]


def charts_and_the_texture_are_shown(folder):
    project = folder / "man.sinew"
    sinew("import", data("characters/CesiumMan.glb"), "-o", project)
    before, words = shown_uvs(folder, project)
    assert any("charts" in word for word in words), words
    greens = before.count(lambda c: c[1] > c[0] + 20 and c[1] > c[2] + 20)
    lines = before.count(lambda c: min(c) > 200)
    print(f"{greens} green pixels, {lines} light ones of {before.width} × {before.height}")
    assert before.width > 200 and greens > 500 and lines > 500
    charts = answer("unwrap", project, "--size", "256")["charts"]
    after, words = shown_uvs(folder, project)
    assert any(f"{charts} charts" in word for word in words), words
    assert before.differing(after, 0, 0, min(before.width, after.width), min(before.height, after.height)) > 2000


CASES = [charts_and_the_texture_are_shown]
