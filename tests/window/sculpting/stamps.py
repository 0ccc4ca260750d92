# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures: of what a sculpt has moved, as a heat map; and those that a brush stamps."""

import struct
import zlib

from harness import obj_points, sinew
from driver import Window, arm, enter, opened, stroke


def write_stamp(path):
    """Its upper half is white, its lower half black."""
    rows = b"".join(b"\0" + bytes([255 if y < 16 else 0]) * 32 for y in range(32))
    parts = [(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts))


def posed_points(project, folder, name):
    """What the stack makes of the pose."""
    made = folder / f"{name}.obj"
    sinew("export", project, "-o", made, "--pose", "elbow-130")
    return obj_points(made)


def brush_stamps_a_picture(folder):
    project = arm(folder)
    write_stamp(folder / "half.png")
    (folder / "broken.png").write_bytes(b"\x89PNG nothing")
    with (folder / "large.png").open("wb") as file:
        file.truncate(1 << 33)  # takes no room on the disk
    before = posed_points(project, folder, "before")
    with Window(folder, project) as window:
        enter(window)
        window.click("side/Draw")
        window.wait("brush draw")
        window.click("side/Alpha")
        window.click("list/Choose a picture…")
        window.wait("brush-alpha")
        window.click("Choose a picture/half.png")
        window.click("Choose a picture/Choose")
        assert window.wait("brush-alpha").endswith("half.png")
        stroke(window, moves=((1, 0), (0, 1)))
        half = posed_points(project, folder, "half")
        window.key("ctrl+z", "undo")
        window.click("side/Alpha")
        window.click("list/None")
        window.wait("brush-alpha none")
        stroke(window, moves=((1, 0), (0, 1)))
        whole = posed_points(project, folder, "whole")
        for name, problem in ("broken.png", "broken.png cannot be read"), ("large.png", "large.png: larger than 16 MiB"):
            window.click("side/Alpha")
            window.click("list/Choose a picture…")
            window.wait("brush-alpha")
            window.click(f"Choose a picture/{name}")
            window.click("Choose a picture/Choose")
            window.wait("brush-alpha")
            state = window.report()
            assert state["alarmed"] and problem in state["message"], state["message"]
    by_half, by_whole = (sum(one != other for one, other in zip(before, after)) for after in (half, whole))
    assert 0 < by_half < 0.8 * by_whole, (by_half, by_whole)


def heat_map_shows_what_a_sculpt_moves(folder):
    with opened(arm(folder), drawn=True) as window:
        enter(window)
        stroke(window)
        plain = window.picture()
        window.click("side/View")
        window.wait("tab")
        window.click("side/##heat")
        window.click("list/Sculpt")
        window.wait("field sculpt")
        state = window.report()
        assert state["shown"] == "sculpt" and any("Largest" in name for name in state["words"]), state["shown"]
        assert window.changed(plain, window.picture()) > 500


def brush_is_found_while_posing(folder):
    with opened(arm(folder)) as window:
        window.click("poses/elbow-130")
        window.wait("pose")
        window.key("ctrl+p", "palette")
        window.report()
        window.write("crease")
        window.wait("posing")
        window.wait("brush crease")
        assert window.report()["sculpting"]


CASES = [brush_stamps_a_picture, heat_map_shows_what_a_sculpt_moves, brush_is_found_while_posing]
