#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a desktop, a shell and man get of an installation, and that packages have the version of the program.

Arguments: the program, meson, the build folder, the prefix and the folders of data and of manual pages below it."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

from harness import Skip, run, sample_arm, sinew
from sources import ROOT

MESON, BUILD, PREFIX, DATA_FOLDER, MANUAL_FOLDER = sys.argv[2:7]
PACKAGING = ROOT / "packaging"


def tool(name):
    path = shutil.which(name)
    if not path:
        raise Skip(f"no {name}")
    return path


def output(*words, **more):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True, **more).stdout


def files_are_installed_where_they_are_looked_for(_):
    places = set(json.loads(output(MESON, "introspect", "--installed", BUILD)).values())
    data = Path(PREFIX) / DATA_FOLDER
    expected = [data / "applications/sinew.desktop", data / "icons/hicolor/scalable/apps/sinew.svg",
                data / "mime/packages/sinew.xml", data / "bash-completion/completions/sinew",
                data / "fish/vendor_completions.d/sinew.fish", Path(PREFIX) / MANUAL_FOLDER / "man1"]
    assert not [path for path in map(str, expected) if path not in places], sorted(places)
    assert any(place.endswith("/_sinew") for place in places), sorted(places)


def desktop_file_is_valid_and_its_words_are_the_programs(_):
    text = (PACKAGING / "sinew.desktop").read_text()
    verb = re.search(r"^Exec=sinew (\w+) %f$", text, re.M)
    assert verb and f"  {verb.group(1)} " in sinew("--help").stdout
    assert (PACKAGING / f"{re.search('^Icon=(.*)$', text, re.M).group(1)}.svg").exists()
    done = subprocess.run([tool("desktop-file-validate"), PACKAGING / "sinew.desktop"], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0 and not done.stdout, done.stdout


def magic_is_that_of_a_project(folder):
    project = sample_arm(folder / "arm.sinew")
    begin = project.read_bytes()[:72]
    matches = re.findall(r'<match type="(\w+)" offset="(\d+)" value="([^"]+)"', (PACKAGING / "sinew.xml").read_text())
    assert [kind for kind, _, _ in matches] == ["string", "big32"]
    for kind, offset, value in matches:
        expected = value.replace("\\0", "\0").encode() if kind == "string" else int(value, 16).to_bytes(4, "big")
        assert begin[int(offset):].startswith(expected), (value, begin)
    assert f"application id {int(matches[1][2], 16)}" in output(tool("file"), project)


def project_is_recognised_by_its_contents_and_by_its_name(folder):
    update = tool("update-mime-database")
    (folder / "mime" / "packages").mkdir(parents=True)
    shutil.copy(PACKAGING / "sinew.xml", folder / "mime" / "packages")
    # Of the system it has the type of databases alone, which projects are a kind of.
    (folder / "mime" / "packages" / "system.xml").write_text(
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info"><mime-type type="application/vnd.sqlite3">'
        '<magic><match type="string" offset="0" value="SQLite format 3"/></magic></mime-type></mime-info>')
    env = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_DATA_DIRS": str(folder), "XDG_CURRENT_DESKTOP": "GNOME"}
    done = subprocess.run([update, folder / "mime"], capture_output=True, text=True, check=True, env=env)
    assert not re.search("error|fail", done.stdout + done.stderr, re.I), done.stderr
    project, named = sample_arm(folder / "arm"), folder / "text.sinew"
    named.write_text("not yet a project")
    other = folder / "other"
    with sqlite3.connect(other) as file:
        file.execute("CREATE TABLE mesh (name)")
    file.close()
    reader, xdg = tool("gio"), tool("xdg-mime")
    ours, database = "application/x-sinew", "application/vnd.sqlite3"
    for path, kind in ((project, ours), (named, ours), (other, database)):
        assert output(reader, "info", "-a", "standard::content-type", path, env=env).split()[-1] == kind, path
        assert output(xdg, "query", "filetype", path, env=env).strip() == kind, path


def icon_has_no_text_and_is_drawn_at_small_sizes(folder):
    text = (PACKAGING / "sinew.svg").read_text()
    assert "<text" not in text and "<image" not in text
    converter = tool("rsvg-convert")
    for side in (16, 48, 256):
        size = ["-w", str(side), "-h", str(side)]
        subprocess.run([converter, *size, "-o", folder / "icon.png", PACKAGING / "sinew.svg"], check=True)
        png = (folder / "icon.png").read_bytes()
        assert png[16:24] == side.to_bytes(4, "big") * 2 and len(png) > 8 * side, (side, len(png))


def packages_have_the_version_of_the_program(_):
    version = sinew("--version").stdout.split()[1]
    assert re.match(r"sinew \(([^-)]+)-\d+\)", (PACKAGING / "debian" / "changelog").read_text()).group(1) == version
    assert re.search(r"^## (\S+?),? ", (ROOT / "CHANGELOG.md").read_text(), re.M).group(1) == version


run([files_are_installed_where_they_are_looked_for, desktop_file_is_valid_and_its_words_are_the_programs, magic_is_that_of_a_project,
     project_is_recognised_by_its_contents_and_by_its_name, icon_has_no_text_and_is_drawn_at_small_sizes,
     packages_have_the_version_of_the_program])
