# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenGL that is too old, a reset of the graphics driver, and the close button of the window."""

import ctypes

from harness import Skip, sinew
from picture import Picture
from driver import Window, arm, home

WIDTH, HEIGHT = 640, 400


def opengl_that_is_too_old_is_refused_in_one_line(folder):
    script = folder / "quit.txt"
    script.write_text(f"window open {arm(folder)}\nwindow quit\n", encoding="utf-8")
    done = sinew("view", "--script", script, env={"MESA_GL_VERSION_OVERRIDE": "3.3", **home(folder)}, status=None)
    if done.returncode == 0:
        raise Skip("this driver is not Mesa's, and takes no notice of MESA_GL_VERSION_OVERRIDE")
    line, = done.stderr.splitlines()
    assert "no OpenGL 4.1" in line and "driver" in line, line


def graphics_that_are_reset_come_back_as_they_were(folder):
    names = [folder / f"{name}.png" for name in ("before", "after", "finer", "again")]
    script = folder / "reset.txt"
    script.write_text(f"""window open {arm(folder)}
window picture {names[0]}
window reset-graphics
window picture {names[1]}
window subdivide 2
window picture {names[2]}
window reset-graphics
window picture {names[3]}
window quit
""", encoding="utf-8")
    sinew("view", "--script", script, "--size", f"{WIDTH}x{HEIGHT}", env=home(folder))
    before, after, finer, again = (Picture(name) for name in names)
    assert before.differing(after, 0, 0, WIDTH, HEIGHT - 40) == 0  # above the status line, which tells of it
    assert before.differing(finer, 0, 0, WIDTH, HEIGHT - 40) > 0
    assert finer.differing(again, 0, 0, WIDTH, HEIGHT - 40) == 0


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5),
                ("padding", ctypes.c_long * 24)]


def press_close_button(window):
    """What window managers send when it is pressed; there is none under Xvfb."""
    try:
        x = ctypes.CDLL("libX11.so.6")
    except OSError as error:
        raise Skip("libX11 cannot be loaded") from error
    x.XOpenDisplay.restype = ctypes.c_void_p
    x.XInternAtom.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x.XOpenDisplay(None))
    protocols, delete = (x.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
    message = ClientMessage(type=33, window=int(window.id), message_type=protocols, format=32, data=(ctypes.c_long * 5)(delete))
    x.XSendEvent(display, ctypes.c_ulong(int(window.id)), 0, 0, ctypes.byref(message))
    x.XCloseDisplay(display)


def close_button_ends_the_program(folder):
    with Window(folder, arm(folder)) as window:
        window.report()
        press_close_button(window)
        window.wait("quit")
        assert window.program.wait(120) == 0


CASES = [opengl_that_is_too_old_is_refused_in_one_line, graphics_that_are_reset_come_back_as_they_were,
         close_button_ends_the_program]
