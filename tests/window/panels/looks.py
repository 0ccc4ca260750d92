# SPDX-License-Identifier: GPL-3.0-or-later
"""What is shown and how, from the panel and by keys: sides to look from, materials, clay, x-ray, edges, wireframe, facets, lights, the
mesh smoothed, ghosts, before and after. Each can be seen, and is gone when it is taken back."""

from driver import OneWindow, Window, arm


class Viewer:
    """A window at the tab with the looks, without a skeleton over the skin."""

    def __init__(self, window):
        self.window = window
        window.key("s", "skeleton")
        self.begin()
        self.places = window.report()["widgets"]

    def begin(self):
        self.window.click("poses/elbow-130")
        self.window.wait("pose elbow-130")
        self.window.click("side/View")

    def press(self, name, done):
        """A picture of what is there then, without a help that rests over it."""
        x, y, width, height = self.places["side/" + name]
        self.window.point(x + width / 2, y + height / 2)
        self.window.tool("click", 1)
        self.window.wait(done)
        return self.picture()

    def picture(self):
        window = self.window
        x, y = window.middle()
        window.point(x, 2 * y)
        return window.picture()


def look_is_chosen_and_taken_back(view):
    window = view.window
    first = view.picture()
    shown = {"Materials": first}
    for look, number in ("Clay", 1), ("X-ray", 2), ("Edges", 3):
        shown[look] = view.press(look, f"shading {number}")
    looks = list(shown)
    for one, other in zip(looks, looks[1:]):
        different = window.changed(shown[one], shown[other])
        assert different > (50 if "Clay" not in (one, other) else 0), (one, other, different)
    assert window.changed(first, view.press("Materials", "shading 0")) == 0
    lights = [first, *(view.press(name, f"lights {number}") for name, number in (("Raking", 1), ("Even", 2)))]
    assert all(window.changed(one, other) > 500 for one, other in zip(lights, lights[1:]))
    assert window.changed(first, view.press("Studio", "lights 0")) == 0
    for degrees in 90, 0:
        window.type_into("side/##light-turn", degrees)
        window.wait(f"light-turn {degrees}")
        assert (window.changed(first, view.picture()) > 500) == (degrees != 0)


def matcaps_come_by_tile_and_by_key_and_lights_do_not_change_them(view):
    window = view.window
    first = view.picture()
    balls = [view.press(f"{name}##matcap", f"shading {4 + i}") for i, name in enumerate(("Clay", "Skin", "Chrome"))]
    assert all(window.changed(one, other) > 500 for one, other in zip([first, *balls], balls))
    assert window.changed(balls[2], view.press("Raking", "lights 1")) < 50  # the shadow on the ground
    view.press("Studio", "lights 0")
    view.press("Clay", "shading 1")
    for look, message in ("matcap-clay", "Matcap: Clay"), ("matcap-skin", "Matcap: Skin"), ("matcap-chrome", "Matcap: Chrome"):
        window.key("k", "matcap")
        state = window.report()
        assert (state["look"], state["message"]) == (look, message), state["message"]
    assert window.changed(balls[2], view.picture()) == 0
    window.key("k", "matcap")
    assert window.report()["look"] == "clay"
    assert window.changed(first, view.press("Materials", "shading 0")) == 0


def switch_and_key_do_the_same(view):
    window = view.window
    first = view.picture()
    for name, key, command in (("Wireframe", "w", "wireframe"), ("Flat shading", "l", "flat"), ("Ground grid", "g", "grid"),
                               ("Skeleton", "s", "skeleton"), ("Ghosts", "o", "ghosts"),
                               ("Orthographic", "KP_Begin", "parallel")):
        switched = view.press(name, command)
        assert window.changed(first, switched) > 50, name
        window.key(key, command)
        assert window.changed(first, view.picture()) == 0, name


def mesh_is_smoothed_once_and_twice_and_is_itself_again(view):
    window = view.window
    view.press("Flat shading", "flat")  # where every face is seen
    levels = [view.picture(), view.press("Once", "subdivide 1"), view.press("Twice", "subdivide 2")]
    assert window.changed(levels[0], levels[1]) > 200 and window.changed(levels[1], levels[2]) > 200
    # It goes on over posing, sculpting and undo.
    window.click("side/Shape")
    window.click("outliner/elbow")
    window.type_into("side/z##rotation", 40)
    window.wait("rotate ")
    window.report()
    assert window.changed(levels[2], view.picture()) > 200
    window.key("ctrl+z", "undo")
    window.report()
    window.click("poses/elbow-130")
    window.wait("pose elbow-130")
    window.key("Escape", "escape")
    assert window.changed(levels[2], view.picture()) == 0
    window.click("side/View")
    assert window.changed(levels[0], view.press("Off", "subdivide 0")) == 0
    view.press("Flat shading", "flat")


