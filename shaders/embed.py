#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns the shaders into one C file: embed.py OUT.c FILE...

A line `#include "name.glsl"` is replaced by that file, from the same folder; GLSL itself has no include.
"""
import os
import re
import sys


def text_of(path, above=()):
    if path in above:
        sys.exit(f"{path}: includes itself")
    lines = []
    with open(path, encoding="ascii") as source:
        for line in source:
            include = re.fullmatch(r'#include "([^"]+)"\s*', line)
            if include:
                lines += text_of(os.path.join(os.path.dirname(path), include[1]), (*above, path))
            else:
                lines.append(line)
    return lines


def quoted(line):
    return '"' + line.rstrip("\n").replace("\\", "\\\\").replace('"', '\\"') + '\\n"'


def main():
    out, *paths = sys.argv[1:]
    with open(out, "w", encoding="ascii") as c:
        c.write('/* Made from the shaders by shaders/embed.py. */\n#include "render/gl/shader.h"\n\n#pragma GCC diagnostic ignored "-Woverlength-strings"\n\n')
        c.write("const snw_shader_source snw_shader_sources[] = {\n")
        for path in paths:
            body = "\n".join(quoted(line) for line in text_of(path))
            c.write(f'{{"{os.path.basename(path)}",\n{body}}},\n')
        c.write("{0, 0}};\n")


main()
