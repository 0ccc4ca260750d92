#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example of docs/plugin-author.md builds, passes `sinew validate` and runs, by the commands that the page prints.

Argument: the program."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from sources import ROOT

PAGE = (ROOT / "docs" / "plugin-author.md").read_text(encoding="utf-8")


def source():
    """The page's only block of C."""
    blocks = re.findall(r"```c\n(.*?)```", PAGE, flags=re.DOTALL)
    assert len(blocks) == 1, f"{len(blocks)} blocks of C"
    return blocks[0]


def commands():
    """The indented lines behind it, from the compiler's on."""
    lines = re.search(r"((?:^    .*\n)+)", PAGE[PAGE.index("    cc "):], flags=re.MULTILINE).group(1)
    return [line.strip() for line in lines.splitlines()]


def run(command, folder, environment):
    result = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{command}: exit {result.returncode}\n{result.stdout}{result.stderr}"
    return result.stdout


def main():
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as name:
        folder = Path(name)
        (folder / "lift.c").write_text(source(), encoding="utf-8")
        environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}",
                       "PKG_CONFIG_PATH": str(program.parents[2] / "meson-uninstalled")}
        run("sinew sample arm -o hero.sinew", folder, environment)
        # What ships stays to be found: this program's folder of plug-ins is not the installed one.
        shipped = environment.get("SINEW_PLUGIN_PATH", "")
        outputs = [run(command.replace("SINEW_PLUGIN_PATH=$PWD", f"SINEW_PLUGIN_PATH=$PWD:{shipped}"), folder, environment)
                   for command in commands()]
        assert any("lift" in text for text in outputs[1:]), outputs
        layers = run(f"SINEW_PLUGIN_PATH=$PWD:{shipped} sinew stack hero.sinew list", folder, environment)
        assert "lift" in layers, layers
    print(f"{len(commands())} commands run")
    return 0


sys.exit(main())
