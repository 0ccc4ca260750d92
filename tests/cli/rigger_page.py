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
    said = baked = ""
    for line in lines:
        if line.startswith("    sinew "):
            said = sinew(*shlex.split(line, comments=True)[1:], cwd=folder).stdout
            baked = said if " bake " in line else baked
            print(line.strip())
    # The last command is the export, which prints the lines that the page shows.
    shown = [line.strip() for line in lines if line.startswith("    ") and not line.startswith("    sinew ")]
    assert len(shown) == 4, shown
    for line in shown:
        begin = NUMBER.split(line)[0]
        (same,) = [found for found in said.splitlines() if found.startswith(begin)]
        assert len(printed(same)) == len(printed(line)) and all(map(near, printed(same), printed(line))), f"{same} is not {line}"
    check_measures(folder)
    check_bake(baked.splitlines())
    check_size(folder)


def numbers_of(words):
    """What the page says, with these words around its numbers."""
    return [float(number) for number in re.search(words, " ".join(tour().split())).groups()]


def check_bake(said):
    """The erms of the skins with 4 influences, at poses held out and then joint by joint."""
    alone = next(i for i, line in enumerate(said) if line.startswith("each joint alone"))
    erms = [[float(line[36:].split()[0]) for line in part if line.startswith("4 influences")] for part in (said[:alone], said[alone:])]
    named = numbers_of(r"have `erms` (\d+\.?\d*) against the stack, with one (\d+\.?\d*), with two (\d+\.?\d*), with four (\d+\.?\d*)\.")
    assert len(erms[0]) == 4 and all(map(near, erms[0], named)), f"{named} on the page, {erms[0]} measured"
    least, most, plain = numbers_of(r"skins have `erms` (\d+\.?\d*) to (\d+\.?\d*), and plain linear blend (\d+\.?\d*)")
    measured = [min(erms[1]), max(erms[1]), float(next(line for line in said[alone:] if line.startswith("linear blend"))[36:].split()[0])]
    assert all(map(near, (least, most, plain), measured)), f"{least} to {most} and {plain} on the page, {measured} measured"


def check_size(folder):
    sizes = [answer("export", folder / "engine.sinew", "-o", folder / "size.glb", "--for", "three", *options)["bytes"] / 1e6
             for options in (("--compress",), ())]
    named = numbers_of(r"`--compress` writes (\d+\.?\d*) MB instead of (\d+\.?\d*)")
    assert all(abs(a - b) <= 0.05 * b for a, b in zip(sizes, named)), f"{named} on the page, {sizes} measured"


def check_measures(folder):
    text = " ".join(tour().split())
    for project, words in (("arm.sinew", r"`both` now has `erms` (\d+\.?\d*), at most (\d+\.?\d*) %, normals (\d+\.?\d*) degrees"),
                           (None, r"linear blend has `erms` (\d+\.?\d*), (\d+\.?\d*) % of the diagonal at worst, and normals (\d+\.?\d*) degrees")):
        rows = answer("measure", folder / "arm.sinew", "--clip", "both")["errors"]
        (row,) = [one for one in rows if (one["method"] == "linear-blend") == (project is None)]
        named = [float(number) for number in re.search(words, text).groups()]
        measured = [row["erms"], row["max_percent"], row["normals_degrees"]]
        assert all(map(near, named, measured)), f"{named} on the page, {measured} measured"


run([commands_of_the_page_give_its_figures])
