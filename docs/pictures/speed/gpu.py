#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws an SVG from `sinew bench gpu --json` on standard input: for its largest mesh, what share of a copy's bytes a second each row
moves, and the points. It says whose figures they are, and of a rasteriser on the CPU that they say nothing of cards."""
import html
import json
import sys

COLOURS = {("transform-feedback", False): "#2a6f97", ("transform-feedback", True): "#89b6cf", ("compute", False): "#a4590f",
           ("compute", True): "#dba66c"}

bench = json.load(sys.stdin)
points = max(row["points"] for row in bench["rows"])
rows = [row for row in bench["rows"] if row["points"] == points]
most = max(row["share_of_copy"] for row in rows)
device = html.escape(bench["device"])
if bench["is_software"]:
    device += ": on the CPU, it says nothing of graphics cards"
print(f'<svg xmlns="http://www.w3.org/2000/svg" width="815" height="{16 * len(rows) + 62}" font-family="sans-serif" font-size="11">')
print('<rect width="100%" height="100%" fill="#fff"/>')
print(f'<text x="8" y="18">{device}</text>')
print(f'<text x="8" y="36">{points} points; share of the bytes that a copy moves ({bench["copy_bytes_a_second"] / 1e9:.1f} GB/s); '
      'million points a second</text>')
for i, row in enumerate(rows):
    y, width = 48 + 16 * i, 330 * row["share_of_copy"] / most
    name = f'{row["path"]}, {row["blend"]}, {row["influences"]} influences{", normals" if row["normals"] else ""}'
    print(f'<text x="8" y="{y + 10}">{name}</text>')
    print(f'<rect x="345" y="{y}" width="{width:.1f}" height="12" fill="{COLOURS[row["path"], row["normals"]]}"/>')
    print(f'<text x="{349 + width:.0f}" y="{y + 10}">{100 * row["share_of_copy"]:.0f} %, {row["points_a_second"] / 1e6:.1f}</text>')
print("</svg>")
