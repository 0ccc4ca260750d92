# SPDX-License-Identifier: GPL-3.0-or-later
"""The curve of a bake: made in the background, a click on it shows a skin, and one step keeps that."""

import json
import math
import sys
from pathlib import Path

from harness import sinew
from driver import Window, home, opened

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "data"))
from make import Document  # noqa: E402 pylint: disable=wrong-import-position

SIZE = (1100, 1010)


def project(folder, sample="twist-bar"):
    """A small one: it is baked in a moment."""
    made = folder / f"{sample}.sinew"
    if not made.exists():
        sinew("sample", sample, "-o", made)
        sinew("fit", "inverse-psd", made)
    return made


def baked(window):
    """In the Stack tab, with two morph targets at most, after the bake."""
    window.click("side/Stack")
    window.wait("tab 1")
    window.type_into("side/Morph targets", 2)
    window.wait("bake-budget morphs=2")
    window.click("side/Bake")
    window.wait("bake")
    return window.report()


def click_shows_a_skin_and_one_step_keeps_it(folder):
    with Window(folder, project(folder), size=SIZE, drawn=True) as window:
        window.click("poses/turned-180")
        window.wait("pose turned-180")
        plain = window.picture()
        state = baked(window)
        assert state["baked"] == ["1 influence, 0 morphs", "2 influences, 0 morphs", "4 influences, 0 morphs", "4 influences, 2 morphs", "4 influences, 4 morphs"], state["baked"]
        assert state["baked_shown"] == 3 and not state["alarmed"], state["message"]
        history, layers = state["history"], state["layers"]
        window.click("side/skin-0")
        window.wait("bake-show 0")
        assert window.report()["baked_shown"] == 0
        worst = window.picture()
        assert window.changed(plain, worst) > 200
        window.key("alt+Right", "bake-larger")  # the next in size
        assert window.report()["baked_shown"] == 1
        window.click("side/2 morphs##row-3")
        window.wait("bake-show 3")
        state = window.report()
        assert state["baked_shown"] == 3 and state["history"] == history and state["layers"] == layers, state["message"]
        assert window.changed(worst, window.picture()) > 200
        window.click("side/Keep this skin")
        window.wait("bake-keep")
        kept = window.report()
        assert kept["history"] == [*history, "bake 4 influences, 2 morphs"], kept["history"]
        assert kept["layers"] == [*layers, "baked", "baked-morphs"] and kept["baked_shown"] == -1 and "baked" not in kept, kept["layers"]
        window.key("ctrl+z", "undo")
        assert window.report()["layers"] == layers
        window.key("ctrl+y", "redo")
        assert window.report()["layers"] == kept["layers"]
    stack = json.loads(sinew("stack", project(folder), "list", "--json").stdout)["layers"]
    assert [(layer["name"], layer["muted"]) for layer in stack] == [("linear-blend", True), ("inverse-psd", True), ("baked", False), ("baked-morphs", False)], stack


def errors_are_shown_in_the_unit_that_is_chosen(folder):
    """In the chart, in the list and below the curve: as lengths until E_RMS is chosen in Preferences."""
    with Window(folder, project(folder), size=SIZE) as window:
        window.click("poses/turned-180")
        window.wait("pose turned-180")
        baked(window)
        for chosen, title, other in ((None, "Mean error, mm", "E_RMS"), ("E_RMS", "E_RMS", "ean error")):
            if chosen:
                window.key("ctrl+comma", "preferences")
                window.click("Preferences/" + chosen)
                window.wait("prefer error-unit erms")
                window.key("Escape", "escape")
            words = [name.split("/", 1)[1] for name in window.report()["words"] if name.startswith("side/")]
            assert any(word.startswith(title) for word in words), words
            assert any(word.startswith("Each joint alone") for word in words), words
            assert not any(other in word or "of the diagonal" in word for word in words), words


