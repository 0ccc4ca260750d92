# SPDX-License-Identifier: GPL-3.0-or-later
"""A window under Xvfb, used with real mouse and key events. The program prints what it has done and drawn (--echo) and, on F11, the places
of everything; the tests wait for these lines and never for time."""

import atexit
import contextlib
import functools
import json
import os
import queue
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from harness import SINEW, environment, obj_points, sample_arm, sinew
from picture import Picture

PATIENCE = int(os.environ.get("SINEW_WINDOW_PATIENCE", 240))  # seconds for a machine that is busy; nothing waits longer than it must
WIDTH, HEIGHT = 1000, 640
MOUSE = 800, 600  # on the screen, when a window opens
MANY = 5000  # pixels: no test asks for more that differ


def draw_plainly(folder, pixel_size=4):
    """Without anti-aliasing and shadows and in large pixels, since the viewport takes most of a software rasteriser's time. What a test has
    set itself stays."""
    preferences = folder / "config" / "sinew" / "preferences"
    if not preferences.exists():
        preferences.parent.mkdir(parents=True, exist_ok=True)
        preferences.write_text(f"antialiasing no\nshadows no\npixel-size {pixel_size}\n")


def bind_keys(folder):
    """Two that a person would choose a menu for."""
    keys = folder / "config" / "sinew" / "keys"
    if not keys.exists():
        keys.parent.mkdir(parents=True, exist_ok=True)
        keys.write_text("revert F9\npose-rest F8\n")


def home(folder, drawn=True):
    """A person's own folders, empty at first. If it is not drawn, Mesa's software rasteriser fills no pixels, which is most of its
    work, and the rest is drawn plainly. It does all else."""
    if not drawn:
        draw_plainly(folder)
    folders = {f"XDG_{kind.upper()}_HOME": str(folder / kind) for kind in ("config", "state", "data")}
    return {**folders, "LP_NO_RAST": str(int(not drawn))}


def view_file_name(path):
    """Of the file that keeps a project's view (host/base/numbers.h)."""
    text = os.fsencode(path)
    words = [1, len(text), *(int.from_bytes(text[i:i + 8], "little") for i in range(0, len(text), 8))]
    state = 0
    for word in words:
        state = (state ^ word) * 0x9e3779b97f4a7c15 % 2**64
        state = ((state ^ state >> 32) + 0x632be59bd9b4e019) % 2**64
    return f"{state:016x}"


