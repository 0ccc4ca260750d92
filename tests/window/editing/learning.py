# SPDX-License-Identifier: GPL-3.0-or-later
"""What a layer learns from, and which method learns, chosen with the mouse."""

from harness import answer, sample_arm, sinew, tiny_arm
from driver import OneWindow, arm, opened

TALL = (1100, 1000)  # the whole right panel
METHOD = "linear-blend-fit"


def learned(folder):
    """The tiny arm with weights that were fitted to everything there is."""
    project = tiny_arm(folder / "arm.sinew")
    sinew("fit", METHOD, project)
    return project


def layer(window):
    return next(row for row in answer("info", window.project)["stack"] if row["name"] == METHOD)


def select_layer(window):
    window.click("side/Stack")
    window.wait("tab")
    window.click("side/Linear blend, learned weights##linear-blend-fit")
    window.wait("layer ")


def what_a_fit_reads_is_chosen_in_the_panel(window):
    select_layer(window)
    window.click("side/twist##reads")
    window.wait("layer-clips examples,bend,both")
    state = window.report()
    assert state["undo"] == f"choose samples of {METHOD}" and not state["alarmed"], (state["undo"], state["message"])
    assert layer(window)["fitted_on"] == "examples,bend,both" and answer("stack", window.project, "list")["layers"][1]["stale"]
    window.click("side/Every n-th")
    window.wait("layer-frames every:4")
    window.key("ctrl+f", "fit")
    state = window.report()
    while state["dialog"]:
        window.click("Keep this fit?/Keep")
        window.wait("fit-keep")
        state = window.report()
    subjects = [row["subject"] for row in state["errors"]]
    assert "twist, held out" in subjects and "bend" in subjects, subjects
    assert layer(window)["fitted_on"] == "examples,bend,both", layer(window)
    assert {row["against"] for row in answer("measure", window.project)["errors"] if row["held_out"]} == {"twist"}
    select_layer(window)
    window.click("side/twist##reads")
    window.wait("layer-clips all")
    assert "fitted_on" not in layer(window) or layer(window)["fitted_on"] == "all", layer(window)


def last_sample_cannot_be_switched_off(window):
    select_layer(window)
    for name, left in ("twist", "examples,bend,both"), ("both", "examples,bend"), ("Sculpts", "bend"):
        window.click(f"side/{name}##reads")
        window.wait("layer-clips " + left)
    window.click("side/bend##reads")
    state = window.report()
    assert layer(window)["fitted_on"] == "bend" and not state["alarmed"], state["message"]


def hot_pixels(picture, rect):
    """Of the picture above these words, with the colours of the heat map."""
    x, y, width, height = map(round, rect)
    return picture.part(x, y - 10 * height, x + width, y).count(lambda pixel: max(pixel) - min(pixel) > 60)


def method_is_chosen_by_the_sculpts_that_it_has_not_seen(folder):
    project = sample_arm(folder / "bar.sinew", fitted=True, sample="twist-bar")
    said = [row["method"] for row in answer("compare", project)["methods"] if not row["failure"]]
    with opened(project, TALL, drawn=True) as window:
        window.click("side/Stack")
        window.wait("tab")
        window.click("side/Which method?")
        window.wait("compare-methods")
        state = window.report()
        tiles = [name.split("/")[-1] for name in state["widgets"] if "Keep##" in name]
        assert tiles == [f"Keep##{method}" for method in said if method], (tiles, said)
        picture = window.picture("F12")
        sculpt, answer_of_none = (next(rect for name, rect in {**state["words"], **state["widgets"]}.items()
                                       if name.endswith("/" + words)) for words in ("Your sculpt", "Without learning"))
        assert hot_pixels(picture, answer_of_none) > 500 > hot_pixels(picture, sculpt), "there is no heat map"
        keep = next(name for name in state["widgets"] if name.endswith("Keep##pose-regression"))
        window.tool("mousemove", *map(round, answer_of_none[:2]))
        while window.report()["widgets"][keep][1] > 740:  # below the foot of the list
            window.tool("click", 5)
        window.click(keep)
        window.wait("method-keep pose-regression")
        state = window.report()
        assert not state["alarmed"] and not state["dialog"], (state["message"], state["dialog"])
        assert state["undo"] == "fit pose-regression"
    layers = {layer["name"]: layer["muted"] for layer in answer("stack", project, "list")["layers"]}
    assert layers == {"linear-blend": False, "inverse-psd": True, "pose-regression": False}, layers


def list_of_methods_has_a_picture_for_each(folder):
    with opened(arm(folder, fitted=False), TALL, drawn=True) as window:
        open_list(window)


def open_list(window):
    window.click("side/Stack")
    window.wait("tab")
    window.click("side/##add-layer")
    rows = {name: rect for name, rect in window.report()["widgets"].items() if name.startswith("list/")}
    picture = window.picture("F12")
    seen = [name for name, rect in rows.items() if 0 < rect[1] < TALL[1] - 60]
    assert len(seen) > 5, rows
    for name in seen:
        x, y, _, height = map(round, rows[name])
        part = picture.part(x - 60, y, x - 8, y + 2 * height)
        assert len({row[i:i + 3] for row in part.rows for i in range(0, len(row), 4)}) > 50, name
    window.tool("key", "Escape")


CASES = [*OneWindow(learned, size=TALL).cases(what_a_fit_reads_is_chosen_in_the_panel, last_sample_cannot_be_switched_off),
         list_of_methods_has_a_picture_for_each, method_is_chosen_by_the_sculpts_that_it_has_not_seen]