def other_changes_end_what_is_shown(folder):
    """A bake is of the project as it was; when a change is undone, it is again. Nothing of it is stored unless it is kept."""
    script = folder / "script.txt"
    script.write_text("\n".join(["window pose turned-180", "window bake influences=1", "window report", "stack mute inverse-psd", "window report", "undo", "window report",
                                 "window bake-drop", "window report", "window bake-keep"]), encoding="utf-8")
    ended = sinew("view", project(folder), "--script", script, "--echo", "--size", "320x240", env=home(folder, drawn=False), status=1)
    shown, changed, again, dropped = [json.loads(line.split(" ", 1)[1]) for line in ended.stdout.splitlines() if line.startswith("report {")]
    assert shown["baked"] == ["1 influence, 0 morphs"] and shown["baked_shown"] == 0, shown["message"]
    assert changed["baked_shown"] == -1 and "baked" not in changed, changed["message"]
    assert again["baked_shown"] == 0 and again["history"] == shown["history"], again["message"]
    assert dropped["baked_shown"] == -1 and "baked" not in dropped, dropped["message"]
    assert "There is no baked skin to keep" in ended.stderr, ended.stderr


def played(project, folder, *commands):
    """The reports of a script on a project, and what it said on standard error. A warning ends the script."""
    script = folder / "script.txt"
    script.write_text("\n".join([*commands, "window quit", ""]), encoding="utf-8")
    ended = sinew("view", project, "--script", script, "--echo", "--size", "320x240", env=home(folder, drawn=False), status=None,
                  timeout=120)
    return [json.loads(line.split(" ", 1)[1]) for line in ended.stdout.splitlines() if line.startswith("report {")], ended.stderr


def a_bake_of_the_project_is_made_again_with_its_budget(folder):
    """No fit can do that, and one step replaces it."""
    made = project(folder)
    sinew("bake", made, "--budget", "influences=1,morphs=1", "--for", "three")
    sinew("fit", "inverse-psd", made, "--set", "kernel=linear")
    layers = [layer["name"] for layer in json.loads(sinew("stack", made, "list", "--json").stdout)["layers"]]
    assert "This layer is baked from the layers below it; press Bake" in played(made, folder, f"window layer {layers.index('baked')}", "window fit")[1]
    (before, shown, kept, undone), _ = played(made, folder, "window report", "window bake", "window report", "window bake-keep", "window report", "undo", "window report")
    assert before["layers"] == kept["layers"] == undone["layers"] == layers, (before, kept, undone)
    assert shown["baked"] == ["1 influence, 0 morphs", "1 influence, 1 morph"], shown["baked"]
    assert kept["history"] == [*before["history"], "bake 1 influence, 1 morph"], kept["history"]
    sinew("redo", made)
    assert not any(layer["stale"] for layer in json.loads(sinew("stack", made, "list", "--json").stdout)["layers"])


def a_fit_below_a_bake_that_makes_the_examples_worse_asks_first(folder):
    """The bake plays on, so both errors are those of the layers that it reads."""
    made = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", made)
    sinew("fit", "linear-blend-fit", made)
    sinew("bake", made, "--budget", "influences=1,morphs=1")
    layer = [row["name"] for row in json.loads(sinew("stack", made, "list", "--json").stdout)["layers"]].index("linear-blend-fit")
    (before, asked, kept), _ = played(made, folder, f"window layer {layer}", "stack set linear-blend-fit --set influences=1", "window report", "window fit", "window report", "window fit-keep", "window report")
    assert before["dialog"] == 0 and asked["dialog"] != 0 and asked["history"] == before["history"], asked["message"]
    assert kept["dialog"] == 0 and kept["history"] == [*before["history"], "fit linear-blend-fit"], kept["history"]


def a_project_without_a_bake_has_no_budget_and_engine_of_another(folder):
    other = folder / "other.sinew"
    sinew("sample", "twist-bar", "-o", other)
    made = project(folder)
    sinew("bake", made, "--budget", "influences=1,morphs=1", "--for", "three")
    (baked_before, opened, bare), _ = played(made, folder, "window report", f"window open {other}", "window report", "window bake", "window report")
    assert baked_before["engine"] == "three" and not opened["engine"], opened["engine"]
    assert any(name.startswith("4 influences") for name in bare["baked"]), bare["baked"]


