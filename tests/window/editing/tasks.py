# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten tasks of a day on a dressed figure, by the mouse and the keys, with the number of actions that each takes at most. An action is a
click, a drag, a key, or a text with Return."""

import sqlite3
from contextlib import closing

from harness import answer, sample_arm, sinew, tiny_arm
from driver import Window, bind_keys, enter, opened, pose_points, stroke

SIZE = 1280, 800
SHARE = 0.5  # of the way to a sculpt


class Actions:
    """A person's, counted. Where things are is read from a report, which is none."""

    def __init__(self, window):
        self.window, self.count = window, 0

    def _act(self, done):
        self.count += 1
        if done:
            self.window.wait(done)

    def click(self, name, done=None, button=1):
        self.window.click(name, button)
        self._act(done)

    def click_joint(self, name):
        self.window.point(*self.window.report()["joints"][name][:2])
        self.window.tool("click", 1)
        self._act("joint " + name)

    def click_to_type(self, name):
        self.window.open_field(name)
        self._act(None)

    def write(self, words, done):
        self.window.report()  # the field is there
        self.window.tool("key", "ctrl+a")  # a person types over what is selected
        self.window.write(words)
        self._act(done)

    def key(self, key, done):
        self.window.tool("key", key)
        self._act(done)

    def drag_over(self, joint, moves=((5, 0), (5, 0), (5, 0)), done="stroke-end"):
        x, y, _, _ = self.window.report()["joints"][joint]
        self.window.drag((x, y), moves)
        self._act(done)


def calm(window):
    state = window.report()
    assert not state["alarmed"], state["message"]
    return state


def examples(window):
    return {row["name"]: row for row in answer("example", window.project, "list")["examples"]}


def farthest(one, two):
    return max(sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5 for p, q in zip(one, two))


def opens(window, do):
    do.click("welcome/dressed.sinew", "open ")
    assert calm(window)["path"] == str(window.project)


def exact_elbow(window, do):
    do.click_joint("lower_arm_l")
    do.click_to_type("side/y##rotation")
    do.write("-75", "rotate ")
    assert abs(float(window.lines_read[-1].split()[2]) + 75) < 1e-9, window.lines_read[-1]
    assert calm(window)["undo"], "nothing is stored"


def first_corrective(window, do):
    do.key("Tab", "posing")
    do.drag_over("lower_arm_l")
    state = calm(window)
    name = state["example"]
    assert abs(state["examples"][name] - 1) < 1e-3 and "inverse-psd" in state["layers"], state["examples"]
    mesh = examples(window)[name]["mesh"]
    shapes = [pose_points(window.project, window.folder, name, method, mesh) for method in (None, "linear-blend")]
    assert farthest(*shapes) > 1e-3


def mirror(window, do):
    before = examples(window)
    do.click("side/Mirror", "example-mirror")
    calm(window)
    assert len(examples(window)) == len(before) + 1


def in_between(window, do):
    before = examples(window)
    do.click("side/Between", "example-between")
    do.write("50", "example-between 50")
    made, = examples(window).keys() - before.keys()
    assert calm(window)["example"] == made


def combination(window, do):
    groups = list(window.report()["groups"])
    do.click("side/Combine", "group-combine")
    do.write(next(name for name in groups if name != window.report()["group"]), "group-combine ")
    made, = set(calm(window)["groups"]) - set(groups)
    assert len(window.report()["groups"][made]["joints"]) == 2


def next_frame_of_the_clip(window, do):
    do.key("ctrl+Right", "sculpt-next")
    state = calm(window)
    assert state["clip"] == "wave" and state["sculpting"]
    there, before = state["seconds"], examples(window)
    Actions(window).drag_over("lower_arm_l")  # the frame is ready for it
    state = calm(window)
    assert len(examples(window)) == len(before) + 1 and (state["clip"], state["seconds"]) == ("wave", there)


def weights_of_a_joint(window, do):
    do.click("outliner/upper_arm_l", button=3)
    do.click("popup/Paint weights", "paint-weights upper_arm_l")
    do.drag_over("upper_arm_l", moves=((8, 0), (8, 0)))
    assert calm(window)["undo"].startswith("paint"), window.report()["undo"]


def target_and_heat_map(window, do):
    do.key("ctrl+t", "target-add")
    do.write("played.pc2", "target-add")
    state = calm(window)
    assert state["shown"] == "error", state["shown"]


def export_with_its_error(window, do):
    do.key("ctrl+e", "export")
    do.write("out.glb", "export ")
    words = window.report()["words"]
    assert any("points at most" in text or "from where you see them" in text for text in words), words
    do.key("Return", "export-write")
    calm(window)
    assert (window.folder / "out.glb").exists()


TASKS = ((opens, 1), (exact_elbow, 3), (first_corrective, 2), (mirror, 1), (in_between, 2), (combination, 2), (next_frame_of_the_clip, 1),
         (weights_of_a_joint, 3), (target_and_heat_map, 2), (export_with_its_error, 3))


def prepare(folder):
    """A project that was open before, at the front, and frames of its clip as another program made them."""
    project = folder / "dressed.sinew"
    sinew("sample", "dressed", "-o", project)
    sinew("export", project, "-o", folder / "played.pc2", "--clip", "wave", "--mesh", "body")
    with Window(folder, project, size=SIZE) as window:
        window.key("KP_End", "front")
    return project


