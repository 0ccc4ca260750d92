#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns the texts that the program writes, templates of plug-ins and parts of pages, into one C file: embed.py OUT.c FILE..."""

import pathlib
import sys


def quoted(line):
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?") + '\\n"'


def main():
    out, *paths = map(pathlib.Path, sys.argv[1:])
    rows = ['/* Made by ui/cli/embed.py. */\n#include "cli/command_line/embedded_texts.h"\n',
            '#pragma GCC diagnostic ignored "-Woverlength-strings"\n', "const snw_embedded_text snw_embedded_texts[] = {"]
    for path in paths:
        body = "\n".join(quoted(line) for line in path.read_text(encoding="utf-8").splitlines())
        name = path.stem if path.suffix in (".in", ".md") else path.name
        rows.append(f'{{"{name}",\n{body}}},')
    out.write_text("\n".join([*rows, "{0, 0}};\n"]), encoding="utf-8")


main()
