#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of docs/plugin-guide.md and docs/kit.md build, pass `sinew validate` and run, and all commands that the pages print do, in
their order.

Argument: the program."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sources import ROOT

GUIDE, KIT = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("plugin-guide.md", "kit.md"))
EXPORT = "export SINEW_PLUGIN_PATH=$PWD/lift.so"
COMMANDS = (EXPORT, "sinew ", "cc ", "gdb ", "SINEW_", "LD_PRELOAD=")


def source(page):
    """A page's only block of C."""
    blocks = re.findall(r"```c\n(.*?)```", page, flags=re.DOTALL)
    assert len(blocks) == 1, f"{len(blocks)} blocks of C"
    return blocks[0]


def commands():
    """The indented lines that are commands, and one that stands in a sentence."""
    lines = [line.strip() for page in (GUIDE, KIT) for line in page.splitlines()
             if line.startswith("    ") and line.strip().startswith(COMMANDS)]
    in_text = re.findall(r"`(SINEW_PLUGINS_IN_PROCESS=1 [^`]*)`", GUIDE)
    assert len(in_text) == 1 and len(lines) > 12, (in_text, lines)
    return lines + in_text


def check_line_counts():
    """The table of the examples says how long they are."""
    rows = re.findall(r"^\| `([\w/]+\.c)`[^|]*\| (\d+) \|", GUIDE, flags=re.MULTILINE)
    found = {name: len((ROOT / "plugins" / "examples" / name).read_text(encoding="utf-8").splitlines()) for name, _ in rows}
    assert len(rows) >= 4 and found == {name: int(count) for name, count in rows}, (found, rows)


def run(command, folder, environment):
    result = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=100)
    assert result.returncode == 0, f"{command}: exit {result.returncode}\n{result.stdout}{result.stderr}"
    return result.stdout


def runnable(command, is_sanitized):
    """As a test can run it: gdb asks nothing, and no window opens; None for what cannot be run here. A program with sanitizers runs neither
    in gdb, where it cannot look for leaks, nor with another copy of them."""
    if command.startswith("sinew view"):
        return "sinew view --help | grep -- --trace"
    if "gdb --args " in command and (is_sanitized or not shutil.which("gdb")):
        return command.replace("gdb --args ", "")
    if command.startswith("LD_PRELOAD=") and is_sanitized:
        return None
    # As they are, but on a small character, and as a small picture.
    command = command.replace("sample small-arm", "sample tiny-arm").replace("-o centers.png", "-o centers.png --size 160x120")
    # What ends well ends with the words that gdb prints for it. It reads no symbols: nothing stops.
    return re.sub(r"gdb --args (.*)", r"gdb -q -batch -nx -readnever -iex 'set auto-solib-add off' -ex run --args \1 | grep 'exited normally'", command)


def main():
    check_line_counts()
    program = Path(sys.argv[1]).resolve()
    is_sanitized = b"__asan_init" in program.read_bytes()
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as name:
        folder = Path(name)
        # What ships stays to be found: this program's folder of plug-ins is not the installed one.
        shipped = os.environ.get("SINEW_PLUGIN_PATH", "")
        environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "XDG_DATA_HOME": str(folder / "data"),
                       "PKG_CONFIG_PATH": str(program.parents[2] / "meson-uninstalled"),
                       # Drivers of graphics cards leak.
                       "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
        (folder / "lift.c").write_text(source(GUIDE), encoding="utf-8")
        (folder / "relax.c").write_text(source(KIT), encoding="utf-8")
        shutil.copy(ROOT / "plugins" / "examples" / "centers" / "centers.c", folder)
        run("sinew sample tiny-arm -o hero.sinew", folder, environment)
        # "mine" stands for the author's own, which also logs.
        run("sinew plugin new mine --kind corrective", folder, environment)
        text = (folder / "mine" / "mine.c").read_text()
        begun = "const snw_fit_input *input, snw_model **model) {\n"
        assert begun in text, text
        log = '\tsnw_report_line(instance->host, SNW_LOG_DEBUG, "mine has begun");\n'
        (folder / "mine.c").write_text('#include "sinew/report.h"\n' + text.replace(begun, begun + log))
        run("sinew plugin build mine.c && sinew plugin build mine.c -o mine.so", folder, environment)
        for command in commands():
            if command == EXPORT:  # for all that follow
                environment["SINEW_PLUGIN_PATH"] = f"{folder}/lift.so:{shipped}"
                continue
            line = runnable(command.replace("SINEW_PLUGIN_PATH=$PWD", f"SINEW_PLUGIN_PATH=$PWD:{shipped}"), is_sanitized)
            if line:
                run(line, folder, environment)
        layers = "".join(run(f"sinew stack {name}.sinew list", folder, environment) for name in ("hero", "lifted", "try"))
        assert "lift" in layers and "relax" in layers and "bulge" in layers and "mine" in layers, layers
        calls = {row["name"] for row in json.loads((folder / "calls.json").read_text())}
        assert (folder / "centers.png").stat().st_size > 1000 and any("fit" in call for call in calls), calls
        fit = "sinew fit mine hero.sinew 2>&1"
        assert "mine has begun" in run(f"SINEW_LOG=debug {fit}", folder, environment) and "begun" not in run(fit, folder, environment)
        run("sinew stack hero.sinew mute mine", folder, environment)
        assert "'mine' is muted and left out" in run("SINEW_LOG=debug sinew measure hero.sinew 2>&1", folder, environment)
    print(f"{len(commands())} commands run")
    return 0


sys.exit(main())