def write_tube(path):
    """A tube whose points follow six of its eight joints each."""
    document = Document()
    points = [(0.1 * ring, 0.1 * math.cos(side * math.pi / 2), 0.1 * math.sin(side * math.pi / 2)) for ring in range(41) for side in range(4)]
    firsts = [max(0, min(2, round(x / 0.5) - 3)) for x, _, _ in points]
    weights = [[1 / (0.2 + abs(x - 0.5 * (first + i))) for i in range(6)] for (x, _, _), first in zip(points, firsts)]
    weights = [[w / sum(row) for w in row] + [0, 0] for row in weights]
    joints = [[first + i if i < 6 else 0 for i in range(8)] for first in firsts]
    attributes = {"POSITION": document.floats("VEC3", points, bounded=True)}
    for part in (0, 1):
        attributes[f"JOINTS_{part}"] = document.add("VEC4", 5123, [row[4 * part:4 * part + 4] for row in joints])
        attributes[f"WEIGHTS_{part}"] = document.floats("VEC4", [row[4 * part:4 * part + 4] for row in weights])
    faces = document.add("SCALAR", 5123, [(n,) for r in range(40) for k in range(4) for a, b in [(4 * r + k, 4 * r + (k + 1) % 4)] for n in (a, b, a + 4, b, b + 4, a + 4)])
    times = document.floats("SCALAR", [(k / 12,) for k in range(25)], bounded=True)
    rotations = [document.floats("VEC4", [(0, math.sin(a), 0, math.cos(a)) for k in range(25) for a in [0.3 * math.sin(0.5 * k + j)]]) for j in range(8)]
    path.write_bytes(document.gltf({
        "scenes": [{"nodes": [0, 8]}], "meshes": [{"primitives": [{"attributes": attributes, "indices": faces}]}],
        "nodes": [*({"name": f"j{j}", "translation": [0.5 if j else 0, 0, 0], **({"children": [j + 1]} if j < 7 else {})} for j in range(8)),
                  {"name": "tube", "mesh": 0, "skin": 0}],
        "skins": [{"joints": list(range(8)), "inverseBindMatrices": document.floats("MAT4", [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.5 * j, 0, 0, 1) for j in range(8)])}],
        "animations": [{"name": "wave", "samplers": [{"input": times, "output": rotation} for rotation in rotations],
                        "channels": [{"sampler": j, "target": {"node": j, "path": "rotation"}} for j in range(8)]}]}))


def a_kept_bake_is_exported_as_it_was_made(folder):
    """With all its influences, and for its engine."""
    made, file = folder / "tube.sinew", folder / "tube.gltf"
    write_tube(folder / "import.gltf")
    sinew("import", folder / "import.gltf", "-o", made)
    sinew("bake", made, "--budget", "influences=8", "--for", "babylon")
    (report,), said = played(made, folder, f"window export {file}", "window export-write", "window report")
    assert report["message"] == "Exported tube.gltf." and not said, (report["message"], said)
    assert "JOINTS_1" in json.loads(file.read_text())["meshes"][0]["primitives"][0]["attributes"]
    assert report["engine"] == "babylon", report["engine"]
    (report,), _ = played(made, folder, "window bake-engine three", f"window export {file}", "window export-write", "window report")
    assert report["engine"] == "three" and "JOINTS_1" not in json.loads(file.read_text())["meshes"][0]["primitives"][0]["attributes"]
    assert "8: three.js plays 4" in played(made, folder, "window bake-engine three", "window bake")[1]
    waiting, same = played(made, folder, f"window export {file}", "window report", "window export", "window report")[0]
    assert waiting["dialog"] == same["dialog"] != 0, "what another export loses was not answered"
    assert "is neither written nor discarded" in played(made, folder, f"window export {file}", f"window export {folder / 'other.gltf'}")[1]
    (report,), said = played(made, folder, f"window export {folder / 'tube.pc2'}", "window report")
    assert "Exported tube.pc2: " in report["message"] and "The normals of its faces are 0.00° off" in report["message"], report["message"]


def cancelled_bake_changes_nothing(folder):
    with opened(project(folder, "small-arm"), SIZE) as window:
        window.click("side/Stack")
        window.wait("tab 1")
        window.click("side/Bake")
        window.wait("bake")
        while "side/Cancel" not in (state := window.report_at_once())["widgets"]:
            assert state["busy"], "the bake was done before it could be cancelled"
        window.click("side/Cancel", state=state)
        window.wait("cancel")
        after = window.report()
        assert "baked" not in after and after["baked_shown"] == -1 and "cancelled" in after["message"], after["message"]


CASES = [errors_are_shown_in_the_unit_that_is_chosen, click_shows_a_skin_and_one_step_keeps_it, other_changes_end_what_is_shown,
         cancelled_bake_changes_nothing, a_bake_of_the_project_is_made_again_with_its_budget,
         a_project_without_a_bake_has_no_budget_and_engine_of_another, a_kept_bake_is_exported_as_it_was_made]
LONG = [a_fit_below_a_bake_that_makes_the_examples_worse_asks_first]