def day_of_ten_tasks_takes_few_actions(folder):
    bind_keys(folder)
    project = prepare(folder)
    with Window(folder, size=SIZE) as window:
        window.project = project
        for task, most in TASKS:
            do = Actions(window)
            task(window, do)
            assert do.count <= most, f"{task.__name__}: {do.count} actions"


def stale_layers(project):
    return [layer["name"] for layer in answer("stack", project, "list")["layers"] if layer["stale"]]


def one_key_fits_all_that_is_stale(folder):
    project = tiny_arm(folder / "arm.sinew")
    for method in "linear-blend-fit", "pose-regression":
        sinew("fit", method, project)
    sinew("stack", project, "set", "linear-blend-fit", "--set", "influences=2")
    assert stale_layers(project) == ["linear-blend-fit", "pose-regression"]
    with opened(project) as window:
        window.key("ctrl+f", "fit")
        for layer in "linear-blend-fit", "pose-regression":
            window.wait(f"fit {layer}")
            state = window.report()
            assert state["undo"].split()[-1] != "pose-regression" or layer == "pose-regression", "it did not wait for the one below"
            if state["dialog"]:  # worse as long as what is above it is stale
                window.click("Keep this fit?/Keep")
                window.wait("fit-keep")
        calm(window)
    assert not stale_layers(project)


def sculpted(project, *fits):
    """An arm that knows no targets, with layers fitted to its sculpts."""
    for target in "bend", "twist", "both":
        sinew("target", project, "remove", target)
    for words in fits:
        sinew("fit", words[0], project, *words[1:])
    assert not stale_layers(project)
    return project


def fit_that_takes_long_is_shown_after_a_stroke_and_stored_by_a_key(folder):
    project = sculpted(sample_arm(folder / "arm.sinew", fitted=True), ["linear-blend-fit"], ["inverse-psd"])

    def skin(window):
        """In a pose without a sculpt."""
        if window.report()["sculpting"]:
            window.key("Tab", "posing")
        window.click("poses/both")
        window.wait("pose both")
        window.point(4, 4)
        return window.picture()

    with Window(folder, project, drawn=True) as window:
        before = skin(window)
        enter(window)
        state = stroke(window, moves=((20, 0),) * 6)
        assert not state["alarmed"] and state["undo"] == "grab elbow-130", state
        live = skin(window)
        assert window.changed(before, live) > 100
        assert stale_layers(project) == ["linear-blend-fit"] and window.report()["undo"] == "grab elbow-130"
    with Window(folder, project, drawn=True) as window:
        assert window.changed(skin(window), live) > 100, "what was shown is stored"
        window.key("ctrl+f", "fit")
        state = window.report()
        if state["dialog"]:
            window.click("Keep this fit?/Keep")
            window.wait("fit-keep")
        assert not stale_layers(project)
        assert window.changed(live, skin(window)) == 0, "what was shown is not what is stored"
        # A stroke goes before a fit that runs, and undo takes back the stroke.
        enter(window)
        stroke(window, moves=((10, 0),) * 3)
        window.key("ctrl+z", "undo")
        assert not stale_layers(project) and window.changed(live, skin(window)) == 0


def all_that_learned_from_sculpts_alone_follows_a_stroke(folder):
    fits = ["animation-space"], ["pose-regression"], ["inverse-psd"], ["inverse-psd", "--layer", "second"]
    project = sculpted(tiny_arm(folder / "arm.sinew", fitted=True), *fits)

    def learned():
        """What each layer has in the project."""
        with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as database:
            return dict(database.execute("SELECT name, array.bytes FROM model JOIN array ON array.id = model.bytes"))

    def changed(one, other):
        return {name for name in one if one[name] != other[name]}

    first = learned()
    followers = {"animation-space", "pose-regression", "inverse-psd"}  # these leave nothing for the one above them
    assert set(first) == {*followers, "second"}, first.keys()
    with opened(project) as window:
        enter(window)
        state = stroke(window, moves=((20, 0),) * 6)
        assert not state["alarmed"] and state["undo"] == "grab elbow-130", state
        assert not stale_layers(project), "a layer waits for Ctrl+F"
        second = learned()
        assert changed(first, second) >= followers, changed(first, second)
        # The next stroke does not wait for what the one before it has to fit, and both are stored.
        x, y, _, _ = state["joints"]["elbow"]
        for _ in range(2):
            window.drag((x, y), ((8, 0),) * 3)
            window.wait("stroke-end")
        state = window.report()
        assert not state["alarmed"] and not stale_layers(project), state["message"]
        last = learned()
        assert changed(second, last) >= followers, changed(second, last)
        for models in (None, second, first):
            window.key("ctrl+z", "undo")
            assert not stale_layers(project) and (models is None or learned() == models)


CASES = [day_of_ten_tasks_takes_few_actions, one_key_fits_all_that_is_stale,
         fit_that_takes_long_is_shown_after_a_stroke_and_stored_by_a_key, all_that_learned_from_sculpts_alone_follows_a_stroke]
