#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures that README.md and docs/ publish are what the program computes, within 5 %.

figures.json lists them: the page, where the numbers come from (a function of sources.py or other_sources.py and its arguments), and each number as it is
printed, by its key in the source's answer. Where one row of a table comes from several sources, "row" has the row's numbers.

usage: figures.py SINEW pages             every listed number is on its page, in one paragraph or table, in this order
       figures.py SINEW full [SOURCE…]    the figures that are quickly computed
       figures.py SINEW long [SOURCE…]    the others
                                          SOURCE: only those whose "from" begins so

SINEW is a release: the figures are what people get."""

import json
import re
import sys
from itertools import groupby
from pathlib import Path

from animation_space import ANIMATION_SPACE_SOURCES
from harness import run
from other_sources import OTHER_SOURCES
from sources import SOURCES as MOST_SOURCES

SOURCES = {**MOST_SOURCES, **ANIMATION_SPACE_SOURCES, **OTHER_SOURCES}

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.]*\w)")


def figures():
    return json.loads((HERE / "figures.json").read_text(encoding="utf-8"))


def is_in_order(wanted, found):
    """Whether the list contains the wanted numbers in their order; others may be between them."""
    rest = iter(found)
    return all(number in rest for number in wanted)


def check_page(page):
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", (ROOT / page).read_text(encoding="utf-8"))  # 13,380 is 13380
    blocks = [NUMBER.findall(block) for block in re.split(r"\n\s*\n", text)]
    for row in figures():
        wanted = row["row"].split() if "row" in row else list(row["numbers"].values())
        if row["page"] == page:
            assert is_in_order(row["numbers"].values(), wanted), f"{row['from']}: its numbers are not in its row"
            assert any(is_in_order(wanted, block) for block in blocks), f"{page} has no paragraph or table with {' '.join(wanted)}"


def check_source(folder, source, rows):
    """Computes a source once for all pages that print it."""
    name, *arguments = source.split()
    computed = SOURCES[name](folder, *arguments)
    wrong = []
    for row in rows:
        for key, printed in row["numbers"].items():
            digits = len(printed.partition(".")[2])
            allowed = 0.05 * float(printed) + 0.5 * 10**-digits
            print(f"{row['page']}: {source}: {key}: printed {printed}, computed {computed[key]:.{digits + 2}f}")
            if not abs(computed[key] - float(printed)) <= allowed:
                wrong.append(f"{row['page']}: {source}: {key} is printed as {printed}, and is {computed[key]:.{digits + 2}f}")
    assert not wrong, "\n".join(wrong)


def named(name, case):
    case.__name__ = re.sub(r"\W+", "_", name).strip("_")
    return case


def by_source(row):
    return row["from"]


def main():
    amount = sys.argv[2]
    rows = figures()
    if amount == "pages":
        run([named(f"{page}_has_the_listed_figures", lambda folder, page=page: check_page(page))
             for page in sorted({row["page"] for row in rows})])
    wanted = tuple(sys.argv[3:]) or ("",)
    chosen = sorted((row for row in rows if row.get("suite", "full") == amount and row["from"].startswith(wanted)), key=by_source)
    run([named(f"{source}_gives_the_published_figures", lambda folder, s=source, r=tuple(group): check_source(folder, s, r))
         for source, group in groupby(chosen, by_source)])


if __name__ == "__main__":
    main()