class Window:
    """`sinew view`, in a folder for its pictures; to be used with `with`, which closes it with Ctrl+Q. Pictures need a window that
    is `drawn`."""

    def __init__(self, folder, *words, size=(WIDTH, HEIGHT), env=None, inside=(), program=(SINEW, "view"), pixel_size=4,
                 drawn=False):
        self.lines = queue.Queue()
        self.lines_read = []
        self.folder, self.drawn = folder, drawn
        draw_plainly(folder, pixel_size)
        command = [*inside, *program, *words, "--echo", "--size", f"{size[0]}x{size[1]}"]
        # One for all events: to start it costs more than to send some.
        self.xdotool = subprocess.Popen(["stdbuf", "-oL", "xdotool", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        self.tool("mouseup", 1, "mousemove", *MOUSE)  # where the last window has left it
        self.program = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True,
                                        env={**environment(["view"]), **home(folder, drawn), **(env or {})})
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.program.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def __enter__(self):
        self.wait("ready")
        found = self.tool("search", "--sync", "--onlyvisible", "--pid", self.program.pid)
        self.id = found.split()[0]
        self.tool("windowfocus", "--sync", self.id)
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None and self.program.poll() is None:
                self.tool("key", "ctrl+q")
                self.wait("quit")
                assert self.program.wait(PATIENCE) == 0
        finally:
            self.kill()

    def kill(self):
        """As by a power cut: nothing is said to it. Harmless once it has ended."""
        self.program.kill()
        self.program.wait()
        self.xdotool.kill()
        self.xdotool.communicate()

    def resize(self, width, height):
        """As by its border; returns once it is drawn so."""
        self.tool("windowsize", self.id, width, height)
        for _ in range(20):
            shown = self.report()["window"][2:]
            if shown == [width, height]:
                return
        raise AssertionError(f"the window is {shown}, not {width} by {height}")

    def tool(self, *words):
        """Events as xdotool names them, which the server has taken when this returns; or what xdotool prints of windows."""
        words = [*map(str, words)]
        if words[0] in ("search", "getwindowname") or not all(re.fullmatch(r"[\w+./-]+", word, re.ASCII) for word in words):
            done = subprocess.run(["xdotool", *words], capture_output=True, text=True, check=False, timeout=PATIENCE)
            assert done.returncode == 0, done.stderr
            return done.stdout
        print(*words, "\ngetmouselocation", file=self.xdotool.stdin, flush=True)
        answered, _, _ = select.select([self.xdotool.stdout], [], [], PATIENCE)
        line = self.xdotool.stdout.readline() if answered else "no answer"
        assert line.startswith("x:"), f"xdotool {' '.join(words)}: {line}"
        return ""

    def burst(self, *words):
        """Events that are all in the server before the window takes the first of them, as when a redraw takes long."""
        self.program.send_signal(signal.SIGSTOP)
        self.tool(*words)
        self.program.send_signal(signal.SIGCONT)

    def wait(self, beginning):
        """The next line that begins so. Other lines may come all the while, so all of them share one limit."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                line = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"'{beginning}' never came, after {[line[:100] for line in self.lines_read[-8:]]}") from None
            assert line is not None, f"the window closed while '{beginning}' was waited for, after {self.lines_read[-5:]}"
            self.lines_read.append(line)
            if line.startswith(beginning):
                return line

    def key(self, key, done):
        self.tool("key", key)
        return self.wait(done)

    def report(self, key="F11"):
        """The state, once everything that was asked for is done."""
        self.tool("key", key)
        return json.loads(self.wait("report {").split(" ", 1)[1])

    def report_at_once(self):
        """The state, whatever is under way."""
        return self.report("shift+F11")

    def point(self, x, y):
        self.tool("mousemove", "--window", self.id, round(x), round(y))

    def click(self, name, button=1, state=None):
        """The middle of what has that name in the report."""
        x, y, width, height = (state or self.report())["widgets"][name]
        self.point(x + width / 2, y + height / 2)
        self.tool("click", button)

    def choose_method(self, title):
        """In the list of *Add a layer*."""
        self.click("side/##add-layer")
        self.click_in_list(title)

    def click_in_list(self, title):
        """In a list that is open and may be longer than the window: the wheel then goes to its end."""
        widgets = self.report()["widgets"]
        name = next(name for name in widgets if name.endswith("/" + title))
        first = min((rect for row, rect in widgets.items() if row.startswith("list/")), key=lambda rect: rect[1])
        self.point(first[0] + first[2] / 2, first[1] + first[3] / 2)
        if widgets[name][1] > first[1] + 300:
            self.tool("click", "--repeat", 30, 5)
        self.click(name)

    def click_joint(self, name):
        """Unless it is selected already."""
        state = self.report()
        if state["joint"] != name:
            self.point(*state["joints"][name][:2])
            self.tool("click", 1)
            self.wait("joint " + name)

    def drag(self, start, moves, *held, button=1):
        """From a place, by steps."""
        down = [word for key in held for word in ("keydown", key)]
        up = [word for key in held for word in ("keyup", key)]
        steps = [word for dx, dy in moves for word in ("mousemove_relative", "--", round(dx), round(dy))]
        self.tool("mousemove", "--window", self.id, round(start[0]), round(start[1]), *down, "mousedown", button, *steps, "mouseup", button,
                  *up)

    def drag_number(self, name, across, done):
        """From the middle of a number, so many pixels; the command that stores it."""
        x, y, width, height = self.report()["widgets"][name]
        self.drag((x + width / 2, y + height / 2), [(across / 5, 0)] * 5)
        return self.wait(done)

    def type_into(self, name, words):
        self.open_field(name)
        self.write(words)

    def open_field(self, name):
        """By Ctrl and a click; what is typed then replaces its text."""
        x, y, width, height = self.report()["widgets"][name]
        self.point(x + width / 2, y + height / 2)
        self.tool("keydown", "ctrl", "click", 1, "keyup", "ctrl", "key", "ctrl+a")

    def write(self, words):
        """Into the field that has the keys, which Return ends. All at once: each key by itself would be drawn several times."""
        self.burst("type", "--delay", 0, "--", words)
        self.tool("key", "Return")

    def middle(self, state=None):
        """The viewport's."""
        x, y, width, height = (state or self.report())["viewport"]
        return x + width / 2, y + height / 2

    def scrub(self, fraction):
        """Presses on the timeline; the time that it shows then."""
        x, y, width, height = self.report()["widgets"]["timeline/scrub"]
        self.point(x + fraction * width, y + height / 2)
        self.tool("mousedown", 1)
        line = self.wait("seek")
        self.tool("mouseup", 1)
        return float(line.split()[1])

    def picture(self, key="p"):
        assert self.drawn, "this window fills no pixels; start it with drawn=True"
        self.tool("key", key)
        return Picture(self.folder / self.wait("written").split(" ", 1)[1])

    def changed(self, one, two):
        """Pixels of the viewport, without what is written over it, that differ; beyond MANY they are not counted."""
        x, y, width, height = map(round, self.report()["viewport"])
        return one.differing(two, x + 4, y + 70, x + width - 100, y + height - 4, most=MANY)


class SpareWindow(Window):
    """One for many cases, in a folder of its own with a short name, which ends with the script."""

    FIRST_VIEW = ("tab", "strength", "brush", "falloff", "value", "volume", "symmetry", "carry", "outside", "weights", "look",
                  "lights", "split")

    def __init__(self, project, size, drawn):
        self.scratch = tempfile.TemporaryDirectory(prefix="w")
        folder = Path(self.scratch.name)
        bind_keys(folder)
        super().__init__(folder, project, size=size, drawn=drawn)
        atexit.register(self.kill)
        self.__enter__()
        views = folder / "state" / "sinew" / "views"
        while not [*views.glob(16 * "?")]:  # it is written when there is nothing else to do
            self.report()
        view, = views.glob(16 * "?")
        self.first_view = [line for line in view.read_text().splitlines() if line.split()[0] in self.FIRST_VIEW]

    def go_to(self, project, size):
        """As after a start with this project: the tab and the brush are those of the first view, if the project has none."""
        path, link = project.resolve(), self.folder / "n.sinew"
        view = self.folder / "state" / "sinew" / "views" / view_file_name(path)
        if not view.exists():
            view.write_text("\n".join([f"project {path}", *self.first_view, ""]))
        link.unlink(missing_ok=True)
        link.symlink_to(path)
        self.tool("windowraise", self.id, "windowfocus", "--sync", self.id)  # another may have opened over it
        if self.report()["window"][2:] != [*size]:
            self.resize(*size)
        self.key("ctrl+o", "open")
        self.report()
        self.tool("key", "ctrl+a")
        self.write(link)
        self.wait("open ")
        state = self.report()
        assert state["path"] == str(path) and not state["dialog"], (state["path"], state["message"])

    def leave(self):
        """With nothing open over it, for the next case."""
        self.tool("mouseup", 1, "mousemove", *MOUSE)
        state = self.report()
        for _ in range(3):
            if state["dialog"]:
                self.tool("key", "Escape")
                state = self.report()
        assert not state["dialog"], state["dialog"]


spare = {}  # the windows that the last cases have left: one that is drawn, one that is not


@contextlib.contextmanager
def opened(project, size=(WIDTH, HEIGHT), drawn=False):
    """A window with a project, which is opened in one that an earlier case has left: that takes a fifth of the time of a start.
    What the view of a project does not keep stays as it was, such as preferences and the axes of the gizmo. So a case starts a
    Window that changes them, looks at the window's own files, or opens a project again. After a case that failed another window
    starts."""
    window = spare.pop(drawn, None)
    try:
        if window:
            window.go_to(project, size)
        else:
            window = SpareWindow(project, size, drawn)
        yield window
        window.leave()
    except BaseException:
        if window:
            window.kill()
        raise
    spare[drawn] = window


class OneWindow:
    """A window that cases of a script share: each is called with it. Before the next it is as it was when it opened: the
    project is reverted, and its rest pose is shown. The camera, the brush and what was selected stay. After a case that
    failed it opens again. With a subject, which is made of the window when it opens, the cases get this instead, and its begin()
    is called before each."""

    KEPT = "pose", "clip", "sculpting", "dialog", "poses", "layers", "groups", "muted", "history"

    def __init__(self, make_project, subject=None, **options):
        self.make_project, self.make_subject, self.options = make_project, subject, options
        self.window = self.opened = self.subject = None

    def cases(self, *cases):
        """For harness.run."""
        return [self._called(case, case is cases[-1]) for case in cases]

    def _called(self, case, is_last):
        @functools.wraps(case)
        def call(_):
            try:
                if not self.window:
                    self._open()
                if self.make_subject:
                    self.subject.begin()
                case(self.subject)
                self._go_back()
                if is_last:
                    self.opened.close()
            except BaseException:
                self._drop(*sys.exc_info())
                raise
        return call

    def _open(self):
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sinew-test-")))
            bind_keys(folder)
            project = self.make_project(folder)
            self.window = stack.enter_context(Window(folder, project, **self.options))
            self.window.project = project
            self.opened = stack.pop_all()
        self.window.key("ctrl+s", "save")
        self.first = self._kept()
        self.subject = self.make_subject(self.window) if self.make_subject else self.window

    def _kept(self):
        state = self.window.report()
        return {**{key: state[key] for key in self.KEPT}, "examples": list(state["examples"])}

    def _go_back(self):
        if self.window.report()["sculpting"]:
            self.window.key("Tab", "posing")
        self.window.key("F9", "revert")
        self.window.report()
        self.window.key("F8", "pose-rest")
        assert self._kept() == self.first, (self._kept(), self.first)

    def _drop(self, *failure):
        if self.opened:
            self.opened.__exit__(*failure)
        self.window = self.opened = self.subject = None


def arm(folder, fitted=True):
    """A copy of the sample arm; with the corrective of its examples, or as it comes."""
    return sample_arm(folder / "arm.sinew", fitted)


def pose_points(project, folder, pose, method=None, mesh=None):
    """What the whole stack makes of a pose, or a method; of the only mesh, or the named one."""
    made = folder / "shown.obj"
    sinew("export", project, "-o", made, "--pose", pose, *(["--method", method] if method else []), *(["--mesh", mesh] if mesh else []))
    return obj_points(made)


def glb_document(path):
    """The JSON of a binary glTF."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    return json.loads(data[20:20 + size])


def enter(window, pose="elbow-130"):
    """A pose to sculpt in."""
    window.click("poses/" + pose)
    window.wait("pose " + pose)
    if not window.report()["sculpting"]:
        window.key("Tab", "posing")
    report = window.report()
    assert report["sculpting"], report["message"]
    return report


def stroke(window, joint="elbow", brush=None, moves=((6, 0), (6, 0), (6, 0)), held=()):
    """A stroke over a joint, which stands inside the skin."""
    if brush:
        window.click("side/" + brush)
        window.wait("brush ")
    x, y, _, _ = window.report()["joints"][joint]
    window.drag((x, y), moves, *held)
    window.wait("stroke-end")
    return window.report()