def six_sides_are_looked_from_by_tiles_and_keys(view):
    window = view.window
    sides = [("Front", "KP_End", "front"), ("Side", "KP_Next", "side"), ("Top", "KP_Home", "top"), ("Back", "ctrl+KP_End", "back"),
             ("Opposite", "ctrl+KP_Next", "other-side"), ("Bottom", "ctrl+KP_Home", "below")]
    seen = []
    for tile, key, command in sides:
        by_tile = view.press(tile, command)
        window.drag(window.middle(), [(40, 20)], button=2)
        window.wait("orbit")
        window.key(key, command)
        assert window.changed(by_tile, view.picture()) == 0, tile
        seen.append(by_tile)
    assert all(window.changed(one, other) > 100 for one, other in zip(seen, seen[1:]))


def before_is_shown_while_the_key_is_held_whatever_else_is_done(view):
    window = view.window
    after = view.picture()
    window.tool("keydown", "b")
    window.wait("before 1")
    before = view.picture()
    assert window.changed(after, before) > 100
    window.key("g", "grid")  # another key meanwhile lets it stand
    window.key("g", "grid")
    assert window.changed(before, view.picture()) == 0
    window.tool("keyup", "b")
    window.wait("before 0")
    assert window.changed(after, view.picture()) == 0


def ghosts_are_of_the_examples_that_are_near(view):
    window = view.window
    window.click("poses/rest")
    window.wait("pose rest")
    without = view.picture()
    window.key("o", "ghosts")
    ghosts = view.picture()
    assert window.changed(without, ghosts) > 300  # both examples, faintly
    window.click("side/Shape")
    for example in "elbow-130", "wrist-150":
        window.click("side/" + example)
        window.click("side/Delete")
        window.wait("example-remove")
        window.report()
    assert window.changed(without, view.picture()) == 0
    window.key("o", "ghosts")


def inner(place):
    """Of a view, without its words, compass and frame."""
    x, y, width, height = map(round, place)
    return x + 60, y + 80, x + width - 60, y + height - 80


def go_to(window, place, side):
    x, y, width, height = place
    window.point(x + width / 2, y + height / 3)
    window.wait(f"view-side {side}")
    return window.report()


def two_views_have_cameras_and_looks_of_their_own_and_one_skin(folder):
    """Joints, the gizmo and strokes are taken in the view under the mouse; the skin is driven once for both; both are kept."""
    project = arm(folder)
    with Window(folder, project, size=(1100, 700), drawn=True) as window:
        window.click("poses/elbow-130")
        window.wait("pose elbow-130")
        drives = window.report()["drives"]
        window.key("v", "split")
        state = window.report()
        left, right = state["viewport"], state["other_viewport"]
        assert state["drives"] == drives and state["side"] == 0 and right[0] > left[0] + left[2] and right[2] == left[2], state
        first, joints = window.picture(), state["joints"]
        state = go_to(window, right, 1)
        assert state["viewport"] == right and all(place[0] > right[0] for place in state["joints"].values())
        window.key("k", "matcap")
        window.drag(window.middle(), [(30, 10), (30, 10)], button=2)
        window.wait("orbit")
        assert window.report()["look"] == "matcap-clay"
        second = window.picture()
        assert first.differing(second, *inner(left)) == 0 and first.differing(second, *inner(right)) > 500
        state = go_to(window, left, 0)
        assert state["joints"] == joints and state["look"] == "materials" and state["drives"] == drives
        go_to(window, right, 1)
        window.click_joint("elbow")
        state = window.report()
        assert state["joint"] == "elbow" and right[0] < state["gizmo"][0] < right[0] + right[2], state["gizmo"]
        window.key("Tab", "posing")
        before = window.picture()
        x, y, _, _ = window.report()["joints"]["elbow"]
        window.drag((x, y), [(8, -8), (8, -8)])
        line = window.wait("stroke ")
        assert line.split()[4] == "4", line
        window.wait("stroke-end")
        state = window.report()
        assert state["undo"].startswith("grab") and state["side"] == 1, state["message"]
        after = window.picture()
        assert before.differing(after, *inner(left)) > 30 and before.differing(after, *inner(right)) > 30
        places = window.report()["joints"]
    with Window(folder, project, size=(1100, 700), drawn=True) as window:
        state = window.report()
        assert state["split"] and state["side"] == 1 and state["look"] == "matcap-clay"
        assert all(abs(a - b) < 0.5 for name, place in places.items() for a, b in zip(place, state["joints"][name])), places
        state = go_to(window, left, 0)
        assert all(abs(a - b) < 0.5 for name, place in joints.items() for a, b in zip(place, state["joints"][name])), joints
        window.key("v", "split")
        state = window.report()
        assert "other_viewport" not in state["widgets"] and "other_viewport" not in state and state["look"] == "materials"


CASES = [*OneWindow(arm, Viewer, size=(1000, 800), drawn=True).cases(look_is_chosen_and_taken_back,
         matcaps_come_by_tile_and_by_key_and_lights_do_not_change_them, switch_and_key_do_the_same,
         mesh_is_smoothed_once_and_twice_and_is_itself_again, before_is_shown_while_the_key_is_held_whatever_else_is_done,
         ghosts_are_of_the_examples_that_are_near, six_sides_are_looked_from_by_tiles_and_keys),
         two_views_have_cameras_and_looks_of_their_own_and_one_skin]
