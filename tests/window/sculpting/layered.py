# SPDX-License-Identifier: GPL-3.0-or-later
"""Sculpt layers in the panel: a stroke goes to the active one, its opacity and mute change the sculpt, it is renamed in place, merged and
deleted; each is one step."""

import math

from harness import answer
from driver import enter, opened, pose_points, stroke
from limbs import limbs

TALL = (1100, 1500)


def furthest(one, other):
    return max(math.dist(p, q) for p, q in zip(one, other))


def rows(state):
    return [(row["name"], round(row["opacity"], 6), row["muted"], row["active"]) for row in state["sculpt_layers"]]


def menu(window, layer, entry):
    window.click(f"side/{layer}##sculpt-layer", button=3)
    window.click("popup/" + entry)


def strokes_go_to_the_active_layer_and_the_sculpt_is_the_sum(folder):
    project = limbs(folder)
    shown = lambda: pose_points(project, folder, "bent")
    with opened(project, TALL) as window:
        enter(window, "bent")
        window.key("KP_End", "front")
        skin = shown()
        assert stroke(window, joint="lower_l", brush="Inflate")["sculpt_layers"] == []
        first = shown()
        window.click("side/Add layer")
        window.wait("sculpt-layer-add")
        state = window.report()
        assert rows(state) == [("base", 1, False, False), ("layer", 1, False, True)], rows(state)
        assert state["undo"] == "change sculpt layers of bent" and furthest(shown(), first) < 1e-6
        stroke(window, joint="lower_r", brush="Inflate")
        both = shown()
        assert furthest(both, first) > 1e-3
        # Half of the new layer: the other arm's bulge is half as high, this one's stays.
        window.type_into("side/##opacity-layer", "0.5")
        window.wait("sculpt-layer-opacity 0.5")
        window.report()
        assert furthest(shown(), [[(a + b) / 2 for a, b in zip(p, q)] for p, q in zip(first, both)]) < 1e-5
        # Beyond 1 and below 0.
        for opacity in 1.5, -0.5:
            window.type_into("side/##opacity-layer", opacity)
            window.wait(f"sculpt-layer-opacity {opacity}")
            window.report()
            assert furthest(shown(), [[a + opacity * (b - a) for a, b in zip(p, q)] for p, q in zip(first, both)]) < 1e-5
            window.key("ctrl+z", "undo")
        # Strokes on it are seen at their full size.
        middle = shown()
        stroke(window, joint="lower_r", brush="Inflate")
        assert furthest(shown(), middle) > 1e-3
        window.key("ctrl+z", "undo")
        window.report()
        assert furthest(shown(), middle) < 1e-6
        # Mute: the first stroke alone. A muted layer takes none.
        window.click("side/##sculpt-on-layer")
        window.wait("sculpt-layer-mute")
        window.report()
        assert furthest(shown(), first) < 1e-5
        x, y, _, _ = window.report()["joints"]["lower_r"]
        window.drag((x, y), [(6, 0), (6, 0)])
        state = window.report()
        assert "is muted" in state["message"] and state["alarmed"], state["message"]
        window.key("ctrl+z", "undo")
        window.report()
        assert furthest(shown(), middle) < 1e-6
        # Erase takes back the active layer alone.
        stroke(window, joint="lower_r", brush="Erase", moves=((3, 0), (3, 0), (-3, 0), (-3, 0)) * 4)
        assert furthest(shown(), first) < furthest(middle, first)
        window.click("side/base##sculpt-layer")
        window.wait("sculpt-layer base")
        assert [row[3] for row in rows(window.report())] == [True, False]
        assert furthest(first, skin) > 1e-3
    assert [row["name"] for row in answer("example", project, "layers", "bent")["layers"]] == ["layer", "base"]


def layer_is_renamed_in_place_merged_and_deleted_by_its_menu(folder):
    project = limbs(folder)
    shown = lambda: pose_points(project, folder, "bent")
    with opened(project, TALL) as window:
        enter(window, "bent")
        window.key("KP_End", "front")
        stroke(window, joint="lower_l", brush="Inflate")
        first = shown()
        window.click("side/Add layer")
        window.wait("sculpt-layer-add")
        stroke(window, joint="lower_r", brush="Inflate")
        both = shown()
        menu(window, "layer", "Rename")
        window.report()
        window.tool("key", "ctrl+a")
        window.write("folds")
        window.wait("sculpt-layer-name folds")
        assert [row[0] for row in rows(window.report())] == ["base", "folds"]
        menu(window, "folds", "Merge down")
        window.wait("sculpt-layer-merge")
        state = window.report()
        assert rows(state) == [("base", 1, False, True)] and furthest(shown(), both) < 1e-6, rows(state)
        window.key("ctrl+z", "undo")
        assert len(window.report()["sculpt_layers"]) == 2
        menu(window, "folds", "Delete")
        window.wait("sculpt-layer-remove")
        assert [row[0] for row in rows(window.report())] == ["base"] and furthest(shown(), first) < 1e-5


CASES = [strokes_go_to_the_active_layer_and_the_sculpt_is_the_sum, layer_is_renamed_in_place_merged_and_deleted_by_its_menu]
