#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/rigger.md, "From start to end": its commands run as they stand there, and give the figures that it names, within 5 %."""

import re
import shlex
from pathlib import Path

from harness import answer, run, sinew

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rigger.md"
NUMBER = re.compile(r"\d+\.\d+|\d+")


def tour():
    text = PAGE.read_text(encoding="utf-8")
    return text[text.index("## From start to end"):text.index("## More pages")]


def near(a, b):
    return abs(a - b) <= 0.05 * abs(b) + 0.05


def printed(line):
    return [float(number) for number in NUMBER.findall(line)]


def commands_of_the_page_give_its_figures(folder):
    lines = tour().splitlines()
    said = ""
    for line in lines:
        if line.startswith("    sinew "):
            said = sinew(*shlex.split(line, comments=True)[1:], cwd=folder).stdout
            print(line.strip())
    # The last command is the export, which prints the lines that the page shows.
    shown = [line.strip() for line in lines if line.startswith("    ") and not line.startswith("    sinew ")]
    assert len(shown) == 4, shown
    for line in shown:
        begin = NUMBER.split(line)[0]
        (same,) = [found for found in said.splitlines() if found.startswith(begin)]
        assert len(printed(same)) == len(printed(line)) and all(map(near, printed(same), printed(line))), f"{same} is not {line}"
    check_measures(folder)


def check_measures(folder):
    text = " ".join(tour().split())
    for project, words in (("arm.sinew", r"`both` now has `erms` ([\d.]+), at most ([\d.]+) %, normals ([\d.]+) degrees"),
                           (None, r"linear blend has `erms` ([\d.]+), ([\d.]+) % of the diagonal at worst, and normals ([\d.]+) degrees")):
        rows = answer("measure", folder / "arm.sinew", "--clip", "both")["errors"]
        (row,) = [one for one in rows if (one["method"] == "linear-blend") == (project is None)]
        named = [float(number) for number in re.search(words, text).groups()]
        measured = [row["erms"], row["max_percent"], row["normals_degrees"]]
        assert all(map(near, named, measured)), f"{named} on the page, {measured} measured"


run([commands_of_the_page_give_its_figures])
